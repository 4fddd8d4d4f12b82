// SPDX-License-Identifier: GPL-2.0-only
/*
 * Show the paths of a connection to HOST and PORT.
 *
 *	paths HOST PORT
 */
#include <err.h>
#include <linux/mrc.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST_PATHS	256

static int dial(const char *host, const char *port)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;
	int error = getaddrinfo(host, port, &hints, &found), fd;

	if (error)
		errx(1, "%s: %s", host, gai_strerror(error));
	fd = socket(AF_MRC, SOCK_STREAM, 0);
	if (fd < 0)
		err(1, "socket");
	if (connect(fd, found->ai_addr, found->ai_addrlen))
		err(1, "%s", host);
	freeaddrinfo(found);
	return fd;
}

static void show(int fd)
{
	socklen_t len = sizeof(struct mrc_paths) +
			MOST_PATHS * sizeof(struct mrc_path_info);
	struct mrc_paths *paths = calloc(1, len);
	unsigned int i;

	if (!paths)
		err(1, "calloc");
	/* So that both sides know how long a record is. */
	paths->size_user = sizeof(struct mrc_path_info);
	if (getsockopt(fd, SOL_MRC, MRC_PATHS, paths, &len))
		err(1, "MRC_PATHS");
	for (i = 0; i < paths->count && i < MOST_PATHS; i++)
		printf("path %u: entropy value %u, state %u, %llu sent\n",
		       paths->path[i].index, paths->path[i].ev,
		       paths->path[i].state,
		       (unsigned long long)paths->path[i].sent);
	free(paths);
}

int main(int argc, char **argv)
{
	int fd;

	if (argc != 3)
		errx(2, "usage: paths HOST PORT");
	fd = dial(argv[1], argv[2]);
	show(fd);
	close(fd);
	return 0;
}
