// SPDX-License-Identifier: GPL-2.0
#include "shim/lkst.h"

#include "cpu_world.h"
#include "world.h"

#include "lkst/buffer/buffer.h"
#include "lkst/buffer/cpucall.h"
#include "lkst/dispatch/evhandler.h"
#include "lkst/buffer/emit.h"
#include "lkst/dispatch/event.h"
#include "lkst/buffer/image_session.h"
#include "lkst/image/image.h"
#include "lkst/buffer/jump.h"
#include "lkst/dispatch/maskset.h"
#include "lkst/buffer/cursor.h"
#include "lkst/read/log.h"
#include "lkst/buffer/queue.h"
#include "lkst/buffer/shift.h"
#include "lkst/memory/static_buffer.h"
#include "lkst/dispatch/maskset_select.h"

#define RECIDS	    8192
#define EVENTS	    4096
#define FIRST_RECID 1000
#define OVFLOW	    0xf01
#define GUARD	    0xa5

/* A function that a reader calls with the result for each record. */
typedef void record_found(u64 recid, enum record_result result,
			  const struct lkst_event_record *record);

struct lkst_ring lkst_ring_nowhere = { .index = LKST_INDEX_CLOSED };
struct lkst_ring *lkst_ring_current;
struct lkst_cpu *lkst_cpu;
unsigned long lkst_buffer_lost;
char record_page[PAGE_SIZE];

static struct lkst_maskset maskset;
const struct lkst_maskset *lkst_maskset_current = &maskset;
const struct lkst_maskset *lkst_maskset_dispatch = &maskset;

static struct lkst_cpu cpu;
static struct lkst_buffer buffers[RECORD_BUFFERS_MAX];
static struct lkst_event_record records[RECORD_BUFFERS_MAX]
				       [1 + RECORD_SLOTS_MAX + 1] ____cacheline_aligned;
static unsigned int num;

/*
 * Three pages for each buffer. The first and the third are its header pages. The second, where the
 * data of its extent would be, is unused, because records[] holds the slots.
 */
static unsigned char pages[RECORD_BUFFERS_MAX][3 * LKST_IMAGE_PAGE] ____cacheline_aligned;
static struct lkst_extent extents[RECORD_BUFFERS_MAX];

/* A reader of the queue, as in reader.c. @buffer is the buffer that it is reading, or NULL. */
struct reader {
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;
};

/*
 * The slow reader. Operation 'h' makes it take a buffer, and a later 'r' makes it read the buffer.
 */
static struct reader slow;

/* Replacements for the other functions of LKST that the code under test calls. */

/* Return a clock other than that of the current buffer, so that each shift changes the clock. */
unsigned int lkst_clock_current(void)
{
	return lkst_ring_current->clock == LKST_CLOCK_NS ? LKST_CLOCK_TSC : LKST_CLOCK_NS;
}

/*
 * Return the value that record_clock had when @value was read, or 0 if @value is not from @clock.
 */
static u64 record_clock_of(u64 value, unsigned int clock)
{
	if (clock == LKST_CLOCK_TSC)
		return value >= RECORD_TSC_AHEAD ? value - RECORD_TSC_AHEAD : 0;
	return value < RECORD_TSC_AHEAD ? value : 0;
}

/* Return a rate that changes with the time, like one that is measured ever more precisely. */
u64 lkst_clock_khz(unsigned int clock)
{
	(void)clock;
	return 1000000 + record_clock;
}

void lkst_time_read(struct lkst_time *time)
{
	*time = (struct lkst_time){ .counter = record_clock, .monotonic = (s64)record_clock };
}

u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock)
{
	return (u64)time->monotonic + (clock == LKST_CLOCK_TSC ? RECORD_TSC_AHEAD : 0);
}

void lkst_time_complete(struct lkst_time *time, unsigned int clock)
{
	(void)time;
	(void)clock;
}

bool lkst_time_known(void)
{
	return true;
}

void lkst_time_args(u64 *args, unsigned int clock)
{
	args[0] = record_clock;
	args[1] = args[2] = args[3] = clock;
}

void lkst_time_refresh(void)
{
}

s64 lkst_time_to_wall(unsigned int clock, u64 value)
{
	return (s64)record_clock_of(value, clock);
}

