/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire format: what stands behind the UDP header.
 * Documentation/wire-format.rst is the normative text.
 *
 * Nothing here touches kernel state, so that all of it can be tested alone.
 */
#ifndef _MRC_WIRE_H
#define _MRC_WIRE_H

#include <linux/types.h>
#include <linux/skbuff.h>

#define MRC_WIRE_VERSION	1

/**
 * enum mrc_type - packet types (low four bits of mrc_hdr.ver_type)
 * @MRC_DATA: stream bytes or a part of a message
 * @MRC_SACK: what arrived, the receive window, the congestion echo
 * @MRC_PROBE: asks for a PROBE_ACK over one path; consumes no PSN
 * @MRC_PROBE_ACK: answers a PROBE
 * @MRC_INIT: first packet of a connection, padded to MRC_INIT_LEN
 * @MRC_RETRY: stateless answer to INIT: come again with this cookie
 * @MRC_INIT_ACK: the listener's half of the handshake
 * @MRC_RESET: the connection is gone, with a reason
 */
enum mrc_type {
	MRC_DATA	= 1,
	MRC_SACK	= 2,
	MRC_PROBE	= 3,
	MRC_PROBE_ACK	= 4,
	MRC_INIT	= 5,
	MRC_RETRY	= 6,
	MRC_INIT_ACK	= 7,
	MRC_RESET	= 8,
};

/* Flags of DATA */
#define MRC_F_FIN	0x01	/* the stream ends behind this segment */
#define MRC_F_ACK_REQ	0x02	/* acknowledge at once */
#define MRC_F_RETRANS	0x04	/* bytes that an earlier PSN carried */
#define MRC_DATA_FLAGS	0x07

/* Flags of SACK */
#define MRC_F_CE	0x01	/* the trigger carried a congestion mark */
#define MRC_F_DUP	0x02	/* the trigger's bytes were here already */
#define MRC_F_VERDICT	0x0c	/* the receiver's word on the trigger's path */
#define MRC_SACK_FLAGS	0x0f

/* Verdicts, in place */
#define MRC_VERDICT_NONE	0x00
#define MRC_VERDICT_SKIP	0x04	/* skip the path once */
#define MRC_VERDICT_AVOID	0x08	/* do not use the path */

/* Flags of RESET */
#define MRC_F_REFLECT	0x01	/* dst_cid is the one that was not found */
#define MRC_RESET_FLAGS	0x01

/**
 * struct mrc_hdr - what every packet begins with
 * @ver_type: version in the high four bits, enum mrc_type in the low four
 * @flags: per type, see above; a packet with an unknown one is dropped
 * @path: index of the sender's path; in SACK that of the trigger
 * @gen: generation of that path's entropy value
 * @dst_cid: the receiver's connection id, 0 in INIT
 * @psn: DATA: this packet's number; SACK: the trigger's; PROBE and
 *	 PROBE_ACK: the probe's id; INIT and INIT_ACK: the sender's first PSN;
 *	 RESET: the PSN that provoked it, or the sender's next one
 */
struct mrc_hdr {
	__u8	ver_type;
	__u8	flags;
	__u8	path;
	__u8	gen;
	__be64	dst_cid;
	__be32	psn;
} __packed __aligned(4);

/**
 * struct mrc_data_hdr - DATA of a stream
 * @h: common part
 * @floor: oldest PSN that the sender still waits for; the receiver need not
 *	   report, nor wait for, anything below
 * @offset: position of the first payload byte in the stream
 */
struct mrc_data_hdr {
	struct mrc_hdr h;
	__be32	floor;
	__be64	offset;
} __packed __aligned(4);

/**
 * struct mrc_sack_hdr - SACK
 * @h: common part: path, gen and psn are those of the trigger
 * @cum: all PSNs up to this one arrived or lie below the sender's floor
 * @ack_delay_us: time from the trigger's arrival to this packet
 * @rx_bytes: payload bytes received since the start, duplicates included
 * @ce_bytes: of these, bytes in packets with a congestion mark
 * @ce_pkts: number of such packets
 * @ooo_pkts: segments that arrived ahead of the stream and wait
 * @limit: absolute stream offset up to which the peer may send
 * @words: number of 32-bit words of the bitmap behind this header; bit 0 of
 *	   word 0 stands for cum + 1
 * @rsvd: 0
 * @rx_us: when the trigger arrived, by the receiver's clock, which may be any
 *
 * Octets behind the bitmap are ignored: room for later fields.
 */
struct mrc_sack_hdr {
	struct mrc_hdr h;
	__be32	cum;
	__be32	ack_delay_us;
	__be64	rx_bytes;
	__be64	ce_bytes;
	__be32	ce_pkts;
	__be32	ooo_pkts;
	__be64	limit;
	__be16	words;
	__be16	rsvd;
	__be32	rx_us;
} __packed __aligned(4);

