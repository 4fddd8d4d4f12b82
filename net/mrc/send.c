// SPDX-License-Identifier: GPL-2.0-only
/*
 * User data is copied once, straight into the layout that leaves the machine:
 * page fragments in which every segment has its header gap in front. A burst of
 * segments is then one packet whose fragments refer to these pages, to be cut
 * by the device or the stack (UDP segmentation offload), and takes one path.
 */
#include <linux/slab.h>
#include <linux/uio.h>
#include <trace/events/mrc.h>
#include "ack.h"
#include "compat/compat.h"
#include "encap.h"
#include "loss.h"
#include "netns.h"
#include "pacer.h"
#include "path.h"
#include "probe.h"
#include "send.h"
#include "sock.h"
#include "stamp.h"

/* Payload and headers of a burst, below what an IP packet can say */
#define BURST_BYTES	64000
#define BURST_SEGS	44
#define SURVEY_BYTES	(128 << 10)
#define SURVEY_WAIT_NS	(2 * (u64)NSEC_PER_MSEC)
#define PATH_BURSTS	4	/* of one path, in flight */

/* So long is a partial segment held for MSG_MORE or cork, as by TCP */
#define CORK_NS		(200 * (u64)NSEC_PER_MSEC)

static struct kmem_cache *seg_cache;

int mrc_send_module_init(void)
{
	seg_cache = KMEM_CACHE(mrc_seg, 0);
	return seg_cache ? 0 : -ENOMEM;
}

void mrc_send_module_exit(void)
{
	kmem_cache_destroy(seg_cache);
}

/**
 * mrc_send_seg_put() - drop a reference to a segment
 * @seg: segment
 */
void mrc_send_seg_put(struct mrc_seg *seg)
{
	if (--seg->refs)
		return;
	if (seg->page)
		put_page(seg->page);
	kmem_cache_free(seg_cache, seg);
}

static void uncharge(struct mrc_sock *mk, struct mrc_seg *seg)
{
	sk_wmem_queued_add(&mk->sk, -seg->truesize);
	sk_mem_uncharge(&mk->sk, seg->truesize);
}

/* Out of the queues; what is in flight may still name it. */
static void remove_seg(struct mrc_sock *mk, struct mrc_seg *seg)
{
	if (mk->send_head == seg)
		mk->send_head = NULL;
	if (seg->flags & MRC_SEG_RTX)
		list_del(&seg->rtx);
	seg->flags = (seg->flags & ~MRC_SEG_RTX) | MRC_SEG_ACKED;
	list_del(&seg->node);
	mk->unacked -= seg->len;
	uncharge(mk, seg);
	mrc_send_seg_put(seg);
}

/**
 * mrc_send_seg_acked() - a segment arrived
 * @mk: connection, locked
 * @seg: segment, perhaps known to have arrived already
 */
void mrc_send_seg_acked(struct mrc_sock *mk, struct mrc_seg *seg)
{
	if (seg->flags & MRC_SEG_ACKED)
		return;
	mrc_stamp_acked(mk, seg);
	remove_seg(mk, seg);
}

/**
 * mrc_send_again() - a segment must be sent again
 * @mk: connection, locked
 * @seg: segment
 *
 * The oldest bytes go first, since they are what the receiver waits for.
 */
void mrc_send_again(struct mrc_sock *mk, struct mrc_seg *seg)
{
	struct mrc_seg *pos;

	if (seg->flags & (MRC_SEG_ACKED | MRC_SEG_RTX))
		return;
	seg->flags |= MRC_SEG_RTX;
	list_for_each_entry_reverse(pos, &mk->rtxq, rtx)
		if (pos->start <= seg->start)
			break;
	list_add(&seg->rtx, &pos->rtx);
}

/**
 * mrc_send_purge() - forget all that was not acknowledged
 * @mk: connection, locked; its ring of packets in flight is freed
 */
void mrc_send_purge(struct mrc_sock *mk)
{
	struct mrc_seg *seg, *next;

	list_for_each_entry_safe(seg, next, &mk->sendq, node)
		remove_seg(mk, seg);
}

static bool may_append(const struct mrc_sock *mk, const struct mrc_seg *seg)
{
	return seg->page && seg->len < seg->room &&
	       !(seg->flags & (MRC_SEG_SENT | MRC_SEG_FIN));
}

static struct mrc_seg *tail(const struct mrc_sock *mk)
{
	return list_empty(&mk->sendq) ? NULL :
	       list_last_entry(&mk->sendq, struct mrc_seg, node);
}

