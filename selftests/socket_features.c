// SPDX-License-Identifier: GPL-2.0-only
/*
 * What options and flags bring about, as scenarios (lib_socket.c).
 *
 * usage: socket_features [SCENARIO...]	in a namespace of which only lo is up;
 *					all of them by default
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/mrc.h>
#include <linux/net_tstamp.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "lib_socket.h"

#define LISTENERS	3
#define CONNECTIONS	60

static bool is_mrc(void)
{
	return family == mrc_family();
}

static int set_own(int fd, int tcp_name, int mrc_name, int value)
{
	return is_mrc() ? set_option(fd, SOL_MRC, mrc_name, value) :
			  set_option(fd, SOL_TCP, tcp_name, value);
}

/* TCP has it from 6.9 on, AF_MRC always. */
static bool tcp_can_peek_at_offset(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bool can = !set_option(fd, SOL_SOCKET, SO_PEEK_OFF, 0);

	close(fd);
	return can;
}

static void peek_offset(void)
{
	int a, b;

	if (!tcp_can_peek_at_offset())
		return;
	pair(&a, &b);
	note("set", set_option(b, SOL_SOCKET, SO_PEEK_OFF, 2));
	note_send("send", a, "0123456789", 0);
	settle();
	note_recv("peek", b, 3, MSG_PEEK);
	note_recv("peek on", b, 3, MSG_PEEK);
	note("offset", get_option(b, SOL_SOCKET, SO_PEEK_OFF));
	note_recv("recv", b, 4, 0);
	note("offset", get_option(b, SOL_SOCKET, SO_PEEK_OFF));
	note_recv("peek on", b, 10, MSG_PEEK);
	note_recv("peek past the end", b, 10, MSG_PEEK | MSG_DONTWAIT);
	note_recv("recv", b, 10, 0);
	note("offset", get_option(b, SOL_SOCKET, SO_PEEK_OFF));
	note_send("send", a, "abc", 0);
	settle();
	note("none", set_option(b, SOL_SOCKET, SO_PEEK_OFF, -1));
	note_recv("peek", b, 2, MSG_PEEK);
	note_recv("peek", b, 2, MSG_PEEK);
}

static void low_water(void)
{
	int a, b;

	pair(&a, &b);
	set_option(b, SOL_SOCKET, SO_RCVLOWAT, 5);
	if (in_child(0)) {
		send(a, "abc", 3, 0);
		usleep(100000);
		send(a, "def", 3, 0);
		_exit(0);
	}
	note_recv("both", b, 10, 0);
	note_send("send", a, "xyz", 0);
	settle();
	note_recv("less, not waiting", b, 10, MSG_DONTWAIT);
	note_send("send", a, "123", 0);
	note("end", shutdown(a, SHUT_WR));
	note_poll("less, but the end", b);
	note_recv("recv", b, 10, 0);
}

/* A mark above what the window lets in must not wait for ever. */
static void low_water_window(void)
{
	struct pollfd p = { .events = POLLIN };
	char *data = make_big();
	int a, b;

	pair(&a, &b);
	p.fd = b;
	set_option(b, SOL_SOCKET, SO_RCVBUF, 20000);
	set_option(b, SOL_SOCKET, SO_RCVLOWAT, BIG);
	set_nonblock(a);
	note("send", send(a, data, BIG, 0) > 0);
	note("poll", poll(&p, 1, 5000));
}

static void note_stamps(struct msghdr *msg)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		struct timespec *ts = (struct timespec *)CMSG_DATA(c);

		note_text("	cmsg %d %d", c->cmsg_level, c->cmsg_type);
		if (c->cmsg_level == SOL_SOCKET)
			note_text(" recent %d",
				  labs(ts->tv_sec - time(NULL)) < 100);
		note_text("\n");
	}
}

static void recv_stamped(const char *what, int fd, int flags)
{
	char data[16], control[512];
	struct iovec iov = { data, sizeof(data) };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};

	note(what, recvmsg(fd, &msg, flags));
	note_text("	flags %x\n", msg.msg_flags);
	note_stamps(&msg);
}

