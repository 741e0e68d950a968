/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the program "history" share. */
#ifndef HISTORY_H
#define HISTORY_H

#include <linux/lkst_history.h>

#include "processes.h"

#define HISTORY_CPUS 8 /* maximum number of CPUs of a soak */

/**
 * struct follower - a reader of the history of a CPU
 * @cpu: the CPU
 * @position: as in struct lkst_history_read
 * @end: one more than the last recid that was read, 0 before the first chunk
 * @chunks: number of chunks that were read
 * @records: number of records in these chunks
 * @gaps: number of recids between these chunks
 * @skipped: number of chunks that were skipped
 * @mark: number of the last mark that was read
 * @marks: number of marks that were read
 * @missing: number of marks that were not read, although later ones were
 */
struct follower {
	int cpu;
	uint64_t position;
	uint64_t end;
	uint64_t chunks;
	uint64_t records;
	uint64_t gaps;
	uint64_t skipped;
	uint64_t mark;
	uint64_t marks;
	uint64_t missing;
};

struct lkst_history_status status_of(int cpu);
uint64_t check_chunk(struct follower *f, const struct lkst_chunk_header *chunk, uint64_t room);
void follow(struct follower *f);
uint64_t accounted(const struct lkst_history_status *status);
struct lkst_history_status settle(struct follower *f);
unsigned long meminfo(const char *name);
void hog(int fd);
int soak(unsigned int seconds, unsigned int seed, uint64_t page);

#endif
