// SPDX-License-Identifier: GPL-2.0-only
/*
 * One UDP socket per network namespace and address family receives all that
 * comes for AF_MRC, and lends its identity to all that leaves: the stack below
 * reads skb->sk as an inet socket in places, which an AF_MRC socket is not.
 */
#include <linux/filter.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/busy_poll.h>
#include <net/inet_dscp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ip6_route.h>
#include <net/ipv6.h>
#include <net/route.h>
#include <net/udp.h>
#include "compat/compat.h"
#include "encap.h"
#include "listen.h"
#include "mib.h"
#include "netns.h"
#include "path.h"
#include "receive.h"
#include "reset.h"
#include "sock.h"
#include "table.h"
#include "timewait.h"

/* Full of data, the socket must still get SACKs. */
static unsigned int backlog_limit(const struct sock *sk)
{
	return 2 * READ_ONCE(sk->sk_rcvbuf) + READ_ONCE(sk->sk_sndbuf) + 65536;
}

/* By SO_ATTACH_FILTER or the security module. What was cut short is no use. */
static bool filtered(struct sock *sk, struct sk_buff *skb)
{
	unsigned int len = skb->len;

	return sk_filter(sk, skb) || skb->len != len;
}

/* Give the packet to its socket, now or when the owner lets go of the lock. */
static void deliver(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct sock *sk = &mk->sk;

	/* A listener's lock is held when a child's is taken. */
	bh_lock_sock_nested(sk);
	if (filtered(sk, skb)) {
		MRC_INC(sock_net(sk), DROP_FILTER);
		kfree_skb(skb);
		goto out;
	}
	if (READ_ONCE(sk->sk_state) != TCP_LISTEN) {
		sk_incoming_cpu_update(sk);
		sk_mark_napi_id(sk, skb);
	}
	if (!sock_owned_by_user(sk)) {
		mrc_receive(mk, skb);
	} else if (sk_add_backlog(sk, skb, backlog_limit(sk))) {
		MRC_INC(sock_net(sk), DROP_BACKLOG);
		kfree_skb(skb);
	}
out:
	bh_unlock_sock(sk);
}

/* A RESET that quotes the id it did not find comes without one of ours. */
static void rcv_reflected(struct mrc_net *mn, struct sk_buff *skb, u64 cid)
{
	struct mrc_sock *mk = mrc_table_peer(mn, cid, &mrc_rx_cb(skb)->saddr, 0);

	if (!mk) {
		MRC_INC(mn->net, DROP_NO_CONN);
		kfree_skb(skb);
		return;
	}
	deliver(mk, skb);
	sock_put(&mk->sk);
}

static void rcv_connection(struct mrc_net *mn, struct sk_buff *skb,
			   const struct mrc_hdr *h)
{
	struct mrc_cid *cid = mrc_table_cid(mn, mrc_hdr_cid(h));
	struct mrc_sock *mk;

	if (cid && cid->timewait) {
		mrc_timewait_rcv(mn, cid, skb);
		return;
	}
	mk = cid ? container_of(cid, struct mrc_sock, cid) : NULL;
	if (!mk || !refcount_inc_not_zero(&mk->sk.sk_refcnt)) {
		MRC_INC(mn->net, DROP_NO_CONN);
		mrc_reset_reflect(mn, skb, h);
		kfree_skb(skb);
		return;
	}
	deliver(mk, skb);
	sock_put(&mk->sk);
}

static void rcv_init(struct mrc_net *mn, struct sk_buff *skb)
{
	struct mrc_sock *mk = mrc_listen_find(mn, skb);

	if (!mk) {
		kfree_skb(skb);
		return;
	}
	deliver(mk, skb);
	sock_put(&mk->sk);
}