static void receive_stamps(void)
{
	static const int options[] = { SO_TIMESTAMP, SO_TIMESTAMPNS };
	size_t i;
	int a, b;

	pair(&a, &b);
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		note("set", set_option(b, SOL_SOCKET, options[i], 1));
		settle();
		note_send("send", a, "hello", 0);
		settle();
		recv_stamped("peek", b, MSG_PEEK);
		recv_stamped("recv", b, 0);
		note("clear", set_option(b, SOL_SOCKET, options[i], 0));
	}
	note("set", set_option(b, SOL_SOCKET, SO_TIMESTAMPING,
			       SOF_TIMESTAMPING_RX_SOFTWARE |
			       SOF_TIMESTAMPING_SOFTWARE));
	settle();
	note_send("send", a, "hello", 0);
	note_send("send", a, "again", 0);
	settle();
	recv_stamped("recv", b, 0);
	note("clear", set_option(b, SOL_SOCKET, SO_TIMESTAMPING, 0));
	note_send("send", a, "hello", 0);
	recv_stamped("without", b, 0);
}

static void note_error_queue(int fd)
{
	struct sock_extended_err *e;
	char data[16], control[512];
	struct cmsghdr *c;

	for (;;) {
		struct iovec iov = { data, sizeof(data) };
		struct msghdr msg = {
			.msg_iov = &iov, .msg_iovlen = 1,
			.msg_control = control,
			.msg_controllen = sizeof(control),
		};

		note("error queue", recvmsg(fd, &msg, MSG_ERRQUEUE));
		if (errno == EAGAIN)
			return;
		note_text("	flags %x\n", msg.msg_flags);
		note_stamps(&msg);
		for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
			if (c->cmsg_level == SOL_SOCKET)
				continue;
			e = (struct sock_extended_err *)CMSG_DATA(c);
			note_text("	errno %u origin %u info %u data %u\n",
				  e->ee_errno, e->ee_origin, e->ee_info,
				  e->ee_data);
		}
	}
}

static void send_stamps(void)
{
	int a, b, flags = SOF_TIMESTAMPING_TX_SCHED |
			  SOF_TIMESTAMPING_TX_SOFTWARE |
			  SOF_TIMESTAMPING_TX_ACK | SOF_TIMESTAMPING_SOFTWARE |
			  SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;

	pair(&a, &b);
	note_send("before", a, "12345", 0);
	settle();
	note("set", set_option(a, SOL_SOCKET, SO_TIMESTAMPING, flags));
	note_send("send", a, "hello", 0);
	note_poll("poll", a);
	errno = 0;
	note_error_queue(a);
	note_poll("poll", a);
	note_send("send", a, "abc", 0);
	settle();
	errno = 0;
	note_error_queue(a);
	/* From here on it counts anew. */
	note("clear", set_option(a, SOL_SOCKET, SO_TIMESTAMPING, 0));
	note_send("without", a, "abc", 0);
	settle();
	note("set", set_option(a, SOL_SOCKET, SO_TIMESTAMPING, flags));
	note_send("send", a, "xy", 0);
	settle();
	errno = 0;
	note_error_queue(a);
	note_error("no error", a);
}

/* Generic code has SO_REUSEPORT for AF_MRC from 6.7 on only. */
static int set_reuseport(int fd)
{
	return is_mrc() ? set_option(fd, SOL_MRC, MRC_REUSEPORT, 1) :
			  set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1);
}

static void reuseport(void)
{
	int fds[LISTENERS], i, port, other;
	char what[32];
	int count;

	for (i = 0; i < LISTENERS; i++) {
		fds[i] = new_socket(SOCK_NONBLOCK);
		note("share", set_reuseport(fds[i]));
		note("shares", get_option(fds[i], SOL_SOCKET, SO_REUSEPORT));
		note("bind", bind_to(fds[i], false, i ? port : 0));
		note("listen", listen(fds[i], CONNECTIONS));
		port = port_of(fds[0]);
	}
	other = new_socket(0);
	note("one that does not", bind_to(other, false, port));
	if (seteuid(65534))
		err(1, "seteuid");
	other = new_socket(0);
	if (seteuid(0))
		err(1, "seteuid");
	set_reuseport(other);
	note("somebody else's", bind_to(other, false, port));
	for (i = 0; i < CONNECTIONS; i++)
		if (connect_to(new_socket(0), port))
			note("connect", -1);
	settle();
	for (i = 0; i < LISTENERS; i++) {
		for (count = 0; accept(fds[i], NULL, NULL) >= 0; count++)
			;
		snprintf(what, sizeof(what), "listener %d has some", i);
		note(what, count > CONNECTIONS / LISTENERS / 4);
	}
	close(fds[0]);
	note("connect", connect_to(new_socket(0), port));
}

