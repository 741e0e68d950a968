/* SPDX-License-Identifier: GPL-2.0 */
/* Computes how late the function of an hrtimer runs. */
#ifndef _LKSTLA_LATE_H
#define _LKSTLA_LATE_H

#include "lib/lkst.h"

bool late_by(const struct lkst_event *event, int64_t *late_ns);

#endif
