// SPDX-License-Identifier: GPL-2.0-only
/*
 * The life of a socket: fields, states, timers, and the end.
 *
 * References: the file (or the listener's queue) holds one, the table of
 * connection ids one. The last one frees the socket after a grace period,
 * since tables are read under RCU. Timers hold none: destruct() cancels them.
 *
 *   ESTABLISHED --- end ---> FIN_WAIT1 -- acked --> FIN_WAIT2 --+
 *       |                        |                              | peer's end
 *   peer's end               peer's end                         v
 *       v                        v                          time-wait,
 *   CLOSE_WAIT -- end -+      CLOSING ------- acked ------> CLOSE
 *                      v                                        ^
 *                   LAST_ACK ---------------- acked ------------+
 */
#include <linux/module.h>
#include <linux/swap.h>
#include "ack.h"
#include "addr.h"
#include "base.h"
#include "compat/compat.h"
#include "encap.h"
#include "event.h"
#include "handshake.h"
#include "keepalive.h"
#include "listen.h"
#include "loss.h"
#include "netns.h"
#include "probe.h"
#include "receive.h"
#include "reset.h"
#include "send.h"
#include "sock.h"
#include "table.h"
#include "timewait.h"

/**
 * mrc_timer_arm() - see that a timer fires by some time
 * @mk: socket, locked
 * @t: one of its timers
 * @at_ns: ktime_get_ns() then
 *
 * A timer that is to fire earlier anyway is left alone: its function finds out
 * what is due and arms it again.
 */
void mrc_timer_arm(struct mrc_sock *mk, struct mrc_timer *t, u64 at_ns)
{
	if (t->expires_ns && t->expires_ns <= at_ns)
		return;
	t->expires_ns = at_ns;
	hrtimer_start(&t->hrt, ns_to_ktime(at_ns), HRTIMER_MODE_ABS_SOFT);
}

/**
 * mrc_timer_stop() - disarm a timer
 * @mk: socket, locked
 * @t: one of its timers; its function may yet run once
 */
void mrc_timer_stop(struct mrc_sock *mk, struct mrc_timer *t)
{
	t->expires_ns = 0;
	hrtimer_try_to_cancel(&t->hrt);
}

/* Data that was sent, or the peer's window, waits for an answer too long. */
static bool given_up(struct mrc_sock *mk, u64 now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 most = mk->user_timeout_ms ?: READ_ONCE(ctl->user_timeout_ms);
	bool waits = mrc_send_unanswered(mk) || mrc_send_window_shut(mk);

	return waits && now - mk->progress_ns > most * NSEC_PER_MSEC;
}

static void window_probe(struct mrc_sock *mk, u64 now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 most = mk->user_timeout_ms ?: READ_ONCE(ctl->user_timeout_ms);
	u64 wait;

	mrc_send_window_probe(mk);
	mk->retries = min(mk->retries + 1, 10);
	wait = min_t(u64, mrc_loss_rto_ns(mk) << mk->retries,
		     (u64)READ_ONCE(ctl->rto_max_ms) * NSEC_PER_MSEC);
	/* A peer that answers each probe must not be given up between two. */
	mk->retry_ns = now + min_t(u64, wait, most * NSEC_PER_MSEC / 4);
}

static void established_timer(struct mrc_sock *mk, u64 now)
{
	u64 next;

	if (mk->deadline_ns && now >= mk->deadline_ns) {
		mrc_event_ending(mk, MRC_CLOSE_WHY_ABANDONED);
		mrc_sock_done(mk, 0);
		return;
	}
	if (given_up(mk, now)) {
		mrc_sock_give_up(mk);
		return;
	}
	next = mrc_loss_check(mk, now);
	next = min(next, mrc_probe_all(mk, now));
	next = min(next, mrc_pmtu_timer(mk, now));
	next = min(next, mrc_event_flush(mk, now));
	if (!mrc_keepalive_check(mk, now, &next))
		return;
	if (mk->retry_ns && now >= mk->retry_ns) {
		if (mrc_send_window_shut(mk)) {
			window_probe(mk, now);
		} else {
			/* Set anew if it is held still. */
			mk->retry_ns = 0;
			mrc_send_held(mk);
		}
	}
	if (mk->retry_ns)
		next = min(next, mk->retry_ns);
	if (mk->deadline_ns)
		next = min(next, mk->deadline_ns);
	mrc_send_push(mk);
	if (next != U64_MAX)
		mrc_timer_arm(mk, &mk->loss_timer, next);
}

