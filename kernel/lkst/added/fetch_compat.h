/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What fetch_text.h and fetch_parse.c need of the kernel when they are compiled
 * in user space.
 */
#ifndef _LKST_ADDED_FETCH_COMPAT_H
#define _LKST_ADDED_FETCH_COMPAT_H

#ifdef __KERNEL__
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>

/*
 * An address in the name of an event. Everybody can read the name, so the kernel
 * prints a hash of the address.
 */
#define FETCH_NAME_ADDRESS		"%p"
#define FETCH_NAME_VALUE(address)	((void *)(unsigned long)(address))
#else
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif
#define __printf(a, b)

#define FETCH_NAME_ADDRESS		"%llx"
#define FETCH_NAME_VALUE(address)	((unsigned long long)(address))

static inline int kstrtoull(const char *text, unsigned int base, unsigned long long *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, base);
	return end == text || *end || *text == '-' || errno ? -EINVAL : 0;
}
#endif

#endif
