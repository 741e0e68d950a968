// SPDX-License-Identifier: GPL-2.0
/*
 * Part of bench/native: the first and only process of User Mode Linux.
 *
 * usage: native-guest WARM LARGE
 *
 * WARM is the size in bytes of a buffer that fits into the cache. LARGE is the size of a buffer
 * that does not. Writes a line for each measurement to the file /results: its name, and the minimum
 * and the median of the cycles for one event, or for reading or copying 64 bytes.
 */
#include <limits.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>

#include "buffers.h"
#include "native.h"

/*
 * A slice repeats an operation. Slices are short and numerous, so that most of them are
 * undisturbed. Each round measures all rows.
 */
#define EVENTS	    10000
#define SLICES	    200
#define ROUNDS	    15
#define READ_ROUNDS 30
#define READ_SIZE   (256 << 10)
#define CHECKED	    1000

/* Ids of the maskset and of the buffers. LKST created buffer 0 at boot. */
#define SET   10
#define HOME  0
#define FIRST 10

/* Slots that remain free or get LKST's own events when a buffer is filled from its start. */
#define SPARE 128

struct row {
	char name[32];
	uint32_t *cycles; /* cycles of each slice, in units of 1/64 cycle */
	unsigned int num, room;
};

static struct row rows[32];
static int requests, bytes;
static FILE *results;

/* --- Rows */

static struct row *row_of(const char *name, const char *of)
{
	char whole[sizeof(rows->name)];
	struct row *row;

	snprintf(whole, sizeof(whole), "%s%s%s", name, *of ? "-" : "", of);
	for (row = rows; row->num && strcmp(row->name, whole); row++)
		;
	strcpy(row->name, whole);
	return row;
}