static void loss_timer(struct mrc_sock *mk)
{
	u64 now = ktime_get_ns();

	mk->loss_timer.expires_ns = 0;
	switch (mk->sk.sk_state) {
	case TCP_CLOSE:
	case TCP_LISTEN:
		break;
	case TCP_SYN_SENT:
		mrc_handshake_timer(mk, now);
		break;
	case TCP_SYN_RECV:
		mrc_listen_timer(mk, now);
		break;
	default:
		established_timer(mk, now);
	}
}

static void ack_timer(struct mrc_sock *mk)
{
	mk->ack_timer.expires_ns = 0;
	mrc_ack_timer(mk);
}

static void (* const timer_functions[])(struct mrc_sock *mk) = {
	[MRC_DEFER_LOSS]	= loss_timer,
	[MRC_DEFER_ACK]		= ack_timer,
	[MRC_DEFER_PUSH]	= mrc_send_push,
};

/*
 * Run a timer's function, or leave it to the owner. destruct() waits for us;
 * without references, the socket is on its way there.
 */
static enum hrtimer_restart fire(struct mrc_sock *mk, int which)
{
	struct sock *sk = &mk->sk;

	if (!refcount_inc_not_zero(&sk->sk_refcnt))
		return HRTIMER_NORESTART;
	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk))
		timer_functions[which](mk);
	else if (!test_and_set_bit(which, &mk->deferred))
		sock_hold(sk);
	bh_unlock_sock(sk);
	sock_put(sk);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart loss_fired(struct hrtimer *hrt)
{
	return fire(container_of(hrt, struct mrc_sock, loss_timer.hrt),
		    MRC_DEFER_LOSS);
}

static enum hrtimer_restart ack_fired(struct hrtimer *hrt)
{
	return fire(container_of(hrt, struct mrc_sock, ack_timer.hrt),
		    MRC_DEFER_ACK);
}

static enum hrtimer_restart push_fired(struct hrtimer *hrt)
{
	return fire(container_of(hrt, struct mrc_sock, push_timer.hrt),
		    MRC_DEFER_PUSH);
}

/* proto.release_cb: what timers left to the owner of the lock */
static void release_cb(struct sock *sk)
{
	struct mrc_sock *mk = mrc_sk(sk);
	unsigned int which;

	for (which = 0; which < ARRAY_SIZE(timer_functions); which++) {
		if (!test_and_clear_bit(which, &mk->deferred))
			continue;
		timer_functions[which](mk);
		__sock_put(sk);
	}
}

static void destruct(struct sock *sk)
{
	struct mrc_sock *mk = mrc_sk(sk);

	hrtimer_cancel(&mk->loss_timer.hrt);
	hrtimer_cancel(&mk->ack_timer.hrt);
	hrtimer_cancel(&mk->push_timer.hrt);
	mrc_receive_purge(mk);
	skb_queue_purge(&sk->sk_error_queue);
	sk_mem_reclaim_final(sk);
	WARN_ON_ONCE(atomic_read(&sk->sk_rmem_alloc));
	WARN_ON_ONCE(sk->sk_wmem_queued);
	WARN_ON_ONCE(sk->sk_forward_alloc);
}

/**
 * mrc_sock_init() - initialise all that is not zero
 * @mk: socket; all behind its struct sock is zero
 */
