// SPDX-License-Identifier: GPL-2.0
/*
 * Chooses the delays that are explained.
 *
 * A delay is a system call, or a time outside of system calls in which a thread slept or waited for
 * a CPU. A kernel thread usually sleeps because it has no work. So unless the user names the
 * thread, its sleeps count only if they are within a work item or uninterruptible.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/text/constants.h"
#include "lib/text/parse.h"
#include "lib/text/timestamp.h"
#include "lkstla/arguments.h"
#include "lkstla/messages.h"
#include "lkstla/tally.h"
#include "why.h"

/* A user may copy the end of a delay from a table, which rounds it to microseconds. */
#define WHY_NEAR_NS 1000

/**
 * why_selects() - check whether the operands and -p select a thread
 * @why: state of the analysis
 * @thread: thread
 *
 * A number in an operand is a thread ID. A number in -p can also be a process ID.
 */
bool why_selects(const struct why *why, const struct lkst_thread *thread)
{
	bool numbers = false;

	for (char **operand = why->run->operands; operand && *operand; operand++) {
		const char *tid = arguments_tid(*operand);

		if (tid && strtoull(tid, NULL, 10) == thread->tid)
			return true;
		numbers |= tid != NULL;
	}
	return !numbers && run_selects(why->run, thread);
}

/* Return whether the user has named threads. */
static bool why_is_named(const struct why *why)
{
	return why->run->args->processes.num || why->named;
}

/* ---- the longest delays ---- */

static int64_t why_delay_ns(const struct why_delay *delay)
{
	return delay->end_ns - delay->begin_ns;
}

/**
 * why_delays_add() - add a delay if it is one of the longest
 * @delays: delays, the longest first. Equally long delays stay in the order of their addition
 * @delay: delay
 */
void why_delays_add(struct why_delays *delays, const struct why_delay *delay)
{
	size_t at = delays->num;

	if (why_delay_ns(delay) <= 0)
		return;
	while (at && why_delay_ns(&delays->delay[at - 1]) < why_delay_ns(delay))
		at--;
	if (at == delays->max)
		return;
	if (delays->num < delays->max)
		delays->num++;
	memmove(&delays->delay[at + 1], &delays->delay[at],
		(delays->num - at - 1) * sizeof(*delay));
	delays->delay[at] = *delay;
}

/* ---- the delays of a thread ---- */

static struct why_delay why_delay_of_call(const struct lkst_syscall_span *call)
{
	return (struct why_delay){
		.thread = call->thread,
		.begin_ns = call->begin_ns,
		.end_ns = call->end_ns,
		.begin_known = call->begin_known,
		.end_known = call->end_known,
		.in_call = true,
		.call = *call,
	};
}

/* Return whether a sleep of a kernel thread counts as a delay. */
static bool why_counts(const struct why *why, const struct lkst_thread_span *span)
{
	return !span->thread->kernel || why_is_named(why) || span->state != LKST_STATE_BLOCKED ||
	       span->context == LKST_CONTEXT_WORK || span->letter == 'D';
}

/*
 * Find the next delay outside of system calls, from the span *@index on. A sleep and the wait for a
 * CPU after it are one delay.
 */
static bool why_next_sleep(const struct why *why, const struct lkst_thread *thread, size_t *index,
			   struct why_delay *delay)
{
	struct lkst_syscall_span call;
	struct lkst_thread_span span;
	bool found = false;

	for (; lkst_history_thread_span(why->history, thread, *index, &span); ++*index) {
		bool sleeps = span.state == LKST_STATE_BLOCKED || span.state == LKST_STATE_RUNNABLE;

		if (found && (!sleeps || span.begin_ns != delay->end_ns ||
			      (span.state == LKST_STATE_BLOCKED)))
			return true;
		if (!sleeps || !why_counts(why, &span) || span.begin_ns == span.end_ns)
			continue;
		if (lkst_history_syscall_at(why->history, thread, span.begin_ns, &call))
			continue;
		if (!found)
			*delay = (struct why_delay){ .thread = thread,
						     .begin_ns = span.begin_ns,
						     .begin_known = span.begin_known };
		found = true;
		delay->end_ns = span.end_ns;
		delay->end_known = span.end != LKST_END_CUT;
	}
	return found;
}

/* ---- --at ---- */

/* Return the distance of a time from a delay; 0 if it is within the delay. */
static int64_t why_distance(const struct why_delay *delay, int64_t time_ns)
{
	if (time_ns < delay->begin_ns)
		return delay->begin_ns - time_ns;
	return time_ns >= delay->end_ns ? time_ns - delay->end_ns + 1 : 0;
}

/* Set *@best to @delay if @delay is near enough to --at, and nearer than *@best. */
static void why_take_nearer(const struct why *why, const struct why_delay *delay,
			    struct why_delay *best)
{
	int64_t ns = why_distance(delay, why->at_ns);

	if (why_delay_ns(delay) > 0 && ns <= WHY_NEAR_NS &&
	    (!best->thread || ns < why_distance(best, why->at_ns)))
		*best = *delay;
}

/**
 * why_delay_at() - find the delay of a thread at the time of --at
 * @why: state of the analysis
 * @thread: thread
 *
 * Return: the delay at this time, or else a delay that begins or ends so close to this time that
 * the user may have meant it and rounded the time. If neither exists, the thread in the result is
 * NULL.
 */
struct why_delay why_delay_at(const struct why *why, const struct lkst_thread *thread)
{
	int64_t from_ns = why->at_ns - WHY_NEAR_NS, to_ns = why->at_ns + WHY_NEAR_NS;
	struct why_delay best = { 0 }, delay;
	struct lkst_syscall_span call;
	struct lkst_thread_span span;
	size_t i = lkst_history_syscall_index(why->history, thread, from_ns - 1);

