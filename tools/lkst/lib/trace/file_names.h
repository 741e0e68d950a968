/* SPDX-License-Identifier: LGPL-2.1 */
/* Passes to struct lkst_files what the records of a trace show about descriptors. */
#ifndef _LKST_LIB_TRACE_FILE_NAMES_H
#define _LKST_LIB_TRACE_FILE_NAMES_H

#include "lib/lkst.h"

struct chunk_ref;
struct cursor;

void trace_files_start(struct lkst_trace *trace);
bool trace_files_wanted(const struct lkst_trace *trace, const struct chunk_ref *ref);
int trace_files_learn(struct lkst_trace *trace, const struct cursor *c, struct lkst_error *err);
int trace_files_finish(struct lkst_trace *trace, struct lkst_error *err);

#endif
