// SPDX-License-Identifier: GPL-2.0
/* Writes the states of threads, and the arrows from their wakers. */
#include <stdio.h>

#include "chrome.h"
#include "lib/base/put.h"
#include "lib/text/out.h"

static void piece_name(const struct chrome_piece *piece, char name[CHROME_NAME_SIZE])
{
	static const char *const names[LKST_STATE_NUM] = {
		[LKST_STATE_UNKNOWN] = "unknown",
		[LKST_STATE_RUNNING] = "running",
		[LKST_STATE_RUNNABLE] = "runnable",
		[LKST_STATE_BLOCKED] = "blocked",
	};

	if (piece->state == LKST_STATE_BLOCKED && piece->letter)
		snprintf(name, CHROME_NAME_SIZE, "blocked %c", piece->letter);
	else
		snprintf(name, CHROME_NAME_SIZE, "%s", names[piece->state]);
}

/*
 * Return whether a running thread itself caused the wake-up, rather than an interrupt that occurred
 * while the thread ran.
 */
static bool piece_woken_by_thread(const struct lkst_wake *wake)
{
	return wake->context < 0 || wake->context == LKST_CONTEXT_WORK ||
	       wake->context == LKST_CONTEXT_EXCEPTION;
}

/* ---- arguments ---- */

static char *piece_put_thread(char *p, const struct chrome *chrome, const char *member,
			      const struct lkst_thread *thread)
{
	char text[STATE_THREAD_SIZE];

	return chrome_put_text(p, member, state_thread_name(chrome_names(chrome), thread, text));
}

static char *piece_put_context(char *p, const struct chrome *chrome, const char *member, int kind,
			       uint64_t number, const char *name)
{
	char text[STATE_CONTEXT_SIZE];

	return chrome_put_text(
		p, member, state_context_text(chrome->export->context, kind, number, name, text));
}

static char *piece_put_wake(char *p, const struct chrome *chrome, const struct lkst_wake *wake)
{
	if (!wake->known)
		return p;
	if (!piece_woken_by_thread(wake))
		p = piece_put_context(p, chrome, "woken_by", wake->context, wake->number,
				      wake->name);
	else if (wake->thread)
		p = piece_put_thread(p, chrome, "woken_by", wake->thread);
	else
		p = chrome_put_text(p, "woken_by", "idle");
	return p;
}

/*
 * Write the arguments. If a piece ends where another one with the same name and the same arguments
 * begins, speedscope draws the second piece inside the first one. The argument "inside"
 * distinguishes the last piece in a slice from the piece after the slice.
 */
static char *piece_put_args(char *p, const struct chrome *chrome, const struct chrome_track *track,
			    const struct chrome_piece *piece)
{
	bool known = piece->cpu >= 0 && piece->state != LKST_STATE_UNKNOWN;

	p = put_text(p, ",\"args\":{\"cpu\":");
	p = known ? put_dec(p, piece->cpu) : put_text(p, "null");
	if (piece->state == LKST_STATE_RUNNABLE) {
		if (piece->preempted)
			p = put_text(p, ",\"preempted\":true");
		p = piece_put_wake(p, chrome, &piece->wake);
		if (piece->behind)
			p = piece_put_thread(p, chrome, "behind", piece->behind);
	}
	if (piece->state == LKST_STATE_BLOCKED && piece->context >= 0)
		p = piece_put_context(p, chrome, "in", piece->context, piece->number, "");
	if (track->top)
		p = chrome_put_text(p, "inside", track->top->name);
	return put_char(p, '}');
}

/* ---- arrows ---- */

/* Find the track of a waker. Returns NULL if the waker is not drawn. */
static struct chrome_track *piece_waker(struct chrome *chrome, const struct lkst_wake *wake)
{
	struct chrome_thread *thread;
	struct chrome_cpu *cpu;

	if (!wake->known || wake->time_ns < chrome->states.begin_ns)
		return NULL;
	if (!piece_woken_by_thread(wake)) {
		cpu = chrome_cpu(chrome, wake->cpu);
		return cpu ? &cpu->track : NULL;
	}
	thread = wake->thread ? chrome_thread(chrome, wake->thread) : NULL;
	if (!thread || !chrome_select(chrome, thread, wake->cpu))
		return NULL;
	return chrome_thread_track(chrome, wake->thread);
}

/* Draw an arrow from the waker to the piece. The "B" of the piece is the last line of @track. */
static void piece_arrow(struct chrome *chrome, struct chrome_track *track,
			const struct chrome_piece *piece)
{
	const struct chrome_track *from = piece_waker(chrome, &piece->wake);
	struct chrome_writer *writer = &chrome->writer;
	int64_t end_ns = piece->begin_ns;
	char *p;

	if (!from)
		return;
	chrome->arrows++;
	p = chrome_line(writer, 's', from, piece->wake.time_ns, "wake");
	p = put_udec(put_text(p, ",\"cat\":\"wake\",\"id\":"), chrome->arrows);
	chrome_line_end(writer, p);
	/* If records were lost, the wake-up may be later than the start of the piece. */
	if (end_ns < piece->wake.time_ns && piece->wake.time_ns < piece->end_ns)
		end_ns = piece->wake.time_ns;
	p = chrome_line(writer, 'f', track, end_ns, "wake");
	p = put_udec(put_text(p, ",\"cat\":\"wake\",\"bp\":\"e\",\"id\":"), chrome->arrows);
	chrome_hold_line(writer, track, p);
}

/**
 * chrome_piece_write() - write a piece of a state
 * @chrome: export
 * @thread: thread
 * @piece: piece
 */
void chrome_piece_write(struct chrome *chrome, struct chrome_thread *thread,
			const struct chrome_piece *piece)
{
	struct chrome_track *track = chrome_thread_track(chrome, thread->thread);
	struct chrome_writer *writer = &chrome->writer;
	struct chrome_piece at = *piece;
	char name[CHROME_NAME_SIZE], *p;

	if (!track || !chrome_advance(writer, track, &at.begin_ns, at.end_ns))
		return;
	piece_name(piece, name);
	p = chrome_line(writer, 'B', track, at.begin_ns, name);
	chrome_hold_line(writer, track, piece_put_args(p, chrome, track, piece));
	if (at.state == LKST_STATE_RUNNABLE)
		piece_arrow(chrome, track, &at);
	p = chrome_line(writer, 'E', track, at.end_ns, name);
	chrome_hold_line(writer, track, piece_put_args(p, chrome, track, piece));
}
