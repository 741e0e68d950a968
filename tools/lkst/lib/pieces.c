// SPDX-License-Identifier: LGPL-2.1
#include <string.h>
#include <sys/mman.h>

#include "messages.h"
#include "pieces.h"

#define TRIES 5 /* without progress: the writer laps whoever reads */

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/**
 * pieces_init() - nothing is read yet
 * @pieces: to be freed with pieces_free()
 * @dev: stays the caller's
 * @size: records in a piece, at most
 */
void pieces_init(struct pieces *pieces, struct lkst_device *dev, size_t size)
{
	memset(pieces, 0, sizeof(*pieces));
	pieces->dev = dev;
	pieces->size = size;
}

/**
 * pieces_free() - free the memory for the records
 * @pieces: after pieces_init()
 */
void pieces_free(struct pieces *pieces)
{
	if (pieces->record)
		munmap(pieces->record, pieces->bytes);
	pieces->record = NULL;
	pieces->bytes = 0;
}

static int make_room(struct pieces *pieces, uint64_t records, struct lkst_error *err)
{
	size_t bytes = (size_t)records * sizeof(*pieces->record);
	void *p;

	if (pieces->bytes >= bytes)
		return 0;
	pieces_free(pieces);
	/* Populated: a page fault in the copy gives the writer time to catch up. */
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		 -1, 0);
	if (p == MAP_FAILED) {
		lkst_error_memory(err, "the records of a buffer");
		return -1;
	}
	pieces->record = p;
	pieces->bytes = bytes;
	return 0;
}

/* What a buffer holds: recids from @begin on, before @end. Returns 1, 0: there is none, -1. */
static int find_buffer(struct pieces *pieces, int32_t cpu, lkst_buffer_id id,
		       struct lkst_error *err)
{
	struct lkst_buffer_list list;
	int found = 0;

	if (lkst_buffer_list_get(pieces->dev, cpu, &list, err))
		return -1;
	for (int32_t i = 0; i < list.param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &list.ent[i];

		if (ent->id != id)
			continue;
		pieces->slots = ent->size / LKST_SIZEOF_LKST_EVENT_RECORD;
		pieces->end = (uint64_t)ent->baseid + ent->write_offset;
		pieces->begin =
			min_u64(pieces->end, ent->first_recid + ent->overwritten + ent->dropped);
		found = 1;
	}
	lkst_buffer_list_free(&list);
	return found;
}

static int find_static_buffer(struct pieces *pieces, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(pieces->dev, &status, err))
		return -1;
	pieces->slots = status.trc.static_buffer_size / LKST_SIZEOF_LKST_EVENT_RECORD;
	pieces->end = status.trc.static_buffer_recid;
	pieces->begin = pieces->end - min_u64(pieces->end, pieces->slots);
	lkst_status_free(&status);
	return 1;
}

/**
 * pieces_begin() - begin to read a buffer
 * @pieces: after pieces_init(); any buffer that was read before is done with
 * @cpu: -1: the static buffer
 * @id: buffer
 * @max: the oldest so many records; 0: all
 * @err: why not
 *
 * Return: 1; 0: there is no such buffer; -1: an error.
 */
int pieces_begin(struct pieces *pieces, int32_t cpu, lkst_buffer_id id, uint64_t max,
		 struct lkst_error *err)
{
	int ret;

	memset(&pieces->counts, 0, sizeof(pieces->counts));
	pieces->counts.cpu = cpu;
	pieces->counts.id = id;
	pieces->read = 0;
	pieces->max = max;
	pieces->unfinished = 0;
	pieces->begun = false;
	pieces->idle = 0;
	ret = cpu < 0 ? find_static_buffer(pieces, err) : find_buffer(pieces, cpu, id, err);
	pieces->next = pieces->begin;
	return ret;
}

/* How many records may come yet. Before the first answer nobody knows how many there are by then. */
static uint64_t left(const struct pieces *pieces)
{
	uint64_t left = pieces->begun ? pieces->end - pieces->next : pieces->slots;

	if (!pieces->max)
		return left;
	return min_u64(left, pieces->max - min_u64(pieces->max, pieces->read));
}