void mrc_sock_init(struct mrc_sock *mk)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	struct sock *sk = &mk->sk;

	sk->sk_destruct = destruct;
	sk->sk_write_space = mrc_send_write_space;
	sk->sk_backlog_rcv = mrc_receive_backlog;
	/* Tables are read under RCU, and pacer_free() relies on it too. */
	sock_set_flag(sk, SOCK_RCU_FREE);
	sock_set_flag(sk, SOCK_USE_WRITE_QUEUE);
	if (!(sk->sk_userlocks & SOCK_RCVBUF_LOCK))
		sk->sk_rcvbuf = READ_ONCE(ctl->rmem[1]);
	if (!(sk->sk_userlocks & SOCK_SNDBUF_LOCK))
		sk->sk_sndbuf = READ_ONCE(ctl->wmem[1]);
	INIT_LIST_HEAD(&mk->sendq);
	INIT_LIST_HEAD(&mk->rtxq);
	INIT_LIST_HEAD(&mk->acceptq);
	INIT_LIST_HEAD(&mk->pendq);
	INIT_LIST_HEAD(&mk->accept_node);
	INIT_HLIST_NODE(&mk->bind_node);
	spin_lock_init(&mk->accept_lock);
	mk->ooo = RB_ROOT;
	mk->cong = mrc_cong_get(READ_ONCE(mrc_sysctl(mk)->congestion_control));
	mk->hdr_len = sizeof(struct mrc_data_hdr);
	hrtimer_setup(&mk->loss_timer.hrt, loss_fired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	hrtimer_setup(&mk->ack_timer.hrt, ack_fired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	hrtimer_setup(&mk->push_timer.hrt, push_fired, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
}

/**
 * mrc_sock_add() - give a socket its serial number
 * @mk: socket
 * @gfp: allocation flags
 *
 * Return: 0 or a negative errno.
 */
int mrc_sock_add(struct mrc_sock *mk, gfp_t gfp)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	int err;

	err = xa_alloc_cyclic_bh(&mn->socks, &mk->serial, mk, xa_limit_31b,
				 &mn->next_serial, gfp);
	if (err < 0)
		return err;
	atomic_inc(&mn->socks_gen);
	return 0;
}

/**
 * mrc_sock_remove() - the end: it is in no table any more
 * @mk: socket that nobody has open, in TCP_CLOSE or never begun
 *
 * Its memory lives on while references do.
 */
void mrc_sock_remove(struct mrc_sock *mk)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));

	mrc_table_unbind(mk);
	if (test_and_clear_bit(MRC_FL_PEER_HASHED, &mk->flags))
		mrc_table_del_peer(mn, mk);
	if (test_and_clear_bit(MRC_FL_HASHED, &mk->flags)) {
		mrc_table_del_cid(mn, &mk->cid);
		__sock_put(&mk->sk);
	}
	xa_erase_bh(&mn->socks, mk->serial);
	atomic_inc(&mn->socks_gen);
}

/**
 * mrc_sock_forget() - make a socket ready for a new connection
 * @mk: socket, locked, in TCP_CLOSE
 *
 * What the application set stays, and a port that it chose.
 */
