// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an AF_MRC socket says when a program takes it for a TCP socket. What
 * has a counterpart goes there; what only tunes TCP is accepted and has no
 * effect; the rest fails as on a kernel that lacks the option.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include <linux/mrc.h>
#include <linux/tcp.h>

#include "option.h"
#include "real.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Bounds that TCP puts on options, from net/tcp.h of the kernel */
#define MIN_MSS			88
#define MAX_WINDOW		32767
#define MAX_SYN_RETRIES		127
#define CONGESTION_NAME_SIZE	16
#define DEFAULT_MSS		536

/* A state of tcpi_state; netinet/tcp.h has them but not all of tcp_info */
#define STATE_LISTEN		10

/* Larger segments than this AF_MRC does not have. */
#define MAX_MRC_MSS		16352

/**
 * struct counterpart - an option that means the same on AF_MRC
 * @tcp: its number at SOL_TCP
 * @mrc: its number at SOL_MRC
 */
struct counterpart {
	int	tcp;
	int	mrc;
};

static const struct counterpart counterparts[] = {
	{ TCP_NODELAY,		MRC_NODELAY },
	{ TCP_CORK,		MRC_CORK },
	{ TCP_USER_TIMEOUT,	MRC_USER_TIMEOUT },
	{ TCP_KEEPIDLE,		MRC_KEEPIDLE },
	{ TCP_KEEPINTVL,	MRC_KEEPINTVL },
	{ TCP_KEEPCNT,		MRC_KEEPCNT },
};

static const struct counterpart *find_counterpart(int name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(counterparts); i++)
		if (counterparts[i].tcp == name)
			return &counterparts[i];
	return NULL;
}

/**
 * struct tuning - an option with no effect on AF_MRC
 * @name: its number
 * @min: least value that TCP takes
 * @max: greatest
 * @initial: what TCP says when it was never set, which we always say
 */
struct tuning {
	int	name;
	int	min;
	int	max;
	int	initial;
};

static const struct tuning tunings[] = {
	{ TCP_SYNCNT,		1, MAX_SYN_RETRIES, 6 },
	{ TCP_LINGER2,		INT_MIN, INT_MAX, 60 },
	{ TCP_DEFER_ACCEPT,	INT_MIN, INT_MAX, 0 },
	{ TCP_WINDOW_CLAMP,	INT_MIN, INT_MAX, 0 },
	{ TCP_QUICKACK,		INT_MIN, INT_MAX, 1 },
	{ TCP_THIN_LINEAR_TIMEOUTS, 0, 1, 0 },
	{ TCP_THIN_DUPACK,	0, 1, 0 },
	{ TCP_FASTOPEN,		0, INT_MAX, 0 },
	{ TCP_FASTOPEN_CONNECT,	0, 1, 0 },
	{ TCP_FASTOPEN_NO_COOKIE, 0, 1, 0 },
	{ TCP_NOTSENT_LOWAT,	INT_MIN, INT_MAX, 0 },
};

static const struct tuning *find_tuning(int name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(tunings); i++)
		if (tunings[i].name == name)
			return &tunings[i];
	return NULL;
}

static int set_mss(int fd, int mss)
{
	if (mss && (mss < MIN_MSS || mss > MAX_WINDOW))
		return mrcrun_option_error(EINVAL);
	if (mss > MAX_MRC_MSS)
		mss = 0;
	return mrcrun_real()->setsockopt(fd, SOL_MRC, MRC_MAXSEG, &mss,
					 sizeof(mss));
}

/**
 * mrcrun_tcp_set() - setsockopt() at SOL_TCP
 * @fd: AF_MRC socket
 * @name: option of TCP
 * @value: its value
 * @len: its length
 *
 * Return: 0, or -1 with errno set as TCP does.
 */
