// SPDX-License-Identifier: GPL-2.0-only
/* mrc monitor: events, as they happen. */
#include <getopt.h>
#include <linux/mrc_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include "nl.h"
#include "out.h"
#include "spec.h"
#include "watch.h"

static const char usage[] = "monitor [--resync]";

static const char *event_name(int command)
{
	switch (command) {
	case MRC_CMD_SOCK_ESTABLISHED: return "established";
	case MRC_CMD_SOCK_CLOSED: return "closed";
	case MRC_CMD_PATH_CHANGED: return "path";
	case MRC_CMD_HANDSHAKE_FLOOD: return "flood";
	}
	return "unknown";
}

static void print_time(struct json_object *event)
{
	unsigned long long ns = out_uint(event, "time_ns");
	time_t seconds = ns / 1000000000;
	struct tm tm;
	char text[sizeof("00:00:00")];

	localtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%T", &tm);
	printf("%s.%06llu ", text, ns % 1000000000 / 1000);
}

static void print_end(struct json_object *event, const char *addr,
		      const char *port)
{
	const char *text = out_string(event, addr);

	printf(strchr(text, ':') ? " [%s]:%s" : " %s:%s", text,
	       out_string(event, port));
}

static void print_text(int command, struct json_object *event)
{
	print_time(event);
	printf("%s id %s", event_name(command), out_string(event, "id"));
	print_end(event, "local_addr", "local_port");
	if (out_has(event, "remote_addr"))
		print_end(event, "remote_addr", "remote_port");
	if (command == MRC_CMD_PATH_CHANGED)
		printf(" path %s plane %s ev %s: %s -> %s",
		       out_string(event, "path"), out_string(event, "plane"),
		       out_string(event, "ev"), out_string(event, "from"),
		       out_string(event, "to"));
	if (out_has(event, "why"))
		printf(" (%s)", out_string(event, "why"));
	if (out_has(event, "error"))
		printf(" %s", strerror(out_uint(event, "error")));
	if (command == MRC_CMD_PATH_CHANGED)
		printf(" lost %s", out_string(event, "lost"));
	if (out_has(event, "untold"))
		printf(" untold %s", out_string(event, "untold"));
	if (command == MRC_CMD_HANDSHAKE_FLOOD)
		printf(" pending %s", out_string(event, "pending"));
	putchar('\n');
}

static void print(const char *name, int command, struct json_object *event)
{
	if (options.json) {
		json_object_object_add(event, "event",
				       json_object_new_string(name));
		out_json(event);
	} else {
		print_text(command, event);
		json_object_put(event);
	}
	fflush(stdout);
}

/* A socket as it is: which events are in it? */
static void know(struct json_object *sk, void *arg)
{
	struct watch *watch = arg;

	json_object_object_add(watch->known, out_string(sk, "id"),
			       json_object_new_uint64(out_uint(sk,
							       "event_seq")));
	if (options.json) {
		print("sock", 0, sk);
		return;
	}
	printf("sock id %s %s", out_string(sk, "id"), out_string(sk, "state"));
	print_end(sk, "local_addr", "local_port");
	print_end(sk, "remote_addr", "remote_port");
	printf(" paths %s usable %s\n", out_string(sk, "nr_paths"),
	       out_string(sk, "nr_usable"));
	json_object_put(sk);
}

static void resync(struct watch *watch)
{
	unsigned int connections = ((2U << MRC_SOCK_STATE_CLOSING) - 2) &
				   ~(1U << MRC_SOCK_STATE_LISTEN |
				     1U << MRC_SOCK_STATE_CLOSE);
	struct nl_msg *request;

	if (!watch->resync)
		return;
	json_object_put(watch->known);
	watch->known = json_object_new_object();
	if (options.json)
		print("resync", 0, json_object_new_object());
	else
		puts("resync");
	request = gnl_request(MRC_CMD_SOCK_GET, NLM_F_DUMP);
	gnl_put(nla_put_u32(request, MRC_A_SOCK_STATES, connections));
	gnl_put(nla_put_flag(request, MRC_A_SOCK_PATHS));
	gnl_send(request, &spec_sock, know, watch);
	fflush(stdout);
}

static void lost(struct watch *watch, unsigned int count)
{
	struct json_object *object;

	if (options.json) {
		object = json_object_new_object();
		if (count)
			json_object_object_add(object, "count",
					       json_object_new_uint64(count));
		print("lost", 0, object);
	} else if (count) {
		printf("lost %u events\n", count);
	} else {
		puts("lost events");
	}
	resync(watch);
}

static void overrun(void *arg)
{
	lost(arg, 0);
}

/* Was it contained in what was shown of its socket? */
static bool is_old(const struct watch *watch, struct json_object *event)
{
	unsigned int seq = out_uint(event, "seq");
	const char *id = out_string(event, "id");

	return watch->known && out_has(watch->known, id) &&
	       (int)(seq - (unsigned int)out_uint(watch->known, id)) <= 0;
}

static bool take(int command, struct json_object *event, void *arg)
{
	struct watch *watch = arg;
	unsigned int seq = out_uint(event, "seq");

	if (watch->any && seq != watch->last_seq + 1)
		lost(watch, seq - watch->last_seq - 1);
	watch->any = true;
	watch->last_seq = seq;
	if (is_old(watch, event) ||
	    (watch->id && out_uint(event, "id") != watch->id) ||
	    (watch->paths_only && command != MRC_CMD_PATH_CHANGED))
		json_object_put(event);
	else
		print(event_name(command), command, event);
	return true;
}

/**
 * watch_run() - show events until somebody stops the program
 * @watch: which
 */
void watch_run(struct watch *watch)
{
	gnl_join();
	resync(watch);
	fflush(stdout);
	gnl_listen(&spec_event, take, overrun, watch);
}

int verb_monitor(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "resync", no_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{}
	};
	struct watch watch = {};
	int option;

	while ((option = getopt_long(argc, argv, "hr", long_options, NULL)) != -1) {
		switch (option) {
		case 'h':
			printf("usage: mrc [-j] [-n NETNS] %s\n"
			       "  -r, --resync  show all connections, at first and after a loss\n",
			       usage);
			return 0;
		case 'r':
			watch.resync = true;
			break;
		default:
			usage_error(usage);
		}
	}
	if (optind < argc)
		usage_error(usage);
	watch_run(&watch);
	return 0;
}
