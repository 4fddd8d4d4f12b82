/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of AF_MRC. Names and fields stay as they are; new ones may be
 * added at the end. All are hit with the socket lock held.
 *
 * Fields that all have, of the socket:
 *	netns		inode number of its network namespace
 *	id		number in the namespace, as in `mrc sock -i` and netlink
 *	lport, rport	its port and the peer's
 *	laddr, raddr	16 octets each, IPv4 as ::ffff:a.b.c.d
 * and those of a path:
 *	path		index in the connection
 *	plane		index of its pair of addresses
 *	ev		entropy value, the UDP source port
 *	gen		generation, changes with the entropy value
 *	state		MRC_PATH_STATE_*
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mrc

#if !defined(_TRACE_MRC_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_MRC_H

#include <linux/tracepoint.h>
#include <uapi/linux/mrc_netlink.h>

struct mrc_ack_sample;
struct mrc_path;
struct mrc_seg;
struct mrc_sock;

TRACE_DEFINE_ENUM(MRC_STEP_INIT);
TRACE_DEFINE_ENUM(MRC_STEP_INIT_ACK);
TRACE_DEFINE_ENUM(MRC_STEP_RETRY);
TRACE_DEFINE_ENUM(MRC_STEP_COOKIE);
TRACE_DEFINE_ENUM(MRC_STEP_ESTABLISHED);
TRACE_DEFINE_ENUM(MRC_STEP_FAILED);

TRACE_DEFINE_ENUM(MRC_PATH_STATE_UNKNOWN);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_GOOD);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_SKIP);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_SUSPECT);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_ASSUMED_BAD);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_PROBATION);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_DENIED);
TRACE_DEFINE_ENUM(MRC_PATH_STATE_STANDBY);

TRACE_DEFINE_ENUM(MRC_PATH_WHY_ACKED);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_MARKED);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_PASSED_OVER);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_SILENT);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_LOSSES);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_UNANSWERED);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_GREY);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_ANSWERED);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_ADMIN);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_RELIEVED);
TRACE_DEFINE_ENUM(MRC_PATH_WHY_RELIEVES);

TRACE_DEFINE_ENUM(MRC_CLOSE_WHY_FINISHED);
TRACE_DEFINE_ENUM(MRC_CLOSE_WHY_ABORTED);
TRACE_DEFINE_ENUM(MRC_CLOSE_WHY_RESET);
TRACE_DEFINE_ENUM(MRC_CLOSE_WHY_TIMEOUT);
TRACE_DEFINE_ENUM(MRC_CLOSE_WHY_ABANDONED);
TRACE_DEFINE_ENUM(MRC_CLOSE_WHY_KILLED);

TRACE_DEFINE_ENUM(MRC_LOSS_PASSED);
TRACE_DEFINE_ENUM(MRC_LOSS_SILENT);
TRACE_DEFINE_ENUM(MRC_LOSS_ALL_SILENT);

#define show_step(step) __print_symbolic(step,			\
	{ MRC_STEP_INIT,		"init" },		\
	{ MRC_STEP_INIT_ACK,		"init-ack" },		\
	{ MRC_STEP_RETRY,		"retry" },		\
	{ MRC_STEP_COOKIE,		"cookie" },		\
	{ MRC_STEP_ESTABLISHED,		"established" },	\
	{ MRC_STEP_FAILED,		"failed" })

#define show_path_state(state) __print_symbolic(state,		\
	{ MRC_PATH_STATE_UNKNOWN,	"unknown" },		\
	{ MRC_PATH_STATE_GOOD,		"good" },		\
	{ MRC_PATH_STATE_SKIP,		"skip" },		\
	{ MRC_PATH_STATE_SUSPECT,	"suspect" },		\
	{ MRC_PATH_STATE_ASSUMED_BAD,	"assumed-bad" },	\
	{ MRC_PATH_STATE_PROBATION,	"probation" },		\
	{ MRC_PATH_STATE_DENIED,	"denied" },		\
	{ MRC_PATH_STATE_STANDBY,	"standby" })

