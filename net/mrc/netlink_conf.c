// SPDX-License-Identifier: GPL-2.0-only
/* Netlink: settings and counters of a network namespace. */
#include <net/genetlink.h>
#include "compat/genetlink.h"
#include "mib.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "netns.h"
#include "sysctl.h"

#define NAME_SIZE	32

static size_t setting_size(void)
{
	return nla_total_size(0) + nla_total_size(NAME_SIZE) +
	       (2 + 2 * MRC_SETTING_VALUES) * nla_total_size(sizeof(s32)) +
	       MRC_SETTING_CHOICES * nla_total_size(MRC_SETTING_CHOICE_MAX);
}

static int put_values(struct sk_buff *skb, int attr, const int *values,
		      unsigned int count)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < count && !err; i++)
		err = nla_put_s32(skb, attr, values[i]);
	return err;
}

static int put_choices(struct sk_buff *skb, const struct mrc_setting *setting)
{
	int i, err = 0;

	for (i = 0; setting->choice[0] && i <= setting->most && !err; i++)
		err = nla_put_string(skb, MRC_A_SETTING_CHOICE,
				     setting->choice[i]);
	return err;
}

static int put_setting(struct sk_buff *skb, const struct mrc_setting *setting,
		       struct mrc_sysctl *ctl)
{
	struct nlattr *nest = nla_nest_start(skb, MRC_A_SETTINGS_SETTING);

	if (!nest)
		return -EMSGSIZE;
	if (nla_put_string(skb, MRC_A_SETTING_NAME, setting->name) ||
	    put_values(skb, MRC_A_SETTING_VALUE,
		       mrc_setting_values(setting, ctl), setting->count) ||
	    nla_put_s32(skb, MRC_A_SETTING_LEAST, setting->least) ||
	    nla_put_s32(skb, MRC_A_SETTING_MOST, setting->most) ||
	    put_values(skb, MRC_A_SETTING_FIRST, setting->first,
		       setting->count) ||
	    put_choices(skb, setting))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/* Fills the reply by @fill and sends it. */
static int reply(struct genl_info *info, u8 command, size_t size,
		 int (*fill)(struct sk_buff *skb, struct mrc_net *mn))
{
	struct sk_buff *skb = genlmsg_new(size, GFP_KERNEL);
	void *hdr;
	int err;

	if (!skb)
		return -ENOMEM;
	hdr = genlmsg_put_reply(skb, info, &mrc_genl, 0, command);
	err = hdr ? fill(skb, mrc_net(genl_info_net(info))) : -EMSGSIZE;
	if (err) {
		nlmsg_free(skb);
		return err;
	}
	genlmsg_end(skb, hdr);
	return genlmsg_reply(skb, info);
}

static int fill_settings(struct sk_buff *skb, struct mrc_net *mn)
{
	struct mrc_sysctl now;
	unsigned int i;
	int err = 0;

	mutex_lock(&mn->sysctl_lock);
	now = mn->sysctl;
	mutex_unlock(&mn->sysctl_lock);
	for (i = 0; i < mrc_nr_settings && !err; i++)
		err = put_setting(skb, &mrc_settings[i], &now);
	return err;
}

/**
 * mrc_netlink_settings_get_doit() - show all settings as they are together
 * @skb: the request
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_netlink_settings_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return reply(info, MRC_CMD_SETTINGS_GET,
		     GENL_HDRLEN + mrc_nr_settings * setting_size(),
		     fill_settings);
}

static const struct mrc_setting *find_setting(const struct nlattr *name)
{
	unsigned int i;

	for (i = 0; i < mrc_nr_settings; i++)
		if (!nla_strcmp(name, mrc_settings[i].name))
			return &mrc_settings[i];
	return NULL;
}

/* Takes one value; its bounds are checked. */
static int take_value(const struct mrc_setting *setting,
		      const struct nlattr *attr, int *values,
		      unsigned int index, struct netlink_ext_ack *extack)
{
	int value = nla_get_s32(attr);

	if (index >= setting->count) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "too many values");
		return -EINVAL;
	}
	if (value < setting->least) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "value is too small");
		return -ERANGE;
	}
	if (value > setting->most) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "value is too large");
		return -ERANGE;
	}
	values[index] = value;
	return 0;
}

