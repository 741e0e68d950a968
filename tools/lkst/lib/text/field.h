/* SPDX-License-Identifier: LGPL-2.1 */
/* Formats one value of an event. */
#ifndef _LKST_FIELD_H
#define _LKST_FIELD_H

#include "etypes.h"
#include "lib/lkst.h"

struct lkst_names;

/**
 * struct field_view - an event whose values are formatted
 * @context: names and symbols of the kernel that recorded the event
 * @event: event
 * @type: its type
 * @bare: for JSON: do not quote strings, and do not write a name next to a number
 * @field: field that is being formatted
 * @is_number: set by lkst_put_field() if it has written nothing but a decimal number
 * @user_bytes: number of bytes of strings, arrays and structures of a user event that have been
 *	written so far. This number is limited, because the fields of a damaged event may all refer
 *	to the same bytes
 */
struct field_view {
	const struct lkst_context *context;
	const struct lkst_event *event;
	const struct lkst_etype *type;
	bool bare;
	const struct lkst_field *field;
	bool is_number;
	size_t user_bytes;
};

char *lkst_put_process(char *p, struct lkst_names *names, uint32_t tid, int32_t cpu,
		       int64_t time_ns);
const char *lkst_field_label(const struct lkst_event *event, const struct lkst_field *field);
bool lkst_field_is_void(const struct lkst_event *event, const struct lkst_field *field);
bool lkst_field_is_repeated(const struct field_view *view, const struct lkst_field *field);
#define FIELD_TEXT_SIZE (LKST_CHAIN_BYTES_MAX + 1) /* of the longest string, with its 0 */

void lkst_field_text(const struct lkst_event *event, const struct lkst_field *field,
		     char text[FIELD_TEXT_SIZE]);
bool lkst_is_cut(const struct lkst_event *event, const struct lkst_etype *type);
bool lkst_field_is_stack(const struct lkst_field *field);
size_t lkst_field_frames(const struct lkst_event *event, const struct lkst_field *field);
uint64_t lkst_field_frame(const struct lkst_event *event, const struct lkst_field *field, size_t i);
char *lkst_put_frame(char *p, struct field_view *view, uint64_t address);
char *lkst_put_field(char *p, struct field_view *view, const struct lkst_field *field);
const char *lkst_field_name(struct field_view *view);
const char *lkst_field_file(const struct field_view *view, const struct lkst_field *field);

/* Return how long the request of a block_issue waited in its queue; 0: unknown. */
static inline int64_t lkst_block_queue_ns(const struct lkst_event *event)
{
	return event->arg[3] <= INT64_MAX ? (int64_t)event->arg[3] : 0;
}

/* Return whether a field is omitted from the output of an event. */
static inline bool lkst_field_is_left_out(const struct lkst_event *event,
					  const struct lkst_field *field, bool verbose)
{
	if (field->user)
		return !user_field_exists(field, event);
	return field->shown != LKST_SHOWN_ALWAYS && !verbose &&
	       (field->shown == LKST_SHOWN_VERBOSE || lkst_field_is_void(event, field));
}

#endif
