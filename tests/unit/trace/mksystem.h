/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MKSYSTEM_H
#define _MKSYSTEM_H

#include "lib/trace/write.h"

int mksystem_write(struct lkst_trace_writer *writer, uint64_t seed, struct lkst_error *err);

#endif
