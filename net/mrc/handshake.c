// SPDX-License-Identifier: GPL-2.0-only
/*
 * The handshake takes one round trip: INIT, INIT_ACK. A listener under pressure
 * answers RETRY, and the next INIT carries its cookie back. Each INIT takes
 * another entropy value, so that a dead path does not fail the connection.
 *
 *   client                     listener
 *   SYN_SENT  -- INIT ------->  (a child in) SYN_RECV
 *             <-- INIT_ACK ---
 *   ESTABLISHED -- any ------>  ESTABLISHED, to be accepted
 */
#include <net/inet_ecn.h>
#include <trace/events/mrc.h>
#include "ack.h"
#include "base.h"
#include "compat/compat.h"
#include "encap.h"
#include "handshake.h"
#include "loss.h"
#include "netns.h"
#include "path.h"
#include "receive.h"
#include "reset.h"
#include "sock.h"

/* INIT is repeated no less often than this. */
#define INIT_INTERVAL_MS	3000

/* Unreachable by so many entropy values: it is not one path's fault. */
#define UNREACHABLE_TRIES	3

static void fill_init(struct mrc_sock *mk, struct mrc_init_hdr *ih,
		      enum mrc_type type)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);

	mrc_wire_hdr(&ih->h, type, 0, type == MRC_INIT ? 0 : mk->peer_cid,
		     mk->next_psn);
	ih->src_cid = cpu_to_be64(mk->cid.cid);
	ih->peer_cid = type == MRC_INIT ? 0 : cpu_to_be64(mk->peer_cid);
	ih->limit = cpu_to_be64(mk->rcv_limit);
	ih->sport = cpu_to_be16(mk->lport);
	ih->dport = cpu_to_be16(mk->rport);
	ih->max_seg = cpu_to_be16(mk->mss);
	ih->sock_type = mk->sk.sk_type;
	ih->paths = READ_ONCE(ctl->paths) - 1;
	if (type == MRC_INIT_ACK)
		ih->rx_us = cpu_to_be32(div_u64(ktime_get_ns(), NSEC_PER_USEC));
}

static void add_cookie(struct mrc_init_hdr *ih, const struct mrc_cookie *c)
{
	struct mrc_opt *o = (struct mrc_opt *)(ih + 1);

	o->type = cpu_to_be16(MRC_OPT_COOKIE);
	o->len = cpu_to_be16(sizeof(*c));
	memcpy(o + 1, c, sizeof(*c));
	ih->opt_len = cpu_to_be16(sizeof(*o) + sizeof(*c));
}

/**
 * mrc_handshake_send() - send INIT or INIT_ACK
 * @mk: socket, locked, its first plane complete
 * @type: MRC_INIT or MRC_INIT_ACK
 */
void mrc_handshake_send(struct mrc_sock *mk, enum mrc_type type)
{
	unsigned int len = type == MRC_INIT ? MRC_INIT_LEN :
					      sizeof(struct mrc_init_hdr);
	const struct mrc_plane *plane = &mk->planes[0];
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct mrc_flow flow = {
		.saddr	= plane->local,
		.daddr	= plane->remote,
		.ev	= mrc_path_random_ev(),
		.mark	= READ_ONCE(mk->sk.sk_mark),
		.tos	= mk->tos | INET_ECN_ECT_0,
		.ttl	= mk->ttl,
	};
	struct dst_entry *dst;
	struct mrc_init_hdr *ih;
	struct sk_buff *skb;

	trace_mrc_handshake(mk, type == MRC_INIT ? MRC_STEP_INIT :
						   MRC_STEP_INIT_ACK, 0);
	mrc_receive_open_window(mk);
	skb = mrc_encap_alloc(len);
	if (!skb) {
		MRC_INC(mn->net, XMIT_NOMEM);
		return;
	}
	ih = skb_put_zero(skb, len);
	fill_init(mk, ih, type);
	if (type == MRC_INIT && mk->have_cookie)
		add_cookie(ih, &mk->cookie);
	dst = mrc_plane_route(mk, plane, flow.ev, 0);
	if (IS_ERR(dst)) {
		MRC_INC(mn->net, XMIT_NOROUTE);
		kfree_skb(skb);
		return;
	}
	skb->priority = READ_ONCE(mk->sk.sk_priority);
	mrc_encap_send(mn, &flow, dst, skb);
}

static void send_init(struct mrc_sock *mk, u64 now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 wait = (u64)READ_ONCE(ctl->init_timeout_ms) << mk->retries;

	wait = min_t(u64, wait, INIT_INTERVAL_MS) * NSEC_PER_MSEC;
	mk->progress_ns = now;
	mk->retry_ns = now + wait;
	mrc_timer_arm(mk, &mk->loss_timer, mk->retry_ns);
	mrc_handshake_send(mk, MRC_INIT);
}

/**
 * mrc_handshake_connect() - begin
 * @mk: socket, locked, in TCP_SYN_SENT, in the tables, its first plane complete
 *
 * Context: process.
 */
void mrc_handshake_connect(struct mrc_sock *mk)
{
	mk->retries = 0;
	MRC_INC(mrc_sock_net(mk), ACTIVE_OPENS);
	send_init(mk, ktime_get_ns());
}

/**
 * mrc_handshake_timer() - INIT was not answered in time
 * @mk: socket, locked, in TCP_SYN_SENT
 * @now: ktime_get_ns()
 */
