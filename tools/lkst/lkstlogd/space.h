/* SPDX-License-Identifier: GPL-2.0 */
/* How much space files may take, and how much time they cover at the current rate of events. */
#ifndef _LKSTLOGD_SPACE_H
#define _LKSTLOGD_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct logd;

/**
 * struct logd_rate - the rate at which a CPU records
 * @seen: number of events that had been written to the CPU's files at the last measurement
 * @per_second: events per second; 0: not known yet
 */
struct logd_rate {
	uint64_t seen;
	double per_second;
};

/**
 * struct logd_space - limits and recording rates
 * @shared: the total limit is a share of the size of the file system, because the user gave no
 *	limit and the size is known
 * @rate: indexed by CPU
 * @begin: time of the first measurement since writing began, in ms; 0: none yet
 * @last: time of the last measurement, in ms
 * @seconds: how many seconds a full file of the busiest CPU covers; 0: not known yet
 * @reported: @seconds was reported to the user
 */
struct logd_space {
	bool shared;
	struct logd_rate *rate;
	int64_t begin;
	int64_t last;
	uint64_t seconds;
	bool reported;
};

void logd_space_limits(struct logd *logd);
void logd_space_watch(struct logd *logd);

#endif
