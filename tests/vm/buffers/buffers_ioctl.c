// SPDX-License-Identifier: GPL-2.0
/*
 * Check BUFFER_CREATE, BUFFER_DELETE, BUFFER_LINK, BUFFER_LIST and BUFFER_READ. ioctl_errors.t
 * tests most of their errors. This file tests the errors that need more preparation, or that must
 * be tested with several values.
 */
#include "buffers_test.h"

static struct lkst_log_record records[4096];

static void test_create_one(void)
{
	struct lkst_buffer_param param;
	struct lkst_buffer_listent ent;
	uint64_t memory = get_status().memory;

	refused(EINVAL, create(0, 1, VOID, 1ULL << 32 | SMALL), "CREATE: 4 GB and 4 KB");
	refused(EINVAL, create(0, VOID, 1, SMALL),
		"CREATE: VOID, next is the lowest free id, which the new buffer gets");
	gives(create_as(&param, 1, 5, 7, 3 * SMALL + 100), 0, "CREATE: id 5 on CPU 1");
	equal(param.result_size, 3 * SMALL, "... of 12 KB and a few bytes holds 12 KB");
	equal(param.id, 5, "... returns its id");
	ent = buffer_of(1, 5);
	equal(ent.size, 3 * SMALL, "... LIST shows it");
	equal(ent.next, 7, "... its next buffer need not exist");
	equal(ent.state, LKST_BUFFER_FREE, "... it is free");
	ok(ent.rq_prev == VOID && ent.rq_next == VOID, "... and not in the read queue");
	ok(!buffer_exists(0, 5), "... CPU 0 has no such buffer");
	equal(written_buffer(1), 0, "... it is not the current buffer");
	ok(get_status().memory - memory >= 3 * SMALL, "... it takes memory");
	gives(create_as(&param, 0, 5, VOID, SMALL), 0, "CREATE: the same id on another CPU");
	equal(param.result_size, SMALL, "... of 4 KB");
}

/* Check which id CREATE chooses for VOID. Must be called when both CPUs have buffers 0 and 5. */
static void test_create_void(void)
{
	struct lkst_buffer_param param;

	need(create(0, 1, VOID, SMALL), "CREATE");
	need(create(0, 3, VOID, SMALL), "CREATE");
	gives(create_as(&param, 0, VOID, VOID, SMALL), 0, "CREATE: VOID");
	equal(param.id, 2, "CREATE: VOID gets the lowest free id");
	gives(create_as(&param, 0, VOID, VOID, SMALL), 0, "CREATE: VOID again");
	equal(param.id, 4, "... gets the next free id");
	gives(create_as(&param, -1, VOID, VOID, SMALL), 0, "CREATE: VOID, CPU -1");
	equal(param.id, 6, "CREATE: VOID, CPU -1 gets the lowest id that is free on all CPUs");
	ok(buffer_exists(0, 6) && buffer_exists(1, 6), "... CPU 0 has it");
	gives(create_as(&param, -1, 9, 6, SMALL), 0, "CREATE: id 9, CPU -1");
	ok(buffer_of(0, 9).next == 6 && buffer_of(1, 9).next == 6, "... CPU 1 has it");
	refused(EINVAL, create(-1, VOID, 7, SMALL),
		"CREATE: VOID, CPU -1, next is the lowest free id");
}

static void test_create_full(void)
{
	struct lkst_buffer_param param;

	for (int id = 1; id < IDS; id++)
		if (!buffer_exists(1, id))
			need(create(1, id, VOID, SMALL), "CREATE %d", id);
	need(delete_buffer(1, 77), "DELETE");
	gives(create_as(&param, 1, VOID, VOID, SMALL), 0, "CREATE: VOID on a CPU with 254 buffers");
	equal(param.id, 77, "... gets the id that is left");
}

static void test_create(void)
{
	uint64_t memory = get_status().memory;

	test_create_one();
	test_create_void();
	test_create_full();
	for (int cpu = 0; cpu < CPUS; cpu++)
		reset(cpu);
	equal(get_status().memory, memory, "DELETE frees all memory");
}

