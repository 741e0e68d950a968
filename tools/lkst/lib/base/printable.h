/* SPDX-License-Identifier: LGPL-2.1 */
/* Makes strings from any source safe to print. */
#ifndef _LKST_LIB_BASE_PRINTABLE_H
#define _LKST_LIB_BASE_PRINTABLE_H

#include <stddef.h>
#include <string.h>

char *lkst_printable(const char *text, size_t len, char *to, size_t size);

/* The printable form of a name in an array; valid until the end of the enclosing block. */
#define LKST_PRINTABLE(name)						\
	lkst_printable(name, strnlen(name, sizeof(name)),		\
		       (char[4 * sizeof(name) + 1]){ 0 }, 4 * sizeof(name) + 1)

#endif
