/* SPDX-License-Identifier: GPL-2.0-only */
/* What the scenarios are made of: notes of what calls returned, and sockets. */
#ifndef _SOCKET_SCENARIO_H
#define _SOCKET_SCENARIO_H

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <unistd.h>
#include "mrc_test.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define HANG_SECONDS		30
#define TRACE_SIZE		16384
#define BIG			(1 << 20)

static int family;		/* of the sockets: AF_INET, AF_INET6 or ours */
static int af;			/* of the addresses */
static const char *remote;	/* -u: where to connect to */
static unsigned int settle_ms = 20;
static char *trace;		/* shared with the process of the scenario */
static volatile sig_atomic_t pipes;

/* --- Notes --------------------------------------------------------------- */

static void note_text(const char *format, ...)
{
	size_t len = strlen(trace);
	va_list args;

	va_start(args, format);
	vsnprintf(trace + len, TRACE_SIZE - len, format, args);
	va_end(args);
}

static void note(const char *what, long result)
{
	if (result == -1)
		note_text("%s: %s\n", what, strerrorname_np(errno));
	else
		note_text("%s: %ld\n", what, result);
}

/* On loopback, all that follows from a call has happened soon after it. */
static void settle(void)
{
	usleep(settle_ms * 1000);
}

static void note_events(const char *what, int events)
{
	static const struct { int bit; const char *name; } names[] = {
		{ POLLIN, " IN" }, { POLLPRI, " PRI" }, { POLLOUT, " OUT" },
		{ POLLERR, " ERR" }, { POLLHUP, " HUP" },
		{ POLLRDHUP, " RDHUP" }, { POLLRDNORM, " RDNORM" },
		{ POLLWRNORM, " WRNORM" },
	};
	size_t i;

	note_text("%s:", what);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (events & names[i].bit)
			note_text("%s", names[i].name);
	note_text("\n");
}

static const short all_events = POLLIN | POLLPRI | POLLOUT | POLLRDHUP |
				POLLRDNORM | POLLWRNORM;

static void note_poll(const char *what, int fd)
{
	struct pollfd p = { .fd = fd, .events = all_events };

	settle();
	poll(&p, 1, 0);
	note_events(what, p.revents);
}

static int get_option(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, name, &value, &len) ? -1 : value;
}

static int set_option(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

static void note_error(const char *what, int fd)
{
	note_text("%s: SO_ERROR %s\n", what,
		  strerrorname_np(get_option(fd, SOL_SOCKET, SO_ERROR)));
}

static void note_recv(const char *what, int fd, size_t len, int flags)
{
	char data[4096] = "";
	ssize_t n = recv(fd, data, len, flags);

	note(what, n);
	if (n > 0 && !(flags & MSG_TRUNC))
		note_text("	%.*s\n", (int)n, data);
}

static void note_send(const char *what, int fd, const char *text, int flags)
{
	note(what, send(fd, text, strlen(text), flags));
}

static void note_name(const char *what, int fd, int peer, int hide_port)
{
	char text[INET6_ADDRSTRLEN] = "?";
	union address a = {};
	socklen_t len = sizeof(a);
	bool v4;

	if ((peer ? getpeername : getsockname)(fd, &a.sa, &len)) {
		note(what, -1);
		return;
	}
	v4 = a.sa.sa_family == AF_INET;
	inet_ntop(a.sa.sa_family, v4 ? (void *)&a.in.sin_addr :
				       (void *)&a.in6.sin6_addr,
		  text, sizeof(text));
	note_text("%s: family %d length %u %s port %s\n", what,
		  a.sa.sa_family, len, text,
		  ntohs(a.in.sin_port) == hide_port ? "as expected" :
		  a.in.sin_port ? "set" : "0");
}

/* --- Sockets ------------------------------------------------------------- */

static int new_socket(int flags)
{
	int fd = socket(family, SOCK_STREAM | flags, 0);

	if (fd < 0)
		err(1, "socket");
	return fd;
}

static socklen_t local(union address *a, bool any, int port)
{
	return parse_address(af == AF_INET ? any ? "0.0.0.0" : "127.0.0.1" :
					     any ? "::" : "::1", port, a);
}

static int bind_to(int fd, bool any, int port)
{
	union address a;
	socklen_t len = local(&a, any, port);

	return bind(fd, &a.sa, len);
}

static int connect_to(int fd, int port)
{
	union address a;
	socklen_t len = local(&a, false, port);

	return connect(fd, &a.sa, len);
}

static int port_of(int fd)
{
	union address a = {};
	socklen_t len = sizeof(a);

	getsockname(fd, &a.sa, &len);
	return ntohs(a.in.sin_port);
}

static int listener(int *port)
{
	int fd = new_socket(0);

	if (bind_to(fd, false, 0) || listen(fd, 8))
		err(1, "listen");
	*port = port_of(fd);
	return fd;
}

/* Nothing listens there. */
static int free_port(void)
{
	int port, fd = listener(&port);

	close(fd);
	return port;
}

static void pair(int *client, int *server)
{
	int port, fd = listener(&port);

	*client = new_socket(0);
	if (connect_to(*client, port))
		err(1, "connect");
	*server = accept(fd, NULL, NULL);
	if (*server < 0)
		err(1, "accept");
	close(fd);
}

static void set_nonblock(int fd)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

/* A process that lives beside us till the end of the scenario */
static bool in_child(unsigned int after_ms)
{
	if (fork())
		return false;
	usleep(after_ms * 1000);
	return true;
}

static void set_timeout(int fd, int name, int ms)
{
	struct timeval tv = { .tv_usec = ms * 1000 };

	setsockopt(fd, SOL_SOCKET, name, &tv, sizeof(tv));
}

static void set_linger(int fd, int seconds)
{
	struct linger l = { .l_onoff = 1, .l_linger = seconds };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
}

static char big(size_t i)
{
	return i * 7 + i / 251;
}

/* Returns how many bytes of big() came before the end or an error. */
static long read_big(int fd)
{
	static char data[65536];
	long got = 0;
	ssize_t n, i;

	while ((n = recv(fd, data, sizeof(data), 0)) > 0) {
		for (i = 0; i < n; i++)
			if (data[i] != big(got + i))
				return -2;
		got += n;
	}
	return n < 0 ? -1 : got;
}

static char *make_big(void)
{
	char *data = malloc(BIG);
	size_t i;

	for (i = 0; i < BIG; i++)
		data[i] = big(i);
	return data;
}

#endif /* _SOCKET_SCENARIO_H */
