// SPDX-License-Identifier: GPL-2.0-only
/*
 * The congestion control algorithms, and the one that is none: for fabrics that
 * never drop, and to tell what another one costs.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include "cong.h"
#include "sock.h"

static const struct mrc_cong_ops * const algorithms[] = {
	&mrc_cong_nscc,
	&mrc_cong_none,
};

/**
 * mrc_cong_find() - the algorithm of a name
 * @name: the name
 *
 * Context: any.
 * Return: the algorithm, or NULL.
 */
const struct mrc_cong_ops *mrc_cong_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(algorithms); i++)
		if (!strcmp(algorithms[i]->name, name))
			return algorithms[i];
	return NULL;
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
