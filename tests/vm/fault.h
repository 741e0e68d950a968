/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fault injection: make one memory allocation in the system calls of this thread fail. Only a debug
 * kernel supports this.
 */
#ifndef FAULT_H
#define FAULT_H

#include <fcntl.h>

#include "tap.h"

/* Descriptor of /proc/thread-self/fail-nth, or -1 if the kernel has no fault injection. */
__attribute__((weak)) int fault_fd = -1;

static inline void fault_init(void)
{
	static const char *const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" },
	};
	char path[100];
	bool done = true;
	int fd;

	for (unsigned int i = 0; i < ARRAY_SIZE(settings) && done; i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", settings[i][0]);
		fd = open(path, O_WRONLY);
		done = fd >= 0 && write(fd, settings[i][1], 1) == 1;
		close(fd);
	}
	if (done)
		fault_fd = open("/proc/thread-self/fail-nth", O_RDWR);
}

static inline bool fault_possible(void)
{
	return fault_fd >= 0;
}

/* Make the @nth allocation from now on fail, counted from 1. With 0, no allocation fails. */
static inline void fault_at(unsigned int nth)
{
	char text[20];
	int len = snprintf(text, sizeof(text), "%u", nth);

	bail_if(pwrite(fault_fd, text, len, 0) != len, "fail-nth");
}

/* Whether the allocation that fault_at() selected was attempted, and so has failed. */
static inline bool fault_was_reached(void)
{
	char text[20] = "";

	bail_if(pread(fault_fd, text, sizeof(text) - 1, 0) < 1, "fail-nth");
	return atoi(text) == 0;
}

#endif
