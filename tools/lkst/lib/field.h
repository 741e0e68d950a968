/* SPDX-License-Identifier: LGPL-2.1 */
/* One value of an event in words. */
#ifndef _LKST_FIELD_H
#define _LKST_FIELD_H

#include "out.h"

/**
 * struct field_view - an event whose values are put
 * @context: what the trace tells of its kernel
 * @event: event
 * @type: its type
 * @bare: for JSON: strings as they are, as the caller quotes, and no name beside a number
 * @field: of the type, that is being put
 * @is_number: after lkst_put_field(): the text is a decimal number and nothing else
 */
struct field_view {
	const struct lkst_context *context;
	const struct lkst_event *event;
	const struct lkst_etype *type;
	bool bare;
	const struct lkst_field *field;
	bool is_number;
};

char *lkst_put_process(char *p, struct lkst_names *names, uint32_t tid, int32_t cpu,
		       int64_t time_ns);
const char *lkst_field_label(const struct lkst_event *event, const struct lkst_field *field);
bool lkst_field_is_void(const struct lkst_event *event, const struct lkst_field *field);
bool lkst_field_is_again(const struct field_view *view, const struct lkst_field *field);
char *lkst_put_field(char *p, struct field_view *view, const struct lkst_field *field);
const char *lkst_field_also(struct field_view *view);

/* Whether a field is left out of an event. */
static inline bool lkst_field_is_left_out(const struct lkst_event *event,
					  const struct lkst_field *field, bool verbose)
{
	return field->shown != LKST_SHOWN_ALWAYS && !verbose &&
	       (field->shown == LKST_SHOWN_VERBOSE || lkst_field_is_void(event, field));
}

#endif