/* One packet, or several segments of one connection's data. */
static void rcv_one(struct mrc_net *mn, struct sk_buff *skb)
{
	struct mrc_hdr buf;
	const struct mrc_hdr *h;

	h = skb_header_pointer(skb, 0, sizeof(buf), &buf);
	if (!h) {
		MRC_INC(mn->net, DROP_SHORT);
		goto drop;
	}
	if (mrc_hdr_version(h) != MRC_WIRE_VERSION) {
		MRC_INC(mn->net, DROP_VERSION);
		mrc_reset_version(mn, skb, h);
		goto drop;
	}
	if (!mrc_wire_check(h, skb->len)) {
		MRC_INC(mn->net, DROP_UNKNOWN);
		goto drop;
	}
	if (mrc_hdr_type(h) == MRC_INIT)
		rcv_init(mn, skb);
	else if (mrc_hdr_type(h) == MRC_RESET && h->flags & MRC_F_REFLECT)
		rcv_reflected(mn, skb, mrc_hdr_cid(h));
	else
		rcv_connection(mn, skb, h);
	return;
drop:
	kfree_skb(skb);
}

/*
 * The stack coalesces what has the same UDP ports and size, so that packets of
 * several connections or types may have come together. Data of one connection
 * stays together; for anything else each packet is taken out.
 */
static bool segments_belong_together(const struct sk_buff *skb)
{
	unsigned int off, size = skb_shinfo(skb)->gso_size;
	struct mrc_hdr first, h;

	if (skb_copy_bits(skb, 0, &first, sizeof(first)) ||
	    mrc_hdr_type(&first) != MRC_DATA ||
	    size < sizeof(struct mrc_data_hdr))
		return false;
	for (off = size; off < skb->len; off += size) {
		if (skb->len - off < sizeof(struct mrc_data_hdr) ||
		    skb_copy_bits(skb, off, &h, sizeof(h)) ||
		    h.ver_type != first.ver_type || h.dst_cid != first.dst_cid)
			return false;
	}
	return true;
}

static void rcv_split(struct mrc_net *mn, struct sk_buff *skb)
{
	unsigned int off, len, size = skb_shinfo(skb)->gso_size;
	struct sk_buff *one;

	for (off = 0; off < skb->len; off += size) {
		len = min(size, skb->len - off);
		one = alloc_skb(len, GFP_ATOMIC);
		if (!one) {
			MRC_INC(mn->net, DROP_MEMORY);
			break;
		}
		skb_copy_bits(skb, off, skb_put(one, len), len);
		memcpy(one->cb, skb->cb, sizeof(one->cb));
		one->tstamp = skb->tstamp;
		rcv_one(mn, one);
	}
	kfree_skb(skb);
}

static void note_origin(struct sk_buff *skb)
{
	int iif = skb->skb_iif;
	struct in6_addr saddr, daddr;
	bool ce;

	if (ip_hdr(skb)->version == 4) {
		ipv6_addr_set_v4mapped(ip_hdr(skb)->saddr, &saddr);
		ipv6_addr_set_v4mapped(ip_hdr(skb)->daddr, &daddr);
		ce = INET_ECN_is_ce(ip_hdr(skb)->tos);
	} else {
		saddr = ipv6_hdr(skb)->saddr;
		daddr = ipv6_hdr(skb)->daddr;
		ce = INET_ECN_is_ce(ipv6_get_dsfield(ipv6_hdr(skb)));
	}
	*mrc_rx_cb(skb) = (struct mrc_rx_cb) {
		.saddr	= saddr,
		.daddr	= daddr,
		.iif	= iif,
		.ce	= ce,
	};
}

/* Called by UDP with its header in place and the checksum verified. */
static int encap_rcv(struct sock *sk, struct sk_buff *skb)
{
	struct mrc_net *mn = mrc_net(sock_net(sk));

	note_origin(skb);
	__skb_pull(skb, sizeof(struct udphdr));
	skb_orphan(skb);
	skb_dst_drop(skb);
	skb->dev = NULL;
	if (skb_is_gso(skb) && skb->len > skb_shinfo(skb)->gso_size &&
	    !segments_belong_together(skb))
		rcv_split(mn, skb);
	else
		rcv_one(mn, skb);
	return 0;
}

