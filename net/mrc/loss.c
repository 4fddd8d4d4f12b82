// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loss detection. Paths deliver in order, the connection does not: a packet is
 * judged against later ones of the same path and generation, never against
 * other paths, until the path is silent for its PTO.
 */
#include <linux/slab.h>
#include <trace/events/mrc.h>
#include "compat/compat.h"
#include "loss.h"
#include "netns.h"
#include "path.h"
#include "send.h"
#include "sock.h"

#define TX_FIRST_SIZE	256	/* records to begin with, doubled as needed */
#define REORDER_PACKETS	3	/* acked later ones of a path that prove loss */
#define REORDER_MAX	96	/* how far spurious losses widen that */
#define INITIAL_RTO_MS	100	/* before the first sample */
#define MAX_BACKOFF	10
#define TAIL_PROBES	4	/* before the RTO */

/**
 * mrc_loss_init() - prepare the ring of packets in flight
 * @mk: connection, locked, next_psn set
 * @gfp: allocation flags
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_loss_init(struct mrc_sock *mk, gfp_t gfp)
{
	mk->tx = kcalloc(TX_FIRST_SIZE, sizeof(*mk->tx), gfp);
	if (!mk->tx)
		return -ENOMEM;
	mk->tx_mask = TX_FIRST_SIZE - 1;
	mk->floor_psn = mk->next_psn;
	mk->reorder = REORDER_PACKETS;
	return 0;
}

static struct mrc_tx *tx_at(const struct mrc_sock *mk, u32 psn)
{
	return &mk->tx[psn & mk->tx_mask];
}

static void tx_clear(struct mrc_tx *tx)
{
	if (tx->seg)
		mrc_send_seg_put(tx->seg);
	tx->seg = NULL;
	tx->state = MRC_TX_NONE;
}

/**
 * mrc_loss_free() - forget all packets in flight
 * @mk: connection, locked; need not have a ring
 */
void mrc_loss_free(struct mrc_sock *mk)
{
	u32 psn;

	if (!mk->tx)
		return;
	for (psn = mk->floor_psn; psn != mk->next_psn; psn++)
		tx_clear(tx_at(mk, psn));
	kfree(mk->tx);
	mk->tx = NULL;
	mk->floor_psn = mk->next_psn;
}

static bool grow(struct mrc_sock *mk)
{
	u32 psn, size = mk->tx_mask + 1;
	struct mrc_tx *bigger;

	if (size >= MRC_PSN_WINDOW)
		return false;
	bigger = kcalloc(2 * size, sizeof(*bigger), GFP_ATOMIC | __GFP_NOWARN);
	if (!bigger)
		return false;
	for (psn = mk->floor_psn; psn != mk->next_psn; psn++)
		bigger[psn & (2 * size - 1)] = *tx_at(mk, psn);
	kfree(mk->tx);
	mk->tx = bigger;
	mk->tx_mask = 2 * size - 1;
	return true;
}

/**
 * mrc_loss_room() - may so many packets be sent now?
 * @mk: connection, locked
 * @packets: their number
 *
 * Return: false when the receiver's map or our memory would not hold them.
 */
bool mrc_loss_room(struct mrc_sock *mk, unsigned int packets)
{
	if (mk->next_psn - mk->floor_psn + packets > MRC_PSN_WINDOW)
		mrc_loss_advance(mk, ktime_get_ns());
	while (mk->next_psn - mk->floor_psn + packets > mk->tx_mask + 1)
		if (!grow(mk))
			return false;
	return true;
}

static void unlink_tx(struct mrc_sock *mk, struct mrc_path *path, u32 psn)
{
	struct mrc_tx *tx = tx_at(mk, psn);

	if (path->head == psn)
		path->head = tx->next;
	else
		tx_at(mk, tx->prev)->next = tx->next;
	if (path->tail == psn)
		path->tail = tx->prev;
	else
		tx_at(mk, tx->next)->prev = tx->prev;
	path->queued--;
	path->inflight -= tx->size;
	mk->inflight -= tx->size;
}

