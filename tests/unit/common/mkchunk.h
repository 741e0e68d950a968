/* SPDX-License-Identifier: GPL-2.0 */
/* Makes chunks of the compressed history, as the kernel stores them. */
#ifndef _MKCHUNK_H
#define _MKCHUNK_H

#include <linux/lkst_history.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mkchunk {
	int32_t cpu;
	int32_t buffer;
	uint32_t clock; /* enum lkst_clock */
	uint64_t first_recid;
	uint64_t num;
	const struct lkst_event_record *record; /* @num records, in this machine's byte order */
	uint64_t tsc, khz; /* a reading of the clock, and its rate */
	int64_t monotonic, wall; /* times at that moment in ns */
	unsigned int compression; /* LKST_CHUNK_* */
	int window_log; /* log2 of the size of zstd's window in bytes; 0: zstd chooses it */
	bool swapped; /* the kernel's machine has the opposite byte order */
	/* Changes the header of the records before the payload is compressed; may be NULL. */
	void (*change)(struct lkst_records_header *header);
};

/*
 * Store a chunk, with its header and the padding. Return its size in bytes, at most
 * LKST_HISTORY_CHUNK_MAX.
 */
size_t mkchunk(uint8_t *to, const struct mkchunk *make);
/* Correct the checksums of a chunk. */
void mkchunk_sign(uint8_t *chunk, bool swapped);

#endif
