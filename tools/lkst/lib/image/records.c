// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the records of a buffer in an image, oldest first, and counts the missing ones.
 */
#include <linux/lkst_image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "lib/base/error.h"
#include "lib/device/run.h"
#include "lib/text/etypes.h"
#include "records.h"
#include "ring.h"

#define RUN_RECORDS	4096
#define LAP_MASK	((1u << LKST_RECORD_LAP_BITS) - 1)
#define HOLES_MAX	64 /* missing records in a row; if there are more, a new run begins */
#define IMPLAUSIBLE_MAX 4096 /* implausible records to remember; further ones are only counted */

/* A valid record, which is passed to put() if its clock is plausible. */
struct candidate {
	uint64_t position;
	struct lkst_event_record record;
};

struct delivery {
	struct image_ring ring;
	int (*put)(void *ctx, const struct lkst_run *run, struct lkst_error *err);
	void *ctx;
	struct image_counts *counts;
	struct lkst_event_record *record; /* records of the current run */
	struct lkst_run run;
	struct candidate next; /* waits until the record after it is known */
	bool any_next;
	uint64_t clock; /* of the last record that was delivered */
	uint64_t end; /* position after the last record that was delivered */
	uint64_t *implausible; /* positions of implausible records */
	size_t implausible_num;
};

static uint64_t records_recid_of(const struct delivery *d, uint64_t position)
{
	const struct image_ring *ring = &d->ring;

	if (!ring->known)
		return d->counts->records;
	return ring->session.first_recid + (position - ring->session.first);
}

static int image_records_flush(struct delivery *d, struct lkst_error *err)
{
	int ret = d->run.num ? d->put(d->ctx, &d->run, err) : 0;

	d->run.num = 0;
	return ret;
}

static int image_records_deliver(struct delivery *d, const struct candidate *candidate,
				 struct lkst_error *err)
{
	uint64_t recid = records_recid_of(d, candidate->position);
	uint64_t holes = recid - d->run.first_recid - d->run.num;

	if (d->run.num && (holes > HOLES_MAX || d->run.num + holes >= RUN_RECORDS) &&
	    image_records_flush(d, err))
		return -1;
	if (d->run.num) {
		memset(&d->record[d->run.num], 0, holes * sizeof(*d->record));
		d->run.num += holes;
	} else {
		d->run.first_recid = recid;
	}
	d->record[d->run.num] = candidate->record;
	d->record[d->run.num++].flags &= LKST_RECORD_FLAGS;
	d->counts->records++;
	d->clock = candidate->record.clock;
	d->end = candidate->position + 1;
	return 0;
}

/*
 * Return whether the clock of the waiting record is plausible. The record's neighbours are the last
 * record that was delivered and the record after the waiting one.
 *
 * A clock value that differs from either neighbour's value by at most an hour is plausible, whether
 * it is earlier or later: recording may have paused, or the clock may have been set back, between
 * the record and the other neighbour. A clock value that differs from both neighbours' values by
 * more than an hour is plausible only if it lies between them, in ascending order: recording may
 * have paused both before and after the record. If a neighbour does not exist, only the other one
 * is compared. A record without neighbours is plausible.
 */
static bool records_clock_fits(const struct delivery *d, const struct candidate *after)
{
	const struct image_ring *ring = &d->ring;
	uint64_t clock = d->next.record.clock;
	bool first = !d->counts->records;

	if (!first && !image_ring_far(ring, d->clock, clock))
		return true;
	if (after && !image_ring_far(ring, clock, after->record.clock))
		return true;
	return (first || clock > d->clock) && (!after || clock < after->record.clock);
}

/*
 * Deliver the waiting record if it is plausible; otherwise count it as implausible. @after is the
 * record after it, or NULL if it is the last record.
 */
static int records_deliver_if_plausible(struct delivery *d, const struct candidate *after,
					struct lkst_error *err)
{
	if (!d->any_next)
		return 0;
	if (records_clock_fits(d, after))
		return image_records_deliver(d, &d->next, err);
	if (d->implausible_num < IMPLAUSIBLE_MAX)
		d->implausible[d->implausible_num++] = d->next.position;
	d->counts->implausible++;
	return 0;
}

static int records_deliver_segment(struct delivery *d, const struct image_segment *segment,
				   struct lkst_error *err)
{
	struct image_ring *ring = &d->ring;
	struct candidate candidate;
	uint64_t lap;

