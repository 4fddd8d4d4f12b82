// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/net/mrc/snmp has the form of /proc/net/snmp, /proc/net/mrc/sockets that
 * of /proc/net/tcp. No lock is taken: a line shows a socket as it changes.
 */
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/xarray.h>
#include <net/ipv6.h>
#include "mib.h"
#include "netns.h"
#include "proc.h"
#include "sock.h"

static int snmp_show(struct seq_file *seq, void *v)
{
	struct mrc_net *mn = mrc_net(seq_file_single_net(seq));
	unsigned int i;

	seq_puts(seq, "Mrc:");
	for (i = 0; i < MRC_MIB_COUNT; i++)
		seq_printf(seq, " %s", mrc_mib_name(i));
	seq_puts(seq, "\nMrc:");
	for (i = 0; i < MRC_MIB_COUNT; i++)
		seq_printf(seq, " %llu", mrc_mib_sum(mn, i));
	seq_putc(seq, '\n');
	return 0;
}

/*
 * The position is the id of the socket: ids begin at 1 and grow, so that no
 * socket is shown twice or left out while others come and go.
 */
static struct mrc_sock *first_from(struct seq_file *seq, loff_t *pos)
{
	struct mrc_net *mn = mrc_net(seq_file_net(seq));
	unsigned long id = *pos;
	struct mrc_sock *mk;

	mk = xa_find(&mn->socks, &id, ULONG_MAX, XA_PRESENT);
	if (mk)
		*pos = id;
	return mk;
}

static void *sockets_start(struct seq_file *seq, loff_t *pos)
	__acquires(RCU)
{
	rcu_read_lock();
	return *pos ? first_from(seq, pos) : SEQ_START_TOKEN;
}

static void *sockets_next(struct seq_file *seq, void *v, loff_t *pos)
{
	++*pos;
	return first_from(seq, pos);
}

static void sockets_stop(struct seq_file *seq, void *v)
	__releases(RCU)
{
	rcu_read_unlock();
}

/* Each word as the processor reads it, as /proc/net/tcp and tcp6 do */
static void put_endpoint(struct seq_file *seq, const struct in6_addr *addr,
			 bool v4, u16 port)
{
	unsigned int i;

	for (i = v4 ? 3 : 0; i < 4; i++)
		seq_printf(seq, "%08X", (__force u32)addr->s6_addr32[i]);
	seq_printf(seq, ":%04X ", port);
}

static void put_queues(struct seq_file *seq, const struct mrc_sock *mk,
		       int state)
{
	u64 rx = READ_ONCE(mk->rcv_nxt) - READ_ONCE(mk->copied_seq);

	if (state == TCP_LISTEN)
		rx = READ_ONCE(mk->sk.sk_ack_backlog);
	seq_printf(seq, "%02X %08X:%08X ", state, (u32)READ_ONCE(mk->unacked),
		   (u32)max_t(s64, rx, 0));
}

static void put_timer(struct seq_file *seq, const struct mrc_sock *mk)
{
	u64 expires_ns = READ_ONCE(mk->loss_timer.expires_ns);
	u64 now = ktime_get_ns(), left = 0;

	if (expires_ns > now)
		left = nsecs_to_jiffies(expires_ns - now);
	seq_printf(seq, "%02X:%08llX ", expires_ns != 0,
		   (u64)jiffies_to_clock_t(left));
}

static int sockets_show(struct seq_file *seq, void *v)
{
	const struct mrc_sock *mk = v;
	struct sock *sk = v;
	int state;
	bool v4;

	seq_setwidth(seq, 159);
	if (v == SEQ_START_TOKEN) {
		seq_puts(seq,
			 "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref paths usable srtt_us cwnd");
		goto out;
	}
	v4 = READ_ONCE(mk->user_family) == AF_INET ||
	     ipv6_addr_v4mapped(&mk->laddr);
	state = READ_ONCE(sk->sk_state);
	seq_printf(seq, "%4u: ", mk->serial);
	put_endpoint(seq, &mk->laddr, v4, READ_ONCE(mk->lport));
	put_endpoint(seq, &mk->raddr, v4, READ_ONCE(mk->rport));
	put_queues(seq, mk, state);
	put_timer(seq, mk);
	seq_printf(seq, "%08X %5u %8d %llu %d %u %u %u %u",
		   READ_ONCE(mk->lost_pkts),
		   from_kuid_munged(seq_user_ns(seq), READ_ONCE(sk->sk_uid)),
		   READ_ONCE(mk->retries), (u64)sock_i_ino(sk),
		   refcount_read(&sk->sk_refcnt), READ_ONCE(mk->nr_active),
		   READ_ONCE(mk->nr_usable), READ_ONCE(mk->srtt_us),
		   READ_ONCE(mk->cwnd));
out:
	seq_pad(seq, '\n');
	return 0;
}

static const struct seq_operations sockets_ops = {
	.start	= sockets_start,
	.next	= sockets_next,
	.stop	= sockets_stop,
	.show	= sockets_show,
};

/**
 * mrc_proc_init() - make a namespace's /proc/net/mrc
 * @net: network namespace; its tables and counters are ready
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_proc_init(struct net *net)
{
	struct proc_dir_entry *dir = proc_net_mkdir(net, "mrc", net->proc_net);

	if (!dir)
		return -ENOMEM;
	if (proc_create_net_single("snmp", 0444, dir, snmp_show, NULL) &&
	    proc_create_net("sockets", 0444, dir, &sockets_ops,
			    sizeof(struct seq_net_private)))
		return 0;
	mrc_proc_exit(net);
	return -ENOMEM;
}

/**
 * mrc_proc_exit() - remove it
 * @net: network namespace
 *
 * Context: process; waits for readers.
 */
void mrc_proc_exit(struct net *net)
{
	remove_proc_subtree("mrc", net->proc_net);
}
