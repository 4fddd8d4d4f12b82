// SPDX-License-Identifier: GPL-2.0-only
/*
 * What arrives for a socket. Data that came coalesced stays in one skb: a run of
 * segments that continue each other is one extent of the stream.
 */
#include "ack.h"
#include "compat/compat.h"
#include "encap.h"
#include "handshake.h"
#include "listen.h"
#include "loss.h"
#include "netns.h"
#include "probe.h"
#include "receive.h"
#include "reset.h"
#include "send.h"
#include "sock.h"

static unsigned int extent_segs(const struct mrc_extent *e)
{
	return e->pay ? DIV_ROUND_UP((u32)(e->end - e->base), e->pay) : 1;
}

static struct sk_buff *ooo_first(const struct mrc_sock *mk)
{
	struct rb_node *node = rb_first(&mk->ooo);

	return node ? rb_to_skb(node) : NULL;
}

static void ooo_erase(struct mrc_sock *mk, struct sk_buff *skb)
{
	rb_erase(&skb->rbnode, &mk->ooo);
	RB_CLEAR_NODE(&skb->rbnode);
	/* The links of a list share the memory of the tree's. */
	skb->next = NULL;
	skb->prev = NULL;
	mk->ooo_count -= extent_segs(mrc_extent(skb));
}

/* Returns false when all its bytes wait already. */
static bool ooo_insert(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct rb_node **link = &mk->ooo.rb_node, *parent = NULL;
	struct mrc_extent *e = mrc_extent(skb);

	while (*link) {
		struct mrc_extent *o = mrc_extent(rb_to_skb(*link));

		parent = *link;
		if (o->start <= e->start && e->end <= o->end)
			return false;
		link = e->start < o->start ? &parent->rb_left :
					     &parent->rb_right;
	}
	rb_link_node(&skb->rbnode, parent, link);
	rb_insert_color(&skb->rbnode, &mk->ooo);
	mk->ooo_count += extent_segs(e);
	return true;
}

/* Small packets would waste memory one by one: put them into one another. */
static bool coalesce(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct sk_buff *to = skb_peek_tail(&mk->sk.sk_receive_queue);
	struct mrc_extent *e = mrc_extent(skb), *t;
	bool stolen;
	int delta;

	if (!to || e->pay)
		return false;
	t = mrc_extent(to);
	if (t->pay || t->end != e->start || mrc_extent_pos(t, t->end) != to->len)
		return false;
	/* More may follow in the packet that belongs to other runs. */
	if (mrc_extent_pos(e, e->end) != skb->len)
		return false;
	if (!pskb_pull(skb, mrc_extent_pos(e, e->start)))
		return false;
	e->off = 0;
	e->base = e->start;
	if (!skb_try_coalesce(to, skb, &stolen, &delta))
		return false;
	t->end = e->end;
	if (skb->tstamp)
		to->tstamp = skb->tstamp;
	atomic_add(delta, &mk->sk.sk_rmem_alloc);
	sk_mem_charge(&mk->sk, delta);
	kfree_skb_partial(skb, stolen);
	return true;
}

/* Append to what the user may read; @skb is charged unless it is merged. */
static void queue_in_order(struct mrc_sock *mk, struct sk_buff *skb,
			   bool charged)
{
	mk->rcv_nxt = mrc_extent(skb)->end;
	if (!charged) {
		if (coalesce(mk, skb))
			return;
		skb_set_owner_r(skb, &mk->sk);
	}
	__skb_queue_tail(&mk->sk.sk_receive_queue, skb);
}

static void drain_ooo(struct mrc_sock *mk)
{
	struct sk_buff *skb;
	struct mrc_extent *e;

	while ((skb = ooo_first(mk))) {
		e = mrc_extent(skb);
		if (e->start > mk->rcv_nxt)
			return;
		ooo_erase(mk, skb);
		if (e->end <= mk->rcv_nxt) {
			kfree_skb(skb);
			continue;
		}
		e->start = mk->rcv_nxt;
		queue_in_order(mk, skb, true);
	}
}

/* Would it burst the buffer? What the reader waits for is always let in. */
static bool no_memory(struct mrc_sock *mk, struct sk_buff *skb, u64 start)
{
	struct sock *sk = &mk->sk;
	bool wanted = start <= mk->rcv_nxt &&
		      skb_queue_empty(&sk->sk_receive_queue);

	if (atomic_read(&sk->sk_rmem_alloc) + skb->truesize >
	    2 * READ_ONCE(sk->sk_rcvbuf) && !wanted)
		return true;
	return !sk_rmem_schedule(sk, skb, skb->truesize);
}

