// SPDX-License-Identifier: GPL-2.0-only
/*
 * Options at the levels of IP that the module itself does not have. Only those
 * that cannot change what a program gets may be ignored: with IP_TRANSPARENT,
 * IP_FREEBIND or IP_MINTTL, a program asks for something that it would then not
 * have, so they fail.
 */
#include <errno.h>
#include <netinet/in.h>

#include "option.h"

#ifndef IPV6_AUTOFLOWLABEL
#define IPV6_AUTOFLOWLABEL	70
#endif

/**
 * mrcrun_ip_may_ignore() - does the program get what it wants without it?
 * @level: SOL_IP or SOL_IPV6
 * @name: option that the module refused
 *
 * The module chooses its packets' size, port and flow label itself, and
 * reports ICMP errors as they come; no path takes IP options.
 */
bool mrcrun_ip_may_ignore(int level, int name)
{
	if (level == IPPROTO_IP)
		return name == IP_MTU_DISCOVER || name == IP_RECVERR ||
		       name == IP_BIND_ADDRESS_NO_PORT;
	return name == IPV6_MTU_DISCOVER || name == IPV6_RECVERR ||
	       name == IPV6_AUTOFLOWLABEL;
}

/**
 * mrcrun_ip_get() - getsockopt() of an option that the module refused
 * @level: SOL_IP or SOL_IPV6
 * @name: option
 * @value: where its value goes
 * @len: room, then length
 *
 * Return: 0, or -1 with errno set.
 */
int mrcrun_ip_get(int level, int name, void *value, socklen_t *len)
{
	int number = 0;

	/* Servers look here for source routing: there never is any. */
	if (level == IPPROTO_IP && name == IP_OPTIONS)
		return mrcrun_option_return(NULL, 0, value, len);
	if (!mrcrun_ip_may_ignore(level, name))
		return mrcrun_option_error(ENOPROTOOPT);
	if ((level == IPPROTO_IP && name == IP_MTU_DISCOVER) ||
	    (level == IPPROTO_IPV6 && name == IPV6_MTU_DISCOVER))
		number = IP_PMTUDISC_WANT;
	return mrcrun_option_return(&number, sizeof(number), value, len);
}
