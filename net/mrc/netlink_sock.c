// SPDX-License-Identifier: GPL-2.0-only
/*
 * Netlink: sockets. Anybody may list them, as for ss. Which paths a connection
 * takes is for its owner and for CAP_NET_ADMIN: who knows the entropy values
 * can aim at the links that they hash to.
 */
#include <linux/build_bug.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <net/genetlink.h>
#include <net/ipv6.h>
#include "compat/genetlink.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "netns.h"
#include "sock.h"
#include "table.h"

#define SAME_STATE(name)	(MRC_SOCK_STATE_##name == (int)TCP_##name)
static_assert(SAME_STATE(ESTABLISHED) && SAME_STATE(SYN_SENT) &&
	      SAME_STATE(SYN_RECV) && SAME_STATE(FIN_WAIT1) &&
	      SAME_STATE(FIN_WAIT2) && SAME_STATE(TIME_WAIT) &&
	      SAME_STATE(CLOSE) && SAME_STATE(CLOSE_WAIT) &&
	      SAME_STATE(LAST_ACK) && SAME_STATE(LISTEN) &&
	      SAME_STATE(CLOSING));

#define SAME_PATH(name)		((int)MRC_PATH_STATE_##name == MRC_PATH_##name)
static_assert(SAME_PATH(UNKNOWN) && SAME_PATH(GOOD) && SAME_PATH(SKIP) &&
	      SAME_PATH(SUSPECT) && SAME_PATH(ASSUMED_BAD) &&
	      SAME_PATH(PROBATION) && SAME_PATH(DENIED) &&
	      SAME_PATH(STANDBY));

/**
 * struct viewer - who asks, and what for
 * @attrs: of the request: which sockets
 * @user_ns: user namespace that user ids are shown in
 * @uid: owner of the netlink socket
 * @admin: has CAP_NET_ADMIN in the network namespace; only set with @paths
 * @paths: wants to see paths
 */
struct viewer {
	struct nlattr **attrs;
	struct user_namespace *user_ns;
	kuid_t	uid;
	bool	admin;
	bool	paths;
};

/**
 * struct dump_ctx - where a dump of sockets stands, in netlink_callback.ctx
 * @last: id of the last socket shown; ids begin at 1 and grow, so that a
 *	  socket that comes or goes between two calls moves no other
 * @done: nothing is left
 */
struct dump_ctx {
	unsigned long last;
	bool done;
};

/* Most room that fill_path() and so on take: what may be absent is there. */
static size_t path_size(void)
{
	return nla_total_size(0) +
	       nla_total_size(sizeof(u16)) +
	       14 * nla_total_size(sizeof(u32)) +
	       2 * nla_total_size_64bit(sizeof(u64));
}

static size_t plane_size(void)
{
	return nla_total_size(0) +
	       2 * nla_total_size(sizeof(u32)) +
	       2 * nla_total_size(sizeof(struct in6_addr)) +
	       nla_total_size(0);
}

static size_t sock_size(bool paths)
{
	return GENL_HDRLEN +
	       2 * nla_total_size(sizeof(u16)) +
	       25 * nla_total_size(sizeof(u32)) +
	       6 * nla_total_size_64bit(sizeof(u64)) +
	       2 * nla_total_size(sizeof(struct in6_addr)) +
	       nla_total_size(MRC_CONG_NAME_MAX) +
	       MRC_MAX_PLANES * plane_size() +
	       (paths ? MRC_MAX_PATHS * path_size() : 0);
}

static bool may_see_paths(const struct viewer *who, const struct sock *sk)
{
	return who->admin || uid_eq(READ_ONCE(sk->sk_uid), who->uid);
}

static void viewer_init(struct viewer *who, struct sk_buff *skb,
			struct nlattr **attrs)
{
	struct sock *asker = NETLINK_CB(skb).sk;
	bool paths = attrs[MRC_A_SOCK_PATHS];

	who->attrs = attrs;
	who->user_ns = sk_user_ns(asker);
	who->uid = READ_ONCE(asker->sk_uid);
	who->paths = paths;
	who->admin = paths && netlink_net_capable(skb, CAP_NET_ADMIN);
}

static int put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, MRC_A_SOCK_PAD);
}

/* No sample yet is shown as no attribute rather than as no time at all. */
static int put_us(struct sk_buff *skb, int attr, u32 us)
{
	return us ? nla_put_u32(skb, attr, us) : 0;
}