/**
 * mrc_loss_sent() - a packet is about to leave
 * @mk: connection, locked; mrc_loss_room() said yes
 * @path: path it takes
 * @seg: segment it carries
 * @now: ktime_get_ns()
 *
 * Return: its PSN.
 */
u32 mrc_loss_sent(struct mrc_sock *mk, struct mrc_path *path,
		  struct mrc_seg *seg, u64 now)
{
	u32 psn = mk->next_psn++;
	struct mrc_tx *tx = tx_at(mk, psn);

	*tx = (struct mrc_tx) {
		.seg	 = seg,
		.sent_ns = now,
		.prev	 = path->tail,
		.size	 = mk->hdr_len + seg->len,
		.path	 = path - mk->paths,
		.gen	 = path->gen,
		.state	 = MRC_TX_INFLIGHT,
	};
	seg->refs++;
	seg->path = tx->path;
	if (path->queued)
		tx_at(mk, path->tail)->next = psn;
	else
		path->head = psn;
	path->tail = psn;
	path->queued++;
	path->sent++;
	path->inflight += tx->size;
	mk->inflight += tx->size;
	return psn;
}

/* The packet will not arrive: its bytes must go again. */
static void declare_lost(struct mrc_sock *mk, struct mrc_path *path, u32 psn,
			 enum mrc_loss_cause cause, u64 now)
{
	struct mrc_tx *tx = tx_at(mk, psn);

	unlink_tx(mk, path, psn);
	mrc_pmtu_lost(mk, path, tx->size, tx->sent_ns);
	tx->state = MRC_TX_LOST;
	tx->sent_ns = now;
	mk->lost_pkts++;
	trace_mrc_loss(mk, path, psn, cause);
	mrc_path_lost(mk, path, cause == MRC_LOSS_SILENT);
	if (cause == MRC_LOSS_PASSED)
		mk->cong->lost(mk, tx->size);
	trace_mrc_cwnd(mk);
	mrc_send_again(mk, tx->seg);
}

/* A later packet of the path was acked before those ahead of it. */
static void pass(struct mrc_sock *mk, struct mrc_path *path, u32 acked)
{
	u64 now = ktime_get_ns();
	u32 psn = path->head, next;

	while (psn != acked) {
		struct mrc_tx *tx = tx_at(mk, psn);

		next = tx->next;
		if (++tx->passed >= mk->reorder) {
			MRC_INC(mrc_sock_net(mk), RETRANS_REORDER);
			declare_lost(mk, path, psn, MRC_LOSS_PASSED, now);
		}
		psn = next;
	}
}

/* It was not lost but late: wait longer from now on. */
static void late_arrival(struct mrc_sock *mk, struct mrc_tx *tx)
{
	struct mrc_path *path = &mk->paths[tx->path];

	MRC_INC(mrc_sock_net(mk), SPURIOUS);
	mk->reorder = min(2 * mk->reorder, REORDER_MAX);
	if (path->gen != tx->gen)
		return;
	path->spurious++;
	mrc_pmtu_acked(mk, path, tx->size, 0);
}

/**
 * mrc_loss_acked() - the peer says that a packet arrived
 * @mk: connection, locked
 * @psn: its PSN, in [floor_psn, next_psn)
 * @sent_ns: out: when it was sent, if it was in flight
 * @acked_bytes: increased by what is no longer in flight
 *
 * Return: true if that is news and the packet was in flight till now.
 */
