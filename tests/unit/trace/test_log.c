// SPDX-License-Identifier: GPL-2.0
/* Log files: reading returns the events that were written, however often the file has wrapped. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "log_case.h"

#define LIMIT LKST_LOG_LIMIT_MIN

/* ---- writes that fail ---- */

static int64_t room = INT64_MAX; /* bytes that can be written before a write fails */
static bool mending; /* writes up to the size of a chunk's header still succeed when room is 0 */
static int failure;

ssize_t __real_pwrite64(int fd, const void *data, size_t len, off_t offset);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
DIR *__real_opendir(const char *path);

ssize_t __wrap_pwrite64(int fd, const void *data, size_t len, off_t offset)
{
	ssize_t n;

	if (!room && mending && len <= sizeof(struct trace_chunk_header))
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

static uint64_t state = 1;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
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

	state = (uint64_t)_i + 1;
	for (int i = 0; i < 250; i++) {
		size_t n = 1 + random_below(random_below(4) ? 300 : 3000);

		if (i == 100)
			lost = 55;
		write_after_loss(log, recid + (i == 100 ? lost : 0), n, i == 100 ? lost : 0);
		recid += n + (i == 100 ? lost : 0);
		counts = counts_of(log);
		ck_assert_uint_le(counts.bytes, LIMIT);
		ck_assert_uint_eq(counts.lost, lost);
		if (i % 41 && i != 101)
			continue;
		/*
		 * From round 100 to 200, the file may contain the loss, and the reader may report
		 * it.
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

/* After a module was loaded, the log reads the symbol list again, but at most once a minute. */
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

	state = (uint64_t)_i + 100;
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
			ck_assert_uint_eq(log_read("log"), counts_of(log).kept);
			/* No half-written data remains, provided that a chunk header can be written. */
			if (mending)
				ck_assert_str_eq(reports, "");
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

/* ---- lists of threads are shared between logs ---- */

static int looks; /* how often /proc was opened to list all threads */

DIR *__wrap_opendir(const char *path)
{
	looks += !strcmp(path, "/proc");
	return __real_opendir(path);
}

/* Logs that begin or end at the same time list the threads only once. */
TEST(test_looks)
{
	static const char *const names[] = { "log0", "log1", "log2" };
	struct lkst_log *log[NUM(names)];

	later++;
	looks = 0;
	for (int i = 0; i < NUM(names); i++)
		log[i] = log_create(names[i], i, 0, false);
	ck_assert_int_eq(looks, 1);
	later++;
	for (int i = 0; i < NUM(names); i++)
		log_close(log[i]);
	ck_assert_int_eq(looks, 2);
	log_close(log_create("log", 0, 0, false));
	ck_assert_int_eq(looks, 2);
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

static void load_log(void)
{
	load_file(open(dir_path("log"), O_RDONLY));
}

static void put_data(const char *name, const uint8_t *data, size_t size)
{
	int fd = open(dir_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(__real_pwrite64(fd, data, size, 0), (ssize_t)size);
	close(fd);
}

/*
 * Return the next size to which a test cuts off the file. The size grows by @step, and by 1 within
 * the last 16 bytes, which include the padding of a chunk.
 */
static size_t next_cut(size_t cut, size_t size, size_t step)
{
	if (cut >= size - 16)
		return cut + 1;
	return cut + step < size - 16 ? cut + step : size - 16;
}

TEST_LOOP(test_cut_off, 4)
{
	struct lkst_log *log = log_create("log", 1, _i & 2 ? LIMIT : 0, _i & 1);
	size_t last = 0, num, all, step = _i & 2 ? 1999 : 1;

	write_runs(log, 0, _i & 2 ? 20000 : 60, 20);
	log_close(log);
	load_log();
	all = log_read("log");
	for (size_t cut = 2000; cut < file.size; cut = next_cut(cut, file.size, step)) {
		put_data("cut", file.data, cut);
		num = log_read("cut");
		/* Up to 7 bytes at the end are padding. Without them, all events can be read. */
		if (num < all || cut < file.size - 7)
			ck_assert_msg(*reports, "%zu of %zu", cut, file.size);
		ck_assert_uint_ge(num, last);
		ck_assert_uint_le(num, all);
		last = num;
	}
	ck_assert_uint_gt(last, 30);
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

		load_log();
		old = file;
		file.data = NULL;
		write_runs(log, recid, recid + 100, 100);
		after = counts_of(log);
		load_log();
		last = old.size < file.size ? old.size : file.size;
		while (first < last && old.data[first] == file.data[first])
			first++;
		while (last > first && old.data[last - 1] == file.data[last - 1])
			last--;
		if (file.size > old.size)
			last = file.size;
		for (size_t at = first + 1; at < last; at += 61) {
			size_t size = at > old.size ? at : old.size, num;
			uint8_t *mixed = malloc(size);

			memcpy(mixed, old.data, old.size);
			memcpy(mixed, file.data, at);
			put_data("killed", mixed, size);
			num = log_read("killed");
			assert_contains(reports, "truncated");
			/*
			 * All records that were not overwritten can be read, and possibly some of
			 * the new ones.
			 */
			ck_assert_uint_ge(num + after.rewound - before.rewound, before.kept);
			ck_assert_uint_le(num, before.kept + 100);
			free(mixed);
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

		load_log();
		flips = 1 + random_below(round < 15 ? 20 : file.size / 100);
		while (flips--)
			file.data[64 + random_below(file.size - 64)] ^=
				(uint8_t)(1 + random_below(255));
		put_data("bad", file.data, file.size);
		/* log_read() checks that the reader returns only records that were written. */
		log_read("bad");
	}
}

/* ---- reading while a writer is active ---- */

TEST_LOOP(test_growing, 2)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i);
	struct lkst_event event;
	uint64_t recid = 6000, last;
	int ret;

	write_runs(log, 0, recid, 200);
	for (int order = 0; order < 2; order++) {
		uint64_t read = 0;

		log_open("log");
		ck_assert(lkst_trace_growing(trace));
		ck_assert_str_eq(reports, "");
		ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
		last = order == LKST_OLDEST_FIRST ? 0 : UINT64_MAX;
		while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
			log_check_event(&event);
			if (order == LKST_OLDEST_FIRST ? event.recid < last : event.recid >= last)
				ck_abort_msg("recid %llu", (unsigned long long)event.recid);
			last = event.recid;
			/* Let the writer wrap while the reader reads. */
			if (read++ % 50 == 0) {
				write_runs(log, recid, recid + 200, 200);
				recid += 200;
			}
		}
		ck_assert_int_eq(ret, 0);
		assert_contains(reports, "overwritten by newer ones");
		ck_assert(!lkst_trace_incomplete(trace));
	}
	log_close(log);
}

/*
 * Read the file, newest events first because the writer may overwrite the oldest ones in the
 * meantime. Return the number of events.
 */
static size_t read_beside(void)
{
	struct lkst_event event;
	size_t num = 0;
	int ret;

	log_open("log");
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_NEWEST_FIRST, &err), 0);
	for (; (ret = lkst_trace_next(trace, &event, &err)) > 0; num++)
		log_check_event(&event);
	ck_assert_msg(!ret, "%s", err.text);
	/* Records that the writer overwrites during the read do not count as damage. */
	ck_assert_msg(!lkst_trace_incomplete(trace), "%s", reports);
	return num;
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
	do
		beside += read_beside();
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
	int fd;

	write_runs(log, 0, 200, 100);
	load_log();
	log_close(log);
	/* The last chunk is incomplete. */
	put_data("torn", file.data, file.size - 500);
	fd = open(dir_path("torn"), O_RDWR);
	ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &lock), 0);
	ck_assert_uint_eq(log_read("torn"), 100 - log_holes(0, 100));
	ck_assert_str_eq(reports, "");
	close(fd);
	/* Without a writer, the chunk counts as cut off, and its complete records are read. */
	log_open("torn");
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
	load_log();
	swap_file();
	put_data("swapped", file.data, file.size);
	ck_assert_uint_eq(log_read("swapped"), num);
	assert_contains(reports, ": 10 events were lost");
	ck_assert_int_eq(strchr(reports, '\n')[1], 0); /* this is the only report */
}
