/* SPDX-License-Identifier: LGPL-2.1 */
/* Computes CRC-32C (Castagnoli), the checksum used in trace files. */
#ifndef _LKST_CRC32C_H
#define _LKST_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t lkst_crc32c_more(uint32_t crc, const void *data, size_t len);
uint32_t lkst_crc32c_table(uint32_t crc, const void *data, size_t len);

static inline uint32_t lkst_crc32c(const void *data, size_t len)
{
	return lkst_crc32c_more(0, data, len);
}

#endif
