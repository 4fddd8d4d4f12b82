// SPDX-License-Identifier: GPL-2.0-only
/* mrc sock: sockets and their paths, in the manner of ss(8). */
#include <ctype.h>
#include <getopt.h>
#include <linux/mrc_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nl.h"
#include "out.h"

static const char usage[] = "sock [-a | -l] [-4 | -6] [-i] [-p]";

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
	[MRC_PATH_STATE_STANDBY] = "standby",
	[MRC_PATH_STATE_PROBATION] = "probation",
	[MRC_PATH_STATE_DENIED] = "denied",
};

static const struct gnl_names types = {
	type_name, ARRAY_SIZE(type_name)
};

static const struct gnl_names sock_states = {
	sock_state_name, ARRAY_SIZE(sock_state_name)
};

static const struct gnl_names path_states = {
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
	[MRC_A_PATH_STATE] = { "state", GNL_NAME, .names = &path_states },
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
	[MRC_A_SOCK_TYPE] = { "type", GNL_NAME, .names = &types },
	[MRC_A_SOCK_STATE] = { "state", GNL_NAME, .names = &sock_states },
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
	[MRC_A_SOCK_PLANE] = { "planes", GNL_LIST, .nest = &plane_set },
	[MRC_A_SOCK_PATH] = { "paths", GNL_LIST, .nest = &path_set },
};

static const struct gnl_set sock_set = { sock_attrs, ARRAY_SIZE(sock_attrs) };

static const char *const sock_title[] = {
	"State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port"
};

static const char *const path_title[] = {
	"Path", "Plane", "EV", "State", "Since", "RTT ms", "MTU", "Sent", "Lost",
	"CE"
};

/**
 * struct view - what to show, and where it is gathered
 * @all: in every state
 * @listening: only listeners
 * @af: '4' or '6' for sockets with such an address only, else 0
 * @info: a line about the connection
 * @paths: a table of its paths
 * @table: text is gathered here
 * @list: JSON is printed here
 */
struct view {
	bool all;
	bool listening;
	char af;
	bool info;
	bool paths;
	struct out_table table;
	struct out_list list;
};

/**
 * struct field - what -i shows
 * @title: as it is called there
 * @key: where it is found
 * @unit: UNIT_MS for a time in microseconds, which is shown so
 */
struct field {
	const char *title;
	const char *key;
	enum { UNIT_NONE, UNIT_MS } unit;
};

static const struct field identity[] = {
	{ "id", "id", UNIT_NONE },
	{ "type", "type", UNIT_NONE },
	{ "uid", "uid", UNIT_NONE },
	{ "inode", "inode", UNIT_NONE },
};

static const struct field flow[] = {
	{ "cong", "cong", UNIT_NONE },
	{ "rtt", "srtt_us", UNIT_MS },
	{ "rttvar", "rttvar_us", UNIT_MS },
	{ "minrtt", "min_rtt_us", UNIT_MS },
	{ "cwnd", "cwnd", UNIT_NONE },
	{ "inflight", "inflight", UNIT_NONE },
	{ "mss", "mss", UNIT_NONE },
};

static const struct field volume[] = {
	{ "sent", "tx_bytes", UNIT_NONE },
	{ "resent", "rtx_bytes", UNIT_NONE },
	{ "received", "rx_bytes", UNIT_NONE },
	{ "lost", "lost", UNIT_NONE },
	{ "paths", "nr_paths", UNIT_NONE },
	{ "usable", "nr_usable", UNIT_NONE },
};

static bool in_state(struct json_object *sk, const char *state)
{
	return strcmp(out_string(sk, "state"), state) == 0;
}

static bool wanted(const struct view *view, struct json_object *sk)
{
	bool listener = in_state(sk, "listen");
	char af;

	if (view->listening ? !listener :
	    !view->all && (listener || in_state(sk, "close")))
		return false;
	if (!view->af)
		return true;
	af = strchr(out_string(sk, "local_addr"), ':') ? '6' : '4';
	return out_has(sk, "local_addr") && af == view->af;
}

static char *endpoint(struct json_object *sk, const char *addr_key,
		      const char *port_key)
{
	const char *addr = out_has(sk, addr_key) ? out_string(sk, addr_key) :
						   "*";
	char port[sizeof("65535")] = "*";

	if (out_uint(sk, port_key))
		snprintf(port, sizeof(port), "%u",
			 (unsigned int)out_uint(sk, port_key) & 0xffff);
	return out_text(strchr(addr, ':') ? "[%s]:%s" : "%s:%s", addr, port);
}

static char *upper(const char *text)
{
	char *copy = out_text("%s", text), *c;

	for (c = copy; *c; c++)
		*c = toupper((unsigned char)*c);
	return copy;
}

/* ss, too, shows a listener's queue of connections in these columns. */
static void add_sock(struct view *view, struct json_object *sk)
{
	bool listener = in_state(sk, "listen");
	char *cells[ARRAY_SIZE(sock_title)] = {
		upper(out_string(sk, "state")),
		out_text("%s", out_string(sk, listener ? "accept_queue" :
							 "rx_queue")),
		out_text("%s", out_string(sk, listener ? "accept_limit" :
							 "tx_queue")),
		endpoint(sk, "local_addr", "local_port"),
		endpoint(sk, "remote_addr", "remote_port"),
	};

	out_row(&view->table, cells);
}