static void test_delete(void)
{
	prepare(0, 3, SMALL);
	gives(delete_buffer(0, 2), 0, "DELETE");
	ok(!buffer_exists(0, 2), "... the buffer no longer exists");
	equal(buffer_of(0, 1).next, 2, "... it is still the next buffer of buffer 1");
	refused(EINVAL, shift(0), "... and a shift to it fails");
	gives(create(0, 2, 3, 2 * SMALL), 0, "CREATE: the deleted buffer again");
	gives(shift(0), 0, "... and a shift to it succeeds");
	equal(written_buffer(0), 2, "... and makes it the current buffer");
}

/*
 * Shift @num times in a ring of the buffers 1 to @num, starting at buffer 1. Return whether each
 * shift leads to the next buffer, and the last one to buffer 1.
 */
static bool shifts_follow_links(int cpu, int num)
{
	for (int i = 1; i <= num; i++) {
		if (shift(cpu))
			return false;
		if (written_buffer(cpu) != i % num + 1) {
			diag("shift %d leads to %d", i, written_buffer(cpu));
			return false;
		}
	}
	return true;
}

static void test_link(void)
{
	static const int rings[] = { 2, 3, LKST_BUFFER_ID_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(rings); i++) {
		prepare(1, rings[i], SMALL);
		ok(shifts_follow_links(1, rings[i]),
		   "after shifts through a ring of %d, buffer 1 is the current one again",
		   rings[i]);
		select_maskset(SET_WRAP);
		ok(shifts_follow_links(1, rings[i]), "... also if the buffers hold records");
	}
	reset(1);

	prepare(0, 1, SMALL);
	for (int id = 2; id <= 4; id++)
		need(create(0, id, VOID, SMALL), "CREATE");
	need(link_buffer(0, 1, 3), "LINK");
	need(link_buffer(0, 2, 3), "LINK");
	gives(link_buffer(0, 3, 4), 0, "LINK buffers into a tree");
	ok(!shift(0) && written_buffer(0) == 3, "... SHIFT leads from a leaf to buffer 3");
	ok(!shift(0) && written_buffer(0) == 4, "... from buffer 3 to the root");
	refused(EINVAL, shift(0), "... which is terminal");
	ok(!jump(0, 2) && !shift(0) && written_buffer(0) == 3, "... from another leaf to buffer 3");
	gives(link_buffer(0, 3, VOID), 0, "LINK: make the current buffer terminal");
	refused(EINVAL, shift(0), "... and a shift fails");
	gives(link_buffer(0, 3, 9), 0, "LINK: to a buffer that does not exist");
	refused(EINVAL, shift(0), "... a shift fails");
	need(create(0, 9, VOID, SMALL), "CREATE");
	ok(!shift(0) && written_buffer(0) == 9, "... until the buffer is created");
}

static int list_some(int num, void *to, struct lkst_buffer_listparam *param)
{
	*param = (struct lkst_buffer_listparam){ .listent_num = num, .listent = (uintptr_t)to };
	return lkst(LKST_IOC_BUFFER_LIST, param);
}

static void test_list_room(void)
{
	struct lkst_buffer_listparam param;
	struct lkst_buffer_listent ent[4];

	prepare(0, 3, SMALL);
	memset(ent, 0x5a, sizeof(ent));
	gives(list_some(2, ent, &param), 0, "LIST: room for 2 of 4 buffers");
	equal(param.buffer_num, 4, "... returns the total");
	ok(ent[0].id == 0 && ent[1].id == 1, "... lists them in ascending order");
	equal(ent[2].size, 0x5a5a5a5a5a5a5a5a, "... and writes nothing beyond them");
	gives(list_some(0, ent, &param), 0, "LIST: no room");
	equal(param.buffer_num, 4, "... returns the total");
}

/*
 * Check that the read queue of CPU 0 consists of the buffers @ids, from head to tail, with the
 * right links.
 */
