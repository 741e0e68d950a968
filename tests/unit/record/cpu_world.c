// SPDX-License-Identifier: GPL-2.0
#include "shim/lkst.h"

#include "cpu_buffers.h"
#include "cpu_chains.h"
#include "world.h"

#include "lkst/buffer/emit.h"
#include "lkst/buffer/jump.h"
#include "lkst/buffer/shift.h"
#include "lkst/dispatch/event.h"

#define RECIDS 8192
#define EVENTS 4096

struct event {
	u64 began, ended; /* world.now at the start and the end; @ended: 0 before the end */
	u64 clock_from, clock_to;
	u64 recid; /* 0 if no reader has returned the event's record */
};

/* What the reference model knows about a recid. */
struct seen {
	bool read; /* any reader has returned @record */
	bool delivered; /* the reader of the queue has returned @record */
	bool lost; /* a shift has reported it as lost to the reader of the queue */
	bool imaged; /* the record was in the last image that was read */
	struct lkst_event_record record;
};

/* The state of a read in progress. */
struct reading {
	enum {
		LOOK,
		QUEUE,
		IMAGE,
		AFTER_IMAGE, /* reads the buffers themselves, after their image has been read */
	} by;
	unsigned int pending; /* number of records that were not committed */
	u64 lapped; /* the last recid found overwritten, or 0 */
};

static struct {
	const struct cpu_start *start;
	struct event events[EVENTS]; /* the index is the serial */
	struct seen recids[RECIDS]; /* the index is recid - FIRST_RECID */
	u64 serial;
	u64 last; /* number of recids from FIRST_RECID up to the highest one seen */
	u64 now; /* sequence number, incremented when an event starts or ends */
	unsigned int depth; /* number of nested operations in progress */
	struct record_context *chain; /* context of an outermost operation that records a chain */
	bool dead; /* the machine has died, so nothing is checked at the end */
	struct reading reading; /* the read of the innermost operation */
} world;

static unsigned long cpu_begin(const void *start)
{
	static const struct record_context boot;

	memset(world.events, 0, (size_t)world.serial * sizeof(*world.events));
	memset(world.recids, 0, (size_t)world.last * sizeof(*world.recids));
	world.start = start;
	world.serial = 1;
	world.last = 0;
	world.now = 1;
	world.depth = 0;
	world.dead = false;
	chains_begin();
	record_clock = 1000;
	record_current = &boot;
	cpu_init(start);
	return world.start->slots;
}

/* ---- what readers return ---- */

static struct seen *seen(u64 recid)
{
	u64 n = recid - FIRST_RECID;

	if (n >= RECIDS)
		record_fail("recid %llu is out of range", recid);
	if (world.last <= n)
		world.last = n + 1;
	return &world.recids[n];
}

static void check_event(u64 recid, const struct lkst_event_record *record)
{
	u64 serial = record_world_serial(record);
	struct event *event = &world.events[serial];

	if (!serial || serial >= world.serial || !record_world_whole(record, serial))
		record_fail("recid %llu was read and is not whole: type %#x, serial %llu", recid,
			    record->event_type, serial);
	if (event->recid && event->recid != recid)
		record_fail("event %llu was read as recid %llu and %llu", serial, event->recid,
			    recid);
	event->recid = recid;
	if (record->clock < event->clock_from || (event->ended && record->clock > event->clock_to))
		record_fail("recid %llu was read with clock %llu, written from %llu to %llu", recid,
			    (u64)record->clock, event->clock_from, event->clock_to);
}

void record_cpu_lost(u64 first, u64 recids)
{
	for (u64 recid = first; recid < first + recids; recid++) {
		struct seen *lost = seen(recid);

		if (lost->delivered)
			record_fail("recid %llu is said to be lost, but was delivered", recid);
		lost->lost = true;
	}
}

