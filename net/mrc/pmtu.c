// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packetization layer path MTU discovery, RFC 8899, per path. A connection
 * starts with what the routes allow, and the data itself shows that this
 * passes: a fabric without a fault sees no probe. When large packets are lost
 * in a row while others arrive, two sizes are compared by padded probes, lest
 * a lossy or dead path be taken for one that is too small: only when the small
 * one is answered after each loss of the large one is the latter too large.
 *
 *            large packets lost
 *   in use --------------------> doubt: base against the size in use
 *    ^  ^                         |   |
 *    |  +----- it is answered ----+   | it is not: the base comes into use
 *    |                                v
 *    |  none is left between      search: the size in use against a larger one
 *    +---------------------------  ^ |
 *      (again after               +-+ either way the next one
 *      net.mrc.pmtu_raise_ms)
 *
 * A connection tests one path at a time and has at most one such probe in
 * flight. Its segments fit the smallest of the paths that carry data, so that
 * the others need not be searched further than that.
 */
#include <linux/ip.h>
#include <linux/random.h>
#include <linux/udp.h>
#include <net/ipv6.h>
#include "encap.h"
#include "loss.h"
#include "netns.h"
#include "path.h"
#include "pmtu.h"
#include "sock.h"

#define DOUBT_LOSSES	3	/* in a row */
#define DOUBT_ARRIVALS	24	/* elsewhere, meanwhile */
#define TRIES		3	/* probes of a size before it is too large */
#define GAP		32	/* what is less is not worth a probe */

/*
 * MTUs that are likely: the smallest of IPv6, tunnels, Ethernet, the jumbo
 * frames of some devices, and VXLAN over jumbo frames.
 */
static const u16 common[] = { 1280, 1400, 1450, 1500, 4000, 8000, 8950, 9000 };

static unsigned int overhead(const struct mrc_sock *mk,
			     const struct mrc_path *path)
{
	bool v4 = ipv6_addr_v4mapped(&mk->planes[path->plane].remote);

	return sizeof(struct udphdr) + (v4 ? sizeof(struct iphdr) :
					     sizeof(struct ipv6hdr));
}

/* What the peer takes, and the application wants */
static u32 largest(const struct mrc_sock *mk)
{
	return mk->hdr_len + min(mk->peer_seg, mk->user_mss ?: MRC_MSS_MAX);
}

static u16 route_size(const struct mrc_sock *mk, const struct mrc_path *path,
		      const struct dst_entry *dst)
{
	u32 over = overhead(mk, path), mtu = dst_mtu(dst);

	return min(largest(mk), mtu > over ? mtu - over : 0) & ~3;
}

/* The upper bound: what the path's route, and the peer, allow */
static u16 bound(struct mrc_sock *mk, struct mrc_path *path)
{
	struct dst_entry *dst = mrc_path_dst(mk, path);

	return IS_ERR(dst) ? path->pmtu.size : route_size(mk, path, dst);
}

/* Segments fit all paths that carry data. */
static void sync_mss(struct mrc_sock *mk)
{
	u32 size = U32_MAX;
	int i;

	for (i = 0; i < mk->nr_paths; i++)
		if (mrc_path_usable(&mk->paths[i]))
			size = min_t(u32, size, mk->paths[i].pmtu.size);
	if (size != U32_MAX)
		mk->mss = max_t(u32, size, mk->hdr_len + MRC_MSS_MIN) -
			  mk->hdr_len;
}

static void schedule_raise(struct mrc_sock *mk, u64 now)
{
	u32 ms = READ_ONCE(mrc_sysctl(mk)->pmtu_raise_ms);

	mk->pmtu.raise_ns = U64_MAX;
	if (!ms)
		return;
	mk->pmtu.raise_ns = now + ms * (u64)NSEC_PER_MSEC;
	mrc_timer_arm(mk, &mk->loss_timer, mk->pmtu.raise_ns);
}

