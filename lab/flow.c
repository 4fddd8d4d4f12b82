// SPDX-License-Identifier: GPL-2.0-only
/*
 * Traffic for an experiment: any number of connections, both ends of all of
 * them in this one process, which enters the network namespaces to make its
 * sockets. So there is one clock, and nobody waits for anybody.
 *
 * usage: flow [OPTIONS] FLOW...
 *	-t MS		when to stop; earlier if all flows are done
 *	-o FILE		where the results go, as JSON
 *	-b US		width of the bins of time (1000)
 *	-g US		shortest wait for data that is noted (200)
 *	-s MS		how often to read the counters of the links (5)
 *	-l FROM,TO,N	the leaves' namespaces, and their number of spines
 *	-e COMMAND	to run at the end, while the sockets are still open
 *
 * FLOW is NAME:KEY=VALUE,... with the keys kind (mrc, tcp, mptcp), from, to
 * (namespaces), addr, port, n (connections), cc, bytes, msg, start (ms) and
 * hold=1; see struct flow.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>
#include "flow.h"

struct flow *flows;
unsigned int nr_flows, nr_spines, unfinished;
int epoll;
uint64_t end_ns, bin_ns = 1000000, gap_min_ns = 200000, sample_ns = 5000000;
char *leaves[2];

static uint64_t began_ns;

uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec - began_ns;
}

void enter(const char *netns)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", netns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(1, "%s", path);
	close(fd);
}

/* Starts what is due; returns when to look again. */
static uint64_t do_due(uint64_t now, uint64_t *next_sample)
{
	uint64_t next = end_ns;
	unsigned int i;

	for (i = 0; i < nr_flows; i++) {
		if (flows[i].started)
			continue;
		if (flows[i].start_ns <= now)
			start_connecting(&flows[i]);
		else if (flows[i].start_ns < next)
			next = flows[i].start_ns;
	}
	if (!nr_spines)
		return next;
	if (*next_sample <= now) {
		take_sample();
		*next_sample += sample_ns;
	}
	return *next_sample < next ? *next_sample : next;
}

static void run(void)
{
	static void (*const handler[])(struct flow *) = {
		[LISTENER] = on_listener,
		[SENDER] = on_sender,
		[RECEIVER] = on_receiver,
	};
	struct epoll_event events[256];
	uint64_t now, next, next_sample = 0;
	int i, nr;

	while (unfinished && (now = now_ns()) < end_ns) {
		struct timespec wait;

		next = do_due(now, &next_sample) - now;
		wait.tv_sec = next / 1000000000;
		wait.tv_nsec = next % 1000000000;
		nr = epoll_pwait2(epoll, events, 256, &wait, NULL);
		for (i = 0; i < nr; i++)
			handler[events[i].data.u64 & 3]
				(&flows[events[i].data.u64 >> 2]);
	}
	if (nr_spines)
		take_sample();
}

static void set_leaves(char *text)
{
	char *number;

	leaves[0] = strsep(&text, ",");
	leaves[1] = strsep(&text, ",");
	number = strsep(&text, ",");
	if (!number || atoi(number) > MAX_SPINES)
		errx(2, "-l FROM,TO,SPINES");
	nr_spines = atoi(number);
}

int main(int argc, char **argv)
{
	const char *command = NULL, *file = "/dev/stdout";
	uint64_t stopped;
	unsigned int i;
	FILE *out;
	int c;

	while ((c = getopt(argc, argv, "t:o:b:g:s:l:e:")) != -1) {
		switch (c) {
		case 't':
			end_ns = strtoull(optarg, NULL, 0) * 1000000;
			break;
		case 'o':
			file = optarg;
			break;
		case 'b':
			bin_ns = strtoull(optarg, NULL, 0) * 1000;
			break;
		case 'g':
			gap_min_ns = strtoull(optarg, NULL, 0) * 1000;
			break;
		case 's':
			sample_ns = strtoull(optarg, NULL, 0) * 1000000;
			break;
		case 'l':
			set_leaves(optarg);
			break;
		case 'e':
			command = optarg;
			break;
		default:
			errx(2, "see the head of flow.c for how to use it");
		}
	}
	for (; optind < argc; optind++)
		add_flows(argv[optind]);
	if (!nr_flows || !end_ns)
		errx(2, "no flow, or no end");
	out = fopen(file, "w");
	if (!out)
		err(1, "%s", file);
	began_ns = now_ns();
	epoll = epoll_create1(EPOLL_CLOEXEC);
	unfinished = nr_flows;
	for (i = 0; i < nr_flows; i++)
		make_sockets(&flows[i]);
	if (nr_spines)
		open_samples();
	run();
	stopped = now_ns();
	if (command && system(command))
		warnx("failed: %s", command);
	print_results(out, stopped);
	return 0;
}
