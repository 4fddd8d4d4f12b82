// SPDX-License-Identifier: GPL-2.0-only
/*
 * What programs do with the options of their TCP sockets. All of it must hold
 * on TCP and, under mrcrun, on AF_MRC alike. Prints each thing that does not.
 *
 * usage: mrcrun_options 4|6 FAMILY, which its sockets must really have
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

static int failed;

#define EXPECT(condition) do {						\
	if (!(condition)) {						\
		printf("line %d: %s (errno: %s)\n", __LINE__,		\
		       #condition, strerror(errno));			\
		failed = 1;						\
	}								\
} while (0)

#define EXPECT_ERROR(error, call) EXPECT((call) == -1 && errno == (error))

static int set(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

/* -1 for an error; no option asked for here has that value. */
static int get(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	if (getsockopt(fd, level, name, &value, &len))
		return -1;
	return value;
}

/* Past whatever stands in front of getsockopt() */
static int real_family(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &value, &len);
	return value;
}

static socklen_t loopback(int domain, struct sockaddr_storage *addr)
{
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)addr;
	struct sockaddr_in *in = (struct sockaddr_in *)addr;

	memset(addr, 0, sizeof(*addr));
	addr->ss_family = domain;
	if (domain == AF_INET6) {
		in6->sin6_addr = in6addr_loopback;
		return sizeof(*in6);
	}
	in->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return sizeof(*in);
}

static void check_kind(int fd, int domain, int family)
{
	EXPECT(real_family(fd) == family);
	EXPECT(get(fd, SOL_SOCKET, SO_DOMAIN) == domain);
	EXPECT(get(fd, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_TCP);
	EXPECT(get(fd, SOL_SOCKET, SO_TYPE) == SOCK_STREAM);
}

static void check_creation(int domain, int family)
{
	int fd = socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	EXPECT(fd >= 0);
	EXPECT(fcntl(fd, F_GETFL) & O_NONBLOCK);
	EXPECT(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	check_kind(fd, domain, family);
	close(fd);

	fd = socket(domain, SOCK_DGRAM, 0);
	EXPECT(real_family(fd) == domain);
	EXPECT(get(fd, SOL_SOCKET, SO_PROTOCOL) == IPPROTO_UDP);
	EXPECT(set(fd, IPPROTO_TCP, TCP_NODELAY, 1) == -1);
	close(fd);

	fd = socket(AF_UNIX, SOCK_STREAM, 0);
	EXPECT(real_family(fd) == AF_UNIX);
	close(fd);

	EXPECT_ERROR(EPROTONOSUPPORT,
		     socket(domain, SOCK_STREAM, IPPROTO_UDP));
	EXPECT_ERROR(EBADF, set(-1, IPPROTO_TCP, TCP_NODELAY, 1));
	EXPECT_ERROR(EBADF, get(-1, SOL_SOCKET, SO_DOMAIN));
	EXPECT_ERROR(ENOTSOCK, set(STDOUT_FILENO, IPPROTO_TCP, TCP_CORK, 1));
}

static void check_flags(int fd)
{
	EXPECT(set(fd, IPPROTO_TCP, TCP_NODELAY, 8) == 0);
	EXPECT(get(fd, IPPROTO_TCP, TCP_NODELAY) == 1);
	EXPECT(set(fd, IPPROTO_TCP, TCP_NODELAY, 0) == 0);
	EXPECT(get(fd, IPPROTO_TCP, TCP_NODELAY) == 0);
	EXPECT(set(fd, IPPROTO_TCP, TCP_CORK, 1) == 0);
	EXPECT(get(fd, IPPROTO_TCP, TCP_CORK) == 1);
	EXPECT(set(fd, IPPROTO_TCP, TCP_CORK, 0) == 0);
	EXPECT(get(fd, IPPROTO_TCP, TCP_CORK) == 0);
	EXPECT(set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 12345) == 0);
	EXPECT(get(fd, IPPROTO_TCP, TCP_USER_TIMEOUT) == 12345);
	EXPECT_ERROR(EINVAL, set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, -1));
	EXPECT(set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, 0) == 0);
}

static void check_tuning(int fd)
{
	static const int accepted[] = {
		TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_KEEPCNT, TCP_SYNCNT,
		TCP_LINGER2, TCP_DEFER_ACCEPT, TCP_QUICKACK, TCP_FASTOPEN,
		TCP_NOTSENT_LOWAT,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(accepted); i++) {
		EXPECT(get(fd, IPPROTO_TCP, accepted[i]) >= 0);
		EXPECT(set(fd, IPPROTO_TCP, accepted[i], 5) == 0);
		EXPECT(get(fd, IPPROTO_TCP, accepted[i]) >= 0);
	}
	EXPECT(set(fd, SOL_SOCKET, SO_KEEPALIVE, 1) == 0);
	EXPECT(set(fd, IPPROTO_TCP, TCP_WINDOW_CLAMP, 100000) == 0);
	EXPECT(set(fd, IPPROTO_TCP, TCP_MAXSEG, 1400) == 0);
	EXPECT_ERROR(EINVAL, set(fd, IPPROTO_TCP, TCP_MAXSEG, 1));
	EXPECT_ERROR(EINVAL, set(fd, IPPROTO_TCP, TCP_KEEPIDLE, 0));
	EXPECT_ERROR(EINVAL, set(fd, IPPROTO_TCP, TCP_KEEPINTVL, 40000));
	EXPECT_ERROR(EINVAL, set(fd, IPPROTO_TCP, TCP_KEEPCNT, 200));
	EXPECT_ERROR(ENOPROTOOPT, set(fd, IPPROTO_TCP, 9999, 1));
	EXPECT_ERROR(ENOPROTOOPT, get(fd, IPPROTO_TCP, 9999));
}

