/* SPDX-License-Identifier: GPL-2.0 */
/* Large zeroed memory for tests. */
#ifndef _ROOM_H
#define _ROOM_H

#include <stddef.h>

/*
 * At the end of each test LeakSanitizer searches static and malloc()ed memory for pointers. It does not
 * search this memory, so tests with megabytes of data end sooner. An access beyond the last page is a
 * segmentation fault.
 */
void *room(size_t size);
void room_free(void *data, size_t size);

#endif
