/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading in blocks, for tests: the calls, and a check of what read() returns.
 */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <stdint.h>

#include "buffers.h"

#define BLOCKS_CPUS 2

/**
 * struct blocks_cpu - what blocks have said of a CPU
 * @begun: there was a block
 * @end: recid after the last one that the blocks account for
 * @recorded: of the last block
 * @read: records
 * @lost: records, as the next two
 * @dropped: records
 * @unfinished: records
 * @blocks: how many there were
 */
struct blocks_cpu {
	bool begun;
	uint64_t end, recorded;
	uint64_t read, lost, dropped, unfinished;
	unsigned long blocks;
};

/**
 * struct blocks - a file that reads in blocks, and what it has read
 * @fd: of the device
 * @cpu: by number
 * @boot: the run of LKST, as the first block has it
 * @record: is called with each record, if it is not NULL
 * @ctx: for @record
 * @wrong: things that are not as they must be
 * @why: the first of them
 */
struct blocks {
	int fd;
	struct blocks_cpu cpu[BLOCKS_CPUS];
	uint8_t boot[LKST_BLOCK_BOOT_LEN];
	void (*record)(struct blocks *blocks, const struct lkst_block *head, uint64_t recid,
		       const struct lkst_event_record *record);
	void *ctx;
	unsigned long wrong;
	char why[256];
};

static inline void __attribute__((format(printf, 2, 3)))
blocks_wrong(struct blocks *blocks, const char *why, ...)
{
	va_list args;

	if (blocks->wrong++)
		return;
	va_start(args, why);
	vsnprintf(blocks->why, sizeof(blocks->why), why, args);
	va_end(args);
}

static inline int blocks_bind(int fd, int cpu)
{
	struct lkst_buffer_srmodparam param = { .cpu = cpu, .mode = LKST_READ_MODE_BLOCK };

	return ioctl(fd, LKST_IOC_BUFFER_SETRMOD, &param) ? errno : 0;
}

static inline int blocks_seek(const struct blocks *blocks, int cpu, uint64_t recid)
{
	struct lkst_block_seekparam param = { .cpu = cpu, .recid = recid };

	return ioctl(blocks->fd, LKST_IOC_BLOCK_SEEK, &param) ? errno : 0;
}

static inline int blocks_wait(const struct blocks *blocks, unsigned int timeout_ms)
{
	struct lkst_block_waitparam param = { .timeout = timeout_ms };

	return ioctl(blocks->fd, LKST_IOC_BLOCK_WAIT, &param) ? errno : 0;
}

static inline int blocks_flush(const struct blocks *blocks)
{
	return ioctl(blocks->fd, LKST_IOC_BLOCK_FLUSH) ? errno : 0;
}

/* Reads @cpu, or all: -1, and never waits. */
static inline void blocks_open(struct blocks *blocks, int cpu)
{
	*blocks = (struct blocks){ .fd = open("/dev/lkst", O_RDONLY | O_NONBLOCK) };
	if (blocks->fd < 0)
		bail_out("/dev/lkst");
	need(blocks_bind(blocks->fd, cpu), "SETRMOD, BLOCK");
	/* Nothing becomes readable while a test does something else. */
	need(blocks_wait(blocks, 0), "BLOCK_WAIT");
}

static inline void blocks_close(struct blocks *blocks)
{
	close(blocks->fd);
}

/* Returns the bytes of the block, or 0 if it is none. */
static inline size_t blocks_check(struct blocks *blocks, const struct lkst_block *head, size_t size)
{
	const struct lkst_event_record *record = (const void *)(head + 1);
	struct blocks_cpu *cpu;
	uint64_t i;

	if (size < sizeof(*head) || head->magic != LKST_BLOCK_MAGIC ||
	    head->version != LKST_BLOCK_VERSION || head->header_size != sizeof(*head) ||
	    head->size > size || head->size != sizeof(*head) + head->count * sizeof(*record) ||
	    head->cpu < 0 || head->cpu >= BLOCKS_CPUS || head->flags) {
		blocks_wrong(blocks, "%zu bytes are no block", size);
		return 0;
	}
	cpu = &blocks->cpu[head->cpu];
	if (cpu->begun &&
	    head->first_recid != cpu->end + head->lost + head->dropped + head->unfinished)
		blocks_wrong(
			blocks,
			"CPU %d: after %llu come %llu lost, %llu dropped, %llu unfinished, and %llu",
			head->cpu, (ull)cpu->end, (ull)head->lost, (ull)head->dropped,
			(ull)head->unfinished, (ull)head->first_recid);
	if (head->recorded < head->first_recid + head->count || head->recorded < cpu->recorded)
		blocks_wrong(blocks, "CPU %d: recorded %llu, read up to %llu, before it %llu",
			     head->cpu, (ull)head->recorded, (ull)(head->first_recid + head->count),
			     (ull)cpu->recorded);
	if (!head->tsc || !head->cpu_freq || !head->wall || !head->monotonic)
		blocks_wrong(blocks, "CPU %d: no clock", head->cpu);
	if (!blocks->boot[0])
		memcpy(blocks->boot, head->boot, sizeof(blocks->boot));
	/* Version 8 of a UUID. */
	if (memcmp(blocks->boot, head->boot, sizeof(head->boot)) || head->boot[6] >> 4 != 8)
		blocks_wrong(blocks, "CPU %d: not this run of LKST", head->cpu);
	if (head->buffer < 0 ||
	    head->buffer > (head->count ? LKST_BUFFER_ID_MAX : LKST_BUFFER_ID_VOID))
		blocks_wrong(blocks, "CPU %d: %llu records of buffer %d", head->cpu,
			     (ull)head->count, head->buffer);
	cpu->lost += head->lost;
	cpu->dropped += head->dropped;
	cpu->unfinished += head->unfinished;
	for (i = 0; i < head->count; i++) {
		if (!record[i].clock || record[i].event_type >= LKST_ETYPE_NUM)
			blocks_wrong(blocks, "CPU %d: recid %llu is no record", head->cpu,
				     (ull)(head->first_recid + i));
		if (blocks->record)
			blocks->record(blocks, head, head->first_recid + i, &record[i]);
	}
	cpu->begun = true;
	cpu->end = head->first_recid + head->count;
	cpu->recorded = head->recorded;
	cpu->read += head->count;
	cpu->blocks++;
	return head->size;
}

/* A read() into @size bytes; returns what it returned, or the error number negated. */
static inline long blocks_read(struct blocks *blocks, void *area, size_t size)
{
	ssize_t got = read(blocks->fd, area, size);
	long left = got;
	size_t done;

	if (got < 0)
		return -errno;
	for (; left > 0; left -= done, area = (char *)area + done) {
		done = blocks_check(blocks, area, left);
		if (!done)
			break;
	}
	return got;
}

/* Flush, and read until there is nothing left. */
static inline void blocks_read_all(struct blocks *blocks)
{
	static uint64_t area[1 << 15];
	long got;

	need(blocks_flush(blocks), "BLOCK_FLUSH");
	do {
		got = blocks_read(blocks, area, sizeof(area));
	} while (got > 0);
	if (got != -EAGAIN && got)
		blocks_wrong(blocks, "read(): %s", strerror(-got));
}

#endif
