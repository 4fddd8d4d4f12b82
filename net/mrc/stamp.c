// SPDX-License-Identifier: GPL-2.0-only
/*
 * SO_TIMESTAMPING of what is sent. A stamp belongs to the last byte of a call of
 * send(), and is named by that byte's number in the stream, as TCP's. It cannot
 * be left to the device: what leaves belongs to the UDP socket.
 */
#include <linux/errqueue.h>
#include <net/sock.h>
#include "send.h"
#include "sock.h"
#include "stamp.h"

static void report(struct mrc_sock *mk, u32 key, u32 type)
{
	struct sk_buff *skb = alloc_skb(0, GFP_ATOMIC | __GFP_NOWARN);
	struct sock *sk = &mk->sk;
	struct sock_exterr_skb *serr;

	if (!skb)
		return;
	__net_timestamp(skb);
	serr = SKB_EXT_ERR(skb);
	memset(serr, 0, sizeof(*serr));
	serr->ee.ee_errno = ENOMSG;
	serr->ee.ee_origin = SO_EE_ORIGIN_TIMESTAMPING;
	serr->ee.ee_info = type;
	if (READ_ONCE(sk->sk_tsflags) & SOF_TIMESTAMPING_OPT_ID)
		serr->ee.ee_data = key;
	if (sock_queue_err_skb(sk, skb))
		kfree_skb(skb);
}

/**
 * mrc_stamp_begin() - bytes are about to be appended
 * @mk: connection, lock_sock() held
 * @tsflags: SOF_TIMESTAMPING_* of the socket and the call
 *
 * Whoever sets SOF_TIMESTAMPING_OPT_ID sets sk_tskey to 0. Bytes count from the
 * next one written then, which is this one.
 */
void mrc_stamp_begin(struct mrc_sock *mk, u32 tsflags)
{
	if (tsflags & SOF_TIMESTAMPING_OPT_ID &&
	    !atomic_xchg(&mk->sk.sk_tskey, 1))
		mk->stamp_base = mk->write_seq;
}

/**
 * mrc_stamp_sent() - a segment goes to the device for the first time
 * @mk: connection, locked
 * @seg: segment
 */
void mrc_stamp_sent(struct mrc_sock *mk, struct mrc_seg *seg)
{
	if (seg->flags & MRC_SEG_STAMP_SCHED)
		report(mk, seg->stamp, SCM_TSTAMP_SCHED);
	if (seg->flags & MRC_SEG_STAMP_SND)
		report(mk, seg->stamp, SCM_TSTAMP_SND);
	seg->flags &= ~(MRC_SEG_STAMP_SCHED | MRC_SEG_STAMP_SND);
}

/* The last byte is in it, or arrived. After a fault, an empty one may follow. */
static struct mrc_seg *last_filled(const struct mrc_sock *mk)
{
	struct mrc_seg *seg;

	list_for_each_entry_reverse(seg, &mk->sendq, node)
		if (seg->len)
			return seg;
	return NULL;
}

/**
 * mrc_stamp_mark() - note what is wanted for the last byte that was written
 * @mk: connection, lock_sock() held
 * @tsflags: SOF_TIMESTAMPING_* of the socket and the call
 *
 * A later call's byte in the same segment takes its place, as with TCP.
 */
void mrc_stamp_mark(struct mrc_sock *mk, u32 tsflags)
{
	struct mrc_seg *seg = last_filled(mk);

	if (!seg || !(tsflags & SOF_TIMESTAMPING_TX_RECORD_MASK))
		return;
	seg->stamp = mk->write_seq - 1 - mk->stamp_base;
	if (tsflags & SOF_TIMESTAMPING_TX_SCHED)
		seg->flags |= MRC_SEG_STAMP_SCHED;
	if (tsflags & SOF_TIMESTAMPING_TX_SOFTWARE)
		seg->flags |= MRC_SEG_STAMP_SND;
	if (tsflags & SOF_TIMESTAMPING_TX_ACK)
		seg->flags |= MRC_SEG_STAMP_ACK;
	/* A full buffer was pushed out before the call ended. */
	if (seg->flags & MRC_SEG_SENT)
		mrc_stamp_sent(mk, seg);
}

/**
 * mrc_stamp_acked() - a segment arrived
 * @mk: connection, locked
 * @seg: segment, still in mrc_sock.sendq
 *
 * A byte counts as acknowledged when all before it are: until then, the segment
 * before takes over what is to be told.
 */
void mrc_stamp_acked(struct mrc_sock *mk, struct mrc_seg *seg)
{
	struct mrc_seg *prev;

	if (!(seg->flags & MRC_SEG_STAMP_ACK))
		return;
	if (list_is_first(&seg->node, &mk->sendq)) {
		report(mk, seg->stamp, SCM_TSTAMP_ACK);
		return;
	}
	prev = list_prev_entry(seg, node);
	prev->flags |= MRC_SEG_STAMP_ACK;
	prev->stamp = seg->stamp;
}
