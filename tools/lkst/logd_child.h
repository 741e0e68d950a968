/* SPDX-License-Identifier: GPL-2.0 */
/* A child, among its own parts. */
#ifndef _LOGD_CHILD_H
#define _LOGD_CHILD_H

#include <sys/stat.h>

#include "logd.h"

/**
 * struct child - what it is doing
 * @args: what the parent said
 * @parent: process
 * @shared: what others see
 * @dev: to look what there is
 * @stream: what is read
 * @log: what is written; NULL: no file yet
 * @file: which file that is
 * @serial: of the file, or of the next one
 * @kept: in earlier files
 * @rewound: in earlier files
 * @run: read, and to be written
 * @holding: there is one
 * @position: recid after the last one that was read
 * @command: being carried out; 0: none
 * @new_serial: that it brought
 * @flushed: what it is about can be read
 * @mark: recid up to which it is about records: what came before the command
 * @trouble: writing does not succeed
 * @tried: it was tried since the command came
 * @lost_before: what was lost when that began
 * @recovered: it succeeds again, and that was not told yet
 * @untold: losses that were not told
 * @next_telling: ms, when the next may be told
 * @looked: recid up to which was looked for news
 * @news: that there are before it and that are not written
 * @next_look: ms
 * @late: ms, from when on any news are enough
 * @done: that is all
 */
struct child {
	const struct logd_child_args *args;
	pid_t parent;
	struct logd_cpu *shared;
	uint32_t generation;
	struct lkst_device *dev;
	struct lkst_stream *stream;
	struct lkst_log *log;
	struct stat file;
	uint32_t serial;
	uint64_t kept;
	uint64_t rewound;
	struct lkst_run run;
	bool holding;
	uint64_t position;
	enum logd_command command;
	uint32_t new_serial;
	bool flushed;
	uint64_t mark;
	bool trouble;
	bool tried;
	uint64_t lost_before;
	bool recovered;
	uint64_t untold;
	int64_t next_telling;
	uint64_t looked;
	unsigned int news;
	int64_t next_look;
	int64_t late;
	bool done;
};

/* Another daemon has begun: the numbers are about its children now. */
static inline bool child_is_current(const struct child *child)
{
	return child->args->state->generation == child->generation;
}

/* logd_child_show.c */
void child_show_file(struct child *child, const char *name);
void child_show_trouble(struct child *child, const struct lkst_error *err);
void child_show_counts(struct child *child);
void child_tell_losses(struct child *child);
void child_count_loss(struct child *child, uint64_t lost);
void child_begin_trouble(struct child *child, const struct lkst_error *err);
void child_end_trouble(struct child *child);
void child_no_trouble(struct child *child);

/* logd_child_log.c */
int child_open_log(struct child *child, struct lkst_error *err);
void child_close_log(struct child *child);
void child_check_file(struct child *child);
int child_write_run(struct child *child);

/* logd_child_news.c */
void child_wrote(struct child *child);
bool child_has_news(struct child *child);

#endif