/* Sends nothing itself: whoever calls may be in the middle of something. */
static void kick(struct mrc_sock *mk)
{
	if (mk->pmtu.high)
		return;
	mk->pmtu.next_ns = ktime_get_ns();
	mrc_timer_arm(mk, &mk->loss_timer, mk->pmtu.next_ns);
}

/**
 * mrc_pmtu_init_path() - a path of a new connection
 * @mk: connection, locked, its mss that of the routes
 * @path: path
 */
void mrc_pmtu_init_path(const struct mrc_sock *mk, struct mrc_path *path)
{
	path->pmtu = (struct mrc_path_pmtu) {
		.size	= mk->mss + mk->hdr_len,
		.top	= U16_MAX,
	};
}

/**
 * mrc_pmtu_renew_path() - a path got a new entropy value
 * @mk: connection, locked
 * @path: path
 *
 * It begins with what is in use.
 */
void mrc_pmtu_renew_path(struct mrc_sock *mk, struct mrc_path *path)
{
	mrc_pmtu_init_path(mk, path);
	if (mk->pmtu.high && &mk->paths[mk->pmtu.path] == path) {
		mk->pmtu.high = 0;
		mk->pmtu.next_ns = 0;
	}
	kick(mk);
}

/**
 * mrc_pmtu_path_changed() - a path came into use or went out of it
 * @mk: connection, locked
 * @path: path, in its new state
 */
void mrc_pmtu_path_changed(struct mrc_sock *mk, struct mrc_path *path)
{
	if (mrc_path_usable(path) && mk->pmtu.raise_ns)
		kick(mk);
	sync_mss(mk);
}

/**
 * mrc_pmtu_route() - a path's route was looked up
 * @mk: connection, locked
 * @path: path
 * @dst: its route
 *
 * Its MTU, which an ICMP error may have lowered, is an upper bound. When that
 * grows, the sizes above are tried with those that did not pass.
 */
void mrc_pmtu_route(struct mrc_sock *mk, struct mrc_path *path,
		    const struct dst_entry *dst)
{
	u16 most = route_size(mk, path, dst);

	if (most == path->pmtu.size)
		return;
	if (!mk->pmtu.raise_ns)
		schedule_raise(mk, ktime_get_ns());
	if (most > path->pmtu.size)
		return;
	path->pmtu.size = most;
	path->pmtu.lost = 0;
	sync_mss(mk);
}

/**
 * mrc_pmtu_all_routes() - the MTU of some route shrank, or MRC_MAXSEG
 * @mk: connection, locked, established
 */
void mrc_pmtu_all_routes(struct mrc_sock *mk)
{
	int i;

	for (i = 0; i < mk->nr_paths; i++)
		mrc_path_dst(mk, &mk->paths[i]);
}

static bool send_probe(struct mrc_sock *mk, struct mrc_path *path, u16 size,
		       u32 id)
{
	struct mrc_hdr *h;
	struct sk_buff *skb;

	/* It must not leave in fragments. */
	if (size < sizeof(struct mrc_probe_hdr) || size > bound(mk, path))
		return false;
	skb = mrc_encap_alloc(size);
	if (!skb) {
		MRC_INC(mrc_sock_net(mk), XMIT_NOMEM);
		return false;
	}
	h = skb_put_zero(skb, size);
	mrc_wire_hdr(h, MRC_PROBE, 0, mk->peer_cid, id);
	h->path = path - mk->paths;
	h->gen = path->gen;
	MRC_INC(mrc_sock_net(mk), OUT_PMTU_PROBES);
	mrc_encap_send_path(mk, path, skb);
	return true;
}

static struct mrc_path *tested(const struct mrc_sock *mk)
{
	return &mk->paths[mk->pmtu.path];
}

/* Is the size under test in use, and not a larger one that may be? */
static bool in_doubt(const struct mrc_sock *mk)
{
	return mk->pmtu.high <= tested(mk)->pmtu.size;
}

static bool send_test(struct mrc_sock *mk, bool low, u64 now)
{
	struct mrc_pmtu *t = &mk->pmtu;
	struct mrc_path *path = tested(mk);

	t->at_low = low;
	t->tries += !low;
	t->next_ns = now + mrc_path_pto_ns(mk, path);
	mrc_timer_arm(mk, &mk->loss_timer, t->next_ns);
	return send_probe(mk, path, low ? t->low : t->high, t->id ^ low);
}

