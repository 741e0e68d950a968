// SPDX-License-Identifier: GPL-2.0
/*
 * Log files: reading returns the events that were written, no matter how many times the file has
 * wrapped.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "log_case.h"

#define LIMIT LKST_LOG_LIMIT_MIN

/* ---- writes that fail ---- */

static int64_t room = INT64_MAX; /* bytes that can be written before a write fails */
static bool mending; /* writing a chunk's header still succeeds when room is 0 */
static int failure;

ssize_t __real_pwrite64(int fd, const void *data, size_t len, off_t offset);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
DIR *__real_opendir(const char *path);

ssize_t __wrap_pwrite64(int fd, const void *data, size_t len, off_t offset)
{
	ssize_t n;

	if (!room && mending && len <= sizeof(struct lkst_chunk_header))
		return __real_pwrite64(fd, data, len, offset);
	if (!room) {
		errno = failure;
		return -1;
	}
	n = __real_pwrite64(fd, data, (int64_t)len < room ? len : (size_t)room, offset);
	if (room != INT64_MAX && n > 0)
		room -= n;
	return n;
}

static time_t later; /* seconds to add to each time that clock_gettime() returns */

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	int ret = __real_clock_gettime(clock, now);

	now->tv_sec += later;
	return ret;
}

static uint64_t random_below(uint64_t n)
{
	return (uint64_t)random() % n;
}

/* ---- reading what was written ---- */

/* Write the records with recids from @first up to @end - 1, @step of them at a time. */
static void write_runs(struct lkst_log *log, uint64_t first, uint64_t end, uint64_t step)
{
	for (uint64_t recid = first; recid < end; recid += step) {
		const struct lkst_run run = log_run(1, recid, step);

		log_write(log, &run);
	}
}

/* Write @num records, starting with recid @first, and report @lost events as lost before them. */
static void write_after_loss(struct lkst_log *log, uint64_t first, size_t num, uint64_t lost)
{
	struct lkst_run run = log_run(1, first, num);

	run.lost = lost;
	log_write(log, &run);
}

static struct lkst_log_counts counts_of(const struct lkst_log *log)
{
	struct lkst_log_counts counts;

	lkst_log_counts(log, &counts);
	return counts;
}

/*
 * Read the log. It must contain the newest records before recid @end, without a gap, and the reader
 * must not report anything. Return the number of records.
 */
static size_t check_newest(uint64_t end)
{
	const size_t num = log_read("log");
	uint64_t recid = end;

	ck_assert_str_eq(reports, "");
	for (size_t i = num; i-- > 0;) {
		do
			recid--;
		while (log_is_hole(recid));
		if (events[i].recid != recid)
			ck_abort_msg("recid %llu, not %llu", (unsigned long long)events[i].recid,
				     (unsigned long long)recid);
	}
	return num;
}

TESTS(.timeout = 300, .setup = log_setup, .teardown = log_teardown);

TEST_LOOP(test_round_trip, 2)
{
	struct lkst_log *log = log_create("log", 1, 0, _i);
	const struct lkst_context *context;
	struct lkst_log_counts counts;
	struct lkst_symbol symbol;
	size_t len;

	write_runs(log, 0, 20000, 2500);
	counts = counts_of(log);
	ck_assert_uint_eq(counts.kept, 20000 - log_holes(0, 20000));
	ck_assert(!counts.rewound && !counts.lost);
	/* A growing file can be read like a closed one. */
	ck_assert_uint_eq(check_newest(20000), counts.kept);
	log_close(log);
	ck_assert_uint_eq(check_newest(20000), counts.kept);
	context = lkst_trace_context(trace);
	ck_assert(!lkst_trace_growing(trace));
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert(lkst_symbols_find(context->symbols, LOG_CODE + 0x101, &symbol));
	ck_assert_str_eq(symbol.name, "do_more");
	ck_assert_str_eq(lkst_names_get(context->names, (uint32_t)getpid(), 0), "test_log");
	ck_assert_int_eq(strncmp(lkst_trace_system(trace, "lkst", &len),
				 "61207275-6e20-6f66-204c-4b53542e2e2e\n", 37), 0);
}

