// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <unistd.h>

#include "family.h"

#define FAMILY_FILE	"/sys/module/mrc/parameters/family"

/**
 * mrcrun_family_read() - ask the module for its family number
 * @family: set if the module is loaded
 *
 * Calls only what a signal handler may call.
 *
 * Return: whether @family was set.
 */
bool mrcrun_family_read(int *family)
{
	int fd = open(FAMILY_FILE, O_RDONLY | O_CLOEXEC);
	int number = 0;
	ssize_t len, i;
	char text[16];

	if (fd < 0)
		return false;
	len = read(fd, text, sizeof(text));
	close(fd);
	for (i = 0; i < len && text[i] >= '0' && text[i] <= '9' && i < 4; i++)
		number = number * 10 + text[i] - '0';
	if (!number)
		return false;
	*family = number;
	return true;
}
