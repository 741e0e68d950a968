/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MKHISTORY_H
#define _MKHISTORY_H

#include "lib/trace/write.h"

int mkhistory_write(struct lkst_trace_writer *writer, struct lkst_error *err);

#endif
