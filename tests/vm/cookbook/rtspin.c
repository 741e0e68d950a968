// SPDX-License-Identifier: GPL-2.0
/*
 * rtspin: a real-time thread computes on CPU 1 for half a second. Meanwhile another thread of the
 * same program, "unmapper", maps and unmaps memory on CPU 0. Each time, the kernel must interrupt
 * CPU 1, so that CPU 1 flushes the mapping from its TLB.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "cookbook.h"

static atomic_bool over;

static void *unmap(void *unused)
{
	(void)unused;
	prctl(PR_SET_NAME, "unmapper");
	while (!over) {
		char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		if (page == MAP_FAILED)
			err(1, "mmap");
		*page = 1;
		munmap(page, 4096);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	/* The new thread inherits the CPU affinity. */
	run_on(0);
	if (pthread_create(&thread, NULL, unmap, NULL))
		errx(1, "no thread");
	run_on(1);
	run_first(50);
	spin(500);
	over = true;
	pthread_join(thread, NULL);
	return 0;
}
