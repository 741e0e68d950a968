/* SPDX-License-Identifier: GPL-2.0 */
/* Lets another analysis show the table of lkstla sched. */
#ifndef _LKSTLA_SCHED_H
#define _LKSTLA_SCHED_H

#include "analysis.h"

int sched_report_threads(const void *sched, const struct run *run, struct tables *to,
			 struct lkst_error *err);

#endif