static void add(struct row *row, uint64_t cycles, uint64_t of)
{
	if (row->num == row->room) {
		row->room = row->room * 2 ?: 1024;
		row->cycles = realloc(row->cycles, row->room * sizeof(*row->cycles));
		if (!row->cycles)
			bail_out("memory");
	}
	row->cycles[row->num++] = cycles * 64 / of;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void print_rows(void)
{
	struct row *row;

	for (row = rows; row->num; row++) {
		qsort(row->cycles, row->num, sizeof(*row->cycles), compare);
		fprintf(results, "%s %.1f %.1f\n", row->name, row->cycles[0] / 64.0,
			row->cycles[row->num / 2] / 64.0);
	}
}

/* --- Requests to the module */

/*
 * Makes the module carry out a request. Returns the number of operations executed or bytes
 * processed. Unless @row is NULL, adds a value to @row for each complete slice: the mean number of
 * cycles that @unit operations or bytes took.
 */
static uint64_t execute(const struct native_request *request, struct row *row, unsigned int unit)
{
	static struct native_slice slices[NATIVE_SLICES_MAX];
	uint64_t done = 0;
	ssize_t i, got;

	if (write(requests, request, sizeof(*request)) != sizeof(*request))
		bail_out("write " NATIVE_REQUESTS);
	got = read(requests, slices, sizeof(slices));
	if (got < 0)
		bail_out("read " NATIVE_REQUESTS);
	for (i = 0; i < got / (ssize_t)sizeof(*slices); i++) {
		done += slices[i].done;
		if (row && slices[i].done == request->each)
			add(row, slices[i].cycles, slices[i].done / unit);
	}
	return done;
}

/* --- Recording */

static uint64_t count; /* number of LKST_HOOK()s so far */

static bool is_event(ull number, const lkst_arg_t *arg)
{
	return arg[0] == number && arg[1] == NATIVE_ARG2(number) && arg[2] == NATIVE_ARG3(number) &&
	       arg[3] == NATIVE_ARG4(number);
}

static void __attribute__((noreturn)) wrong(const char *msg, int id, uint64_t got)
{
	printf("Bail out! buffer %d: %s (%llu)\n", id, msg, (ull)got);
	exit(1);
}

/* Reads the records of CPU 0, starting at @recid. */
static const struct lkst_event_record *read_from(uint64_t recid)
{
	static struct {
		struct lkst_block block;
		struct lkst_event_record record[CHECKED];
	} newest;
	struct lkst_buffer_srmodparam mode = { .mode = LKST_READ_MODE_BLOCK };
	struct lkst_block_seekparam seek = { .recid = recid };
	int fd = open("/dev/lkst", O_RDWR | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || ioctl(fd, LKST_IOC_BUFFER_SETRMOD, &mode) ||
	    ioctl(fd, LKST_IOC_BLOCK_SEEK, &seek) || ioctl(fd, LKST_IOC_BLOCK_FLUSH) ||
	    read(fd, &newest, sizeof(newest)) < 0)
		need(errno, "reading in blocks");
	close(fd);
	if (newest.block.first_recid != recid || newest.block.count != CHECKED)
		wrong("fewer records than it should have", newest.block.buffer, newest.block.count);
	return newest.record;
}

/*
 * Checks that all @num events since the jump to buffer @id were recorded, and that the buffer
 * contains the newest of them.
 */
static void check_recorded(int id, uint64_t num)
{
	struct lkst_buffer_listent ent = buffer_of(0, id);
	uint64_t got = next_recid(&ent) - ent.first_recid, seen = count, i;
	const struct lkst_event_record *newest;

	/*
	 * LKST adds events of its own: a few after the jump, and two in each lap. Allow 16 after
	 * the jump, and three in each lap.
	 */
	if (got < num || got > num + 16 + 3 * (num / (ent.size / RECORD_SIZE)))
		wrong("not as many records as there were events", id, got);
	if (ent.dropped)
		wrong("dropped records", id, ent.dropped);
	newest = read_from(next_recid(&ent) - CHECKED);
	for (i = CHECKED; i--;) {
		if (newest[i].event_type != NATIVE_ETYPE)
			continue;
		if (!is_event(seen, newest[i].arg))
			wrong("not the events that were caused", id, newest[i].arg[0]);
		seen--;
	}
	if (count - seen < CHECKED - 16)
		wrong("too few of the events that were caused", id, count - seen);
}

static void repeat(enum native_op op, unsigned int slices, uint64_t each, uint64_t size,
		   struct row *row)
{
	execute(&(struct native_request){ op, slices, each, .size = size }, row, 1);
}

static void cause(unsigned int slices, uint64_t each, struct row *row)
{
	repeat(NATIVE_LKST, slices, each, 0, row);
	count += slices * each;
}

static void create_of(int id, uint64_t size)
{
	need(create(0, id, VOID, size), "CREATE %llu", (ull)size);
}

struct size {
	const char *name;
	uint64_t bytes;
};

static void measure_records(const struct size *sizes, unsigned int num)
{
	unsigned int round, i;

	for (i = 0; i < num; i++)
		create_of(FIRST + i, sizes[i].bytes);
	for (round = 0; round < ROUNDS; round++) {
		repeat(NATIVE_CLOCK, SLICES, EVENTS, 0, row_of("clock", ""));
		for (i = 0; i < num; i++) {
			need(jump(0, FIRST + i), "JUMP");
			cause(1, EVENTS, NULL);
			cause(SLICES, EVENTS, row_of("lkst", sizes[i].name));
			check_recorded(FIRST + i, (SLICES + 1) * EVENTS);
			need(jump(0, HOME), "JUMP");

			repeat(NATIVE_RING, 1, EVENTS, sizes[i].bytes, NULL);
			repeat(NATIVE_RING, SLICES, EVENTS, sizes[i].bytes,
			       row_of("ring", sizes[i].name));
		}
	}
	for (i = 0; i < num; i++)
		need(delete_buffer(0, FIRST + i), "DELETE");
}

/* --- Reading */

/*
 * The first pass reads all records into the memory at "to", and checks them. The measured passes
 * read into "chunk" repeatedly, as a daemon does.
 */
static char *to, chunk[READ_SIZE] __attribute__((aligned(4096)));

static size_t read_all(void)
{
	size_t sum = 0;
	ssize_t got;

	while ((got = read(lkst_fd, to + sum, READ_SIZE)) > 0)
		sum += got;
	if (got < 0 && errno != EAGAIN)
		bail_out("read");
	return sum;
}

/*
 * Reads records, or copies the same amount of data, into memory of the kernel or, if @user is set,
 * of this process. For each complete slice, adds the number of cycles per 64 bytes to @row. Returns
 * the number of bytes read.
 */
static uint64_t get(enum native_op op, bool user, struct row *row)
{
	size_t each = op == NATIVE_READ ? READ_SIZE : READ_SIZE - sizeof(struct lkst_block);
	struct native_request request = { op, NATIVE_SLICES_MAX, each,
					  .to = user ? (uintptr_t)chunk : 0, .fd = lkst_fd };
	uint64_t sum = 0, got;

	while ((got = execute(&request, row, RECORD_SIZE)) > 0 && op == NATIVE_READ)
		sum += got;
	return sum;
}

static void check_read(int id, size_t got, uint64_t num)
{
	const struct lkst_block *header = (const void *)to;
	uint64_t seen = count - num, i;

	for (; (char *)header < to + got; header = (const void *)((char *)header + header->size)) {
		const struct lkst_event_record *record = (const void *)(header + 1);

		for (i = 0; i < header->count; i++)
			if (record[i].event_type == NATIVE_ETYPE && !is_event(++seen, record[i].arg))
				wrong("read() returned events that were not caused", id, seen);
	}
	if (seen != count)
		wrong("read() returned fewer events than were caused", id, count - seen);
}

/* Fills a buffer with records to be read. Returns the number of events that it generated. */
static uint64_t fill(int id, uint64_t size)
{
	uint64_t events = size / RECORD_SIZE - SPARE;

	get(NATIVE_READ, false, NULL);
	need(jump(0, id), "JUMP");
	cause(1, events, NULL);
	need(jump(0, HOME), "JUMP");
	return events;
}

static void measure_read(int id, const struct size *size, bool user)
{
	uint64_t events = fill(id, size->bytes);
	uint64_t sum = get(NATIVE_READ, user, row_of(user ? "read_user" : "read", size->name));

	if (sum < events * RECORD_SIZE)
		wrong("read() returned fewer events than were caused", id, sum);
	if (pwrite(bytes, to, sum, 0) != (ssize_t)sum)
		bail_out(NATIVE_BYTES);
	get(NATIVE_COPY, user, row_of(user ? "copy_user" : "copy", size->name));
}

static void measure_reads(const struct size *sizes, unsigned int num)
{
	struct lkst_block_waitparam full_buffers = { .timeout = 0 };
	unsigned int round, i;

	need(set_mode(0, LKST_READ_MODE_BLOCK), "SETRMOD");
	need(lkst(LKST_IOC_BLOCK_WAIT, &full_buffers), "BLOCK_WAIT");
	fcntl(lkst_fd, F_SETFL, O_RDWR | O_NONBLOCK);
	for (i = 0; i < num; i++) {
		create_of(FIRST + i, sizes[i].bytes);
		uint64_t events = fill(FIRST + i, sizes[i].bytes);
		check_read(FIRST + i, read_all(), events);
	}
	for (round = 0; round < READ_ROUNDS; round++) {
		for (i = 0; i < num; i++) {
			/*
			 * Measure smaller buffers more often, so that each size gets about the same
			 * number of slices.
			 */
			unsigned int times = sizes[num - 1].bytes / sizes[i].bytes;

			for (times = times / 4 ?: 1; times; times--) {
				measure_read(FIRST + i, &sizes[i], false);
				measure_read(FIRST + i, &sizes[i], true);
			}
		}
	}
}

/* --- The machine */

static void load_module(uint64_t size)
{
	int module = open("/module.ko", O_RDONLY);
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "bytes=%llu", (ull)size);
	if (syscall(SYS_finit_module, module, parameters, 0))
		bail_out("the module");
	requests = open(NATIVE_REQUESTS, O_RDWR);
	bytes = open(NATIVE_BYTES, O_RDWR);
	if (requests < 0 || bytes < 0)
		bail_out(NATIVE_REQUESTS);
}

