// SPDX-License-Identifier: GPL-2.0-only
/* What flow is told, and what it tells. */
#define _GNU_SOURCE
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include "flow.h"

static struct sample *samples;
static unsigned int nr_samples;
static FILE *devices[2];

static void *zalloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		err(1, "memory");
	return p;
}

static enum kind parse_kind(const char *text)
{
	static const char *const names[] = { "mrc", "tcp", "mptcp" };
	int i;

	for (i = 0; i < 3; i++)
		if (!strcmp(text, names[i]))
			return i;
	errx(2, "no such kind: %s", text);
}

/* Returns how many flows shall be like this one. */
static int parse_flow(struct flow *flow, char *text)
{
	char *pair, *key;
	int n = 1;

	flow->name = strsep(&text, ":");
	flow->port = 5000;
	while ((pair = strsep(&text, ","))) {
		key = strsep(&pair, "=");
		if (!pair)
			errx(2, "%s: no value", key);
		if (!strcmp(key, "kind"))
			flow->kind = parse_kind(pair);
		else if (!strcmp(key, "from"))
			flow->from = pair;
		else if (!strcmp(key, "to"))
			flow->to = pair;
		else if (!strcmp(key, "addr"))
			flow->addr = pair;
		else if (!strcmp(key, "cc"))
			flow->cc = *pair ? pair : NULL;
		else if (!strcmp(key, "port"))
			flow->port = atoi(pair);
		else if (!strcmp(key, "n"))
			n = atoi(pair);
		else if (!strcmp(key, "bytes"))
			flow->bytes = strtoull(pair, NULL, 0);
		else if (!strcmp(key, "msg"))
			flow->msg = atoi(pair);
		else if (!strcmp(key, "start"))
			flow->start_ns = strtoull(pair, NULL, 0) * 1000000;
		else if (!strcmp(key, "hold"))
			flow->hold = atoi(pair);
		else
			errx(2, "no such key: %s", key);
	}
	if (!flow->from || !flow->to || !flow->addr)
		errx(2, "%s: from, to and addr are needed", flow->name);
	return n;
}

void add_flows(char *text)
{
	struct flow model = { .tx = -1, .rx = -1, .listener = -1 }, *flow;
	int i, n = parse_flow(&model, text);

	flows = realloc(flows, (nr_flows + n) * sizeof(*flows));
	if (!flows)
		err(1, "memory");
	for (i = 0; i < n; i++) {
		flow = &flows[nr_flows++];
		*flow = model;
		flow->port += i;
		flow->bins = zalloc(end_ns / bin_ns + 1, sizeof(*flow->bins));
		flow->gaps = zalloc(MAX_GAPS, sizeof(*flow->gaps));
	}
}

/* A file of /proc stays with the namespace that it was opened in. */
void open_samples(void)
{
	int leaf;

	for (leaf = 0; leaf < 2; leaf++) {
		enter(leaves[leaf]);
		devices[leaf] = fopen("/proc/thread-self/net/dev", "r");
		if (!devices[leaf])
			err(1, "/proc/net/dev");
	}
}

