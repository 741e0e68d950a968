// SPDX-License-Identifier: GPL-2.0
/* READ begins with the oldest record: what an earlier READ has put into first_recid is no input. */
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

/* Buffer 1 of CPU 0 holds @num records: all of them are read, whatever is asked for. */
static void test_places(size_t num)
{
	struct lkst_log_buffer all, param;
	uint64_t oldest;
	unsigned int i;

	need(read_from(&all, 0, 1, 0, SLOTS), "READ");
	oldest = all.first_recid + all.overwritten;
	ok(recids_are(&all, oldest, num), "READ: all %zu records, %llu overwritten", num,
	   (ull)all.overwritten);
	for (i = 0; i < 4; i++) {
		const uint64_t recids[] = { oldest, oldest + 1, oldest + num, ~0ULL };

		gives(read_from(&param, 0, 1, recids[i], SLOTS), 0, "READ with first_recid %llu",
		      (ull)recids[i]);
		ok(recids_are(&param, oldest, num) && counts_are(&param, &all), "... reads all");
	}
}

/* The structure that a READ has filled in is good for the next one. */
static void test_again(void)
{
	const int high = cpu_recid(1) > cpu_recid(0);
	struct lkst_log_buffer param;

	need(read_from(&param, high, 1, 0, SLOTS), "READ");
	param.cpu = !high;
	gives(lkst(LKST_IOC_BUFFER_READ, &param), 0,
	      "READ: CPU %d, then CPU %d with the same structure", high, !high);
	ok(recids_are(&param, param.first_recid + param.overwritten,
		      param.recorded - param.overwritten),
	   "... reads all");
	ok(param.result_read_size, "... of some");
}

static void test_static(void)
{
	static struct lkst_log_record all[600];
	struct lkst_log_buffer param;
	size_t num;

	need(read_buffer_max(&param, -1, VOID, all, 600), "READ");
	num = param.result_read_size / sizeof(all[0]);
	param.first_recid = all[num - 1].posix.log_recid;
	gives(lkst(LKST_IOC_BUFFER_READ, &param), 0, "READ: the static buffer, from a recid");
	equal(param.result_read_size, num * sizeof(all[0]), "... reads all");
	equal(param.first_recid, 0, "... from its start");
}

void test_read_from(void)
{
	prepare(0, 1, SMALL);
	prepare(1, 1, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	test_places(10);
	marks(0, 11, 3 * SLOTS);
	marks(1, 1, 5);
	select_maskset(SET_NOTHING);
	test_places(SLOTS);
	test_again();
	test_static();
	reset(0);
	reset(1);
}
