/* SPDX-License-Identifier: GPL-2.0-only */
/* The number of AF_MRC on this machine. */
#ifndef _MRCRUN_FAMILY_H
#define _MRCRUN_FAMILY_H

#include <stdbool.h>

bool mrcrun_family_read(int *family);

#endif /* _MRCRUN_FAMILY_H */
