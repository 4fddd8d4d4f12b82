// SPDX-License-Identifier: GPL-2.0-only
/* What Documentation/netlink/specs/mrc.yaml says: attributes and names. */
#include <linux/mrc_netlink.h>
#include <string.h>
#include "mrc.h"
#include "spec.h"

static const char *const type_name[] = {
	[MRC_SOCK_TYPE_STREAM] = "stream",
	[MRC_SOCK_TYPE_RDM] = "rdm",
	[MRC_SOCK_TYPE_SEQPACKET] = "seqpacket",
};

static const char *const sock_state_name[] = {
	[MRC_SOCK_STATE_ESTABLISHED] = "established",
	[MRC_SOCK_STATE_SYN_SENT] = "syn-sent",
	[MRC_SOCK_STATE_SYN_RECV] = "syn-recv",
	[MRC_SOCK_STATE_FIN_WAIT1] = "fin-wait1",
	[MRC_SOCK_STATE_FIN_WAIT2] = "fin-wait2",
	[MRC_SOCK_STATE_TIME_WAIT] = "time-wait",
	[MRC_SOCK_STATE_CLOSE] = "close",
	[MRC_SOCK_STATE_CLOSE_WAIT] = "close-wait",
	[MRC_SOCK_STATE_LAST_ACK] = "last-ack",
	[MRC_SOCK_STATE_LISTEN] = "listen",
	[MRC_SOCK_STATE_CLOSING] = "closing",
};

static const char *const path_state_name[] = {
	[MRC_PATH_STATE_UNKNOWN] = "unknown",
	[MRC_PATH_STATE_GOOD] = "good",
	[MRC_PATH_STATE_SKIP] = "skip",
	[MRC_PATH_STATE_SUSPECT] = "suspect",
	[MRC_PATH_STATE_ASSUMED_BAD] = "assumed-bad",
	[MRC_PATH_STATE_PROBATION] = "probation",
	[MRC_PATH_STATE_DENIED] = "denied",
	[MRC_PATH_STATE_STANDBY] = "standby",
};

static const char *const path_why_name[] = {
	[MRC_PATH_WHY_ACKED] = "acked",
	[MRC_PATH_WHY_MARKED] = "marked",
	[MRC_PATH_WHY_PASSED_OVER] = "passed-over",
	[MRC_PATH_WHY_SILENT] = "silent",
	[MRC_PATH_WHY_LOSSES] = "losses",
	[MRC_PATH_WHY_UNANSWERED] = "unanswered",
	[MRC_PATH_WHY_GREY] = "grey",
	[MRC_PATH_WHY_ANSWERED] = "answered",
	[MRC_PATH_WHY_ADMIN] = "admin",
	[MRC_PATH_WHY_RELIEVED] = "relieved",
	[MRC_PATH_WHY_RELIEVES] = "relieves",
};

static const char *const close_why_name[] = {
	[MRC_CLOSE_WHY_FINISHED] = "finished",
	[MRC_CLOSE_WHY_ABORTED] = "aborted",
	[MRC_CLOSE_WHY_RESET] = "reset",
	[MRC_CLOSE_WHY_TIMEOUT] = "timeout",
	[MRC_CLOSE_WHY_ABANDONED] = "abandoned",
	[MRC_CLOSE_WHY_KILLED] = "killed",
};

static const struct gnl_names path_whys = {
	path_why_name, ARRAY_SIZE(path_why_name)
};

static const struct gnl_names close_whys = {
	close_why_name, ARRAY_SIZE(close_why_name)
};

const struct gnl_names spec_types = {
	type_name, ARRAY_SIZE(type_name)
};

const struct gnl_names spec_sock_states = {
	sock_state_name, ARRAY_SIZE(sock_state_name)
};

const struct gnl_names spec_path_states = {
	path_state_name, ARRAY_SIZE(path_state_name)
};

static const struct gnl_attr plane_attrs[MRC_A_PLANE_MAX + 1] = {
	[MRC_A_PLANE_INDEX] = { "index", GNL_UINT },
	[MRC_A_PLANE_LOCAL_ADDR] = { "local_addr", GNL_ADDR },
	[MRC_A_PLANE_REMOTE_ADDR] = { "remote_addr", GNL_ADDR },
	[MRC_A_PLANE_IFINDEX] = { "ifindex", GNL_UINT },
	[MRC_A_PLANE_VALID] = { "valid", GNL_TRUE },
};

