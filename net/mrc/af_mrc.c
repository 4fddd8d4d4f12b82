// SPDX-License-Identifier: GPL-2.0-only
/* The socket interface: proto_ops, and the family's registration. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sockios.h>
#include <asm/ioctls.h>
#include <net/busy_poll.h>
#include <net/ipv6.h>
#include <uapi/linux/mrc.h>
#include "addr.h"
#include "af_mrc.h"
#include "compat/compat.h"
#include "encap.h"
#include "handshake.h"
#include "listen.h"
#include "netns.h"
#include "read.h"
#include "reset.h"
#include "send.h"
#include "sock.h"
#include "sockopt.h"
#include "table.h"

static int release(struct socket *sock)
{
	struct sock *sk = sock->sk;
	long timeout = 0;

	if (!sk)
		return 0;
	if (sock_flag(sk, SOCK_LINGER) && !(current->flags & PF_EXITING))
		timeout = sk->sk_lingertime;
	sock->sk = NULL;
	mrc_sock_close(mrc_sk(sk), timeout);
	return 0;
}

static int bind_locked(struct mrc_sock *mk, const struct mrc_addr *addr)
{
	struct net *net = mrc_sock_net(mk);
	struct in6_addr any;
	int err;

	if (mk->sk.sk_state != TCP_CLOSE || mrc_table_bound(mk))
		return -EINVAL;
	if (addr->port && inet_port_requires_bind_service(net, addr->port) &&
	    !ns_capable(net->user_ns, CAP_NET_BIND_SERVICE))
		return -EACCES;
	err = mrc_addr_check_local(mk, addr);
	if (err)
		return err;
	mk->laddr = addr->ip;
	err = mrc_table_bind(mk, addr->port);
	if (err) {
		mrc_addr_any(mk, &mk->laddr);
		return err;
	}
	if (addr->scope)
		mk->sk.sk_bound_dev_if = addr->scope;
	if (addr->port)
		set_bit(MRC_FL_BOUND_PORT, &mk->flags);
	mk->user_family = addr->family;
	mrc_addr_any(mk, &any);
	if (!ipv6_addr_equal(&addr->ip, &any)) {
		set_bit(MRC_FL_BOUND_ADDR, &mk->flags);
		/* IPv4 cannot come to it, which IPV6_V6ONLY shows. */
		if (!ipv6_addr_v4mapped(&addr->ip))
			set_bit(MRC_FL_V6ONLY, &mk->flags);
	}
	return 0;
}

static int bind(struct socket *sock, struct sockaddr_unsized *uaddr, int len)
{
	struct mrc_sock *mk = mrc_sk(sock->sk);
	struct mrc_addr addr;
	int err;

	lock_sock(sock->sk);
	err = mrc_addr_parse(mk, uaddr, len, &addr);
	if (!err)
		err = bind_locked(mk, &addr);
	release_sock(sock->sk);
	return err;
}

static int wait_connect(struct sock *sk, long timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);

	add_wait_queue(sk_sleep(sk), &wait);
	while (sk->sk_state == TCP_SYN_SENT && timeo) {
		release_sock(sk);
		timeo = wait_woken(&wait, TASK_INTERRUPTIBLE, timeo);
		lock_sock(sk);
		if (signal_pending(current))
			break;
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return timeo;
}

/* An address of this host's stands for "any", as for TCP. */
static void replace_any(struct mrc_addr *addr)
{
	if (ipv6_addr_any(&addr->ip))
		addr->ip = in6addr_loopback;
	else if (ipv6_addr_v4mapped(&addr->ip) && !addr->ip.s6_addr32[3])
		addr->ip.s6_addr32[3] = htonl(INADDR_LOOPBACK);
}

