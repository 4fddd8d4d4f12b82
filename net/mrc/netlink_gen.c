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

/* Sparse enums validation callbacks */
static int
mrc_a_sock_type_validate(const struct nlattr *attr,
			 struct netlink_ext_ack *extack)
{
	switch (nla_get_u32(attr)) {
	case MRC_SOCK_TYPE_STREAM:
		fallthrough;
	case MRC_SOCK_TYPE_RDM:
		fallthrough;
	case MRC_SOCK_TYPE_SEQPACKET:
		return 0;
	}
	NL_SET_ERR_MSG_ATTR(extack, attr, "invalid enum value");
	return -EINVAL;
}

/* Common nested types */
const struct nla_policy mrc_path_change_nl_policy[MRC_A_PATH_CHANGE_WEIGHT + 1] = {
	[MRC_A_PATH_CHANGE_INDEX] = { .type = NLA_U32, },
	[MRC_A_PATH_CHANGE_DENY] = { .type = NLA_FLAG, },
	[MRC_A_PATH_CHANGE_ALLOW] = { .type = NLA_FLAG, },
	[MRC_A_PATH_CHANGE_WEIGHT] = NLA_POLICY_MIN(NLA_U32, 1),
};

const struct nla_policy mrc_setting_change_nl_policy[MRC_A_SETTING_CHOICE + 1] = {
	[MRC_A_SETTING_NAME] = { .type = NLA_NUL_STRING, .len = 31, },
	[MRC_A_SETTING_VALUE] = { .type = NLA_S32, },
	[MRC_A_SETTING_CHOICE] = { .type = NLA_STRING, .len = 15, },
};

/* MRC_CMD_SOCK_GET - do */
static const struct nla_policy mrc_sock_get_do_nl_policy[MRC_A_SOCK_STATES + 1] = {
	[MRC_A_SOCK_ID] = { .type = NLA_U32, },
	[MRC_A_SOCK_PATHS] = { .type = NLA_FLAG, },
	[MRC_A_SOCK_TYPE] = NLA_POLICY_VALIDATE_FN(NLA_U32, &mrc_a_sock_type_validate),
	[MRC_A_SOCK_STATES] = NLA_POLICY_MASK(NLA_U32, 0xffe),
	[MRC_A_SOCK_LOCAL_ADDR] = { .type = NLA_BINARY, },
	[MRC_A_SOCK_REMOTE_ADDR] = { .type = NLA_BINARY, },
	[MRC_A_SOCK_LOCAL_PORT] = { .type = NLA_U16, },
	[MRC_A_SOCK_REMOTE_PORT] = { .type = NLA_U16, },
	[MRC_A_SOCK_UID] = { .type = NLA_U32, },
	[MRC_A_SOCK_INODE] = { .type = NLA_U64, },
};

/* MRC_CMD_SOCK_GET - dump */
static const struct nla_policy mrc_sock_get_dump_nl_policy[MRC_A_SOCK_STATES + 1] = {
	[MRC_A_SOCK_ID] = { .type = NLA_U32, },
	[MRC_A_SOCK_PATHS] = { .type = NLA_FLAG, },
	[MRC_A_SOCK_TYPE] = NLA_POLICY_VALIDATE_FN(NLA_U32, &mrc_a_sock_type_validate),
	[MRC_A_SOCK_STATES] = NLA_POLICY_MASK(NLA_U32, 0xffe),
	[MRC_A_SOCK_LOCAL_ADDR] = { .type = NLA_BINARY, },
	[MRC_A_SOCK_REMOTE_ADDR] = { .type = NLA_BINARY, },
	[MRC_A_SOCK_LOCAL_PORT] = { .type = NLA_U16, },
	[MRC_A_SOCK_REMOTE_PORT] = { .type = NLA_U16, },
	[MRC_A_SOCK_UID] = { .type = NLA_U32, },
	[MRC_A_SOCK_INODE] = { .type = NLA_U64, },
};

/* MRC_CMD_SOCK_KILL - do */
static const struct nla_policy mrc_sock_kill_nl_policy[MRC_A_SOCK_ID + 1] = {
	[MRC_A_SOCK_ID] = { .type = NLA_U32, },
};

/* MRC_CMD_PATH_SET - do */
static const struct nla_policy mrc_path_set_nl_policy[MRC_A_SOCK_CHANGE + 1] = {
	[MRC_A_SOCK_ID] = { .type = NLA_U32, },
	[MRC_A_SOCK_CHANGE] = NLA_POLICY_NESTED(mrc_path_change_nl_policy),
};

/* MRC_CMD_SETTINGS_SET - do */
static const struct nla_policy mrc_settings_set_nl_policy[MRC_A_SETTINGS_CHANGE + 1] = {
	[MRC_A_SETTINGS_CHANGE] = NLA_POLICY_NESTED(mrc_setting_change_nl_policy),
};

/* Ops table for mrc */
const struct genl_split_ops mrc_nl_ops[8] = {
	{
		.cmd	= MRC_CMD_INFO_GET,
		.doit	= mrc_netlink_info_get_doit,
		.flags	= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MRC_CMD_SOCK_GET,
		.doit		= mrc_netlink_sock_get_doit,
		.policy		= mrc_sock_get_do_nl_policy,
		.maxattr	= MRC_A_SOCK_STATES,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MRC_CMD_SOCK_GET,
		.start		= mrc_netlink_sock_get_start,
		.dumpit		= mrc_netlink_sock_get_dumpit,
		.policy		= mrc_sock_get_dump_nl_policy,
		.maxattr	= MRC_A_SOCK_STATES,
		.flags		= GENL_CMD_CAP_DUMP,
	},
	{
		.cmd		= MRC_CMD_SOCK_KILL,
		.doit		= mrc_netlink_sock_kill_doit,
		.policy		= mrc_sock_kill_nl_policy,
		.maxattr	= MRC_A_SOCK_ID,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MRC_CMD_PATH_SET,
		.doit		= mrc_netlink_path_set_doit,
		.policy		= mrc_path_set_nl_policy,
		.maxattr	= MRC_A_SOCK_CHANGE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= MRC_CMD_SETTINGS_GET,
		.doit	= mrc_netlink_settings_get_doit,
		.flags	= GENL_CMD_CAP_DO,
	},
	{
		.cmd		= MRC_CMD_SETTINGS_SET,
		.doit		= mrc_netlink_settings_set_doit,
		.policy		= mrc_settings_set_nl_policy,
		.maxattr	= MRC_A_SETTINGS_CHANGE,
		.flags		= GENL_CMD_CAP_DO,
	},
	{
		.cmd	= MRC_CMD_COUNTERS_GET,
		.doit	= mrc_netlink_counters_get_doit,
		.flags	= GENL_CMD_CAP_DO,
	},
};
