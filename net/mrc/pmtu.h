/* SPDX-License-Identifier: GPL-2.0-only */
/* Packet sizes: what each path carries, found by probes (RFC 8899). */
#ifndef _MRC_PMTU_H
#define _MRC_PMTU_H

#include <linux/types.h>

struct dst_entry;
struct mrc_hdr;
struct mrc_path;
struct mrc_sock;

/*
 * Sizes are octets of UDP payload. Every path must carry this one: with IPv6
 * it is what the smallest link allows.
 */
#define MRC_PMTU_BASE	1232

/**
 * struct mrc_path_pmtu - what is known of the sizes that a path carries
 * @size: largest that is sent over it
 * @top: largest that may pass, U16_MAX: what route and peer allow
 * @lost_size: smallest of those that @lost counts, valid if that is not 0
 * @since: low bits of mrc_pmtu.arrivals when the first of them was lost
 * @lost: packets above MRC_PMTU_BASE lost in a row with none of their size
 *	  arriving between; U8_MAX: they vanish on all paths
 */
struct mrc_path_pmtu {
	u16	size;
	u16	top;
	u16	lost_size;
	u16	since;
	u8	lost;
};

/**
 * struct mrc_pmtu - a connection's tests of sizes, one at a time
 * @arrived_ns: when the newest packet above MRC_PMTU_BASE that arrived was
 *		sent, 0: none has
 * @next_ns: when the test goes on or one may begin, 0: there is none
 * @raise_ns: when larger sizes are tried again, U64_MAX: never, 0: no path
 *	      was found to be smaller than its route
 * @arrivals: packets above MRC_PMTU_BASE that arrived
 * @id: of the test's probes of @high; those of @low differ in the last bit
 * @high: size under test, 0: there is no test
 * @low: size that it is compared with
 * @path: index of the path under test
 * @gen: its generation
 * @at_low: the last probe was of @low
 * @tries: probes of @high sent
 * @low_lost: probes of @low without an answer, in a row
 * @row: packets above MRC_PMTU_BASE lost over all paths that were sent after
 *	 any that arrived, but before a smaller one that did
 */
struct mrc_pmtu {
	u64	arrived_ns;
	u64	next_ns;
	u64	raise_ns;
	u32	arrivals;
	u32	id;
	u16	high;
	u16	low;
	u8	path;
	u8	gen;
	bool	at_low;
	u8	tries;
	u8	low_lost;
	u8	row;
};

void mrc_pmtu_init_path(const struct mrc_sock *mk, struct mrc_path *path);
void mrc_pmtu_renew_path(struct mrc_sock *mk, struct mrc_path *path);
void mrc_pmtu_path_changed(struct mrc_sock *mk, struct mrc_path *path);
void mrc_pmtu_route(struct mrc_sock *mk, struct mrc_path *path,
		    const struct dst_entry *dst);
void mrc_pmtu_all_routes(struct mrc_sock *mk);
void mrc_pmtu_acked(struct mrc_sock *mk, struct mrc_path *path,
		    unsigned int size, u64 sent_ns);
void mrc_pmtu_lost(struct mrc_sock *mk, struct mrc_path *path,
		   unsigned int size, u64 sent_ns);
u64 mrc_pmtu_timer(struct mrc_sock *mk, u64 now);
void mrc_pmtu_rcv_probe_ack(struct mrc_sock *mk, const struct mrc_hdr *h);
bool mrc_pmtu_probe_in_flight(const struct mrc_sock *mk, u32 id);
unsigned int mrc_pmtu_tail_len(const struct mrc_sock *mk);
unsigned int mrc_pmtu_mtu(const struct mrc_sock *mk,
			  const struct mrc_path *path);

#endif /* _MRC_PMTU_H */