static int start_connect(struct mrc_sock *mk, struct mrc_addr *addr)
{
	struct mrc_plane plane = { .local = mk->laddr };
	struct sock *sk = &mk->sk;
	bool v4;
	int err;

	if (!addr->port)
		return -ECONNREFUSED;
	replace_any(addr);
	v4 = ipv6_addr_v4mapped(&addr->ip);
	if (v4 && addr->family == AF_INET6 &&
	    test_bit(MRC_FL_V6ONLY, &mk->flags))
		return -ENETUNREACH;
	if (ipv6_addr_any(&plane.local) && v4)
		ipv6_addr_set_v4mapped(0, &plane.local);
	if (ipv6_addr_v4mapped(&plane.local) != v4)
		return -EINVAL;
	plane.remote = addr->ip;
	plane.oif = sk->sk_bound_dev_if ?: addr->scope;
	err = mrc_plane_init(mk, &plane);
	if (err)
		return err;
	if (!mrc_table_bound(mk)) {
		err = mrc_table_bind(mk, 0);
		if (err)
			return err == -EADDRINUSE ? -EADDRNOTAVAIL : err;
	}
	mk->planes[0] = plane;
	mk->nr_planes = 1;
	mk->mss = 0;
	mrc_sock_sync_mss(mk);
	mk->raddr = addr->ip;
	mk->rport = addr->port;
	err = mrc_sock_hash(mk);
	if (err)
		return err;
	mk->laddr = plane.local;
	mk->user_family = addr->family;
	set_bit(MRC_FL_TRIED, &mk->flags);
	WRITE_ONCE(sk->sk_state, TCP_SYN_SENT);
	mrc_handshake_connect(mk);
	return 0;
}

static int connect_result(struct socket *sock)
{
	struct sock *sk = sock->sk;

	if (sk->sk_state == TCP_CLOSE) {
		sock->state = SS_UNCONNECTED;
		/* As before the attempt: no stream has ended. */
		WRITE_ONCE(sk->sk_shutdown, 0);
		return sock_error(sk) ?: -ECONNABORTED;
	}
	sock->state = SS_CONNECTED;
	return 0;
}

/* connect() to no address: back to where socket() left it, as for TCP. */
static int disconnect(struct socket *sock)
{
	struct mrc_sock *mk = mrc_sk(sock->sk);

	if (mk->sk.sk_state == TCP_LISTEN)
		mrc_listen_stop(mk);
	else if (mrc_sock_established(mk))
		mrc_reset_send(mk, MRC_RESET_ABORT);
	mrc_sock_done(mk, 0);
	mrc_sock_forget(mk);
	sock->state = SS_UNCONNECTED;
	return 0;
}

static int connect_locked(struct socket *sock, const void *uaddr, int len,
			  int flags)
{
	struct mrc_sock *mk = mrc_sk(sock->sk);
	const struct sockaddr *sa = uaddr;
	struct sock *sk = sock->sk;
	int err, pending = -EINPROGRESS;
	struct mrc_addr addr;
	long timeo;

	if (len >= (int)offsetofend(struct sockaddr, sa_family) &&
	    sa->sa_family == AF_UNSPEC)
		return disconnect(sock);
	err = mrc_addr_parse(mk, uaddr, len, &addr);
	if (err)
		return err;
	switch (sock->state) {
	case SS_CONNECTED:
		return -EISCONN;
	case SS_CONNECTING:
		pending = -EALREADY;
		break;
	case SS_UNCONNECTED:
		if (sk->sk_state != TCP_CLOSE)
			return -EISCONN;
		/* An attempt that failed leaves nothing behind. */
		if (test_and_clear_bit(MRC_FL_TRIED, &mk->flags))
			mrc_sock_forget(mk);
		err = start_connect(mk, &addr);
		if (err)
			return err;
		sock->state = SS_CONNECTING;
		break;
	default:
		return -EINVAL;
	}
	timeo = sock_sndtimeo(sk, flags & O_NONBLOCK);
	if (sk->sk_state == TCP_SYN_SENT) {
		if (!timeo)
			return pending;
		timeo = wait_connect(sk, timeo);
		if (sk->sk_state == TCP_SYN_SENT) {
			if (signal_pending(current))
				return sock_intr_errno(timeo);
			return pending;
		}
	}
	return connect_result(sock);
}

