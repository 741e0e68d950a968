/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the test "stream" share: the checker of what a file reads in blocks.
 */
#ifndef STREAM_H
#define STREAM_H

#include "blocks.h"

#define CPUS	BLOCKS_CPUS
#define WRITERS 3 /* one on each CPU, and one that moves */

/**
 * struct checker - what a file that reads in blocks has seen of the writers' marks
 * @tid: of each writer
 * @marks: of the records of each CPU, how many are a writer's marks
 * @last: of each CPU and writer, the last mark's number
 * @last_lost: and how many records of the CPU could not be read up to then
 * @moving: marks of the writer that moves, a byte each; those who read different CPUs share it
 * @moving_num: entries of @moving
 */
struct checker {
	const volatile pid_t *tid;
	uint64_t marks[CPUS];
	uint64_t last[CPUS][WRITERS];
	uint64_t last_lost[CPUS][WRITERS];
	volatile unsigned char *moving;
	size_t moving_num;
};

/* A writer's mark: its arguments follow from one another, parts of two do not make one. */
void fill_mark(lkst_arg_t arg[4], unsigned int writer, uint64_t number);

/* For struct blocks, whose @ctx is a struct checker. */
void check_mark(struct blocks *blocks, const struct lkst_block *head, uint64_t recid,
		const struct lkst_event_record *record);

/* Records of a CPU that could not be read. */
uint64_t not_read(const struct blocks_cpu *cpu);

void selftest(void);

#endif
