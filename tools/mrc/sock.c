// SPDX-License-Identifier: GPL-2.0-only
/* mrc sock: sockets and their paths, in the manner of ss(8). */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <linux/mrc_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nl.h"
#include "out.h"
#include "spec.h"

static const char usage[] =
	"sock [-a | -l] [-4 | -6] [-i] [-m] [-p] [-K] [KEY=VALUE...]";

#define ALL_STATES	((2U << MRC_SOCK_STATE_CLOSING) - 2)
#define NOT_CONNECTED	(1U << MRC_SOCK_STATE_LISTEN | 1U << MRC_SOCK_STATE_CLOSE)

static const char *const sock_title[] = {
	"State", "Recv-Q", "Send-Q", "Local Address:Port", "Peer Address:Port"
};

static const char *const path_title[] = {
	"Path", "Plane", "EV", "State", "Since", "RTT ms", "MTU", "Sent", "Lost",
	"CE"
};

/**
 * struct view - what to show, and where it is gathered
 * @states: in these states, a bit each
 * @wanted: words KEY=VALUE: those of which all this is true
 * @count: their number
 * @kill: end them
 * @victims: those to be ended
 * @memory: a line about memory
 * @af: '4' or '6' for sockets with such an address only, else 0
 * @info: a line about the connection
 * @paths: a table of its paths
 * @table: text is gathered here
 * @list: JSON is printed here
 */
struct view {
	unsigned int states;
	char **wanted;
	int count;
	bool kill;
	struct json_object *victims;
	bool memory;
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

/* In the manner of ss -m */
static const struct field memory[] = {
	{ "r", "rmem", UNIT_NONE },
	{ "rb", "rcvbuf", UNIT_NONE },
	{ "t", "wmem_queued", UNIT_NONE },
	{ "tb", "sndbuf", UNIT_NONE },
	{ "f", "forward_alloc", UNIT_NONE },
	{ "w", "wmem", UNIT_NONE },
	{ "bl", "backlog", UNIT_NONE },
};

static bool in_state(struct json_object *sk, const char *state)
{
	return strcmp(out_string(sk, "state"), state) == 0;
}

static bool wanted(const struct view *view, struct json_object *sk)
{
	char af;

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

static void add_notes(struct view *view, struct json_object *sk)
{
	size_t len;
	char *text;
	FILE *file;

	file = open_memstream(&text, &len);
	if (!file)
		die("out of memory");
	if (view->info)
		add_fields(file, sk, identity, ARRAY_SIZE(identity));
	if (view->info && !in_state(sk, "listen") && !in_state(sk, "close")) {
		add_fields(file, sk, flow, ARRAY_SIZE(flow));
		add_fields(file, sk, volume, ARRAY_SIZE(volume));
	}
	if (view->memory)
		add_fields(file, sk, memory, ARRAY_SIZE(memory));
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

static void show(struct view *view, struct json_object *sk)
{
	if (options.json) {
		out_list(&view->list, sk);
		return;
	}
	add_sock(view, sk);
	if (view->info || view->memory)
		add_notes(view, sk);
	if (view->paths)
		add_paths(view, sk);
	json_object_put(sk);
}

static void gather(struct json_object *sk, void *arg)
{
	struct view *view = arg;

	if (!wanted(view, sk))
		json_object_put(sk);
	else if (view->kill)
		json_object_array_add(view->victims, sk);
	else
		show(view, sk);
}

/* Shows those that it ended; some may have ended by themselves meanwhile. */
static void end_victims(struct view *view)
{
	size_t i;

	for (i = 0; i < json_object_array_length(view->victims); i++) {
		struct json_object *sk;
		struct nl_msg *request;

		sk = json_object_array_get_idx(view->victims, i);
		request = gnl_request(MRC_CMD_SOCK_KILL, NLM_F_ACK);
		gnl_put(nla_put_u32(request, MRC_A_SOCK_ID,
				    out_uint(sk, "id")));
		if (gnl_change(request, ENOENT))
			show(view, json_object_get(sk));
	}
	json_object_put(view->victims);
}

static void put_number(struct nl_msg *request, int attr, const char *text,
		       unsigned long long most)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || value > most)
		die("\"%s\" is no number from 0 to %llu", text, most);
	if (most == 0xffff)
		gnl_put(nla_put_u16(request, attr, value));
	else if (most == 0xffffffff)
		gnl_put(nla_put_u32(request, attr, value));
	else
		gnl_put(nla_put_u64(request, attr, value));
}

static void put_address(struct nl_msg *request, int attr, const char *text)
{
	unsigned char addr[sizeof(struct in6_addr)];

	if (inet_pton(AF_INET, text, addr) == 1)
		gnl_put(nla_put(request, attr, sizeof(struct in_addr), addr));
	else if (inet_pton(AF_INET6, text, addr) == 1)
		gnl_put(nla_put(request, attr, sizeof(struct in6_addr), addr));
	else
		die("\"%s\" is no address", text);
}

static int value_of(const struct gnl_names *names, const char *text, size_t len)
{
	int value = spec_value(names, text, len);

	if (value < 0)
		die("\"%.*s\" is not known", (int)len, text);
	return value;
}

static unsigned int states_of(const char *text)
{
	unsigned int states = 0;

	do {
		size_t len = strcspn(text, ",");

		states |= 1U << value_of(&spec_sock_states, text, len);
		text += len;
	} while (*text++);
	return states;
}

/**
 * struct key - what can be asked for
 * @name: KEY
 * @attr: MRC_A_SOCK_*
 * @most: of a number, its largest value; of an address 0
 */
struct key {
	const char *name;
	int attr;
	unsigned long long most;
};

static const struct key keys[] = {
	{ "id", MRC_A_SOCK_ID, 0xffffffff },
	{ "uid", MRC_A_SOCK_UID, 0xffffffff },
	{ "inode", MRC_A_SOCK_INODE, 0xffffffffffffffff },
	{ "lport", MRC_A_SOCK_LOCAL_PORT, 0xffff },
	{ "rport", MRC_A_SOCK_REMOTE_PORT, 0xffff },
	{ "laddr", MRC_A_SOCK_LOCAL_ADDR, 0 },
	{ "raddr", MRC_A_SOCK_REMOTE_ADDR, 0 },
};

static void put_wanted(struct nl_msg *request, struct view *view,
		       const char *word)
{
	size_t len = strcspn(word, "="), i;
	const char *value = word + len + 1;

	if (!word[len])
		usage_error(usage);
	if (strncmp(word, "state", len) == 0 && len == 5) {
		view->states = states_of(value);
		return;
	}
	if (strncmp(word, "type", len) == 0 && len == 4) {
		gnl_put(nla_put_u32(request, MRC_A_SOCK_TYPE,
				    value_of(&spec_types, value,
					     strlen(value))));
		return;
	}
	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct key *key = &keys[i];

		if (strlen(key->name) != len || strncmp(word, key->name, len))
			continue;
		if (key->most)
			put_number(request, key->attr, value, key->most);
		else
			put_address(request, key->attr, value);
		return;
	}
	usage_error(usage);
}

