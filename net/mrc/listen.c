// SPDX-License-Identifier: GPL-2.0-only
/*
 * A listener makes a child for each INIT. Until the peer shows, by using the
 * id that INIT_ACK told it, that it is where it says, the child is pending;
 * then it waits to be accepted. Beyond net.mrc.max_pending pending ones, a
 * stateless RETRY is the answer.
 *
 * Lock order: listener's socket lock, child's socket lock, accept_lock. A
 * child is taken from a list under accept_lock, then locked: whoever took it
 * off owns the list's reference.
 */
#include <linux/hash.h>
#include <linux/slab.h>
#include <trace/events/mrc.h>
#include "base.h"
#include "compat/compat.h"
#include "cookie.h"
#include "encap.h"
#include "event.h"
#include "handshake.h"
#include "listen.h"
#include "netns.h"
#include "reset.h"
#include "sock.h"
#include "table.h"

/* A pending child lives for so long; its client's next INIT makes another. */
#define PENDING_NS	(10 * (u64)NSEC_PER_SEC)

/**
 * mrc_listen_start() - become a listener
 * @mk: socket, locked, bound
 *
 * Context: process.
 * Return: 0 or -EADDRINUSE.
 */
int mrc_listen_start(struct mrc_sock *mk)
{
	INIT_LIST_HEAD(&mk->acceptq);
	INIT_LIST_HEAD(&mk->pendq);
	mk->nr_pending = 0;
	mk->accept_closed = false;
	mk->sk.sk_ack_backlog = 0;
	return mrc_table_listen(mk);
}

static struct mrc_sock *take_first(struct mrc_sock *mk, struct list_head *list)
{
	struct mrc_sock *child;

	spin_lock_bh(&mk->accept_lock);
	child = list_first_entry_or_null(list, struct mrc_sock, accept_node);
	if (child) {
		list_del_init(&child->accept_node);
		if (list == &mk->acceptq)
			sk_acceptq_removed(&mk->sk);
		else
			mk->nr_pending--;
	}
	spin_unlock_bh(&mk->accept_lock);
	return child;
}

static void abort_children(struct mrc_sock *mk, struct list_head *list)
{
	struct mrc_sock *child;

	while ((child = take_first(mk, list))) {
		struct sock *sk = &child->sk;

		lock_sock_nested(sk, SINGLE_DEPTH_NESTING);
		sock_orphan(sk);
		if (sk->sk_state == TCP_CLOSE) {
			/* Its peer was faster. */
			mrc_sock_remove(child);
		} else {
			mrc_reset_send(child, MRC_RESET_ABORT);
			mrc_sock_done(child, ECONNRESET);
		}
		release_sock(sk);
		sock_put(sk);
	}
}

/**
 * mrc_listen_stop() - stop listening; what was not accepted is reset
 * @mk: listener, locked
 *
 * Context: process.
 */
void mrc_listen_stop(struct mrc_sock *mk)
{
	spin_lock_bh(&mk->accept_lock);
	mk->accept_closed = true;
	spin_unlock_bh(&mk->accept_lock);
	abort_children(mk, &mk->pendq);
	abort_children(mk, &mk->acceptq);
}

/**
 * mrc_listen_find() - whom does an INIT concern?
 * @mn: network namespace
 * @skb: the packet, wire-checked
 *
 * Context: softirq, under rcu_read_lock().
 * Return: the child that it made before or the listener, with a reference;
 * NULL when there is none, and the sender has been told.
 */
struct mrc_sock *mrc_listen_find(struct mrc_net *mn, struct sk_buff *skb)
{
	const struct mrc_rx_cb *cb = mrc_rx_cb(skb);
	struct mrc_init_hdr ih;
	struct mrc_sock *mk;
	u16 dport;

