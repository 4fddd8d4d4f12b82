/* SPDX-License-Identifier: GPL-2.0-only */
/* Generic netlink family "mrc": look at sockets and their paths. */
#ifndef _MRC_NETLINK_H
#define _MRC_NETLINK_H

int mrc_netlink_init(void);
void mrc_netlink_exit(void);

#endif /* _MRC_NETLINK_H */