/*
 * An ICMP error quotes a packet of ours: the id in it is the peer's. It is
 * believed when its PSN is in flight, and even then ends only a handshake.
 */
static void mrc_encap_err_rcv(struct sock *sk, struct sk_buff *skb, int err,
			      __be16 port, u32 info, u8 *payload)
{
	struct mrc_net *mn = mrc_net(sock_net(sk));
	unsigned int off = payload - skb->data;
	struct in6_addr daddr;
	struct mrc_init_hdr ih;
	struct mrc_sock *mk;
	struct mrc_hdr h;

	if (skb_copy_bits(skb, off, &h, sizeof(h)))
		goto ignore;
	if (sk->sk_family == AF_INET)
		ipv6_addr_set_v4mapped(((struct iphdr *)skb->data)->daddr,
				       &daddr);
	else
		daddr = ((struct ipv6hdr *)skb->data)->daddr;
	if (mrc_hdr_type(&h) == MRC_INIT) {
		struct mrc_cid *cid;

		if (skb_copy_bits(skb, off, &ih, sizeof(ih)))
			goto ignore;
		cid = mrc_table_cid(mn, be64_to_cpu(ih.src_cid));
		if (!cid || cid->timewait)
			goto ignore;
		mk = container_of(cid, struct mrc_sock, cid);
		if (!refcount_inc_not_zero(&mk->sk.sk_refcnt))
			goto ignore;
	} else {
		mk = mrc_table_peer(mn, mrc_hdr_cid(&h), &daddr, 0);
		if (!mk)
			goto ignore;
	}
	bh_lock_sock(&mk->sk);
	mrc_receive_icmp(mk, &h, &daddr, err);
	bh_unlock_sock(&mk->sk);
	sock_put(&mk->sk);
	return;
ignore:
	MRC_INC(mn->net, ICMP_IGNORED);
}

MRC_ENCAP_ERR_RCV(encap_err_rcv, mrc_encap_err_rcv)

/* Every packet to our port concerns us; encap_err_rcv() looks closer. */
static int encap_err_lookup(struct sock *sk, struct sk_buff *skb)
{
	return 0;
}

static struct sock *open_one(struct net *net, int family, int port)
{
	struct udp_tunnel_sock_cfg tunnel = {
		.encap_type	  = 1,
		.encap_rcv	  = encap_rcv,
		.encap_err_lookup = encap_err_lookup,
		.encap_err_rcv	  = encap_err_rcv,
	};
	struct udp_port_cfg cfg = {
		.family		   = family,
		.local_udp_port	   = htons(port),
		.ipv6_v6only	   = family == AF_INET6,
		.use_udp_checksums = 1,
		.use_udp6_tx_checksums = 1,
		.use_udp6_rx_checksums = 1,
	};
	struct socket *sock;
	int one = 1, err;

	err = udp_sock_create(net, &cfg, &sock);
	if (err)
		return ERR_PTR(err);
	mrc_tunnel_setup(net, sock->sk, &tunnel);
	/* Coalesced packets are wanted whole. */
	err = sock->ops->setsockopt(sock, SOL_UDP, UDP_GRO,
				    KERNEL_SOCKPTR(&one), sizeof(one));
	if (err) {
		mrc_tunnel_release(sock->sk);
		return ERR_PTR(err);
	}
	return sock->sk;
}

static int open_both(struct mrc_net *mn, int port, struct sock **v4,
		     struct sock **v6)
{
	*v4 = open_one(mn->net, AF_INET, port);
	if (IS_ERR(*v4))
		return PTR_ERR(*v4);
	*v6 = open_one(mn->net, AF_INET6, port);
	if (PTR_ERR(*v6) == -EAFNOSUPPORT || PTR_ERR(*v6) == -EPFNOSUPPORT) {
		*v6 = NULL;
	} else if (IS_ERR(*v6)) {
		mrc_tunnel_release(*v4);
		return PTR_ERR(*v6);
	}
	return 0;
}

