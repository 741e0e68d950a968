/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A buffer of the kernel, read piece by piece, so that however large it is it takes little memory and
 * can be given up in between. It is read up to where its CPU was when the first piece was read; what
 * is written over before its turn is counted.
 */
#ifndef _LKST_PIECES_H
#define _LKST_PIECES_H

#include "liblkst.h"

/**
 * struct pieces - a buffer on its way out
 * @dev: device
 * @size: records in a piece, at most
 * @record: of the latest piece
 * @bytes: room at @record
 * @counts: what the latest answer says of the buffer, with the counts up to here: recorded until
 *	the reading began = read + overwritten + dropped + unfinished, when it has ended
 * @read: records in all pieces so far
 * @max: as many are wanted; 0: all
 * @slots: records that the buffer can hold
 * @begin: recid that the reading began with
 * @next: recid that comes next
 * @end: where it ends
 * @unfinished: of those passed
 * @begun: there was an answer
 * @idle: answers without a record, one after the other
 */
struct pieces {
	struct lkst_device *dev;
	size_t size;
	struct lkst_log_record *record;
	size_t bytes;
	struct lkst_log_buffer counts;
	uint64_t read;
	uint64_t max;
	uint64_t slots;
	uint64_t begin;
	uint64_t next;
	uint64_t end;
	uint64_t unfinished;
	bool begun;
	unsigned int idle;
};

void pieces_init(struct pieces *pieces, struct lkst_device *dev, size_t size);
void pieces_free(struct pieces *pieces);
int pieces_begin(struct pieces *pieces, int32_t cpu, lkst_buffer_id id, uint64_t max,
		 struct lkst_error *err);
int pieces_next(struct pieces *pieces, size_t *num, struct lkst_error *err);

#endif