/*
 * Return a time that advances by 20 us with each call, so that a reader, which waits for at most
 * LKST_READ_WAIT_NS, gives up after a few calls.
 */
u64 ktime_get_ns(void)
{
	static u64 now;

	return now += 20000;
}

struct lkst_buffer *lkst_buffer_get(int on, lkst_buffer_id id)
{
	(void)on;
	return &buffers[id];
}

void lkst_buffer_put(struct lkst_buffer *buffer)
{
	(void)buffer;
}

void lkst_queue_wake(void)
{
}

void lkst_queue_wake_half(void)
{
}

int lkst_cpucall(int on, lkst_cpucall_func func, int arg)
{
	return func(on, arg);
}

/* ---- setting up the buffers ---- */

static void init_buffer(struct lkst_buffer *buffer, lkst_buffer_id id, unsigned long slots, u64 lap)
{
	memset(records[id], GUARD, (slots + 2) * sizeof(**records));
	memset(&records[id][1], 0, slots * sizeof(**records));
	*buffer = (struct lkst_buffer){ .id = id, .next = (id + 1) % (lkst_buffer_id)num };
	lkst_ring_init(&buffer->ring, &records[id][1], slots, LKST_CLOCK_NS);
	buffer->ring.index = (unsigned long)lap << LKST_SLOT_BITS;
	buffer->ring.lap_long = (unsigned long)lap;
	buffer->session.first = lap * slots;
	memset(pages[id], 0, sizeof(pages[id]));
	extents[id].data = pages[id] + LKST_IMAGE_PAGE;
	extents[id].length = LKST_IMAGE_PAGE;
	buffer->region.extents = &extents[id];
	buffer->region.extent_num = 1;
	cpu.buffers[id] = buffer;
}

/*
 * Set up the buffers, and let the CPU record into the first one. Each buffer is linked to the next,
 * and the last one to the first.
 */
static void init_buffers(const struct cpu_start *start)
{
	u64 lap = start->lap == RECORD_LAST_LAP ? record_lap_max() : start->lap;

	num = start->buffers;
	memset(&cpu, 0, sizeof(cpu));
	cpu.recid = FIRST_RECID;
	/* A reader is bound to the queue, so records that leave the queue unread count as lost. */
	cpu.reader = (struct lkst_reader *)&cpu;
	cpu.reading = LKST_BUFFER_ID_VOID;
	lkst_cpu = &cpu;
	lkst_ring_current = &lkst_ring_nowhere;
	lkst_buffer_lost = 0;
	slow.buffer = NULL;
	for (lkst_buffer_id id = 0; id < (lkst_buffer_id)num; id++)
		init_buffer(&buffers[id], id, start->slots, lap);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		maskset.handler[i] = start->own == RECORD_OWN_MASKED && i >= LKST_ETYPE_LKST_MIN ?
					     LKST_EVHANDLER_ID_NONE :
					     LKST_EVHANDLER_ID_ENTRY_LOG;
	if (start->own == RECORD_OWN_SHIFT)
		maskset.handler[LKST_ETYPE_LKST_BUFF_OVFLOW] = LKST_EVHANDLER_ID_BUFFER_SHIFT;
	lkst_shift_to(0, 0);
}

/* Advance the buffer after the current one by @laps laps, as if the CPU had recorded them in it. */
static void age(u64 laps)
{
	struct lkst_ring *ring = &buffers[lkst_ring_buffer(lkst_ring_current)->next].ring;

	ring->index += (unsigned long)laps << LKST_SLOT_BITS;
	ring->end += (unsigned long)laps << LKST_SLOT_BITS;
}

/* ---- readers ---- */

static struct lkst_buffer *queue_head(void)
{
	struct lkst_buffer *head = NULL;

	for (unsigned int i = 0; i < num; i++) {
		struct lkst_buffer *buffer = &buffers[i];

		if (lkst_buffer_state(buffer) == LKST_BUFFER_QUEUED &&
		    (!head || atomic_long_read(&buffer->state) < atomic_long_read(&head->state)))
			head = buffer;
	}
	return head;
}

static void read_all(struct lkst_cursor *cursor, record_found *found)
{
	for (; cursor->position < cursor->end; lkst_cursor_advance(cursor, 1)) {
		struct lkst_event_record record;
		enum lkst_ring_read result = lkst_cursor_read(cursor, &record);

		record.clock = record_clock_of(record.clock, cursor->session.clock);
		found(lkst_cursor_recid(cursor), (enum record_result)result, &record);
	}
}

