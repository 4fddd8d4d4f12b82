/* SPDX-License-Identifier: GPL-2.0-only */
/* Generic netlink family "mrc": what its parts share. */
#ifndef _MRC_NETLINK_H
#define _MRC_NETLINK_H

#include <linux/types.h>

struct genl_family;
struct genl_info;
struct in6_addr;
struct mrc_sock;
struct netlink_ext_ack;
struct sk_buff;

extern struct genl_family mrc_genl;

int mrc_netlink_may_change(struct sk_buff *skb, struct netlink_ext_ack *extack);
struct mrc_sock *mrc_netlink_sock(struct genl_info *info);
int mrc_netlink_put_addr(struct sk_buff *skb, int attr,
			 const struct in6_addr *addr, u16 user_family);
int mrc_netlink_init(void);
void mrc_netlink_exit(void);

#endif /* _MRC_NETLINK_H */
