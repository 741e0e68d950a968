/* SPDX-License-Identifier: GPL-2.0 */
/* Room for much, for tests. */
#ifndef _ROOM_H
#define _ROOM_H

#include <stddef.h>

/*
 * At the end of each test, static memory and that of malloc() is searched for pointers to memory that has
 * leaked. This is not, so tests with megabytes of data end sooner. It is zeroed, and whoever goes beyond its
 * last page is killed.
 */
void *room(size_t size);
void room_free(void *data, size_t size);

#endif
