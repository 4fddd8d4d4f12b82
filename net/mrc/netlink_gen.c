// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mrc.yaml */
/* YNL-GEN kernel source */
/* YNL-ARG --function-prefix mrc-netlink */
/* To regenerate run: Documentation/netlink/generate */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/mrc_netlink.h>
#include "compat/genetlink.h"

/* MRC_CMD_SOCK_GET - do */
static const struct nla_policy mrc_sock_get_do_nl_policy[MRC_A_SOCK_PATHS + 1] = {
	[MRC_A_SOCK_ID] = { .type = NLA_U32, },
	[MRC_A_SOCK_PATHS] = { .type = NLA_FLAG, },
};

/* MRC_CMD_SOCK_GET - dump */
static const struct nla_policy mrc_sock_get_dump_nl_policy[MRC_A_SOCK_PATHS + 1] = {
	[MRC_A_SOCK_ID] = { .type = NLA_U32, },
	[MRC_A_SOCK_PATHS] = { .type = NLA_FLAG, },
};

/* Ops table for mrc */
const struct genl_split_ops mrc_nl_ops[3] = {
	{
		.cmd	= MRC_CMD_INFO_GET,
		.doit	= mrc_netlink_info_get_doit,
		.flags	= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MRC_CMD_SOCK_GET,
		.doit		= mrc_netlink_sock_get_doit,
		.policy		= mrc_sock_get_do_nl_policy,
		.maxattr	= MRC_A_SOCK_PATHS,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MRC_CMD_SOCK_GET,
		.start		= mrc_netlink_sock_get_start,
		.dumpit		= mrc_netlink_sock_get_dumpit,
		.policy		= mrc_sock_get_dump_nl_policy,
		.maxattr	= MRC_A_SOCK_PATHS,
		.flags		= GENL_CMD_CAP_DUMP,
	},
};
