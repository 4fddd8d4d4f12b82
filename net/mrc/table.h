/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables: how a packet finds its socket, and who owns a port. */
#ifndef _MRC_TABLE_H
#define _MRC_TABLE_H

#include <linux/in6.h>
#include <linux/types.h>

struct mrc_cid;
struct mrc_net;
struct mrc_sock;

int mrc_table_init(struct mrc_net *mn);
void mrc_table_exit(struct mrc_net *mn);

int mrc_table_add_cid(struct mrc_net *mn, struct mrc_cid *cid);
void mrc_table_del_cid(struct mrc_net *mn, struct mrc_cid *cid);
struct mrc_cid *mrc_table_cid(struct mrc_net *mn, u64 cid);

int mrc_table_add_peer(struct mrc_net *mn, struct mrc_sock *mk);
void mrc_table_del_peer(struct mrc_net *mn, struct mrc_sock *mk);
struct mrc_sock *mrc_table_peer(struct mrc_net *mn, u64 peer_cid,
				const struct in6_addr *raddr, u16 lport);

struct mrc_sock *mrc_table_serial(struct mrc_net *mn, u32 serial);
struct mrc_sock *mrc_table_serial_after(struct mrc_net *mn,
					unsigned long serial);

int mrc_table_bind(struct mrc_sock *mk, u16 port);
void mrc_table_unbind(struct mrc_sock *mk);
bool mrc_table_bound(const struct mrc_sock *mk);
int mrc_table_listen(struct mrc_sock *mk);
struct mrc_sock *mrc_table_listener(struct mrc_net *mn,
				    const struct in6_addr *addr, u16 port,
				    int iif, u32 hash);

#endif /* _MRC_TABLE_H */
