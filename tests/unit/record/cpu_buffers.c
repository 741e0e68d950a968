// SPDX-License-Identifier: GPL-2.0
#include "shim/lkst.h"

#include "cpu_buffers.h"

#include "lkst/base/compat.h"
#include "lkst/buffer/cpucall.h"
#include "lkst/buffer/image_session.h"
#include "lkst/buffer/queue.h"
#include "lkst/buffer/shift.h"
#include "lkst/dispatch/evhandler.h"
#include "lkst/dispatch/maskset.h"
#include "lkst/image/image.h"

struct lkst_ring lkst_ring_void = { .index = LKST_INDEX_CLOSED };
struct lkst_ring *lkst_ring_current;
struct lkst_cpu *lkst_cpu;
unsigned long lkst_buffer_lost;
char record_page[PAGE_SIZE];

static struct lkst_maskset maskset;
const struct lkst_maskset *lkst_maskset_current = &maskset;
const struct lkst_maskset *lkst_maskset_dispatch = &maskset;

struct lkst_buffer cpu_buffers[RECORD_BUFFERS_MAX];
unsigned int cpu_buffer_num;

static struct lkst_cpu cpu;
static struct lkst_event_record records[RECORD_BUFFERS_MAX]
				       [1 + RECORD_SLOTS_MAX + 1] ____cacheline_aligned;

/*
 * Three pages for each buffer. The first and the third are its header pages. The second, where the
 * data of its extent would be, is unused, because records[] holds the slots.
 */
static unsigned char pages[RECORD_BUFFERS_MAX][3 * LKST_IMAGE_PAGE] ____cacheline_aligned;
static struct lkst_extent extents[RECORD_BUFFERS_MAX];

/*
 * The slow reader of the queue. Operation 'h' makes it take a buffer, and a later 'r' makes it read
 * the buffer. In between, its ring is not NULL.
 */
static struct lkst_cursor slow;

/* ---- replacements for the other functions that the code under test calls ---- */

/* Return a clock other than that of the current buffer, so that each shift changes the clock. */
unsigned int lkst_clock_current(void)
{
	return lkst_ring_current->clock == LKST_CLOCK_NS ? LKST_CLOCK_TSC : LKST_CLOCK_NS;
}

/*
 * Return the value that record_clock had when @value was read, or 0 if @value is not from @clock.
 */
static u64 clock_of(u64 value, unsigned int clock)
{
	bool tsc = value >= RECORD_TSC_AHEAD;

	return tsc == (clock == LKST_CLOCK_TSC) ? value % RECORD_TSC_AHEAD : 0;
}

/* Return a rate that changes with the time, like one that is measured ever more precisely. */
u64 lkst_clock_khz(unsigned int clock)
{
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
	return (s64)clock_of(value, clock);
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
	return &cpu_buffers[id];
}

