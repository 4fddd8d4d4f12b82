// SPDX-License-Identifier: GPL-2.0-only
/*
 * The smallest delay between two addresses, that all connections between them
 * measure queues from, and the moments at which they let queues run empty
 * together. One connection alone could not: the queue is that of all.
 */
#include <linux/rhashtable.h>
#include <linux/slab.h>
#include "base.h"
#include "netns.h"
#include "plane.h"

#define DRAIN_EVERY_NS	(4ULL * NSEC_PER_SEC)

static const struct rhashtable_params base_params = {
	.key_len	= sizeof_field(struct mrc_base, addr),
	.key_offset	= offsetof(struct mrc_base, addr),
	.head_offset	= offsetof(struct mrc_base, node),
	.automatic_shrinking = true,
};

/**
 * mrc_base_init() - make a namespace's table
 * @mn: network namespace
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_base_init(struct mrc_net *mn)
{
	return rhashtable_init(&mn->bases, &base_params);
}

/**
 * mrc_base_exit() - free it
 * @mn: network namespace without connections
 */
void mrc_base_exit(struct mrc_net *mn)
{
	rhashtable_destroy(&mn->bases);
}

static struct mrc_base *new_base(const struct in6_addr *addr)
{
	struct mrc_base *base;

	base = kzalloc(sizeof(*base), GFP_ATOMIC | __GFP_NOWARN);
	if (!base)
		return NULL;
	base->addr[0] = addr[0];
	base->addr[1] = addr[1];
	refcount_set(&base->refs, 1);
	spin_lock_init(&base->lock);
	base->rtt_us = U32_MAX;
	base->rtt_prev_us = U32_MAX;
	base->owd_us = S32_MAX;
	base->owd_prev_us = S32_MAX;
	base->probe_us = S32_MAX;
	base->drain_ns = ktime_get_ns();
	return base;
}

/**
 * mrc_base_get() - what is known between two addresses
 * @mn: network namespace
 * @plane: the addresses
 *
 * Context: any.
 * Return: the base, to be given back with mrc_base_put(); or NULL.
 */
struct mrc_base *mrc_base_get(struct mrc_net *mn, const struct mrc_plane *plane)
{
	struct in6_addr addr[2] = { plane->local, plane->remote };
	struct mrc_base *base, *fresh = NULL;
	int err;

	rcu_read_lock();
	do {
		base = rhashtable_lookup(&mn->bases, addr, base_params);
		if (base && refcount_inc_not_zero(&base->refs))
			break;
		base = NULL;
		fresh = fresh ?: new_base(addr);
		if (!fresh)
			break;
		/* One that nobody holds any more is about to leave the table. */
		err = rhashtable_lookup_insert_fast(&mn->bases, &fresh->node,
						    base_params);
		if (!err) {
			base = fresh;
			fresh = NULL;
		} else if (err != -EEXIST) {
			break;
		}
	} while (!base);
	rcu_read_unlock();
	kfree(fresh);
	return base;
}

/**
 * mrc_base_put() - give a base back
 * @mn: network namespace
 * @base: the base, or NULL
 *
 * Context: any.
 */
void mrc_base_put(struct mrc_net *mn, struct mrc_base *base)
{
	if (!base)
		return;
	/* Who waits in mrc_base_get() for it to leave must not be on top of us. */
	local_bh_disable();
	if (refcount_dec_and_test(&base->refs)) {
		rhashtable_remove_fast(&mn->bases, &base->node, base_params);
		kfree_rcu(base, rcu);
	}
	local_bh_enable();
}

/**
 * mrc_base_rtt_sample() - a handshake took so long
 * @base: the base
 * @rtt_us: its round trip
 *
 * Context: any.
 */
void mrc_base_rtt_sample(struct mrc_base *base, u32 rtt_us)
{
	spin_lock_bh(&base->lock);
	WRITE_ONCE(base->rtt_us, min(base->rtt_us, rtt_us));
	spin_unlock_bh(&base->lock);
}

