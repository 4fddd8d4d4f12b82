/* SPDX-License-Identifier: GPL-2.0-only */
/* Socket options beyond SOL_SOCKET. */
#ifndef _MRC_SOCKOPT_H
#define _MRC_SOCKOPT_H

#include <linux/sockptr.h>

struct socket;

int mrc_sockopt_set(struct socket *sock, int level, int name, sockptr_t val,
		    unsigned int len);
int mrc_sockopt_get(struct socket *sock, int level, int name,
		    char __user *val, int __user *len);

#endif /* _MRC_SOCKOPT_H */
