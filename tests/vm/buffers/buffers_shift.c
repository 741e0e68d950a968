// SPDX-License-Identifier: GPL-2.0
/*
 * Check three things: SHIFT and JUMP; the slots that stay unused until a buffer wraps for the first
 * time; and LKST_BUFF_OVFLOW, with each of its handlers, when a buffer is full.
 */
#include "buffers_test.h"

static struct lkst_log_record records[4096];

/*
 * Check that a buffer has the records in @expected, except for the first @overwritten of them.
 */
static void check_buffer(int id, unsigned int overwritten, const char *name,
			 const struct expected *expected)
{
	struct lkst_log_buffer param;
	size_t num = read_all(0, id, &param, records);
	struct lkst_buffer_listent ent = buffer_of(0, id);

	ok(compare_records(records, num, overwritten, expected), "%s", name);
	if (!ok(counts_are(&param, ent.first_recid, num + overwritten, overwritten) &&
			ent.overwritten == overwritten &&
			next_recid(&ent) == ent.first_recid + num + overwritten,
		"... with the right counts"))
		diag("LIST: first recid %llu, next %llu, %llu overwritten", (ull)ent.first_recid,
		     (ull)next_recid(&ent), (ull)ent.overwritten);
}

#define has_left(id, overwritten, name, ...) \
	check_buffer(id, overwritten, name, (struct expected[]){ __VA_ARGS__, {} })
#define has(id, name, ...) has_left(id, 0, name, __VA_ARGS__)

/* Call prepare_ring(). Return the first recid of buffer 1. */
static uint64_t start(int num, int maskset)
{
	uint64_t first;

	prepare(0, num, SMALL);
	first = cpu_recid(0);
	select_maskset(maskset);
	return first;
}

static void test_shift_records(void)
{
	uint64_t first = start(3, SET_WRAP);

	marks(0, 1, 10);
	gives(shift(0), 0, "SHIFT");
	marks(0, 11, 3);
	equal(written_buffer(0), 2, "... the next buffer is the current one");
	has(1, "... the old buffer keeps its records", MARKS(1, 10));
	has(2, "... the new buffer begins with LKST_BUFF_SHIFT", A_SHIFT(1, 2, first + 10),
	    MARKS(11, 3));
	gives(jump(0, 2), 0, "JUMP: to the current buffer");
	has(2, "... changes nothing", A_SHIFT(1, 2, first + 10), MARKS(11, 3));
	gives(jump(0, 3), 0, "JUMP");
	equal(written_buffer(0), 3, "... makes that buffer the current one");
}

/* Check a shift that another CPU requests while the current buffer has no records. */
static void test_shift_empty(void)
{
	uint64_t first = start(2, SET_NOTHING);

	pin(1);
	gives(shift(0), 0, "SHIFT from another CPU");
	equal(written_buffer(0), 2, "... the next buffer is the current one");
	ok(queue_of(0).rq_head == VOID && buffer_of(0, 1).state == LKST_BUFFER_FREE,
	   "... a buffer without records is not queued");
	equal(cpu_recid(0), first, "... and no recid is used");
	pin(0);
}

