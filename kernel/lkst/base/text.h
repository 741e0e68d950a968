/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Store text in the arguments of events.
 */
#ifndef _LKST_TEXT_H
#define _LKST_TEXT_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"

/*
 * Return the first eight bytes of a string, in memory order. All eight must be
 * readable. If the string is the name of a task that another CPU is renaming,
 * the result may be a mix of the old and the new name.
 */
static __always_inline u64 lkst_text8(const char *text)
{
	/* A race with a renaming CPU is acceptable, see above. */
	return data_race(get_unaligned((const u64 *)text));
}

/*
 * Copy as much of a string as fits into @words arguments of an event, and fill
 * the rest with zeros.
 */
static inline void lkst_text_copy(u64 *args, unsigned int words, const char *text)
{
	char *to = (char *)args;
	unsigned int i, len = strnlen(text, words * sizeof(u64));

	for (i = 0; i < words; i++)
		args[i] = 0;
	memcpy(to, text, len);
}

#endif
