/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface between the program and the module of bench/native. The program writes a request
 * (struct native_request) to NATIVE_REQUESTS. During the write(), the module executes the requested
 * operation in slices, and measures each slice. The program then reads the results (struct
 * native_slice) from the same file.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include <linux/types.h>

#define NATIVE_REQUESTS	  "/proc/lkst_native"
#define NATIVE_BYTES	  "/proc/lkst_native_bytes" /* a write() stores the data to copy */
#define NATIVE_ETYPE	  0x100
#define NATIVE_SLICES_MAX 512

enum native_op {
	NATIVE_CLOCK,	/* read the counter */
	NATIVE_LKST,	/* LKST_HOOK() */
	NATIVE_RING,	/* write to a ring buffer of ftrace */
	NATIVE_READ,	/* read() available records */
	NATIVE_COPY,	/* copy the data of NATIVE_BYTES */
};

/**
 * struct native_request - a request to measure an operation
 * @op: operation, a value of enum native_op
 * @slices: maximum number of slices
 * @each: number of operations in a slice, or of bytes for NATIVE_READ and NATIVE_COPY
 * @size: for NATIVE_RING, size of the ring buffer in bytes
 * @to: destination address in the process; 0: the destination is memory of the kernel
 * @fd: for NATIVE_READ, file descriptor of /dev/lkst
 */
struct native_request {
	__u32 op;
	__u32 slices;
	__u64 each;
	__u64 size;
	__u64 to;
	__s32 fd;
	__u32 pad;
};

/* The result of a slice: its cycles, and the number of operations executed or bytes processed. */
struct native_slice {
	__u64 cycles;
	__u64 done;
};

/* Arguments 2 to 4 of the event. Argument 1 is @count, which counts from 1. */
#define NATIVE_ARG2(count) ((count) * 3)
#define NATIVE_ARG3(count) (~(count))
#define NATIVE_ARG4(count) ((count) << 8)

#endif