static void test_reserve(void)
{
	static const uint64_t sizes[] = { SMALL,     3 * SMALL, 7 * SMALL,
					  8 * SMALL, 9 * SMALL, 1 << 20 };
	unsigned int free = 0, syncs = 0;
	size_t num;

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		free = reserve(sizes[i]);
		prepare(0, 2, sizes[i]);
		select_maskset(SET_MARKS);
		need(shift(0), "SHIFT");
		equal(buffer_of(0, 2).write_offset, free,
		      "of %llu slots, %u are free when the buffer is opened",
		      (ull)sizes[i] / RECORD_SIZE, free);
		select_maskset(SET_WRAP);
		need(shift(0), "SHIFT");
		equal(buffer_of(0, 1).write_offset, free + 1, "... plus LKST_BUFF_SHIFT");
	}
	select_maskset(SET_SYNC);
	need(shift(0), "SHIFT");
	select_maskset(SET_NOTHING);
	num = read_all(0, 2, &(struct lkst_log_buffer){}, records);
	for (size_t i = 0; i < num; i++)
		syncs += records[i].posix.log_event_type == SYNC_TIME;
	equal(buffer_of(0, 2).write_offset, free + 1 + syncs, "... plus LKST_SYNC_TIME");
	/* LKST also records the time once a minute, and perhaps just now. */
	ok(syncs == 1 || syncs == 2, "... once, or twice if a minute has just passed");
	ok(records[0].posix.log_event_type == SYNC_TIME ||
		   records[1].posix.log_event_type == SYNC_TIME,
	   "... which is one of the first two records");
}

/* Check the records of a buffer that wraps in place while LKST_BUFF_OVFLOW is recorded. */
static void test_wrap(void)
{
	uint64_t first = start(2, SET_WRAP);

#define FULL MARKS(1, ROOM + 1), AN_OVERFLOW(1, 0, first), MARKS(100, SLOTS / 8 - 2)
#define LAP  FULL, MARKS(200, ROOM)
#define ALL  LAP, MARKS(300, 1), AN_OVERFLOW(1, ROOM + 1, first), MARKS(301, 9)
	need(link_buffer(0, 1, VOID), "LINK");
	marks(0, 1, ROOM);
	has(1, "a buffer that is full up to its reserve", MARKS(1, ROOM));
	marks(0, ROOM + 1, 1);
	has(1, "the next event records LKST_BUFF_OVFLOW and overwrites nothing yet",
	    MARKS(1, ROOM + 1), AN_OVERFLOW(1, 0, first));
	marks(0, 100, SLOTS / 8 - 2);
	has(1, "more events fill the reserve", FULL);
	marks(0, 200, ROOM);
	has_left(1, ROOM, "then the oldest records are overwritten", LAP);
	marks(0, 300, 10);
	has_left(1, ROOM + 11, "the next LKST_BUFF_OVFLOW reports their number", ALL);

	need(link_buffer(0, 1, 2), "LINK");
	need(shift(0), "SHIFT");
	has_left(1, ROOM + 11, "a shift leaves the records unchanged", ALL);
	has(2, "and the next buffer reports the exact loss",
	    A_SHIFT(1, 2, first + SLOTS + ROOM + 11), AN_OVERFLOW(1, ROOM + 11, first));
}

/* Check that a buffer wraps without reporting a loss while LKST_BUFF_OVFLOW is masked. */
static void test_unreported(void)
{
	uint64_t first = start(2, SET_UNREPORTED);

	marks(0, 1, 150);
	has_left(1, 150 - SLOTS, "LKST_BUFF_OVFLOW masked: the buffer wraps", MARKS(1, 150));
	need(shift(0), "SHIFT");
	has(2, "... and the shift reports no loss", A_SHIFT(1, 2, first + 150));
}

/* Check the records of buffers when the handler of LKST_BUFF_OVFLOW in @maskset shifts. */
static void test_shift_handler(int maskset, const char *name)
{
	uint64_t first = start(3, maskset), second = first + ROOM + 1;

	marks(0, 1, ROOM + 4);
	has(1, name, MARKS(1, ROOM + 1));
	has(2, "... shifts to the next buffer, which records LKST_BUFF_OVFLOW",
	    A_SHIFT(1, 2, second), AN_OVERFLOW(1, 0, first), MARKS(ROOM + 2, 3));
	equal(buffer_of(0, 1).state, LKST_BUFFER_QUEUED, "... the full buffer is queued");

	/* The second buffer already holds LKST_BUFF_SHIFT, LKST_BUFF_OVFLOW and three marks. */
	marks(0, ROOM + 5, ROOM - 4);
	has(2, "... the second buffer fills up", A_SHIFT(1, 2, second), AN_OVERFLOW(1, 0, first),
	    MARKS(ROOM + 2, ROOM - 1));
	has(3, "... and overflows to the third", A_SHIFT(2, 3, second + ROOM + 1),
	    AN_OVERFLOW(2, 0, second));
}

