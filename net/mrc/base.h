/* SPDX-License-Identifier: GPL-2.0-only */
/* The base: the smallest delay between two addresses. */
#ifndef _MRC_BASE_H
#define _MRC_BASE_H

#include <linux/in6.h>
#include <linux/refcount.h>
#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/time64.h>

struct mrc_net;
struct mrc_plane;

/* A smallest delay is that of one to two of these, also of a single path. */
#define MRC_BASE_PERIOD_NS	(10ULL * NSEC_PER_SEC)

/**
 * struct mrc_base - what connections between the same addresses find out together
 * @node: entry of mrc_net.bases
 * @addr: local and remote address, the key
 * @refs: connections
 * @rcu: frees it
 * @lock: taken to change what follows; all of it may be read without
 * @rtt_us: smallest round trip of this period; U32_MAX: none yet
 * @rtt_prev_us: that of the period before
 * @owd_us: smallest delay one way, of this period, by clocks that differ, less
 *	    @owd_ref_us; S32_MAX: none yet
 * @owd_prev_us: that of the period before
 * @probe_us: smallest of probes, which are small, in the form of @owd_us
 * @owd_ref_us: the first sample
 * @period_ns: when this period began
 * @drain_ns: when windows were last made small to let queues run empty
 *
 * Who came first saw the path empty, who comes last finds the queues of the
 * others in it: with a base of its own, it would take them for distance, and
 * more than its share.
 */
struct mrc_base {
	struct rhash_head node;
	struct in6_addr	addr[2];
	refcount_t	refs;
	struct rcu_head	rcu;
	spinlock_t	lock;
	u32		rtt_us;
	u32		rtt_prev_us;
	s32		owd_us;
	s32		owd_prev_us;
	s32		probe_us;
	u32		owd_ref_us;
	u64		period_ns;
	u64		drain_ns;
};

static inline u32 mrc_base_rtt(const struct mrc_base *base)
{
	return min(READ_ONCE(base->rtt_us), READ_ONCE(base->rtt_prev_us));
}

static inline s32 mrc_base_owd(const struct mrc_base *base)
{
	return min(READ_ONCE(base->owd_us), READ_ONCE(base->owd_prev_us));
}

int mrc_base_init(struct mrc_net *mn);
void mrc_base_exit(struct mrc_net *mn);
struct mrc_base *mrc_base_get(struct mrc_net *mn,
			      const struct mrc_plane *plane);
void mrc_base_put(struct mrc_net *mn, struct mrc_base *base);
void mrc_base_rtt_sample(struct mrc_base *base, u32 rtt_us);
s32 mrc_base_sample(struct mrc_base *base, u32 owd_us, u32 rtt_us, u64 now);
s32 mrc_base_probe(struct mrc_base *base, u32 owd_us, u64 now);
u64 mrc_base_drain(struct mrc_base *base, u64 now, u64 round_ns);

#endif /* _MRC_BASE_H */
