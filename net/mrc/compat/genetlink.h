/* SPDX-License-Identifier: GPL-2.0-only */
/* Generic netlink of kernels before 6.6 made to look like that of later ones. */
#ifndef _MRC_COMPAT_GENETLINK_H
#define _MRC_COMPAT_GENETLINK_H

#include <linux/version.h>
#include <net/genetlink.h>
#include <uapi/linux/mrc_netlink.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
/* Only ->attrs is there in both, which is all that we read of it. */
#define genl_info_dump(cb)	genl_dumpit_info(cb)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)

/* What later kernels have, less the hooks that do without an equivalent. */
struct genl_split_ops {
	int	(*doit)(struct sk_buff *skb, struct genl_info *info);
	int	(*start)(struct netlink_callback *cb);
	int	(*dumpit)(struct sk_buff *skb, struct netlink_callback *cb);
	int	(*done)(struct netlink_callback *cb);
	const struct nla_policy *policy;
	unsigned int		maxattr;
	u8			cmd;
	u8			internal_flags;
	u8			flags;
	u8			validate;
};

/*
 * Here do and dump of a command are one operation with one policy: that of do,
 * which stands first in what the generator makes.
 */
static inline void mrc_genl_set_ops(struct genl_family *family,
				    const struct genl_split_ops *split,
				    unsigned int n)
{
	static struct genl_ops merged[MRC_CMD_MAX];
	const struct genl_split_ops *end = split + n;
	struct genl_ops *op = merged - 1;

	for (; split < end; split++) {
		if (op < merged || op->cmd != split->cmd) {
			op++;
			op->cmd = split->cmd;
			op->policy = split->policy;
			op->maxattr = split->maxattr;
		}
		if (split->flags & GENL_CMD_CAP_DO)
			op->doit = split->doit;
		if (split->flags & GENL_CMD_CAP_DUMP) {
			op->start = split->start;
			op->dumpit = split->dumpit;
			op->done = split->done;
		}
		op->flags |= split->flags;
		op->validate |= split->validate;
		op->internal_flags |= split->internal_flags;
	}
	family->ops = merged;
	family->n_ops = op + 1 - merged;
}

#else

static inline void mrc_genl_set_ops(struct genl_family *family,
				    const struct genl_split_ops *split,
				    unsigned int n)
{
	family->split_ops = split;
	family->n_split_ops = n;
}

#endif
#endif /* _MRC_COMPAT_GENETLINK_H */
