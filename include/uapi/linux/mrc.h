/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * AF_MRC: multipath reliable connections behind the socket interface.
 *
 * Addresses are struct sockaddr_in and struct sockaddr_in6; their family
 * field may say AF_INET, AF_INET6 or the number of AF_MRC.
 */
#ifndef _UAPI_LINUX_MRC_H
#define _UAPI_LINUX_MRC_H

/*
 * The default family number. The number in use is the module's parameter
 * "family", published in /sys/module/mrc/parameters/family.
 */
#ifndef AF_MRC
#define AF_MRC		23
#define PF_MRC		AF_MRC
#endif

/* The UDP destination port on the wire unless net.mrc.udp_port says other. */
#define MRC_UDP_PORT	4792

/* Level of the socket options below */
#define SOL_MRC		300

/* int, 0 or 1: send a partial segment although data is in flight */
#define MRC_NODELAY		1
/* int, 0 or 1: hold back a partial segment until it is full or uncorked */
#define MRC_CORK		2
/* int, bytes (get only): payload of a full segment */
#define MRC_MAXSEG		3
/* unsigned int, ms: unanswered for so long, the connection fails; 0: default */
#define MRC_USER_TIMEOUT	4
/*
 * int, AF_INET or AF_INET6: the family of this socket's addresses. Set before
 * bind(), connect() and listen(), otherwise the first address decides.
 */
#define MRC_FAMILY		5
/*
 * int, 0 or 1: listeners of one user may share an address and port, and each
 * gets its share of the connections. SO_REUSEPORT is the same, but works from
 * Linux 6.7 on only.
 */
#define MRC_REUSEPORT		6
/*
 * SO_KEEPALIVE: int, seconds that nothing may come before the first probe,
 * int, seconds from one probe to the next, and int, unanswered ones that end
 * the connection. If MRC_USER_TIMEOUT was set, that decides instead.
 */
#define MRC_KEEPIDLE		7
#define MRC_KEEPINTVL		8
#define MRC_KEEPCNT		9

#endif /* _UAPI_LINUX_MRC_H */
