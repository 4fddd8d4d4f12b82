/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * AF_MRC: multipath reliable connections behind the socket interface.
 *
 * Addresses are struct sockaddr_in and struct sockaddr_in6; their family
 * field may say AF_INET, AF_INET6 or the number of AF_MRC.
 */
#ifndef _UAPI_LINUX_MRC_H
#define _UAPI_LINUX_MRC_H

#include <linux/types.h>

/*
 * The default family number. The number in use is the module's parameter
 * "family", published in /sys/module/mrc/parameters/family.
 */
#ifndef AF_MRC
#define AF_MRC		23
#define PF_MRC		AF_MRC
#endif

/* The UDP destination port on the wire unless net.mrc.udp_port says other. */
#define MRC_UDP_PORT	4792

/* Level of the socket options below */
#define SOL_MRC		300

/* int, 0 or 1: send a partial segment although data is in flight */
#define MRC_NODELAY		1
/* int, 0 or 1: hold back a partial segment until it is full or uncorked */
#define MRC_CORK		2
/*
 * int, bytes: payload of a full segment; set: at most so much, 64 to 16352,
 * or 0 for what fits
 */
#define MRC_MAXSEG		3
/* unsigned int, ms: unanswered for so long, the connection fails; 0: default */
#define MRC_USER_TIMEOUT	4
/*
 * int, AF_INET or AF_INET6: the family of this socket's addresses. Set before
 * bind(), connect() and listen(), otherwise the first address decides.
 */
#define MRC_FAMILY		5
/*
 * int, 0 or 1: listeners of one user may share an address and port, and each
 * gets its share of the connections. SO_REUSEPORT is the same, but works from
 * Linux 6.7 on only.
 */
#define MRC_REUSEPORT		6
/*
 * SO_KEEPALIVE: int, seconds that nothing may come before the first probe,
 * int, seconds from one probe to the next, and int, unanswered ones that end
 * the connection. If MRC_USER_TIMEOUT was set, that decides instead.
 */
#define MRC_KEEPIDLE		7
#define MRC_KEEPINTVL		8
#define MRC_KEEPCNT		9
/* struct mrc_info (get only), cut off at the length given */
#define MRC_INFO		10
/* struct mrc_paths (get only) */
#define MRC_PATHS		11

#define MRC_CONG_NAME_MAX	16

/**
 * struct mrc_info - what there is to know about a connection
 * @state: as tcpi_state: TCP_ESTABLISHED and so on
 * @mss: payload of a full segment, bytes
 * @cwnd: bytes that may be in flight
 * @inflight: bytes in flight, headers included
 * @srtt_us: smoothed round trip time over all paths, 0 before the first sample
 * @rttvar_us: its mean deviation
 * @min_rtt_us: smallest sample
 * @paths: entropy values
 * @paths_usable: of these, how many may carry data
 * @planes: address pairs
 * @lost: packets declared lost
 * @keepalives: keepalive probes without an answer
 * @accept_queue: listener: connections that wait to be accepted
 * @accept_limit: listener: how many may
 * @unacked: bytes written and not acknowledged
 * @unread: bytes received and not read
 * @written: bytes written since the connection began
 * @limit: of these, how many the peer's window allows
 * @sent: bytes sent for the first time
 * @resent: bytes sent again
 * @received: bytes received, duplicates included
 * @cong: congestion control
 *
 * Later kernels append fields: look at the length that getsockopt() returned.
 */
struct mrc_info {
	__u32	state;
	__u32	mss;
	__u32	cwnd;
	__u32	inflight;
	__u32	srtt_us;
	__u32	rttvar_us;
	__u32	min_rtt_us;
	__u32	paths;
	__u32	paths_usable;
	__u32	planes;
	__u32	lost;
	__u32	keepalives;
	__u32	accept_queue;
	__u32	accept_limit;
	__u64	unacked;
	__u64	unread;
	__u64	written;
	__u64	limit;
	__u64	sent;
	__u64	resent;
	__u64	received;
	char	cong[MRC_CONG_NAME_MAX];
};

/**
 * struct mrc_path_info - one path of a connection
 * @index: its number
 * @plane: address pair that it lies between
 * @ev: entropy value: UDP source port
 * @flow_label: of the same entropy value, IPv6 only
 * @generation: changes with the entropy value, modulo 256
 * @state: enum mrc_path_state of <linux/mrc_netlink.h>
 * @weight: its share against the others, 1024 for a whole one
 * @inflight: bytes in flight
 * @srtt_us: smoothed round trip time, 0 before the first sample
 * @rttvar_us: its mean deviation
 * @min_rtt_us: smallest sample
 * @lost: packets declared lost
 * @ce: acknowledgements that echoed a congestion mark
 * @spurious: packets declared lost that arrived after all
 * @sent: packets sent
 * @state_age_us: for how long it has been in this state
 */
struct mrc_path_info {
	__u32	index;
	__u32	plane;
	__u32	ev;
	__u32	flow_label;
	__u32	generation;
	__u32	state;
	__u32	weight;
	__u32	inflight;
	__u32	srtt_us;
	__u32	rttvar_us;
	__u32	min_rtt_us;
	__u32	lost;
	__u32	ce;
	__u32	spurious;
	__u64	sent;
	__u64	state_age_us;
};

/**
 * struct mrc_paths - value of MRC_PATHS
 * @size_user: in: bytes from one record to the next, a multiple of 8;
 *	       sizeof(struct mrc_path_info), 0 to learn @count only
 * @size_kernel: out: bytes of a record that this kernel has; if it has less,
 *		 the rest of a record is 0
 * @count: out: paths of the connection; as many are told as there is room for
 * @reserved: 0
 * @path: out: the records
 */
struct mrc_paths {
	__u32	size_user;
	__u32	size_kernel;
	__u32	count;
	__u32	reserved;
	struct mrc_path_info path[];
};

#endif /* _UAPI_LINUX_MRC_H */
