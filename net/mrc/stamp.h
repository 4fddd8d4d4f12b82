/* SPDX-License-Identifier: GPL-2.0-only */
/* Time stamps of what is sent. */
#ifndef _MRC_STAMP_H
#define _MRC_STAMP_H

#include <linux/types.h>

struct mrc_seg;
struct mrc_sock;

void mrc_stamp_begin(struct mrc_sock *mk, u32 tsflags);
void mrc_stamp_mark(struct mrc_sock *mk, u32 tsflags);
void mrc_stamp_sent(struct mrc_sock *mk, struct mrc_seg *seg);
void mrc_stamp_acked(struct mrc_sock *mk, struct mrc_seg *seg);

#endif /* _MRC_STAMP_H */
