// SPDX-License-Identifier: GPL-2.0
#include "shim/lkst.h"

#include "record_buffers.h"
#include "record_case.h"

#include "lkst/buffer.h"
#include "lkst/cpucall.h"
#include "lkst/evhandler.h"
#include "lkst/event.h"
#include "lkst/image.h"
#include "lkst/jump.h"
#include "lkst/maskset.h"
#include "lkst/read.h"
#include "lkst/reader.h"
#include "lkst/shift.h"
#include "lkst/static_buffer.h"
#include "lkst/switch.h"

#define GUARD 0xa5

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

/* Where the buffers' header pages are; what is between them does not matter. */
static unsigned char pages[RECORD_BUFFERS_MAX][3 * LKST_IMAGE_PAGE] ____cacheline_aligned;
static struct lkst_extent extents[RECORD_BUFFERS_MAX];

/* A reader at a buffer, or at none. As in reader.c. */
struct reader {
	struct lkst_buffer *buffer;
	struct lkst_cursor cursor;
};

/* One that has begun, and takes its time. */
static struct reader slow;

/* What the rest of LKST does for them. */

/* Another one for each buffer, though in the kernel it seldom changes. */
unsigned int lkst_clock_current(void)
{
	return lkst_ring_current->clock == LKST_CLOCK_NS ? LKST_CLOCK_TSC : LKST_CLOCK_NS;
}

/* What record_clock was. 0, which it never is: the value is not one of @clock. */
static u64 record_clock_of(u64 value, unsigned int clock)
{
	if (clock == LKST_CLOCK_TSC)
		return value >= RECORD_TSC_AHEAD ? value - RECORD_TSC_AHEAD : 0;
	return value < RECORD_TSC_AHEAD ? value : 0;
}

/* Is known better each time. */
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

/* Each look takes a good part of the time that a reader waits. */
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

bool lkst_block_reading(void)
{
	return true;
}

/* Not reached from here: the CPU itself shifts. */
void lkst_queue_wake_cpu(int on)
{
	(void)on;
}

int lkst_cpucall(int on, lkst_cpucall_func func, int arg)
{
	return func(on, arg);
}

void lkst_static_buffer_write(unsigned int outer, int etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	(void)outer;
	(void)etype;
	(void)(a1 + a2 + a3 + a4);
}

int lkst_static_buffer_read(struct lkst_log_buffer *param, u64 max, struct iov_iter *to)
{
	(void)param;
	(void)max;
	(void)to;
	return -EINVAL;
}

/* Not reached from here: nothing is counted down, and no event has these handlers. */
void lkst_select_countdown(int events)
{
	(void)events;
}

int lkst_select_count(int etype)
{
	(void)etype;
	return 0;
}

void lkst_select_counted(void)
{
}

int lkst_trc_stop(void)
{
	return 0;
}

void lkst_jump_all(int id)
{
	(void)id;
}

/* The buffers */

static void init_buffer(struct lkst_buffer *buffer, lkst_buffer_id id, unsigned long slots, u64 lap)
{
	memset(records[id], GUARD, (slots + 2) * sizeof(**records));
	memset(&records[id][1], 0, slots * sizeof(**records));
	*buffer = (struct lkst_buffer){ .id = id, .next = (id + 1) % (lkst_buffer_id)num };
	lkst_ring_init(&buffer->ring, &records[id][1], slots, LKST_CLOCK_NS);
	buffer->ring.index = (unsigned long)lap << LKST_SLOT_BITS;
	buffer->ring.lap_long = (unsigned long)lap;
	buffer->stretch.first = lap * slots;
	memset(pages[id], 0, sizeof(pages[id]));
	extents[id].data = pages[id] + LKST_IMAGE_PAGE;
	extents[id].length = LKST_IMAGE_PAGE;
	buffer->area.extents = &extents[id];
	buffer->area.extent_num = 1;
	cpu.buffers[id] = buffer;
}

void init_buffers(unsigned int buffer_num, unsigned long slots, u64 lap, u64 recid,
			 enum record_own own)
{
	unsigned int i;