/* Room for a segment; a short one where memory is too fragmented for more. */
static bool take_slot(struct mrc_sock *mk, struct mrc_seg *seg, gfp_t gfp)
{
	struct page_frag *frag = &mk->sk.sk_frag;
	unsigned int slot = mk->hdr_len + mk->mss;

	if (!skb_page_frag_refill(mk->hdr_len + MRC_MSS_MIN, frag, gfp))
		return false;
	/* What is left of a page is too little: the next one. */
	if (frag->offset + slot > frag->size && frag->offset) {
		put_page(frag->page);
		frag->page = NULL;
		if (!skb_page_frag_refill(slot, frag, gfp))
			return false;
	}
	slot = min(slot, frag->size - frag->offset);
	seg->truesize = sizeof(*seg) + slot;
	if (!sk_wmem_schedule(&mk->sk, seg->truesize))
		return false;
	seg->page = frag->page;
	get_page(seg->page);
	seg->off = frag->offset + mk->hdr_len;
	seg->room = slot - mk->hdr_len;
	frag->offset += slot;
	return true;
}

/* A new last segment; a lone FIN has no page. */
static struct mrc_seg *new_seg(struct mrc_sock *mk, bool with_page, gfp_t gfp)
{
	struct mrc_seg *seg;

	seg = kmem_cache_zalloc(seg_cache, gfp);
	if (!seg)
		return NULL;
	if (with_page && !take_slot(mk, seg, gfp)) {
		kmem_cache_free(seg_cache, seg);
		return NULL;
	}
	seg->refs = 1;
	seg->start = mk->write_seq;
	sk_wmem_queued_add(&mk->sk, seg->truesize);
	sk_mem_charge(&mk->sk, seg->truesize);
	list_add_tail(&seg->node, &mk->sendq);
	if (!mk->send_head)
		mk->send_head = seg;
	return seg;
}

/* Nothing more is appended: the rest of the slot serves the next segment. */
static void give_back_room(struct mrc_sock *mk, struct mrc_seg *seg)
{
	struct page_frag *frag = &mk->sk.sk_frag;

	if (seg->page && seg->page == frag->page &&
	    seg->off + seg->room == frag->offset)
		frag->offset = seg->off + ALIGN(seg->len, 4);
}

/* Copy into the last segment or a new one; returns bytes or -errno. */
static int append(struct mrc_sock *mk, struct iov_iter *from)
{
	struct mrc_seg *seg = tail(mk);
	size_t n;

	if (!seg || !may_append(mk, seg)) {
		seg = new_seg(mk, true, mk->sk.sk_allocation);
		if (!seg)
			return -ENOBUFS;
	}
	n = min_t(size_t, iov_iter_count(from), seg->room - seg->len);
	n = copy_from_iter(page_address(seg->page) + seg->off + seg->len, n,
			   from);
	seg->len += n;
	mk->write_seq += n;
	mk->unacked += n;
	if (n)
		return n;
	/* A new segment stays, empty, for the next call. */
	return -EFAULT;
}

static int send_error(const struct mrc_sock *mk)
{
	const struct sock *sk = &mk->sk;

	if (sk->sk_err || sk->sk_shutdown & SEND_SHUTDOWN)
		return -EPIPE;
	if ((1 << sk->sk_state) & ~(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT))
		return -EPIPE;
	return 0;
}

/**
 * mrc_send_msg() - queue user data and send what may be sent
 * @mk: socket, lock_sock() held
 * @msg: data and flags
 * @len: bytes
 *
 * Context: process.
 * Return: bytes taken, or a negative errno when none were: -EPIPE, -EAGAIN,
 * -ENOTCONN, -EFAULT, -EINTR, -EINVAL for control data that makes no sense, and
 * the socket's own error.
 */
