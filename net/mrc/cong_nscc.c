// SPDX-License-Identifier: GPL-2.0-only
/*
 * NSCC: a window from queueing delay against a target, as in Ultra Ethernet's
 * network signal based congestion control, over many paths at once.
 *
 * The delay is the median of the paths' latest ones: a single path must not
 * steer the whole, its weight is what changes. A mark is no increase, and a
 * loss alone hardly matters: where one path loses, others carry on, and where
 * all are full, the delay says so.
 *
 * Differences to NSCC: the delay is measured one way (weight.c); the target
 * grows as the window falls, as in Swift (Kumar et al., SIGCOMM 2020, section
 * 3.5), since many small windows need more room for their bursts; and queues
 * get a chance to run empty every few seconds, as BBR's PROBE_RTT does, or a
 * standing one would become the base that delay is measured from.
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/math.h>
#include "base.h"
#include "cong.h"
#include "path.h"
#include "sock.h"

#define INITIAL_SEGMENTS	10	/* RFC 6928 */
#define MIN_SEGMENTS		2
#define TARGET_MIN_US		100	/* interrupts alone take as long */
#define TARGET_MAX_US		20000	/* or the round trip */
#define SMALL_ROUNDS	8	/* with a window that can't be the cause of delay */
#define MOST_INCREASE		8	/* segments per round trip, and one */
#define CWND_MAX		(U32_MAX / 4)

/**
 * struct nscc - state, in mrc_sock.cong_priv
 * @round_ns: when this round trip began
 * @acked: bytes acknowledged in this round trip
 * @lost: bytes that paths lost which are not silent
 * @drain_ns: drain that this connection took part in last, see base.h
 * @credit: of the next segment of increase, in bytes times bytes
 * @full: window before it was reduced to let queues run empty, 0: it is not
 * @small_rounds: round trips in a row with a small window and much delay
 */
struct nscc {
	u64	round_ns;
	u64	drain_ns;
	u64	credit;
	u32	acked;
	u32	lost;
	u32	full;
	u8	small_rounds;
};

static struct nscc *nscc(struct mrc_sock *mk)
{
	BUILD_BUG_ON(sizeof(struct nscc) > sizeof(mk->cong_priv));
	return (struct nscc *)mk->cong_priv;
}

static void set_cwnd(struct mrc_sock *mk, u64 bytes)
{
	mk->cwnd = clamp_t(u64, bytes, mrc_cong_segs(mk, MIN_SEGMENTS),
			   CWND_MAX);
}

static void nscc_init(struct mrc_sock *mk)
{
	nscc(mk)->round_ns = ktime_get_ns();
	mk->ssthresh = U32_MAX;
	set_cwnd(mk, mrc_cong_segs(mk, INITIAL_SEGMENTS));
}

/*
 * One and a half round trips, and more for a small window. The round trip is
 * the median path's, for where paths differ in length; but not much more than
 * the shortest, or a connection that joins late takes queues for distance.
 */
static u32 target_us(const struct mrc_sock *mk)
{
	u32 base = mrc_base_rtt(mk->planes[0].base);
	u32 least = min_t(u32, base == U32_MAX ? mk->min_rtt_us : base,
			  USEC_PER_SEC);
	u32 rtt = clamp(mk->base_rtt_us, least, 4 * least);
	u32 segs = mk->cwnd / mrc_cong_segs(mk, 1);
	u64 us = 3ULL * rtt / 2;

	us += 4 * us / max_t(u32, int_sqrt(segs), 1);
	return clamp_t(u64, us, TARGET_MIN_US, max_t(u32, TARGET_MAX_US, rtt));
}

/* A window that was not used has proved nothing. */
static bool window_limited(const struct mrc_sock *mk,
			   const struct mrc_ack_sample *s)
{
	return 4 * (u64)s->prior_inflight >= 3 * (u64)mk->cwnd ||
	       s->prior_inflight + mrc_cong_segs(mk, 1) > mk->cwnd;
}

