// SPDX-License-Identifier: GPL-2.0
/*
 * Check the marks in blocks. A mark must be intact, and have a greater number than the writer's
 * previous mark on the same CPU. If the writer stays on its CPU, the number of marks that are
 * missing between the two marks must not exceed the number of records that the block headers report
 * as unreadable there. A mark of the writer that moves from CPU to CPU must be read only once.
 * blocks.h checks the recids of all records.
 */
#include <stddef.h>

#include "stream.h"

void check_mark(struct blocks *blocks, const struct lkst_block *header, uint64_t recid,
		const struct lkst_event_record *record)
{
	struct checker *checker = blocks->ctx;
	unsigned int writer = mark_writer(record->arg[0]);
	uint64_t number = mark_number(record->arg[0]), missing;
	uint64_t lost = not_read(&blocks->cpu[header->cpu]);
	uint64_t *last, *last_lost;

	if (record->event_type != USER_MARK)
		return;
	checker->marks[header->cpu]++;
	if (writer >= WRITERS || !mark_is_whole(record->arg) ||
	    record->thread != (uint32_t)checker->tid[writer]) {
		blocks_wrong(blocks, "CPU %d: recid %llu is corrupt: thread %u, mark %#llx",
			     header->cpu, (ull)recid, record->thread, (ull)record->arg[0]);
		return;
	}
	last = &checker->last[header->cpu][writer];
	last_lost = &checker->last_lost[header->cpu][writer];
	missing = number - *last - 1;
	if (number <= *last)
		blocks_wrong(blocks, "CPU %d: recid %llu: writer %u's mark %llu after %llu",
			     header->cpu, (ull)recid, writer, (ull)number, (ull)*last);
	else if (writer < CPUS && *last && missing > lost - *last_lost)
		blocks_wrong(blocks,
			     "CPU %d: recid %llu: %llu marks of writer %u missing, %llu records",
			     header->cpu, (ull)recid, (ull)missing, writer,
			     (ull)(lost - *last_lost));
	if (writer >= CPUS && number < checker->moving_num && checker->moving[number]++)
		blocks_wrong(blocks, "CPU %d: recid %llu: mark %llu again", header->cpu, (ull)recid,
			     (ull)number);
	*last = number;
	*last_lost = lost;
}

/* The self-test, with damaged blocks */

#define BLOCKS	4
#define RECORDS 12
#define FIRST	5000
#define GAP	30 /* number of records lost before the third block */

struct block {
	struct lkst_block header;
	struct lkst_event_record record[RECORDS];
};

static volatile pid_t tids[WRITERS] = { 101, 102, 103 };

/* Make correct blocks, in which every third record is a mark. */
static void make(struct block block[BLOCKS])
{
	uint64_t recid = FIRST, marks = 10;

	for (unsigned int i = 0; i < BLOCKS; i++) {
		recid += i == 2 ? GAP : 0;
		block[i].header = (struct lkst_block){
			.magic = LKST_BLOCK_MAGIC, .version = LKST_BLOCK_VERSION,
			.header_size = sizeof(struct lkst_block), .size = sizeof(struct block),
			.first_recid = recid, .count = RECORDS, .lost = i == 2 ? GAP : 0,
			.recorded = FIRST + GAP + BLOCKS * RECORDS, .boot = { 1, [6] = 0x80 },
			.tsc = 1, .cpu_freq = 1, .wall = 1, .monotonic = 1,
		};
		for (unsigned int k = 0; k < RECORDS; k++, recid++) {
			struct lkst_event_record *record = &block[i].record[k];

			*record = (struct lkst_event_record){ .clock = 1, .event_type = 1 };
			if (k % 3)
				continue;
			record->event_type = USER_MARK;
			record->thread = tids[0];
			mark_fill(record->arg, 0, marks++);
		}
	}
}

static const struct {
	const char *name;
	/* Offset, size and new value of a member of the third block. Size 0 means no damage. */
	size_t at, size;
	uint64_t becomes;
} damages[] = {
#define HEADER(member, becomes) \
	offsetof(struct block, header.member), sizeof(((struct block *)0)->header.member), becomes
#define RECORD(n, member, becomes)                                                               \
	offsetof(struct block, record[n].member), sizeof(((struct block *)0)->record[n].member), \
		becomes
	{ "good blocks", 0, 0, 0 },
	{ "no magic", HEADER(magic, 1) },
	{ "another version", HEADER(version, 2) },
	{ "a size beyond the end of the data", HEADER(size, 1 << 20) },
	{ "more records than fit into the size", HEADER(count, RECORDS + 1) },
	{ "a CPU that does not exist", HEADER(cpu, CPUS) },
	{ "a record is missing", HEADER(first_recid, FIRST + 2 * RECORDS + GAP + 1) },
	{ "a record is repeated", HEADER(first_recid, FIRST + 2 * RECORDS + GAP - 1) },
	{ "a loss that is not reported", HEADER(lost, 0) },
	{ "more records were read than recorded", HEADER(recorded, FIRST) },
	{ "no clock", HEADER(cpu_freq, 0) },
	{ "a record that is not committed", RECORD(4, clock, 0) },
	{ "a corrupt mark", RECORD(3, arg[2], 1) },
	{ "a mark of another thread", RECORD(3, thread, 102) },
};

static bool is_wrong(struct block block[BLOCKS])
{
	struct checker checker = { .tid = tids };
	struct blocks blocks = { .record = check_mark, .ctx = &checker };

	for (size_t i = 0; i < BLOCKS; i++)
		if (!blocks_check(&blocks, &block[i].header, sizeof(*block)))
			break;
	return blocks.wrongs.num;
}

void selftest(void)
{
	static struct block block[BLOCKS];
	struct lkst_event_record mark;

	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		make(block);
		memcpy((char *)&block[2] + damages[i].at, &damages[i].becomes, damages[i].size);
		ok(is_wrong(block) == !!damages[i].size, "checker: %s", damages[i].name);
	}
	make(block);
	mark = block[0].record[0];
	block[0].record[0] = block[0].record[3];
	block[0].record[3] = mark;
	ok(is_wrong(block), "checker: two marks in the wrong order");
	make(block);
	block[1].record[0].event_type = 1;
	ok(is_wrong(block), "checker: a mark is missing, but no record is");
}
