/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mrc.yaml */
/* YNL-GEN uapi header */
/* YNL-ARG --function-prefix mrc-netlink */
/* To regenerate run: Documentation/netlink/generate */

#ifndef _UAPI_LINUX_MRC_NETLINK_H
#define _UAPI_LINUX_MRC_NETLINK_H

#define MRC_GENL_NAME		"mrc"
#define MRC_GENL_VERSION	1

/*
 * Socket types, with the numbers that socket(2) takes.
 */
enum mrc_nl_sock_type {
	MRC_SOCK_TYPE_STREAM = 1,
	MRC_SOCK_TYPE_RDM = 4,
	MRC_SOCK_TYPE_SEQPACKET,
};

/*
 * States of a connection, with TCP's names and numbers.
 */
enum mrc_nl_sock_state {
	MRC_SOCK_STATE_ESTABLISHED = 1,
	MRC_SOCK_STATE_SYN_SENT,
	MRC_SOCK_STATE_SYN_RECV,
	MRC_SOCK_STATE_FIN_WAIT1,
	MRC_SOCK_STATE_FIN_WAIT2,
	MRC_SOCK_STATE_TIME_WAIT,
	MRC_SOCK_STATE_CLOSE,
	MRC_SOCK_STATE_CLOSE_WAIT,
	MRC_SOCK_STATE_LAST_ACK,
	MRC_SOCK_STATE_LISTEN,
	MRC_SOCK_STATE_CLOSING,
};

/**
 * enum mrc_nl_path_state - What is known of a path.
 * @MRC_PATH_STATE_UNKNOWN: Nothing was sent over it yet; used like a good one.
 * @MRC_PATH_STATE_GOOD: Carries data.
 * @MRC_PATH_STATE_SKIP: Its last echo was a congestion mark; passed over once.
 * @MRC_PATH_STATE_SUSPECT: Silent while others are not; probed, no new data.
 * @MRC_PATH_STATE_ASSUMED_BAD: Probes go unanswered; nothing but probes is
 *   sent.
 * @MRC_PATH_STATE_PROBATION: Answers again; carries data at half weight.
 * @MRC_PATH_STATE_DENIED: Taken out by the administrator.
 */
enum mrc_nl_path_state {
	MRC_PATH_STATE_UNKNOWN,
	MRC_PATH_STATE_GOOD,
	MRC_PATH_STATE_SKIP,
	MRC_PATH_STATE_SUSPECT,
	MRC_PATH_STATE_ASSUMED_BAD,
	MRC_PATH_STATE_PROBATION,
	MRC_PATH_STATE_DENIED,
};

/**
 * enum mrc_nl_path_why - Why a path changed its state.
 * @MRC_PATH_WHY_ACKED: Packets of it were acknowledged.
 * @MRC_PATH_WHY_MARKED: The echo of a packet carried a congestion mark.
 * @MRC_PATH_WHY_PASSED_OVER: It was passed over once for that mark.
 * @MRC_PATH_WHY_SILENT: Its packets are overdue while later ones of other
 *   paths are not.
 * @MRC_PATH_WHY_LOSSES: Several packets in a row were lost.
 * @MRC_PATH_WHY_UNANSWERED: Probes went unanswered.
 * @MRC_PATH_WHY_GREY: It loses far more than other paths do.
 * @MRC_PATH_WHY_ANSWERED: Probes were answered.
 * @MRC_PATH_WHY_ADMIN: The administrator wants it so.
 */
enum mrc_nl_path_why {
	MRC_PATH_WHY_ACKED,
	MRC_PATH_WHY_MARKED,
	MRC_PATH_WHY_PASSED_OVER,
	MRC_PATH_WHY_SILENT,
	MRC_PATH_WHY_LOSSES,
	MRC_PATH_WHY_UNANSWERED,
	MRC_PATH_WHY_GREY,
	MRC_PATH_WHY_ANSWERED,
	MRC_PATH_WHY_ADMIN,
};

/**
 * enum mrc_nl_close_why - Why a connection ended.
 * @MRC_CLOSE_WHY_FINISHED: Both sides ended their streams.
 * @MRC_CLOSE_WHY_ABORTED: It was cut off here, by the application or for lack
 *   of memory.
 * @MRC_CLOSE_WHY_RESET: The peer cut it off.
 * @MRC_CLOSE_WHY_TIMEOUT: Data went unanswered for the user timeout.
 * @MRC_CLOSE_WHY_ABANDONED: It was closed here, and the peer's end did not
 *   come in time.
 * @MRC_CLOSE_WHY_KILLED: The administrator ended it.
 */
