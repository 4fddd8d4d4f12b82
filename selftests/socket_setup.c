// SPDX-License-Identifier: GPL-2.0-only
/*
 * How connections begin, as scenarios (lib_socket.c).
 *
 * usage: socket_setup [SCENARIO...]	in a namespace of which only lo is up; all of
 *				them by default
 *	  socket_setup -u SCENARIO ADDRESS	connect to where nobody answers
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "lib_socket.h"

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
 * busy, but not ours: mrc(7).
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

/* The first router must send it back. */
static void away_ttl(void)
{
	int a = new_socket(0);

	if (af == AF_INET)
		note("TTL", set_option(a, SOL_IP, IP_TTL, 1));
	else
		note("hops", set_option(a, SOL_IPV6, IPV6_UNICAST_HOPS, 1));
	note("connect", connect_away(a));
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

static const struct scenario scenarios[] = {
	SCENARIO(bind_errors), SCENARIO(reuse), SCENARIO(reuse_accepted),
	SCENARIO(listening), SCENARIO(backlog), SCENARIO(close_listener),
	SCENARIO(accept_timeout), SCENARIO(accept_wakes), SCENARIO(inherited),
	SCENARIO(fresh), SCENARIO(connect_errors), SCENARIO(connect_any),
	SCENARIO(connect_nonblock), SCENARIO(refused),
	SCENARIO(refused_nonblock), SCENARIO(refused_connect_again),
	SCENARIO(disconnect), SCENARIO(names),
	{}
};

static const struct scenario away_scenarios[] = {
	SCENARIO(away), SCENARIO(away_nonblock), SCENARIO(away_pending),
	SCENARIO(away_ttl),
	{}
};

int main(int argc, char **argv)
{
	return run_scenarios(scenarios, away_scenarios, argc, argv);
}