/* Nothing more comes: what has not been passed was written over, or went with the buffer. */
static void give_up(struct pieces *pieces)
{
	pieces->next = pieces->end;
}

/*
 * The first answer tells what is read. Where the kernel gave up because the writer is too fast, it
 * tells of less than the list did.
 */
static void take_first(struct pieces *pieces, const struct lkst_log_buffer *answer)
{
	pieces->begun = true;
	pieces->counts = *answer;
	pieces->end = max_u64(pieces->end, answer->first_recid + answer->recorded);
	pieces->begin = pieces->next = max_u64(pieces->next, answer->first_recid);
}

/* Returns how many of the records are of this reading. */
static size_t take(struct pieces *pieces, const struct lkst_log_buffer *answer, size_t room,
		   size_t num)
{
	uint64_t passed = answer->first_recid + answer->recorded;

	if (!pieces->begun)
		take_first(pieces, answer);
	/* A shift has led there meanwhile. */
	if (answer->first_recid != pieces->counts.first_recid) {
		give_up(pieces);
		return 0;
	}
	pieces->counts.dropped = answer->dropped;
	/* All that was meant has been written over. */
	if (num && pieces->record[0].posix.log_recid >= pieces->end) {
		give_up(pieces);
		return 0;
	}
	pieces->unfinished += answer->unfinished;
	pieces->read += num;
	/* As much has been passed as there was room for, or all that there was. */
	if (num == room)
		passed = pieces->record[num - 1].posix.log_recid + 1;
	pieces->idle = num || passed > pieces->next ? 0 : pieces->idle + 1;
	pieces->next = max_u64(pieces->next, passed);
	/* In the place of those that were lost came a few that are newer. */
	pieces->end = max_u64(pieces->end, pieces->next);
	if (pieces->idle == TRIES)
		give_up(pieces);
	return num;
}

/* Of the records passed, those that were neither read nor lost otherwise. */
static void count(struct pieces *pieces)
{
	struct lkst_log_buffer *counts = &pieces->counts;
	uint64_t passed = pieces->next - min_u64(pieces->next, counts->first_recid);
	uint64_t known = pieces->read + counts->dropped + pieces->unfinished;

	counts->recorded = pieces->end - min_u64(pieces->end, counts->first_recid);
	counts->unfinished = pieces->unfinished;
	counts->overwritten = passed - min_u64(passed, known);
}

/* Returns 1, 0: the buffer is not there any more, -1. */
static int ask(struct pieces *pieces, struct lkst_log_buffer *answer, size_t room,
	       struct lkst_error *err)
{
	struct lkst_error why;

	*answer = (struct lkst_log_buffer){
		.cpu = pieces->counts.cpu,
		.id = pieces->counts.id,
		.read_size = room * sizeof(*pieces->record),
		.buffer = (uint64_t)(uintptr_t)pieces->record,
		.first_recid = pieces->next,
	};
	if (!lkst_buffer_read(pieces->dev, answer, &why))
		return 1;
	if (why.code == LKST_ERR_NOT_FOUND)
		return 0;
	if (err)
		*err = why;
	return -1;
}

/**
 * pieces_next() - read the next piece
 * @pieces: after pieces_begin(); @pieces->record has the records, until the next call
 * @num: how many; may be 0
 * @err: why not
 *
 * Return: 1; 0: nothing came, since all has been read or the buffer is not there any more;
 * -1: an error.
 */
int pieces_next(struct pieces *pieces, size_t *num, struct lkst_error *err)
{
	struct lkst_log_buffer answer;
	uint64_t most = left(pieces);
	size_t room;
	int ret;

	*num = 0;
	if (!most)
		return 0;
	room = (size_t)min_u64(most, pieces->size);
	if (make_room(pieces, room, err))
		return -1;
	ret = ask(pieces, &answer, room, err);
	if (ret < 0)
		return -1;
	if (!ret) {
		give_up(pieces);
		if (pieces->begun)
			count(pieces);
		return 0;
	}
	*num = take(pieces, &answer, room,
		    (size_t)min_u64(answer.result_read_size / sizeof(*pieces->record), room));
	count(pieces);
	return 1;
}
