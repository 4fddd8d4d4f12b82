// SPDX-License-Identifier: GPL-2.0-only
/* mrc path: change the paths of a connection, and watch them. */
#include <ctype.h>
#include <getopt.h>
#include <linux/mrc_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nl.h"
#include "out.h"
#include "watch.h"

static const char usage[] =
	"path deny | allow ID PATH... | weight ID WEIGHT PATH... | watch [ID]";

#define MOST_PATHS	256

static unsigned long number(const char *text, char **end, unsigned long most)
{
	unsigned long value = 0;

	*end = (char *)text;
	if (isdigit((unsigned char)*text))
		value = strtoul(text, end, 10);
	if (*end == text || value > most)
		die("\"%s\" is no number from 0 to %lu", text, most);
	return value;
}

static unsigned long whole_number(const char *text, unsigned long most)
{
	unsigned long value;
	char *end;

	value = number(text, &end, most);
	if (*end)
		die("\"%s\" is no number", text);
	return value;
}

/* @weight 0: only the flag @attr */
static void put_change(struct nl_msg *request, unsigned int index, int attr,
		       unsigned int weight)
{
	struct nlattr *nest;

	nest = nla_nest_start(request, MRC_A_SOCK_CHANGE | NLA_F_NESTED);
	if (!nest)
		die("out of memory");
	gnl_put(nla_put_u32(request, MRC_A_PATH_CHANGE_INDEX, index));
	if (attr == MRC_A_PATH_CHANGE_WEIGHT)
		gnl_put(nla_put_u32(request, attr, weight));
	else
		gnl_put(nla_put_flag(request, attr));
	nla_nest_end(request, nest);
}

/* PATH is an index, or two with a dash between. */
static void put_range(struct nl_msg *request, const char *text, int attr,
		      unsigned int weight)
{
	unsigned int first, last;
	char *end;

	first = number(text, &end, MOST_PATHS - 1);
	last = *end == '-' ? whole_number(end + 1, MOST_PATHS - 1) : first;
	if ((*end && *end != '-') || last < first)
		die("\"%s\" is no range of paths", text);
	for (; first <= last; first++)
		put_change(request, first, attr, weight);
}

static int change(int argc, char **argv, int attr)
{
	unsigned int weight = 0;
	struct nl_msg *request;
	int i = 1;

	if (argc < (attr == MRC_A_PATH_CHANGE_WEIGHT ? 4 : 3))
		usage_error(usage);
	request = gnl_request(MRC_CMD_PATH_SET, NLM_F_ACK);
	gnl_put(nla_put_u32(request, MRC_A_SOCK_ID,
			    whole_number(argv[i++], 0xffffffff)));
	if (attr == MRC_A_PATH_CHANGE_WEIGHT)
		weight = whole_number(argv[i++], 0xffffffff);
	while (i < argc)
		put_range(request, argv[i++], attr, weight);
	gnl_change(request, 0);
	return 0;
}

static int watch(int argc, char **argv)
{
	struct watch watch = { .paths_only = true };

	if (argc > 2)
		usage_error(usage);
	if (argc == 2)
		watch.id = whole_number(argv[1], 0xffffffff);
	watch_run(&watch);
	return 0;
}

static void help(void)
{
	printf("usage: mrc [-j] [-n NETNS] %s\n"
	       "  deny    the paths carry nothing until they are allowed again\n"
	       "  allow   they carry data again\n"
	       "  weight  limit their share\n"
	       "  watch   print changes of their states as they happen\n"
	       "ID is that of mrc sock -i, PATH an index, or FIRST-LAST\n", usage);
}

int verb_path(int argc, char **argv)
{
	switch (getopt(argc, argv, "+h")) {
	case -1:
		break;
	case 'h':
		help();
		return 0;
	default:
		usage_error(usage);
	}
	argc -= optind;
	argv += optind;
	if (!argc)
		usage_error(usage);
	if (strcmp(argv[0], "deny") == 0)
		return change(argc, argv, MRC_A_PATH_CHANGE_DENY);
	if (strcmp(argv[0], "allow") == 0)
		return change(argc, argv, MRC_A_PATH_CHANGE_ALLOW);
	if (strcmp(argv[0], "weight") == 0)
		return change(argc, argv, MRC_A_PATH_CHANGE_WEIGHT);
	if (strcmp(argv[0], "watch") == 0)
		return watch(argc, argv);
	usage_error(usage);
}
