// SPDX-License-Identifier: GPL-2.0-only
/*
 * INITs that nobody will answer for: raw UDP payload made by hand, each with
 * another connection id and AF_MRC port, and another UDP port.
 *
 * usage: mrc_flood [-n COUNT] ADDRESS UDP-PORT MRC-PORT
 */
#define _GNU_SOURCE
#include <assert.h>
#include <endian.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include "mrc_test.h"

#define SOCKETS	64

/* Documentation/wire-format.rst: INIT, padded */
struct init {
	uint8_t ver_type, flags, path, gen;
	uint64_t dst_cid;
	uint32_t psn;
	uint64_t src_cid, peer_cid, limit;
	uint16_t sport, dport, max_seg;
	uint8_t sock_type, paths;
	uint16_t opt_len, rsvd;
	uint32_t rx_us;
	uint8_t pad[1200 - 56];
} __attribute__((packed));

int main(int argc, char **argv)
{
	int fds[SOCKETS], i, c, count = 1000;
	struct init init = {
		.ver_type = 0x15,
		.limit = htobe64(100000),
		.max_seg = htobe16(1400),
		.sock_type = SOCK_STREAM,
		.paths = 31,
	};
	union address a;
	socklen_t len;

	static_assert(sizeof(init) == 1200, "size of INIT");
	while ((c = getopt(argc, argv, "n:")) != -1) {
		if (c != 'n')
			return 2;
		count = atoi(optarg);
	}
	if (argc - optind != 3)
		errx(2, "usage: mrc_flood [-n COUNT] ADDRESS UDP-PORT MRC-PORT");
	len = parse_address(argv[optind], atoi(argv[optind + 1]), &a);
	init.dport = htobe16(atoi(argv[optind + 2]));
	for (i = 0; i < SOCKETS; i++) {
		fds[i] = socket(a.sa.sa_family, SOCK_DGRAM, 0);
		if (fds[i] < 0 || connect(fds[i], &a.sa, len))
			err(1, "socket");
	}
	for (i = 0; i < count; i++) {
		init.src_cid = htobe64(0x1000000000000000 + i);
		init.psn = htobe32(i * 977);
		init.sport = htobe16(1024 + i % 60000);
		if (send(fds[i % SOCKETS], &init, sizeof(init), 0) < 0 &&
		    count < 10)
			err(1, "send");
		if (i % 50 == 49)
			usleep(1000);
	}
	return 0;
}
