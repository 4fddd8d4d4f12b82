// SPDX-License-Identifier: GPL-2.0-only
/* mrc stat: counters of a network namespace. */
#include <ctype.h>
#include <getopt.h>
#include <linux/mrc_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "nl.h"
#include "out.h"
#include "spec.h"

static const char usage[] = "stat [-a] [-i SECONDS | --prometheus]";

/**
 * struct stat_view - which counters to show
 * @all: those that are 0, too
 * @interval: seconds between differences, 0: only the sums
 * @before: counters at the last time, NULL at first
 */
struct stat_view {
	bool all;
	unsigned int interval;
	struct json_object *before;
};

static void keep(struct json_object *reply, void *arg)
{
	struct json_object **counters = arg;

	*counters = json_object_get(json_object_object_get(reply, "counters"));
	json_object_put(reply);
}

static struct json_object *get_counters(void)
{
	struct json_object *counters = NULL;

	gnl_send(gnl_request(MRC_CMD_COUNTERS_GET, NLM_F_ACK), &spec_counters,
		 keep, &counters);
	if (!counters)
		die("no counters in the reply");
	return counters;
}

/* Both lists are in the kernel's order. */
static unsigned long long difference(struct json_object *counter, size_t index,
				     struct json_object *before)
{
	unsigned long long value = out_uint(counter, "value");

	if (!before)
		return value;
	return value - out_uint(json_object_array_get_idx(before, index),
				"value");
}

static void show(const struct stat_view *view, struct json_object *counters)
{
	struct json_object *object = json_object_new_object();
	size_t i;

	for (i = 0; i < json_object_array_length(counters); i++) {
		struct json_object *counter;
		unsigned long long value;

		counter = json_object_array_get_idx(counters, i);
		value = difference(counter, i, view->before);
		if (!value && !view->all)
			continue;
		if (options.json)
			json_object_object_add(object,
					       out_string(counter, "name"),
					       json_object_new_uint64(value));
		else
			printf("%-16s %12llu\n", out_string(counter, "name"),
			       value);
	}
	if (options.json)
		out_json(json_object_get(object));
	else if (view->interval)
		putchar('\n');
	json_object_put(object);
	fflush(stdout);
}

__noreturn static void show_changes(struct stat_view *view)
{
	struct json_object *counters;

	for (;;) {
		counters = get_counters();
		if (view->before)
			show(view, counters);
		json_object_put(view->before);
		view->before = counters;
		sleep(view->interval);
	}
}

/* InSegs becomes mrc_in_segs_total. */
static void print_metric(struct json_object *counter)
{
	const char *name = out_string(counter, "name"), *c;
	char metric[64] = "mrc";
	size_t len = strlen(metric);

	for (c = name; *c && len < sizeof(metric) - 2; c++) {
		if (isupper((unsigned char)*c))
			metric[len++] = '_';
		metric[len++] = tolower((unsigned char)*c);
	}
	metric[len] = '\0';
	printf("# TYPE %s_total counter\n%s_total %llu\n", metric, metric,
	       out_uint(counter, "value"));
}

/**
 * struct population - how many there are, by state
 * @sock: sockets
 * @path: paths that we may see
 */
struct population {
	unsigned long long sock[MRC_SOCK_STATE_CLOSING + 1];
	unsigned long long path[MRC_PATH_STATE_DENIED + 1];
};

static void count_state(const struct gnl_names *names, struct json_object *of,
			unsigned long long *count)
{
	const char *state = out_string(of, "state");
	int value = spec_value(names, state, strlen(state));

	if (value >= 0)
		count[value]++;
}

static void count_sock(struct json_object *sk, void *arg)
{
	struct population *population = arg;
	struct json_object *list;
	size_t i;

	count_state(&spec_sock_states, sk, population->sock);
	if (json_object_object_get_ex(sk, "paths", &list))
		for (i = 0; i < json_object_array_length(list); i++)
			count_state(&spec_path_states,
				    json_object_array_get_idx(list, i),
				    population->path);
	json_object_put(sk);
}

static void print_population(const char *metric, const char *help,
			     const struct gnl_names *names,
			     const unsigned long long *count)
{
	unsigned int i;

	printf("# HELP %s %s\n# TYPE %s gauge\n", metric, help, metric);
	for (i = 0; i < names->count; i++)
		if (names->name[i])
			printf("%s{state=\"%s\"} %llu\n", metric,
			       names->name[i], count[i]);
}

static int show_prometheus(void)
{
	struct json_object *counters = get_counters();
	struct population population = {};
	struct nl_msg *request;
	size_t i;

	for (i = 0; i < json_object_array_length(counters); i++)
		print_metric(json_object_array_get_idx(counters, i));
	json_object_put(counters);
	request = gnl_request(MRC_CMD_SOCK_GET, NLM_F_DUMP);
	gnl_put(nla_put_flag(request, MRC_A_SOCK_PATHS));
	gnl_send(request, &spec_sock, count_sock, &population);
	print_population("mrc_sockets", "Sockets by state.", &spec_sock_states,
			 population.sock);
	print_population("mrc_paths", "Paths of connections by state.",
			 &spec_path_states, population.path);
	return 0;
}

static void help(void)
{
	printf("usage: mrc [-j] [-n NETNS] %s\n"
	       "  -a            counters that are 0, too\n"
	       "  -i SECONDS    differences, as often as that\n"
	       "  --prometheus  for Prometheus, with sockets and paths by state\n",
	       usage);
}

int verb_stat(int argc, char **argv)
{
	static const struct option long_options[] = {
		{ "prometheus", no_argument, NULL, 'P' },
		{}
	};
	struct stat_view view = {};
	struct json_object *counters;
	bool prometheus = false;
	int option;

	while ((option = getopt_long(argc, argv, "ahi:", long_options, NULL)) != -1) {
		switch (option) {
		case 'a':
			view.all = true;
			break;
		case 'h':
			help();
			return 0;
		case 'i':
			view.interval = atoi(optarg);
			if (!view.interval)
				usage_error(usage);
			break;
		case 'P':
			prometheus = true;
			break;
		default:
			usage_error(usage);
		}
	}
	if (optind < argc || (prometheus && view.interval))
		usage_error(usage);
	if (prometheus)
		return show_prometheus();
	if (view.interval)
		show_changes(&view);
	counters = get_counters();
	show(&view, counters);
	json_object_put(counters);
	return 0;
}
