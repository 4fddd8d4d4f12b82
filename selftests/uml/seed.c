// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded into a user-mode kernel, which takes all its randomness from
 * getrandom(2) of the host: the same MRC_SEED gives the same secrets, ports
 * and losses. Fit for experiments only.
 */
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

static uint64_t state;

/* splitmix64 of Sebastiano Vigna */
static uint64_t next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static void __attribute__((constructor)) start(void)
{
	const char *seed = getenv("MRC_SEED");

	state = seed ? strtoull(seed, NULL, 0) : 0;
}

ssize_t getrandom(void *buf, size_t len, unsigned int flags)
{
	unsigned char *byte = buf;
	size_t i;

	(void)flags;
	for (i = 0; i < len; i++)
		byte[i] = next();
	return len;
}