static const struct gnl_attr path_attrs[MRC_A_PATH_MAX + 1] = {
	[MRC_A_PATH_INDEX] = { "index", GNL_UINT },
	[MRC_A_PATH_PLANE] = { "plane", GNL_UINT },
	[MRC_A_PATH_EV] = { "ev", GNL_UINT },
	[MRC_A_PATH_FLOW_LABEL] = { "flow_label", GNL_UINT },
	[MRC_A_PATH_GENERATION] = { "generation", GNL_UINT },
	[MRC_A_PATH_STATE] = { "state", GNL_NAME, .names = &spec_path_states },
	[MRC_A_PATH_STATE_AGE] = { "state_age_ms", GNL_UINT },
	[MRC_A_PATH_WEIGHT] = { "weight", GNL_UINT },
	[MRC_A_PATH_SRTT] = { "srtt_us", GNL_UINT },
	[MRC_A_PATH_RTTVAR] = { "rttvar_us", GNL_UINT },
	[MRC_A_PATH_MIN_RTT] = { "min_rtt_us", GNL_UINT },
	[MRC_A_PATH_INFLIGHT] = { "inflight", GNL_UINT },
	[MRC_A_PATH_SENT] = { "sent", GNL_UINT },
	[MRC_A_PATH_LOST] = { "lost", GNL_UINT },
	[MRC_A_PATH_CE] = { "ce", GNL_UINT },
	[MRC_A_PATH_SPURIOUS] = { "spurious", GNL_UINT },
	[MRC_A_PATH_PMTU] = { "pmtu", GNL_UINT },
};

static const struct gnl_set plane_set = { plane_attrs, ARRAY_SIZE(plane_attrs) };
static const struct gnl_set path_set = { path_attrs, ARRAY_SIZE(path_attrs) };

static const struct gnl_attr sock_attrs[MRC_A_SOCK_MAX + 1] = {
	[MRC_A_SOCK_ID] = { "id", GNL_UINT },
	[MRC_A_SOCK_TYPE] = { "type", GNL_NAME, .names = &spec_types },
	[MRC_A_SOCK_STATE] = { "state", GNL_NAME, .names = &spec_sock_states },
	[MRC_A_SOCK_LOCAL_ADDR] = { "local_addr", GNL_ADDR },
	[MRC_A_SOCK_REMOTE_ADDR] = { "remote_addr", GNL_ADDR },
	[MRC_A_SOCK_LOCAL_PORT] = { "local_port", GNL_UINT },
	[MRC_A_SOCK_REMOTE_PORT] = { "remote_port", GNL_UINT },
	[MRC_A_SOCK_UID] = { "uid", GNL_UINT },
	[MRC_A_SOCK_INODE] = { "inode", GNL_UINT },
	[MRC_A_SOCK_RX_QUEUE] = { "rx_queue", GNL_UINT },
	[MRC_A_SOCK_TX_QUEUE] = { "tx_queue", GNL_UINT },
	[MRC_A_SOCK_ACCEPT_QUEUE] = { "accept_queue", GNL_UINT },
	[MRC_A_SOCK_ACCEPT_LIMIT] = { "accept_limit", GNL_UINT },
	[MRC_A_SOCK_SRTT] = { "srtt_us", GNL_UINT },
	[MRC_A_SOCK_RTTVAR] = { "rttvar_us", GNL_UINT },
	[MRC_A_SOCK_MIN_RTT] = { "min_rtt_us", GNL_UINT },
	[MRC_A_SOCK_CONG] = { "cong", GNL_TEXT },
	[MRC_A_SOCK_CWND] = { "cwnd", GNL_UINT },
	[MRC_A_SOCK_INFLIGHT] = { "inflight", GNL_UINT },
	[MRC_A_SOCK_MSS] = { "mss", GNL_UINT },
	[MRC_A_SOCK_TX_OFFSET] = { "tx_offset", GNL_UINT },
	[MRC_A_SOCK_TX_LIMIT] = { "tx_limit", GNL_UINT },
	[MRC_A_SOCK_TX_BYTES] = { "tx_bytes", GNL_UINT },
	[MRC_A_SOCK_RTX_BYTES] = { "rtx_bytes", GNL_UINT },
	[MRC_A_SOCK_RX_BYTES] = { "rx_bytes", GNL_UINT },
	[MRC_A_SOCK_LOST] = { "lost", GNL_UINT },
	[MRC_A_SOCK_NR_PATHS] = { "nr_paths", GNL_UINT },
	[MRC_A_SOCK_NR_USABLE] = { "nr_usable", GNL_UINT },
	[MRC_A_SOCK_EVENT_SEQ] = { "event_seq", GNL_UINT },
	[MRC_A_SOCK_RMEM] = { "rmem", GNL_UINT },
	[MRC_A_SOCK_RCVBUF] = { "rcvbuf", GNL_UINT },
	[MRC_A_SOCK_WMEM] = { "wmem", GNL_UINT },
	[MRC_A_SOCK_SNDBUF] = { "sndbuf", GNL_UINT },
	[MRC_A_SOCK_WMEM_QUEUED] = { "wmem_queued", GNL_UINT },
	[MRC_A_SOCK_FORWARD_ALLOC] = { "forward_alloc", GNL_UINT },
	[MRC_A_SOCK_BACKLOG] = { "backlog", GNL_UINT },
	[MRC_A_SOCK_PLANE] = { "planes", GNL_LIST, .nest = &plane_set },
	[MRC_A_SOCK_PATH] = { "paths", GNL_LIST, .nest = &path_set },
};

