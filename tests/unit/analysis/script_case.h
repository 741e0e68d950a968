/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the tests that run scripts of events (model_case.h) through an analysis, in addition to
 * analysis_case.h. Times are printed in UTC. Only events give names to threads.
 */
#ifndef _SCRIPT_CASE_H
#define _SCRIPT_CASE_H

#include "analysis_case.h"
#include "model_case.h"

void script_setup(const char *values);
void script_window(int64_t end_ns);
void script_run(const char *script);
void script_teardown(void);

#endif
