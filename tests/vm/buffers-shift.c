// SPDX-License-Identifier: GPL-2.0
/*
 * SHIFT, JUMP, the slots that stay free when a buffer is opened, and what happens when one is
 * full: LKST_BUFF_OVFLOW and its handlers.
 */
#include "buffers-test.h"

#define NO_CPU 9999

/* Slots that are filled before a small buffer that was just opened is full. */
#define ROOM (SLOTS - SLOTS / 8)

static struct lkst_log_record records[4096];

static struct want a_mark(uint64_t n)
{
	return (struct want){ USER_MARK, { n, n * 3, ~n } };
}

static struct want a_shift(int from, int to, uint64_t first)
{
	return (struct want){ BUFF_SHIFT, { from, to, first } };
}

static struct want an_overflow(int id, uint64_t num, uint64_t first)
{
	return (struct want){ BUFF_OVFLOW, { id, num, first } };
}

/* The list of what must be there grows at its end. */
struct wants {
	unsigned int num;
	struct want want[300];
};

static void add(struct wants *wants, struct want want)
{
	wants->want[wants->num++] = want;
}

static void add_marks(struct wants *wants, uint64_t first, unsigned int num)
{
	while (num--)
		add(wants, a_mark(first++));
}

/* What is left of it when as many have been overwritten. */
static void check_buffer(int id, const struct wants *wants, unsigned int gone, const char *name)
{
	struct lkst_log_buffer param;
	struct lkst_buffer_listent ent;
	size_t num = read_all(0, id, &param, records);

	ok(records_are(records, num, wants->want + gone, wants->num - gone), "%s", name);
	ent = buffer_of(0, id);
	if (!ok(param.recorded == wants->num && param.overwritten == gone &&
			ent.overwritten == gone && ent.first_recid == param.first_recid &&
			next_recid(&ent) == param.first_recid + param.recorded && !param.dropped &&
			!param.unfinished,
		"... counts"))
		diag("recorded %llu, overwritten %llu (%llu), first %llu (%llu), next %llu",
		     (ull)param.recorded, (ull)param.overwritten, (ull)ent.overwritten,
		     (ull)param.first_recid, (ull)ent.first_recid, (ull)next_recid(&ent));
}

static void test_shift_records(void)
{
	struct wants one = {}, two = {};
	uint64_t first;

	prepare(0, 3, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_WRAP);
	marks(0, 1, 10);
	add_marks(&one, 1, 10);
	gives(shift(0), 0, "SHIFT");
	add(&two, a_shift(1, 2, first + 10));
	marks(0, 11, 3);
	add_marks(&two, 11, 3);
	equal(written_buffer(0), 2, "... to the next");
	check_buffer(1, &one, 0, "... the old one keeps its records");
	check_buffer(2, &two, 0, "... the new one begins with LKST_BUFF_SHIFT");
	gives(jump(0, 2), 0, "JUMP: to the one being written");
	check_buffer(2, &two, 0, "... does nothing");
	gives(jump(0, 3), 0, "JUMP");
	equal(written_buffer(0), 3, "... goes there");
	select_maskset(SET_NOTHING);
	refused(EINVAL, jump(0, 77), "JUMP: there is none");
	refused(EINVAL, jump(0, VOID), "JUMP: VOID");
	refused(EINVAL, jump(0, -1), "JUMP: id -1");
	refused(EINVAL, jump(-1, 1), "JUMP: CPU -1");
	refused(EINVAL, jump(NO_CPU, 1), "JUMP: CPU %d", NO_CPU);
	refused(EINVAL, shift(-1), "SHIFT: CPU -1");
	refused(EINVAL, shift(NO_CPU), "SHIFT: CPU %d", NO_CPU);
	need(link_buffer(0, 3, 9), "LINK");
	refused(EINVAL, shift(0), "SHIFT: the next does not exist");
	need(link_buffer(0, 3, VOID), "LINK");
	refused(EINVAL, shift(0), "SHIFT: a terminal buffer");
	reset(0);
}

/* From the other CPU, and in a buffer in which nothing is recorded. */
static void test_shift_empty(void)
{
	struct buffers buffers;
	uint64_t first;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	pin(1);
	gives(shift(0), 0, "SHIFT from another CPU");
	list_buffers(&buffers, 0);
	equal(buffers.param.write_buf, 2, "... to the next");
	ok(buffers.param.rq_head == VOID && find_buffer(&buffers, 1)->state == LKST_BUFFER_FREE,
	   "... a buffer with nothing in it is not queued");
	equal(cpu_recid(0), first, "... and no recid is used up");
	pin(0);
	reset(0);
}

