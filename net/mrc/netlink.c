// SPDX-License-Identifier: GPL-2.0-only
/*
 * Generic netlink family "mrc". Documentation/netlink/specs/mrc.yaml describes
 * it; policies and the table of operations are generated from there.
 *
 * Anybody may list sockets, as for ss. Which paths a connection takes is for
 * its owner and for CAP_NET_ADMIN: who knows the entropy values can aim at
 * the links that they hash to.
 */
#include <linux/build_bug.h>
#include <linux/ktime.h>
#include <net/genetlink.h>
#include <net/ipv6.h>
#include "af_mrc.h"
#include "compat/genetlink.h"
#include "netlink.h"
#include "netlink_gen.h"
#include "netns.h"
#include "sock.h"

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

static struct genl_family mrc_genl __ro_after_init = {
	.name		= MRC_GENL_NAME,
	.version	= MRC_GENL_VERSION,
	.netnsok	= true,
	.parallel_ops	= true,
	.module		= THIS_MODULE,
};

/**
 * struct viewer - who asks, and what for
 * @user_ns: user namespace that user ids are shown in
 * @uid: owner of the netlink socket
 * @admin: has CAP_NET_ADMIN in the network namespace; only set with @paths
 * @paths: wants to see paths
 */
struct viewer {
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
	       17 * nla_total_size(sizeof(u32)) +
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

static void viewer_init(struct viewer *who, struct sk_buff *skb, bool paths)
{
	struct sock *asker = NETLINK_CB(skb).sk;

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

static int put_addr(struct sk_buff *skb, int attr, const struct in6_addr *addr,
		    u16 user_family)
{
	if (ipv6_addr_v4mapped(addr) || user_family == AF_INET)
		return nla_put_in_addr(skb, attr, addr->s6_addr32[3]);
	return nla_put_in6_addr(skb, attr, addr);
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
	    put_addr(skb, MRC_A_PLANE_LOCAL_ADDR, &plane->local, AF_INET6) ||
	    put_addr(skb, MRC_A_PLANE_REMOTE_ADDR, &plane->remote, AF_INET6) ||
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
	    put_addr(skb, MRC_A_SOCK_LOCAL_ADDR, &mk->laddr, mk->user_family))
		return -EMSGSIZE;
	if (mk->rport &&
	    (put_addr(skb, MRC_A_SOCK_REMOTE_ADDR, &mk->raddr,
		      mk->user_family) ||
	     nla_put_u16(skb, MRC_A_SOCK_REMOTE_PORT, mk->rport)))
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

/*
 * One message. The socket lock is held while it is composed, in memory of the
 * kernel; it goes to the user later, without any lock of ours.
 */
static int fill_sock(struct sk_buff *skb, struct mrc_sock *mk,
		     const struct viewer *who, u32 portid, u32 seq, int flags)
{
	void *hdr;
	int err;

	hdr = genlmsg_put(skb, portid, seq, &mrc_genl, flags, MRC_CMD_SOCK_GET);
	if (!hdr)
		return -EMSGSIZE;

	lock_sock(&mk->sk);
	err = fill_names(skb, mk, who);
	if (!err && mk->sk.sk_state == TCP_LISTEN)
		err = fill_listener(skb, mk);
	else if (!err)
		err = fill_connection(skb, mk);
	if (!err && who->paths && may_see_paths(who, &mk->sk))
		err = fill_paths(skb, mk);
	release_sock(&mk->sk);

	if (err) {
		genlmsg_cancel(skb, hdr);
		return err;
	}
	genlmsg_end(skb, hdr);
	return 0;
}

/* Sockets are freed after a grace period: what RCU finds is still memory. */
static struct mrc_sock *sock_find(struct mrc_net *mn, u32 id)
{
	struct mrc_sock *mk;

	rcu_read_lock();
	mk = xa_load(&mn->socks, id);
	if (mk && !refcount_inc_not_zero(&mk->sk.sk_refcnt))
		mk = NULL;
	rcu_read_unlock();
	return mk;
}

static struct mrc_sock *sock_find_after(struct mrc_net *mn, unsigned long id)
{
	struct mrc_sock *mk;

	rcu_read_lock();
	do {
		mk = xa_find_after(&mn->socks, &id, ULONG_MAX, XA_PRESENT);
	} while (mk && !refcount_inc_not_zero(&mk->sk.sk_refcnt));
	rcu_read_unlock();
	return mk;
}

/**
 * mrc_netlink_info_get_doit() - what a program must know to open sockets
 * @skb: the request
 * @info: its attributes
 *
 * Context: process.
 * Return: 0 or -errno.
 */
int mrc_netlink_info_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_net *mn = mrc_net(genl_info_net(info));
	struct sk_buff *reply;
	void *hdr;

	reply = genlmsg_new(NLMSG_DEFAULT_SIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	hdr = genlmsg_put_reply(reply, info, &mrc_genl, 0, MRC_CMD_INFO_GET);
	if (!hdr ||
	    nla_put_u32(reply, MRC_A_INFO_FAMILY, mrc_family) ||
	    nla_put_u16(reply, MRC_A_INFO_UDP_PORT,
			READ_ONCE(mn->sysctl.udp_port)) ||
	    nla_put_u32(reply, MRC_A_INFO_WIRE_VERSION, MRC_WIRE_VERSION)) {
		nlmsg_free(reply);
		return -EMSGSIZE;
	}
	genlmsg_end(reply, hdr);
	return genlmsg_reply(reply, info);
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
	err = fill_sock(reply, mk, who, info->snd_portid, info->snd_seq, 0);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	return genlmsg_reply(reply, info);
}

/**
 * mrc_netlink_sock_get_doit() - show one socket
 * @skb: the request
 * @info: its attributes
 *
 * Context: process, takes the lock of that socket.
 * Return: 0, -EINVAL without an id, -ENOENT for one that is not in use, -EPERM
 * for paths of another user's socket, -ENOMEM.
 */
int mrc_netlink_sock_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *id = info->attrs[MRC_A_SOCK_ID];
	struct mrc_sock *mk;
	struct viewer who;
	int err;

	if (!id) {
		NL_SET_ERR_MSG(info->extack, "id of the socket is missing");
		return -EINVAL;
	}
	mk = sock_find(mrc_net(genl_info_net(info)), nla_get_u32(id));
	if (!mk) {
		NL_SET_ERR_MSG_ATTR(info->extack, id, "no socket has this id");
		return -ENOENT;
	}
	viewer_init(&who, skb, info->attrs[MRC_A_SOCK_PATHS]);
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
 * Return: 0.
 */
int mrc_netlink_sock_get_start(struct netlink_callback *cb)
{
	struct nlattr **attrs = genl_info_dump(cb)->attrs;

	BUILD_BUG_ON(sizeof(struct dump_ctx) > sizeof(cb->ctx));
	cb->min_dump_alloc = nlmsg_total_size(sock_size(attrs[MRC_A_SOCK_PATHS]));
	return 0;
}

static struct mrc_sock *dump_next(struct netlink_callback *cb, u32 only)
{
	struct mrc_net *mn = mrc_net(sock_net(cb->skb->sk));
	struct dump_ctx *ctx = (struct dump_ctx *)cb->ctx;
	struct mrc_sock *mk;

	if (ctx->done)
		return NULL;
	mk = only ? sock_find(mn, only) : sock_find_after(mn, ctx->last);
	if (!mk)
		ctx->done = true;
	return mk;
}

/**
 * mrc_netlink_sock_get_dumpit() - show as many more sockets as fit
 * @skb: where they go
 * @cb: the dump
 *
 * Context: process, takes the lock of one socket after another.
 * Return: the length of @skb, 0 at the end, -EMSGSIZE when not even one fits.
 */
int mrc_netlink_sock_get_dumpit(struct sk_buff *skb,
				struct netlink_callback *cb)
{
	struct nlattr **attrs = genl_info_dump(cb)->attrs;
	struct nlattr *only = attrs[MRC_A_SOCK_ID];
	struct dump_ctx *ctx = (struct dump_ctx *)cb->ctx;
	struct mrc_sock *mk;
	struct viewer who;
	int err = 0;

	viewer_init(&who, cb->skb, attrs[MRC_A_SOCK_PATHS]);
	while ((mk = dump_next(cb, only ? nla_get_u32(only) : 0))) {
		err = fill_sock(skb, mk, &who, NETLINK_CB(cb->skb).portid,
				cb->nlh->nlmsg_seq, NLM_F_MULTI);
		if (!err) {
			ctx->last = mk->serial;
			ctx->done = only;
		}
		sock_put(&mk->sk);
		if (err)
			break;
	}
	return skb->len ?: err;
}

/**
 * mrc_netlink_init() - register the family
 *
 * Context: process; from then on requests come in from all namespaces, so
 * all else must be ready.
 * Return: 0 or -errno.
 */
int __init mrc_netlink_init(void)
{
	mrc_genl_set_ops(&mrc_genl, mrc_nl_ops, ARRAY_SIZE(mrc_nl_ops));
	return genl_register_family(&mrc_genl);
}

/**
 * mrc_netlink_exit() - unregister the family
 *
 * Context: process; waits for requests in progress.
 */
void mrc_netlink_exit(void)
{
	genl_unregister_family(&mrc_genl);
}
