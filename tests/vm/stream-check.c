// SPDX-License-Identifier: GPL-2.0
/*
 * Are a writer's marks what they must be? They are whole and in order, and as many are missing as
 * records of their CPU could not be read, at most. That no record is missing otherwise, nor comes
 * twice, blocks.h checks.
 */
#include "stream.h"

static uint64_t mix(uint64_t value)
{
	value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9;
	value = (value ^ value >> 27) * 0x94d049bb133111eb;
	return value ^ value >> 31;
}

void fill_mark(lkst_arg_t arg[4], unsigned int writer, uint64_t number)
{
	int i;

	arg[0] = (uint64_t)writer << 56 | number;
	for (i = 1; i < 4; i++)
		arg[i] = mix(arg[i - 1]);
}

uint64_t not_read(const struct blocks_cpu *cpu)
{
	return cpu->lost + cpu->dropped + cpu->unfinished;
}

void check_mark(struct blocks *blocks, const struct lkst_block *head, uint64_t recid,
		const struct lkst_event_record *record)
{
	struct checker *checker = blocks->ctx;
	unsigned int writer = record->arg[0] >> 56;
	uint64_t number = record->arg[0] & ~(0xffULL << 56);
	uint64_t lost = not_read(&blocks->cpu[head->cpu]);
	uint64_t *last, *last_lost;
	lkst_arg_t args[4];

	if (record->event_type != USER_MARK)
		return;
	checker->marks[head->cpu]++;
	fill_mark(args, writer, number);
	if (writer >= WRITERS || memcmp(args, record->arg, sizeof(args)) ||
	    record->thread != (uint32_t)checker->tid[writer]) {
		blocks_wrong(blocks, "CPU %d: recid %llu is torn: thread %u, mark %#llx", head->cpu,
			     (ull)recid, record->thread, (ull)record->arg[0]);
		return;
	}
	last = &checker->last[head->cpu][writer];
	last_lost = &checker->last_lost[head->cpu][writer];
	if (number <= *last)
		blocks_wrong(blocks, "CPU %d: recid %llu: writer %u's mark %llu after %llu",
			     head->cpu, (ull)recid, writer, (ull)number, (ull)*last);
	else if (writer < CPUS && *last && number - *last - 1 > lost - *last_lost)
		blocks_wrong(
			blocks,
			"CPU %d: recid %llu: %llu of writer %u's marks are missing, and %llu records",
			head->cpu, (ull)recid, (ull)(number - *last - 1), writer,
			(ull)(lost - *last_lost));
	if (writer >= CPUS && number < checker->moving_num && checker->moving[number]++)
		blocks_wrong(blocks, "CPU %d: recid %llu: mark %llu twice", head->cpu, (ull)recid,
			     (ull)number);
	*last = number;
	*last_lost = lost;
}
