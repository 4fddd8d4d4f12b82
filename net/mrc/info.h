/* SPDX-License-Identifier: GPL-2.0-only */
/* What a socket tells its owner: MRC_INFO and MRC_PATHS. */
#ifndef _MRC_INFO_H
#define _MRC_INFO_H

#include <linux/compiler_types.h>

struct mrc_sock;

int mrc_info_get(struct mrc_sock *mk, char __user *val, int len);
int mrc_info_get_paths(struct mrc_sock *mk, char __user *val, int len);

#endif /* _MRC_INFO_H */
