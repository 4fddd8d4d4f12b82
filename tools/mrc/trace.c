// SPDX-License-Identifier: GPL-2.0-only
/*
 * mrc trace: the tracepoints, in text. A buffer of its own in tracefs keeps it
 * out of the way of others who trace; it goes with the program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>
#include "mrc.h"
#include "out.h"

static const char usage[] = "trace [-s ID] [EVENT...]";

#define TRACEFS	"/sys/kernel/tracing"

static char instance[PATH_MAX];
static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static void remove_instance(void)
{
	rmdir(instance);
}

static void make_instance(void)
{
	if (access(TRACEFS "/instances", F_OK) &&
	    mount("tracefs", TRACEFS, "tracefs", 0, NULL))
		die("no tracefs: %s", strerror(errno));
	if (access(TRACEFS "/events/mrc", F_OK))
		die("no tracepoints of mrc: %s", strerror(errno));
	snprintf(instance, sizeof(instance), TRACEFS "/instances/mrc-%d",
		 getpid());
	if (mkdir(instance, 0700))
		die("%s: %s", instance, strerror(errno));
	atexit(remove_instance);
}

/* Returns false if there is no such file. */
static bool write_file(const char *name, const char *text)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof(path), "%s/%s", instance, name) >=
	    (int)sizeof(path))
		return false;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT)
		return false;
	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: %s", path, strerror(errno));
	close(fd);
	return true;
}

/* Only this network namespace, and one socket of it if wanted */
static void set_filter(const char *id)
{
	struct stat ns;
	char *filter;

	if (stat("/proc/self/ns/net", &ns))
		die("network namespace: %s", strerror(errno));
	if (id)
		filter = out_text("netns == %lu && id == %lu",
				  (unsigned long)ns.st_ino,
				  strtoul(id, NULL, 10));
	else
		filter = out_text("netns == %lu", (unsigned long)ns.st_ino);
	write_file("events/mrc/filter", filter);
	free(filter);
}

/* EVENT may be without the mrc_ that all have. */
static void enable(const char *event)
{
	const char *prefix = strncmp(event, "mrc_", 4) ? "mrc_" : "";
	char *name = out_text("events/mrc/%s%s/enable", prefix, event);

	if (strchr(event, '/') || !write_file(name, "1"))
		die("no event \"%s\" in " TRACEFS "/events/mrc", event);
	free(name);
}

static void copy(void)
{
	char buffer[65536], *name = out_text("%s/trace_pipe", instance);
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t len;

	if (fd < 0)
		die("%s: %s", name, strerror(errno));
	free(name);
	while (!stopped) {
		len = read(fd, buffer, sizeof(buffer));
		if (len <= 0)
			break;
		fwrite(buffer, 1, len, stdout);
		if (fflush(stdout))
			break;
	}
	close(fd);
}

int verb_trace(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = stop };
	const char *id = NULL;
	int option;

	while ((option = getopt(argc, argv, "hs:")) != -1) {
		switch (option) {
		case 'h':
			printf("usage: mrc [-n NETNS] %s\n"
			       "  -s ID  only of this socket\n"
			       "EVENT: handshake, close, path_choice, path_state, ack, loss, retransmit,\n"
			       "cwnd; without one, all\n", usage);
			return 0;
		case 's':
			id = optarg;
			break;
		default:
			usage_error(usage);
		}
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGPIPE, &action, NULL);
	make_instance();
	set_filter(id);
	if (optind == argc)
		write_file("events/mrc/enable", "1");
	while (optind < argc)
		enable(argv[optind++]);
	copy();
	return 0;
}
