/* SPDX-License-Identifier: LGPL-2.1 */
/* Converts between byte orders. */
#ifndef _LKST_LIB_TRACE_SWAP_H
#define _LKST_LIB_TRACE_SWAP_H

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_SWAP(x)							\
	((x) = sizeof(x) == 8 ? (__typeof__(x))bswap_64((uint64_t)(x)) :	\
	 sizeof(x) == 4 ? (__typeof__(x))bswap_32((uint32_t)(x)) :		\
			  (__typeof__(x))bswap_16((uint16_t)(x)))

#endif
