// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink. Every error ends the program with one line, so that no
 * caller has to handle one.
 */
#include <arpa/inet.h>
#include <linux/genetlink.h>
#include <linux/mrc_netlink.h>
#include <linux/netlink.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <string.h>
#include <sys/socket.h>
#include "mrc.h"
#include "nl.h"

/* A socket with all its paths is one message of at most 48 KB. */
#define MESSAGE_BYTES	(64 << 10)
#define SOCKET_BYTES	(4 * MESSAGE_BYTES)

/**
 * struct exchange - a request under way, or the events that come in
 * @set: attributes of what comes
 * @fn: of a request: called for each message
 * @event_fn: of events: called for each
 * @arg: handed to the two
 * @done: nothing more comes, or is wanted
 * @ignore: errno that is not an error, 0: none
 * @ignored: it came
 */
struct exchange {
	const struct gnl_set *set;
	gnl_reply_fn fn;
	gnl_event_fn event_fn;
	void *arg;
	bool done;
	int ignore;
	bool ignored;
};

static struct nl_sock *sock, *events;
static int family;

static void open_family(void)
{
	int on = 1, error;

	sock = nl_socket_alloc();
	if (!sock)
		die("out of memory");
	error = genl_connect(sock);
	if (error)
		die("netlink: %s", nl_geterror(error));
	family = genl_ctrl_resolve(sock, MRC_GENL_NAME);
	if (family == -NLE_OBJ_NOTFOUND)
		die("module not loaded (no netlink family \"%s\")",
		    MRC_GENL_NAME);
	if (family < 0)
		die("netlink: %s", nl_geterror(family));
	nl_socket_set_buffer_size(sock, SOCKET_BYTES, 0);
	nl_socket_set_msg_buf_size(sock, MESSAGE_BYTES);
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, NETLINK_EXT_ACK, &on,
		   sizeof(on));
	setsockopt(nl_socket_get_fd(sock), SOL_NETLINK, NETLINK_CAP_ACK, &on,
		   sizeof(on));
}

/**
 * gnl_request() - begin a request
 * @command: MRC_CMD_*
 * @flags: NLM_F_*, besides NLM_F_REQUEST
 *
 * Return: the message, ready for attributes.
 */
struct nl_msg *gnl_request(int command, int flags)
{
	struct nl_msg *msg;

	if (!sock)
		open_family();
	msg = nlmsg_alloc_size(MESSAGE_BYTES);
	if (!msg || !genlmsg_put(msg, NL_AUTO_PORT, NL_AUTO_SEQ, family, 0,
				 flags, command, MRC_GENL_VERSION))
		die("out of memory");
	return msg;
}

/**
 * gnl_put() - check that an attribute was added
 * @error: what nla_put*() returned
 */
void gnl_put(int error)
{
	if (error)
		die("netlink: %s", nl_geterror(error));
}

static unsigned long long uint_of(struct nlattr *nla)
{
	switch (nla_len(nla)) {
	case 1: return nla_get_u8(nla);
	case 2: return nla_get_u16(nla);
	case 4: return nla_get_u32(nla);
	case 8: return nla_get_u64(nla);
	}
	die("number of %d octets in a reply", nla_len(nla));
}

static struct json_object *int_object(struct nlattr *nla)
{
	if (nla_len(nla) != sizeof(int))
		die("number of %d octets in a reply", nla_len(nla));
	return json_object_new_int(nla_get_s32(nla));
}

static struct json_object *addr_object(struct nlattr *nla)
{
	int af = nla_len(nla) == 4 ? AF_INET : AF_INET6;
	char text[INET6_ADDRSTRLEN];

	if (nla_len(nla) != 4 && nla_len(nla) != 16)
		die("address of %d octets in a reply", nla_len(nla));
	inet_ntop(af, nla_data(nla), text, sizeof(text));
	return json_object_new_string(text);
}

/* A newer module may have states that have no name here. */
static struct json_object *name_object(struct nlattr *nla,
				       const struct gnl_names *names)
{
	unsigned long long value = uint_of(nla);

	if (value < names->count && names->name[value])
		return json_object_new_string(names->name[value]);
	return json_object_new_uint64(value);
}

static struct json_object *set_object(struct nlattr *head, int len,
				      const struct gnl_set *set);

