// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an AF_MRC socket says when a program takes it for a TCP socket. What
 * has a counterpart goes there; what only tunes TCP is accepted and has no
 * effect; the rest fails as on a kernel that lacks the option.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>

#include <linux/mrc.h>
#include <linux/tcp.h>

#include "option.h"
#include "real.h"

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

/* Bounds that TCP puts on options, from net/tcp.h of the kernel */
#define MIN_MSS			88
#define MAX_WINDOW		32767
#define MAX_KEEPALIVE_S		32767
#define MAX_KEEPALIVE_PROBES	127
#define MAX_SYN_RETRIES		127
#define CONGESTION_NAME_SIZE	16
#define DEFAULT_MSS		536

/* States of tcpi_state; netinet/tcp.h has them but not all of tcp_info */
enum {
	STATE_ESTABLISHED = 1,
	STATE_SYN_SENT	  = 2,
	STATE_CLOSE	  = 7,
	STATE_CLOSE_WAIT  = 8,
	STATE_LISTEN	  = 10,
};

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
	{ TCP_KEEPIDLE,		1, MAX_KEEPALIVE_S, 7200 },
	{ TCP_KEEPINTVL,	1, MAX_KEEPALIVE_S, 75 },
	{ TCP_KEEPCNT,		1, MAX_KEEPALIVE_PROBES, 9 },
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

static int set_mrc(int fd, int name, int value)
{
	return mrcrun_real()->setsockopt(fd, SOL_MRC, name, &value,
					 sizeof(value));
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
	const struct tuning *tuning;
	int number;

	if (!value)
		return mrcrun_option_error(EFAULT);
	if (name == TCP_CONGESTION)
		return len < 1 ? mrcrun_option_error(EINVAL) : 0;
	if (len < sizeof(number))
		return mrcrun_option_error(EINVAL);
	memcpy(&number, value, sizeof(number));

	switch (name) {
	case TCP_NODELAY:
		return set_mrc(fd, MRC_NODELAY, !!number);
	case TCP_CORK:
		return set_mrc(fd, MRC_CORK, !!number);
	case TCP_USER_TIMEOUT:
		if (number < 0)
			return mrcrun_option_error(EINVAL);
		return set_mrc(fd, MRC_USER_TIMEOUT, number);
	case TCP_MAXSEG:
		if (number && (number < MIN_MSS || number > MAX_WINDOW))
			return mrcrun_option_error(EINVAL);
		return 0;
	}
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

/* The nearest that can be told from outside */
static int state_of(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLRDHUP };
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);
	bool connected;

	if (get_int(fd, SOL_SOCKET, SO_ACCEPTCONN))
		return STATE_LISTEN;
	connected = !getpeername(fd, (struct sockaddr *)&peer, &len);
	poll(&poll_fd, 1, 0);
	if (poll_fd.revents & POLLHUP)
		return STATE_CLOSE;
	if (!connected)
		return STATE_SYN_SENT;
	return poll_fd.revents & POLLRDHUP ? STATE_CLOSE_WAIT :
					     STATE_ESTABLISHED;
}

static int get_info(int fd, void *value, socklen_t *len)
{
	struct tcp_info info = { .tcpi_state = state_of(fd) };

	info.tcpi_snd_mss = get_mss(fd);
	info.tcpi_rcv_mss = info.tcpi_snd_mss;
	info.tcpi_advmss = info.tcpi_snd_mss;
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
	const struct mrcrun_real *real = mrcrun_real();
	const struct tuning *tuning;
	int mss;

	switch (name) {
	case TCP_NODELAY:
		return real->getsockopt(fd, SOL_MRC, MRC_NODELAY, value, len);
	case TCP_CORK:
		return real->getsockopt(fd, SOL_MRC, MRC_CORK, value, len);
	case TCP_MAXSEG:
		mss = get_mss(fd);
		return mrcrun_option_return(&mss, sizeof(mss), value, len);
	case TCP_USER_TIMEOUT:
		return real->getsockopt(fd, SOL_MRC, MRC_USER_TIMEOUT, value,
					len);
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