TEST(test_exists)
{
	const struct lkst_log_options opt = { .cpu = 1 };
	struct lkst_log *log = log_create("log", 1, 0, false);

	ck_assert_ptr_null(lkst_log_create(log_dir_fd, "log", &opt, &err));
	ck_assert_int_eq(err.sys_errno, EEXIST);
	assert_contains(err.text, "log: cannot be created");
	log_close(log);
	ck_assert_ptr_null(lkst_log_create(log_dir_fd, "no/log", &opt, &err));
	ck_assert_int_eq(err.sys_errno, ENOENT);
}

TEST_LOOP(test_rewinds, 4)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);
	uint64_t recid = 0, lost = 0;
	struct lkst_log_counts counts;

	srandom((unsigned int)_i + 1);
	for (int i = 0; i < 250; i++) {
		const size_t n = 1 + random_below(random_below(4) ? 300 : 3000);
		const uint64_t gap = i == 100 ? 55 : 0;

		write_after_loss(log, recid + gap, n, gap);
		recid += gap + n;
		lost += gap;
		counts = counts_of(log);
		ck_assert_uint_le(counts.bytes, LIMIT);
		ck_assert_uint_eq(counts.lost, lost);
		if (i % 41 && i != 101)
			continue;
		/*
		 * Round 100 reports a loss. From then until round 200, the file may contain this
		 * loss, and the reader may report it.
		 */
		ck_assert_uint_eq(i < 100 || i > 200 ? check_newest(recid) : log_read("log"),
				  counts.kept);
		/* Every record was either kept, or overwritten and counted as rewound. */
		if (!lost)
			ck_assert_uint_eq(counts.kept + counts.rewound,
					  recid - log_holes(0, recid));
	}
	/* The file stays more than half full, because a write drops only the batches in its way. */
	ck_assert_uint_gt(counts.rewound, 4 * counts.kept);
	ck_assert_uint_gt(counts.bytes, LIMIT / 2);
	log_close(log);
	check_newest(recid);
}

TEST(test_lost)
{
	struct lkst_log *log = log_create("log", 1, 0, false);

	write_after_loss(log, 100, 10, 100);
	/* Repeat a write, as callers do after an error. Nothing is written twice. */
	write_after_loss(log, 100, 10, 100);
	write_after_loss(log, 105, 10, 0);
	write_after_loss(log, 120, 1, 3);
	ck_assert_uint_eq(counts_of(log).lost, 103);
	ck_assert_uint_eq(counts_of(log).kept, 16 - log_holes(100, 115));
	log_close(log);
	ck_assert_uint_eq(log_read("log"), 16 - log_holes(100, 115));
	assert_contains(reports, "103 events were lost");
	ck_assert_uint_eq(lkst_trace_lost(trace), 103);
	ck_assert(!lkst_trace_incomplete(trace));
}

/* Check the symbol of an address in the log, as "name[module]", or "-[]" if it has no symbol. */
static void check_symbol(uint64_t address, const char *expected)
{
	struct lkst_symbol symbol = { "-", "", 0 };
	char text[100];

	log_open("log");
	lkst_symbols_find(lkst_trace_context(trace)->symbols, address, &symbol);
	snprintf(text, sizeof(text), "%s[%s]", symbol.name, symbol.module);
	ck_assert_str_eq(text, expected);
}

static void write_call(struct lkst_log *log, uint64_t recid, uint32_t type, uint64_t address)
{
	const struct lkst_event_record record = { .clock = 1000 + recid * 2000,
						  .event_type = (uint16_t)type,
						  .arg = { address } };
	struct lkst_run run = log_run(1, recid, 0);

	run.record = &record;
	run.num = 1;
	log_write(log, &run);
}

