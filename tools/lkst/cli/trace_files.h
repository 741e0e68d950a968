/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the trace files that a command line names. */
#ifndef _TRACE_FILES_H
#define _TRACE_FILES_H

#include "lib/lkst.h"

struct option_words;

/**
 * struct trace_files - list of trace files, or of anything else that lkst_trace_open_files()
 * accepts
 * @num: number of files
 * @path: their names
 */
struct trace_files {
	size_t num;
	const char **path;
};

int trace_files_add(struct trace_files *files, const char *path, struct lkst_error *err);
int trace_files_take(struct trace_files *files, const struct option_words *words, char **operands,
		     const char *hint, struct lkst_error *err);
int trace_files_check_cpu(const struct trace_files *files, int32_t cpu,
			  const struct lkst_trace *trace, struct lkst_error *err);
bool trace_files_have(const struct trace_files *files, const char *path);
void trace_files_free(struct trace_files *files);

#endif
