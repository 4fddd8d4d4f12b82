// SPDX-License-Identifier: GPL-2.0-only
/*
 * The path engine: entropy values, their states, the choice among them, and
 * the probes that bring a lost one back.
 */
#include <linux/random.h>
#include <linux/siphash.h>
#include "compat/compat.h"
#include "encap.h"
#include "loss.h"
#include "netns.h"
#include "path.h"
#include "send.h"
#include "sock.h"
#include "weight.h"

/* Source ports below are left to services. */
#define EV_MIN		1024

#define BAD_LOSSES	3	/* in a row, without an ack between */
#define SUSPECT_PROBES	2	/* unanswered ones that make a path bad */
#define RENEW_PROBES	4	/* unanswered ones that take a new EV */
#define BACK_PROBES	3	/* answered ones that lead to PROBATION */
/* Between tries of new values; after so many, half as often, so many times */
#define EXPLORE_NS	(2ULL * NSEC_PER_MSEC)
#define EXPLORE_OFTEN	32
#define EXPLORE_SLOWER	12

#define WATCH_NS	(500ULL * NSEC_PER_USEC) /* between probes of a receiver */
#define BAD_TOGETHER	4	/* bad paths that are probed at full pace */
#define LATE_PROBES	16	/* an answer may be behind by so many */
#define GOOD_ACKS	8	/* clean ones that lead from there to GOOD */

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

/* Fewer must never carry data, whatever is suspected of the others. */
static unsigned int usable_floor(const struct mrc_sock *mk)
{
	return min_t(unsigned int, mk->nr_active,
		     max_t(unsigned int, 2, mk->nr_active / 4));
}

static u64 jitter(u64 ns)
{
	return ns * 3 / 4 + reciprocal_scale(get_random_u32(), ns / 2);
}

static unsigned int bad_paths(const struct mrc_sock *mk)
{
	unsigned int i, n = 0;

	for (i = 0; i < mk->nr_paths; i++)
		n += mk->paths[i].state == MRC_PATH_ASSUMED_BAD;
	return n;
}

/*
 * Bad paths mostly lead over the same fault: the more there are, the less often
 * each is probed, since the first that answers speaks for the others.
 */
static u64 probe_interval(const struct mrc_sock *mk,
			  const struct mrc_path *path)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 first = max_t(u64, 4ULL * mk->srtt_us,
			  READ_ONCE(ctl->probe_min_us)) * NSEC_PER_USEC;
	u64 most = (u64)READ_ONCE(ctl->probe_max_ms) * NSEC_PER_MSEC *
		   DIV_ROUND_UP(bad_paths(mk), BAD_TOGETHER);

	if (path->state == MRC_PATH_SUSPECT)
		return mrc_path_pto_ns(mk, path);
	return jitter(max(first, min(first << min_t(u8, path->probes_lost, 16),
				     most)));
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
	path->changed_ns = now;
	path->losses = 0;
	path->clean = 0;
	path->probes_lost = 0;
	path->probe_sent_ns = 0;
	path->probe_ns = 0;
	if (state == MRC_PATH_PROBATION)
		path->weight = MRC_WEIGHT_FULL / 2;
	else if (from == MRC_PATH_PROBATION || from == MRC_PATH_STANDBY)
		path->weight = MRC_WEIGHT_FULL;
	if (state == MRC_PATH_ASSUMED_BAD) {
		path->recent = 0;
		path->recent_lost = 0;
		path->lossy = 0;
	}
	mk->nr_usable += mrc_path_usable(path) - was_usable;
	if (mrc_path_usable(path) != was_usable)
		mrc_pmtu_path_changed(mk, path);
	if (state == MRC_PATH_SUSPECT)
		path->probe_ns = now;
	else if (state == MRC_PATH_ASSUMED_BAD)
		path->probe_ns = now + probe_interval(mk, path);
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

