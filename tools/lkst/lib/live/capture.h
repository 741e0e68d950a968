/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the kernel's buffers into a trace. */
#ifndef _LKST_LIB_LIVE_CAPTURE_H
#define _LKST_LIB_LIVE_CAPTURE_H

#include "lib/lkst.h"
#include "lib/trace/trace.h"

struct lkst_trace_writer;

/**
 * struct lkst_capture_older - what a capture without the history has left out
 * @cpus: one bit for each CPU whose history has events
 * @num: number of these CPUs
 * @several: one of these CPUs has several buffers, so its history may have events that are newer
 *	than some events in the buffers
 */
struct lkst_capture_older {
	uint64_t cpus[LKST_TRACE_CPUS / 64];
	unsigned int num;
	bool several;
};

/**
 * struct lkst_capture - what to read
 * @cpu: only this CPU; -1: all
 * @id: only buffers with this id; -1: all
 * @static_buffer: read only the static buffer
 * @max: read at most this many of the oldest records of each buffer; 0: all
 * @no_symbols: omit symbols; the program that prints the trace takes them from the running kernel
 * @no_long_rings: omit the long rings
 * @no_history: omit the compressed history; then all records of the buffers are read
 * @older: set to what @no_history has left out, unless @id is set; may be NULL
 * @no_files: omit the command lines and descriptors of the processes
 * @etypes_path: file with event types to use; NULL: use the running kernel's event types
 * @root: prefix for /proc and /sys when values and symbols are read; NULL: none
 * @stop: the capture ends early when a signal handler sets this; may be NULL
 * @notice: called with one sentence about files, or about parts of the history, that could not be
 *	read; may be NULL
 * @progress: as in struct lkst_trace_hooks, in bytes of buffers
 * @ctx: passed to @notice and @progress
 */
struct lkst_capture {
	int32_t cpu;
	lkst_buffer_id id;
	bool static_buffer;
	uint64_t max;
	bool no_symbols;
	bool no_long_rings;
	bool no_history;
	struct lkst_capture_older *older;
	bool no_files;
	const char *etypes_path;
	const char *root;
	const volatile int *stop;
	void (*notice)(void *ctx, const char *text);
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

int lkst_capture(struct lkst_device *dev, const struct lkst_capture *options,
		 struct lkst_trace_writer *writer, struct lkst_error *err);

#endif
