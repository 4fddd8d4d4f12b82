// SPDX-License-Identifier: GPL-2.0-only
/*
 * Preloaded by mrcrun: TCP sockets that the program asks for become AF_MRC
 * sockets, and options of TCP and IP work on them. There is no way back to
 * TCP: a socket that cannot be had fails, with the kernel's error.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <unistd.h>

#include <linux/mrc.h>

#include "option.h"
#include "real.h"

#define EXPORT		__attribute__((visibility("default")))
#define TYPE_MASK	0xf	/* the rest of a type are SOCK_ flags */

/* By dprintf(), which takes no lock that a signal handler may find taken. */
static void report(int domain, int fd)
{
	int error = errno;

	dprintf(STDERR_FILENO, "mrcrun[%d]: %s socket -> family %d: %s %d\n",
		getpid(), domain == AF_INET ? "IPv4" : "IPv6", mrcrun_family(),
		fd < 0 ? "error" : "fd", fd < 0 ? error : fd);
	errno = error;
}

/* Did the module refuse an option of IP that it does not know? */
static bool ip_refused(int ret, int fd, int level)
{
	return ret && (level == IPPROTO_IP || level == IPPROTO_IPV6) &&
	       (errno == ENOPROTOOPT || errno == EOPNOTSUPP) &&
	       mrcrun_is_mrc(fd);
}

/* The program gets addresses of the family that it asked for. */
static void use_family(int fd, int domain)
{
	mrcrun_real()->setsockopt(fd, SOL_MRC, MRC_FAMILY, &domain,
				  sizeof(domain));
}

EXPORT int socket(int domain, int type, int protocol)
{
	int fd;

	if ((domain != AF_INET && domain != AF_INET6) ||
	    (type & TYPE_MASK) != SOCK_STREAM ||
	    (protocol && protocol != IPPROTO_TCP))
		return mrcrun_real()->socket(domain, type, protocol);

	fd = mrcrun_real()->socket(mrcrun_family(), type, 0);
	if (fd >= 0)
		use_family(fd, domain);
	if (mrcrun_debug())
		report(domain, fd);
	return fd;
}

EXPORT int setsockopt(int fd, int level, int name, const void *value,
		      socklen_t len)
{
	int ret;

	if (level == IPPROTO_TCP && mrcrun_is_mrc(fd))
		return mrcrun_tcp_set(fd, name, value, len);
	/* Generic code has it for this family from Linux 6.7 on only. */
	if (level == SOL_SOCKET && name == SO_REUSEPORT && mrcrun_is_mrc(fd))
		return mrcrun_real()->setsockopt(fd, SOL_MRC, MRC_REUSEPORT,
						 value, len);

	ret = mrcrun_real()->setsockopt(fd, level, name, value, len);
	if (ip_refused(ret, fd, level) && mrcrun_ip_may_ignore(level, name))
		return 0;
	return ret;
}

/* The family of its addresses is what the program asked socket() for. */
static int get_domain(int fd, void *value, socklen_t *len)
{
	struct sockaddr_storage addr = { .ss_family = AF_INET };
	socklen_t addr_len = sizeof(addr);
	int domain;

	if (getsockname(fd, (struct sockaddr *)&addr, &addr_len))
		return -1;
	domain = addr.ss_family;
	return mrcrun_option_return(&domain, sizeof(domain), value, len);
}

EXPORT int getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	static const int protocol = IPPROTO_TCP;
	int ret;

	if (level == IPPROTO_TCP && mrcrun_is_mrc(fd))
		return mrcrun_tcp_get(fd, name, value, len);
	if (level == SOL_SOCKET && name == SO_DOMAIN && mrcrun_is_mrc(fd))
		return get_domain(fd, value, len);
	if (level == SOL_SOCKET && name == SO_PROTOCOL && mrcrun_is_mrc(fd))
		return mrcrun_option_return(&protocol, sizeof(protocol), value,
					    len);

	ret = mrcrun_real()->getsockopt(fd, level, name, value, len);
	if (ip_refused(ret, fd, level))
		return mrcrun_ip_get(level, name, value, len);
	return ret;
}
