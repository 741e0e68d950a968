// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the chunks of the compressed history of a CPU in an image.
 *
 * A region of kind LKST_IMAGE_HISTORY contains chunks at multiples of 8 bytes. Nothing says where
 * they are, so that damage to one chunk does not hide the others: each multiple of 8 bytes that is
 * not within an intact chunk may be the start of a chunk. The kernel clears the magic of a chunk
 * before it overwrites the chunk, and writes the header of a chunk last. So an incomplete chunk has
 * no header, and a wrong checksum is damage.
 */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "history.h"
#include "image.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "messages.h"

#define STEP	8
#define HEADER	sizeof(struct lkst_chunk_header)
#define AREA	((uint64_t)1 << 20) /* bytes of a region that are in memory at a time */
#define RETRIES 4 /* see struct search */

_Static_assert(AREA >= LKST_HISTORY_CHUNK_MAX, "room for any chunk");

/**
 * struct search - state of the search in a region
 * @history: result
 * @region: region
 * @index: its index
 * @swapped: its chunks have the opposite byte order
 * @at: offset in the region up to which it was searched
 * @begin: offset in the region of the data in the area
 * @end: offset in the region after the data in the area
 * @budget: bytes that may still be checked in vain. Headers may claim that damaged chunks overlap.
 *	To bound the work, a damaged chunk is searched for other chunks only while there is budget:
 *	RETRIES times the length of the region
 */
struct search {
	struct image_history *history;
	const struct image_region *region;
	uint32_t index;
	bool swapped;
	uint64_t at;
	uint64_t begin;
	uint64_t end;
	uint64_t budget;
};

/**
 * image_history_open() - allocate the memory to read histories
 * @history: result; the caller must close it even after an error
 * @image: image
 * @types: event types of the boots whose histories are read
 * @hooks: @stop ends the search; may be NULL
 * @err: set if an allocation fails
 */
int image_history_open(struct image_history *history, const struct image *image,
		       const struct lkst_etypes *types, const struct image_hooks *hooks,
		       struct lkst_error *err)
{
	*history = (struct image_history){
		.image = image,
		.hooks = hooks,
		.types = types,
		.cpu = -1,
		.area = malloc(AREA),
	};
	if (!history->area) {
		lkst_error_memory(err, "the history");
		return -1;
	}
	return trace_history_open(&history->reader, err);
}

/**
 * image_history_close() - free the memory
 * @history: opened, or all zero
 */
void image_history_close(struct image_history *history)
{
	trace_history_close(&history->reader);
	trace_history_free(&history->parts);
	free(history->area);
	history->area = NULL;
}

/*
 * Read from a region. What is missing in the image is 0, so a chunk that lacks a piece has a wrong
 * checksum.
 */
static int image_history_load(const struct image *image, const struct image_region *region,
			      uint64_t offset, uint8_t *to, uint64_t len, struct lkst_error *err)
{
	for (uint64_t at = 0; at < len;) {
		ssize_t n = image_region_read(image, region, to + at, len - at, offset + at, err);
		uint64_t page = LKST_IMAGE_PAGE - (offset + at) % LKST_IMAGE_PAGE;

		if (n < 0)
			return -1;
		at += (uint64_t)n;
		if (n)
			continue;
		if (page > len - at)
			page = len - at;
		memset(to + at, 0, page);
		at += page;
	}
	return 0;
}

/*
 * Return @len bytes of the region at @search->at, which must be in the region; NULL on error. The
 * user may stop the search here.
 */
static const uint8_t *image_history_bytes(struct search *search, uint64_t len,
					  struct lkst_error *err)
{
	struct image_history *history = search->history;
	const struct image_hooks *hooks = history->hooks;

	if (search->at >= search->begin && search->at + len <= search->end)
		return history->area + (search->at - search->begin);
	if (hooks && hooks->stop && *hooks->stop) {
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_IMAGE_STOPPED);
		return NULL;
	}
	len = search->region->length - search->at;
	if (len > AREA)
		len = AREA;
	if (image_history_load(history->image, search->region, search->at, history->area, len, err))
		return NULL;
	search->begin = search->at;
	search->end = search->at + len;
	return history->area;
}

/*
 * Step over something at @search->at that looks like a chunk of @size bytes, but is damaged. Other
 * chunks may begin within it.
 */
static void image_history_damaged(struct search *search, uint64_t size)
{
	search->history->damaged++;
	if (search->budget < size) {
		search->at += size;
	} else {
		search->budget -= size;
		search->at += STEP;
	}
}

/* Add the chunk at @search->at with this header if it is intact, and step over it. */
static int image_history_take(struct search *search, const struct lkst_chunk_header *header,
			      struct lkst_error *err)
{
	struct image_history *history = search->history;
	uint64_t size = trace_history_size(header);
	struct trace_history_chunk chunk;
	const uint8_t *raw;