/* The probe cannot be sent: the route shrank, or there is no memory. */
static void end_without(struct mrc_sock *mk)
{
	struct mrc_path *path = tested(mk);

	if (in_doubt(mk))
		path->pmtu.lost = 0;
	else
		path->pmtu.top = path->pmtu.size;
	mk->pmtu.high = 0;
}

static bool begin(struct mrc_sock *mk, struct mrc_path *path, u16 low, u16 high,
		  u64 now)
{
	struct mrc_pmtu *t = &mk->pmtu;

	t->path = path - mk->paths;
	t->gen = path->gen;
	t->id = get_random_u32();
	t->low = low;
	t->high = high;
	t->tries = 0;
	t->low_lost = 0;
	/* When all of a path's packets are lost, begin with what is cheaper. */
	if (send_test(mk, in_doubt(mk), now))
		return true;
	end_without(mk);
	return false;
}

/*
 * Is it the path that loses large packets, or do others lose them, too, by
 * congestion that probes would add to?
 */
static bool doubtful(const struct mrc_sock *mk, const struct mrc_path *path)
{
	const struct mrc_path_pmtu *p = &path->pmtu;
	u16 arrivals = mk->pmtu.arrivals - p->since;

	if (path->state == MRC_PATH_DENIED)
		return false;
	return p->lost == U8_MAX ||
	       (p->lost >= DOUBT_LOSSES && arrivals >= DOUBT_ARRIVALS);
}

/* The smallest size that a path in use was found to be limited to, U16_MAX */
static u16 smallest_limit(const struct mrc_sock *mk)
{
	u16 least = U16_MAX;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		const struct mrc_path *path = &mk->paths[i];

		if (mrc_path_usable(path) &&
		    path->pmtu.top < path->pmtu.size + GAP)
			least = min(least, path->pmtu.size);
	}
	return least;
}

/* The next larger size to try on a path, 0: there is none */
static u16 candidate(struct mrc_sock *mk, struct mrc_path *path, u16 limit)
{
	u16 low = path->pmtu.size, most = bound(mk, path);
	u16 top = min(path->pmtu.top, most);
	unsigned int i, at;

	/* More than the smallest is of no use, and likely it is the same. */
	if (low >= limit)
		return 0;
	if (limit <= top)
		return limit;
	if (top == most && low < most)
		return most;
	if (top < low + GAP)
		return 0;
	for (i = 0; i < ARRAY_SIZE(common); i++) {
		at = common[i] - overhead(mk, path);
		/* Most likely it is just this. */
		if (at == low)
			return low + GAP;
		if (at > low && at <= top)
			return at;
	}
	return (low + (top - low) / 2) & ~3;
}

/* Packets of a size in use are lost: does the path carry the base? */
static bool test_doubt(struct mrc_sock *mk, struct mrc_path *path, u64 now)
{
	return doubtful(mk, path) &&
	       path->pmtu.lost_size <= mk->mss + mk->hdr_len &&
	       begin(mk, path, MRC_PMTU_BASE, path->pmtu.size, now);
}

static bool test_larger(struct mrc_sock *mk, struct mrc_path *path, u64 now)
{
	u16 size;

	if (!mk->pmtu.raise_ns || !mrc_path_usable(path))
		return false;
	size = candidate(mk, path, smallest_limit(mk));
	return size && begin(mk, path, path->pmtu.size, size, now);
}

/* Packets larger than those in use now were lost: is it one more such path? */
static bool test_old_doubt(struct mrc_sock *mk, struct mrc_path *path, u64 now)
{
	u16 low = max_t(u16, mk->mss + mk->hdr_len, MRC_PMTU_BASE);

	return doubtful(mk, path) && path->pmtu.size > low &&
	       begin(mk, path, low, path->pmtu.size, now);
}