	skb_copy_bits(skb, 0, &ih, sizeof(ih));
	dport = be16_to_cpu(ih.dport);
	if (!ih.src_cid || !ih.sport || !dport) {
		MRC_INC(mn->net, DROP_UNKNOWN);
		return NULL;
	}
	mk = mrc_table_peer(mn, be64_to_cpu(ih.src_cid), &cb->saddr, dport);
	if (mk)
		return mk;
	mk = mrc_table_listener(mn, &cb->daddr, dport, cb->iif,
				hash_64(be64_to_cpu(ih.src_cid), 32));
	if (!mk)
		mrc_reset_refuse(mn, skb, &ih, MRC_RESET_NO_LISTENER);
	return mk;
}

/* What a child has of its own; the rest is the listener's. */
static void init_child(struct mrc_sock *child, const struct mrc_sock *mk,
		       struct sk_buff *skb, const struct mrc_init_hdr *ih)
{
	struct mrc_plane *plane = &child->planes[0];
	const struct mrc_rx_cb *cb = mrc_rx_cb(skb);

	memset((void *)child + sizeof(struct sock), 0,
	       sizeof(*child) - sizeof(struct sock));
	mrc_sock_init(child);
	child->flags = mk->flags & (BIT(MRC_FL_NODELAY) | BIT(MRC_FL_CORK) |
				    BIT(MRC_FL_V6ONLY));
	set_bit(MRC_FL_ACCEPTED, &child->flags);
	child->user_family = mk->user_family;
	child->user_timeout_ms = mk->user_timeout_ms;
	child->keep_idle_s = mk->keep_idle_s;
	child->keep_intvl_s = mk->keep_intvl_s;
	child->keep_probes = mk->keep_probes;
	child->user_mss = mk->user_mss;
	child->tos = mk->tos;
	child->ttl = mk->ttl;
	child->laddr = cb->daddr;
	child->raddr = cb->saddr;
	child->lport = mk->lport;
	child->rport = be16_to_cpu(ih->sport);
	plane->local = cb->daddr;
	plane->remote = cb->saddr;
	plane->valid = true;
	plane->oif = READ_ONCE(mk->sk.sk_bound_dev_if);
	if (ipv6_addr_type(&cb->saddr) & IPV6_ADDR_LINKLOCAL)
		plane->oif = cb->iif;
	child->nr_planes = 1;
	child->sk.sk_frag.page = NULL;
	child->next_psn = get_random_u32();
	child->floor_psn = child->next_psn;
	child->sk.sk_ack_backlog = 0;
}

/* INIT_ACK, which the answer to it may follow with all later ones lost */
static void send_init_ack(struct mrc_sock *mk, u64 now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 wait = (u64)READ_ONCE(ctl->init_timeout_ms) <<
		   min_t(u8, mk->retries, 10);

	mk->progress_ns = now;
	mk->retry_ns = min(now + wait * NSEC_PER_MSEC, mk->deadline_ns);
	mrc_timer_arm(mk, &mk->loss_timer, mk->retry_ns);
	mrc_handshake_send(mk, MRC_INIT_ACK);
}

/**
 * mrc_listen_timer() - the peer of a pending connection is silent
 * @mk: child, locked, in TCP_SYN_RECV
 * @now: ktime_get_ns()
 *
 * The first packet that would confirm the connection may have been lost, and
 * the client wait for us to speak: INIT_ACK makes it answer.
 */
void mrc_listen_timer(struct mrc_sock *mk, u64 now)
{
	if (now >= mk->deadline_ns) {
		mrc_sock_done(mk, ETIMEDOUT);
		return;
	}
	if (now < mk->retry_ns) {
		mrc_timer_arm(mk, &mk->loss_timer, mk->retry_ns);
		return;
	}
	mk->retries++;
	send_init_ack(mk, now);
}

static void add_pending(struct mrc_sock *mk, struct mrc_sock *child)
{
	sock_hold(&mk->sk);
	child->listener = mk;
	spin_lock_bh(&mk->accept_lock);
	list_add_tail(&child->accept_node, &mk->pendq);
	mk->nr_pending++;
	spin_unlock_bh(&mk->accept_lock);
}