void cpu_found(u64 recid, enum record_result result, const struct lkst_event_record *record)
{
	struct reading *reading = &world.reading;
	struct seen *this = seen(recid);

	if (result == RECORD_LAPPED)
		reading->lapped = recid;
	reading->pending += result == RECORD_PENDING;
	if (result != RECORD_READ)
		return;
	if (this->read && memcmp(&this->record, record, sizeof(*record)))
		record_fail("recid %llu was read twice, and differs", recid);
	this->record = *record;
	this->read = true;
	if (reading->by == QUEUE) {
		if (this->delivered || this->lost)
			record_fail("recid %llu was delivered, but %s before", recid,
				    this->lost ? "reported as lost" : "delivered");
		this->delivered = true;
	}
	if (reading->by == IMAGE) {
		if (this->imaged)
			record_fail("recid %llu is in the image twice", recid);
		this->imaged = true;
	}
	if (reading->by == AFTER_IMAGE && !this->imaged)
		record_fail("recid %llu is not in the image", recid);
	if (chains_found(recid, record))
		return;
	if (record->event_type < LKST_ETYPE_LKST_MIN)
		check_event(recid, record);
	else if (record->event_type == LKST_ETYPE_LKST_BUFF_OVFLOW && reading->by == QUEUE)
		record_cpu_lost(record->arg[2], record->arg[1]);
}

/*
 * Check that the number of pending records is at most the number of dropped records plus the number
 * of active operations.
 */
static void check_pending(unsigned int active)
{
	u64 dropped = cpu_dropped();

	if (world.reading.pending > dropped + active)
		record_fail(
			"%u records were pending, but only %llu were dropped and %u in progress",
			world.reading.pending, dropped, active);
}

bool record_cpu_quiescent(const struct lkst_ring *ring, unsigned long *next, u64 *from, u64 *to);

/*
 * If lkst_ring_quiescent() returns true, check that each record that has not been overwritten is
 * either complete or reported as dropped.
 */
static void check_quiescent(unsigned int id)
{
	const struct lkst_buffer *buffer = &cpu_buffers[id];
	struct lkst_cursor cursor = { .ring = &cpu_buffers[id].ring };
	unsigned long next;
	u64 from, to, end;

	if (cpu_opening(id) || !record_cpu_quiescent(cursor.ring, &next, &from, &to))
		return;
	/*
	 * Interrupts in lkst_cursor_seek() below may still overwrite records of the ring.
	 * lkst_ring_read() then returns LKST_RING_LAPPED for them.
	 */
	end = lkst_ring_position(cursor.ring, next);
	lkst_cursor_seek(&cursor, buffer->session.first);
	for (; cursor.position < end; lkst_cursor_seek(&cursor, cursor.position + 1)) {
		struct lkst_event_record record;
		enum lkst_ring_read result = lkst_ring_read(cursor.ring, cursor.index, &record);
		bool dropped = cursor.position >= from && cursor.position < to;

		if (result != LKST_RING_LAPPED && (result == LKST_RING_READ) == dropped)
			record_fail("position %llu is said to be %s, and is not", cursor.position,
				    dropped ? "dropped" : "whole");
	}
}

/* ---- operations ---- */

static void do_event(void)
{
	struct lkst_event_record record;
	u64 serial = world.serial++;
	struct event *event = &world.events[serial];

	if (world.serial > EVENTS)
		record_fail("EVENTS is too small");
	event->began = world.now++;
	event->clock_from = record_clock;
	record_world_fill(serial, &record);
	lkst_event(record.event_type, record.arg[0], record.arg[1], record.arg[2], record.arg[3]);
	event->clock_to = record_clock;
	event->ended = world.now++;
}

static void do_read(void)
{
	world.reading = (struct reading){ .by = QUEUE };
	while (cpu_read_queue())
		;
	check_pending(0);
}

static void do_look(void)
{
	for (unsigned int i = 0; i < cpu_buffer_num; i++) {
		world.reading = (struct reading){ .by = LOOK };
		cpu_read_buffer(i);
		check_pending(world.depth - 1);
		check_quiescent(i);
		if (world.reading.lapped && world.reading.lapped >= cpu_oldest_recid(i))
			record_fail("recid %llu is said to be overwritten", world.reading.lapped);
	}
}