static void test_reserve(void)
{
	static const uint64_t sizes[] = {
		SMALL, 3 * SMALL, 7 * SMALL, 8 * SMALL, 9 * SMALL, 1 << 20
	};
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		prepare(0, 2, sizes[i]);
		select_maskset(SET_MARKS);
		need(shift(0), "SHIFT");
		equal(buffer_of(0, 2).write_offset, reserve(sizes[i]),
		      "of %llu slots, %u are free when the buffer is opened",
		      (ull)sizes[i] / RECORD_SIZE, reserve(sizes[i]));
		select_maskset(SET_WRAP);
		need(shift(0), "SHIFT");
		equal(buffer_of(0, 1).write_offset, reserve(sizes[i]) + 1,
		      "... and LKST_BUFF_SHIFT");
	}
	select_maskset(SET_SYNC);
	need(shift(0), "SHIFT");
	equal(buffer_of(0, 2).write_offset, reserve(sizes[i - 1]) + 2, "... and LKST_SYNC_TIME");
	read_all(0, 2, &(struct lkst_log_buffer){}, records);
	ok(records[0].posix.log_event_type == SYNC_TIME ||
		   records[1].posix.log_event_type == SYNC_TIME,
	   "... indeed");
	reset(0);
}

/* LKST_BUFF_OVFLOW is recorded, and the buffer goes round. */
static void test_wrap(void)
{
	struct wants wants = {}, two = {};
	uint64_t first;

	prepare(0, 2, SMALL);
	need(link_buffer(0, 1, VOID), "LINK");
	first = cpu_recid(0);
	select_maskset(SET_WRAP);
	marks(0, 1, ROOM);
	add_marks(&wants, 1, ROOM);
	check_buffer(1, &wants, 0, "a buffer that is full but for its reserve");
	marks(0, ROOM + 1, 1);
	add_marks(&wants, ROOM + 1, 1);
	add(&wants, an_overflow(1, 0, first));
	check_buffer(1, &wants, 0, "one more: LKST_BUFF_OVFLOW, and nothing is overwritten yet");
	marks(0, 100, SLOTS / 8 - 2);
	add_marks(&wants, 100, SLOTS / 8 - 2);
	check_buffer(1, &wants, 0, "the reserve is used");
	marks(0, 200, SLOTS - SLOTS / 8);
	add_marks(&wants, 200, SLOTS - SLOTS / 8);
	check_buffer(1, &wants, ROOM, "then the oldest are overwritten");
	marks(0, 300, 10);
	add_marks(&wants, 300, 1);
	add(&wants, an_overflow(1, ROOM + 1, first));
	add_marks(&wants, 301, 9);
	check_buffer(1, &wants, ROOM + 11, "LKST_BUFF_OVFLOW tells so");

	need(link_buffer(0, 1, 2), "LINK");
	need(shift(0), "SHIFT");
	add(&two, a_shift(1, 2, first + wants.num));
	add(&two, an_overflow(1, ROOM + 11, first));
	check_buffer(1, &wants, ROOM + 11, "shifted away it is as it was");
	check_buffer(2, &two, 0, "and the loss is told in the next buffer, exactly");
	reset(0);
}

/* LKST_BUFF_OVFLOW is masked. */
static void test_untold(void)
{
	struct wants wants = {}, two = {};
	uint64_t first;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_UNTOLD);
	marks(0, 1, 150);
	add_marks(&wants, 1, 150);
	check_buffer(1, &wants, 150 - SLOTS, "LKST_BUFF_OVFLOW masked: the buffer goes round");
	need(shift(0), "SHIFT");
	add(&two, a_shift(1, 2, first + 150));
	check_buffer(2, &two, 0, "... and the shift tells of no loss");
	reset(0);
}

/* LKST_BUFF_OVFLOW goes to a handler that shifts. */
static void test_shift_handler(int maskset, const char *name)
{
	struct wants one = {}, two = {}, three = {};
	uint64_t first;

	prepare(0, 3, SMALL);
	first = cpu_recid(0);
	select_maskset(maskset);
	marks(0, 1, ROOM + 4);
	add_marks(&one, 1, ROOM + 1);
	add(&two, a_shift(1, 2, first + ROOM + 1));
	add(&two, an_overflow(1, 0, first));
	add_marks(&two, ROOM + 2, 3);
	check_buffer(1, &one, 0, name);
	check_buffer(2, &two, 0, "... leads to the next buffer, and is recorded there");
	equal(buffer_of(0, 1).state, LKST_BUFFER_QUEUED, "... the full one is queued");

	/* Two of the second are no marks. */
	marks(0, ROOM + 5, ROOM - 4);
	add_marks(&two, ROOM + 5, ROOM - 4);
	add(&three, a_shift(2, 3, first + one.num + two.num));
	add(&three, an_overflow(2, 0, first + one.num));
	check_buffer(2, &two, 0, "... and on");
	check_buffer(3, &three, 0, "... to the third");
	reset(0);
}

