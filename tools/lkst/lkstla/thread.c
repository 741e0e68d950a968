// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla thread: how the threads of a process spent their time, which system calls they made, and
 * which threads and interrupts woke them up. The data of all threads is collected, because threads
 * are selected by name, and a thread may get its name late in the trace.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "tally.h"
#include "thread.h"
#include "value.h"

/* Damaged input can contain any number of different system calls and wake-ups. */
#define THREADS_ENTRIES_MAX (1u << 17)
#define THREADS_ERRNO_MAX   4095

static void threads_sum_add(struct thread_sum *to, int64_t ns, int64_t end_ns, bool counted)
{
	to->times += counted;
	to->total_ns = tally_sum(to->total_ns, ns);
	if (ns > to->max_ns) {
		to->max_ns = ns;
		to->max_at_ns = end_ns;
	}
}

static void threads_sum_merge(struct thread_sum *to, const struct thread_sum *from)
{
	to->times += from->times;
	to->total_ns = tally_sum(to->total_ns, from->total_ns);
	if (from->max_ns > to->max_ns) {
		to->max_ns = from->max_ns;
		to->max_at_ns = from->max_at_ns;
	}
}

/*
 * Find or add a struct thread_part, and return its sum. Returns NULL if an allocation failed, or if
 * there are too many parts. In the latter case, the time of the new part is not counted, and
 * appears as unknown time of the thread.
 */
static struct thread_sum *threads_part(struct threads *threads, uint32_t index,
				       enum lkst_state state, unsigned int letter, uint64_t cause)
{
	const uint64_t key[HASH_WORDS] = { index, (uint64_t)state << 8 | letter, cause };
	struct thread_part *part;

	if (hash_add(&threads->parts, key, &part) == HASH_NO_MEMORY)
		run_out_of_memory(threads->run);
	return part ? &part->sum : NULL;
}

/* Count all pending time of a thread as time for @cause. If @cause is CAUSE_PENDING, do nothing. */
static void threads_settle(struct threads *threads, struct thread_times *times, uint32_t index,
			   uint64_t cause)
{
	if (cause == CAUSE_PENDING)
		return;
	for (unsigned int letter = 0; letter <= CAUSE_OTHER; letter++) {
		struct thread_sum *pending = &times->pending[letter], *sum;

		if (!pending->times && !pending->total_ns)
			continue;
		sum = threads_part(threads, index, LKST_STATE_BLOCKED, letter, cause);
		if (sum)
			threads_sum_merge(sum, pending);
		*pending = (struct thread_sum){ 0 };
	}
}

static void threads_running(struct thread_times *times, const struct lkst_thread_span *span,
			    int64_t left_ns)
{
	/*
	 * The times by mode should add up to the length of the span. Limit them in case they do
	 * not.
	 */
	for (int mode = 0; mode < LKST_MODE_NUM; mode++) {
		int64_t ns = span->mode_ns[mode] < left_ns ? span->mode_ns[mode] : left_ns;

		if (ns <= 0)
			continue;
		times->mode_ns[mode] = tally_sum(times->mode_ns[mode], ns);
		left_ns -= ns;
	}
	times->mode_ns[LKST_MODE_UNKNOWN] = tally_sum(times->mode_ns[LKST_MODE_UNKNOWN], left_ns);
}

static void threads_runnable(struct threads *threads, const struct lkst_thread_span *span,
			     int64_t ns)
{
	enum thread_runnable cause = THREAD_UNKNOWN;
	struct thread_sum *sum;

	if (span->preempted)
		cause = THREAD_PREEMPTED;
	else if (span->begin_known || span->wake.known)
		cause = THREAD_WOKEN;
	sum = threads_part(threads, span->thread->index, LKST_STATE_RUNNABLE, 0, cause);
	if (sum)
		threads_sum_add(sum, ns, span->end_ns, span->begin_known);
}

static void threads_blocked(struct threads *threads, struct thread_times *times,
			    const struct lkst_thread_span *span, int64_t ns)
{
	unsigned int letter = cause_letter(span->letter);
	struct thread_sum *sum = &times->pending[letter];
	uint64_t settled, cause = cause_blocked(&times->call, span, &settled);

	threads_settle(threads, times, span->thread->index, settled);
	threads->calls_seen |= span->syscall != LKST_SYSCALL_NONE;
	if (cause != CAUSE_PENDING)
		sum = threads_part(threads, span->thread->index, LKST_STATE_BLOCKED, letter, cause);
	if (sum)
		threads_sum_add(sum, ns, span->end_ns, span->begin_known);
}

/* Find or add what was collected about a thread. Returns NULL if an allocation failed. */
static struct thread_times *threads_times(struct threads *threads, const struct lkst_thread *thread)
{
	struct thread_times *times =
		tally_cover(threads->times, &threads->room, thread->index, sizeof(*times));

	if (!times) {
		run_out_of_memory(threads->run);
		return NULL;
	}
	threads->times = times;
	return &times[thread->index];
}

static int64_t threads_clip(const struct run *run, int64_t time_ns)
{
	if (time_ns < run->begin_ns)
		return run->begin_ns;
	return time_ns < run->end_ns ? time_ns : run->end_ns;
}