static void the_end(void)
{
	fflush(stdout);
	fclose(results);
	sync();
	reboot(RB_POWER_OFF);
}

int main(int argc, char **argv)
{
	static const struct mask masks[] = { { NATIVE_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG },
					     { BUFF_OVFLOW, LKST_EVHANDLER_ID_ENTRY_LOG },
					     { BUFF_SHIFT, LKST_EVHANDLER_ID_ENTRY_LOG },
					     { SYNC_TIME, LKST_EVHANDLER_ID_ENTRY_LOG } };
	struct size sizes[] = { { "warm", 0 }, { "4M", 4 << 20 }, { "large", 0 } };
	struct size read_sizes[] = { { "1M", 1 << 20 }, { "large", 0 } };

	results = fopen("/results", "w");
	if (!results)
		bail_out("/results");
	atexit(the_end);
	if (argc != 3)
		bail_out("arguments");
	sizes[0].bytes = strtoull(argv[1], NULL, 0);
	sizes[2].bytes = strtoull(argv[2], NULL, 0);
	read_sizes[1].bytes = sizes[2].bytes;
	to = malloc(sizes[2].bytes + READ_SIZE);
	if (!to)
		bail_out("memory");
	memset(to, 1, sizes[2].bytes + READ_SIZE);

	if (mount("proc", "/proc", "proc", 0, NULL) ||
	    mount("devtmpfs", "/dev", "devtmpfs", 0, NULL))
		bail_out("mount");
	open_lkst();
	load_module(sizes[2].bytes + READ_SIZE);
	need(write_maskset(SET, "native", masks, sizeof(masks) / sizeof(masks[0])),
	     "MASKSET_WRITE");
	need(set_maskset(SET), "MASKSET_SET");
	measure_records(sizes, sizeof(sizes) / sizeof(sizes[0]));
	measure_reads(read_sizes, sizeof(read_sizes) / sizeof(read_sizes[0]));
	print_rows();
	return 0;
}
