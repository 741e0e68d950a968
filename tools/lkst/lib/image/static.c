// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the records of the static buffer in an image. The recid, CPU and clock of each record are
 * in an array of struct lkst_image_slot that follows all records.
 *
 * The static buffer is a small buffer that all CPUs share. Its recids count only the records in
 * this buffer.
 */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "image.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "records.h"
#include "ring.h"

#define STATIC_SLOT_SIZE (sizeof(struct lkst_event_record) + sizeof(struct lkst_image_slot))
#define STATIC_SLOTS_MAX (1u << 20)

/* A slot that holds a valid record. */
struct static_found {
	uint64_t recid;
	int32_t cpu;
	uint32_t clock;
	uint64_t slot;
};

/* For each enum lkst_clock, a session with a reading of this clock and of the wall clock. */
struct clocks {
	bool known[LKST_CLOCK_TSC + 1];
	struct lkst_image_session session[LKST_CLOCK_TSC + 1];
};

static void static_buffer_learn_clocks(struct clocks *clocks, const struct image_boot *boot)
{
	memcpy(clocks->known, boot->has_session, sizeof(clocks->known));
	memcpy(clocks->session, boot->session, sizeof(clocks->session));
	if (clocks->known[LKST_CLOCK_NS] || !boot->has_monotonic)
		return;
	clocks->session[LKST_CLOCK_NS] = boot->monotonic;
	clocks->known[LKST_CLOCK_NS] = true;
}

/* Return the wall clock time, in ns, at which @clock had @value; 0 if the time is unknown. */
static int64_t static_buffer_wall_clock(const struct clocks *clocks, uint32_t clock, uint64_t value)
{
	const struct lkst_image_session *session;
	uint64_t ticks, khz, ns;
	bool before;

	if (clock > LKST_CLOCK_TSC || !clocks->known[clock])
		return 0;
	session = &clocks->session[clock];
	khz = image_session_khz(session);
	before = value < session->clock_start;
	ticks = before ? session->clock_start - value : value - session->clock_start;
	ns = ticks / khz * 1000000 + ticks % khz * 1000000 / khz;
	return (int64_t)((uint64_t)session->wall + (before ? -ns : ns));
}

static struct lkst_log_record image_static_expand(const struct static_found *found,
						  const struct lkst_event_record *record,
						  int64_t wall_ns)
{
	uint32_t flags = (uint32_t)(record->flags & LKST_RECORD_FLAGS) << LKST_LOG_RECORD_SHIFT;

	if (flags & (LKST_LOG_HARDIRQ | LKST_LOG_NMI))
		flags |= LKST_LOG_INTERRUPT;
	if (wall_ns < 0)
		wall_ns = 0;
	return (struct lkst_log_record){
		.posix = {
			.log_magic = LKST_LOG_MAGIC,
			.log_recid = found->recid,
			.log_size = LKST_LOG_SIZE,
			.log_format = LKST_LOG_FORMAT,
			.log_event_type = record->event_type,
			.log_facility = LKST_LOG_FACILITY,
			.log_severity = LKST_LOG_SEVERITY,
			.log_uid = record->uid,
			.log_gid = record->gid,
			.log_pid = (int32_t)record->pid,
			.log_pgrp = (int32_t)record->pgrp,
			.log_flags = flags,
			.log_time = { wall_ns / 1000000000, wall_ns % 1000000000 },
			.log_thread = record->thread,
			.log_processor = found->cpu,
		},
		.log_arg1 = record->arg[0],
		.log_arg2 = record->arg[1],
		.log_arg3 = record->arg[2],
		.log_arg4 = record->arg[3],
	};
}

static int static_buffer_by_recid(const void *pa, const void *pb)
{
	const struct static_found *a = pa, *b = pb;

	return a->recid < b->recid ? -1 : a->recid > b->recid;
}

/*
 * Read the struct lkst_image_slot of a slot. Returns 1 if the slot holds a valid record, and -1 on
 * error. Otherwise, returns 0, and counts the slot unless it was never used.
 */