static int fill_path(struct sk_buff *skb, const struct mrc_sock *mk,
		     unsigned int index, u64 now_ns)
{
	const struct mrc_path *path = &mk->paths[index];
	u64 age_ms = div_u64(now_ns - path->changed_ns, NSEC_PER_MSEC);
	struct nlattr *nest;

	BUILD_BUG_ON((int)MRC_A_PATH_PAD != (int)MRC_A_SOCK_PAD);
	nest = nla_nest_start(skb, MRC_A_SOCK_PATH);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MRC_A_PATH_INDEX, index) ||
	    nla_put_u32(skb, MRC_A_PATH_PLANE, path->plane) ||
	    nla_put_u16(skb, MRC_A_PATH_EV, path->ev) ||
	    nla_put_u32(skb, MRC_A_PATH_FLOW_LABEL, path->label) ||
	    nla_put_u32(skb, MRC_A_PATH_GENERATION, path->gen) ||
	    nla_put_u32(skb, MRC_A_PATH_STATE, path->state) ||
	    put_u64(skb, MRC_A_PATH_STATE_AGE, age_ms) ||
	    nla_put_u32(skb, MRC_A_PATH_WEIGHT, path->weight) ||
	    put_us(skb, MRC_A_PATH_SRTT, path->srtt_us) ||
	    put_us(skb, MRC_A_PATH_RTTVAR, path->rttvar_us) ||
	    put_us(skb, MRC_A_PATH_MIN_RTT, path->min_rtt_us) ||
	    nla_put_u32(skb, MRC_A_PATH_INFLIGHT, path->inflight) ||
	    put_u64(skb, MRC_A_PATH_SENT, path->sent) ||
	    nla_put_u32(skb, MRC_A_PATH_LOST, path->lost) ||
	    nla_put_u32(skb, MRC_A_PATH_CE, path->ce) ||
	    nla_put_u32(skb, MRC_A_PATH_SPURIOUS, path->spurious) ||
	    nla_put_u32(skb, MRC_A_PATH_PMTU, mrc_pmtu_mtu(mk, path)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fill_paths(struct sk_buff *skb, const struct mrc_sock *mk)
{
	u64 now_ns = ktime_get_ns();
	unsigned int i;
	int err = 0;

	for (i = 0; mk->paths && i < mk->nr_paths && !err; i++)
		err = fill_path(skb, mk, i, now_ns);
	return err;
}

static int fill_plane(struct sk_buff *skb, const struct mrc_sock *mk,
		      unsigned int index)
{
	const struct mrc_plane *plane = &mk->planes[index];
	struct nlattr *nest;

	nest = nla_nest_start(skb, MRC_A_SOCK_PLANE);
	if (!nest)
		return -EMSGSIZE;
	if (nla_put_u32(skb, MRC_A_PLANE_INDEX, index) ||
	    mrc_netlink_put_addr(skb, MRC_A_PLANE_LOCAL_ADDR, &plane->local, AF_INET6) ||
	    mrc_netlink_put_addr(skb, MRC_A_PLANE_REMOTE_ADDR, &plane->remote, AF_INET6) ||
	    (plane->oif &&
	     nla_put_u32(skb, MRC_A_PLANE_IFINDEX, plane->oif)) ||
	    (plane->valid && nla_put_flag(skb, MRC_A_PLANE_VALID)))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int fill_planes(struct sk_buff *skb, const struct mrc_sock *mk)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < mk->nr_planes && !err; i++)
		err = fill_plane(skb, mk, i);
	return err;
}

static int fill_names(struct sk_buff *skb, const struct mrc_sock *mk,
		      const struct viewer *who)
{
	struct sock *sk = (struct sock *)&mk->sk;
	uid_t uid = from_kuid_munged(who->user_ns, READ_ONCE(sk->sk_uid));
	u64 inode = sock_i_ino(sk);

	if (nla_put_u32(skb, MRC_A_SOCK_ID, mk->serial) ||
	    nla_put_u32(skb, MRC_A_SOCK_TYPE, sk->sk_type) ||
	    nla_put_u32(skb, MRC_A_SOCK_STATE, sk->sk_state) ||
	    nla_put_u16(skb, MRC_A_SOCK_LOCAL_PORT, mk->lport) ||
	    nla_put_u32(skb, MRC_A_SOCK_UID, uid) ||
	    (inode && put_u64(skb, MRC_A_SOCK_INODE, inode)))
		return -EMSGSIZE;
	if (mk->user_family != AF_UNSPEC &&
	    mrc_netlink_put_addr(skb, MRC_A_SOCK_LOCAL_ADDR, &mk->laddr, mk->user_family))
		return -EMSGSIZE;
	if (mk->rport &&
	    (mrc_netlink_put_addr(skb, MRC_A_SOCK_REMOTE_ADDR, &mk->raddr,
		      mk->user_family) ||
	     nla_put_u16(skb, MRC_A_SOCK_REMOTE_PORT, mk->rport)))
		return -EMSGSIZE;
	return 0;
}

