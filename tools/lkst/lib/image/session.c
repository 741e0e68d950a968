// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the valid records in a buffer's memory, and their positions.
 *
 * A record contains the low bits of its lap. The header pages contain the lap that was started
 * last, or one a few laps before it. The low bits and this lap together give the complete lap of
 * the record. The complete lap and the slot give the record's position and recid. The memory may
 * also contain records of earlier sessions. Such a record is recognized by its lap, if that is
 * before the first lap of this session, or by its clock, if that is from before this session began.
 *
 * The position of a record is not counted back from the end of the ring (the last position that was
 * reserved): a writer may have died after it reserved its slot, and a dropped record leaves an
 * older one in its slot. Every valid record of the session was committed, so all of them count, in
 * order of their positions. They form segments of consecutive slots of the same lap. A ring has one
 * or two segments, or a few more if records are missing.
 */
#include <byteswap.h>
#include <linux/lkst_image.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "lib/device/device.h"
#include "lib/text/etypes.h"
#include "ring.h"

#define LAP_NUM	     (1u << LKST_RECORD_LAP_BITS)
#define HOUR_MS	     3600000u
#define HOURS_MAX    (10u * 366 * 24) /* ten years; no session is longer */
#define KHZ_GUESSED  3000000
#define SEGMENTS_MAX 65536
#define SLOTS_MAX    (LKST_BUFFER_SIZE_MOST / sizeof(struct lkst_event_record))

static void swap_session(struct lkst_image_session *session)
{
	session->checksum = bswap_32(session->checksum);
	session->sequence = bswap_32(session->sequence);
	session->first = bswap_64(session->first);
	session->first_recid = bswap_64(session->first_recid);
	session->clock = bswap_32(session->clock);
	session->khz = bswap_64(session->khz);
	session->clock_start = bswap_64(session->clock_start);
	session->monotonic = (int64_t)bswap_64((uint64_t)session->monotonic);
	session->wall = (int64_t)bswap_64((uint64_t)session->wall);
	session->boottime = (int64_t)bswap_64((uint64_t)session->boottime);
	session->lap = bswap_64(session->lap);
}

static bool get_session(const struct image *image, const struct image_region *region,
			unsigned int copy, struct lkst_image_session *session)
{
	const size_t from = offsetof(struct lkst_image_session, sequence);
	const size_t to = offsetof(struct lkst_image_session, lap);
	uint32_t sum;

	_Static_assert(sizeof(*session) <= IMAGE_STATE_LEN, "it is in the state");
	if (!(region->has_state >> copy & 1))
		return false;
	memcpy(session, region->state[copy], sizeof(*session));
	sum = lkst_crc32c((const char *)session + from, to - from);
	if (image->boot[region->boot].swapped)
		swap_session(session);
	return session->checksum == sum && session->clock <= LKST_CLOCK_TSC;
}

/**
 * image_session_read() - read the session of a buffer from its header pages
 * @image: image
 * @region: region of the buffer
 * @session: result
 *
 * Return: whether a valid copy was found. If both copies are valid, @session is the copy with the
 * later sequence number, except that its lap is the later of the two.
 */
bool image_session_read(const struct image *image, const struct image_region *region,
			struct lkst_image_session *session)
{
	struct lkst_image_session copy[2];
	bool has[2];

	has[0] = get_session(image, region, 0, &copy[0]);
	has[1] = get_session(image, region, 1, &copy[1]);
	if (!has[0] && !has[1])
		return false;
	*session = has[0] ? copy[0] : copy[1];
	if (has[0] && has[1]) {
		uint64_t ahead = copy[1].lap - copy[0].lap;

		if ((int32_t)(copy[1].sequence - copy[0].sequence) > 0)
			*session = copy[1];
		session->lap = ahead < LAP_NUM ? copy[1].lap : copy[0].lap;
	}
	return true;
}

/*
 * Return whether a header page shows that the buffer never had a session. Such a page contains only
 * 0 where it would describe the session. The kernel begins the first session in both pages before
 * it writes the first record. While it does so, the page that it writes last is still all 0.
 */
static bool image_session_never_began(const struct image_region *region)
{
	static const uint8_t blank[offsetof(struct lkst_image_session, lap)];

	for (unsigned int copy = 0; copy < 2; copy++)
		if (region->has_state >> copy & 1 &&
		    !memcmp(region->state[copy], blank, sizeof(blank)))
			return true;
	return false;
}

/**
 * image_session_khz() - get the rate of a session's clock, or guess it
 * @session: session
 *
 * Return: rate in kHz.
 */
uint64_t image_session_khz(const struct lkst_image_session *session)
{
	if (session->khz && session->khz < UINT32_MAX)
		return session->khz;
	return session->clock == LKST_CLOCK_NS ? 1000000 : KHZ_GUESSED;
}

/**
 * image_ring_takes() - check whether a record may belong to the session
 * @ring: ring
 * @slot: slot of the record
 * @record: record with a known event type
 * @lap: set to the record's lap or, if the session is unknown, to the low bits of the lap
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
	    *lap * ring->slots.num + slot < ring->session.first)
		return false;
	since = record->clock - ring->session.clock_start;
	return record->clock >= ring->session.clock_start && since / ring->hour <= HOURS_MAX;
}

static struct image_segment *image_session_add_segment(struct image_ring *ring)
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

static bool image_session_continues(const struct image_ring *ring,
				  const struct image_segment *segment, uint64_t lap, uint64_t clock)
{
	if (segment->lap != lap)
		return false;
	/*
	 * If the session is unknown, records whose laps have equal low bits may be from different
	 * sessions. So a record that is more than a second earlier than the one before it begins a
	 * new segment.
	 */
	return ring->known || clock + ring->hour / 3600 >= segment->last;
}

