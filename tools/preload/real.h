/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that this library stands in front of. */
#ifndef _MRCRUN_REAL_H
#define _MRCRUN_REAL_H

#include <stdbool.h>
#include <sys/socket.h>

/**
 * struct mrcrun_real - the next library's functions
 * @socket: socket(2)
 * @getsockopt: getsockopt(2)
 * @setsockopt: setsockopt(2)
 */
struct mrcrun_real {
	int	(*socket)(int domain, int type, int protocol);
	int	(*getsockopt)(int fd, int level, int name, void *value,
			      socklen_t *len);
	int	(*setsockopt)(int fd, int level, int name, const void *value,
			      socklen_t len);
};

const struct mrcrun_real *mrcrun_real(void);
int mrcrun_family(void);
bool mrcrun_is_mrc(int fd);
bool mrcrun_debug(void);

#endif /* _MRCRUN_REAL_H */
