/* SPDX-License-Identifier: GPL-2.0 */
/* Large blocks of zeroed memory for tests. */
#ifndef _ROOM_H
#define _ROOM_H

#include <stddef.h>

/*
 * Return zeroed memory of @size bytes. An access beyond its last page is a segmentation fault. When
 * the process exits, LeakSanitizer searches static and malloc()ed memory for pointers. It does not
 * search this memory, so tests with megabytes of data end sooner.
 */
void *room(size_t size);
void room_free(void *data, size_t size);

#endif