int mrc_send_msg(struct mrc_sock *mk, struct msghdr *msg, size_t len)
{
	struct sock *sk = &mk->sk;
	long timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT);
	struct sockcm_cookie sockc;
	u32 epoch = mk->epoch;
	int n, err = 0;
	size_t copied = 0;

	sk_clear_bit(SOCKWQ_ASYNC_NOSPACE, sk);
	if ((1 << sk->sk_state) & ~(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT)) {
		err = sk_stream_wait_connect(sk, &timeo);
		if (err)
			goto out;
	}
	sockcm_init(&sockc, sk);
	if (msg->msg_controllen && sock_cmsg_send(sk, msg, &sockc)) {
		err = -EINVAL;
		goto out;
	}
	mrc_stamp_begin(mk, sockc.tsflags);
	while (msg_data_left(msg)) {
		err = send_error(mk);
		if (err)
			break;
		n = sk_stream_memory_free(sk) ? append(mk, &msg->msg_iter) :
						-ENOBUFS;
		if (n > 0) {
			copied += n;
			continue;
		}
		err = n;
		if (n != -ENOBUFS)
			break;
		/* A full buffer must not wait for more. */
		mrc_send_held(mk);
		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		err = sk_stream_wait_memory(sk, &timeo);
		if (!err && mk->epoch != epoch)
			err = -EPIPE;
		if (err)
			break;
	}
	if (msg->msg_flags & MSG_MORE)
		set_bit(MRC_FL_MORE, &mk->flags);
	else
		clear_bit(MRC_FL_MORE, &mk->flags);
	if (copied)
		mrc_stamp_mark(mk, sockc.tsflags);
out:
	if (copied) {
		mrc_send_push(mk);
		return copied;
	}
	if (err && !list_empty(&mk->sendq))
		mrc_send_push(mk);
	return sk_stream_error(sk, msg->msg_flags, err);
}

/**
 * mrc_send_fin() - end the stream behind what was written
 * @mk: connection, locked
 *
 * Context: any.
 * Return: 0, or -ENOBUFS when there is no memory for the segment.
 */
int mrc_send_fin(struct mrc_sock *mk)
{
	struct mrc_seg *seg = tail(mk);

	if (!seg || seg->flags & MRC_SEG_SENT)
		seg = new_seg(mk, false, GFP_ATOMIC | __GFP_NOWARN);
	if (!seg)
		return -ENOBUFS;
	seg->flags |= MRC_SEG_FIN;
	set_bit(MRC_FL_FIN_QUEUED, &mk->flags);
	mrc_send_push(mk);
	return 0;
}

/*
 * Make a segment that was laid out for a larger path MTU fit. What is cut off
 * becomes one of its own, which follows it. Without memory for that, it leaves
 * as it is, and is tried again when it is lost.
 */
static void cut(struct mrc_sock *mk, struct mrc_seg *seg, unsigned int len)
{
	struct mrc_seg *rest;

	if (seg->len <= len)
		return;
	rest = kmem_cache_alloc(seg_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!rest)
		return;
	*rest = *seg;
	rest->refs = 1;
	rest->flags = (seg->flags & ~MRC_SEG_RTX) | MRC_SEG_CUT;
	get_page(rest->page);
	rest->off += len;
	rest->start += len;
	rest->len -= len;
	rest->room -= len;
	rest->truesize = seg->truesize / 2;
	seg->truesize -= rest->truesize;
	seg->flags &= ~(MRC_SEG_FIN | MRC_SEG_STAMP_SCHED | MRC_SEG_STAMP_SND |
			MRC_SEG_STAMP_ACK);
	seg->len = len;
	seg->room = len;
	list_add(&rest->node, &seg->node);
	if (rest->flags & MRC_SEG_SENT)
		mrc_send_again(mk, rest);
}

static void fill_header(struct mrc_sock *mk, struct mrc_data_hdr *d,
			const struct mrc_path *path, const struct mrc_seg *seg,
			u8 flags, u32 psn)
{
	if (seg->flags & MRC_SEG_FIN)
		flags |= MRC_F_FIN;
	mrc_wire_hdr(&d->h, MRC_DATA, flags, mk->peer_cid, psn);
	d->h.path = path - mk->paths;
	d->h.gen = path->gen;
	d->floor = cpu_to_be32(mk->floor_psn);
	d->offset = cpu_to_be64(seg->start);
}

/* Refer to a piece of a page, in the last fragment if it continues that. */
static bool add_fragment(struct sk_buff *skb, struct page *page,
			 unsigned int off, unsigned int len)
{
	int nr = skb_shinfo(skb)->nr_frags;

	if (skb_can_coalesce(skb, nr, page, off)) {
		skb_frag_size_add(&skb_shinfo(skb)->frags[nr - 1], len);
	} else {
		if (nr >= MAX_SKB_FRAGS)
			return false;
		get_page(page);
		skb_fill_page_desc(skb, nr, page, off, len);
	}
	skb->len += len;
	skb->data_len += len;
	skb->truesize += len;
	return true;
}

/*
 * One segment in a packet with a header of its own: retransmissions, a lone
 * FIN, and what was cut off another.
 */
