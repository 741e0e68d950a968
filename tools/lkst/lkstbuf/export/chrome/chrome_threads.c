// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the threads and their states. The outer slices are system calls. Inside them are exceptions
 * and work items, and the innermost slices are states. A state that extends beyond the start or end
 * of a slice around it is divided into pieces there. The pieces of a state add up to its time.
 *
 * If the trace begins in the middle of a system call, only the end of the call shows that the
 * thread was in the call. Until it is known whether a thread was in a call, its first pieces are
 * pending.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chrome.h"

/**
 * chrome_thread() - find the data about a thread
 * @chrome: export
 * @thread: thread
 *
 * Return: the thread; NULL if an allocation failed.
 */
struct chrome_thread *chrome_thread(struct chrome *chrome, const struct lkst_thread *thread)
{
	struct chrome_thread **list = states_cover(&chrome->states, chrome->thread,
						   &chrome->threads, thread->index, sizeof(*list));
	struct chrome_thread *of;

	if (!list)
		return NULL;
	chrome->thread = list;
	if (list[thread->index])
		return list[thread->index];
	of = calloc(1, sizeof(*of));
	if (!of) {
		states_out_of_memory(&chrome->states);
		return NULL;
	}
	of->thread = thread;
	of->piece_ns = chrome->states.begin_ns;
	of->track.last_ns = INT64_MIN;
	of->call_known = thread->created || !chrome->calls;
	list[thread->index] = of;
	return of;
}

/* Count a use of a thread ID. Returns the number to show for it. */
static uint32_t thread_number(struct chrome *chrome, uint32_t tid)
{
	if (!chrome->uses)
		chrome->uses = calloc(CHROME_TIDS, sizeof(*chrome->uses));
	if (!chrome->uses) {
		states_out_of_memory(&chrome->states);
		return tid;
	}
	if (tid >= CHROME_TIDS)
		return tid;
	if (chrome->uses[tid] < CHROME_USES_MAX)
		chrome->uses[tid]++;
	return tid + (chrome->uses[tid] - 1u) * CHROME_TIDS;
}

/**
 * chrome_thread_track() - find the track of a thread
 * @chrome: export
 * @thread: thread
 *
 * The numbers of a track cannot change later, so use the process that is known now.
 *
 * Return: the track; NULL if an allocation failed.
 */
struct chrome_track *chrome_thread_track(struct chrome *chrome, const struct lkst_thread *thread)
{
	struct chrome_thread *of = chrome_thread(chrome, thread);
	const struct chrome_track *of_leader = NULL;
	const struct lkst_thread *leader;
	uint32_t tgid;

	if (!of || of->track.pid)
		return of ? &of->track : NULL;
	of->track.tid = of->track.pid = thread_number(chrome, thread->tid);
	tgid = states_process(&chrome->states, thread);
	/* In a damaged trace, the number of a process can equal the number of another track. */
	if (tgid == thread->tid || tgid >= CHROME_TIDS)
		return &of->track;
	leader = lkst_model_find(chrome->states.model, thread->source, tgid);
	/* The process of the leader is the leader itself, so the recursion ends there. */
	if (leader && states_process(&chrome->states, leader) == tgid)
		of_leader = chrome_thread_track(chrome, leader);
	of->track.pid = of_leader ? of_leader->tid : tgid;
	return &of->track;
}

/**
 * chrome_select() - check whether -p and -c select what a thread does on a CPU
 * @chrome: export
 * @thread: thread
 * @cpu: CPU
 */
bool chrome_select(struct chrome *chrome, struct chrome_thread *thread, int32_t cpu)
{
	return states_select_cpu(&chrome->states, cpu) &&
	       states_select(&chrome->states, thread->thread, &thread->choice);
}

/* ---- pieces of states ---- */

static struct chrome_pending *thread_pending(struct chrome *chrome)
{
	struct chrome_pending *pending = chrome->unused;

	if (pending)
		chrome->unused = pending->next;
	else
		pending = malloc(sizeof(*pending));
	if (!pending) {
		states_out_of_memory(&chrome->states);
		return NULL;
	}
	pending->num = 0;
	return pending;
}

/**
 * chrome_thread_flush() - write pending pieces
 * @chrome: export
 * @thread: thread
 * @before_ns: write only the pieces that begin before this time. The others stay pending
 */
