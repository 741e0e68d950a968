/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Store numbers of different sizes in payloads of events.
 */
#ifndef _LKST_NUMBER_H
#define _LKST_NUMBER_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "compat.h"

/* Store the low @size bytes of @value at any address. @size is 1, 2, 4 or 8. */
static __always_inline void lkst_number_store(void *to, u64 value, unsigned int size)
{
	switch (size) {
	case sizeof(u8):
		*(u8 *)to = value;
		break;
	case sizeof(u16):
		put_unaligned((u16)value, (u16 *)to);
		break;
	case sizeof(u32):
		put_unaligned((u32)value, (u32 *)to);
		break;
	default:
		put_unaligned(value, (u64 *)to);
		break;
	}
}

#endif
