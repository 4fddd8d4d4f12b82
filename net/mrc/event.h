/* SPDX-License-Identifier: GPL-2.0-only */
/* Events: what those who watch are told of connections and paths. */
#ifndef _MRC_EVENT_H
#define _MRC_EVENT_H

#include <linux/types.h>
#include <uapi/linux/mrc_netlink.h>

struct mrc_path;
struct mrc_sock;

void mrc_event_established(struct mrc_sock *mk);
void mrc_event_ending(struct mrc_sock *mk, enum mrc_nl_close_why why);
void mrc_event_done(struct mrc_sock *mk, int err);
u64 mrc_event_flush(struct mrc_sock *mk, u64 now);
void mrc_event_flood(struct mrc_sock *mk);
void mrc_event_path(struct mrc_sock *mk, struct mrc_path *path, u8 from);

#endif /* _MRC_EVENT_H */
