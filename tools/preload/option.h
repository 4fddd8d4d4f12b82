/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of TCP and IP on a socket that is AF_MRC in truth. */
#ifndef _MRCRUN_OPTION_H
#define _MRCRUN_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

int mrcrun_tcp_set(int fd, int name, const void *value, socklen_t len);
int mrcrun_tcp_get(int fd, int name, void *value, socklen_t *len);

bool mrcrun_ip_may_ignore(int level, int name);
int mrcrun_ip_get(int level, int name, void *value, socklen_t *len);

int mrcrun_option_error(int error);
int mrcrun_option_return(const void *from, size_t size, void *value,
			 socklen_t *len);

#endif /* _MRCRUN_OPTION_H */
