// SPDX-License-Identifier: GPL-2.0
/*
 * The bounds of what LKST takes.
 *
 *	limits memory MIN MAX	it may take between MIN and MAX bytes in all, and takes no more
 *	limits sizes		buffers from 4 KB to 1 GB
 *	limits cpus		CPUs that can be there, and are not, cost nothing
 */
#include "buffers.h"

#define KB 1024ULL
#define MB (1024 * KB)
#define GB (1024 * MB)

#define CPUS  2
#define MARKS 100 /* a maskset that records marks alone */
#define FILL  101 /* such that take what is left, and on */

/* The smallest buffer: a page, and one with a header before and after it. */
#define SMALLEST (12 * KB)

static unsigned int count_buffers(void)
{
	struct buffers buffers;
	unsigned int num = 0;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		list_buffers(&buffers, cpu);
		num += buffers.param.buffer_num;
	}
	return num;
}

/* The call fails with ENOMEM, and leaves nothing. */
static void too_much(int error, uint64_t memory, unsigned int buffers, const char *name)
{
	gives(error, ENOMEM, "%s", name);
	equal(get_status().memory, memory, "... and takes nothing");
	equal(count_buffers(), buffers, "... and leaves no buffer");
}

static void fill_up(void)
{
	int error = 0, id;

	for (id = 1; id < IDS && !error; id++)
		error = create(0, id, VOID, 4 * KB) ?: create(1, id, VOID, 4 * KB);
	gives(error, ENOMEM, "small buffers until there is no room for another");
	ok(get_status().memory_max - get_status().memory < SMALLEST, "... indeed");
}

/* Room for no buffer may be room for a maskset. Returns how many there were room for. */
static int fill_with_masksets(const struct mask *mask)
{
	char name[16];
	int num = 0;

	do
		snprintf(name, sizeof(name), "fill%d", num);
	while (!write_maskset(FILL + num, name, mask, 1) && ++num);
	return num;
}

static void test_masksets(void)
{
	static const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG };
	int fillers = fill_with_masksets(&mask), num = get_status().maskset_num;
	uint64_t memory = get_status().memory;

	gives(write_maskset(MARKS, "marks", &mask, 1), ENOMEM,
	      "there is none for a maskset either");
	equal(get_status().maskset_num, num, "... and none is left");
	equal(get_status().memory, memory, "... and nothing is taken");
	need(delete_buffer(0, 1)	 ?:
		     delete_buffer(0, 2) ?:
		     delete_buffer(0, 3) ?:
					   delete_buffer(0, 4),
	     "DELETE");
	memory = get_status().memory;
	gives(write_maskset(MARKS, "marks", &mask, 1), 0, "with four buffers less there is");
	ok(get_status().memory > memory, "... it counts");
	need(lkst_number(LKST_IOC_MASKSET_DELETE, MARKS), "MASKSET_DELETE");
	equal(get_status().memory, memory, "... and is given back");
	while (fillers--)
		need(lkst_number(LKST_IOC_MASKSET_DELETE, FILL + fillers), "MASKSET_DELETE");
}

static void test_memory(uint64_t min, uint64_t max)
{
	struct lkst_trc_status first = get_status(), now;
	unsigned int buffers = count_buffers();
	uint64_t left, size;
	int id;

	ok(first.memory_max >= min && first.memory_max <= max, "it may take %llu bytes",
	   (ull)first.memory_max);
	left = first.memory_max - first.memory;
	size = left / 4 / (4 * KB) * (4 * KB);
	too_much(create(0, 1, VOID, left + 4 * KB), first.memory, buffers,
		 "a buffer that is too much");
	too_much(create(-1, 1, VOID, 3 * size), first.memory, buffers,
		 "two that are together too much");
	gives(create(-1, 1, VOID, size), 0, "two that are not");
	now = get_status();
	ok(now.memory >= first.memory + 2 * size && now.memory <= first.memory + 2 * size + 64 * KB,
	   "... are what is taken");
	too_much(create(-1, 2, VOID, 2 * size), now.memory, buffers + 2, "and two more that are");
	need(delete_buffer(0, 1) ?: delete_buffer(1, 1), "DELETE");
	equal(get_status().memory, first.memory, "all is given back");

	/* So that a few hundred small ones fill up the rest. */
	left = first.memory_max - first.memory;
	need(create(0, 254, VOID, left - 400 * KB), "CREATE");
	fill_up();
	test_masksets();
	for (id = 1; id < IDS; id++) {
		delete_buffer(0, id);
		delete_buffer(1, id);
	}
	equal(get_status().memory, first.memory, "all is given back");
}

