/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of the sample module for user programs.
 */
#ifndef _LKST_SAMPLE_H
#define _LKST_SAMPLE_H

#include <linux/types.h>

/* Event type SAMPLE_WRITE: a process has written to /proc/lkst_sample. */
#define LKST_SAMPLE_ETYPE	0x100

/* Name of the event handler. */
#define LKST_SAMPLE_HANDLER	"sample_every"

/**
 * struct lkst_sample_ctrl - argument of the handler's control function
 * @every: in: new N, to record every Nth event, or 0 to keep the current one;
 *	out: current N
 * @pad: out: 0
 * @seen: out: number of events that the handler has received since the module
 *	was loaded, on all CPUs
 */
struct lkst_sample_ctrl {
	__u32 every;
	__u32 pad;
	__aligned_u64 seen;
};

#endif
