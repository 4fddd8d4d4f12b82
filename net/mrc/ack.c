// SPDX-License-Identifier: GPL-2.0-only
/*
 * SACKs. Out: which PSNs arrived, as a cumulative number and a bitmap, what
 * triggered the SACK, and the receive window as an absolute limit. Each one
 * tells everything again, so that one lost costs nothing. In: the same, for the
 * path engine and congestion control.
 */
#include <linux/bitmap.h>
#include <linux/slab.h>
#include <trace/events/mrc.h>
#include "ack.h"
#include "compat/compat.h"
#include "encap.h"
#include "loss.h"
#include "netns.h"
#include "path.h"
#include "probe.h"
#include "receive.h"
#include "send.h"
#include "sock.h"
#include "weight.h"

/**
 * mrc_ack_init() - prepare the map of received PSNs
 * @mk: connection, locked
 * @peer_psn: the peer's first PSN
 * @gfp: allocation flags
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_ack_init(struct mrc_sock *mk, u32 peer_psn, gfp_t gfp)
{
	mk->rcv_map = bitmap_zalloc(MRC_PSN_WINDOW, gfp);
	if (!mk->rcv_map)
		return -ENOMEM;
	mk->rcv_cum = peer_psn - 1;
	mk->rcv_high = peer_psn - 1;
	return 0;
}

/**
 * mrc_ack_free() - free it
 * @mk: connection; need not have one
 */
void mrc_ack_free(struct mrc_sock *mk)
{
	bitmap_free(mk->rcv_map);
	mk->rcv_map = NULL;
}

static bool arrived(const struct mrc_sock *mk, u32 psn)
{
	return test_bit(psn % MRC_PSN_WINDOW, mk->rcv_map);
}

/**
 * mrc_ack_in_window() - may a sender use this PSN now?
 * @mk: connection, locked
 * @psn: PSN of a DATA packet
 * @floor: the sender's floor in that packet
 *
 * Return: false for what no honest sender says: a packet below its own floor,
 * too far above it, or far from all that came before.
 */
bool mrc_ack_in_window(const struct mrc_sock *mk, u32 psn, u32 floor)
{
	return psn - (floor - 1) <= MRC_PSN_WINDOW &&
	       abs((s32)(psn - mk->rcv_high)) <= 2 * MRC_PSN_WINDOW;
}

/* The sender waits for nothing below; and what follows may be here already. */
static void advance_cum(struct mrc_sock *mk, u32 floor)
{
	while (mrc_psn_before(mk->rcv_cum + 1, floor) ||
	       (mk->rcv_cum != mk->rcv_high && arrived(mk, mk->rcv_cum + 1))) {
		mk->rcv_cum++;
		__clear_bit(mk->rcv_cum % MRC_PSN_WINDOW, mk->rcv_map);
	}
	if (mrc_psn_before(mk->rcv_high, mk->rcv_cum))
		mk->rcv_high = mk->rcv_cum;
}

static void want_ack(struct mrc_sock *mk, bool now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);

	mk->ack_pending = true;
	if (now || mk->ack_bytes >= READ_ONCE(ctl->ack_bytes))
		mk->ack_now = true;
}

/**
 * mrc_ack_note() - a segment was taken
 * @mk: connection, locked
 * @d: its header; mrc_ack_in_window() said yes
 * @len: payload bytes
 * @ce: it carried a congestion mark
 */
void mrc_ack_note(struct mrc_sock *mk, const struct mrc_data_hdr *d,
		  unsigned int len, bool ce)
{
	u32 psn = be32_to_cpu(d->h.psn), floor = be32_to_cpu(d->floor);

	/* First the floor: it makes room in the map. */
	advance_cum(mk, floor);
	if (mrc_psn_after(psn, mk->rcv_cum)) {
		__set_bit(psn % MRC_PSN_WINDOW, mk->rcv_map);
		if (mrc_psn_after(psn, mk->rcv_high))
			mk->rcv_high = psn;
		advance_cum(mk, floor);
	}
	mk->ack_psn = psn;
	mk->ack_path = d->h.path;
	mk->ack_gen = d->h.gen;
	mk->ack_ns = ktime_get_ns();
	if (ce) {
		mk->ack_flags |= MRC_F_CE;
		mk->rx_ce_pkts++;
		mk->rx_ce_bytes += len;
	}
	mk->rx_bytes += len;
	mk->ack_bytes += len;
	want_ack(mk, ce || d->h.flags & (MRC_F_ACK_REQ | MRC_F_FIN |
					 MRC_F_RETRANS));
}

/**
 * mrc_ack_duplicate() - the bytes noted last were here already
 * @mk: connection, locked
 *
 * The sender should know at once: a SACK was lost, or a loss was none.
 */
void mrc_ack_duplicate(struct mrc_sock *mk)
{
	mk->ack_flags |= MRC_F_DUP;
	want_ack(mk, true);
}

