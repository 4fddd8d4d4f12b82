// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events: what those who watch are told of connections and paths, by the
 * tracepoints and by the multicast group of the netlink family.
 *
 * Each message has a number, and a namespace's messages are in the order of
 * their numbers: a listener sees by a gap what it lost, besides ENOBUFS from
 * recvmsg(). Path events are limited per connection. What goes beyond is not
 * lost: a second later, the path's state then is told, with how many changes
 * led there. States in which nothing is wrong with the path are all told as
 * good, for a congested one enters and leaves SKIP all the time, and others
 * relieve it.
 */
#include <linux/ktime.h>
#include <linux/random.h>
#include <net/genetlink.h>
#include <trace/events/mrc.h>
#include "compat/genetlink.h"
#include "event.h"
#include "handshake.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "netns.h"
#include "path.h"
#include "sock.h"

/* Most room that a message takes: what may be absent is there. */
static size_t message_size(void)
{
	return GENL_HDRLEN + 14 * nla_total_size(sizeof(u32)) +
	       3 * nla_total_size(sizeof(u16)) +
	       2 * nla_total_size(sizeof(struct in6_addr)) +
	       nla_total_size_64bit(sizeof(u64));
}

static bool watched(const struct mrc_sock *mk)
{
	return genl_has_listeners(&mrc_genl, mrc_sock_net(mk),
				  MRC_NLGRP_EVENTS);
}

/* What every event says of its socket */
static int put_sock(struct sk_buff *skb, const struct mrc_sock *mk)
{
	uid_t uid = from_kuid_munged(mrc_sock_net(mk)->user_ns,
				     READ_ONCE(mk->sk.sk_uid));

	if (nla_put_u64_64bit(skb, MRC_A_EVENT_TIME, ktime_get_real_ns(),
			      MRC_A_EVENT_PAD) ||
	    nla_put_u32(skb, MRC_A_EVENT_ID, mk->serial) ||
	    mrc_netlink_put_addr(skb, MRC_A_EVENT_LOCAL_ADDR, &mk->laddr,
				 mk->user_family) ||
	    nla_put_u16(skb, MRC_A_EVENT_LOCAL_PORT, mk->lport) ||
	    nla_put_u32(skb, MRC_A_EVENT_UID, uid))
		return -EMSGSIZE;
	if (mk->rport &&
	    (mrc_netlink_put_addr(skb, MRC_A_EVENT_REMOTE_ADDR, &mk->raddr,
				  mk->user_family) ||
	     nla_put_u16(skb, MRC_A_EVENT_REMOTE_PORT, mk->rport)))
		return -EMSGSIZE;
	return 0;
}

/**
 * struct message - an event on its way
 * @skb: the message, NULL without memory for it
 * @hdr: its beginning
 * @seq: where its number goes
 */
struct message {
	struct sk_buff	*skb;
	void		*hdr;
	u32		*seq;
};

static void drop(struct message *m)
{
	nlmsg_free(m->skb);
	m->skb = NULL;
}

static struct message begin(const struct mrc_sock *mk, u8 command)
{
	struct message m = { .skb = genlmsg_new(message_size(), GFP_ATOMIC) };
	struct nlattr *seq = NULL;

	if (!m.skb)
		return m;
	m.hdr = genlmsg_put(m.skb, 0, 0, &mrc_genl, 0, command);
	if (m.hdr)
		seq = nla_reserve(m.skb, MRC_A_EVENT_SEQ, sizeof(*m.seq));
	if (seq && !put_sock(m.skb, mk)) {
		m.seq = nla_data(seq);
		return m;
	}
	drop(&m);
	return m;
}

/* An event that cannot be sent leaves a gap, and an error, as if it had. */
static void send(const struct mrc_sock *mk, struct message *m)
{
	struct net *net = mrc_sock_net(mk);
	struct mrc_net *mn = mrc_net(net);

	spin_lock_bh(&mn->event_lock);
	WRITE_ONCE(mn->event_seq, mn->event_seq + 1);
	if (m->skb) {
		*m->seq = mn->event_seq;
		genlmsg_end(m->skb, m->hdr);
		genlmsg_multicast_netns(&mrc_genl, net, m->skb, 0,
					MRC_NLGRP_EVENTS, GFP_ATOMIC);
	} else {
		genl_set_err(&mrc_genl, net, 0, MRC_NLGRP_EVENTS, -ENOBUFS);
	}
	spin_unlock_bh(&mn->event_lock);
}

