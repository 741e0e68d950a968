// SPDX-License-Identifier: GPL-2.0
/*
 * Holds back the lines of a track while the arguments of a slice around them are not yet known.
 *
 * A slice begins with a line "B" and ends with a line "E". speedscope accepts a "B" and an "E" as
 * the same slice only if their arguments are the same, and viewers require the lines of a track in
 * order of time. So the "B" of a system call contains the result of the call, and the lines after
 * it are held back until the call returns. At most CHROME_HOLD_MAX bytes of a track, and
 * CHROME_HOLD_ALL bytes of all tracks, are held back. Beyond these limits, the slices that have
 * begun are written with the arguments that are known so far, and only their "E" has the other
 * arguments.
 */
#include <stdlib.h>
#include <string.h>

#include "chrome_track.h"
#include "lib/base/put.h"
#include "lib/text/out.h"

#define CHROME_HOLD_MIN 512
/* A unit test sets lower limits. */
#ifndef CHROME_HOLD_MAX
#define CHROME_HOLD_MAX (32u * 1024)
#define CHROME_HOLD_ALL (32u * 1024 * 1024)
#endif

/* Append text to the file. The text may be longer than the room that out_room() guarantees. */
static void hold_put(struct chrome_writer *writer, const char *text, size_t size)
{
	struct lkst_out *file = writer->file;
	size_t part;

	for (; size; text += part, size -= part) {
		char *p = out_room(file);

		part = size < OUT_ROOM ? size : OUT_ROOM;
		memcpy(p, text, part);
		out_end(file, p + part);
	}
}

/**
 * chrome_line_end() - end a line that is not held back
 * @writer: writer
 * @p: end of the last member of the line
 */
void chrome_line_end(struct chrome_writer *writer, char *p)
{
	/* There is no comma before the first line. */
	size_t skip = writer->any ? 0 : 1;

	out_end(writer->out, put_char(p, '}'));
	hold_put(writer, writer->out->buf + skip, writer->out->len - skip);
	writer->out->len = 0;
	writer->any = true;
}

/* Make room for more text. Returns false if too much text is held back. */
static bool hold_grow(struct chrome_writer *writer, struct chrome_track *track, size_t more)
{
	size_t size = track->hold_size ? track->hold_size : CHROME_HOLD_MIN;
	char *hold;

	if (more > CHROME_HOLD_MAX - track->held)
		return false;
	while (size < track->held + more)
		size *= 2;
	if (size == track->hold_size)
		return true;
	if (writer->hold_all + (size - track->hold_size) > CHROME_HOLD_ALL)
		return false;
	hold = realloc(track->hold, size);
	if (!hold) {
		writer->failed = true;
		return false;
	}
	writer->hold_all += size - track->hold_size;
	track->hold = hold;
	track->hold_size = size;
	return true;
}

/*
 * Write the missing "B" of @slice and of the slices around it, the outermost first. Before each of
 * them, write the text that was held back before the slice began.
 */
static void hold_give_up_slice(struct chrome_writer *writer, struct chrome_track *track,
			       struct chrome_slice *slice, size_t *done)
{
	/* writer->out may contain the start of a line, which remains there. */
	size_t start = writer->out->len;
	char *p;

	if (!slice || slice->written)
		return;
	hold_give_up_slice(writer, track, slice->below, done);
	hold_put(writer, track->hold + *done, slice->at - *done);
	*done = slice->at;
	p = chrome_line(writer, 'B', track, slice->begin_ns, slice->name);
	p = chrome_args(writer, p, slice, NULL, -1);
	out_end(writer->out, put_char(p, '}'));
	hold_put(writer, writer->out->buf + start, writer->out->len - start);
	writer->out->len = start;
	slice->written = true;
}

static void hold_give_up(struct chrome_writer *writer, struct chrome_track *track)
{
	size_t done = 0;

	hold_give_up_slice(writer, track, track->top, &done);
	hold_put(writer, track->hold + done, track->held - done);
	track->held = 0;
	track->waiting = 0;
}

/**
 * chrome_hold_line() - end a line of a track, and hold it back if an enclosing slice is held back
 * @writer: writer
 * @track: track
 * @p: end of the last member of the line
 */
void chrome_hold_line(struct chrome_writer *writer, struct chrome_track *track, char *p)
{
	struct lkst_out *line = writer->out;

	if (track->waiting) {
		out_end(line, put_char(p, '}'));
		if (hold_grow(writer, track, line->len)) {
			memcpy(track->hold + track->held, line->buf, line->len);
			track->held += line->len;
			line->len = 0;
			return;
		}
		hold_give_up(writer, track);
		p = line->buf + line->len - 1;
	}
	chrome_line_end(writer, p);
}

/**
 * chrome_hold_begin() - hold back the following lines of a track
 * @track: track
 * @slice: slice whose arguments will be known at its end
 */
void chrome_hold_begin(struct chrome_track *track, struct chrome_slice *slice)
{
	slice->at = track->held;
	track->waiting++;
}

/**
 * chrome_hold_end() - end the "B" of the innermost slice, now that its arguments are known
 * @writer: writer
 * @track: track
 * @slice: slice, for which chrome_hold_begin() was called
 * @p: end of the last member of the line
 */
void chrome_hold_end(struct chrome_writer *writer, struct chrome_track *track,
		     struct chrome_slice *slice, char *p)
{
	struct lkst_out *line = writer->out;

	if (track->waiting == 1) {
		hold_put(writer, track->hold, slice->at);
		chrome_line_end(writer, p);
		hold_put(writer, track->hold + slice->at, track->held - slice->at);
		track->held = 0;
	} else {
		out_end(line, put_char(p, '}'));
		if (!hold_grow(writer, track, line->len)) {
			line->len = 0;
			hold_give_up(writer, track);
			return;
		}
		memmove(track->hold + slice->at + line->len, track->hold + slice->at,
			track->held - slice->at);
		memcpy(track->hold + slice->at, line->buf, line->len);
		track->held += line->len;
		line->len = 0;
	}
	slice->written = true;
	track->waiting--;
}

/**
 * chrome_hold_cancel() - do not hold back lines for the innermost slice, which takes no time
 * @writer: writer
 * @track: track
 */
void chrome_hold_cancel(struct chrome_writer *writer, struct chrome_track *track)
{
	if (--track->waiting)
		return;
	hold_put(writer, track->hold, track->held);
	track->held = 0;
}

/**
 * chrome_hold_free() - free the text of a track that is held back
 * @writer: writer
 * @track: track
 */
void chrome_hold_free(struct chrome_writer *writer, struct chrome_track *track)
{
	writer->hold_all -= track->hold_size;
	free(track->hold);
	track->hold = NULL;
	track->hold_size = track->held = 0;
	track->waiting = 0;
}
