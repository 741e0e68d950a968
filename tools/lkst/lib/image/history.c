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
 * @extent: index of the first extent after @run
 * @run: offset in the region after the adjacent extents that contain @at. A chunk that is not
 *	completely in the image cannot be intact, so the search never looks beyond
 * @begin: offset in the region of the data in the area
 * @end: offset in the region after the data in the area
 * @missing: bytes of the extents before @end that are not in the image
 * @used: offset in the region after the last chunk, intact or damaged
 * @first: recid of the first intact chunk in the region; valid if @last is not 0
 * @last: recid after the last intact chunk in the region; 0: no chunk was found
 * @budget: bytes that may still be checked in vain. Headers may claim that damaged chunks overlap.
 *	To bound the work, a damaged chunk is searched for other chunks only while there is budget:
 *	RETRIES times the length of the extents that were found. The length in the headers may be
 *	wrong
 */
struct search {
	struct image_history *history;
	const struct image_region *region;
	uint32_t index;
	bool swapped;
	uint64_t at;
	size_t extent;
	uint64_t run;
	uint64_t begin;
	uint64_t end;
	uint64_t missing;
	uint64_t used;
	uint64_t first;
	uint64_t last;
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
		.damage = calloc(image->regions + 1, sizeof(*history->damage)),
	};
	if (!history->area || !history->damage) {
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
	free(history->damage);
	history->area = NULL;
	history->damage = NULL;
}

/*
 * Read from a region. What is missing in the image is 0, so a chunk that lacks a piece has a wrong
 * checksum. Add the number of missing bytes to @missing.
 */
static int image_history_load(const struct image *image, const struct image_region *region,
			      uint64_t offset, uint8_t *to, uint64_t len, uint64_t *missing,
			      struct lkst_error *err)
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
		*missing += page;
	}
	return 0;
}

/* Return whether the user stops the search. */
static bool image_history_stopped(const struct image_history *history, struct lkst_error *err)
{
	const struct image_hooks *hooks = history->hooks;

	if (!hooks || !hooks->stop || !*hooks->stop)
		return false;
	lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_IMAGE_STOPPED);
	return true;
}

/*
 * Return @len bytes of the region at @search->at, which must be before @search->run; NULL on error.
 * The bytes of an area that are in the previous area as well are moved, so that each byte is read
 * once.
 */
static const uint8_t *image_history_bytes(struct search *search, uint64_t len,
					  struct lkst_error *err)
{
	struct image_history *history = search->history;
	uint64_t kept = 0;

	if (search->at >= search->begin && search->at + len <= search->end)
		return history->area + (search->at - search->begin);
	if (image_history_stopped(history, err))
		return NULL;
	if (search->at >= search->begin && search->at < search->end) {
		kept = search->end - search->at;
		memmove(history->area, history->area + (search->at - search->begin), kept);
	}
	len = search->run - search->at;
	if (len > AREA)
		len = AREA;
	if (image_history_load(history->image, search->region, search->at + kept,
			       history->area + kept, len - kept, &search->missing, err))
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
	search->history->damage[search->index]++;
	search->used = search->at + size;
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

	if (size > search->run - search->at) {
		image_history_damaged(search, STEP);
		return 0;
	}
	if (image_history_stopped(history, err))
		return -1;
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
	if (!search->last)
		search->first = chunk.run.first_recid;
	search->last = chunk.run.first_recid + chunk.run.num;
	search->at += size;
	search->used = search->at;
	return 0;
}

/* Move @search->at to where the next header of a chunk may be. Returns false at the end. */
static bool image_history_place(struct search *search)
{
	const struct image_region *region = search->region;
	const struct image_extent *extent = region->extent + search->extent;
	const struct image_extent *end = region->extent + region->extents;

	while (search->at + HEADER > search->run) {
		if (extent == end)
			return false;
		search->at = (extent->offset + STEP - 1) / STEP * STEP;
		search->run = extent->offset;
		while (extent < end && extent->offset == search->run)
			search->run += extent++->length;
		search->extent = (size_t)(extent - region->extent);
	}
	return true;
}

/* Add the number of bytes of the extents after @from that are not in the image to @missing. */
static int image_history_missing(struct image_history *history, const struct image_region *region,
				 uint64_t from, uint64_t *missing, struct lkst_error *err)
{
	for (size_t i = 0; i < region->extents; i++) {
		const struct image_extent *extent = &region->extent[i];
		uint64_t end = extent->offset + extent->length, len;

		for (uint64_t at = from > extent->offset ? from : extent->offset; at < end;
		     at += len) {
			len = end - at < AREA ? end - at : AREA;
			if (image_history_stopped(history, err) ||
			    image_history_load(history->image, region, at, history->area, len,
					       missing, err))
				return -1;
		}
	}
	return 0;
}

/*
 * Count what the image lacks of the region: extents, and pages of the other extents. Tools that
 * save images may leave out pages that are all 0, so pages after the last chunk do not count, as
 * they were probably not used yet. In a region that has been filled, only the end may be unused: a
 * chunk did not fit there.
 */
static int image_history_lacks(struct search *search, struct lkst_error *err)
{
	const struct image_region *region = search->region;
	struct image_history *history = search->history;
	uint64_t found = 0, rest = 0;
	bool full = search->last && search->last <= search->first;

	for (size_t i = 0; i < region->extents; i++)
		found += region->extent[i].length;
	if (region->length > found)
		history->missing += region->length - found;
	if (!search->missing)
		return 0;
	if (image_history_missing(history, region, search->used, &rest, err))
		return -1;
	if (full && rest >= LKST_HISTORY_CHUNK_MAX)
		rest = 0;
	history->missing += search->missing - rest;
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
	};
	struct lkst_chunk_header header;

	for (size_t i = 0; i < region->extents; i++)
		search.budget += region->extent[i].length * RETRIES;
	while (image_history_place(&search)) {
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
	return image_history_lacks(&search, err);
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
 * Sort the chunks by recid, and leave out each chunk that overlaps an earlier one. The kernel
 * compresses each record once, so at least one of the two chunks is wrong.
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
			history->damage[parts->part[i].region]++;
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
 * Damaged chunks and missing memory are counted, and are no failure.
 */
int image_history_find(struct image_history *history, uint32_t boot, int32_t cpu,
		       struct lkst_error *err)
{
	const struct image *image = history->image;

	trace_history_free(&history->parts);
	history->cpu = cpu;
	history->events = 0;
	history->damaged = 0;
	history->missing = 0;
	memset(history->damage, 0, image->regions * sizeof(*history->damage));
	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].boot == boot && image->region[i].kind == LKST_IMAGE_HISTORY &&
		    image->region[i].cpu == cpu && image_history_search(history, (uint32_t)i, err))
			return -1;
	image_history_sort(history);
	return 0;
}

/*
 * Convert the strings in arguments back: trace_history_chunk() has swapped their bytes like those
 * of numbers.
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
 * @raw: set to the bytes of the chunk in the image, with its header and the padding, valid until
 *	the next call; NULL if the chunk has the opposite byte order
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
	uint64_t missing = 0;

	if (image_history_load(history->image, region, part->offset, history->area, part->length,
			       &missing, err))
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