static void fill_map(const struct mrc_sock *mk, __be32 *map, unsigned int words)
{
	u32 psn = mk->rcv_cum + 1;
	unsigned int w, bit;

	for (w = 0; w < words; w++) {
		u32 v = 0;

		for (bit = 0; bit < 32; bit++, psn++)
			if (!mrc_psn_after(psn, mk->rcv_high) &&
			    arrived(mk, psn))
				v |= 1U << bit;
		map[w] = cpu_to_be32(v);
	}
}

/**
 * mrc_ack_send() - send a SACK now
 * @mk: connection, locked, established
 */
void mrc_ack_send(struct mrc_sock *mk)
{
	unsigned int words = DIV_ROUND_UP(mk->rcv_high - mk->rcv_cum, 32);
	unsigned int len = sizeof(struct mrc_sack_hdr) + words * 4;
	struct sk_buff *skb = mrc_encap_alloc(len);
	struct mrc_sack_hdr *s;
	u64 delay = 0;

	if (!skb) {
		/* Owed still: the timer tries again. */
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		mk->ack_pending = true;
		mk->ack_now = false;
		mrc_timer_arm(mk, &mk->ack_timer,
			      ktime_get_ns() + NSEC_PER_MSEC);
		return;
	}
	s = skb_put_zero(skb, len);
	mrc_receive_open_window(mk);
	if (mk->ack_ns)
		delay = (ktime_get_ns() - mk->ack_ns) / NSEC_PER_USEC;
	mrc_wire_hdr(&s->h, MRC_SACK, mk->ack_flags, mk->peer_cid, mk->ack_psn);
	s->h.path = mk->ack_path;
	s->h.gen = mk->ack_gen;
	s->cum = cpu_to_be32(mk->rcv_cum);
	s->ack_delay_us = cpu_to_be32(min_t(u64, delay, U32_MAX));
	s->rx_bytes = cpu_to_be64(mk->rx_bytes);
	s->ce_bytes = cpu_to_be64(mk->rx_ce_bytes);
	s->ce_pkts = cpu_to_be32(mk->rx_ce_pkts);
	s->ooo_pkts = cpu_to_be32(mk->ooo_count);
	s->limit = cpu_to_be64(mk->rcv_limit);
	s->words = cpu_to_be16(words);
	s->rx_us = cpu_to_be32(div_u64(mk->ack_ns, NSEC_PER_USEC));
	fill_map(mk, (__be32 *)(s + 1), words);
	mk->ack_pending = false;
	mk->ack_now = false;
	mk->ack_bytes = 0;
	mk->ack_flags = 0;
	MRC_INC(mrc_sock_net(mk), OUT_SACKS);
	mrc_encap_send_path(mk, mrc_path_reverse(mk), skb);
	mrc_probe_watch(mk);
}

/**
 * mrc_ack_flush() - send the SACK that is owed, or see that it is not forgotten
 * @mk: connection, locked, established
 */
void mrc_ack_flush(struct mrc_sock *mk)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);

	if (mk->ack_now)
		mrc_ack_send(mk);
	else if (mk->ack_pending)
		mrc_timer_arm(mk, &mk->ack_timer, mk->ack_ns +
			      READ_ONCE(ctl->ack_delay_us) * NSEC_PER_USEC);
}

/**
 * mrc_ack_timer() - a SACK waited long enough
 * @mk: connection, locked
 */
void mrc_ack_timer(struct mrc_sock *mk)
{
	if (mk->ack_pending && mrc_sock_established(mk))
		mrc_ack_send(mk);
}

/**
 * struct sack_walk - state of the walk through one SACK
 * @mk: connection
 * @trigger: PSN that triggered it
 * @trigger_sent_ns: when that was sent, 0: it is no news
 * @acked_bytes: what is no longer in flight
 * @news: something is acked that was in flight
 */
struct sack_walk {
	struct mrc_sock	*mk;
	u32	trigger;
	u64	trigger_sent_ns;
	u32	acked_bytes;
	bool	news;
};

static void walk_psn(struct sack_walk *w, u32 psn)
{
	u64 sent_ns;

	if (!mrc_loss_acked(w->mk, psn, &sent_ns, &w->acked_bytes))
		return;
	w->news = true;
	if (psn == w->trigger)
		w->trigger_sent_ns = sent_ns;
}

static void walk_map(struct sack_walk *w, struct sk_buff *skb, u32 cum,
		     unsigned int words)
{
	const struct mrc_sock *mk = w->mk;
	unsigned int i, bit;
	u32 map, psn;
	__be32 v;

	for (i = 0; i < words; i++) {
		if (skb_copy_bits(skb, sizeof(struct mrc_sack_hdr) + 4 * i, &v,
				  sizeof(v)))
			return;
		for (map = be32_to_cpu(v); map; map &= map - 1) {
			bit = __ffs(map);
			psn = cum + 1 + 32 * i + bit;
			if (!mrc_psn_before(psn, mk->floor_psn) &&
			    mrc_psn_before(psn, mk->next_psn))
				walk_psn(w, psn);
		}
	}
}