enum mrc_nl_close_why {
	MRC_CLOSE_WHY_FINISHED,
	MRC_CLOSE_WHY_ABORTED,
	MRC_CLOSE_WHY_RESET,
	MRC_CLOSE_WHY_TIMEOUT,
	MRC_CLOSE_WHY_ABANDONED,
	MRC_CLOSE_WHY_KILLED,
};

enum {
	MRC_A_INFO_FAMILY = 1,
	MRC_A_INFO_UDP_PORT,
	MRC_A_INFO_WIRE_VERSION,

	__MRC_A_INFO_MAX,
	MRC_A_INFO_MAX = (__MRC_A_INFO_MAX - 1)
};

enum {
	MRC_A_PLANE_INDEX = 1,
	MRC_A_PLANE_LOCAL_ADDR,
	MRC_A_PLANE_REMOTE_ADDR,
	MRC_A_PLANE_IFINDEX,
	MRC_A_PLANE_VALID,

	__MRC_A_PLANE_MAX,
	MRC_A_PLANE_MAX = (__MRC_A_PLANE_MAX - 1)
};

enum {
	MRC_A_PATH_PAD = 1,
	MRC_A_PATH_INDEX,
	MRC_A_PATH_PLANE,
	MRC_A_PATH_EV,
	MRC_A_PATH_FLOW_LABEL,
	MRC_A_PATH_GENERATION,
	MRC_A_PATH_STATE,
	MRC_A_PATH_STATE_AGE,
	MRC_A_PATH_WEIGHT,
	MRC_A_PATH_SRTT,
	MRC_A_PATH_RTTVAR,
	MRC_A_PATH_MIN_RTT,
	MRC_A_PATH_INFLIGHT,
	MRC_A_PATH_SENT,
	MRC_A_PATH_LOST,
	MRC_A_PATH_CE,
	MRC_A_PATH_SPURIOUS,

	__MRC_A_PATH_MAX,
	MRC_A_PATH_MAX = (__MRC_A_PATH_MAX - 1)
};

enum {
	MRC_A_SOCK_PAD = 1,
	MRC_A_SOCK_ID,
	MRC_A_SOCK_PATHS,
	MRC_A_SOCK_TYPE,
	MRC_A_SOCK_STATE,
	MRC_A_SOCK_LOCAL_ADDR,
	MRC_A_SOCK_REMOTE_ADDR,
	MRC_A_SOCK_LOCAL_PORT,
	MRC_A_SOCK_REMOTE_PORT,
	MRC_A_SOCK_UID,
	MRC_A_SOCK_INODE,
	MRC_A_SOCK_RX_QUEUE,
	MRC_A_SOCK_TX_QUEUE,
	MRC_A_SOCK_ACCEPT_QUEUE,
	MRC_A_SOCK_ACCEPT_LIMIT,
	MRC_A_SOCK_SRTT,
	MRC_A_SOCK_RTTVAR,
	MRC_A_SOCK_MIN_RTT,
	MRC_A_SOCK_CONG,
	MRC_A_SOCK_CWND,
	MRC_A_SOCK_INFLIGHT,
	MRC_A_SOCK_MSS,
	MRC_A_SOCK_TX_OFFSET,
	MRC_A_SOCK_TX_LIMIT,
	MRC_A_SOCK_TX_BYTES,
	MRC_A_SOCK_RTX_BYTES,
	MRC_A_SOCK_RX_BYTES,
	MRC_A_SOCK_LOST,
	MRC_A_SOCK_NR_PATHS,
	MRC_A_SOCK_NR_USABLE,
	MRC_A_SOCK_PLANE,
	MRC_A_SOCK_PATH,

	__MRC_A_SOCK_MAX,
	MRC_A_SOCK_MAX = (__MRC_A_SOCK_MAX - 1)
};

enum {
	MRC_CMD_INFO_GET = 1,
	MRC_CMD_SOCK_GET,

	__MRC_CMD_MAX,
	MRC_CMD_MAX = (__MRC_CMD_MAX - 1)
};

#endif /* _UAPI_LINUX_MRC_NETLINK_H */
