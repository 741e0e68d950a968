/* SPDX-License-Identifier: GPL-2.0 */
/* Adds the table of lkstla sched to the report of another analysis. */
#ifndef _LKSTLA_SCHED_H
#define _LKSTLA_SCHED_H

#include "analysis.h"

int sched_report_threads(const void *sched, const struct run *run, struct tables *to,
			 struct lkst_error *err);

#endif
