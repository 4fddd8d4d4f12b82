/* SPDX-License-Identifier: GPL-2.0-only */
/* RESET: how connections are cut off. */
#ifndef _MRC_RESET_H
#define _MRC_RESET_H

#include "wire.h"

struct mrc_net;
struct mrc_sock;

void mrc_reset_send(struct mrc_sock *mk, enum mrc_reset_reason reason);
void mrc_reset_rcv(struct mrc_sock *mk, struct sk_buff *skb);
void mrc_reset_refuse(struct mrc_net *mn, struct sk_buff *skb,
		      const struct mrc_init_hdr *ih,
		      enum mrc_reset_reason reason);
void mrc_reset_reflect(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_hdr *h);
void mrc_reset_version(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_hdr *h);

#endif /* _MRC_RESET_H */
