// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses. Users write struct sockaddr_in and struct sockaddr_in6; inside,
 * all are IPv6, with IPv4 mapped. A socket shows them in the family that was
 * used first, so that a program made for one family gets that.
 */
#include <linux/in.h>
#include <linux/inet.h>
#include <net/addrconf.h>
#include <net/ipv6.h>
#include <net/route.h>
#include "addr.h"
#include "af_mrc.h"
#include "sock.h"

static int parse4(const struct sockaddr_in *sin, struct mrc_addr *addr)
{
	ipv6_addr_set_v4mapped(sin->sin_addr.s_addr, &addr->ip);
	addr->port = ntohs(sin->sin_port);
	addr->scope = 0;
	addr->family = AF_INET;
	return 0;
}

static int parse6(const struct sockaddr_in6 *sin6, struct mrc_addr *addr)
{
	addr->ip = sin6->sin6_addr;
	addr->port = ntohs(sin6->sin6_port);
	addr->scope = ipv6_addr_type(&addr->ip) & IPV6_ADDR_LINKLOCAL ?
		      sin6->sin6_scope_id : 0;
	addr->family = AF_INET6;
	return 0;
}

/**
 * mrc_addr_parse() - understand what a user gave
 * @mk: socket, locked
 * @from: struct sockaddr_in or struct sockaddr_in6, in kernel memory
 * @len: its octets
 * @addr: out
 *
 * Where the family says AF_MRC, the length tells which of the two it is.
 *
 * Return: 0; -EINVAL when it is too short; -EAFNOSUPPORT for other families,
 * and for IPv4 on a socket that was used with IPv6.
 */
int mrc_addr_parse(const struct mrc_sock *mk, const void *from, int len,
		   struct mrc_addr *addr)
{
	const struct sockaddr *sa = from;
	bool v6;

	if (len < (int)offsetofend(struct sockaddr, sa_family))
		return -EINVAL;
	if (sa->sa_family == mrc_family)
		v6 = len >= (int)SIN6_LEN_RFC2133;
	else if (sa->sa_family == AF_INET || sa->sa_family == AF_INET6)
		v6 = sa->sa_family == AF_INET6;
	else
		return -EAFNOSUPPORT;
	if (len < (v6 ? (int)SIN6_LEN_RFC2133 :
			(int)sizeof(struct sockaddr_in)))
		return -EINVAL;
	if (!v6) {
		if (mk->user_family == AF_INET6)
			return -EAFNOSUPPORT;
		return parse4(from, addr);
	}
	if (mk->user_family == AF_INET)
		return -EAFNOSUPPORT;
	if (len < (int)sizeof(struct sockaddr_in6)) {
		struct sockaddr_in6 sin6 = {};

		memcpy(&sin6, from, SIN6_LEN_RFC2133);
		return parse6(&sin6, addr);
	}
	return parse6(from, addr);
}

static int show4(__be32 ip, u16 port, struct sockaddr_in *sin)
{
	*sin = (struct sockaddr_in) {
		.sin_family	 = AF_INET,
		.sin_port	 = htons(port),
		.sin_addr.s_addr = ip,
	};
	return sizeof(*sin);
}

/**
 * mrc_addr_show() - write an address for the user
 * @mk: socket, locked
 * @ip: address
 * @port: port
 * @scope: interface of a link-local address
 * @to: room for a struct sockaddr_storage
 *
 * Return: octets written.
 */
int mrc_addr_show(const struct mrc_sock *mk, const struct in6_addr *ip,
		  u16 port, int scope, void *to)
{
	struct sockaddr_in6 *sin6 = to;

	if (mk->user_family == AF_INET ||
	    (mk->user_family == AF_UNSPEC && ipv6_addr_v4mapped(ip)))
		return show4(ip->s6_addr32[3], port, to);
	if (mk->user_family == AF_UNSPEC && ipv6_addr_any(ip))
		return show4(0, port, to);
	*sin6 = (struct sockaddr_in6) {
		.sin6_family	= AF_INET6,
		.sin6_port	= htons(port),
		.sin6_addr	= *ip,
		.sin6_scope_id	= ipv6_addr_type(ip) & IPV6_ADDR_LINKLOCAL ?
				  scope : 0,
	};
	return sizeof(*sin6);
}

/**
 * mrc_addr_any() - the unspecified address in a socket's family
 * @mk: socket, locked
 * @ip: out
 */
void mrc_addr_any(const struct mrc_sock *mk, struct in6_addr *ip)
{
	if (mk->user_family == AF_INET)
		ipv6_addr_set_v4mapped(0, ip);
	else
		*ip = in6addr_any;
}

/**
 * mrc_addr_check_local() - may a socket be bound to it?
 * @mk: socket, locked
 * @addr: address
 *
 * Context: process.
 * Return: 0; -EADDRNOTAVAIL when it is not ours; -EINVAL for a link-local
 * address without interface.
 */
int mrc_addr_check_local(const struct mrc_sock *mk,
			 const struct mrc_addr *addr)
{
	struct net *net = mrc_sock_net(mk);
	struct net_device *dev = NULL;
	int err = 0;

	if (ipv6_addr_v4mapped(&addr->ip)) {
		__be32 ip = addr->ip.s6_addr32[3];

		if (ip && inet_addr_type(net, ip) != RTN_LOCAL)
			return -EADDRNOTAVAIL;
		return 0;
	}
	if (ipv6_addr_any(&addr->ip))
		return 0;
	if (!IS_ENABLED(CONFIG_IPV6) || ipv6_addr_is_multicast(&addr->ip))
		return -EADDRNOTAVAIL;
	rcu_read_lock();
	if (ipv6_addr_type(&addr->ip) & IPV6_ADDR_LINKLOCAL) {
		int ifindex = addr->scope ?: mk->sk.sk_bound_dev_if;

		dev = dev_get_by_index_rcu(net, ifindex);
		if (!dev)
			err = ifindex ? -ENODEV : -EINVAL;
	}
	if (!err && !ipv6_chk_addr(net, &addr->ip, dev, 0))
		err = -EADDRNOTAVAIL;
	rcu_read_unlock();
	return err;
}
