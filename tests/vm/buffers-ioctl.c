// SPDX-License-Identifier: GPL-2.0
/*
 * CREATE, DELETE, LINK, LIST, READ.
 */
#include "buffers-test.h"

#define NO_CPU 9999

static void test_create_errors(void)
{
	refused(EINVAL, create(0, 1, VOID, SMALL - 1), "CREATE: less than 4 KB");
	refused(EINVAL, create(0, 1, VOID, 0), "CREATE: size 0");
	refused(EINVAL, create(0, 1, VOID, (1ULL << 30) + SMALL), "CREATE: more than 1 GB");
	refused(EINVAL, create(0, 1, VOID, ~0ULL), "CREATE: size ~0");
	refused(EINVAL, create(0, 1, VOID, 1ULL << 32 | SMALL), "CREATE: 4 GB and 4 KB");
	refused(EINVAL, create(0, -1, VOID, SMALL), "CREATE: id -1");
	refused(EINVAL, create(0, 256, VOID, SMALL), "CREATE: id 256");
	refused(EINVAL, create(0, 0, VOID, SMALL), "CREATE: an id that is there");
	refused(EINVAL, create(0, 1, 1, SMALL), "CREATE: next is the buffer itself");
	refused(EINVAL, create(0, VOID, 1, SMALL),
		"CREATE: next turns out to be the buffer itself");
	refused(EINVAL, create(0, VOID, 1, SMALL), "CREATE: VOID, next is the lowest free id");
	refused(EINVAL, create(0, 1, -1, SMALL), "CREATE: next -1");
	refused(EINVAL, create(0, 1, 256, SMALL), "CREATE: next 256");
	refused(EINVAL, create(-2, 1, VOID, SMALL), "CREATE: CPU -2");
	refused(EINVAL, create(NO_CPU, 1, VOID, SMALL), "CREATE: CPU %d", NO_CPU);
}

static void test_create_one(void)
{
	struct lkst_buffer_param param;
	struct lkst_buffer_listent ent;
	uint64_t memory = get_status().memory;

	gives(create_as(&param, 1, 5, 7, 3 * SMALL + 100), 0, "CREATE: id 5 on CPU 1");
	equal(param.result_size, 3 * SMALL, "... of 12 KB and a bit holds 12 KB");
	equal(param.id, 5, "... says its id");
	ent = buffer_of(1, 5);
	equal(ent.size, 3 * SMALL, "... LIST says so too");
	equal(ent.next, 7, "... its next need not exist");
	equal(ent.state, LKST_BUFFER_FREE, "... it is free");
	ok(ent.rq_prev == VOID && ent.rq_next == VOID, "... and not in the read queue");
	ok(!buffer_exists(0, 5), "... CPU 0 has none");
	equal(written_buffer(1), 0, "... it is not selected");
	ok(get_status().memory - memory >= 3 * SMALL, "... it takes memory");
	gives(create_as(&param, 0, 5, VOID, SMALL), 0, "CREATE: the same id on another CPU");
	equal(param.result_size, SMALL, "... of 4 KB");
}

/* CPU 0 has 0, 5; CPU 1 has 0, 5. */
static void test_create_void(void)
{
	struct lkst_buffer_param param;

	need(create(0, 1, VOID, SMALL), "CREATE");
	need(create(0, 3, VOID, SMALL), "CREATE");
	gives(create_as(&param, 0, VOID, VOID, SMALL), 0, "CREATE: VOID");
	equal(param.id, 2, "... is the lowest free id");
	gives(create_as(&param, 0, VOID, VOID, SMALL), 0, "CREATE: VOID again");
	equal(param.id, 4, "... is the next free one");
	gives(create_as(&param, -1, VOID, VOID, SMALL), 0, "CREATE: VOID, CPU -1");
	equal(param.id, 6, "... is the lowest that is free on all CPUs");
	ok(buffer_exists(0, 6) && buffer_exists(1, 6), "... each has one");
	gives(create_as(&param, -1, 9, 6, SMALL), 0, "CREATE: id 9, CPU -1");
	ok(buffer_of(0, 9).next == 6 && buffer_of(1, 9).next == 6, "... each has one");
	refused(EINVAL, create(-1, 1, VOID, SMALL), "CREATE: CPU -1, an id that CPU 0 has");
	need(create(1, 10, VOID, SMALL), "CREATE");
	refused(EINVAL, create(-1, 10, VOID, SMALL), "CREATE: CPU -1, an id that CPU 1 has");
	refused(EINVAL, create(-1, VOID, 7, SMALL),
		"CREATE: VOID, CPU -1, next is the lowest free id");
}