/* The leaves' links to spines are called s1, s2 and so on. */
void take_sample(void)
{
	unsigned long long rx[2], tx[2];
	struct sample *sample;
	unsigned int i, leaf;
	char line[256];

	if (!(nr_samples & (nr_samples + 1)))
		samples = realloc(samples,
				  (2 * nr_samples + 2) * sizeof(*samples));
	if (!samples)
		err(1, "memory");
	sample = &samples[nr_samples++];
	sample->at_ns = now_ns();
	for (leaf = 0; leaf < 2; leaf++) {
		rewind(devices[leaf]);
		while (fgets(line, sizeof(line), devices[leaf])) {
			if (sscanf(line, " s%u: %llu %llu %*u %*u %*u %*u %*u"
				   " %*u %llu %llu", &i, &rx[0], &rx[1],
				   &tx[0], &tx[1]) != 5 ||
			    i < 1 || i > nr_spines)
				continue;
			sample->bytes[leaf][i - 1] = leaf ? rx[0] : tx[0];
			sample->packets[leaf][i - 1] = leaf ? rx[1] : tx[1];
		}
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static double quantile_us(const struct flow *flow, double q)
{
	return flow->rtts[(unsigned int)(q * (flow->nr_rtts - 1))] / 1e3;
}

static void print_rtts(FILE *f, struct flow *flow)
{
	if (!flow->nr_rtts)
		return;
	qsort(flow->rtts, flow->nr_rtts, sizeof(*flow->rtts), compare);
	fprintf(f, ",\"rtts\":{\"n\":%u,\"p50_us\":%.1f,\"p90_us\":%.1f,",
		flow->nr_rtts, quantile_us(flow, 0.5), quantile_us(flow, 0.9));
	fprintf(f, "\"p99_us\":%.1f,\"p999_us\":%.1f,\"max_us\":%.1f}",
		quantile_us(flow, 0.99), quantile_us(flow, 0.999),
		quantile_us(flow, 1));
}

/* A flow that hangs has no read that would end its last wait. */
static void print_gaps(FILE *f, struct flow *flow, uint64_t stopped_ns)
{
	unsigned int i;

	if (flow->last_ns && !flow->done_ns && flow->nr_gaps < MAX_GAPS &&
	    stopped_ns - flow->last_ns >= gap_min_ns)
		flow->gaps[flow->nr_gaps++] = (struct gap)
			{ flow->last_ns, stopped_ns - flow->last_ns };
	fprintf(f, ",\"gaps_us\":[");
	for (i = 0; i < flow->nr_gaps; i++)
		fprintf(f, "%s[%.1f,%.1f]", i ? "," : "",
			flow->gaps[i].at_ns / 1e3, flow->gaps[i].len_ns / 1e3);
	fputc(']', f);
}

static void print_flow(FILE *f, struct flow *flow, uint64_t stopped_ns)
{
	uint64_t i;

	fprintf(f, "{\"name\":\"%s\",\"maxseg\":%d,\"bytes\":%llu,",
		flow->name, flow->maxseg, (unsigned long long)flow->got);
	fprintf(f, "\"start_us\":%.1f,\"connected_us\":%.1f,\"done_us\":%.1f",
		flow->start_ns / 1e3, flow->connected_ns / 1e3,
		flow->done_ns / 1e3);
	if (flow->failed)
		fprintf(f, ",\"error\":\"%s\"",
			strerrorname_np(flow->failed));
	print_rtts(f, flow);
	if (!flow->msg) {
		print_gaps(f, flow, stopped_ns);
		fprintf(f, ",\"bins\":[");
		for (i = 0; i < end_ns / bin_ns; i++)
			fprintf(f, "%s%u", i ? "," : "", flow->bins[i]);
		fputc(']', f);
	}
	fputc('}', f);
}

static void print_row(FILE *f, const char *name, const uint64_t *row)
{
	unsigned int i;

	fprintf(f, ",\"%s\":[", name);
	for (i = 0; i < nr_spines; i++)
		fprintf(f, "%s%llu", i ? "," : "",
			(unsigned long long)row[i]);
	fputc(']', f);
}

static void print_sample(FILE *f, const struct sample *sample)
{
	fprintf(f, "{\"at_us\":%.1f", sample->at_ns / 1e3);
	print_row(f, "in_bytes", sample->bytes[0]);
	print_row(f, "in_packets", sample->packets[0]);
	print_row(f, "out_bytes", sample->bytes[1]);
	print_row(f, "out_packets", sample->packets[1]);
	fputc('}', f);
}

void print_results(FILE *f, uint64_t stopped_ns)
{
	unsigned int i;

	fprintf(f, "{\"stopped_us\":%.1f,\"bin_us\":%llu,\n\"flows\":[\n",
		stopped_ns / 1e3, (unsigned long long)bin_ns / 1000);
	for (i = 0; i < nr_flows; i++) {
		print_flow(f, &flows[i], stopped_ns);
		fputs(i + 1 < nr_flows ? ",\n" : "\n", f);
	}
	fputs("],\n\"samples\":[\n", f);
	for (i = 0; i < nr_samples; i++) {
		print_sample(f, &samples[i]);
		fputs(i + 1 < nr_samples ? ",\n" : "\n", f);
	}
	fputs("]}\n", f);
	if (fclose(f))
		err(1, "results");
}
