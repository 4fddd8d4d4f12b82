/* SPDX-License-Identifier: GPL-2.0-only */
/* net.mrc.*: settings per network namespace. */
#ifndef _MRC_SYSCTL_H
#define _MRC_SYSCTL_H

#include <linux/types.h>

struct net;

/**
 * struct mrc_sysctl - values of net.mrc.*, read with READ_ONCE()
 * @udp_port: UDP port of the wire, 1..65535
 * @paths: entropy values per connection, 1..256
 * @rmem: receive buffer: smallest, first, largest (bytes)
 * @wmem: send buffer: smallest, first, largest (bytes)
 * @init_timeout_ms: first wait for an answer to INIT; doubles
 * @init_retries: INITs after the first before connect() fails
 * @user_timeout_ms: data unanswered for so long ends the connection
 * @fin_timeout_ms: life of a closed socket that waits for the peer's end
 * @keepalive_time_s: idle time before the first keepalive probe
 * @keepalive_intvl_s: time from one probe to the next
 * @keepalive_probes: unanswered ones that end the connection
 * @max_pending: pending connections per listener before RETRY is sent
 * @ack_bytes: received bytes after which a SACK is sent
 * @ack_delay_us: longest wait of a SACK
 * @pto_min_us: smallest probe timeout of a path
 * @rto_min_us: smallest retransmission timeout
 * @rto_max_ms: largest retransmission timeout
 * @probe_min_us: first wait between probes of a bad path
 * @probe_max_ms: largest such wait
 * @reset_rate: stateless RESETs per second
 */
struct mrc_sysctl {
	int	udp_port;
	int	paths;
	int	rmem[3];
	int	wmem[3];
	int	init_timeout_ms;
	int	init_retries;
	int	user_timeout_ms;
	int	fin_timeout_ms;
	int	keepalive_time_s;
	int	keepalive_intvl_s;
	int	keepalive_probes;
	int	max_pending;
	int	ack_bytes;
	int	ack_delay_us;
	int	pto_min_us;
	int	rto_min_us;
	int	rto_max_ms;
	int	probe_min_us;
	int	probe_max_ms;
	int	reset_rate;
};

int mrc_sysctl_init(struct net *net);
void mrc_sysctl_exit(struct net *net);

#endif /* _MRC_SYSCTL_H */
