/* SPDX-License-Identifier: GPL-2.0 */
/* The names of what threads were blocked in, such as a system call. */
#ifndef _LKSTLA_CAUSES_H
#define _LKSTLA_CAUSES_H

#include "analysis.h"
#include "cli/causes.h"

#define CAUSE_NAME_SIZE 96

const char *cause_name(const struct lkst_thread *thread, uint64_t cause, bool calls_seen,
		       char text[CAUSE_NAME_SIZE]);

#endif
