// SPDX-License-Identifier: LGPL-2.1
/*
 * What the records in a buffer's memory are, and where they are.
 *
 * A record has the low bits of its lap. With the note of the stretch, and the lap that was begun
 * last or a few before it, all of the lap is known, and with it the position and the recid. In the
 * memory there may also be records of stretches before: of a lap before this stretch began or,
 * where that has come to be the same bits, with a clock from before it began.
 *
 * What is where in the ring is not reckoned from its end: a writer may have died with its slot
 * taken and not written, and a record that was dropped leaves its slot to an older one. Every record
 * that is whole and of the stretch is one that was committed, so all of them count, in the order of
 * their positions. Such records lie in segments, slots of the same lap one behind the other: two
 * as a rule, and a few more where something is missing.
 */
#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "crc32c.h"
#include "image_ring.h"
#include "messages.h"

#define LAP_NUM	     (1u << LKST_RECORD_LAP_BITS)
#define HOUR_MS	     3600000u
#define HOURS_MAX    (10u * 366 * 24) /* more go by in no stretch */
#define KHZ_GUESSED  3000000
#define SEGMENTS_MAX 65536
#define SLOTS_MAX    (LKST_BUFFER_SIZE_MOST / sizeof(struct lkst_event_record))

static void swap_session(struct lkst_image_session *note)
{
	note->checksum = bswap_32(note->checksum);
	note->sequence = bswap_32(note->sequence);
	note->first = bswap_64(note->first);
	note->first_recid = bswap_64(note->first_recid);
	note->clock = bswap_32(note->clock);
	note->khz = bswap_64(note->khz);
	note->clock_start = bswap_64(note->clock_start);
	note->monotonic = (int64_t)bswap_64((uint64_t)note->monotonic);
	note->wall = (int64_t)bswap_64((uint64_t)note->wall);
	note->boottime = (int64_t)bswap_64((uint64_t)note->boottime);
	note->lap = bswap_64(note->lap);
}

static bool get_session(const struct image *image, const struct image_area *area, unsigned int copy,
		     struct lkst_image_session *note)
{
	const size_t from = offsetof(struct lkst_image_session, sequence);
	const size_t to = offsetof(struct lkst_image_session, lap);
	uint32_t sum;

	_Static_assert(sizeof(*note) <= IMAGE_STATE_LEN, "it is in the state");
	if (!(area->has_state >> copy & 1))
		return false;
	memcpy(note, area->state[copy], sizeof(*note));
	sum = lkst_crc32c((const char *)note + from, to - from);
	if (image->boot[area->boot].swapped)
		swap_session(note);
	return note->checksum == sum && note->clock <= LKST_CLOCK_TSC;
}

/**
 * image_session_read() - the note of a buffer's stretch
 * @image: image
 * @area: of the buffer
 * @note: result
 *
 * Return: whether there is one. Of two the later counts; the lap is the later one of both copies.
 */
bool image_session_read(const struct image *image, const struct image_area *area,
			struct lkst_image_session *note)
{
	struct lkst_image_session copy[2];
	bool has[2];

	has[0] = get_session(image, area, 0, &copy[0]);
	has[1] = get_session(image, area, 1, &copy[1]);
	if (!has[0] && !has[1])
		return false;
	*note = has[0] ? copy[0] : copy[1];
	if (has[0] && has[1]) {
		uint64_t ahead = copy[1].lap - copy[0].lap;

		if ((int32_t)(copy[1].sequence - copy[0].sequence) > 0)
			*note = copy[1];
		note->lap = ahead < LAP_NUM ? copy[1].lap : copy[0].lap;
	}
	return true;
}

/**
 * image_session_khz() - the rate of a stretch's clock, or about what it may be
 * @note: of the stretch
 */
uint64_t image_session_khz(const struct lkst_image_session *note)
{
	if (note->khz && note->khz < UINT32_MAX)
		return note->khz;
	return note->clock == LKST_CLOCK_NS ? 1000000 : KHZ_GUESSED;
}

/**
 * image_ring_takes() - whether a record can be one of the stretch
 * @ring: ring
 * @slot: that it is in
 * @record: with a type that there is
 * @lap: result: its lap
 */
bool image_ring_takes(const struct image_ring *ring, uint64_t slot,
		      const struct lkst_event_record *record, uint64_t *lap)
{
	uint64_t bits = record->flags >> LKST_RECORD_LAP_SHIFT, ahead, since;

	if (!ring->known) {
		*lap = bits;
		return record->clock / ring->hour <= 2 * HOURS_MAX;
	}
	ahead = (bits - ring->lap) % LAP_NUM;
	*lap = ring->lap + ahead - (ahead < LAP_NUM / 2 ? 0 : LAP_NUM);
	if (*lap > UINT64_MAX / ring->slots.num - 1 ||
	    *lap * ring->slots.num + slot < ring->note.first)
		return false;
	since = record->clock - ring->note.clock_start;
	return record->clock >= ring->note.clock_start && since / ring->hour <= HOURS_MAX;
}

static struct image_segment *add_segment(struct image_ring *ring)
{
	if (ring->segments == ring->room) {
		size_t room = ring->room ? ring->room * 2 : 64;
		struct image_segment *grown = realloc(ring->segment, room * sizeof(*grown));

		if (!grown)
			return NULL;
		ring->segment = grown;
		ring->room = room;
	}
	return &ring->segment[ring->segments++];
}

static bool names_continues(const struct image_ring *ring, const struct image_segment *segment,
		    uint64_t lap, uint64_t clock)
{
	if (segment->lap != lap)
		return false;
	/* The bits of the lap may be those of another stretch. */
	return ring->known || clock + ring->hour / 3600 >= segment->last;
}

