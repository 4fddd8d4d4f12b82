/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the test programs: sockets of AF_MRC or TCP, and addresses. */
#ifndef _MRC_TEST_H
#define _MRC_TEST_H

#include <arpa/inet.h>
#include <err.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

union address {
	struct sockaddr		sa;
	struct sockaddr_in	in;
	struct sockaddr_in6	in6;
};

/* The family's number, or -1 where the module is not loaded */
static inline int mrc_family(void)
{
	FILE *f = fopen("/sys/module/mrc/parameters/family", "r");
	int family = -1;

	if (f) {
		if (fscanf(f, "%d", &family) != 1)
			family = -1;
		fclose(f);
	}
	return family;
}

/* Returns the length of the address that @text and @port make. */
static inline socklen_t parse_address(const char *text, int port,
				      union address *a)
{
	memset(a, 0, sizeof(*a));
	if (inet_pton(AF_INET, text, &a->in.sin_addr) == 1) {
		a->in.sin_family = AF_INET;
		a->in.sin_port = htons(port);
		return sizeof(a->in);
	}
	if (inet_pton(AF_INET6, text, &a->in6.sin6_addr) != 1)
		errx(2, "not an address: %s", text);
	a->in6.sin6_family = AF_INET6;
	a->in6.sin6_port = htons(port);
	return sizeof(a->in6);
}

static inline double seconds_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9;
}

#endif /* _MRC_TEST_H */
