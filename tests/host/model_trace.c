// SPDX-License-Identifier: GPL-2.0
/*
 * model_trace FILE: compares a history with the spans that the state model reports, for the whole
 * trace and for a part of it, with a large and with a small memory limit. Aborts if the history
 * differs from the spans. Prints the numbers of threads and spans, or why the trace cannot be read.
 * model.t links this program with the installed library, so the program uses only functions that
 * the library exports.
 */
#include "history_check.h"
#include "must.h"

static size_t spans;

/* Compare a window. Returns the number of threads, or -1 on error. */
static long check(const char *path, struct lkst_model_window *window, uint64_t bytes,
		  struct lkst_error *err)
{
	struct lkst_trace *trace = lkst_trace_open(path, NULL, err);
	struct lkst_model *model = lkst_model_new(false, err);
	struct lkst_history *history = model ? lkst_history_new(model, bytes, err) : NULL;
	struct history_check *checks = history ? history_check_new(model, history) : NULL;
	long ret = -1;

	MUST(checks);
	if (trace && !lkst_model_read(model, trace, window, err)) {
		history_check_all(checks, bytes);
		MUST(!history_check_gaps(checks));
		MUST(!bytes || lkst_history_bytes(history) <= bytes);
		spans = history_check_spans(checks);
		ret = (long)lkst_model_threads(model);
	}
	history_check_free(checks);
	lkst_model_free(model);
	lkst_history_free(history);
	lkst_trace_close(trace);
	return ret;
}

/* Set the window to the middle half of a trace. */
static int find_window(const char *path, struct lkst_model_window *window, struct lkst_error *err)
{
	struct lkst_trace *trace = lkst_trace_open(path, NULL, err);
	struct lkst_event old = { 0 }, new = { 0 };
	int ret = -1;

	if (trace && !lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err) &&
	    lkst_trace_next(trace, &old, err) > 0 &&
	    !lkst_trace_rewind(trace, LKST_NEWEST_FIRST, err) &&
	    lkst_trace_next(trace, &new, err) > 0)
		ret = 0;
	window->begin_ns = old.time_ns + (new.time_ns - old.time_ns) / 4;
	window->end_ns = new.time_ns - (new.time_ns - old.time_ns) / 4;
	lkst_trace_close(trace);
	return ret;
}

int main(int argc, char **argv)
{
	struct lkst_model_window window = { 0 };
	struct lkst_error err = { 0 };
	long threads;
	size_t all;

	MUST(argc == 2);
	threads = check(argv[1], NULL, 0, &err);
	all = spans;
	if (threads < 0 || find_window(argv[1], &window, &err)) {
		printf("%s\n", err.text);
		return 1;
	}
	MUST(check(argv[1], &window, 0, &err) >= 0);
	MUST(spans <= all);
	check(argv[1], NULL, 64 << 10, &err);
	printf("%ld threads, %zu spans, %zu in the middle\n", threads, all, spans);
	return 0;
}
