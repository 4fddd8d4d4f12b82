// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every option, flag and ioctl of a stream socket, in every state and with odd
 * lengths and addresses, on TCP and on AF_MRC. What differs must be known:
 * mrc(7) names it, with the reason. Runs in a namespace of which only lo is up.
 * Prints KTAP lines.
 *
 * usage: socket_table FILE	which has a line "NAME WAY" for each difference
 *				that is known; the way * stands for all of them
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/mrc.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "lib_socket.h"

#define RESULT_SIZE	512
#define NAME_SIZE	64
#define MAX_KNOWN	256
#define FAULT		((void *)8)
#define NOT_AN_INT	1	/* struct or string: its bytes are not shown */
#define HIDDEN		2	/* the value is the system's own affair */

#ifndef SO_PREFER_BUSY_POLL
#define SO_PREFER_BUSY_POLL	69
#define SO_BUSY_POLL_BUDGET	70
#endif
#ifndef SO_BUF_LOCK
#define SO_NETNS_COOKIE		71
#define SO_BUF_LOCK		72
#define SO_RESERVE_MEM		73
#endif
#ifndef SO_TXREHASH
#define SO_TXREHASH		74
#define SO_RCVMARK		75
#endif
#ifndef IP_LOCAL_PORT_RANGE
#define IP_LOCAL_PORT_RANGE	51
#endif

enum state { FRESH, LISTENING, CONNECTED, ENDED, RESET, STATES };

static const char *const state_names[] = {
	"fresh", "listening", "connected", "ended", "reset",
};

struct option {
	const char *name;
	int level, number;
	int good, bad;
	int kind;
	int mrc_number;		/* at SOL_MRC what that is at SOL_TCP */
};