void mrc_sock_forget(struct mrc_sock *mk)
{
	struct sock *sk = &mk->sk;

	mrc_receive_purge(mk);
	mk->epoch++;
	sk->sk_shutdown = 0;
	sk->sk_err_soft = 0;
	sock_reset_flag(sk, SOCK_DONE);
	clear_bit(MRC_FL_FIN_QUEUED, &mk->flags);
	clear_bit(MRC_FL_FIN_RCVD, &mk->flags);
	if (!test_bit(MRC_FL_BOUND_PORT, &mk->flags)) {
		mrc_table_unbind(mk);
		mk->lport = 0;
	}
	if (!test_bit(MRC_FL_BOUND_ADDR, &mk->flags))
		mrc_addr_any(mk, &mk->laddr);
	mk->rport = 0;
	mk->nr_planes = 0;
	mk->cid.cid = 0;
	mk->peer_cid = 0;
	mk->have_cookie = false;
	mk->unreachable = 0;
	mk->mss = 0;
	memset(&mk->pmtu, 0, sizeof(mk->pmtu));
	mk->srtt_us = 0;
	mk->rttvar_us = 0;
	mk->min_rtt_us = 0;
	mk->backoff = 0;
	mk->tails = 0;
	mk->acked_ns = 0;
	mk->deadline_ns = 0;
	mk->retry_ns = 0;
	mk->keep_ns = 0;
	mk->keep_out = 0;
	mk->next_psn = get_random_u32();
	mk->floor_psn = mk->next_psn;
	mk->write_seq = 0;
	mk->stamp_base = 0;
	mk->peer_limit = 0;
	mk->rcv_nxt = 0;
	mk->copied_seq = 0;
	mk->rcv_limit = 0;
	mk->rcv_max = 0;
	mk->rcvq_space = 0;
	mk->rcvq_seq = 0;
	mk->ack_pending = false;
	mk->ack_now = false;
	mk->ack_bytes = 0;
	mk->ack_flags = 0;
	mk->rx_bytes = 0;
	mk->rx_ce_bytes = 0;
	mk->rx_ce_pkts = 0;
	mk->tx_bytes = 0;
	mk->rtx_bytes = 0;
	mk->lost_pkts = 0;
	mk->delay_us = 0;
	mk->base_rtt_us = 0;
	mk->delay_samples = 0;
	mk->owd_ns = 0;
	mk->paths_differ = false;
	memset(mk->cong_priv, 0, sizeof(mk->cong_priv));
}

/**
 * mrc_sock_hash() - become known by a connection id
 * @mk: socket, locked
 *
 * The table holds a reference until mrc_sock_done().
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_sock_hash(struct mrc_sock *mk)
{
	int err = mrc_table_add_cid(mrc_net(mrc_sock_net(mk)), &mk->cid);

	if (err)
		return err;
	set_bit(MRC_FL_HASHED, &mk->flags);
	sock_hold(&mk->sk);
	return 0;
}

/**
 * mrc_sock_hash_peer() - become known by the peer's connection id
 * @mk: socket, locked, peer_cid set
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_sock_hash_peer(struct mrc_sock *mk)
{
	int err = mrc_table_add_peer(mrc_net(mrc_sock_net(mk)), mk);

	if (!err)
		set_bit(MRC_FL_PEER_HASHED, &mk->flags);
	return err;
}

/**
 * mrc_sock_sync_mss() - make segments fit the MTU of the routes
 * @mk: socket, locked, not yet established, its first plane complete
 *
 * Segments only ever shrink, as far as all planes need.
 */
void mrc_sock_sync_mss(struct mrc_sock *mk)
{
	u32 mss = min(mk->mss ?: MRC_MSS_MAX, mk->user_mss ?: MRC_MSS_MAX);
	int i;

	for (i = 0; i < mk->nr_planes; i++) {
		const struct mrc_plane *plane = &mk->planes[i];
		u32 over = sizeof(struct udphdr) + mk->hdr_len +
			   (ipv6_addr_v4mapped(&plane->remote) ?
			    sizeof(struct iphdr) : sizeof(struct ipv6hdr));
		struct dst_entry *dst;

		dst = mrc_plane_route(mk, plane, mrc_path_random_ev(), 0);
		if (IS_ERR(dst))
			continue;
		if (dst_mtu(dst) > over)
			mss = min(mss, dst_mtu(dst) - over);
		dst_release(dst);
	}
	mk->mss = max_t(u32, mss & ~3, MRC_MSS_MIN);
}

static void free_buffers(struct mrc_sock *mk)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct page_frag *frag = &mk->sk.sk_frag;
	int i;

	/* A listener must have none: its children would all free it. */
	if (frag->page)
		put_page(frag->page);
	frag->page = NULL;
	mrc_loss_free(mk);
	mrc_send_purge(mk);
	mrc_path_free(mk);
	mrc_ack_free(mk);
	for (i = 0; i < mk->nr_planes; i++) {
		mrc_base_put(mn, mk->planes[i].base);
		mk->planes[i].base = NULL;
	}
	mk->nr_usable = 0;
	mk->inflight = 0;
}

