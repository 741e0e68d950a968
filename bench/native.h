/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the program of bench/native asks of its module: a write() of an order to NATIVE_ORDERS
 * carries it out, and a read() then returns its slices.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <linux/types.h>

#define NATIVE_ORDERS	  "/proc/lkst_native"
#define NATIVE_BYTES	  "/proc/lkst_native_bytes" /* keeps what is written */
#define NATIVE_ETYPE	  0x100
#define NATIVE_SLICES_MAX 512

enum native_what {
	NATIVE_CLOCK,	/* read the counter */
	NATIVE_LKST,	/* LKST_HOOK() */
	NATIVE_RING,	/* write to a ring buffer of ftrace's */
	NATIVE_READ,	/* read() what there is to read */
	NATIVE_COPY,	/* copy what NATIVE_BYTES holds */
};

/**
 * struct native_order
 * @what: enum native_what
 * @slices: how many times to do it, at most
 * @each: how often in a slice; of NATIVE_READ and NATIVE_COPY, how many bytes
 * @size: of NATIVE_RING, bytes of the ring buffer
 * @to: where to read or copy to, memory of the process; 0: memory of the kernel
 * @fd: of NATIVE_READ
 */
struct native_order {
	__u32 what;
	__u32 slices;
	__u64 each;
	__u64 size;
	__u64 to;
	__s32 fd;
	__u32 pad;
};

/* What a slice took, and how much was done. */
struct native_slice {
	__u64 cycles;
	__u64 done;
};

/* What the event's arguments are, when the first of them is @count, which counts up from 1. */
#define NATIVE_ARG2(count) ((count) * 3)
#define NATIVE_ARG3(count) (~(count))
#define NATIVE_ARG4(count) ((count) << 8)

#endif
