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

enum switching_what {
	SWITCHING_TO_A,
	SWITCHING_TO_B,
	SWITCHING_TO_C,
	SWITCHING_STOP,
	SWITCHING_START,
	SWITCHING_WHATS,
};

/**
 * struct switching_trap - communication area of the event handler switching_b
 * @address: in: of a variable of the kernel's; 0: the trap goes away
 * @length: in: its bytes
 * @writes: in: only when it is written
 * @at: in: which access
 * @what: in: enum switching_what, is done right after that access, in NMI context
 * @accesses: out: that the last trap has seen
 * @pad: 0
 */
struct switching_trap {
	__aligned_u64 address;
	__u32 length;
	__u32 writes;
	__u32 at;
	__u32 what;
	__u32 accesses;
	__u32 pad;
};

#endif