/**
 * image_ring_far() - whether clocks are further from each other than those of neighbours
 * @ring: whose clock it is
 * @a: a clock
 * @b: another one
 */
bool image_ring_far(const struct image_ring *ring, uint64_t a, uint64_t b)
{
	return (a < b ? b - a : a - b) > ring->hour;
}

static int image_session_survey(struct image_ring *ring, struct lkst_error *err)
{
	struct image_segment *segment = NULL;
	struct lkst_event_record record;
	uint64_t lap;

	for (uint64_t slot = 0; slot < ring->slots.num; slot++) {
		enum image_slot is = image_slot(&ring->slots, slot, &record, err);

		if (is == IMAGE_SLOT_ERROR)
			return -1;
		if (is != IMAGE_SLOT_RECORD || !image_ring_takes(ring, slot, &record, &lap))
			continue;
		if (!segment || !names_continues(ring, segment, lap, record.clock)) {
			if (ring->segments == SEGMENTS_MAX) {
				ring->crowded++;
				continue;
			}
			segment = add_segment(ring);
			if (!segment) {
				lkst_error_memory(err, "records of an image");
				return -1;
			}
			*segment = (struct image_segment){
				.lap = lap,
				.first = slot,
				.clock = record.clock,
			};
		}
		segment->end = slot + 1;
		segment->last = record.clock;
	}
	return 0;
}

static int by_position(const void *pa, const void *pb)
{
	const struct image_segment *a = pa, *b = pb;

	if (a->lap != b->lap)
		return a->lap < b->lap ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static int by_clock(const void *pa, const void *pb)
{
	const struct image_segment *a = pa, *b = pb;

	if (a->clock != b->clock)
		return a->clock < b->clock ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/*
 * Of a ring without a note: one record for itself, whose clock is that of none beside it, is noise.
 * The segments are as they lie in memory.
 */
static void drop_lonely(struct image_ring *ring)
{
	struct image_segment *segment = ring->segment;
	size_t num = 0;

	for (size_t i = 0; i < ring->segments; i++) {
		bool lonely = segment[i].end == segment[i].first + 1 && i &&
			      i + 1 < ring->segments &&
			      image_ring_far(ring, segment[i].clock, segment[i - 1].last) &&
			      image_ring_far(ring, segment[i].clock, segment[i + 1].clock);

		if (lonely)
			ring->crowded++;
		else
			segment[num++] = segment[i];
	}
	ring->segments = num;
}

static uint64_t position_of(const struct image_ring *ring, const struct image_segment *segment,
			    uint64_t slot)
{
	return segment->lap * ring->slots.num + slot;
}

/*
 * Whether a segment of one record is where its lap says, its neighbours being @prev and @next, NULL:
 * none. It is if it follows one of them without a gap. Else its clock must be between theirs, and not
 * far from both.
 */
static bool lap_fits(const struct image_ring *ring, const struct image_segment *segment,
		     const struct image_segment *prev, const struct image_segment *next)
{
	uint64_t from = position_of(ring, segment, segment->first);
	uint64_t to = position_of(ring, segment, segment->end);

	if (segment->end != segment->first + 1 || (!prev && !next) ||
	    (prev && position_of(ring, prev, prev->end) == from) ||
	    (next && position_of(ring, next, next->first) == to))
		return true;
	if ((prev && prev->last > segment->clock) || (next && next->clock < segment->clock))
		return false;
	return (prev && !image_ring_far(ring, prev->last, segment->clock)) ||
	       (next && !image_ring_far(ring, next->clock, segment->clock));
}

/* Of a ring with a note: one record for itself, whose lap cannot be its. They are sorted. */
static void drop_odd_laps(struct image_ring *ring)
{
	struct image_segment *segment = ring->segment;
	size_t num = 0;

	for (size_t i = 0; i < ring->segments; i++)
		if (lap_fits(ring, &segment[i], num ? &segment[num - 1] : NULL,
			     i + 1 < ring->segments ? &segment[i + 1] : NULL))
			segment[num++] = segment[i];
	ring->segments = num;
}

/**
 * image_ring_open() - find out where the records of a buffer are
 * @ring: result; to be closed, also after an error
 * @image: image
 * @area: of the buffer
 * @types: types of events that there can be
 * @err: why not
 */
int image_ring_open(struct image_ring *ring, const struct image *image,
		    const struct image_area *area, const struct lkst_etypes *types,
		    struct lkst_error *err)
{
	uint64_t num = area->length / sizeof(struct lkst_event_record), lap;

	if (num > SLOTS_MAX)
		num = SLOTS_MAX;
	memset(ring, 0, sizeof(*ring));
	ring->known = image_session_read(image, area, &ring->note);
	if (image_slots_open(&ring->slots, image, area, num, types, err))
		return -1;
	if (!num)
		return 0;
	lap = ring->note.first / num;
	ring->lap = ring->note.lap > lap ? ring->note.lap : lap;
	ring->hour = image_session_khz(&ring->note) * HOUR_MS;
	if (image_session_survey(ring, err))
		return -1;
	if (!ring->known)
		drop_lonely(ring);
	if (ring->segments)
		qsort(ring->segment, ring->segments, sizeof(*ring->segment),
		      ring->known ? by_position : by_clock);
	if (ring->known)
		drop_odd_laps(ring);
	return 0;
}

/**
 * image_ring_close() - free what it holds
 * @ring: opened, or zeros
 */
void image_ring_close(struct image_ring *ring)
{
	image_slots_close(&ring->slots);
	free(ring->segment);
	ring->segment = NULL;
}