/*
 * What is urgent comes first. Paths take turns, so that none that cannot be
 * tested holds up the others.
 */
static void next_test(struct mrc_sock *mk, u64 now)
{
	static bool (* const kinds[])(struct mrc_sock *mk,
				      struct mrc_path *path, u64 now) = {
		test_doubt, test_larger, test_old_doubt,
	};
	unsigned int kind, i, last = mk->pmtu.path;
	struct mrc_path *path;

	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		for (i = 1; i <= mk->nr_paths; i++) {
			path = &mk->paths[(last + i) % mk->nr_paths];
			if (kinds[kind](mk, path, now))
				return;
		}
	}
	mk->pmtu.next_ns = 0;
}

static void passed(struct mrc_sock *mk, u64 now)
{
	struct mrc_path *path = tested(mk);

	if (in_doubt(mk)) {
		path->pmtu.lost = 0;
		mk->pmtu.row = 0;
	} else {
		MRC_INC(mrc_sock_net(mk), PMTU_RAISED);
		path->pmtu.size = min(mk->pmtu.high, bound(mk, path));
		sync_mss(mk);
	}
	mk->pmtu.high = 0;
	next_test(mk, now);
}

static void too_large(struct mrc_sock *mk, u64 now)
{
	struct mrc_path *path = tested(mk);

	path->pmtu.top = mk->pmtu.high - 4;
	if (in_doubt(mk)) {
		MRC_INC(mrc_sock_net(mk), PMTU_BLACK_HOLES);
		path->pmtu.size = mk->pmtu.low;
		path->pmtu.lost = 0;
		mk->pmtu.row = 0;
		if (!mk->pmtu.raise_ns)
			schedule_raise(mk, now);
		sync_mss(mk);
	}
	mk->pmtu.high = 0;
	next_test(mk, now);
}

/* It is for the path engine to find out; of sizes nothing is learned. */
static void path_is_dead(struct mrc_sock *mk, u64 now)
{
	bool doubt = in_doubt(mk);

	mk->pmtu.high = 0;
	if (doubt) {
		tested(mk)->pmtu.lost = 0;
		next_test(mk, now);
	} else {
		mk->pmtu.next_ns = now + mrc_loss_rto_ns(mk);
		mrc_timer_arm(mk, &mk->loss_timer, mk->pmtu.next_ns);
	}
}

static void unanswered(struct mrc_sock *mk, u64 now)
{
	struct mrc_pmtu *t = &mk->pmtu;

	if (in_doubt(mk) && !tested(mk)->pmtu.lost) {
		/* Data of that size has arrived meanwhile. */
		passed(mk, now);
		return;
	}
	if (t->at_low && ++t->low_lost >= TRIES) {
		path_is_dead(mk, now);
	} else if (!send_test(mk, true, now)) {
		end_without(mk);
		next_test(mk, now);
	}
}

/* Try all that was too large before. */
static void raise(struct mrc_sock *mk, u64 now)
{
	bool any = false;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		path->pmtu.top = U16_MAX;
		/* The route itself may have shrunk for a while. */
		any |= path->pmtu.size < largest(mk);
	}
	mk->pmtu.raise_ns = 0;
	if (!any)
		return;
	schedule_raise(mk, now);
	if (!mk->pmtu.high)
		mk->pmtu.next_ns = now;
}

/**
 * mrc_pmtu_timer() - do what is due
 * @mk: connection, locked, established
 * @now: ktime_get_ns()
 *
 * Return: when to come again, ns; U64_MAX: there is nothing to do.
 */
u64 mrc_pmtu_timer(struct mrc_sock *mk, u64 now)
{
	struct mrc_pmtu *t = &mk->pmtu;

	if (t->raise_ns && t->raise_ns <= now)
		raise(mk, now);
	if (t->next_ns && t->next_ns <= now) {
		if (t->high)
			unanswered(mk, now);
		else
			next_test(mk, now);
	}
	return min(t->next_ns ?: U64_MAX, t->raise_ns ?: U64_MAX);
}

