// SPDX-License-Identifier: GPL-2.0-only
/*
 * RESET. Where there is a connection, its id and a PSN inside the window make
 * it believable. Where there is none, the id that was not found is sent back,
 * and the receiver checks it against what it has in flight; these answers are
 * limited per namespace, and none is larger than what it answers.
 */
#include <linux/ktime.h>
#include "encap.h"
#include "event.h"
#include "netns.h"
#include "path.h"
#include "reset.h"
#include "sock.h"

static struct sk_buff *build(u8 flags, u64 cid, u32 psn,
			     enum mrc_reset_reason reason)
{
	struct sk_buff *skb = mrc_encap_alloc(sizeof(struct mrc_reset_hdr));
	struct mrc_reset_hdr *r;

	if (!skb)
		return NULL;
	r = skb_put(skb, sizeof(*r));
	mrc_wire_hdr(&r->h, MRC_RESET, flags, cid, psn);
	r->reason = cpu_to_be32(reason);
	return skb;
}

/**
 * mrc_reset_send() - tell the peer that the connection is cut off
 * @mk: connection, locked, established
 * @reason: why
 *
 * It goes over two paths, since nothing repeats it if it is lost.
 */
void mrc_reset_send(struct mrc_sock *mk, enum mrc_reset_reason reason)
{
	struct sk_buff *skb;
	int i;

	if (!mk->paths)
		return;
	mrc_event_ending(mk, reason == MRC_RESET_TIMEOUT ?
			     MRC_CLOSE_WHY_TIMEOUT : MRC_CLOSE_WHY_ABORTED);
	for (i = 0; i < 2; i++) {
		skb = build(0, mk->peer_cid, mk->next_psn, reason);
		if (!skb) {
			MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
			return;
		}
		MRC_INC(mrc_sock_net(mk), OUT_RESETS);
		mrc_encap_send_path(mk, mrc_path_reverse(mk), skb);
	}
}

static int reason_errno(const struct mrc_sock *mk, u32 reason)
{
	switch (reason) {
	case MRC_RESET_VERSION:
		return EPROTONOSUPPORT;
	case MRC_RESET_TYPE:
		return EPROTOTYPE;
	}
	switch (mk->sk.sk_state) {
	case TCP_SYN_SENT:
		return ECONNREFUSED;
	case TCP_CLOSE_WAIT:
		return EPIPE;
	}
	return reason == MRC_RESET_TIMEOUT ? ETIMEDOUT : ECONNRESET;
}

static bool probe_in_flight(const struct mrc_sock *mk, u32 id)
{
	int i;

	if (mrc_pmtu_probe_in_flight(mk, id))
		return true;
	for (i = 0; i < mk->nr_paths; i++)
		if (mk->paths[i].probe_sent_ns && mk->paths[i].probe_id == id)
			return true;
	return false;
}

static bool believable(const struct mrc_sock *mk, const struct mrc_hdr *h)
{
	u32 psn = be32_to_cpu(h->psn);

	if (mk->sk.sk_state == TCP_SYN_SENT)
		return psn == mk->next_psn && !(h->flags & MRC_F_REFLECT);
	if (h->flags & MRC_F_REFLECT)
		/* The oldest one less one is that of a window probe. */
		return psn - (mk->floor_psn - 1) <=
		       mk->next_psn - mk->floor_psn ||
		       probe_in_flight(mk, psn);
	return abs((s32)(psn - mk->rcv_high)) <= 2 * MRC_PSN_WINDOW;
}

/**
 * mrc_reset_rcv() - a RESET arrived
 * @mk: socket, locked, not listening; the addresses were checked
 * @skb: packet; the caller frees it
 */
void mrc_reset_rcv(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct mrc_reset_hdr r;
	u32 reason;

	skb_copy_bits(skb, 0, &r, sizeof(r));
	reason = be32_to_cpu(r.reason);
	if (!believable(mk, &r.h)) {
		MRC_INC(mrc_sock_net(mk), DROP_PSN);
		return;
	}
	MRC_INC(mrc_sock_net(mk), IN_RESETS);
	/* Both streams ended and the peer forgot: only its SACK was lost. */
	if ((1 << mk->sk.sk_state) & (TCPF_LAST_ACK | TCPF_CLOSING) &&
	    reason == MRC_RESET_NO_CONN && !mk->unacked) {
		mrc_sock_done(mk, 0);
		return;
	}
	if (mrc_sock_established(mk))
		MRC_INC(mrc_sock_net(mk), ESTAB_RESETS);
	mrc_event_ending(mk, MRC_CLOSE_WHY_RESET);
	mrc_sock_done(mk, reason_errno(mk, reason));
}

static bool limited(struct mrc_net *mn)
{
	u32 second = ktime_get_seconds();
	bool res;

	spin_lock(&mn->reset_lock);
	if (mn->reset_second != second) {
		mn->reset_second = second;
		mn->reset_count = 0;
	}
	res = mn->reset_count >= READ_ONCE(mn->sysctl.reset_rate);
	if (!res)
		mn->reset_count++;
	spin_unlock(&mn->reset_lock);
	return res;
}

static void stateless(struct mrc_net *mn, struct sk_buff *to, u8 flags, u64 cid,
		      u32 psn, enum mrc_reset_reason reason)
{
	struct sk_buff *skb;

	if (limited(mn)) {
		MRC_INC(mn->net, RESET_LIMITED);
		return;
	}
	skb = build(flags, cid, psn, reason);
	if (!skb) {
		MRC_INC(mn->net, XMIT_NOMEM);
		return;
	}
	MRC_INC(mn->net, OUT_RESETS);
	mrc_encap_reply(mn, to, skb);
}

/**
 * mrc_reset_refuse() - answer an INIT that leads to nothing
 * @mn: network namespace
 * @skb: the packet
 * @ih: its header
 * @reason: why
 *
 * Context: softirq.
 */
void mrc_reset_refuse(struct mrc_net *mn, struct sk_buff *skb,
		      const struct mrc_init_hdr *ih,
		      enum mrc_reset_reason reason)
{
	stateless(mn, skb, 0, be64_to_cpu(ih->src_cid), be32_to_cpu(ih->h.psn),
		  reason);
}

/**
 * mrc_reset_reflect() - answer a packet whose connection does not exist
 * @mn: network namespace
 * @skb: the packet
 * @h: its header
 *
 * Only what the sender can match with something in flight is answered.
 *
 * Context: softirq.
 */
void mrc_reset_reflect(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_hdr *h)
{
	if (mrc_hdr_type(h) != MRC_DATA && mrc_hdr_type(h) != MRC_PROBE)
		return;
	stateless(mn, skb, MRC_F_REFLECT, mrc_hdr_cid(h), be32_to_cpu(h->psn),
		  MRC_RESET_NO_CONN);
}

/**
 * mrc_reset_version() - answer an INIT of another version
 * @mn: network namespace
 * @skb: the packet
 * @h: its first octets
 *
 * The first 24 octets of INIT mean the same in all versions.
 *
 * Context: softirq.
 */
void mrc_reset_version(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_hdr *h)
{
	__be64 src_cid;

	if (mrc_hdr_type(h) != MRC_INIT || skb->len < MRC_INIT_LEN ||
	    skb_copy_bits(skb, offsetof(struct mrc_init_hdr, src_cid), &src_cid,
			  sizeof(src_cid)))
		return;
	stateless(mn, skb, 0, be64_to_cpu(src_cid), be32_to_cpu(h->psn),
		  MRC_RESET_VERSION);
}
