// SPDX-License-Identifier: GPL-2.0-only
/* The path engine: entropy values, their states, and the choice among them. */
#include <linux/random.h>
#include <linux/siphash.h>
#include <trace/events/mrc.h>
#include "compat/compat.h"
#include "event.h"
#include "loss.h"
#include "netns.h"
#include "path.h"
#include "probe.h"
#include "send.h"
#include "sock.h"
#include "weight.h"

/* Source ports below are left to services. */
#define EV_MIN		1024

#define BAD_LOSSES	3	/* in a row, without an ack between */
#define GOOD_ACKS	8	/* clean ones that lead from PROBATION to GOOD */

/* Between tries of new values; after so many, half as often, so many times */
#define EXPLORE_NS	(2ULL * NSEC_PER_MSEC)
#define EXPLORE_OFTEN	32
#define EXPLORE_SLOWER	12
#define BACK_NS		NSEC_PER_SEC	/* no relief for so long */

/* A grey path loses over GREY_PERCENT, and GREY_TIMES what the median one does. */
#define GREY_PERCENT	5
#define GREY_TIMES	5
#define GREY_PACKETS	64	/* of so many at least */
#define RECENT_PACKETS	128	/* and at most */
#define GREY_ROUNDS	4	/* and not in fewer round trips: a burst is no cause */
#define GREY_CLEAN	16	/* round trips without a loss end the count */
#define GREY_DELAY_US	100	/* beyond twice the median queue: overflow */
#define GREY_HOLD_MS	250	/* time without probes, doubled each time */
#define GREY_HOLDS	5

static siphash_key_t ev_secret __read_mostly;

/**
 * mrc_path_random_ev() - an entropy value for a packet without a path
 *
 * Context: any.
 */
u16 mrc_path_random_ev(void)
{
	return EV_MIN + reciprocal_scale(get_random_u32(), 65536 - EV_MIN);
}

static bool ev_in_use(const struct mrc_sock *mk, u16 ev)
{
	int i;

	for (i = 0; i < mk->nr_paths; i++)
		if (mk->paths[i].ev == ev)
			return true;
	return false;
}

/*
 * Different connections, indices and generations get unrelated values that
 * nobody outside can foresee.
 */
static void choose_ev(struct mrc_sock *mk, struct mrc_path *path)
{
	u32 index = path - mk->paths, try = 0;
	u64 h;
	u16 ev;

	net_get_random_once(&ev_secret, sizeof(ev_secret));
	do {
		h = siphash_4u32((u32)mk->cid.cid, (u32)(mk->cid.cid >> 32),
				 index << 8 | path->gen, try++, &ev_secret);
		ev = EV_MIN + reciprocal_scale((u32)h, 65536 - EV_MIN);
	} while (ev_in_use(mk, ev));
	path->ev = ev;
	path->label = h >> 44;
}

/**
 * mrc_path_init() - make a connection's set of paths
 * @mk: connection, locked
 * @active: how many carry data at a time, 1..MRC_MAX_PATHS
 * @standby: how many wait to relieve them, of what is left of MRC_MAX_PATHS
 * @gfp: allocation flags
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_path_init(struct mrc_sock *mk, unsigned int active,
		  unsigned int standby, gfp_t gfp)
{
	unsigned int i, nr = min_t(unsigned int, active + standby,
				   MRC_MAX_PATHS);
	u64 now = ktime_get_ns();

	mk->paths = kcalloc(nr, sizeof(*mk->paths), gfp);
	if (!mk->paths)
		return -ENOMEM;
	mk->nr_active = active;
	mk->path_rotor = reciprocal_scale(get_random_u32(), nr);
	mk->ack_rotor = mk->path_rotor;
	for (i = 0; i < nr; i++) {
		struct mrc_path *path = &mk->paths[i];

		path->plane = i % mk->nr_planes;
		path->state = i < active ? MRC_PATH_UNKNOWN : MRC_PATH_STANDBY;
		path->weight_max = MRC_WEIGHT_MAX;
		path->told = MRC_PATH_GOOD;
		mrc_weight_reset(path);
		path->changed_ns = now;
		path->probe_id = get_random_u32();
		path->answer_id = path->probe_id;
		mrc_pmtu_init_path(mk, path);
		choose_ev(mk, path);
		mk->nr_paths++;
	}
	mk->nr_usable = mk->nr_active;
	mk->explored = 0;
	mk->hold_ns = 0;
	clear_bit(MRC_FL_SURVEYED, &mk->flags);
	mk->explore_ns = 0;
	return 0;
}

/**
 * mrc_path_free() - free them
 * @mk: connection that sends nothing any more; need not have paths
 */
