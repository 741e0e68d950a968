/* SPDX-License-Identifier: LGPL-2.1 */
/* One value of an event in words. */
#ifndef _LKST_FIELD_H
#define _LKST_FIELD_H

#include "out.h"

void lkst_put_process(struct lkst_out *out, struct lkst_names *names, uint32_t tid,
		      int32_t cpu, int64_t time_ns);

/* Most fields are shown always, and as their type labels them. */
static inline bool lkst_field_is_plain(const struct lkst_field *field)
{
	return field->format != LKST_FMT_ABI && field->format != LKST_FMT_SYM &&
	       field->format != LKST_FMT_REG;
}

const char *lkst_field_label(const struct lkst_event *event, const struct lkst_field *field);
bool lkst_field_is_void(const struct lkst_event *event, const struct lkst_field *field);
void lkst_put_field(struct lkst_out *out, const struct lkst_context *context,
		    const struct lkst_event *event, const struct lkst_etype *type,
		    const struct lkst_field *field);

#endif
