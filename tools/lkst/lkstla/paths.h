/* SPDX-License-Identifier: GPL-2.0 */
/* The paths that threads pass to system calls, from the events system_call_path */
#ifndef _LKSTLA_PATHS_H
#define _LKSTLA_PATHS_H

#include "analysis.h"

#define PATHS_PER_CALL 2

/* The number of a call without paths */
#define PATHS_NONE 0

/*
 * The column with the second path of rename() and similar calls, the new name. A table has this
 * column only if any such path is known.
 */
#define PATHS_SECOND_COLUMN                         \
	{                                           \
		"new path", "new_path", COLUMN_TEXT \
	}

/**
 * struct path_text - a path
 * @text: the path, with " [cut]" if its end is missing
 * @room: allocated bytes at @text
 * @argument: position among the arguments of the call, from 1; 0: not recorded
 * @second: whether it is the new path of rename() or a similar call
 * @known: @text is valid
 */
struct path_text {
	char *text;
	size_t room;
	uint32_t argument;
	bool second;
	bool known;
};

/**
 * struct path_call - a system call and its paths
 * @refs: number of users; 0: free
 * @next: free: number of the next free call; PATHS_NONE: none
 * @call: number and ABI of the system call, as in the events
 * @open: the call has not ended
 * @cut: the start of the call is unknown
 * @losses: value of @losses in struct paths when the call ended or, if it has not begun, when a
 *	path was recorded
 * @begin_ns: start of the call; INT64_MIN: it has not begun, because the paths were recorded first
 * @path: paths, in the order of the events
 */
struct path_call {
	uint32_t refs;
	uint32_t next;
	uint64_t call;
	bool open;
	bool cut;
	uint64_t losses;
	int64_t begin_ns;
	struct path_text path[PATHS_PER_CALL];
};

/**
 * struct paths - calls whose paths are kept
 * @run: run
 * @wanted: the trace may have paths
 * @of: number of the latest call of each thread, by index of the thread
 * @threads: number of members of @of
 * @call: calls; call number N is at index N - 1
 * @calls: number of calls
 * @room: number of members of @call
 * @free: number of the first free call; PATHS_NONE: none
 * @last: number of the call that ended last, if its thread ended in it; otherwise PATHS_NONE
 * @bytes: allocated bytes of all paths
 * @losses: how often records were lost
 */
struct paths {
	const struct run *run;
	bool wanted;
	uint32_t *of;
	size_t threads;
	struct path_call *call;
	uint32_t calls;
	size_t room;
	uint32_t free;
	uint32_t last;
	size_t bytes;
	uint64_t losses;
};

void paths_init(struct paths *paths, const struct run *run);
void paths_free(struct paths *paths);
void paths_loss(struct paths *paths);
void paths_event(struct paths *paths, const struct lkst_event *event);
void paths_call(struct paths *paths, const struct lkst_syscall_span *span);
void paths_keep(struct paths *paths, const struct lkst_syscall_span *span, uint32_t *number);
const char *paths_get(const struct paths *paths, uint32_t number, bool second);

#endif
