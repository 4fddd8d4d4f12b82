// SPDX-License-Identifier: GPL-2.0-only
/* Address pairs. A connection has one; nothing here counts on it. */
#include <net/ipv6.h>
#include "encap.h"
#include "netns.h"
#include "plane.h"
#include "sock.h"

static void plane_flow(const struct mrc_sock *mk, const struct mrc_plane *plane,
		       u16 ev, u32 label, struct mrc_flow *flow)
{
	*flow = (struct mrc_flow) {
		.saddr	= plane->local,
		.daddr	= plane->remote,
		.ev	= ev,
		.label	= label,
		.mark	= READ_ONCE(mk->sk.sk_mark),
		.oif	= plane->oif,
		.tos	= mk->tos,
		.uid	= sock_net_uid(mrc_sock_net(mk), &mk->sk),
	};
}

/**
 * mrc_plane_init() - check that a plane can be used, and complete it
 * @mk: socket, locked
 * @plane: plane whose remote address is set; an unspecified local one is
 *	   chosen as the route says
 *
 * Context: process.
 * Return: 0 or what the route lookup says: -ENETUNREACH, -EHOSTUNREACH, ...
 */
int mrc_plane_init(struct mrc_sock *mk, struct mrc_plane *plane)
{
	struct mrc_flow flow;
	struct dst_entry *dst;

	plane_flow(mk, plane, mrc_path_random_ev(), 0, &flow);
	dst = mrc_encap_route(mrc_net(mrc_sock_net(mk)), &flow);
	if (IS_ERR(dst))
		return PTR_ERR(dst);
	plane->local = flow.saddr;
	dst_release(dst);
	return 0;
}

/**
 * mrc_plane_route() - look up the route of one entropy value
 * @mk: socket, locked
 * @plane: address pair
 * @ev: UDP source port
 * @label: IPv6 flow label
 *
 * Return: a route that the caller puts, or an ERR_PTR().
 */
struct dst_entry *mrc_plane_route(const struct mrc_sock *mk,
				  const struct mrc_plane *plane, u16 ev,
				  u32 label)
{
	struct mrc_flow flow;

	plane_flow(mk, plane, ev, label, &flow);
	return mrc_encap_route(mrc_net(mrc_sock_net(mk)), &flow);
}

/**
 * mrc_plane_match() - did a packet come from an address pair that we believe?
 * @mk: socket, locked
 * @skb: packet with its struct mrc_rx_cb
 *
 * Return: true when a valid plane has these addresses.
 */
bool mrc_plane_match(const struct mrc_sock *mk, struct sk_buff *skb)
{
	const struct mrc_rx_cb *cb = mrc_rx_cb(skb);
	int i;

	for (i = 0; i < mk->nr_planes; i++) {
		const struct mrc_plane *plane = &mk->planes[i];

		if (plane->valid &&
		    ipv6_addr_equal(&plane->remote, &cb->saddr) &&
		    ipv6_addr_equal(&plane->local, &cb->daddr))
			return true;
	}
	return false;
}
