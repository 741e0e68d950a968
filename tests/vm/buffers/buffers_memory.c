// SPDX-License-Identifier: GPL-2.0
/*
 * Check that read() allocates no memory. LKST records the allocations of this process, which calls
 * read() many times between two marks.
 */
#include "buffers_test.h"

#define OTHER	2 /* id of the buffer that is current during the reads */
#define SIZE	(1 << 20)
#define NUM	4000
#define AT_ONCE 10

/* Room for all records of a buffer. */
static struct lkst_log_record records[SIZE / RECORD_SIZE];

/* Return the number of allocations by this process, outside of interrupts, between two marks. */
static unsigned int allocations_between(uint64_t first, uint64_t last)
{
	const uint32_t interrupt = LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ | LKST_LOG_NMI;
	struct lkst_log_buffer param;
	unsigned int found = 0;
	bool begun = false;

	need(read_buffer_max(&param, 0, OTHER, records, SIZE / RECORD_SIZE), "BUFFER_READ");
	for (size_t i = 0; i < param.result_read_size / sizeof(records[0]); i++) {
		const struct posix_log_entry *posix = &records[i].posix;

		if (posix->log_event_type == USER_MARK) {
			if (begun && records[i].log_arg1 == last)
				return found;
			begun |= records[i].log_arg1 == first;
		} else if (begun && posix->log_pid == getpid() && !(posix->log_flags & interrupt)) {
			found++;
			diag("allocates: event %#x, %#llx", posix->log_event_type,
			     (ull)records[i].log_arg1);
		}
	}
	need(ENOENT, "mark %llu", (ull)last);
	return 0;
}

static void test_mode(int mode, size_t size, const char *name)
{
	static char to[AT_ONCE * sizeof(struct lkst_log_record)];
	unsigned int reads = 0;
	int error;

	need(set_mode(0, mode), "SETRMOD");
	while (read(lkst_fd, to, sizeof(to)) > 0)
		;
	need(jump(0, 1), "JUMP");
	marks(0, 0, NUM);
	need(jump(0, OTHER), "JUMP");

	need(mark(NUM, 0, 0, 0), "ENTRY_LOG");
	while (read(lkst_fd, to, AT_ONCE * size) > 0)
		reads++;
	error = errno;
	need(mark(NUM + 1, 0, 0, 0), "ENTRY_LOG");
	ok(error == EAGAIN && reads >= NUM / AT_ONCE, "%s: read() returns all records", name);
	equal(allocations_between(NUM, NUM + 1), 0, "%s: read() allocates nothing", name);
}

void test_memory(void)
{
	int ends[2];

	/* Allocate all pages of this process now, so that no page fault allocates one later. */
	bail_if(mlockall(MCL_CURRENT | MCL_FUTURE), "mlockall");
	prepare(0, 2, SIZE);
	set_nonblock(true);
	select_maskset(SET_MEMORY);
	test_mode(LKST_READ_MODE_RAW, RECORD_SIZE, "RAW");
	test_mode(LKST_READ_MODE_STD, sizeof(struct lkst_log_record), "STD");

	/* Check that the test notices allocations, namely those of a new pipe. */
	need(mark(NUM + 2, 0, 0, 0), "ENTRY_LOG");
	bail_if(pipe(ends), "pipe");
	need(mark(NUM + 3, 0, 0, 0), "ENTRY_LOG");
	ok(allocations_between(NUM + 2, NUM + 3) > 0, "the test notices the allocations of pipe()");
	reopen_lkst();
}
