// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "record_cpu_world.h"
#include "record_world.h"

#define RECIDS	    8192
#define EVENTS	    4096
#define FIRST_RECID 1000
#define OVFLOW	    0xf01

struct event {
	u64 began, ended; /* in the order of what happens; 0: not yet */
	u64 clock_from, clock_to;
	u64 recid; /* or 0 */
};

/* What is known of a recid. */
struct seen {
	bool read; /* by somebody: @record */
	bool delivered; /* by who reads the queue */
	bool lost; /* to who reads the queue: a shift has said so */
	bool imaged; /* it is in the image that was looked at last */
	struct lkst_event_record record;
};

/* A reader on its way. */
struct reading {
	bool queue; /* it reads the queue */
	unsigned int pending; /* records that it has not got */
	u64 lapped; /* the last recid that it found overwritten, or 0 */
};

static struct {
	const struct cpu_start *start;
	struct event events[EVENTS]; /* by serial */
	struct seen recids[RECIDS]; /* from FIRST_RECID on */
	u64 serial;
	u64 last; /* recid that was seen, + 1 */
	u64 now;
	unsigned int depth; /* operations under way, one nested in the other */
	struct reading reading; /* of the innermost */
} world;

static const struct {
	unsigned int buffers;
	unsigned long slots;
	unsigned int lap;
	enum record_own own;
} starts[] = {
	{ 2, 7, 0, RECORD_OWN },	{ 3, 7, 1, RECORD_OWN },
	{ 2, 8, 2, RECORD_OWN },	{ 2, 16, 1, RECORD_OWN_SHIFT },
	{ 3, 16, 0, RECORD_OWN_SHIFT }, { 3, 17, 2, RECORD_OWN_SHIFT },
	{ 2, 24, 1, RECORD_OWN },
};

const struct cpu_start *cpu_start(unsigned int n)
{
	static struct cpu_start start;
	static char name[80];
	u64 laps[] = { 0, 1, record_lap_max() };

	if (n >= sizeof(starts) / sizeof(*starts))
		return NULL;
	start = (struct cpu_start){ name, starts[n].buffers, starts[n].slots, laps[starts[n].lap],
				    starts[n].own };
	snprintf(name, sizeof(name), "%u buffers of %lu from lap %llu that %s", start.buffers,
		 start.slots, start.lap, start.own == RECORD_OWN_SHIFT ? "are left" : "wrap");
	return &start;
}

void cpu_begin(const struct cpu_start *start)
{
	static const struct record_context boot;

	memset(world.events, 0, (size_t)world.serial * sizeof(*world.events));
	memset(world.recids, 0, (size_t)world.last * sizeof(*world.recids));
	world.start = start;
	world.serial = 1;
	world.last = 0;
	world.now = 1;
	world.depth = 0;
	record_clock = 1000;
	record_current = &boot;
	init_buffers(start->buffers, start->slots, start->lap, FIRST_RECID, start->own);
}

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
	u64 recid;

	for (recid = first; recid < first + recids; recid++) {
		struct seen *lost = seen(recid);

		if (lost->delivered)
			record_fail("recid %llu is said to be lost, but was delivered", recid);
		lost->lost = true;
	}
}

/* What a record says of losses must be true as well: a buffer that is full says how many there are. */
static void check_own_event(const struct lkst_event_record *record)
{
	if (record->event_type == OVFLOW && world.reading.queue)
		record_cpu_lost(record->arg[2], record->arg[1]);
}

static void found(u64 recid, enum record_result result, const struct lkst_event_record *record)
{
	struct seen *this = seen(recid);

	if (result == RECORD_LAPPED)
		world.reading.lapped = recid;
	if (result != RECORD_READ) {
		world.reading.pending += result == RECORD_PENDING;
		return;
	}
	if (this->read && memcmp(&this->record, record, sizeof(*record)))
		record_fail("recid %llu was read twice, and differs", recid);
	this->record = *record;
	this->read = true;
	if (world.reading.queue) {
		if (this->delivered || this->lost)
			record_fail("recid %llu was delivered, but %s before", recid,
				    this->lost ? "said to be lost" : "delivered");
		this->delivered = true;
	}
	if (record->event_type < LKST_ETYPE_LKST_MIN)
		check_event(recid, record);
	else
		check_own_event(record);
}

