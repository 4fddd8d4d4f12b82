// SPDX-License-Identifier: GPL-2.0-only
/*
 * A connection keeps little in the queues of this machine, so that loss and
 * delay are seen early and other traffic is not held up; the qdisc's freeing of
 * packets wakes it again (as TCP small queues do).
 */
#include <net/sock.h>
#include "pacer.h"
#include "sock.h"

/* Two large bursts: one leaves while the next one waits. */
#define QUEUE_BYTES	(2 * 65536)

static bool queue_full(const struct mrc_sock *mk)
{
	return refcount_read(&mk->sk.sk_wmem_alloc) > QUEUE_BYTES;
}

static void pacer_free(struct sk_buff *skb)
{
	struct mrc_sock *mk = skb_shinfo(skb)->destructor_arg;
	struct sock *tunnel = skb->sk;

	/* SOCK_RCU_FREE keeps the socket from destruct() till we are done. */
	rcu_read_lock();
	skb->sk = &mk->sk;
	sock_wfree(skb);
	/* Pairs with the barrier in mrc_pacer_may_send(). */
	smp_mb();
	if (test_bit(MRC_FL_THROTTLED, &mk->flags) && !queue_full(mk) &&
	    test_and_clear_bit(MRC_FL_THROTTLED, &mk->flags))
		hrtimer_start(&mk->push_timer.hrt, 0, HRTIMER_MODE_REL_SOFT);
	rcu_read_unlock();
	if (tunnel)
		sock_put(tunnel);
}

/**
 * mrc_pacer_own() - charge a packet to its connection until it is freed
 * @mk: connection, locked
 * @skb: packet that nobody owns
 *
 * Its skb->sk is the UDP socket that it leaves by, with a reference, once
 * mrc_encap_send() has set that.
 */
void mrc_pacer_own(struct mrc_sock *mk, struct sk_buff *skb)
{
	skb_shinfo(skb)->destructor_arg = mk;
	skb->destructor = pacer_free;
	refcount_add(skb->truesize, &mk->sk.sk_wmem_alloc);
}

/**
 * mrc_pacer_may_send() - is there room below?
 * @mk: connection, locked
 *
 * Return: false when too much waits; push_timer goes on when it has left.
 */
bool mrc_pacer_may_send(struct mrc_sock *mk)
{
	if (!queue_full(mk))
		return true;
	set_bit(MRC_FL_THROTTLED, &mk->flags);
	/* Either we see what was freed, or who frees sees that we wait. */
	smp_mb__after_atomic();
	if (queue_full(mk))
		return false;
	clear_bit(MRC_FL_THROTTLED, &mk->flags);
	return true;
}
