/* SPDX-License-Identifier: GPL-2.0-only */
/* Congestion control: how much may be in flight over all paths together. */
#ifndef _MRC_CONG_H
#define _MRC_CONG_H

#include <linux/types.h>
#include <uapi/linux/mrc.h>

struct mrc_sock;

#define MRC_CONG_PRIV		8

/**
 * struct mrc_ack_sample - what one SACK told the sender
 * @acked_bytes: bytes newly acknowledged, headers included
 * @rtt_us: round trip of the trigger without the peer's ack delay; 0: none
 * @prior_inflight: bytes in flight before this SACK
 * @path: path that the trigger took, NULL when that path is no more
 * @ce: the trigger carried a congestion mark
 */
struct mrc_ack_sample {
	u32	acked_bytes;
	u32	rtt_us;
	u32	prior_inflight;
	const struct mrc_path *path;
	bool	ce;
};

/**
 * struct mrc_cong_ops - a congestion control algorithm
 * @name: as shown and chosen
 * @init: set mrc_sock.cwnd (bytes); private state is in mrc_sock.cong_priv
 * @acked: a SACK acknowledged something
 * @lost: a packet was declared lost; the algorithm decides how often in a
 *	  round trip it cuts (mrc_cong_new_round() helps)
 * @rto: nothing was answered for an RTO; everything in flight counts as lost
 *
 * All are called with the socket lock held, mostly in softirq context.
 */
struct mrc_cong_ops {
	char	name[MRC_CONG_NAME_MAX];
	void	(*init)(struct mrc_sock *mk);
	void	(*acked)(struct mrc_sock *mk, const struct mrc_ack_sample *s);
	void	(*lost)(struct mrc_sock *mk, const struct mrc_path *path,
			u32 psn);
	void	(*rto)(struct mrc_sock *mk);
};

extern const struct mrc_cong_ops mrc_cong_aimd;

bool mrc_cong_new_round(struct mrc_sock *mk, u32 psn);
u32 mrc_cong_min_window(const struct mrc_sock *mk);

#endif /* _MRC_CONG_H */
