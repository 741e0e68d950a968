/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the tests that pass events to an analysis, in addition to analysis_case.h. They replace
 * the state model: threads 100 to 103 are a, b, c and d, and no other thread is known.
 */
#ifndef _CALLS_CASE_H
#define _CALLS_CASE_H

#include "analysis_case.h"
#include "lib/base/etype_ids.h"
#include "sample.h"

extern struct lkst_thread calls_threads[4];

void calls_setup(const struct analysis *analysis, const void *own);
void calls_teardown(void);
void calls_values(const char *text);
void calls_reuse(struct lkst_thread *thread);
void calls_loss(int64_t begin_ns, int64_t end_ns);
void calls_event(int64_t time_ns, int32_t cpu, uint32_t tid, uint32_t type, uint64_t a1, uint64_t a2,
		 uint64_t a3, uint64_t a4);
void calls_payload(int64_t time_ns, uint32_t type, const struct lkst_payload *payload);
void calls_report(void);

#endif
