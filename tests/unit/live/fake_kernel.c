// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "fake_kernel.h"
#include "lib/base/etype_ids.h"
#include "lib/device/device.h"
#include "mkchunk.h"
#include "must.h"
#include "room.h"
#include "sample.h"
#include "tap.h"

#define READS_UNTIL_SKIPPED 10 /* reads until an unfinished record is skipped */

struct fake_kernel fake;

/* An open file of the device, with its own read positions. */
struct file {
	bool bound;
	int32_t cpu;
	uint64_t next[FAKE_CPUS], flush[FAKE_CPUS];
	bool oldest[FAKE_CPUS];
	int waited;
};

/* Reset the fake kernel to @cpus CPUs without buffers. */
void fake_begin(int cpus)
{
	const int open = fake.open;

	for (struct fake_cpu *c = fake.cpu; c < fake.cpu + fake.cpus; c++) {
		room_free(c->record, FAKE_RECORDS * sizeof(*c->record));
		room_free(c->state, FAKE_RECORDS);
		for (int i = 0; i < c->history.chunks; i++)
			free(c->history.chunk[i]);
	}
	fake = (struct fake_kernel){ .cpus = cpus, .wall_ns = SAMPLE_NS, .open = open,
				     .script = "" };
	for (struct fake_cpu *c = fake.cpu; c < fake.cpu + cpus; c++) {
		c->next = 1;
		c->record = room(FAKE_RECORDS * sizeof(*c->record));
		c->state = room(FAKE_RECORDS);
	}
}

/*
 * Record a mark at a moment when all clocks except the wall clock show @time_ns. Return the stored
 * record, which the caller may change.
 */
struct lkst_event_record *fake_record(int cpu, int64_t time_ns, enum fake_state state)
{
	struct fake_cpu *c = &fake.cpu[cpu];
	uint64_t recid = c->next++;

	ck_assert_uint_lt(recid, FAKE_RECORDS);
	c->record[recid] = (struct lkst_event_record){
		.clock = (uint64_t)time_ns, .event_type = LKST_ETYPE_USER_MARK,
		.flags = 0xffe0, /* the bits of the lap, which a reader must ignore */
		.thread = 1000 + (uint32_t)cpu,
	};
	c->state[recid] = (uint8_t)state;
	c->buffer[c->written].end = c->next;
	c->buffer[c->written].dropped += state == DROPPED;
	fake.now_ns = time_ns > fake.now_ns ? time_ns : fake.now_ns;
	return &c->record[recid];
}

/* Record an LKST_SYNC_TIME event. */
void fake_sync(int cpu, int64_t time_ns)
{
	struct lkst_event_record *record = fake_record(cpu, time_ns, WHOLE);
	uint64_t wall = (uint64_t)(fake.wall_ns + time_ns);

	record->event_type = LKST_ETYPE_LKST_SYNC_TIME;
	record->arg[0] = wall / 1000000000 << 32 | wall % 1000000000;
	record->arg[1] = record->clock;
	record->arg[2] = 1000000;
	record->arg[3] = (uint64_t)time_ns;
}

/* Shift to a buffer, which starts a new session. */
void fake_shift(int cpu, int to)
{
	struct fake_cpu *c = &fake.cpu[cpu];

	c->written = to;
	c->buffer[to] = (struct fake_buffer){ true, c->next, c->next, c->next, 0 };
}

/*
 * Add a chunk with the records of these recids to the history of a CPU. Dropped and unfinished
 * records are holes. Return the chunk, which the caller may change.
 */
uint8_t *fake_compress(int cpu, lkst_buffer_id buffer, uint64_t first, uint64_t num)
{
	struct fake_history *history = &fake.cpu[cpu].history;
	static struct lkst_event_record record[LKST_CHUNK_RECORDS];
	const struct mkchunk make = {
		.cpu = cpu,
		.buffer = buffer,
		.clock = LKST_CLOCK_TSC,
		.first_recid = first,
		.num = num,
		.record = record,
		.tsc = (uint64_t)fake.now_ns,
		.khz = 1000000,
		.monotonic = fake.now_ns,
		.wall = fake.wall_ns + fake.now_ns,
		.compression = fake.plain ? LKST_CHUNK_NONE : LKST_CHUNK_COLUMNS,
	};
	uint8_t *chunk = malloc(LKST_HISTORY_CHUNK_MAX);

	MUST(chunk && num <= LKST_CHUNK_RECORDS && history->chunks < FAKE_CHUNKS);
	for (uint64_t i = 0; i < num; i++) {
		record[i] = fake.cpu[cpu].record[first + i];
		record[i].flags &= LKST_RECORD_FLAGS;
		if (fake.cpu[cpu].state[first + i] != WHOLE)
			record[i].clock = 0;
	}
	history->size[history->chunks] = mkchunk(chunk, &make);
	history->chunk[history->chunks++] = chunk;
	return chunk;
}