bool mrc_loss_acked(struct mrc_sock *mk, u32 psn, u64 *sent_ns,
		    u32 *acked_bytes)
{
	struct mrc_tx *tx = tx_at(mk, psn);
	bool inflight = tx->state == MRC_TX_INFLIGHT;
	struct mrc_path *path;

	if (tx->state == MRC_TX_NONE)
		return false;
	path = &mk->paths[tx->path];
	if (inflight) {
		*sent_ns = tx->sent_ns;
		*acked_bytes += tx->size;
		if (tx->sent_ns > mk->acked_ns)
			mk->acked_ns = tx->sent_ns;
		pass(mk, path, psn);
		unlink_tx(mk, path, psn);
		mrc_path_acked(mk, path, tx->sent_ns);
		mrc_pmtu_acked(mk, path, tx->size, tx->sent_ns);
	} else {
		late_arrival(mk, tx);
	}
	mrc_send_seg_acked(mk, tx->seg);
	tx_clear(tx);
	return inflight;
}

/**
 * mrc_loss_advance() - move the floor past what is of no more interest
 * @mk: connection, locked
 * @now: ktime_get_ns()
 *
 * A packet declared lost stays of interest for two round trips, in which it may
 * yet be found to have arrived.
 */
void mrc_loss_advance(struct mrc_sock *mk, u64 now)
{
	u64 keep_ns = 2ULL * mk->srtt_us * NSEC_PER_USEC;

	while (mk->floor_psn != mk->next_psn) {
		struct mrc_tx *tx = tx_at(mk, mk->floor_psn);

		if (tx->state == MRC_TX_INFLIGHT ||
		    (tx->state == MRC_TX_LOST && now - tx->sent_ns < keep_ns &&
		     mk->next_psn - mk->floor_psn < mk->tx_mask / 2))
			break;
		tx_clear(tx);
		mk->floor_psn++;
	}
}

/**
 * mrc_loss_path_all() - all that a path has in flight is lost
 * @mk: connection, locked
 * @path: path
 */
void mrc_loss_path_all(struct mrc_sock *mk, struct mrc_path *path)
{
	u64 now = ktime_get_ns();

	while (path->queued)
		declare_lost(mk, path, path->head, MRC_LOSS_ALL_SILENT, now);
}

/**
 * mrc_loss_rto_ns() - how long all paths together may be silent
 * @mk: connection, locked
 *
 * RFC 6298 with a smaller floor, doubled for each time in a row.
 */
u64 mrc_loss_rto_ns(const struct mrc_sock *mk)
{
	const struct mrc_sysctl *ctl = mrc_sysctl(mk);
	u64 us, most = (u64)READ_ONCE(ctl->rto_max_ms) * USEC_PER_MSEC;

	if (mk->srtt_us)
		us = mk->srtt_us + 4ULL * mk->rttvar_us +
		     READ_ONCE(ctl->ack_delay_us);
	else
		us = INITIAL_RTO_MS * USEC_PER_MSEC;
	us = max_t(u64, us, READ_ONCE(ctl->rto_min_us));
	us <<= min_t(u8, mk->backoff, MAX_BACKOFF);
	return min(us, most) * NSEC_PER_USEC;
}

/* When the oldest packet of the path is overdue */
static u64 path_deadline(struct mrc_sock *mk, const struct mrc_path *path)
{
	const struct mrc_tx *tx = tx_at(mk, path->head);
	u64 pto = mrc_path_pto_ns(mk, path);

	/* Passed by others of its path: only a little more time (RFC 8985) */
	if (tx->passed && path->srtt_us) {
		u64 us = path->srtt_us + path->srtt_us *
			 (u64)mk->reorder / (4 * REORDER_PACKETS);

		pto = min_t(u64, pto, us * NSEC_PER_USEC);
	}
	return tx->sent_ns + pto;
}

/*
 * Nothing came back for an RTO. The first time it may be the peer or a queue
 * that is slow; then it is all of the paths, and they get new entropy values.
 */
static void all_silent(struct mrc_sock *mk, u64 now)
{
	u32 psn;
	int i;

	/* In the order of PSNs, which is about that of the stream */
	for (psn = mk->floor_psn; psn != mk->next_psn; psn++) {
		struct mrc_tx *tx = tx_at(mk, psn);

		if (tx->state != MRC_TX_INFLIGHT)
			continue;
		MRC_INC(mrc_sock_net(mk), RETRANS_RTO);
		declare_lost(mk, &mk->paths[tx->path], psn, MRC_LOSS_ALL_SILENT, now);
	}
	for (i = 0; i < mk->nr_paths; i++)
		if (mk->backoff && mk->paths[i].state != MRC_PATH_DENIED)
			mrc_path_renew(mk, &mk->paths[i]);
	mk->backoff = min(mk->backoff + 1, MAX_BACKOFF);
	mk->tails = 0;
	mk->cong->rto(mk);
	trace_mrc_cwnd(mk);
}

