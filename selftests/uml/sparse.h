/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read by sparse before all else. Linux 7.3 uses two features of C compilers
 * that sparse 0.6.4 has not learned: it would not be run at all, or stop at
 * each MODULE_LICENSE(). These stand-ins have types close enough to check.
 */
#define __typeof_unqual__ __typeof__
#define __builtin_strlen(string) (sizeof(string) - 1)
