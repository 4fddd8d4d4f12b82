// SPDX-License-Identifier: GPL-2.0-only
/* mrc: look at AF_MRC sockets and their paths, and change what needs it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "mrc.h"

struct verb {
	const char *name;
	const char *help;
	int (*run)(int argc, char **argv);
};

static const struct verb verbs[] = {
	{ "get", "settings", verb_get },
	{ "info", "address family, UDP port, version", verb_info },
	{ "monitor", "events, as they happen", verb_monitor },
	{ "path", "change and watch paths", verb_path },
	{ "ping", "which entropy values reach a host", verb_ping },
	{ "set", "change settings", verb_set },
	{ "sock", "sockets and their paths", verb_sock },
	{ "stat", "counters", verb_stat },
	{ "top", "connections and paths, live", verb_top },
	{ "trace", "tracepoints, in text", verb_trace },
};

struct options options;
void (*before_die)(void);

void die(const char *format, ...)
{
	va_list args;

	if (before_die)
		before_die();
	fputs("mrc: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(EXIT_RUNTIME);
}

void usage_error(const char *verb_usage)
{
	fprintf(stderr, "usage: mrc [-j] [-n NETNS] %s\n", verb_usage);
	exit(EXIT_USAGE);
}

static void help(void)
{
	size_t i;

	puts("usage: mrc [-j] [-n NETNS] VERB [OPTION...]\n"
	     "       mrc VERB -h\n"
	     "  -j        print JSON\n"
	     "  -n NETNS  in that network namespace (ip-netns(8))\n"
	     "  -h        print this\n"
	     "verbs:");
	for (i = 0; i < ARRAY_SIZE(verbs); i++)
		printf("  %-8s  %s\n", verbs[i].name, verbs[i].help);
}

static void enter_netns(const char *name)
{
	char path[PATH_MAX];
	int fd;

	if (strchr(name, '/'))
		die("\"%s\" is no name of a network namespace", name);
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("network namespace \"%s\": %s", name, strerror(errno));
	if (setns(fd, CLONE_NEWNET) < 0)
		die("cannot enter network namespace \"%s\": %s", name,
		    strerror(errno));
	close(fd);
}

static const struct verb *find_verb(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strcmp(name, verbs[i].name) == 0)
			return &verbs[i];
	}
	return NULL;
}

/* A full disk or a closed pipe must not look like success. */
static int flush_output(int status)
{
	if (fflush(stdout) == EOF || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return status;
}

int main(int argc, char **argv)
{
	const struct verb *verb;
	int option;

	opterr = 0;	/* usage_error() says it in one line */
	while ((option = getopt(argc, argv, "+hjn:")) != -1) {
		switch (option) {
		case 'h':
			help();
			return flush_output(0);
		case 'j':
			options.json = true;
			break;
		case 'n':
			enter_netns(optarg);
			break;
		default:
			usage_error("VERB [OPTION...]");
		}
	}
	argc -= optind;
	argv += optind;
	if (argc == 0)
		usage_error("VERB [OPTION...]");
	verb = find_verb(argv[0]);
	if (!verb) {
		fprintf(stderr, "mrc: unknown verb \"%s\", see mrc -h\n",
			argv[0]);
		return EXIT_USAGE;
	}
	optind = 0;	/* getopt() begins anew */
	return flush_output(verb->run(argc, argv));
}
