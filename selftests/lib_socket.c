// SPDX-License-Identifier: GPL-2.0-only
/*
 * The socket interface, held against TCP's. A scenario makes calls and notes
 * what each one returned; it runs on TCP and on AF_MRC, over IPv4 and IPv6,
 * and must leave the same notes. So nobody has to know by heart which poll
 * bits TCP sets when. What AF_MRC has of its own is in socket_own.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib_socket.h"

#define TRACE_SIZE		16384

int family, af;
const char *remote;
unsigned int settle_ms = 20;
volatile sig_atomic_t pipes;
static char *trace;		/* shared with the process of the scenario */

/* --- Notes --------------------------------------------------------------- */

void note_text(const char *format, ...)
{
	size_t len = strlen(trace);
	va_list args;

	va_start(args, format);
	vsnprintf(trace + len, TRACE_SIZE - len, format, args);
	va_end(args);
}

void note(const char *what, long result)
{
	if (result == -1)
		note_text("%s: %s\n", what, strerrorname_np(errno));
	else
		note_text("%s: %ld\n", what, result);
}

/* On loopback, all that follows from a call has happened soon after it. */
void settle(void)
{
	usleep(settle_ms * 1000);
}

void note_events(const char *what, int events)
{
	static const struct { int bit; const char *name; } names[] = {
		{ POLLIN, " IN" }, { POLLPRI, " PRI" }, { POLLOUT, " OUT" },
		{ POLLERR, " ERR" }, { POLLHUP, " HUP" },
		{ POLLRDHUP, " RDHUP" }, { POLLRDNORM, " RDNORM" },
		{ POLLWRNORM, " WRNORM" },
	};
	size_t i;

	note_text("%s:", what);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (events & names[i].bit)
			note_text("%s", names[i].name);
	note_text("\n");
}

static const short all_events = POLLIN | POLLPRI | POLLOUT | POLLRDHUP |
				POLLRDNORM | POLLWRNORM;

void note_poll(const char *what, int fd)
{
	struct pollfd p = { .fd = fd, .events = all_events };

	settle();
	poll(&p, 1, 0);
	note_events(what, p.revents);
}

int get_option(int fd, int level, int name)
{
	int value = 0;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, name, &value, &len) ? -1 : value;
}

int set_option(int fd, int level, int name, int value)
{
	return setsockopt(fd, level, name, &value, sizeof(value));
}

void note_error(const char *what, int fd)
{
	note_text("%s: SO_ERROR %s\n", what,
		  strerrorname_np(get_option(fd, SOL_SOCKET, SO_ERROR)));
}

void note_recv(const char *what, int fd, size_t len, int flags)
{
	char data[4096] = "";
	ssize_t n = recv(fd, data, len, flags);

	note(what, n);
	if (n > 0 && !(flags & MSG_TRUNC))
		note_text("	%.*s\n", (int)n, data);
}

void note_send(const char *what, int fd, const char *text, int flags)
{
	note(what, send(fd, text, strlen(text), flags));
}

void note_name(const char *what, int fd, int peer, int hide_port)
{
	char text[INET6_ADDRSTRLEN] = "?";
	union address a = {};
	socklen_t len = sizeof(a);
	bool v4;

	if ((peer ? getpeername : getsockname)(fd, &a.sa, &len)) {
		note(what, -1);
		return;
	}
	v4 = a.sa.sa_family == AF_INET;
	inet_ntop(a.sa.sa_family, v4 ? (void *)&a.in.sin_addr :
				       (void *)&a.in6.sin6_addr,
		  text, sizeof(text));
	note_text("%s: family %d length %u %s port %s\n", what,
		  a.sa.sa_family, len, text,
		  ntohs(a.in.sin_port) == hide_port ? "as expected" :
		  a.in.sin_port ? "set" : "0");
}

/* --- Sockets ------------------------------------------------------------- */

int new_socket(int flags)
{
	int fd = socket(family, SOCK_STREAM | flags, 0);

	if (fd < 0)
		err(1, "socket");
	return fd;
}

socklen_t local(union address *a, bool any, int port)
{
	return parse_address(af == AF_INET ? any ? "0.0.0.0" : "127.0.0.1" :
					     any ? "::" : "::1", port, a);
}

int bind_to(int fd, bool any, int port)
{
	union address a;
	socklen_t len = local(&a, any, port);

	return bind(fd, &a.sa, len);
}

int connect_to(int fd, int port)
{
	union address a;
	socklen_t len = local(&a, false, port);

	return connect(fd, &a.sa, len);
}

int port_of(int fd)
{
	union address a = {};
	socklen_t len = sizeof(a);

	getsockname(fd, &a.sa, &len);
	return ntohs(a.in.sin_port);
}

int listener(int *port)
{
	int fd = new_socket(0);

	if (bind_to(fd, false, 0) || listen(fd, 8))
		err(1, "listen");
	*port = port_of(fd);
	return fd;
}

