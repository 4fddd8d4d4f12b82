// SPDX-License-Identifier: GPL-2.0-only
/*
 * Data, the end of it, and options, as scenarios (lib_socket.c).
 *
 * usage: socket_stream [SCENARIO...]	in a namespace of which only lo is up; all of
 *				them by default
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>
#include "lib_socket.h"

/* --- Data ---------------------------------------------------------------- */

static void flags(void)
{
	int a, b, n = -1;
	char data[32] = "";
	struct iovec iov[2] = { { data, 3 }, { data + 10, 9 } };
	struct sockaddr_in6 from;
	struct msghdr msg = { .msg_name = &from, .msg_namelen = sizeof(from),
			      .msg_iov = iov, .msg_iovlen = 2 };

	pair(&a, &b);
	note_recv("nothing here", b, 10, MSG_DONTWAIT);
	note("send nothing", send(a, "", 0, 0));
	note_send("send", a, "hello", 0);
	note_poll("poll", b);
	note_recv("peek", b, 3, MSG_PEEK);
	note_recv("peek more", b, 10, MSG_PEEK);
	ioctl(b, SIOCINQ, &n);
	note("SIOCINQ", n);
	note_recv("two", b, 2, 0);
	note_recv("discard", b, 2, MSG_TRUNC);
	note_recv("the rest", b, 10, 0);
	if (in_child(2 * settle_ms)) {
		send(a, "67890", 5, 0);
		_exit(0);
	}
	note_send("send", a, "12345", 0);
	note_recv("wait for all", b, 10, MSG_WAITALL);
	note_send("send", a, "abcdef", MSG_MORE);
	note_send("send", a, "ghi", 0);
	settle();
	note("recvmsg", recvmsg(b, &msg, 0));
	note_text("	%.3s %.6s name %u flags %x\n", data, data + 10,
		  msg.msg_namelen, msg.msg_flags);
	note_recv("error queue", b, 10, MSG_ERRQUEUE);
	ioctl(a, SIOCOUTQ, &n);
	note("SIOCOUTQ", n);
	note("sendto", sendto(a, "z", 1, 0, (void *)&from, sizeof(from)));
	note_recv("recv", b, 10, 0);
	note("bad address", send(a, (void *)8, 10, 0));
	note_send("send", a, "w", 0);
	note("bad address", recv(b, (void *)8, 10, 0));
	note_recv("not lost", b, 10, 0);
}

static void lowat(void)
{
	int a, b;

	pair(&a, &b);
	note("set", set_option(b, SOL_SOCKET, SO_RCVLOWAT, 4));
	note_send("send", a, "abc", 0);
	note_poll("too little", b);
	note_send("send", a, "d", 0);
	note_poll("enough", b);
	note_recv("recv", b, 10, 0);
}

static void full_buffer(void)
{
	int a, b, epoll = epoll_create1(0), queued = -1;
	struct epoll_event e = { .events = EPOLLOUT | EPOLLET };
	struct pollfd p = { .events = POLLOUT };
	char *data = make_big();
	ssize_t n;
	int i;

	pair(&a, &b);
	p.fd = a;
	set_option(a, SOL_SOCKET, SO_SNDBUF, 50000);
	set_option(b, SOL_SOCKET, SO_RCVBUF, 50000);
	set_nonblock(a);
	epoll_ctl(epoll, EPOLL_CTL_ADD, a, &e);
	note("writable", epoll_wait(epoll, &e, 1, 0));
	note("but once", epoll_wait(epoll, &e, 1, 0));
	/* The receiver may take more a little later. */
	for (i = 0; i < 50 && (!i || poll(&p, 1, 3 * settle_ms)); i++)
		while ((n = send(a, data, BIG, 0)) > 0)
			;
	note("full", n);
	note_poll("full", a);
	ioctl(a, SIOCOUTQ, &queued);
	note("queued", queued > 0);
	set_timeout(a, SO_SNDTIMEO, 50);
	fcntl(a, F_SETFL, 0);
	do
		n = send(a, data, BIG, 0);
	while (n > 0);
	note("not in time", n);
	epoll_wait(epoll, &e, 1, 0);
	note("no event", epoll_wait(epoll, &e, 1, 0));
	set_nonblock(b);
	for (i = 0; i < 100 && queued; i++) {
		settle();
		while ((n = recv(b, data, BIG, 0)) > 0)
			;
		ioctl(a, SIOCOUTQ, &queued);
	}
	note("empty", n);
	note("event", epoll_wait(epoll, &e, 1, 1000));
	note_events("events", e.events);
	note_poll("writable", a);
	ioctl(a, SIOCOUTQ, &queued);
	note("queued", queued);
}