static int get_bases(struct mrc_sock *mk)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct mrc_plane *plane;

	for (plane = mk->planes; plane < mk->planes + mk->nr_planes; plane++) {
		plane->base = mrc_base_get(mn, plane);
		if (!plane->base)
			return -ENOMEM;
	}
	return 0;
}

/**
 * mrc_sock_establish() - the handshake succeeded: get what a connection needs
 * @mk: socket, locked, mrc_handshake_take() done
 * @gfp: allocation flags
 *
 * Return: 0, then the state is TCP_ESTABLISHED; or -ENOMEM.
 */
int mrc_sock_establish(struct mrc_sock *mk, gfp_t gfp)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	int err;

	err = get_bases(mk);
	if (!err)
		err = mrc_path_init(mk, READ_ONCE(ctl->paths),
				    READ_ONCE(ctl->standby), gfp);
	if (!err)
		err = mrc_loss_init(mk, gfp);
	if (!err)
		err = mrc_ack_init(mk, mk->peer_psn, gfp);
	if (!err && !test_bit(MRC_FL_PEER_HASHED, &mk->flags))
		err = mrc_sock_hash_peer(mk);
	if (err) {
		free_buffers(mk);
		return err;
	}
	/* What the handshake measured, if it was answered at the first try */
	mk->rttvar_us = mk->srtt_us / 2;
	mk->min_rtt_us = mk->srtt_us;
	mk->cong->init(mk);
	mk->progress_ns = ktime_get_ns();
	mk->rcvq_ns = mk->progress_ns;
	mk->retries = 0;
	mk->retry_ns = 0;
	mk->heard = jiffies;
	WRITE_ONCE(mk->sk.sk_state, TCP_ESTABLISHED);
	mrc_event_established(mk);
	mrc_keepalive_start(mk);
	return 0;
}

/**
 * mrc_sock_done() - the connection is over
 * @mk: socket, locked; the caller has a reference of its own
 * @err: what the application shall see, a positive errno or 0
 *
 * What was received stays readable. Context: any.
 */
void mrc_sock_done(struct mrc_sock *mk, int err)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct sock *sk = &mk->sk;

	if (sk->sk_state == TCP_CLOSE)
		return;
	mrc_event_done(mk, err);
	mrc_listen_forget(mk);
	mrc_timer_stop(mk, &mk->loss_timer);
	mrc_timer_stop(mk, &mk->ack_timer);
	free_buffers(mk);
	WRITE_ONCE(sk->sk_state, TCP_CLOSE);
	/* What is not in @err is told to nobody. */
	WRITE_ONCE(sk->sk_err_soft, 0);
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	if (test_and_clear_bit(MRC_FL_PEER_HASHED, &mk->flags))
		mrc_table_del_peer(mn, mk);
	if (test_and_clear_bit(MRC_FL_HASHED, &mk->flags)) {
		mrc_table_del_cid(mn, &mk->cid);
		__sock_put(sk);
	}
	if (!test_bit(MRC_FL_BOUND_PORT, &mk->flags))
		mrc_table_unbind(mk);
	if (sock_flag(sk, SOCK_DEAD)) {
		mrc_sock_remove(mk);
		return;
	}
	if (err) {
		WRITE_ONCE(sk->sk_err, err);
		sk_error_report(sk);
	}
	sk->sk_state_change(sk);
}

/**
 * mrc_sock_give_up() - end a connection whose peer does not answer
 * @mk: socket, locked; the caller has a reference of its own
 */
void mrc_sock_give_up(struct mrc_sock *mk)
{
	MRC_INC(mrc_sock_net(mk), TIMEOUTS);
	mrc_reset_send(mk, MRC_RESET_TIMEOUT);
	mrc_sock_done(mk, READ_ONCE(mk->sk.sk_err_soft) ?: ETIMEDOUT);
}

/* Both streams have ended here, but the peer may not know yet. */
static void enter_timewait(struct mrc_sock *mk)
{
	if (mk->ack_pending)
		mrc_ack_send(mk);
	mrc_sock_done(mk, 0);
	mrc_timewait_start(mk);
}