int mrcrun_tcp_set(int fd, int name, const void *value, socklen_t len)
{
	const struct counterpart *counterpart = find_counterpart(name);
	const struct tuning *tuning;
	int number;

	if (counterpart)
		return mrcrun_real()->setsockopt(fd, SOL_MRC, counterpart->mrc,
						 value, len);
	if (!value)
		return mrcrun_option_error(EFAULT);
	if (name == TCP_CONGESTION)
		return len < 1 ? mrcrun_option_error(EINVAL) : 0;
	if (len < sizeof(number))
		return mrcrun_option_error(EINVAL);
	memcpy(&number, value, sizeof(number));

	if (name == TCP_MAXSEG)
		return set_mss(fd, number);
	tuning = find_tuning(name);
	if (!tuning)
		return mrcrun_option_error(ENOPROTOOPT);
	if (number < tuning->min || number > tuning->max)
		return mrcrun_option_error(EINVAL);
	return 0;
}

static int get_int(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	mrcrun_real()->getsockopt(fd, level, name, &value, &len);
	return value;
}

/* Not known before there is a connection, but programs divide by it. */
static int get_mss(int fd)
{
	return get_int(fd, SOL_MRC, MRC_MAXSEG) ?: DEFAULT_MSS;
}

/* What TCP counts in segments is about so many. */
static int get_info(int fd, void *value, socklen_t *len)
{
	struct tcp_info info = { 0 };
	struct mrc_info mrc = { 0 };
	socklen_t mrc_len = sizeof(mrc);
	int mss = get_mss(fd);

	if (mrcrun_real()->getsockopt(fd, SOL_MRC, MRC_INFO, &mrc, &mrc_len))
		return -1;
	info.tcpi_state = mrc.state;
	info.tcpi_snd_mss = mss;
	info.tcpi_rcv_mss = mss;
	info.tcpi_advmss = mss;
	info.tcpi_rtt = mrc.srtt_us;
	info.tcpi_rttvar = mrc.rttvar_us;
	info.tcpi_min_rtt = mrc.min_rtt_us;
	info.tcpi_snd_cwnd = mrc.cwnd / mss;
	info.tcpi_unacked = mrc.inflight / mss;
	info.tcpi_total_retrans = mrc.resent / mss;
	info.tcpi_probes = mrc.keepalives;
	info.tcpi_bytes_sent = mrc.sent + mrc.resent;
	info.tcpi_bytes_retrans = mrc.resent;
	info.tcpi_bytes_acked = mrc.written - mrc.unacked;
	info.tcpi_bytes_received = mrc.received;
	info.tcpi_notsent_bytes = mrc.written - mrc.sent;
	if (mrc.state == STATE_LISTEN) {
		info.tcpi_unacked = mrc.accept_queue;
		info.tcpi_sacked = mrc.accept_limit;
	}
	return mrcrun_option_return(&info, sizeof(info), value, len);
}

/**
 * mrcrun_tcp_get() - getsockopt() at SOL_TCP
 * @fd: AF_MRC socket
 * @name: option of TCP
 * @value: where its value goes, cut off at @len as TCP does
 * @len: room, then length
 *
 * Return: 0, or -1 with errno set as TCP does.
 */
int mrcrun_tcp_get(int fd, int name, void *value, socklen_t *len)
{
	static const char congestion[CONGESTION_NAME_SIZE] = "mrc";
	const struct counterpart *counterpart = find_counterpart(name);
	const struct tuning *tuning;
	int mss;

	if (counterpart)
		return mrcrun_real()->getsockopt(fd, SOL_MRC, counterpart->mrc,
						 value, len);
	switch (name) {
	case TCP_MAXSEG:
		mss = get_mss(fd);
		return mrcrun_option_return(&mss, sizeof(mss), value, len);
	case TCP_CONGESTION:
		return mrcrun_option_return(congestion, sizeof(congestion),
					    value, len);
	case TCP_INFO:
		return get_info(fd, value, len);
	}
	tuning = find_tuning(name);
	if (!tuning)
		return mrcrun_option_error(ENOPROTOOPT);
	return mrcrun_option_return(&tuning->initial, sizeof(tuning->initial),
				    value, len);
}