/* Run the words of a script, up to the first "|". */
static void play_part(const char *script)
{
	int cpu, n, len;
	char verb, mark;

	for (; sscanf(script, "%d%c%d%n", &cpu, &verb, &n, &len) == 3; script += len) {
		struct fake_cpu *c = &fake.cpu[cpu];

		mark = script[len];
		switch (verb) {
		case '@':
			fake_record(cpu, n, mark == '?' ? UNFINISHED :
					    mark == '!' ? DROPPED : WHOLE);
			len += mark == '?' || mark == '!';
			break;
		case '=':
			c->state[n] = WHOLE;
			break;
		case '?':
			c->state[n] = UNFINISHED;
			break;
		case '!':
			c->state[n] = DROPPED;
			c->buffer[c->written].dropped++;
			break;
		case '>':
			fake_shift(cpu, n);
			break;
		case '<':
			c->buffer[0].oldest = (uint64_t)n;
			break;
		case '-':
			c->buffer[n].exists = false;
			break;
		}
		len += (int)strspn(script + len, " ");
	}
	ck_assert_msg(!*script || *script == '|', "not understood: \"%s\"", script);
}

/* Run the words for the read() that begins now. */
static void play_meanwhile(void)
{
	for (const char *at = strchr(fake.script, '|'); at; at = strchr(at + 2, '|'))
		if (at[1] == '*' || at[1] - '0' == fake.reads)
			play_part(at + 3);
}

/*
 * Run a script that changes the state of the fake kernel. Each word begins with the number of a CPU:
 *
 *	0@20	record an event at 20 ns; 0@20?: leave it unfinished; 0@20!: drop it
 *	0=2	make the record with recid 2 complete; 0?2: unfinished; 0!2: dropped
 *	0>3	shift to buffer 3
 *	0<9	overwrite the records of buffer 0 before recid 9
 *	0-3	delete buffer 3
 *
 * Words after "|5 " run before the read() with index 5, and words after "|* " before each read().
 * The index of the next read() is 0.
 */
void fake_play(const char *script)
{
	fake.script = script;
	fake.reads = 0;
	play_part(script);
}

static int do_list(struct lkst_buffer_listparam *param)
{
	struct lkst_buffer_listent *ent = (void *)(uintptr_t)param->listent;
	int num = 0;

	if (param->cpu < 0 || param->cpu >= fake.cpus)
		return -EINVAL;
	for (int i = 0; i < FAKE_BUFFERS; i++) {
		const struct fake_buffer *b = &fake.cpu[param->cpu].buffer[i];

		if (!b->exists)
			continue;
		/* The next recid is the sum of baseid and write_offset. */
		ent[num++] = (struct lkst_buffer_listent){
			.id = i, .first_recid = b->first, .dropped = b->dropped,
			.baseid = (int64_t)b->end - 5, .write_offset = 5, .size = 64 * 64,
		};
	}
	param->buffer_num = num;
	return 0;
}

static bool reads_cpu(const struct file *file, int cpu)
{
	return cpu >= 0 && cpu < fake.cpus && (file->cpu < 0 || file->cpu == cpu);
}

static int do_bind(struct file *file, struct lkst_buffer_srmodparam *param)
{
	if (param->mode != LKST_READ_MODE_BLOCK || param->cpu < -1 || param->cpu >= fake.cpus)
		return -EINVAL;
	file->bound = true;
	file->cpu = param->cpu;
	memset(file->oldest, true, sizeof(file->oldest));
	strcpy(param->arch, "x86_64");
	return 0;
}

static int do_seek(struct file *file, const struct lkst_block_seekparam *param)
{
	const int cpu = param->cpu;
	const bool at_end = param->recid == LKST_BLOCK_RECID_END;

	if (!file->bound || !reads_cpu(file, cpu) || (param->recid > fake.cpu[cpu].next && !at_end))
		return -EINVAL;
	file->next[cpu] = at_end ? fake.cpu[cpu].next : param->recid;
	file->oldest[cpu] = !param->recid;
	file->flush[cpu] = 0;
	return 0;
}

