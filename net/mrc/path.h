/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths: the set of entropy values, their states, and the choice among them. */
#ifndef _MRC_PATH_H
#define _MRC_PATH_H

#include <linux/types.h>
#include <net/dst.h>
#include "pmtu.h"

struct mrc_sock;

#define MRC_MAX_PATHS	256

/**
 * enum mrc_path_state - what is known of a path
 * @MRC_PATH_UNKNOWN: nothing was sent over it yet; used like GOOD
 * @MRC_PATH_GOOD: carries data
 * @MRC_PATH_SKIP: its last echo was a congestion mark; passed over once
 * @MRC_PATH_SUSPECT: silent for longer than its PTO while others are not
 * @MRC_PATH_ASSUMED_BAD: probes go unanswered; nothing but probes is sent
 * @MRC_PATH_PROBATION: answers again; carries data at half weight
 * @MRC_PATH_DENIED: taken out by the administrator
 * @MRC_PATH_STANDBY: waits to relieve one that is bad or on a crowded link
 *
 *            mark                 PTO, others were acked
 *   SKIP <--------- GOOD, UNKNOWN ----------------------> SUSPECT
 *     | next turn    ^  ^    ^                             |   |
 *     +--------------+  |    +-----------------------------+   | 2 probes
 *                       |          an ack or a probe's answer  | lost
 *        8 clean acks   |                                      v
 *     PROBATION --------+                               ASSUMED_BAD
 *         ^ |         3 losses without an ack                ^ |
 *         | +------------------------------------------------+ |
 *         +----------------------------------------------------+
 *           3 probes answered; after 4 lost a new EV and generation,
 *           if more than half of the paths are bad
 *
 * Three losses in a row without an ack lead from every usable state to
 * ASSUMED_BAD, and so does losing far more than other paths do (a grey
 * failure); then probes begin only after a while, since they would be answered.
 * STANDBY leads to UNKNOWN when a path is needed, and GOOD back to it.
 * mrc_path_set_state() makes every transition.
 */
enum mrc_path_state {
	MRC_PATH_UNKNOWN,
	MRC_PATH_GOOD,
	MRC_PATH_SKIP,
	MRC_PATH_SUSPECT,
	MRC_PATH_ASSUMED_BAD,
	MRC_PATH_PROBATION,
	MRC_PATH_DENIED,
	MRC_PATH_STANDBY,
};

/**
 * struct mrc_path - one entropy value and what is known of it
 * @dst: cached route, looked up with this path's ports and flow label
 * @dst_cookie: for dst_check()
 * @ev: entropy value: UDP source port
 * @label: IPv6 flow label of the same entropy value
 * @plane: index into mrc_sock.planes
 * @gen: generation, changes with @ev
 * @state: enum mrc_path_state
 * @weight: share against the others, MRC_WEIGHT_FULL to begin with
 * @weight_max: most that the administrator lets it have, or MRC_WEIGHT_MAX
 * @recent: of the last packets, acked or lost
 * @recent_lost: of these, lost
 * @back_ns: when it last came back from PROBATION
 * @lossy: round trips with a loss among recent ones
 * @lost_ns: when such a one began
 * @holds: times in a row that the path was found to be grey
 * @head: PSN of the oldest packet in flight, valid if @queued
 * @tail: PSN of the newest one, valid if @queued
 * @queued: packets in flight
 * @inflight: their payload bytes plus one header each
 * @srtt_us: smoothed round trip time, 0 before the first sample
 * @rttvar_us: its mean deviation
 * @min_rtt_us: smallest sample
 * @owd_us: smallest delay one way in this period (weight.c), by clocks that
 *	    differ; S32_MAX: none
 * @owd_prev_us: that of the period before
 * @probe_us: the same of probes, mostly before there was traffic
 * @probed: there was one
 * @delay_us: what the last sample waited in queues
 * @delay_ns: when it was taken, 0: none
 * @weight_ns: when @weight changed last
 * @acked_ns: send time of the newest packet that was acked; 0 before
 * @probe_ns: when to send the next probe, 0: no probing
 * @probe_sent_ns: when the last probe left, 0: none is unanswered
 * @probe_id: id of the last probe; they are consecutive
 * @answer_id: id of the last one answered
 * @losses: losses in a row without an ack between
 * @probes_lost: probes in a row without an answer
 * @clean: acks (in PROBATION) or answers (in ASSUMED_BAD) in a row
 * @pmtu: sizes that it carries
 * @sent: packets sent
 * @lost: packets declared lost
 * @ce: acks that echoed a congestion mark
 * @spurious: packets declared lost that arrived after all
 * @changed_ns: when @state changed last
 * @why: MRC_PATH_WHY_*, why it did
 * @told: state that watchers were told last
 * @untold: changes since
 *
 * All fields are guarded by the socket lock. The counters cover the path's
 * index over all generations.
 */
