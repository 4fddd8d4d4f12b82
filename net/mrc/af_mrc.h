/* SPDX-License-Identifier: GPL-2.0-only */
/* The family as the socket layer sees it. */
#ifndef _MRC_AF_MRC_H
#define _MRC_AF_MRC_H

extern int mrc_family;

int mrc_af_register(void);
void mrc_af_unregister(void);

#endif /* _MRC_AF_MRC_H */
