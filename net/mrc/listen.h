/* SPDX-License-Identifier: GPL-2.0-only */
/* Listeners: pending connections, and those that wait to be accepted. */
#ifndef _MRC_LISTEN_H
#define _MRC_LISTEN_H

#include <linux/types.h>

struct mrc_net;
struct mrc_sock;
struct sk_buff;

int mrc_listen_start(struct mrc_sock *mk);
void mrc_listen_stop(struct mrc_sock *mk);
struct mrc_sock *mrc_listen_find(struct mrc_net *mn, struct sk_buff *skb);
void mrc_listen_rcv(struct mrc_sock *mk, struct sk_buff *skb);
void mrc_listen_timer(struct mrc_sock *mk, u64 now);
void mrc_listen_repeat(struct mrc_sock *mk);
bool mrc_listen_confirm(struct mrc_sock *mk);
void mrc_listen_forget(struct mrc_sock *mk);
bool mrc_listen_ready(struct mrc_sock *mk);
struct mrc_sock *mrc_listen_accept(struct mrc_sock *mk);

#endif /* _MRC_LISTEN_H */