/**
 * mrc_event_established() - a connection is established
 * @mk: connection, locked
 *
 * Context: any.
 */
void mrc_event_established(struct mrc_sock *mk)
{
	struct message m;

	mk->why_ended = 0;
	mk->events_owed = false;
	trace_mrc_handshake(mk, MRC_STEP_ESTABLISHED, 0);
	if (!watched(mk))
		return;
	m = begin(mk, MRC_CMD_SOCK_ESTABLISHED);
	send(mk, &m);
}

/**
 * mrc_event_ending() - say why a connection is about to end
 * @mk: connection, locked
 * @why: the reason; the first one that is given counts
 *
 * Context: any.
 */
void mrc_event_ending(struct mrc_sock *mk, enum mrc_nl_close_why why)
{
	if (!mk->why_ended)
		mk->why_ended = why;
}

static void tell_closed(const struct mrc_sock *mk, int err)
{
	struct message m;

	trace_mrc_close(mk, mk->why_ended, err);
	if (!watched(mk))
		return;
	m = begin(mk, MRC_CMD_SOCK_CLOSED);
	if (m.skb &&
	    (nla_put_u32(m.skb, MRC_A_EVENT_CLOSE_WHY, mk->why_ended) ||
	     (err && nla_put_u32(m.skb, MRC_A_EVENT_ERROR, err))))
		drop(&m);
	send(mk, &m);
}

/**
 * mrc_event_done() - a socket is about to enter TCP_CLOSE
 * @mk: socket, locked
 * @err: errno that the application sees, positive, or 0
 *
 * Context: any.
 */
void mrc_event_done(struct mrc_sock *mk, int err)
{
	if (mrc_sock_established(mk))
		tell_closed(mk, err);
	else if (mk->sk.sk_state != TCP_LISTEN)
		trace_mrc_handshake(mk, MRC_STEP_FAILED, err);
}

/* What the path's counters say before the transition clears them */
static enum mrc_nl_path_why why_bad(const struct mrc_path *path, u8 from)
{
	if (from == MRC_PATH_SUSPECT)
		return path->probes_lost ? MRC_PATH_WHY_UNANSWERED :
					   MRC_PATH_WHY_LOSSES;
	return path->losses ? MRC_PATH_WHY_LOSSES : MRC_PATH_WHY_GREY;
}

static enum mrc_nl_path_why path_why(const struct mrc_path *path, u8 from)
{
	if (from == MRC_PATH_DENIED)
		return MRC_PATH_WHY_ADMIN;
	switch (path->state) {
	case MRC_PATH_SKIP:
		return MRC_PATH_WHY_MARKED;
	case MRC_PATH_SUSPECT:
		return MRC_PATH_WHY_SILENT;
	case MRC_PATH_ASSUMED_BAD:
		return why_bad(path, from);
	case MRC_PATH_PROBATION:
		return MRC_PATH_WHY_ANSWERED;
	case MRC_PATH_STANDBY:
		return MRC_PATH_WHY_RELIEVED;
	case MRC_PATH_UNKNOWN:
		return from == MRC_PATH_STANDBY ? MRC_PATH_WHY_RELIEVES :
						  MRC_PATH_WHY_ADMIN;
	case MRC_PATH_DENIED:
		return MRC_PATH_WHY_ADMIN;
	}
	if (from == MRC_PATH_SKIP)
		return MRC_PATH_WHY_PASSED_OVER;
	return from == MRC_PATH_SUSPECT ? MRC_PATH_WHY_ANSWERED :
					  MRC_PATH_WHY_ACKED;
}

/* States in which nothing is wrong with the path are one. */
static u8 told_as(u8 state)
{
	return state <= MRC_PATH_SKIP || state == MRC_PATH_STANDBY ?
	       MRC_PATH_GOOD : state;
}

/* May one more be told in this second? */
static bool within_rate(struct mrc_sock *mk, u64 now)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);

	if ((s64)(now - mk->event_ns) >= NSEC_PER_SEC) {
		mk->event_ns = now;
		mk->event_count = 0;
	}
	if (mk->event_count >= READ_ONCE(ctl->event_rate))
		return false;
	mk->event_count++;
	return true;
}