/* A line of key:value; what the kernel left out is left out. */
static void add_fields(FILE *file, struct json_object *sk,
		       const struct field *field, size_t count)
{
	char separator = '\t';
	size_t i;

	for (i = 0; i < count; i++) {
		const char *key = field[i].key;

		if (!out_has(sk, key))
			continue;
		fprintf(file, "%c%s:", separator, field[i].title);
		if (field[i].unit == UNIT_MS)
			fprintf(file, "%.3fms", out_uint(sk, key) / 1000.0);
		else
			fputs(out_string(sk, key), file);
		separator = ' ';
	}
	fputc('\n', file);
}

static void add_info(struct view *view, struct json_object *sk)
{
	size_t len;
	char *text;
	FILE *file;

	file = open_memstream(&text, &len);
	if (!file)
		die("out of memory");
	add_fields(file, sk, identity, ARRAY_SIZE(identity));
	if (!in_state(sk, "listen") && !in_state(sk, "close")) {
		add_fields(file, sk, flow, ARRAY_SIZE(flow));
		add_fields(file, sk, volume, ARRAY_SIZE(volume));
	}
	fclose(file);
	out_note(&view->table, text);
}

/* The flow label is a part of the entropy value, and only IPv6 has one. */
static char *entropy(struct json_object *sk, struct json_object *path)
{
	if (!strchr(out_string(sk, "local_addr"), ':'))
		return out_text("%s", out_string(path, "ev"));
	return out_text("%s/%05llx", out_string(path, "ev"),
			out_uint(path, "flow_label"));
}

static char *age(struct json_object *path)
{
	unsigned long long ms = out_uint(path, "state_age_ms");

	if (ms < 10000)
		return out_text("%llums", ms);
	if (ms < 10000 * 60)
		return out_text("%llus", ms / 1000);
	return out_text("%llumin", ms / 1000 / 60);
}

static void add_path(struct out_table *table, struct json_object *sk,
		     struct json_object *path)
{
	char *cells[ARRAY_SIZE(path_title)] = {
		out_text("%s", out_string(path, "index")),
		out_text("%s", out_string(path, "plane")),
		entropy(sk, path),
		upper(out_string(path, "state")),
		age(path),
		out_ms(path, "srtt_us"),
		out_text("%s", out_string(path, "pmtu")),
		out_text("%s", out_string(path, "sent")),
		out_text("%s", out_string(path, "lost")),
		out_text("%s", out_string(path, "ce")),
	};

	out_row(table, cells);
}

static void add_paths(struct view *view, struct json_object *sk)
{
	struct out_table table = {
		.title = path_title,
		.columns = ARRAY_SIZE(path_title),
		.right = 0x3f7,
		.indent = "\t",
	};
	struct json_object *list;
	size_t i, len;
	char *text;
	FILE *file;

	if (!json_object_object_get_ex(sk, "paths", &list)) {
		if (out_has(sk, "nr_paths"))
			out_note(&view->table,
				 out_text("\tpaths: not permitted\n"));
		return;
	}
	file = open_memstream(&text, &len);
	if (!file)
		die("out of memory");
	for (i = 0; i < json_object_array_length(list); i++)
		add_path(&table, sk, json_object_array_get_idx(list, i));
	out_print(&table, file);
	fclose(file);
	out_note(&view->table, text);
}

static void gather(struct json_object *sk, void *arg)
{
	struct view *view = arg;

	if (!wanted(view, sk)) {
		json_object_put(sk);
	} else if (options.json) {
		out_list(&view->list, sk);
	} else {
		add_sock(view, sk);
		if (view->info)
			add_info(view, sk);
		if (view->paths)
			add_paths(view, sk);
		json_object_put(sk);
	}
}

static void help(void)
{
	printf("usage: mrc [-j] [-n NETNS] %s\n"
	       "  -a      sockets in every state\n"
	       "  -l      only listening sockets\n"
	       "  -4, -6  only those with an IPv4 or IPv6 address\n"
	       "  -i      round trip times, window, volumes\n"
	       "  -p      each path\n", usage);
}

static bool parse(struct view *view, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "ahilp46")) != -1) {
		switch (option) {
		case 'a':
			view->all = true;
			break;
		case 'h':
			help();
			return false;
		case 'i':
			view->info = true;
			break;
		case 'l':
			view->listening = true;
			break;
		case 'p':
			view->paths = true;
			break;
		case '4':
		case '6':
			view->af = option;
			break;
		default:
			usage_error(usage);
		}
	}
	if (optind < argc || (view->all && view->listening))
		usage_error(usage);
	return true;
}

int verb_sock(int argc, char **argv)
{
	struct view view = {
		.table = {
			.title = sock_title,
			.columns = ARRAY_SIZE(sock_title),
			.right = 0x6,
			.indent = "",
		},
	};
	struct nl_msg *request;

	if (!parse(&view, argc, argv))
		return 0;
	request = gnl_request(MRC_CMD_SOCK_GET, NLM_F_DUMP);
	if (view.paths)
		gnl_put(nla_put_flag(request, MRC_A_SOCK_PATHS));
	gnl_send(request, &sock_set, gather, &view);
	if (options.json)
		out_list_end(&view.list);
	else
		out_print(&view.table, stdout);
	return 0;
}
