// SPDX-License-Identifier: LGPL-2.1
/*
 * doing FILE TID SECONDS: prints what thread TID was doing SECONDS seconds after
 * the first event of the trace FILE, and when the thread waited longest for a
 * CPU or for something else.
 */
#include <stdio.h>
#include <stdlib.h>

#include <lkst/model.h>

static int64_t first_ns; /* time of the first event */

static double seconds(int64_t time_ns)
{
	return (double)(time_ns - first_ns) / 1e9;
}

static void print(const struct lkst_thread_span *span)
{
	static const char *const states[] = {
		"unknown",
		"running",
		"waiting for a CPU",
		"blocked",
	};

	printf("  %s from %s%.9f to %.9f", states[span->state],
	       span->begin_known ? "" : "at most ", seconds(span->begin_ns),
	       seconds(span->end_ns));
	if (span->syscall != LKST_SYSCALL_NONE)
		printf(" in system call %d", span->syscall);
	if (span->state == LKST_STATE_RUNNING)
		printf(" on CPU %d", span->cpu);
	if (span->wake.known)
		printf("\n  woken up by %s", span->wake.context < 0 ? "" : "an interrupt of ");
	if (span->wake.thread)
		printf("%s-%u", span->wake.thread->name, span->wake.thread->tid);
	else if (span->wake.known)
		printf("the idle thread");
	putchar('\n');
}

static void answer(const struct lkst_history *history, const struct lkst_thread *thread,
		   int64_t time_ns)
{
	struct lkst_thread_span span, longest = { .thread = NULL };

	printf("%s-%u at %.9f:\n", thread->name, thread->tid, seconds(time_ns));
	if (lkst_history_thread_at(history, thread, time_ns, &span))
		print(&span);
	else
		puts("  not recorded");
	for (size_t i = 0; lkst_history_thread_span(history, thread, i, &span); i++)
		if ((span.state == LKST_STATE_RUNNABLE || span.state == LKST_STATE_BLOCKED) &&
		    (!longest.thread ||
		     span.end_ns - span.begin_ns > longest.end_ns - longest.begin_ns))
			longest = span;
	if (longest.thread) {
		puts("longest wait:");
		print(&longest);
	}
}

static int run(struct lkst_model *model, struct lkst_history *history, char **argv,
	       struct lkst_error *err)
{
	struct lkst_model_window window = { .begin_ns = INT64_MIN, .end_ns = INT64_MAX };
	struct lkst_trace *trace = lkst_trace_open(argv[1], NULL, err);
	uint32_t tid = (uint32_t)strtoul(argv[2], NULL, 0);
	const struct lkst_thread *thread;
	struct lkst_event event;
	int64_t time_ns;
	int ret = -1;

	if (!trace || lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err) ||
	    lkst_trace_next(trace, &event, err) < 0)
		goto out;
	first_ns = event.time_ns;
	time_ns = first_ns + (int64_t)(atof(argv[3]) * 1e9);
	ret = lkst_model_read(model, trace, &window, err);
	if (ret)
		goto out;
	thread = lkst_model_find_at(model, window.source, tid, time_ns);
	if (thread)
		answer(history, thread, time_ns);
	else
		printf("no thread %u is known at that time\n", tid);
out:
	lkst_trace_close(trace);
	return ret;
}

int main(int argc, char **argv)
{
	struct lkst_history *history = NULL;
	struct lkst_model *model;
	struct lkst_error err;
	int ret = -1;

	if (argc != 4) {
		fprintf(stderr, "usage: doing FILE TID SECONDS\n");
		return 2;
	}
	model = lkst_model_new(false, &err);
	if (model)
		history = lkst_history_new(model, 0, &err);
	if (history)
		ret = run(model, history, argv, &err);
	if (ret)
		fprintf(stderr, "doing: %s\n", err.text);
	lkst_history_free(history);
	lkst_model_free(model);
	return ret ? EXIT_FAILURE : EXIT_SUCCESS;
}