/* All bytes arrived by other packets: what became of these is of no matter. */
static void forget_inflight(struct mrc_sock *mk)
{
	u32 psn;

	for (psn = mk->floor_psn; psn != mk->next_psn; psn++) {
		struct mrc_tx *tx = tx_at(mk, psn);

		if (tx->state != MRC_TX_INFLIGHT)
			continue;
		unlink_tx(mk, &mk->paths[tx->path], psn);
		tx_clear(tx);
	}
	mrc_loss_advance(mk, ktime_get_ns());
}

/* The path's packets that are overdue while other paths answered since */
static void path_overdue(struct mrc_sock *mk, struct mrc_path *path, u64 now)
{
	bool passed = false;

	while (path->queued && path_deadline(mk, path) <= now) {
		struct mrc_tx *tx = tx_at(mk, path->head);

		if (tx->passed) {
			passed = true;
			MRC_INC(mrc_sock_net(mk), RETRANS_REORDER);
			declare_lost(mk, path, path->head, MRC_LOSS_PASSED, now);
			continue;
		}
		if (mk->acked_ns <= tx->sent_ns)
			break;
		MRC_INC(mrc_sock_net(mk), RETRANS_PTO);
		declare_lost(mk, path, path->head, MRC_LOSS_SILENT, now);
		if (!passed)
			mrc_path_silent(mk, path);
	}
}

/*
 * All that is in flight is newer than the newest answer: provoke another one.
 * The last packets may be lost, or the SACK of them: a few times, over other
 * paths, ever later.
 */
static u64 tail_probe(struct mrc_sock *mk, u64 next, u64 now)
{
	u64 soon = now + NSEC_PER_USEC * 50;

	if (next > soon)
		return next;
	if (mk->tails && now < mk->tail_ns)
		return max(mk->tail_ns, soon);
	if (mk->tails >= TAIL_PROBES)
		return U64_MAX;
	mk->tail_ns = now + (mrc_path_pto_ns(mk, &mk->paths[0]) << mk->tails);
	mk->tails++;
	mrc_send_tail_probe(mk);
	return mk->tail_ns;
}

/**
 * mrc_loss_check() - act on what is overdue
 * @mk: connection, locked
 * @now: ktime_get_ns()
 *
 * Return: when to look again, ns; U64_MAX: nothing is in flight.
 */
u64 mrc_loss_check(struct mrc_sock *mk, u64 now)
{
	u64 next = U64_MAX, first_sent = U64_MAX, rto_ns;
	int i;

	for (i = 0; i < mk->nr_paths; i++) {
		struct mrc_path *path = &mk->paths[i];

		if (!path->queued)
			continue;
		path_overdue(mk, path, now);
		if (!path->queued)
			continue;
		first_sent = min(first_sent, tx_at(mk, path->head)->sent_ns);
		next = min(next, max(path_deadline(mk, path), now +
				     NSEC_PER_USEC * 50));
	}
	if (first_sent == U64_MAX)
		return U64_MAX;

	/* All that is left in flight is newer than the newest answer. */
	if (list_empty(&mk->sendq) && next <= now + NSEC_PER_USEC * 50) {
		forget_inflight(mk);
		return U64_MAX;
	}
	rto_ns = max(first_sent, mk->progress_ns) + mrc_loss_rto_ns(mk);
	if (now >= rto_ns) {
		all_silent(mk, now);
		return now + mrc_loss_rto_ns(mk);
	}
	return min(rto_ns, tail_probe(mk, next, now));
}
