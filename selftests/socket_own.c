// SPDX-License-Identifier: GPL-2.0-only
/*
 * What AF_MRC has of its own at the socket interface, or says differently
 * from TCP. Runs in a namespace of which only lo is up. Prints KTAP lines.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/mrc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include "mrc_test.h"

static int family, number, failed;

static void result(const char *name, bool good, long got)
{
	number++;
	if (!good) {
		failed++;
		printf("# %s: got %ld, errno %s\n", name, got,
		       strerrorname_np(errno));
	}
	printf("%sok %d %s\n", good ? "" : "not ", number, name);
}

static void expect(const char *name, long got, long want)
{
	result(name, got == want, got);
}

static void expect_error(const char *name, long got, int error)
{
	result(name, got == -1 && errno == error, got);
}

static int get(int fd, int option)
{
	socklen_t len = sizeof(int);
	int v = 0;

	return getsockopt(fd, SOL_MRC, option, &v, &len) ? -1 : v;
}

static int set(int fd, int option, int value)
{
	return setsockopt(fd, SOL_MRC, option, &value, sizeof(value));
}

static void test_create(void)
{
	int fd, two[2];

	expect_error("datagrams", socket(family, SOCK_DGRAM, 0),
		     ESOCKTNOSUPPORT);
	expect_error("raw", socket(family, SOCK_RAW, 0), ESOCKTNOSUPPORT);
	expect_error("protocol", socket(family, SOCK_STREAM, IPPROTO_TCP),
		     EPROTONOSUPPORT);
	expect_error("socketpair", socketpair(family, SOCK_STREAM, 0, two),
		     EOPNOTSUPP);
	fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	result("flags", fd >= 0, fd);
	expect_error("MSG_OOB, send", send(fd, "x", 1, MSG_OOB), EOPNOTSUPP);
	expect_error("MSG_OOB, recv", recv(fd, &fd, 1, MSG_OOB), EOPNOTSUPP);
}

/* The family field may say AF_MRC: the length tells IPv4 from IPv6. */
static void test_family_number(const char *text)
{
	int fd = socket(family, SOCK_STREAM, 0);
	int client = socket(family, SOCK_STREAM, 0);
	union address a, name = {};
	socklen_t len = parse_address(text, 0, &a), name_len = sizeof(name);
	int af = a.sa.sa_family;

	a.sa.sa_family = family;
	expect("bind by AF_MRC", bind(fd, &a.sa, len), 0);
	expect("listen", listen(fd, 1), 0);
	expect("name", getsockname(fd, &name.sa, &name_len), 0);
	expect("its family", name.sa.sa_family, af);
	expect("its length", name_len, len);
	name.sa.sa_family = family;
	expect("connect by AF_MRC", connect(client, &name.sa, name_len), 0);
	close(fd);
	close(client);
}

static void test_options(void)
{
	int fd = socket(family, SOCK_STREAM, 0), v = 1;
	socklen_t len = sizeof(v);
	char two[2];

	expect("nodelay is off", get(fd, MRC_NODELAY), 0);
	expect("nodelay", set(fd, MRC_NODELAY, 1), 0);
	expect("nodelay is on", get(fd, MRC_NODELAY), 1);
	expect("cork", set(fd, MRC_CORK, 1), 0);
	expect("cork is on", get(fd, MRC_CORK), 1);
	expect("user timeout", set(fd, MRC_USER_TIMEOUT, 1234), 0);
	expect("user timeout is set", get(fd, MRC_USER_TIMEOUT), 1234);
	expect_error("negative timeout", set(fd, MRC_USER_TIMEOUT, -1), EINVAL);
	expect("maxseg", set(fd, MRC_MAXSEG, 1000), 0);
	expect("maxseg is set", get(fd, MRC_MAXSEG), 1000);
	expect_error("too small", set(fd, MRC_MAXSEG, 63), EINVAL);
	expect_error("too large", set(fd, MRC_MAXSEG, 16353), EINVAL);
	expect("what fits", set(fd, MRC_MAXSEG, 0), 0);
	expect_error("no such option", set(fd, 99, 1), ENOPROTOOPT);
	expect_error("no such option to get", get(fd, 99), ENOPROTOOPT);
	expect_error("short", setsockopt(fd, SOL_MRC, MRC_NODELAY, &v, 1),
		     EINVAL);
	expect_error("bad address",
		     setsockopt(fd, SOL_MRC, MRC_NODELAY, (void *)8, 4), EFAULT);
	expect_error("TCP's options", setsockopt(fd, IPPROTO_TCP, 1, &v, 4),
		     ENOPROTOOPT);
	len = sizeof(two);
	expect("get two octets",
	       getsockopt(fd, SOL_MRC, MRC_USER_TIMEOUT, two, &len), 0);
	expect("two were written", len, 2);
	len = 100;
	expect("more than there is",
	       getsockopt(fd, SOL_MRC, MRC_NODELAY, &v, &len), 0);
	expect("length of an int", len, sizeof(v));
	len = -1;
	expect_error("negative length",
		     getsockopt(fd, SOL_MRC, MRC_NODELAY, &v, &len), EINVAL);
}

static void connected(int *a, int *b)
{
	int fd = socket(family, SOCK_STREAM, 0);
	union address to;
	socklen_t len = parse_address("127.0.0.1", 0, &to);

	*a = socket(family, SOCK_STREAM, 0);
	if (bind(fd, &to.sa, len) || listen(fd, 1) ||
	    getsockname(fd, &to.sa, &len) || connect(*a, &to.sa, len))
		err(1, "connect");
	*b = accept(fd, NULL, NULL);
	close(fd);
}

