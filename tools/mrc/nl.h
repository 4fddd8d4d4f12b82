/* SPDX-License-Identifier: GPL-2.0-only */
/* Generic netlink: requests, and replies as JSON objects. */
#ifndef _TOOLS_MRC_NL_H
#define _TOOLS_MRC_NL_H

#include <json-c/json.h>
#include <netlink/msg.h>
#include <stdbool.h>

/**
 * enum gnl_kind - how an attribute is shown
 * @GNL_SKIP: not at all
 * @GNL_UINT: as a number, whatever its size
 * @GNL_INT: as a number of 32 bits that may be negative
 * @GNL_INTS: the same, an element of an array
 * @GNL_ADDR: an IPv4 or IPv6 address in text form
 * @GNL_TEXT: a string
 * @GNL_TEXTS: the same, an element of an array
 * @GNL_TRUE: true if it is there
 * @GNL_NAME: a number that has a name
 * @GNL_LIST: nested attributes, an element of an array
 */
enum gnl_kind {
	GNL_SKIP,
	GNL_UINT,
	GNL_INT,
	GNL_INTS,
	GNL_ADDR,
	GNL_TEXT,
	GNL_TEXTS,
	GNL_TRUE,
	GNL_NAME,
	GNL_LIST,
};

struct gnl_names {
	const char *const *name;
	unsigned int count;
};

/**
 * struct gnl_attr - an attribute of the specification, at the index of its type
 * @key: its name in JSON
 * @kind: how it is shown
 * @names: GNL_NAME: by value, NULL for values without one
 * @nest: GNL_LIST: the attributes in it
 */
struct gnl_attr {
	const char *key;
	enum gnl_kind kind;
	const struct gnl_names *names;
	const struct gnl_set *nest;
};

struct gnl_set {
	const struct gnl_attr *attr;
	unsigned int count;
};

/* Called for each message of a reply; owns @reply */
typedef void (*gnl_reply_fn)(struct json_object *reply, void *arg);

struct nl_msg *gnl_request(int command, int flags);
void gnl_put(int error);
/* Called for each event; owns @event, and returns false to listen no more. */
typedef bool (*gnl_event_fn)(int command, struct json_object *event, void *arg);

/* Called when the kernel says that events were lost */
typedef void (*gnl_overrun_fn)(void *arg);

bool gnl_change(struct nl_msg *request, int ignore);
void gnl_join(void);
void gnl_listen(const struct gnl_set *set, gnl_event_fn fn,
		gnl_overrun_fn overrun, void *arg);
void gnl_send(struct nl_msg *request, const struct gnl_set *set,
	      gnl_reply_fn fn, void *arg);

#endif /* _TOOLS_MRC_NL_H */