static int put_path(struct sk_buff *skb, const struct mrc_sock *mk,
		    const struct mrc_path *path)
{
	if (nla_put_u32(skb, MRC_A_EVENT_PATH, path - mk->paths) ||
	    nla_put_u32(skb, MRC_A_EVENT_PLANE, path->plane) ||
	    nla_put_u16(skb, MRC_A_EVENT_EV, path->ev) ||
	    nla_put_u32(skb, MRC_A_EVENT_GENERATION, path->gen) ||
	    nla_put_u32(skb, MRC_A_EVENT_FROM, path->told) ||
	    nla_put_u32(skb, MRC_A_EVENT_TO, told_as(path->state)) ||
	    nla_put_u32(skb, MRC_A_EVENT_PATH_WHY, path->why) ||
	    nla_put_u32(skb, MRC_A_EVENT_LOST, path->lost) ||
	    (path->untold > 1 &&
	     nla_put_u32(skb, MRC_A_EVENT_UNTOLD, path->untold - 1)))
		return -EMSGSIZE;
	return 0;
}

static void tell_path(struct mrc_sock *mk, struct mrc_path *path)
{
	struct message m = begin(mk, MRC_CMD_PATH_CHANGED);

	if (m.skb && put_path(m.skb, mk, path))
		drop(&m);
	send(mk, &m);
	path->told = told_as(path->state);
	path->untold = 0;
}

/**
 * mrc_event_path() - a path changed its state
 * @mk: connection, locked
 * @path: path, in its new state, its counters still those of the old one
 * @from: the old one
 *
 * Context: any.
 */
void mrc_event_path(struct mrc_sock *mk, struct mrc_path *path, u8 from)
{
	path->why = path_why(path, from);
	trace_mrc_path_state(mk, path, from, path->why);
	if (told_as(from) == told_as(path->state))
		return;
	if (!watched(mk)) {
		path->told = told_as(path->state);
		path->untold = 0;
		return;
	}
	path->untold = min(path->untold + 1, U16_MAX);
	if (within_rate(mk, ktime_get_ns())) {
		tell_path(mk, path);
		return;
	}
	mk->events_owed = true;
	mrc_timer_arm(mk, &mk->loss_timer, mk->event_ns + NSEC_PER_SEC);
}

/**
 * mrc_event_flush() - tell what the rate did not allow before
 * @mk: connection, locked, established
 * @now: ktime_get_ns()
 *
 * It begins anywhere, so that the first paths do not use up the rate each time.
 *
 * Context: any.
 * Return: when to call again, ns; U64_MAX: nothing is owed.
 */
u64 mrc_event_flush(struct mrc_sock *mk, u64 now)
{
	unsigned int i, at;

	if (!mk->events_owed)
		return U64_MAX;
	if ((s64)(now - mk->event_ns) < NSEC_PER_SEC)
		return mk->event_ns + NSEC_PER_SEC;
	at = reciprocal_scale(get_random_u32(), mk->nr_paths);
	for (i = 0; i < mk->nr_paths; i++, at++) {
		struct mrc_path *path = &mk->paths[at % mk->nr_paths];

		if (!path->untold)
			continue;
		if (!within_rate(mk, now))
			return mk->event_ns + NSEC_PER_SEC;
		tell_path(mk, path);
	}
	mk->events_owed = false;
	return U64_MAX;
}

/**
 * mrc_event_flood() - a listener answers with RETRY
 * @mk: listener, locked
 *
 * Told once a second.
 *
 * Context: any.
 */
void mrc_event_flood(struct mrc_sock *mk)
{
	u64 now = ktime_get_ns();
	struct message m;

	if ((s64)(now - mk->event_ns) < NSEC_PER_SEC || !watched(mk))
		return;
	mk->event_ns = now;
	m = begin(mk, MRC_CMD_HANDSHAKE_FLOOD);
	if (m.skb && nla_put_u32(m.skb, MRC_A_EVENT_PENDING,
				 READ_ONCE(mk->nr_pending)))
		drop(&m);
	send(mk, &m);
}
