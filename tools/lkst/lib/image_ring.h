/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The memory of a buffer in an image: image_slots.c reads its slots, image_stretch.c finds out
 * which lap each record is of and which of them are whole.
 */
#ifndef _IMAGE_RING_H
#define _IMAGE_RING_H

#include "image.h"

#define IMAGE_BATCH_SLOTS 4096

/**
 * struct image_slots - records in an area, as they lie there
 * @image: image
 * @area: area
 * @texts: by event type: arguments that are texts, a bit each
 * @known: by event type: whether there can be such records
 * @swapped: the machine has the other byte order
 * @word: bits of the clock that are written last
 * @num: slots
 * @first: the first that is in @raw
 * @there: how many are
 * @raw: a piece of the area
 * @absent: slots of it: IMAGE_SLOT_MISSING or IMAGE_SLOT_BLANK; else they are there
 */
struct image_slots {
	const struct image *image;
	const struct image_area *area;
	uint8_t texts[LKST_ETYPE_NUM];
	bool known[LKST_ETYPE_NUM];
	bool swapped;
	uint64_t word;
	uint64_t num;
	uint64_t first;
	uint64_t there;
	struct lkst_event_record *raw;
	int8_t *absent;
};

enum image_slot {
	IMAGE_SLOT_ERROR = -1,
	IMAGE_SLOT_MISSING,	/* not in the image */
	IMAGE_SLOT_BLANK,	/* all of its page is 0: never used or, in some forms, not in the image */
	IMAGE_SLOT_EMPTY,	/* never used, or being written */
	IMAGE_SLOT_STRANGE,	/* no record */
	IMAGE_SLOT_RECORD,
};

int image_slots_open(struct image_slots *slots, const struct image *image,
		     const struct image_area *area, uint64_t num,
		     const struct lkst_etypes *types, struct lkst_error *err);
void image_slots_close(struct image_slots *slots);
enum image_slot image_slot(struct image_slots *slots, uint64_t slot,
			   struct lkst_event_record *record, struct lkst_error *err);

/**
 * struct image_segment - slots one after the other, whose records are of one lap
 * @lap: the lap; where the stretch is not known, what the records have of it
 * @first: slot
 * @end: slot behind the last one
 * @clock: of the first record
 * @last: clock of the last one
 */
struct image_segment {
	uint64_t lap;
	uint64_t first;
	uint64_t end;
	uint64_t clock;
	uint64_t last;
};

/**
 * struct image_ring - what a buffer's memory was when it was frozen
 * @slots: its records
 * @known: there is a note of the stretch
 * @note: it, in the byte order of this machine
 * @lap: lap from which those of the records are counted
 * @hour: ticks of an hour
 * @segments: entries of @segment
 * @room: for how many there is room
 * @segment: where records are, oldest first
 * @crowded: records left out, as they would be too many segments
 */
struct image_ring {
	struct image_slots slots;
	bool known;
	struct lkst_image_session note;
	uint64_t lap;
	uint64_t hour;
	size_t segments;
	size_t room;
	struct image_segment *segment;
	uint64_t crowded;
};

bool image_session_read(const struct image *image, const struct image_area *area,
			struct lkst_image_session *note);
uint64_t image_session_khz(const struct lkst_image_session *note);
int image_ring_open(struct image_ring *ring, const struct image *image,
		    const struct image_area *area, const struct lkst_etypes *types,
		    struct lkst_error *err);
void image_ring_close(struct image_ring *ring);
bool image_ring_far(const struct image_ring *ring, uint64_t a, uint64_t b);
bool image_ring_takes(const struct image_ring *ring, uint64_t slot,
		      const struct lkst_event_record *record, uint64_t *lap);

#endif