/* When a module has been loaded, the log reads the symbol list again, at most once a minute. */
TEST(test_modules)
{
	const uint64_t first = 0xffffffffc0000010, second = 0xffffffffc0000110;
	struct lkst_log *log = log_create("log", 1, LIMIT, false);

	write_call(log, 0, 0x040, first);
	check_symbol(first, "-[]");
	/* When the list is read again, symbols of the kernel itself are ignored. */
	write_text(dir_path("proc/kallsyms"), "ffffffff81000000 T changed\n"
					      "ffffffffc0000000 t a\t[one]\n"
					      "ffffffffc0000100 t b\t[one]\n");
	write_call(log, 1, LKST_ETYPE_MODULE_LOAD, 0);
	check_symbol(first, "-[]");
	later = 61;
	write_call(log, 2, 0x040, LOG_CODE);
	check_symbol(first, "a[one]");
	check_symbol(second, "-[]");
	check_symbol(LOG_CODE, "do_it[]");
	write_call(log, 3, 0x040, second);
	check_symbol(second, "b[one]");
	/* Another module is loaded at the same address: its symbols replace the old ones. */
	write_text(dir_path("proc/kallsyms"), "ffffffffc0000000 t c\t[two]\n"
					      "ffffffffc0000200 t d\t[two]\n");
	later = 122;
	write_call(log, 4, LKST_ETYPE_MODULE_LOAD, 0);
	check_symbol(first, "c[two]");
	check_symbol(second, "c[two]");
	/* The preamble of each lap contains all symbols so far. */
	write_runs(log, 5, 20000, 1000);
	ck_assert_uint_gt(counts_of(log).rewound, 4000);
	check_symbol(first, "c[two]");
	log_close(log);
	check_symbol(first, "c[two]");
	later = 0;
}

/* A write fails at a random point with ENOSPC or EIO. */
TEST_LOOP(test_full_disk, 4)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);
	struct lkst_log_counts counts;
	uint64_t recid = 0;

	srandom((unsigned int)_i + 100);
	failure = _i & 2 ? EIO : ENOSPC;
	for (int i = 0; i < 160; i++) {
		size_t n = 1 + random_below(2000);
		struct lkst_run run = log_run(1, recid, n);
		int ret;

		room = (int64_t)random_below(random_below(2) ? 64 : n * 80);
		mending = random_below(2);
		ret = lkst_log_write(log, &run, &err);
		if (ret)
			ck_assert_int_eq(err.sys_errno, failure);
		if (ret && i % 8 == 0) {
			const size_t num = log_read("log");

			/* No half-written data remains if the header of a chunk can be written. */
			if (mending) {
				ck_assert_uint_eq(num, counts_of(log).kept);
				ck_assert_str_eq(reports, "");
			}
		}
		if (ret && !room && random_below(2)) {
			mending = false;
			ck_assert_int_eq(lkst_log_write(log, &run, &err), -1);
			ck_assert_int_eq(err.sys_errno, failure);
		}
		room = INT64_MAX;
		log_write(log, &run);
		recid += n;
		counts = counts_of(log);
		ck_assert_uint_eq(counts.kept + counts.rewound, recid - log_holes(0, recid));
		if (i % 16 == 0)
			ck_assert_uint_eq(check_newest(recid), counts.kept);
	}
	log_close(log);
	check_newest(recid);
}

TEST(test_full_disk_at_start_and_end)
{
	const struct lkst_log_options opt = { .cpu = 1, .root = dir };
	struct lkst_log *log;

	failure = ENOSPC;
	for (int64_t left = 0; left < 4000; left += 37) {
		room = left;
		ck_assert_ptr_null(lkst_log_create(log_dir_fd, "log", &opt, &err));
		ck_assert_int_eq(err.sys_errno, ENOSPC);
		ck_assert_int_eq(faccessat(log_dir_fd, "log", F_OK, 0), -1);
	}
	room = INT64_MAX;
	log = log_create("log", 1, 0, false);
	write_runs(log, 0, 10, 10);
	room = 30;
	ck_assert_int_eq(lkst_log_close(log, &err), -1);
	ck_assert_int_eq(err.sys_errno, ENOSPC);
	room = INT64_MAX;
	/* All records can be read; only the END chunk is missing. */
	ck_assert_uint_eq(log_read("log"), 10);
	assert_contains(reports, "truncated after");
}

/* ---- command lines and descriptors ---- */

/* Return how many times a file contains a text. */
static int count_text(const char *name, const char *text)
{
	const uint8_t *at;
	int num = 0;

	log_load(name);
	at = file.data;
	while ((at = memmem(at, file.size - (size_t)(at - file.data), text, strlen(text)))) {
		at++;
		num++;
	}
	return num;
}

static void set_files(const char *text, uint64_t serial)
{
	log_files = (struct lkst_log_files){ (char *)text, strlen(text), serial };
}

