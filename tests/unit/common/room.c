// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "room.h"

static size_t whole_pages(size_t size)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	return (size + page - 1) / page * page;
}

void *room(size_t size)
{
	const size_t pages = whole_pages(size), guard = whole_pages(1);
	char *data = mmap(NULL, pages + guard, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (data == MAP_FAILED || mprotect(data + pages, guard, PROT_NONE)) {
		perror("room");
		abort();
	}
	return data;
}

void room_free(void *data, size_t size)
{
	munmap(data, whole_pages(size) + whole_pages(1));
}
