// SPDX-License-Identifier: GPL-2.0-only
/*
 * mrc ping: does a host answer handshakes, and over which entropy values?
 *
 * An INIT for a socket type that nobody has is answered by a RESET, whatever
 * listens there, and leaves no trace. It leaves from an entropy value of our
 * choice; the answer comes back by a random one, to the port of the wire, which
 * is the kernel's: a raw socket sees it, too. An entropy value is dead if none
 * of several INITs was answered, since then no way back can be to blame.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <getopt.h>
#include <linux/mrc.h>
#include <netdb.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>
#include "mrc.h"
#include "out.h"

static const char usage[] = "ping [-c COUNT] [-e VALUES] [-u PORT] HOST";

#define MOST_VALUES	256
#define MOST_TRIES	100
#define INTERVAL_US	100000
#define WAIT_US		500000

/* A peer answers no more than net.mrc.reset_rate in a second. */
#define MOST_PER_SECOND	500

/* As in Documentation/wire-format.rst */
#define WIRE_INIT	0x15
#define WIRE_RESET	0x18
#define INIT_LEN	1200
#define NO_TYPE		0xff

struct wire_init {
	uint8_t ver_type;
	uint8_t flags;
	uint8_t path;
	uint8_t gen;
	uint8_t dst_cid[8];
	uint32_t psn;
	uint64_t src_cid;
	uint8_t peer_cid[8];
	uint8_t limit[8];
	uint16_t sport;
	uint16_t dport;
	uint16_t max_seg;
	uint8_t sock_type;
	uint8_t paths;
} __attribute__((packed));

struct wire_reset {
	uint8_t ver_type;
	uint8_t flags;
	uint8_t path;
	uint8_t gen;
	uint64_t dst_cid;
	uint32_t psn;
} __attribute__((packed));

/**
 * struct value - an entropy value
 * @fd: UDP socket bound to it
 * @ev: the value
 * @sent: INITs sent
 * @answered: how many were answered
 * @least_us: smallest round trip time
 * @most_us: largest
 * @sum_us: sum of all
 * @sent_us: when each INIT was sent, 0: answered
 */
struct value {
	int fd;
	unsigned int ev;
	unsigned int sent;
	unsigned int answered;
	double least_us;
	double most_us;
	double sum_us;
	double sent_us[MOST_TRIES];
};

/**
 * struct ping - what is asked of whom
 * @host: as given
 * @addr: its address, with the port of the wire
 * @len: octets of @addr
 * @raw: raw socket that sees answers
 * @cid: connection id of the first value; the next ones follow
 * @values: number of entropy values
 * @tries: INITs for each
 * @value: the values
 */
struct ping {
	const char *host;
	struct sockaddr_storage addr;
	socklen_t len;
	int raw;
	uint64_t cid;
	unsigned int values;
	unsigned int tries;
	struct value value[MOST_VALUES];
};

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static void resolve(struct ping *ping, const char *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_DGRAM }, *info;
	int error = getaddrinfo(ping->host, port, &hints, &info);

	if (error)
		die("%s: %s", ping->host, gai_strerror(error));
	memcpy(&ping->addr, info->ai_addr, info->ai_addrlen);
	ping->len = info->ai_addrlen;
	freeaddrinfo(info);
}

