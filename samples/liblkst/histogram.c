// SPDX-License-Identifier: LGPL-2.1
/*
 * histogram FILE [BEGIN END]: prints a histogram of the time from an event BEGIN
 * of a thread to its next event END. Default: entry and exit of system calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include <lkst/lkst.h>

#define BUCKETS	   40 /* bucket i starts at 2^i ns */
#define THREADS	   (1u << 16)
#define BAR_COLUMN 50

struct thread {
	uint32_t tid;
	int64_t since; /* time of the newest BEGIN, in ns; 0 after its END */
};

struct histogram {
	uint64_t count[BUCKETS];
	uint64_t most;
	/*
	 * Indexed by tid % THREADS. If several threads share an index, the
	 * entry belongs to the thread with the newest BEGIN.
	 */
	struct thread thread[THREADS];
};

static void report(void *ctx, const char *text)
{
	(void)ctx;
	fprintf(stderr, "histogram: %s\n", text);
}

static void took(struct histogram *histogram, int64_t ns)
{
	unsigned int bucket = 0;

	while (ns > 1 && bucket < BUCKETS - 1) {
		ns >>= 1;
		bucket++;
	}
	if (++histogram->count[bucket] > histogram->most)
		histogram->most = histogram->count[bucket];
}

static int count(struct histogram *histogram, struct lkst_trace *trace, uint32_t begin,
		 uint32_t end, struct lkst_error *err)
{
	struct lkst_event event;
	int ret = lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err);

	while (!ret && (ret = lkst_trace_next(trace, &event, err)) > 0) {
		struct thread *thread = &histogram->thread[event.tid % THREADS];

		if (event.type == end && thread->tid == event.tid && thread->since) {
			took(histogram, event.time_ns - thread->since);
			thread->since = 0;
		}
		if (event.type == begin)
			*thread = (struct thread){ event.tid, event.time_ns };
		ret = 0;
	}
	return ret;
}

static void print(const struct histogram *histogram)
{
	static const char *const unit[] = { "ns", "us", "ms", "s" };
	unsigned int first = 0, last = BUCKETS;

	while (first < BUCKETS && !histogram->count[first])
		first++;
	while (last > first && !histogram->count[last - 1])
		last--;
	for (unsigned int i = first; i < last; i++) {
		uint64_t n = histogram->count[i];
		unsigned int bar = (unsigned int)(n * BAR_COLUMN / histogram->most);

		/* The labels treat 2^10 as 1000, which is close enough. */
		printf("%4u %-2s %10llu ", 1u << i % 10, unit[i / 10], (unsigned long long)n);
		while (bar--)
			putchar('#');
		putchar('\n');
	}
}

int main(int argc, char **argv)
{
	const struct lkst_trace_hooks hooks = { .report = report };
	struct histogram *histogram = calloc(1, sizeof(*histogram));
	struct lkst_etypes *types = NULL;
	struct lkst_trace *trace;
	struct lkst_error err;
	int begin = -1, end = -1, status = EXIT_FAILURE;

	if ((argc != 2 && argc != 4) || !histogram) {
		fprintf(stderr, "usage: histogram FILE [BEGIN END]\n");
		return 2;
	}
	trace = lkst_trace_open(argv[1], &hooks, &err);
	if (trace)
		types = lkst_trace_etypes(trace, &err);
	if (types)
		begin = lkst_etypes_find(types, argc == 4 ? argv[2] : "system_call_entry", &err);
	if (begin >= 0)
		end = lkst_etypes_find(types, argc == 4 ? argv[3] : "system_call_exit", &err);
	if (end < 0 || count(histogram, trace, (uint32_t)begin, (uint32_t)end, &err)) {
		report(NULL, err.text);
	} else {
		print(histogram);
		status = EXIT_SUCCESS;
	}
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	free(histogram);
	return status;
}
