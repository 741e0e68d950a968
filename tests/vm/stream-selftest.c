// SPDX-License-Identifier: GPL-2.0
/*
 * The checker finds nothing wrong with good blocks, and something with damaged ones.
 */
#include <stddef.h>

#include "stream.h"

#define BLOCKS	4
#define RECORDS 12
#define FIRST	5000
#define GAP	30 /* records that are lost before the third block */

struct block {
	struct lkst_block head;
	struct lkst_event_record record[RECORDS];
};

static volatile pid_t tids[WRITERS] = { 101, 102, 103 };

/* Every third record is a mark. */
static void make(struct block block[BLOCKS])
{
	uint64_t recid = FIRST, marks = 10;
	unsigned int i, k;

	for (i = 0; i < BLOCKS; i++) {
		recid += i == 2 ? GAP : 0;
		block[i].head = (struct lkst_block){
			.magic = LKST_BLOCK_MAGIC,
			.version = LKST_BLOCK_VERSION,
			.header_size = sizeof(struct lkst_block),
			.size = sizeof(struct block),
			.first_recid = recid,
			.count = RECORDS,
			.lost = i == 2 ? GAP : 0,
			.recorded = FIRST + GAP + BLOCKS * RECORDS,
			.tsc = 1,
			.cpu_freq = 1,
			.wall = 1,
			.monotonic = 1,
			.boot = { 1, [6] = 0x80 },
		};
		for (k = 0; k < RECORDS; k++, recid++) {
			struct lkst_event_record *record = &block[i].record[k];

			*record = (struct lkst_event_record){ .clock = 1, .event_type = 1 };
			if (k % 3)
				continue;
			record->event_type = USER_MARK;
			record->thread = tids[0];
			fill_mark(record->arg, 0, marks++);
		}
	}
}

static const struct {
	const char *name;
	/* A member of the third block, and what it becomes; 0: nothing is damaged. */
	size_t at, size;
	uint64_t becomes;
} damages[] = {
#define HEAD(member, becomes) \
	offsetof(struct block, head.member), sizeof(((struct block *)0)->head.member), becomes
#define RECORD(n, member, becomes)                                                               \
	offsetof(struct block, record[n].member), sizeof(((struct block *)0)->record[n].member), \
		becomes
	{ "good blocks", 0, 0, 0 },
	{ "no magic", HEAD(magic, 1) },
	{ "another version", HEAD(version, 2) },
	{ "a size beyond the end", HEAD(size, 1 << 20) },
	{ "more records than the size has room for", HEAD(count, RECORDS + 1) },
	{ "a CPU there is not", HEAD(cpu, CPUS) },
	{ "a record is missing", HEAD(first_recid, FIRST + 2 * RECORDS + GAP + 1) },
	{ "a record comes twice", HEAD(first_recid, FIRST + 2 * RECORDS + GAP - 1) },
	{ "a loss that is not reported", HEAD(lost, 0) },
	{ "more was read than recorded", HEAD(recorded, FIRST) },
	{ "no clock", HEAD(cpu_freq, 0) },
	{ "a record that is not committed", RECORD(4, clock, 0) },
	{ "a mark that is torn", RECORD(3, arg[2], 1) },
	{ "a mark of another thread", RECORD(3, thread, 102) },
};

static bool is_wrong(struct block block[BLOCKS])
{
	struct checker checker = { .tid = tids };
	struct blocks blocks = { .record = check_mark, .ctx = &checker };
	size_t i;

	for (i = 0; i < BLOCKS; i++)
		if (!blocks_check(&blocks, &block[i].head, sizeof(*block)))
			break;
	return blocks.wrong;
}

void selftest(void)
{
	static struct block block[BLOCKS];
	struct lkst_event_record mark;
	size_t i;

	for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
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
	ok(is_wrong(block), "checker: a mark is missing, and no record is");
}