	if (size > search->region->length - search->at) {
		image_history_damaged(search, STEP);
		return 0;
	}
	raw = image_history_bytes(search, size, err);
	if (!raw)
		return -1;
	if (!trace_history_chunk(&history->reader, header, raw + HEADER, search->swapped,
				 history->cpu, &chunk)) {
		image_history_damaged(search, size);
		return 0;
	}
	if (trace_history_add(&history->parts,
			      &(struct trace_history_part){
				      .first = chunk.run.first_recid,
				      .end = chunk.run.first_recid + chunk.run.num,
				      .events = chunk.events,
				      .buffer = chunk.run.buffer,
				      .region = search->index,
				      .length = size,
				      .offset = search->at,
			      },
			      err))
		return -1;
	search->at += size;
	return 0;
}

static int image_history_search(struct image_history *history, uint32_t index,
				struct lkst_error *err)
{
	const struct image_region *region = &history->image->region[index];
	struct search search = {
		.history = history,
		.region = region,
		.index = index,
		.swapped = history->image->boot[region->boot].swapped,
		.budget = region->length * RETRIES,
	};
	struct lkst_chunk_header header;

	while (search.at + HEADER <= region->length) {
		const uint8_t *raw = image_history_bytes(&search, HEADER, err);

		if (!raw)
			return -1;
		switch (trace_history_header(raw, search.swapped, &header)) {
		case TRACE_HISTORY_NOTHING:
			search.at += STEP;
			break;
		case TRACE_HISTORY_DAMAGED:
			image_history_damaged(&search, STEP);
			break;
		case TRACE_HISTORY_CHUNK:
			if (image_history_take(&search, &header, err))
				return -1;
		}
	}
	return 0;
}

static int image_history_by_recid(const void *a, const void *b)
{
	const struct trace_history_part *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	if (x->region != y->region)
		return x->region < y->region ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/*
 * Sort the chunks by recid, and leave out those that overlap an earlier one: the kernel compresses
 * each record once, so one of the two is not what it seems to be.
 */
static void image_history_sort(struct image_history *history)
{
	struct trace_history_parts *parts = &history->parts;
	size_t num = 0;

	if (parts->num)
		qsort(parts->part, parts->num, sizeof(*parts->part), image_history_by_recid);
	for (size_t i = 0; i < parts->num; i++) {
		if (num && parts->part[i].first < parts->part[num - 1].end) {
			history->damaged++;
			continue;
		}
		parts->part[num++] = parts->part[i];
		history->events += parts->part[i].events;
	}
	parts->num = num;
}

/**
 * image_history_find() - find the chunks of a CPU
 * @history: opened
 * @boot: index of the boot
 * @cpu: CPU
 * @err: set on failure, or if the user stops the search
 *
 * Damaged chunks are counted, and are no failure.
 */
int image_history_find(struct image_history *history, uint32_t boot, int32_t cpu,
		       struct lkst_error *err)
{
	const struct image *image = history->image;

	trace_history_free(&history->parts);
	history->cpu = cpu;
	history->events = 0;
	history->damaged = 0;
	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].boot == boot && image->region[i].kind == LKST_IMAGE_HISTORY &&
		    image->region[i].cpu == cpu && image_history_search(history, (uint32_t)i, err))
			return -1;
	image_history_sort(history);
	return 0;
}

/*
 * Convert the strings in arguments back, which trace_history_chunk() has converted like numbers.
 */
static void image_history_keep_texts(const struct image_history *history,
				     const struct lkst_run *run)
{
	struct lkst_event_record *record = (void *)run->record;

	for (size_t i = 0; i < run->num; i++) {
		uint16_t number = record[i].event_type;
		const struct lkst_etype *type = lkst_etype(history->types, number);
		unsigned int texts = type ? lkst_etype_texts(type) : 0;

		for (int k = 0; k < 4; k++)
			if (texts >> k & 1)
				record[i].arg[k] = bswap_64(record[i].arg[k]);
	}
}

/**
 * image_history_read() - read a chunk
 * @history: history, after image_history_find()
 * @i: index in @history->parts
 * @raw: set to the chunk as it is in the image, with its header and the padding, valid until the
 *	next call; NULL if it has the opposite byte order
 * @chunk: result, valid until the next call
 * @err: set on failure
 *
 * Return: 1; 0 if the image has changed, and the chunk is damaged now; -1 on error.
 */
int image_history_read(struct image_history *history, size_t i, const uint8_t **raw,
		       struct trace_history_chunk *chunk, struct lkst_error *err)
{
	const struct trace_history_part *part = &history->parts.part[i];
	const struct image_region *region = &history->image->region[part->region];
	bool swapped = history->image->boot[region->boot].swapped;
	struct lkst_chunk_header header;

	if (image_history_load(history->image, region, part->offset, history->area, part->length,
			       err))
		return -1;
	if (trace_history_header(history->area, swapped, &header) != TRACE_HISTORY_CHUNK ||
	    trace_history_size(&header) != part->length ||
	    !trace_history_chunk(&history->reader, &header, history->area + HEADER, swapped,
				 history->cpu, chunk) ||
	    chunk->run.first_recid != part->first || chunk->run.num != part->end - part->first)
		return 0;
	*raw = swapped ? NULL : history->area;
	if (swapped)
		image_history_keep_texts(history, &chunk->run);
	return 1;
}
