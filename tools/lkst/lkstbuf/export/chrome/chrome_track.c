// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "chrome_track.h"
#include "lib/base/put.h"
#include "lib/text/out.h"

#define CHROME_TIME_MAX (INT64_MAX / 2) /* so that the difference of two times does not overflow */

/* Write a time: microseconds since the start, with three decimals. */
static char *chrome_track_line_time(char *p, const struct chrome_writer *writer, int64_t time_ns)
{
	int64_t since_ns;

	if (time_ns > CHROME_TIME_MAX)
		time_ns = CHROME_TIME_MAX;
	if (time_ns < -CHROME_TIME_MAX)
		time_ns = -CHROME_TIME_MAX;
	since_ns = time_ns - writer->zero_ns;
	if (since_ns < 0) {
		p = put_char(p, '-');
		since_ns = -since_ns;
	}
	p = put_char(put_udec(p, (uint64_t)since_ns / 1000), '.');
	return put_3_digits(p, (uint32_t)(since_ns % 1000));
}

/**
 * chrome_line() - begin a line
 * @writer: writer
 * @phase: "ph": the kind of the line
 * @track: track
 * @time_ns: time
 * @name: name
 *
 * Return: where to append more members; pass the end to chrome_line_end() or chrome_hold_line().
 */
char *chrome_line(struct chrome_writer *writer, char phase, const struct chrome_track *track,
		  int64_t time_ns, const char *name)
{
	char *p = out_room(writer->out);

	p = put_text(p, ",\n{\"ph\":\"");
	p = put_udec(put_text(put_char(p, phase), "\",\"pid\":"), track->pid);
	p = put_udec(put_text(p, ",\"tid\":"), track->tid);
	p = chrome_track_line_time(put_text(p, ",\"ts\":"), writer, time_ns);
	return chrome_put_text(p, "name", name);
}

/**
 * chrome_put_string() - write a string in quotes
 * @p: where to write
 * @text: string, of at most 4096 bytes
 *
 * Return: the end of the string.
 */
char *chrome_put_string(char *p, const char *text)
{
	p = put_char(p, '"');
	/* Most strings need no escapes. */
	while (*text >= ' ' && *text < 0x7f && *text != '"' && *text != '\\')
		p = put_char(p, *text++);
	return put_char(*text ? put_json(p, text, strlen(text)) : p, '"');
}

/**
 * chrome_put_text() - write a comma and a member that is a string
 * @p: where to write
 * @member: name of the member, which needs no escapes
 * @text: its value
 *
 * Return: the end of the member.
 */
char *chrome_put_text(char *p, const char *member, const char *text)
{
	p = put_text(put_text(put_text(p, ",\""), member), "\":");
	return chrome_put_string(p, text);
}

/**
 * chrome_put_fields() - write a member with the values of an event, as in lkstbuf print --json
 * @writer: writer
 * @p: where to write
 * @member: what to write before the object
 * @event: event
 *
 * To append more to the line, call out_room().
 */
void chrome_put_fields(struct chrome_writer *writer, char *p, const char *member,
		       const struct lkst_event *event)
{
	out_end(writer->out, put_text(p, member));
	if (!lkst_format_json_fields(&writer->format, event))
		out_end(writer->out, put_text(out_room(writer->out), "{}"));
}

/* Return a time that is not before the last line of the track. */
static int64_t track_time(struct chrome_track *track, int64_t time_ns)
{
	if (time_ns > track->last_ns)
		track->last_ns = time_ns;
	return track->last_ns;
}

/*
 * Write the "B" of the slice that shows the running thread on the track of a CPU, unless it has
 * been written. Such a slice has no arguments and is not inside another slice.
 */
static void track_write_run(struct chrome_writer *writer, const struct chrome_track *track)
{
	struct chrome_slice *slice = track->top;

	while (slice && slice->below)
		slice = slice->below;
	if (!slice || slice->kind != CHROME_RUN || slice->written)
		return;
	slice->written = true;
	chrome_line_end(writer, chrome_line(writer, 'B', track, slice->begin_ns, slice->name));
}

/* Reuse a slice that has ended, or allocate a new one. Returns NULL if an allocation fails. */
static struct chrome_slice *track_slice(struct chrome_writer *writer)
{
	struct chrome_slice *slice = writer->unused;

	if (slice) {
		writer->unused = slice->below;
		return slice;
	}
	slice = malloc(sizeof(*slice));
	if (!slice)
		writer->failed = true;
	return slice;
}

/**
 * chrome_begin() - begin a slice
 * @writer: writer
 * @track: track
 * @slice: description of the slice, which is copied. Members @below, @written and @at are not used
 */
void chrome_begin(struct chrome_writer *writer, struct chrome_track *track,
		  const struct chrome_slice *slice)
{
	struct chrome_slice *added = track_slice(writer);

	if (!added)
		return;
	*added = *slice;
	added->begin_ns = track_time(track, slice->begin_ns);
	/*
	 * If the slice around this one begins at the same time, the outer slice may take no time
	 * either. A slice that takes no time has no "B", so do not write the "B" of the outer slice
	 * yet.
	 */
	if (track->top && track->top->begin_ns < added->begin_ns)
		track_write_run(writer, track);
	added->written = false;
	added->at = 0;
	added->below = track->top;
	track->top = added;
	if (added->kind != CHROME_RUN)
		chrome_hold_begin(track, added);
}

