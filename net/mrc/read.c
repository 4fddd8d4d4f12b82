// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading: from the queue to the user. Bytes are copied once, skipping header
 * gaps, and the buffer is tuned to how fast they are taken.
 */
#include <linux/uio.h>
#include "ack.h"
#include "compat/compat.h"
#include "netns.h"
#include "read.h"
#include "receive.h"
#include "sock.h"

/* Autotuning looks no more often than this. */
#define SPACE_ROUND_US	2000

/**
 * mrc_read_ready() - is there as much to read as SO_RCVLOWAT wants?
 * @mk: socket
 *
 * Less is enough where no more would come: the window or memory is used up.
 *
 * Context: any, without locks.
 */
bool mrc_read_ready(const struct mrc_sock *mk)
{
	const struct sock *sk = &mk->sk;
	u64 end = READ_ONCE(mk->rcv_nxt);
	s64 waiting = end - READ_ONCE(mk->copied_seq);

	if (waiting <= 0)
		return false;
	return waiting >= sock_rcvlowat(sk, 0, INT_MAX) ||
	       READ_ONCE(mk->rcv_limit) - end < READ_ONCE(mk->mss) ||
	       atomic_read(&sk->sk_rmem_alloc) > READ_ONCE(sk->sk_rcvbuf);
}

/**
 * mrc_read_set_lowat() - proto_ops.set_rcvlowat
 * @sk: the socket, lock_sock() held
 * @val: bytes, not negative
 *
 * As for TCP, the buffer grows to hold so much, and bounds it.
 *
 * Context: process.
 * Return: 0.
 */
int mrc_read_set_lowat(struct sock *sk, int val)
{
	struct mrc_sock *mk = mrc_sk(sk);
	bool locked = sk->sk_userlocks & SOCK_RCVBUF_LOCK;
	int most = locked ? sk->sk_rcvbuf :
			    READ_ONCE(mrc_sysctl(mk)->rmem[2]);

	val = min(val, most / 2);
	WRITE_ONCE(sk->sk_rcvlowat, val ?: 1);
	if (!locked && 2 * val > sk->sk_rcvbuf)
		WRITE_ONCE(sk->sk_rcvbuf, 2 * val);
	if (mrc_read_ready(mk))
		sk->sk_data_ready(sk);
	return 0;
}

/* The reader took something: does the peer need to know? */
static void after_read(struct mrc_sock *mk)
{
	u64 window = READ_ONCE(mk->sk.sk_rcvbuf) / 2;
	u64 left = mk->rcv_limit - mk->rcv_nxt;

	if (!mrc_sock_established(mk) ||
	    test_bit(MRC_FL_FIN_RCVD, &mk->flags))
		return;
	if (mk->copied_seq + window >= mk->rcv_limit + window / 2 ||
	    (left < 2 * mk->mss &&
	     mk->copied_seq + window >= mk->rcv_limit + 2 * mk->mss))
		mrc_ack_send(mk);
}

/* Let the buffer hold twice what the reader takes in a round trip. */
static void tune_buffer(struct mrc_sock *mk)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 now = ktime_get_ns(), copied, want;
	struct sock *sk = &mk->sk;

	if (now - mk->rcvq_ns < max_t(u64, 2ULL * mk->srtt_us, SPACE_ROUND_US) *
				NSEC_PER_USEC)
		return;
	copied = mk->copied_seq - mk->rcvq_seq;
	mk->rcvq_ns = now;
	mk->rcvq_seq = mk->copied_seq;
	if (copied <= mk->rcvq_space || sk->sk_userlocks & SOCK_RCVBUF_LOCK)
		return;
	mk->rcvq_space = min_t(u64, copied, U32_MAX);
	want = min_t(u64, 4 * copied, READ_ONCE(ctl->rmem[2]));
	if (want > sk->sk_rcvbuf)
		WRITE_ONCE(sk->sk_rcvbuf, want);
}

/* Copy from one skb at *seq; returns bytes or -EFAULT when none. */
static int copy_extent(struct sk_buff *skb, struct msghdr *msg, u64 *seq,
		       size_t len, bool discard)
{
	const struct mrc_extent *e = mrc_extent(skb);
	int copied = 0;

	while (len && *seq < e->end) {
		int n = min_t(size_t, mrc_extent_run(e, *seq), len);

		if (!discard &&
		    skb_copy_datagram_msg(skb, mrc_extent_pos(e, *seq), msg, n))
			return copied ?: -EFAULT;
		*seq += n;
		copied += n;
		len -= n;
	}
	return copied;
}

/**
 * struct reader - one call of recv()
 * @msg: where the bytes go
 * @seq: stream offset of the next one
 * @flags: MSG_PEEK, MSG_TRUNC
 * @stamp: what the last byte came in, with a reference, if the application
 *	   wants to know when that was
 */
struct reader {
	struct msghdr	*msg;
	u64		*seq;
	int		flags;
	struct sk_buff	*stamp;
};