/* RFC 6298, over all paths: for what has no path yet, and for the RTO */
static void connection_rtt(struct mrc_sock *mk, u32 rtt_us)
{
	if (!mk->srtt_us) {
		mk->srtt_us = rtt_us;
		mk->rttvar_us = rtt_us / 2;
		mk->min_rtt_us = rtt_us;
		return;
	}
	mk->rttvar_us = (3ULL * mk->rttvar_us +
			 abs((s32)(mk->srtt_us - rtt_us))) / 4;
	mk->srtt_us = max_t(u32, (7ULL * mk->srtt_us + rtt_us) / 8, 1);
	mk->min_rtt_us = min(mk->min_rtt_us, rtt_us);
}

/* What the trigger tells of its path */
static void judge_trigger(struct sack_walk *w, const struct mrc_sack_hdr *s,
			  struct mrc_ack_sample *sample)
{
	struct mrc_sock *mk = w->mk;
	u64 delay = (u64)be32_to_cpu(s->ack_delay_us) * NSEC_PER_USEC;
	struct mrc_path *path;

	if (!w->trigger_sent_ns || s->h.path >= mk->nr_paths)
		return;
	path = &mk->paths[s->h.path];
	if (path->gen != s->h.gen)
		return;
	sample->path = path;
	sample->ce = s->h.flags & MRC_F_CE;
	if (sample->now - w->trigger_sent_ns > delay) {
		sample->rtt_us = max_t(u64, (sample->now - w->trigger_sent_ns -
					     delay) / NSEC_PER_USEC, 1);
		mrc_path_rtt(mk, path, sample->rtt_us);
		connection_rtt(mk, sample->rtt_us);
		mrc_weight_sample(mk, path, be32_to_cpu(s->rx_us) - (u32)
				  div_u64(w->trigger_sent_ns, NSEC_PER_USEC),
				  sample->rtt_us, sample->now);
		mrc_path_judge(mk, path);
		sample->delay_us = path->delay_us;
	}
	if (sample->ce || (s->h.flags & MRC_F_VERDICT) == MRC_VERDICT_SKIP)
		mrc_path_marked(mk, path);
	else if ((s->h.flags & MRC_F_VERDICT) == MRC_VERDICT_AVOID)
		mrc_path_silent(mk, path);
}

/* The send buffer follows the window, so that writers can fill it. */
static void grow_sndbuf(struct mrc_sock *mk)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	struct sock *sk = &mk->sk;
	u64 want = 4ULL * mk->cwnd;

	if (sk->sk_userlocks & SOCK_SNDBUF_LOCK || want <= sk->sk_sndbuf)
		return;
	want = min_t(u64, want, READ_ONCE(ctl->wmem[2]));
	if (want > sk->sk_sndbuf)
		WRITE_ONCE(sk->sk_sndbuf, want);
}

static void acked_news(struct mrc_sock *mk, const struct mrc_ack_sample *sample)
{
	mk->progress_ns = sample->now;
	mk->backoff = 0;
	mk->tails = 0;
	mk->cong->acked(mk, sample);
	trace_mrc_cwnd(mk);
	grow_sndbuf(mk);
}

/**
 * mrc_ack_rcv() - a SACK arrived
 * @mk: connection, locked, established
 * @skb: the packet; its addresses and common header were checked
 */
void mrc_ack_rcv(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct mrc_ack_sample sample = {
		.now = ktime_get_ns(),
		.prior_inflight = mk->inflight,
	};
	struct sack_walk w = { .mk = mk };
	struct sock *sk = &mk->sk;
	struct mrc_sack_hdr s;
	u64 limit;
	u32 cum, psn;

	MRC_INC(sock_net(sk), IN_SACKS);
	skb_copy_bits(skb, 0, &s, sizeof(s));
	cum = be32_to_cpu(s.cum);
	if (be16_to_cpu(s.words) > MRC_SACK_WORDS ||
	    mk->next_psn - 1 - cum > 2 * MRC_PSN_WINDOW) {
		MRC_INC(sock_net(sk), DROP_PSN);
		return;
	}
	w.trigger = be32_to_cpu(s.h.psn);
	for (psn = mk->floor_psn; !mrc_psn_after(psn, cum); psn++)
		walk_psn(&w, psn);
	walk_map(&w, skb, cum, be16_to_cpu(s.words));
	judge_trigger(&w, &s, &sample);
	sample.acked_bytes = w.acked_bytes;
	trace_mrc_ack(mk, cum, &sample);
	if (w.news)
		acked_news(mk, &sample);
	mrc_loss_advance(mk, sample.now);

	limit = be64_to_cpu(s.limit);
	if (limit > mk->peer_limit)
		mk->peer_limit = limit;
	/* A peer that answers may keep its window shut, but not to nobody. */
	if (!mrc_send_unanswered(mk) && !sock_flag(sk, SOCK_DEAD))
		mk->progress_ns = sample.now;
	if (sk->sk_socket && test_bit(SOCK_NOSPACE, &sk->sk_socket->flags))
		sk->sk_write_space(sk);
	if (test_bit(MRC_FL_FIN_QUEUED, &mk->flags) && list_empty(&mk->sendq))
		mrc_sock_fin_acked(mk);
}
