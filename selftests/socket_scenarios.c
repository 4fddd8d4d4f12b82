// SPDX-License-Identifier: GPL-2.0-only
/*
 * The socket interface, held against TCP's. A scenario makes calls and notes
 * what each one returned; it runs on TCP and on AF_MRC, over IPv4 and IPv6,
 * and must leave the same notes. So nobody has to know by heart which poll
 * bits TCP sets when. What AF_MRC has of its own is in socket_own.c.
 *
 * usage: socket_scenarios [SCENARIO...]		in a namespace of which only
 *						lo is up; all of them by default
 *	  socket_scenarios -u SCENARIO ADDRESS	connect to where nobody answers
 */
#define _GNU_SOURCE
#include "socket_scenario.h"

/* --- bind, listen, accept ------------------------------------------------ */

static void bind_errors(void)
{
	int a = new_socket(0), b = new_socket(0), port;
	union address far;
	socklen_t len = local(&far, false, 0);

	note("short", bind(a, &far.sa, len - 8));
	note("no length", bind(a, &far.sa, 0));
	far.sa.sa_family = AF_UNIX;
	note("other family", bind(a, &far.sa, len));
	len = parse_address(af == AF_INET ? "192.0.2.1" : "2001:db8::1", 0,
			    &far);
	note("not ours", bind(a, &far.sa, len));
	note("first", bind_to(a, false, 0));
	port = port_of(a);
	note("twice", bind_to(a, false, 0));
	note("in use", bind_to(b, false, port));
	note("in use, any", bind_to(b, true, port));
	if (seteuid(65534))
		err(1, "seteuid");
	note("privileged", bind_to(b, false, 99));
	if (seteuid(0))
		err(1, "seteuid");
	note("root", bind_to(b, false, 99));
}

static void reuse_one(bool reuse_a, bool reuse_b, bool listens, bool any)
{
	int a = new_socket(0), b = new_socket(0);
	char what[64];

	set_option(a, SOL_SOCKET, SO_REUSEADDR, reuse_a);
	set_option(b, SOL_SOCKET, SO_REUSEADDR, reuse_b);
	snprintf(what, sizeof(what), "reuse %d %d, listens %d, any %d",
		 reuse_a, reuse_b, listens, any);
	bind_to(a, false, 0);
	if (listens)
		listen(a, 1);
	note(what, bind_to(b, any, port_of(a)));
	note("	listen", listen(b, 1));
	note("	first listen", listen(a, 1));
	close(a);
	close(b);
}

static void reuse(void)
{
	int i;

	for (i = 0; i < 16; i++)
		reuse_one(i & 1, i & 2, i & 4, i & 8);
}

/*
 * A connection that was accepted. Without SO_REUSEADDR it would keep TCP's port
 * busy, but not ours: mrc.rst, "Sockets".
 */
static void reuse_accepted(void)
{
	int port, fd = listener(&port), client = new_socket(0), server, again;

	connect_to(client, port);
	server = accept(fd, NULL, NULL);
	close(fd);
	again = new_socket(0);
	set_option(again, SOL_SOCKET, SO_REUSEADDR, 1);
	set_option(server, SOL_SOCKET, SO_REUSEADDR, 1);
	note("with it", bind_to(again, false, port));
	note("listen", listen(again, 1));
	note_send("the old one works", client, "x", 0);
	note_recv("recv", server, 10, 0);
}

static void listening(void)
{
	int fd = new_socket(SOCK_NONBLOCK), client = new_socket(0), server;
	int port;

	note("accept before listen", accept(fd, NULL, NULL));
	note("listen", listen(fd, 4));
	port = port_of(fd);
	note("has a port", port > 0);
	note("SO_ACCEPTCONN", get_option(fd, SOL_SOCKET, SO_ACCEPTCONN));
	note("listen again", listen(fd, 8));
	note_poll("idle", fd);
	note("accept", accept(fd, NULL, NULL));
	note_recv("recv", fd, 10, 0);
	note_send("send", fd, "x", MSG_NOSIGNAL);
	note("connect", connect_to(fd, port));
	note_name("peer", fd, 1, 0);
	note("bind", bind_to(fd, false, 0));
	note("client", connect_to(client, port));
	note_poll("one waits", fd);
	server = accept4(fd, NULL, NULL, SOCK_NONBLOCK);
	note("accepted", server > 0);
	note_poll("taken", fd);
	note_recv("nonblocking", server, 10, 0);
	note("accept one that is connected", accept(server, NULL, NULL));
	note("listen when connected", listen(server, 1));
	note("SIOCINQ of a listener", ioctl(fd, SIOCINQ, &port));
	note("shutdown write", shutdown(fd, SHUT_WR));
	note_poll("still listens", fd);
	note("shutdown read", shutdown(fd, SHUT_RD));
	note_poll("stopped", fd);
	note("accept after that", accept(fd, NULL, NULL));
	note("listen again", listen(fd, 1));
	note_poll("listens again", fd);
}

