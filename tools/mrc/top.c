// SPDX-License-Identifier: GPL-2.0-only
/* mrc top: connections and their paths, live, on the whole screen. */
#define _GNU_SOURCE
#include <curses.h>
#include <getopt.h>
#include <langinfo.h>
#include <linux/mrc_netlink.h>
#include <locale.h>
#include <netlink/attr.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "nl.h"
#include "out.h"
#include "spec.h"

static const char usage[] = "top [-d SECONDS]";

#define HISTORY	60

/**
 * struct conn - a connection as it was the last time
 * @id: its number
 * @sk: what the kernel said of it
 * @tx: bytes that it sends in a second
 * @rx: bytes that it receives in a second
 * @history: the sums of both, oldest first
 * @samples: how many
 */
struct conn {
	unsigned int id;
	struct json_object *sk;
	double tx;
	double rx;
	double history[HISTORY];
	unsigned int samples;
};

/**
 * struct conns - all of them, in the order of their numbers
 * @conn: the connections
 * @count: their number
 * @when: when they were so, seconds
 */
struct conns {
	struct conn *conn;
	size_t count;
	double when;
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

static void add(struct json_object *sk, void *arg)
{
	struct conns *conns = arg;
	struct conn *conn;

	conns->conn = reallocarray(conns->conn, conns->count + 1,
				   sizeof(*conns->conn));
	if (!conns->conn)
		die("out of memory");
	conn = &conns->conn[conns->count++];
	memset(conn, 0, sizeof(*conn));
	conn->id = out_uint(sk, "id");
	conn->sk = sk;
}

static struct conns get(void)
{
	unsigned int states = ((2U << MRC_SOCK_STATE_CLOSING) - 2) &
			      ~(1U << MRC_SOCK_STATE_LISTEN |
				1U << MRC_SOCK_STATE_CLOSE);
	struct conns conns = {};
	struct nl_msg *request;