#define SOCKET(name, good, bad, kind) \
	{ #name, SOL_SOCKET, name, good, bad, kind, 0 }
#define IP4(name, good, bad, kind) \
	{ #name, SOL_IP, name, good, bad, kind, 0 }
#define IP6(name, good, bad, kind) \
	{ #name, SOL_IPV6, name, good, bad, kind, 0 }
#define OURS(name, good, bad, kind) \
	{ "MRC_" #name, SOL_TCP, TCP_ ## name, good, bad, kind, MRC_ ## name }

static const struct option options[] = {
	SOCKET(SO_DEBUG, 1, -1, 0),
	SOCKET(SO_REUSEADDR, 1, -1, 0),
	SOCKET(SO_TYPE, 1, -1, 0),
	SOCKET(SO_ERROR, 1, -1, 0),
	SOCKET(SO_DONTROUTE, 1, -1, 0),
	SOCKET(SO_BROADCAST, 1, -1, 0),
	SOCKET(SO_SNDBUF, 50000, -1, HIDDEN),
	SOCKET(SO_RCVBUF, 50000, -1, HIDDEN),
	SOCKET(SO_SNDBUFFORCE, 50000, -1, 0),
	SOCKET(SO_RCVBUFFORCE, 50000, -1, 0),
	SOCKET(SO_KEEPALIVE, 1, -1, 0),
	SOCKET(SO_OOBINLINE, 1, 0, 0),
	SOCKET(SO_NO_CHECK, 1, -1, 0),
	SOCKET(SO_PRIORITY, 5, -1, 0),
	SOCKET(SO_LINGER, 1, -1, NOT_AN_INT),
	SOCKET(SO_REUSEPORT, 1, -1, 0),
	SOCKET(SO_PASSCRED, 1, -1, 0),
	SOCKET(SO_PEERCRED, 1, -1, NOT_AN_INT),
	SOCKET(SO_RCVLOWAT, 1000, -1, 0),
	SOCKET(SO_SNDLOWAT, 1000, -1, 0),
	SOCKET(SO_RCVTIMEO, 1, -1, NOT_AN_INT),
	SOCKET(SO_SNDTIMEO, 1, -1, NOT_AN_INT),
	SOCKET(SO_BINDTODEVICE, 'o' << 8 | 'l', 'x', NOT_AN_INT),
	SOCKET(SO_ATTACH_FILTER, 0, -1, NOT_AN_INT),
	SOCKET(SO_DETACH_FILTER, 0, -1, 0),
	SOCKET(SO_PEERNAME, 0, -1, NOT_AN_INT),
	SOCKET(SO_TIMESTAMP, 1, -1, 0),
	SOCKET(SO_ACCEPTCONN, 1, -1, 0),
	SOCKET(SO_PASSSEC, 1, -1, 0),
	SOCKET(SO_TIMESTAMPNS, 1, -1, 0),
	SOCKET(SO_MARK, 7, -1, 0),
	SOCKET(SO_TIMESTAMPING, SOF_TIMESTAMPING_TX_SOFTWARE |
	       SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
	       SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_TX_ACK, -1, 0),
	SOCKET(SO_PROTOCOL, 1, -1, 0),
	SOCKET(SO_DOMAIN, 1, -1, 0),
	SOCKET(SO_RXQ_OVFL, 1, -1, 0),
	SOCKET(SO_PEEK_OFF, 3, -1, 0),
	SOCKET(SO_LOCK_FILTER, 0, -1, 0),
	SOCKET(SO_SELECT_ERR_QUEUE, 1, -1, 0),
	SOCKET(SO_BUSY_POLL, 1, -1, 0),
	SOCKET(SO_PREFER_BUSY_POLL, 1, -1, 0),
	SOCKET(SO_BUSY_POLL_BUDGET, 1, -1, 0),
	SOCKET(SO_MAX_PACING_RATE, 1000000, -1, 0),
	SOCKET(SO_BPF_EXTENSIONS, 1, -1, 0),
	SOCKET(SO_INCOMING_CPU, 0, 1000, HIDDEN),
	SOCKET(SO_ATTACH_REUSEPORT_CBPF, 0, -1, NOT_AN_INT),
	SOCKET(SO_CNX_ADVICE, 1, -1, 0),
	SOCKET(SO_MEMINFO, 0, -1, NOT_AN_INT),
	SOCKET(SO_INCOMING_NAPI_ID, 0, -1, 0),
	SOCKET(SO_COOKIE, 0, -1, HIDDEN),
	SOCKET(SO_NETNS_COOKIE, 0, -1, HIDDEN),
	SOCKET(SO_PEERGROUPS, 0, -1, NOT_AN_INT),
	SOCKET(SO_ZEROCOPY, 1, 2, 0),
	SOCKET(SO_TXTIME, 0, -1, NOT_AN_INT),
	SOCKET(SO_BINDTOIFINDEX, 1, -1, 0),
	SOCKET(SO_BUF_LOCK, 1, 4, 0),
	SOCKET(SO_RESERVE_MEM, 4096, -1, 0),
	SOCKET(SO_TXREHASH, 1, 2, 0),
	SOCKET(SO_RCVMARK, 1, -1, 0),
	IP4(IP_TOS, 0x28, 0x1ff, 0),
	IP4(IP_TTL, 9, 256, 0),
	IP4(IP_OPTIONS, 0, -1, NOT_AN_INT),
	IP4(IP_PKTINFO, 1, -1, 0),
	IP4(IP_RECVTTL, 1, -1, 0),
	IP4(IP_RECVTOS, 1, -1, 0),
	IP4(IP_RECVERR, 1, -1, 0),
	IP4(IP_MTU_DISCOVER, IP_PMTUDISC_DO, 99, 0),
	IP4(IP_MTU, 1500, -1, 0),
	IP4(IP_FREEBIND, 1, 2, 0),
	IP4(IP_TRANSPARENT, 1, 2, 0),
	IP4(IP_MINTTL, 5, 256, 0),
	IP4(IP_HDRINCL, 1, -1, 0),
	IP4(IP_MULTICAST_TTL, 1, 256, 0),
	IP4(IP_MULTICAST_LOOP, 1, -1, 0),
	IP4(IP_BIND_ADDRESS_NO_PORT, 1, 2, 0),
	IP4(IP_LOCAL_PORT_RANGE, 0, 1, 0),
	IP6(IPV6_TCLASS, 0x28, 256, 0),
	IP6(IPV6_UNICAST_HOPS, 9, 256, 0),
	IP6(IPV6_V6ONLY, 1, -1, 0),
	IP6(IPV6_RECVERR, 1, -1, 0),
	IP6(IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO, 99, 0),
	IP6(IPV6_MTU, 1500, 1, 0),
	IP6(IPV6_FREEBIND, 1, -1, 0),
	IP6(IPV6_TRANSPARENT, 1, -1, 0),
	IP6(IPV6_RECVPKTINFO, 1, -1, 0),
	IP6(IPV6_RECVHOPLIMIT, 1, -1, 0),
	IP6(IPV6_RECVTCLASS, 1, -1, 0),
	IP6(IPV6_DONTFRAG, 1, -1, 0),
	IP6(IPV6_MULTICAST_HOPS, 1, 256, 0),
	IP6(IPV6_AUTOFLOWLABEL, 1, -1, 0),
	OURS(NODELAY, 1, -1, 0),
	OURS(CORK, 1, -1, 0),
	OURS(MAXSEG, 1000, 40000, HIDDEN),
	OURS(USER_TIMEOUT, 1234, -1, 0),
	OURS(KEEPIDLE, 100, 32768, 0),
	OURS(KEEPINTVL, 100, 0, 0),
	OURS(KEEPCNT, 10, 128, 0),
	{ "unknown level", 12345, 1, 1, -1, 0, 0 },
	{ "level of UDP", IPPROTO_UDP, 1, 1, -1, 0, 0 },
	{ "unknown option of a socket", SOL_SOCKET, 12345, 1, -1, 0, 0 },
	{ "unknown option of IP", SOL_IP, 12345, 1, -1, 0, 0 },
	{ "unknown option of IPv6", SOL_IPV6, 12345, 1, -1, 0, 0 },
	{ "unknown option of the protocol", SOL_TCP, 12345, 1, -1, 0, 12345 },
};

/* --- Sockets in a state -------------------------------------------------- */

struct ends {
	int fd;		/* the one that is looked at */
	int peer;	/* -1: none */
};

static void wait_for(int fd, int events)
{
	struct pollfd p = { .fd = fd, .events = events };

	poll(&p, 1, 1000);
}

static struct ends make(enum state state)
{
	struct ends e = { .peer = -1 };
	int port;

	if (state == FRESH) {
		e.fd = new_socket(0);
		/* As TCP, it knows its family from the beginning. */
		set_option(e.fd, SOL_MRC, MRC_FAMILY, af);
	} else if (state == LISTENING) {
		e.fd = listener(&port);
	} else {
		pair(&e.fd, &e.peer);
		if (state == RESET)
			set_linger(e.peer, 0);
		if (state != CONNECTED) {
			close(e.peer);
			e.peer = -1;
			wait_for(e.fd, POLLRDHUP);
		}
	}
	return e;
}

static void unmake(struct ends *e)
{
	close(e->fd);
	if (e->peer >= 0)
		close(e->peer);
}

/* --- What a call did, in words ------------------------------------------- */

static char *words;

static void say(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
	size_t len = strlen(words);
	va_list args;

	va_start(args, format);
	vsnprintf(words + len, RESULT_SIZE - len, format, args);
	va_end(args);
}

static void say_result(const char *what, long result)
{
	if (result == -1)
		say("%s %s; ", what, strerrorname_np(errno));
	else
		say("%s %ld; ", what, result);
}

/* --- Options ------------------------------------------------------------- */

static const struct option *option;

static bool ours(void)
{
	return option->mrc_number && family == mrc_family();
}

static int get(int fd, void *value, socklen_t *len)
{
	if (ours())
		return getsockopt(fd, SOL_MRC, option->mrc_number, value, len);
	return getsockopt(fd, option->level, option->number, value, len);
}

static int set(int fd, const void *value, socklen_t len)
{
	if (ours())
		return setsockopt(fd, SOL_MRC, option->mrc_number, value, len);
	return setsockopt(fd, option->level, option->number, value, len);
}

static void say_get(int fd, socklen_t len, bool value)
{
	int data[32] = { 0 };

	if (get(fd, data, &len)) {
		say_result("get", -1);
		return;
	}
	say("length %d", (int)len);
	if (value && !(option->kind & NOT_AN_INT))
		say(" value %d", data[0]);
	say("; ");
}

static void way_get(int fd)
{
	say_get(fd, sizeof(int), !(option->kind & HIDDEN));
}

static void way_get_length(int fd)
{
	socklen_t len = -1;
	char byte;

	say_get(fd, 0, false);
	say_get(fd, 1, false);
	say_get(fd, 100, false);
	say_result("negative", get(fd, &byte, &len));
}

static void say_set(int fd, const char *what, int value)
{
	int data[4] = { value };

	say_result(what, set(fd, data, option->kind & NOT_AN_INT ?
					sizeof(data) : sizeof(int)));
}

static void way_set(int fd)
{
	say_set(fd, "set", option->good);
	say_get(fd, sizeof(int), option->number != SO_INCOMING_CPU);
}

static void way_set_bad(int fd)
{
	say_set(fd, "set", option->bad);
}

static void way_set_length(int fd)
{
	int data[32] = { option->good };

	say_result("3", set(fd, data, 3));
	say_result("1", set(fd, data, 1));
	say_result("0", set(fd, data, 0));
	say_result("100", set(fd, data, 100));
	say_result("negative", set(fd, data, -1));
}

static void way_address(int fd)
{
	socklen_t len = sizeof(int);

	say_result("get", get(fd, FAULT, &len));
	say_result("length", get(fd, &len, FAULT));
	say_result("set", set(fd, FAULT, sizeof(int)));
	say_result("none", set(fd, NULL, sizeof(int)));
}

struct way {
	const char *name;
	void (*go)(int fd);
	enum state last;	/* states from FRESH up to this one */
};

static const struct way option_ways[] = {
	{ "get", way_get, RESET },
	{ "get-length", way_get_length, FRESH },
	{ "set", way_set, RESET },
	{ "set-bad", way_set_bad, CONNECTED },
	{ "set-length", way_set_length, FRESH },
	{ "address", way_address, FRESH },
};

/* --- Flags --------------------------------------------------------------- */

struct number {
	const char *name;
	unsigned long value;
};

static const struct number *flag;

static const struct number flags[] = {
	{ "no flag", 0 },
	{ "MSG_OOB", MSG_OOB },
	{ "MSG_PEEK", MSG_PEEK },
	{ "MSG_DONTROUTE", MSG_DONTROUTE },
	{ "MSG_CTRUNC", MSG_CTRUNC },
	{ "MSG_PROXY", MSG_PROXY },
	{ "MSG_TRUNC", MSG_TRUNC },
	{ "MSG_EOR", MSG_EOR },
	{ "MSG_FIN", MSG_FIN },
	{ "MSG_SYN", MSG_SYN },
	{ "MSG_CONFIRM", MSG_CONFIRM },
	{ "MSG_RST", MSG_RST },
	{ "MSG_ERRQUEUE", MSG_ERRQUEUE },
	{ "MSG_MORE", MSG_MORE },
	{ "MSG_WAITFORONE", MSG_WAITFORONE },
	{ "MSG_ZEROCOPY", MSG_ZEROCOPY },
	{ "MSG_CMSG_CLOEXEC", MSG_CMSG_CLOEXEC },
};

static void way_send(int fd)
{
	say_result("send", send(fd, "hello", 5, MSG_DONTWAIT | MSG_NOSIGNAL |
						flag->value));
	say_result("again", send(fd, "hello", 5, MSG_DONTWAIT | MSG_NOSIGNAL |
						 flag->value));
}

static void way_receive(int fd)
{
	char data[4] = "", control[256], name[128];
	struct iovec iov = { data, sizeof(data) - 1 };
	struct msghdr msg = {
		.msg_name = name, .msg_namelen = sizeof(name),
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	int i;

	for (i = 0; i < 3; i++) {
		msg.msg_flags = 0;
		memset(data, 0, sizeof(data));
		say_result("recv", recvmsg(fd, &msg, MSG_DONTWAIT |
						     flag->value));
		say("'%s' flags %x control %zu name %d; ", data, msg.msg_flags,
		    msg.msg_controllen, msg.msg_namelen);
	}
}

/* --- ioctl --------------------------------------------------------------- */

static const struct number *request;

static const struct number requests[] = {
	{ "SIOCINQ", SIOCINQ },
	{ "SIOCOUTQ", SIOCOUTQ },
	{ "SIOCOUTQNSD", SIOCOUTQNSD },
	{ "SIOCATMARK", SIOCATMARK },
	{ "SIOCGPGRP", SIOCGPGRP },
	{ "SIOCGSTAMP", SIOCGSTAMP_OLD },
	{ "SIOCGIFNAME", SIOCGIFNAME },
	{ "unknown ioctl", 0x12345678 },
};

static void way_ioctl(int fd)
{
	int value[16] = { 0 };

	say_result("ioctl", ioctl(fd, request->value, value));
	say("value %d; ", value[0]);
	say_result("address", ioctl(fd, request->value, FAULT));
}

/* --- Control data -------------------------------------------------------- */

struct control {
	const char *name;
	int level, type, len, value;
};

static const struct control *control;

static const struct control controls[] = {
	{ "cmsg SO_TIMESTAMPING", SOL_SOCKET, SO_TIMESTAMPING, 4,
	  SOF_TIMESTAMPING_TX_ACK },
	{ "cmsg SO_TIMESTAMPING, not of a send", SOL_SOCKET, SO_TIMESTAMPING, 4,
	  SOF_TIMESTAMPING_RX_SOFTWARE },
	{ "cmsg SO_TIMESTAMPING, short", SOL_SOCKET, SO_TIMESTAMPING, 2, 0 },
	{ "cmsg SO_MARK", SOL_SOCKET, SO_MARK, 4, 7 },
	{ "cmsg SCM_TXTIME", SOL_SOCKET, SO_TXTIME, 8, 0 },
	{ "cmsg SCM_RIGHTS", SOL_SOCKET, SCM_RIGHTS, 4, 0 },
	{ "cmsg unknown", SOL_SOCKET, 12345, 4, 0 },
	{ "cmsg of IP", SOL_IP, IP_TTL, 4, 5 },
	{ "cmsg of nobody", 12345, 1, 4, 0 },
};

static void way_control(int fd)
{
	union {
		char space[CMSG_SPACE(16)];
		struct cmsghdr hdr;
	} u = { 0 };
	struct iovec iov = { "x", 1 };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &u, .msg_controllen = CMSG_SPACE(control->len),
	};

	u.hdr.cmsg_level = control->level;
	u.hdr.cmsg_type = control->type;
	u.hdr.cmsg_len = CMSG_LEN(control->len);
	memcpy(CMSG_DATA(&u.hdr), &control->value, sizeof(control->value));
	say_result("send", sendmsg(fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL));
}

/* --- Comparison ---------------------------------------------------------- */

struct known {
	char name[NAME_SIZE];
	char way[NAME_SIZE];
	bool seen;
};

static struct known known[MAX_KNOWN];
static unsigned int nr_known, number, failed;

/* NAME is all but the last word. */
static void read_known(const char *path)
{
	char line[NAME_SIZE], *way;
	FILE *f = fopen(path, "r");

	if (!f)
		err(2, "%s", path);
	while (fgets(line, sizeof(line), f) && nr_known < MAX_KNOWN) {
		line[strcspn(line, "\n")] = 0;
		way = strrchr(line, ' ');
		if (!way)
			errx(2, "%s: %s", path, line);
		*way++ = 0;
		snprintf(known[nr_known].name, NAME_SIZE, "%s", line);
		snprintf(known[nr_known].way, NAME_SIZE, "%s", way);
		nr_known++;
	}
	fclose(f);
}

static bool is_known(const char *name, const char *way)
{
	unsigned int i;
	bool found = false;

	for (i = 0; i < nr_known; i++) {
		if (strcmp(known[i].name, name) ||
		    (strcmp(known[i].way, "*") && strcmp(known[i].way, way)))
			continue;
		known[i].seen = true;
		found = true;
	}
	return found;
}

static void run_on(int of_family, const struct way *way, enum state state,
		   char *result)
{
	struct ends e;

	*result = 0;
	words = result;
	family = of_family;
	e = make(state);
	if (e.peer >= 0 && way->go == way_receive) {
		send(e.peer, "hello", 5, 0);
		wait_for(e.fd, POLLIN);
	}
	way->go(e.fd);
	unmake(&e);
}

/* Returns whether it is the same, or the difference is known. */
static bool compare(const char *name, const struct way *way, enum state state)
{
	char tcp[RESULT_SIZE], mrc[RESULT_SIZE];
	bool expected;

	run_on(af, way, state, tcp);
	run_on(mrc_family(), way, state, mrc);
	if (!strcmp(tcp, mrc))
		return true;
	expected = is_known(name, way->name);
	printf("# %s: %s %s, %s, IPv%d\n#\tTCP:    %s\n#\tAF_MRC: %s\n",
	       expected ? "known" : "DIFFERS", name, way->name,
	       state_names[state], af == AF_INET ? 4 : 6, tcp, mrc);
	return expected;
}

static bool compare_states(const char *name, const struct way *way)
{
	bool same = true;
	unsigned int s;

	for (s = FRESH; s <= way->last; s++) {
		af = AF_INET;
		same = compare(name, way, s) && same;
		af = AF_INET6;
		same = compare(name, way, s) && same;
	}
	return same;
}

static void report(const char *name, bool same)
{
	number++;
	failed += !same;
	printf("%sok %u %s\n", same ? "" : "not ", number, name);
}

static void compare_options(void)
{
	size_t i, j;
	bool same;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		option = &options[i];
		same = true;
		for (j = 0; j < ARRAY_SIZE(option_ways); j++)
			same = compare_states(option->name, &option_ways[j]) &&
			       same;
		report(option->name, same);
	}
}

static void compare_flags(void)
{
	const struct way send_way = { "send", way_send, RESET };
	const struct way receive_way = { "recv", way_receive, RESET };
	bool same;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		flag = &flags[i];
		same = compare_states(flag->name, &send_way);
		same = compare_states(flag->name, &receive_way) && same;
		report(flag->name, same);
	}
}

static void compare_rest(void)
{
	const struct way ioctl_way = { "ioctl", way_ioctl, RESET };
	const struct way control_way = { "send", way_control, CONNECTED };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(requests); i++) {
		request = &requests[i];
		report(request->name, compare_states(request->name, &ioctl_way));
	}
	for (i = 0; i < ARRAY_SIZE(controls); i++) {
		control = &controls[i];
		report(control->name, compare_states(control->name,
						     &control_way));
	}
}

int main(int argc, char **argv)
{
	unsigned int i;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc != 2)
		return 2;
	read_known(argv[1]);
	compare_options();
	compare_flags();
	compare_rest();
	for (i = 0; i < nr_known; i++)
		if (!known[i].seen)
			printf("# no difference here: %s %s\n", known[i].name,
			       known[i].way);
	return failed > 0;
}
