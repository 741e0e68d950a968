// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads events of kmemtrace. The files have neither a header nor checksums, so an event is
 * recognized by what the document of the format requires: known ids, a size that fits the ids, and
 * an allocation of at least 1 byte that got at least what it requested. Bytes after the core are
 * features, each of which begins with its own size.
 */
#include <byteswap.h>
#include <string.h>

#include "kmemtrace_event.h"

/* A feature: 2 bytes for its size, which includes these, and 1 byte for its id */
#define FEATURE_MIN 3

static uint16_t event_u16(const uint8_t *at, bool swapped)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return swapped ? bswap_16(value) : value;
}

static uint32_t event_u32(const uint8_t *at, bool swapped)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return swapped ? bswap_32(value) : value;
}

static uint64_t event_u64(const uint8_t *at, bool swapped)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return swapped ? bswap_64(value) : value;
}

/* Check that features fill the bytes from @at up to @size. Those after @len are not there. */
static bool event_has_features(const uint8_t *data, size_t at, size_t size, size_t len,
			       bool swapped)
{
	while (at < size && at + 2 <= len) {
		size_t feature = event_u16(data + at, swapped);

		if (feature < FEATURE_MIN || feature > size - at)
			return false;
		at += feature;
	}
	return true;
}

static bool event_has_known_ids(const struct kmemtrace_event *event)
{
	return event->event_id <= KMEMTRACE_FREE && event->type_id <= KMEMTRACE_PAGES;
}

static bool event_has_possible_size(const struct kmemtrace_event *event)
{
	return event->size >= KMEMTRACE_CORE && event->size <= KMEMTRACE_EVENT_MAX;
}

/* Return the size of an event with known ids that has no features. */
static size_t event_core(const struct kmemtrace_event *event)
{
	return event->event_id == KMEMTRACE_ALLOC ? KMEMTRACE_ALLOC_SIZE : KMEMTRACE_CORE;
}

/* Check the size of an event with known ids, and the features that it has. */
static bool event_fits(const uint8_t *data, size_t len, bool swapped,
		       const struct kmemtrace_event *event)
{
	size_t core = event_core(event);

	return event->size >= core && event_has_possible_size(event) &&
	       event_has_features(data, core, event->size, len, swapped);
}

/**
 * kmemtrace_event_get() - read an event
 * @data: bytes at which the event begins
 * @len: number of bytes up to the end of the file, or at least KMEMTRACE_EVENT_MAX
 * @swapped: the file has the opposite byte order of this machine
 * @event: result. Only for KMEMTRACE_KNOWN, all members are valid; for KMEMTRACE_UNKNOWN, @size is
 */
enum kmemtrace_state kmemtrace_event_get(const uint8_t *data, size_t len, bool swapped,
					 struct kmemtrace_event *event)
{
	*event = (struct kmemtrace_event){ 0 };
	if (len < 4)
		return KMEMTRACE_CUT;
	event->event_id = data[0];
	event->type_id = data[1];
	event->size = event_u16(data + 2, swapped);
	if (!event_has_known_ids(event))
		return !event_has_possible_size(event) ? KMEMTRACE_BAD :
		       event->size > len	       ? KMEMTRACE_CUT :
							 KMEMTRACE_UNKNOWN;
	if (!event_fits(data, len, swapped, event))
		return KMEMTRACE_BAD;
	if (event->size > len)
		return KMEMTRACE_CUT;
	event->sequence = event_u32(data + 4, swapped);
	event->caller = event_u64(data + 8, swapped);
	event->object = event_u64(data + 16, swapped);
	if (event->event_id == KMEMTRACE_FREE)
		return KMEMTRACE_KNOWN;
	event->requested = event_u64(data + 24, swapped);
	event->allocated = event_u64(data + 32, swapped);
	event->flags = event_u32(data + 40, swapped);
	event->cpu = (int32_t)event_u32(data + 44, swapped);
	return event->requested && event->allocated >= event->requested ? KMEMTRACE_KNOWN :
									  KMEMTRACE_BAD;
}

/* Return whether an event begins at @data, and the file ends or another event begins after it. */
static bool event_begins(const uint8_t *data, size_t len, bool swapped)
{
	struct kmemtrace_event event, next;

	return kmemtrace_event_get(data, len, swapped, &event) == KMEMTRACE_KNOWN &&
	       (event.size == len ||
		kmemtrace_event_get(data + event.size, len - event.size, swapped, &next) >=
			KMEMTRACE_CUT);
}

/**
 * kmemtrace_event_find() - find the first event after damage
 * @data: bytes
 * @len: number of bytes up to the end of the file, or more than KMEMTRACE_LOOK
 * @swapped: as for kmemtrace_event_get()
 * @skip: set to the offset of the event in @data; if the result is false, to the number of bytes at
 *	which no event begins: all of them at the end of the file
 *
 * A single event that begins by chance in damaged bytes does not count.
 *
 * Return: true if an event was found.
 */
bool kmemtrace_event_find(const uint8_t *data, size_t len, bool swapped, size_t *skip)
{
	size_t end = len > KMEMTRACE_LOOK ? len - KMEMTRACE_LOOK : len;

	for (*skip = 0; *skip < end; ++*skip)
		if (event_begins(data + *skip, len - *skip, swapped))
			return true;
	return false;
}

/*
 * Return how many bytes are events if the file has this byte order. The beginning of an event
 * counts only if the event has known ids and no features: little is known about the other ones.
 */
static size_t order_covered(const uint8_t *head, size_t len, bool swapped)
{
	struct kmemtrace_event event;
	size_t at = 0, covered = 0, skip;

	while (at < len) {
		switch (kmemtrace_event_get(head + at, len - at, swapped, &event)) {
		case KMEMTRACE_KNOWN:
			covered += event.size;
			at += event.size;
			break;
		case KMEMTRACE_CUT:
			if (event_has_known_ids(&event) && event.size == event_core(&event))
				covered += len - at;
			at = len;
			break;
		default:
			at++;
			kmemtrace_event_find(head + at, len - at, swapped, &skip);
			at += skip;
		}
	}
	return covered;
}

/**
 * kmemtrace_order() - find out whether a file is one of kmemtrace, and its byte order
 * @head: first bytes of the file
 * @len: number of these bytes; more than KMEMTRACE_EVENT_MAX are not used
 *
 * At least half of the bytes must be events, so that damage does not hide what the file is.
 */
enum kmemtrace_order kmemtrace_order(const uint8_t *head, size_t len)
{
	size_t same, swapped;

	if (len < KMEMTRACE_CORE)
		return KMEMTRACE_NONE;
	if (len > KMEMTRACE_EVENT_MAX)
		len = KMEMTRACE_EVENT_MAX;
	same = order_covered(head, len, false);
	swapped = order_covered(head, len, true);
	if ((same > swapped ? same : swapped) < (len + 1) / 2)
		return KMEMTRACE_NONE;
	return same >= swapped ? KMEMTRACE_SAME : KMEMTRACE_SWAPPED;
}