static void add_to_list(struct json_object *object, const char *key,
			struct json_object *value)
{
	struct json_object *list;

	if (!json_object_object_get_ex(object, key, &list)) {
		list = json_object_new_array();
		json_object_object_add(object, key, list);
	}
	json_object_array_add(list, value);
}

static struct json_object *text_object(struct nlattr *nla)
{
	const char *text = nla_data(nla);

	return json_object_new_string_len(text, strnlen(text, nla_len(nla)));
}

static void add_attr(struct json_object *object, struct nlattr *nla,
		     const struct gnl_attr *attr)
{
	struct json_object *value = NULL;

	switch (attr->kind) {
	case GNL_SKIP:
		return;
	case GNL_LIST:
		add_to_list(object, attr->key,
			    set_object(nla_data(nla), nla_len(nla),
				       attr->nest));
		return;
	case GNL_INTS:
		add_to_list(object, attr->key, int_object(nla));
		return;
	case GNL_TEXTS:
		add_to_list(object, attr->key, text_object(nla));
		return;
	case GNL_INT:
		value = int_object(nla);
		break;
	case GNL_UINT:
		value = json_object_new_uint64(uint_of(nla));
		break;
	case GNL_ADDR:
		value = addr_object(nla);
		break;
	case GNL_TEXT:
		value = text_object(nla);
		break;
	case GNL_TRUE:
		value = json_object_new_boolean(1);
		break;
	case GNL_NAME:
		value = name_object(nla, attr->names);
		break;
	}
	/* Keys are in constant tables: no copy, there are very many of them. */
	json_object_object_add_ex(object, attr->key, value,
				  JSON_C_OBJECT_ADD_CONSTANT_KEY);
}

/* Attributes that this program does not know are passed over. */
static struct json_object *set_object(struct nlattr *head, int len,
				      const struct gnl_set *set)
{
	struct json_object *object = json_object_new_object();
	struct nlattr *nla;
	int rest;

	nla_for_each_attr(nla, head, len, rest) {
		unsigned int type = nla_type(nla);

		if (type < set->count)
			add_attr(object, nla, &set->attr[type]);
	}
	return object;
}

static int valid(struct nl_msg *msg, void *arg)
{
	struct genlmsghdr *hdr = genlmsg_hdr(nlmsg_hdr(msg));
	struct exchange *x = arg;
	struct json_object *object;

	object = set_object(genlmsg_attrdata(hdr, 0), genlmsg_attrlen(hdr, 0),
			    x->set);
	if (x->fn)
		x->fn(object, x->arg);
	else if (x->event_fn)
		x->done = !x->event_fn(hdr->cmd, object, x->arg);
	else
		json_object_put(object);
	return x->event_fn && x->done ? NL_STOP : NL_OK;
}

/*
 * For DUMP_INTR, since each socket that did not come or go was shown, and once;
 * for SEQ_CHECK, since events answer nothing.
 */
static int accept_any(struct nl_msg *msg, void *arg)
{
	(void)msg;
	(void)arg;
	return NL_OK;
}

static int acked(struct nl_msg *msg, void *arg)
{
	struct exchange *x = arg;

	(void)msg;
	x->done = true;
	return NL_STOP;
}

/* The kernel's own words, if it has some, are better than strerror()'s. */
static void die_with(int error, struct nlattr *tlv, int len)
{
	struct nlattr *text = NULL;

	if (len > 0)
		text = nla_find(tlv, len, NLMSGERR_ATTR_MSG);
	if (text)
		die("%.*s", nla_len(text), (char *)nla_data(text));
	die("%s", strerror(-error));
}

/* An error in the midst of a dump comes in its last message. */
static int finished(struct nl_msg *msg, void *arg)
{
	struct nlmsghdr *hdr = nlmsg_hdr(msg);
	int *error = nlmsg_data(hdr);
	int rest = nlmsg_datalen(hdr) - (int)sizeof(*error);

	if (rest >= 0 && *error < 0)
		die_with(*error, (struct nlattr *)(error + 1),
			 hdr->nlmsg_flags & NLM_F_ACK_TLVS ? rest : 0);
	return acked(msg, arg);
}