/* Nothing listens there. */
int free_port(void)
{
	int port, fd = listener(&port);

	close(fd);
	return port;
}

void pair(int *client, int *server)
{
	int port, fd = listener(&port);

	*client = new_socket(0);
	if (connect_to(*client, port))
		err(1, "connect");
	*server = accept(fd, NULL, NULL);
	if (*server < 0)
		err(1, "accept");
	close(fd);
}

void set_nonblock(int fd)
{
	fcntl(fd, F_SETFL, O_NONBLOCK);
}

/* A process that lives beside us till the end of the scenario */
bool in_child(unsigned int after_ms)
{
	if (fork())
		return false;
	usleep(after_ms * 1000);
	return true;
}

void set_timeout(int fd, int name, int ms)
{
	struct timeval tv = { .tv_usec = ms * 1000 };

	setsockopt(fd, SOL_SOCKET, name, &tv, sizeof(tv));
}

void set_linger(int fd, int seconds)
{
	struct linger l = { .l_onoff = 1, .l_linger = seconds };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l));
}

char big(size_t i)
{
	return i * 7 + i / 251;
}

/* Returns how many bytes of big() came before the end or an error. */
long read_big(int fd)
{
	static char data[65536];
	long got = 0;
	ssize_t n, i;

	while ((n = recv(fd, data, sizeof(data), 0)) > 0) {
		for (i = 0; i < n; i++)
			if (data[i] != big(got + i))
				return -2;
		got += n;
	}
	return n < 0 ? -1 : got;
}

char *make_big(void)
{
	char *data = malloc(BIG);
	size_t i;

	for (i = 0; i < BIG; i++)
		data[i] = big(i);
	return data;
}

/* --- Running ------------------------------------------------------------- */

static void on_pipe(int signal)
{
	(void)signal;
	pipes++;
}

/* In a process group of its own, which ends with it, whatever happens */
static char *run_on(const struct scenario *s, int of_family)
{
	pid_t pid;
	int status;

	memset(trace, 0, TRACE_SIZE);
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		family = of_family;
		signal(SIGPIPE, on_pipe);
		signal(SIGCHLD, SIG_IGN);
		alarm(HANG_SECONDS);
		s->run();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	kill(-pid, SIGKILL);
	if (WIFSIGNALED(status))
		note_text("killed by signal %d\n", WTERMSIG(status));
	else if (WEXITSTATUS(status))
		note_text("gave up\n");
	return strdup(trace);
}

/* Line by line; prints those that differ, with the first that is the same. */
static bool same(char *tcp, char *mrc)
{
	char *t, *m, *t_save, *m_save;
	bool equal = true;

	t = strtok_r(tcp, "\n", &t_save);
	m = strtok_r(mrc, "\n", &m_save);
	while (t || m) {
		if (!t || !m || strcmp(t, m)) {
			printf("#   TCP: %-44s AF_MRC: %s\n", t ?: "-", m ?: "-");
			equal = false;
		}
		t = t ? strtok_r(NULL, "\n", &t_save) : NULL;
		m = m ? strtok_r(NULL, "\n", &m_save) : NULL;
	}
	return equal;
}

static bool compare(const struct scenario *s)
{
	static int number;
	char *tcp, *mrc;
	bool equal;

	tcp = run_on(s, af);
	mrc = run_on(s, mrc_family());
	if (getenv("MRC_VERBOSE"))
		printf("# %s on TCP:\n%s", s->name, tcp);
	equal = same(tcp, mrc);
	printf("%s %d %s, IPv%d%s%s\n", equal ? "ok" : "not ok", ++number,
	       s->name, af == AF_INET ? 4 : 6, remote ? ", to " : "",
	       remote ?: "");
	free(tcp);
	free(mrc);
	return equal;
}

static bool chosen(const struct scenario *s, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (!strcmp(*names, s->name))
			return true;
	return false;
}

static int run_away(const struct scenario *away, const char *name,
		    const char *address)
{
	union address a;

	remote = address;
	parse_address(address, 9, &a);
	af = a.sa.sa_family;
	for (; away && away->name; away++)
		if (!strcmp(name, away->name))
			return !compare(away);
	return 2;
}

int run_scenarios(const struct scenario *s, const struct scenario *away,
		  int argc, char **argv)
{
	const int afs[] = { AF_INET, AF_INET6 };
	const char *ms = getenv("SETTLE_MS");
	int failed = 0, count = 0;
	size_t j;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (ms)
		settle_ms = atoi(ms);
	trace = mmap(NULL, TRACE_SIZE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (argc == 4 && !strcmp(argv[1], "-u"))
		return run_away(away, argv[2], argv[3]);
	for (; s->name; s++) {
		for (j = 0; j < ARRAY_SIZE(afs); j++) {
			if (!chosen(s, argv + 1))
				continue;
			af = afs[j];
			failed += !compare(s);
			count++;
		}
	}
	return failed || !count;
}