static void replace_both(struct mrc_net *mn, struct sock *v4, struct sock *v6)
{
	v4 = rcu_replace_pointer(mn->udp4, v4, lockdep_is_held(&mn->udp_lock));
	v6 = rcu_replace_pointer(mn->udp6, v6, lockdep_is_held(&mn->udp_lock));
	if (!v4)
		return;
	mrc_tunnel_release(v4);
	if (v6)
		mrc_tunnel_release(v6);
	/* Packets that they are just receiving use the namespace's state. */
	synchronize_net();
}

/**
 * mrc_encap_open() - see that the namespace's UDP sockets are open
 * @mn: network namespace
 *
 * Context: process.
 * Return: 0, also if they were open; -EADDRINUSE when the port is taken.
 */
int mrc_encap_open(struct mrc_net *mn)
{
	int err = 0;

	mutex_lock(&mn->udp_lock);
	if (!rcu_access_pointer(mn->udp4)) {
		struct sock *v4, *v6;

		err = open_both(mn, mn->sysctl.udp_port, &v4, &v6);
		if (!err)
			replace_both(mn, v4, v6);
	}
	mutex_unlock(&mn->udp_lock);
	return err;
}

/**
 * mrc_encap_reopen() - move the namespace to another UDP port
 * @mn: network namespace
 * @port: the port, 1..65535
 *
 * Context: process.
 * Return: 0; -EBUSY while there are sockets, whose peers know the old port;
 * -EADDRINUSE when @port is taken.
 */
int mrc_encap_reopen(struct mrc_net *mn, int port)
{
	struct sock *v4, *v6;
	int err = 0;

	mutex_lock(&mn->udp_lock);
	if (port == mn->sysctl.udp_port)
		goto out;
	err = -EBUSY;
	if (!xa_empty(&mn->socks))
		goto out;
	err = open_both(mn, port, &v4, &v6);
	if (err)
		goto out;
	WRITE_ONCE(mn->sysctl.udp_port, port);
	replace_both(mn, v4, v6);
out:
	mutex_unlock(&mn->udp_lock);
	return err;
}

/**
 * mrc_encap_close() - close the namespace's UDP sockets
 * @mn: network namespace; no AF_MRC socket is left in it
 *
 * Context: process.
 */
void mrc_encap_close(struct mrc_net *mn)
{
	mutex_lock(&mn->udp_lock);
	replace_both(mn, NULL, NULL);
	mutex_unlock(&mn->udp_lock);
}

static struct dst_entry *route4(struct mrc_net *mn, struct mrc_flow *flow)
{
	struct flowi4 fl4;
	struct rtable *rt;

	flowi4_init_output(&fl4, flow->oif, flow->mark,
			   flow->tos & INET_DSCP_MASK, RT_SCOPE_UNIVERSE,
			   IPPROTO_UDP, 0, flow->daddr.s6_addr32[3],
			   flow->saddr.s6_addr32[3],
			   htons(READ_ONCE(mn->sysctl.udp_port)),
			   htons(flow->ev), flow->uid);
	rt = ip_route_output_key(mn->net, &fl4);
	if (IS_ERR(rt))
		return ERR_CAST(rt);
	if (rt->rt_flags & (RTCF_BROADCAST | RTCF_MULTICAST)) {
		ip_rt_put(rt);
		return ERR_PTR(-ENETUNREACH);
	}
	ipv6_addr_set_v4mapped(fl4.saddr, &flow->saddr);
	return &rt->dst;
}

