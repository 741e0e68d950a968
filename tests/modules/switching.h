/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the module "switching" and tests/vm/dispatch/masksets.c. */
#ifndef SWITCHING_H
#define SWITCHING_H

#include <linux/types.h>

/* The masksets that the module's event handlers select. */
#define SWITCHING_SET_A	10
#define SWITCHING_SET_B	11
#define SWITCHING_SET_C	12

/**
 * struct switching - control area of the event handler switching_a
 * @quiet: (in) 1 if the handlers must only count calls and change nothing
 * @pad: not used
 * @calls: (out) number of calls to switching_a and to switching_b
 * @changes: (out) number of changes that the handlers made
 */
struct switching {
	__u32 quiet;
	__u32 pad;
	__aligned_u64 calls[2];
	__aligned_u64 changes;
};

enum switching_change {
	SWITCHING_TO_A,
	SWITCHING_TO_B,
	SWITCHING_TO_C,
	SWITCHING_STOP,
	SWITCHING_START,
	SWITCHING_CHANGES,
};

/**
 * struct switching_trap - control area of the event handler switching_b
 * @address: (in) address of a kernel variable, or 0 to remove the trap
 * @length: (in) size of the variable in bytes
 * @writes: (in) 1 to trap only on writes, or 0 to trap also on reads
 * @at: (in) number of the access after which to make the change, counted from 1
 * @change: (in) the change to make, which is made in NMI context (enum switching_change)
 * @accesses: (out) number of accesses that the previous trap has seen
 * @pad: not used
 */
struct switching_trap {
	__aligned_u64 address;
	__u32 length;
	__u32 writes;
	__u32 at;
	__u32 change;
	__u32 accesses;
	__u32 pad;
};

#endif