/**
 * image_ring_far() - check whether two clock readings are too far apart for adjacent records
 * @ring: ring that contains the records
 * @a: clock reading
 * @b: clock reading
 */
bool image_ring_far(const struct image_ring *ring, uint64_t a, uint64_t b)
{
	return (a < b ? b - a : a - b) > ring->hour;
}

static int image_session_build_segments(struct image_ring *ring, struct lkst_error *err)
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
		if (!segment || !image_session_continues(ring, segment, lap, record.clock)) {
			if (ring->segments == SEGMENTS_MAX) {
				ring->crowded++;
				continue;
			}
			segment = image_session_add_segment(ring);
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

static int session_by_position(const void *pa, const void *pb)
{
	const struct image_segment *a = pa, *b = pb;

	if (a->lap != b->lap)
		return a->lap < b->lap ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static int session_by_clock(const void *pa, const void *pb)
{
	const struct image_segment *a = pa, *b = pb;

	if (a->clock != b->clock)
		return a->clock < b->clock ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

/*
 * Drop each segment that consists of a single record whose clock is far from the clocks of the
 * segments before and after it: such a record is noise. Called only if the session is unknown. The
 * segments are in memory order.
 */
static void session_drop_single_records(struct image_ring *ring)
{
	struct image_segment *segment = ring->segment;
	size_t num = 0;

	for (size_t i = 0; i < ring->segments; i++) {
		bool single = segment[i].end == segment[i].first + 1 && i &&
			      i + 1 < ring->segments &&
			      image_ring_far(ring, segment[i].clock, segment[i - 1].last) &&
			      image_ring_far(ring, segment[i].clock, segment[i + 1].clock);

		if (single)
			ring->crowded++;
		else
			segment[num++] = segment[i];
	}
	ring->segments = num;
}

static uint64_t session_position_of(const struct image_ring *ring,
				    const struct image_segment *segment, uint64_t slot)
{
	return segment->lap * ring->slots.num + slot;
}

/*
 * Return whether the lap of a segment is plausible. Only a segment with a single record can be
 * implausible, and only if the record's position is not adjacent to a neighbour's position. In that
 * case, the record's clock must be between the clocks of its neighbours, and close to one of them.
 * @prev and @next are the neighbours, or NULL. Without any neighbour, the lap is plausible.
 */
static bool session_lap_fits(const struct image_ring *ring, const struct image_segment *segment,
			     const struct image_segment *prev, const struct image_segment *next)
{
	uint64_t from = session_position_of(ring, segment, segment->first);
	uint64_t to = session_position_of(ring, segment, segment->end);

	if (segment->end != segment->first + 1 || (!prev && !next) ||
	    (prev && session_position_of(ring, prev, prev->end) == from) ||
	    (next && session_position_of(ring, next, next->first) == to))
		return true;
	if ((prev && prev->last > segment->clock) || (next && next->clock < segment->clock))
		return false;
	return (prev && !image_ring_far(ring, prev->last, segment->clock)) ||
	       (next && !image_ring_far(ring, next->clock, segment->clock));
}

/*
 * Drop each segment that consists of a single record and has an implausible lap. Called only if the
 * session is known. The segments are sorted.
 */
static void session_drop_implausible_laps(struct image_ring *ring)
{
	struct image_segment *segment = ring->segment;
	size_t num = 0;

	for (size_t i = 0; i < ring->segments; i++)
		if (session_lap_fits(ring, &segment[i], num ? &segment[num - 1] : NULL,
				     i + 1 < ring->segments ? &segment[i + 1] : NULL))
			segment[num++] = segment[i];
	ring->segments = num;
}

/**
 * image_ring_open() - find the records of a buffer
 * @ring: result; the caller must close it even after an error
 * @image: image
 * @region: region of the buffer
 * @types: event types that may occur
 * @err: set on failure
 */
int image_ring_open(struct image_ring *ring, const struct image *image,
		    const struct image_region *region, const struct lkst_etypes *types,
		    struct lkst_error *err)
{
	uint64_t num = region->length / sizeof(struct lkst_event_record), lap;

	if (num > SLOTS_MAX)
		num = SLOTS_MAX;
	memset(ring, 0, sizeof(*ring));
	ring->known = image_session_read(image, region, &ring->session);
	ring->unused = !ring->known && image_session_never_began(region);
	if (image_slots_open(&ring->slots, image, region, num, types, err))
		return -1;
	if (!num)
		return 0;
	lap = ring->session.first / num;
	ring->lap = ring->session.lap > lap ? ring->session.lap : lap;
	ring->hour = image_session_khz(&ring->session) * HOUR_MS;
	if (image_session_build_segments(ring, err))
		return -1;
	if (!ring->known)
		session_drop_single_records(ring);
	if (ring->segments)
		qsort(ring->segment, ring->segments, sizeof(*ring->segment),
		      ring->known ? session_by_position : session_by_clock);
	if (ring->known)
		session_drop_implausible_laps(ring);
	return 0;
}

/**
 * image_ring_close() - free a ring
 * @ring: opened, or all zero
 */
void image_ring_close(struct image_ring *ring)
{
	image_slots_close(&ring->slots);
	free(ring->segment);
	ring->segment = NULL;
}
