// SPDX-License-Identifier: GPL-2.0-only
/* Netlink: what the administrator wants of paths. */
#include <linux/bitmap.h>
#include <net/genetlink.h>
#include "compat/genetlink.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "path.h"
#include "sock.h"
#include "weight.h"

/* The policy has been checked: only what it cannot say is left. */
static int parse(const struct nlattr *change, struct nlattr **tb,
		 struct netlink_ext_ack *extack)
{
	return nla_parse_nested(tb, MRC_A_PATH_CHANGE_MAX, change,
				mrc_path_change_nl_policy, extack);
}

static int check_change(const struct mrc_sock *mk, const struct nlattr *change,
			unsigned long *denied, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[MRC_A_PATH_CHANGE_MAX + 1], *index, *weight;
	int err;

	err = parse(change, tb, extack);
	if (err)
		return err;
	index = tb[MRC_A_PATH_CHANGE_INDEX];
	weight = tb[MRC_A_PATH_CHANGE_WEIGHT];
	if (!index) {
		NL_SET_ERR_MSG_ATTR(extack, change,
				    "index of the path is missing");
		return -EINVAL;
	}
	if (nla_get_u32(index) >= mk->nr_paths) {
		NL_SET_ERR_MSG_ATTR(extack, index, "no path has this index");
		return -ENOENT;
	}
	if (!!tb[MRC_A_PATH_CHANGE_DENY] + !!tb[MRC_A_PATH_CHANGE_ALLOW] +
	    !!weight != 1) {
		NL_SET_ERR_MSG_ATTR(extack, change,
				    "one of deny, allow and weight is needed");
		return -EINVAL;
	}
	if (weight && nla_get_u32(weight) > MRC_WEIGHT_FULL) {
		NL_SET_ERR_MSG_ATTR(extack, weight,
				    "more than the weight of a whole path");
		return -ERANGE;
	}
	if (tb[MRC_A_PATH_CHANGE_DENY])
		__set_bit(nla_get_u32(index), denied);
	else if (tb[MRC_A_PATH_CHANGE_ALLOW])
		__clear_bit(nla_get_u32(index), denied);
	return 0;
}

static void apply(struct mrc_sock *mk, const struct nlattr *change)
{
	struct nlattr *tb[MRC_A_PATH_CHANGE_MAX + 1];
	struct mrc_path *path;

	if (parse(change, tb, NULL))
		return;
	path = &mk->paths[nla_get_u32(tb[MRC_A_PATH_CHANGE_INDEX])];
	if (tb[MRC_A_PATH_CHANGE_DENY])
		mrc_path_set_state(mk, path, MRC_PATH_DENIED);
	else if (tb[MRC_A_PATH_CHANGE_WEIGHT])
		mrc_weight_limit(path,
				 nla_get_u32(tb[MRC_A_PATH_CHANGE_WEIGHT]));
	else if (path->state == MRC_PATH_DENIED)
		mrc_path_set_state(mk, path, mk->nr_usable < mk->nr_active ?
					     MRC_PATH_UNKNOWN :
					     MRC_PATH_STANDBY);
}

/* Those that are left may all be suspected: nevertheless they must do. */
static void keep_usable(struct mrc_sock *mk)
{
	unsigned int i;

	if (mk->nr_usable)
		return;
	for (i = 0; i < mk->nr_paths && mk->nr_usable < mk->nr_active; i++)
		if (mk->paths[i].state != MRC_PATH_DENIED)
			mrc_path_set_state(mk, &mk->paths[i], MRC_PATH_UNKNOWN);
}

static int check_all(struct mrc_sock *mk, struct genl_info *info)
{
	DECLARE_BITMAP(denied, MRC_MAX_PATHS) = {};
	struct nlattr *change;
	unsigned int i;
	int err, rem;

	if (!mk->paths) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MRC_A_SOCK_ID],
				    "the socket has no connection");
		return -ENOTCONN;
	}
	for (i = 0; i < mk->nr_paths; i++)
		if (mk->paths[i].state == MRC_PATH_DENIED)
			__set_bit(i, denied);
	nla_for_each_attr(change, genlmsg_data(info->genlhdr),
			  genlmsg_len(info->genlhdr), rem) {
		if (nla_type(change) != MRC_A_SOCK_CHANGE)
			continue;
		err = check_change(mk, change, denied, info->extack);
		if (err)
			return err;
	}
	if (bitmap_full(denied, mk->nr_paths)) {
		NL_SET_ERR_MSG(info->extack, "one path must remain");
		return -EBUSY;
	}
	return 0;
}

static void apply_all(struct mrc_sock *mk, struct genl_info *info)
{
	struct nlattr *change;
	int rem;

	nla_for_each_attr(change, genlmsg_data(info->genlhdr),
			  genlmsg_len(info->genlhdr), rem)
		if (nla_type(change) == MRC_A_SOCK_CHANGE)
			apply(mk, change);
	keep_usable(mk);
}

/**
 * mrc_netlink_path_set_doit() - change paths of a connection, all or none
 * @skb: the request
 * @info: its attributes
 *
 * Context: process, takes the lock of that socket.
 * Return: 0; -EPERM; -EINVAL, -ERANGE or -ENOENT for what is not there or out
 * of bounds; -ENOTCONN; -EBUSY when no path would remain.
 */
int mrc_netlink_path_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_sock *mk;
	int err;

	err = mrc_netlink_may_change(skb, info->extack);
	if (err)
		return err;
	if (!info->attrs[MRC_A_SOCK_CHANGE]) {
		NL_SET_ERR_MSG(info->extack, "change of a path is missing");
		return -EINVAL;
	}
	mk = mrc_netlink_sock(info);
	if (IS_ERR(mk))
		return PTR_ERR(mk);
	lock_sock(&mk->sk);
	err = check_all(mk, info);
	if (!err)
		apply_all(mk, info);
	release_sock(&mk->sk);
	sock_put(&mk->sk);
	return err;
}