#define show_path_why(why) __print_symbolic(why,		\
	{ MRC_PATH_WHY_ACKED,		"acked" },		\
	{ MRC_PATH_WHY_MARKED,		"marked" },		\
	{ MRC_PATH_WHY_PASSED_OVER,	"passed-over" },	\
	{ MRC_PATH_WHY_SILENT,		"silent" },		\
	{ MRC_PATH_WHY_LOSSES,		"losses" },		\
	{ MRC_PATH_WHY_UNANSWERED,	"unanswered" },		\
	{ MRC_PATH_WHY_GREY,		"grey" },		\
	{ MRC_PATH_WHY_ANSWERED,	"answered" },		\
	{ MRC_PATH_WHY_ADMIN,		"admin" },		\
	{ MRC_PATH_WHY_RELIEVED,	"relieved" },		\
	{ MRC_PATH_WHY_RELIEVES,	"relieves" })

#define show_close_why(why) __print_symbolic(why,		\
	{ MRC_CLOSE_WHY_FINISHED,	"finished" },		\
	{ MRC_CLOSE_WHY_ABORTED,	"aborted" },		\
	{ MRC_CLOSE_WHY_RESET,		"reset" },		\
	{ MRC_CLOSE_WHY_TIMEOUT,	"timeout" },		\
	{ MRC_CLOSE_WHY_ABANDONED,	"abandoned" },		\
	{ MRC_CLOSE_WHY_KILLED,		"killed" })

#define show_loss(cause) __print_symbolic(cause,		\
	{ MRC_LOSS_PASSED,		"passed" },		\
	{ MRC_LOSS_SILENT,		"silent" },		\
	{ MRC_LOSS_ALL_SILENT,		"all-silent" })

#define SOCK_FIELDS						\
	__field(u32, netns)					\
	__field(u32, id)					\
	__field(u16, lport)					\
	__field(u16, rport)					\
	__array(u8, laddr, 16)					\
	__array(u8, raddr, 16)

#define SOCK_ASSIGN(mk)						\
	do {							\
		__entry->netns = sock_net(&(mk)->sk)->ns.inum;	\
		__entry->id = (mk)->serial;			\
		__entry->lport = (mk)->lport;			\
		__entry->rport = (mk)->rport;			\
		memcpy(__entry->laddr, &(mk)->laddr, 16);	\
		memcpy(__entry->raddr, &(mk)->raddr, 16);	\
	} while (0)

#define SOCK_FORMAT	"netns=%u id=%u local=[%pI6c]:%u remote=[%pI6c]:%u"

#define SOCK_ARGS						\
	__entry->netns, __entry->id, __entry->laddr,		\
	__entry->lport, __entry->raddr, __entry->rport

#define PATH_FIELDS						\
	__field(u8, path)					\
	__field(u8, plane)					\
	__field(u8, gen)					\
	__field(u8, state)					\
	__field(u16, ev)

#define PATH_ASSIGN(mk, p)					\
	do {							\
		__entry->path = (p) - (mk)->paths;		\
		__entry->plane = (p)->plane;			\
		__entry->gen = (p)->gen;			\
		__entry->state = (p)->state;			\
		__entry->ev = (p)->ev;				\
	} while (0)

#define PATH_FORMAT	"path=%u plane=%u ev=%u gen=%u state=%s"

#define PATH_ARGS						\
	__entry->path, __entry->plane, __entry->ev,		\
	__entry->gen, show_path_state(__entry->state)

/*
 * A handshake got on, or failed.
 *	step	MRC_STEP_*
 *	error	errno of a failure, 0 otherwise
 */
