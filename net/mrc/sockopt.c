// SPDX-License-Identifier: GPL-2.0-only
/*
 * SOL_MRC, those options of IP that have a meaning here, and what SOL_SOCKET
 * would take for another family's.
 */
#include <linux/in.h>
#include <linux/in6.h>
#include <linux/ipv6.h>
#include <net/inet_ecn.h>
#include <net/route.h>
#include <uapi/linux/mrc.h>
#include "addr.h"
#include "info.h"
#include "keepalive.h"
#include "path.h"
#include "send.h"
#include "sock.h"
#include "sockopt.h"
#include "table.h"

/* A char, or nothing for 0, is enough for options of IP, as for its own. */
static int read_int(sockptr_t val, unsigned int len, bool char_ok, int *v)
{
	u8 c = 0;

	if (len >= sizeof(int))
		return copy_from_sockptr(v, val, sizeof(int)) ? -EFAULT : 0;
	if (!char_ok)
		return -EINVAL;
	if (len && copy_from_sockptr(&c, val, sizeof(c)))
		return -EFAULT;
	*v = c;
	return 0;
}

/* An IPv4 socket has no options of IPv6. */
static bool has_level(const struct mrc_sock *mk, int level)
{
	return level == SOL_MRC || level == SOL_IP ||
	       (level == SOL_IPV6 && READ_ONCE(mk->user_family) != AF_INET &&
		ipv6_mod_enabled());
}

static bool has_ip_option(int level, int name)
{
	if (level == SOL_IP)
		return name == IP_TOS || name == IP_TTL;
	return name == IPV6_TCLASS || name == IPV6_UNICAST_HOPS ||
	       name == IPV6_V6ONLY;
}

static void set_flag(struct mrc_sock *mk, int flag, bool on)
{
	assign_bit(flag, &mk->flags, on);
	mrc_send_push(mk);
}

static int set_family(struct mrc_sock *mk, int v)
{
	if (v != AF_INET && v != AF_INET6)
		return -EAFNOSUPPORT;
	if (mk->sk.sk_state != TCP_CLOSE || mrc_table_bound(mk))
		return -EINVAL;
	mk->user_family = v;
	mrc_addr_any(mk, &mk->laddr);
	return 0;
}

static int set_maxseg(struct mrc_sock *mk, int v)
{
	if (v && (v < MRC_MSS_MIN || v > MRC_MSS_MAX))
		return -EINVAL;
	mk->user_mss = v;
	if (mk->paths) {
		mrc_path_reroute(mk);
		mrc_pmtu_all_routes(mk);
	} else if (mk->mss) {
		mrc_sock_sync_mss(mk);
	}
	return 0;
}

static int set_keepalive_s(struct mrc_sock *mk, u16 *field, int v)
{
	if (v < 1 || v > MRC_KEEPALIVE_MAX_S)
		return -EINVAL;
	*field = v;
	mrc_keepalive_start(mk);
	return 0;
}

static int set_mrc(struct mrc_sock *mk, int name, int v)
{
	switch (name) {
	case MRC_NODELAY:
		set_flag(mk, MRC_FL_NODELAY, v);
		return 0;
	case MRC_CORK:
		set_flag(mk, MRC_FL_CORK, v);
		return 0;
	case MRC_MAXSEG:
		return set_maxseg(mk, v);
	case MRC_USER_TIMEOUT:
		if (v < 0)
			return -EINVAL;
		mk->user_timeout_ms = v;
		return 0;
	case MRC_FAMILY:
		return set_family(mk, v);
	case MRC_REUSEPORT:
		mk->sk.sk_reuseport = !!v;
		return 0;
	case MRC_KEEPIDLE:
		return set_keepalive_s(mk, &mk->keep_idle_s, v);
	case MRC_KEEPINTVL:
		return set_keepalive_s(mk, &mk->keep_intvl_s, v);
	case MRC_KEEPCNT:
		if (v < 1 || v > MRC_KEEPALIVE_MAX_PROBES)
			return -EINVAL;
		mk->keep_probes = v;
		return 0;
	}
	return -ENOPROTOOPT;
}