/* Return a maskset that records all event types except fake.masked. */
static int do_maskset(const struct lkst_maskset_param *param)
{
	struct lkst_maskset_body *body = (void *)(uintptr_t)param->maskset;

	for (int type = 0; type < LKST_MASKSET_TABLE_LEN_MAX; type++)
		body->entry[type] = (struct lkst_maskset_entry){
			type, type == fake.masked ? LKST_EVHANDLER_ID_NONE :
						    LKST_EVHANDLER_ID_ENTRY_LOG
		};
	body->len = LKST_MASKSET_TABLE_LEN_MAX;
	return 0;
}

/* Read a long ring. If it does not fit, the newest records are stored. */
static int do_long(struct lkst_log_buffer *param)
{
	struct lkst_event_record *to = (void *)(uintptr_t)param->buffer;
	uint64_t num = param->read_size / sizeof(*to), recid;
	const struct fake_long *ring;

	if (param->id != LKST_BUFFER_ID_LONG || param->cpu < 0 || param->cpu >= fake.cpus)
		return -EINVAL;
	ring = &fake.cpu[param->cpu].long_ring;
	if (!ring->kept)
		return -EINVAL;
	num = num < ring->kept ? num : ring->kept;
	recid = ring->first_recid + ring->recorded - num;
	for (uint64_t i = 0; i < num; i++, recid++)
		to[i] = (struct lkst_event_record){
			.clock = ring->hole && recid % ring->hole == 0 ? 0 : recid,
			.event_type = LKST_ETYPE_PROCESS_EXIT,
		};
	param->result_read_size = num * sizeof(*to);
	param->tsc = (uint64_t)fake.now_ns;
	param->cpu_freq = 1000000;
	param->xtime = (struct lkst_timeval){
		(fake.wall_ns + fake.now_ns) / 1000000000,
		(fake.wall_ns + fake.now_ns) % 1000000000 / 1000,
	};
	param->first_recid = ring->first_recid;
	param->recorded = ring->recorded;
	param->overwritten = ring->recorded - ring->kept;
	param->clock = LKST_CLOCK_NS;
	strcpy(param->arch, "x86_64");
	return 0;
}

/* Copy chunks from a history. */
static int do_history(struct lkst_history_read *param)
{
	const struct fake_history *history;
	uint8_t *to = (void *)(uintptr_t)param->buffer;
	uint64_t next = param->position ? param->position - 1 : 0;

	if (fake.before_history)
		fake.before_history();
	fake.history_reads++;
	if (fake.history_error)
		return -fake.history_error;
	if (param->cpu < 0 || param->cpu >= fake.cpus)
		return -EINVAL;
	history = &fake.cpu[param->cpu].history;
	if (!history->chunks)
		return -ENODATA;
	if (next < (uint64_t)history->oldest) {
		param->skipped = (uint64_t)history->oldest - next;
		next = (uint64_t)history->oldest;
	}
	if (next < (uint64_t)history->chunks && history->size[next] > param->size)
		return -ENOBUFS;
	for (; next < (uint64_t)history->chunks; next++) {
		if (param->result + history->size[next] > param->size)
			break;
		memcpy(to + param->result, history->chunk[next], history->size[next]);
		param->result += history->size[next];
		if (fake.one_chunk) {
			next++;
			break;
		}
	}
	param->position = next + 1;
	return 0;
}

static int do_history_status(struct lkst_history_status *status)
{
	const struct fake_history *history;

	if (fake.history_error) {
		status->size = 1;
		return -fake.history_error;
	}
	if (status->cpu < 0 || status->cpu >= fake.cpus)
		return -EINVAL;
	history = &fake.cpu[status->cpu].history;
	if (!history->chunks)
		return 0;
	status->flags = LKST_HISTORY_ON;
	status->size = 1 << 20;
	for (int i = history->oldest; i < history->chunks; i++)
		status->used += history->size[i];
	return 0;
}

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	struct file *file = ctx;

	if (fake.error)
		return -fake.error;
	switch (request) {
	case LKST_IOC_TRC_STATUS:
		((struct lkst_trc_status *)arg)->online_cpu_len = 8;
		((struct lkst_trc_status *)arg)->cpu_num = (uint32_t)fake.cpus;
		return 0;
	case LKST_IOC_MASKSET_READ:
		return do_maskset(arg);
	case LKST_IOC_BUFFER_LIST:
		return do_list(arg);
	case LKST_IOC_BUFFER_READ:
		return do_long(arg);
	case LKST_IOC_HISTORY_READ:
		return do_history(arg);
	case LKST_IOC_HISTORY_STATUS:
		return do_history_status(arg);
	case LKST_IOC_BUFFER_SETRMOD:
		return do_bind(file, arg);
	case LKST_IOC_BLOCK_SEEK:
		return do_seek(file, arg);
	case LKST_IOC_BLOCK_FLUSH:
		for (int cpu = 0; cpu < fake.cpus; cpu++)
			file->flush[cpu] = fake.cpu[cpu].next;
		return file->bound ? 0 : -EINVAL;
	}
	return -ENOTTY;
}

