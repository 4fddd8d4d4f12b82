/* SPDX-License-Identifier: GPL-2.0-only */
/* SACKs, out and in. */
#ifndef _MRC_ACK_H
#define _MRC_ACK_H

#include <linux/types.h>

struct mrc_data_hdr;
struct mrc_sock;
struct sk_buff;

int mrc_ack_init(struct mrc_sock *mk, u32 peer_psn, gfp_t gfp);
void mrc_ack_free(struct mrc_sock *mk);
bool mrc_ack_in_window(const struct mrc_sock *mk, u32 psn, u32 floor);
void mrc_ack_note(struct mrc_sock *mk, const struct mrc_data_hdr *d,
		  unsigned int len, bool ce);
void mrc_ack_duplicate(struct mrc_sock *mk);
void mrc_ack_send(struct mrc_sock *mk);
void mrc_ack_flush(struct mrc_sock *mk);
void mrc_ack_timer(struct mrc_sock *mk);
void mrc_ack_rcv(struct mrc_sock *mk, struct sk_buff *skb);

#endif /* _MRC_ACK_H */