static bool take(struct reader *reader)
{
	struct lkst_buffer *buffer = queue_head();

	if (!buffer || !lkst_ring_idle(&buffer->ring))
		return false;
	atomic_long_set_release(&buffer->state, LKST_BUFFER_BEING_READ);
	atomic_dec(&cpu.queued);
	reader->buffer = buffer;
	lkst_cursor_init(&reader->cursor, buffer);
	lkst_cursor_seek(&reader->cursor, buffer->read);
	return true;
}

/*
 * Read the buffer that the slow reader has taken or, if it has taken no buffer, the one at the head
 * of the queue. Then mark the buffer as free, as read() does. Return false if the queue is empty,
 * or if a writer is active in the buffer at its head.
 */
static bool read_queue(record_found *found)
{
	struct reader reader = slow;
	struct lkst_buffer *buffer;

	slow.buffer = NULL;
	if (!reader.buffer && !take(&reader))
		return false;
	buffer = reader.buffer;
	read_all(&reader.cursor, found);
	buffer->read = reader.cursor.end;
	atomic_long_set_release(&buffer->state, LKST_BUFFER_FREE);
	return true;
}

static bool opening(unsigned int id)
{
	return buffers[id].session_seq.sequence & 1;
}

/* Read a buffer, starting with its oldest record, unless a shift is opening it. */
static void read_buffer(unsigned int id, record_found *found)
{
	struct lkst_cursor cursor;

	if (opening(id))
		return;
	lkst_cursor_init(&cursor, &buffers[id]);
	read_all(&cursor, found);
}

bool record_cpu_quiescent(const struct lkst_ring *ring, unsigned long *next, u64 *from, u64 *to);

/*
 * If lkst_ring_quiescent() returns true, check that each record that has not been overwritten is
 * either complete or reported as dropped.
 */
