/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rest of the module is written for the newest supported kernel; here older
 * ones are made to look like it. No other file asks for a kernel version.
 */
#ifndef _MRC_COMPAT_H
#define _MRC_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/net.h>
#include <linux/sysctl.h>
#include <linux/version.h>
#include <net/icmp.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0) || \
	LINUX_VERSION_CODE >= KERNEL_VERSION(8, 0, 0)
#error "AF_MRC supports Linux 6.1 to 7.x"
#endif

#ifndef CONFIG_64BIT
#error "AF_MRC supports 64-bit kernels"
#endif

/* 6.19 gave addresses of unknown size a type of their own. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 19, 0)
#define sockaddr_unsized sockaddr
#endif

/* 6.10 gathered the arguments of accept in a struct. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define MRC_ACCEPT_ARGS		int flags, bool kern
#define MRC_ACCEPT_FLAGS	flags
#else
#define MRC_ACCEPT_ARGS		struct proto_accept_arg *arg
#define MRC_ACCEPT_FLAGS	(arg->flags)
#endif

/* 6.13 took the callback into the initialiser. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void mrc_hrtimer_setup(struct hrtimer *t,
				     enum hrtimer_restart (*fn)(struct hrtimer *),
				     clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(t, clock, mode);
	t->function = fn;
}

#define hrtimer_setup mrc_hrtimer_setup
#endif

/* 6.17 added the IP control block's flags to the transmit functions. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
static inline void mrc_udp_xmit(struct rtable *rt, struct sock *sk,
				struct sk_buff *skb, __be32 saddr, __be32 daddr,
				u8 tos, u8 ttl, __be16 df, __be16 sport,
				__be16 dport, bool xnet, bool nocheck,
				u16 flags)
{
	udp_tunnel_xmit_skb(rt, sk, skb, saddr, daddr, tos, ttl, df, sport,
			    dport, xnet, nocheck);
}

static inline void mrc_udp6_xmit(struct dst_entry *dst, struct sock *sk,
				 struct sk_buff *skb, struct net_device *dev,
				 struct in6_addr *saddr, struct in6_addr *daddr,
				 u8 prio, u8 ttl, __be32 label, __be16 sport,
				 __be16 dport, bool nocheck, u16 flags)
{
	udp_tunnel6_xmit_skb(dst, sk, skb, dev, saddr, daddr, prio, ttl, label,
			     sport, dport, nocheck);
}

#define udp_tunnel_xmit_skb mrc_udp_xmit
#define udp_tunnel6_xmit_skb mrc_udp6_xmit
#endif

/*
 * 7.x hands tunnels a struct sock where older kernels hand them its socket.
 * The prototypes decide.
 */
static inline void mrc_tunnel_setup(struct net *net, struct sock *sk,
				    struct udp_tunnel_sock_cfg *cfg)
{
	void (*newer)(struct net *net, struct sock *sk,
		      struct udp_tunnel_sock_cfg *cfg);
	void *arg = sk->sk_socket;

	if (__same_type(&setup_udp_tunnel_sock, newer))
		arg = sk;
	setup_udp_tunnel_sock(net, arg, cfg);
}

static inline void mrc_tunnel_release(struct sock *sk)
{
	void (*newer)(struct sock *sk);
	void *arg = sk->sk_socket;

	if (__same_type(&udp_tunnel_sock_release, newer))
		arg = sk;
	udp_tunnel_sock_release(arg);
}

/*
 * 6.2 changed what a tunnel is told of an ICMP error. mrc_encap_err_rcv() has
 * the newer form.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
static inline int mrc_icmp_errno(const struct sk_buff *skb, bool v6)
{
	int type = v6 ? icmp6_hdr(skb)->icmp6_type : icmp_hdr(skb)->type;
	int code = v6 ? icmp6_hdr(skb)->icmp6_code : icmp_hdr(skb)->code;
	int err = EHOSTUNREACH;

	if (v6) {
		icmpv6_err_convert(type, code, &err);
		return err;
	}
	if (type == ICMP_PARAMETERPROB)
		return EPROTO;
	if (type != ICMP_DEST_UNREACH || code > NR_ICMP_UNREACH)
		return EHOSTUNREACH;
	return icmp_err_convert[code].errno;
}

#define MRC_ENCAP_ERR_RCV(name, fn) \
static void name(struct sock *sk, struct sk_buff *skb, unsigned int offset) \
{ \
	fn(sk, skb, mrc_icmp_errno(skb, sk->sk_family == AF_INET6), 0, 0, \
	   skb->data + offset + sizeof(struct udphdr)); \
}
#else
#define MRC_ENCAP_ERR_RCV(name, fn) \
static void name(struct sock *sk, struct sk_buff *skb, int err, __be16 port, \
		 u32 info, u8 *payload) \
{ \
	fn(sk, skb, err, port, info, payload); \
}
#endif

/* 6.7 lets any family see the options of SOL_SOCKET first. */
static inline void mrc_sol_socket_first(struct socket *sock)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 7, 0)
	set_bit(SOCK_CUSTOM_SOCKOPT, &sock->flags);
#endif
}

/* 6.6 passes the size of a table; before, an empty entry ends it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
static inline struct ctl_table_header *
register_net_sysctl_sz(struct net *net, const char *path,
		       struct ctl_table *table, size_t size)
{
	return register_net_sysctl(net, path, table);
}
#endif

/* 6.11 made the table constant for its handlers. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define MRC_CTL_CONST
#else
#define MRC_CTL_CONST const
#endif

#endif /* _MRC_COMPAT_H */
