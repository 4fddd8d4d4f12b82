// SPDX-License-Identifier: GPL-2.0-only
/* Runs a program with its TCP sockets turned into AF_MRC sockets. */
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/mrc.h>

#include "family.h"

#define LIBRARY		"libmrcrun.so"

/* Exit statuses are those of env(1) and nohup(1), but for the first. */
enum {
	EXIT_UNAVAILABLE = 1,
	EXIT_USAGE	 = 2,
	EXIT_NOT_RUN	 = 126,
	EXIT_NOT_FOUND	 = 127,
};

static const char usage[] =
	"usage: mrcrun PROGRAM [ARGUMENT...]\n"
	"Run PROGRAM with AF_MRC in place of TCP. MRCRUN_DEBUG=1 shows each\n"
	"socket that is converted. See mrcrun(1) for what cannot be caught.\n";

/* The first socket of a family also makes the kernel load its module. */
static void check_available(void)
{
	int family = AF_MRC;
	int fd;

	mrcrun_family_read(&family);
	fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		err(EXIT_UNAVAILABLE, "no AF_MRC here, is the module loaded?");
	close(fd);
}

/* In the source tree the library lies beside us, installed in LIBDIR/mrc. */
static void find_library(char *path, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", path, size - 1);
	char *slash;

	if (len > 0) {
		path[len] = '\0';
		slash = strrchr(path, '/');
		len = slash + 1 - path;
		if (len + sizeof(LIBRARY) <= size) {
			memcpy(slash + 1, LIBRARY, sizeof(LIBRARY));
			if (!access(path, R_OK))
				return;
		}
	}
	snprintf(path, size, "%s/mrc/%s", LIBDIR, LIBRARY);
	if (access(path, R_OK))
		err(EXIT_UNAVAILABLE, "%s", path);
}

static void preload(const char *library)
{
	const char *others = getenv("LD_PRELOAD");
	char *value;

	/* What separates the entries cannot be part of one. */
	if (strpbrk(library, ": "))
		errx(EXIT_UNAVAILABLE, "space or colon in path: %s", library);
	if (!others || !*others)
		value = strdup(library);
	else if (asprintf(&value, "%s:%s", library, others) < 0)
		value = NULL;
	if (!value || setenv("LD_PRELOAD", value, 1))
		errx(EXIT_UNAVAILABLE, "%s", strerror(ENOMEM));
	free(value);
}

int main(int argc, char **argv)
{
	char library[PATH_MAX];

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "--")) {
		argc--;
		argv++;
	} else if (argc > 1 && argv[1][0] == '-') {
		errx(EXIT_USAGE, "unknown option '%s'; try mrcrun --help",
		     argv[1]);
	}
	if (argc < 2)
		errx(EXIT_USAGE, "no program given; try mrcrun --help");

	check_available();
	find_library(library, sizeof(library));
	preload(library);
	execvp(argv[1], argv + 1);
	err(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUN, "%s", argv[1]);
}