static void send_single(struct mrc_sock *mk, struct mrc_seg *seg, u8 flags,
			struct mrc_path *path)
{
	u32 psn = mrc_loss_sent(mk, path, seg, ktime_get_ns());
	struct sk_buff *skb = mrc_encap_alloc(mk->hdr_len);

	MRC_INC(mrc_sock_net(mk), OUT_SEGS);
	if (!skb) {
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		return;
	}
	fill_header(mk, skb_put(skb, mk->hdr_len), path, seg, flags, psn);
	if (seg->len)
		add_fragment(skb, seg->page, seg->off, seg->len);
	MRC_INC(mrc_sock_net(mk), OUT_BURSTS);
	mrc_pacer_own(mk, skb);
	mrc_encap_send_path(mk, path, skb);
}

static void send_rtx(struct mrc_sock *mk, struct mrc_seg *seg)
{
	if (seg->flags & MRC_SEG_RTX)
		list_del(&seg->rtx);
	seg->flags &= ~MRC_SEG_RTX;
	mk->rtx_bytes += seg->len;
	send_single(mk, seg, MRC_F_RETRANS | MRC_F_ACK_REQ,
		    mrc_path_pick(mk, seg->path));
	trace_mrc_retransmit(mk, seg, mk->next_psn - 1);
}

static struct mrc_seg *next_unsent(const struct mrc_sock *mk,
				   struct mrc_seg *seg)
{
	return list_is_last(&seg->node, &mk->sendq) ? NULL :
	       list_next_entry(seg, node);
}

/*
 * May this segment leave now? A partial one waits while data is in flight
 * (RFC 896), unless told not to.
 */
static bool may_send(const struct mrc_sock *mk, const struct mrc_seg *seg)
{
	if (seg->start + seg->len > mk->peer_limit)
		return false;
	if (seg->flags & MRC_SEG_FIN || seg->len == seg->room)
		return true;
	if (!seg->len)
		return false;
	if (!list_is_last(&seg->node, &mk->sendq) ||
	    test_bit(MRC_FL_UNHELD, &mk->flags))
		return true;
	if (test_bit(MRC_FL_CORK, &mk->flags) ||
	    test_bit(MRC_FL_MORE, &mk->flags))
		return false;
	return test_bit(MRC_FL_NODELAY, &mk->flags) || !mk->inflight;
}

/*
 * How many segments go over one path in a row: so few that each path has several
 * bursts in flight, or weights could not tell.
 */
static unsigned int burst_segs(const struct mrc_sock *mk)
{
	unsigned int slot = mk->hdr_len + mk->mss;
	unsigned int share = mk->cwnd / slot /
			     (PATH_BURSTS * max_t(u16, mk->nr_usable, 1));

	return clamp_t(unsigned int, share, 1,
		       min_t(unsigned int, BURST_SEGS, BURST_BYTES / slot));
}

/* Does the window have room for one more segment? One is always allowed. */
static bool window_open(const struct mrc_sock *mk, const struct mrc_seg *seg)
{
	return !mk->inflight ||
	       mk->inflight + mk->hdr_len + seg->len <= mk->cwnd;
}

static struct mrc_data_hdr *gap(const struct mrc_sock *mk,
				const struct mrc_seg *seg)
{
	return page_address(seg->page) + seg->off - mk->hdr_len;
}

static void finish_burst(struct mrc_sock *mk, struct sk_buff *skb,
			 unsigned int segs, unsigned int size,
			 struct mrc_path *path)
{
	if (segs > 1) {
		skb_shinfo(skb)->gso_type = SKB_GSO_UDP_L4;
		skb_shinfo(skb)->gso_size = size;
		skb_shinfo(skb)->gso_segs = segs;
	}
	MRC_ADD(mrc_sock_net(mk), OUT_SEGS, segs);
	MRC_INC(mrc_sock_net(mk), OUT_BURSTS);
	mrc_pacer_own(mk, skb);
	mrc_encap_send_path(mk, path, skb);
}

static bool fits_burst(const struct mrc_sock *mk, const struct mrc_seg *seg)
{
	return seg->page && seg->len <= mk->mss && !(seg->flags & MRC_SEG_CUT);
}

