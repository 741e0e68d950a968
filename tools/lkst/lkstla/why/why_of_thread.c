// SPDX-License-Identifier: GPL-2.0
/* Divides the time of a thread into segments: running, runnable, blocked, unknown. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/constants.h"
#include "lkstla/wakers.h"
#include "why_of_cpu.h"
#include "why_pieces.h"

/* A position in the time of a thread */
struct why_walk {
	struct why *why;
	const struct lkst_thread *thread;
	int64_t at_ns;
	int64_t end_ns;
	bool begun;
	size_t index;
};

/**
 * struct why_piece - an interval in which a thread was in one state
 * @kind: RUNNING, RUNNABLE, BLOCKED, UNKNOWN or ABSENT
 * @begin_ns: start
 * @end_ns: end
 * @span: span of the thread at this time, if the history has one
 * @index: index of @span
 * @fact: RUNNING: work item; RUNNABLE: move to another CPU at the start of the piece; NULL: none
 */
struct why_piece {
	enum why_kind kind;
	int64_t begin_ns;
	int64_t end_ns;
	struct lkst_thread_span span;
	size_t index;
	const struct why_fact *fact;
};

/* If a time is within a piece, end the piece there. */
static void why_piece_end(struct why_piece *piece, int64_t time_ns)
{
	if (time_ns > piece->begin_ns && time_ns < piece->end_ns)
		piece->end_ns = time_ns;
}

/* End a piece where a work item of the thread begins or ends. */
static void why_piece_work(const struct why *why, struct why_piece *piece)
{
	const struct why_fact *work =
		why_facts_work_at(&why->facts, piece->span.thread, piece->begin_ns);

	if (!work)
		return;
	if (work->time_ns > piece->begin_ns) {
		why_piece_end(piece, work->time_ns);
		return;
	}
	piece->fact = work;
	why_piece_end(piece, work->until_ns);
}

/* End a wait for a CPU where the thread is moved to another CPU. */
static void why_piece_moves(const struct why *why, struct why_piece *piece)
{
	const struct why_facts *facts = &why->facts;
	const struct lkst_thread *thread = piece->span.thread;
	const struct why_fact *next =
		why_facts_move(facts, thread, piece->begin_ns, piece->span.end_ns);

	piece->fact = why_facts_move(facts, thread, piece->begin_ns - 1, piece->begin_ns + 1);
	/* After the last move, the thread is on the CPU of the span. */
	if (!next)
		return;
	piece->span.cpu = (int32_t)next->extra;
	why_piece_end(piece, next->time_ns);
}

/* Fill in a piece that is before the first span of a thread, or after the last span. */
static void why_piece_outside(const struct why_walk *walk, struct why_piece *piece, bool there)
{
	int64_t first_ns = walk->thread->first_ns;

	if (there)
		piece->end_ns = piece->span.begin_ns;
	piece->kind = walk->thread->created && piece->begin_ns < first_ns ? WHY_ABSENT :
									    WHY_UNKNOWN;
	if (piece->kind == WHY_ABSENT)
		why_piece_end(piece, first_ns);
	piece->span = (struct lkst_thread_span){ .thread = walk->thread, .cpu = -1 };
}

static bool why_walk_next(struct why_walk *walk, struct why_piece *piece)
{
	static const enum why_kind kinds[LKST_STATE_NUM] = { WHY_UNKNOWN, WHY_RUNNING, WHY_RUNNABLE,
							     WHY_BLOCKED };
	struct lkst_history *history = walk->why->history;
	bool there;

	if (walk->at_ns >= walk->end_ns)
		return false;
	if (!walk->begun)
		walk->index = lkst_history_thread_index(history, walk->thread, walk->at_ns);
	walk->begun = true;
	*piece = (struct why_piece){ .begin_ns = walk->at_ns, .index = walk->index };
	/* Skip spans of length 0: events can have the same time. */
	while ((there = lkst_history_thread_span(history, walk->thread, piece->index,
						 &piece->span)) &&
	       piece->span.end_ns <= walk->at_ns)
		piece->index++;
	walk->index = piece->index;
	piece->end_ns = walk->end_ns;
	if (!there || piece->span.begin_ns > walk->at_ns) {
		why_piece_outside(walk, piece, there);
	} else {
		piece->kind = kinds[piece->span.state];
		why_piece_end(piece, piece->span.end_ns);
		if (piece->kind == WHY_RUNNING)
			why_piece_work(walk->why, piece);
		else if (piece->kind == WHY_RUNNABLE)
			why_piece_moves(walk->why, piece);
		walk->index += piece->end_ns == piece->span.end_ns;
	}
	if (piece->end_ns > walk->end_ns)
		piece->end_ns = walk->end_ns;
	walk->at_ns = piece->end_ns;
	return true;
}

/* ---- words ---- */

