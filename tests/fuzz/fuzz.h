/* SPDX-License-Identifier: GPL-2.0 */
/* What a fuzz target is for libFuzzer, and what it must not find. */
#ifndef _FUZZ_H
#define _FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Unlike assert() never left out. */
#define MUST(condition)                                                                 \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                        \
		}                                                                       \
	} while (0)

/* An error must be told. */
#define MUST_EXPLAIN(err)                             \
	do {                                       \
		MUST((err).code != LKST_ERR_NONE); \
		MUST((err).text[0]);               \
	} while (0)

#endif
