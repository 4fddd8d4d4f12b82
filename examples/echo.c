// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server that sends back what it gets, and its client.
 *
 *	echo -l PORT
 *	echo HOST PORT TEXT
 */
#include <err.h>
#include <linux/mrc.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Results of getaddrinfo() work unchanged. */
static struct addrinfo *look_up(const char *host, const char *port)
{
	struct addrinfo hints = {
		/* A listener on the IPv6 address gets IPv4 as well. */
		.ai_family = host ? AF_UNSPEC : AF_INET6,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = host ? 0 : AI_PASSIVE,
	}, *found;
	int error = getaddrinfo(host, port, &hints, &found);

	if (error)
		errx(1, "%s: %s", host ? host : port, gai_strerror(error));
	return found;
}

static void serve(const char *port)
{
	struct addrinfo *address = look_up(NULL, port);
	int listener = socket(AF_MRC, SOCK_STREAM, 0);
	char data[65536];
	ssize_t n;
	int fd;

	if (listener < 0)
		err(1, "socket");
	if (bind(listener, address->ai_addr, address->ai_addrlen) ||
	    listen(listener, 16))
		err(1, "port %s", port);
	freeaddrinfo(address);
	for (;;) {
		fd = accept(listener, NULL, NULL);
		if (fd < 0)
			err(1, "accept");
		while ((n = recv(fd, data, sizeof(data), 0)) > 0)
			if (send(fd, data, n, MSG_NOSIGNAL) != n)
				break;
		close(fd);
	}
}

static int dial(const char *host, const char *port)
{
	struct addrinfo *found = look_up(host, port), *address;
	int fd = -1;

	for (address = found; address; address = address->ai_next) {
		fd = socket(AF_MRC, SOCK_STREAM, 0);
		if (fd < 0)
			err(1, "socket");
		if (!connect(fd, address->ai_addr, address->ai_addrlen))
			break;
		close(fd);
		fd = -1;
	}
	freeaddrinfo(found);
	if (fd < 0)
		err(1, "%s", host);
	return fd;
}

static void say(const char *host, const char *port, const char *text)
{
	int fd = dial(host, port);
	struct mrc_info info = { 0 };
	socklen_t len = sizeof(info);
	char data[4096];
	ssize_t n;

	if (send(fd, text, strlen(text), 0) < 0)
		err(1, "send");
	shutdown(fd, SHUT_WR);
	while ((n = recv(fd, data, sizeof(data), 0)) > 0)
		printf("%.*s", (int)n, data);
	if (n < 0)
		err(1, "recv");
	/* A kernel that knows less leaves the rest of it 0. */
	if (!getsockopt(fd, SOL_MRC, MRC_INFO, &info, &len))
		printf("\n%llu bytes received, round trip %u us\n",
		       (unsigned long long)info.received, info.srtt_us);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "-l"))
		serve(argv[2]);
	if (argc != 4)
		errx(2, "usage: echo -l PORT | echo HOST PORT TEXT");
	say(argv[1], argv[2], argv[3]);
	return 0;
}