static int connect(struct socket *sock, struct sockaddr_unsized *uaddr, int len,
		   int flags)
{
	int err;

	lock_sock(sock->sk);
	err = connect_locked(sock, uaddr, len, flags);
	release_sock(sock->sk);
	return err;
}

static int listen(struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	struct mrc_sock *mk = mrc_sk(sk);
	int err = -EINVAL;

	lock_sock(sk);
	if (sock->state != SS_UNCONNECTED)
		goto out;
	if (sk->sk_state == TCP_CLOSE) {
		err = 0;
		if (test_and_clear_bit(MRC_FL_TRIED, &mk->flags))
			mrc_sock_forget(mk);
		if (!mrc_table_bound(mk))
			err = mrc_table_bind(mk, 0);
		if (!err)
			err = mrc_listen_start(mk);
		if (err)
			goto out;
	} else if (sk->sk_state != TCP_LISTEN) {
		goto out;
	}
	WRITE_ONCE(sk->sk_max_ack_backlog, backlog);
	err = 0;
out:
	release_sock(sk);
	return err;
}

static struct mrc_sock *wait_accept(struct mrc_sock *mk, long timeo, int *err)
{
	struct sock *sk = &mk->sk;
	struct mrc_sock *child;
	DEFINE_WAIT(wait);

	for (;;) {
		prepare_to_wait_exclusive(sk_sleep(sk), &wait,
					  TASK_INTERRUPTIBLE);
		*err = -EINVAL;
		if (sk->sk_state != TCP_LISTEN) {
			child = NULL;
			break;
		}
		child = mrc_listen_accept(mk);
		if (child)
			break;
		*err = -EAGAIN;
		if (!timeo)
			break;
		*err = sock_intr_errno(timeo);
		if (signal_pending(current))
			break;
		release_sock(sk);
		timeo = schedule_timeout(timeo);
		lock_sock(sk);
	}
	finish_wait(sk_sleep(sk), &wait);
	return child;
}

static int accept(struct socket *sock, struct socket *newsock, MRC_ACCEPT_ARGS)
{
	struct sock *sk = sock->sk;
	struct mrc_sock *child;
	int err;

	lock_sock(sk);
	child = wait_accept(mrc_sk(sk),
			    sock_rcvtimeo(sk, MRC_ACCEPT_FLAGS & O_NONBLOCK),
			    &err);
	release_sock(sk);
	if (!child)
		return err;
	lock_sock(&child->sk);
	sock_graft(&child->sk, newsock);
	mrc_sol_socket_first(newsock);
	newsock->state = SS_CONNECTED;
	release_sock(&child->sk);
	return 0;
}

/* With 2 for @peer, the last one counts too: SO_PEERNAME. */
static int get_name(struct socket *sock, struct sockaddr *uaddr, int peer)
{
	struct sock *sk = sock->sk;
	struct mrc_sock *mk = mrc_sk(sk);
	int scope, len;

	lock_sock(sk);
	scope = mk->nr_planes ? mk->planes[0].oif : sk->sk_bound_dev_if;
	if (!peer)
		len = mrc_addr_show(mk, &mk->laddr, mk->lport, scope, uaddr);
	else if (!mk->rport || (peer == 1 && (1 << sk->sk_state) &
					     (TCPF_CLOSE | TCPF_SYN_SENT)))
		len = -ENOTCONN;
	else
		len = mrc_addr_show(mk, &mk->raddr, mk->rport, scope, uaddr);
	release_sock(sk);
	return len;
}

