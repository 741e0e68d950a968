/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Converts the times of events to a clock that only advances.
 *
 * The time of an event is from the wall clock, which may be set. The result advances like the
 * kernel's monotonic clock. Until the wall clock is set, the difference between the two times is
 * constant, so each duration is exact to the nanosecond.
 */
#ifndef _LKSTBUF_EXPORT_STEADY_H
#define _LKSTBUF_EXPORT_STEADY_H

#include "lib/lkst.h"

/**
 * struct steady - relation between the times of events and the steady clock; initially all zero
 * @set: the first event has been seen
 * @offset_ns: time of an event minus its steady time
 * @monotonic_ns: the kernel's monotonic clock minus the steady time
 * @monotonic: the kernel's monotonic clock is known
 * @latest: the latest steady time
 */
struct steady {
	bool set;
	int64_t offset_ns;
	int64_t monotonic_ns;
	bool monotonic;
	uint64_t latest;
};

bool steady_step(struct steady *clock, const struct lkst_event *event, int64_t begin_ns,
		 uint64_t *time);

#endif
