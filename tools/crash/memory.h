/* SPDX-License-Identifier: GPL-2.0 */
/* Between crash, with what defs.h calls its own, and LKST's library. */
#ifndef _LKST_CRASH_MEMORY_H
#define _LKST_CRASH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct machine_memory - the memory of the machine that crash looks at
 * @size: end of its physical addresses
 * @read: bytes within a page, at a physical address; false: they cannot be had
 */
struct machine_memory {
	unsigned long long size;
	bool (*read)(void *buf, size_t len, unsigned long long at);
};

/*
 * A temporary file with a trace of the newest boot in it; -1 after saying why there is none. What is
 * missing or damaged is said, too, on standard error.
 */
int trace_of_memory(const struct machine_memory *memory);

#endif