static void keepalive(void)
{
	struct pollfd p = { .events = POLLIN };
	double start;
	int a, b;

	pair(&a, &b);
	p.fd = a;
	note("idle", set_own(a, TCP_KEEPIDLE, MRC_KEEPIDLE, 1));
	note("interval", set_own(a, TCP_KEEPINTVL, MRC_KEEPINTVL, 1));
	note("count", set_own(a, TCP_KEEPCNT, MRC_KEEPCNT, 2));
	note("on", set_option(a, SOL_SOCKET, SO_KEEPALIVE, 1));
	note("answered", poll(&p, 1, 4500));
	if (system("tc qdisc add dev lo root netem loss 100%"))
		note_text("no netem\n");
	start = seconds_now();
	note("unanswered", poll(&p, 1, 10000));
	note("not at once", seconds_now() - start > 1);
	if (system("tc qdisc del dev lo root"))
		note_text("no netem\n");
	note_error("error", a);
	note_poll("poll", a);
}

static void *receive_thread(void *fd)
{
	note_recv("recv", *(int *)fd, 10, 0);
	return NULL;
}

/* The thread makes its note only when something comes. */
static void close_blocked(void)
{
	pthread_t thread;
	ssize_t sent;
	int a, b;

	pair(&a, &b);
	pthread_create(&thread, NULL, receive_thread, &b);
	settle();
	note("close", close(b));
	settle();
	sent = send(a, "hello", 5, 0);
	pthread_join(thread, NULL);
	note("send", sent);
	note_poll("closed only then", a);
}

static void *accept_thread(void *fd)
{
	note("accept", accept(*(int *)fd, NULL, NULL) > 0);
	return NULL;
}

static void close_blocked_listener(void)
{
	int port, fd = listener(&port), connected;
	pthread_t thread;

	pthread_create(&thread, NULL, accept_thread, &fd);
	settle();
	note("close", close(fd));
	settle();
	connected = connect_to(new_socket(0), port);
	pthread_join(thread, NULL);
	note("connect", connected);
	settle();
	note("connect", connect_to(new_socket(0), port));
}

static void accept_flags(void)
{
	int port, fd = listener(&port), a;

	connect_to(new_socket(0), port);
	connect_to(new_socket(0), port);
	a = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	note("nonblocking", fcntl(a, F_GETFL) & O_NONBLOCK);
	note("close on exec", fcntl(a, F_GETFD));
	a = accept(fd, NULL, NULL);
	note("blocking", fcntl(a, F_GETFL) & O_NONBLOCK);
	note("stays open", fcntl(a, F_GETFD));
	note("bad flag", accept4(fd, NULL, NULL, 1));
}

/* Both hold it for 200 ms, in which a busy machine may not get here. */
static void note_held(int fd, double since)
{
	char data[10];
	ssize_t n = recv(fd, data, sizeof(data), MSG_PEEK | MSG_DONTWAIT);

	note("held", n < 0 || seconds_now() - since > 0.15);
}

static void held(void)
{
	double start;
	int a, b;

	pair(&a, &b);
	note("cork", set_own(a, TCP_CORK, MRC_CORK, 1));
	start = seconds_now();
	note_send("send", a, "corked", 0);
	note_held(b, start);
	note("uncork", set_own(a, TCP_CORK, MRC_CORK, 0));
	settle();
	note_recv("now", b, 10, MSG_DONTWAIT);
	start = seconds_now();
	note_send("send", a, "more", MSG_MORE);
	note_held(b, start);
	note_send("send", a, "less", 0);
	settle();
	note_recv("now", b, 10, MSG_DONTWAIT);
	note_send("send", a, "late", MSG_MORE);
	usleep(500000);
	note_recv("after a while", b, 10, MSG_DONTWAIT);
}

static const struct scenario scenarios[] = {
	SCENARIO(peek_offset), SCENARIO(low_water), SCENARIO(low_water_window),
	SCENARIO(receive_stamps), SCENARIO(send_stamps), SCENARIO(reuseport),
	SCENARIO(keepalive), SCENARIO(close_blocked),
	SCENARIO(close_blocked_listener), SCENARIO(accept_flags),
	SCENARIO(held),
	{}
};

int main(int argc, char **argv)
{
	return run_scenarios(scenarios, NULL, argc, argv);
}
