/* SPDX-License-Identifier: LGPL-2.1 */
/* What the forms of output share: time, and how an event is called. */
#ifndef _LKST_FORMAT_H
#define _LKST_FORMAT_H

#include "field.h"

uint32_t format_split_time(int64_t time_ns, int64_t *second);
void format_set_second(struct lkst_format *format, int64_t second);
void format_argument_number(struct lkst_out *out, unsigned int arg);

#endif
