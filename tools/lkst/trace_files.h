/* SPDX-License-Identifier: GPL-2.0 */
/* Which trace files a command line means. */
#ifndef _TRACE_FILES_H
#define _TRACE_FILES_H

#include "lib/liblkst.h"
#include "options.h"

/**
 * struct trace_files - trace files, or what else lkst_trace_open_files() takes
 * @num: how many
 * @path: of each
 */
struct trace_files {
	size_t num;
	const char **path;
};

int trace_files_add(struct trace_files *files, const char *path, struct lkst_error *err);
int trace_files_take(struct trace_files *files, const struct option_words *words, char **operands,
		     struct lkst_error *err);
void trace_files_free(struct trace_files *files);

#endif
