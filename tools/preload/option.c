// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "option.h"

int mrcrun_option_error(int error)
{
	errno = error;
	return -1;
}

/**
 * mrcrun_option_return() - give a value back as getsockopt() does
 * @from: the value
 * @size: its size
 * @value: where it goes
 * @len: room there, then how much of it was used
 *
 * Return: 0, or -1 with errno set.
 */
int mrcrun_option_return(const void *from, size_t size, void *value,
			 socklen_t *len)
{
	if (!len || (!value && *len))
		return mrcrun_option_error(EFAULT);
	if ((int)*len < 0)
		return mrcrun_option_error(EINVAL);
	if (size > *len)
		size = *len;
	if (size)
		memcpy(value, from, size);
	*len = size;
	return 0;
}