void lkst_buffer_put(struct lkst_buffer *buffer)
{
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

void record_wait_seqcount(const seqcount_t *s)
{
	record_fail("a reader waits for ever");
}

u32 __crc32c_le(u32 crc, const u8 *data, size_t len)
{
	while (len--)
		crc = (crc ^ *data++) * 0x01000193;
	return crc;
}

/* ---- setting up the buffers ---- */

static void init_buffer(lkst_buffer_id id, const struct cpu_start *start)
{
	u64 lap = start->lap == RECORD_LAST_LAP ? record_lap_max() : start->lap;
	struct lkst_buffer *buffer = &cpu_buffers[id];

	record_guard(records[id], start->slots);
	memset(pages[id], 0, sizeof(pages[id]));
	extents[id] = (struct lkst_extent){ .data = pages[id] + LKST_IMAGE_PAGE,
					    .length = LKST_IMAGE_PAGE };
	*buffer = (struct lkst_buffer){
		.id = id,
		.next = (id + 1) % (lkst_buffer_id)start->buffers,
		.region = { .extents = &extents[id], .extent_num = 1 },
	};
	lkst_ring_init(&buffer->ring, &records[id][1], start->slots, LKST_CLOCK_NS);
	buffer->ring.index = (unsigned long)lap << LKST_SLOT_BITS;
	buffer->ring.lap_long = (unsigned long)lap;
	buffer->session.first = lap * start->slots;
	cpu.buffers[id] = buffer;
}

void cpu_init(const struct cpu_start *start)
{
	memset(&cpu, 0, sizeof(cpu));
	cpu.recid = FIRST_RECID;
	/* A reader is bound to the queue, so records that leave the queue unread count as lost. */
	cpu.reader = (struct lkst_reader *)&cpu;
	cpu.reading = LKST_BUFFER_ID_VOID;
	lkst_cpu = &cpu;
	lkst_ring_current = &lkst_ring_void;
	lkst_buffer_lost = 0;
	slow.ring = NULL;
	cpu_buffer_num = start->buffers;
	for (unsigned int id = 0; id < cpu_buffer_num; id++)
		init_buffer((lkst_buffer_id)id, start);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		maskset.handler[i] = start->own == RECORD_OWN_MASKED && i >= LKST_ETYPE_LKST_MIN ?
					     LKST_EVHANDLER_ID_NONE :
					     LKST_EVHANDLER_ID_ENTRY_LOG;
	if (start->own == RECORD_OWN_SHIFT)
		maskset.handler[LKST_ETYPE_LKST_BUFF_OVFLOW] = LKST_EVHANDLER_ID_BUFFER_SHIFT;
	lkst_shift_to(0, 0);
}

void cpu_age(u64 laps)
{
	struct lkst_ring *ring = &cpu_buffers[lkst_ring_buffer(lkst_ring_current)->next].ring;

	ring->index += (unsigned long)laps << LKST_SLOT_BITS;
	ring->end += (unsigned long)laps << LKST_SLOT_BITS;
}

/* ---- readers ---- */

static struct lkst_buffer *queue_head(void)
{
	struct lkst_buffer *head = NULL, *buffer;

	for (buffer = cpu_buffers; buffer < cpu_buffers + cpu_buffer_num; buffer++)
		if (lkst_buffer_state(buffer) == LKST_BUFFER_QUEUED &&
		    (!head || atomic_long_read(&buffer->state) < atomic_long_read(&head->state)))
			head = buffer;
	return head;
}

static void read_all(struct lkst_cursor *cursor)
{
	for (; cursor->position < cursor->end; lkst_cursor_advance(cursor, 1)) {
		struct lkst_event_record record;
		enum lkst_ring_read result = lkst_cursor_read(cursor, &record);

		record.clock = clock_of(record.clock, cursor->session.clock);
		cpu_found(lkst_cursor_recid(cursor), (enum record_result)result, &record);
	}
}

static bool take(struct lkst_cursor *cursor)
{
	struct lkst_buffer *buffer = queue_head();

	if (!buffer || !lkst_ring_idle(&buffer->ring))
		return false;
	atomic_long_set_release(&buffer->state, LKST_BUFFER_BEING_READ);
	atomic_dec(&cpu.queued);
	lkst_cursor_init(cursor, buffer);
	lkst_cursor_seek(cursor, buffer->read);
	return true;
}

void cpu_take_slowly(void)
{
	if (!slow.ring)
		take(&slow);
}

bool cpu_read_queue(void)
{
	struct lkst_cursor cursor = slow;
	struct lkst_buffer *buffer;

	slow.ring = NULL;
	if (!cursor.ring && !take(&cursor))
		return false;
	read_all(&cursor);
	buffer = lkst_ring_buffer(cursor.ring);
	buffer->read = cursor.end;
	atomic_long_set_release(&buffer->state, LKST_BUFFER_FREE);
	return true;
}

void cpu_read_buffer(unsigned int id)
{
	struct lkst_cursor cursor;

	if (cpu_opening(id))
		return;
	lkst_cursor_init(&cursor, &cpu_buffers[id]);
	read_all(&cursor);
}

/* ---- reading an image of memory ---- */

/* Return the newest copy of the session with a valid checksum, or NULL if neither copy has one. */
static const struct lkst_image_session *image_session(const struct lkst_extent *extent)
{
	const struct lkst_image_session *newest = NULL, *this;
	size_t from = offsetof(struct lkst_image_session, sequence);
	size_t size = offsetof(struct lkst_image_session, lap) - from;

	for (unsigned int copy = 0; copy < 2; copy++) {
		this = (const void *)((char *)extent->data + lkst_extent_header(extent, copy) +
				      LKST_IMAGE_STATE);
		if (this->checksum == lkst_crc32c((const u8 *)this + from, size) &&
		    (!newest || this->sequence > newest->sequence))
			newest = this;
	}
	return newest;
}

/* Of the laps whose low bits are @bits, return the one nearest to @about. */
static u64 image_lap(u64 about, unsigned int bits)
{
	unsigned int ahead = (bits - (unsigned int)about) & LKST_RECORD_LAP_MASK;

	return about + ahead - (ahead > LKST_RECORD_LAP_MASK / 2 ? LKST_RECORD_LAP_MASK + 1 : 0);
}

void cpu_read_image(unsigned int id)
{
	const struct lkst_buffer *buffer = &cpu_buffers[id];
	const struct lkst_image_session *session = image_session(&extents[id]);

	if (!session &&
	    (lkst_ring_current == &buffer->ring || lkst_buffer_state(buffer) == LKST_BUFFER_QUEUED))
		record_fail("buffer %u has no valid session in its header pages", id);
	for (u64 slot = 0; session && slot < buffer->ring.slots; slot++) {
		struct lkst_event_record record = buffer->ring.records[slot];
		u64 lap = image_lap(session->lap, record.flags >> LKST_RECORD_LAP_SHIFT);
		u64 position = lap * buffer->ring.slots + slot;

		record.flags &= LKST_RECORD_FLAGS;
		if (!*lkst_commit_word(&record) || position < session->first)
			continue;
		record.clock = clock_of(record.clock, session->clock);
		cpu_found(session->first_recid + (position - session->first), RECORD_READ, &record);
	}
}

/* ---- the state of the buffers ---- */

bool cpu_opening(unsigned int id)
{
	return cpu_buffers[id].session_seq.sequence & 1;
}

u64 cpu_next_recid(void)
{
	const struct lkst_buffer *buffer = lkst_ring_buffer(lkst_ring_current);
	u64 position = lkst_ring_position(&buffer->ring, lkst_ring_next(&buffer->ring));

	return buffer->session.first_recid + (position - buffer->session.first);
}

u64 cpu_dropped(void)
{
	u64 dropped = 0;

	for (unsigned int i = 0; i < cpu_buffer_num; i++)
		dropped += cpu_buffers[i].ring.dropped;
	return dropped;
}

u64 cpu_oldest_recid(unsigned int id)
{
	struct lkst_cursor cursor;

	lkst_cursor_init(&cursor, &cpu_buffers[id]);
	return lkst_cursor_recid(&cursor);
}

bool cpu_in_bounds(void)
{
	for (unsigned int i = 0; i < cpu_buffer_num; i++)
		if (!record_guards_intact(records[i], cpu_buffers[i].ring.slots))
			return false;
	return true;
}
