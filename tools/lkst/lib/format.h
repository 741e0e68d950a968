/* SPDX-License-Identifier: LGPL-2.1 */
/* What the forms of output share: time, and how an event is called. */
#ifndef _LKST_FORMAT_H
#define _LKST_FORMAT_H

#include "field.h"

uint32_t format_split_time(int64_t time_ns, int64_t *second);
uint32_t format_next_second(struct lkst_format *format, int64_t time_ns);
char *format_argument_number(char *p, unsigned int arg);
char *format_unnamed(char *p, uint32_t type);

/* Whether the texts of the second are those of a time. @ns: of it, in the second. */
static inline bool format_same_second(const struct lkst_format *format, int64_t time_ns,
				      uint32_t *ns)
{
	uint64_t since = (uint64_t)time_ns - (uint64_t)format->second_ns;

	*ns = (uint32_t)since;
	return format->valid && since < 1000000000;
}

/* Have the texts of the second that a time is in. Returns the nanoseconds in it. */
static inline uint32_t format_set_time(struct lkst_format *format, int64_t time_ns)
{
	uint32_t ns;

	return format_same_second(format, time_ns, &ns) ? ns : format_next_second(format, time_ns);
}

#endif
