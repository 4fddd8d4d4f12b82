// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a socket tells its owner. Both values may grow: a program says how much
 * of them it knows, and is told how much the kernel had.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <uapi/linux/mrc.h>
#include "info.h"
#include "sock.h"

static void fill_listener(const struct mrc_sock *mk, struct mrc_info *info)
{
	info->accept_queue = READ_ONCE(mk->sk.sk_ack_backlog);
	info->accept_limit = READ_ONCE(mk->sk.sk_max_ack_backlog);
}

static void fill_connection(const struct mrc_sock *mk, struct mrc_info *info)
{
	info->mss = mk->mss;
	info->cwnd = mk->cwnd;
	info->inflight = mk->inflight;
	info->srtt_us = mk->srtt_us;
	info->rttvar_us = mk->rttvar_us;
	info->min_rtt_us = mk->min_rtt_us;
	info->paths = mk->nr_active;
	info->paths_usable = mk->nr_usable;
	info->planes = mk->nr_planes;
	info->lost = mk->lost_pkts;
	info->keepalives = mk->keep_out;
	info->unacked = mk->unacked;
	info->unread = mk->rcv_nxt - mk->copied_seq;
	info->written = mk->write_seq;
	info->limit = mk->peer_limit;
	info->sent = mk->tx_bytes;
	info->resent = mk->rtx_bytes;
	info->received = mk->rx_bytes;
}

/**
 * mrc_info_get() - getsockopt() of MRC_INFO
 * @mk: socket, not locked
 * @val: where to
 * @len: octets there
 *
 * Context: process.
 * Return: octets written, or -EFAULT.
 */
int mrc_info_get(struct mrc_sock *mk, char __user *val, int len)
{
	struct mrc_info info = {};

	len = min_t(int, len, sizeof(info));
	lock_sock(&mk->sk);
	info.state = mk->sk.sk_state;
	strscpy(info.cong, mk->cong->name, sizeof(info.cong));
	if (mk->sk.sk_state == TCP_LISTEN)
		fill_listener(mk, &info);
	else
		fill_connection(mk, &info);
	release_sock(&mk->sk);
	return copy_to_user(val, &info, len) ? -EFAULT : len;
}

static void fill_path(const struct mrc_path *path, unsigned int index, u64 now,
		      struct mrc_path_info *info)
{
	*info = (struct mrc_path_info) {
		.index		= index,
		.plane		= path->plane,
		.ev		= path->ev,
		.flow_label	= path->label,
		.generation	= path->gen,
		.state		= path->state,
		.weight		= path->weight,
		.inflight	= path->inflight,
		.srtt_us	= path->srtt_us,
		.rttvar_us	= path->rttvar_us,
		.min_rtt_us	= path->min_rtt_us,
		.lost		= path->lost,
		.ce		= path->ce,
		.spurious	= path->spurious,
		.sent		= path->sent,
		.state_age_us	= (now - path->changed_ns) / NSEC_PER_USEC,
	};
}

/* Returns how many there are; the first @room of them are filled in. */
static unsigned int fill_paths(struct mrc_sock *mk, struct mrc_path_info *info,
			       unsigned int room)
{
	u64 now = ktime_get_ns();
	unsigned int i, count;

	lock_sock(&mk->sk);
	count = mk->nr_paths;
	for (i = 0; i < min(count, room); i++)
		fill_path(&mk->paths[i], i, now, &info[i]);
	release_sock(&mk->sk);
	return count;
}

static int copy_paths(char __user *val, const struct mrc_path_info *info,
		      unsigned int count, u32 size)
{
	u32 known = min_t(u32, size, sizeof(*info));
	unsigned int i;

	for (i = 0; i < count; i++, val += size)
		if (copy_to_user(val, &info[i], known) ||
		    clear_user(val + known, size - known))
			return -EFAULT;
	return 0;
}

/**
 * mrc_info_get_paths() - getsockopt() of MRC_PATHS
 * @mk: socket, not locked
 * @val: struct mrc_paths
 * @len: octets there
 *
 * Context: process.
 * Return: octets written; -EINVAL, -EFAULT or -ENOMEM.
 */
int mrc_info_get_paths(struct mrc_sock *mk, char __user *val, int len)
{
	struct mrc_path_info *info;
	struct mrc_paths head;
	unsigned int room = 0;
	int err;

	if (len < (int)sizeof(head))
		return -EINVAL;
	if (copy_from_user(&head, val, sizeof(head)))
		return -EFAULT;
	if (head.size_user % 8 || head.size_user > PAGE_SIZE)
		return -EINVAL;
	if (head.size_user)
		room = min_t(unsigned int, MRC_MAX_PATHS,
			     (len - sizeof(head)) / head.size_user);
	info = kvcalloc(max(room, 1U), sizeof(*info), GFP_KERNEL);
	if (!info)
		return -ENOMEM;
	head.count = fill_paths(mk, info, room);
	head.size_kernel = sizeof(*info);
	head.reserved = 0;
	room = min(room, head.count);
	err = copy_paths(val + sizeof(head), info, room, head.size_user);
	kvfree(info);
	if (err || copy_to_user(val, &head, sizeof(head)))
		return -EFAULT;
	return sizeof(head) + room * head.size_user;
}