struct mrc_path {
	struct dst_entry *dst;
	u32	dst_cookie;
	u16	ev;
	u8	plane;
	u8	gen;
	u8	state;
	u8	losses;
	u8	probes_lost;
	u8	clean;
	u8	holds;
	u8	recent;
	u8	recent_lost;
	bool	probed;
	u8	lossy;
	u16	weight;
	u16	weight_max;
	struct mrc_path_pmtu pmtu;
	u32	label;
	u32	head;
	u32	tail;
	u32	queued;
	u32	inflight;
	u32	srtt_us;
	u32	rttvar_us;
	u32	min_rtt_us;
	s32	owd_us;
	s32	owd_prev_us;
	s32	probe_us;
	u32	delay_us;
	u64	delay_ns;
	u64	weight_ns;
	u64	lost_ns;
	u64	back_ns;
	u64	acked_ns;
	u64	probe_ns;
	u64	probe_sent_ns;
	u32	probe_id;
	u32	answer_id;
	u32	lost;
	u64	sent;
	u32	ce;
	u32	spurious;
	u64	changed_ns;
	u8	why;
	u8	told;
	u16	untold;
};

static inline bool mrc_path_usable(const struct mrc_path *path)
{
	return path->state <= MRC_PATH_SKIP ||
	       path->state == MRC_PATH_PROBATION;
}

u16 mrc_path_random_ev(void);
int mrc_path_init(struct mrc_sock *mk, unsigned int active,
		  unsigned int standby, gfp_t gfp);
void mrc_path_free(struct mrc_sock *mk);
void mrc_path_renew(struct mrc_sock *mk, struct mrc_path *path);
void mrc_path_explore(struct mrc_sock *mk, u64 now);
void mrc_path_set_state(struct mrc_sock *mk, struct mrc_path *path,
			enum mrc_path_state state);
struct mrc_path *mrc_path_pick(struct mrc_sock *mk, int avoid);
struct mrc_path *mrc_path_reverse(struct mrc_sock *mk);
struct dst_entry *mrc_path_dst(struct mrc_sock *mk, struct mrc_path *path);
void mrc_path_reroute(struct mrc_sock *mk);
u64 mrc_path_jitter(u64 ns);
u64 mrc_path_pto_ns(const struct mrc_sock *mk, const struct mrc_path *path);
void mrc_path_acked(struct mrc_sock *mk, struct mrc_path *path, u64 sent_ns);
void mrc_path_rtt(struct mrc_sock *mk, struct mrc_path *path, u32 rtt_us);
void mrc_path_lost(struct mrc_sock *mk, struct mrc_path *path, bool silent);
void mrc_path_judge(struct mrc_sock *mk, struct mrc_path *path);
void mrc_path_marked(struct mrc_sock *mk, struct mrc_path *path);
void mrc_path_silent(struct mrc_sock *mk, struct mrc_path *path);

#endif /* _MRC_PATH_H */
