/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the mrc command share: options, errors, verbs. */
#ifndef _TOOLS_MRC_H
#define _TOOLS_MRC_H

#include <stdbool.h>

/* As in the kernel's linux/compiler_attributes.h */
#define __noreturn	__attribute((noreturn))
#define __printf(a, b)	__attribute((format(printf, a, b)))

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

enum {
	EXIT_RUNTIME = 1,
	EXIT_USAGE = 2,
};

/**
 * struct options - what stands before the verb
 * @json: print JSON
 */
struct options {
	bool json;
};

extern struct options options;

/* What die() does first, NULL for nothing */
extern void (*before_die)(void);

/* Both print one line to stderr and end the program. */
__noreturn __printf(1, 2) void die(const char *format, ...);
__noreturn void usage_error(const char *verb_usage);

/* Verbs: argv[0] is the verb's name; they return the exit status. */
int verb_get(int argc, char **argv);
int verb_info(int argc, char **argv);
int verb_monitor(int argc, char **argv);
int verb_path(int argc, char **argv);
int verb_ping(int argc, char **argv);
int verb_set(int argc, char **argv);
int verb_sock(int argc, char **argv);
int verb_stat(int argc, char **argv);
int verb_top(int argc, char **argv);
int verb_trace(int argc, char **argv);

#endif /* _TOOLS_MRC_H */