static void increase(struct mrc_sock *mk, const struct mrc_ack_sample *s,
		     u32 target)
{
	u32 seg = mrc_cong_segs(mk, 1), acked = s->acked_bytes;
	u32 delay = mk->delay_us;
	struct nscc *n = nscc(mk);

	if (mk->cwnd < mk->ssthresh && delay < target / 2) {
		/* The median is late when the window doubles. */
		if (s->delay_us < target)
			set_cwnd(mk, (u64)mk->cwnd + acked);
		return;
	}
	mk->ssthresh = min(mk->ssthresh, mk->cwnd);
	/* Nearly nothing waits: somebody left, or the window was never enough. */
	if (delay < target / 8) {
		set_cwnd(mk, (u64)mk->cwnd + acked / 4);
		return;
	}
	if (delay >= target)
		return;
	n->credit += (u64)acked * seg *
		     (target + MOST_INCREASE * (target - delay)) / target;
	if (n->credit >= mk->cwnd) {
		u64 bytes = n->credit / mk->cwnd;

		n->credit -= bytes * mk->cwnd;
		set_cwnd(mk, mk->cwnd + bytes);
	}
}

/* What was acknowledged in a round trip is what fits through. */
static u64 achieved(const struct mrc_sock *mk, const struct nscc *n, u64 now)
{
	return div64_u64((u64)n->acked * mk->srtt_us * NSEC_PER_USEC,
			 max_t(u64, now - n->round_ns, 1));
}

/* At most one cut in a round trip, which ends here. */
static void decrease(struct mrc_sock *mk, u32 delay, u32 target, u64 now)
{
	struct nscc *n = nscc(mk);
	u64 cwnd = mk->cwnd;

	if (delay > 4 * target || n->lost > n->acked / 4)
		cwnd = min(cwnd, achieved(mk, n, now));
	else if (delay > target)
		cwnd -= min(cwnd / 2, div_u64(cwnd * 4 * (delay - target),
					      5 * delay));
	if (n->lost && delay > 2 * target)
		cwnd = min(cwnd, 3 * (u64)mk->cwnd / 4);
	set_cwnd(mk, cwnd);
	if (delay <= target || mk->cwnd > mrc_cong_segs(mk, MIN_SEGMENTS))
		n->small_rounds = 0;
	else if (++n->small_rounds >= SMALL_ROUNDS)
		mk->paths_differ = true;
}

/* What is in flight shall be less than the links hold without queues. */
static void drain(struct mrc_sock *mk, u64 now)
{
	u64 drain_ns = mrc_base_drain(mk->planes[0].base, now,
				      (u64)mk->srtt_us * NSEC_PER_USEC);
	struct nscc *n = nscc(mk);

	if (n->full) {
		set_cwnd(mk, n->full);
		n->full = 0;
	} else if (drain_ns && drain_ns != n->drain_ns) {
		n->drain_ns = drain_ns;
		n->full = mk->cwnd;
		set_cwnd(mk, div_u64(3ULL * mk->cwnd * mk->base_rtt_us,
				     4 * mk->srtt_us));
	}
}

static void nscc_acked(struct mrc_sock *mk, const struct mrc_ack_sample *s)
{
	u32 delay = mk->delay_us, target = target_us(mk);
	struct nscc *n = nscc(mk);

	n->acked += s->acked_bytes;
	if (!n->full && !s->ce && window_limited(mk, s))
		increase(mk, s, target);
	/* Without a sample yet, there are no round trips to count. */
	if (!mk->srtt_us ||
	    s->now - n->round_ns < (u64)mk->srtt_us * NSEC_PER_USEC)
		return;
	/* What was measured before the last cut must not cause another. */
	if (!n->full && mk->delay_ns > n->round_ns)
		decrease(mk, delay, target, s->now);
	drain(mk, s->now);
	n->round_ns = s->now;
	n->acked = 0;
	n->lost = 0;
}

static void nscc_lost(struct mrc_sock *mk, u32 size)
{
	nscc(mk)->lost += size;
}

static void nscc_rto(struct mrc_sock *mk)
{
	nscc(mk)->full = 0;
	set_cwnd(mk, mk->cwnd / 2);
	mk->ssthresh = min(mk->ssthresh, mk->cwnd);
}

const struct mrc_cong_ops mrc_cong_nscc = {
	.name	= "nscc",
	.init	= nscc_init,
	.acked	= nscc_acked,
	.lost	= nscc_lost,
	.rto	= nscc_rto,
};
