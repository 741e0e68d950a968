// SPDX-License-Identifier: GPL-2.0
/*
 * Check read() and the buffer ioctls of section 4.7.1.3 of the specification. The tests know which
 * records each buffer must contain.
 *
 *	buffers			run all tests except test_hotplug() and test_memory()
 *	buffers hotplug		run only test_hotplug()
 *	buffers memory		run only test_memory()
 */
/* also: -m32 */
#include "buffers_test.h"

void select_maskset(int id)
{
	need(set_maskset(id), "MASKSET_SET %d", id);
}

#define SHIFTS RECORDED(USER_MARK), RECORDED(BUFF_SHIFT)

static const struct {
	int id;
	const char *name;
	struct mask masks[5];
} masksets[] = {
	{ SET_WRAP, "wrap", { SHIFTS, RECORDED(BUFF_OVFLOW) } },
	{ SET_SHIFT, "shift", { SHIFTS, { BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT } } },
	{ SET_SHIFT_DW, "wake", { SHIFTS, { BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW } } },
	{ SET_UNREPORTED, "unreported", { SHIFTS } },
	{ SET_SYNC, "sync", { SHIFTS, RECORDED(BUFF_OVFLOW), RECORDED(SYNC_TIME) } },
	{ SET_MARKS, "marks", { RECORDED(USER_MARK) } },
	{ SET_OVFLOW, "overflows", { RECORDED(USER_MARK), RECORDED(BUFF_OVFLOW) } },
	/*
	 * The numbers are the event types of kmalloc(), kmem_cache_alloc(), page allocation and
	 * vmalloc().
	 */
	{ SET_MEMORY, "memory", { RECORDED(USER_MARK), RECORDED(0x040), RECORDED(0x042),
				  RECORDED(0x044), RECORDED(0x04c) } },
};

static void write_masksets(void)
{
	unsigned int num;

	for (unsigned int i = 0; i < ARRAY_SIZE(masksets); i++) {
		for (num = 0; num < 5 && masksets[i].masks[num].etype; num++)
			;
		need(write_maskset(masksets[i].id, masksets[i].name, masksets[i].masks, num),
		     "MASKSET_WRITE %s", masksets[i].name);
	}
}

/* Read all queued records of a CPU. Return 0 or errno. */
static int drain(int cpu)
{
	static char space[1 << 16];
	int error = set_mode(cpu, LKST_READ_MODE_RAW);

	set_nonblock(true);
	while (!error)
		error = read(lkst_fd, space, sizeof(space)) > 0 ? 0 : errno;
	return error == EAGAIN ? 0 : error;
}

void reset(int cpu)
{
	select_maskset(SET_NOTHING);
	delete_buffers(cpu);
}

void prepare(int cpu, int num, uint64_t size)
{
	select_maskset(SET_NOTHING);
	make_ring(cpu, num, size);
	/* The child's exit ends its binding, but O_NONBLOCK stays set in the shared open file. */
	need(value_in_child(drain(cpu)), "emptying CPU %d's read queue", cpu);
	set_nonblock(false);
}

void prepare_ring(int num, int maskset)
{
	prepare(0, num, SMALL);
	select_maskset(maskset);
}

void marks(int cpu, uint64_t first, unsigned int num)
{
	pin(cpu);
	for (; num; num--, first++)
		need(mark(first, first * 3, ~first, 0), "ENTRY_LOG");
}

void queue_marks(uint64_t first, unsigned int num)
{
	marks(0, first, num);
	need(shift(0), "SHIFT");
}

void take_snapshot(struct snapshot *snapshot)
{
	memset(snapshot, 0, sizeof(*snapshot));
	for (int cpu = 0; cpu < CPUS; cpu++) {
		list_buffers(&snapshot->buffers[cpu], cpu);
		/* Clear the address, which differs between snapshots. */
		snapshot->buffers[cpu].param.listent = 0;
	}
	snapshot->memory = get_status().memory;
}

bool unchanged(const struct snapshot *before)
{
	static struct snapshot now;

	take_snapshot(&now);
	if (!memcmp(&now, before, sizeof(now)))
		return true;
	diag("buffers of CPU 0: %d, before: %d; of CPU 1: %d, before: %d; memory %llu, before: %llu",
	     now.buffers[0].param.buffer_num, before->buffers[0].param.buffer_num,
	     now.buffers[1].param.buffer_num, before->buffers[1].param.buffer_num, (ull)now.memory,
	     (ull)before->memory);
	return false;
}

bool compare_records(const struct lkst_log_record *records, long num, long overwritten,
		     const struct expected *expected)
{
	static struct expected all[4096];
	long total = 0;

	for (; expected->etype; expected++)
		for (unsigned int i = 0; i < expected->num; i++, total++) {
			uint64_t n = expected->arg[0] + i;

			all[total] = *expected;
			if (expected->etype == USER_MARK)
				all[total] = (struct expected){ USER_MARK, { n, n * 3, ~n } };
		}
	if (num != total - overwritten) {
		diag("%ld records, not %ld", num, total - overwritten);
		return false;
	}
	for (long i = 0; i < num; i++) {
		const struct lkst_log_record *r = &records[i];

		expected = &all[overwritten + i];
		if (r->posix.log_event_type == expected->etype && r->log_arg1 == expected->arg[0] &&
		    r->log_arg2 == expected->arg[1] && r->log_arg3 == expected->arg[2] &&
		    (!i || r->posix.log_recid == r[-1].posix.log_recid + 1))
			continue;
		diag("record %ld, recid %llu: %#x(%llu, %llu, %llu), not %#x(%llu, %llu, %llu)", i,
		     (ull)r->posix.log_recid, r->posix.log_event_type, (ull)r->log_arg1,
		     (ull)r->log_arg2, (ull)r->log_arg3, expected->etype, (ull)expected->arg[0],
		     (ull)expected->arg[1], (ull)expected->arg[2]);
		return false;
	}
	return true;
}

size_t read_all(int cpu, int id, struct lkst_log_buffer *param, struct lkst_log_record *records)
{
	need(read_buffer_max(param, cpu, id, records, 4096), "BUFFER_READ %d", id);
	return param->result_read_size / sizeof(*records);
}

bool counts_are(const struct lkst_log_buffer *param, uint64_t first, uint64_t recorded,
		uint64_t overwritten)
{
	if (param->first_recid == first && param->recorded == recorded &&
	    param->overwritten == overwritten && !param->dropped && !param->unfinished)
		return true;
	diag("first recid %llu, %llu recorded, %llu overwritten, %llu dropped, %llu unfinished",
	     (ull)param->first_recid, (ull)param->recorded, (ull)param->overwritten,
	     (ull)param->dropped, (ull)param->unfinished);
	return false;
}

int main(int argc, char **argv)
{
	const char *only = argc > 1 ? argv[1] : "";
	struct lkst_trc_status before;

	open_lkst();
	pin(0);
	before = get_status();
	write_masksets();
	if (!strcmp(only, "hotplug")) {
		test_hotplug();
	} else if (!strcmp(only, "memory")) {
		test_memory();
	} else {
		for (int cpu = 0; cpu < CPUS; cpu++)
			reset(cpu);
		test_ioctls();
		test_read_from();
		test_shift();
		test_overflow();
		test_reader();
		test_blocks();
	}
	for (int cpu = 0; cpu < CPUS; cpu++)
		reset(cpu);
	for (unsigned int i = 0; i < ARRAY_SIZE(masksets); i++)
		delete_maskset(masksets[i].id);
	equal(get_status().memory, before.memory, "at the end, all memory has been freed");
	select_maskset(before.current_maskset_id);
	return done_testing();
}
