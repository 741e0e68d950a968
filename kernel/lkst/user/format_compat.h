/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What format.c needs of the kernel when it is compiled in user space.
 */
#ifndef _LKST_USER_FORMAT_COMPAT_H
#define _LKST_USER_FORMAT_COMPAT_H

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

#ifndef min
#define min(a, b)		((a) < (b) ? (a) : (b))
#endif

/* Like the kernel's isspace(): ignores the locale, and 0xa0 is a space. */
static inline int format_isspace(unsigned char c)
{
	return (c >= '\t' && c <= '\r') || c == ' ' || c == 0xa0;
}

#define isspace(c)		format_isspace(c)

#endif