	request = gnl_request(MRC_CMD_SOCK_GET, NLM_F_DUMP);
	gnl_put(nla_put_u32(request, MRC_A_SOCK_STATES, states));
	gnl_put(nla_put_flag(request, MRC_A_SOCK_PATHS));
	gnl_send(request, &spec_sock, add, &conns);
	conns.when = seconds();
	return conns;
}

static void drop(struct conns *conns)
{
	size_t i;

	for (i = 0; i < conns->count; i++)
		json_object_put(conns->conn[i].sk);
	free(conns->conn);
}

static double rate(const struct conn *old, const struct conn *new,
		   const char *key, double time)
{
	return (out_uint(new->sk, key) - out_uint(old->sk, key)) / time;
}

static void take_over(const struct conn *old, struct conn *new, double time)
{
	unsigned int skip = old->samples == HISTORY;

	new->tx = rate(old, new, "tx_bytes", time);
	new->rx = rate(old, new, "rx_bytes", time);
	new->samples = old->samples - skip;
	memcpy(new->history, old->history + skip,
	       new->samples * sizeof(*new->history));
	new->history[new->samples++] = new->tx + new->rx;
}

static void compare(const struct conns *old, struct conns *new)
{
	double time = new->when - old->when;
	size_t i, j = 0;

	for (i = 0; i < new->count; i++) {
		while (j < old->count && old->conn[j].id < new->conn[i].id)
			j++;
		if (j < old->count && old->conn[j].id == new->conn[i].id)
			take_over(&old->conn[j], &new->conn[i], time);
	}
}

static const char *human(double value, char *text, size_t size)
{
	static const char units[] = " kMGT";
	const char *unit = units;

	while (value >= 1000 && unit[1]) {
		value /= 1000;
		unit++;
	}
	snprintf(text, size, value < 10 && *unit != ' ' ? "%.1f%c" : "%.0f%c",
		 value, *unit);
	return text;
}

static void draw_history(const struct conn *conn, int row, int column)
{
	static const char *const blocks[] = {
		" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"
	};
	static const char *const ascii[] = {
		" ", ".", ".", ":", ":", "|", "|", "#", "#"
	};
	bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	unsigned int i = 0, room = 0;
	double most = 1;

	if (column < COLS)
		room = COLS - column;
	if (conn->samples > room)
		i = conn->samples - room;
	for (unsigned int j = i; j < conn->samples; j++)
		if (conn->history[j] > most)
			most = conn->history[j];
	move(row, column);
	for (; i < conn->samples; i++) {
		int level = conn->history[i] / most * 8 + 0.5;

		addstr((utf8 ? blocks : ascii)[level]);
	}
}

static void draw_conn(const struct conn *conn, int row)
{
	const char *addr = out_string(conn->sk, "remote_addr");
	char tx[16], rx[16], *peer, *rtt = out_ms(conn->sk, "srtt_us");

	peer = out_text(strchr(addr, ':') ? "[%s]:%s" : "%s:%s", addr,
			out_string(conn->sk, "remote_port"));
	mvprintw(row, 0, "%6u %-22.22s %7s %7s %9.9s %7s %3s/%-3s ", conn->id,
		 peer, human(conn->tx, tx, sizeof(tx)),
		 human(conn->rx, rx, sizeof(rx)), rtt,
		 out_string(conn->sk, "lost"), out_string(conn->sk, "nr_usable"),
		 out_string(conn->sk, "nr_paths"));
	free(peer);
	free(rtt);
	attrset(A_NORMAL);
	draw_history(conn, row, 73);
}

static chtype look(const char *state)
{
	if (strcmp(state, "good") == 0 || strcmp(state, "unknown") == 0)
		return COLOR_PAIR(1);
	if (strcmp(state, "suspect") == 0 || strcmp(state, "assumed-bad") == 0)
		return COLOR_PAIR(2) | A_BOLD;
	return COLOR_PAIR(3);
}

/* In columns of 40: two of them have room on the narrowest screen. */
static void draw_path(struct json_object *path, int row, int column)
{
	char *rtt = out_ms(path, "srtt_us");

	mvprintw(row, column, "%4s ", out_string(path, "index"));
	attrset(look(out_string(path, "state")));
	printw("%-11s", out_string(path, "state"));
	attrset(A_NORMAL);
	printw(" %8.8s %6s %6s", rtt, out_string(path, "lost"),
	       out_string(path, "ce"));
	free(rtt);
}

static void draw_paths(const struct conn *conn, int top)
{
	int rows = LINES - top - 2, columns = COLS / 40, column;
	struct json_object *list;
	size_t i;

	attrset(A_BOLD);
	mvprintw(top, 0, "Paths of connection %u", conn->id);
	for (column = 0; column < columns; column++)
		mvaddstr(top + 1, column * 40,
			 "Path State         RTT ms   Lost     CE");
	attrset(A_NORMAL);
	if (!json_object_object_get_ex(conn->sk, "paths", &list)) {
		mvaddstr(top + 2, 0, "not permitted");
		return;
	}
	if (rows < 1)
		return;
	for (i = 0; i < json_object_array_length(list); i++) {
		if ((int)i / rows >= columns)
			break;
		draw_path(json_object_array_get_idx(list, i),
			  top + 2 + i % rows, i / rows * 40);
	}
}

static int by_rate(const void *a, const void *b)
{
	const struct conn *const *x = a, *const *y = b;
	double left = (*x)->tx + (*x)->rx, right = (*y)->tx + (*y)->rx;

	if (left != right)
		return left < right ? 1 : -1;
	return (*x)->id < (*y)->id ? -1 : 1;
}

static void draw(const struct conns *conns, unsigned int *chosen)
{
	unsigned int i, top = 0, rows = (LINES - 4) / 3;
	const struct conn **order;
	double tx = 0, rx = 0;
	char text[2][16];

	order = calloc(conns->count + 1, sizeof(*order));
	if (!order)
		die("out of memory");
	for (i = 0; i < conns->count; i++) {
		order[i] = &conns->conn[i];
		tx += order[i]->tx;
		rx += order[i]->rx;
	}
	qsort(order, conns->count, sizeof(*order), by_rate);
	if (*chosen >= conns->count)
		*chosen = conns->count ? conns->count - 1 : 0;
	if (*chosen >= rows)
		top = *chosen - rows + 1;

	erase();
	mvprintw(0, 0, "%zu connections, %sB/s out, %sB/s in    %s",
		 conns->count, human(tx, text[0], sizeof(text[0])),
		 human(rx, text[1], sizeof(text[1])),
		 "q: quit, up, down: choose");
	attrset(A_BOLD);
	mvprintw(1, 0, "%6s %-22s %7s %7s %9s %7s %7s  %s", "ID", "Peer",
		 "Out/s", "In/s", "RTT ms", "Lost", "Usable", "Rate");
	attrset(A_NORMAL);
	for (i = 0; i < rows && top + i < conns->count; i++) {
		if (top + i == *chosen)
			attrset(A_REVERSE);
		draw_conn(order[top + i], 2 + i);
	}
	if (conns->count)
		draw_paths(order[*chosen], 3 + (conns->count < rows ?
						conns->count : rows));
	free(order);
	refresh();
}

static void leave(void)
{
	endwin();
}

static void enter(void)
{
	setlocale(LC_ALL, "");
	initscr();
	before_die = leave;
	cbreak();
	noecho();
	curs_set(0);
	keypad(stdscr, TRUE);
	if (has_colors()) {
		start_color();
		use_default_colors();
		init_pair(1, COLOR_GREEN, -1);
		init_pair(2, COLOR_RED, -1);
		init_pair(3, COLOR_YELLOW, -1);
	}
}

/* Returns false when it is time to leave. */
static bool keys(const struct conns *conns, unsigned int *chosen, double until)
{
	double left;

	while ((left = until - seconds()) > 0) {
		timeout(left * 1000 + 1);
		switch (getch()) {
		case 'q':
			return false;
		case KEY_UP:
			*chosen -= *chosen > 0;
			break;
		case KEY_DOWN:
			++*chosen;
			break;
		case ERR:
			continue;
		}
		draw(conns, chosen);
	}
	return true;
}

int verb_top(int argc, char **argv)
{
	unsigned int chosen = 0;
	struct conns old, new;
	double delay = 1;
	int option;

	while ((option = getopt(argc, argv, "d:h")) != -1) {
		switch (option) {
		case 'd':
			delay = atof(optarg);
			break;
		case 'h':
			printf("usage: mrc [-n NETNS] %s\n"
			       "  -d SECONDS  between two looks, 1 by default\n",
			       usage);
			return 0;
		default:
			usage_error(usage);
		}
	}
	if (optind < argc || delay < 0.1)
		usage_error(usage);
	old = get();
	enter();
	draw(&old, &chosen);
	while (keys(&old, &chosen, old.when + delay)) {
		new = get();
		compare(&old, &new);
		drop(&old);
		old = new;
		draw(&old, &chosen);
	}
	drop(&old);
	leave();
	return 0;
}