/**
 * mrc_pmtu_rcv_probe_ack() - a probe was answered that tested no liveness
 * @mk: connection, locked, established
 * @h: header of the answer
 */
void mrc_pmtu_rcv_probe_ack(struct mrc_sock *mk, const struct mrc_hdr *h)
{
	struct mrc_pmtu *t = &mk->pmtu;
	u32 id = be32_to_cpu(h->psn);
	u64 now = ktime_get_ns();

	if (!mrc_pmtu_probe_in_flight(mk, id) || h->path != t->path ||
	    h->gen != t->gen)
		return;
	if (id == t->id) {
		/* However late */
		passed(mk, now);
	} else if (t->at_low) {
		t->low_lost = 0;
		if (t->tries >= TRIES) {
			too_large(mk, now);
		} else if (!send_test(mk, false, now)) {
			end_without(mk);
			next_test(mk, now);
		}
	}
}

/**
 * mrc_pmtu_probe_in_flight() - was a probe of that id sent?
 * @mk: connection, locked
 * @id: the id
 */
bool mrc_pmtu_probe_in_flight(const struct mrc_sock *mk, u32 id)
{
	return mk->pmtu.high && (id ^ mk->pmtu.id) <= 1;
}

/**
 * mrc_pmtu_acked() - a packet arrived
 * @mk: connection, locked
 * @path: path that it took, still of the same generation
 * @size: octets from the MRC header on
 * @sent_ns: when it was sent
 */
void mrc_pmtu_acked(struct mrc_sock *mk, struct mrc_path *path,
		    unsigned int size, u64 sent_ns)
{
	if (size <= MRC_PMTU_BASE)
		return;
	mk->pmtu.row = 0;
	mk->pmtu.arrivals++;
	if (sent_ns > mk->pmtu.arrived_ns)
		mk->pmtu.arrived_ns = sent_ns;
	if (size >= path->pmtu.lost_size)
		path->pmtu.lost = 0;
}

/**
 * mrc_pmtu_lost() - a packet was declared lost
 * @mk: connection, locked
 * @path: path that it took
 * @size: octets from the MRC header on
 * @sent_ns: when it was sent
 *
 * Where a path carries little, it is enough that large packets vanish on all
 * paths together.
 */
void mrc_pmtu_lost(struct mrc_sock *mk, struct mrc_path *path,
		   unsigned int size, u64 sent_ns)
{
	struct mrc_path_pmtu *p = &path->pmtu;

	/* What is larger than the path is known not to pass. */
	if (size <= MRC_PMTU_BASE || size > p->size)
		return;
	p->lost_size = p->lost ? min_t(u16, p->lost_size, size) : size;
	if (!p->lost)
		p->since = mk->pmtu.arrivals;
	if (p->lost < U8_MAX - 1)
		p->lost++;
	if (sent_ns > mk->pmtu.arrived_ns && sent_ns < mk->acked_ns)
		mk->pmtu.row = min(mk->pmtu.row + 1, DOUBT_LOSSES);
	if (mk->pmtu.row >= DOUBT_LOSSES)
		p->lost = U8_MAX;
	if (doubtful(mk, path))
		kick(mk);
}

/**
 * mrc_pmtu_tail_len() - how much payload a tail probe may have
 * @mk: connection, locked
 *
 * While no large packet is known to pass, what must provoke an answer is small.
 *
 * Return: bytes.
 */
unsigned int mrc_pmtu_tail_len(const struct mrc_sock *mk)
{
	bool safe = mk->pmtu.arrived_ns && !mk->pmtu.row && !mk->backoff;

	return safe ? mk->mss :
		      min_t(unsigned int, mk->mss, MRC_PMTU_BASE - mk->hdr_len);
}

/**
 * mrc_pmtu_mtu() - the MTU that a path is used with
 * @mk: connection, locked
 * @path: path
 *
 * Return: octets of an IP packet.
 */
unsigned int mrc_pmtu_mtu(const struct mrc_sock *mk,
			  const struct mrc_path *path)
{
	return path->pmtu.size + overhead(mk, path);
}