/* Takes a name in place of a value. */
static int take_choice(const struct mrc_setting *setting,
		       const struct nlattr *attr, int *values,
		       unsigned int index, struct netlink_ext_ack *extack)
{
	char name[MRC_SETTING_CHOICE_MAX];
	int value = -ENOENT;

	nla_strscpy(name, attr, sizeof(name));
	if (setting->choice[0])
		value = mrc_setting_choose(setting, name);
	if (value < 0) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "no value has this name");
		return value;
	}
	if (index >= setting->count) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "too many values");
		return -EINVAL;
	}
	values[index] = value;
	return 0;
}

static int take_change(const struct nlattr *change, struct mrc_sysctl *new,
		       struct netlink_ext_ack *extack)
{
	const struct nlattr *name, *attr;
	const struct mrc_setting *setting;
	unsigned int count = 0;
	int err, rem, *values;

	name = nla_find_nested(change, MRC_A_SETTING_NAME);
	if (!name) {
		NL_SET_ERR_MSG_ATTR(extack, change,
				    "name of the setting is missing");
		return -EINVAL;
	}
	setting = find_setting(name);
	if (!setting) {
		NL_SET_ERR_MSG_ATTR(extack, name, "no setting has this name");
		return -ENOENT;
	}
	values = mrc_setting_values(setting, new);
	nla_for_each_nested(attr, change, rem) {
		if (nla_type(attr) == MRC_A_SETTING_VALUE)
			err = take_value(setting, attr, values, count++,
					 extack);
		else if (nla_type(attr) == MRC_A_SETTING_CHOICE)
			err = take_choice(setting, attr, values, count++,
					  extack);
		else
			continue;
		if (err)
			return err;
	}
	if (count < setting->count) {
		NL_SET_ERR_MSG_ATTR(extack, change, "too few values");
		return -EINVAL;
	}
	if (!mrc_setting_ordered(setting, values)) {
		NL_SET_ERR_MSG_ATTR(extack, change, "values must not decrease");
		return -EINVAL;
	}
	return 0;
}

static int take_changes(struct genl_info *info, struct mrc_sysctl *new)
{
	const struct nlattr *change;
	int err, rem;

	nla_for_each_attr(change, genlmsg_data(info->genlhdr),
			  genlmsg_len(info->genlhdr), rem) {
		if (nla_type(change) != MRC_A_SETTINGS_CHANGE)
			continue;
		err = take_change(change, new, info->extack);
		if (err)
			return err;
	}
	return 0;
}

/**
 * mrc_netlink_settings_set_doit() - change settings, all or none
 * @skb: the request
 * @info: its attributes
 *
 * Context: process.
 * Return: 0; -EPERM; -EINVAL, -ENOENT or -ERANGE for what is not there or out
 * of bounds; -EBUSY or -EADDRINUSE for the UDP port.
 */
int mrc_netlink_settings_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_net *mn = mrc_net(genl_info_net(info));
	struct mrc_sysctl new;
	int err;

	err = mrc_netlink_may_change(skb, info->extack);
	if (err)
		return err;
	if (!info->attrs[MRC_A_SETTINGS_CHANGE]) {
		NL_SET_ERR_MSG(info->extack, "change of a setting is missing");
		return -EINVAL;
	}
	mutex_lock(&mn->sysctl_lock);
	new = mn->sysctl;
	err = take_changes(info, &new);
	if (!err) {
		err = mrc_sysctl_apply(mn, &new);
		if (err == -EBUSY)
			NL_SET_ERR_MSG(info->extack,
				       "udp_port changes only without sockets");
		else if (err)
			NL_SET_ERR_MSG(info->extack, "cannot open udp_port");
	}
	mutex_unlock(&mn->sysctl_lock);
	return err;
}

static int fill_counters(struct sk_buff *skb, struct mrc_net *mn)
{
	unsigned int i;

	for (i = 0; i < MRC_MIB_COUNT; i++) {
		struct nlattr *nest;

		nest = nla_nest_start(skb, MRC_A_COUNTERS_COUNTER);
		if (!nest ||
		    nla_put_string(skb, MRC_A_COUNTER_NAME, mrc_mib_name(i)) ||
		    nla_put_u64_64bit(skb, MRC_A_COUNTER_VALUE,
				      mrc_mib_sum(mn, i), MRC_A_COUNTER_PAD))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

/**
 * mrc_netlink_counters_get_doit() - show all counters
 * @skb: the request
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_netlink_counters_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return reply(info, MRC_CMD_COUNTERS_GET, GENL_HDRLEN + MRC_MIB_COUNT *
		     (nla_total_size(0) + nla_total_size(NAME_SIZE) +
		      nla_total_size_64bit(sizeof(u64))), fill_counters);
}