/* Check that the loss is reported if a queued buffer is reused before it has been read. */
static void test_loss(int maskset, const char *name)
{
	uint64_t first = start(2, maskset), again;

	queue_marks(1, 20);
	marks(0, 21, 5);
	again = cpu_recid(0);
	need(shift(0), "SHIFT");
	marks(0, 26, 2);
	has(2, name, A_SHIFT(1, 2, first + 20), MARKS(21, 5));
	has(1, "... reports the loss of its old records", A_SHIFT(2, 1, again),
	    AN_OVERFLOW(1, 20, first), MARKS(26, 2));
	ok(queue_of(0).rq_head == 2 && queue_of(0).rq_tail == 2,
	   "... the buffer is no longer queued");
}

/* Check a JUMP to a queued buffer that is not at the head of the read queue. */
static void test_jump_loss(void)
{
	uint64_t second;

	prepare_ring(4, SET_WRAP);
	queue_marks(1, 3);
	second = buffer_of(0, 2).first_recid;
	queue_marks(4, 6);
	need(shift(0), "SHIFT");
	need(jump(0, 2), "JUMP");
	has(2, "JUMP into the middle of the queue reports the loss",
	    A_SHIFT(4, 2, cpu_recid(0) - 2), AN_OVERFLOW(2, 7, second));
	ok(queue_of(0).rq_head == 1 && buffer_of(0, 1).rq_next == 3 &&
		   buffer_of(0, 3).rq_next == 4 && queue_of(0).rq_tail == 4,
	   "... and links the rest of the queue");
}

/*
 * Check that a terminal buffer (one without a next buffer) wraps, even if the handler tries to
 * shift.
 */
static void test_terminal(void)
{
	uint64_t first = start(1, SET_SHIFT);
	struct lkst_buffer_listent ent;
	struct lkst_log_buffer param;
	unsigned int reports = 0;
	size_t num;

	marks(0, 1, 1000);
	select_maskset(SET_NOTHING);
	equal(written_buffer(0), 1, "overflow of a terminal buffer: it stays the current one");
	num = read_all(0, 1, &param, records);
	equal(num, SLOTS, "... all of its slots hold records");
	ent = buffer_of(0, 1);
	equal(next_recid(&ent) - first, ent.overwritten + SLOTS, "... with the right counts");
	for (struct lkst_log_record *r = records; r < records + num; r++)
		if (r->posix.log_event_type == BUFF_OVFLOW) {
			reports++;
			ok(r->log_arg1 == 1 && r->log_arg3 == first &&
				   r->log_arg2 == r->posix.log_recid - SLOTS - first,
			   "... LKST_BUFF_OVFLOW reports the loss");
		}
	equal(reports, 1, "... once per lap");
}

/* Check that a new buffer reports a loss even if LKST_BUFF_SHIFT is masked. */
static void test_shift_masked(void)
{
	uint64_t first = start(2, SET_OVFLOW);

	queue_marks(1, 5);
	need(shift(0), "SHIFT");
	marks(0, 6, 1);
	has(1, "LKST_BUFF_SHIFT masked: the loss is still reported", AN_OVERFLOW(1, 5, first),
	    MARKS(6, 1));
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
	test_unreported();
	test_shift_handler(SET_SHIFT, "overflow with the handler buffer_shift");
	test_shift_handler(SET_SHIFT_DW, "overflow with the handler buffer_shift_dw");
	test_loss(SET_WRAP, "SHIFT into a queued buffer");
	test_loss(SET_SHIFT, "... also with the handler buffer_shift");
	test_jump_loss();
	test_terminal();
	test_shift_masked();
	reset(0);
}