#define FILES_OF(command) \
	"# lkst_files 1\nread 1 1\nprocess 200 1 1\ncommand - - " command "\n"

TEST(test_files)
{
	struct lkst_log *log;
	struct lkst_event event;
	struct lkst_run run;

	set_files(FILES_OF("first"), 1);
	log = log_create("log", 1, LIMIT, false);
	run = log_run(1, 0, 100);
	log_write(log, &run);
	ck_assert_int_eq(count_text("log", "- - first"), 1);
	set_files(FILES_OF("second"), 2);
	/* Each lap begins with the latest names. */
	for (uint64_t recid = 100; recid < 20000; recid += 1000) {
		run = log_run(1, recid, 1000);
		log_write(log, &run);
	}
	ck_assert_int_eq(count_text("log", "- - first"), 0);
	ck_assert_int_eq(count_text("log", "- - second"), 1);
	/* At the end, the names are written again if they have changed since the lap began. */
	set_files(FILES_OF("third"), 3);
	log_close(log);
	ck_assert_int_eq(count_text("log", "- - second"), 1);
	ck_assert_int_eq(count_text("log", "- - third"), 1);
	log_open("log");
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert_uint_gt(read_all(LKST_NEWEST_FIRST), 0);
	event = events[0];
	ck_assert_ptr_nonnull(lkst_process_command(lkst_trace_context(trace), &event));
	log = log_create("same", 1, LIMIT, false);
	log_close(log);
	ck_assert_int_eq(count_text("same", "- - third"), 1);
}

TEST(test_files_too_long)
{
	char *text = malloc(LIMIT);
	struct lkst_log *log;

	ck_assert(text);
	memset(text, 'x', LIMIT);
	log_files = (struct lkst_log_files){ text, LIMIT / 4, 1 };
	log = log_create("log", 1, LIMIT, false);
	log_close(log);
	free(text);
	ck_assert_int_eq(count_text("log", "xxxx"), 0);
}

/* ---- lists of threads are shared between logs ---- */

static int proc_opens; /* number of times that /proc was opened to list all threads */

DIR *__wrap_opendir(const char *path)
{
	proc_opens += !strcmp(path, "/proc");
	return __real_opendir(path);
}

/*
 * A program registers a user event after the log was created, and another one later. Before the
 * first record of each of these events, the log lists all event types again.
 */
TEST_LOOP(test_new_user_events, 2)
{
	static const char before[] = "# lkst_etypes 1\n"
		"0x030 X UNDEF hook present \"system_call_entry\" \"\" \"\" \"\" \"\"\n";
	static const char line[] =
		"0x%x USER_EVENT_%x PROGRAM user present \"user_events:e%x\" \"\" \"\" \"\" \"\" \"u32 a\"\n";
	struct lkst_log *log = log_create("log", 0, _i ? 0 : LKST_LOG_LIMIT_MIN, false);
	struct lkst_event_record record[2];
	char text[1024];
	size_t len = (size_t)snprintf(text, sizeof(text), "%s", before);

	for (unsigned int i = 0; i < 2; i++) {
		const uint32_t type = 0x200 + i;
		struct lkst_run run = log_run(0, 2 * i, 2);

		len += (size_t)snprintf(text + len, sizeof(text) - len, line, type, type, type);
		write_text(dir_path("etypes"), text);
		memcpy(record, run.record, sizeof(record));
		for (int k = 0; k < 2; k++) {
			record[k].event_type = (uint16_t)type;
			record[k].clock += !record[k].clock;
		}
		run.record = record;
		log_write(log, &run);
	}
	log_close(log);
	log_open("log");
	struct lkst_etypes *types = lkst_trace_etypes(trace, &err);

	assert_made(types);
	ck_assert_str_eq(lkst_etype(types, 0x200)->name, "user_events:e200");
	ck_assert_str_eq(lkst_etype(types, 0x201)->name, "user_events:e201");
	ck_assert_str_eq(lkst_etype(types, 0x201)->field[0].label, "a");
	lkst_etypes_free(types);
}