	for (; lkst_history_syscall_span(why->history, thread, i, &call) && call.begin_ns <= to_ns;
	     i++) {
		delay = why_delay_of_call(&call);
		why_take_nearer(why, &delay, &best);
	}
	i = lkst_history_thread_index(why->history, thread, from_ns - 1);
	/* The sleep before a wait for a CPU is a part of the same delay. */
	if (i && lkst_history_thread_span(why->history, thread, i, &span) &&
	    span.state == LKST_STATE_RUNNABLE)
		i--;
	while (why_next_sleep(why, thread, &i, &delay) && delay.begin_ns <= to_ns)
		why_take_nearer(why, &delay, &best);
	return best;
}

static void why_time_text(int64_t ns, char text[48])
{
	char time[LKST_TIMESTAMP_SIZE];

	snprintf(text, 48, "%s", lkst_timestamp_text(ns, time));
}

/* Report that a thread was not delayed at the time of --at, and what it did at that time. */
static int why_no_delay(const struct why *why, const struct lkst_thread *thread,
			struct lkst_error *err)
{
	struct lkst_thread_span span;
	const char *what = "did not exist, or no event shows what it did";
	char name[40], time[48];

	why_time_text(why->at_ns, time);
	if (!thread) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_DELAY_AT, time);
		return -1;
	}
	if (lkst_history_thread_at(why->history, thread, why->at_ns, &span)) {
		if (span.state == LKST_STATE_RUNNING)
			what = "was running outside of a system call";
		else if (span.state == LKST_STATE_UNKNOWN)
			what = "did something that is not recorded";
	}
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_DELAY, time,
		       run_thread_name(why->run, thread, name), what);
	return -1;
}

static int why_choose_at(const struct why *why, struct why_delays *delays, struct lkst_error *err)
{
	const struct lkst_model *model = why->run->model;
	const struct lkst_thread *only = NULL;
	size_t selected = 0;

	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);
		struct why_delay delay;

		if (!why_selects(why, thread))
			continue;
		selected++;
		if (!only || thread->first_ns <= why->at_ns)
			only = thread;
		delay = why_delay_at(why, thread);
		if (delay.thread)
			why_delays_add(delays, &delay);
	}
	if (delays->num)
		return 0;
	return why_no_delay(
		why, selected == 1 || (why->run->operands && *why->run->operands) ? only : NULL,
		err);
}

/* ---- --slowest ---- */

/*
 * Return whether the start and the end of a delay are known, and --syscall and --over select the
 * delay. @called is set to true if --syscall selects the delay.
 */
static bool why_wants(const struct why *why, const struct why_delay *delay, bool *called)
{
	const char *wanted = why->own->syscall;
	char name[32];

	if (wanted && !delay->in_call)
		return false;
	if (wanted &&
	    strcmp(run_syscall_name(delay->thread, delay->call.number, delay->call.abi, name),
		   wanted))
		return false;
	*called = true;
	return delay->begin_known && delay->end_known &&
	       why_delay_ns(delay) >= why->run->args->over_ns;
}

/**
 * why_add_slowest() - add the longest delays of a thread
 * @why: state of the analysis
 * @thread: thread
 * @delays: delays
 * @called: set to true if --syscall selects any delay of the thread
 */
void why_add_slowest(const struct why *why, const struct lkst_thread *thread,
		     struct why_delays *delays, bool *called)
{
	struct lkst_syscall_span call;
	struct why_delay delay;
	size_t i;

	for (i = 0; lkst_history_syscall_span(why->history, thread, i, &call); i++) {
		delay = why_delay_of_call(&call);
		if (why_wants(why, &delay, called))
			why_delays_add(delays, &delay);
	}
	for (i = 0; why_next_sleep(why, thread, &i, &delay);)
		if (why_wants(why, &delay, called))
			why_delays_add(delays, &delay);
}

static const char *why_call_at(void *ctx, size_t i)
{
	return constant_call(*(const int *)ctx, (unsigned int)i);
}

/* Report that no delay matches, and suggest system calls with similar names. */
static int why_none(const struct why *why, bool called, struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	uint64_t number = 0;
	int table = constant_call_table(LKST_MACHINE_X86_64, 0, &number);
	char text[256];
	size_t n;

	if (why->own->syscall && !called) {
		n = lkst_suggest(why->own->syscall, why_call_at, &table, CONSTANT_CALLS_MAX,
				 suggestions);
		lkst_suggestions_text(suggestions, n, text, sizeof(text));
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NO_CALL, why->own->syscall, text);
	} else {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WHY_NONE,
			       why->run->args->over_ns ? " and took as long as --over" : "");
	}
	return -1;
}

static int why_choose_slowest(const struct why *why, struct why_delays *delays,
			      struct lkst_error *err)
{
	const struct lkst_model *model = why->run->model;
	bool called = false;

	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);

		if (why_selects(why, thread))
			why_add_slowest(why, thread, delays, &called);
	}
	return delays->num ? 0 : why_none(why, called, err);
}

/**
 * why_choose() - choose the delays that are explained
 * @why: state of the analysis
 * @delays: result, with room for @max delays
 * @err: set if no delay matches
 */
int why_choose(const struct why *why, struct why_delays *delays, struct lkst_error *err)
{
	if (*why->marks.from)
		return why_marks_choose(why, delays, err);
	return why->own->at ? why_choose_at(why, delays, err) :
			      why_choose_slowest(why, delays, err);
}