/* There is no urgent data, and no program that chooses among listeners. */
static int set_socket(struct socket *sock, int name, sockptr_t val,
		      unsigned int len)
{
	int v, err;

	switch (name) {
	case SO_OOBINLINE:
		err = read_int(val, len, false, &v);
		if (err || v)
			return err ?: -EOPNOTSUPP;
		break;
	case SO_ATTACH_REUSEPORT_CBPF:
	case SO_ATTACH_REUSEPORT_EBPF:
		return -EOPNOTSUPP;
	case SO_REUSEPORT:
		/* Generic code has it for AF_INET and AF_INET6 alone. */
		return mrc_sockopt_set(sock, SOL_MRC, MRC_REUSEPORT, val, len);
	}
	return sock_setsockopt(sock, SOL_SOCKET, name, val, len);
}

/* The marks of ECN are the protocol's own. */
static int set_tos(struct mrc_sock *mk, int v)
{
	u8 tos = v & ~INET_ECN_MASK;

	if (tos == mk->tos)
		return 0;
	mk->tos = tos;
	mrc_path_reroute(mk);
	return 0;
}

static int set_ttl(struct mrc_sock *mk, int v)
{
	if (v != -1 && (v < 1 || v > 255))
		return -EINVAL;
	mk->ttl = v < 0 ? 0 : v;
	return 0;
}

static int set_ip4(struct mrc_sock *mk, int name, int v)
{
	switch (name) {
	case IP_TOS:
		if ((u8)v != mk->tos)
			WRITE_ONCE(mk->sk.sk_priority, rt_tos2priority(v));
		return set_tos(mk, v);
	case IP_TTL:
		return set_ttl(mk, v);
	}
	return -ENOPROTOOPT;
}

static int set_ip6(struct mrc_sock *mk, int name, int v)
{
	switch (name) {
	case IPV6_TCLASS:
		if (v < -1 || v > 0xff)
			return -EINVAL;
		return set_tos(mk, max(v, 0));
	case IPV6_UNICAST_HOPS:
		return set_ttl(mk, v);
	case IPV6_V6ONLY:
		if (mrc_table_bound(mk))
			return -EINVAL;
		assign_bit(MRC_FL_V6ONLY, &mk->flags, v);
		return 0;
	}
	return -ENOPROTOOPT;
}

/**
 * mrc_sockopt_set() - proto_ops.setsockopt
 * @sock: socket
 * @level: SOL_MRC, SOL_IP or SOL_IPV6, and from 6.7 on SOL_SOCKET
 * @name: option
 * @val: value
 * @len: its octets
 *
 * Context: process.
 * Return: 0, -ENOPROTOOPT, -EINVAL or -EFAULT.
 */
int mrc_sockopt_set(struct socket *sock, int level, int name, sockptr_t val,
		    unsigned int len)
{
	struct sock *sk = sock->sk;
	int v, err;

	if (level == SOL_SOCKET)
		return set_socket(sock, name, val, len);
	if (!has_level(mrc_sk(sk), level) ||
	    (level != SOL_MRC && !has_ip_option(level, name)))
		return -ENOPROTOOPT;
	err = read_int(val, len, level == SOL_IP, &v);
	if (err)
		return err;
	lock_sock(sk);
	if (level == SOL_MRC)
		err = set_mrc(mrc_sk(sk), name, v);
	else if (level == SOL_IP)
		err = set_ip4(mrc_sk(sk), name, v);
	else
		err = set_ip6(mrc_sk(sk), name, v);
	release_sock(sk);
	return err;
}