static void check_quiescent(unsigned int id)
{
	const struct lkst_buffer *buffer = &buffers[id];
	struct lkst_cursor cursor = { .ring = &buffers[id].ring };
	unsigned long next;
	u64 from, to, end;

	if (opening(id) || !record_cpu_quiescent(cursor.ring, &next, &from, &to))
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

/* Read a buffer with lkst_buffer_read() into @to. Return the number of records. */
static unsigned int read_log(unsigned int id, struct lkst_log_record *to, unsigned int max,
			     struct lkst_log_buffer *counts)
{
	*counts = (struct lkst_log_buffer){
		.id = (lkst_buffer_id)id,
		.read_size = max * sizeof(*to),
		.buffer = (unsigned long)to,
	};
	return lkst_buffer_read(counts) ? 0 :
					  (unsigned int)(counts->result_read_size / sizeof(*to));
}

/* ---- reading an image of memory ---- */

u32 __crc32c_le(u32 crc, const u8 *data, size_t len)
{
	while (len--)
		crc = (crc ^ *data++) * 0x01000193;
	return crc;
}

/* Return the newest copy of the session with a valid checksum, or NULL if neither copy has one. */
static const struct lkst_image_session *image_session(const struct lkst_buffer *buffer)
{
	const struct lkst_extent *extent = buffer->region.extents;
	const struct lkst_image_session *newest = NULL, *this;
	size_t from = offsetof(struct lkst_image_session, sequence);

	for (unsigned int copy = 0; copy < 2; copy++) {
		this = (const void *)((char *)extent->data + lkst_extent_header(extent, copy) +
				      LKST_IMAGE_STATE);
		if (this->checksum ==
			    lkst_crc32c((const u8 *)this + from,
					offsetof(struct lkst_image_session, lap) - from) &&
		    (!newest || this->sequence > newest->sequence))
			newest = this;
	}
	return newest;
}

/* Return the lap nearest to @about whose low bits are @bits. */
static u64 image_lap(u64 about, unsigned int bits)
{
	unsigned int ahead = (bits - (unsigned int)about) & LKST_RECORD_LAP_MASK;

	return about + ahead - (ahead > LKST_RECORD_LAP_MASK / 2 ? LKST_RECORD_LAP_MASK + 1 : 0);
}

/* Read a buffer from its slots and its header pages alone, as a reader of a memory image does. */
static void read_image(unsigned int id, record_found *found)
{
	const struct lkst_buffer *buffer = &buffers[id];
	const struct lkst_image_session *session = image_session(buffer);
	u64 position;

	if (!session &&
	    (lkst_ring_current == &buffer->ring || lkst_buffer_state(buffer) == LKST_BUFFER_QUEUED))
		record_fail("buffer %u has no valid session", id);
	for (u64 slot = 0; session && slot < buffer->ring.slots; slot++) {
		struct lkst_event_record record = buffer->ring.records[slot];

		position = image_lap(session->lap, record.flags >> LKST_RECORD_LAP_SHIFT) *
				   buffer->ring.slots +
			   slot;
		record.flags &= LKST_RECORD_FLAGS;
		if (!*lkst_commit_word(&record) || position < session->first)
			continue;
		record.clock = record_clock_of(record.clock, session->clock);
		found(session->first_recid + (position - session->first), RECORD_READ, &record);
	}
}

/* ---- the state of the buffers ---- */

/* Return the recid of the next record. No operation may be in progress. */
static u64 next_recid(void)
{
	const struct lkst_buffer *buffer = lkst_ring_buffer(lkst_ring_current);
	u64 position = lkst_ring_position(&buffer->ring, lkst_ring_next(&buffer->ring));

	return buffer->session.first_recid + (position - buffer->session.first);
}

static u64 all_dropped(void)
{
	u64 dropped = 0;

	for (unsigned int i = 0; i < num; i++)
		dropped += buffers[i].ring.dropped;
	return dropped;
}

/* Return the first recid of the buffer's session that has not been overwritten. */
static u64 oldest_recid(unsigned int id)
{
	struct lkst_cursor cursor;

	lkst_cursor_init(&cursor, &buffers[id]);
	return lkst_cursor_recid(&cursor);
}

void record_wait_seqcount(const seqcount_t *s)
{
	(void)s;
	record_fail("a reader waits for ever");
}

static bool in_bounds(void)
{
	for (unsigned int i = 0; i < num; i++) {
		const unsigned char *low = (const void *)&records[i][0];
		const unsigned char *high = (const void *)&records[i][1 + buffers[i].ring.slots];

		for (unsigned int k = 0; k < sizeof(**records); k++)
			if (low[k] != GUARD || high[k] != GUARD)
				return false;
	}
	return true;
}

/* ---- the reference ---- */

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
	bool queue; /* whether this is the reader of the queue */
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
	bool dead; /* the machine has died, so nothing is checked at the end */
	struct reading reading; /* the read of the innermost operation */
} world;

static unsigned long cpu_begin(const void *arg)
{
	static const struct record_context boot;
	const struct cpu_start *start = arg;

	memset(world.events, 0, (size_t)world.serial * sizeof(*world.events));
	memset(world.recids, 0, (size_t)world.last * sizeof(*world.recids));
	world.start = start;
	world.serial = 1;
	world.last = 0;
	world.now = 1;
	world.depth = 0;
	world.dead = false;
	record_clock = 1000;
	record_current = &boot;
	init_buffers(start);
	return start->slots;
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
	for (u64 recid = first; recid < first + recids; recid++) {
		struct seen *lost = seen(recid);

		if (lost->delivered)
			record_fail("recid %llu is said to be lost, but was delivered", recid);
		lost->lost = true;
	}
}

/*
 * If the reader of the queue has returned an LKST_BUFF_OVFLOW record, mark the recids that the
 * record reports as lost.
 */
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
				    this->lost ? "reported as lost" : "delivered");
		this->delivered = true;
	}
	if (record->event_type < LKST_ETYPE_LKST_MIN)
		check_event(recid, record);
	else
		check_own_event(record);
}

/*
 * Check that the number of pending records is at most the number of dropped records plus the number
 * of active operations.
 */