static int fill_memory(struct sk_buff *skb, const struct mrc_sock *mk)
{
	const struct sock *sk = &mk->sk;

	if (nla_put_u32(skb, MRC_A_SOCK_RMEM, sk_rmem_alloc_get(sk)) ||
	    nla_put_u32(skb, MRC_A_SOCK_RCVBUF, READ_ONCE(sk->sk_rcvbuf)) ||
	    nla_put_u32(skb, MRC_A_SOCK_WMEM, READ_ONCE(sk->sk_wmem_queued)) ||
	    nla_put_u32(skb, MRC_A_SOCK_SNDBUF, READ_ONCE(sk->sk_sndbuf)) ||
	    nla_put_u32(skb, MRC_A_SOCK_WMEM_QUEUED, sk_wmem_alloc_get(sk)) ||
	    nla_put_u32(skb, MRC_A_SOCK_FORWARD_ALLOC, sk->sk_forward_alloc) ||
	    nla_put_u32(skb, MRC_A_SOCK_BACKLOG, READ_ONCE(sk->sk_backlog.len)))
		return -EMSGSIZE;
	return 0;
}

static int fill_listener(struct sk_buff *skb, const struct mrc_sock *mk)
{
	const struct sock *sk = &mk->sk;

	if (nla_put_u32(skb, MRC_A_SOCK_ACCEPT_QUEUE,
			READ_ONCE(sk->sk_ack_backlog)) ||
	    nla_put_u32(skb, MRC_A_SOCK_ACCEPT_LIMIT,
			READ_ONCE(sk->sk_max_ack_backlog)))
		return -EMSGSIZE;
	return 0;
}

static int fill_connection(struct sk_buff *skb, const struct mrc_sock *mk)
{
	if (nla_put_u32(skb, MRC_A_SOCK_RX_QUEUE,
			mk->rcv_nxt - mk->copied_seq) ||
	    nla_put_u32(skb, MRC_A_SOCK_TX_QUEUE, mk->unacked) ||
	    put_us(skb, MRC_A_SOCK_SRTT, mk->srtt_us) ||
	    put_us(skb, MRC_A_SOCK_RTTVAR, mk->rttvar_us) ||
	    put_us(skb, MRC_A_SOCK_MIN_RTT, mk->min_rtt_us) ||
	    (mk->cong &&
	     nla_put_string(skb, MRC_A_SOCK_CONG, mk->cong->name)) ||
	    nla_put_u32(skb, MRC_A_SOCK_CWND, mk->cwnd) ||
	    nla_put_u32(skb, MRC_A_SOCK_INFLIGHT, mk->inflight) ||
	    nla_put_u32(skb, MRC_A_SOCK_MSS, mk->mss) ||
	    put_u64(skb, MRC_A_SOCK_TX_OFFSET, mk->write_seq) ||
	    put_u64(skb, MRC_A_SOCK_TX_LIMIT, mk->peer_limit) ||
	    put_u64(skb, MRC_A_SOCK_TX_BYTES, mk->tx_bytes) ||
	    put_u64(skb, MRC_A_SOCK_RTX_BYTES, mk->rtx_bytes) ||
	    put_u64(skb, MRC_A_SOCK_RX_BYTES, mk->rx_bytes) ||
	    nla_put_u32(skb, MRC_A_SOCK_LOST, mk->lost_pkts))
		return -EMSGSIZE;
	if (mk->paths &&
	    (nla_put_u32(skb, MRC_A_SOCK_NR_PATHS, mk->nr_active) ||
	     nla_put_u32(skb, MRC_A_SOCK_NR_USABLE, mk->nr_usable)))
		return -EMSGSIZE;
	return fill_planes(skb, mk);
}

static bool addr_fits(const struct nlattr *want, const struct in6_addr *addr)
{
	if (nla_len(want) == sizeof(*addr))
		return !memcmp(nla_data(want), addr, sizeof(*addr));
	return ipv6_addr_v4mapped(addr) &&
	       nla_get_in_addr(want) == addr->s6_addr32[3];
}

static bool uid_fits(const struct nlattr *want, const struct sock *sk,
		     const struct viewer *who)
{
	return uid_eq(READ_ONCE(sk->sk_uid),
		      make_kuid(who->user_ns, nla_get_u32(want)));
}

