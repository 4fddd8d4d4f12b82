/* SPDX-License-Identifier: GPL-2.0-only */
/* /proc/net/mrc: counters and sockets, as text. */
#ifndef _MRC_PROC_H
#define _MRC_PROC_H

struct net;

int mrc_proc_init(struct net *net);
void mrc_proc_exit(struct net *net);

#endif /* _MRC_PROC_H */