/* Write @num records, the first of them with the event type @type. */
static void write_user_event(struct lkst_log *log, uint64_t first, size_t num, uint32_t type)
{
	static struct lkst_event_record record[LOG_RUN_MAX];
	struct lkst_run run = log_run(0, first, num);

	memcpy(record, run.record, num * sizeof(*record));
	record[0].event_type = (uint16_t)type;
	record[0].clock += !record[0].clock;
	run.record = record;
	log_write(log, &run);
}

/*
 * Load the log into memory without its SKIP chunk, as if the newest batch ended where an older
 * batch begins.
 */
static void load_without_skip(void)
{
	struct lkst_chunk_header *skip;
	size_t len;
	uint8_t *end;

	log_load("log");
	end = file.data + file.size;
	skip = find_chunk(TRACE_SKIP, 0);
	len = sizeof(*skip) + trace_padded(skip->length);
	memmove(skip, (uint8_t *)skip + len, (size_t)(end - (uint8_t *)skip) - len);
	file.size -= len;
}

/*
 * A program registers an event in each of two laps. The event types that the first lap lists come
 * later in the file, but the ones in the list of the second lap are newer. Between the two lists is
 * a SKIP chunk, an END chunk, or neither.
 */
TEST_LOOP(test_new_user_events_in_two_laps, 3)
{
	static const char text[] = "# lkst_etypes 1\n"
		"0x030 X UNDEF hook present \"system_call_entry\" \"\" \"\" \"\" \"\"\n"
		"0x200 E PROGRAM user present \"user_events:first\" \"\" \"\" \"\" \"\" \"u32 a\"\n";
	static const char more[] =
		"0x201 F PROGRAM user present \"user_events:second\" \"\" \"\" \"\" \"\" \"u32 a\"\n";
	struct lkst_log *log = log_create("log", 0, LKST_LOG_LIMIT_MIN, false);
	struct lkst_etypes *types;
	uint64_t recid = 0;
	char both[1024];

	for (; counts_of(log).bytes < LKST_LOG_LIMIT_MIN / 2; recid += 100)
		write_user_event(log, recid, 100, 0x030);
	write_text(dir_path("etypes"), text);
	write_user_event(log, recid, 100, 0x200);
	for (recid += 100; !counts_of(log).rewound; recid += 100)
		write_user_event(log, recid, 100, 0x030);
	snprintf(both, sizeof(both), "%s%s", text, more);
	write_text(dir_path("etypes"), both);
	write_user_event(log, recid, 100, 0x201);
	if (_i == 1)
		log_close(log);
	if (_i == 2) {
		load_without_skip();
		open_file();
	} else {
		log_open("log");
	}
	types = lkst_trace_etypes(trace, &err);
	assert_made(types);
	ck_assert_ptr_nonnull(lkst_etype(types, 0x200));
	ck_assert_ptr_nonnull(lkst_etype(types, 0x201));
	lkst_etypes_free(types);
	if (_i != 1)
		log_close(log);
}

/* Logs that begin or end at the same time list the threads only once. */
TEST(test_looks)
{
	static const char *const names[] = { "log0", "log1", "log2" };
	struct lkst_log *log[NUM(names)];

	later++;
	proc_opens = 0;
	for (int i = 0; i < NUM(names); i++)
		log[i] = log_create(names[i], i, 0, false);
	ck_assert_int_eq(proc_opens, 1);
	later++;
	for (int i = 0; i < NUM(names); i++)
		log_close(log[i]);
	ck_assert_int_eq(proc_opens, 2);
	log_close(log_create("log", 0, 0, false));
	ck_assert_int_eq(proc_opens, 2);
}

/* ---- files that another program has changed ---- */

static off_t size_of_log(void)
{
	struct stat st;

	return fstatat(log_dir_fd, "log", &st, 0) ? -1 : st.st_size;
}

/* Shell commands that change a file. change_log() appends the name of the file. */
static const char *const changes[] = {
	":>", "truncate -s 1000", "rm", "printf x >>", "printf overwrites 1<>",
};

static void change_log(const char *command)
{
	char text[100];

	snprintf(text, sizeof(text), "%s %s", command, dir_path("log"));
	ck_assert_int_eq(system(text), 0);
}