/* Put an extent where it belongs; false: its bytes were here already. */
static bool insert(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct mrc_extent *e = mrc_extent(skb);

	if (e->end <= mk->rcv_nxt)
		return false;
	if (e->start > mk->rcv_nxt) {
		if (!ooo_insert(mk, skb))
			return false;
		MRC_ADD(mrc_sock_net(mk), OFO_SEGS, extent_segs(e));
		skb_set_owner_r(skb, &mk->sk);
		return true;
	}
	e->start = mk->rcv_nxt;
	queue_in_order(mk, skb, false);
	drain_ooo(mk);
	return true;
}

/* Is the segment one that the peer may send? Notes the end of the stream. */
static bool segment_valid(struct mrc_sock *mk, const struct mrc_data_hdr *d,
			  unsigned int len)
{
	struct net *net = mrc_sock_net(mk);
	u64 start = be64_to_cpu(d->offset), end = start + len;
	bool fin = d->h.flags & MRC_F_FIN;

	if (d->h.flags & ~MRC_DATA_FLAGS) {
		MRC_INC(net, DROP_UNKNOWN);
		return false;
	}
	if (!mrc_ack_in_window(mk, be32_to_cpu(d->h.psn),
			       be32_to_cpu(d->floor))) {
		MRC_INC(net, DROP_PSN);
		return false;
	}
	if (end < start || end > mk->rcv_limit) {
		MRC_INC(net, DROP_WINDOW);
		return false;
	}
	if (test_bit(MRC_FL_FIN_RCVD, &mk->flags)) {
		if (end > mk->fin_off || (fin && end != mk->fin_off)) {
			MRC_INC(net, DROP_STATE);
			return false;
		}
	} else if (fin) {
		if (end < mk->rcv_max) {
			MRC_INC(net, DROP_STATE);
			return false;
		}
		mk->fin_off = end;
		set_bit(MRC_FL_FIN_RCVD, &mk->flags);
	}
	mk->rcv_max = max(mk->rcv_max, end);
	return true;
}

/**
 * struct run - consecutive segments of an skb that continue each other
 * @first: offset in the skb of the first one's header
 * @segs: how many
 * @start: stream offset of the first byte
 * @end: stream offset behind the last one
 * @pay: payload bytes of each but the last, valid if @segs > 1
 */
struct run {
	unsigned int first;
	unsigned int segs;
	u64 start;
	u64 end;
	unsigned int pay;
};

static unsigned int seg_len(const struct sk_buff *skb, unsigned int off,
			    unsigned int stride)
{
	return min(stride, skb->len - off) - sizeof(struct mrc_data_hdr);
}

/* Extend @run from @off on; returns where it ended. */
static unsigned int find_run(struct mrc_sock *mk, const struct sk_buff *skb,
			     unsigned int off, unsigned int stride,
			     struct run *run)
{
	struct mrc_data_hdr d;
	unsigned int len;

	run->segs = 0;
	run->first = off;
	for (; off < skb->len; off += stride) {
		skb_copy_bits(skb, off, &d, sizeof(d));
		len = seg_len(skb, off, stride);
		if (run->segs && be64_to_cpu(d.offset) != run->end)
			break;
		if (!segment_valid(mk, &d, len)) {
			if (!run->segs) {
				run->first = off + stride;
				continue;
			}
			break;
		}
		if (!run->segs) {
			run->start = be64_to_cpu(d.offset);
			run->end = run->start;
			run->pay = len;
		}
		run->end += len;
		run->segs++;
	}
	return min(off, skb->len);
}

static void note_run(struct mrc_sock *mk, const struct sk_buff *skb,
		     const struct run *run, unsigned int stride, bool ce)
{
	unsigned int i, off = run->first;
	struct mrc_data_hdr d;

	MRC_ADD(mrc_sock_net(mk), IN_SEGS, run->segs);
	for (i = 0; i < run->segs; i++, off += stride) {
		skb_copy_bits(skb, off, &d, sizeof(d));
		mrc_ack_note(mk, &d, seg_len(skb, off, stride), ce);
	}
}

