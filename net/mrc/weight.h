/* SPDX-License-Identifier: GPL-2.0-only */
/* Weights: what queues on each path, and what share of the traffic it gets. */
#ifndef _MRC_WEIGHT_H
#define _MRC_WEIGHT_H

#include <linux/types.h>

struct mrc_path;
struct mrc_sock;

#define MRC_WEIGHT_FULL	1024
#define MRC_WEIGHT_MIN	(MRC_WEIGHT_FULL / 64)
#define MRC_WEIGHT_MAX	(MRC_WEIGHT_FULL * 32)

void mrc_weight_set(struct mrc_path *path, s64 weight);
void mrc_weight_limit(struct mrc_path *path, u32 most);
bool mrc_weight_limited(const struct mrc_path *path);
void mrc_weight_reset(struct mrc_path *path);
void mrc_weight_probe(struct mrc_sock *mk, struct mrc_path *path, u32 owd_us,
		      u64 now);
void mrc_weight_sample(struct mrc_sock *mk, struct mrc_path *path,
		       u32 owd_us, u32 rtt_us, u64 now);

#endif /* _MRC_WEIGHT_H */