void mrc_path_free(struct mrc_sock *mk)
{
	int i;

	for (i = 0; i < mk->nr_paths; i++)
		dst_release(mk->paths[i].dst);
	mk->nr_paths = 0;
	kfree(mk->paths);
	mk->paths = NULL;
}

/**
 * mrc_path_dst() - the route of a path
 * @mk: connection, locked
 * @path: path
 *
 * Return: a route that is valid now and belongs to the path, or an ERR_PTR().
 */
struct dst_entry *mrc_path_dst(struct mrc_sock *mk, struct mrc_path *path)
{
	struct dst_entry *dst = path->dst;

	if (dst && dst_check(dst, path->dst_cookie))
		return dst;
	path->dst = NULL;
	dst_release(dst);
	dst = mrc_plane_route(mk, &mk->planes[path->plane], path->ev,
			      path->label);
	if (IS_ERR(dst))
		return dst;
	if (dst->ops->family == AF_INET6)
		path->dst_cookie = rt6_get_cookie(container_of(dst,
							       struct rt6_info,
							       dst));
	path->dst = dst;
	mrc_pmtu_route(mk, path, dst);
	return dst;
}

/**
 * mrc_path_reroute() - what routes are looked up by has changed
 * @mk: connection, locked; need not have paths
 */
void mrc_path_reroute(struct mrc_sock *mk)
{
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		dst_release(mk->paths[i].dst);
		mk->paths[i].dst = NULL;
	}
}

/* Fewer must never carry data, whatever is suspected of the others. */
static unsigned int usable_floor(const struct mrc_sock *mk)
{
	return min_t(unsigned int, mk->nr_active,
		     max_t(unsigned int, 2, mk->nr_active / 4));
}

/**
 * mrc_path_jitter() - about a time, so that not all do the same at once
 * @ns: the time
 *
 * Return: a time from three to five quarters of it.
 */
u64 mrc_path_jitter(u64 ns)
{
	return ns * 3 / 4 + reciprocal_scale(get_random_u32(), ns / 2);
}

static void count_transition(struct mrc_sock *mk, u8 from, u8 to)
{
	if (to == MRC_PATH_SUSPECT)
		MRC_INC(mrc_sock_net(mk), PATH_SUSPECT);
	else if (to == MRC_PATH_ASSUMED_BAD)
		MRC_INC(mrc_sock_net(mk), PATH_BAD);
	else if (from == MRC_PATH_ASSUMED_BAD || from == MRC_PATH_SUSPECT)
		MRC_INC(mrc_sock_net(mk), PATH_RECOVERED);
}

/* What they were about is dealt with, or was no fault of the path. */
static void forget_losses(struct mrc_path *path)
{
	path->recent = 0;
	path->recent_lost = 0;
	path->lossy = 0;
}

/**
 * mrc_path_set_state() - the one place where a path changes its state
 * @mk: connection, locked
 * @path: path
 * @state: new state
 */
void mrc_path_set_state(struct mrc_sock *mk, struct mrc_path *path,
			enum mrc_path_state state)
{
	u8 from = path->state;
	u64 now = ktime_get_ns();
	bool was_usable = mrc_path_usable(path);

	if (from == state)
		return;
	path->state = state;
	mrc_event_path(mk, path, from);
	path->changed_ns = now;
	path->losses = 0;
	path->clean = 0;
	path->probes_lost = 0;
	path->probe_sent_ns = 0;
	path->probe_ns = 0;
	if (state == MRC_PATH_PROBATION)
		mrc_weight_set(path, MRC_WEIGHT_FULL / 2);
	else if (from == MRC_PATH_PROBATION || from == MRC_PATH_STANDBY)
		mrc_weight_set(path, MRC_WEIGHT_FULL);
	if (from == MRC_PATH_PROBATION)
		path->back_ns = now;
	if (state == MRC_PATH_ASSUMED_BAD)
		forget_losses(path);
	mk->nr_usable += mrc_path_usable(path) - was_usable;
	if (mrc_path_usable(path) != was_usable)
		mrc_pmtu_path_changed(mk, path);
	if (state == MRC_PATH_SUSPECT)
		path->probe_ns = now;
	else if (state == MRC_PATH_ASSUMED_BAD)
		path->probe_ns = now + mrc_probe_interval(mk, path);
	count_transition(mk, from, state);
	if (path->probe_ns)
		mrc_timer_arm(mk, &mk->loss_timer, path->probe_ns);
}