/* Take the run's bytes, in @part, which is consumed; headers are in @skb. */
static void take_run(struct mrc_sock *mk, struct sk_buff *skb,
		     struct sk_buff *part, const struct run *run,
		     unsigned int stride, bool ce)
{
	if (no_memory(mk, part, run->start)) {
		MRC_ADD(mrc_sock_net(mk), DROP_MEMORY, run->segs);
		kfree_skb(part);
		return;
	}
	/* From here on it must not be dropped. */
	note_run(mk, skb, run, stride, ce);
	*mrc_extent(part) = (struct mrc_extent) {
		.base	= run->start,
		.start	= run->start,
		.end	= run->end,
		.off	= run->first + sizeof(struct mrc_data_hdr),
		.pay	= run->segs > 1 ? run->pay : 0,
		.stride	= stride,
	};
	if (insert(mk, part))
		return;
	/* A lone FIN or a window probe has no bytes to be here already. */
	if (run->end > run->start) {
		MRC_ADD(mrc_sock_net(mk), DUP_SEGS, run->segs);
		mrc_ack_duplicate(mk);
	}
	consume_skb(part);
}

/* A closed socket has nobody to read this: the peer must know. */
static bool unwanted(struct mrc_sock *mk, const struct run *run)
{
	return sock_flag(&mk->sk, SOCK_DEAD) && run->end > mk->rcv_nxt &&
	       run->end > run->start;
}

/* Keep a run's bytes in an skb of their own, charged by what it uses. */
static struct sk_buff *split_off(struct sk_buff *skb, const struct run *run)
{
	struct sk_buff *part = skb_clone(skb, GFP_ATOMIC);

	if (part)
		part->truesize = SKB_TRUESIZE(run->end - run->start);
	return part;
}

/* Consumes @skb. */
static void rcv_data(struct mrc_sock *mk, struct sk_buff *skb)
{
	unsigned int stride = skb_is_gso(skb) ? skb_shinfo(skb)->gso_size :
						skb->len;
	unsigned int off = 0, len = skb->len;
	bool ce = mrc_rx_cb(skb)->ce;
	u64 before = mk->rcv_nxt;
	struct sk_buff *part;
	struct run run;

	while (off < len) {
		off = find_run(mk, skb, off, stride, &run);
		if (!run.segs)
			break;
		if (unwanted(mk, &run)) {
			mrc_reset_send(mk, MRC_RESET_ABORT);
			mrc_sock_done(mk, ECONNRESET);
			break;
		}
		/* Mostly there is one run, and it is all. */
		if (!run.first && off >= len) {
			take_run(mk, skb, skb, &run, stride, ce);
			skb = NULL;
			break;
		}
		part = split_off(skb, &run);
		if (part)
			take_run(mk, skb, part, &run, stride, ce);
		else
			MRC_ADD(mrc_sock_net(mk), DROP_MEMORY, run.segs);
	}
	consume_skb(skb);
	if (mk->rcv_nxt != before && !sock_flag(&mk->sk, SOCK_DEAD))
		mk->sk.sk_data_ready(&mk->sk);
	if (test_bit(MRC_FL_FIN_RCVD, &mk->flags) && mk->rcv_nxt == mk->fin_off)
		mrc_sock_peer_fin(mk);
}

/* Returns true when it consumed @skb. */
static bool rcv_established(struct mrc_sock *mk, struct sk_buff *skb,
			    enum mrc_type type)
{
	switch (type) {
	case MRC_DATA:
		rcv_data(mk, skb);
		break;
	case MRC_SACK:
		mrc_ack_rcv(mk, skb);
		break;
	case MRC_PROBE:
		mrc_probe_rcv(mk, skb);
		break;
	case MRC_PROBE_ACK:
		mrc_probe_rcv_ack(mk, skb);
		break;
	case MRC_INIT_ACK:
		/* Ours was lost: the peer does not know that we are here. */
		mk->ack_now = true;
		mk->ack_pending = true;
		break;
	default:
		MRC_INC(mrc_sock_net(mk), DROP_STATE);
		break;
	}
	if (mrc_sock_established(mk)) {
		mrc_ack_flush(mk);
		mrc_send_push(mk);
	}
	return type == MRC_DATA;
}

/**
 * mrc_receive() - a packet for a socket
 * @mk: socket, locked
 * @skb: packet with its struct mrc_rx_cb, wire-checked; consumed
 *
 * Context: softirq, or process from the backlog.
 */