static long arrived(int fd)
{
	char data[100];

	usleep(50000);
	return recv(fd, data, sizeof(data), MSG_DONTWAIT);
}

static void test_cork(void)
{
	int a, b;

	connected(&a, &b);
	result("maxseg", get(a, MRC_MAXSEG) > 500, get(a, MRC_MAXSEG));
	set(a, MRC_CORK, 1);
	send(a, "corked", 6, 0);
	expect_error("a cork holds it back", arrived(b), EAGAIN);
	set(a, MRC_CORK, 0);
	expect("without it, it leaves", arrived(b), 6);
	send(a, "more", 4, MSG_MORE);
	expect_error("MSG_MORE holds it back", arrived(b), EAGAIN);
	send(a, "less", 4, 0);
	expect("what follows takes it along", arrived(b), 8);
	set(a, MRC_CORK, 1);
	send(a, "end", 3, 0);
	shutdown(a, SHUT_WR);
	expect("the end does too", arrived(b), 3);
	expect("and is the end", arrived(b), 0);
}

static void test_info(void)
{
	struct mrc_info info = {};
	socklen_t len = sizeof(info);
	int a, b;

	connected(&a, &b);
	send(a, "hello", 5, 0);
	usleep(50000);
	expect("info", getsockopt(a, SOL_MRC, MRC_INFO, &info, &len), 0);
	expect("all of it", len, sizeof(info));
	expect("established", info.state, 1);
	expect("segment size", info.mss, get(a, MRC_MAXSEG));
	expect("bytes sent", info.sent, 5);
	expect("nothing is unanswered", info.unacked, 0);
	result("paths", info.paths > 1, info.paths);
	result("congestion control", info.cong[0], 0);
	len = sizeof(info);
	getsockopt(b, SOL_MRC, MRC_INFO, &info, &len);
	expect("bytes to read", info.unread, 5);
	memset(&info, 0xff, sizeof(info));
	len = 4;
	expect("a part of it", getsockopt(a, SOL_MRC, MRC_INFO, &info, &len),
	       0);
	expect("length of the part", len, 4);
	expect("no more than that", info.mss, 0xffffffff);
	expect_error("info cannot be set", set(a, MRC_INFO, 1), ENOPROTOOPT);
	close(a);
	close(b);
}

/* A program that knows more of a record than the kernel does, too */
static void test_paths(void)
{
	unsigned int size = sizeof(struct mrc_path_info), count;
	char space[65536] __attribute__((aligned(8)));
	struct mrc_paths *paths = (struct mrc_paths *)space;
	struct mrc_path_info *second;
	socklen_t len = sizeof(*paths);
	int a, b;

	connected(&a, &b);
	memset(space, 0, sizeof(space));
	expect("count paths", getsockopt(a, SOL_MRC, MRC_PATHS, space, &len),
	       0);
	count = paths->count;
	result("there are some", count > 1, count);
	expect("size of a record", paths->size_kernel, size);
	memset(space + sizeof(*paths), 0xff, 2 * size + 16);
	paths->size_user = size + 16;
	len = sizeof(*paths) + 2 * paths->size_user;
	expect("two paths", getsockopt(a, SOL_MRC, MRC_PATHS, space, &len), 0);
	expect("length of two", len, sizeof(*paths) + 2 * (size + 16));
	expect("first index", paths->path[0].index, 0);
	second = (void *)(space + sizeof(*paths) + size + 16);
	expect("second index", second->index, 1);
	result("second entropy value", second->ev && second->ev <= 65535,
	       second->ev);
	expect("what the kernel does not know is 0",
	       *(int *)(space + sizeof(*paths) + size), 0);
	len = sizeof(space);
	expect("all paths", getsockopt(a, SOL_MRC, MRC_PATHS, space, &len), 0);
	expect("their length", len, sizeof(*paths) + count * (size + 16));
	paths->size_user = 12;
	expect_error("odd size", getsockopt(a, SOL_MRC, MRC_PATHS, space, &len),
		     EINVAL);
	len = 8;
	expect_error("no room", getsockopt(a, SOL_MRC, MRC_PATHS, space, &len),
		     EINVAL);
	close(a);
	close(b);
}

/* What a listener has, its connections have. */
static void test_inherited(void)
{
	static const struct { int option, value; } options[] = {
		{ MRC_NODELAY, 1 }, { MRC_CORK, 1 }, { MRC_MAXSEG, 1000 },
		{ MRC_USER_TIMEOUT, 1234 }, { MRC_KEEPIDLE, 11 },
		{ MRC_KEEPINTVL, 12 }, { MRC_KEEPCNT, 13 },
	};
	int fd = socket(family, SOCK_STREAM, 0), a, b;
	union address to;
	socklen_t len = parse_address("127.0.0.1", 0, &to);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		set(fd, options[i].option, options[i].value);
	a = socket(family, SOCK_STREAM, 0);
	if (bind(fd, &to.sa, len) || listen(fd, 1) ||
	    getsockname(fd, &to.sa, &len) || connect(a, &to.sa, len))
		err(1, "connect");
	b = accept(fd, NULL, NULL);
	for (i = 0; i < ARRAY_SIZE(options); i++)
		expect("inherited", get(b, options[i].option),
		       options[i].value);
	expect("the client's segments are as small", get(a, MRC_MAXSEG), 1000);
	close(a);
	close(b);
	close(fd);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	family = mrc_family();
	test_create();
	test_family_number("127.0.0.1");
	test_family_number("::1");
	test_options();
	test_cork();
	test_info();
	test_paths();
	test_inherited();
	return failed > 0;
}
