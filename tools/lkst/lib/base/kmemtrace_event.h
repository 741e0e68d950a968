/* SPDX-License-Identifier: LGPL-2.1 */
/* The format of an event in a file of kmemtrace, see Documentation/lkst/kmemtrace.rst. */
#ifndef _LKST_LIB_BASE_KMEMTRACE_EVENT_H
#define _LKST_LIB_BASE_KMEMTRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KMEMTRACE_ABI		1	/* version of the format that this reader knows */
#define KMEMTRACE_CORE		24	/* bytes that each event has */
#define KMEMTRACE_ALLOC_SIZE	48	/* bytes that an allocation has at least */
#define KMEMTRACE_EVENT_MAX	4096	/* a larger size is taken for damage */

enum kmemtrace_event_id {
	KMEMTRACE_ALLOC	= 0,
	KMEMTRACE_FREE	= 1,
};

enum kmemtrace_type_id {
	KMEMTRACE_KMALLOC = 0,
	KMEMTRACE_CACHE	  = 1,
	KMEMTRACE_PAGES	  = 2,
};

/**
 * struct kmemtrace_event - an event, in this machine's byte order
 * @event_id: enum kmemtrace_event_id
 * @type_id: enum kmemtrace_type_id
 * @size: size of the event in the file, in bytes
 * @sequence: number for sorting; wraps around
 * @caller: the code that called the allocator; 0: unknown
 * @object: address of the memory; 0: the allocation failed, or NULL was freed
 * @requested: bytes that the caller asked for; 0 for a free, like the members below
 * @allocated: bytes that the caller got
 * @flags: GFP flags
 * @cpu: target CPU; -1: the same CPU
 */
struct kmemtrace_event {
	uint8_t event_id;
	uint8_t type_id;
	uint16_t size;
	uint32_t sequence;
	uint64_t caller;
	uint64_t object;
	uint64_t requested;
	uint64_t allocated;
	uint32_t flags;
	int32_t cpu;
};

enum kmemtrace_state {
	KMEMTRACE_BAD,		/* not an event */
	KMEMTRACE_CUT,		/* the beginning of an event */
	KMEMTRACE_KNOWN,	/* an event */
	KMEMTRACE_UNKNOWN,	/* an id is unknown, but the size is possible */
};

/* Number of bytes after an event that kmemtrace_event_find() needs */
#define KMEMTRACE_LOOK (2 * KMEMTRACE_EVENT_MAX)

enum kmemtrace_order {
	KMEMTRACE_NONE,		/* not a file of kmemtrace */
	KMEMTRACE_SAME,		/* this machine's byte order */
	KMEMTRACE_SWAPPED,
};

enum kmemtrace_state kmemtrace_event_get(const uint8_t *data, size_t len, bool swapped,
					 struct kmemtrace_event *event);
bool kmemtrace_event_find(const uint8_t *data, size_t len, bool swapped, size_t *skip);
enum kmemtrace_order kmemtrace_order(const uint8_t *head, size_t len);

#endif
