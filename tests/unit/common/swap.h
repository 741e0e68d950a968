/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SWAP_H
#define _SWAP_H

#include <stdint.h>

/*
 * Change the byte order of a structure. @layout has a digit for each member, its size in bytes, and
 * a "." for each 8 bytes of text, which do not change. Return the end of the structure.
 */
static inline void *swap(void *data, const char *layout)
{
	uint8_t *p = data;

	for (; *layout; layout++) {
		const int size = *layout == '.' ? 8 : *layout - '0';

		for (int i = 0; i < size / 2 && *layout != '.'; i++) {
			const uint8_t byte = p[i];

			p[i] = p[size - 1 - i];
			p[size - 1 - i] = byte;
		}
		p += size;
	}
	return p;
}

#define SWAP_EVENT_RECORD "822" "44444" "8888" /* struct lkst_event_record */

#endif
