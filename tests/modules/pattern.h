/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arguments that show whether a record is complete: each is computed from the previous one, so
 * parts of two records do not match. Used by the modules and by programs in tests/vm.
 */
#ifndef PATTERN_H
#define PATTERN_H

#include <linux/types.h>

static inline __u64 pattern_mix(__u64 value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
	value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
	return value ^ value >> 31;
}

static inline void pattern_fill(__u64 args[4], __u64 first)
{
	int i;

	args[0] = first;
	for (i = 1; i < 4; i++)
		args[i] = pattern_mix(args[i - 1]);
}

#endif
