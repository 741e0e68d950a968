/* SPDX-License-Identifier: LGPL-2.1 */
/* One value of an event in words. */
#ifndef _LKST_VALUES_H
#define _LKST_VALUES_H

#include "out.h"

void lkst_put_process(struct lkst_out *out, struct lkst_names *names, uint32_t tid,
		      int32_t cpu, int64_t time_ns);
void lkst_put_field(struct lkst_out *out, struct lkst_names *names,
		    const struct lkst_event *event, const struct lkst_etype *type,
		    const struct lkst_field *field);

#endif
