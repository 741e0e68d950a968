/* SPDX-License-Identifier: LGPL-2.1 */
/* Makes a trace from files of kmemtrace. */
#ifndef _LKST_LIB_TRACE_KMEMTRACE_H
#define _LKST_LIB_TRACE_KMEMTRACE_H

#include "lib/lkst.h"

struct lkst_trace_writer;

/* Key in the SYSTEM chunk of a trace that was made from files of kmemtrace. Its value is 1. */
#define KMEMTRACE_SYSTEM "kmemtrace"

/* Keys of numbers that are only in such a SYSTEM chunk. The first two are missing if unknown. */
#define KMEMTRACE_SYSTEM_ABI	  "kmemtrace_abi"	/* contents of the file abi_version */
#define KMEMTRACE_SYSTEM_OVERRUNS "kmemtrace_overruns"	/* contents of the file total_overruns */
#define KMEMTRACE_SYSTEM_DAMAGES  "kmemtrace_damages"	/* reports of damage */

/**
 * struct kmemtrace_files - files of one recording
 * @path: names of the files, one for each CPU
 * @num: number of files
 * @symbols: file with symbols in the format of /proc/kallsyms; NULL: none
 * @hooks: functions that report damage and progress; may be NULL
 */
struct kmemtrace_files {
	const char *const *path;
	size_t num;
	const char *symbols;
	const struct lkst_trace_hooks *hooks;
};

enum kmemtrace_kind {
	KMEMTRACE_OTHER,	/* another file, or one that cannot be read */
	KMEMTRACE_EMPTY,
	KMEMTRACE_EVENTS,
};

enum kmemtrace_kind kmemtrace_kind(const char *path);
int kmemtrace_trace(const struct kmemtrace_files *files, struct lkst_trace_writer *writer,
		    struct lkst_error *err);

#endif