/* Begin the text with the name of the thread, unless it is the delayed thread. */
static void why_say_thread(struct why *why, struct why_segment *segment)
{
	char name[40];

	if (segment->depth)
		why_say(segment, "%s ", run_thread_name(why->run, segment->thread, name));
}

/* Say in which system call the thread is, unless the delay is this call. */
static void why_say_call(struct why *why, struct why_segment *segment)
{
	struct lkst_syscall_span call;
	char name[32];

	if (!lkst_history_syscall_at(why->history, segment->thread, segment->begin_ns, &call) ||
	    (why->call && !segment->depth && why->call->begin_ns == call.begin_ns))
		return;
	why_say(segment, " in %s", run_syscall_name(segment->thread, call.number, call.abi, name));
}

static void why_say_work(struct why *why, struct why_segment *segment, uint64_t function)
{
	char symbol[96];

	why_say(segment, ", work item %s",
		run_symbol(why->run, segment->thread->source, function, symbol, sizeof(symbol)));
}

static void why_say_running(struct why *why, struct why_segment *segment,
			    const struct why_piece *piece)
{
	struct why_cpu_walk walk = { .why = why,
				     .source = segment->thread->source,
				     .cpu = piece->span.cpu,
				     .at_ns = piece->begin_ns,
				     .end_ns = piece->end_ns };
	int64_t mode_ns[LKST_MODES_MAX] = { 0 };
	struct why_cpu_piece part;

	why_say(segment, "running on CPU %d", piece->span.cpu);
	if (piece->fact)
		why_say_work(why, segment, piece->fact->number);
	else if (segment->depth)
		why_say_call(why, segment);
	while (why_cpu_next(&walk, &part))
		for (int i = 0; i < LKST_MODE_NUM; i++)
			mode_ns[i] += part.mode_ns[i];
	why_say_modes(segment, mode_ns);
}

static void why_say_runnable(struct why *why, struct why_segment *segment,
			     const struct why_piece *piece)
{
	if (piece->span.preempted && piece->begin_ns == piece->span.begin_ns)
		why_say(segment, "preempted, ");
	if (piece->span.cpu < 0) {
		why_say(segment, "runnable on an unknown CPU");
		return;
	}
	why_say(segment, "runnable on CPU %d", piece->span.cpu);
	if (piece->fact)
		why_say(segment, ", moved there from CPU %u", piece->fact->extra);
	why_say_queue(why, segment);
}

/* Say why it is not known what a thread did, or what woke it up. */
static void why_say_unknown(struct why *why, struct why_segment *segment, int64_t begin_ns,
			    int64_t end_ns)
{
	const struct lkst_loss *loss = why_facts_lost(&why->facts, begin_ns, end_ns);

	if (begin_ns < lkst_history_begin(why->history))
		why_say(segment, "too long ago for the memory of this analysis");
	else if (loss && !loss->number && loss->cpu < 0)
		why_say(segment, "the file may lack the last records of several CPUs");
	else if (loss && !loss->number)
		why_say(segment, "the file may lack the last records of CPU %d", loss->cpu);
	else if (loss && loss->cpu < 0)
		why_say(segment, "%" PRIu64 " records of several CPUs were lost", loss->number);
	else if (loss)
		why_say(segment, "%" PRIu64 " record%s of CPU %d %s lost", loss->number,
			loss->number == 1 ? "" : "s", loss->cpu,
			loss->number == 1 ? "was" : "were");
	else if (segment->kind == WHY_BLOCKED &&
		 !lkst_model_saw(why->run->model, LKST_ETYPE_PROCESS_WAKING))
		why_say(segment, "process_waking was not recorded");
	else if (segment->kind == WHY_BLOCKED)
		why_say(segment, "in an interrupt whose entry was not recorded");
	else
		why_say(segment, "no earlier event shows what the thread did");
}

/* Say in which call, exception or work item a thread sleeps. */
static void why_say_where(struct why *why, struct why_segment *segment,
			  const struct lkst_thread_span *span)
{
	const char *trap;

	if (span->letter == 'T' || span->letter == 't')
		why_say(segment, "stopped");
	else
		why_say(segment, "blocked");
	if (span->context == LKST_CONTEXT_WORK) {
		why_say_work(why, segment, span->number);
	} else if (span->context == LKST_CONTEXT_EXCEPTION) {
		trap = constant_name(LKST_FMT_TRAP, span->number);
		why_say(segment, " in exception %s", trap ? trap : "");
		if (!trap)
			why_say(segment, "%" PRIu64, span->number);
	} else {
		why_say_call(why, segment);
	}
	if (span->letter && span->letter != 'S')
		why_say(segment, " (%c)", span->letter);
}

/* Return the start of the last run of a thread before its sleep. */
static int64_t why_last_run(const struct why *why, const struct why_piece *piece)
{
	struct lkst_thread_span last;

	if (piece->index &&
	    lkst_history_thread_span(why->history, piece->span.thread, piece->index - 1, &last))
		return last.begin_ns;
	return piece->span.begin_ns - 1;
}

