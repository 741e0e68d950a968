/* SPDX-License-Identifier: GPL-2.0 */
/* Wrappers for the ioctls of block mode, and a check of the blocks that read() returns. */
#ifndef BLOCKS_H
#define BLOCKS_H

#include <poll.h>

#include "processes.h"

#define BLOCKS_CPUS 2

/* Totals of the blocks that have been read from one CPU. */
struct blocks_cpu {
	bool begun; /* whether at least one block has been read */
	uint64_t end; /* recid after the last record of the last block */
	uint64_t recorded; /* lkst_block.recorded of the last block */
	uint64_t read; /* number of records in the blocks */
	uint64_t lost, dropped, unfinished; /* sums of these members of the block headers */
};

/* An open file in block mode, and the totals of the blocks that were read from it. */
struct blocks {
	int fd;
	struct blocks_cpu cpu[BLOCKS_CPUS];
	uint8_t boot[LKST_BLOCK_BOOT_LEN]; /* UUID of this run of LKST, from the first block */
	/* NULL, or a function that is called for each record */
	void (*record)(struct blocks *blocks, const struct lkst_block *header, uint64_t recid,
		       const struct lkst_event_record *record);
	void *ctx; /* data for @record */
	struct wrongs wrongs; /* errors in the blocks */
};

#define blocks_wrong(blocks, ...) add_wrong(&(blocks)->wrongs, __VA_ARGS__)

static inline int blocks_bind(int fd, int cpu)
{
	struct lkst_buffer_srmodparam param = { .cpu = cpu, .mode = LKST_READ_MODE_BLOCK };

	return ioctl_errno(fd, LKST_IOC_BUFFER_SETRMOD, &param);
}

static inline int blocks_seek(const struct blocks *blocks, int cpu, uint64_t recid)
{
	struct lkst_block_seekparam param = { .cpu = cpu, .recid = recid };

	return ioctl_errno(blocks->fd, LKST_IOC_BLOCK_SEEK, &param);
}

static inline int blocks_wait(const struct blocks *blocks, unsigned int timeout_ms)
{
	struct lkst_block_waitparam param = { .timeout = timeout_ms };

	return ioctl_errno(blocks->fd, LKST_IOC_BLOCK_WAIT, &param);
}

static inline int blocks_flush(const struct blocks *blocks)
{
	return ioctl_errno(blocks->fd, LKST_IOC_BLOCK_FLUSH, NULL);
}

/* Open the device in block mode, for @cpu or for all CPUs if @cpu is -1. read() does not wait. */
static inline void blocks_open(struct blocks *blocks, int cpu)
{
	*blocks = (struct blocks){ .fd = open("/dev/lkst", O_RDONLY | O_NONBLOCK) };
	bail_if(blocks->fd < 0, "/dev/lkst");
	need(blocks_bind(blocks->fd, cpu), "SETRMOD, BLOCK");
	/*
	 * With timeout 0, a record of the current buffer becomes readable only after a flush, or
	 * when its half of the buffer is full.
	 */
	need(blocks_wait(blocks, 0), "BLOCK_WAIT");
}

/* Like blocks_open(), but skip all records that already exist. */
static inline void blocks_open_at_end(struct blocks *blocks, int cpu)
{
	blocks_open(blocks, cpu);
	for (int i = 0; i < BLOCKS_CPUS; i++)
		if (cpu == -1 || cpu == i)
			need(blocks_seek(blocks, i, LKST_BLOCK_RECID_END), "SEEK to the end");
}

static inline void blocks_close(struct blocks *blocks)
{
	close(blocks->fd);
}

/*
 * Wait up to @ms milliseconds for the file to become readable. Return poll()'s events, or 0 after a
 * timeout.
 */
static inline int blocks_poll(const struct blocks *blocks, int ms)
{
	struct pollfd pollfd = { .fd = blocks->fd, .events = POLLIN };

	return poll(&pollfd, 1, ms) == 1 ? pollfd.revents : 0;
}

