// SPDX-License-Identifier: GPL-2.0-only
/*
 * A cookie proves that a client received our RETRY at the address that it
 * claims, without our having kept anything. Its MAC covers all that the
 * connection would be made from; its key changes each minute, and the last two
 * are known.
 */
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/ktime.h>
#include "cookie.h"
#include "encap.h"
#include "netns.h"

#define COOKIE_LIFE_S	60

/* The key of a minute: made when it is first wanted, unless that is past. */
static bool get_key(struct mrc_net *mn, u32 minute, bool make,
		    siphash_key_t *key)
{
	unsigned int i = minute % MRC_COOKIE_KEYS;
	bool known;

	spin_lock(&mn->cookie_lock);
	if (make && mn->cookie_minute[i] != minute) {
		get_random_bytes(&mn->cookie_keys[i], sizeof(siphash_key_t));
		mn->cookie_minute[i] = minute;
	}
	known = mn->cookie_minute[i] == minute;
	*key = mn->cookie_keys[i];
	spin_unlock(&mn->cookie_lock);
	return known;
}

static u64 mac(struct sk_buff *skb, const struct mrc_init_hdr *ih, u32 stamp,
	       const siphash_key_t *key)
{
	struct {
		struct in6_addr saddr;
		struct in6_addr daddr;
		__be64	cid;
		__be64	limit;
		__be32	psn;
		__be16	sport;
		__be16	dport;
		__be16	max_seg;
		u8	sock_type;
		u8	paths;
		u32	stamp;
	} __aligned(8) all = {
		.saddr	= mrc_rx_cb(skb)->saddr,
		.daddr	= mrc_rx_cb(skb)->daddr,
		.cid	= ih->src_cid,
		.limit	= ih->limit,
		.psn	= ih->h.psn,
		.sport	= ih->sport,
		.dport	= ih->dport,
		.max_seg = ih->max_seg,
		.sock_type = ih->sock_type,
		.paths	= ih->paths,
		.stamp	= stamp,
	};

	BUILD_BUG_ON(sizeof(all) != 64);
	return siphash(&all, sizeof(all), key);
}

/**
 * mrc_cookie_make() - make a cookie for an INIT
 * @mn: network namespace
 * @skb: the packet
 * @ih: its header
 * @c: out: the cookie
 *
 * Context: softirq.
 */
void mrc_cookie_make(struct mrc_net *mn, struct sk_buff *skb,
		     const struct mrc_init_hdr *ih, struct mrc_cookie *c)
{
	u32 stamp = ktime_get_boottime_seconds();
	siphash_key_t key;

	/* Minute 0 marks a key never made. */
	get_key(mn, stamp / 60 + 1, true, &key);
	c->stamp = cpu_to_be32(stamp);
	c->mac = cpu_to_be64(mac(skb, ih, stamp, &key));
}

/**
 * mrc_cookie_check() - is it ours, for this INIT, and fresh?
 * @mn: network namespace
 * @skb: the packet
 * @ih: its header
 * @c: the cookie that it carries
 *
 * Context: softirq.
 */
bool mrc_cookie_check(struct mrc_net *mn, struct sk_buff *skb,
		      const struct mrc_init_hdr *ih,
		      const struct mrc_cookie *c)
{
	u32 now = ktime_get_boottime_seconds(), stamp = be32_to_cpu(c->stamp);
	siphash_key_t key;

	if (now - stamp > COOKIE_LIFE_S ||
	    !get_key(mn, stamp / 60 + 1, false, &key))
		return false;
	return mac(skb, ih, stamp, &key) == be64_to_cpu(c->mac);
}