TEST_EACH(test_changed, changes)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, false);
	off_t size;

	for (uint64_t recid = 0; recid < 10000; recid += 1000) {
		ck_assert(lkst_log_intact(log));
		write_runs(log, recid, recid + 1000, 1000);
	}
	ck_assert(lkst_log_intact(log));
	change_log(changes[_i]);
	ck_assert(!lkst_log_intact(log));
	size = size_of_log();
	log_close(log);
	ck_assert_int_eq(size_of_log(), size);
}

/*
 * Another program empties the file, and a write then restores its size. The log must notice that
 * the file was emptied although the size is as expected.
 */
TEST(test_emptied_before_a_write)
{
	struct lkst_log *log = log_create("log", 1, 0, false);

	write_runs(log, 0, 1000, 1000);
	change_log(changes[0]);
	write_runs(log, 1000, 2000, 1000);
	ck_assert_uint_eq((uint64_t)size_of_log(), counts_of(log).bytes);
	ck_assert(!lkst_log_intact(log));
	log_close(log);
}

/* A failed write must not look like a change by another program. */
TEST_LOOP(test_failed_write_is_no_change, 2)
{
	struct lkst_log *log = log_create("log", 1, _i ? LIMIT : 0, false);

	failure = ENOSPC;
	for (uint64_t recid = 0; recid < 20000; recid += 1000) {
		const struct lkst_run run = log_run(1, recid, 1000);

		for (int64_t left = 0; left < 80000; left += 7919) {
			room = left;
			lkst_log_write(log, &run, &err);
			ck_assert(lkst_log_intact(log));
		}
		room = INT64_MAX;
		log_write(log, &run);
	}
	log_close(log);
}

/* ---- incomplete files ---- */

TEST_LOOP(test_cut_off, 4)
{
	struct lkst_log *log = log_create("log", 1, _i & 2 ? LIMIT : 0, _i & 1);
	size_t all, last, num, step = _i & 2 ? 1999 : 1;

	write_runs(log, 0, _i & 2 ? 20000 : 60, 20);
	log_close(log);
	log_load("log");
	last = all = log_read("log");
	ck_assert_uint_gt(all, 30);
	/*
	 * Cut off more of the file each time: one byte more within the last 16 bytes, which include
	 * the padding of a chunk, then step bytes more.
	 */
	for (size_t cut = file.size - 1; cut > 2000; cut -= cut > file.size - 16 ? 1 : step) {
		open_trace(new_file(file.data, cut));
		num = log_read_open();
		/* Up to 7 bytes at the end are padding. Without them, all events can be read. */
		if (num < all || cut < file.size - 7)
			ck_assert_msg(*reports, "%zu of %zu", cut, file.size);
		ck_assert_uint_le(num, last);
		last = num;
	}
}

/*
 * Simulate a SIGKILL during a write: the first bytes of the written range are new, the others old.
 */
TEST_LOOP(test_killed, 2)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);

	write_runs(log, 0, 8000, 100);
	for (uint64_t recid = 8000; recid < 8400; recid += 100) {
		struct lkst_log_counts before = counts_of(log), after;
		size_t first = 0, last;
		struct file old;

		log_load("log");
		old = file;
		file.data = NULL;
		write_runs(log, recid, recid + 100, 100);
		after = counts_of(log);
		log_load("log");
		last = old.size < file.size ? old.size : file.size;
		while (first < last && old.data[first] == file.data[first])
			first++;
		while (last > first && old.data[last - 1] == file.data[last - 1])
			last--;
		if (file.size > old.size)
			last = file.size;
		for (size_t at = first + 1; at < last; at += 61) {
			const int fd = new_file(old.data, old.size);
			size_t num;

			ck_assert_int_eq(pwrite(fd, file.data, at, 0), (ssize_t)at);
			open_trace(fd);
			num = log_read_open();
			assert_contains(reports, "truncated");
			/*
			 * All records that were not overwritten can be read, and possibly some of
			 * the new ones.
			 */
			ck_assert_uint_ge(num + after.rewound - before.rewound, before.kept);
			ck_assert_uint_le(num, before.kept + 100);
		}
		free(old.data);
	}
	log_close(log);
}

