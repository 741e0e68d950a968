/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of a target that libFuzzer calls, a function of libFuzzer that the mutators call,
 * and checks that abort if they fail.
 */
#ifndef _FUZZ_H
#define _FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

/* Check that the error of a failed call has a code and a message. */
#define MUST_EXPLAIN(err)                             \
	do {                                       \
		MUST((err).code != LKST_ERR_NONE); \
		MUST((err).text[0]);               \
	} while (0)

/* Return the descriptor of an unnamed file with this content. */
static inline int fuzz_file(const void *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	return fd;
}

/* A hook for reports. @ctx points to an unsigned int, the number of reports. */
static inline void count_report(void *ctx, const char *text)
{
	MUST(*text);
	(*(unsigned int *)ctx)++;
}

#endif