/* Not read: at most what was dropped, and what those under way are at. */
static void check_pending(unsigned int under_way)
{
	u64 most = all_dropped() + under_way;

	if (world.reading.pending > most)
		record_fail("%u records were not read, but %llu dropped, %u under way",
			    world.reading.pending, most - under_way, under_way);
}

/* Operations */

static void do_event(void)
{
	struct lkst_event_record record;
	u64 serial = world.serial++, args[4];
	struct event *event = &world.events[serial];

	if (world.serial > EVENTS)
		record_fail("EVENTS is too small");
	event->began = world.now++;
	event->clock_from = record_clock;
	record_world_fill(serial, &record);
	memcpy(args, record.arg, sizeof(args));
	record_buffers_event(record.event_type, args);
	event->clock_to = record_clock;
	event->ended = world.now++;
}

static void do_read(void)
{
	world.reading = (struct reading){ .queue = true };
	while (read_queue(found))
		;
	check_pending(0);
}

static void do_look(void)
{
	unsigned int i, under_way = world.depth - 1;

	for (i = 0; i < world.start->buffers; i++) {
		world.reading = (struct reading){ .queue = false };
		record_buffers_read(i, found);
		check_pending(under_way);
		check_quiescent(i);
		if (world.reading.lapped && world.reading.lapped >= record_buffers_oldest(i))
			record_fail("recid %llu is said to be overwritten", world.reading.lapped);
	}
}

static void found_in_image(u64 recid, enum record_result result,
			   const struct lkst_event_record *record)
{
	if (seen(recid)->imaged)
		record_fail("recid %llu is in the image twice", recid);
	found(recid, result, record);
	seen(recid)->imaged = true;
}

static void found_also_in_image(u64 recid, enum record_result result,
				const struct lkst_event_record *record)
{
	found(recid, result, record);
	if (result == RECORD_READ && !seen(recid)->imaged)
		record_fail("recid %llu is not in the image", recid);
}

