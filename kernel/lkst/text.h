/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Texts as arguments of events.
 */
#ifndef _LKST_TEXT_H
#define _LKST_TEXT_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat.h"

/*
 * Eight bytes of a text that has at least as many, in memory order. Another CPU may be
 * renaming the task: a name half old and half new is what there was to see.
 */
static __always_inline u64 lkst_text8(const char *text)
{
	/* Racing with a rename is fine, as said above. */
	return data_race(get_unaligned((const u64 *)text));
}

/* As much of a string as fits into @words arguments, padded with 0. */
static inline void lkst_text_copy(u64 *args, unsigned int words, const char *text)
{
	char *to = (char *)args;
	unsigned int i, len = strnlen(text, words * sizeof(u64));

	for (i = 0; i < words; i++)
		args[i] = 0;
	memcpy(to, text, len);
}

#endif
