// SPDX-License-Identifier: GPL-2.0-only
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/mrc.h>

#include "family.h"
#include "real.h"

static struct mrcrun_real real;
static int family;
static bool debug;

/*
 * Before main(), since dlsym() and getenv() are not for signal handlers, and
 * since the program may close /sys off to itself later.
 */
static void __attribute__((constructor)) resolve(void)
{
	const char *value = getenv("MRCRUN_DEBUG");

	real.getsockopt = dlsym(RTLD_NEXT, "getsockopt");
	real.setsockopt = dlsym(RTLD_NEXT, "setsockopt");
	real.socket = dlsym(RTLD_NEXT, "socket");
	debug = value && strcmp(value, "") && strcmp(value, "0");
	mrcrun_family();
}

/* A constructor of another library may have a socket before ours ran. */
const struct mrcrun_real *mrcrun_real(void)
{
	if (!real.socket)
		resolve();
	return &real;
}

bool mrcrun_debug(void)
{
	return debug;
}

/**
 * mrcrun_family() - the number of AF_MRC
 *
 * Remembered once the module has said it, and the default until then: the
 * first socket may be what loads the module.
 */
int mrcrun_family(void)
{
	int number = __atomic_load_n(&family, __ATOMIC_RELAXED);
	int saved = errno;

	if (number)
		return number;
	number = AF_MRC;
	if (mrcrun_family_read(&number))
		__atomic_store_n(&family, number, __ATOMIC_RELAXED);
	errno = saved;
	return number;
}

/**
 * mrcrun_is_mrc() - is this descriptor an AF_MRC socket?
 * @fd: descriptor
 *
 * The kernel knows; a table of our own would be wrong after dup(), accept(),
 * fork() with exec(), and when descriptors come through a Unix socket.
 */
bool mrcrun_is_mrc(int fd)
{
	int domain;
	socklen_t len = sizeof(domain);
	int saved = errno;
	bool is_mrc;

	is_mrc = !mrcrun_real()->getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain,
					    &len) &&
		 domain == mrcrun_family();
	errno = saved;
	return is_mrc;
}
