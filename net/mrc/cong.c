// SPDX-License-Identifier: GPL-2.0-only
/*
 * The congestion control algorithms, and the one that is none: for fabrics that
 * never drop, and to tell what another one costs.
 */
#include "cong.h"
#include "sock.h"

static const struct mrc_cong_ops * const algorithms[] = {
	[MRC_CONG_NSCC] = &mrc_cong_nscc,
	[MRC_CONG_NONE] = &mrc_cong_none,
};

/**
 * mrc_cong_get() - an algorithm
 * @id: which one
 *
 * Context: any.
 */
const struct mrc_cong_ops *mrc_cong_get(enum mrc_cong_id id)
{
	return algorithms[id];
}

/**
 * mrc_cong_segs() - the size of so many full packets
 * @mk: connection, locked
 * @segs: their number
 *
 * Return: bytes, headers included.
 */
u32 mrc_cong_segs(const struct mrc_sock *mk, unsigned int segs)
{
	return segs * (mk->mss + mk->hdr_len);
}

/* All that the receiver's map of PSNs can hold */
static void none_init(struct mrc_sock *mk)
{
	mk->cwnd = mrc_cong_segs(mk, MRC_PSN_WINDOW);
}

static void none_acked(struct mrc_sock *mk, const struct mrc_ack_sample *s)
{
}

static void none_lost(struct mrc_sock *mk, u32 size)
{
}

static void none_rto(struct mrc_sock *mk)
{
}

const struct mrc_cong_ops mrc_cong_none = {
	.name	= "none",
	.init	= none_init,
	.acked	= none_acked,
	.lost	= none_lost,
	.rto	= none_rto,
};