static void help(void)
{
	printf("usage: mrc [-j] [-n NETNS] %s\n"
	       "  -a      sockets in every state\n"
	       "  -l      only listening sockets\n"
	       "  -4, -6  only those with an IPv4 or IPv6 address\n"
	       "  -i      round trip times, window, volumes\n"
	       "  -m      memory\n"
	       "  -p      each path\n"
	       "  -K      end them; needs a KEY\n"
	       "keys: id, state (several with commas), type, laddr, lport, raddr, rport,\n"
	       "uid, inode\n", usage);
}

static bool parse(struct view *view, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "ahilmpK46")) != -1) {
		switch (option) {
		case 'a':
			view->states |= ALL_STATES;
			break;
		case 'h':
			help();
			return false;
		case 'i':
			view->info = true;
			break;
		case 'l':
			view->states |= 1U << MRC_SOCK_STATE_LISTEN;
			break;
		case 'm':
			view->memory = true;
			break;
		case 'p':
			view->paths = true;
			break;
		case 'K':
			view->kill = true;
			break;
		case '4':
		case '6':
			view->af = option;
			break;
		default:
			usage_error(usage);
		}
	}
	view->wanted = argv + optind;
	view->count = argc - optind;
	if (!view->states)
		view->states = ALL_STATES & ~NOT_CONNECTED;
	if (view->kill && !view->count)
		usage_error(usage);
	return true;
}

static struct nl_msg *make_request(struct view *view)
{
	struct nl_msg *request = gnl_request(MRC_CMD_SOCK_GET, NLM_F_DUMP);
	int i;

	for (i = 0; i < view->count; i++)
		put_wanted(request, view, view->wanted[i]);
	gnl_put(nla_put_u32(request, MRC_A_SOCK_STATES, view->states));
	if (view->paths)
		gnl_put(nla_put_flag(request, MRC_A_SOCK_PATHS));
	return request;
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

	if (!parse(&view, argc, argv))
		return 0;
	if (view.kill)
		view.victims = json_object_new_array();
	gnl_send(make_request(&view), &spec_sock, gather, &view);
	if (view.kill)
		end_victims(&view);
	if (options.json)
		out_list_end(&view.list);
	else
		out_print(&view.table, stdout);
	return 0;
}
