// SPDX-License-Identifier: GPL-2.0-only
/* Parsing and building of headers; no kernel state. */
#include <linux/kernel.h>
#include <linux/string.h>
#include "wire.h"

/**
 * mrc_wire_check() - is this a packet that this version understands?
 * @h: header, MRC version already found to be ours
 * @len: octets of the packet, header included
 *
 * Context: any.
 * Return: false for an unknown type, an unknown flag or a packet too short
 * for its type.
 */
bool mrc_wire_check(const struct mrc_hdr *h, unsigned int len)
{
	switch (mrc_hdr_type(h)) {
	case MRC_DATA:
		return len >= sizeof(struct mrc_data_hdr) &&
		       !(h->flags & ~MRC_DATA_FLAGS);
	case MRC_SACK:
		return len >= sizeof(struct mrc_sack_hdr) &&
		       !(h->flags & ~MRC_SACK_FLAGS);
	case MRC_PROBE:
	case MRC_PROBE_ACK:
		return len >= sizeof(struct mrc_probe_hdr) && !h->flags;
	case MRC_INIT:
		return len >= MRC_INIT_LEN && !h->flags;
	case MRC_INIT_ACK:
		return len >= sizeof(struct mrc_init_hdr) && !h->flags;
	case MRC_RETRY:
		return len >= sizeof(struct mrc_retry_hdr) && !h->flags;
	case MRC_RESET:
		return len >= sizeof(struct mrc_reset_hdr) &&
		       !(h->flags & ~MRC_RESET_FLAGS);
	}
	return false;
}

/**
 * mrc_wire_hdr() - fill a common header
 * @h: where
 * @type: packet type
 * @flags: MRC_F_*
 * @cid: the receiver's connection id
 * @psn: meaning per type, see struct mrc_hdr
 *
 * Path and generation are zeroed; who sends over a path sets them.
 */
void mrc_wire_hdr(struct mrc_hdr *h, enum mrc_type type, u8 flags, u64 cid,
		  u32 psn)
{
	h->ver_type = MRC_WIRE_VERSION << 4 | type;
	h->flags = flags;
	h->path = 0;
	h->gen = 0;
	h->dst_cid = cpu_to_be64(cid);
	h->psn = cpu_to_be32(psn);
}

/**
 * mrc_wire_opt() - find an option
 * @opts: options of an INIT
 * @len: their octets
 * @type: MRC_OPT_*
 * @size: octets that the value must have
 *
 * Return: the value, or NULL when it is not there, has another size, or the
 * options are malformed before it.
 */
const void *mrc_wire_opt(const void *opts, unsigned int len, u16 type,
			 unsigned int size)
{
	while (len >= sizeof(struct mrc_opt)) {
		const struct mrc_opt *o = opts;
		unsigned int vlen = be16_to_cpu(o->len);
		unsigned int step = sizeof(*o) + ALIGN(vlen, 4);

		if (step > len)
			return NULL;
		if (be16_to_cpu(o->type) == type)
			return vlen == size ? o + 1 : NULL;
		opts += step;
		len -= step;
	}
	return NULL;
}
