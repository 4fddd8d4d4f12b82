/* SPDX-License-Identifier: GPL-2.0-only */
/* Loss: what is in flight, what was acknowledged, and what must be lost. */
#ifndef _MRC_LOSS_H
#define _MRC_LOSS_H

#include <linux/types.h>

struct mrc_path;
struct mrc_seg;
struct mrc_sock;

/**
 * enum mrc_tx_state - what became of a packet
 * @MRC_TX_NONE: nothing of interest
 * @MRC_TX_INFLIGHT: sent
 * @MRC_TX_LOST: declared lost; kept a while to find out whether that was true
 */
enum mrc_tx_state {
	MRC_TX_NONE,
	MRC_TX_INFLIGHT,
	MRC_TX_LOST,
};

/**
 * struct mrc_tx - a packet that left, found by its PSN
 * @seg: segment that it carried; holds a reference
 * @sent_ns: when it left, or when it was declared lost
 * @prev: PSN of the packet sent before it on the same path
 * @next: PSN of the one sent after it
 * @size: bytes that it adds to what is in flight
 * @path: index of its path
 * @gen: generation of the path
 * @state: enum mrc_tx_state
 * @passed: packets sent later on the same path and acked before it
 */
struct mrc_tx {
	struct mrc_seg	*seg;
	u64	sent_ns;
	u32	prev;
	u32	next;
	u16	size;
	u8	path;
	u8	gen;
	u8	state;
	u8	passed;
};

/**
 * enum mrc_loss_cause - why a packet is believed to be lost
 * @MRC_LOSS_PASSED: later ones of its path were acked
 * @MRC_LOSS_SILENT: its path is silent, others are not
 * @MRC_LOSS_ALL_SILENT: nothing says that it is the path's fault
 */
enum mrc_loss_cause {
	MRC_LOSS_PASSED,
	MRC_LOSS_SILENT,
	MRC_LOSS_ALL_SILENT,
};

int mrc_loss_init(struct mrc_sock *mk, gfp_t gfp);
void mrc_loss_free(struct mrc_sock *mk);
bool mrc_loss_room(struct mrc_sock *mk, unsigned int packets);
u32 mrc_loss_sent(struct mrc_sock *mk, struct mrc_path *path,
		  struct mrc_seg *seg, u64 now);
bool mrc_loss_acked(struct mrc_sock *mk, u32 psn, u64 *sent_ns,
		    u32 *acked_bytes);
void mrc_loss_advance(struct mrc_sock *mk, u64 now);
void mrc_loss_path_all(struct mrc_sock *mk, struct mrc_path *path);
u64 mrc_loss_check(struct mrc_sock *mk, u64 now);
u64 mrc_loss_rto_ns(const struct mrc_sock *mk);

#endif /* _MRC_LOSS_H */