static void check_pending(unsigned int under_way)
{
	u64 most = all_dropped() + under_way;

	if (world.reading.pending > most)
		record_fail(
			"%u records were pending, but only %llu were dropped and %u in progress",
			world.reading.pending, most - under_way, under_way);
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
		read_buffer(i, found);
		check_pending(under_way);
		check_quiescent(i);
		if (world.reading.lapped && world.reading.lapped >= oldest_recid(i))
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

/*
 * Check that the image gives each record its own recid, and contains all records that can be read.
 */
static void do_image(void)
{
	world.reading = (struct reading){ .queue = false };
	for (u64 n = 0; n < world.last; n++)
		world.recids[n].imaged = false;
	for (unsigned int i = 0; i < world.start->buffers; i++)
		read_image(i, found_in_image);
	for (unsigned int i = 0; i < world.start->buffers; i++)
		read_buffer(i, found_also_in_image);
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
	unsigned int num;
	u64 recid;

	for (unsigned int buffer = 0; buffer < world.start->buffers; buffer++) {
		if (opening(buffer))
			continue;
		num = read_log(buffer, log, RECORD_SLOTS_MAX, &counts);
		recid = counts.first_recid;
		for (unsigned int i = 0; i < num; i++) {
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

static void check_left(void)
{
	if (lkst_ring_current == &buffers[0].ring)
		record_fail("a buffer that is full was not left");
}

static void stop_and_continue(void)
{
	lkst_shift_nowhere(0, 0);
	/*
	 * The first call fails with -EAGAIN if an interrupt during the call changes the state of
	 * the first buffer, for example by reading it.
	 */
	if (lkst_buffer_jump(0) && lkst_buffer_jump(0))
		record_fail("the CPU cannot return to the first buffer");
}

static void cpu_run(char op, u64 number, struct record_interrupt *interrupts);

static void do_op(char op, u64 number)
{
	unsigned long i;

	switch (op) {
	case 'e':
		return do_event();
	case 'f':
		for (i = 0; i < world.start->slots; i++)
			cpu_run('e', 1, NULL);
		return;
	case 'u':
		while (lkst_ring_current->slots > lkst_index_slot(lkst_ring_current->index))
			cpu_run('e', 1, NULL);
		return;
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
		return age(number);
	case 'r':
		return do_read();
	case 'h':
		if (!slow.buffer)
			take(&slow);
		return;
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

/* Return the preempt_count() of an operation at this depth: task, softirq, hardirq, then NMI. */
static u32 count_of(unsigned int depth)
{
	static const u32 counts[] = { 0, 0x100, 0x10000, 0x100000 };

	return counts[depth < 3 ? depth : 3];
}

static void run_op(char op, u64 number, struct record_interrupt *interrupts)
{
	const struct record_context *interrupted = record_current;
	struct record_context context = record_world_context(world.serial);
	struct reading reading = world.reading;
	struct record_steps saved;

	record_clock++;
	context.count = count_of(world.depth++);
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
	u64 times = op == 'a' ? 1 : number;

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

	for (recid = FIRST_RECID; recid < next_recid(); recid++) {
		const struct seen *this = seen(recid);

		if (this->delivered == this->lost)
			record_fail("recid %llu was %s delivered and %s said to be lost", recid,
				    this->delivered ? "" : "not", this->lost ? "" : "not");
		lost += this->lost;
	}
	for (serial = 1; serial < world.serial; serial++)
		missing += !world.events[serial].recid;
	if (missing > lost + lkst_buffer_lost || (!lost && missing < lkst_buffer_lost))
		record_fail("%llu events are missing, %llu lost, %llu found no buffer", missing,
			    lost, (u64)lkst_buffer_lost);
	if (world.last != next_recid() - FIRST_RECID)
		record_fail("recids up to %llu were seen, the next is %llu",
			    world.last + FIRST_RECID, next_recid());
}

/* Read the current buffer as the reader of the queue would after a shift. */
static void read_current(void)
{
	unsigned int id = (unsigned int)lkst_ring_buffer(lkst_ring_current)->id;

	world.reading = (struct reading){ .queue = true };
	for (u64 recid = buffers[id].session.first_recid; recid < oldest_recid(id); recid++)
		seen(recid)->lost = true;
	read_buffer(id, found);
	check_pending(0);
}

static void cpu_end(void)
{
	if (world.dead)
		return;
	if (world.depth || cpu.shifting)
		record_fail("an operation is still in progress");
	record_script_run(&cpu_world, "blrsrsr");
	read_current();
	check_recids();
	check_order();
	if (!in_bounds())
		record_fail("something was written outside of the slots");
}

const struct record_world cpu_world = { cpu_begin, cpu_run, cpu_end };