/* Each record has its recid there, and all that can be read are there. */
static void do_image(void)
{
	unsigned int i;
	u64 n;

	world.reading = (struct reading){ .queue = false };
	for (n = 0; n < world.last; n++)
		world.recids[n].imaged = false;
	for (i = 0; i < world.start->buffers; i++)
		record_buffers_image(i, found_in_image);
	for (i = 0; i < world.start->buffers; i++)
		record_buffers_read(i, found_also_in_image);
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

static void do_log(void)
{
	struct lkst_log_record log[RECORD_SLOTS_MAX];
	struct lkst_log_buffer counts;
	unsigned int buffer, i, num;
	u64 recid;

	for (buffer = 0; buffer < world.start->buffers; buffer++) {
		if (opening(buffer))
			continue;
		num = record_buffers_read_log(buffer, log, RECORD_SLOTS_MAX, &counts);
		recid = counts.first_recid;
		for (i = 0; i < num; i++) {
			check_log(&log[i], recid);
			recid = log[i].posix.log_recid + 1;
		}
		if (counts.recorded !=
		    num + counts.overwritten + counts.dropped + counts.unfinished)
			record_fail(
				"%llu recorded, but %u read + %llu overwritten + %llu dropped + %llu unfinished",
				counts.recorded, num, counts.overwritten, counts.dropped,
				counts.unfinished);
	}
}

static void do_op(enum cpu_op op)
{
	unsigned long i;

	switch (op) {
	case CPU_EVENT:
		return do_event();
	case CPU_FILL:
		for (i = 0; i < world.start->slots; i++)
			cpu_do(CPU_EVENT, NULL, 0);
		return;
	case CPU_LAST:
		while (record_buffers_left())
			cpu_do(CPU_EVENT, NULL, 0);
		return;
	case CPU_SHIFT:
		record_buffers_shift();
		return;
	case CPU_STOP:
		record_buffers_stop();
		/* A reader may have it at the first try. */
		if (record_buffers_jump(0) && record_buffers_jump(0))
			record_fail("there is no way back to the first buffer");
		return;
	case CPU_JUMP:
		record_buffers_jump(0);
		return;
	case CPU_TIME:
		return stop_and_continue();
	case CPU_NOTE:
		return lkst_emit_time();
	case CPU_READ:
		return do_read();
	case CPU_TAKE:
		record_buffers_take();
		return;
	case CPU_LOOK:
		return do_look();
	case CPU_LOG:
		return do_log();
	case CPU_IMAGE:
		return do_image();
	}
}

/* Task, softirq, hardirq, NMI. */
static u32 count_of(unsigned int depth)
{
	static const u32 counts[] = { 0, 0x100, 0x10000, 0x100000 };

	return counts[depth < 3 ? depth : 3];
}

long cpu_do(enum cpu_op op, struct record_interrupt *interrupts, unsigned int num)
{
	const struct record_context *interrupted = record_current;
	struct record_context context = record_world_context(world.serial);
	struct reading reading = world.reading;
	struct record_steps saved;
	long executed;

	record_clock++;
	context.count = count_of(world.depth++);
	record_current = &context;
	record_step_enter(&saved, interrupts, num);
	do_op(op);
	executed = record_step_leave(&saved);
	record_current = interrupted;
	world.reading = reading;
	world.depth--;
	return executed;
}

void cpu_run(const char *ops)
{
	for (; *ops; ops++)
		cpu_do((enum cpu_op) * ops, NULL, 0);
}

void cpu_interrupt(void *ops)
{
	cpu_run(ops);
}

/* The end */

/* The events of ascending recids: none ended before an earlier one began. */
static void check_order(void)
{
	u64 n, began = 0;

	for (n = 0; n < world.last; n++) {
		const struct lkst_event_record *record = &world.recids[n].record;
		const struct event *event = &world.events[record_world_serial(record)];

		if (!world.recids[n].read || record->event_type >= LKST_ETYPE_LKST_MIN)
			continue;
		if (event->ended < began)
			record_fail("recid %llu is that of an event before the one before",
				    n + FIRST_RECID);
		if (began < event->began)
			began = event->began;
	}
}

static void check_recids(void)
{
	u64 recid, serial, lost = 0, missing = 0;

	for (recid = FIRST_RECID; recid < record_buffers_next(); recid++) {
		const struct seen *this = seen(recid);

		if (this->delivered == this->lost)
			record_fail("recid %llu was %s delivered and %s said to be lost", recid,
				    this->delivered ? "" : "not", this->lost ? "" : "not");
		lost += this->lost;
	}
	for (serial = 1; serial < world.serial; serial++)
		missing += !world.events[serial].recid;
	if (missing > lost + record_buffers_lost() || (!lost && missing < record_buffers_lost()))
		record_fail("%llu events are missing, %llu lost, %llu found no buffer", missing,
			    lost, record_buffers_lost());
	if (world.last != record_buffers_next() - FIRST_RECID)
		record_fail("recids up to %llu were seen, the next is %llu",
			    world.last + FIRST_RECID, record_buffers_next());
}

/* What there is in the current buffer, as if it had been left and read. */
static void read_current(void)
{
	unsigned int id = record_buffers_current();
	u64 recid;

	world.reading = (struct reading){ .queue = true };
	for (recid = record_buffers_first(id); recid < record_buffers_oldest(id); recid++)
		seen(recid)->lost = true;
	record_buffers_read(id, found);
	check_pending(0);
}

void cpu_end(void)
{
	if (world.depth || record_buffers_shifting())
		record_fail("something is under way");
	cpu_run("blr");
	cpu_run("srsr");
	read_current();
	check_recids();
	check_order();
	if (!in_bounds())
		record_fail("something was written outside of the slots");
}