static void test_create_full(void)
{
	struct lkst_buffer_param param;
	int id;

	for (id = 1; id < IDS; id++)
		if (!buffer_exists(1, id))
			need(create(1, id, VOID, SMALL), "CREATE %d", id);
	refused(ENOSPC, create(1, VOID, VOID, SMALL), "CREATE: VOID with 255 buffers");
	refused(ENOSPC, create(-1, VOID, VOID, SMALL),
		"CREATE: VOID, CPU -1, with 255 buffers on one");
	need(delete_buffer(1, 77), "DELETE");
	gives(create_as(&param, 1, VOID, VOID, SMALL), 0, "CREATE: VOID with 254 buffers");
	equal(param.id, 77, "... is the one that is left");
}

void test_create(void)
{
	uint64_t memory = get_status().memory;
	int cpu;

	test_create_errors();
	test_create_one();
	test_create_void();
	test_create_full();
	for (cpu = 0; cpu < CPUS; cpu++)
		reset(cpu);
	equal(get_status().memory, memory, "DELETE gives all memory back");
}

void test_delete(void)
{
	prepare(0, 3, SMALL);
	refused(EINVAL, delete_buffer(0, 0), "DELETE: buffer 0");
	refused(EBUSY, delete_buffer(0, 1), "DELETE: the one being written");
	refused(EINVAL, delete_buffer(0, 77), "DELETE: there is none");
	refused(EINVAL, delete_buffer(0, VOID), "DELETE: VOID");
	refused(EINVAL, delete_buffer(0, -1), "DELETE: id -1");
	refused(EINVAL, delete_buffer(-1, 2), "DELETE: CPU -1");
	refused(EINVAL, delete_buffer(NO_CPU, 2), "DELETE: CPU %d", NO_CPU);
	gives(delete_buffer(0, 2), 0, "DELETE");
	ok(!buffer_exists(0, 2), "... it is gone");
	equal(buffer_of(0, 1).next, 2, "... the one before goes on naming it");
	refused(EINVAL, shift(0), "... and a shift leads nowhere");
	gives(create(0, 2, 3, 2 * SMALL), 0, "CREATE it again");
	gives(shift(0), 0, "... and a shift leads there");
	equal(written_buffer(0), 2, "... indeed");
	reset(0);
}

/* Shifts @num times from buffer 1 of a ring of as many. */
static bool goes_round(int cpu, int num)
{
	int i;

	for (i = 1; i <= num; i++) {
		if (shift(cpu))
			return false;
		if (written_buffer(cpu) != i % num + 1) {
			diag("shift %d leads to %d", i, written_buffer(cpu));
			return false;
		}
	}
	return true;
}

static void test_rings(void)
{
	static const int rings[] = { 2, 3, LKST_BUFFER_ID_MAX };
	unsigned int i;

	for (i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
		prepare(1, rings[i], SMALL);
		ok(goes_round(1, rings[i]), "a ring of %d goes round", rings[i]);
		select_maskset(SET_WRAP);
		ok(goes_round(1, rings[i]), "... also with something in them");
	}
	reset(1);
}

void test_link(void)
{
	int id;

	test_rings();

	prepare(0, 1, SMALL);
	for (id = 2; id <= 4; id++)
		need(create(0, id, VOID, SMALL), "CREATE");
	refused(EINVAL, shift(0), "SHIFT: a terminal buffer");
	gives(link_buffer(0, 1, 3)	   ?:
		      link_buffer(0, 2, 3) ?:
					     link_buffer(0, 3, 4),
	      0, "LINK a tree");
	ok(!shift(0) && written_buffer(0) == 3, "... from one of its leaves");
	ok(!shift(0) && written_buffer(0) == 4, "... to its root");
	refused(EINVAL, shift(0), "... which is terminal");
	ok(!jump(0, 2) && !shift(0) && written_buffer(0) == 3, "... from another");
	gives(link_buffer(0, 3, VOID), 0, "LINK: the one being written becomes terminal");
	refused(EINVAL, shift(0), "... and a shift leads nowhere");
	gives(link_buffer(0, 3, 9), 0, "LINK: to one that does not exist");
	refused(EINVAL, shift(0), "... a shift leads nowhere");
	need(create(0, 9, VOID, SMALL), "CREATE");
	ok(!shift(0) && written_buffer(0) == 9, "... until it does");
	refused(EINVAL, link_buffer(0, 3, 3), "LINK: to itself");
	refused(EINVAL, link_buffer(0, 77, 1), "LINK: there is none");
	refused(EINVAL, link_buffer(0, VOID, 1), "LINK: VOID");
	refused(EINVAL, link_buffer(0, -1, 1), "LINK: id -1");
	refused(EINVAL, link_buffer(0, 1, -1), "LINK: to -1");
	refused(EINVAL, link_buffer(0, 1, 256), "LINK: to 256");
	refused(EINVAL, link_buffer(-1, 1, 2), "LINK: CPU -1");
	refused(EINVAL, link_buffer(NO_CPU, 1, 2), "LINK: CPU %d", NO_CPU);
	reset(0);
}

