/* SPDX-License-Identifier: GPL-2.0-only */
/* Handshake: INIT and its answers, from the side that connects. */
#ifndef _MRC_HANDSHAKE_H
#define _MRC_HANDSHAKE_H

#include <linux/types.h>
#include "wire.h"

struct mrc_sock;
struct sk_buff;

/**
 * enum mrc_handshake_step - what tracing tells of a handshake
 * @MRC_STEP_INIT: INIT was sent
 * @MRC_STEP_INIT_ACK: INIT_ACK was sent, by the child of a listener
 * @MRC_STEP_RETRY: a listener sent RETRY
 * @MRC_STEP_COOKIE: RETRY arrived
 * @MRC_STEP_ESTABLISHED: the connection is established
 * @MRC_STEP_FAILED: it failed
 */
enum mrc_handshake_step {
	MRC_STEP_INIT,
	MRC_STEP_INIT_ACK,
	MRC_STEP_RETRY,
	MRC_STEP_COOKIE,
	MRC_STEP_ESTABLISHED,
	MRC_STEP_FAILED,
};

void mrc_handshake_connect(struct mrc_sock *mk);
void mrc_handshake_timer(struct mrc_sock *mk, u64 now);
void mrc_handshake_unreachable(struct mrc_sock *mk, int err);
void mrc_handshake_rcv(struct mrc_sock *mk, struct sk_buff *skb,
		       const struct mrc_hdr *h);
void mrc_handshake_take(struct mrc_sock *mk, const struct mrc_init_hdr *peer);
void mrc_handshake_send(struct mrc_sock *mk, enum mrc_type type);

#endif /* _MRC_HANDSHAKE_H */
