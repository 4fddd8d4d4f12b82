// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pseudo-random data over one connection, both ways at once, checked on
 * arrival. Each end sends what it is told to, ends its stream, and reads to
 * the end of the other's.
 *
 * usage: mrc_stream [OPTIONS] -l ADDRESS PORT	serves one connection
 *	  mrc_stream [OPTIONS] ADDRESS PORT	connects
 *
 * Prints "half" when half of what is expected has come, and at the end:
 *   sent=BYTES received=BYTES seconds=S gap_ms=LONGEST-WAIT-SINCE-HALF
 * with -g the longest since the beginning;
 * or, on stderr, the call that failed and its error. Exit status 1 then.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include "mrc_test.h"

#define BLOCK	65536

/* One of two streams, which a seed makes again at the other end */
struct pattern {
	uint64_t state;
	size_t at;
	unsigned char block[BLOCK];
};

static uint64_t to_send = 1 << 20, to_receive = UINT64_MAX;
static unsigned int seed = 1, pause_ms, wait_ms;
static bool tcp, server, broken, all_gaps;
static int buffer;

static void usage(void)
{
	errx(2, "usage: mrc_stream [-l] [-t] [-g] [-n SEND] [-r RECEIVE] [-s SEED]\n"
		"	[-b BUFFER] [-p PAUSE_MS] [-w WAIT_MS] ADDRESS PORT\n"
		"-t: TCP; -r: how much to expect, as much as sent by default;\n"
		"-b: SO_SNDBUF and SO_RCVBUF; -p: before the first read;\n"
		"-w: before the first write; -g: gap since the beginning");
}

/* Says which call failed, in a form that scripts can look for. */
static void fail(const char *call)
{
	fprintf(stderr, "%s: %s\n", call, strerrorname_np(errno));
	exit(1);
}

/* xorshift64: fast, and no two places look alike */
static void next_block(struct pattern *p)
{
	uint64_t x = p->state;
	size_t i;

	for (i = 0; i < BLOCK; i += sizeof(x)) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		memcpy(p->block + i, &x, sizeof(x));
	}
	p->state = x;
	p->at = 0;
}

static void pattern_init(struct pattern *p, bool of_server)
{
	p->state = (seed * 2ULL + of_server + 1) * 0x9e3779b97f4a7c15;
	next_block(p);
}

static void *send_all(void *arg)
{
	static struct pattern p;
	uint64_t left = to_send;
	int fd = *(int *)arg;
	size_t want;
	ssize_t n;

	pattern_init(&p, server);
	usleep(wait_ms * 1000);
	while (left) {
		if (p.at == BLOCK)
			next_block(&p);
		want = BLOCK - p.at < left ? BLOCK - p.at : left;
		n = send(fd, p.block + p.at, want, MSG_NOSIGNAL);
		/* Why, the one that reads may be about to say. */
		if (n < 0 && errno == EPIPE) {
			broken = true;
			return NULL;
		}
		if (n < 0)
			fail("send");
		p.at += n;
		left -= n;
	}
	if (shutdown(fd, SHUT_WR))
		fail("shutdown");
	return NULL;
}

static void check(struct pattern *p, const unsigned char *data, size_t len,
		  uint64_t offset)
{
	size_t n;

	for (; len; len -= n, data += n, offset += n, p->at += n) {
		if (p->at == BLOCK)
			next_block(p);
		n = BLOCK - p->at < len ? BLOCK - p->at : len;
		if (memcmp(data, p->block + p->at, n))
			errx(1, "wrong data in the %zu bytes from %llu on", n,
			     (unsigned long long)offset);
	}
}

/* Returns the longest wait for data, in seconds; see all_gaps. */
static double receive_all(int fd, uint64_t *received)
{
	static unsigned char data[4 * BLOCK];
	double now, last = seconds_now(), gap = 0;
	static struct pattern p;
	uint64_t got = 0;
	bool half = false;
	ssize_t n;

	pattern_init(&p, !server);
	usleep(pause_ms * 1000);
	while ((n = recv(fd, data, sizeof(data), 0))) {
		if (n < 0)
			fail("recv");
		now = seconds_now();
		if (now - last > gap && (half || all_gaps))
			gap = now - last;
		last = now;
		check(&p, data, n, got);
		got += n;
		if (!half && got >= to_receive / 2) {
			half = true;
			puts("half");
		}
	}
	*received = got;
	return gap;
}

static void set_buffer(int fd)
{
	if (buffer && (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &buffer,
				  sizeof(buffer)) ||
		       setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer,
				  sizeof(buffer))))
		fail("setsockopt");
}

static int open_connection(const char *host, int port)
{
	union address a;
	socklen_t len = parse_address(host, port, &a);
	int one = 1, conn, fd;

	fd = socket(tcp ? a.sa.sa_family : mrc_family(), SOCK_STREAM, 0);
	if (fd < 0)
		fail("socket");
	set_buffer(fd);
	if (!server) {
		if (connect(fd, &a.sa, len))
			fail("connect");
		return fd;
	}
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, &a.sa, len))
		fail("bind");
	if (listen(fd, 1))
		fail("listen");
	puts("listening");
	conn = accept(fd, NULL, NULL);
	if (conn < 0)
		fail("accept");
	close(fd);
	return conn;
}

int main(int argc, char **argv)
{
	uint64_t received;
	double start, gap;
	pthread_t sender;
	int c, fd;

	while ((c = getopt(argc, argv, "gltn:r:s:b:p:w:")) != -1) {
		switch (c) {
		case 'g':
			all_gaps = true;
			break;
		case 'l':
			server = true;
			break;
		case 't':
			tcp = true;
			break;
		case 'n':
			to_send = strtoull(optarg, NULL, 0);
			break;
		case 'r':
			to_receive = strtoull(optarg, NULL, 0);
			break;
		case 's':
			seed = strtoul(optarg, NULL, 0);
			break;
		case 'b':
			buffer = atoi(optarg);
			break;
		case 'p':
			pause_ms = atoi(optarg);
			break;
		case 'w':
			wait_ms = atoi(optarg);
			break;
		default:
			usage();
		}
	}
	if (argc - optind != 2)
		usage();
	if (to_receive == UINT64_MAX)
		to_receive = to_send;
	setvbuf(stdout, NULL, _IOLBF, 0);

	fd = open_connection(argv[optind], atoi(argv[optind + 1]));
	start = seconds_now();
	if (pthread_create(&sender, NULL, send_all, &fd))
		errx(1, "no thread");
	gap = receive_all(fd, &received);
	pthread_join(sender, NULL);
	if (broken)
		errx(1, "send: EPIPE");
	if (close(fd))
		fail("close");
	printf("sent=%llu received=%llu seconds=%.3f gap_ms=%.0f\n",
	       (unsigned long long)to_send, (unsigned long long)received,
	       seconds_now() - start, gap * 1000);
	if (received != to_receive)
		errx(1, "received %llu bytes of %llu",
		     (unsigned long long)received,
		     (unsigned long long)to_receive);
	return 0;
}
