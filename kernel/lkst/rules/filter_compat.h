/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the filters and device/rule_fields.c need of the kernel when they are
 * compiled in user space.
 */
#ifndef _LKST_RULES_FILTER_COMPAT_H
#define _LKST_RULES_FILTER_COMPAT_H

#ifdef __KERNEL__
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#else
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif
#ifndef __always_inline
#define __always_inline		inline
#endif
#ifndef notrace
#define notrace
#endif
#ifndef noinline
#define noinline
#endif
#ifndef min
#define min(a, b)		((a) < (b) ? (a) : (b))
#endif

#define GFP_KERNEL		0
#define kvzalloc(size, gfp)	calloc(1, (size))
#define kvfree(memory)		free(memory)

static inline int kstrtoull(const char *text, unsigned int base, unsigned long long *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, base);
	return end == text || *end || *text == '-' || errno ? -EINVAL : 0;
}
#endif

#endif