/**
 * mrc_path_renew() - give a path a new entropy value and generation
 * @mk: connection, locked
 * @path: path; what it has in flight counts as lost
 *
 * The plane stays the same.
 */
void mrc_path_renew(struct mrc_sock *mk, struct mrc_path *path)
{
	mrc_loss_path_all(mk, path);
	dst_release(path->dst);
	path->dst = NULL;
	path->gen++;
	path->srtt_us = 0;
	path->rttvar_us = 0;
	path->min_rtt_us = 0;
	path->acked_ns = 0;
	path->recent = 0;
	path->recent_lost = 0;
	path->holds = 0;
	path->losses = 0;
	path->clean = 0;
	path->probes_lost = 0;
	path->probe_sent_ns = 0;
	path->answer_id = path->probe_id;
	mrc_weight_reset(path);
	choose_ev(mk, path);
	mrc_pmtu_renew_path(mk, path);
	MRC_INC(mrc_sock_net(mk), PATH_RENEWED);
}

/* The one that waited for longest */
static struct mrc_path *next_standby(struct mrc_sock *mk)
{
	struct mrc_path *path, *best = NULL;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		path = &mk->paths[i];
		if (path->state == MRC_PATH_STANDBY &&
		    (!best || path->changed_ns < best->changed_ns))
			best = path;
	}
	return best;
}

/* Those that have little weight because the administrator wants it stay. */
/* What has just come back leads where others do not: its weight must settle. */
static struct mrc_path *lightest(struct mrc_sock *mk, u64 now)
{
	struct mrc_path *path, *best = NULL;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		path = &mk->paths[i];
		if (mrc_path_usable(path) &&
		    path->state != MRC_PATH_PROBATION &&
		    !mrc_weight_limited(path) &&
		    (!path->back_ns || now - path->back_ns > BACK_NS) &&
		    (!best || path->weight < best->weight))
			best = path;
	}
	return best;
}

/**
 * mrc_path_explore() - now and then try another entropy value
 * @mk: connection, locked, with much to send
 * @now: ktime_get_ns()
 *
 * A few random values may miss a link, or meet on one. The path with the least
 * weight, on the most crowded link, is relieved by one of the standby set: often
 * in the beginning, then ever more rarely. So are those that became bad, but not
 * at once: some others lead over what broke, too.
 */
void mrc_path_explore(struct mrc_sock *mk, u64 now)
{
	struct mrc_path *path, *another;
	u64 wait;

	if (now < mk->explore_ns)
		return;
	wait = EXPLORE_NS << min(mk->explored / EXPLORE_OFTEN, EXPLORE_SLOWER);
	mk->explore_ns = now + max(wait, 4ULL * mk->srtt_us * NSEC_PER_USEC);
	mk->explored++;
	another = next_standby(mk);
	path = lightest(mk, now);
	if (path && mk->nr_usable >= mk->nr_active + !another)
		mrc_path_set_state(mk, path, MRC_PATH_STANDBY);
	if (!another)
		return;
	MRC_INC(mrc_sock_net(mk), PATH_EXPLORED);
	mrc_path_set_state(mk, another, MRC_PATH_UNKNOWN);
}

static struct mrc_path *least_loaded(struct mrc_sock *mk, int avoid)
{
	struct mrc_path *best = NULL, *path;
	u32 seg = mrc_cong_segs(mk, 1);
	u64 score, best_score = U64_MAX;
	unsigned int i, at = mk->path_rotor;

	for (i = 0; i < mk->nr_paths; i++, at++) {
		if (at >= mk->nr_paths)
			at = 0;
		path = &mk->paths[at];
		if (!mrc_path_usable(path) || at == avoid)
			continue;
		if (path->state == MRC_PATH_SKIP) {
			mrc_path_set_state(mk, path, MRC_PATH_GOOD);
			continue;
		}
		score = div_u64((u64)(path->inflight + seg) * MRC_WEIGHT_FULL,
				path->weight);
		if (score < best_score) {
			best_score = score;
			best = path;
		}
	}
	return best;
}