/* Into the tables, and on its way. */
static bool start_child(struct mrc_sock *mk, struct mrc_sock *child,
			const struct mrc_init_hdr *ih)
{
	child->sk.sk_state = TCP_SYN_RECV;
	mrc_sock_sync_mss(child);
	mrc_handshake_take(child, ih);
	if (mrc_sock_add(child, GFP_ATOMIC))
		return false;
	if (mrc_sock_hash(child) || mrc_sock_hash_peer(child)) {
		mrc_sock_remove(child);
		return false;
	}
	add_pending(mk, child);
	child->deadline_ns = ktime_get_ns() + PENDING_NS;
	send_init_ack(child, ktime_get_ns());
	return true;
}

static bool add_child(struct mrc_sock *mk, struct sk_buff *skb,
		      const struct mrc_init_hdr *ih)
{
	struct sock *sk = sk_clone_lock(&mk->sk, GFP_ATOMIC);
	bool started;

	if (!sk)
		return false;
	__acquire(&sk->sk_lock.slock);
	init_child(mrc_sk(sk), mk, skb, ih);
	started = start_child(mk, mrc_sk(sk), ih);
	bh_unlock_sock(sk);
	/* Of the clone's two references, one is the pending list's. */
	if (!started)
		__sock_put(sk);
	sock_put(sk);
	return started;
}

static void send_retry(struct mrc_sock *mk, struct sk_buff *to,
		       const struct mrc_init_hdr *ih)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct mrc_retry_hdr *r;
	struct sk_buff *skb;

	skb = mrc_encap_alloc(sizeof(*r));
	if (!skb) {
		MRC_INC(mn->net, XMIT_NOMEM);
		return;
	}
	r = skb_put(skb, sizeof(*r));
	mrc_wire_hdr(&r->h, MRC_RETRY, 0, be64_to_cpu(ih->src_cid),
		     be32_to_cpu(ih->h.psn));
	mrc_cookie_make(mn, to, ih, &r->cookie);
	MRC_INC(mn->net, OUT_RETRIES);
	trace_mrc_handshake(mk, MRC_STEP_RETRY, 0);
	mrc_event_flood(mk);
	mrc_encap_reply(mn, to, skb);
}

static bool cookie_valid(struct mrc_sock *mk, struct sk_buff *skb,
			 const struct mrc_init_hdr *ih)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	unsigned int len = be16_to_cpu(ih->opt_len);
	const struct mrc_cookie *c;
	bool good;

	if (!len || !pskb_may_pull(skb, sizeof(*ih) + len))
		return false;
	c = mrc_wire_opt(skb->data + sizeof(*ih), len, MRC_OPT_COOKIE,
			 sizeof(*c));
	if (!c)
		return false;
	good = mrc_cookie_check(mn, skb, ih, c);
	if (good)
		MRC_INC(mn->net, COOKIE_GOOD);
	else
		MRC_INC(mn->net, COOKIE_BAD);
	return good;
}

/**
 * mrc_listen_rcv() - a packet for a listener
 * @mk: listener, locked
 * @skb: packet; the caller frees it
 */
void mrc_listen_rcv(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct net *net = mrc_sock_net(mk);
	struct mrc_init_hdr ih;
	u32 max_pending;

	skb_copy_bits(skb, 0, &ih, sizeof(ih));
	if (mrc_hdr_type(&ih.h) != MRC_INIT) {
		MRC_INC(net, DROP_STATE);
		return;
	}
	if (ih.sock_type != mk->sk.sk_type) {
		mrc_reset_refuse(mrc_net(net), skb, &ih, MRC_RESET_TYPE);
		return;
	}
	/* Cookies do not expire at once: even those may be too many. */
	max_pending = READ_ONCE(mrc_net(net)->sysctl.max_pending);
	if (sk_acceptq_is_full(&mk->sk) ||
	    READ_ONCE(mk->nr_pending) > max_pending +
					READ_ONCE(mk->sk.sk_max_ack_backlog)) {
		MRC_INC(net, ACCEPT_FULL);
		return;
	}
	if (READ_ONCE(mk->nr_pending) >= max_pending &&
	    !cookie_valid(mk, skb, &ih)) {
		send_retry(mk, skb, &ih);
		return;
	}
	if (!add_child(mk, skb, &ih))
		MRC_INC(net, DROP_MEMORY);
}