	num = buffer_num;
	memset(&cpu, 0, sizeof(cpu));
	cpu.recid = recid;
	/* There is one: what has left the queue unread is lost. */
	cpu.reader = (struct lkst_reader *)&cpu;
	cpu.reading = LKST_BUFFER_ID_VOID;
	lkst_cpu = &cpu;
	lkst_ring_current = &lkst_ring_nowhere;
	lkst_buffer_lost = 0;
	slow.buffer = NULL;
	for (i = 0; i < num; i++)
		init_buffer(&buffers[i], (lkst_buffer_id)i, slots, lap);
	for (i = 0; i < LKST_ETYPE_NUM; i++)
		maskset.handler[i] = own == RECORD_OWN_MASKED && i >= LKST_ETYPE_LKST_MIN ?
					     LKST_EVHANDLER_ID_NONE :
					     LKST_EVHANDLER_ID_ENTRY_LOG;
	if (own == RECORD_OWN_SHIFT)
		maskset.handler[LKST_ETYPE_LKST_BUFF_OVFLOW] = LKST_EVHANDLER_ID_BUFFER_SHIFT;
	lkst_shift_to(0, 0);
}

void record_buffers_age(u64 laps)
{
	struct lkst_ring *ring = &buffers[lkst_ring_buffer(lkst_ring_current)->next].ring;

	ring->index += (unsigned long)laps << LKST_SLOT_BITS;
	ring->end += (unsigned long)laps << LKST_SLOT_BITS;
}

void record_buffers_event(u16 etype, const u64 *arg)
{
	lkst_event(etype, arg[0], arg[1], arg[2], arg[3]);
}

int record_buffers_shift(void)
{
	return lkst_buffer_shift();
}

int record_buffers_jump(unsigned int id)
{
	return lkst_buffer_jump((lkst_buffer_id)id);
}

void record_buffers_stop(void)
{
	lkst_shift_nowhere(0, 0);
}

void stop_and_continue(void)
{
	lkst_event_time();
}

void lkst_emit_time(void)
{
	lkst_shift_rewrite_header();
}

/* Readers */

static struct lkst_buffer *queue_head(void)
{
	struct lkst_buffer *head = NULL;
	unsigned int i;