/**
 * mrc_path_pick() - choose the path of the next burst
 * @mk: connection, locked, established
 * @avoid: index of a path that just lost, taken only if there is no other; -1
 *
 * The least bytes in flight per weight win, the next packet included, and among
 * equals the one that was not taken for longest.
 *
 * Return: a path, never NULL.
 */
struct mrc_path *mrc_path_pick(struct mrc_sock *mk, int avoid)
{
	struct mrc_path *best = least_loaded(mk, avoid);

	/* All were to be skipped, and now have been; or there is but one. */
	if (!best)
		best = least_loaded(mk, avoid);
	if (!best)
		best = least_loaded(mk, -1);
	if (!best)
		best = &mk->paths[mk->path_rotor];
	trace_mrc_path_choice(mk, best, avoid);
	mk->path_rotor = (best - mk->paths + 1) % mk->nr_paths;
	return best;
}

/**
 * mrc_path_reverse() - the path of the next SACK
 * @mk: connection, locked, established
 *
 * Another one each time, so that a dead direction costs one SACK.
 */
struct mrc_path *mrc_path_reverse(struct mrc_sock *mk)
{
	unsigned int i;

	for (i = 0; i < mk->nr_paths; i++) {
		if (++mk->ack_rotor >= mk->nr_paths)
			mk->ack_rotor = 0;
		if (mrc_path_usable(&mk->paths[mk->ack_rotor]))
			break;
	}
	return &mk->paths[mk->ack_rotor];
}

/**
 * mrc_path_pto_ns() - how long an answer over a path may take
 * @mk: connection, locked
 * @path: path
 *
 * srtt + 4 rttvar + the peer's ack delay, at least net.mrc.pto_min_us.
 */
u64 mrc_path_pto_ns(const struct mrc_sock *mk, const struct mrc_path *path)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 us;

	if (path->srtt_us)
		us = path->srtt_us + 4ULL * path->rttvar_us;
	else if (mk->srtt_us)
		us = 2ULL * mk->srtt_us + 4ULL * mk->rttvar_us;
	else
		return mrc_loss_rto_ns(mk);
	us += READ_ONCE(ctl->ack_delay_us);
	return max_t(u64, us, READ_ONCE(ctl->pto_min_us)) * NSEC_PER_USEC;
}

/* One more of the recent packets; the older ones count half. */
static void note_recent(struct mrc_path *path, bool lost)
{
	u64 round_ns = (u64)path->srtt_us * NSEC_PER_USEC;
	u64 now;

	if (path->recent >= RECENT_PACKETS) {
		if (!path->recent_lost)
			path->holds = 0;
		path->recent /= 2;
		path->recent_lost /= 2;
	}
	path->recent++;
	path->recent_lost += lost;
	if (!lost && !path->lossy)
		return;
	now = ktime_get_ns();
	if (lost && now - path->lost_ns > round_ns) {
		path->lossy = min(path->lossy + 1, GREY_ROUNDS);
		path->lost_ns = now;
	} else if (now - path->lost_ns > GREY_CLEAN * round_ns) {
		path->lossy = 0;
	}
}

/* Does it lose far more than at least half of the paths do? */
static bool is_grey(const struct mrc_sock *mk, const struct mrc_path *path)
{
	unsigned int i, better = 0, known = 0;

	if (path->recent < GREY_PACKETS || path->lossy < GREY_ROUNDS ||
	    100 * path->recent_lost <= GREY_PERCENT * path->recent)
		return false;
	for (i = 0; i < mk->nr_paths; i++) {
		const struct mrc_path *p = &mk->paths[i];

		known += p->recent > 0;
		better += p->recent > 0 &&
			  (u32)path->recent_lost * p->recent >=
			  GREY_TIMES * (u32)p->recent_lost * path->recent;
	}
	return 2 * better >= known;
}

