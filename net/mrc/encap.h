/* SPDX-License-Identifier: GPL-2.0-only */
/* Encapsulation: UDP sockets, routes, what leaves and what arrives. */
#ifndef _MRC_ENCAP_H
#define _MRC_ENCAP_H

#include <linux/in6.h>
#include <linux/skbuff.h>
#include <net/dst.h>

struct mrc_net;
struct mrc_path;
struct mrc_sock;

/* Room in front of the MRC header for UDP, IP and the link layer */
#define MRC_HEADROOM	(LL_MAX_HEADER + sizeof(struct ipv6hdr) + \
			 sizeof(struct udphdr))

/**
 * struct mrc_flow - where a packet goes and how it looks to switches
 * @saddr: source, IPv4 as ::ffff:a.b.c.d
 * @daddr: destination
 * @ev: entropy value: UDP source port
 * @label: IPv6 flow label
 * @mark: firewall mark
 * @oif: interface, 0: any
 * @tos: DSCP and ECN
 * @ttl: IPv4 time to live or IPv6 hop limit, 0: the route's
 * @uid: on whose behalf the route is looked up
 */
struct mrc_flow {
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	u16	ev;
	u32	label;
	u32	mark;
	int	oif;
	u8	tos;
	u8	ttl;
	kuid_t	uid;
};

/**
 * struct mrc_rx_cb - skb->cb of a received packet, until it is queued
 * @saddr: who sent it
 * @daddr: to which address of ours
 * @iif: interface that it came by
 * @ce: the IP header carried Congestion Experienced
 *
 * What is queued uses struct mrc_extent instead.
 */
struct mrc_rx_cb {
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	int	iif;
	bool	ce;
};

static inline struct mrc_rx_cb *mrc_rx_cb(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct mrc_rx_cb) > sizeof(skb->cb));
	return (struct mrc_rx_cb *)skb->cb;
}

int mrc_encap_open(struct mrc_net *mn);
void mrc_encap_close(struct mrc_net *mn);
int mrc_encap_reopen(struct mrc_net *mn, int port);
struct dst_entry *mrc_encap_route(struct mrc_net *mn, struct mrc_flow *flow);
int mrc_encap_send(struct mrc_net *mn, struct mrc_flow *flow,
		   struct dst_entry *dst, struct sk_buff *skb);
int mrc_encap_reply(struct mrc_net *mn, struct sk_buff *to,
		    struct sk_buff *skb);
int mrc_encap_send_path(struct mrc_sock *mk, struct mrc_path *path,
			struct sk_buff *skb);
struct sk_buff *mrc_encap_alloc(unsigned int len);

#endif /* _MRC_ENCAP_H */