static struct dst_entry *route6(struct mrc_net *mn, struct mrc_flow *flow)
{
	struct flowi6 fl6 = {
		.daddr		= flow->daddr,
		.saddr		= flow->saddr,
		.flowi6_oif	= flow->oif,
		.flowi6_mark	= flow->mark,
		.flowi6_proto	= IPPROTO_UDP,
		.flowi6_uid	= flow->uid,
		.flowlabel	= ip6_make_flowinfo(flow->tos,
						    htonl(flow->label)),
		.fl6_sport	= htons(flow->ev),
		.fl6_dport	= htons(READ_ONCE(mn->sysctl.udp_port)),
	};
	struct dst_entry *dst;

	if (!IS_ENABLED(CONFIG_IPV6) || !rcu_access_pointer(mn->udp6))
		return ERR_PTR(-EAFNOSUPPORT);
	if (ipv6_addr_is_multicast(&flow->daddr))
		return ERR_PTR(-ENETUNREACH);
	dst = ip6_dst_lookup_flow(mn->net, NULL, &fl6, NULL);
	if (!IS_ERR(dst))
		flow->saddr = fl6.saddr;
	return dst;
}

/**
 * mrc_encap_route() - look up the route of a flow
 * @mn: network namespace
 * @flow: the flow; an unspecified source address is filled in
 *
 * Context: any.
 * Return: a route that the caller puts, or an ERR_PTR(): -ENETUNREACH,
 * -EHOSTUNREACH and whatever else the routing tables say.
 */
struct dst_entry *mrc_encap_route(struct mrc_net *mn, struct mrc_flow *flow)
{
	if (ipv6_addr_v4mapped(&flow->daddr))
		return route4(mn, flow);
	return route6(mn, flow);
}

/* udp_set_csum() fills the field of a GSO packet, but leaves the rest to us. */
static void prepare_gso(struct sk_buff *skb)
{
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_headroom(skb) - sizeof(struct udphdr);
	skb->csum_offset = offsetof(struct udphdr, check);
}

/**
 * mrc_encap_send() - send a packet
 * @mn: network namespace
 * @flow: its addresses and entropy value
 * @dst: its route; consumed
 * @skb: from the MRC header on; consumed
 *
 * A packet laid out before the path MTU shrank leaves in fragments.
 *
 * Context: any but hard interrupts.
 * Return: 0, or -ENETDOWN when the UDP socket is closed.
 */
int mrc_encap_send(struct mrc_net *mn, struct mrc_flow *flow,
		   struct dst_entry *dst, struct sk_buff *skb)
{
	bool v4 = ipv6_addr_v4mapped(&flow->daddr);
	__be16 dport = htons(READ_ONCE(mn->sysctl.udp_port));
	bool fragment = false;
	struct sock *sk;

	if (skb_is_gso(skb))
		prepare_gso(skb);
	else
		fragment = skb->len + sizeof(struct udphdr) +
			   (v4 ? sizeof(struct iphdr) :
				 sizeof(struct ipv6hdr)) > dst_mtu(dst);
	__skb_set_sw_hash(skb, flow->ev * GOLDEN_RATIO_32, true);
	skb->mark = flow->mark;

	/* The stack counts how deep it is nested, per processor. */
	local_bh_disable();
	rcu_read_lock();
	sk = v4 ? rcu_dereference(mn->udp4) : rcu_dereference(mn->udp6);
	if (!sk) {
		rcu_read_unlock();
		local_bh_enable();
		dst_release(dst);
		kfree_skb(skb);
		return -ENETDOWN;
	}
	/* A connection's packet is owned by it, see mrc_pacer_own(). */
	if (skb->destructor) {
		sock_hold(sk);
		skb->sk = sk;
	}
	skb->ignore_df = fragment;
	if (v4)
		udp_tunnel_xmit_skb(container_of(dst, struct rtable, dst), sk, skb,
				    flow->saddr.s6_addr32[3],
				    flow->daddr.s6_addr32[3], flow->tos,
				    flow->ttl ?: ip4_dst_hoplimit(dst),
				    fragment ? 0 : htons(IP_DF),
				    htons(flow->ev), dport, false, false, 0);
	else if (IS_ENABLED(CONFIG_IPV6))
		udp_tunnel6_xmit_skb(dst, sk, skb, NULL, &flow->saddr,
				     &flow->daddr, flow->tos,
				     flow->ttl ?: ip6_dst_hoplimit(dst),
				     htonl(flow->label), htons(flow->ev),
				     dport, false, 0);
	rcu_read_unlock();
	local_bh_enable();
	return 0;
}

