/* SPDX-License-Identifier: LGPL-2.1 */
/* The part of a log file that is written over: where its pieces are, and keeping it whole. */
#ifndef _LKST_LOG_RING_H
#define _LKST_LOG_RING_H

#include "liblkst.h"

/* Chunks that were written at once. */
struct log_batch {
	uint64_t offset;
	uint64_t records;
};

/*
 * Pieces lie one behind the other up to @at; behind it those of the lap before, of which the
 * next has yet to be written over. What is between the two is a SKIP chunk.
 */
struct log_ring {
	int fd;
	uint64_t start;
	uint64_t end;		/* UINT64_MAX: it never goes round */
	uint64_t at;		/* where the next piece goes */
	uint64_t size;		/* of the file */
	struct log_batch *piece; /* oldest first, a circle of @room */
	size_t first;
	size_t num;
	size_t old;		/* of them, those of the lap before */
	size_t room;
	uint64_t kept;		/* records in the pieces */
	uint64_t rewound;	/* records in pieces that are no longer there */
};

#define LOG_RING_SKIP	32	/* bytes of a SKIP chunk at least; TRACE_PACK_SPARE */

int log_ring_preface(struct log_ring *ring, const void *data, size_t len);
int log_ring_write(struct log_ring *ring, uint8_t *data, size_t len, uint64_t records);
int log_ring_lap(struct log_ring *ring);
bool log_ring_has_room(const struct log_ring *ring, size_t len);
uint64_t log_ring_kept(const struct log_ring *ring, size_t len);
int log_ring_end(struct log_ring *ring, uint8_t *data, size_t len);

#endif