static int get_mrc(const struct mrc_sock *mk, int name, int *v)
{
	switch (name) {
	case MRC_NODELAY:
		*v = test_bit(MRC_FL_NODELAY, &mk->flags);
		return 0;
	case MRC_CORK:
		*v = test_bit(MRC_FL_CORK, &mk->flags);
		return 0;
	case MRC_MAXSEG:
		*v = mk->mss ?: mk->user_mss;
		return 0;
	case MRC_USER_TIMEOUT:
		*v = mk->user_timeout_ms;
		return 0;
	case MRC_FAMILY:
		*v = mk->user_family;
		return 0;
	case MRC_REUSEPORT:
		*v = mk->sk.sk_reuseport;
		return 0;
	case MRC_KEEPIDLE:
		*v = mrc_keepalive_idle_s(mk);
		return 0;
	case MRC_KEEPINTVL:
		*v = mrc_keepalive_intvl_s(mk);
		return 0;
	case MRC_KEEPCNT:
		*v = mrc_keepalive_probes(mk);
		return 0;
	}
	return -ENOPROTOOPT;
}

static int get_ip4(const struct mrc_sock *mk, int name, int *v)
{
	const struct net *net = mrc_sock_net(mk);

	switch (name) {
	case IP_TOS:
		*v = mk->tos;
		return 0;
	case IP_TTL:
		*v = mk->ttl ?: READ_ONCE(net->ipv4.sysctl_ip_default_ttl);
		return 0;
	}
	return -ENOPROTOOPT;
}

static int get_ip6(const struct mrc_sock *mk, int name, int *v)
{
	const struct net *net = mrc_sock_net(mk);

	switch (name) {
	case IPV6_TCLASS:
		*v = mk->tos;
		return 0;
	case IPV6_UNICAST_HOPS:
		*v = mk->ttl ?: READ_ONCE(net->ipv6.devconf_all->hop_limit);
		return 0;
	case IPV6_V6ONLY:
		*v = test_bit(MRC_FL_V6ONLY, &mk->flags);
		return 0;
	}
	return -ENOPROTOOPT;
}

/**
 * mrc_sockopt_get() - proto_ops.getsockopt
 * @sock: socket
 * @level: SOL_MRC, SOL_IP or SOL_IPV6
 * @name: option
 * @val: where to
 * @len: octets there; out: octets written
 *
 * Context: process.
 * Return: 0, -ENOPROTOOPT, -EOPNOTSUPP, -EINVAL or -EFAULT.
 */
int mrc_sockopt_get(struct socket *sock, int level, int name,
		    char __user *val, int __user *len)
{
	struct sock *sk = sock->sk;
	int v = 0, n, err;

	/* What IPv4 and IPv6 say when they do not know a level */
	if (!has_level(mrc_sk(sk), level))
		return mrc_sk(sk)->user_family == AF_INET ? -EOPNOTSUPP :
							    -ENOPROTOOPT;
	if (get_user(n, len))
		return -EFAULT;
	if (level == SOL_IPV6 && !has_ip_option(level, name))
		return -ENOPROTOOPT;
	if (n < 0)
		return -EINVAL;
	if (level == SOL_MRC && (name == MRC_INFO || name == MRC_PATHS)) {
		n = name == MRC_INFO ? mrc_info_get(mrc_sk(sk), val, n) :
				       mrc_info_get_paths(mrc_sk(sk), val, n);
		return n < 0 ? n : put_user(n, len);
	}
	lock_sock(sk);
	if (level == SOL_MRC)
		err = get_mrc(mrc_sk(sk), name, &v);
	else if (level == SOL_IP)
		err = get_ip4(mrc_sk(sk), name, &v);
	else
		err = get_ip6(mrc_sk(sk), name, &v);
	release_sock(sk);
	if (err)
		return err;
	/* A char is enough for the one-octet options, as for IP's own. */
	if (level == SOL_IP && n > 0 && n < (int)sizeof(v))
		n = 1;
	n = min_t(unsigned int, n, sizeof(v));
	if (put_user(n, len) || copy_to_user(val, &v, n))
		return -EFAULT;
	return 0;
}
