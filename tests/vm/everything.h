/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of tests/vm/everything.c have in common.
 */
#ifndef EVERYTHING_H
#define EVERYTHING_H

#include "records.h"

/* In everything-work.c: programs that have the kernel do a bit of everything. */
struct work {
	const char *name;
	void (*run)(volatile unsigned long *rounds); /* until work_is_over() */
};

extern const struct work works[];
extern const unsigned int WORKS;

/* In everything.c. */
bool work_is_over(void);

#endif
