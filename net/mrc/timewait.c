// SPDX-License-Identifier: GPL-2.0-only
/*
 * When both streams have ended, the socket goes, and a small record remains
 * that acknowledges the peer's last packets again should our SACK have been
 * lost. Connection ids are random and never reused, so that it guards against
 * nothing else and may be short. It holds no reference to the module: unloading
 * flushes it.
 */
#include <linux/slab.h>
#include "compat/compat.h"
#include "encap.h"
#include "netns.h"
#include "table.h"
#include "timewait.h"

/* Long enough for many retransmissions at the smallest RTO, 10 ms */
#define TIMEWAIT_NS	(2 * (u64)NSEC_PER_SEC)

/**
 * struct mrc_timewait - a connection that ended
 * @cid: our connection id and its table entry
 * @peer_cid: the peer's
 * @raddr: the peer's address
 * @limit: what its receive window was
 * @expires_ns: when it goes
 * @list: entry of mrc_net.tw_list
 * @rcu: for freeing
 */
struct mrc_timewait {
	struct mrc_cid		cid;
	u64			peer_cid;
	struct in6_addr		raddr;
	u64			limit;
	u64			expires_ns;
	struct list_head	list;
	struct rcu_head		rcu;
};

static struct kmem_cache *timewait_cache;

int mrc_timewait_module_init(void)
{
	timewait_cache = KMEM_CACHE(mrc_timewait, 0);
	return timewait_cache ? 0 : -ENOMEM;
}

/* After rcu_barrier(): the last ones may still wait for a grace period. */
void mrc_timewait_module_exit(void)
{
	kmem_cache_destroy(timewait_cache);
}

static void timewait_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(timewait_cache,
			container_of(rcu, struct mrc_timewait, rcu));
}

/* Free what expired, or everything; tell when the next one does. */
static u64 reap(struct mrc_net *mn, u64 now)
{
	struct mrc_timewait *tw;
	u64 next = 0;

	spin_lock_bh(&mn->tw_lock);
	while ((tw = list_first_entry_or_null(&mn->tw_list, struct mrc_timewait,
					      list))) {
		if (tw->expires_ns > now) {
			next = tw->expires_ns;
			break;
		}
		list_del(&tw->list);
		mrc_table_del_cid(mn, &tw->cid);
		call_rcu(&tw->rcu, timewait_free_rcu);
	}
	spin_unlock_bh(&mn->tw_lock);
	return next;
}

static void timewait_work(struct work_struct *work)
{
	struct mrc_net *mn = container_of(to_delayed_work(work),
					  struct mrc_net, tw_work);
	u64 now = ktime_get_ns(), next = reap(mn, now);

	if (next)
		schedule_delayed_work(&mn->tw_work,
				      nsecs_to_jiffies(next - now) + 1);
}

void mrc_timewait_init(struct mrc_net *mn)
{
	spin_lock_init(&mn->tw_lock);
	INIT_LIST_HEAD(&mn->tw_list);
	INIT_DELAYED_WORK(&mn->tw_work, timewait_work);
}

void mrc_timewait_exit(struct mrc_net *mn)
{
	cancel_delayed_work_sync(&mn->tw_work);
	reap(mn, U64_MAX);
}

/**
 * mrc_timewait_start() - leave a record of a connection
 * @mk: connection, locked, that has just left mrc_net.cids
 *
 * Without memory there is none, and a peer whose last SACK was lost is told
 * that the connection is unknown.
 */
void mrc_timewait_start(struct mrc_sock *mk)
{
	struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	struct mrc_timewait *tw;

	tw = kmem_cache_zalloc(timewait_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!tw)
		return;
	tw->cid.cid = mk->cid.cid;
	tw->cid.timewait = true;
	tw->peer_cid = mk->peer_cid;
	tw->raddr = mk->raddr;
	tw->limit = mk->rcv_limit;
	tw->expires_ns = ktime_get_ns() + TIMEWAIT_NS;
	if (mrc_table_add_cid(mn, &tw->cid)) {
		kmem_cache_free(timewait_cache, tw);
		return;
	}
	spin_lock_bh(&mn->tw_lock);
	list_add_tail(&tw->list, &mn->tw_list);
	spin_unlock_bh(&mn->tw_lock);
	schedule_delayed_work(&mn->tw_work, nsecs_to_jiffies(TIMEWAIT_NS) + 1);
}

/* All that the peer sent had arrived: its newest packet tells how much. */
static void acknowledge(struct mrc_net *mn, const struct mrc_timewait *tw,
			struct sk_buff *to, const struct mrc_data_hdr *d)
{
	struct mrc_sack_hdr *s;
	struct sk_buff *skb;

	skb = mrc_encap_alloc(sizeof(*s));
	if (!skb)
		return;
	s = skb_put_zero(skb, sizeof(*s));
	mrc_wire_hdr(&s->h, MRC_SACK, MRC_F_DUP, tw->peer_cid,
		     be32_to_cpu(d->h.psn));
	s->h.path = d->h.path;
	s->h.gen = d->h.gen;
	s->cum = d->h.psn;
	s->limit = cpu_to_be64(tw->limit);
	MRC_INC(mn->net, OUT_SACKS);
	mrc_encap_reply(mn, to, skb);
}

/**
 * mrc_timewait_rcv() - a packet for a connection that ended
 * @mn: network namespace
 * @cid: the record's table entry
 * @skb: the packet; consumed
 *
 * Context: softirq, under rcu_read_lock().
 */
void mrc_timewait_rcv(struct mrc_net *mn, struct mrc_cid *cid,
		      struct sk_buff *skb)
{
	struct mrc_timewait *tw = container_of(cid, struct mrc_timewait, cid);
	unsigned int last = 0;
	struct mrc_data_hdr d;

	if (!ipv6_addr_equal(&tw->raddr, &mrc_rx_cb(skb)->saddr)) {
		MRC_INC(mn->net, DROP_ADDRESS);
		goto out;
	}
	if (skb_is_gso(skb))
		last = rounddown(skb->len - 1, skb_shinfo(skb)->gso_size);
	if (!skb_copy_bits(skb, last, &d, sizeof(d)) &&
	    mrc_hdr_type(&d.h) == MRC_DATA)
		acknowledge(mn, tw, skb, &d);
out:
	kfree_skb(skb);
}
