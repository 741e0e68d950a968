// SPDX-License-Identifier: GPL-2.0
/*
 * read() takes no memory: what this process allocates while it reads many times, as LKST records it
 * between two marks.
 */
#include <sys/mman.h>

#include "buffers.h"

/* Event types, as include/linux/lkst_etypes.h has them. */
#define MEM_KMALLOC    0x040
#define MEM_CACHEALLOC 0x042
#define MEM_PAGEALLOC  0x044
#define MEM_VMALLOC    0x04c

#define CPU	0
#define BUFFER	1
#define OTHER	2
#define SIZE	(1 << 20)
#define SET	100
#define MARKS	4000
#define AT_ONCE 10

static const struct mask masks[] = {
	{ USER_MARK, LKST_EVHANDLER_ID_ENTRY_LOG },
	{ MEM_KMALLOC, LKST_EVHANDLER_ID_ENTRY_LOG },
	{ MEM_CACHEALLOC, LKST_EVHANDLER_ID_ENTRY_LOG },
	{ MEM_PAGEALLOC, LKST_EVHANDLER_ID_ENTRY_LOG },
	{ MEM_VMALLOC, LKST_EVHANDLER_ID_ENTRY_LOG },
};

/* All that a buffer holds, and an end. */
static struct lkst_log_record records[SIZE / RECORD_SIZE + 1];

/* What this process has allocated between these two marks, and not an interrupt in its place. */
static unsigned int allocations_between(uint64_t first, uint64_t last)
{
	const uint32_t interrupt = LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ | LKST_LOG_NMI;
	struct lkst_log_buffer param;
	const struct lkst_log_record *record = records;
	unsigned int found = 0;

	need(read_buffer_max(&param, CPU, OTHER, records, SIZE / RECORD_SIZE), "BUFFER_READ");
	memset(&records[param.result_read_size / sizeof(*records)], 0, sizeof(*records));
	while (record->posix.log_magic &&
	       (record->posix.log_event_type != USER_MARK || record->log_arg1 != first))
		record++;
	for (; record->posix.log_magic; record++) {
		if (record->posix.log_event_type == USER_MARK && record->log_arg1 == last)
			return found;
		if (record->posix.log_event_type == USER_MARK ||
		    record->posix.log_pid != getpid() || record->posix.log_flags & interrupt)
			continue;
		found++;
		diag("allocates: event %#x, %#llx", record->posix.log_event_type,
		     (ull)record->log_arg1);
	}
	printf("Bail out! there is no mark %llu\n", (ull)last);
	exit(1);
}

static void test_mode(int mode, size_t size, const char *name)
{
	static char to[AT_ONCE * sizeof(struct lkst_log_record)];
	unsigned int i, reads = 0;
	int error;

	need(set_mode(CPU, mode), "SETRMOD");
	while (read(lkst_fd, to, sizeof(to)) > 0)
		;
	need(jump(CPU, BUFFER), "JUMP");
	for (i = 0; i < MARKS; i++)
		need(mark(i, 0, 0, 0), "ENTRY_LOG");
	need(jump(CPU, OTHER), "JUMP");

	need(mark(MARKS, 0, 0, 0), "ENTRY_LOG");
	while (read(lkst_fd, to, AT_ONCE * size) > 0)
		reads++;
	error = errno;
	need(mark(MARKS + 1, 0, 0, 0), "ENTRY_LOG");
	ok(error == EAGAIN && reads >= MARKS / AT_ONCE, "%s: reads", name);
	equal(allocations_between(MARKS, MARKS + 1), 0, "%s: nothing is allocated", name);
}

/* It would be seen. */
static void test_allocation(void)
{
	int ends[2];

	need(mark(MARKS + 2, 0, 0, 0), "ENTRY_LOG");
	if (pipe(ends))
		bail_out("pipe");
	need(mark(MARKS + 3, 0, 0, 0), "ENTRY_LOG");
	ok(allocations_between(MARKS + 2, MARKS + 3) > 0, "a pipe takes memory");
}

int main(void)
{
	open_lkst();
	pin(CPU);
	/* No page comes when it is first touched. */
	if (mlockall(MCL_CURRENT | MCL_FUTURE))
		bail_out("mlockall");
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	need(write_maskset(SET, "memory", masks, sizeof(masks) / sizeof(masks[0])),
	     "MASKSET_WRITE");
	need(set_maskset(SET), "MASKSET_SET");
	need(create(CPU, BUFFER, VOID, SIZE), "CREATE");
	need(create(CPU, OTHER, VOID, SIZE), "CREATE");
	test_mode(LKST_READ_MODE_RAW, RECORD_SIZE, "RAW");
	test_mode(LKST_READ_MODE_STD, sizeof(struct lkst_log_record), "STD");
	test_allocation();
	return done_testing();
}