/*
 * Check that the image gives each record its own recid, and contains all records that can be read.
 */
static void do_image(void)
{
	for (u64 n = 0; n < world.last; n++)
		world.recids[n].imaged = false;
	world.reading = (struct reading){ .by = IMAGE };
	for (unsigned int i = 0; i < cpu_buffer_num; i++)
		cpu_read_image(i);
	world.reading = (struct reading){ .by = AFTER_IMAGE };
	for (unsigned int i = 0; i < cpu_buffer_num; i++)
		cpu_read_buffer(i);
}

static void check_log(const struct lkst_log_record *log, u64 recid)
{
	struct seen *this = seen(log->posix.log_recid);
	const struct lkst_event_record *record = &this->record;

	if (log->posix.log_recid < recid)
		record_fail("recid %llu was read after %llu", log->posix.log_recid, recid - 1);
	if (this->read &&
	    (record->event_type != log->posix.log_event_type || record->arg[0] != log->log_arg1 ||
	     record->arg[3] != log->log_arg4 || record->gid != log->posix.log_gid))
		record_fail("recid %llu was read in another form, and differs",
			    log->posix.log_recid);
}

/* Read a buffer with lkst_buffer_read(). */
static void read_log(unsigned int id)
{
	struct lkst_log_record log[RECORD_SLOTS_MAX];
	struct lkst_log_buffer counts = {
		.id = (lkst_buffer_id)id,
		.read_size = sizeof(log),
		.buffer = (unsigned long)log,
	};
	size_t num = lkst_buffer_read(&counts) ? 0 : counts.result_read_size / sizeof(*log);
	u64 recid = counts.first_recid;

	for (size_t i = 0; i < num; i++) {
		check_log(&log[i], recid);
		recid = log[i].posix.log_recid + 1;
	}
	if (counts.recorded != num + counts.overwritten + counts.dropped + counts.unfinished)
		record_fail(
			"%llu recorded, but %zu read + %llu overwritten + %llu dropped + %llu unfinished",
			counts.recorded, num, counts.overwritten, counts.dropped,
			counts.unfinished);
}

static void do_log(void)
{
	for (unsigned int i = 0; i < cpu_buffer_num; i++)
		if (!cpu_opening(i))
			read_log(i);
}

static void check_left(void)
{
	if (lkst_ring_current == &cpu_buffers[0].ring)
		record_fail("a buffer that is full was not left");
}

static void stop_and_continue(void)
{
	lkst_shift_to_void(0, 0);
	/*
	 * The first call fails with -EAGAIN if an interrupt during the call changes the state of
	 * the first buffer, for example by reading it.
	 */
	if (lkst_buffer_jump(0) && lkst_buffer_jump(0))
		record_fail("the CPU cannot return to the first buffer");
}

static void cpu_run(char op, u64 number, struct record_interrupt *interrupts);

/* Make the scheduler move a thread that is recording a chain, if preemption is enabled. */
static void move(void)
{
	if (world.chain && world.depth == 2 && !record_preempt_count)
		world.chain->gid = chains_move();
}

static void do_op(char op, u64 number)
{
	switch (op) {
	case 'e':
		return do_event();
	case 'f':
		return cpu_run('e', world.start->slots, NULL);
	case 'u':
		while (lkst_ring_current->slots > lkst_index_slot(lkst_ring_current->index))
			cpu_run('e', 1, NULL);
		return;
	case 'k':
		return chains_record(8 * (unsigned int)number);
	case 'm':
		return move();
	case 's':
		lkst_buffer_shift();
		return;
	case 'j':
		lkst_buffer_jump(0);
		return;
	case 'n':
		return stop_and_continue();
	case 't':
		return lkst_emit_time();
	case 'o':
		return lkst_shift_rewrite_header();
	case 'a':
		return cpu_age(number);
	case 'r':
		return do_read();
	case 'h':
		return cpu_take_slowly();
	case 'b':
		return do_look();
	case 'l':
		return do_log();
	case 'i':
		return do_image();
	case 'd':
		world.dead = true;
		return;
	case 'q':
		return check_left();
	}
	record_fail("no operation %c", op);
}