static struct mrc_path *lightest(struct mrc_sock *mk)
{
	struct mrc_path *path, *best = NULL;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		path = &mk->paths[i];
		if (mrc_path_usable(path) &&
		    path->state != MRC_PATH_PROBATION &&
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
	path = lightest(mk);
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
 * The least bytes in flight per weight win, the next packet included, and among equals the one that was
 * not taken for longest.
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
	u64 now = ktime_get_ns();

	if (path->recent >= RECENT_PACKETS) {
		if (!path->recent_lost)
			path->holds = 0;
		path->recent /= 2;
		path->recent_lost /= 2;
	}
	path->recent++;
	path->recent_lost += lost;
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
	path->probe_ns = path->changed_ns + jitter(hold * NSEC_PER_MSEC);
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
		path->recent = 0;
		path->recent_lost = 0;
		path->lossy = 0;
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

static void send_probe(struct mrc_sock *mk, struct mrc_path *path, u64 now)
{
	struct sk_buff *skb = mrc_encap_alloc(sizeof(struct mrc_probe_hdr));
	struct mrc_probe_hdr *p;

	if (!skb) {
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		return;
	}
	p = skb_put_zero(skb, sizeof(*p));
	path->probe_id++;
	path->probe_sent_ns = now;
	mrc_wire_hdr(&p->h, MRC_PROBE, 0, mk->peer_cid, path->probe_id);
	p->h.path = path - mk->paths;
	p->h.gen = path->gen;
	MRC_INC(mrc_sock_net(mk), OUT_PROBES);
	mrc_encap_send_path(mk, path, skb);
}

/**
 * mrc_path_survey() - probe each path once
 * @mk: connection, locked, established
 *
 * Before there is much traffic: what is measured later may contain queues, and
 * a connection that takes queues for distance takes more than its share.
 */
void mrc_path_survey(struct mrc_sock *mk)
{
	u64 now = ktime_get_ns();
	int i;

	for (i = 0; i < mk->nr_paths; i++)
		if (mrc_path_usable(&mk->paths[i]) ||
		    mk->paths[i].state == MRC_PATH_STANDBY)
			send_probe(mk, &mk->paths[i], now);
}

/**
 * mrc_path_watch() - probe the path that the last SACK took
 * @mk: connection, locked, established
 * @now: ktime_get_ns()
 *
 * Who only receives would never find out that half of what it says is lost.
 */
void mrc_path_watch(struct mrc_sock *mk, u64 now)
{
	struct mrc_path *path = &mk->paths[mk->ack_rotor];

	if (mk->inflight || now < mk->watch_ns || path->probe_ns ||
	    !mrc_path_usable(path))
		return;
	mk->watch_ns = now + WATCH_NS;
	send_probe(mk, path, now);
	path->probe_ns = now + mrc_path_pto_ns(mk, path);
	mrc_timer_arm(mk, &mk->loss_timer, path->probe_ns);
}

/* The last probe went unanswered: draw the consequence. */
static void probe_lost(struct mrc_sock *mk, struct mrc_path *path)
{
	/* One without an answer may just be slow. */
	if (++path->probes_lost > 1)
		path->clean = 0;
	if (path->state == MRC_PATH_SUSPECT) {
		if (path->probes_lost >= SUSPECT_PROBES)
			mrc_path_set_state(mk, path, MRC_PATH_ASSUMED_BAD);
	} else if (mrc_path_usable(path)) {
		mrc_path_silent(mk, path);
	} else if (path->probes_lost % RENEW_PROBES == 0 &&
		   bad_paths(mk) > mk->nr_paths / 2) {
		u8 lost = path->probes_lost;

		/*
		 * With enough others, it is of more use where it is: it tells
		 * when what it leads over comes back.
		 */
		mrc_path_renew(mk, path);
		/* The backoff goes on: the fault may be near the end. */
		path->probes_lost = min_t(u8, lost, 4 * RENEW_PROBES);
	}
}

/**
 * mrc_path_probe_all() - send the probes that are due
 * @mk: connection, locked
 * @now: ktime_get_ns()
 *
 * Return: when the next one is due, ns; U64_MAX: none.
 */
u64 mrc_path_probe_all(struct mrc_sock *mk, u64 now)
{
	u64 next = U64_MAX;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		if (path->probe_ns && path->probe_ns <= now) {
			if (path->probe_sent_ns)
				probe_lost(mk, path);
			if (mrc_path_usable(path)) {
				path->probe_ns = 0;
				continue;
			}
			send_probe(mk, path, now);
			path->probe_ns = now + probe_interval(mk, path);
		}
		if (path->probe_ns)
			next = min(next, path->probe_ns);
	}
	return next;
}

/**
 * mrc_path_rcv_probe() - answer a probe
 * @mk: connection, locked, established
 * @skb: the probe; its addresses and header were checked
 */
void mrc_path_rcv_probe(struct mrc_sock *mk, struct sk_buff *skb)
{
	struct mrc_probe_hdr *p;
	struct sk_buff *answer;
	struct mrc_hdr probe;

	MRC_INC(mrc_sock_net(mk), IN_PROBES);
	answer = mrc_encap_alloc(sizeof(*p));
	if (!answer) {
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		return;
	}
	p = skb_put(answer, sizeof(*p));
	skb_copy_bits(skb, 0, &probe, sizeof(probe));
	mrc_wire_hdr(&p->h, MRC_PROBE_ACK, 0, mk->peer_cid,
		     be32_to_cpu(probe.psn));
	p->h.path = probe.path;
	p->h.gen = probe.gen;
	p->rx_us = cpu_to_be32(div_u64(ktime_get_ns(), NSEC_PER_USEC));
	mrc_encap_send_path(mk, mrc_path_reverse(mk), answer);
}

/* A path came back: others that lead over the same link may have, too. */
static void probe_bad(struct mrc_sock *mk, u64 now)
{
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		/* A grey one would answer in any case. */
		if (path->state == MRC_PATH_ASSUMED_BAD && !path->holds)
			path->probe_ns = now;
	}
	mrc_timer_arm(mk, &mk->loss_timer, now);
}

