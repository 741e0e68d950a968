/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module switching and tests/vm/masksets.c have in common.
 */
#ifndef SWITCHING_H
#define SWITCHING_H

#include <linux/types.h>

/* The masksets that the module's event handlers select. */
#define SWITCHING_SET_A	10
#define SWITCHING_SET_B	11
#define SWITCHING_SET_C	12

/**
 * struct switching - communication area of the event handler switching_a
 * @quiet: in: the handlers only count
 * @pad: 0
 * @calls: out: of switching_a, and of switching_b
 * @changes: out: that the handlers made
 */
struct switching {
	__u32 quiet;
	__u32 pad;
	__aligned_u64 calls[2];
	__aligned_u64 changes;
};

#endif