/* Return the number of records of a CPU that the block headers count as not readable. */
static inline uint64_t not_read(const struct blocks_cpu *cpu)
{
	return cpu->lost + cpu->dropped + cpu->unfinished;
}

/* Check one block. Return its length in bytes, or 0 if it is not a block. */
static inline size_t blocks_check(struct blocks *blocks, const struct lkst_block *header,
				  size_t size)
{
	const struct lkst_event_record *record = (const void *)(header + 1);
	struct blocks_cpu *cpu;

	if (size < sizeof(*header) || header->magic != LKST_BLOCK_MAGIC ||
	    header->version != LKST_BLOCK_VERSION || header->header_size != sizeof(*header) ||
	    header->size > size ||
	    header->size != sizeof(*header) + header->count * sizeof(*record) || header->cpu < 0 ||
	    header->cpu >= BLOCKS_CPUS || header->flags) {
		blocks_wrong(blocks, "%zu bytes are not a block", size);
		return 0;
	}
	cpu = &blocks->cpu[header->cpu];
	if (cpu->begun &&
	    header->first_recid != cpu->end + header->lost + header->dropped + header->unfinished)
		blocks_wrong(blocks,
			     "CPU %d: after %llu, %llu lost, %llu dropped, %llu unfinished: %llu",
			     header->cpu, (ull)cpu->end, (ull)header->lost, (ull)header->dropped,
			     (ull)header->unfinished, (ull)header->first_recid);
	if (header->recorded < header->first_recid + header->count ||
	    header->recorded < cpu->recorded)
		blocks_wrong(blocks,
			     "CPU %d: %llu recorded, but records up to %llu were read; %llu before",
			     header->cpu, (ull)header->recorded,
			     (ull)(header->first_recid + header->count), (ull)cpu->recorded);
	if (!header->tsc || !header->cpu_freq || !header->wall || !header->monotonic)
		blocks_wrong(blocks, "CPU %d: no clock", header->cpu);
	if (!blocks->boot[0])
		memcpy(blocks->boot, header->boot, sizeof(blocks->boot));
	/* The UUID of a block has version 8. */
	if (memcmp(blocks->boot, header->boot, sizeof(header->boot)) || header->boot[6] >> 4 != 8)
		blocks_wrong(blocks, "CPU %d: wrong run of LKST", header->cpu);
	if (header->buffer < 0 ||
	    header->buffer > (header->count ? LKST_BUFFER_ID_MAX : LKST_BUFFER_ID_VOID))
		blocks_wrong(blocks, "CPU %d: %llu records of buffer %d", header->cpu,
			     (ull)header->count, header->buffer);
	cpu->lost += header->lost;
	cpu->dropped += header->dropped;
	cpu->unfinished += header->unfinished;
	for (uint64_t i = 0; i < header->count; i++) {
		if (!record[i].clock || record[i].event_type >= LKST_ETYPE_NUM)
			blocks_wrong(blocks, "CPU %d: recid %llu is not a record", header->cpu,
				     (ull)(header->first_recid + i));
		if (blocks->record)
			blocks->record(blocks, header, header->first_recid + i, &record[i]);
	}
	cpu->begun = true;
	cpu->end = header->first_recid + header->count;
	cpu->recorded = header->recorded;
	cpu->read += header->count;
	return header->size;
}

/* Read up to @size bytes and check the blocks. Return the number of bytes, or the negated errno. */
static inline long blocks_read(struct blocks *blocks, void *area, size_t size)
{
	ssize_t got = read(blocks->fd, area, size);
	size_t done = 1;

	for (ssize_t left = got; left > 0 && done; left -= done, area = (char *)area + done)
		done = blocks_check(blocks, area, left);
	return got < 0 ? -errno : got;
}

/* Flush, then read and check blocks until none is left. */
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