	for (uint64_t slot = segment->first; slot < segment->end; slot++) {
		enum image_slot is = image_slot(&ring->slots, slot, &candidate.record, err);

		if (is == IMAGE_SLOT_ERROR)
			return -1;
		if (is != IMAGE_SLOT_RECORD ||
		    !image_ring_takes(ring, slot, &candidate.record, &lap) || lap != segment->lap)
			continue;
		candidate.position = lap * ring->slots.num + slot;
		if (records_deliver_if_plausible(d, &candidate, err))
			return -1;
		d->next = candidate;
		d->any_next = true;
	}
	return 0;
}

static int records_deliver_all(struct delivery *d, struct lkst_error *err)
{
	for (size_t i = 0; i < d->ring.segments; i++)
		if (records_deliver_segment(d, &d->ring.segment[i], err))
			return -1;
	return records_deliver_if_plausible(d, NULL, err) || image_records_flush(d, err) ? -1 : 0;
}

/* ---- counting the other slots ---- */

static bool records_was_implausible(const struct delivery *d, uint64_t position)
{
	for (size_t i = 0; i < d->implausible_num; i++)
		if (d->implausible[i] == position)
			return true;
	return false;
}

/*
 * Update the counts for the slot of the record at @position. The next lap has not reached this
 * slot. @delivered is incremented if the record was delivered.
 */
static int records_count_slot(struct delivery *d, uint64_t position, uint64_t *delivered,
			      struct lkst_error *err)
{
	struct image_ring *ring = &d->ring;
	struct image_counts *counts = d->counts;
	uint64_t slot = position % ring->slots.num, expected = position / ring->slots.num, lap;
	struct lkst_event_record record;
	bool takes;

	switch (image_slot(&ring->slots, slot, &record, err)) {
	case IMAGE_SLOT_ERROR:
		return -1;
	case IMAGE_SLOT_MISSING:
	case IMAGE_SLOT_BLANK: /* it is unlikely that all records of a page are unfinished */
		counts->missing++;
		return 0;
	case IMAGE_SLOT_EMPTY:
		counts->unfinished++;
		return 0;
	case IMAGE_SLOT_INVALID:
		counts->implausible++;
		return 0;
	case IMAGE_SLOT_RECORD:
		break;
	}
	takes = image_ring_takes(ring, slot, &record, &lap);
	if (takes && lap == expected)
		*delivered += !records_was_implausible(d, position);
	else if ((takes && lap > expected) ||
		 record.flags >> LKST_RECORD_LAP_SHIFT == (expected & LAP_MASK))
		counts->implausible++;
	else
		counts->unfinished++; /* the slot still has an older record */
	return 0;
}

/*
 * Return the end of the last complete lap according to the header pages. Used only if the ring has
 * no records. Records are a better source: the header pages can be a few laps behind the last
 * record, or ahead of it if records were dropped.
 */
static uint64_t records_header_end(const struct image_ring *ring)
{
	uint64_t num = ring->slots.num, lap = ring->session.lap;

	if (!num || lap <= ring->session.first / num || lap > UINT64_MAX / num - 1)
		return ring->session.first;
	return lap * num;
}

static int records_count_rest(struct delivery *d, struct lkst_error *err)
{
	const struct image_ring *ring = &d->ring;
	uint64_t first = ring->session.first, oldest = first, delivered = 0, all_the_same;

	d->counts->implausible += ring->crowded;
	d->counts->first_recid = ring->session.first_recid;
	if (!d->counts->records)
		d->end = records_header_end(ring);
	if (d->end - first > ring->slots.num)
		oldest = d->end - ring->slots.num;
	for (uint64_t position = oldest; position < d->end; position++)
		if (records_count_slot(d, position, &delivered, err))
			return -1;
	/* A record that is still in its slot is not lost, even if the slot was reserved again. */
	all_the_same = d->counts->records > delivered ? d->counts->records - delivered : 0;
	d->counts->overwritten = oldest - first > all_the_same ? oldest - first - all_the_same : 0;
	return 0;
}

/*
 * Count the slots if the session is unknown. Without the session, nothing states which slots should
 * hold a record, so only missing and implausible slots are counted.
 */