/* First transmissions: as many full segments as may go, and a last one. */
static bool send_burst(struct mrc_sock *mk)
{
	struct mrc_path *path = mrc_path_pick(mk, -1);
	struct mrc_seg *seg = mk->send_head, *last = NULL;
	struct sk_buff *skb = mrc_encap_alloc(0);
	unsigned int segs = 0, most = burst_segs(mk), size = 0;
	u64 now = ktime_get_ns();

	if (!skb) {
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		return false;
	}
	while (seg && segs < most && fits_burst(mk, seg) && may_send(mk, seg) &&
	       window_open(mk, seg) && mrc_loss_room(mk, 1)) {
		unsigned int len = mk->hdr_len + seg->len;

		if (segs && len > size)
			break;
		if (!add_fragment(skb, seg->page, seg->off - mk->hdr_len, len))
			break;
		give_back_room(mk, seg);
		seg->flags |= MRC_SEG_SENT;
		mrc_stamp_sent(mk, seg);
		fill_header(mk, gap(mk, seg), path, seg, 0,
			    mrc_loss_sent(mk, path, seg, now));
		mk->tx_bytes += seg->len;
		size = size ?: len;
		segs++;
		last = seg;
		seg = next_unsent(mk, seg);
		if (len < size)
			break;
	}
	mk->send_head = seg;
	/* Ask for an answer at once where we shall wait for it. */
	if (!seg || !window_open(mk, seg) || !may_send(mk, seg))
		gap(mk, last)->h.flags |= MRC_F_ACK_REQ;
	finish_burst(mk, skb, segs, size, path);
	return true;
}

static bool send_next(struct mrc_sock *mk)
{
	struct mrc_seg *seg;

	if (!mrc_loss_room(mk, 1))
		return false;
	seg = list_first_entry_or_null(&mk->rtxq, struct mrc_seg, rtx);
	if (seg) {
		cut(mk, seg, mk->mss);
		if (!window_open(mk, seg))
			return false;
		send_rtx(mk, seg);
		return true;
	}
	seg = mk->send_head;
	if (!seg)
		return false;
	cut(mk, seg, mk->mss);
	if (!may_send(mk, seg) || !window_open(mk, seg))
		return false;
	if (list_is_first(&seg->node, &mk->sendq))
		mk->progress_ns = ktime_get_ns();
	if (fits_burst(mk, seg))
		return send_burst(mk);
	seg->flags |= MRC_SEG_SENT;
	mrc_stamp_sent(mk, seg);
	mk->send_head = next_unsent(mk, seg);
	mk->tx_bytes += seg->len;
	send_single(mk, seg, MRC_F_ACK_REQ, mrc_path_pick(mk, -1));
	return true;
}

/*
 * With nothing in flight, no answer will move what waits: for the peer's window,
 * whose opening may be lost, or for the rest of a segment.
 */
static void watch_held(struct mrc_sock *mk, u64 now)
{
	const struct mrc_seg *seg = mk->send_head;

	if (!seg || mk->inflight || (!seg->len && !(seg->flags & MRC_SEG_FIN))) {
		mk->retry_ns = 0;
		mk->retries = 0;
		return;
	}
	if (mk->retry_ns)
		return;
	mk->retry_ns = now + (mrc_send_window_shut(mk) ? mrc_loss_rto_ns(mk) :
							 CORK_NS);
	mrc_timer_arm(mk, &mk->loss_timer, mk->retry_ns);
}

/**
 * mrc_send_window_shut() - does the peer's window stop the next segment?
 * @mk: connection, locked
 */
bool mrc_send_window_shut(const struct mrc_sock *mk)
{
	const struct mrc_seg *seg = mk->send_head;

	return seg && seg->start + seg->len > mk->peer_limit;
}

/**
 * mrc_send_unanswered() - was something sent that is not acknowledged?
 * @mk: connection, locked
 */
bool mrc_send_unanswered(struct mrc_sock *mk)
{
	const struct mrc_seg *seg;

	seg = list_first_entry_or_null(&mk->sendq, struct mrc_seg, node);
	return seg && seg->flags & MRC_SEG_SENT;
}

/**
 * mrc_send_held() - send what MSG_MORE, cork or Nagle held back, too
 * @mk: connection, locked
 */
void mrc_send_held(struct mrc_sock *mk)
{
	set_bit(MRC_FL_UNHELD, &mk->flags);
	mrc_send_push(mk);
	clear_bit(MRC_FL_UNHELD, &mk->flags);
}

/*
 * The first time that there is much to send. Not for less: many who begin at the
 * same time would fill a queue with probes alone. Where a round trip is short, the
 * data waits for it: who begins together shall not measure each other's.
 */