const struct gnl_set spec_sock = { sock_attrs, ARRAY_SIZE(sock_attrs) };

static const struct gnl_attr event_attrs[MRC_A_EVENT_MAX + 1] = {
	[MRC_A_EVENT_SEQ] = { "seq", GNL_UINT },
	[MRC_A_EVENT_TIME] = { "time_ns", GNL_UINT },
	[MRC_A_EVENT_ID] = { "id", GNL_UINT },
	[MRC_A_EVENT_LOCAL_ADDR] = { "local_addr", GNL_ADDR },
	[MRC_A_EVENT_REMOTE_ADDR] = { "remote_addr", GNL_ADDR },
	[MRC_A_EVENT_LOCAL_PORT] = { "local_port", GNL_UINT },
	[MRC_A_EVENT_REMOTE_PORT] = { "remote_port", GNL_UINT },
	[MRC_A_EVENT_UID] = { "uid", GNL_UINT },
	[MRC_A_EVENT_CLOSE_WHY] = { "why", GNL_NAME, .names = &close_whys },
	[MRC_A_EVENT_ERROR] = { "error", GNL_UINT },
	[MRC_A_EVENT_PATH] = { "path", GNL_UINT },
	[MRC_A_EVENT_PLANE] = { "plane", GNL_UINT },
	[MRC_A_EVENT_EV] = { "ev", GNL_UINT },
	[MRC_A_EVENT_GENERATION] = { "generation", GNL_UINT },
	[MRC_A_EVENT_FROM] = { "from", GNL_NAME, .names = &spec_path_states },
	[MRC_A_EVENT_TO] = { "to", GNL_NAME, .names = &spec_path_states },
	[MRC_A_EVENT_PATH_WHY] = { "why", GNL_NAME, .names = &path_whys },
	[MRC_A_EVENT_LOST] = { "lost", GNL_UINT },
	[MRC_A_EVENT_UNTOLD] = { "untold", GNL_UINT },
	[MRC_A_EVENT_PENDING] = { "pending", GNL_UINT },
};

const struct gnl_set spec_event = { event_attrs, ARRAY_SIZE(event_attrs) };

static const struct gnl_attr setting_attrs[MRC_A_SETTING_MAX + 1] = {
	[MRC_A_SETTING_NAME] = { "name", GNL_TEXT },
	[MRC_A_SETTING_VALUE] = { "value", GNL_INTS },
	[MRC_A_SETTING_LEAST] = { "least", GNL_INT },
	[MRC_A_SETTING_MOST] = { "most", GNL_INT },
	[MRC_A_SETTING_FIRST] = { "first", GNL_INTS },
	[MRC_A_SETTING_CHOICE] = { "choice", GNL_TEXTS },
};

static const struct gnl_set setting_set = {
	setting_attrs, ARRAY_SIZE(setting_attrs)
};

static const struct gnl_attr settings_attrs[MRC_A_SETTINGS_MAX + 1] = {
	[MRC_A_SETTINGS_SETTING] = {
		"settings", GNL_LIST, .nest = &setting_set
	},
};

const struct gnl_set spec_settings = {
	settings_attrs, ARRAY_SIZE(settings_attrs)
};

static const struct gnl_attr counter_attrs[MRC_A_COUNTER_MAX + 1] = {
	[MRC_A_COUNTER_NAME] = { "name", GNL_TEXT },
	[MRC_A_COUNTER_VALUE] = { "value", GNL_UINT },
};

static const struct gnl_set counter_set = {
	counter_attrs, ARRAY_SIZE(counter_attrs)
};

static const struct gnl_attr counters_attrs[MRC_A_COUNTERS_MAX + 1] = {
	[MRC_A_COUNTERS_COUNTER] = {
		"counters", GNL_LIST, .nest = &counter_set
	},
};

const struct gnl_set spec_counters = {
	counters_attrs, ARRAY_SIZE(counters_attrs)
};

/**
 * spec_value() - the value that a name stands for
 * @names: names
 * @name: one of them, which need not end in a zero
 * @len: its length
 *
 * Return: the value, -1 if there is no such name.
 */
int spec_value(const struct gnl_names *names, const char *name, size_t len)
{
	unsigned int value;

	for (value = 0; value < names->count; value++) {
		if (names->name[value] && strlen(names->name[value]) == len &&
		    strncmp(names->name[value], name, len) == 0)
			return value;
	}
	return -1;
}