static __poll_t poll(struct file *file, struct socket *sock, poll_table *wait)
{
	struct sock *sk = sock->sk;
	struct mrc_sock *mk = mrc_sk(sk);
	u8 shutdown;
	__poll_t mask = 0;
	int state;

	sock_poll_wait(file, sock, wait);
	state = READ_ONCE(sk->sk_state);
	if (state == TCP_LISTEN)
		return mrc_listen_ready(mk) ? EPOLLIN | EPOLLRDNORM : 0;
	shutdown = READ_ONCE(sk->sk_shutdown);
	if (shutdown == SHUTDOWN_MASK || state == TCP_CLOSE)
		mask |= EPOLLHUP;
	if (shutdown & RCV_SHUTDOWN)
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	if (state != TCP_SYN_SENT) {
		if (mrc_read_ready(mk))
			mask |= EPOLLIN | EPOLLRDNORM;
		if (shutdown & SEND_SHUTDOWN || sk_stream_is_writeable(sk)) {
			mask |= EPOLLOUT | EPOLLWRNORM;
		} else {
			sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
			set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
			/* It may have become writable before we said so. */
			smp_mb__after_atomic();
			if (sk_stream_is_writeable(sk))
				mask |= EPOLLOUT | EPOLLWRNORM;
		}
	}
	/* Pairs with the order in which an error is set and told. */
	smp_rmb();
	if (READ_ONCE(sk->sk_err) || !skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR;
	return mask;
}

static int shutdown(struct socket *sock, int how)
{
	struct sock *sk = sock->sk;
	struct mrc_sock *mk = mrc_sk(sk);
	int err = 0;

	how++;
	if (how & ~SHUTDOWN_MASK || !how)
		return -EINVAL;
	lock_sock(sk);
	if (sk->sk_state == TCP_CLOSE) {
		err = -ENOTCONN;
		goto out;
	}
	if (sk->sk_state == TCP_LISTEN) {
		if (how & RCV_SHUTDOWN) {
			mrc_listen_stop(mk);
			mrc_sock_done(mk, 0);
			sk->sk_shutdown = 0;
		}
		goto out;
	}
	if (sk->sk_state == TCP_SYN_SENT) {
		mrc_sock_done(mk, 0);
		sk->sk_shutdown = 0;
		sock->state = SS_UNCONNECTED;
		goto out;
	}
	WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | how);
	if (how & SEND_SHUTDOWN)
		err = mrc_sock_shutdown_send(mk);
	/* Wake who sleeps in recv() or poll(). */
	sk->sk_state_change(sk);
out:
	release_sock(sk);
	return err;
}

static int sendmsg(struct socket *sock, struct msghdr *msg, size_t len)
{
	struct sock *sk = sock->sk;
	int res;

	if (msg->msg_flags & MSG_OOB)
		return -EOPNOTSUPP;
	lock_sock(sk);
	res = mrc_send_msg(mrc_sk(sk), msg, len);
	release_sock(sk);
	return res;
}

/* Told as for TCP, so that what reads it there can read it here. */
static int receive_error(struct sock *sk, struct msghdr *msg, size_t len)
{
	if (mrc_sk(sk)->user_family == AF_INET6)
		return sock_recv_errqueue(sk, msg, len, SOL_IPV6, IPV6_RECVERR);
	return sock_recv_errqueue(sk, msg, len, SOL_IP, IP_RECVERR);
}

