// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plain window over all paths: slow start, then one segment per round trip,
 * halved at most once per round trip (RFC 5681, with bytes counted).
 */
#include <linux/minmax.h>
#include "cong.h"
#include "sock.h"

#define INITIAL_SEGMENTS	32
#define MIN_SEGMENTS		4

/**
 * mrc_cong_min_window() - the window below which no algorithm goes
 * @mk: connection, locked
 *
 * Return: bytes.
 */
u32 mrc_cong_min_window(const struct mrc_sock *mk)
{
	return MIN_SEGMENTS * (mk->mss + mk->hdr_len);
}

/**
 * mrc_cong_new_round() - does a loss begin a new round trip?
 * @mk: connection, locked
 * @psn: PSN of the packet that was lost
 *
 * Return: true for the first loss among packets sent after the last cut; what
 * is lost of those in flight now belongs to the same event.
 */
bool mrc_cong_new_round(struct mrc_sock *mk, u32 psn)
{
	if (mrc_psn_before(psn, mk->round_psn))
		return false;
	mk->round_psn = mk->next_psn;
	return true;
}

static void aimd_init(struct mrc_sock *mk)
{
	mk->cwnd = INITIAL_SEGMENTS * (mk->mss + mk->hdr_len);
	mk->ssthresh = U32_MAX;
	mk->round_psn = mk->next_psn;
}

/* A window that was not used has proved nothing. */
static bool window_limited(const struct mrc_sock *mk,
			   const struct mrc_ack_sample *s)
{
	return 2 * (u64)s->prior_inflight >= mk->cwnd;
}

static void aimd_acked(struct mrc_sock *mk, const struct mrc_ack_sample *s)
{
	u64 *credit = &mk->cong_priv[0];
	u32 seg = mk->mss + mk->hdr_len;

	if (!window_limited(mk, s) || mk->cwnd > U32_MAX / 4)
		return;
	if (mk->cwnd < mk->ssthresh) {
		mk->cwnd += s->acked_bytes;
		return;
	}
	*credit += s->acked_bytes;
	if (*credit >= mk->cwnd) {
		*credit = 0;
		mk->cwnd += seg;
	}
}

static void aimd_lost(struct mrc_sock *mk, const struct mrc_path *path, u32 psn)
{
	if (!mrc_cong_new_round(mk, psn))
		return;
	mk->cwnd = max(mk->cwnd / 2, mrc_cong_min_window(mk));
	mk->ssthresh = mk->cwnd;
}

static void aimd_rto(struct mrc_sock *mk)
{
	mk->ssthresh = max(mk->cwnd / 2, mrc_cong_min_window(mk));
	mk->cwnd = mrc_cong_min_window(mk);
	mk->round_psn = mk->next_psn;
}

const struct mrc_cong_ops mrc_cong_aimd = {
	.name	= "aimd",
	.init	= aimd_init,
	.acked	= aimd_acked,
	.lost	= aimd_lost,
	.rto	= aimd_rto,
};