/**
 * chrome_find() - find a slice that has not ended
 * @track: track
 * @kind: kind
 * @number: number
 *
 * Return: the innermost slice with this kind and number; NULL if the track has no such slice.
 */
struct chrome_slice *chrome_find(const struct chrome_track *track, int kind, uint64_t number)
{
	struct chrome_slice *slice = track->top;

	while (slice && (slice->kind != kind || slice->number != number))
		slice = slice->below;
	return slice;
}

/**
 * chrome_args() - write the arguments of a slice
 * @writer: writer
 * @p: where to write
 * @slice: slice, with the event with which it began
 * @exit: event with which it ended; NULL: none
 * @own_ns: duration without the contexts that interrupted the slice; -1: do not write it
 *
 * Return: the end of the arguments.
 */
char *chrome_args(struct chrome_writer *writer, char *p, const struct chrome_slice *slice,
		  const struct lkst_event *exit, int64_t own_ns)
{
	const char *before = ",\"args\":{";

	if (slice->has_entry) {
		chrome_put_fields(writer, put_text(p, before), "\"entry\":", &slice->entry);
		p = out_room(writer->out);
		before = ",";
	}
	if (exit) {
		chrome_put_fields(writer, put_text(p, before), "\"exit\":", exit);
		p = out_room(writer->out);
		before = ",";
	}
	if (own_ns >= 0) {
		p = put_udec(put_text(put_text(p, before), "\"own_ns\":"), (uint64_t)own_ns);
		before = ",";
	}
	return *before == ',' && !before[1] ? put_char(p, '}') : p;
}

/* Take the innermost slice from the track. */
static void track_pop(struct chrome_writer *writer, struct chrome_track *track)
{
	struct chrome_slice *slice = track->top;

	track->top = slice->below;
	slice->below = writer->unused;
	writer->unused = slice;
}

static void track_end(struct chrome_writer *writer, struct chrome_track *track, int64_t end_ns,
		      const struct lkst_event *exit, int64_t own_ns)
{
	struct chrome_slice *slice = track->top;
	char *p;

	end_ns = track_time(track, end_ns);
	if (end_ns > slice->begin_ns)
		track_write_run(writer, track);
	if (end_ns > slice->begin_ns && !slice->written) {
		p = chrome_line(writer, 'B', track, slice->begin_ns, slice->name);
		p = chrome_args(writer, p, slice, exit, own_ns);
		chrome_hold_end(writer, track, slice, p);
	}
	/* Do not write a line if the thread ran for no time. */
	if (!slice->written && slice->kind == CHROME_RUN) {
		track_pop(writer, track);
		return;
	}
	p = chrome_line(writer, slice->written ? 'E' : 'i', track, end_ns, slice->name);
	if (!slice->written)
		p = put_text(p, ",\"s\":\"t\"");
	p = chrome_args(writer, p, slice, exit, own_ns);
	/*
	 * If chrome_hold_line() cannot hold back the line, it writes the lines that are held.
	 * Cancel this slice first, so that only the slices around it are written.
	 */
	if (!slice->written)
		chrome_hold_cancel(writer, track);
	track_pop(writer, track);
	chrome_hold_line(writer, track, p);
}

/**
 * chrome_end() - end a slice, and the slices inside it
 * @writer: writer
 * @track: track
 * @slice: from chrome_find()
 * @end_ns: end
 * @exit: event with which it ended; NULL: none
 * @own_ns: duration without the contexts that interrupted the slice; -1: do not write it
 */
void chrome_end(struct chrome_writer *writer, struct chrome_track *track,
		const struct chrome_slice *slice, int64_t end_ns, const struct lkst_event *exit,
		int64_t own_ns)
{
	while (track->top && track->top != slice)
		track_end(writer, track, end_ns, NULL, -1);
	if (track->top)
		track_end(writer, track, end_ns, exit, own_ns);
}

/**
 * chrome_end_all() - end all slices of a track
 * @writer: writer
 * @track: track
 * @end_ns: end
 */
void chrome_end_all(struct chrome_writer *writer, struct chrome_track *track, int64_t end_ns)
{
	chrome_end(writer, track, NULL, end_ns, NULL, -1);
}

/**
 * chrome_advance() - prepare a track for a slice that the caller writes, and that has no inner
 * slices
 * @writer: writer
 * @track: track
 * @begin_ns: start; raised to the time of the track's last line if that is later
 * @end_ns: end
 *
 * Return: whether the slice takes any time.
 */
bool chrome_advance(struct chrome_writer *writer, struct chrome_track *track, int64_t *begin_ns,
		    int64_t end_ns)
{
	*begin_ns = track_time(track, *begin_ns);
	if (end_ns <= *begin_ns)
		return false;
	track_write_run(writer, track);
	track->last_ns = end_ns;
	return true;
}

/**
 * chrome_drop() - forget the slices of a track, and the text that is held back for them
 * @writer: writer
 * @track: track
 */
void chrome_drop(struct chrome_writer *writer, struct chrome_track *track)
{
	while (track->top)
		track_pop(writer, track);
	chrome_hold_free(writer, track);
}

/**
 * chrome_free() - free the slices that have ended, and the line
 * @writer: writer
 */
void chrome_free(struct chrome_writer *writer)
{
	struct chrome_slice *next;

	for (; writer->unused; writer->unused = next) {
		next = writer->unused->below;
		free(writer->unused);
	}
	lkst_out_close(&writer->line);
}
