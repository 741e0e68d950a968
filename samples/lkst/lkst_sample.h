/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program must know to talk to the sample.
 */
#ifndef _LKST_SAMPLE_H
#define _LKST_SAMPLE_H

#include <linux/types.h>

/* Its event: somebody wrote to /proc/lkst_sample. */
#define LKST_SAMPLE_ETYPE	0x100

/* Its event handler. */
#define LKST_SAMPLE_HANDLER	"sample_every"

/**
 * struct lkst_sample_ctrl - communication area of the handler's control function
 * @every: in: record every so many-th event from now on; 0: leave it. out: what holds now
 * @pad: 0
 * @seen: out: how many events the handler got since it was loaded
 */
struct lkst_sample_ctrl {
	__u32 every;
	__u32 pad;
	__aligned_u64 seen;
};

#endif
