/* SPDX-License-Identifier: GPL-2.0-only */
/* The socket: its fields, its life, and the tables that find it. */
#ifndef _MRC_SOCK_H
#define _MRC_SOCK_H

#include <linux/hrtimer.h>
#include <linux/rbtree.h>
#include <linux/rhashtable-types.h>
#include <net/sock.h>
#include <net/tcp_states.h>
#include "cong.h"
#include "netns.h"
#include "path.h"
#include "plane.h"
#include "pmtu.h"
#include "wire.h"

struct mrc_seg;
struct mrc_tx;

/* Payload of a full segment: two of the largest fit a page fragment. */
#define MRC_MSS_MIN	64
#define MRC_MSS_MAX	16352

/* Bits of mrc_sock.deferred: what softirq left to the owner of the lock */
enum {
	MRC_DEFER_LOSS,
	MRC_DEFER_ACK,
	MRC_DEFER_PUSH,
};

/* Bits of mrc_sock.flags */
enum {
	MRC_FL_NODELAY,
	MRC_FL_CORK,
	MRC_FL_V6ONLY,
	MRC_FL_FIN_QUEUED,	/* the last segment carries FIN */
	MRC_FL_FIN_RCVD,	/* fin_off is known */
	MRC_FL_BOUND_ADDR,	/* the application chose the address */
	MRC_FL_BOUND_PORT,	/* the application chose the port */
	MRC_FL_TRIED,		/* connect() left traces */
	MRC_FL_ACCEPTED,	/* came from a listener */
	MRC_FL_MORE,		/* MSG_MORE: the last segment may wait */
	MRC_FL_UNHELD,		/* the last segment must not wait */
	MRC_FL_SURVEYED,	/* each path was probed once */
	MRC_FL_THROTTLED,	/* waits for the qdisc to free packets */
	MRC_FL_HASHED,		/* in mrc_net.cids */
	MRC_FL_PEER_HASHED,	/* in mrc_net.peers */
};

/**
 * struct mrc_cid - entry of mrc_net.cids
 * @node: hash node
 * @cid: our connection id, random, never 0
 * @timewait: embedded in struct mrc_timewait, not in struct mrc_sock
 */
struct mrc_cid {
	struct rhash_head node;
	u64	cid;
	bool	timewait;
};

/**
 * struct mrc_timer - a timer of a socket
 * @hrt: the timer, soft, CLOCK_MONOTONIC
 * @expires_ns: when it fires, 0: not armed; guarded by the socket lock
 */
struct mrc_timer {
	struct hrtimer	hrt;
	u64	expires_ns;
};

