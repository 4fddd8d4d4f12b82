/* SPDX-License-Identifier: GPL-2.0-only */
/* What a network namespace holds. */
#ifndef _MRC_NETNS_H
#define _MRC_NETNS_H

#include <linux/mutex.h>
#include <linux/ratelimit_types.h>
#include <linux/rhashtable-types.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>
#include "mib.h"
#include "sysctl.h"

#define MRC_PORT_BUCKETS	256
#define MRC_COOKIE_KEYS		2

extern unsigned int mrc_net_id;

/**
 * struct mrc_net - AF_MRC's state in a network namespace
 * @net: the namespace
 * @sysctl: settings
 * @sysctl_lock: held where they change; taken before @udp_lock
 * @sysctl_hdr: their registration
 * @mib: counters
 * @udp_lock: serialises opening and closing of @udp4 and @udp6
 * @udp4: UDP socket that all IPv4 packets come and go by; RCU
 * @udp6: the same for IPv6; RCU; NULL where IPv6 is off
 * @cids: connections and time-waits by our connection id
 * @peers: connections by the peer's connection id (struct mrc_sock)
 * @bases: smallest delays by address pair
 * @socks: all sockets by their serial number, for dumps
 * @next_serial: where @socks looks for the next free number
 * @socks_gen: changes when a socket comes or goes
 * @event_lock: keeps events in the order of their numbers; taken inside any
 *	       socket lock
 * @event_seq: number of the last event; written under @event_lock
 * @port_lock: guards @ports and the port fields of the sockets in it
 * @ports: bound sockets, hashed by port; read under RCU
 * @tw_lock: guards @tw_list
 * @tw_list: time-waits in order of expiry
 * @tw_work: ends them
 * @cookie_keys: keys of RETRY's MAC, indexed by the parity of the minute
 * @cookie_minute: the minute for which a key was made last
 * @cookie_lock: guards the two
 * @reset_lock: guards the following two
 * @reset_second: the second that @reset_count counts in
 * @reset_count: stateless RESETs in it
 */
struct mrc_net {
	struct net		*net;
	struct mrc_sysctl	sysctl;
	struct mutex		sysctl_lock;
	struct ctl_table_header	*sysctl_hdr;
	DEFINE_SNMP_STAT(struct mrc_mib_data, mib);
	struct mutex		udp_lock;
	struct sock __rcu	*udp4;
	struct sock __rcu	*udp6;
	struct rhashtable	cids;
	struct rhltable		peers;
	struct rhashtable	bases;
	struct xarray		socks;
	u32			next_serial;
	atomic_t		socks_gen;
	spinlock_t		event_lock;
	u32			event_seq;
	spinlock_t		port_lock;
	struct hlist_head	ports[MRC_PORT_BUCKETS];
	spinlock_t		tw_lock;
	struct list_head	tw_list;
	struct delayed_work	tw_work;
	siphash_key_t		cookie_keys[MRC_COOKIE_KEYS];
	u32			cookie_minute[MRC_COOKIE_KEYS];
	spinlock_t		cookie_lock;
	spinlock_t		reset_lock;
	u32			reset_second;
	u32			reset_count;
};

static inline struct mrc_net *mrc_net(const struct net *net)
{
	return net_generic(net, mrc_net_id);
}

#endif /* _MRC_NETNS_H */