TEST_LOOP(test_damaged, 2)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);

	write_runs(log, 0, 20000, 50);
	log_close(log);
	for (int round = 0; round < 30; round++) {
		size_t flips;

		log_load("log");
		flips = 1 + random_below(round < 15 ? 20 : file.size / 100);
		while (flips--)
			file.data[64 + random_below(file.size - 64)] ^=
				(uint8_t)(1 + random_below(255));
		open_file();
		/* Check that the reader returns only records that were written. */
		log_read_open();
	}
}

/* ---- reading while a writer is active ---- */

/*
 * Read the growing file. If @recid is not NULL, write 200 records, beginning with recid *@recid,
 * after every 50th event that is read, so that the writer wraps during the read. Return the number
 * of events.
 */
static size_t read_growing(enum lkst_order order, struct lkst_log *log, uint64_t *recid)
{
	uint64_t last = order == LKST_OLDEST_FIRST ? 0 : UINT64_MAX;
	struct lkst_event event;
	size_t num = 0;
	int ret;

	log_open("log");
	ck_assert(lkst_trace_growing(trace));
	ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
	for (; (ret = lkst_trace_next(trace, &event, &err)) > 0; num++) {
		log_check_event(&event);
		if (order == LKST_OLDEST_FIRST ? event.recid < last : event.recid >= last)
			ck_abort_msg("recid %llu", (unsigned long long)event.recid);
		last = event.recid;
		if (recid && num % 50 == 0) {
			write_runs(log, *recid, *recid + 200, 200);
			*recid += 200;
		}
	}
	ck_assert_msg(!ret, "%s", err.text);
	/* Records that the writer overwrites during the read do not count as damage. */
	ck_assert_msg(!lkst_trace_incomplete(trace), "%s", reports);
	return num;
}

TEST_LOOP(test_growing, 2)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i);
	uint64_t recid = 6000;

	write_runs(log, 0, recid, 200);
	for (int order = 0; order < 2; order++) {
		read_growing(order, log, &recid);
		assert_contains(reports, "overwritten by newer ones");
	}
	log_close(log);
}

TEST_LOOP(test_two_processes, 2)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i);
	size_t beside = 0;
	int status;
	pid_t pid;

	write_runs(log, 0, 8000, 500);
	pid = fork();
	if (!pid) {
		for (uint64_t recid = 8000; recid < 400000; recid += 100) {
			struct lkst_run run = log_run(1, recid, 100);

			if (lkst_log_write(log, &run, &err))
				_exit(1);
		}
		_exit(0);
	}
	/*
	 * The log stays locked even after the child exits: the lock belongs to the open file
	 * description, which parent and child share.
	 */
	do /* Read the newest events first: the writer may overwrite the oldest ones. */
		beside += read_growing(LKST_NEWEST_FIRST, log, NULL);
	while (!waitpid(pid, &status, WNOHANG));
	ck_assert_uint_gt(beside, 0);
	ck_assert_int_eq(status, 0);
	ck_assert_uint_gt(check_newest(400000), 1000);
	lkst_log_close(log, NULL);
}

TEST(test_growing_is_torn)
{
	struct lkst_log *log = log_create("log", 1, 0, false);
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char path[32];
	const char *const paths[] = { path };
	int fd;

	write_runs(log, 0, 200, 100);
	log_load("log");
	log_close(log);
	/* The last chunk is incomplete. */
	fd = new_file(file.data, file.size - 500);
	ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &lock), 0);
	sprintf(path, "/proc/self/fd/%d", fd);
	open_paths(paths, 1);
	ck_assert_uint_eq(log_read_open(), 100 - log_holes(0, 100));
	ck_assert_str_eq(reports, "");
	/* Without a writer, the chunk counts as cut off, and its complete records are read. */
	open_trace(fd);
	assert_contains(reports, "of the last 100 records, 92 are in the file");
	ck_assert(lkst_trace_incomplete(trace));
}

TEST(test_other_byte_order)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, false);
	size_t num;

	write_runs(log, 0, 9000, 100);
	write_after_loss(log, 9010, 100, 10);
	log_close(log);
	num = log_read("log");
	log_load("log");
	swap_file();
	open_file();
	ck_assert_uint_eq(log_read_open(), num);
	assert_contains(reports, ": 10 events were lost");
	ck_assert_int_eq(strchr(reports, '\n')[1], 0); /* this is the only report */
}
