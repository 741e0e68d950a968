// SPDX-License-Identifier: GPL-2.0
/*
 * READ from a recid on.
 */
#include "buffers-test.h"

static struct lkst_log_record records[SLOTS];

static int read_from(struct lkst_log_buffer *param, int cpu, int id, uint64_t recid, size_t max)
{
	*param = (struct lkst_log_buffer){
		.cpu = cpu,
		.id = id,
		.read_size = max * sizeof(records[0]),
		.buffer = (uintptr_t)records,
		.first_recid = recid,
	};
	return lkst(LKST_IOC_BUFFER_READ, param);
}

/* The records are those with recids from @first on. */
static bool recids_are(const struct lkst_log_buffer *param, uint64_t first, size_t num)
{
	size_t read = param->result_read_size / sizeof(records[0]), i;

	for (i = 0; i < read && i < num; i++)
		if (records[i].posix.log_recid != first + i)
			break;
	if (read == num && i == num)
		return true;
	diag("%zu records, not %zu; record %zu has recid %llu, not %llu", read, num, i,
	     i < read ? (ull)records[i].posix.log_recid : 0, (ull)(first + i));
	return false;
}

static bool counts_are(const struct lkst_log_buffer *param, const struct lkst_log_buffer *want)
{
	if (param->first_recid == want->first_recid && param->recorded == want->recorded &&
	    param->overwritten == want->overwritten && param->dropped == want->dropped &&
	    param->unfinished == want->unfinished)
		return true;
	diag("first recid %llu, %llu recorded, %llu overwritten, %llu dropped, %llu unfinished",
	     (ull)param->first_recid, (ull)param->recorded, (ull)param->overwritten,
	     (ull)param->dropped, (ull)param->unfinished);
	return false;
}

/* Whatever recid a read of CPU 0's buffer 1 begins at, it counts as a read of all does. */
static void check_from(uint64_t recid, uint64_t first, size_t num,
		       const struct lkst_log_buffer *all, const char *name)
{
	struct lkst_log_buffer param;

	gives(read_from(&param, 0, 1, recid, SLOTS), 0, "READ: from %s", name);
	ok(recids_are(&param, first, num), "... has %zu records", num);
	ok(counts_are(&param, all), "... and counts as a read of all");
}

/* Buffer 1 holds @num records. */
static void test_places(size_t num)
{
	struct lkst_log_buffer all;
	uint64_t oldest;

	need(read_from(&all, 0, 1, 0, SLOTS), "READ");
	oldest = all.first_recid + all.overwritten;
	ok(recids_are(&all, oldest, num), "READ: all %zu records, %llu overwritten", num,
	   (ull)all.overwritten);
	check_from(all.first_recid, oldest, num, &all, "the first recid");
	check_from(oldest, oldest, num, &all, "the oldest record");
	check_from(oldest + 1, oldest + 1, num - 1, &all, "the next one");
	check_from(oldest + num - 1, oldest + num - 1, 1, &all, "the newest record");
	check_from(oldest + num, 0, 0, &all, "the recid that comes next");
	check_from(oldest + 100 * SLOTS, 0, 0, &all, "far behind");
	check_from(~0ULL, 0, 0, &all, "the last recid there can be");
}

/* In pieces of @size it is what it is as a whole. */
static void test_pieces(size_t size, uint64_t oldest, size_t num)
{
	struct lkst_log_buffer param;
	uint64_t recid = oldest;
	bool right = true;
	size_t read;

	do {
		need(read_from(&param, 0, 1, recid, size), "READ");
		read = param.result_read_size / sizeof(records[0]);
		right &= recids_are(&param, recid, read) && read <= size;
		recid += read;
	} while (right && read);
	ok(right && recid == oldest + num, "READ in pieces of %zu gives all %zu", size, num);
}

static void test_static(void)
{
	static struct lkst_log_record all[600];
	struct lkst_log_buffer param;
	uint64_t next;
	size_t num;

	need(read_buffer_max(&param, -1, VOID, all, 600), "READ");
	num = param.result_read_size / sizeof(all[0]);
	next = all[num - 1].posix.log_recid;
	gives(read_from(&param, -1, VOID, next, SLOTS), 0, "READ: the static buffer from a recid");
	ok(recids_are(&param, next, 1), "... has the newest record");
	ok(param.recorded == get_status().static_buffer_recid &&
		   param.recorded == num + param.overwritten + param.dropped && !param.first_recid,
	   "... counts all");
	gives(read_from(&param, -1, VOID, next + 1, SLOTS), 0, "... from the next recid");
	equal(param.result_read_size, 0, "... has nothing");
}

void test_read_from(void)
{
	prepare(0, 1, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	test_places(10);
	marks(0, 11, 3 * SLOTS);
	select_maskset(SET_NOTHING);
	test_places(SLOTS);
	test_pieces(1, cpu_recid(0) - SLOTS, SLOTS);
	test_pieces(7, cpu_recid(0) - SLOTS, SLOTS);
	test_static();
	reset(0);
}
