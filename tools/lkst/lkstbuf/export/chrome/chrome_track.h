/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A track of a Chrome trace: one row of slices, which nest.
 *
 * A slice is a pair of lines "B" and "E", which have the same arguments. Some viewers sort lines by
 * time, and keep the order of lines with the same time; others need the lines of a track in order
 * of time. So within a track, each line is written after all lines with earlier times, and the "B"
 * of an outer slice is written before the lines of the slices inside it. Viewers also require that
 * "B" is earlier than "E", so a slice that takes no time is written as an instant, "i". This is why
 * "B" is not written until a line with a later time follows.
 */
#ifndef _LKSTBUF_EXPORT_CHROME_TRACK_H
#define _LKSTBUF_EXPORT_CHROME_TRACK_H

#include "lib/lkst.h"
#include "lib/text/format.h"
#include "lib/text/out.h"

#define CHROME_NAME_SIZE 160 /* for the name of a slice; longer names are cut */

/* Kinds of slices in addition to the kinds in enum lkst_context_kind */
enum {
	CHROME_CALL = -1,	/* a system call */
	CHROME_RUN = -2,	/* on a CPU: a thread runs */
};

/**
 * struct chrome_slice - a slice that has not ended
 * @below: the slice around this slice; NULL: none
 * @kind: enum lkst_context_kind, or CHROME_*
 * @number: number of the context
 * @begin_ns: start
 * @written: whether the "B" of the slice has been written
 * @at: length of the text that was held back in the track when the slice began
 * @has_entry: whether @entry is valid
 * @entry: event with which the slice began
 * @name: name
 */
struct chrome_slice {
	struct chrome_slice *below;
	int kind;
	uint64_t number;
	int64_t begin_ns;
	bool written;
	size_t at;
	bool has_entry;
	struct lkst_event entry;
	char name[CHROME_NAME_SIZE];
};

/**
 * struct chrome_track - a track
 * @pid: number of the process, as viewers show it; 0: the track has no slices yet
 * @tid: number of the thread
 * @last_ns: time of the last line
 * @top: innermost slice that has not ended
 * @waiting: number of slices whose "B" is held back until they end; 0: no text is held back
 * @hold: text that is held back
 * @held: length of this text
 * @hold_size: size of @hold
 */
struct chrome_track {
	uint32_t pid;
	uint32_t tid;
	int64_t last_ns;
	struct chrome_slice *top;
	unsigned int waiting;
	char *hold;
	size_t held;
	size_t hold_size;
};

/**
 * struct chrome_writer - writes lines
 * @file: output
 * @line: the line that is being written
 * @out: points to @line
 * @format: writes the values of events; uses @out
 * @zero_ns: the time that viewers show as 0
 * @any: a line has been written
 * @hold_all: sum of @hold_size of all tracks
 * @unused: slices that have ended and can be reused
 * @failed: an allocation failed
 */
struct chrome_writer {
	struct lkst_out *file;
	struct lkst_out line;
	struct lkst_out *out;
	struct lkst_format format;
	int64_t zero_ns;
	bool any;
	size_t hold_all;
	struct chrome_slice *unused;
	bool failed;
};

char *chrome_line(struct chrome_writer *writer, char phase, const struct chrome_track *track,
		  int64_t time_ns, const char *name);
char *chrome_put_string(char *p, const char *text);
char *chrome_put_text(char *p, const char *member, const char *text);
void chrome_put_fields(struct chrome_writer *writer, char *p, const char *member,
		       const struct lkst_event *event);
char *chrome_args(struct chrome_writer *writer, char *p, const struct chrome_slice *slice,
		  const struct lkst_event *exit, int64_t own_ns);

void chrome_begin(struct chrome_writer *writer, struct chrome_track *track,
		  const struct chrome_slice *slice);
struct chrome_slice *chrome_find(const struct chrome_track *track, int kind, uint64_t number);
void chrome_end(struct chrome_writer *writer, struct chrome_track *track,
		const struct chrome_slice *slice, int64_t end_ns, const struct lkst_event *exit,
		int64_t own_ns);
bool chrome_advance(struct chrome_writer *writer, struct chrome_track *track, int64_t *begin_ns,
		    int64_t end_ns);
void chrome_end_all(struct chrome_writer *writer, struct chrome_track *track, int64_t end_ns);
void chrome_drop(struct chrome_writer *writer, struct chrome_track *track);
void chrome_free(struct chrome_writer *writer);

/* chrome_hold.c */
void chrome_line_end(struct chrome_writer *writer, char *p);
void chrome_hold_line(struct chrome_writer *writer, struct chrome_track *track, char *p);
void chrome_hold_begin(struct chrome_track *track, struct chrome_slice *slice);
void chrome_hold_end(struct chrome_writer *writer, struct chrome_track *track,
		     struct chrome_slice *slice, char *p);
void chrome_hold_cancel(struct chrome_writer *writer, struct chrome_track *track);
void chrome_hold_free(struct chrome_writer *writer, struct chrome_track *track);

#endif
