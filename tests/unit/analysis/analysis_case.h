/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers of the tests that call the callbacks of an analysis with spans. They replace run.c: the
 * name of a thread is NAME-TID, the name of a system call is call_NUMBER, and addresses are shown
 * as numbers.
 */
#ifndef _ANALYSIS_CASE_H
#define _ANALYSIS_CASE_H

#include "lkstla/analysis.h"

extern struct common_arguments analysis_args;	/* each setup selects all events */
/* What analysis_setup() passes to an analysis with operands; the caller sets it before the call. */
extern char **analysis_operands;
extern const struct lkst_etypes *analysis_types;
extern struct run analysis_run;			/* the window is 0 to 1 ms */
extern struct lkst_model *analysis_model;	/* what analysis_setup() passes as the model */
extern int64_t analysis_c;			/* -c of the next setup; -1: all CPUs */
extern const char *analysis_image;		/* type of the image; NULL: not an image */
extern const struct lkst_thread *analysis_selected; /* thread that -p selects; NULL: all */

void analysis_setup(const struct analysis *analysis, const void *own);
void analysis_restart(void);
void analysis_teardown(void);
void *analysis_ctx(void);
void analysis_span(const struct lkst_thread_span *span);
bool analysis_out_of_memory(void);
char *analysis_csv(void);
char *analysis_printed(void);

/* Check that the tables as CSV, one after the other, are @expected. */
#define analysis_check(expected)				\
	do {							\
		const char *analysis_want = (expected);		\
		char *analysis_text = analysis_csv();		\
								\
		ck_assert_str_eq(analysis_text, analysis_want);	\
		free(analysis_text);				\
	} while (0)

#endif
