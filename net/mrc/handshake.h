/* SPDX-License-Identifier: GPL-2.0-only */
/* Handshake: INIT and its answers, from the side that connects. */
#ifndef _MRC_HANDSHAKE_H
#define _MRC_HANDSHAKE_H

#include <linux/types.h>
#include "wire.h"

struct mrc_sock;
struct sk_buff;

void mrc_handshake_connect(struct mrc_sock *mk);
void mrc_handshake_timer(struct mrc_sock *mk, u64 now);
void mrc_handshake_unreachable(struct mrc_sock *mk, int err);
void mrc_handshake_rcv(struct mrc_sock *mk, struct sk_buff *skb,
		       const struct mrc_hdr *h);
void mrc_handshake_take(struct mrc_sock *mk, const struct mrc_init_hdr *peer);
void mrc_handshake_send(struct mrc_sock *mk, enum mrc_type type);

#endif /* _MRC_HANDSHAKE_H */
