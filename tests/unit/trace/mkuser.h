/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MKUSER_H
#define _MKUSER_H

#include "lib/trace/write.h"

int mkuser_write(struct lkst_trace_writer *writer, struct lkst_error *err);

#endif