static bool survey(struct mrc_sock *mk)
{
	u64 wait_ns = (u64)mk->srtt_us * NSEC_PER_USEC * 5 / 4, now;

	if (mk->unacked > SURVEY_BYTES &&
	    !test_and_set_bit(MRC_FL_SURVEYED, &mk->flags)) {
		mrc_probe_survey(mk);
		if (wait_ns <= SURVEY_WAIT_NS)
			mk->hold_ns = ktime_get_ns() + wait_ns;
	}
	if (!mk->hold_ns)
		return false;
	now = ktime_get_ns();
	if (now >= mk->hold_ns) {
		mk->hold_ns = 0;
		return false;
	}
	hrtimer_start(&mk->push_timer.hrt, ns_to_ktime(mk->hold_ns - now),
		      HRTIMER_MODE_REL_SOFT);
	return true;
}

/**
 * mrc_send_push() - send what window, receiver and qdisc allow
 * @mk: connection, locked
 *
 * Context: process or softirq.
 */
void mrc_send_push(struct mrc_sock *mk)
{
	u64 now;

	if (!mrc_sock_established(mk) || !mk->paths)
		return;
	if (survey(mk))
		return;
	while (mrc_pacer_may_send(mk) && send_next(mk))
		;
	now = ktime_get_ns();
	if (mk->inflight)
		mrc_timer_arm(mk, &mk->loss_timer,
			      now + min(mrc_loss_rto_ns(mk),
					mrc_path_pto_ns(mk, &mk->paths[0])));
	watch_held(mk, now);
}

/**
 * mrc_send_tail_probe() - provoke an answer when the last packets are silent
 * @mk: connection, locked
 *
 * The oldest segment goes again over another path, whatever the window says
 * (RFC 8985, section 7), and not whole if its size may be why it is silent.
 */
void mrc_send_tail_probe(struct mrc_sock *mk)
{
	struct mrc_seg *seg = list_first_entry_or_null(&mk->sendq,
						       struct mrc_seg, node);

	if (!mrc_send_unanswered(mk) || !mrc_loss_room(mk, 1))
		return;
	MRC_INC(mrc_sock_net(mk), RETRANS_TAIL);
	cut(mk, seg, mrc_pmtu_tail_len(mk));
	send_rtx(mk, seg);
}

/*
 * A DATA packet without payload makes the peer send a SACK. It repeats no bytes
 * and needs no window.
 */
static void ask_for_sack(struct mrc_sock *mk)
{
	struct mrc_path *path = mrc_path_pick(mk, -1);
	struct sk_buff *skb = mrc_encap_alloc(sizeof(struct mrc_data_hdr));
	struct mrc_data_hdr *d;

	if (!skb) {
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		return;
	}
	d = skb_put_zero(skb, sizeof(*d));
	/* The PSN of a packet long acknowledged: it consumes none. */
	mrc_wire_hdr(&d->h, MRC_DATA, MRC_F_ACK_REQ, mk->peer_cid,
		     mk->floor_psn - 1);
	d->h.path = path - mk->paths;
	d->h.gen = path->gen;
	d->floor = cpu_to_be32(mk->floor_psn);
	d->offset = cpu_to_be64(mk->send_head ? mk->send_head->start :
						mk->write_seq);
	mrc_encap_send_path(mk, path, skb);
}

/**
 * mrc_send_window_probe() - ask for the peer's window
 * @mk: connection, locked
 */
void mrc_send_window_probe(struct mrc_sock *mk)
{
	MRC_INC(mrc_sock_net(mk), ZERO_WINDOW);
	ask_for_sack(mk);
}

/**
 * mrc_send_keepalive() - ask whether the peer is still there
 * @mk: connection, locked
 */
void mrc_send_keepalive(struct mrc_sock *mk)
{
	MRC_INC(mrc_sock_net(mk), KEEPALIVE);
	ask_for_sack(mk);
}

/**
 * mrc_send_write_space() - tell writers that there is room
 * @sk: the socket
 *
 * Context: softirq or process, socket lock held.
 */
void mrc_send_write_space(struct sock *sk)
{
	struct socket *sock = sk->sk_socket;
	struct socket_wq *wq;

	if (!sock || !sk_stream_is_writeable(sk))
		return;
	clear_bit(SOCK_NOSPACE, &sock->flags);
	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_poll(&wq->wait, EPOLLOUT | EPOLLWRNORM |
						      EPOLLWRBAND);
	if (wq && wq->fasync_list && !(sk->sk_shutdown & SEND_SHUTDOWN))
		sock_wake_async(wq, SOCK_WAKE_SPACE, POLL_OUT);
	rcu_read_unlock();
}
