// SPDX-License-Identifier: GPL-2.0-only
/*
 * How much queues on each path, and from that the path's weight in the choice.
 *
 * A SACK tells when its trigger arrived, by the receiver's clock. The sender's
 * own time taken off, this is the delay one way plus what the clocks differ by;
 * less the smallest of recent times, it is what the packet waited in queues.
 * Round trips alone would not do: each SACK takes another way back, and where
 * ways differ in length that would look like a queue. But clocks drift, and
 * round trips do not: a path never counts as more congested than its round trip
 * says.
 *
 * The smallest is that of all paths and all connections between the same
 * addresses (base.c), since paths are equally long, mostly. One whose probe
 * took far longer, or all when the window has become small and delays did
 * not, are measured from their own.
 *
 * Entropy values collide on links, and links differ: a path whose queue is
 * longer than that of the median path gets less, until all queues are alike.
 */
#include "base.h"
#include "path.h"
#include "sock.h"
#include "weight.h"

#define DELAY_MAX_US	1000000
#define SLACK_MIN_US	10	/* differences that are but noise */
#define OLD_NS		(5ULL * NSEC_PER_MSEC)
#define NEAR_US		100	/* beyond four times the shortest round trip */

/**
 * mrc_weight_set() - give a path a weight, within the bounds
 * @path: path
 * @weight: weight
 */
void mrc_weight_set(struct mrc_path *path, s64 weight)
{
	path->weight = clamp_t(s64, weight,
			       min(MRC_WEIGHT_MIN, path->weight_max),
			       path->weight_max);
}

/**
 * mrc_weight_limit() - limit a path's weight, whatever is measured of it
 * @path: path of a locked connection
 * @most: 1..MRC_WEIGHT_FULL; a full one, which is what paths have in the
 *	  middle, takes the limit away
 */
void mrc_weight_limit(struct mrc_path *path, u32 most)
{
	path->weight_max = most < MRC_WEIGHT_FULL ? most : MRC_WEIGHT_MAX;
	mrc_weight_set(path, path->state == MRC_PATH_PROBATION ?
			     MRC_WEIGHT_FULL / 2 : MRC_WEIGHT_FULL);
}

/**
 * mrc_weight_limited() - is there such a limit?
 * @path: path
 */
bool mrc_weight_limited(const struct mrc_path *path)
{
	return path->weight_max < MRC_WEIGHT_MAX;
}

/**
 * mrc_weight_reset() - forget what was measured of a path
 * @path: path with a new entropy value
 */
void mrc_weight_reset(struct mrc_path *path)
{
	path->owd_us = S32_MAX;
	path->owd_prev_us = S32_MAX;
	path->probe_us = S32_MAX;
	path->probed = false;
	path->delay_us = 0;
	path->delay_ns = 0;
	path->weight_ns = 0;
	mrc_weight_set(path, MRC_WEIGHT_FULL);
}

static void new_bucket(struct mrc_sock *mk, u64 now)
{
	int i;

	mk->owd_ns = now;
	mk->paths_differ = false;
	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		path->probe_us = S32_MAX;
		/* What was not used keeps what it has. */
		if (path->owd_us == S32_MAX)
			continue;
		path->owd_prev_us = path->owd_us;
		path->owd_us = S32_MAX;
	}
}

static u32 shortest(const struct mrc_sock *mk, const struct mrc_path *path)
{
	return mrc_base_rtt(mk->planes[path->plane].base);
}

/* Is the path about as long as the shortest one? */
static bool is_near(const struct mrc_sock *mk, const struct mrc_path *path)
{
	if (mk->paths_differ)
		return false;
	return !path->probed ||
	       path->min_rtt_us <= 4ULL * shortest(mk, path) + NEAR_US;
}

/* The smallest delay of a path itself; a probe's as if it had been data */
static s32 own_base(const struct mrc_path *path, const struct mrc_base *base)
{
	s32 owd = min(path->owd_us, path->owd_prev_us), fastest;

	fastest = READ_ONCE(base->probe_us);
	if (path->probe_us == S32_MAX || fastest == S32_MAX)
		return owd;
	return min(owd, path->probe_us + max(mrc_base_owd(base) - fastest, 0));
}

/* The lesser; another processor may just have changed what they are above. */
static u32 excess(s64 owd, s64 rtt)
{
	return clamp_t(s64, min(owd, rtt), 0, DELAY_MAX_US);
}

/* What the packet waited in queues on its way */
static u32 queueing(struct mrc_sock *mk, struct mrc_path *path, u32 owd_us,
		    u32 rtt_us, u64 now)
{
	struct mrc_base *base = mk->planes[path->plane].base;
	s32 owd = mrc_base_sample(base, owd_us, rtt_us, now);

	if (now - mk->owd_ns > MRC_BASE_PERIOD_NS)
		new_bucket(mk, now);
	path->owd_us = min(path->owd_us, owd);
	if (is_near(mk, path))
		return excess((s64)owd - mrc_base_owd(base),
			      (s64)rtt_us - mrc_base_rtt(base));
	return excess((s64)owd - own_base(path, base),
		      (s64)rtt_us - path->min_rtt_us);
}