TRACE_EVENT(mrc_handshake,

	TP_PROTO(const struct mrc_sock *mk, int step, int error),

	TP_ARGS(mk, step, error),

	TP_STRUCT__entry(
		SOCK_FIELDS
		__field(int, step)
		__field(int, error)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		__entry->step = step;
		__entry->error = error;
	),

	TP_printk(SOCK_FORMAT " step=%s error=%d",
		  SOCK_ARGS, show_step(__entry->step), __entry->error)
);

/*
 * An established connection ended.
 *	why	MRC_CLOSE_WHY_*
 *	error	errno that the application sees, 0: none
 */
TRACE_EVENT(mrc_close,

	TP_PROTO(const struct mrc_sock *mk, int why, int error),

	TP_ARGS(mk, why, error),

	TP_STRUCT__entry(
		SOCK_FIELDS
		__field(int, why)
		__field(int, error)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		__entry->why = why;
		__entry->error = error;
	),

	TP_printk(SOCK_FORMAT " why=%s error=%d",
		  SOCK_ARGS, show_close_why(__entry->why), __entry->error)
);

/*
 * A path was chosen for a burst or a retransmission.
 *	avoid	index of the path that was to be avoided, -1: none
 *	inflight bytes that the path has in flight
 *	weight	its share against the others
 *	usable	paths that may carry data
 */
TRACE_EVENT(mrc_path_choice,

	TP_PROTO(const struct mrc_sock *mk, const struct mrc_path *p,
		 int avoid),

	TP_ARGS(mk, p, avoid),

	TP_STRUCT__entry(
		SOCK_FIELDS
		PATH_FIELDS
		__field(int, avoid)
		__field(u32, inflight)
		__field(u16, weight)
		__field(u16, usable)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		PATH_ASSIGN(mk, p);
		__entry->avoid = avoid;
		__entry->inflight = p->inflight;
		__entry->weight = p->weight;
		__entry->usable = mk->nr_usable;
	),

	TP_printk(SOCK_FORMAT " " PATH_FORMAT
		  " avoid=%d inflight=%u weight=%u usable=%u",
		  SOCK_ARGS, PATH_ARGS, __entry->avoid, __entry->inflight,
		  __entry->weight, __entry->usable)
);

/*
 * A path changed its state, to the one in "state".
 *	from	MRC_PATH_STATE_* before
 *	why	MRC_PATH_WHY_*
 *	lost	packets that it lost so far
 *	srtt_us	smoothed round trip time, 0: none
 */
TRACE_EVENT(mrc_path_state,

	TP_PROTO(const struct mrc_sock *mk, const struct mrc_path *p,
		 int from, int why),

	TP_ARGS(mk, p, from, why),

	TP_STRUCT__entry(
		SOCK_FIELDS
		PATH_FIELDS
		__field(u8, from)
		__field(u8, why)
		__field(u32, lost)
		__field(u32, srtt_us)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		PATH_ASSIGN(mk, p);
		__entry->from = from;
		__entry->why = why;
		__entry->lost = p->lost;
		__entry->srtt_us = p->srtt_us;
	),

	TP_printk(SOCK_FORMAT " " PATH_FORMAT
		  " from=%s why=%s lost=%u srtt_us=%u",
		  SOCK_ARGS, PATH_ARGS, show_path_state(__entry->from),
		  show_path_why(__entry->why), __entry->lost, __entry->srtt_us)
);

/*
 * A SACK was taken in.
 *	cum	all PSNs up to this one arrived
 *	path	index of the path that its trigger took, -1: not known
 *	acked	bytes that it acknowledged, headers included
 *	rtt_us	round trip time that it showed, 0: none
 *	ce	its trigger carried a congestion mark
 *	inflight bytes left in flight
 */
