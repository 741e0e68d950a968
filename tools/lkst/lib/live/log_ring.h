/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Tracks the batches in the ring of a log file, and keeps the file valid. The ring is the part of
 * the file in which new batches overwrite the oldest ones.
 */
#ifndef _LKST_LOG_RING_H
#define _LKST_LOG_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A group of chunks that were written together. */
struct log_batch {
	uint64_t offset;
	uint64_t records;
};

/*
 * The batches of this lap are contiguous and end at @at. After them, a SKIP chunk covers the gap up
 * to the batches that remain from the previous lap. The first of these will be overwritten next.
 */
struct log_ring {
	int fd;
	uint64_t start;
	uint64_t end;		/* UINT64_MAX: no limit */
	uint64_t at;		/* offset of the next batch */
	uint64_t size;		/* of the file */
	struct log_batch *batch; /* oldest first; an array used as a ring, with @room entries */
	size_t first;
	size_t num;
	size_t old;		/* number of batches in @num that are from the previous lap */
	size_t room;
	uint64_t kept;		/* records in the batches */
	uint64_t rewound;	/* records in batches that were overwritten or dropped */
};

#define LOG_RING_SKIP	32	/* minimum size of a SKIP chunk; equals TRACE_PACK_SPARE */

int log_ring_write_header(struct log_ring *ring, const void *data, size_t len);
int log_ring_write(struct log_ring *ring, uint8_t *data, size_t len, uint64_t records);
int log_ring_lap(struct log_ring *ring);
bool log_ring_has_room(const struct log_ring *ring, size_t len);
uint64_t log_ring_kept(const struct log_ring *ring, size_t len);
int log_ring_end(struct log_ring *ring, uint8_t *data, size_t len);

#endif
