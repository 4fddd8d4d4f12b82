/* SPDX-License-Identifier: GPL-2.0-only */
/* Settings per network namespace: net.mrc.*, and netlink. */
#ifndef _MRC_SYSCTL_H
#define _MRC_SYSCTL_H

#include <linux/types.h>

struct mrc_net;
struct net;

/**
 * struct mrc_sysctl - values of the settings, read with READ_ONCE()
 * @udp_port: UDP port of the wire
 * @paths: entropy values of a connection that carry data at a time
 * @standby: others that relieve them; together no more than MRC_MAX_PATHS
 * @rmem: receive buffer: smallest, first, largest (bytes)
 * @wmem: send buffer: smallest, first, largest (bytes)
 * @congestion_control: algorithm of new connections, enum mrc_cong_id
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
 * @pmtu_raise_ms: after so long a path's larger sizes are tried again, 0: never
 * @reset_rate: stateless RESETs per second
 * @event_rate: path events of a connection per second
 *
 * sysctl_table.h has the bounds. Written under mrc_net.sysctl_lock.
 */
struct mrc_sysctl {
	int	udp_port;
	int	paths;
	int	standby;
	int	rmem[3];
	int	wmem[3];
	int	congestion_control;
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
	int	pmtu_raise_ms;
	int	reset_rate;
	int	event_rate;
};

#define MRC_SETTING_VALUES	3
#define MRC_SETTING_CHOICES	2
#define MRC_SETTING_CHOICE_MAX	16

/**
 * struct mrc_setting - a line of sysctl_table.h
 * @name: file in /proc/sys/net/mrc, and name for netlink
 * @offset: of its values in struct mrc_sysctl
 * @count: how many values it has; they must not decrease
 * @least: smallest value allowed
 * @most: largest value allowed
 * @first: values of the first network namespace
 * @choice: names that its values stand for, from 0 on; none for numbers
 */
struct mrc_setting {
	const char	*name;
	unsigned int	offset;
	unsigned int	count;
	int		least;
	int		most;
	int		first[MRC_SETTING_VALUES];
	const char	*choice[MRC_SETTING_CHOICES];
};

extern const struct mrc_setting mrc_settings[];
extern const unsigned int mrc_nr_settings;

/* The values of a setting in a copy of all, or in the namespace's own. */
static inline int *mrc_setting_values(const struct mrc_setting *setting,
				      struct mrc_sysctl *ctl)
{
	return (void *)ctl + setting->offset;
}

bool mrc_setting_ordered(const struct mrc_setting *setting, const int *values);
int mrc_setting_choose(const struct mrc_setting *setting, const char *name);
int mrc_sysctl_apply(struct mrc_net *mn, struct mrc_sysctl *new);
int mrc_sysctl_init(struct net *net);
void mrc_sysctl_exit(struct net *net);

#endif /* _MRC_SYSCTL_H */