static void backlog(void)
{
	int fd = new_socket(SOCK_NONBLOCK), client, i;

	bind_to(fd, false, 0);
	listen(fd, 1);
	for (i = 0; i < 4; i++) {
		client = new_socket(SOCK_NONBLOCK);
		connect_to(client, port_of(fd));
		note_poll("client", client);
	}
	for (i = 0; i < 2; i++)
		note("accept", accept(fd, NULL, NULL) > 0);
	note("accept", accept(fd, NULL, NULL));
}

static void close_listener(void)
{
	int port, fd = listener(&port), client = new_socket(0);

	connect_to(client, port);
	settle();
	close(fd);
	note_poll("client", client);
	note_recv("recv", client, 10, 0);
	note("connect to it", connect_to(new_socket(0), port));
}

static void accept_timeout(void)
{
	int port, fd = listener(&port);
	double start = seconds_now();

	set_timeout(fd, SO_RCVTIMEO, 100);
	note("accept", accept(fd, NULL, NULL));
	note("waited", seconds_now() - start > 0.09);
}

static void accept_wakes(void)
{
	int port, fd = listener(&port);

	if (in_child(3 * settle_ms)) {
		connect_to(new_socket(0), port);
		usleep(100 * 1000);
		shutdown(fd, SHUT_RDWR);
		_exit(0);
	}
	note("a connection", accept(fd, NULL, NULL) > 0);
	note("shutdown", accept(fd, NULL, NULL));
}

static void inherited(void)
{
	int port, fd = listener(&port), client = new_socket(0), server;
	struct linger l = {};
	socklen_t len = sizeof(l);

	set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(fd, SOL_SOCKET, SO_RCVBUF, 20000);
	set_option(fd, SOL_SOCKET, SO_SNDBUF, 30000);
	set_linger(fd, 7);
	connect_to(client, port);
	server = accept(fd, NULL, NULL);
	note("keepalive", get_option(server, SOL_SOCKET, SO_KEEPALIVE));
	note("rcvbuf", get_option(server, SOL_SOCKET, SO_RCVBUF));
	note("sndbuf", get_option(server, SOL_SOCKET, SO_SNDBUF));
	getsockopt(server, SOL_SOCKET, SO_LINGER, &l, &len);
	note("linger", l.l_onoff * 100 + l.l_linger);
	note("acceptconn", get_option(server, SOL_SOCKET, SO_ACCEPTCONN));
}

/* --- connect ------------------------------------------------------------- */

static void fresh(void)
{
	int fd = new_socket(0);

	note_poll("poll", fd);
	note_recv("recv", fd, 10, 0);
	note_send("send", fd, "x", MSG_NOSIGNAL);
	note("shutdown", shutdown(fd, SHUT_RDWR));
	note("how", shutdown(fd, 17));
	note_name("peer", fd, 1, 0);
	note_error("error", fd);
	note("type", get_option(fd, SOL_SOCKET, SO_TYPE));
}

static void connect_errors(void)
{
	int port, fd = listener(&port), a = new_socket(0);
	union address to;
	socklen_t len = local(&to, false, port);

	note("short", connect(a, &to.sa, len - 8));
	note("no length", connect(a, &to.sa, 0));
	to.sa.sa_family = AF_UNIX;
	note("other family", connect(a, &to.sa, len));
	len = parse_address(af == AF_INET ? "192.0.2.1" : "2001:db8::1", 9,
			    &to);
	note("no route", connect(a, &to.sa, len));
	len = parse_address(af == AF_INET ? "224.0.0.1" : "ff02::1", 9, &to);
	note("multicast", connect(a, &to.sa, len));
	if (af == AF_INET) {
		len = parse_address("255.255.255.255", 9, &to);
		note("broadcast", connect(a, &to.sa, len));
	}
	note("after all that", connect_to(a, port));
	note("connected", connect_to(a, port));
	note("bind", bind_to(a, false, 0));
	note("client port 0", connect_to(new_socket(0), 0));
	close(fd);
}

static void connect_any(void)
{
	int port, fd = listener(&port), a = new_socket(0);
	union address to;
	socklen_t len = local(&to, true, port);

	note("connect", connect(a, &to.sa, len));
	note_name("peer", a, 1, port);
	note_name("name", a, 0, 0);
	note_name("accepted", accept(fd, NULL, NULL), 0, port);
}

static void connect_nonblock(void)
{
	int port, fd = listener(&port), a = new_socket(SOCK_NONBLOCK);

	note("connect", connect_to(a, port));
	note_poll("client", a);
	note_poll("listener", fd);
	note_error("error", a);
	note("connect again", connect_to(a, port));
	note("and again", connect_to(a, port));
}

