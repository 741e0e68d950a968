// SPDX-License-Identifier: GPL-2.0
/*
 * Tests the limits of LKST's memory, of the size of a buffer, and of the number of CPUs.
 *
 *	limits memory MIN MAX	the memory limit is between MIN and MAX bytes, and LKST keeps to it
 *	limits sizes		buffers can have sizes from 4 KB to 1 GB
 *	limits cpus		CPUs that have never been online have no buffers
 */
#include "buffers.h"

#define KB 1024ULL
#define MB (1024 * KB)
#define GB (1024 * MB)

#define CPUS  2
#define MARKS 100 /* id of a maskset that records only marks */
#define FILL  101 /* id of the first maskset of fill_with_masksets() */

/* Most memory that the smallest buffer takes, in bytes: a page, and a header page on each side. */
#define SMALLEST (12 * KB)

static const struct mask mask = RECORDED(USER_MARK);

static unsigned int count_buffers(void)
{
	struct buffers buffers;
	unsigned int num = 0;

	for (int cpu = 0; cpu < CPUS; cpu++) {
		list_buffers(&buffers, cpu);
		num += buffers.param.buffer_num;
	}
	return num;
}

/* Test that @error is ENOMEM, and that @memory bytes and @buffers buffers are still in use. */
static void too_much(int error, uint64_t memory, unsigned int buffers, const char *name)
{
	gives(error, ENOMEM, "%s", name);
	equal(get_status().memory, memory, "... no memory is used");
	equal(count_buffers(), buffers, "... no buffer is created");
}

/*
 * Use up the remaining memory, which is too small for a buffer: write masksets until there is no
 * room for another one. Return how many were written.
 */
static int fill_with_masksets(void)
{
	char name[16];
	int num = 0;

	do
		snprintf(name, sizeof(name), "fill%d", num);
	while (!write_maskset(FILL + num, name, &mask, 1) && ++num);
	return num;
}

static void test_masksets(void)
{
	int fillers = fill_with_masksets(), num = get_status().maskset_num;
	uint64_t memory = get_status().memory;

	gives(write_maskset(MARKS, "marks", &mask, 1), ENOMEM,
	      "when memory is used up, there is no room for a maskset");
	equal(get_status().maskset_num, num, "... the number of masksets is the same");
	equal(get_status().memory, memory, "... no memory is used");
	for (int id = 1; id <= 4; id++)
		need(delete_buffer(0, id), "DELETE");
	memory = get_status().memory;
	gives(write_maskset(MARKS, "marks", &mask, 1), 0,
	      "after four buffers are deleted, there is room for a maskset");
	ok(get_status().memory > memory, "... its memory is counted");
	delete_maskset(MARKS);
	equal(get_status().memory, memory, "... its memory is freed");
	while (fillers--)
		delete_maskset(FILL + fillers);
}

static void test_memory(uint64_t min, uint64_t max)
{
	struct lkst_trc_status first = get_status(), now;
	unsigned int buffers = count_buffers();
	uint64_t left = first.memory_max - first.memory, size = left / 4 / (4 * KB) * (4 * KB);
	int error = 0;

	ok(first.memory_max >= min && first.memory_max <= max, "the limit is %llu bytes",
	   (ull)first.memory_max);
	too_much(create(0, 1, VOID, left + 4 * KB), first.memory, buffers,
		 "a buffer that is larger than the free memory");
	too_much(create(-1, 1, VOID, 3 * size), first.memory, buffers,
		 "two buffers that are too large together");
	gives(create(-1, 1, VOID, size), 0, "two buffers that fit");
	now = get_status();
	ok(now.memory >= first.memory + 2 * size && now.memory <= first.memory + 2 * size + 64 * KB,
	   "... they take as much memory as their size");
	too_much(create(-1, 2, VOID, 2 * size), now.memory, buffers + 2,
		 "two more buffers that do not fit");
	need(delete_buffer(0, 1) ?: delete_buffer(1, 1), "DELETE");
	equal(get_status().memory, first.memory, "all memory is freed");

	/* Leave room for a few dozen small buffers. */
	need(create(0, 254, VOID, left - 400 * KB), "CREATE");
	for (int id = 1; id < IDS && !error; id++)
		error = create(0, id, VOID, 4 * KB) ?: create(1, id, VOID, 4 * KB);
	gives(error, ENOMEM, "small buffers until there is no room for another");
	ok(get_status().memory_max - get_status().memory < SMALLEST,
	   "... less memory is free than such a buffer needs");
	test_masksets();
	for (int id = 1; id < IDS; id++) {
		delete_buffer(0, id);
		delete_buffer(1, id);
	}
	equal(get_status().memory, first.memory, "all memory is freed");
}

