// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three tables per network namespace: connections and time-waits by our
 * connection id, connections by the peer's id (for what quotes packets of
 * ours: ICMP errors, reflected RESETs, repeated INITs), and bound sockets by
 * port.
 *
 * An accepted connection does not own its port: packets are told apart by
 * connection id, so that a restarted server may bind at once.
 */
#include <linux/jhash.h>
#include <linux/random.h>
#include <linux/rhashtable.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include "netns.h"
#include "sock.h"
#include "table.h"

static const struct rhashtable_params cid_params = {
	.key_len	= sizeof(u64),
	.key_offset	= offsetof(struct mrc_cid, cid),
	.head_offset	= offsetof(struct mrc_cid, node),
	.automatic_shrinking = true,
};

static const struct rhashtable_params peer_params = {
	.key_len	= sizeof(u64),
	.key_offset	= offsetof(struct mrc_sock, peer_cid),
	.head_offset	= offsetof(struct mrc_sock, peer_node),
	.automatic_shrinking = true,
};

/**
 * mrc_table_init() - make a namespace's tables
 * @mn: network namespace
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int mrc_table_init(struct mrc_net *mn)
{
	int err;

	spin_lock_init(&mn->port_lock);
	xa_init_flags(&mn->socks, XA_FLAGS_ALLOC1 | XA_FLAGS_LOCK_BH);
	err = rhashtable_init(&mn->cids, &cid_params);
	if (err)
		return err;
	err = rhltable_init(&mn->peers, &peer_params);
	if (err)
		rhashtable_destroy(&mn->cids);
	return err;
}

/**
 * mrc_table_exit() - free a namespace's tables
 * @mn: network namespace without sockets
 */
void mrc_table_exit(struct mrc_net *mn)
{
	rhltable_destroy(&mn->peers);
	rhashtable_destroy(&mn->cids);
	WARN_ON_ONCE(!xa_empty(&mn->socks));
	xa_destroy(&mn->socks);
}

/**
 * mrc_table_add_cid() - give a connection an id of its own
 * @mn: network namespace
 * @cid: entry; if its id is 0, a random one is chosen
 *
 * Context: any.
 * Return: 0, -EEXIST or -ENOMEM.
 */
int mrc_table_add_cid(struct mrc_net *mn, struct mrc_cid *cid)
{
	bool choose = !cid->cid;
	int err;

	do {
		while (choose && !(cid->cid = get_random_u64()))
			;
		err = rhashtable_lookup_insert_fast(&mn->cids, &cid->node,
						    cid_params);
	} while (choose && err == -EEXIST);
	return err;
}

/**
 * mrc_table_del_cid() - take an entry out
 * @mn: network namespace
 * @cid: entry in the table; its memory must outlive an RCU grace period
 */
void mrc_table_del_cid(struct mrc_net *mn, struct mrc_cid *cid)
{
	rhashtable_remove_fast(&mn->cids, &cid->node, cid_params);
}

/**
 * mrc_table_cid() - find an entry by our connection id
 * @mn: network namespace
 * @cid: id
 *
 * Context: under rcu_read_lock(), which alone keeps the result alive.
 * Return: the entry or NULL.
 */
struct mrc_cid *mrc_table_cid(struct mrc_net *mn, u64 cid)
{
	return rhashtable_lookup(&mn->cids, &cid, cid_params);
}

/**
 * mrc_table_add_peer() - make a connection known by its peer's id
 * @mn: network namespace
 * @mk: connection whose peer_cid is known
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int mrc_table_add_peer(struct mrc_net *mn, struct mrc_sock *mk)
{
	return rhltable_insert(&mn->peers, &mk->peer_node, peer_params);
}

/**
 * mrc_table_del_peer() - take a connection out again
 * @mn: network namespace
 * @mk: connection in the table
 */
void mrc_table_del_peer(struct mrc_net *mn, struct mrc_sock *mk)
{
	rhltable_remove(&mn->peers, &mk->peer_node, peer_params);
}

/**
 * mrc_table_peer() - find a connection by its peer's id
 * @mn: network namespace
 * @peer_cid: the peer's id
 * @raddr: the peer's address
 * @lport: our port, 0: any
 *
 * Context: under rcu_read_lock().
 * Return: the connection with a reference, or NULL.
 */
