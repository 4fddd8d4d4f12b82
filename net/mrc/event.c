// SPDX-License-Identifier: GPL-2.0-only
/* Events: what those who watch are told of connections and paths. */
#include <trace/events/mrc.h>
#include "event.h"
#include "handshake.h"
#include "path.h"
#include "sock.h"

/**
 * mrc_event_established() - a connection is established
 * @mk: connection, locked
 *
 * Context: any.
 */
void mrc_event_established(struct mrc_sock *mk)
{
	mk->why_ended = 0;
	trace_mrc_handshake(mk, MRC_STEP_ESTABLISHED, 0);
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
		trace_mrc_close(mk, mk->why_ended, err);
	else if (mk->sk.sk_state != TCP_LISTEN)
		trace_mrc_handshake(mk, MRC_STEP_FAILED, err);
}

/* What the path's counters say before the transition clears them */
static enum mrc_nl_path_why why_bad(const struct mrc_path *path)
{
	if (path->probes_lost)
		return MRC_PATH_WHY_UNANSWERED;
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
		return why_bad(path);
	case MRC_PATH_PROBATION:
		return MRC_PATH_WHY_ANSWERED;
	case MRC_PATH_DENIED:
		return MRC_PATH_WHY_ADMIN;
	}
	if (from == MRC_PATH_SKIP)
		return MRC_PATH_WHY_PASSED_OVER;
	return from == MRC_PATH_SUSPECT ? MRC_PATH_WHY_ANSWERED :
					  MRC_PATH_WHY_ACKED;
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
	trace_mrc_path_state(mk, path, from, path_why(path, from));
}
