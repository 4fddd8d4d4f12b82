// SPDX-License-Identifier: GPL-2.0-only
/* Settings: the table, their files in /proc/sys/net/mrc, and how they change. */
#include <linux/slab.h>
#include <linux/sysctl.h>
#include <uapi/linux/mrc.h>
#include "compat/compat.h"
#include "encap.h"
#include "keepalive.h"
#include "netns.h"
#include "path.h"
#include "sysctl.h"

#define SETTING(field, values, min, max, ...) {			\
	.name	= #field,					\
	.offset	= offsetof(struct mrc_sysctl, field),		\
	.count	= values,					\
	.least	= min,						\
	.most	= max,						\
	.first	= { __VA_ARGS__ },				\
}

/* The text that follows is for the documentation. */
#define INTEGER(field, first, min, max, ...) \
	SETTING(field, 1, min, max, first)
#define TRIPLET(field, a, b, c, min, max, ...) \
	SETTING(field, 3, min, max, a, b, c)
/* The value is the place of its name in the list. */
#define VARIANT(field, a, b, ...) {				\
	.name	= #field,					\
	.offset	= offsetof(struct mrc_sysctl, field),		\
	.count	= 1,						\
	.most	= MRC_SETTING_CHOICES - 1,			\
	.choice	= { a, b },					\
}

const struct mrc_setting mrc_settings[] = {
#include "sysctl_table.h"
};

const unsigned int mrc_nr_settings = ARRAY_SIZE(mrc_settings);

/**
 * mrc_setting_ordered() - may a setting have these values together?
 * @setting: the setting
 * @values: its values, each within the bounds
 */
bool mrc_setting_ordered(const struct mrc_setting *setting, const int *values)
{
	unsigned int i;

	for (i = 1; i < setting->count; i++)
		if (values[i - 1] > values[i])
			return false;
	return true;
}

/**
 * mrc_setting_choose() - the value that has a name
 * @setting: a setting with choices
 * @name: one of them, or not
 *
 * Return: the value, or -ENOENT.
 */
int mrc_setting_choose(const struct mrc_setting *setting, const char *name)
{
	int i;

	for (i = 0; i <= setting->most; i++)
		if (!strcmp(setting->choice[i], name))
			return i;
	return -ENOENT;
}

static void copy_values(struct mrc_sysctl *to, const struct mrc_sysctl *from)
{
	const int *source = (const int *)from;
	int *target = (int *)to;
	unsigned int i;

	for (i = 0; i < sizeof(*to) / sizeof(int); i++)
		WRITE_ONCE(target[i], source[i]);
}

/**
 * mrc_sysctl_apply() - change a namespace's settings, all or none
 * @mn: network namespace, sysctl_lock held
 * @new: what they shall be; checked already
 *
 * A new UDP port moves the sockets there, if nothing uses them.
 *
 * Context: process.
 * Return: 0, -EBUSY or what opening the port said; then nothing changed.
 */
int mrc_sysctl_apply(struct mrc_net *mn, struct mrc_sysctl *new)
{
	int err = 0;

	lockdep_assert_held(&mn->sysctl_lock);
	if (new->udp_port != mn->sysctl.udp_port)
		err = mrc_encap_reopen(mn, new->udp_port);
	if (!err)
		copy_values(&mn->sysctl, new);
	return err;
}

static int do_choice(const struct mrc_setting *setting, int *value, int write,
		     void *buffer, size_t *lenp, loff_t *ppos)
{
	char name[MRC_SETTING_CHOICE_MAX];
	struct ctl_table tmp = { .data = name, .maxlen = sizeof(name) };
	int err;

	strscpy(name, setting->choice[*value], sizeof(name));
	err = proc_dostring(&tmp, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	err = mrc_setting_choose(setting, name);
	if (err < 0)
		return err;
	*value = err;
	return 0;
}

/* The setting is where .extra1 points into, the namespace where .data does. */
static int do_setting(MRC_CTL_CONST struct ctl_table *table, int write,
		      void *buffer, size_t *lenp, loff_t *ppos)
{
	const struct mrc_setting *setting =
		container_of(table->extra1, const struct mrc_setting, least);
	struct mrc_net *mn = container_of(table->data - setting->offset,
					  struct mrc_net, sysctl);
	struct ctl_table tmp = *table;
	struct mrc_sysctl new;
	int err;

	mutex_lock(&mn->sysctl_lock);
	new = mn->sysctl;
	tmp.data = mrc_setting_values(setting, &new);
	if (setting->choice[0])
		err = do_choice(setting, tmp.data, write, buffer, lenp, ppos);
	else
		err = proc_dointvec_minmax(&tmp, write, buffer, lenp, ppos);
	if (!err && write) {
		err = -EINVAL;
		if (mrc_setting_ordered(setting, tmp.data))
			err = mrc_sysctl_apply(mn, &new);
	}
	mutex_unlock(&mn->sysctl_lock);
	return err;
}

static void fill_entry(struct ctl_table *entry,
		       const struct mrc_setting *setting,
		       struct mrc_sysctl *ctl)
{
	entry->procname = setting->name;
	entry->data = mrc_setting_values(setting, ctl);
	entry->maxlen = setting->count * sizeof(int);
	entry->mode = 0644;
	entry->proc_handler = do_setting;
	entry->extra1 = (void *)&setting->least;
	entry->extra2 = (void *)&setting->most;
}

static void set_first(struct mrc_sysctl *ctl)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrc_settings); i++)
		memcpy(mrc_setting_values(&mrc_settings[i], ctl),
		       mrc_settings[i].first,
		       mrc_settings[i].count * sizeof(int));
}

/**
 * mrc_sysctl_init() - set a namespace's settings and register net.mrc
 * @net: network namespace
 *
 * A new namespace begins with what the first one has now.
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_sysctl_init(struct net *net)
{
	struct mrc_net *mn = mrc_net(net), *first = mrc_net(&init_net);
	struct ctl_table *table;
	unsigned int i;

	BUILD_BUG_ON(MRC_MAX_PATHS != 256);
	BUILD_BUG_ON(MRC_KEEPALIVE_MAX_S != 32767);
	BUILD_BUG_ON(MRC_KEEPALIVE_MAX_PROBES != 127);
	mutex_init(&mn->sysctl_lock);
	if (net_eq(net, &init_net)) {
		set_first(&mn->sysctl);
	} else {
		mutex_lock(&first->sysctl_lock);
		mn->sysctl = first->sysctl;
		mutex_unlock(&first->sysctl_lock);
	}
	/* One more, empty: before 6.6 that ends the table. */
	table = kcalloc(ARRAY_SIZE(mrc_settings) + 1, sizeof(*table),
			GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(mrc_settings); i++)
		fill_entry(&table[i], &mrc_settings[i], &mn->sysctl);
	mn->sysctl_hdr = register_net_sysctl_sz(net, "net/mrc", table,
						ARRAY_SIZE(mrc_settings));
	if (!mn->sysctl_hdr) {
		kfree(table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * mrc_sysctl_exit() - unregister it
 * @net: network namespace
 */
void mrc_sysctl_exit(struct net *net)
{
	struct ctl_table_header *hdr = mrc_net(net)->sysctl_hdr;
	const struct ctl_table *table = hdr->ctl_table_arg;

	unregister_net_sysctl_table(hdr);
	kfree(table);
}
