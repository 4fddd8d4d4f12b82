/* SPDX-License-Identifier: GPL-2.0-only */
/* Time-wait: what remains of a connection whose last SACK may have been lost. */
#ifndef _MRC_TIMEWAIT_H
#define _MRC_TIMEWAIT_H

#include "sock.h"

int mrc_timewait_module_init(void);
void mrc_timewait_module_exit(void);
void mrc_timewait_init(struct mrc_net *mn);
void mrc_timewait_exit(struct mrc_net *mn);
void mrc_timewait_start(struct mrc_sock *mk);
void mrc_timewait_rcv(struct mrc_net *mn, struct mrc_cid *cid,
		      struct sk_buff *skb);

#endif /* _MRC_TIMEWAIT_H */