/*
 * Test that marks are recorded in buffer @id of CPU 0, and that BUFFER_READ and read() return them.
 */
static void try_buffer(int id, uint64_t size)
{
	static struct lkst_log_record records[16];
	struct lkst_event_record raw[16];
	struct lkst_buffer_listent ent;
	struct lkst_log_buffer param;
	uint64_t recid = cpu_recid(0);

	need(jump(0, id), "JUMP");
	for (int i = 0; i < 10; i++)
		need(mark(i, size, 0, 0), "ENTRY_LOG");
	ent = buffer_of(0, id);
	ok(ent.size == size && ent.write_offset == reserve(size) + 10 && ent.first_recid == recid &&
		   next_recid(&ent) == recid + 10,
	   "... marks are recorded in it");
	need(read_buffer_max(&param, 0, id, records, 1ULL << 20), "BUFFER_READ");
	ok(param.result_read_size == 10 * sizeof(records[0]) && records[9].log_arg1 == 9 &&
		   records[9].log_arg2 == size && records[9].posix.log_recid == recid + 9,
	   "... BUFFER_READ returns the marks");
	need(jump(0, 0), "JUMP");
	need(set_mode(0, LKST_READ_MODE_RAW), "SETRMOD");
	while (read(lkst_fd, raw, sizeof(raw)) == sizeof(raw))
		;
	ok(raw[9].arg[0] == 9 && raw[9].arg[1] == size, "... read() returns the marks");
	reopen_lkst();
}

static void test_sizes(void)
{
	static const uint64_t sizes[] = { 4 * KB, 8 * KB, 252 * KB, 1 * MB, 77 * MB, 1 * GB };
	struct lkst_trc_status first = get_status();
	struct lkst_buffer_param param;

	need(write_maskset(MARKS, "marks", &mask, 1) ?: set_maskset(MARKS), "maskset");
	pin(0);
	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		gives(create_as(&param, 0, 1, VOID, sizes[i] + 4095), 0, "a buffer of %llu KB",
		      (ull)(sizes[i] / KB));
		equal(param.result_size, sizes[i], "... it has that size");
		try_buffer(1, sizes[i]);
		if (sizes[i] == GB)
			gives(create(1, 1, VOID, GB), ENOMEM,
			      "... there is no room for another one");
		need(delete_buffer(0, 1), "DELETE");
	}
	gives(create(0, 1, VOID, GB + 4 * KB), EINVAL, "a buffer of more than 1 GB is refused");
	need(set_maskset(first.current_maskset_id), "MASKSET_SET");
	delete_maskset(MARKS);
	equal(get_status().memory, first.memory, "all memory is freed");
}

static void test_cpus(void)
{
	struct lkst_trc_status status = get_status();
	int last = status.cpu_num - 1;
	struct buffers buffers;
	uint64_t size = buffer_of(0, 0).size;

	ok(status.cpu_num >= 32, "%u CPUs are possible", status.cpu_num);
	ok(status.memory < (CPUS + 1) * size, "%llu bytes are used, for %d buffers of %llu",
	   (ull)status.memory, CPUS, (ull)size);
	list_buffers(&buffers, last);
	ok(!buffers.param.buffer_num && buffers.param.write_buf == VOID &&
		   buffers.param.owner == LKST_BUFFER_OWNER_NONE && buffers.param.rq_head == VOID,
	   "a CPU that is not present has no buffer");
	gives(shift(last), EBUSY, "... it cannot shift");
	gives(jump(last, 0), EINVAL, "... it cannot jump");
	gives(delete_buffer(last, 1), EINVAL, "... it has no buffer to delete");
	gives(shift(last + 1), EINVAL, "the CPU after the last one does not exist");
	need(create(-1, 1, VOID, 4 * KB), "CREATE");
	list_buffers(&buffers, last);
	equal(buffers.param.buffer_num, 0, "CREATE for all CPUs creates no buffer for it");
	need(delete_buffer(0, 1) ?: delete_buffer(1, 1), "DELETE");
	gives(create(last, 1, VOID, 4 * KB), 0, "CREATE for this CPU creates a buffer");
	ok(buffer_exists(last, 1), "... LIST shows it");
	gives(delete_buffer(last, 1), 0, "... and it can be deleted");
	equal(get_status().memory, status.memory, "... its memory is freed");
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "";

	open_lkst();
	if (!strcmp(command, "memory") && argc == 4) {
		test_memory(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	} else if (!strcmp(command, "sizes")) {
		test_sizes();
	} else if (!strcmp(command, "cpus")) {
		test_cpus();
	} else {
		fprintf(stderr, "usage: limits memory MIN MAX|sizes|cpus\n");
		return 2;
	}
	return done_testing();
}
