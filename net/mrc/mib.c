// SPDX-License-Identifier: GPL-2.0-only
/* Counters: their names, and their sums over all processors. */
#include <net/ip.h>
#include "mib.h"
#include "netns.h"

static const struct snmp_mib names[] = {
	SNMP_MIB_ITEM("ActiveOpens", MRC_MIB_ACTIVE_OPENS),
	SNMP_MIB_ITEM("PassiveOpens", MRC_MIB_PASSIVE_OPENS),
	SNMP_MIB_ITEM("EstabResets", MRC_MIB_ESTAB_RESETS),
	SNMP_MIB_ITEM("Timeouts", MRC_MIB_TIMEOUTS),
	SNMP_MIB_ITEM("InSegs", MRC_MIB_IN_SEGS),
	SNMP_MIB_ITEM("OutSegs", MRC_MIB_OUT_SEGS),
	SNMP_MIB_ITEM("OutBursts", MRC_MIB_OUT_BURSTS),
	SNMP_MIB_ITEM("InSacks", MRC_MIB_IN_SACKS),
	SNMP_MIB_ITEM("OutSacks", MRC_MIB_OUT_SACKS),
	SNMP_MIB_ITEM("RetransReorder", MRC_MIB_RETRANS_REORDER),
	SNMP_MIB_ITEM("RetransPto", MRC_MIB_RETRANS_PTO),
	SNMP_MIB_ITEM("RetransRto", MRC_MIB_RETRANS_RTO),
	SNMP_MIB_ITEM("RetransTail", MRC_MIB_RETRANS_TAIL),
	SNMP_MIB_ITEM("Spurious", MRC_MIB_SPURIOUS),
	SNMP_MIB_ITEM("PathSuspect", MRC_MIB_PATH_SUSPECT),
	SNMP_MIB_ITEM("PathBad", MRC_MIB_PATH_BAD),
	SNMP_MIB_ITEM("PathGrey", MRC_MIB_PATH_GREY),
	SNMP_MIB_ITEM("PathRecovered", MRC_MIB_PATH_RECOVERED),
	SNMP_MIB_ITEM("PathExplored", MRC_MIB_PATH_EXPLORED),
	SNMP_MIB_ITEM("PathRenewed", MRC_MIB_PATH_RENEWED),
	SNMP_MIB_ITEM("OutProbes", MRC_MIB_OUT_PROBES),
	SNMP_MIB_ITEM("InProbes", MRC_MIB_IN_PROBES),
	SNMP_MIB_ITEM("InProbeAcks", MRC_MIB_IN_PROBE_ACKS),
	SNMP_MIB_ITEM("OutPmtuProbes", MRC_MIB_OUT_PMTU_PROBES),
	SNMP_MIB_ITEM("PmtuBlackHoles", MRC_MIB_PMTU_BLACK_HOLES),
	SNMP_MIB_ITEM("PmtuRaised", MRC_MIB_PMTU_RAISED),
	SNMP_MIB_ITEM("InResets", MRC_MIB_IN_RESETS),
	SNMP_MIB_ITEM("OutResets", MRC_MIB_OUT_RESETS),
	SNMP_MIB_ITEM("ResetLimited", MRC_MIB_RESET_LIMITED),
	SNMP_MIB_ITEM("OutRetries", MRC_MIB_OUT_RETRIES),
	SNMP_MIB_ITEM("CookieGood", MRC_MIB_COOKIE_GOOD),
	SNMP_MIB_ITEM("CookieBad", MRC_MIB_COOKIE_BAD),
	SNMP_MIB_ITEM("AcceptFull", MRC_MIB_ACCEPT_FULL),
	SNMP_MIB_ITEM("DupSegs", MRC_MIB_DUP_SEGS),
	SNMP_MIB_ITEM("OfoSegs", MRC_MIB_OFO_SEGS),
	SNMP_MIB_ITEM("DropShort", MRC_MIB_DROP_SHORT),
	SNMP_MIB_ITEM("DropUnknown", MRC_MIB_DROP_UNKNOWN),
	SNMP_MIB_ITEM("DropVersion", MRC_MIB_DROP_VERSION),
	SNMP_MIB_ITEM("DropNoConn", MRC_MIB_DROP_NO_CONN),
	SNMP_MIB_ITEM("DropAddress", MRC_MIB_DROP_ADDRESS),
	SNMP_MIB_ITEM("DropPsn", MRC_MIB_DROP_PSN),
	SNMP_MIB_ITEM("DropWindow", MRC_MIB_DROP_WINDOW),
	SNMP_MIB_ITEM("DropMemory", MRC_MIB_DROP_MEMORY),
	SNMP_MIB_ITEM("DropFilter", MRC_MIB_DROP_FILTER),
	SNMP_MIB_ITEM("DropBacklog", MRC_MIB_DROP_BACKLOG),
	SNMP_MIB_ITEM("DropState", MRC_MIB_DROP_STATE),
	SNMP_MIB_ITEM("XmitNoMem", MRC_MIB_XMIT_NOMEM),
	SNMP_MIB_ITEM("XmitNoRoute", MRC_MIB_XMIT_NOROUTE),
	SNMP_MIB_ITEM("IcmpMatched", MRC_MIB_ICMP_MATCHED),
	SNMP_MIB_ITEM("IcmpIgnored", MRC_MIB_ICMP_IGNORED),
	SNMP_MIB_ITEM("ZeroWindowProbes", MRC_MIB_ZERO_WINDOW),
	SNMP_MIB_ITEM("KeepaliveProbes", MRC_MIB_KEEPALIVE),
};

/**
 * mrc_mib_name() - how a counter is called
 * @index: 0..MRC_MIB_COUNT - 1
 */
const char *mrc_mib_name(unsigned int index)
{
	/* Entry 0 counts nothing and has no name. */
	BUILD_BUG_ON(ARRAY_SIZE(names) != MRC_MIB_COUNT);
	return names[index].name;
}

/**
 * mrc_mib_sum() - what a counter says
 * @mn: network namespace
 * @index: 0..MRC_MIB_COUNT - 1
 *
 * Context: any.
 */
u64 mrc_mib_sum(const struct mrc_net *mn, unsigned int index)
{
	u64 total = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		total += per_cpu_ptr(mn->mib, cpu)->mibs[names[index].entry];
	return total;
}

/**
 * mrc_mib_init() - allocate a namespace's counters
 * @net: network namespace
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_mib_init(struct net *net)
{
	struct mrc_net *mn = mrc_net(net);

	mn->mib = alloc_percpu(struct mrc_mib_data);
	return mn->mib ? 0 : -ENOMEM;
}

/**
 * mrc_mib_exit() - free them
 * @net: network namespace
 */
void mrc_mib_exit(struct net *net)
{
	free_percpu(mrc_net(net)->mib);
}