/**
 * mrc_listen_repeat() - a client sent its INIT again
 * @mk: the child that it made, locked
 */
void mrc_listen_repeat(struct mrc_sock *mk)
{
	mk->retries++;
	if (mk->sk.sk_state == TCP_SYN_RECV)
		mrc_handshake_send(mk, MRC_INIT_ACK);
}

static bool enqueue(struct mrc_sock *listener, struct mrc_sock *mk)
{
	bool queued = false;

	spin_lock_bh(&listener->accept_lock);
	if (!listener->accept_closed && !list_empty(&mk->accept_node)) {
		list_move_tail(&mk->accept_node, &listener->acceptq);
		listener->nr_pending--;
		sk_acceptq_added(&listener->sk);
		queued = true;
	}
	spin_unlock_bh(&listener->accept_lock);
	return queued;
}

/**
 * mrc_listen_confirm() - the peer of a pending connection answered
 * @mk: child, locked, in TCP_SYN_RECV
 *
 * Return: true when the connection is established now.
 */
bool mrc_listen_confirm(struct mrc_sock *mk)
{
	struct mrc_sock *listener = mk->listener;

	if (!mk->retries)
		mk->srtt_us = max_t(u64, (ktime_get_ns() - mk->progress_ns) /
					 NSEC_PER_USEC, 1);
	if (mrc_sock_establish(mk, GFP_ATOMIC)) {
		MRC_INC(mrc_sock_net(mk), DROP_MEMORY);
		return false;
	}
	if (mk->srtt_us)
		mrc_base_rtt_sample(mk->planes[0].base, mk->srtt_us);
	mk->deadline_ns = 0;
	if (!enqueue(listener, mk)) {
		/* Whoever closes the listener resets us. */
		return false;
	}
	MRC_INC(mrc_sock_net(mk), PASSIVE_OPENS);
	mk->listener = NULL;
	listener->sk.sk_data_ready(&listener->sk);
	sock_put(&listener->sk);
	return true;
}

/**
 * mrc_listen_forget() - a child ends before it was established
 * @mk: child, locked; need not be pending
 */
void mrc_listen_forget(struct mrc_sock *mk)
{
	struct mrc_sock *listener = mk->listener;
	bool listed;

	if (!listener)
		return;
	mk->listener = NULL;
	/* Nobody will accept it. */
	sock_orphan(&mk->sk);
	spin_lock_bh(&listener->accept_lock);
	listed = !list_empty(&mk->accept_node);
	if (listed) {
		list_del_init(&mk->accept_node);
		listener->nr_pending--;
	}
	spin_unlock_bh(&listener->accept_lock);
	if (listed)
		__sock_put(&mk->sk);
	sock_put(&listener->sk);
}

/**
 * mrc_listen_ready() - is there something to accept?
 * @mk: listener
 *
 * Context: any.
 */
bool mrc_listen_ready(struct mrc_sock *mk)
{
	return !list_empty_careful(&mk->acceptq);
}

/**
 * mrc_listen_accept() - take the oldest established connection
 * @mk: listener, locked
 *
 * Context: process.
 * Return: a connection whose reference is the caller's, or NULL.
 */
struct mrc_sock *mrc_listen_accept(struct mrc_sock *mk)
{
	return take_first(mk, &mk->acceptq);
}