/**
 * struct mrc_probe_hdr - PROBE and PROBE_ACK
 * @h: common part
 * @rx_us: PROBE_ACK: when the PROBE arrived, by the same clock as in SACK;
 *	   PROBE: 0
 */
struct mrc_probe_hdr {
	struct mrc_hdr h;
	__be32	rx_us;
} __packed __aligned(4);

/* Largest distance between the oldest open PSN and the newest sent */
#define MRC_PSN_WINDOW	4096
#define MRC_SACK_WORDS	(MRC_PSN_WINDOW / 32)

/* INIT is padded to this much UDP payload, so that no answer is larger */
#define MRC_INIT_LEN	1200

/**
 * struct mrc_init_hdr - INIT and INIT_ACK
 * @h: common part
 * @src_cid: the connection id that the sender wants to be called by
 * @peer_cid: INIT_ACK: src_cid of the INIT; 0 in INIT
 * @limit: absolute stream offset up to which the other side may send
 * @sport: the sender's AF_MRC port
 * @dport: the receiver's AF_MRC port
 * @max_seg: largest payload of a segment that the sender takes, in bytes
 * @sock_type: SOCK_STREAM, SOCK_SEQPACKET or SOCK_RDM
 * @paths: number of paths that the sender wants to use, less one
 * @opt_len: octets of options behind this header
 * @rsvd: 0
 * @rx_us: INIT_ACK: when the INIT arrived, by the same clock as in SACK; INIT: 0
 *
 * Options are struct mrc_opt; unknown ones are skipped.
 */
struct mrc_init_hdr {
	struct mrc_hdr h;
	__be64	src_cid;
	__be64	peer_cid;
	__be64	limit;
	__be16	sport;
	__be16	dport;
	__be16	max_seg;
	__u8	sock_type;
	__u8	paths;
	__be16	opt_len;
	__be16	rsvd;
	__be32	rx_us;
} __packed __aligned(4);

/**
 * struct mrc_opt - option of INIT
 * @type: MRC_OPT_*
 * @len: octets of the value, which follows padded to a multiple of four
 */
struct mrc_opt {
	__be16	type;
	__be16	len;
} __packed __aligned(4);

#define MRC_OPT_COOKIE	1	/* what RETRY carried */

/**
 * struct mrc_cookie - what a listener wants to see again
 * @stamp: when it was made, seconds of the listener's clock
 * @mac: keyed MAC over addresses, ports, connection id, parameters and @stamp
 */
struct mrc_cookie {
	__be32	stamp;
	__be64	mac;
} __packed __aligned(4);

/**
 * struct mrc_retry_hdr - RETRY
 * @h: common part; dst_cid is src_cid of the INIT
 * @cookie: to be sent back in an option of the next INIT
 */
struct mrc_retry_hdr {
	struct mrc_hdr h;
	struct mrc_cookie cookie;
} __packed __aligned(4);

/**
 * enum mrc_reset_reason - why a connection was reset
 * @MRC_RESET_ABORT: the application went away with data unread, or asked
 * @MRC_RESET_NO_CONN: no connection has this id
 * @MRC_RESET_NO_LISTENER: nothing listens on this port
 * @MRC_RESET_VERSION: the version is not spoken here
 * @MRC_RESET_TYPE: the listener's socket is of another type
 * @MRC_RESET_TIMEOUT: the sender gave up waiting
 */
enum mrc_reset_reason {
	MRC_RESET_ABORT		= 1,
	MRC_RESET_NO_CONN	= 2,
	MRC_RESET_NO_LISTENER	= 3,
	MRC_RESET_VERSION	= 4,
	MRC_RESET_TYPE		= 5,
	MRC_RESET_TIMEOUT	= 6,
};

/**
 * struct mrc_reset_hdr - RESET
 * @h: common part
 * @reason: enum mrc_reset_reason
 */
struct mrc_reset_hdr {
	struct mrc_hdr h;
	__be32	reason;
} __packed __aligned(4);

static inline u8 mrc_hdr_version(const struct mrc_hdr *h)
{
	return h->ver_type >> 4;
}

static inline enum mrc_type mrc_hdr_type(const struct mrc_hdr *h)
{
	return h->ver_type & 0xf;
}

static inline u64 mrc_hdr_cid(const struct mrc_hdr *h)
{
	return be64_to_cpu(h->dst_cid);
}

/* Sequence arithmetic modulo 2^32, as for TCP: is a before b? */
static inline bool mrc_psn_before(u32 a, u32 b)
{
	return (s32)(a - b) < 0;
}

static inline bool mrc_psn_after(u32 a, u32 b)
{
	return mrc_psn_before(b, a);
}

bool mrc_wire_check(const struct mrc_hdr *h, unsigned int len);
void mrc_wire_hdr(struct mrc_hdr *h, enum mrc_type type, u8 flags, u64 cid,
		  u32 psn);
const void *mrc_wire_opt(const void *opts, unsigned int len, u16 type,
			 unsigned int size);

#endif /* _MRC_WIRE_H */
