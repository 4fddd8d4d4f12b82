// SPDX-License-Identifier: GPL-2.0-only
/* mrc info: what a program must know to open sockets. */
#include <getopt.h>
#include <linux/mrc_netlink.h>
#include <stdio.h>
#include "nl.h"
#include "out.h"

static const char usage[] = "info";

static const struct gnl_attr info_attrs[] = {
	[MRC_A_INFO_FAMILY] = { "family", GNL_UINT },
	[MRC_A_INFO_UDP_PORT] = { "udp_port", GNL_UINT },
	[MRC_A_INFO_WIRE_VERSION] = { "wire_version", GNL_UINT },
};

static const struct gnl_set info_set = { info_attrs, MRC_A_INFO_MAX + 1 };

static void show(struct json_object *info, void *arg)
{
	(void)arg;
	if (options.json) {
		out_json(info);
		return;
	}
	printf("address family %s, UDP port %s, wire version %s\n",
	       out_string(info, "family"), out_string(info, "udp_port"),
	       out_string(info, "wire_version"));
	json_object_put(info);
}

int verb_info(int argc, char **argv)
{
	switch (getopt(argc, argv, "h")) {
	case -1:
		break;
	case 'h':
		printf("usage: mrc [-j] [-n NETNS] %s\n", usage);
		return 0;
	default:
		usage_error(usage);
	}
	if (optind < argc)
		usage_error(usage);
	gnl_send(gnl_request(MRC_CMD_INFO_GET, NLM_F_ACK), &info_set, show, NULL);
	return 0;
}