/* A buffer that is queued unread is opened again. */
static void test_loss(int maskset, const char *name)
{
	struct wants one = {}, two = {};
	struct buffers buffers;
	uint64_t first, again;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(maskset);
	marks(0, 1, 20);
	need(shift(0), "SHIFT");
	add(&two, a_shift(1, 2, first + 20));
	marks(0, 21, 5);
	add_marks(&two, 21, 5);
	again = cpu_recid(0);
	need(shift(0), "SHIFT");
	add(&one, a_shift(2, 1, again));
	add(&one, an_overflow(1, 20, first));
	marks(0, 26, 2);
	add_marks(&one, 26, 2);
	check_buffer(2, &two, 0, name);
	check_buffer(1, &one, 0, "... what was in it is lost, and told");
	list_buffers(&buffers, 0);
	ok(buffers.param.rq_head == 2 && buffers.param.rq_tail == 2,
	   "... and it is not queued any more");
	reset(0);
}

/* JUMP back into a queued buffer, from another one than the order of the queue has it. */
static void test_jump_loss(void)
{
	struct wants two = {};
	struct buffers buffers;
	uint64_t second;

	prepare(0, 4, SMALL);
	select_maskset(SET_WRAP);
	marks(0, 1, 3);
	need(shift(0), "SHIFT");
	second = buffer_of(0, 2).first_recid;
	marks(0, 4, 6);
	need(shift(0), "SHIFT");
	need(shift(0), "SHIFT");
	need(jump(0, 2), "JUMP");
	add(&two, a_shift(4, 2, cpu_recid(0) - 2));
	add(&two, an_overflow(2, 7, second));
	check_buffer(2, &two, 0, "JUMP into the middle of the queue: the loss is told");
	list_buffers(&buffers, 0);
	select_maskset(SET_NOTHING);
	ok(buffers.param.rq_head == 1 && find_buffer(&buffers, 1)->rq_next == 3 &&
		   find_buffer(&buffers, 3)->rq_next == 4 && buffers.param.rq_tail == 4,
	   "... and the queue goes on around it");
	reset(0);
}

/* There is nowhere to go: it goes round. */
static void test_terminal(void)
{
	struct lkst_buffer_listent ent;
	struct lkst_log_buffer param;
	unsigned int told = 0;
	uint64_t first;
	size_t num, i;

	prepare(0, 1, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_SHIFT);
	marks(0, 1, 1000);
	select_maskset(SET_NOTHING);
	equal(written_buffer(0), 1, "overflow of a terminal buffer: it is written on");
	num = read_all(0, 1, &param, records);
	equal(num, SLOTS, "... and full");
	ent = buffer_of(0, 1);
	equal(next_recid(&ent) - first, ent.overwritten + SLOTS, "... counts");
	for (i = 0; i < num; i++)
		if (records[i].posix.log_event_type == BUFF_OVFLOW) {
			told++;
			ok(records[i].log_arg1 == 1 && records[i].log_arg3 == first &&
				   records[i].log_arg2 ==
					   records[i].posix.log_recid - SLOTS - first,
			   "... LKST_BUFF_OVFLOW tells so");
		}
	equal(told, 1, "... once a lap");
	reset(0);
}

/* LKST_BUFF_SHIFT is masked: a buffer begins with its first event. */
static void test_shift_masked(void)
{
	struct wants wants = {};
	uint64_t first;

	prepare(0, 2, SMALL);
	first = cpu_recid(0);
	select_maskset(SET_OVFLOW);
	marks(0, 1, 5);
	need(shift(0), "SHIFT");
	need(shift(0), "SHIFT");
	add(&wants, an_overflow(1, 5, first));
	marks(0, 6, 1);
	add_marks(&wants, 6, 1);
	check_buffer(1, &wants, 0, "LKST_BUFF_SHIFT masked: the loss is told all the same");
	reset(0);
}

void test_shift(void)
{
	test_shift_records();
	test_shift_empty();
	test_reserve();
}

void test_overflow(void)
{
	test_wrap();
	test_untold();
	test_shift_handler(SET_SHIFT, "LKST_BUFF_OVFLOW to the shift handler");
	test_shift_handler(SET_SHIFT_DW, "LKST_BUFF_OVFLOW to the one that also wakes");
	test_loss(SET_WRAP, "SHIFT into a queued buffer");
	test_loss(SET_SHIFT, "... also with the shift handler");
	test_jump_loss();
	test_terminal();
	test_shift_masked();
}