static void new_period(struct mrc_base *base, u64 now)
{
	WRITE_ONCE(base->rtt_prev_us, base->rtt_us);
	WRITE_ONCE(base->rtt_us, U32_MAX);
	WRITE_ONCE(base->owd_prev_us, base->owd_us);
	WRITE_ONCE(base->owd_us, S32_MAX);
	WRITE_ONCE(base->probe_us, S32_MAX);
	base->period_ns = now;
}

/* Times are taken before the lock is, and may be a little behind others'. */
static bool later_by(u64 now, u64 then, u64 ns)
{
	return (s64)(now - then) >= (s64)ns;
}

/* Clocks differ by any amount, but not by another one each time. */
static s32 relative(struct mrc_base *base, u32 owd_us, u64 now)
{
	lockdep_assert_held(&base->lock);
	if (!base->period_ns) {
		WRITE_ONCE(base->owd_ref_us, owd_us);
		/* Pairs with the acquire in mrc_base_sample(). */
		smp_store_release(&base->period_ns, now);
	} else if (later_by(now, base->period_ns, MRC_BASE_PERIOD_NS)) {
		new_period(base, now);
	}
	return owd_us - base->owd_ref_us;
}

/**
 * mrc_base_sample() - a packet took so long
 * @base: the base
 * @owd_us: arrival by the receiver's clock less departure by ours, modulo 2^32
 * @rtt_us: its round trip
 * @now: ktime_get_ns()
 *
 * Context: any.
 * Return: @owd_us in a form that compares: less that of the first sample.
 */
s32 mrc_base_sample(struct mrc_base *base, u32 owd_us, u32 rtt_us, u64 now)
{
	u64 began = smp_load_acquire(&base->period_ns);
	s32 owd;

	owd = owd_us - READ_ONCE(base->owd_ref_us);
	if (began && !later_by(now, began, MRC_BASE_PERIOD_NS) &&
	    owd >= READ_ONCE(base->owd_us) && rtt_us >= READ_ONCE(base->rtt_us))
		return owd;
	spin_lock_bh(&base->lock);
	owd = relative(base, owd_us, now);
	WRITE_ONCE(base->owd_us, min(base->owd_us, owd));
	WRITE_ONCE(base->rtt_us, min(base->rtt_us, rtt_us));
	spin_unlock_bh(&base->lock);
	return owd;
}

/**
 * mrc_base_probe() - a probe took so long
 * @base: the base
 * @owd_us: as in mrc_base_sample()
 * @now: ktime_get_ns()
 *
 * It is smaller than data, and takes less time on slow links.
 *
 * Context: any.
 * Return: @owd_us less that of the first sample.
 */
s32 mrc_base_probe(struct mrc_base *base, u32 owd_us, u64 now)
{
	s32 owd;

	spin_lock_bh(&base->lock);
	owd = relative(base, owd_us, now);
	WRITE_ONCE(base->probe_us, min(base->probe_us, owd));
	spin_unlock_bh(&base->lock);
	return owd;
}

/**
 * mrc_base_drain() - is it time to let queues run empty?
 * @base: the base
 * @now: ktime_get_ns()
 * @round_ns: a round trip of the one who asks
 *
 * Context: any.
 * Return: for two round trips of whoever asked first, every few seconds, when
 * that was; otherwise 0.
 */
u64 mrc_base_drain(struct mrc_base *base, u64 now, u64 round_ns)
{
	u64 last = READ_ONCE(base->drain_ns);

	if (!later_by(now, last, DRAIN_EVERY_NS))
		return later_by(now, last, 2 * round_ns) ? 0 : last;
	spin_lock_bh(&base->lock);
	if (base->drain_ns == last)
		WRITE_ONCE(base->drain_ns, now);
	last = base->drain_ns;
	spin_unlock_bh(&base->lock);
	return last;
}
