/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending: user data into segments, segments into bursts. */
#ifndef _MRC_SEND_H
#define _MRC_SEND_H

#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/socket.h>

struct mrc_sock;

/* Bits of mrc_seg.flags */
#define MRC_SEG_FIN	0x01	/* the stream ends here */
#define MRC_SEG_SENT	0x02	/* it left at least once; no more is appended */
#define MRC_SEG_ACKED	0x04	/* arrived */
#define MRC_SEG_RTX	0x08	/* in mrc_sock.rtxq */
#define MRC_SEG_CUT	0x10	/* has no gap: it was the end of another */
#define MRC_SEG_STAMP_SCHED 0x20 /* tell when it is handed to the device */
#define MRC_SEG_STAMP_SND 0x40	/* tell when it leaves */
#define MRC_SEG_STAMP_ACK 0x80	/* tell when all up to here arrived */

/**
 * struct mrc_seg - user data as it leaves: a header gap and payload behind it
 * @node: entry of mrc_sock.sendq
 * @rtx: entry of mrc_sock.rtxq
 * @page: page that holds both; NULL for a lone FIN
 * @off: where in @page the payload begins; the gap lies before
 * @start: stream offset of the first byte
 * @len: payload bytes
 * @room: payload bytes that fit
 * @flags: MRC_SEG_*
 * @path: index of the path that carried it last
 * @refs: mrc_sock.sendq and each struct mrc_tx that names it
 * @truesize: what it is charged for
 * @stamp: number of the byte that MRC_SEG_STAMP_* concern
 *
 * Guarded by the socket lock. The gap is written once, before the first
 * transmission; the bytes may sit in queues and in the receiver's socket by
 * reference, so that a retransmission brings a header of its own.
 */
struct mrc_seg {
	struct list_head node;
	struct list_head rtx;
	struct page	*page;
	u32	off;
	u64	start;
	u16	len;
	u16	room;
	u8	flags;
	u8	path;
	u16	refs;
	u32	truesize;
	u32	stamp;
};

int mrc_send_module_init(void);
void mrc_send_module_exit(void);
int mrc_send_msg(struct mrc_sock *mk, struct msghdr *msg, size_t len);
int mrc_send_fin(struct mrc_sock *mk);
void mrc_send_push(struct mrc_sock *mk);
void mrc_send_held(struct mrc_sock *mk);
bool mrc_send_unanswered(struct mrc_sock *mk);
bool mrc_send_window_shut(const struct mrc_sock *mk);
void mrc_send_again(struct mrc_sock *mk, struct mrc_seg *seg);
void mrc_send_tail_probe(struct mrc_sock *mk);
void mrc_send_window_probe(struct mrc_sock *mk);
void mrc_send_keepalive(struct mrc_sock *mk);
void mrc_send_seg_acked(struct mrc_sock *mk, struct mrc_seg *seg);
void mrc_send_seg_put(struct mrc_seg *seg);
void mrc_send_purge(struct mrc_sock *mk);
void mrc_send_write_space(struct sock *sk);

#endif /* _MRC_SEND_H */