	for (i = 0; i < num; i++) {
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

		record.clock = record_clock_of(record.clock, cursor->stretch.clock);
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

void record_buffers_take(void)
{
	if (!slow.buffer)
		take(&slow);
}

bool read_queue(record_found *found)
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

void record_buffers_read(unsigned int id, record_found *found)
{
	struct lkst_cursor cursor;

	if (opening(id))
		return;
	lkst_cursor_init(&cursor, &buffers[id]);
	read_all(&cursor, found);
}

bool record_cpu_settled(const struct lkst_ring *ring, unsigned long *next, u64 *from, u64 *to);

void check_quiescent(unsigned int id)
{
	const struct lkst_buffer *buffer = &buffers[id];
	struct lkst_cursor cursor = { .ring = &buffers[id].ring };
	unsigned long next;
	u64 from, to, end;

	if (opening(id) || !record_cpu_settled(cursor.ring, &next, &from, &to))
		return;
	/* From here on nothing interrupts. */
	end = lkst_ring_position(cursor.ring, next);
	lkst_cursor_seek(&cursor, buffer->stretch.first);
	for (; cursor.position < end; lkst_cursor_seek(&cursor, cursor.position + 1)) {
		struct lkst_event_record record;
		enum lkst_ring_read result = lkst_ring_read(cursor.ring, cursor.index, &record);
		bool dropped = cursor.position >= from && cursor.position < to;

		if (result != LKST_RING_LAPPED && (result == LKST_RING_READ) == dropped)
			record_fail("position %llu is said to be %s, and is not", cursor.position,
				    dropped ? "dropped" : "whole");
	}
}

unsigned int record_buffers_read_log(unsigned int id, struct lkst_log_record *to, unsigned int max,
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

/* Who has nothing but an image of memory */

u32 __crc32c_le(u32 crc, const u8 *data, size_t len)
{
	while (len--)
		crc = (crc ^ *data++) * 0x01000193;
	return crc;
}

/* The copy that is whole, the newer one if both are. */
static const struct lkst_image_session *image_note(const struct lkst_buffer *buffer)
{
	const struct lkst_extent *extent = buffer->area.extents;
	const struct lkst_image_session *note = NULL, *this;
	size_t from = offsetof(struct lkst_image_session, sequence);
	unsigned int copy;

	for (copy = 0; copy < 2; copy++) {
		this = (const void *)((char *)extent->data + lkst_extent_header(extent, copy) +
				      LKST_IMAGE_STATE);
		if (this->checksum ==
			    lkst_crc32c((const u8 *)this + from,
					offsetof(struct lkst_image_session, lap) - from) &&
		    (!note || this->sequence > note->sequence))
			note = this;
	}
	return note;
}

/* Of the laps that have these low bits, the nearest to one that is about right. */
static u64 image_lap(u64 about, unsigned int bits)
{
	unsigned int ahead = (bits - (unsigned int)about) & LKST_RECORD_LAP_MASK;

	return about + ahead - (ahead > LKST_RECORD_LAP_MASK / 2 ? LKST_RECORD_LAP_MASK + 1 : 0);
}

void record_buffers_image(unsigned int id, record_found *found)
{
	const struct lkst_buffer *buffer = &buffers[id];
	const struct lkst_image_session *note = image_note(buffer);
	u64 slot, position;

	if (!note &&
	    (lkst_ring_current == &buffer->ring || lkst_buffer_state(buffer) == LKST_BUFFER_QUEUED))
		record_fail("buffer %u has no whole note", id);
	for (slot = 0; note && slot < buffer->ring.slots; slot++) {
		struct lkst_event_record record = buffer->ring.records[slot];

		position = image_lap(note->lap, record.flags >> LKST_RECORD_LAP_SHIFT) *
				   buffer->ring.slots +
			   slot;
		record.flags &= LKST_RECORD_FLAGS;
		if (!*lkst_commit_word(&record) || position < note->first)
			continue;
		record.clock = record_clock_of(record.clock, note->clock);
		found(note->first_recid + (position - note->first), RECORD_READ, &record);
	}
}

/* The state */

unsigned int record_buffers_current(void)
{
	return (unsigned int)lkst_ring_buffer(lkst_ring_current)->id;
}

unsigned long record_buffers_left(void)
{
	return lkst_ring_current->slots - lkst_index_slot(lkst_ring_current->index);
}

bool record_buffers_shifting(void)
{
	return cpu.shifting;
}

u64 record_buffers_next(void)
{
	const struct lkst_buffer *buffer = lkst_ring_buffer(lkst_ring_current);
	u64 position = lkst_ring_position(&buffer->ring, lkst_ring_next(&buffer->ring));

	return buffer->stretch.first_recid + (position - buffer->stretch.first);
}

u64 record_buffers_lost(void)
{
	return lkst_buffer_lost;
}

u64 all_dropped(void)
{
	u64 dropped = 0;
	unsigned int i;

	for (i = 0; i < num; i++)
		dropped += buffers[i].ring.dropped;
	return dropped;
}

u64 record_buffers_first(unsigned int id)
{
	return buffers[id].stretch.first_recid;
}

u64 record_buffers_oldest(unsigned int id)
{
	struct lkst_cursor cursor;

	lkst_cursor_init(&cursor, &buffers[id]);
	return lkst_cursor_recid(&cursor);
}

bool opening(unsigned int id)
{
	return buffers[id].session_seq.sequence & 1;
}

void record_wait_seqcount(const seqcount_t *s)
{
	(void)s;
	record_fail("a reader waits for ever");
}

bool in_bounds(void)
{
	unsigned int i, k;

	for (i = 0; i < num; i++) {
		const unsigned char *low = (const void *)&records[i][0];
		const unsigned char *high = (const void *)&records[i][1 + buffers[i].ring.slots];

		for (k = 0; k < sizeof(**records); k++)
			if (low[k] != GUARD || high[k] != GUARD)
				return false;
	}
	return true;
}
