/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes of paths. */
#ifndef _MRC_PROBE_H
#define _MRC_PROBE_H

#include <linux/types.h>

struct mrc_path;
struct mrc_sock;
struct sk_buff;

u64 mrc_probe_interval(const struct mrc_sock *mk, const struct mrc_path *path);
void mrc_probe_survey(struct mrc_sock *mk);
void mrc_probe_watch(struct mrc_sock *mk);
u64 mrc_probe_all(struct mrc_sock *mk, u64 now);
void mrc_probe_rcv_ack(struct mrc_sock *mk, struct sk_buff *skb);
void mrc_probe_rcv(struct mrc_sock *mk, struct sk_buff *skb);

#endif /* _MRC_PROBE_H */
