/* SPDX-License-Identifier: GPL-2.0-only */
/* Congestion control: how much may be in flight over all paths together. */
#ifndef _MRC_CONG_H
#define _MRC_CONG_H

#include <linux/types.h>
#include <uapi/linux/mrc.h>

struct mrc_path;
struct mrc_sock;

#define MRC_CONG_PRIV		8

/**
 * enum mrc_cong_id - what the setting congestion_control can be
 * @MRC_CONG_NSCC: by delay and congestion marks
 * @MRC_CONG_NONE: none
 *
 * The order is that of the names in sysctl_table.h.
 */
enum mrc_cong_id {
	MRC_CONG_NSCC,
	MRC_CONG_NONE,
};

/**
 * struct mrc_ack_sample - what one SACK told the sender
 * @now: ktime_get_ns()
 * @acked_bytes: bytes newly acknowledged, headers included
 * @prior_inflight: bytes in flight before this SACK
 * @path: path that the trigger took, NULL: not known
 * @rtt_us: its round trip, the peer's ack delay taken off; 0: not known
 * @delay_us: what the trigger waited in queues, 0 if unknown
 * @ce: the trigger carried a congestion mark
 */
struct mrc_ack_sample {
	u64	now;
	u32	acked_bytes;
	u32	prior_inflight;
	const struct mrc_path *path;
	u32	rtt_us;
	u32	delay_us;
	bool	ce;
};

/**
 * struct mrc_cong_ops - a congestion control algorithm
 * @name: as shown and chosen
 * @init: set mrc_sock.cwnd (bytes); private state is in mrc_sock.cong_priv,
 *	  which is zero before
 * @acked: a SACK acknowledged something; mrc_sock.delay_us is current
 * @lost: a packet was declared lost while its path is not silent
 * @rto: nothing was answered for an RTO; everything in flight counts as lost
 *
 * All are called with the socket lock held, mostly in softirq context.
 */
struct mrc_cong_ops {
	char	name[MRC_CONG_NAME_MAX];
	void	(*init)(struct mrc_sock *mk);
	void	(*acked)(struct mrc_sock *mk, const struct mrc_ack_sample *s);
	void	(*lost)(struct mrc_sock *mk, u32 size);
	void	(*rto)(struct mrc_sock *mk);
};

extern const struct mrc_cong_ops mrc_cong_nscc;
extern const struct mrc_cong_ops mrc_cong_none;

const struct mrc_cong_ops *mrc_cong_get(enum mrc_cong_id id);
u32 mrc_cong_segs(const struct mrc_sock *mk, unsigned int segs);

#endif /* _MRC_CONG_H */
