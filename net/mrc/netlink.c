// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink family "mrc". Documentation/netlink/specs/mrc.yaml describes
 * it; policies and the table of operations are generated from there. Here is
 * what its parts share: netlink_sock.c, netlink_path.c, netlink_conf.c, and
 * event.c for what is told without being asked.
 */
#include <net/genetlink.h>
#include <net/ipv6.h>
#include "af_mrc.h"
#include "compat/genetlink.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "netns.h"
#include "sock.h"
#include "table.h"

/* All paths of all users' connections: not for everybody. */
static const struct genl_multicast_group groups[] = {
	[MRC_NLGRP_EVENTS] = {
		.name	= MRC_MCGRP_EVENTS,
		.flags	= GENL_MCAST_CAP_NET_ADMIN,
	},
};

struct genl_family mrc_genl __ro_after_init = {
	.name		= MRC_GENL_NAME,
	.version	= MRC_GENL_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
	.mcgrps		= groups,
	.n_mcgrps	= ARRAY_SIZE(groups),
};

/**
 * mrc_netlink_may_change() - check that a request may change something
 * @skb: the request
 * @extack: where the refusal is explained
 *
 * Return: 0, or -EPERM without CAP_NET_ADMIN in the network namespace.
 */
int mrc_netlink_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack)
{
	if (netlink_net_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(extack, "changes need CAP_NET_ADMIN");
	return -EPERM;
}

/**
 * mrc_netlink_sock() - find the socket that a request is about
 * @info: the request; MRC_A_SOCK_ID names it
 *
 * Context: process.
 * Return: the socket with a reference; ERR_PTR(-EINVAL) without an id,
 * ERR_PTR(-ENOENT) for one that is not in use.
 */
struct mrc_sock *mrc_netlink_sock(struct genl_info *info)
{
	struct mrc_net *mn = mrc_net(genl_info_net(info));
	struct nlattr *id = info->attrs[MRC_A_SOCK_ID];
	struct mrc_sock *mk;

	if (!id) {
		NL_SET_ERR_MSG(info->extack, "id of the socket is missing");
		return ERR_PTR(-EINVAL);
	}
	mk = mrc_table_serial(mn, nla_get_u32(id));
	if (mk)
		return mk;
	NL_SET_ERR_MSG_ATTR(info->extack, id, "no socket has this id");
	return ERR_PTR(-ENOENT);
}

/**
 * mrc_netlink_put_addr() - add an address in the form that its socket has
 * @skb: message
 * @attr: attribute
 * @addr: address, IPv4 as ::ffff:a.b.c.d
 * @user_family: AF_INET for a socket that shows IPv4 addresses only
 *
 * Return: 0 or -EMSGSIZE.
 */
int mrc_netlink_put_addr(struct sk_buff *skb, int attr,
			 const struct in6_addr *addr, u16 user_family)
{
	if (ipv6_addr_v4mapped(addr) || user_family == AF_INET)
		return nla_put_in_addr(skb, attr, addr->s6_addr32[3]);
	return nla_put_in6_addr(skb, attr, addr);
}

/**
 * mrc_netlink_info_get_doit() - what a program must know to open sockets
 * @skb: the request
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or -errno.
 */
int mrc_netlink_info_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_net *mn = mrc_net(genl_info_net(info));
	struct sk_buff *reply;
	void *hdr;

	reply = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	hdr = genlmsg_put_reply(reply, info, &mrc_genl, 0, MRC_CMD_INFO_GET);
	if (!hdr ||
	    nla_put_u32(reply, MRC_A_INFO_FAMILY, mrc_family) ||
	    nla_put_u16(reply, MRC_A_INFO_UDP_PORT,
			READ_ONCE(mn->sysctl.udp_port)) ||
	    nla_put_u32(reply, MRC_A_INFO_WIRE_VERSION, MRC_WIRE_VERSION)) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, hdr);
	return genlmsg_reply(reply, info);
}

/**
 * mrc_netlink_init() - register the family
 *
 * Context: process; from then on requests come in from all namespaces, so
 * all else must be ready.
 * Return: 0 or -errno.
 */
int __init mrc_netlink_init(void)
{
	mrc_genl_set_ops(&mrc_genl, mrc_nl_ops, ARRAY_SIZE(mrc_nl_ops));
	return genl_register_family(&mrc_genl);
}

/**
 * mrc_netlink_exit() - unregister the family
 *
 * Context: process; waits for requests in progress.
 */
void mrc_netlink_exit(void)
{
	genl_unregister_family(&mrc_genl);
}