/**
 * struct mrc_sock - an AF_MRC socket
 * @sk: must be first
 * @cid: our connection id and its table entry
 * @peer_node: entry of mrc_net.peers
 * @peer_cid: the peer's connection id, 0 until known
 * @serial: key in mrc_net.socks
 * @laddr: local address, IPv4 as ::ffff:a.b.c.d, any if unspecified
 * @raddr: the peer's address
 * @lport: local AF_MRC port, 0: not bound; guarded by mrc_net.port_lock too
 * @rport: the peer's port
 * @user_family: AF_INET or AF_INET6, how addresses are shown; AF_UNSPEC
 *		 until one was given
 * @tos: DSCP of outgoing packets, in place, ECN bits zero
 * @ttl: IPv4 time to live or IPv6 hop limit, 0: the route's
 * @route_mark: SO_MARK that the routes of @paths were looked up with
 * @bind_node: entry of mrc_net.ports
 * @flags: MRC_FL_*
 * @planes: address pairs
 * @nr_planes: how many
 * @paths: entropy values; NULL until established
 * @nr_paths: how many, standby ones included
 * @nr_active: of these, how many should carry data
 * @nr_usable: of these, how many may carry data
 * @path_rotor: where the next choice begins to look
 * @hold_ns: nothing is sent before, while paths are surveyed; 0: they are not
 * @explored: how often a path was relieved to try another one
 * @explore_ns: when it may be again
 * @watch_sacks: SACKs since the last such probe
 * @watch_ns: when such a path may be probed next
 * @ack_rotor: path that the next SACK takes
 * @cong: congestion control
 * @cong_priv: its state
 * @cwnd: bytes that may be in flight
 * @ssthresh: where slow start ends, bytes
 * @delay_us: what packets wait in queues, median over paths (weight.c)
 * @base_rtt_us: median of their smallest round trips
 * @delay_samples: samples taken since
 * @delay_ns: when @delay_us was computed
 * @paths_differ: paths are not taken to be equally long
 * @owd_ns: when this period of smallest delays began, 0: none did
 * @srtt_us: smoothed round trip time over all paths
 * @rttvar_us: mean deviation
 * @min_rtt_us: smallest sample
 * @mss: payload bytes of a full segment
 * @user_mss: MRC_MAXSEG, 0: what fits
 * @peer_seg: payload bytes that the peer takes
 * @hdr_len: bytes of the DATA header
 * @pmtu: tests of what fits a path
 * @sendq: segments not acked, by stream offset (struct mrc_seg)
 * @send_head: first of them that was never sent, NULL: none
 * @rtxq: segments to send again
 * @write_seq: stream offset behind the last byte written
 * @unacked: bytes in @sendq
 * @stamp_base: stream offset of the byte that time stamps call 0
 * @peer_limit: stream offset that the peer allows
 * @tx: ring of what is in flight, by PSN
 * @tx_mask: its size less one
 * @next_psn: PSN of the next packet
 * @floor_psn: oldest PSN that is still of interest
 * @inflight: bytes in flight, headers included
 * @acked_ns: send time of the newest packet acked on any path
 * @progress_ns: when the peer last acked something new
 * @backoff: doublings of the RTO
 * @tail_ns: when the next tail probe may leave, if one did
 * @tails: tail probes sent since the last answer
 * @reorder: acked later packets of a path that prove loss
 * @user_timeout_ms: 0: net.mrc.user_timeout_ms
 * @heard: jiffies when the peer's last packet came
 * @keep_ns: when to look after an idle connection, 0: never
 * @keep_idle_s: MRC_KEEPIDLE, 0: net.mrc.keepalive_time_s
 * @keep_intvl_s: MRC_KEEPINTVL, 0: net.mrc.keepalive_intvl_s
 * @keep_probes: MRC_KEEPCNT, 0: net.mrc.keepalive_probes
 * @keep_heard: @heard when the last keepalive probe was due
 * @keep_out: keepalive probes since anything came
 * @rcv_nxt: stream offset of the next byte expected
 * @copied_seq: stream offset of the next byte to be read
 * @fin_off: stream offset where the peer's stream ends
 * @rcv_limit: stream offset that we allowed
 * @rcv_max: stream offset behind the last byte that arrived
 * @ooo: extents that wait for earlier bytes, by offset
 * @ooo_count: segments in it
 * @rcv_cum: all PSNs up to here arrived or lie below the peer's floor
 * @rcv_high: highest PSN received
 * @rcv_map: bit (psn mod MRC_PSN_WINDOW): that PSN arrived
 * @ack_psn: trigger of the next SACK
 * @ack_ns: when it arrived
 * @ack_path: its path index
 * @ack_gen: its generation
 * @ack_flags: MRC_F_CE, MRC_F_DUP
 * @ack_pending: a SACK is owed
 * @ack_now: it must not wait
 * @ack_bytes: bytes since the last one
 * @rx_bytes: payload bytes received
 * @rx_ce_bytes: of these with a congestion mark
 * @rx_ce_pkts: number of such packets
 * @rcvq_space: autotuning: bytes that the reader took in the last round trip
 * @rcvq_seq: autotuning: @copied_seq at its start
 * @rcvq_ns: autotuning: when it began
 * @loss_timer: PTO, RTO, probes, window probes, tests of sizes, handshake, end
 *	       of life
 * @ack_timer: delayed SACK
 * @push_timer: sends on when the qdisc or the pacer allows
 * @deferred: MRC_DEFER_*
 * @deadline_ns: when the state ends by itself (handshake, FIN), 0: never
 * @retry_ns: when to send INIT, INIT_ACK, a window probe or held data
 * @retries: how often it was
 * @why_ended: MRC_CLOSE_WHY_*, 0: both streams ended, or it goes on
 * @event_ns: when the second began that @event_count counts in; of a listener:
 *	      when a flood was told last
 * @event_count: path events in it
 * @events_owed: some paths' states have not been told
 * @epoch: changes when the socket lets go of a connection
 * @cookie: what RETRY gave us
 * @have_cookie: it did
 * @unreachable: ICMP errors that answered INIT
 * @peer_psn: the peer's first PSN
 * @listener: whose queue this connection is in; holds a reference
 * @accept_node: entry of that queue
 * @accept_lock: listener: guards the following, taken inside any socket lock
 * @acceptq: listener: established connections not yet accepted
 * @pendq: listener: connections whose peer has not answered INIT_ACK
 * @nr_pending: length of @pendq
 * @accept_closed: listener: takes no more
 * @tx_bytes: payload bytes sent for the first time
 * @rtx_bytes: payload bytes sent again
 * @lost_pkts: packets declared lost
 *
 * Fields are guarded by the socket lock (lock_sock() or bh_lock_sock() with no
 * owner) unless they say otherwise.
 */
struct mrc_sock {
	struct sock		sk;

	struct mrc_cid		cid;
	struct rhlist_head	peer_node;
	u64			peer_cid;
	u32			serial;
	struct in6_addr		laddr;
	struct in6_addr		raddr;
	u16			lport;
	u16			rport;
	u16			user_family;
	u8			tos;
	u8			ttl;
	u32			route_mark;
	struct hlist_node	bind_node;
	unsigned long		flags;

	struct mrc_plane	planes[MRC_MAX_PLANES];
	u8			nr_planes;
	struct mrc_path		*paths;
	u16			nr_paths;
	u16			nr_active;
	u16			nr_usable;
	u16			path_rotor;
	u16			ack_rotor;
	u64			hold_ns;
	u32			explored;
	u32			watch_sacks;
	u64			watch_ns;
	u64			explore_ns;

