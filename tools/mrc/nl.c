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

struct exchange {
	const struct gnl_set *set;
	gnl_reply_fn fn;
	void *arg;
	bool done;
};

static struct nl_sock *sock;
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
	msg = nlmsg_alloc();
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

static void add_to_list(struct json_object *object, struct nlattr *nla,
			const struct gnl_attr *attr)
{
	struct json_object *list;

	if (!json_object_object_get_ex(object, attr->key, &list)) {
		list = json_object_new_array();
		json_object_object_add(object, attr->key, list);
	}
	json_object_array_add(list, set_object(nla_data(nla), nla_len(nla),
					       attr->nest));
}

static void add_attr(struct json_object *object, struct nlattr *nla,
		     const struct gnl_attr *attr)
{
	struct json_object *value = NULL;

	switch (attr->kind) {
	case GNL_SKIP:
		return;
	case GNL_LIST:
		add_to_list(object, nla, attr);
		return;
	case GNL_UINT:
		value = json_object_new_uint64(uint_of(nla));
		break;
	case GNL_ADDR:
		value = addr_object(nla);
		break;
	case GNL_TEXT:
		value = json_object_new_string_len(nla_data(nla),
						   strnlen(nla_data(nla),
							   nla_len(nla)));
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

	x->fn(set_object(genlmsg_attrdata(hdr, 0), genlmsg_attrlen(hdr, 0),
			 x->set), x->arg);
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
	int skip = sizeof(*err);

	(void)from;
	(void)arg;
	if (!(hdr->nlmsg_flags & NLM_F_CAPPED))
		skip += nlmsg_datalen(&err->msg);
	if (hdr->nlmsg_flags & NLM_F_ACK_TLVS)
		die_with(err->error,
			 (struct nlattr *)((char *)err + NLMSG_ALIGN(skip)),
			 nlmsg_datalen(hdr) - NLMSG_ALIGN(skip));
	die_with(err->error, NULL, 0);
	return NL_STOP;
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
	struct nl_cb *cb = nl_cb_alloc(NL_CB_DEFAULT);
	int error;

	if (!cb)
		die("out of memory");
	nl_cb_set(cb, NL_CB_VALID, NL_CB_CUSTOM, valid, &x);
	nl_cb_set(cb, NL_CB_FINISH, NL_CB_CUSTOM, finished, &x);
	nl_cb_set(cb, NL_CB_ACK, NL_CB_CUSTOM, acked, &x);
	nl_cb_err(cb, NL_CB_CUSTOM, failed, NULL);

	error = nl_send_auto(sock, request);
	nlmsg_free(request);
	if (error < 0)
		die("netlink: %s", nl_geterror(error));
	while (!x.done) {
		error = nl_recvmsgs(sock, cb);
		if (error < 0)
			die("netlink: %s", nl_geterror(error));
	}
	nl_cb_put(cb);
}