/* Is it one of the sockets that are asked for? */
static bool fits(struct mrc_sock *mk, const struct viewer *who)
{
	struct nlattr **want = who->attrs;
	struct sock *sk = &mk->sk;

	return !((want[MRC_A_SOCK_TYPE] &&
		  nla_get_u32(want[MRC_A_SOCK_TYPE]) != sk->sk_type) ||
		 (want[MRC_A_SOCK_STATES] &&
		  !(nla_get_u32(want[MRC_A_SOCK_STATES]) &
		    1U << sk->sk_state)) ||
		 (want[MRC_A_SOCK_LOCAL_PORT] &&
		  nla_get_u16(want[MRC_A_SOCK_LOCAL_PORT]) != mk->lport) ||
		 (want[MRC_A_SOCK_REMOTE_PORT] &&
		  nla_get_u16(want[MRC_A_SOCK_REMOTE_PORT]) != mk->rport) ||
		 (want[MRC_A_SOCK_LOCAL_ADDR] &&
		  !addr_fits(want[MRC_A_SOCK_LOCAL_ADDR], &mk->laddr)) ||
		 (want[MRC_A_SOCK_REMOTE_ADDR] &&
		  !addr_fits(want[MRC_A_SOCK_REMOTE_ADDR], &mk->raddr)) ||
		 (want[MRC_A_SOCK_INODE] &&
		  nla_get_u64(want[MRC_A_SOCK_INODE]) != sock_i_ino(sk)) ||
		 (want[MRC_A_SOCK_UID] &&
		  !uid_fits(want[MRC_A_SOCK_UID], sk, who)));
}

/* What the policy cannot say */
static int check_addr(struct nlattr *addr, struct netlink_ext_ack *extack)
{
	if (!addr || nla_len(addr) == sizeof(struct in_addr) ||
	    nla_len(addr) == sizeof(struct in6_addr))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, addr,
			    "an address has four or sixteen octets");
	return -EINVAL;
}

static int check_request(struct nlattr **attrs, struct netlink_ext_ack *extack)
{
	return check_addr(attrs[MRC_A_SOCK_LOCAL_ADDR], extack) ?:
	       check_addr(attrs[MRC_A_SOCK_REMOTE_ADDR], extack);
}

static int fill_locked(struct sk_buff *skb, struct mrc_sock *mk,
		       const struct viewer *who)
{
	const struct mrc_net *mn = mrc_net(mrc_sock_net(mk));
	int err = fill_names(skb, mk, who);

	if (!err && mk->sk.sk_state == TCP_LISTEN)
		err = fill_listener(skb, mk);
	else if (!err)
		err = fill_connection(skb, mk);
	if (!err)
		err = fill_memory(skb, mk);
	if (!err && who->paths && may_see_paths(who, &mk->sk))
		err = fill_paths(skb, mk);
	/* Events of a socket are sent with its lock held. */
	return err ?: nla_put_u32(skb, MRC_A_SOCK_EVENT_SEQ,
				  READ_ONCE(mn->event_seq));
}

/*
 * One message. The socket lock is held while it is composed, in memory of the
 * kernel; it goes to the user later, without any lock of ours. -ENOENT: it is
 * not one of those that are asked for.
 */
static int fill_sock(struct sk_buff *skb, struct mrc_sock *mk,
		     const struct viewer *who, void *hdr)
{
	int err = -ENOENT;

	if (!hdr)
		return -EMSGSIZE;
	lock_sock(&mk->sk);
	if (fits(mk, who))
		err = fill_locked(skb, mk, who);
	release_sock(&mk->sk);
	if (err)
		genlmsg_cancel(skb, hdr);
	else
		genlmsg_end(skb, hdr);
	return err;
}

static int reply_sock(struct mrc_sock *mk, const struct viewer *who,
		      struct genl_info *info)
{
	struct sk_buff *reply;
	int err;

	if (who->paths && !may_see_paths(who, &mk->sk)) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MRC_A_SOCK_PATHS],
				    "paths of another user's socket need CAP_NET_ADMIN");
		return -EPERM;
	}
	reply = genlmsg_new(sock_size(who->paths), GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	err = fill_sock(reply, mk, who,
			genlmsg_put_reply(reply, info, &mrc_genl, 0,
					  MRC_CMD_SOCK_GET));
	if (!err)
		return genlmsg_reply(reply, info);
	nlmsg_free(reply);
	if (err == -ENOENT)
		NL_SET_ERR_MSG(info->extack,
			       "the socket is not one of those asked for");
	return err;
}