/* Small probes may get through where one packet in ten does not: wait first. */
static void avoid_grey(struct mrc_sock *mk, struct mrc_path *path)
{
	u64 hold = (u64)GREY_HOLD_MS << path->holds;

	MRC_INC(mrc_sock_net(mk), PATH_GREY);
	path->holds = min(path->holds + 1, GREY_HOLDS);
	mrc_path_set_state(mk, path, MRC_PATH_ASSUMED_BAD);
	path->probe_ns = path->changed_ns + mrc_path_jitter(hold * NSEC_PER_MSEC);
}

/**
 * mrc_path_acked() - a packet of this path and generation was acked
 * @mk: connection, locked
 * @path: path
 * @sent_ns: when it was sent
 */
void mrc_path_acked(struct mrc_sock *mk, struct mrc_path *path, u64 sent_ns)
{
	path->losses = 0;
	note_recent(path, false);
	if (sent_ns > path->acked_ns)
		path->acked_ns = sent_ns;
	switch (path->state) {
	case MRC_PATH_UNKNOWN:
	case MRC_PATH_SUSPECT:
		mrc_path_set_state(mk, path, MRC_PATH_GOOD);
		break;
	case MRC_PATH_PROBATION:
		if (++path->clean >= GOOD_ACKS)
			mrc_path_set_state(mk, path, MRC_PATH_GOOD);
		break;
	}
}

/**
 * mrc_path_rtt() - a round trip was measured
 * @mk: connection, locked
 * @path: path
 * @rtt_us: sample, the peer's ack delay taken off
 *
 * RFC 6298, section 2.
 */
void mrc_path_rtt(struct mrc_sock *mk, struct mrc_path *path, u32 rtt_us)
{
	rtt_us = max(rtt_us, 1U);
	if (!path->srtt_us) {
		path->srtt_us = rtt_us;
		path->rttvar_us = rtt_us / 2;
		path->min_rtt_us = rtt_us;
		return;
	}
	path->rttvar_us = (3ULL * path->rttvar_us +
			   abs((s32)(path->srtt_us - rtt_us))) / 4;
	path->srtt_us = max_t(u32, (7ULL * path->srtt_us + rtt_us) / 8, 1);
	path->min_rtt_us = min(path->min_rtt_us, rtt_us);
}

/**
 * mrc_path_lost() - a packet of this path and generation was declared lost
 * @mk: connection, locked
 * @path: path
 * @silent: nothing sent later on the path was acked
 */
void mrc_path_lost(struct mrc_sock *mk, struct mrc_path *path, bool silent)
{
	path->lost++;
	path->clean = 0;
	note_recent(path, true);
	if (!silent)
		return;
	if (++path->losses < BAD_LOSSES)
		return;
	if (path->state == MRC_PATH_SUSPECT ||
	    (mrc_path_usable(path) && mk->nr_usable > usable_floor(mk)))
		mrc_path_set_state(mk, path, MRC_PATH_ASSUMED_BAD);
}

/**
 * mrc_path_judge() - has a path become one to be avoided?
 * @mk: connection, locked
 * @path: path of which a packet was just acked as a trigger, mrc_weight_sample()
 *	  done
 *
 * Drops by a queue that runs over are for weights to mend, and do not count.
 */
void mrc_path_judge(struct mrc_sock *mk, struct mrc_path *path)
{
	if (!path->recent_lost)
		return;
	if (path->delay_us > 2 * mk->delay_us + GREY_DELAY_US) {
		forget_losses(path);
	} else if (mrc_path_usable(path) && mk->nr_usable > usable_floor(mk) &&
		   is_grey(mk, path)) {
		avoid_grey(mk, path);
	}
}

/**
 * mrc_path_marked() - the echo of a packet carried a congestion mark
 * @mk: connection, locked
 * @path: path
 */
void mrc_path_marked(struct mrc_sock *mk, struct mrc_path *path)
{
	path->ce++;
	if (path->state == MRC_PATH_GOOD)
		mrc_path_set_state(mk, path, MRC_PATH_SKIP);
}

/**
 * mrc_path_silent() - a path is silent, or should be avoided
 * @mk: connection, locked
 * @path: path
 *
 * It gets no new data until it answers, unless too few paths would be left.
 */
void mrc_path_silent(struct mrc_sock *mk, struct mrc_path *path)
{
	if (mrc_path_usable(path) && mk->nr_usable > usable_floor(mk))
		mrc_path_set_state(mk, path, MRC_PATH_SUSPECT);
}