static int records_count_unknown(struct delivery *d, struct lkst_error *err)
{
	struct image_slots *slots = &d->ring.slots;
	struct lkst_event_record record;

	d->counts->unknown = 1;
	d->counts->implausible += d->ring.crowded;
	for (uint64_t slot = 0; slot < slots->num; slot++) {
		enum image_slot is = image_slot(slots, slot, &record, err);

		if (is == IMAGE_SLOT_ERROR)
			return -1;
		d->counts->missing += is == IMAGE_SLOT_MISSING;
		d->counts->implausible += is == IMAGE_SLOT_INVALID;
	}
	return 0;
}

static int records_count_slots(struct delivery *d, struct lkst_error *err)
{
	if (d->ring.known)
		return records_count_rest(d, err);
	if (!d->ring.unused || d->ring.segments)
		return records_count_unknown(d, err);
	/*
	 * If the buffer never had a session, no record can be missing, not even in lost extents.
	 */
	d->counts->unknown = 0;
	d->counts->fragments = 0;
	return 0;
}

/* Return the number of extents that are missing or incomplete. */
static uint64_t records_count_fragments(const struct image_region *region)
{
	uint64_t whole = 0;

	for (size_t i = 0; i < region->extents; i++)
		whole += !region->extent[i].cut &&
			 (!i || region->extent[i].number != region->extent[i - 1].number);
	return region->extent_num > whole ? region->extent_num - whole : 0;
}

/* ---- recids and times of the records ---- */

/*
 * Prepare to convert the clock to time. If the session is unknown, use the session of another
 * buffer of the same boot. If only the rate of the clock is unknown, take the rate from the
 * session of another buffer. The clock of a long ring is always the monotonic clock.
 */
static void records_borrow_session(struct image_ring *ring, const struct image_boot *boot,
				   uint32_t kind)
{
	int clock = LKST_CLOCK_TSC;

	if (ring->known) {
		if (!ring->session.khz)
			ring->session.khz = boot->session[ring->session.clock].khz;
		return;
	}
	if (kind == LKST_IMAGE_LONG) {
		ring->session = boot->monotonic;
		return;
	}
	while (clock > LKST_CLOCK_NS && !boot->has_session[clock])
		clock--;
	ring->session = boot->session[clock];
}

static void image_records_describe(struct lkst_run *run, const struct image *image,
				   const struct image_region *region,
				   const struct lkst_image_session *session)
{
	const struct image_boot *boot = &image->boot[region->boot];
	const char *machine;
	size_t len;

	run->cpu = region->cpu;
	run->buffer = region->id;
	run->clock = session->clock;
	run->monotonic_ns = session->monotonic;
	run->xtime_ns = session->wall;
	run->tsc = session->clock_start;
	run->freq_khz = session->khz;
	machine = image_metadata(boot, "machine", &len);
	if (machine)
		snprintf(run->arch, sizeof(run->arch), "%.*s", (int)len, machine);
}

/**
 * image_records() - read the records of a buffer
 * @image: image
 * @region: region of the buffer
 * @types: event types that may occur
 * @put: called for each run; a result other than 0 ends the reading
 * @ctx: passed to @put
 * @counts: counts of the slots; after an error, those counted so far
 * @err: set on failure
 */
int image_records(const struct image *image, const struct image_region *region,
		  const struct lkst_etypes *types,
		  int (*put)(void *ctx, const struct lkst_run *run, struct lkst_error *err),
		  void *ctx, struct image_counts *counts, struct lkst_error *err)
{
	struct delivery d = { .put = put, .ctx = ctx, .counts = counts };
	int ret = -1;

	memset(counts, 0, sizeof(*counts));
	counts->fragments = records_count_fragments(region);
	if (image_ring_open(&d.ring, image, region, types, err))
		goto out;
	d.record = malloc(RUN_RECORDS * sizeof(*d.record));
	d.implausible = malloc(IMPLAUSIBLE_MAX * sizeof(*d.implausible));
	if (!d.record || !d.implausible) {
		lkst_error_memory(err, "records of an image");
		goto out;
	}
	d.run.record = d.record;
	counts->unknown = !d.ring.known;
	records_borrow_session(&d.ring, &image->boot[region->boot], region->kind);
	image_records_describe(&d.run, image, region, &d.ring.session);
	if (!records_deliver_all(&d, err))
		ret = records_count_slots(&d, err);
out:
	image_ring_close(&d.ring);
	free(d.record);
	free(d.implausible);
	return ret;
}
