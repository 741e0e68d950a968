// SPDX-License-Identifier: LGPL-2.1
/* Counts what a region of an image contains. */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <string.h>
#include <sys/types.h>

#include "find.h"
#include "history.h"
#include "image.h"
#include "lib/base/crc32c.h"
#include "lib/device/run.h"
#include "lib/text/etypes.h"
#include "records.h"

/* Convert a value of the run's clock to wall clock time. Returns false if the time is unknown. */
static bool find_time_of(const struct lkst_run *run, uint64_t clock, int64_t *ns)
{
	uint64_t khz = run->freq_khz;

	if (run->clock == LKST_CLOCK_NS)
		khz = 1000000;
	if (!khz || !run->xtime_ns)
		return false;
	*ns = run->xtime_ns + (int64_t)((long double)(int64_t)(clock - run->tsc) * 1000000 / khz);
	return true;
}

/* State of image_contents() for a buffer or a history. */
struct counting {
	struct image_contents *contents;
	const struct image_history *history;
};

static void find_add_time(struct image_contents *contents, int64_t ns)
{
	if (!contents->timed || ns < contents->first_ns)
		contents->first_ns = ns;
	if (!contents->timed || ns > contents->last_ns)
		contents->last_ns = ns;
	contents->timed = true;
}

/*
 * Update the times of the oldest and newest record. All records are checked: if an interrupt occurs
 * while a record is being written, a record from the interrupt follows that record, but can have an
 * earlier timestamp.
 */
static void find_add_times(struct image_contents *contents, const struct lkst_run *run)
{
	uint64_t least = UINT64_MAX, greatest = 0;
	int64_t ns;

	for (size_t i = 0; i < run->num; i++) {
		uint64_t clock = run->record[i].clock;

		if (clock && clock < least)
			least = clock;
		if (clock > greatest)
			greatest = clock;
	}
	if (greatest && find_time_of(run, least, &ns))
		find_add_time(contents, ns);
	if (greatest && find_time_of(run, greatest, &ns))
		find_add_time(contents, ns);
}

/* Return how many records of a run are in the history as well. */
static uint64_t find_repeated(const struct image_history *history, const struct lkst_run *run)
{
	const struct trace_history_parts *parts = &history->parts;
	uint64_t end = run->first_recid + run->num, num = 0;
	size_t i = trace_history_after(parts, run->first_recid);

	for (i -= i > 0; i < parts->num && parts->part[i].first < end; i++) {
		const struct trace_history_part *part = &parts->part[i];
		uint64_t at = run->first_recid > part->first ? run->first_recid : part->first;

		for (; at < end && at < part->end; at++)
			num += run->record[at - run->first_recid].clock != 0;
	}
	return num;
}

static int image_find_take_run(void *ctx, const struct lkst_run *run, struct lkst_error *err)
{
	const struct counting *counting = ctx;

	(void)err;
	find_add_times(counting->contents, run);
	if (counting->history && !counting->contents->counts.unknown)
		counting->contents->repeated += find_repeated(counting->history, run);
	return 0;
}

/* Count the records of a region of a history, and find its times. */
static int find_read_history(const struct image *image, const struct image_region *region,
			     struct image_history *history, struct image_contents *contents,
			     struct lkst_error *err)
{
	const struct trace_history_parts *parts = &history->parts;
	struct trace_history_chunk chunk;
	const uint8_t *raw;
	int ret = 1;

	for (size_t i = 0; ret >= 0 && i < parts->num; i++) {
		if (&image->region[parts->part[i].region] != region)
			continue;
		contents->counts.records += parts->part[i].events;
		ret = image_history_read(history, i, &raw, &chunk, err);
		if (ret > 0)
			find_add_times(contents, &chunk.run);
	}
	contents->damaged = history->damage[region - image->region];
	return ret < 0 ? -1 : 0;
}

static int find_take_record(void *ctx, const struct lkst_log_record *record, struct lkst_error *err)
{
	const struct lkst_timespec *time = &record->posix.log_time;

	(void)err;
	if (time->tv_sec > 0 && time->tv_sec < INT64_MAX / 1000000000)
		find_add_time(ctx, time->tv_sec * 1000000000 + time->tv_nsec);
	return 0;
}

static int find_count_bytes(const struct image *image, const struct image_region *region,
			    struct image_contents *contents, struct lkst_error *err)
{
	uint8_t page[LKST_IMAGE_PAGE];

	for (uint64_t at = 0; at < region->length; at += sizeof(page)) {
		ssize_t n = image_region_read(image, region, page, sizeof(page), at, err);

		if (n < 0)
			return -1;
		contents->present += (uint64_t)n;
	}
	return 0;
}

/**
 * image_contents() - count what a region contains
 * @image: image
 * @region: region
 * @types: event types of the region's boot
 * @history: history of the region's CPU, after image_history_find(); needed for a region of a
 *	history. NULL: count no record of a buffer as repeated
 * @contents: result
 * @err: set on failure
 */
int image_contents(const struct image *image, const struct image_region *region,
		   const struct lkst_etypes *types, struct image_history *history,
		   struct image_contents *contents, struct lkst_error *err)
{
	struct counting counting = { contents, history };

	memset(contents, 0, sizeof(*contents));
	if (region->kind == LKST_IMAGE_BOOT_SLOT)
		return 0; /* a slot contains other regions, which are counted separately */
	if (find_count_bytes(image, region, contents, err))
		return -1;
	switch (region->kind) {
	case LKST_IMAGE_BUFFER:
	case LKST_IMAGE_LONG:
		return image_records(image, region, types, image_find_take_run, &counting,
				     &contents->counts, err);
	case LKST_IMAGE_HISTORY:
		return history ? find_read_history(image, region, history, contents, err) : 0;
	case LKST_IMAGE_STATIC:
		return image_static_records(image, region, types, find_take_record, contents,
					    &contents->counts, err);
	}
	return 0;
}

static bool find_get_slot(const struct image *image, const struct image_region *region,
			  unsigned int copy, struct lkst_image_boot_slot *slot)
{
	const size_t from = offsetof(struct lkst_image_boot_slot, sequence);
	uint32_t sum;

	if (!(region->has_state >> copy & 1))
		return false;
	memcpy(slot, region->state[copy], sizeof(*slot));
	sum = lkst_crc32c((const char *)slot + from, sizeof(*slot) - from);
	if (image->boot[region->boot].swapped) {
		slot->checksum = bswap_32(slot->checksum);
		slot->sequence = bswap_32(slot->sequence);
		slot->number = bswap_64(slot->number);
		slot->state = bswap_32(slot->state);
		slot->slot = bswap_32(slot->slot);
		slot->slot_num = bswap_32(slot->slot_num);
	}
	return slot->checksum == sum;
}

/**
 * image_boot_slot() - get the state of a slot of reserved memory
 * @image: image
 * @region: region of kind LKST_IMAGE_BOOT_SLOT
 * @slot: result, in the byte order of this machine
 *
 * Return: whether the state is known.
 */
bool image_boot_slot(const struct image *image, const struct image_region *region,
		     struct lkst_image_boot_slot *slot)
{
	struct lkst_image_boot_slot copy[2];
	bool has[2] = { find_get_slot(image, region, 0, &copy[0]),
			find_get_slot(image, region, 1, &copy[1]) };

	if (!has[0] && !has[1])
		return false;
	*slot = copy[has[1] && (!has[0] || (int32_t)(copy[1].sequence - copy[0].sequence) > 0)];
	return true;
}