/* The kernel chooses a source port that is free. */
static void open_value(struct ping *ping, struct value *value)
{
	struct sockaddr_storage own;
	socklen_t len = sizeof(own);

	value->fd = socket(ping->addr.ss_family, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	if (value->fd < 0 ||
	    connect(value->fd, (struct sockaddr *)&ping->addr, ping->len) ||
	    getsockname(value->fd, (struct sockaddr *)&own, &len))
		die("%s: %s", ping->host, strerror(errno));
	value->ev = ntohs(((struct sockaddr_in *)&own)->sin_port);
}

static void open_all(struct ping *ping)
{
	unsigned int i;

	ping->raw = socket(ping->addr.ss_family, SOCK_RAW | SOCK_NONBLOCK,
			   IPPROTO_UDP);
	if (ping->raw < 0)
		die("raw socket: %s", errno == EPERM ? "need CAP_NET_RAW" :
						       strerror(errno));
	if (getrandom(&ping->cid, sizeof(ping->cid), 0) != sizeof(ping->cid))
		die("no random number: %s", strerror(errno));
	ping->cid = ping->cid << 8 | 1ULL << 63;
	for (i = 0; i < ping->values; i++)
		open_value(ping, &ping->value[i]);
}

static void send_init(struct ping *ping, unsigned int index)
{
	struct value *value = &ping->value[index];
	char packet[INIT_LEN] = {};
	struct wire_init init = {
		.ver_type = WIRE_INIT,
		.psn = htonl(value->sent),
		.src_cid = htobe64(ping->cid + index),
		.sport = htons(1),
		.dport = htons(1),
		.max_seg = htons(1024),
		.sock_type = NO_TYPE,
	};

	memcpy(packet, &init, sizeof(init));
	value->sent_us[value->sent++] = now_us();
	/* ICMP errors of those before come here: they count as lost. */
	if (send(value->fd, packet, sizeof(packet), 0) < 0)
		send(value->fd, packet, sizeof(packet), 0);
}

static void take_answer(struct ping *ping, const char *packet, ssize_t len)
{
	struct wire_reset reset;
	struct value *value;
	unsigned int try;
	uint64_t index;
	double us;

	if (len < (ssize_t)sizeof(reset))
		return;
	memcpy(&reset, packet, sizeof(reset));
	index = be64toh(reset.dst_cid) - ping->cid;
	try = ntohl(reset.psn);
	if (reset.ver_type != WIRE_RESET || index >= ping->values)
		return;
	value = &ping->value[index];
	if (try >= value->sent || !value->sent_us[try])
		return;
	us = now_us() - value->sent_us[try];
	value->sent_us[try] = 0;
	if (!value->answered++ || us < value->least_us)
		value->least_us = us;
	if (us > value->most_us)
		value->most_us = us;
	value->sum_us += us;
}

/* An IPv4 raw socket shows the IP header, an IPv6 one does not. */
static void take_answers(struct ping *ping)
{
	char packet[2048];
	size_t skip;
	ssize_t len;

	while ((len = recv(ping->raw, packet, sizeof(packet), 0)) > 0) {
		skip = sizeof(struct udphdr);
		if (ping->addr.ss_family == AF_INET)
			skip += (packet[0] & 0xf) * 4;
		if (len > (ssize_t)skip)
			take_answer(ping, packet + skip, len - skip);
	}
}

static void wait_until(struct ping *ping, double until)
{
	struct pollfd fd = { .fd = ping->raw, .events = POLLIN };
	double left;

	while ((left = until - now_us()) > 0) {
		poll(&fd, 1, left / 1000 + 1);
		take_answers(ping);
	}
}

static void run(struct ping *ping)
{
	double interval = ping->values * 1e6 / MOST_PER_SECOND, next;
	unsigned int try, i;

	if (interval < INTERVAL_US)
		interval = INTERVAL_US;
	next = now_us();
	for (try = 0; try < ping->tries; try++) {
		for (i = 0; i < ping->values; i++) {
			send_init(ping, i);
			next += interval / ping->values;
			wait_until(ping, next);
		}
	}
	wait_until(ping, now_us() + WAIT_US);
}

static int by_delay(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	if (!x->answered || !y->answered)
		return !x->answered - !y->answered;
	return (x->least_us > y->least_us) - (x->least_us < y->least_us);
}

/* Does a gap begin here that no jitter explains? */
static bool new_group(const struct value *last, const struct value *value)
{
	double gap = value->least_us - last->least_us;

	return gap > 50 && gap > last->least_us / 5;
}

/* Sorted by round trip time: the same path should take the same time. */
static void show_groups(const struct ping *ping)
{
	const struct value *value = ping->value;
	unsigned int i, alive = 0;

	for (i = 0; i < ping->values && value[i].answered; i++) {
		if (i == 0 || new_group(&value[i - 1], &value[i]))
			printf("%sfrom %.3f ms:", i ? "\n" : "",
			       value[i].least_us / 1000);
		printf(" %u", value[i].ev);
		alive++;
	}
	if (alive < ping->values)
		printf("%sdead:", alive ? "\n" : "");
	for (; i < ping->values; i++)
		printf(" %u", value[i].ev);
	printf("\n%u of %u entropy values answer\n", alive, ping->values);
}

static void show_table(const struct ping *ping)
{
	static const char *const title[] = {
		"EV", "Sent", "Lost", "Least ms", "Mean ms", "Most ms"
	};
	struct out_table table = {
		.title = title,
		.columns = ARRAY_SIZE(title),
		.right = 0x3f,
		.indent = "",
	};
	unsigned int i;

	for (i = 0; i < ping->values; i++) {
		const struct value *value = &ping->value[i];
		bool any = value->answered;
		char *cells[ARRAY_SIZE(title)] = {
			out_text("%u", value->ev),
			out_text("%u", value->sent),
			out_text("%u", value->sent - value->answered),
			any ? out_text("%.3f", value->least_us / 1000) :
			      out_text("-"),
			any ? out_text("%.3f", value->sum_us / value->answered /
					       1000) : out_text("-"),
			any ? out_text("%.3f", value->most_us / 1000) :
			      out_text("-"),
		};

		out_row(&table, cells);
	}
	out_print(&table, stdout);
}

static void show_json(const struct ping *ping)
{
	struct out_list list = {};
	unsigned int i;

	for (i = 0; i < ping->values; i++) {
		const struct value *value = &ping->value[i];
		struct json_object *object = json_object_new_object();

		json_object_object_add(object, "ev",
				       json_object_new_uint64(value->ev));
		json_object_object_add(object, "sent",
				       json_object_new_uint64(value->sent));
		json_object_object_add(object, "lost",
				       json_object_new_uint64(value->sent -
							      value->answered));
		if (value->answered) {
			json_object_object_add(object, "least_us",
					       json_object_new_uint64(value->least_us));
			json_object_object_add(object, "most_us",
					       json_object_new_uint64(value->most_us));
		}
		out_list(&list, object);
	}
	out_list_end(&list);
}

static unsigned int number(const char *text, unsigned int most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || !value || value > most)
		die("\"%s\" is no number from 1 to %u", text, most);
	return value;
}