static void check_queue(const int *ids, unsigned int num, const char *name)
{
	struct lkst_buffer_listparam queue = queue_of(0);
	bool good = queue.rq_head == (num ? ids[0] : VOID) &&
		    queue.rq_tail == (num ? ids[num - 1] : VOID);

	for (unsigned int i = 0; i < num; i++) {
		struct lkst_buffer_listent ent = buffer_of(0, ids[i]);

		good &= ent.state == LKST_BUFFER_QUEUED &&
			ent.rq_prev == (i ? ids[i - 1] : VOID) &&
			ent.rq_next == (i + 1 < num ? ids[i + 1] : VOID);
	}
	ok(good, "%s", name);
}

static void test_list_queue(void)
{
	/* First and next recid of each buffer, relative to the first recid of buffer 1 */
	static const struct {
		unsigned int first, next;
	} rows[] = { { 0, 10 }, { 10, 16 }, { 16, 17 }, { 17, 18 } };
	struct lkst_buffer_listent ent;
	uint64_t first;

	prepare(0, 4, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_WRAP);
	queue_marks(1, 10);
	queue_marks(11, 5);
	need(shift(0), "SHIFT");
	select_maskset(SET_NOTHING);

	equal(queue_of(0).write_buf, 4, "LIST: the current buffer");
	equal(queue_of(0).read_buf, VOID, "... no buffer is being read");
	equal(queue_of(0).owner, LKST_BUFFER_OWNER_NONE, "... CPU 0 has no owner");
	check_queue((int[]){ 1, 2, 3 }, 3, "... head, tail and links of the read queue");
	ok(buffer_of(0, 0).state == LKST_BUFFER_FREE &&
		   buffer_of(0, 4).state == LKST_BUFFER_WRITTEN,
	   "... states of the other buffers");
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		ent = buffer_of(0, i + 1);
		equal(ent.first_recid, first + rows[i].first, "... first recid of buffer %u",
		      i + 1);
		equal(next_recid(&ent), first + rows[i].next,
		      "... and its next recid, after LKST_BUFF_SHIFT and the marks");
	}
	equal(ent.write_offset, reserve(SMALL) + 1, "... offset of the current buffer");
	ent = buffer_of(0, 1);
	ok(!ent.overwritten && !ent.dropped, "... no record has been overwritten");
	equal(ent.clock, get_status().clock, "... the clock of its records");

	gives(delete_buffer(0, 2), 0, "DELETE a buffer in the middle of the queue");
	check_queue((int[]){ 1, 3 }, 2, "... its neighbours in the queue are linked");
	need(delete_buffer(0, 1) ?: delete_buffer(0, 3), "DELETE");
	check_queue(NULL, 0, "... the queue is empty after all are deleted");
}

/* Check that BUFFER_READ returns marks 1 to 10 from buffer 1, whose first recid is @first. */
static void check_read_ioctl(const char *state, uint64_t first)
{
	struct lkst_log_buffer param;
	size_t num = read_all(0, 1, &param, records);

	ok(records_are(records, num, MARKS(1, 10)), "READ: %s", state);
	ok(counts_are(&param, first, 10, 0), "... with the right counts");
	need(read_buffer_max(&param, 0, 1, records, 4), "READ");
	ok(records_are(records, param.result_read_size / sizeof(records[0]), MARKS(1, 4)),
	   "... with room for 4, reads the oldest 4");
}

static void test_read(void)
{
	struct lkst_log_buffer param;
	char byte[200];
	uint64_t first;

	prepare(0, 3, SMALL);
	first = cpu_recid(0);
	need(read_buffer_max(&param, -1, VOID, records, 4096), "READ");
	ok(param.result_read_size > 0 && records[0].posix.log_event_type >= 0xf00,
	   "READ: the static buffer has records of LKST itself");
	equal(read_all(0, 2, &param, records), 0, "READ: a new buffer has no records");
	ok(counts_are(&param, param.first_recid, 0, 0), "... with the right counts");
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	check_read_ioctl("the current buffer", first);
	need(shift(0), "SHIFT");
	select_maskset(SET_NOTHING);
	check_read_ioctl("a queued buffer", first);
	need(set_mode(0, LKST_READ_MODE_RAW), "SETRMOD");
	need(read(lkst_fd, byte, sizeof(byte)) == 3 * RECORD_SIZE ? 0 : EIO, "read()");
	check_read_ioctl("a buffer that is being read", first);
	reopen_lkst();

	/* Read buffer 1 to its end, which makes it free. */
	need(set_mode(0, LKST_READ_MODE_RAW), "SETRMOD");
	set_nonblock(true);
	while (read(lkst_fd, byte, sizeof(byte)) > 0)
		;
	reopen_lkst();
	equal(buffer_of(0, 1).state, LKST_BUFFER_FREE, "a buffer that was read is free");
	check_read_ioctl("a buffer that has been read", first);
}