void chrome_thread_flush(struct chrome *chrome, struct chrome_thread *thread, int64_t before_ns)
{
	struct chrome_pending *pending = thread->pending;
	unsigned int i = 0;

	if (!pending)
		return;
	for (; i < pending->num && pending->piece[i].begin_ns < before_ns; i++)
		chrome_piece_write(chrome, thread, &pending->piece[i]);
	pending->num -= i;
	memmove(pending->piece, pending->piece + i, pending->num * sizeof(*pending->piece));
	if (pending->num)
		return;
	pending->next = chrome->unused;
	chrome->unused = pending;
	thread->pending = NULL;
}

/**
 * chrome_thread_give_up() - write the pieces without knowing whether there was a system call
 * @chrome: export
 * @thread: thread
 */
void chrome_thread_give_up(struct chrome *chrome, struct chrome_thread *thread)
{
	chrome_thread_flush(chrome, thread, INT64_MAX);
	thread->late = true;
}

static void thread_add(struct chrome *chrome, struct chrome_thread *thread,
		       const struct chrome_piece *piece)
{
	if (piece->end_ns <= piece->begin_ns || !chrome_select(chrome, thread, piece->cpu))
		return;
	if (thread->call_known || thread->late || thread->thread->kernel) {
		chrome_thread_flush(chrome, thread, INT64_MAX);
		chrome_piece_write(chrome, thread, piece);
		return;
	}
	if (thread->pending && thread->pending->num == CHROME_PENDING_MAX) {
		chrome_thread_give_up(chrome, thread);
		chrome_piece_write(chrome, thread, piece);
		return;
	}
	if (!thread->pending)
		thread->pending = thread_pending(chrome);
	if (thread->pending)
		thread->pending->piece[thread->pending->num++] = *piece;
}

/**
 * chrome_thread_split() - divide the current state where a slice around it begins or ends
 * @chrome: export
 * @thread: thread
 * @at_ns: time
 */
void chrome_thread_split(struct chrome *chrome, struct chrome_thread *thread, int64_t at_ns)
{
	const struct lkst_thread *now = thread->thread;
	struct chrome_piece piece = {
		.begin_ns = thread->piece_ns > now->since_ns ? thread->piece_ns : now->since_ns,
		.end_ns = at_ns,
		.state = now->state,
		.letter = now->letter,
		.cpu = now->cpu,
		.context = -1,
		.wake = { .context = -1 },
	};

	if (at_ns <= piece.begin_ns)
		return;
	thread_add(chrome, thread, &piece);
	thread->piece_ns = at_ns;
}

/**
 * chrome_thread_span() - draw a state that has ended
 * @ctx: export
 * @span: state
 */
void chrome_thread_span(void *ctx, const struct lkst_thread_span *span)
{
	struct chrome *chrome = ctx;
	struct chrome_thread *thread = chrome_thread(chrome, span->thread);
	struct chrome_piece piece = {
		.begin_ns = span->begin_ns,
		.end_ns = span->end_ns,
		.state = span->state,
		.letter = span->letter,
		.cpu = span->cpu,
		.context = span->context,
		.number = span->number,
		.preempted = span->preempted,
		.wake = span->wake,
		.behind = span->behind,
	};

	if (!thread)
		return;
	if (thread->piece_ns > piece.begin_ns)
		piece.begin_ns = thread->piece_ns;
	thread->piece_ns = span->end_ns;
	if (span->state == LKST_STATE_UNKNOWN) {
		/* The thread may be in a system call that has begun meanwhile. */
		chrome_thread_flush(chrome, thread, INT64_MAX);
		thread->call_known = !chrome->calls;
		thread->late = false;
	}
	thread_add(chrome, thread, &piece);
	if (span->end == LKST_END_EXIT)
		chrome_thread_flush(chrome, thread, INT64_MAX);
}

/**
 * chrome_threads_end() - write the pending pieces after the end of the window
 * @chrome: export
 */
void chrome_threads_end(struct chrome *chrome)
{
	for (size_t i = 0; i < chrome->threads; i++) {
		struct chrome_thread *thread = chrome->thread[i];

		if (!thread)
			continue;
		chrome_thread_flush(chrome, thread, INT64_MAX);
		chrome_end_all(&chrome->writer, &thread->track, thread->piece_ns);
	}
}
