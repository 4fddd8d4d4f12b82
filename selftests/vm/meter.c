// SPDX-License-Identifier: GPL-2.0
/*
 * meter LOG: copy standard input to standard output, and write down when what
 * arrived. Lines of LOG, times in ms of CLOCK_MONOTONIC:
 *	at TIME BYTES		so far, every 100 ms while data arrives
 *	gap TIME LENGTH		nothing came for LENGTH ms before TIME
 *	end TIME BYTES
 */
#include <err.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define REPORT_MS 100
#define GAP_MS 5

static long long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void write_all(const char *from, size_t left)
{
	while (left) {
		ssize_t done = write(STDOUT_FILENO, from, left);

		if (done < 0)
			err(1, "write");
		from += done;
		left -= done;
	}
}

int main(int argc, char **argv)
{
	long long last = 0, reported = 0, bytes = 0, now;
	static char buffer[65536];
	ssize_t got;
	FILE *log;

	log = argc == 2 ? fopen(argv[1], "w") : NULL;
	if (!log)
		err(1, "usage: meter LOG");
	setlinebuf(log);
	while ((got = read(STDIN_FILENO, buffer, sizeof(buffer))) > 0) {
		now = now_ms();
		if (bytes && now - last >= GAP_MS)
			fprintf(log, "gap %lld %lld\n", now, now - last);
		if (now - reported >= REPORT_MS) {
			fprintf(log, "at %lld %lld\n", now, bytes);
			reported = now;
		}
		bytes += got;
		write_all(buffer, got);
		last = now_ms();
	}
	if (got < 0)
		err(1, "read");
	fprintf(log, "end %lld %lld\n", now_ms(), bytes);
	return 0;
}