static int static_buffer_find_one(const struct image *image, const struct image_region *region,
				  uint64_t num, struct static_found *found,
				  struct image_counts *counts, struct lkst_error *err)
{
	const struct image_boot *boot = &image->boot[region->boot];
	struct lkst_image_slot slot;
	uint64_t at = num * sizeof(struct lkst_event_record) + found->slot * sizeof(slot);
	ssize_t n = image_region_read(image, region, &slot, sizeof(slot), at, err);

	if (n < 0)
		return -1;
	if ((size_t)n < sizeof(slot)) {
		counts->missing++;
		return 0;
	}
	if (boot->swapped) {
		slot.state = bswap_64(slot.state);
		slot.cpu = (int32_t)bswap_32((uint32_t)slot.cpu);
		slot.clock = bswap_32(slot.clock);
	}
	if (!slot.state)
		return 0;
	if (slot.state & 1) {
		counts->unfinished++;
		return 0;
	}
	found->recid = slot.state / 2 - 1;
	found->cpu = slot.cpu;
	found->clock = slot.clock;
	if (found->recid % num == found->slot && slot.cpu >= 0 && slot.clock <= LKST_CLOCK_TSC)
		return 1;
	counts->implausible++;
	return 0;
}

/* Pass a record to @put. */
static int static_buffer_deliver_one(struct image_slots *slots, const struct static_found *found,
				     const struct clocks *clocks,
				     int (*put)(void *ctx, const struct lkst_log_record *record,
						struct lkst_error *err),
				     void *ctx, struct image_counts *counts, struct lkst_error *err)
{
	struct lkst_event_record record;
	struct lkst_log_record log;

	switch (image_slot(slots, found->slot, &record, err)) {
	case IMAGE_SLOT_ERROR:
		return -1;
	case IMAGE_SLOT_MISSING:
	case IMAGE_SLOT_BLANK:
		counts->missing++;
		return 0;
	case IMAGE_SLOT_RECORD:
		break;
	default:
		counts->implausible++;
		return 0;
	}
	log = image_static_expand(found, &record,
				  static_buffer_wall_clock(clocks, found->clock, record.clock));
	counts->records++;
	return put(ctx, &log, err);
}

/**
 * image_static_records() - read the records of the static buffer
 * @image: image
 * @region: region of the buffer
 * @types: event types that may occur
 * @put: called for each record, in order of recids; a result other than 0 ends the reading
 * @ctx: passed to @put
 * @counts: counts of the slots
 * @err: set on failure
 */
int image_static_records(const struct image *image, const struct image_region *region,
			 const struct lkst_etypes *types,
			 int (*put)(void *ctx, const struct lkst_log_record *record,
				    struct lkst_error *err),
			 void *ctx, struct image_counts *counts, struct lkst_error *err)
{
	uint64_t num = region->length / STATIC_SLOT_SIZE;
	struct image_slots slots = { 0 };
	struct static_found *found = NULL;
	struct clocks clocks;
	size_t found_num = 0;
	int ret = -1;

	memset(counts, 0, sizeof(*counts));
	if (num > STATIC_SLOTS_MAX)
		num = STATIC_SLOTS_MAX;
	found = malloc((num + 1) * sizeof(*found));
	if (!found) {
		lkst_error_memory(err, "records of an image");
		goto out;
	}
	if (image_slots_open(&slots, image, region, num, types, err))
		goto out;
	/*
	 * In the static buffer, the state of the slot shows whether its record is complete; in
	 * other buffers, the clock of the record does.
	 */
	slots.word = UINT64_MAX;
	for (uint64_t i = 0; i < num; i++) {
		int is;

		found[found_num].slot = i;
		is = static_buffer_find_one(image, region, num, &found[found_num], counts, err);
		if (is < 0)
			goto out;
		found_num += (size_t)is;
	}
	if (found_num)
		qsort(found, found_num, sizeof(*found), static_buffer_by_recid);
	static_buffer_learn_clocks(&clocks, &image->boot[region->boot]);
	for (size_t i = 0; i < found_num; i++)
		if (static_buffer_deliver_one(&slots, &found[i], &clocks, put, ctx, counts, err))
			goto out;
	counts->first_recid = found_num ? found[0].recid : 0;
	counts->overwritten = counts->first_recid;
	ret = 0;
out:
	image_slots_close(&slots);
	free(found);
	return ret;
}
