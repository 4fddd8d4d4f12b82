// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many connections at once from one process. The server sends back what it
 * gets, or with -g a greeting of its own accord.
 *
 * usage: mrc_many [-t] [-g] -l ADDRESS PORT	serves until killed
 *	  mrc_many [-t] [-g] [-c COUNT] ADDRESS PORT
 *
 * The client opens COUNT connections before it waits for any, sends a few KB
 * over each (not with -g), ends its stream and reads to the end. Prints how
 * many did all that; exit status 1 if not all.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>
#include "mrc_test.h"

#define MESSAGE	5000

struct conn {
	int fd;
	bool connected;
	size_t sent, received;
	char data[MESSAGE];	/* server: what is to be sent back */
};

static bool tcp, server, greet;
static int epoll, count = 1000, done, failed;

static void usage(void)
{
	errx(2, "usage: mrc_many [-l] [-t] [-g] [-c COUNT] ADDRESS PORT");
}

static char expected(size_t i)
{
	return i * 31 + i / 256;
}

static int new_socket(int af)
{
	int fd = socket(tcp ? af : mrc_family(), SOCK_STREAM | SOCK_NONBLOCK, 0);

	if (fd < 0)
		err(1, "socket");
	return fd;
}

static struct conn *new_conn(int fd)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLOUT | EPOLLET };
	struct conn *c = calloc(1, sizeof(*c));

	if (!c)
		errx(1, "no memory");
	c->fd = fd;
	e.data.ptr = c;
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e))
		err(1, "epoll_ctl");
	return c;
}

static void finish(struct conn *c, const char *problem)
{
	if (problem && !server && failed < 3)
		fprintf(stderr, "%s: %s, sent %zu, received %zu\n", problem,
			strerrorname_np(errno), c->sent, c->received);
	if (problem)
		failed++;
	else
		done++;
	close(c->fd);
	free(c);
}

/* Returns false when the connection is gone. */
static bool send_more(struct conn *c, size_t end)
{
	ssize_t n;

	while (c->sent < end) {
		n = send(c->fd, c->data + c->sent, end - c->sent, MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN)
			return true;
		if (n < 0) {
			finish(c, "send");
			return false;
		}
		c->sent += n;
	}
	if (end == MESSAGE && shutdown(c->fd, SHUT_WR)) {
		finish(c, "shutdown");
		return false;
	}
	return true;
}

static void serve(struct conn *c)
{
	ssize_t n = 0;
	char end;

	while (!greet && c->received < MESSAGE &&
	       (n = recv(c->fd, c->data + c->received, MESSAGE - c->received,
			 0)) > 0)
		c->received += n;
	if (n < 0 && errno != EAGAIN) {
		finish(c, "recv");
		return;
	}
	if (c->sent < MESSAGE &&
	    !send_more(c, greet ? MESSAGE : c->received))
		return;
	if (c->sent == MESSAGE && !recv(c->fd, &end, 1, 0))
		finish(c, NULL);
}

static void ask(struct conn *c)
{
	char data[MESSAGE];
	ssize_t n;
	int i, e = 0;
	socklen_t len = sizeof(e);

	if (!c->connected) {
		if (getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &e, &len) || e) {
			errno = e;
			finish(c, "connect");
			return;
		}
		/* Not writable: not connected yet */
		if (!greet && send(c->fd, c->data, 0, MSG_NOSIGNAL) < 0)
			return;
		c->connected = true;
	}
	if (!greet && c->sent < MESSAGE && !send_more(c, MESSAGE))
		return;
	while ((n = recv(c->fd, data, sizeof(data), 0)) > 0) {
		for (i = 0; i < n; i++)
			if (data[i] != expected(c->received++)) {
				finish(c, "wrong data");
				return;
			}
	}
	if (n < 0 && errno != EAGAIN && errno != ENOTCONN)
		finish(c, "recv");
	else if (!n)
		finish(c, c->received == MESSAGE ? NULL : "end");
}

static void accept_all(int listener)
{
	struct conn *c;
	int fd, i;

	while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
		c = new_conn(fd);
		if (!greet)
			continue;
		for (i = 0; i < MESSAGE; i++)
			c->data[i] = expected(i);
		serve(c);
	}
}

static int listen_on(const union address *a, socklen_t len)
{
	struct epoll_event e = { .events = EPOLLIN };
	int fd = new_socket(a->sa.sa_family), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, &a->sa, len) || listen(fd, 4096))
		err(1, "listen");
	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("listening");
	return fd;
}

static void connect_all(const union address *a, socklen_t len)
{
	struct conn *c;
	int i, j;

	for (i = 0; i < count; i++) {
		c = new_conn(new_socket(a->sa.sa_family));
		for (j = 0; j < MESSAGE; j++)
			c->data[j] = expected(j);
		if (connect(c->fd, &a->sa, len) && errno != EINPROGRESS)
			err(1, "connect %d", i);
	}
}

static void loop(int listener)
{
	struct epoll_event e[64];
	int i, n;

	while (server || done + failed < count) {
		n = epoll_wait(epoll, e, 64, -1);
		for (i = 0; i < n; i++) {
			if (!e[i].data.ptr)
				accept_all(listener);
			else if (server)
				serve(e[i].data.ptr);
			else
				ask(e[i].data.ptr);
		}
	}
}

int main(int argc, char **argv)
{
	struct rlimit files = { 65536, 65536 };
	double start = seconds_now();
	union address a;
	int c, fd = -1;
	socklen_t len;

	while ((c = getopt(argc, argv, "ltgc:")) != -1) {
		switch (c) {
		case 'l':
			server = true;
			break;
		case 't':
			tcp = true;
			break;
		case 'g':
			greet = true;
			break;
		case 'c':
			count = atoi(optarg);
			break;
		default:
			usage();
		}
	}
	if (argc - optind != 2)
		usage();
	len = parse_address(argv[optind], atoi(argv[optind + 1]), &a);
	setrlimit(RLIMIT_NOFILE, &files);
	epoll = epoll_create1(0);
	if (server)
		fd = listen_on(&a, len);
	else
		connect_all(&a, len);
	loop(fd);
	printf("good=%d failed=%d seconds=%.3f\n", done, failed,
	       seconds_now() - start);
	return failed > 0;
}