static int list_raw(int cpu, int num, void *to, struct lkst_buffer_listparam *param)
{
	*param = (struct lkst_buffer_listparam){ .cpu = cpu,
						 .listent_num = num,
						 .listent = (uintptr_t)to };
	return lkst(LKST_IOC_BUFFER_LIST, param);
}

static void test_list_room(void)
{
	struct lkst_buffer_listent ent[4];
	struct lkst_buffer_listparam param;

	prepare(0, 3, SMALL);
	memset(ent, 0x5a, sizeof(ent));
	gives(list_raw(0, 2, ent, &param), 0, "LIST: room for 2 of 4");
	equal(param.buffer_num, 4, "... tells how many there are");
	ok(ent[0].id == 0 && ent[1].id == 1, "... in ascending order");
	equal(ent[2].size, 0x5a5a5a5a5a5a5a5a, "... and writes nothing beyond");
	gives(list_raw(0, 0, ent, &param), 0, "LIST: room for none");
	equal(param.buffer_num, 4, "... tells how many there are");
	gives(list_raw(0, 4, NULL, &param), EINVAL, "LIST: no address");
	gives(list_raw(0, 4, (void *)8, &param), EINVAL, "LIST: a bad address");
	gives(list_raw(0, -1, ent, &param), EINVAL, "LIST: room for -1");
	gives(list_raw(-1, 4, ent, &param), EINVAL, "LIST: CPU -1");
	gives(list_raw(NO_CPU, 4, ent, &param), EINVAL, "LIST: CPU %d", NO_CPU);
}

static void test_list_queue(void)
{
	struct buffers buffers;
	uint64_t first;

	prepare(0, 4, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_WRAP);
	marks(0, 1, 10);
	need(shift(0), "SHIFT");
	marks(0, 11, 5);
	need(shift(0), "SHIFT");
	need(shift(0), "SHIFT");
	list_buffers(&buffers, 0);
	select_maskset(SET_NOTHING);

	equal(buffers.param.write_buf, 4, "LIST: the one being written");
	equal(buffers.param.read_buf, VOID, "... none is being read");
	equal(buffers.param.owner, LKST_BUFFER_OWNER_NONE, "... by nobody");
	equal(buffers.param.rq_head, 1, "... head of the read queue");
	equal(buffers.param.rq_tail, 3, "... its tail");
	ok(find_buffer(&buffers, 1)->rq_prev == VOID && find_buffer(&buffers, 1)->rq_next == 2 &&
		   find_buffer(&buffers, 2)->rq_prev == 1 &&
		   find_buffer(&buffers, 2)->rq_next == 3 &&
		   find_buffer(&buffers, 3)->rq_prev == 2 &&
		   find_buffer(&buffers, 3)->rq_next == VOID,
	   "... and the links between");
	ok(find_buffer(&buffers, 0)->state == LKST_BUFFER_FREE &&
		   find_buffer(&buffers, 1)->state == LKST_BUFFER_QUEUED &&
		   find_buffer(&buffers, 2)->state == LKST_BUFFER_QUEUED &&
		   find_buffer(&buffers, 3)->state == LKST_BUFFER_QUEUED &&
		   find_buffer(&buffers, 4)->state == LKST_BUFFER_WRITTEN,
	   "... states");
	equal(find_buffer(&buffers, 1)->first_recid, first, "... first recid of buffer 1");
	equal(next_recid(find_buffer(&buffers, 1)), first + 10, "... and its next");
	equal(find_buffer(&buffers, 2)->first_recid, first + 10,
	      "... recids go on in the next buffer");
	equal(next_recid(find_buffer(&buffers, 2)), first + 16, "... with the shift");
	equal(find_buffer(&buffers, 3)->first_recid, first + 16, "... and the next");
	equal(find_buffer(&buffers, 4)->first_recid, first + 17, "... and the next");
	equal(find_buffer(&buffers, 4)->write_offset, reserve(SMALL) + 1,
	      "... where it is written");
	ok(!find_buffer(&buffers, 1)->overwritten && !find_buffer(&buffers, 1)->dropped,
	   "... nothing is overwritten");
	equal(find_buffer(&buffers, 1)->clock, get_status().clock, "... the clock");

	gives(delete_buffer(0, 2), 0, "DELETE one in the middle of the queue");
	list_buffers(&buffers, 0);
	ok(buffers.param.rq_head == 1 && buffers.param.rq_tail == 3 &&
		   find_buffer(&buffers, 1)->rq_next == 3 && find_buffer(&buffers, 3)->rq_prev == 1,
	   "... the queue closes");
	need(delete_buffer(0, 1) ?: delete_buffer(0, 3), "DELETE");
	list_buffers(&buffers, 0);
	ok(buffers.param.rq_head == VOID && buffers.param.rq_tail == VOID,
	   "... and it is empty when all are deleted");
	reset(0);
}