/* An orphan that has done its part waits for the peer's end, not for ever. */
static void limit_orphan(struct mrc_sock *mk)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);

	if (mk->sk.sk_state != TCP_FIN_WAIT2 || !sock_flag(&mk->sk, SOCK_DEAD))
		return;
	mk->deadline_ns = ktime_get_ns() +
			  (u64)READ_ONCE(ctl->fin_timeout_ms) * NSEC_PER_MSEC;
	mrc_timer_arm(mk, &mk->loss_timer, mk->deadline_ns);
}

/**
 * mrc_sock_fin_acked() - all that we sent arrived, the end included
 * @mk: connection, locked
 *
 * The connection may be gone afterwards.
 */
void mrc_sock_fin_acked(struct mrc_sock *mk)
{
	switch (mk->sk.sk_state) {
	case TCP_FIN_WAIT1:
		WRITE_ONCE(mk->sk.sk_state, TCP_FIN_WAIT2);
		limit_orphan(mk);
		if (!sock_flag(&mk->sk, SOCK_DEAD))
			mk->sk.sk_state_change(&mk->sk);
		break;
	case TCP_CLOSING:
	case TCP_LAST_ACK:
		/* Its SACK for our end may acknowledge that, and ours be lost. */
		enter_timewait(mk);
		break;
	}
}

/**
 * mrc_sock_peer_fin() - all that the peer sent arrived, the end included
 * @mk: connection, locked
 *
 * The connection may be gone afterwards.
 */
void mrc_sock_peer_fin(struct mrc_sock *mk)
{
	struct sock *sk = &mk->sk;

	switch (sk->sk_state) {
	case TCP_ESTABLISHED:
		WRITE_ONCE(sk->sk_state, TCP_CLOSE_WAIT);
		break;
	case TCP_FIN_WAIT1:
		WRITE_ONCE(sk->sk_state, TCP_CLOSING);
		break;
	case TCP_FIN_WAIT2:
		sock_set_flag(sk, SOCK_DONE);
		enter_timewait(mk);
		return;
	default:
		return;
	}
	sock_set_flag(sk, SOCK_DONE);
	WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | RCV_SHUTDOWN);
	if (sock_flag(sk, SOCK_DEAD))
		return;
	sk->sk_state_change(sk);
	sk_wake_async(sk, SOCK_WAKE_WAITD, POLL_IN);
}

/**
 * mrc_sock_shutdown_send() - end our stream
 * @mk: connection, lock_sock() held
 *
 * Context: process.
 * Return: 0; -ENOBUFS, then the connection was cut off.
 */
int mrc_sock_shutdown_send(struct mrc_sock *mk)
{
	struct sock *sk = &mk->sk;
	int err;

	if (sk->sk_state == TCP_ESTABLISHED)
		WRITE_ONCE(sk->sk_state, TCP_FIN_WAIT1);
	else if (sk->sk_state == TCP_CLOSE_WAIT)
		WRITE_ONCE(sk->sk_state, TCP_LAST_ACK);
	else
		return 0;
	err = mrc_send_fin(mk);
	if (err) {
		mrc_reset_send(mk, MRC_RESET_ABORT);
		mrc_sock_done(mk, -err);
	}
	return err;
}

static void wait_close(struct sock *sk, long timeout)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	const int open = TCPF_FIN_WAIT1 | TCPF_CLOSING | TCPF_LAST_ACK;

	if (!timeout || !(1 << sk->sk_state & open))
		return;
	add_wait_queue(sk_sleep(sk), &wait);
	do {
		if (sk_wait_event(sk, &timeout, !(1 << sk->sk_state & open),
				  &wait))
			break;
	} while (!signal_pending(current) && timeout);
	remove_wait_queue(sk_sleep(sk), &wait);
}

/* Data that nobody read, or SO_LINGER with 0: the peer shall not believe that
 * all went well.
 */
