/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MKLOAD_H
#define _MKLOAD_H

#include "lib/trace/write.h"

int mkload_write(struct lkst_trace_writer *writer, const char *plan, uint64_t seed,
		 struct lkst_error *err);

#endif