static int recvmsg(struct socket *sock, struct msghdr *msg, size_t len,
		   int flags)
{
	struct sock *sk = sock->sk;
	int res;

	if (flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (flags & MSG_ERRQUEUE)
		return receive_error(sk, msg, len);
	if (sk_can_busy_loop(sk) && sk->sk_state == TCP_ESTABLISHED &&
	    skb_queue_empty_lockless(&sk->sk_receive_queue))
		sk_busy_loop(sk, flags & MSG_DONTWAIT);
	lock_sock(sk);
	res = mrc_read_msg(mrc_sk(sk), msg, len, flags);
	release_sock(sk);
	/* A stream's messages have no address, as for TCP. */
	msg->msg_namelen = 0;
	return res;
}

static u64 unsent(const struct mrc_sock *mk)
{
	return mk->send_head ? mk->write_seq - mk->send_head->start : 0;
}

static int ioctl(struct socket *sock, unsigned int cmd, unsigned long arg)
{
	struct sock *sk = sock->sk;
	struct mrc_sock *mk = mrc_sk(sk);
	u64 v;

	/* There is no urgent data to be at. */
	if (cmd == SIOCATMARK)
		return put_user(0, (int __user *)arg);
	lock_sock(sk);
	switch (cmd) {
	case SIOCINQ:
		v = mk->rcv_nxt - mk->copied_seq;
		break;
	case SIOCOUTQ:
		v = mk->unacked;
		break;
	case SIOCOUTQNSD:
		v = unsent(mk);
		break;
	default:
		release_sock(sk);
		return -ENOIOCTLCMD;
	}
	if (sk->sk_state == TCP_LISTEN) {
		release_sock(sk);
		return -EINVAL;
	}
	release_sock(sk);
	return put_user((int)min_t(u64, v, INT_MAX), (int __user *)arg);
}

static struct proto_ops stream_ops = {
	.owner		= THIS_MODULE,
	.release	= release,
	.bind		= bind,
	.connect	= connect,
	.socketpair	= sock_no_socketpair,
	.accept		= accept,
	.getname	= get_name,
	.poll		= poll,
	.ioctl		= ioctl,
	.gettstamp	= sock_gettstamp,
	.listen		= listen,
	.shutdown	= shutdown,
	.setsockopt	= mrc_sockopt_set,
	.getsockopt	= mrc_sockopt_get,
	.sendmsg	= sendmsg,
	.recvmsg	= recvmsg,
	.mmap		= sock_no_mmap,
	.set_peek_off	= sk_set_peek_off,
	.set_rcvlowat	= mrc_read_set_lowat,
};

static int create(struct net *net, struct socket *sock, int protocol, int kern)
{
	struct mrc_sock *mk;
	struct sock *sk;
	int err;

	if (sock->type != SOCK_STREAM)
		return -ESOCKTNOSUPPORT;
	if (protocol)
		return -EPROTONOSUPPORT;
	err = mrc_encap_open(mrc_net(net));
	if (err)
		return err;
	sk = sk_alloc(net, mrc_family, GFP_KERNEL, &mrc_prot, kern);
	if (!sk)
		return -ENOBUFS;
	sock_init_data(sock, sk);
	mk = mrc_sk(sk);
	mrc_sock_init(mk);
	if (IS_ENABLED(CONFIG_IPV6) && net->ipv6.sysctl.bindv6only)
		set_bit(MRC_FL_V6ONLY, &mk->flags);
	err = mrc_sock_add(mk, GFP_KERNEL);
	if (err) {
		sock->sk = NULL;
		sock_orphan(sk);
		sock_put(sk);
		return err;
	}
	sock->state = SS_UNCONNECTED;
	sock->ops = &stream_ops;
	mrc_sol_socket_first(sock);
	return 0;
}

static struct net_proto_family family_ops = {
	.create	= create,
	.owner	= THIS_MODULE,
};

/**
 * mrc_af_register() - register the family under mrc_family
 *
 * Context: process.
 * Return: 0; -EINVAL for a number that no family can have; -EEXIST when it is
 * taken. One line in the log says so.
 */
int mrc_af_register(void)
{
	int err;

	if (mrc_family <= AF_UNSPEC || mrc_family >= AF_MAX) {
		pr_err("family %d is out of range, 1 to %d\n", mrc_family,
		       AF_MAX - 1);
		return -EINVAL;
	}
	family_ops.family = mrc_family;
	stream_ops.family = mrc_family;
	err = sock_register(&family_ops);
	if (err)
		pr_err("family %d is taken, choose another one with family=\n",
		       mrc_family);
	return err;
}

void mrc_af_unregister(void)
{
	sock_unregister(mrc_family);
}
