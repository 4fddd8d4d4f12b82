/* SPDX-License-Identifier: GPL-2.0-only */
/* Planes: the address pairs that a connection may use. */
#ifndef _MRC_PLANE_H
#define _MRC_PLANE_H

#include <linux/in6.h>
#include <net/dst.h>

struct mrc_base;
struct mrc_sock;

#define MRC_MAX_PLANES	8

/**
 * struct mrc_plane - a local and a remote address that reach each other
 * @local: our address, IPv4 as ::ffff:a.b.c.d
 * @remote: the peer's
 * @oif: interface that packets must leave by, 0 for any
 * @base: the smallest delays between the two, NULL until established; a reference
 * @valid: the peer answered from @remote; only then is it believed
 *
 * All fields are guarded by the socket lock.
 */
struct mrc_plane {
	struct in6_addr	local;
	struct in6_addr	remote;
	int		oif;
	struct mrc_base	*base;
	bool		valid;
};

int mrc_plane_init(struct mrc_sock *mk, struct mrc_plane *plane);
bool mrc_plane_match(const struct mrc_sock *mk, struct sk_buff *skb);
struct dst_entry *mrc_plane_route(const struct mrc_sock *mk,
				  const struct mrc_plane *plane, u16 ev,
				  u32 label);

#endif /* _MRC_PLANE_H */
