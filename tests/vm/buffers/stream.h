/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of the test "stream": the checker of marks in blocks. */
#ifndef STREAM_H
#define STREAM_H

#include "blocks.h"
#include "marks.h"

#define CPUS	BLOCKS_CPUS
#define WRITERS 3 /* one on each CPU, and one that moves from CPU to CPU */

/* The marks that a reader in block mode has read so far. */
struct checker {
	const volatile pid_t *tid; /* thread id of each writer */
	uint64_t marks[CPUS]; /* number of marks that have been read */
	uint64_t last[CPUS][WRITERS]; /* number of the last mark of each writer on each CPU */
	uint64_t last_lost[CPUS][WRITERS]; /* not_read() of the CPU at that mark */
	/* For each mark of the moving writer, how many times all checkers together have read it */
	volatile unsigned char *moving;
	size_t moving_num; /* number of bytes in @moving */
};

/*
 * Check a record if it is a mark. Called as &blocks.record, with a struct checker as &blocks.ctx.
 */
void check_mark(struct blocks *blocks, const struct lkst_block *header, uint64_t recid,
		const struct lkst_event_record *record);

/* Check that the checker accepts correct blocks, and rejects damaged ones. */
void selftest(void);

#endif