void test_ioctls(void)
{
	test_create();
	test_delete();
	test_link();
	test_list_room();
	test_list_queue();
	test_read();
}

/*
 * Read buffer 1 with first_recid set to @recid, as an earlier call may have left it. BUFFER_READ
 * must ignore first_recid, and begin with the oldest record. Return 0 or errno.
 */
static int read_from(struct lkst_log_buffer *param, int cpu, uint64_t recid)
{
	*param = (struct lkst_log_buffer){
		.cpu = cpu, .id = 1, .first_recid = recid,
		.read_size = SLOTS * sizeof(records[0]), .buffer = (uintptr_t)records,
	};
	return lkst(LKST_IOC_BUFFER_READ, param);
}

/* Whether all @num records that have not been overwritten were read, with consecutive recids. */
static bool reads_all(const struct lkst_log_buffer *param, size_t num)
{
	uint64_t oldest = param->first_recid + param->overwritten;
	size_t read = param->result_read_size / sizeof(records[0]), i = 0;

	while (i < read && records[i].posix.log_recid == oldest + i)
		i++;
	if (read == num && i == num && param->recorded == param->overwritten + num)
		return true;
	diag("%zu records, not %zu; record %zu has recid %llu, not %llu", read, num, i,
	     i < read ? (ull)records[i].posix.log_recid : 0, (ull)oldest + i);
	return false;
}

/* Check that all @num records of buffer 1 of CPU 0 are read, whatever first_recid is. */
static void test_places(size_t num)
{
	struct lkst_log_buffer all, param;
	uint64_t oldest;

	need(read_from(&all, 0, 0), "READ");
	oldest = all.first_recid + all.overwritten;
	ok(reads_all(&all, num), "READ: all %zu records, %llu overwritten", num,
	   (ull)all.overwritten);
	for (unsigned int i = 0; i < 4; i++) {
		const uint64_t recids[] = { oldest, oldest + 1, oldest + num, ~0ULL };

		gives(read_from(&param, 0, recids[i]), 0, "READ with first_recid %llu",
		      (ull)recids[i]);
		ok(reads_all(&param, num) &&
			   counts_are(&param, all.first_recid, all.recorded, all.overwritten),
		   "... reads all");
	}
}

void test_read_from(void)
{
	static struct lkst_log_record all[600];
	struct lkst_log_buffer param;
	size_t num;
	int high;

	prepare(0, 1, SMALL);
	prepare(1, 1, SMALL);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	test_places(10);
	marks(0, 11, 3 * SLOTS);
	marks(1, 1, 5);
	select_maskset(SET_NOTHING);
	test_places(SLOTS);

	high = cpu_recid(1) > cpu_recid(0);
	need(read_from(&param, high, 0), "READ");
	param.cpu = !high;
	gives(lkst(LKST_IOC_BUFFER_READ, &param), 0,
	      "READ: CPU %d, then CPU %d with the same structure", high, !high);
	ok(reads_all(&param, high ? SLOTS : 5), "... reads all");

	need(read_buffer_max(&param, -1, VOID, all, 600), "READ");
	num = param.result_read_size / sizeof(all[0]);
	param.first_recid = all[num - 1].posix.log_recid;
	gives(lkst(LKST_IOC_BUFFER_READ, &param), 0,
	      "READ: the static buffer, with first_recid set");
	equal(param.result_read_size, num * sizeof(all[0]), "... reads all");
	equal(param.first_recid, 0, "... starting with recid 0");
	reset(0);
	reset(1);
}