/*
 * libnl looks at the message before it lets us: its length is right. With
 * NETLINK_CAP_ACK only the header of our request stands before the TLVs.
 */
static int failed(struct sockaddr_nl *from, struct nlmsgerr *err, void *arg)
{
	struct nlmsghdr *hdr = (struct nlmsghdr *)err - 1;
	struct exchange *x = arg;
	int skip = sizeof(*err);

	(void)from;
	if (x->ignore && err->error == -x->ignore) {
		x->ignored = true;
		x->done = true;
		return NL_STOP;
	}
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		skip += nlmsg_datalen(&err->msg);
	if (hdr->nlmsg_flags & NLM_F_ACK_TLVS)
		die_with(err->error,
			 (struct nlattr *)((char *)err + NLMSG_ALIGN(skip)),
			 nlmsg_datalen(hdr) - NLMSG_ALIGN(skip));
	die_with(err->error, NULL, 0);
	return NL_STOP;
}

static struct nl_cb *callbacks(struct exchange *x)
{
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);

	if (!cb)
		die("out of memory");
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, valid, x);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, finished, x);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, acked, x);
	nl_cb_set(cb, NL_CB_DUMP_INTR, NL_CB_CUSTOM, accept_any, x);
	nl_cb_err(cb, NL_CB_CUSTOM, failed, x);
	return cb;
}

static void exchange(struct nl_msg *request, struct exchange *x)
{
	struct nl_cb *cb = callbacks(x);
	int error;

	error = nl_send_auto(sock, request);
	nlmsg_free(request);
	if (error < 0)
		die("netlink: %s", nl_geterror(error));
	while (!x->done) {
		error = nl_recvmsgs(sock, cb);
		if (error < 0)
			die("netlink: %s", nl_geterror(error));
	}
	nl_cb_put(cb);
}

/**
 * gnl_send() - send a request and wait for the whole reply
 * @request: the request, freed
 * @set: attributes of the reply
 * @fn: called for each message of it
 * @arg: handed to @fn
 */
void gnl_send(struct nl_msg *request, const struct gnl_set *set,
	      gnl_reply_fn fn, void *arg)
{
	struct exchange x = { .set = set, .fn = fn, .arg = arg };

	exchange(request, &x);
}

/**
 * gnl_change() - send a request that changes something
 * @request: the request, with NLM_F_ACK; freed
 * @ignore: errno that does not end the program, 0: none
 *
 * Return: false if that error came.
 */
bool gnl_change(struct nl_msg *request, int ignore)
{
	struct exchange x = { .ignore = ignore };

	exchange(request, &x);
	return !x.ignored;
}

/**
 * gnl_join() - let events come in from now on
 */
void gnl_join(void)
{
	int group, error;

	if (!sock)
		open_family();
	group = genl_ctrl_resolve_grp(sock, MRC_GENL_NAME, MRC_MCGRP_EVENTS);
	if (group < 0)
		die("no events: %s", nl_geterror(group));
	events = nl_socket_alloc();
	if (!events)
		die("out of memory");
	error = genl_connect(events);
	if (error)
		die("netlink: %s", nl_geterror(error));
	nl_socket_set_buffer_size(events, 16 * SOCKET_BYTES, 0);
	error = nl_socket_add_membership(events, group);
	if (error)
		die("events: %s", error == -NLE_PERM ? "need CAP_NET_ADMIN" :
							nl_geterror(error));
}

/**
 * gnl_listen() - take in events, as long as they are wanted
 * @set: their attributes
 * @fn: called for each
 * @overrun: called when the kernel says that some were lost
 * @arg: handed to both
 */
void gnl_listen(const struct gnl_set *set, gnl_event_fn fn,
		gnl_overrun_fn overrun, void *arg)
{
	struct exchange x = { .set = set, .event_fn = fn, .arg = arg };
	struct nl_cb *cb = callbacks(&x);
	int error;

	nl_cb_set(cb, NL_CB_SEQ_CHECK, NL_CB_CUSTOM, accept_any, &x);
	while (!x.done) {
		error = nl_recvmsgs(events, cb);
		/* This is how libnl names ENOBUFS. */
		if (error == -NLE_NOMEM)
			overrun(arg);
		else if (error < 0)
			die("netlink: %s", nl_geterror(error));
	}
	nl_cb_put(cb);
}