static void threads_span(void *ctx, const struct lkst_thread_span *span)
{
	struct threads *threads = ctx;
	struct thread_times *times = threads_times(threads, span->thread);
	int64_t begin_ns = threads_clip(threads->run, span->begin_ns);
	int64_t end_ns = threads_clip(threads->run, span->end_ns), ns;

	if (!times)
		return;
	if (!times->thread) {
		times->thread = span->thread;
		times->begin_ns = begin_ns;
		times->end_ns = begin_ns;
	}
	cause_begin(&times->call, span->thread);
	/*
	 * The spans of a thread should lie in the window and not overlap. Make sure that the rows
	 * add up to the window even if they do not.
	 */
	ns = tally_length(begin_ns > times->end_ns ? begin_ns : times->end_ns, end_ns);
	times->end_ns = end_ns > times->end_ns ? end_ns : times->end_ns;
	times->selected |= run_selects(threads->run, span->thread);
	times->ended |= span->end == LKST_END_EXIT;
	switch (span->state) {
	case LKST_STATE_RUNNING:
		threads_running(times, span, ns);
		break;
	case LKST_STATE_RUNNABLE:
		threads_runnable(threads, span, ns);
		break;
	case LKST_STATE_BLOCKED:
		threads_blocked(threads, times, span, ns);
		break;
	default:
		/* The thread may have entered and left system calls during this span. */
		threads_settle(threads, times, span->thread->index, CAUSE_UNKNOWN);
		times->call.known = false;
	}
}

static void threads_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	const uint64_t key[HASH_WORDS] = { span->thread->index,
					   (uint64_t)(uint32_t)span->number << 8 | span->abi };
	struct threads *threads = ctx;
	struct thread_times *times = threads_times(threads, span->thread);
	struct thread_call *call;

	threads->calls_seen = true;
	paths_call(&threads->paths, span);
	if (times)
		threads_settle(threads, times, span->thread->index,
			       cause_returned(&times->call, span));
	if (hash_add_row(&threads->calls, key, &call) == HASH_NO_MEMORY) {
		run_out_of_memory(threads->run);
		return;
	}
	call->thread = span->thread;
	if (tally_length(span->begin_ns, span->end_ns) > call->calls.max_ns) {
		call->file = value_call_file(threads->run, span);
		paths_keep(&threads->paths, span, &call->paths);
	}
	threads_sum_add(&call->calls, tally_length(span->begin_ns, span->end_ns), span->end_ns,
			true);
	call->errors += span->end_known && span->result < 0 && span->result >= -THREADS_ERRNO_MAX;
	for (int state = 0; state < LKST_STATE_NUM; state++)
		call->state_ns[state] = tally_sum(call->state_ns[state], span->state_ns[state]);
}

static void threads_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	const struct waker waker = waker_of(wake);
	const uint64_t key[HASH_WORDS] = { thread->index, waker_kind_key(&waker), waker.number };
	struct threads *threads = ctx;
	struct thread_wake *entry;

	if (hash_add_row(&threads->wakes, key, &entry) == HASH_NO_MEMORY) {
		run_out_of_memory(threads->run);
		return;
	}
	entry->woken = thread;
	entry->waker = waker;
	entry->times++;
}

static void threads_event(void *ctx, const struct lkst_event *event)
{
	struct threads *threads = ctx;

	paths_event(&threads->paths, event);
}

static void threads_loss(void *ctx, const struct lkst_loss *loss)
{
	struct threads *threads = ctx;

	(void)loss;
	paths_loss(&threads->paths);
}

static void *threads_start(const struct run *run, struct lkst_error *err)
{
	struct threads *threads = calloc(1, sizeof(*threads));

	if (!threads) {
		lkst_error_memory(err, "thread");
		return NULL;
	}
	threads->run = run;
	paths_init(&threads->paths, run);
	threads->parts =
		(struct hash){ .size = sizeof(struct thread_part), .max = THREADS_ENTRIES_MAX };
	threads->calls =
		(struct hash){ .size = sizeof(struct thread_call), .max = THREADS_ENTRIES_MAX };
	threads->wakes =
		(struct hash){ .size = sizeof(struct thread_wake), .max = THREADS_ENTRIES_MAX };
	return threads;
}

static int threads_finish(void *ctx, const struct run *run, struct tables *to,
			  struct lkst_error *err)
{
	struct threads *threads = ctx;

	for (size_t i = 0; i < threads->room; i++)
		threads_settle(threads, &threads->times[i], (uint32_t)i, CAUSE_UNKNOWN);
	return threads_report(threads, run, to, err);
}

static void threads_free(void *ctx)
{
	struct threads *threads = ctx;

	free(threads->times);
	hash_free(&threads->parts);
	hash_free(&threads->calls);
	hash_free(&threads->wakes);
	paths_free(&threads->paths);
	free(threads);
}

static const char *const thread_needs[] = { "PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP", NULL };
static const char *const thread_helps[] = {
	"PROCESS_WAKING", "PROCESS_STATE", "SYSCALL_ENTRY", "SYSCALL_EXIT", "SYSCALL_PATH", NULL,
};

const struct analysis analysis_thread = {
	.name = "thread",
	.summary = "where the time of a process went, thread by thread",
	.about =
		"For each thread of the processes: where the window went (the times add up to\n"
		"it), its system calls, what woke the thread up, and which threads it woke up.\n"
		"\"times\" counts the spans that began in the window, and \"at\" is the time at which\n"
		"the longest ended. \"wait\" is the time in which the thread was runnable and\n"
		"waited for a CPU. --over leaves out waits, causes and system calls that never\n"
		"took that long.\n",
	.operands = "PROCESS...",
	.operands_select = true,
	.refuses = {
		[ANALYSIS_CPU] = "a thread runs on several CPUs; lkstla sched has -c",
	},
	.needs = thread_needs,
	.helps = thread_helps,
	.ops = {
		.thread = threads_span,
		.syscall = threads_syscall,
		.wake = threads_wake,
		.loss = threads_loss,
		.event = threads_event,
	},
	.start = threads_start,
	.report = threads_finish,
	.free = threads_free,
};