static void run_op(char op, u64 number, struct record_interrupt *interrupts)
{
	/* the preempt_count() of a task, a softirq, a hardirq and an NMI */
	static const u32 counts[] = { 0, 0x100, 0x10000, 0x100000 };
	const struct record_context *interrupted = record_current;
	struct record_context context = record_world_context(world.serial);
	struct reading reading = world.reading;
	struct record_steps saved;

	record_clock++;
	context.count = counts[world.depth < 3 ? world.depth : 3];
	if (op == 'k')
		context.gid = chains_cpu();
	if (!world.depth++)
		world.chain = op == 'k' ? &context : NULL;
	record_current = &context;
	record_step_enter(&saved, interrupts);
	do_op(op, number);
	record_step_leave(&saved);
	record_current = interrupted;
	world.reading = reading;
	world.depth--;
}

static void cpu_run(char op, u64 number, struct record_interrupt *interrupts)
{
	u64 times = op == 'a' || op == 'k' ? 1 : number;

	while (times--)
		run_op(op, number, interrupts);
}

/* ---- checks at the end ---- */

/* Check that no event ended before an event with a lower recid started. */
static void check_order(void)
{
	u64 n, began = 0;

	for (n = 0; n < world.last; n++) {
		const struct lkst_event_record *record = &world.recids[n].record;
		const struct event *event;

		if (!world.recids[n].read || record->event_type >= LKST_ETYPE_LKST_MIN)
			continue;
		event = &world.events[record_world_serial(record)];
		if (event->ended < began)
			record_fail("recid %llu is that of an event before the one before",
				    n + FIRST_RECID);
		began = max(began, event->began);
	}
}

static void check_recids(void)
{
	u64 recid, serial, next = cpu_next_recid(), lost = 0, missing = 0;

	for (recid = FIRST_RECID; recid < next; recid++) {
		const struct seen *this = seen(recid);

		if (this->delivered == this->lost)
			record_fail("recid %llu was %s delivered and %s said to be lost", recid,
				    this->delivered ? "" : "not", this->lost ? "" : "not");
		lost += this->lost;
	}
	for (serial = 1; serial < world.serial; serial++)
		missing += !world.events[serial].recid;
	missing += chains_end();
	if (missing > lost + lkst_buffer_lost || (!lost && missing < lkst_buffer_lost))
		record_fail("%llu records are missing, %llu lost, %llu found no buffer", missing,
			    lost, (u64)lkst_buffer_lost);
	if (world.last != next - FIRST_RECID)
		record_fail("recids up to %llu were seen, the next is %llu",
			    world.last + FIRST_RECID, next);
}

/* Read the current buffer as the reader of the queue would after a shift. */
static void read_current(void)
{
	unsigned int id = (unsigned int)lkst_ring_buffer(lkst_ring_current)->id;

	world.reading = (struct reading){ .by = QUEUE };
	for (u64 recid = cpu_buffers[id].session.first_recid; recid < cpu_oldest_recid(id); recid++)
		seen(recid)->lost = true;
	cpu_read_buffer(id);
	check_pending(0);
}

static void cpu_end(void)
{
	if (world.dead)
		return;
	if (world.depth || lkst_cpu->shifting)
		record_fail("an operation is still in progress");
	for (const char *op = "blrsrsr"; *op; op++)
		cpu_run(*op, 1, NULL);
	read_current();
	check_recids();
	check_order();
	if (!cpu_in_bounds())
		record_fail("something was written outside of the slots");
}

const struct record_world cpu_world = { cpu_begin, cpu_run, cpu_end };
