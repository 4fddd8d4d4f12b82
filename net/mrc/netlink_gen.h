/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mrc.yaml */
/* YNL-GEN kernel header */
/* YNL-ARG --function-prefix mrc-netlink */
/* To regenerate run: Documentation/netlink/generate */

#ifndef _LINUX_MRC_GEN_H
#define _LINUX_MRC_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/mrc_netlink.h>
#include "compat/genetlink.h"

/* Common nested types */
extern const struct nla_policy mrc_path_change_nl_policy[MRC_A_PATH_CHANGE_WEIGHT + 1];
extern const struct nla_policy mrc_setting_change_nl_policy[MRC_A_SETTING_CHOICE + 1];

/* Ops table for mrc */
extern const struct genl_split_ops mrc_nl_ops[8];

int mrc_netlink_sock_get_start(struct netlink_callback *cb);

int mrc_netlink_info_get_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_netlink_sock_get_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_netlink_sock_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb);
int mrc_netlink_sock_kill_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_netlink_path_set_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_netlink_settings_get_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_netlink_settings_set_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_netlink_counters_get_doit(struct sk_buff *skb, struct genl_info *info);

enum {
	MRC_NLGRP_EVENTS,
};

#endif /* _LINUX_MRC_GEN_H */
