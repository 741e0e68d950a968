// SPDX-License-Identifier: LGPL-2.1
/* Computes CRC-32C (Castagnoli), the checksum used in trace files. */
#include <pthread.h>
#include <string.h>

#include "crc32c.h"

#define POLYNOMIAL 0x82f63b78u /* bits reversed */

static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void crc32c_make_table(void)
{
	for (unsigned int i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
		table[0][i] = crc;
	}
	for (unsigned int i = 0; i < 256; i++)
		for (int k = 1; k < 8; k++)
			table[k][i] = table[k - 1][i] >> 8 ^ table[0][table[k - 1][i] & 0xff];
}

/**
 * lkst_crc32c_table() - compute CRC-32C with a table, on any machine
 * @crc: checksum of the preceding bytes; 0 at the start
 * @data: bytes
 * @len: number of bytes
 */
uint32_t lkst_crc32c_table(uint32_t crc, const void *data, size_t len)
{
	const uint8_t *p = data;

	crc = ~crc;
	pthread_once(&table_once, crc32c_make_table);
	for (; len >= 8; p += 8, len -= 8) {
		uint32_t low = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
				      (uint32_t)p[3] << 24);

		crc = table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
		      table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^ table[3][p[4]] ^
		      table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
	}
	while (len--)
		crc = crc >> 8 ^ table[0][(crc ^ *p++) & 0xff];
	return ~crc;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) static uint32_t crc32c_sse(uint32_t before, const void *data,
							     size_t len)
{
	const uint8_t *p = data;
	uint64_t crc = ~before;

	for (; len >= 8; p += 8, len -= 8) {
		uint64_t word;

		memcpy(&word, p, 8);
		crc = __builtin_ia32_crc32di(crc, word);
	}
	while (len--)
		crc = __builtin_ia32_crc32qi((uint32_t)crc, *p++);
	return ~(uint32_t)crc;
}
#endif

/**
 * lkst_crc32c_more() - compute CRC-32C, with SSE 4.2 if available
 * @crc: checksum of the preceding bytes; 0 at the start
 * @data: bytes
 * @len: number of bytes
 */
uint32_t lkst_crc32c_more(uint32_t crc, const void *data, size_t len)
{
#ifdef __x86_64__
	if (__builtin_cpu_supports("sse4.2"))
		return crc32c_sse(crc, data, len);
#endif
	return lkst_crc32c_table(crc, data, len);
}
