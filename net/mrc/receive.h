/* SPDX-License-Identifier: GPL-2.0-only */
/* Receiving: packets into streams. */
#ifndef _MRC_RECEIVE_H
#define _MRC_RECEIVE_H

#include <linux/minmax.h>
#include <linux/skbuff.h>

struct in6_addr;
struct mrc_hdr;
struct mrc_sock;

/**
 * struct mrc_extent - skb->cb of queued data: a run of the stream in an skb
 * @base: stream offset of the byte at @off
 * @start: stream offset of the first byte of interest
 * @end: stream offset behind the last one
 * @off: where in the skb the byte @base is
 * @pay: payload bytes per segment, 0: one piece without gaps
 * @stride: distance of segments in the skb: header and payload
 */
struct mrc_extent {
	u64	base;
	u64	start;
	u64	end;
	u32	off;
	u16	pay;
	u16	stride;
};

static inline struct mrc_extent *mrc_extent(const struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct mrc_extent) > sizeof(skb->cb));
	return (struct mrc_extent *)skb->cb;
}

/* Where in the skb the byte at stream offset @at is */
static inline unsigned int mrc_extent_pos(const struct mrc_extent *e, u64 at)
{
	u64 rel = at - e->base;

	if (!e->pay)
		return e->off + rel;
	return e->off + (u32)rel / e->pay * e->stride + (u32)rel % e->pay;
}

/* Bytes that follow @at without a gap */
static inline unsigned int mrc_extent_run(const struct mrc_extent *e, u64 at)
{
	u64 left = e->end - at;

	if (!e->pay)
		return left;
	return min_t(u64, left, e->pay - (u32)(at - e->base) % e->pay);
}

void mrc_receive(struct mrc_sock *mk, struct sk_buff *skb);
int mrc_receive_backlog(struct sock *sk, struct sk_buff *skb);
void mrc_receive_icmp(struct mrc_sock *mk, const struct mrc_hdr *h,
		      const struct in6_addr *daddr, int err);
void mrc_receive_open_window(struct mrc_sock *mk);
void mrc_receive_purge(struct mrc_sock *mk);

#endif /* _MRC_RECEIVE_H */
