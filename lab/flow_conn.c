// SPDX-License-Identifier: GPL-2.0-only
/* Both ends of one connection of flow. */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>
#include "flow.h"
#include "../selftests/mrc_test.h"

#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP	262
#endif
#define MRC_SOL		300
#define MRC_GET_MAXSEG	3
#define BUFFER		(1 << 20)

static char buffer[BUFFER];

static void finish(struct flow *flow, int error)
{
	if (flow->done_ns || flow->failed)
		return;
	if (error)
		flow->failed = error;
	else
		flow->done_ns = now_ns();
	if (error || !flow->hold)
		unfinished--;
}

static void watch(int fd, struct flow *flow, enum role role, uint32_t events)
{
	struct epoll_event ev = {
		.events = events,
		.data.u64 = (uint64_t)(flow - flows) << 2 | role,
	};

	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &ev) &&
	    (errno != EEXIST || epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &ev)))
		err(1, "epoll_ctl");
}

static int make_socket(struct flow *flow, union address *a, socklen_t *len)
{
	int domain, protocol = flow->kind == MPTCP ? IPPROTO_MPTCP : 0;
	int fd, one = 1;

	*len = parse_address(flow->addr, flow->port, a);
	domain = flow->kind == MRC ? mrc_family() : a->sa.sa_family;
	fd = socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
		    protocol);
	if (fd < 0)
		err(1, "%s: socket", flow->name);
	if (flow->kind == MRC)
		return fd;
	if (flow->cc && setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, flow->cc,
				   strlen(flow->cc)))
		err(1, "%s: %s", flow->name, flow->cc);
	if (flow->msg)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

/*
 * Both sockets at once, since entering a namespace may take some ms: later it
 * would hold up all flows.
 */
void make_sockets(struct flow *flow)
{
	union address a;
	socklen_t len;

	enter(flow->to);
	flow->listener = make_socket(flow, &a, &len);
	if (bind(flow->listener, &a.sa, len) || listen(flow->listener, 64))
		err(1, "%s: port %d", flow->name, flow->port);
	watch(flow->listener, flow, LISTENER, EPOLLIN);
	enter(flow->from);
	flow->tx = make_socket(flow, &a, &len);
}

void start_connecting(struct flow *flow)
{
	union address a;
	socklen_t len = parse_address(flow->addr, flow->port, &a);

	flow->started = true;
	if (connect(flow->tx, &a.sa, len) && errno != EINPROGRESS) {
		finish(flow, errno);
		return;
	}
	watch(flow->tx, flow, SENDER, EPOLLOUT);
}

static bool connected(struct flow *flow)
{
	int error = 0;
	socklen_t len = sizeof(error);

	if (flow->connected)
		return true;
	getsockopt(flow->tx, SOL_SOCKET, SO_ERROR, &error, &len);
	if (error) {
		finish(flow, error);
		return false;
	}
	flow->connected = true;
	flow->connected_ns = now_ns();
	if (!flow->last_ns)
		flow->last_ns = flow->connected_ns;
	return true;
}

static void ask(struct flow *flow)
{
	flow->asked_ns = now_ns();
	if (send(flow->tx, buffer, flow->msg, MSG_NOSIGNAL) !=
	    (ssize_t)flow->msg)
		finish(flow, errno);
}

/* An answer is here, or the first question is still to be asked. */
static void send_message(struct flow *flow)
{
	ssize_t n;

	if (!flow->sent) {
		watch(flow->tx, flow, SENDER, EPOLLIN);
		flow->sent = flow->msg;
		ask(flow);
		return;
	}
	n = recv(flow->tx, buffer, sizeof(buffer), 0);
	if (n <= 0) {
		if (!n || errno != EAGAIN)
			finish(flow, n ? errno : ECONNRESET);
		return;
	}
	flow->echoed += n;
	if (flow->echoed < flow->sent)
		return;
	if (!(flow->nr_rtts & (flow->nr_rtts + 1)))
		flow->rtts = realloc(flow->rtts, (2 * flow->nr_rtts + 2) *
				     sizeof(*flow->rtts));
	flow->rtts[flow->nr_rtts++] = now_ns() - flow->asked_ns;
	flow->sent += flow->msg;
	ask(flow);
}

static void send_bulk(struct flow *flow)
{
	uint64_t want;
	ssize_t n;

	do {
		want = flow->bytes ? flow->bytes - flow->sent : BUFFER;
		if (want > BUFFER)
			want = BUFFER;
		n = send(flow->tx, buffer, want, MSG_NOSIGNAL);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) {
			finish(flow, errno);
			n = 0;
			break;
		}
		flow->sent += n;
	} while (flow->sent != flow->bytes);
	epoll_ctl(epoll, EPOLL_CTL_DEL, flow->tx, NULL);
	if (!flow->hold && !flow->failed)
		shutdown(flow->tx, SHUT_WR);
}

void on_sender(struct flow *flow)
{
	if (flow->failed)
		epoll_ctl(epoll, EPOLL_CTL_DEL, flow->tx, NULL);
	else if (connected(flow) && flow->msg)
		send_message(flow);
	else if (flow->connected)
		send_bulk(flow);
}

void on_listener(struct flow *flow)
{
	socklen_t len = sizeof(flow->maxseg);

	flow->rx = accept4(flow->listener, NULL, NULL,
			   SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (flow->rx < 0)
		err(1, "%s: accept", flow->name);
	/* It stays: more subflows of MPTCP come to it. */
	epoll_ctl(epoll, EPOLL_CTL_DEL, flow->listener, NULL);
	if (flow->kind == MRC)
		getsockopt(flow->tx, MRC_SOL, MRC_GET_MAXSEG, &flow->maxseg,
			   &len);
	else
		getsockopt(flow->rx, IPPROTO_TCP, TCP_MAXSEG, &flow->maxseg,
			   &len);
	watch(flow->rx, flow, RECEIVER, EPOLLIN);
}

static void record(struct flow *flow, size_t n)
{
	uint64_t now = now_ns(), wait = now - flow->last_ns;

	if (wait >= gap_min_ns && flow->last_ns && flow->nr_gaps < MAX_GAPS)
		flow->gaps[flow->nr_gaps++] =
			(struct gap){ flow->last_ns, wait };
	flow->last_ns = now;
	flow->got += n;
	if (now < end_ns)
		flow->bins[now / bin_ns] += n;
}

void on_receiver(struct flow *flow)
{
	ssize_t n;

	while ((n = recv(flow->rx, buffer, sizeof(buffer), 0)) > 0) {
		if (!flow->msg)
			record(flow, n);
		else if (send(flow->rx, buffer, n, MSG_NOSIGNAL) != n)
			finish(flow, errno);
	}
	if (n < 0 && errno == EAGAIN) {
		if (flow->bytes && flow->got == flow->bytes)
			finish(flow, 0);
		return;
	}
	if (n < 0 || flow->got != flow->bytes || !flow->bytes)
		finish(flow, n < 0 ? errno : ECONNRESET);
	else
		finish(flow, 0);
	epoll_ctl(epoll, EPOLL_CTL_DEL, flow->rx, NULL);
}