void mrc_receive(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct sock *sk = &mk->sk;
	enum mrc_type type;
	struct mrc_hdr h;

	skb_copy_bits(skb, 0, &h, sizeof(h));
	type = mrc_hdr_type(&h);
	switch (sk->sk_state) {
	case TCP_LISTEN:
		mrc_listen_rcv(mk, skb);
		goto out;
	case TCP_SYN_SENT:
		mrc_handshake_rcv(mk, skb, &h);
		goto out;
	case TCP_CLOSE:
		MRC_INC(sock_net(sk), DROP_STATE);
		goto out;
	}
	if (!mrc_plane_match(mk, skb)) {
		MRC_INC(sock_net(sk), DROP_ADDRESS);
		goto out;
	}
	/* It may have begun another connection since it was found. */
	if (type != MRC_INIT && mrc_hdr_cid(&h) !=
	    (type == MRC_RESET && h.flags & MRC_F_REFLECT ? mk->peer_cid :
							    mk->cid.cid)) {
		MRC_INC(sock_net(sk), DROP_NO_CONN);
		goto out;
	}
	mk->heard = jiffies;
	if (type == MRC_INIT) {
		mrc_listen_repeat(mk);
	} else if (type == MRC_RESET) {
		mrc_reset_rcv(mk, skb);
	} else if (sk->sk_state != TCP_SYN_RECV || mrc_listen_confirm(mk)) {
		if (rcv_established(mk, skb, type))
			return;
	}
out:
	consume_skb(skb);
}

/* proto.backlog_rcv: what came while the socket was owned */
int mrc_receive_backlog(struct sock *sk, struct sk_buff *skb)
{
	/* What it sends may come back to a socket that it locked. */
	local_bh_disable();
	mrc_receive(mrc_sk(sk), skb);
	local_bh_enable();
	return 0;
}

/**
 * mrc_receive_icmp() - an ICMP error quotes a packet of this socket
 * @mk: socket; its spinlock is held, it may be owned by a process
 * @h: the quoted header
 * @daddr: the quoted destination address
 * @err: errno that the error stands for
 *
 * One path's error must not end a connection that has others: only a handshake
 * fails. A new path MTU is taken up by the routes themselves.
 */
void mrc_receive_icmp(struct mrc_sock *mk, const struct mrc_hdr *h,
		      const struct in6_addr *daddr, int err)
{
	struct sock *sk = &mk->sk;
	u32 psn = be32_to_cpu(h->psn);

	if (!ipv6_addr_equal(daddr, &mk->raddr))
		goto ignore;
	if (sk->sk_state == TCP_SYN_SENT) {
		if (mrc_hdr_type(h) != MRC_INIT || psn != mk->next_psn ||
		    err == EMSGSIZE)
			goto ignore;
		MRC_INC(sock_net(sk), ICMP_MATCHED);
		if (sock_owned_by_user(sk))
			WRITE_ONCE(sk->sk_err_soft, err);
		else
			mrc_handshake_unreachable(mk, err);
		return;
	}
	if (mrc_hdr_type(h) != MRC_DATA || mrc_psn_before(psn, mk->floor_psn) ||
	    !mrc_psn_before(psn, mk->next_psn))
		goto ignore;
	MRC_INC(sock_net(sk), ICMP_MATCHED);
	if (err == EMSGSIZE && !sock_owned_by_user(sk))
		mrc_pmtu_all_routes(mk);
	WRITE_ONCE(sk->sk_err_soft, err);
	return;
ignore:
	MRC_INC(sock_net(sk), ICMP_IGNORED);
}

/**
 * mrc_receive_open_window() - raise the limit that the next SACK tells
 * @mk: connection, locked
 *
 * Half the buffer is for payload, half for what it is wrapped in. A limit told
 * once is never taken back.
 */
void mrc_receive_open_window(struct mrc_sock *mk)
{
	u64 window = max_t(u64, READ_ONCE(mk->sk.sk_rcvbuf) / 2, 2 * mk->mss);

	mk->rcv_limit = max(mk->rcv_limit, mk->copied_seq + window);
}

/**
 * mrc_receive_purge() - forget all that was received
 * @mk: socket, locked, that nobody reads any more
 */
void mrc_receive_purge(struct mrc_sock *mk)
{
	struct sk_buff *skb;

	while ((skb = ooo_first(mk))) {
		ooo_erase(mk, skb);
		kfree_skb(skb);
	}
	__skb_queue_purge(&mk->sk.sk_receive_queue);
}
