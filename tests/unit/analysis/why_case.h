/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs scripts of events (model_case.h) through lkstla why, and checks each tree: children tile
 * their parents, and the times by state are those of the spans of the model.
 */
#ifndef _WHY_CASE_H
#define _WHY_CASE_H

#include "analysis_case.h"
#include "lkstla/why/why.h"
#include "model_case.h"

extern uint64_t why_case_bytes;	/* memory of the history; 0: the default */
extern char why_case_note[256];	/* the latest note that was printed */

void why_case_begin(const struct why_arguments *own, const char *operand);
void why_case_run(const char *script, int64_t end_ns);
char *why_case_text(void);
size_t why_case_check(size_t most);
void why_case_done(void);

#endif