/**
 * mrc_netlink_sock_get_doit() - show one socket
 * @skb: the request
 * @info: its attributes
 *
 * Context: process, takes the lock of that socket.
 * Return: 0, -EINVAL without an id, -ENOENT for one that is not in use or not
 * what else is asked for, -EPERM for paths of another user's socket, -ENOMEM.
 */
int mrc_netlink_sock_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_sock *mk;
	struct viewer who;
	int err;

	err = check_request(info->attrs, info->extack);
	if (err)
		return err;
	mk = mrc_netlink_sock(info);
	if (IS_ERR(mk))
		return PTR_ERR(mk);
	viewer_init(&who, skb, info->attrs);
	err = reply_sock(mk, &who, info);
	sock_put(&mk->sk);
	return err;
}

/**
 * mrc_netlink_sock_get_start() - begin a dump
 * @cb: the dump
 *
 * An entry is never cut in two, so the buffers must hold the largest.
 *
 * Context: process.
 * Return: 0 or -EINVAL.
 */
int mrc_netlink_sock_get_start(struct netlink_callback *cb)
{
	struct nlattr **attrs = genl_info_dump(cb)->attrs;

	BUILD_BUG_ON(sizeof(struct dump_ctx) > sizeof(cb->ctx));
	cb->min_dump_alloc = nlmsg_total_size(sock_size(attrs[MRC_A_SOCK_PATHS]));
	return check_request(attrs, cb->extack);
}

static struct mrc_sock *dump_next(struct netlink_callback *cb, u32 only)
{
	struct mrc_net *mn = mrc_net(sock_net(cb->skb->sk));
	struct dump_ctx *ctx = (struct dump_ctx *)cb->ctx;
	struct mrc_sock *mk;

	if (ctx->done)
		return NULL;
	mk = only ? mrc_table_serial(mn, only) :
		    mrc_table_serial_after(mn, ctx->last);
	if (!mk)
		ctx->done = true;
	return mk;
}

static void *dump_header(struct sk_buff *skb, struct netlink_callback *cb)
{
	void *hdr = genlmsg_put(skb, NETLINK_CB(cb->skb).portid,
				cb->nlh->nlmsg_seq, &mrc_genl, NLM_F_MULTI,
				MRC_CMD_SOCK_GET);

	if (hdr)
		genl_dump_check_consistent(cb, hdr);
	return hdr;
}

/**
 * mrc_netlink_sock_get_dumpit() - show as many more sockets as fit
 * @skb: where they go
 * @cb: the dump
 *
 * A socket that is there all the time is shown, and once; where others came or
 * went in between, NLM_F_DUMP_INTR says so.
 *
 * Context: process, takes the lock of one socket after another.
 * Return: the length of @skb, 0 at the end, -EMSGSIZE when not even one fits.
 */
int mrc_netlink_sock_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	struct nlattr **attrs = genl_info_dump(cb)->attrs;
	struct mrc_net *mn = mrc_net(sock_net(cb->skb->sk));
	struct nlattr *only = attrs[MRC_A_SOCK_ID];
	struct dump_ctx *ctx = (struct dump_ctx *)cb->ctx;
	struct mrc_sock *mk;
	struct viewer who;
	int err = 0;

	/* 0 would say that we do not count. */
	cb->seq = (unsigned int)atomic_read(&mn->socks_gen) ?: 1;
	viewer_init(&who, cb->skb, attrs);
	while ((mk = dump_next(cb, only ? nla_get_u32(only) : 0))) {
		err = fill_sock(skb, mk, &who, dump_header(skb, cb));
		if (err != -EMSGSIZE) {
			ctx->last = mk->serial;
			ctx->done = only;
			err = 0;
		}
		sock_put(&mk->sk);
		if (err)
			break;
		cond_resched();
	}
	return skb->len ?: err;
}

/**
 * mrc_netlink_sock_kill_doit() - end a connection or a listener
 * @skb: the request
 * @info: its attributes
 *
 * Context: process, takes the lock of that socket.
 * Return: 0, -EPERM, -EINVAL without an id, -ENOENT for one that is not in use
 * or a socket that is neither connected nor listening.
 */
int mrc_netlink_sock_kill_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_sock *mk;
	int err;

	err = mrc_netlink_may_change(skb, info->extack);
	if (err)
		return err;
	mk = mrc_netlink_sock(info);
	if (IS_ERR(mk))
		return PTR_ERR(mk);
	err = mrc_sock_abort(mk);
	if (err)
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MRC_A_SOCK_ID],
				    "the socket has no connection");
	sock_put(&mk->sk);
	return err;
}
