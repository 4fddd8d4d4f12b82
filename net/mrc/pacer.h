/* SPDX-License-Identifier: GPL-2.0-only */
/* Pacing: how much of a connection may wait in the queues below. */
#ifndef _MRC_PACER_H
#define _MRC_PACER_H

#include <linux/types.h>

struct mrc_sock;
struct sk_buff;

void mrc_pacer_own(struct mrc_sock *mk, struct sk_buff *skb);
bool mrc_pacer_may_send(struct mrc_sock *mk);

#endif /* _MRC_PACER_H */
