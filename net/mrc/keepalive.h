/* SPDX-License-Identifier: GPL-2.0-only */
/* SO_KEEPALIVE: is the peer of an idle connection still there? */
#ifndef _MRC_KEEPALIVE_H
#define _MRC_KEEPALIVE_H

#include <linux/types.h>

struct mrc_sock;
struct sock;

/* Bounds that TCP has */
#define MRC_KEEPALIVE_MAX_S		32767
#define MRC_KEEPALIVE_MAX_PROBES	127

void mrc_keepalive_set(struct sock *sk, int on);
void mrc_keepalive_start(struct mrc_sock *mk);
bool mrc_keepalive_check(struct mrc_sock *mk, u64 now, u64 *next);
u32 mrc_keepalive_idle_s(const struct mrc_sock *mk);
u32 mrc_keepalive_intvl_s(const struct mrc_sock *mk);
u32 mrc_keepalive_probes(const struct mrc_sock *mk);

#endif /* _MRC_KEEPALIVE_H */
