/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the lab's traffic program, see flow.c. */
#ifndef _LAB_FLOW_H
#define _LAB_FLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_GAPS	2000
#define MAX_SPINES	64

enum kind { MRC, TCP, MPTCP };

/* A wait for data that is worth a note */
struct gap {
	uint64_t at_ns;		/* when it began */
	uint64_t len_ns;
};

/**
 * struct flow - one connection and what is recorded of it
 * @name: of the group it was given in
 * @kind: protocol
 * @from: network namespace that connects and sends
 * @to: the one that listens and receives
 * @addr: address to connect to
 * @cc: TCP's congestion control, or NULL for the default
 * @port: the listener's, one for each flow
 * @bytes: to send, 0: until the end
 * @msg: bytes of a request, sent one at a time and echoed; 0: a bulk flow
 * @start_ns: when to connect
 * @hold: leave the connection open after @bytes
 * @listener: the socket that listens
 * @tx: the socket that connects
 * @rx: the one that was accepted
 * @started: @tx was told to connect
 * @connected: it is
 * @failed: errno of the first call that failed
 * @maxseg: payload of a full segment
 * @sent: bytes written to @tx
 * @got: bytes read from @rx
 * @echoed: bytes read from @tx
 * @connected_ns: when the handshake was over
 * @last_ns: when @rx was last read, or @connected_ns
 * @done_ns: when all of @bytes was read; 0: not yet
 * @bins: bytes read in each bin of time
 * @gaps: waits longer than gap_min_ns
 * @nr_gaps: number of these
 * @rtts: of messages, in ns
 * @nr_rtts: number of these
 * @asked_ns: when the current message was sent
 *
 * All times are since the program's start.
 */
struct flow {
	char *name;
	enum kind kind;
	char *from;
	char *to;
	char *addr;
	char *cc;
	int port;
	uint64_t bytes;
	unsigned int msg;
	uint64_t start_ns;
	bool hold;

	int listener;
	int tx;
	int rx;
	bool started;
	bool connected;
	int failed;
	int maxseg;
	uint64_t sent;
	uint64_t got;
	uint64_t echoed;
	uint64_t connected_ns;
	uint64_t last_ns;
	uint64_t done_ns;
	uint32_t *bins;
	struct gap *gaps;
	unsigned int nr_gaps;
	uint64_t *rtts;
	unsigned int nr_rtts;
	uint64_t asked_ns;
};

/* What one leaf's links to the spines had carried at a time */
struct sample {
	uint64_t at_ns;
	uint64_t bytes[2][MAX_SPINES];
	uint64_t packets[2][MAX_SPINES];
};

extern struct flow *flows;
extern unsigned int nr_flows;
extern uint64_t end_ns, bin_ns, gap_min_ns, sample_ns;
extern unsigned int nr_spines;
/* Flows that are to be waited for */
extern unsigned int unfinished;
extern int epoll;
/* The leaf that @flows send into, and the one that they come out of */
extern char *leaves[2];

uint64_t now_ns(void);
void enter(const char *netns);

/* What an event of epoll is about: the flow's index << 2 | this */
enum role { LISTENER, SENDER, RECEIVER };

void make_sockets(struct flow *flow);
void start_connecting(struct flow *flow);
void on_listener(struct flow *flow);
void on_sender(struct flow *flow);
void on_receiver(struct flow *flow);

void add_flows(char *text);
void open_samples(void);
void take_sample(void);
void print_results(FILE *f, uint64_t stopped_ns);

#endif /* _LAB_FLOW_H */
