// SPDX-License-Identifier: GPL-2.0
/*
 * Send UDP packets that differ in nothing but their entropy value: from COUNT
 * source ports in a row, or on IPv6 with -l from one port and with COUNT flow
 * labels in a row, PACKETS of each.
 */
#include <arpa/inet.h>
#include <err.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef IPV6_FLOWINFO_SEND
#define IPV6_FLOWINFO_SEND 33
#endif

#define DEST_PORT "4793"

static int bound_socket(const struct addrinfo *dest, in_port_t port)
{
	struct sockaddr_in6 in6 = { .sin6_port = htons(port) };
	int fd, on = 1;

	fd = socket(dest->ai_family, SOCK_DGRAM, 0);
	if (fd < 0)
		err(1, "socket");
	/* the port is at the same place in both kinds of address */
	in6.sin6_family = dest->ai_family;
	if (bind(fd, (struct sockaddr *)&in6, dest->ai_addrlen))
		err(1, "bind to port %u", port);
	if (dest->ai_family == AF_INET6 &&
	    setsockopt(fd, SOL_IPV6, IPV6_FLOWINFO_SEND, &on, sizeof(on)))
		err(1, "IPV6_FLOWINFO_SEND");
	return fd;
}

static void send_flow(const struct addrinfo *dest, in_port_t port, int label,
		      int packets)
{
	static const char payload[64];
	struct sockaddr_storage to;
	int fd = bound_socket(dest, port);

	memcpy(&to, dest->ai_addr, dest->ai_addrlen);
	if (dest->ai_family == AF_INET6)
		((struct sockaddr_in6 *)&to)->sin6_flowinfo = htonl(label);
	while (packets--)
		if (sendto(fd, payload, sizeof(payload), 0,
			   (struct sockaddr *)&to, dest->ai_addrlen) < 0)
			err(1, "sendto");
	close(fd);
}

int main(int argc, char **argv)
{
	struct addrinfo hints = {
		.ai_flags = AI_NUMERICHOST,
		.ai_socktype = SOCK_DGRAM,
	};
	bool labels = argc > 1 && !strcmp(argv[1], "-l");
	int first, count, i;
	struct addrinfo *dest;

	argv += labels;
	argc -= labels;
	if (argc != 5)
		errx(2, "usage: udp_spray [-l] ADDRESS FIRST COUNT PACKETS");
	if (getaddrinfo(argv[1], DEST_PORT, &hints, &dest))
		errx(2, "not an address: %s", argv[1]);
	first = atoi(argv[2]);
	count = atoi(argv[3]);
	for (i = 0; i < count; i++)
		send_flow(dest, labels ? 50000 : first + i,
			  labels ? first + i : 0, atoi(argv[4]));
	return 0;
}