struct mrc_sock *mrc_table_peer(struct mrc_net *mn, u64 peer_cid,
				const struct in6_addr *raddr, u16 lport)
{
	struct rhlist_head *list, *pos;
	struct mrc_sock *mk;

	list = rhltable_lookup(&mn->peers, &peer_cid, peer_params);
	rhl_for_each_entry_rcu(mk, pos, list, peer_node) {
		if (!ipv6_addr_equal(&mk->raddr, raddr) ||
		    (lport && mk->lport != lport))
			continue;
		if (refcount_inc_not_zero(&mk->sk.sk_refcnt))
			return mk;
	}
	return NULL;
}

/**
 * mrc_table_serial() - find a socket by its serial number
 * @mn: network namespace
 * @serial: the number
 *
 * Sockets are freed after a grace period: what RCU finds is still memory.
 *
 * Context: any.
 * Return: the socket with a reference, or NULL.
 */
struct mrc_sock *mrc_table_serial(struct mrc_net *mn, u32 serial)
{
	struct mrc_sock *mk;

	rcu_read_lock();
	mk = xa_load(&mn->socks, serial);
	if (mk && !refcount_inc_not_zero(&mk->sk.sk_refcnt))
		mk = NULL;
	rcu_read_unlock();
	return mk;
}

/**
 * mrc_table_serial_after() - find the socket that follows
 * @mn: network namespace
 * @serial: number after which it comes, 0 for the first
 *
 * Context: any.
 * Return: the socket with a reference, or NULL when there is none.
 */
struct mrc_sock *mrc_table_serial_after(struct mrc_net *mn,
					unsigned long serial)
{
	struct mrc_sock *mk;

	rcu_read_lock();
	do {
		mk = xa_find_after(&mn->socks, &serial, ULONG_MAX, XA_PRESENT);
	} while (mk && !refcount_inc_not_zero(&mk->sk.sk_refcnt));
	rcu_read_unlock();
	return mk;
}

static struct hlist_head *bucket(struct mrc_net *mn, u16 port)
{
	return &mn->ports[port % MRC_PORT_BUCKETS];
}

static bool is_any4(const struct in6_addr *a)
{
	return ipv6_addr_v4mapped(a) && !a->s6_addr32[3];
}

/* Does a socket bound to @mk's address take packets sent to @addr? */
static bool covers(const struct mrc_sock *mk, const struct in6_addr *addr)
{
	if (ipv6_addr_any(&mk->laddr))
		return !ipv6_addr_v4mapped(addr) ||
		       !test_bit(MRC_FL_V6ONLY, &mk->flags);
	if (is_any4(&mk->laddr))
		return ipv6_addr_v4mapped(addr);
	return ipv6_addr_equal(&mk->laddr, addr);
}

static bool overlap(const struct mrc_sock *a, const struct mrc_sock *b)
{
	int dev_a = READ_ONCE(a->sk.sk_bound_dev_if);
	int dev_b = READ_ONCE(b->sk.sk_bound_dev_if);

	if (dev_a && dev_b && dev_a != dev_b)
		return false;
	return covers(a, &b->laddr) || covers(b, &a->laddr);
}

/* As for TCP: SO_REUSEPORT on both shares a port among sockets of one user. */
static bool share_port(const struct mrc_sock *a, const struct mrc_sock *b)
{
	return a->sk.sk_reuseport && b->sk.sk_reuseport &&
	       uid_eq(a->sk.sk_uid, b->sk.sk_uid);
}

/*
 * As for TCP: SO_REUSEADDR on both lets two sockets share a port while none of
 * them listens.
 */
static bool conflict(const struct mrc_sock *mk, u16 port, bool share)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct mrc_sock *other;

	hlist_for_each_entry(other, bucket(mn, port), bind_node) {
		if (other == mk || other->lport != port || !overlap(mk, other))
			continue;
		if (share && share_port(mk, other))
			continue;
		if (!mk->sk.sk_reuse || !other->sk.sk_reuse ||
		    other->sk.sk_state == TCP_LISTEN)
			return true;
	}
	return false;
}

