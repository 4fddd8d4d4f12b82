// SPDX-License-Identifier: GPL-2.0-only
/* Probes: they tell whether a silent path lives, and bring a lost one back. */
#include "compat/compat.h"
#include "encap.h"
#include "netns.h"
#include "path.h"
#include "pmtu.h"
#include "probe.h"
#include "sock.h"
#include "weight.h"

#define SUSPECT_PROBES	2	/* unanswered ones that make a path bad */
#define RENEW_PROBES	4	/* unanswered ones that take a new EV */
#define BACK_PROBES	3	/* answered ones that lead to PROBATION */
/* A receiver's probes: no more often, of so many SACKs one, and with patience */
#define WATCH_NS	(500ULL * NSEC_PER_USEC)
#define WATCH_SACKS	16
#define WATCH_MORE_NS	(4ULL * NSEC_PER_MSEC)
#define BAD_TOGETHER	4	/* bad paths that are probed at full pace */
#define LATE_PROBES	16	/* an answer may be behind by so many */

static unsigned int bad_paths(const struct mrc_sock *mk)
{
	unsigned int i, n = 0;

	for (i = 0; i < mk->nr_paths; i++)
		n += mk->paths[i].state == MRC_PATH_ASSUMED_BAD;
	return n;
}

/**
 * mrc_probe_interval() - how long to wait for the answer to a probe
 * @mk: connection, locked
 * @path: path, suspect or bad
 *
 * Bad paths mostly lead over the same fault: the more there are, the less often
 * each is probed, since the first that answers speaks for the others.
 *
 * Return: ns.
 */
u64 mrc_probe_interval(const struct mrc_sock *mk, const struct mrc_path *path)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 first = max_t(u64, 4ULL * mk->srtt_us,
			  READ_ONCE(ctl->probe_min_us)) * NSEC_PER_USEC;
	u64 most = (u64)READ_ONCE(ctl->probe_max_ms) * NSEC_PER_MSEC *
		   DIV_ROUND_UP(bad_paths(mk), BAD_TOGETHER);

	if (path->state == MRC_PATH_SUSPECT)
		return mrc_path_pto_ns(mk, path);
	most = min(first << min_t(u8, path->probes_lost, 16), most);
	return mrc_path_jitter(max(first, most));
}

static void send(struct mrc_sock *mk, struct mrc_path *path, u64 now)
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
 * mrc_probe_survey() - probe each path once
 * @mk: connection, locked, established
 *
 * Before there is much traffic: what is measured later may contain queues, and
 * a connection that takes queues for distance takes more than its share.
 */
void mrc_probe_survey(struct mrc_sock *mk)
{
	u64 now = ktime_get_ns();
	int i;

	for (i = 0; i < mk->nr_paths; i++)
		if (mrc_path_usable(&mk->paths[i]) ||
		    mk->paths[i].state == MRC_PATH_STANDBY)
			send(mk, &mk->paths[i], now);
}

/**
 * mrc_probe_watch() - probe the path that the last SACK took
 * @mk: connection, locked, established
 *
 * Who only receives would never find out that half of what it says is lost.
 */
void mrc_probe_watch(struct mrc_sock *mk)
{
	struct mrc_path *path = &mk->paths[mk->ack_rotor];
	u64 now;

	if (++mk->watch_sacks < WATCH_SACKS || mk->inflight || path->probe_ns ||
	    !mrc_path_usable(path))
		return;
	now = ktime_get_ns();
	if (now < mk->watch_ns)
		return;
	mk->watch_sacks = 0;
	mk->watch_ns = now + WATCH_NS;
	send(mk, path, now);
	path->probe_ns = now + mrc_path_pto_ns(mk, path) + WATCH_MORE_NS;
	mrc_timer_arm(mk, &mk->loss_timer, path->probe_ns);
}

/* The last probe went unanswered: draw the consequence. */
static void unanswered(struct mrc_sock *mk, struct mrc_path *path)
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
 * mrc_probe_all() - send the probes that are due
 * @mk: connection, locked
 * @now: ktime_get_ns()
 *
 * Return: when the next one is due, ns; U64_MAX: none.
 */
u64 mrc_probe_all(struct mrc_sock *mk, u64 now)
{
	u64 next = U64_MAX;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		if (path->probe_ns && path->probe_ns <= now) {
			if (path->probe_sent_ns)
				unanswered(mk, path);
			if (mrc_path_usable(path)) {
				path->probe_ns = 0;
				continue;
			}
			send(mk, path, now);
			path->probe_ns = now + mrc_probe_interval(mk, path);
		}
		if (path->probe_ns)
			next = min(next, path->probe_ns);
	}
	return next;
}

/**
 * mrc_probe_rcv() - answer a probe
 * @mk: connection, locked, established
 * @skb: the probe; its addresses and header were checked
 */
void mrc_probe_rcv(struct mrc_sock *mk, struct sk_buff *skb)
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

static void measure(struct mrc_sock *mk, struct mrc_path *path, u32 rx_us,
		    u64 now)
{
	u32 rtt_us = max_t(u64, div_u64(now - path->probe_sent_ns,
					NSEC_PER_USEC), 1);

	mrc_path_rtt(mk, path, rtt_us);
	mrc_weight_probe(mk, path, rx_us - (u32)div_u64(path->probe_sent_ns,
							NSEC_PER_USEC), now);
}

/**
 * mrc_probe_rcv_ack() - a probe was answered
 * @mk: connection, locked, established
 * @skb: the answer; its addresses and header were checked
 */
void mrc_probe_rcv_ack(struct mrc_sock *mk, struct sk_buff *skb)
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
		measure(mk, path, be32_to_cpu(p.rx_us), now);
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
		path->probe_ns = now + mrc_probe_interval(mk, path);
		mrc_timer_arm(mk, &mk->loss_timer, path->probe_ns);
	}
}