/**
 * mrc_encap_reply() - answer a packet without a connection
 * @mn: network namespace
 * @to: packet to be answered
 * @skb: the answer from the MRC header on; consumed
 *
 * Context: softirq.
 * Return: 0 or a negative errno.
 */
int mrc_encap_reply(struct mrc_net *mn, struct sk_buff *to,
		    struct sk_buff *skb)
{
	struct mrc_flow flow = {
		.saddr	= mrc_rx_cb(to)->daddr,
		.daddr	= mrc_rx_cb(to)->saddr,
		.ev	= mrc_path_random_ev(),
		.mark	= IP4_REPLY_MARK(mn->net, to->mark),
		.uid	= GLOBAL_ROOT_UID,
	};
	struct dst_entry *dst;

	if (ipv6_addr_type(&flow.daddr) & IPV6_ADDR_LINKLOCAL)
		flow.oif = mrc_rx_cb(to)->iif;
	dst = mrc_encap_route(mn, &flow);
	if (IS_ERR(dst)) {
		MRC_INC(mn->net, XMIT_NOROUTE);
		kfree_skb(skb);
		return PTR_ERR(dst);
	}
	return mrc_encap_send(mn, &flow, dst, skb);
}

/**
 * mrc_encap_send_path() - send a packet over a path
 * @mk: connection, locked
 * @path: the path
 * @skb: from the MRC header on; consumed
 *
 * It is ECN-capable, whatever its type: a queue that marks would drop the others
 * from the same length on (RFC 8311 lifts the restriction on control packets).
 *
 * Return: 0 or a negative errno; what was not sent is as good as lost.
 */
int mrc_encap_send_path(struct mrc_sock *mk, struct mrc_path *path,
			struct sk_buff *skb)
{
	const struct mrc_plane *plane = &mk->planes[path->plane];
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct mrc_flow flow = {
		.saddr	= plane->local,
		.daddr	= plane->remote,
		.ev	= path->ev,
		.label	= path->label,
		.mark	= READ_ONCE(mk->sk.sk_mark),
		.tos	= mk->tos | INET_ECN_ECT_0,
		.ttl	= mk->ttl,
	};
	struct dst_entry *dst;

	/* Nobody tells us of SO_MARK, which chooses routes. */
	if (flow.mark != mk->route_mark) {
		mk->route_mark = flow.mark;
		mrc_path_reroute(mk);
	}
	dst = mrc_path_dst(mk, path);
	if (IS_ERR(dst)) {
		MRC_INC(mn->net, XMIT_NOROUTE);
		kfree_skb(skb);
		return PTR_ERR(dst);
	}
	skb->priority = READ_ONCE(mk->sk.sk_priority);
	return mrc_encap_send(mn, &flow, dst_clone(dst), skb);
}

/**
 * mrc_encap_alloc() - a packet with room for all headers below MRC's
 * @len: octets from the MRC header on
 *
 * Context: any.
 * Return: the packet, its data empty, or NULL.
 */
struct sk_buff *mrc_encap_alloc(unsigned int len)
{
	struct sk_buff *skb;

	skb = alloc_skb(MRC_HEADROOM + len, GFP_ATOMIC | __GFP_NOWARN);
	if (skb)
		skb_reserve(skb, MRC_HEADROOM);
	return skb;
}
