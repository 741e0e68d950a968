/* SPDX-License-Identifier: LGPL-2.1 */
/* Writes the selected part of a trace. */
#ifndef _LKST_LIB_TRACE_CUT_H
#define _LKST_LIB_TRACE_CUT_H

#include "lib/lkst.h"

struct lkst_selection;
struct lkst_trace_writer;

int lkst_trace_cut(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct lkst_selection *selection, const char *how,
		   const volatile int *stop, struct lkst_trace_writer *writer,
		   struct lkst_error *err);

#endif