static void recv_timeout(void)
{
	double start;
	int a, b;

	pair(&a, &b);
	set_timeout(b, SO_RCVTIMEO, 100);
	start = seconds_now();
	note_recv("recv", b, 10, 0);
	note("waited", seconds_now() - start > 0.09);
	note_send("send", a, "abc", 0);
	note_recv("wait for all", b, 10, MSG_WAITALL);
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void interrupted(void)
{
	struct sigaction sa = { .sa_handler = on_alarm };
	int a, b;

	pair(&a, &b);
	sigaction(SIGUSR1, &sa, NULL);
	if (in_child(3 * settle_ms)) {
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	note_recv("recv", b, 10, 0);
}

static void poll_wakes(void)
{
	struct pollfd p = { .events = POLLIN };
	int a, b;

	pair(&a, &b);
	p.fd = b;
	if (in_child(3 * settle_ms)) {
		send(a, "x", 1, 0);
		_exit(0);
	}
	note("poll", poll(&p, 1, 5000));
	note_events("events", p.revents);
}

static void files(void)
{
	int a, b, file = memfd_create("big", 0), pipes[2], n;
	char *data = make_big();
	off_t at = 0;
	long got = 0;

	pair(&a, &b);
	if (write(file, data, BIG) != BIG || pipe(pipes))
		err(1, "files");
	if (in_child(0)) {
		while (at < BIG && sendfile(a, file, &at, BIG - at) > 0)
			;
		_exit(0);
	}
	close(a);
	note("sendfile", read_big(b));
	pair(&a, &b);
	if (in_child(0)) {
		send(a, data, BIG, 0);
		_exit(0);
	}
	close(a);
	while ((n = splice(b, NULL, pipes[1], NULL, 65536, 0)) > 0) {
		if (read(pipes[0], data, n) != n || data[0] != big(got))
			break;
		got += n;
	}
	note("splice from", n);
	note("all of it", got);
	pair(&a, &b);
	if (write(pipes[1], "through a pipe", 14) != 14)
		err(1, "pipe");
	note("splice to", splice(pipes[0], NULL, a, NULL, 14, 0));
	note_recv("recv", b, 20, 0);
}

/* --- The end ------------------------------------------------------------- */

static void half_close(void)
{
	int a, b;

	pair(&a, &b);
	note("shutdown", shutdown(a, SHUT_WR));
	note_poll("a", a);
	note_poll("b", b);
	note_recv("b: end", b, 10, 0);
	note_recv("b: end again", b, 10, 0);
	note_send("b goes on", b, "hello", 0);
	note_recv("a", a, 10, 0);
	note("a", send(a, "x", 1, 0));
	note("SIGPIPE", pipes);
	note("a", send(a, "x", 1, MSG_NOSIGNAL));
	note("no SIGPIPE", pipes);
	note("again", shutdown(a, SHUT_WR));
	note_send("b", b, "last", 0);
	note("b too", shutdown(b, SHUT_WR));
	note_poll("a", a);
	note_poll("b", b);
	note_recv("a", a, 10, 0);
	note_recv("a: end", a, 10, 0);
	note_poll("a", a);
	note_error("a", a);
	note_error("b", b);
	note("shutdown", shutdown(a, SHUT_RDWR));
	note("send", send(b, "x", 1, MSG_NOSIGNAL));
}

static void shut_read(void)
{
	int a, b;

	pair(&a, &b);
	note("shutdown", shutdown(b, SHUT_RD));
	note_poll("b", b);
	note_recv("b: end", b, 10, 0);
	note_send("a", a, "hello", 0);
	note_poll("a", a);
	note_poll("b", b);
	note_recv("b", b, 10, 0);
	note_recv("b: end", b, 10, 0);
	note_send("b", b, "back", 0);
	note_recv("a", a, 10, 0);
	note("all", shutdown(b, SHUT_RDWR));
	note_poll("a", a);
	note_poll("b", b);
}

static void peer_closes(void)
{
	int a, b;

	pair(&a, &b);
	send(b, "bye", 3, 0);
	close(b);
	note_poll("data and end", a);
	note_recv("recv", a, 10, 0);
	note_recv("end", a, 10, 0);
	note_poll("end", a);
	note_send("send", a, "x", 0);
	note_poll("nobody there", a);
	note_send("send", a, "x", 0);
	note("SIGPIPE", pipes);
	note_recv("recv", a, 10, 0);
	note_error("error", a);
	note_poll("after", a);
}

static void reset_notes(int a)
{
	note_poll("poll", a);
	note_recv("recv", a, 10, 0);
	note_recv("recv again", a, 10, 0);
	note_send("send", a, "x", MSG_NOSIGNAL);
	note_error("error", a);
	note_poll("poll", a);
	note_name("peer", a, 1, 0);
	note("shutdown", shutdown(a, SHUT_RDWR));
}

static void linger_zero(void)
{
	int a, b;

	pair(&a, &b);
	set_linger(b, 0);
	close(b);
	reset_notes(a);
}

static void reset_send_first(void)
{
	int a, b;

	pair(&a, &b);
	set_linger(b, 0);
	close(b);
	settle();
	note("send", send(a, "x", 1, 0));
	note("SIGPIPE", pipes);
	note("again", send(a, "x", 1, 0));
	note("SIGPIPE", pipes);
	note_recv("recv", a, 10, 0);
}

static void reset_with_data(void)
{
	int a, b;

	pair(&a, &b);
	note_send("send", b, "hello", 0);
	settle();
	set_linger(b, 0);
	close(b);
	note_poll("poll", a);
	note_recv("recv", a, 3, 0);
	note_recv("recv", a, 10, 0);
	note_recv("recv", a, 10, 0);
}

static void close_unread(void)
{
	int a, b;

	pair(&a, &b);
	send(a, "unread", 6, 0);
	settle();
	close(b);
	reset_notes(a);
}

static void close_unread_after_end(void)
{
	int a, b;

	pair(&a, &b);
	send(a, "unread", 6, 0);
	shutdown(a, SHUT_WR);
	settle();
	close(b);
	reset_notes(a);
}

static void linger_waits(void)
{
	char *data = make_big();
	double start;
	int a, b;

	pair(&a, &b);
	set_linger(a, 5);
	set_option(a, SOL_SOCKET, SO_SNDBUF, 2 * BIG);
	set_option(b, SOL_SOCKET, SO_RCVBUF, 30000);
	note("send", send(a, data, BIG, 0));
	if (!in_child(300)) {
		close(b);
		start = seconds_now();
		note("close", close(a));
		note("waited", seconds_now() - start > 0.2);
		return;
	}
	close(a);
	read_big(b);
	_exit(0);
}

static void close_in_flight(void)
{
	char *data = make_big();
	int a, b;

	pair(&a, &b);
	if (in_child(0)) {
		close(b);
		send(a, data, BIG, 0);
		_exit(0);
	}
	close(a);
	usleep(100000);
	note("arrived", read_big(b));
	note_recv("end", b, 10, 0);
}

static void reset_wakes(void)
{
	char *data = make_big();
	int a, b;

	pair(&a, &b);
	if (in_child(3 * settle_ms)) {
		set_linger(b, 0);
		close(b);
		_exit(0);
	}
	close(b);
	note_recv("recv", a, 10, 0);

	pair(&a, &b);
	if (in_child(5 * settle_ms)) {
		close(a);
		close(b);
		_exit(0);
	}
	close(b);
	while (send(a, data, BIG, MSG_NOSIGNAL) > 0)
		;
	note("send", -1);
	note("again", send(a, data, BIG, MSG_NOSIGNAL));
}

/* --- Options ------------------------------------------------------------- */

static void socket_options(void)
{
	int port, fd = listener(&port), a = new_socket(0), n = 1;
	socklen_t len = 1;

	note("buffer", set_option(a, SOL_SOCKET, SO_RCVBUF, 10000));
	note("doubled", get_option(a, SOL_SOCKET, SO_RCVBUF));
	note("buffer", set_option(a, SOL_SOCKET, SO_SNDBUF, 1));
	note("least", get_option(a, SOL_SOCKET, SO_SNDBUF));
	note("keepalive", set_option(a, SOL_SOCKET, SO_KEEPALIVE, 1));
	note("device", setsockopt(a, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3));
	note("connect", connect_to(a, port));
	note("no such level", set_option(a, 12345, 1, 1));
	note("no such option", set_option(a, SOL_SOCKET, 12345, 1));
	if (af == AF_INET) {
		note("tos", set_option(a, SOL_IP, IP_TOS, 0xb9));
		note("tos", get_option(a, SOL_IP, IP_TOS));
		note("tos", getsockopt(a, SOL_IP, IP_TOS, &n, &len));
		note("length", len);
		note("tos", setsockopt(a, SOL_IP, IP_TOS, "\x20", 1));
		note("tos", get_option(a, SOL_IP, IP_TOS));
		len = -1;
		note("length", getsockopt(a, SOL_IP, IP_TOS, &n, &len));
		note("bad address", setsockopt(a, SOL_IP, IP_TOS, NULL, 4));
	} else {
		note("tclass", set_option(a, SOL_IPV6, IPV6_TCLASS, 0xb8));
		note("tclass", get_option(a, SOL_IPV6, IPV6_TCLASS));
		note("tclass", set_option(a, SOL_IPV6, IPV6_TCLASS, 256));
		note("v6only", set_option(a, SOL_IPV6, IPV6_V6ONLY, 1));
		note("v6only", get_option(a, SOL_IPV6, IPV6_V6ONLY));
		a = new_socket(0);
		note("v6only", set_option(a, SOL_IPV6, IPV6_V6ONLY, 1));
		note("v6only", get_option(a, SOL_IPV6, IPV6_V6ONLY));
		note("short", setsockopt(a, SOL_IPV6, IPV6_V6ONLY, &n, 1));
	}
	close(fd);
}

/* An IPv6 socket that IPv4 comes to, and that goes to IPv4 */
static void dual_stack(void)
{
	int fd = new_socket(0), a, port;
	union address to;
	socklen_t len;

	if (af == AF_INET)
		return;
	note("bind", bind_to(fd, true, 0));
	note("listen", listen(fd, 8));
	port = port_of(fd);
	len = parse_address("127.0.0.1", port, &to);
	a = socket(family == AF_INET6 ? AF_INET : family, SOCK_STREAM, 0);
	note("IPv4 socket", connect(a, &to.sa, len));
	note_name("client", a, 0, 0);
	a = accept(fd, NULL, NULL);
	note_name("accepted", a, 0, port);
	note_name("its peer", a, 1, 0);
	len = parse_address("::ffff:127.0.0.1", port, &to);
	a = new_socket(0);
	note("mapped address", connect(a, &to.sa, len));
	note_name("client", a, 0, 0);
	note_name("its peer", a, 1, port);
	a = new_socket(0);
	set_option(a, SOL_IPV6, IPV6_V6ONLY, 1);
	note("v6only to IPv4", connect(a, &to.sa, len));
	note("v6only to IPv6", connect_to(a, port));

	fd = new_socket(0);
	set_option(fd, SOL_IPV6, IPV6_V6ONLY, 1);
	bind_to(fd, true, 0);
	listen(fd, 8);
	port = port_of(fd);
	len = parse_address("127.0.0.1", port, &to);
	a = socket(family == AF_INET6 ? AF_INET : family, SOCK_STREAM, 0);
	note("IPv4 to a v6only listener", connect(a, &to.sa, len));
	a = socket(family == AF_INET6 ? AF_INET : family, SOCK_STREAM, 0);
	note("the port is free for IPv4", bind(a, &to.sa, len));
}

static const struct scenario scenarios[] = {
	SCENARIO(flags), SCENARIO(lowat), SCENARIO(full_buffer),
	SCENARIO(recv_timeout), SCENARIO(interrupted), SCENARIO(poll_wakes),
	SCENARIO(files), SCENARIO(half_close), SCENARIO(shut_read),
	SCENARIO(peer_closes), SCENARIO(linger_zero),
	SCENARIO(reset_send_first), SCENARIO(reset_with_data),
	SCENARIO(close_unread), SCENARIO(close_unread_after_end),
	SCENARIO(linger_waits), SCENARIO(close_in_flight),
	SCENARIO(reset_wakes), SCENARIO(socket_options), SCENARIO(dual_stack),
	{}
};

int main(int argc, char **argv)
{
	return run_scenarios(scenarios, NULL, argc, argv);
}
