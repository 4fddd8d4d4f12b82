// SPDX-License-Identifier: GPL-2.0-only
/* net.mrc.* */
#include <linux/slab.h>
#include <linux/sysctl.h>
#include <uapi/linux/mrc.h>
#include "compat/compat.h"
#include "encap.h"
#include "keepalive.h"
#include "netns.h"
#include "path.h"
#include "sysctl.h"

static int one = 1;
static int port_max = 65535;
static int paths_max = MRC_MAX_PATHS;
static int buffer_min = 4096;
static int buffer_max = 1 << 30;
static int retries_max = 16;
static int minute_ms = 60 * 1000;
static int hour_ms = 3600 * 1000;
static int keepalive_max_s = MRC_KEEPALIVE_MAX_S;
static int keepalive_max_probes = MRC_KEEPALIVE_MAX_PROBES;
static int second_us = 1000 * 1000;
static int probe_max = 8 * 1000;
static int ack_max = 1 << 20;
static int count_max = 1 << 20;

static const struct mrc_sysctl defaults = {
	.udp_port	 = MRC_UDP_PORT,
	.paths		 = 32,
	.rmem		 = { 4096, 512 << 10, 32 << 20 },
	.wmem		 = { 4096, 256 << 10, 16 << 20 },
	.init_timeout_ms = 100,
	.init_retries	 = 8,
	.user_timeout_ms = 60 * 1000,
	.fin_timeout_ms	 = 10 * 1000,
	.keepalive_time_s = 2 * 3600,
	.keepalive_intvl_s = 75,
	.keepalive_probes = 9,
	.max_pending	 = 256,
	.ack_bytes	 = 16 << 10,
	.ack_delay_us	 = 500,
	.pto_min_us	 = 200,
	.rto_min_us	 = 10 * 1000,
	.rto_max_ms	 = 5 * 1000,
	.probe_min_us	 = 2000,
	.probe_max_ms	 = 200,
	.reset_rate	 = 1000,
};

/* Moves the sockets to the new port, if nothing uses them. */
static int do_udp_port(MRC_CTL_CONST struct ctl_table *table, int write,
		       void *buffer, size_t *lenp, loff_t *ppos)
{
	struct mrc_net *mn = container_of(table->data, struct mrc_net,
					  sysctl.udp_port);
	int port = READ_ONCE(mn->sysctl.udp_port), err;
	struct ctl_table tmp = *table;

	tmp.data = &port;
	err = proc_dointvec_minmax(&tmp, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	return mrc_encap_reopen(mn, port);
}

/* Smallest, first and largest in this order, or nothing changes. */
static int do_triple(MRC_CTL_CONST struct ctl_table *table, int write,
		     void *buffer, size_t *lenp, loff_t *ppos)
{
	int *data = table->data, v[3], i, err;
	struct ctl_table tmp = *table;

	for (i = 0; i < 3; i++)
		v[i] = READ_ONCE(data[i]);
	tmp.data = v;
	err = proc_dointvec_minmax(&tmp, write, buffer, lenp, ppos);
	if (err || !write)
		return err;
	if (v[0] > v[1] || v[1] > v[2])
		return -EINVAL;
	for (i = 0; i < 3; i++)
		WRITE_ONCE(data[i], v[i]);
	return 0;
}

/* .data is the place in struct mrc_sysctl until there is one to point into. */
#define ENTRY(field, fn, min, max, values) {			\
	.procname	= #field,				\
	.data		= (void *)offsetof(struct mrc_sysctl, field), \
	.maxlen		= (values) * sizeof(int),		\
	.mode		= 0644,					\
	.proc_handler	= fn,					\
	.extra1		= min,					\
	.extra2		= max,					\
}

#define NUMBER(field, min, max) \
	ENTRY(field, proc_dointvec_minmax, min, max, 1)

static const struct ctl_table template[] = {
	ENTRY(udp_port, do_udp_port, &one, &port_max, 1),
	NUMBER(paths, &one, &paths_max),
	ENTRY(rmem, do_triple, &buffer_min, &buffer_max, 3),
	ENTRY(wmem, do_triple, &buffer_min, &buffer_max, 3),
	NUMBER(init_timeout_ms, &one, &minute_ms),
	NUMBER(init_retries, SYSCTL_ZERO, &retries_max),
	NUMBER(user_timeout_ms, &one, &hour_ms),
	NUMBER(fin_timeout_ms, &one, &hour_ms),
	NUMBER(keepalive_time_s, &one, &keepalive_max_s),
	NUMBER(keepalive_intvl_s, &one, &keepalive_max_s),
	NUMBER(keepalive_probes, &one, &keepalive_max_probes),
	NUMBER(max_pending, SYSCTL_ZERO, &count_max),
	NUMBER(ack_bytes, &one, &ack_max),
	NUMBER(ack_delay_us, SYSCTL_ZERO, &second_us),
	NUMBER(pto_min_us, &one, &second_us),
	NUMBER(rto_min_us, &one, &second_us),
	NUMBER(rto_max_ms, &one, &minute_ms),
	NUMBER(probe_min_us, &one, &second_us),
	NUMBER(probe_max_ms, &one, &probe_max),
	NUMBER(reset_rate, SYSCTL_ZERO, &count_max),
	{ }
};

/**
 * mrc_sysctl_init() - set a namespace's settings and register net.mrc
 * @net: network namespace
 *
 * A new namespace begins with what the first one has now.
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_sysctl_init(struct net *net)
{
	struct mrc_net *mn = mrc_net(net);
	struct ctl_table *table;
	unsigned int i;

	mn->sysctl = net_eq(net, &init_net) ? defaults :
					      mrc_net(&init_net)->sysctl;
	table = kmemdup(template, sizeof(template), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(template) - 1; i++)
		table[i].data += (unsigned long)&mn->sysctl;
	mn->sysctl_hdr = register_net_sysctl_sz(net, "net/mrc", table,
						ARRAY_SIZE(template) - 1);
	if (!mn->sysctl_hdr) {
		kfree(table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * mrc_sysctl_exit() - unregister it
 * @net: network namespace
 */
void mrc_sysctl_exit(struct net *net)
{
	struct ctl_table_header *hdr = mrc_net(net)->sysctl_hdr;
	const struct ctl_table *table = hdr->ctl_table_arg;

	unregister_net_sysctl_table(hdr);
	kfree(table);
}