static bool must_abort(const struct mrc_sock *mk)
{
	const struct sock *sk = &mk->sk;

	return mk->rcv_nxt != mk->copied_seq ||
	       (sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime);
}

/**
 * mrc_sock_close() - the application closed the socket
 * @mk: socket, not locked; the file's reference is consumed
 * @timeout: jiffies to wait for what was sent to be acknowledged
 *
 * Context: process.
 */
void mrc_sock_close(struct mrc_sock *mk, long timeout)
{
	struct sock *sk = &mk->sk;

	lock_sock(sk);
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	if (sk->sk_state == TCP_LISTEN) {
		mrc_listen_stop(mk);
		mrc_sock_done(mk, 0);
	} else if (sk->sk_state == TCP_SYN_SENT) {
		mrc_sock_done(mk, 0);
	} else if (mrc_sock_established(mk) && must_abort(mk)) {
		mrc_reset_send(mk, MRC_RESET_ABORT);
		mrc_sock_done(mk, 0);
	} else {
		mrc_sock_shutdown_send(mk);
	}
	wait_close(sk, timeout);
	sock_orphan(sk);
	if (sk->sk_state == TCP_CLOSE) {
		mrc_sock_remove(mk);
	} else {
		mrc_receive_purge(mk);
		limit_orphan(mk);
	}
	release_sock(sk);
	sock_put(sk);
}

/**
 * mrc_sock_abort() - the administrator ends a connection or a listener
 * @mk: socket, not locked; the caller has a reference
 *
 * The peer is told by a RESET, the application by ECONNABORTED.
 *
 * Context: process.
 * Return: 0, or -ENOENT when there is nothing to end.
 */
int mrc_sock_abort(struct mrc_sock *mk)
{
	struct sock *sk = &mk->sk;
	int err = 0;

	lock_sock(sk);
	if (sk->sk_state == TCP_CLOSE)
		err = -ENOENT;
	mrc_event_ending(mk, MRC_CLOSE_WHY_KILLED);
	if (sk->sk_state == TCP_LISTEN)
		mrc_listen_stop(mk);
	else
		mrc_reset_send(mk, MRC_RESET_ABORT);
	mrc_sock_done(mk, ECONNABORTED);
	release_sock(sk);
	return err;
}

/* proto.rehash: SO_BINDTODEVICE, which a link-local address has done before */
static void rebind_device(struct sock *sk)
{
	struct mrc_sock *mk = mrc_sk(sk);
	int i;

	for (i = 0; i < mk->nr_planes; i++)
		if (!(ipv6_addr_type(&mk->planes[i].remote) &
		      IPV6_ADDR_LINKLOCAL))
			mk->planes[i].oif = READ_ONCE(sk->sk_bound_dev_if);
	mrc_path_reroute(mk);
}

static atomic_long_t memory_allocated;
static DEFINE_PER_CPU(int, fw_alloc);
static long mem_pages[3];
static int mem_min = 4096;

struct proto mrc_prot = {
	.name			= "MRC",
	.owner			= THIS_MODULE,
	.obj_size		= sizeof(struct mrc_sock),
	.release_cb		= release_cb,
	.keepalive		= mrc_keepalive_set,
	.rehash			= rebind_device,
	.backlog_rcv		= mrc_receive_backlog,
	.memory_allocated	= &memory_allocated,
	.per_cpu_fw_alloc	= &fw_alloc,
	.sysctl_mem		= mem_pages,
	.sysctl_rmem		= &mem_min,
	.sysctl_wmem		= &mem_min,
};

/**
 * mrc_sock_module_init() - register the protocol
 *
 * All sockets together may use an eighth of memory, as TCP's.
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_sock_module_init(void)
{
	unsigned long limit = max(nr_free_buffer_pages() / 8, 128UL);

	mem_pages[0] = limit / 4 * 3;
	mem_pages[1] = limit;
	mem_pages[2] = limit / 2 * 3;
	return proto_register(&mrc_prot, 1);
}

void mrc_sock_module_exit(void)
{
	proto_unregister(&mrc_prot);
}
