// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla offcpu: where and why threads slept, and what woke them up. offcpu_stacks.c finds the
 * stacks of the sleeps.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/trace/trace.h"
#include "offcpu.h"
#include "tally.h"

/*
 * Maximum number of different sleeps. Without a limit, damaged input with many different numbers of
 * system calls could use up the memory.
 */
#define OFFCPU_SLEEPS_MAX (1u << 17)

struct offcpu_arguments {
	bool folded;
};

static const struct option_row offcpu_rows[] = {
	OPT_FLAG(0, "folded", struct offcpu_arguments, folded,
		 "lines of frames and microseconds, for flamegraph.pl"),
};

/*
 * Make the key of a sleep. The first word is the index of the thread, the second one is the state
 * letter and the context, and the third one is the cause. A kernel thread that executes a work item
 * is not in a system call, so its cause is the address of the function of the item.
 */
static void offcpu_key(uint64_t key[HASH_WORDS], const struct lkst_thread_span *span,
		       uint64_t cause)
{
	key[0] = span->thread->index;
	key[1] = cause_letter(span->letter);
	key[2] = cause;
	if (span->context == LKST_CONTEXT_WORK) {
		key[1] |= OFFCPU_WORK;
		key[2] = span->number;
	} else if (span->context == LKST_CONTEXT_EXCEPTION) {
		key[1] |= OFFCPU_EXCEPTION | (span->number & UINT32_MAX) << 32;
	}
}

/* Find or add the sleeps with a key. Returns NULL if an allocation failed. */
static struct offcpu_sleep *offcpu_sleep(struct offcpu *offcpu, const uint64_t key[HASH_WORDS],
					 const struct lkst_thread *thread)
{
	struct offcpu_sleep *sleep;

	if (hash_add_row(&offcpu->sleeps, key, &sleep) == HASH_NO_MEMORY) {
		run_out_of_memory(offcpu->run);
		return NULL;
	}
	sleep->thread = thread;
	return sleep;
}

/*
 * Add pending sleeps to the sleeps of their cause. They are removed from the table first, because
 * adding an entry may move other entries.
 */
static void offcpu_settle_sleep(struct offcpu *offcpu, struct offcpu_sleep *pending, uint64_t cause)
{
	const uint64_t key[HASH_WORDS] = { pending->head.key[0], pending->head.key[1], cause };
	struct offcpu_sleep from = *pending, *to;

	hash_remove(&offcpu->sleeps, pending);
	to = offcpu_sleep(offcpu, key, from.thread);
	if (to) {
		to->times += from.times;
		if (dist_merge(&to->blocked, &from.blocked) ||
		    waker_counts_merge(&to->wakers, &from.wakers))
			run_out_of_memory(offcpu->run);
	}
	dist_free(&from.blocked);
	waker_counts_free(&from.wakers);
}

/* Add a thread's pending sleeps to the sleeps of @cause. If it is CAUSE_PENDING, do nothing. */
static void offcpu_settle(struct offcpu *offcpu, struct offcpu_thread *thread, uint32_t index,
			  uint64_t cause)
{
	if (cause == CAUSE_PENDING || !thread->pending)
		return;
	for (unsigned int letter = 0; letter <= CAUSE_OTHER; letter++) {
		const uint64_t key[HASH_WORDS] = { index, letter, CAUSE_PENDING };
		struct offcpu_sleep *pending = NULL;

		if (thread->pending >> letter & 1)
			pending = hash_find(&offcpu->sleeps, key);
		if (pending)
			offcpu_settle_sleep(offcpu, pending, cause);
	}
	offcpu_settle_places(offcpu, thread, index, cause);
	thread->pending = 0;
	if (thread->last_key[1] <= CAUSE_OTHER && thread->last_key[2] == CAUSE_PENDING)
		thread->last_key[2] = cause;
}

static void offcpu_blocked(struct offcpu *offcpu, struct offcpu_thread *thread,
			   const struct lkst_thread_span *span)
{
	int64_t ns = tally_length(span->begin_ns, span->end_ns);
	uint64_t key[HASH_WORDS], settled, cause = cause_blocked(&thread->call, span, &settled);
	struct offcpu_sleep *sleep;

	offcpu_settle(offcpu, thread, span->thread->index, settled);
	offcpu->calls_seen |= span->syscall != LKST_SYSCALL_NONE;
	if (!run_selects(offcpu->run, span->thread))
		return;
	/*
	 * If the exception or work item of the sleep is known, do not wait for its system call to
	 * become known.
	 */
	if (cause == CAUSE_PENDING && span->context >= 0)
		cause = CAUSE_UNKNOWN;
	offcpu_key(key, span, cause);
	sleep = offcpu_sleep(offcpu, key, span->thread);
	if (!sleep)
		return;
	if (span->context < 0 && cause == CAUSE_PENDING)
		thread->pending |= (uint8_t)(1u << cause_letter(span->letter));
	sleep->times += span->begin_known;
	if (dist_add(&sleep->blocked, ns, span->end_ns))
		run_out_of_memory(offcpu->run);
	thread->slept = thread->unplaced = true;
	thread->last_begun = span->begin_known;
	thread->last = span->thread;
	thread->last_key[1] = key[1];
	thread->last_key[2] = key[2];
	thread->last_ns = ns;
	thread->last_end_ns = span->end_ns;
}

/* Count what woke up a thread that waits for a CPU after a sleep. */
static void offcpu_woken(struct offcpu *offcpu, struct offcpu_thread *thread,
			 const struct lkst_thread_span *span)
{
	const uint64_t key[HASH_WORDS] = { span->thread->index, thread->last_key[1],
					   thread->last_key[2] };
	const struct waker waker = waker_of(&span->wake);
	struct offcpu_sleep *sleep;

	if (!thread->slept)
		return;
	thread->slept = false;
	sleep = offcpu_sleep(offcpu, key, span->thread);
	if (sleep && waker_counts_add(&sleep->wakers, &waker, 1, thread->last_ns))
		run_out_of_memory(offcpu->run);
}

