/* SPDX-License-Identifier: LGPL-2.1 */
/* What the parts that deal with addresses of code have in common. */
#ifndef _LKST_SYMBOLS_H
#define _LKST_SYMBOLS_H

#include "etype_ids.h"
#include "liblkst.h"

#define SYMBOLS_HEAD	 "# lkst_symbols 1"
#define SYMBOL_NAME_MAX	 511 /* bytes; the kernel's limit. OUT_ROOM relies on it */
#define SYMBOL_MODULE_MAX 63

/*
 * How far behind the code that is meant the addresses of an event are. On a stack they are
 * where a call returns to: after one that never does, another function may begin there.
 */
static inline unsigned int lkst_address_back(uint32_t type)
{
	return type == LKST_ETYPE_OOPS_STACK;
}

#endif
