// SPDX-License-Identifier: GPL-2.0-only
/*
 * SO_KEEPALIVE, as for TCP: a connection over which nothing came for a while is
 * probed, and ends when a number of probes goes unanswered. Each probe takes
 * another path, so that a dead path alone does not end a connection.
 */
#include <linux/jiffies.h>
#include "compat/compat.h"
#include "keepalive.h"
#include "netns.h"
#include "send.h"
#include "sock.h"

/**
 * mrc_keepalive_idle_s() - how long nothing may come before the first probe
 * @mk: socket, locked
 *
 * Return: seconds.
 */
u32 mrc_keepalive_idle_s(const struct mrc_sock *mk)
{
	return mk->keep_idle_s ?:
	       READ_ONCE(mrc_sysctl(mk)->keepalive_time_s);
}

/**
 * mrc_keepalive_intvl_s() - time from one probe to the next
 * @mk: socket, locked
 *
 * Return: seconds.
 */
u32 mrc_keepalive_intvl_s(const struct mrc_sock *mk)
{
	return mk->keep_intvl_s ?:
	       READ_ONCE(mrc_sysctl(mk)->keepalive_intvl_s);
}

/**
 * mrc_keepalive_probes() - unanswered probes that end a connection
 * @mk: socket, locked
 */
u32 mrc_keepalive_probes(const struct mrc_sock *mk)
{
	return mk->keep_probes ?:
	       READ_ONCE(mrc_sysctl(mk)->keepalive_probes);
}

/**
 * mrc_keepalive_start() - look after the peer from now on, if that is wanted
 * @mk: connection, locked
 *
 * Also when one of the times changed.
 */
void mrc_keepalive_start(struct mrc_sock *mk)
{
	u64 now = ktime_get_ns();

	mk->keep_ns = 0;
	if (!sock_flag(&mk->sk, SOCK_KEEPOPEN) || !mrc_sock_established(mk))
		return;
	/* mrc_keepalive_check() knows how long it may wait. */
	mk->keep_ns = now;
	mrc_timer_arm(mk, &mk->loss_timer, now);
}

/**
 * mrc_keepalive_set() - proto.keepalive: SO_KEEPALIVE is about to change
 * @sk: the socket, lock_sock() held
 * @on: to what
 *
 * Context: process.
 */
void mrc_keepalive_set(struct sock *sk, int on)
{
	struct mrc_sock *mk = mrc_sk(sk);

	sock_valbool_flag(sk, SOCK_KEEPOPEN, on);
	mk->keep_out = 0;
	mrc_keepalive_start(mk);
}

static bool given_up(const struct mrc_sock *mk, u64 silent_ns)
{
	if (!mk->user_timeout_ms)
		return mk->keep_out >= mrc_keepalive_probes(mk);
	return mk->keep_out &&
	       silent_ns >= mk->user_timeout_ms * (u64)NSEC_PER_MSEC;
}

/**
 * mrc_keepalive_check() - send the probe that is due
 * @mk: connection, locked
 * @now: ktime_get_ns()
 * @next: lowered to when to look again
 *
 * Return: false when the connection has just ended.
 */
bool mrc_keepalive_check(struct mrc_sock *mk, u64 now, u64 *next)
{
	u64 idle_ns = mrc_keepalive_idle_s(mk) * (u64)NSEC_PER_SEC;
	u64 silent_ns = jiffies_to_nsecs(jiffies - mk->heard);

	if (!mk->keep_ns)
		return true;
	if (now < mk->keep_ns)
		goto out;
	if (mk->heard != mk->keep_heard)
		mk->keep_out = 0;
	mk->keep_heard = mk->heard;
	if (mk->unacked || mk->inflight) {
		/* What is on its way has timers of its own. */
		mk->keep_ns = now + idle_ns;
	} else if (silent_ns < idle_ns) {
		mk->keep_ns = now + idle_ns - silent_ns;
	} else if (!given_up(mk, silent_ns)) {
		mrc_send_keepalive(mk);
		mk->keep_out++;
		mk->keep_ns = now + mrc_keepalive_intvl_s(mk) *
				    (u64)NSEC_PER_SEC;
	} else {
		mrc_sock_give_up(mk);
		return false;
	}
out:
	*next = min(*next, mk->keep_ns);
	return true;
}