static void check_lengths(int fd)
{
	int value = 1;
	socklen_t len = 1;

	EXPECT_ERROR(EINVAL, setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value,
					2));
	EXPECT_ERROR(EINVAL, setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &value,
					3));
	EXPECT_ERROR(EINVAL, setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, "x",
					0));
	value = -1;
	EXPECT(!getsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &value, &len));
	EXPECT(len == 1);
	len = 100;
	EXPECT(!getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value, &len));
	EXPECT(len == sizeof(value));
	len = -1;
	EXPECT_ERROR(EINVAL, getsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &value,
					&len));
}

static void check_congestion(int fd)
{
	char name[32] = "";
	socklen_t len = sizeof(name);

	EXPECT(!getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &len));
	EXPECT(len == 16 && name[0]);
	EXPECT(!setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name,
			   strlen(name)));
}

static void check_ip(int fd, int domain)
{
	char options[40];
	socklen_t len = sizeof(options);

	EXPECT(set(fd, IPPROTO_IP, IP_TOS, 0x28) == 0);
	EXPECT(get(fd, IPPROTO_IP, IP_TOS) == 0x28);
	EXPECT(set(fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO) == 0);
	EXPECT(set(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1) == 0);
	EXPECT(set(fd, IPPROTO_IP, IP_RECVERR, 1) == 0);
	EXPECT(!getsockopt(fd, IPPROTO_IP, IP_OPTIONS, options, &len));
	EXPECT(len == 0);
	if (domain != AF_INET6)
		return;
	EXPECT(set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1) == 0);
	EXPECT(get(fd, IPPROTO_IPV6, IPV6_V6ONLY) == 1);
	EXPECT(set(fd, IPPROTO_IPV6, IPV6_TCLASS, 0x28) == 0);
	EXPECT(get(fd, IPPROTO_IPV6, IPV6_TCLASS) == 0x28);
}

static int state(int fd)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	memset(&info, 0xff, sizeof(info));
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len))
		return -1;
	EXPECT(len == sizeof(info));
	return info.tcpi_state;
}

static void check_info(int fd)
{
	struct tcp_info info;
	socklen_t len = 8;

	memset(&info, 0xff, sizeof(info));
	EXPECT(!getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len));
	EXPECT(len == 8);
	EXPECT(info.tcpi_state == TCP_ESTABLISHED);
	EXPECT(info.tcpi_ato == 0xffffffff);
	len = sizeof(info);
	EXPECT(!getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len));
	EXPECT(info.tcpi_snd_mss >= 500);
	EXPECT(get(fd, IPPROTO_TCP, TCP_MAXSEG) >= 500);
}

/* The peer's end takes a moment to arrive; its bytes cannot be too late. */
static void check_peer_end(int fd, int peer)
{
	char byte;

	EXPECT(send(peer, "x", 1, 0) == 1);
	EXPECT(shutdown(peer, SHUT_WR) == 0);
	EXPECT(recv(fd, &byte, 1, 0) == 1);
	EXPECT(recv(fd, &byte, 1, 0) == 0);
	EXPECT(state(fd) == TCP_CLOSE_WAIT);
}

static void check_connection(int domain, int family)
{
	int listener = socket(domain, SOCK_STREAM, IPPROTO_TCP);
	int client = socket(domain, SOCK_STREAM, IPPROTO_TCP);
	struct sockaddr_storage addr, name;
	socklen_t len = loopback(domain, &addr);
	socklen_t name_len = sizeof(name);
	int server, copy;

	EXPECT(state(client) == TCP_CLOSE);
	EXPECT(get(client, IPPROTO_TCP, TCP_MAXSEG) > 0);
	EXPECT(set(listener, SOL_SOCKET, SO_REUSEADDR, 1) == 0);
	EXPECT(bind(listener, (struct sockaddr *)&addr, len) == 0);
	EXPECT(listen(listener, 5) == 0);
	EXPECT(state(listener) == TCP_LISTEN);
	EXPECT(!getsockname(listener, (struct sockaddr *)&addr, &len));
	EXPECT(connect(client, (struct sockaddr *)&addr, len) == 0);
	server = accept4(listener, (struct sockaddr *)&name, &name_len,
			 SOCK_CLOEXEC);
	EXPECT(server >= 0);
	EXPECT(name.ss_family == domain && name_len == len);
	copy = dup(server);
	check_kind(listener, domain, family);
	check_kind(client, domain, family);
	check_kind(copy, domain, family);
	check_flags(copy);
	check_info(copy);
	check_info(client);
	check_peer_end(copy, client);
	close(copy);
	close(server);
	close(client);
	close(listener);
}

int main(int argc, char **argv)
{
	int domain, family, fd;

	if (argc != 3)
		return 2;
	domain = strcmp(argv[1], "6") ? AF_INET : AF_INET6;
	family = atoi(argv[2]);

	check_creation(domain, family);
	fd = socket(domain, SOCK_STREAM, 0);
	check_flags(fd);
	check_tuning(fd);
	check_lengths(fd);
	check_congestion(fd);
	check_ip(fd, domain);
	close(fd);
	check_connection(domain, family);
	return failed;
}
