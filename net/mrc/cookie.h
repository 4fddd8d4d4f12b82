/* SPDX-License-Identifier: GPL-2.0-only */
/* Cookies: what RETRY gives and the next INIT brings back. */
#ifndef _MRC_COOKIE_H
#define _MRC_COOKIE_H

#include "wire.h"

struct mrc_net;
struct sk_buff;

void mrc_cookie_make(struct mrc_net *mn, struct sk_buff *skb,
		     const struct mrc_init_hdr *ih, struct mrc_cookie *c);
bool mrc_cookie_check(struct mrc_net *mn, struct sk_buff *skb,
		      const struct mrc_init_hdr *ih,
		      const struct mrc_cookie *c);

#endif /* _MRC_COOKIE_H */