static void refused(void)
{
	int port, fd, dead = free_port(), a = new_socket(0);
	double start = seconds_now();

	note("connect", connect_to(a, dead));
	note("at once", seconds_now() - start < 0.5);
	note_poll("poll", a);
	note_error("error", a);
	note_name("peer", a, 1, 0);
	fd = listener(&port);
	note("other port", connect_to(a, port));
	note_name("peer", a, 1, port);
	close(fd);
}

static void refused_nonblock(void)
{
	int port, fd, a = new_socket(SOCK_NONBLOCK), dead = free_port();

	note("connect", connect_to(a, dead));
	note_poll("poll", a);
	note_error("error", a);
	note_error("error is gone", a);
	note_poll("poll", a);
	note_recv("recv", a, 10, 0);
	note_send("send", a, "x", MSG_NOSIGNAL);
	fd = listener(&port);
	note("other port", connect_to(a, port));
	note("other port again", connect_to(a, port));
	close(fd);
}

static void refused_connect_again(void)
{
	int a = new_socket(SOCK_NONBLOCK), dead = free_port();

	note("connect", connect_to(a, dead));
	settle();
	note("tells", connect_to(a, dead));
	note("begins again", connect_to(a, dead));
	note_poll("poll", a);
	note_recv("recv tells", a, 10, 0);
}

static void disconnect(void)
{
	union address none = { .sa.sa_family = AF_UNSPEC };
	int port, fd, a, b;

	pair(&a, &b);
	note("connected", connect(a, &none.sa, sizeof(none.sa)));
	note_poll("peer", b);
	note_recv("peer", b, 10, 0);
	note_name("peer", a, 1, 0);
	fd = listener(&port);
	note("connect again", connect_to(a, port));
	b = accept(fd, NULL, NULL);
	note_send("send", a, "again", 0);
	note_recv("recv", b, 10, 0);
	note("fresh", connect(new_socket(0), &none.sa, sizeof(none.sa)));
	note("listener", connect(fd, &none.sa, sizeof(none.sa)));
	note("not any more", accept(fd, NULL, NULL));
}

static void names(void)
{
	int port, fd = listener(&port), a = new_socket(0), b;
	union address from = {};
	socklen_t len = 4;

	note_name("listener", fd, 0, port);
	connect_to(a, port);
	note_name("client", a, 0, 0);
	note_name("client's peer", a, 1, port);
	b = accept(fd, &from.sa, &len);
	note_text("accept: family %d length %u\n", from.sa.sa_family, len);
	note_name("server", b, 0, port);
	note_name("server's peer", b, 1, port_of(a));
	len = -1;
	note("negative length", getsockname(b, &from.sa, &len));
	close(a);
	settle();
	note_name("the peer is gone", b, 1, 0);
	bind_to(a = new_socket(0), true, 0);
	note_name("any", a, 0, 0);
}

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

/* --- No answer (-u) ------------------------------------------------------ */

static int connect_away(int fd)
{
	union address to;
	socklen_t len = parse_address(remote, 9, &to);

	return connect(fd, &to.sa, len);
}

static void away(void)
{
	int a = new_socket(0);

	note("connect", connect_away(a));
	note_recv("recv", a, 10, 0);
}

static void away_nonblock(void)
{
	int a = new_socket(SOCK_NONBLOCK);
	struct pollfd p = { .fd = a, .events = POLLIN };

	note("connect", connect_away(a));
	note("poll", poll(&p, 1, 1000 * HANG_SECONDS / 2));
	note("ERR", !!(p.revents & POLLERR));
	note_error("error", a);
}

/* While nothing has come back yet: only where that takes its time */
static void away_pending(void)
{
	int a = new_socket(SOCK_NONBLOCK);

	note("connect", connect_away(a));
	note_poll("poll", a);
	note("connect", connect_away(a));
	note_error("error", a);
	note_recv("recv", a, 10, 0);
	note_send("send", a, "x", MSG_NOSIGNAL);
	note_name("peer", a, 1, 0);
	note("listen", listen(a, 1));
	note("bind", bind_to(a, false, 0));
	note("shutdown", shutdown(a, SHUT_RDWR));
	get_option(a, SOL_SOCKET, SO_ERROR);
	note_poll("poll", a);
	note("connect", connect_away(a));

	a = new_socket(0);
	set_timeout(a, SO_SNDTIMEO, 50);
	note("in time", connect_away(a));
	note("again", connect_away(a));
	note_poll("poll", a);
	a = new_socket(SOCK_NONBLOCK);
	note("connect", connect_away(a));
	note("shutdown", shutdown(a, SHUT_RD));
	get_option(a, SOL_SOCKET, SO_ERROR);
	note_poll("poll", a);
}