/**
 * offcpu_thread() - find the data about a thread
 * @offcpu: what is collected
 * @thread: thread
 *
 * Return: the state, valid until the next call; NULL if an allocation failed.
 */
struct offcpu_thread *offcpu_thread(struct offcpu *offcpu, const struct lkst_thread *thread)
{
	struct offcpu_thread *to =
		tally_cover(offcpu->thread, &offcpu->room, thread->index, sizeof(*to));

	if (!to) {
		run_out_of_memory(offcpu->run);
		return NULL;
	}
	offcpu->thread = to;
	return &to[thread->index];
}

static void offcpu_span(void *ctx, const struct lkst_thread_span *span)
{
	struct offcpu *offcpu = ctx;
	struct offcpu_thread *thread = offcpu_thread(offcpu, span->thread);

	if (!thread)
		return;
	cause_begin(&thread->call, span->thread);
	if (offcpu->stacks_wanted)
		offcpu_place_ended(offcpu, thread, span->state);
	switch (span->state) {
	case LKST_STATE_BLOCKED:
		offcpu_blocked(offcpu, thread, span);
		return;
	case LKST_STATE_RUNNABLE:
		offcpu_woken(offcpu, thread, span);
		return;
	case LKST_STATE_UNKNOWN:
		/* The thread may have entered and left system calls during this span. */
		offcpu_settle(offcpu, thread, span->thread->index, CAUSE_UNKNOWN);
		thread->call.known = false;
		break;
	default:
		break;
	}
	thread->slept = false;
}

static void offcpu_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct offcpu *offcpu = ctx;
	struct offcpu_thread *thread = offcpu_thread(offcpu, span->thread);

	offcpu->calls_seen = true;
	if (thread)
		offcpu_settle(offcpu, thread, span->thread->index,
			      cause_returned(&thread->call, span));
}

static void *offcpu_start(const struct run *run, struct lkst_error *err)
{
	struct offcpu *offcpu = calloc(1, sizeof(*offcpu));

	if (!offcpu) {
		lkst_error_memory(err, "offcpu");
		return NULL;
	}
	offcpu->run = run;
	offcpu->sleeps =
		(struct hash){ .size = sizeof(struct offcpu_sleep), .max = OFFCPU_SLEEPS_MAX };
	offcpu->places =
		(struct hash){ .size = sizeof(struct offcpu_place), .max = OFFCPU_SLEEPS_MAX };
	stacks_init(&offcpu->stacks, run);
	/* Unit tests run analyses without a trace. */
	offcpu->stacks_wanted = !run->trace ||
				lkst_trace_has_type(run->trace, LKST_ETYPE_PROCESS_BLOCK);
	return offcpu;
}

static int offcpu_report(void *ctx, const struct run *run, struct tables *to,
			 struct lkst_error *err)
{
	const struct offcpu_arguments *own = run->own;
	struct offcpu *offcpu = ctx;

	for (size_t i = 0; i < offcpu->room; i++) {
		offcpu_settle(offcpu, &offcpu->thread[i], (uint32_t)i, CAUSE_UNKNOWN);
		offcpu_place_sleep(offcpu, &offcpu->thread[i]);
	}
	to->printed = own->folded;
	if (own->folded)
		return offcpu->stacks_seen ? offcpu_print_folded_places(offcpu, err) :
					     offcpu_print_folded(offcpu, err);
	if (offcpu_report_table(offcpu, to, err))
		return -1;
	return offcpu->stacks_seen ? offcpu_report_places(offcpu, to, err) : 0;
}

static void offcpu_free(void *ctx)
{
	struct offcpu *offcpu = ctx;
	struct offcpu_sleep *sleep;
	size_t at = 0;

	while ((sleep = hash_next(&offcpu->sleeps, &at)) != NULL) {
		dist_free(&sleep->blocked);
		waker_counts_free(&sleep->wakers);
	}
	hash_free(&offcpu->sleeps);
	hash_free(&offcpu->places);
	stacks_free(&offcpu->stacks);
	free(offcpu->thread);
	free(offcpu);
}

static const char *const offcpu_needs[] = { "PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP", NULL };
static const char *const offcpu_helps[] = {
	"PROCESS_WAKING", "PROCESS_STATE", "PROCESS_FORK",
	"SYSCALL_ENTRY",  "SYSCALL_EXIT",  "EXCEPTION_ENTRY",
	"WORK_ENTRY",	  "PROCESS_BLOCK", NULL,
};

const struct analysis analysis_offcpu = {
	.name = "offcpu",
	.about =
		"For each thread and cause: how often and how long it slept. A cause is a letter\n"
		"as in ps (S: can be interrupted by signals, D: cannot, T: stopped, I: idle\n"
		"kernel thread) and the system call, page fault or work item in which it slept.\n"
		"\"at\" is the end of the longest sleep, and \"woken by\" what ended most of the\n"
		"sleeps. If the trace has process_block: also by stack, innermost function first.\n",
	.refuses = {
		[ANALYSIS_CPU] = "a sleeping thread is not on a CPU",
	},
	.row = offcpu_rows,
	.rows = sizeof(offcpu_rows) / sizeof(*offcpu_rows),
	.own_size = sizeof(struct offcpu_arguments),
	.prints = "--folded",
	.needs = offcpu_needs,
	.helps = offcpu_helps,
	.ops = { .thread = offcpu_span, .syscall = offcpu_syscall, .event = offcpu_event },
	.start = offcpu_start,
	.report = offcpu_report,
	.free = offcpu_free,
};