static const char *why_article(const struct waker *waker)
{
	bool idle = waker->kind == WAKER_THREAD && !waker->thread;

	return idle || waker->kind == WAKER_CONTEXT + LKST_CONTEXT_TIMER_IRQ ? "the " : "";
}

/* Say what ended a sleep, and remember it for the children of the segment. */
static void why_say_blocked(struct why *why, struct why_segment *segment,
			    const struct why_piece *piece)
{
	const struct lkst_wake *wake;
	struct lkst_thread_span next;
	char name[WAKER_NAME_SIZE];
	struct waker waker;

	why_say_where(why, segment, &piece->span);
	if (!lkst_history_thread_span(why->history, segment->thread, piece->index + 1, &next)) {
		segment->explained = false;
		why_say(segment, ", not woken up before the end of the window");
		return;
	}
	wake = &next.wake;
	segment->wake_ns = next.begin_ns;
	if (next.state != LKST_STATE_RUNNABLE || !wake->known) {
		segment->explained = false;
		why_say(segment, ", woken up by an unknown cause: ");
		why_say_unknown(why, segment, next.begin_ns, next.begin_ns);
		return;
	}
	waker = waker_of(wake);
	segment->fact =
		why_facts_wake(&why->facts, segment->thread, wake, why_last_run(why, piece));
	if (waker.kind == WAKER_THREAD)
		segment->other = wake->thread;
	segment->cpu = wake->cpu;
	why_say(segment, ", woken up by %s%s on CPU %d", why_article(&waker),
		waker_name(why->run, &waker, segment->thread->source, name), wake->cpu);
	if (segment->fact && segment->fact->time_ns < piece->span.begin_ns) {
		why_say(segment, " while it was about to sleep");
		segment->fact = NULL;
	}
	why_say_fact(why, segment);
}

static void why_say_outside(struct why *why, struct why_segment *segment)
{
	const struct lkst_thread *thread = segment->thread;
	char name[40];

	if (segment->kind == WHY_ABSENT) {
		segment->other = thread->parent ?
					 lkst_model_find_at(why->run->model, thread->source,
							    thread->parent, thread->first_ns) :
					 NULL;
		why_say(segment, "did not exist yet, created by %s",
			segment->other ? run_thread_name(why->run, segment->other, name) :
					 "an unknown thread");
	} else if (thread->exited && segment->begin_ns > thread->first_ns &&
		   segment->begin_ns >= thread->since_ns) {
		why_say(segment, "had ended");
	} else {
		why_say(segment, "unknown: ");
		why_say_unknown(why, segment, segment->begin_ns, segment->end_ns);
	}
}

static void why_say_thread_piece(struct why *why, size_t parent, const struct why_walk *walk,
				 const struct why_piece *piece)
{
	struct why_segment *segment =
		why_add(why, parent, piece->kind, piece->begin_ns, piece->end_ns);

	if (!segment)
		return;
	segment->thread = walk->thread;
	if (piece->kind == WHY_RUNNING || piece->kind == WHY_RUNNABLE)
		segment->cpu = piece->span.cpu;
	why_say_thread(why, segment);
	if (piece->kind == WHY_RUNNING)
		why_say_running(why, segment, piece);
	else if (piece->kind == WHY_RUNNABLE)
		why_say_runnable(why, segment, piece);
	else if (piece->kind == WHY_BLOCKED)
		why_say_blocked(why, segment, piece);
	else
		why_say_outside(why, segment);
}

/**
 * why_of_thread() - make segments of the time of a thread
 * @why: state of the analysis
 * @parent: index of the segment that gets these children; 0: the segments are parts of the delay
 * @thread: thread
 * @begin_ns: start
 * @end_ns: end
 */
void why_of_thread(struct why *why, size_t parent, const struct lkst_thread *thread,
		   int64_t begin_ns, int64_t end_ns)
{
	const struct why_walk start = {
		.why = why, .thread = thread, .at_ns = begin_ns, .end_ns = end_ns
	};
	struct why_walk walk = start;
	struct why_longest longest;
	struct why_rest rest = { 0 };
	struct why_piece piece, lone;

	why_longest_init(&longest, why);
	while (why_walk_next(&walk, &piece))
		why_longest_note(&longest, piece.end_ns - piece.begin_ns);
	why_longest_end(&longest);
	for (walk = start; why_walk_next(&walk, &piece);) {
		if (!why_longest_keeps(&longest, piece.end_ns - piece.begin_ns)) {
			why_rest_add(&rest, piece.kind, piece.begin_ns, piece.end_ns);
			lone = piece;
			continue;
		}
		if (why_rest_say(why, parent, &rest))
			why_say_thread_piece(why, parent, &walk, &lone);
		why_say_thread_piece(why, parent, &walk, &piece);
	}
	if (why_rest_say(why, parent, &rest))
		why_say_thread_piece(why, parent, &walk, &lone);
}