static int pick_port(const struct mrc_sock *mk)
{
	int low, high, span, i, start;

	inet_get_local_port_range(mrc_sock_net(mk), &low, &high);
	span = high - low + 1;
	start = reciprocal_scale(get_random_u32(), span);
	for (i = 0; i < span; i++) {
		int port = low + (start + i) % span;

		if (!inet_is_local_reserved_port(mrc_sock_net(mk), port) &&
		    !conflict(mk, port, false))
			return port;
	}
	return -EADDRINUSE;
}

/**
 * mrc_table_bind() - own a port
 * @mk: socket, locked, laddr set, without a port
 * @port: the port, 0: any of the ephemeral range
 *
 * Context: process.
 * Return: 0 or -EADDRINUSE.
 */
int mrc_table_bind(struct mrc_sock *mk, u16 port)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	int res = port;

	spin_lock_bh(&mn->port_lock);
	if (!port)
		res = pick_port(mk);
	else if (conflict(mk, port, true))
		res = -EADDRINUSE;
	if (res > 0) {
		mk->lport = res;
		hlist_add_head_rcu(&mk->bind_node, bucket(mn, res));
		res = 0;
	}
	spin_unlock_bh(&mn->port_lock);
	return res;
}

/**
 * mrc_table_unbind() - let go of the port
 * @mk: socket, locked; need not have one
 *
 * Context: any.
 */
void mrc_table_unbind(struct mrc_sock *mk)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));

	spin_lock_bh(&mn->port_lock);
	if (!hlist_unhashed(&mk->bind_node))
		hlist_del_init_rcu(&mk->bind_node);
	spin_unlock_bh(&mn->port_lock);
}

/**
 * mrc_table_bound() - does the socket own a port?
 * @mk: socket, locked
 */
bool mrc_table_bound(const struct mrc_sock *mk)
{
	return !hlist_unhashed(&mk->bind_node);
}

/**
 * mrc_table_listen() - become a listener
 * @mk: socket, locked, bound
 *
 * Context: process.
 * Return: 0, or -EADDRINUSE when another socket listens already.
 */
int mrc_table_listen(struct mrc_sock *mk)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	int err = 0;

	spin_lock_bh(&mn->port_lock);
	if (conflict(mk, mk->lport, true))
		err = -EADDRINUSE;
	else
		WRITE_ONCE(mk->sk.sk_state, TCP_LISTEN);
	spin_unlock_bh(&mn->port_lock);
	return err;
}

static int score(const struct mrc_sock *mk, const struct in6_addr *addr,
		 int dev)
{
	return 1 + (dev ? 8 : 0) +
	       (ipv6_addr_equal(&mk->laddr, addr) ? 4 : 0) +
	       (is_any4(&mk->laddr) ? 2 : 0) +
	       (READ_ONCE(mk->sk.sk_incoming_cpu) == raw_smp_processor_id());
}

/**
 * mrc_table_listener() - find who listens
 * @mn: network namespace
 * @addr: local address
 * @port: local port
 * @iif: interface of arrival
 * @hash: of the connection, chooses among those that share a port
 *
 * The most specific one wins: bound to the device, then to the address, then
 * to its family, then to this processor by SO_INCOMING_CPU.
 *
 * Context: under rcu_read_lock().
 * Return: the listener with a reference, or NULL.
 */
struct mrc_sock *mrc_table_listener(struct mrc_net *mn,
				    const struct in6_addr *addr, u16 port,
				    int iif, u32 hash)
{
	struct mrc_sock *mk, *best = NULL;
	int this, best_score = 0;
	u32 draw, best_draw = 0;

	hlist_for_each_entry_rcu(mk, bucket(mn, port), bind_node) {
		int dev = READ_ONCE(mk->sk.sk_bound_dev_if);

		if (READ_ONCE(mk->sk.sk_state) != TCP_LISTEN ||
		    mk->lport != port || (dev && dev != iif) ||
		    !covers(mk, addr))
			continue;
		this = score(mk, addr, dev);
		/* Among equals a draw, the same for each repeated INIT. */
		draw = jhash_2words(hash, mk->serial, 0);
		if (this > best_score ||
		    (this == best_score && draw > best_draw)) {
			best = mk;
			best_score = this;
			best_draw = draw;
		}
	}
	if (best && !refcount_inc_not_zero(&best->sk.sk_refcnt))
		return NULL;
	return best;
}
