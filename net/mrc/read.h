/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading: from the queue to the user. */
#ifndef _MRC_READ_H
#define _MRC_READ_H

#include <linux/socket.h>
#include <linux/types.h>

struct mrc_sock;
struct sock;

bool mrc_read_ready(const struct mrc_sock *mk);
int mrc_read_set_lowat(struct sock *sk, int val);
int mrc_read_msg(struct mrc_sock *mk, struct msghdr *msg, size_t len,
		 int flags);

#endif /* _MRC_READ_H */
