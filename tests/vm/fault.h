/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that runs out: the kernel lets one allocation of this thread's system calls fail (a debug kernel does).
 */
#ifndef FAULT_H
#define FAULT_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

/* This thread's fail-nth, or -1. */
__attribute__((weak)) int fault_fd = -1;

static inline bool fault_setting(const char *name, const char *value)
{
	char path[100];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", name);
	fd = open(path, O_WRONLY);
	done = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
	close(fd);
	return done;
}

static inline void fault_init(void)
{
	if (fault_setting("failslab/ignore-gfp-wait", "N") &&
	    fault_setting("failslab/verbose", "0") &&
	    fault_setting("fail_page_alloc/ignore-gfp-wait", "N") &&
	    fault_setting("fail_page_alloc/ignore-gfp-highmem", "N") &&
	    fault_setting("fail_page_alloc/min-order", "0") &&
	    fault_setting("fail_page_alloc/verbose", "0"))
		fault_fd = open("/proc/thread-self/fail-nth", O_RDWR);
}

static inline bool fault_possible(void)
{
	return fault_fd >= 0;
}

/* The @nth allocation from now on fails, which is counted from 1; 0: none does. */
static inline void fault_at(unsigned int nth)
{
	char text[20];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(fault_fd, text, len, 0) != len)
		bail_out("fail-nth");
}

/* Whether there were that many. */
static inline bool fault_was_reached(void)
{
	char text[20] = "";

	if (pread(fault_fd, text, sizeof(text) - 1, 0) < 1)
		bail_out("fail-nth");
	return atoi(text) == 0;
}

#endif
