/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface between lkst.c, which uses crash, and memory.c, which uses LKST's library. They are
 * separate because the defs.h of crash defines many common names.
 */
#ifndef _LKST_CRASH_MEMORY_H
#define _LKST_CRASH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct machine_memory - memory of the machine that crash examines
 * @size: end of its physical addresses, in bytes
 * @read: reads @len bytes at physical address @at, all in one page; returns false if they are not
 *	available
 */
struct machine_memory {
	unsigned long long size;
	bool (*read)(void *buf, size_t len, unsigned long long at);
};

/*
 * Write a trace of the newest boot to a temporary file. Returns the descriptor of the file, or -1
 * after printing the reason. Missing or damaged data is reported on standard error.
 */
int trace_of_memory(const struct machine_memory *memory);

#endif