static bool wants_stamps(const struct sock *sk)
{
	return sock_flag(sk, SOCK_RCVTSTAMP) ||
	       READ_ONCE(sk->sk_tsflags) & (SOF_TIMESTAMPING_SOFTWARE |
					    SOF_TIMESTAMPING_RAW_HARDWARE);
}

static void note_stamp(struct reader *r, struct sk_buff *skb)
{
	kfree_skb(r->stamp);
	r->stamp = skb_get(skb);
}

/* Under the socket lock: the packet's memory is charged to the socket. */
static void put_stamp(struct mrc_sock *mk, struct reader *r)
{
	struct sk_buff *skb = r->stamp;

	if (!skb)
		return;
	if (skb->tstamp || skb_hwtstamps(skb)->hwtstamp)
		__sock_recv_timestamp(r->msg, &mk->sk, skb);
	consume_skb(skb);
}

/* Copy what is here; consumed skbs go unless it is only looked at. */
static int copy_queue(struct mrc_sock *mk, struct reader *r, size_t len)
{
	bool stamps = wants_stamps(&mk->sk);
	struct sk_buff *skb, *next;
	int copied = 0, n;

	skb_queue_walk_safe(&mk->sk.sk_receive_queue, skb, next) {
		if (!len)
			break;
		if (mrc_extent(skb)->end <= *r->seq)
			continue;
		if (WARN_ON_ONCE(mrc_extent(skb)->start > *r->seq))
			break;
		n = copy_extent(skb, r->msg, r->seq, len, r->flags & MSG_TRUNC);
		if (n < 0)
			return copied ?: n;
		copied += n;
		len -= n;
		if (stamps)
			note_stamp(r, skb);
		/* The user's buffer ended early: len did, or it faulted. */
		if (*r->seq != mrc_extent(skb)->end)
			break;
		if (!(r->flags & MSG_PEEK)) {
			__skb_unlink(skb, &mk->sk.sk_receive_queue);
			consume_skb(skb);
		}
	}
	return copied;
}

/* Why there is nothing to wait for: 0 for end of stream, 1 to wait */
static int read_end(struct mrc_sock *mk)
{
	struct sock *sk = &mk->sk;

	if (sock_flag(sk, SOCK_DONE))
		return 0;
	if (sk->sk_err)
		return sock_error(sk);
	if (sk->sk_shutdown & RCV_SHUTDOWN)
		return 0;
	if (sk->sk_state == TCP_CLOSE)
		return -ENOTCONN;
	return 1;
}

static int read_stream(struct mrc_sock *mk, struct reader *r, size_t len)
{
	struct sock *sk = &mk->sk;
	long timeo = sock_rcvtimeo(sk, r->flags & MSG_DONTWAIT);
	int target = sock_rcvlowat(sk, r->flags & MSG_WAITALL, len);
	u32 epoch = mk->epoch;
	int copied = 0, n;

	for (;;) {
		/* While we slept, another thread may have let go of all, */
		if (mk->epoch != epoch)
			return copied ?: -EPIPE;
		/* or read what we meant to look at. */
		if (*r->seq < mk->copied_seq)
			*r->seq = mk->copied_seq;
		n = copy_queue(mk, r, len - copied);
		if (n < 0)
			return copied ?: n;
		copied += n;
		if (r->flags & MSG_PEEK) {
			sk_peek_offset_fwd(sk, n);
		} else if (n) {
			sk_peek_offset_bwd(sk, n);
			tune_buffer(mk);
			after_read(mk);
		}
		if (copied >= target || copied == len)
			return copied;
		/* What arrived meanwhile may suffice. */
		if (READ_ONCE(sk->sk_backlog.tail)) {
			release_sock(sk);
			lock_sock(sk);
			if (mk->rcv_nxt > *r->seq)
				continue;
		}
		n = read_end(mk);
		if (n <= 0)
			return copied ?: n;
		if (!timeo)
			return copied ?: -EAGAIN;
		if (signal_pending(current))
			return copied ?: sock_intr_errno(timeo);
		sk_wait_data(sk, &timeo,
			     skb_peek_tail(&sk->sk_receive_queue));
	}
}

/**
 * mrc_read_msg() - read from the stream
 * @mk: socket, lock_sock() held
 * @msg: where to
 * @len: bytes wanted
 * @flags: MSG_DONTWAIT, MSG_PEEK, MSG_WAITALL, MSG_TRUNC
 *
 * Context: process.
 * Return: bytes, 0 at the end of the stream, or a negative errno: -EAGAIN,
 * -ENOTCONN, -ECONNRESET, -EFAULT, -EINTR.
 */
int mrc_read_msg(struct mrc_sock *mk, struct msghdr *msg, size_t len,
		 int flags)
{
	u64 peek_seq = mk->copied_seq + max(sk_peek_offset(&mk->sk, flags), 0);
	struct reader r = {
		.msg	= msg,
		.seq	= flags & MSG_PEEK ? &peek_seq : &mk->copied_seq,
		.flags	= flags,
	};
	int res;

	if (mk->sk.sk_state == TCP_LISTEN)
		return -ENOTCONN;
	res = read_stream(mk, &r, len);
	put_stamp(mk, &r);
	return res;
}