	const struct mrc_cong_ops *cong;
	u64			cong_priv[MRC_CONG_PRIV];
	u32			cwnd;
	u32			ssthresh;
	u32			delay_us;
	u32			base_rtt_us;
	u32			delay_samples;
	u64			delay_ns;
	u64			owd_ns;
	bool			paths_differ;
	u32			srtt_us;
	u32			rttvar_us;
	u32			min_rtt_us;

	u16			mss;
	u16			peer_seg;
	u16			user_mss;
	u16			hdr_len;
	struct mrc_pmtu		pmtu;
	struct list_head	sendq;
	struct mrc_seg		*send_head;
	struct list_head	rtxq;
	u64			write_seq;
	u64			unacked;
	u64			stamp_base;
	u64			peer_limit;
	struct mrc_tx		*tx;
	u32			tx_mask;
	u32			next_psn;
	u32			floor_psn;
	u32			inflight;
	u64			acked_ns;
	u64			progress_ns;
	u8			backoff;
	u8			tails;
	u64			tail_ns;
	u8			reorder;
	u32			user_timeout_ms;
	unsigned long		heard;
	unsigned long		keep_heard;
	u64			keep_ns;
	u16			keep_idle_s;
	u16			keep_intvl_s;
	u8			keep_probes;
	u8			keep_out;

	u64			rcv_nxt;
	u64			copied_seq;
	u64			fin_off;
	u64			rcv_limit;
	u64			rcv_max;
	struct rb_root		ooo;
	u32			ooo_count;
	u32			rcv_cum;
	u32			rcv_high;
	unsigned long		*rcv_map;
	u32			ack_psn;
	u64			ack_ns;
	u8			ack_path;
	u8			ack_gen;
	u8			ack_flags;
	bool			ack_pending;
	bool			ack_now;
	u32			ack_bytes;
	u64			rx_bytes;
	u64			rx_ce_bytes;
	u32			rx_ce_pkts;
	u32			rcvq_space;
	u64			rcvq_seq;
	u64			rcvq_ns;

	struct mrc_timer	loss_timer;
	struct mrc_timer	ack_timer;
	struct mrc_timer	push_timer;
	unsigned long		deferred;
	u64			deadline_ns;
	u64			retry_ns;
	u8			retries;
	u8			why_ended;
	bool			events_owed;
	u64			event_ns;
	u32			event_count;
	u32			epoch;
	bool			have_cookie;
	u8			unreachable;
	u32			peer_psn;
	struct mrc_cookie	cookie;

	struct mrc_sock		*listener;
	struct list_head	accept_node;
	spinlock_t		accept_lock;
	struct list_head	acceptq;
	struct list_head	pendq;
	u32			nr_pending;
	bool			accept_closed;

	u64			tx_bytes;
	u64			rtx_bytes;
	u32			lost_pkts;
};

static inline struct mrc_sock *mrc_sk(const struct sock *sk)
{
	return (struct mrc_sock *)sk;
}

static inline struct net *mrc_sock_net(const struct mrc_sock *mk)
{
	return sock_net(&mk->sk);
}

static inline const struct mrc_sysctl *mrc_sysctl(const struct mrc_sock *mk)
{
	return &mrc_net(mrc_sock_net(mk))->sysctl;
}

/* The connection carries data, in at least one direction, or may yet. */
static inline bool mrc_sock_established(const struct mrc_sock *mk)
{
	return (1 << mk->sk.sk_state) &
	       ~(TCPF_CLOSE | TCPF_LISTEN | TCPF_SYN_SENT | TCPF_SYN_RECV);
}

extern struct proto mrc_prot;

int mrc_sock_module_init(void);
void mrc_sock_module_exit(void);
void mrc_sock_init(struct mrc_sock *mk);
int mrc_sock_add(struct mrc_sock *mk, gfp_t gfp);
void mrc_sock_done(struct mrc_sock *mk, int err);
void mrc_sock_give_up(struct mrc_sock *mk);
int mrc_sock_establish(struct mrc_sock *mk, gfp_t gfp);
int mrc_sock_hash(struct mrc_sock *mk);
int mrc_sock_hash_peer(struct mrc_sock *mk);
void mrc_sock_remove(struct mrc_sock *mk);
void mrc_sock_forget(struct mrc_sock *mk);
void mrc_sock_sync_mss(struct mrc_sock *mk);
int mrc_sock_shutdown_send(struct mrc_sock *mk);
int mrc_sock_abort(struct mrc_sock *mk);
void mrc_sock_close(struct mrc_sock *mk, long timeout);
void mrc_sock_peer_fin(struct mrc_sock *mk);
void mrc_sock_fin_acked(struct mrc_sock *mk);

void mrc_timer_arm(struct mrc_sock *mk, struct mrc_timer *t, u64 at_ns);
void mrc_timer_stop(struct mrc_sock *mk, struct mrc_timer *t);

#endif /* _MRC_SOCK_H */