void test_list(void)
{
	test_list_room();
	test_list_queue();
}

static void test_read_errors(void)
{
	static struct lkst_log_record records[4096];
	struct lkst_log_buffer param;

	gives(read_buffer_max(&param, 0, 77, records, 1), EINVAL, "READ: there is none");
	gives(read_buffer_max(&param, 0, VOID, records, 1), EINVAL, "READ: VOID of a CPU");
	gives(read_buffer_max(&param, -1, 0, records, 1), EINVAL, "READ: CPU -1 with an id");
	gives(read_buffer_max(&param, NO_CPU, 0, records, 1), EINVAL, "READ: CPU %d", NO_CPU);
	gives(read_buffer_max(&param, 0, 1, NULL, 1), EINVAL, "READ: no address");
	gives(read_buffer_max(&param, 0, 1, records, 0), EINVAL, "READ: no room");
	gives(read_buffer_max(&param, -1, VOID, records, 4096), 0, "READ: the static buffer");
	ok(param.result_read_size > 0 && records[0].posix.log_event_type >= 0xf00,
	   "... has records of LKST itself");
}

/* Buffer 1 has been filled so that it holds marks 1 to 10. */
static void check_read_ioctl(const char *state, uint64_t first)
{
	static struct lkst_log_record records[4096];
	struct want want[10];
	struct lkst_log_buffer param;
	size_t num;
	int i;

	for (i = 0; i < 10; i++)
		want[i] = (struct want){ USER_MARK, { i + 1, (i + 1) * 3, ~(uint64_t)(i + 1) } };
	num = read_all(0, 1, &param, records);
	ok(records_are(records, num, want, 10), "READ: %s", state);
	ok(param.first_recid == first && param.recorded == 10 && !param.overwritten &&
		   !param.dropped && !param.unfinished,
	   "... counts");
	need(read_buffer_max(&param, 0, 1, records, 4), "READ");
	ok(records_are(records, param.result_read_size / sizeof(records[0]), want, 4),
	   "... with room for 4, the oldest 4");
}

void test_read_ioctl(void)
{
	static struct lkst_log_record records[4096];
	struct lkst_log_buffer param;
	uint64_t first;
	char byte[200];

	prepare(0, 3, SMALL);
	equal(read_all(0, 2, &param, records), 0, "READ: a new buffer has none");
	ok(!param.recorded && !param.overwritten && !param.dropped && !param.unfinished,
	   "... counts");
	test_read_errors();

	first = cpu_recid(0);
	select_maskset(SET_MARKS);
	marks(0, 1, 10);
	check_read_ioctl("the one being written", first);
	need(shift(0), "SHIFT");
	select_maskset(SET_NOTHING);
	check_read_ioctl("in the queue", first);
	gives(read_buffer_max(&param, 0, 1, (void *)8, 1), EINVAL, "READ: a bad address");
	need(set_mode(0, LKST_READ_MODE_RAW), "SETRMOD");
	need(read(lkst_fd, byte, sizeof(byte)) == 3 * RECORD_SIZE ? 0 : EIO, "read()");
	check_read_ioctl("being read", first);
	close(lkst_fd);
	open_lkst();
	prepare(1, 1, SMALL);
	reset(1);

	/* Read to the end, it is free. */
	need(set_mode(0, LKST_READ_MODE_RAW), "SETRMOD");
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	while (read(lkst_fd, byte, sizeof(byte)) > 0)
		;
	close(lkst_fd);
	open_lkst();
	equal(buffer_of(0, 1).state, LKST_BUFFER_FREE, "a buffer that was read is free");
	check_read_ioctl("one that was read", first);
	reset(0);
}
