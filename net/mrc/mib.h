/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters per network namespace: each cause has a name of its own. */
#ifndef _MRC_MIB_H
#define _MRC_MIB_H

#include <net/snmp.h>

struct mrc_net;
struct net;

enum mrc_mib {
	MRC_MIB_NONE = 0,
	MRC_MIB_ACTIVE_OPENS,	/* connections begun here */
	MRC_MIB_PASSIVE_OPENS,	/* connections accepted from a peer */
	MRC_MIB_ESTAB_RESETS,	/* established connections that were reset */
	MRC_MIB_TIMEOUTS,	/* connections given up for want of answers */
	MRC_MIB_IN_SEGS,	/* DATA segments received */
	MRC_MIB_OUT_SEGS,	/* DATA segments sent, retransmissions too */
	MRC_MIB_OUT_BURSTS,	/* packets handed to IP that carried them */
	MRC_MIB_IN_SACKS,
	MRC_MIB_OUT_SACKS,
	MRC_MIB_RETRANS_REORDER, /* lost: later ones of the path were acked */
	MRC_MIB_RETRANS_PTO,	/* lost: the path was silent, others not */
	MRC_MIB_RETRANS_RTO,	/* lost: all paths were silent */
	MRC_MIB_RETRANS_TAIL,	/* sent again early to provoke an answer */
	MRC_MIB_SPURIOUS,	/* declared lost and acked later */
	MRC_MIB_PATH_SUSPECT,	/* transitions into a state */
	MRC_MIB_PATH_BAD,
	MRC_MIB_PATH_GREY,	/* ... for losing far more than others */
	MRC_MIB_PATH_RECOVERED,
	MRC_MIB_PATH_EXPLORED,	/* relieved by another to look for room */
	MRC_MIB_PATH_RENEWED,	/* new EV and generation */
	MRC_MIB_OUT_PROBES,
	MRC_MIB_IN_PROBES,
	MRC_MIB_IN_PROBE_ACKS,
	MRC_MIB_OUT_PMTU_PROBES, /* padded ones, of a path's MTU */
	MRC_MIB_PMTU_BLACK_HOLES, /* a size in use found to be too large */
	MRC_MIB_PMTU_RAISED,	/* a larger size found to pass */
	MRC_MIB_IN_RESETS,
	MRC_MIB_OUT_RESETS,
	MRC_MIB_RESET_LIMITED,	/* RESET not sent: too many */
	MRC_MIB_OUT_RETRIES,	/* RETRY sent: too many pending connections */
	MRC_MIB_COOKIE_GOOD,
	MRC_MIB_COOKIE_BAD,
	MRC_MIB_ACCEPT_FULL,	/* INIT dropped: accept queue full */
	MRC_MIB_DUP_SEGS,	/* segments whose bytes were here already */
	MRC_MIB_OFO_SEGS,	/* segments that waited for earlier ones */
	MRC_MIB_DROP_SHORT,	/* dropped: shorter than its header says */
	MRC_MIB_DROP_UNKNOWN,	/* dropped: unknown type or flag */
	MRC_MIB_DROP_VERSION,	/* dropped: another version */
	MRC_MIB_DROP_NO_CONN,	/* dropped: no such connection id */
	MRC_MIB_DROP_ADDRESS,	/* dropped: from an address not validated */
	MRC_MIB_DROP_PSN,	/* dropped: PSN outside the window */
	MRC_MIB_DROP_WINDOW,	/* dropped: data beyond the advertised limit */
	MRC_MIB_DROP_MEMORY,	/* dropped: receive buffer or memory is full */
	MRC_MIB_DROP_FILTER,	/* dropped: by the socket's filter */
	MRC_MIB_DROP_BACKLOG,	/* dropped: socket backlog is full */
	MRC_MIB_DROP_STATE,	/* dropped: makes no sense in this state */
	MRC_MIB_XMIT_NOMEM,	/* not sent: no memory for the packet */
	MRC_MIB_XMIT_NOROUTE,	/* not sent: no route */
	MRC_MIB_ICMP_MATCHED,	/* ICMP errors that matched something in flight */
	MRC_MIB_ICMP_IGNORED,
	MRC_MIB_ZERO_WINDOW,	/* window probes sent */
	MRC_MIB_KEEPALIVE,	/* keepalive probes sent */
	__MRC_MIB_MAX
};

/* Of those with a name */
#define MRC_MIB_COUNT	(__MRC_MIB_MAX - 1)

struct mrc_mib_data {
	unsigned long mibs[__MRC_MIB_MAX];
};

#define MRC_INC(net, field) \
	SNMP_INC_STATS(mrc_net(net)->mib, MRC_MIB_##field)
#define MRC_ADD(net, field, n) \
	SNMP_ADD_STATS(mrc_net(net)->mib, MRC_MIB_##field, n)

const char *mrc_mib_name(unsigned int index);
u64 mrc_mib_sum(const struct mrc_net *mn, unsigned int index);
int mrc_mib_init(struct net *net);
void mrc_mib_exit(struct net *net);

#endif /* _MRC_MIB_H */
