/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses: what users give and get. */
#ifndef _MRC_ADDR_H
#define _MRC_ADDR_H

#include <linux/in6.h>
#include <linux/socket.h>

struct mrc_sock;

/**
 * struct mrc_addr - an address as it is used inside
 * @ip: IPv4 as ::ffff:a.b.c.d
 * @port: AF_MRC port, host order
 * @scope: interface of a link-local address, 0: none
 * @family: AF_INET or AF_INET6: how it was written
 */
struct mrc_addr {
	struct in6_addr ip;
	u16	port;
	int	scope;
	int	family;
};

int mrc_addr_parse(const struct mrc_sock *mk, const void *from, int len,
		   struct mrc_addr *addr);
int mrc_addr_show(const struct mrc_sock *mk, const struct in6_addr *ip,
		  u16 port, int scope, void *to);
void mrc_addr_any(const struct mrc_sock *mk, struct in6_addr *ip);
int mrc_addr_check_local(const struct mrc_sock *mk,
			 const struct mrc_addr *addr);

#endif /* _MRC_ADDR_H */