static void measure_probe(struct mrc_sock *mk, struct mrc_path *path, u32 rx_us,
			  u64 now)
{
	u32 rtt_us = max_t(u64, div_u64(now - path->probe_sent_ns,
					NSEC_PER_USEC), 1);

	mrc_path_rtt(mk, path, rtt_us);
	mrc_weight_probe(mk, path, rx_us - (u32)div_u64(path->probe_sent_ns,
							NSEC_PER_USEC), now);
}

/**
 * mrc_path_rcv_probe_ack() - a probe was answered
 * @mk: connection, locked, established
 * @skb: the answer; its addresses and header were checked
 */
void mrc_path_rcv_probe_ack(struct mrc_sock *mk, struct sk_buff *skb)
{
	u64 now = ktime_get_ns();
	struct mrc_probe_hdr p;
	struct mrc_path *path;
	u32 id;

	MRC_INC(mrc_sock_net(mk), IN_PROBE_ACKS);
	skb_copy_bits(skb, 0, &p, sizeof(p));
	if (p.h.path >= mk->nr_paths)
		return;
	path = &mk->paths[p.h.path];
	id = be32_to_cpu(p.h.psn);
	if (path->gen != p.h.gen || !mrc_psn_after(id, path->answer_id) ||
	    path->probe_id - id >= LATE_PROBES) {
		mrc_pmtu_rcv_probe_ack(mk, &p.h);
		return;
	}
	path->answer_id = id;
	/* An answer that is late, with others on their way, is one all the same. */
	if (id == path->probe_id && path->probe_sent_ns) {
		measure_probe(mk, path, be32_to_cpu(p.rx_us), now);
		path->probe_sent_ns = 0;
	}
	path->probes_lost = 0;
	if (mrc_path_usable(path)) {
		path->probe_ns = 0;
	} else if (path->state == MRC_PATH_SUSPECT) {
		mrc_path_set_state(mk, path, MRC_PATH_GOOD);
	} else if (path->state == MRC_PATH_ASSUMED_BAD) {
		if (!path->clean)
			probe_bad(mk, now);
		if (++path->clean >= BACK_PROBES) {
			mrc_path_set_state(mk, path, MRC_PATH_PROBATION);
			return;
		}
		/* It lives: the remaining probes need not wait long. */
		path->probe_ns = now + probe_interval(mk, path);
		mrc_timer_arm(mk, &mk->loss_timer, path->probe_ns);
	}
}
