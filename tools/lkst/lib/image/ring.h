/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The memory of a buffer in an image: slots.c reads its slots, and session.c determines which
 * records are valid and to which lap each of them belongs.
 *
 * A session is one use of the buffer, from when the CPU switches to it. In the session, the CPU
 * writes the slots again and again; each time is a lap.
 */
#ifndef _IMAGE_RING_H
#define _IMAGE_RING_H

#include <linux/lkst_image.h>

#include "lib/lkst.h"

struct image;
struct image_region;

#define IMAGE_BATCH_SLOTS 4096

/**
 * struct image_slots - the slots of a region
 * @image: image
 * @region: region
 * @texts: for each event type, a bitmap of the arguments that are strings
 * @known: for each event type, whether records of this type may occur
 * @swapped: the image is from a machine of the opposite byte order
 * @word: mask of the bits of a record's clock that the kernel writes last: if they are 0, the
 *	record is incomplete
 * @num: number of slots
 * @first: first slot in @raw
 * @loaded: number of slots in @raw
 * @raw: the part of the region that was read last
 * @absent: for each slot in @raw, IMAGE_SLOT_MISSING or IMAGE_SLOT_BLANK; if neither applies,
 *	IMAGE_SLOT_RECORD
 */
struct image_slots {
	const struct image *image;
	const struct image_region *region;
	uint8_t texts[LKST_ETYPE_NUM];
	bool known[LKST_ETYPE_NUM];
	bool swapped;
	uint64_t word;
	uint64_t num;
	uint64_t first;
	uint64_t loaded;
	struct lkst_event_record *raw;
	int8_t *absent;
};

enum image_slot {
	IMAGE_SLOT_ERROR = -1,
	IMAGE_SLOT_MISSING,	/* not in the image */
	IMAGE_SLOT_BLANK,	/* its page is all 0: unused or, in some formats, missing */
	IMAGE_SLOT_EMPTY,	/* never used, or being written */
	IMAGE_SLOT_INVALID,	/* its contents are not a record */
	IMAGE_SLOT_RECORD,
};

int image_slots_open(struct image_slots *slots, const struct image *image,
		     const struct image_region *region, uint64_t num,
		     const struct lkst_etypes *types, struct lkst_error *err);
void image_slots_close(struct image_slots *slots);
enum image_slot image_slot(struct image_slots *slots, uint64_t slot,
			   struct lkst_event_record *record, struct lkst_error *err);

/**
 * struct image_segment - consecutive slots with records of the same lap
 * @lap: lap; if the session is unknown, only its low bits, which the records contain
 * @first: first slot
 * @end: slot after the last one
 * @clock: clock of the first record
 * @last: clock of the last record
 */
struct image_segment {
	uint64_t lap;
	uint64_t first;
	uint64_t end;
	uint64_t clock;
	uint64_t last;
};

/**
 * struct image_ring - the ring of a buffer in an image
 * @slots: its slots
 * @known: @session was found
 * @unused: no session was found, and a header page shows that the buffer never had one. If the ring
 *	has records nevertheless, the header pages are damaged
 * @session: from the header pages, in the byte order of this machine
 * @lap: a recent lap, from which image_ring_takes() computes the complete lap of a record
 * @hour: number of clock ticks in an hour; a guess if the rate of the clock is unknown
 * @segments: number of entries in @segment
 * @room: number of entries that @segment has room for
 * @segment: where records are, oldest first
 * @crowded: records skipped because there would be too many segments or, if the session is unknown,
 *	because they are noise
 */
struct image_ring {
	struct image_slots slots;
	bool known;
	bool unused;
	struct lkst_image_session session;
	uint64_t lap;
	uint64_t hour;
	size_t segments;
	size_t room;
	struct image_segment *segment;
	uint64_t crowded;
};

bool image_session_read(const struct image *image, const struct image_region *region,
			struct lkst_image_session *session);
uint64_t image_session_khz(const struct lkst_image_session *session);
int image_ring_open(struct image_ring *ring, const struct image *image,
		    const struct image_region *region, const struct lkst_etypes *types,
		    struct lkst_error *err);
void image_ring_close(struct image_ring *ring);
bool image_ring_far(const struct image_ring *ring, uint64_t a, uint64_t b);
bool image_ring_takes(const struct image_ring *ring, uint64_t slot,
		      const struct lkst_event_record *record, uint64_t *lap);

#endif