/* --- Running ------------------------------------------------------------- */

#define SCENARIO(name)	{ #name, name }

struct scenario {
	const char *name;
	void (*run)(void);
};

static const struct scenario scenarios[] = {
	SCENARIO(bind_errors), SCENARIO(reuse), SCENARIO(reuse_accepted),
	SCENARIO(listening), SCENARIO(backlog), SCENARIO(close_listener),
	SCENARIO(accept_timeout), SCENARIO(accept_wakes), SCENARIO(inherited),
	SCENARIO(fresh), SCENARIO(connect_errors), SCENARIO(connect_any),
	SCENARIO(connect_nonblock), SCENARIO(refused),
	SCENARIO(refused_nonblock), SCENARIO(refused_connect_again),
	SCENARIO(disconnect), SCENARIO(names), SCENARIO(flags),
	SCENARIO(lowat), SCENARIO(full_buffer), SCENARIO(recv_timeout),
	SCENARIO(interrupted), SCENARIO(poll_wakes), SCENARIO(files),
	SCENARIO(half_close), SCENARIO(shut_read), SCENARIO(peer_closes),
	SCENARIO(linger_zero), SCENARIO(reset_send_first),
	SCENARIO(reset_with_data), SCENARIO(close_unread),
	SCENARIO(close_unread_after_end), SCENARIO(linger_waits),
	SCENARIO(close_in_flight), SCENARIO(reset_wakes),
	SCENARIO(socket_options), SCENARIO(dual_stack),
};

static const struct scenario away_scenarios[] = {
	SCENARIO(away), SCENARIO(away_nonblock), SCENARIO(away_pending),
};

static void on_pipe(int signal)
{
	(void)signal;
	pipes++;
}

/* In a process group of its own, which ends with it, whatever happens */
static char *run_on(const struct scenario *s, int of_family)
{
	pid_t pid;
	int status;

	memset(trace, 0, TRACE_SIZE);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		family = of_family;
		signal(SIGPIPE, on_pipe);
		signal(SIGCHLD, SIG_IGN);
		alarm(HANG_SECONDS);
		s->run();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	kill(-pid, SIGKILL);
	if (WIFSIGNALED(status))
		note_text("killed by signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		note_text("gave up\n");
	return strdup(trace);
}

/* Line by line; prints those that differ, with the first that is the same. */
static bool same(char *tcp, char *mrc)
{
	char *t, *m, *t_save, *m_save;
	bool equal = true;

	t = strtok_r(tcp, "\n", &t_save);
	m = strtok_r(mrc, "\n", &m_save);
	while (t || m) {
		if (!t || !m || strcmp(t, m)) {
			printf("#   TCP: %-44s AF_MRC: %s\n", t ?: "-", m ?: "-");
			equal = false;
		}
		t = t ? strtok_r(NULL, "\n", &t_save) : NULL;
		m = m ? strtok_r(NULL, "\n", &m_save) : NULL;
	}
	return equal;
}

static bool compare(const struct scenario *s)
{
	static int number;
	char *tcp, *mrc;
	bool equal;

	tcp = run_on(s, af);
	mrc = run_on(s, mrc_family());
	if (getenv("MRC_VERBOSE"))
		printf("# %s on TCP:\n%s", s->name, tcp);
	equal = same(tcp, mrc);
	printf("%s %d %s, IPv%d%s%s\n", equal ? "ok" : "not ok", ++number,
	       s->name, af == AF_INET ? 4 : 6, remote ? ", to " : "",
	       remote ?: "");
	free(tcp);
	free(mrc);
	return equal;
}

static bool chosen(const struct scenario *s, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(*names, s->name))
			return true;
	return false;
}

static int run_away(const char *name, const char *address)
{
	union address a;
	size_t i;

	remote = address;
	parse_address(address, 9, &a);
	af = a.sa.sa_family;
	for (i = 0; i < ARRAY_SIZE(away_scenarios); i++)
		if (!strcmp(name, away_scenarios[i].name))
			return !compare(&away_scenarios[i]);
	return 2;
}

int main(int argc, char **argv)
{
	const int afs[] = { AF_INET, AF_INET6 };
	const char *ms = getenv("SETTLE_MS");
	int failed = 0, count = 0;
	size_t i, j;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (ms)
		settle_ms = atoi(ms);
	trace = mmap(NULL, TRACE_SIZE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc == 4 && !strcmp(argv[1], "-u"))
		return run_away(argv[2], argv[3]);
	for (i = 0; i < ARRAY_SIZE(scenarios); i++) {
		for (j = 0; j < ARRAY_SIZE(afs); j++) {
			if (!chosen(&scenarios[i], argv + 1))
				continue;
			af = afs[j];
			failed += !compare(&scenarios[i]);
			count++;
		}
	}
	return failed || !count;
}