static void help(void)
{
	printf("usage: mrc [-j] [-n NETNS] %s\n"
	       "  -c COUNT   handshakes for each entropy value, 8 by default\n"
	       "  -e VALUES  entropy values, 32 by default\n"
	       "  -u PORT    UDP port of the wire, %d by default\n", usage,
	       MRC_UDP_PORT);
}

int verb_ping(int argc, char **argv)
{
	static struct ping ping = { .values = 32, .tries = 8 };
	char port[sizeof("65535")];
	unsigned int udp_port = MRC_UDP_PORT, i;
	int option;

	while ((option = getopt(argc, argv, "c:e:hu:")) != -1) {
		switch (option) {
		case 'c':
			ping.tries = number(optarg, MOST_TRIES);
			break;
		case 'e':
			ping.values = number(optarg, MOST_VALUES);
			break;
		case 'h':
			help();
			return 0;
		case 'u':
			udp_port = number(optarg, 65535);
			break;
		default:
			usage_error(usage);
		}
	}
	if (optind != argc - 1)
		usage_error(usage);
	ping.host = argv[optind];
	snprintf(port, sizeof(port), "%hu", (unsigned short)udp_port);
	resolve(&ping, port);
	open_all(&ping);
	run(&ping);
	qsort(ping.value, ping.values, sizeof(*ping.value), by_delay);
	if (options.json) {
		show_json(&ping);
	} else {
		show_table(&ping);
		show_groups(&ping);
	}
	for (i = 0; i < ping.values; i++)
		if (!ping.value[i].answered)
			return EXIT_RUNTIME;
	return 0;
}