/* Marks go into it, and come out again, with both kinds of reading. */
static void try_buffer(int id, uint64_t size)
{
	static struct lkst_log_record records[16];
	struct lkst_event_record raw[16];
	struct lkst_buffer_listent ent;
	struct lkst_log_buffer param;
	uint64_t recid = cpu_recid(0);
	int i;

	need(jump(0, id), "JUMP");
	for (i = 0; i < 10; i++)
		need(mark(i, size, 0, 0), "ENTRY_LOG");
	ent = buffer_of(0, id);
	ok(ent.size == size && ent.write_offset == reserve(size) + 10 && ent.first_recid == recid &&
		   next_recid(&ent) == recid + 10,
	   "... it is recorded in");
	need(read_buffer_max(&param, 0, id, records, 1ULL << 20), "BUFFER_READ");
	ok(param.result_read_size == 10 * sizeof(records[0]) && records[9].log_arg1 == 9 &&
		   records[9].log_arg2 == size && records[9].posix.log_recid == recid + 9,
	   "... BUFFER_READ");
	need(jump(0, 0), "JUMP");
	need(set_mode(0, LKST_READ_MODE_RAW), "SETRMOD");
	while (read(lkst_fd, raw, sizeof(raw)) == sizeof(raw))
		;
	ok(raw[9].arg[0] == 9 && raw[9].arg[1] == size, "... read()");
	close(lkst_fd);
	open_lkst();
}

static void test_sizes(void)
{
	static const uint64_t sizes[] = { 4 * KB, 8 * KB, 252 * KB, 1 * MB, 77 * MB, 1 * GB };
	static const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG };
	struct lkst_trc_status first = get_status();
	struct lkst_buffer_param param;
	unsigned int i;

	need(write_maskset(MARKS, "marks", &mask, 1) ?: set_maskset(MARKS), "maskset");
	pin(0);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		gives(create_as(&param, 0, 1, VOID, sizes[i] + 4095), 0, "a buffer of %llu KB",
		      (ull)(sizes[i] / KB));
		equal(param.result_size, sizes[i], "... has that size");
		try_buffer(1, sizes[i]);
		if (sizes[i] == GB)
			gives(create(1, 1, VOID, GB), ENOMEM, "... there is no room for another");
		need(delete_buffer(0, 1), "DELETE");
	}
	gives(create(0, 1, VOID, GB + 4 * KB), EINVAL, "a buffer of more than 1 GB");
	need(set_maskset(first.current_maskset_id) ?: lkst_number(LKST_IOC_MASKSET_DELETE, MARKS),
	     "maskset");
	equal(get_status().memory, first.memory, "all memory is given back");
}

static uint64_t default_size(void)
{
	return buffer_of(0, 0).size;
}

static void test_cpus(void)
{
	struct lkst_trc_status status = get_status();
	int last = status.cpu_num - 1;
	struct buffers buffers;
	uint64_t size = default_size();

	ok(status.cpu_num >= 32, "there can be %u CPUs", status.cpu_num);
	ok(status.memory < (CPUS + 1) * size, "%llu bytes are taken, for %d buffers of %llu",
	   (ull)status.memory, CPUS, (ull)size);
	list_buffers(&buffers, last);
	ok(!buffers.param.buffer_num && buffers.param.write_buf == VOID &&
		   buffers.param.owner == LKST_BUFFER_OWNER_NONE && buffers.param.rq_head == VOID,
	   "a CPU that is not there has no buffer");
	gives(shift(last), EBUSY, "... and cannot shift");
	gives(jump(last, 0), EINVAL, "... nor jump");
	gives(delete_buffer(last, 1), EINVAL, "... there is nothing to delete");
	gives(shift(last + 1), EINVAL, "there can be no CPU after the last");
	need(create(-1, 1, VOID, 4 * KB), "CREATE");
	list_buffers(&buffers, last);
	equal(buffers.param.buffer_num, 0, "CREATE for all CPUs makes none for it");
	need(delete_buffer(0, 1) ?: delete_buffer(1, 1), "DELETE");
	gives(create(last, 1, VOID, 4 * KB), 0, "but it can have one");
	ok(buffer_exists(last, 1), "... LIST shows it");
	gives(delete_buffer(last, 1), 0, "... and it can be deleted");
	equal(get_status().memory, status.memory, "... its memory is given back");
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	open_lkst();
	if (!strcmp(what, "memory") && argc == 4) {
		test_memory(strtoull(argv[2], NULL, 0), strtoull(argv[3], NULL, 0));
	} else if (!strcmp(what, "sizes")) {
		test_sizes();
	} else if (!strcmp(what, "cpus")) {
		test_cpus();
	} else {
		fprintf(stderr, "usage: limits memory MIN MAX|sizes|cpus\n");
		return 2;
	}
	return done_testing();
}