TRACE_EVENT(mrc_ack,

	TP_PROTO(const struct mrc_sock *mk, u32 cum,
		 const struct mrc_ack_sample *sample),

	TP_ARGS(mk, cum, sample),

	TP_STRUCT__entry(
		SOCK_FIELDS
		__field(u32, cum)
		__field(int, path)
		__field(u32, acked)
		__field(u32, rtt_us)
		__field(bool, ce)
		__field(u32, inflight)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		__entry->cum = cum;
		__entry->path = sample->path ? sample->path - mk->paths : -1;
		__entry->acked = sample->acked_bytes;
		__entry->rtt_us = sample->rtt_us;
		__entry->ce = sample->ce;
		__entry->inflight = mk->inflight;
	),

	TP_printk(SOCK_FORMAT
		  " cum=%u path=%d acked=%u rtt_us=%u ce=%d inflight=%u",
		  SOCK_ARGS, __entry->cum, __entry->path, __entry->acked,
		  __entry->rtt_us, __entry->ce, __entry->inflight)
);

/*
 * A packet was declared lost.
 *	psn	its number
 *	cause	MRC_LOSS_*: 0: later ones of its path were acknowledged,
 *		1: its path is silent and others are not, 2: all are silent
 */
TRACE_EVENT(mrc_loss,

	TP_PROTO(const struct mrc_sock *mk, const struct mrc_path *p, u32 psn,
		 int cause),

	TP_ARGS(mk, p, psn, cause),

	TP_STRUCT__entry(
		SOCK_FIELDS
		PATH_FIELDS
		__field(u32, psn)
		__field(int, cause)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		PATH_ASSIGN(mk, p);
		__entry->psn = psn;
		__entry->cause = cause;
	),

	TP_printk(SOCK_FORMAT " " PATH_FORMAT
		  " psn=%u cause=%s",
		  SOCK_ARGS, PATH_ARGS, __entry->psn,
		  show_loss(__entry->cause))
);

/*
 * A segment was sent again.
 *	path	index of the path that it took
 *	psn	its new number
 *	offset	stream offset of its first byte
 *	len	payload bytes
 */
TRACE_EVENT(mrc_retransmit,

	TP_PROTO(const struct mrc_sock *mk, const struct mrc_seg *seg, u32 psn),

	TP_ARGS(mk, seg, psn),

	TP_STRUCT__entry(
		SOCK_FIELDS
		__field(u8, path)
		__field(u32, psn)
		__field(u64, offset)
		__field(u16, len)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		__entry->path = seg->path;
		__entry->psn = psn;
		__entry->offset = seg->start;
		__entry->len = seg->len;
	),

	TP_printk(SOCK_FORMAT
		  " path=%u psn=%u offset=%llu len=%u",
		  SOCK_ARGS, __entry->path, __entry->psn, __entry->offset,
		  __entry->len)
);

/*
 * Congestion control has seen a SACK, a loss or a timeout.
 *	cwnd	bytes that may be in flight
 *	inflight bytes in flight
 *	srtt_us	smoothed round trip time over all paths
 *	min_rtt_us smallest one
 */
TRACE_EVENT(mrc_cwnd,

	TP_PROTO(const struct mrc_sock *mk),

	TP_ARGS(mk),

	TP_STRUCT__entry(
		SOCK_FIELDS
		__field(u32, cwnd)
		__field(u32, inflight)
		__field(u32, srtt_us)
		__field(u32, min_rtt_us)
	),

	TP_fast_assign(
		SOCK_ASSIGN(mk);
		__entry->cwnd = mk->cwnd;
		__entry->inflight = mk->inflight;
		__entry->srtt_us = mk->srtt_us;
		__entry->min_rtt_us = mk->min_rtt_us;
	),

	TP_printk(SOCK_FORMAT
		  " cwnd=%u inflight=%u srtt_us=%u min_rtt_us=%u",
		  SOCK_ARGS, __entry->cwnd, __entry->inflight,
		  __entry->srtt_us, __entry->min_rtt_us)
);

#endif /* _TRACE_MRC_H */

/* This part must be outside protection */
#include <trace/define_trace.h>
