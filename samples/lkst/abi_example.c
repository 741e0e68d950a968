// SPDX-License-Identifier: GPL-2.0
/*
 * abi_example RECORDS [CPU RECID]...: reads at least RECORDS live records of
 * all CPUs.
 *
 * This is the example in Documentation/lkst/abi.rst. It prints its position on
 * each CPU. If it is started again with these positions, it continues there: it
 * reads no record twice, and counts records that were overwritten in the
 * meantime.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>

#define CPUS 4096

static struct {
	unsigned long long read, lost, next;
} cpus[CPUS];

static long check(const char *name, long result)
{
	if (result < 0) {
		fprintf(stderr, "abi_example: %s: %s\n", name, strerror(errno));
		exit(EXIT_FAILURE);
	}
	return result;
}

/*
 * Process a block: a header and its records. Return the start of the next
 * block.
 */
static const char *take(const struct lkst_block *block)
{
	const char *start = (const char *)block;
	const struct lkst_event_record *record = (const void *)(start + block->header_size);

	for (unsigned long long i = 0; i < block->count; i++)
		if (record[i].event_type == 0x0e0) /* user_mark */
			printf("mark %llu: recid %llu of CPU %d\n",
			       (unsigned long long)record[i].arg[0],
			       (unsigned long long)block->first_recid + i, block->cpu);
	cpus[block->cpu].read += block->count;
	cpus[block->cpu].lost += block->lost + block->dropped + block->unfinished;
	cpus[block->cpu].next = block->first_recid + block->count;
	return start + block->size;
}

int main(int argc, char **argv)
{
	struct lkst_buffer_srmodparam mode = { .cpu = -1, .mode = LKST_READ_MODE_BLOCK };
	static char area[1 << 23] __attribute__((aligned(8)));
	unsigned long long expected = argc > 1 ? strtoull(argv[1], NULL, 0) : 0, got = 0;
	int lkst = (int)check("/dev/lkst", open("/dev/lkst", O_RDONLY | O_CLOEXEC));

	check("BUFFER_SETRMOD", ioctl(lkst, LKST_IOC_BUFFER_SETRMOD, &mode));
	for (int i = 2; i + 1 < argc; i += 2) {
		struct lkst_block_seekparam seek = { .cpu = atoi(argv[i]),
						     .recid = strtoull(argv[i + 1], NULL, 0) };

		check("BLOCK_SEEK", ioctl(lkst, LKST_IOC_BLOCK_SEEK, &seek));
	}
	while (got < expected) {
		const char *end = area + check("read", read(lkst, area, sizeof(area)));

		for (const char *p = area; p < end; p = take((const void *)p))
			got += ((const struct lkst_block *)p)->count;
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		if (cpus[cpu].next)
			printf("%d %llu read %llu lost %llu\n", cpu, cpus[cpu].next, cpus[cpu].read,
			       cpus[cpu].lost);
	return EXIT_SUCCESS;
}
