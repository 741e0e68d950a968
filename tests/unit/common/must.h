/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUST_H
#define _MUST_H

#include <stdio.h>
#include <stdlib.h>

/* Abort if the condition does not hold. Unlike assert(), MUST() is not disabled by NDEBUG. */
#define MUST(condition)                                                                 \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                        \
		}                                                                       \
	} while (0)

#endif
