/* SPDX-License-Identifier: GPL-2.0-only */
/* What the scenarios are made of: notes of what calls returned, and sockets. */
#ifndef _LIB_SOCKET_H
#define _LIB_SOCKET_H

#include <signal.h>
#include <stdbool.h>
#include "mrc_test.h"

#define BIG			(1 << 20)
#define HANG_SECONDS		30	/* then a scenario is killed */

#define SCENARIO(name)	{ #name, name }

struct scenario {
	const char *name;
	void (*run)(void);
};

extern int family;		/* of the sockets: AF_INET, AF_INET6 or ours */
extern int af;			/* of the addresses */
extern const char *remote;	/* -u: where to connect to */
extern unsigned int settle_ms;
extern volatile sig_atomic_t pipes;

void note_text(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
void note(const char *what, long result);
void note_events(const char *what, int events);
void note_poll(const char *what, int fd);
void note_error(const char *what, int fd);
void note_recv(const char *what, int fd, size_t len, int flags);
void note_send(const char *what, int fd, const char *text, int flags);
void note_name(const char *what, int fd, int peer, int hide_port);
void settle(void);

int get_option(int fd, int level, int name);
int set_option(int fd, int level, int name, int value);
void set_nonblock(int fd);
void set_timeout(int fd, int name, int ms);
void set_linger(int fd, int seconds);

int new_socket(int flags);
socklen_t local(union address *a, bool any, int port);
int bind_to(int fd, bool any, int port);
int connect_to(int fd, int port);
int port_of(int fd);
int listener(int *port);
int free_port(void);
void pair(int *client, int *server);
bool in_child(unsigned int after_ms);

char big(size_t i);
long read_big(int fd);
char *make_big(void);

/* Both lists end with an entry without a name; @away may be NULL. */
int run_scenarios(const struct scenario *s, const struct scenario *away,
		  int argc, char **argv);

#endif /* _LIB_SOCKET_H */