/* Return the buffer that contains the oldest record at or after @next, or NULL. */
static const struct fake_buffer *find(const struct fake_cpu *c, uint64_t next)
{
	const struct fake_buffer *best = NULL;

	for (const struct fake_buffer *b = c->buffer; b < c->buffer + FAKE_BUFFERS; b++)
		if (b->exists && b->oldest < b->end && b->end > next &&
		    (!best || b->oldest < best->oldest))
			best = b;
	return best;
}

/*
 * Copy at most @room records into the block, from its first_recid up to @end or to a record that is
 * not complete. First skip and count records at the start that are dropped, or that were unfinished
 * in READS_UNTIL_SKIPPED reads.
 */
static void fill(struct file *file, const struct fake_cpu *c, uint64_t end, size_t room,
		 struct lkst_block *block)
{
	struct lkst_event_record *to = (void *)(block + 1);
	uint64_t recid = block->first_recid;

	for (; recid < end && c->state[recid] != WHOLE; recid++) {
		if (c->state[recid] == UNFINISHED && ++file->waited < READS_UNTIL_SKIPPED)
			break;
		block->unfinished += c->state[recid] == UNFINISHED;
		block->dropped += c->state[recid] == DROPPED;
	}
	block->first_recid = recid;
	for (; recid < end && block->count < room && c->state[recid] == WHOLE; recid++)
		to[block->count++] = c->record[recid];
}

/* Store the next block of a CPU. Return its size in bytes, or 0 if there is no block to return. */
static size_t read_cpu(struct file *file, int cpu, struct lkst_block *block, size_t size)
{
	const struct fake_cpu *c = &fake.cpu[cpu];
	const uint64_t next = file->next[cpu];
	const struct fake_buffer *b = find(c, next);

	if (next >= file->flush[cpu] || (!b && file->oldest[cpu]))
		return 0;
	*block = (struct lkst_block){
		.magic = LKST_BLOCK_MAGIC, .version = LKST_BLOCK_VERSION,
		.header_size = sizeof(*block), .cpu = cpu,
		.buffer = b ? (lkst_buffer_id)(b - c->buffer) : LKST_BUFFER_ID_VOID,
		.clock = LKST_CLOCK_TSC,
		.first_recid = !b ? c->next : b->oldest > next ? b->oldest : next,
		.recorded = c->next, .tsc = (uint64_t)fake.now_ns, .cpu_freq = 1000000,
		.wall = fake.wall_ns + fake.now_ns, .monotonic = fake.now_ns,
	};
	if (!file->oldest[cpu])
		block->lost = block->first_recid - next;
	if (b)
		fill(file, c, b->end, (size - sizeof(*block)) / sizeof(c->record[0]), block);
	if (!block->count && !block->lost && !block->dropped && !block->unfinished)
		return 0;
	block->size = sizeof(*block) + block->count * sizeof(c->record[0]);
	file->next[cpu] = block->first_recid + block->count;
	file->oldest[cpu] = false;
	file->waited = 0;
	return block->size;
}

static ssize_t fake_read(void *ctx, void *to, size_t size)
{
	struct file *file = ctx;
	size_t got = 0;

	play_meanwhile();
	fake.reads++;
	for (int cpu = 0; cpu < fake.cpus && !got; cpu++)
		if (reads_cpu(file, cpu))
			got = read_cpu(file, cpu, to, size);
	return got ? (ssize_t)got : -EAGAIN;
}

static struct lkst_device *fake_reopen(void *ctx, struct lkst_error *err)
{
	(void)ctx;
	(void)err;
	return fake_device();
}

static void fake_close(void *ctx)
{
	fake.open--;
	free(ctx);
}

struct lkst_device *fake_device(void)
{
	static const struct lkst_device_ops ops = {
		.ioctl = fake_ioctl, .read = fake_read, .reopen = fake_reopen, .close = fake_close,
	};
	struct file *file = calloc(1, sizeof(*file));

	fake.open++;
	return lkst_device_new(&ops, file, NULL);
}