/* A sample that is older says nothing of now. */
static bool is_fresh(const struct mrc_path *path, u64 now)
{
	return mrc_path_usable(path) && path->delay_ns &&
	       now - path->delay_ns <= 2ULL * path->srtt_us * NSEC_PER_USEC;
}

static u32 get_delay(const struct mrc_sock *mk, const struct mrc_path *path)
{
	return path->delay_us;
}

static u32 get_base(const struct mrc_sock *mk, const struct mrc_path *path)
{
	return is_near(mk, path) ? shortest(mk, path) : path->min_rtt_us;
}

static unsigned int count_up_to(const struct mrc_sock *mk, u32 us, u64 now,
				u32 (*get)(const struct mrc_sock *mk,
					   const struct mrc_path *path))
{
	unsigned int i, n = 0;

	for (i = 0; i < mk->nr_paths; i++)
		n += is_fresh(&mk->paths[i], now) &&
		     get(mk, &mk->paths[i]) <= us;
	return n;
}

/* By halving the range of values, since there is no room to sort. */
static u32 median(const struct mrc_sock *mk, u64 now,
		  u32 (*get)(const struct mrc_sock *mk,
			     const struct mrc_path *path))
{
	unsigned int all = count_up_to(mk, U32_MAX, now, get);
	u32 low = 0, high = DELAY_MAX_US, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (2 * count_up_to(mk, middle, now, get) >= all)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* A path that was not used for a while may have changed. */
static void forget_old(struct mrc_sock *mk, u64 now)
{
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		if (now - path->delay_ns > OLD_NS)
			mrc_weight_set(path, path->weight +
				       (MRC_WEIGHT_FULL - path->weight) / 16);
	}
}

/* Only the proportions of weights mean anything: let them be about full. */
static void normalise(struct mrc_sock *mk)
{
	u32 sum = 0, full = 0;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		if (!mrc_path_usable(&mk->paths[i]))
			continue;
		sum += mk->paths[i].weight;
		full += MRC_WEIGHT_FULL;
	}
	if (!sum || (sum < 2 * full && sum > full / 2))
		return;
	for (i = 0; i < mk->nr_paths; i++) {
		u64 weight = (u64)full * mk->paths[i].weight;

		mrc_weight_set(&mk->paths[i], div_u64(weight, sum));
	}
}

static void update_medians(struct mrc_sock *mk, u64 now)
{
	if (++mk->delay_samples < max(4, mk->nr_paths / 8) &&
	    now - mk->delay_ns < (u64)mk->srtt_us * NSEC_PER_USEC)
		return;
	mk->delay_samples = 0;
	mk->delay_ns = now;
	mk->delay_us = median(mk, now, get_delay);
	mk->base_rtt_us = median(mk, now, get_base);
	forget_old(mk, now);
	normalise(mk);
	if (test_bit(MRC_FL_SURVEYED, &mk->flags))
		mrc_path_explore(mk, now);
}

/* Towards the median's queue, at most a quarter of the way in a round trip. */
static void adjust(struct mrc_sock *mk, struct mrc_path *path, u64 now)
{
	s64 median = mk->delay_us, delay = path->delay_us, weight = path->weight;
	s64 slack = max_t(u32, shortest(mk, path) / 4, SLACK_MIN_US);

	if (now - path->weight_ns < (u64)path->srtt_us * NSEC_PER_USEC)
		return;
	path->weight_ns = now;
	weight += div64_s64(weight * (median - delay),
			    4 * (median + delay + slack));
	mrc_weight_set(path, weight);
}

/**
 * mrc_weight_probe() - a probe of a path was answered
 * @mk: connection, locked
 * @path: path
 * @owd_us: arrival by the receiver's clock less departure by ours, modulo 2^32
 * @now: ktime_get_ns()
 */
void mrc_weight_probe(struct mrc_sock *mk, struct mrc_path *path, u32 owd_us,
		      u64 now)
{
	s32 owd = mrc_base_probe(mk->planes[path->plane].base, owd_us, now);

	path->probe_us = min(path->probe_us, owd);
	path->probed = true;
}

/**
 * mrc_weight_sample() - a packet of a path was acknowledged as a trigger
 * @mk: connection, locked
 * @path: path
 * @owd_us: arrival by the receiver's clock less departure by ours, modulo 2^32
 * @rtt_us: its round trip, taken in by mrc_path_rtt() already
 * @now: ktime_get_ns()
 *
 * Sets the path's queueing delay, the connection's median of those, and now and
 * then the path's weight.
 */
void mrc_weight_sample(struct mrc_sock *mk, struct mrc_path *path,
		       u32 owd_us, u32 rtt_us, u64 now)
{
	path->delay_us = queueing(mk, path, owd_us, rtt_us, now);
	path->delay_ns = now;
	update_medians(mk, now);
	if (mrc_path_usable(path) && path->state != MRC_PATH_PROBATION)
		adjust(mk, path, now);
}
