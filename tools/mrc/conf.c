// SPDX-License-Identifier: GPL-2.0-only
/* mrc get and mrc set: settings of a network namespace. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <linux/mrc_netlink.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nl.h"
#include "out.h"
#include "spec.h"

static const char get_usage[] = "get [NAME...]";
static const char set_usage[] = "set NAME=VALUE[,VALUE,VALUE]...";

static const char *const title[] = { "Name", "Value", "Range", "Default" };

/**
 * struct names - settings that are asked for
 * @name: their names
 * @count: how many, 0 for all
 * @found: how many there are
 */
struct names {
	char **name;
	int count;
	int found;
};

static bool asked_for(struct names *names, const char *name)
{
	int i;

	for (i = 0; i < names->count; i++) {
		if (strcmp(names->name[i], name) == 0) {
			names->found++;
			return true;
		}
	}
	return names->count == 0;
}

static char *join(struct json_object *list)
{
	char *text = out_text("%s", ""), *longer;
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		longer = out_text("%s%s%s", text, i ? "," : "",
				  json_object_get_string(json_object_array_get_idx(list, i)));
		free(text);
		text = longer;
	}
	return text;
}

/* The values, or the name of the only one */
static char *values(struct json_object *setting, const char *key)
{
	struct json_object *list = json_object_object_get(setting, key);
	struct json_object *choice = json_object_object_get(setting, "choice");
	int first = json_object_get_int(json_object_array_get_idx(list, 0));

	if (!choice)
		return join(list);
	return out_text("%s", json_object_get_string(json_object_array_get_idx(choice, first)));
}

static char *range(struct json_object *setting)
{
	struct json_object *choice = json_object_object_get(setting, "choice");

	if (choice)
		return join(choice);
	return out_text("%s..%s", out_string(setting, "least"),
			out_string(setting, "most"));
}

static void add_row(struct out_table *table, struct json_object *setting)
{
	char *cells[ARRAY_SIZE(title)] = {
		out_text("%s", out_string(setting, "name")),
		values(setting, "value"),
		range(setting),
		values(setting, "first"),
	};

	out_row(table, cells);
}

static void show(struct json_object *reply, void *arg)
{
	struct out_table table = {
		.title = title,
		.columns = ARRAY_SIZE(title),
		.indent = "",
	};
	struct json_object *all = json_object_object_get(reply, "settings");
	struct names *names = arg;
	struct out_list list = {};
	size_t i;

	for (i = 0; i < json_object_array_length(all); i++) {
		struct json_object *setting = json_object_array_get_idx(all, i);

		if (!asked_for(names, out_string(setting, "name")))
			continue;
		if (options.json)
			out_list(&list, json_object_get(setting));
		else
			add_row(&table, setting);
	}
	if (options.json)
		out_list_end(&list);
	else
		out_print(&table, stdout);
	json_object_put(reply);
}

int verb_get(int argc, char **argv)
{
	struct names names = {};

	switch (getopt(argc, argv, "h")) {
	case -1:
		break;
	case 'h':
		printf("usage: mrc [-j] [-n NETNS] %s\n", get_usage);
		return 0;
	default:
		usage_error(get_usage);
	}
	names.name = argv + optind;
	names.count = argc - optind;
	gnl_send(gnl_request(MRC_CMD_SETTINGS_GET, NLM_F_ACK), &spec_settings,
		 show, &names);
	if (names.found < names.count)
		die("no such setting");
	return 0;
}

static void put_value(struct nl_msg *request, const char *text, char **end)
{
	long value;

	errno = 0;
	value = strtol(text, end, 0);
	if (*end == text || errno || value < INT_MIN || value > INT_MAX)
		die("\"%s\" is no number", text);
	gnl_put(nla_put_s32(request, MRC_A_SETTING_VALUE, value));
}

static void put_values(struct nl_msg *request, const char *text)
{
	char *end;

	if (isalpha((unsigned char)*text)) {
		gnl_put(nla_put_string(request, MRC_A_SETTING_CHOICE, text));
		return;
	}
	put_value(request, text, &end);
	while (*end == ',')
		put_value(request, end + 1, &end);
	if (*end)
		die("\"%s\" is no number", end);
}

static void put_change(struct nl_msg *request, char *word)
{
	char *value = strchr(word, '=');
	struct nlattr *nest;

	if (!value)
		usage_error(set_usage);
	*value++ = '\0';
	nest = nla_nest_start(request, MRC_A_SETTINGS_CHANGE | NLA_F_NESTED);
	if (!nest)
		die("out of memory");
	gnl_put(nla_put_string(request, MRC_A_SETTING_NAME, word));
	put_values(request, value);
	nla_nest_end(request, nest);
}

int verb_set(int argc, char **argv)
{
	struct nl_msg *request;

	switch (getopt(argc, argv, "h")) {
	case -1:
		break;
	case 'h':
		printf("usage: mrc [-n NETNS] %s\n", set_usage);
		return 0;
	default:
		usage_error(set_usage);
	}
	if (optind == argc)
		usage_error(set_usage);
	request = gnl_request(MRC_CMD_SETTINGS_SET, NLM_F_ACK);
	while (optind < argc)
		put_change(request, argv[optind++]);
	gnl_change(request, 0);
	return 0;
}
