/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MKSLEEPS_H
#define _MKSLEEPS_H

#include "lib/trace/write.h"

int mksleeps_write(struct lkst_trace_writer *writer, struct lkst_error *err);

#endif