void mrc_handshake_timer(struct mrc_sock *mk, u64 now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);

	if (now < mk->retry_ns) {
		mrc_timer_arm(mk, &mk->loss_timer, mk->retry_ns);
		return;
	}
	if (mk->retries >= READ_ONCE(ctl->init_retries)) {
		MRC_INC(mrc_sock_net(mk), TIMEOUTS);
		mrc_sock_done(mk, READ_ONCE(mk->sk.sk_err_soft) ?: ETIMEDOUT);
		return;
	}
	mk->retries++;
	send_init(mk, now);
}

/**
 * mrc_handshake_unreachable() - an ICMP error answered INIT
 * @mk: socket, locked, in TCP_SYN_SENT
 * @err: errno
 *
 * A refusal is the host's word. Unreachability may be one path's: others are
 * tried at once.
 */
void mrc_handshake_unreachable(struct mrc_sock *mk, int err)
{
	if (err == ECONNREFUSED || ++mk->unreachable >= UNREACHABLE_TRIES) {
		mrc_sock_done(mk, err);
		return;
	}
	WRITE_ONCE(mk->sk.sk_err_soft, err);
	send_init(mk, ktime_get_ns());
}

/**
 * mrc_handshake_take() - take over what the peer said of itself
 * @mk: connection, locked, its mss that of the route
 * @peer: the peer's INIT or INIT_ACK
 */
void mrc_handshake_take(struct mrc_sock *mk, const struct mrc_init_hdr *peer)
{
	u16 max_seg = be16_to_cpu(peer->max_seg);

	mk->peer_cid = be64_to_cpu(peer->src_cid);
	mk->peer_limit = be64_to_cpu(peer->limit);
	mk->peer_psn = be32_to_cpu(peer->h.psn);
	mk->peer_seg = clamp_t(u16, max_seg & ~3, MRC_MSS_MIN, MRC_MSS_MAX);
	mk->mss = min(mk->mss, mk->peer_seg);
}

static void rcv_init_ack(struct mrc_sock *mk, struct sk_buff *skb)
{
	u64 now = ktime_get_ns(), sent_ns = mk->progress_ns;
	struct mrc_init_hdr ih;

	skb_copy_bits(skb, 0, &ih, sizeof(ih));
	if (be64_to_cpu(ih.peer_cid) != mk->cid.cid || !ih.src_cid ||
	    be16_to_cpu(ih.dport) != mk->lport ||
	    be16_to_cpu(ih.sport) != mk->rport ||
	    ih.sock_type != mk->sk.sk_type) {
		MRC_INC(mrc_sock_net(mk), DROP_STATE);
		return;
	}
	mrc_handshake_take(mk, &ih);
	mk->planes[0].valid = true;
	if (!mk->retries && !mk->unreachable)
		mk->srtt_us = max_t(u64, div_u64(now - sent_ns, NSEC_PER_USEC),
				    1);
	if (mrc_sock_establish(mk, GFP_ATOMIC)) {
		mrc_reset_send(mk, MRC_RESET_ABORT);
		mrc_sock_done(mk, ENOBUFS);
		return;
	}
	if (mk->srtt_us)
		mrc_base_sample(mk->planes[0].base, be32_to_cpu(ih.rx_us) -
				(u32)div_u64(sent_ns, NSEC_PER_USEC),
				mk->srtt_us, now);
	mk->sk.sk_state_change(&mk->sk);
	sk_wake_async(&mk->sk, SOCK_WAKE_IO, POLL_OUT);
	/* The listener waits for a sign that its answer arrived. */
	mrc_ack_send(mk);
}

static void rcv_retry(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct mrc_retry_hdr r;

	skb_copy_bits(skb, 0, &r, sizeof(r));
	/* Once per INIT: an echo must not make us send without end. */
	if (be32_to_cpu(r.h.psn) != mk->next_psn || mk->have_cookie) {
		MRC_INC(mrc_sock_net(mk), DROP_STATE);
		return;
	}
	trace_mrc_handshake(mk, MRC_STEP_COOKIE, 0);
	mk->cookie = r.cookie;
	mk->have_cookie = true;
	send_init(mk, ktime_get_ns());
}

/**
 * mrc_handshake_rcv() - a packet for a socket in TCP_SYN_SENT
 * @mk: socket, locked
 * @skb: packet; the caller frees it
 * @h: its common header
 */
void mrc_handshake_rcv(struct mrc_sock *mk, struct sk_buff *skb,
		       const struct mrc_hdr *h)
{
	const struct mrc_rx_cb *cb = mrc_rx_cb(skb);

	if (!ipv6_addr_equal(&cb->saddr, &mk->planes[0].remote) ||
	    !ipv6_addr_equal(&cb->daddr, &mk->planes[0].local)) {
		MRC_INC(mrc_sock_net(mk), DROP_ADDRESS);
		return;
	}
	switch (mrc_hdr_type(h)) {
	case MRC_INIT_ACK:
		rcv_init_ack(mk, skb);
		break;
	case MRC_RETRY:
		rcv_retry(mk, skb);
		break;
	case MRC_RESET:
		mrc_reset_rcv(mk, skb);
		break;
	default:
		MRC_INC(mrc_sock_net(mk), DROP_STATE);
	}
}
