// SPDX-License-Identifier: GPL-2.0
/* Log files: what is written is what is read, however often the file went round. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "lib/crc32c.h"
#include "lib/trace_format.h"
#include "log_case.h"
#include "tap.h"
#include "trace_case.h"

#define LIMIT LKST_LOG_LIMIT_MIN

/* ---- writes that fail ---- */

static int64_t room = INT64_MAX; /* bytes that can be written until it fails */
static bool mending; /* what has a place on the disk can still be written over, in small */
static int failure;

ssize_t __real_pwrite64(int fd, const void *data, size_t len, off_t offset);
ssize_t __wrap_pwrite64(int fd, const void *data, size_t len, off_t offset);
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

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

static time_t later; /* seconds */

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

/* ---- what is told ---- */

static struct lkst_error err;

static void write_run(struct lkst_log *log, uint64_t first, size_t num)
{
	struct lkst_run run = log_run(1, first, num);

	err.text[0] = 0;
	ck_assert_msg(!lkst_log_write(log, &run, &err), "%s", err.text);
}

static struct lkst_log_counts counts_of(const struct lkst_log *log)
{
	struct lkst_log_counts counts;

	lkst_log_counts(log, &counts);
	return counts;
}

static void close_log(struct lkst_log *log)
{
	ck_assert_msg(!lkst_log_close(log, &err), "%s", err.text);
}

/* The events that were read are the newest ones up to @end, without a gap. */
static void check_newest(size_t num, uint64_t end)
{
	uint64_t recid = end;

	for (size_t i = num; i-- > 0;) {
		do
			recid--;
		while (log_is_hole(recid));
		if (events[i].recid != recid)
			ck_abort_msg("recid %llu, not %llu", (unsigned long long)events[i].recid,
				     (unsigned long long)recid);
	}
}

START_TEST(test_round_trip)
{
	struct lkst_log *log = log_create("log", 1, 0, _i);
	const struct lkst_context *context;
	struct lkst_log_counts counts;
	struct lkst_symbol symbol;
	struct lkst_trace *trace;
	size_t num, len;

	for (uint64_t recid = 0; recid < 20000; recid += 2500)
		write_run(log, recid, 2500);
	counts = counts_of(log);
	ck_assert_uint_eq(counts.kept, 20000 - log_holes(0, 20000));
	ck_assert_uint_eq(counts.rewound, 0);
	ck_assert_uint_eq(counts.lost, 0);
	/* While it grows it is as good as when it is closed. */
	num = log_read("log");
	ck_assert_str_eq(reports, "");
	ck_assert_uint_eq(num, counts.kept);
	check_newest(num, 20000);
	close_log(log);
	ck_assert_uint_eq(log_read("log"), num);
	ck_assert_str_eq(reports, "");
	check_newest(num, 20000);
	trace = lkst_trace_open(log_path("log"), &hooks, &err);
	context = lkst_trace_context(trace);
	ck_assert(!lkst_trace_growing(trace));
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert(lkst_symbols_find(context->symbols, LOG_CODE + 0x101, &symbol));
	ck_assert_str_eq(symbol.name, "do_more");
	ck_assert_str_eq(lkst_names_get(context->names, (uint32_t)getpid(), 0), "test_log");
	ck_assert_int_eq(strncmp(lkst_trace_system(trace, "lkst", &len),
				 "61207275-6e20-6f66-204c-4b53542e2e2e\n", 37), 0);
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_exists)
{
	const struct lkst_log_options opt = { .cpu = 1 };
	struct lkst_log *log = log_create("log", 1, 0, false);

	ck_assert_ptr_null(lkst_log_create(log_dir_fd, "log", &opt, &err));
	ck_assert_int_eq(err.sys_errno, EEXIST);
	ck_assert_ptr_nonnull(strstr(err.text, "log: cannot be created"));
	close_log(log);
	ck_assert_ptr_null(lkst_log_create(log_dir_fd, "no/log", &opt, &err));
	ck_assert_int_eq(err.sys_errno, ENOENT);
}
END_TEST

START_TEST(test_rewinds)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);
	uint64_t recid = 0, lost = 0, last_lost = 0;
	struct lkst_log_counts counts;
	size_t num = 0;

	state = (uint64_t)_i + 1;
	for (int i = 0; i < 250; i++) {
		size_t n = 1 + random_below(random_below(4) ? 300 : 3000);

		if (i == 100) {
			struct lkst_run run = log_run(1, recid + 55, n);

			run.lost = last_lost = 55;
			ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
			lost += run.lost;
			recid += run.lost;
		} else {
			write_run(log, recid, n);
		}
		recid += n;
		counts = counts_of(log);
		ck_assert_uint_le(counts.bytes, LIMIT);
		ck_assert_uint_eq(counts.lost, lost);
		if (i % 41 && i != 101)
			continue;
		num = log_read("log");
		ck_assert_uint_eq(num, counts.kept);
		if (i < 100 || i > 200) {
			ck_assert_str_eq(reports, "");
			check_newest(num, recid);
			/* What was written is there or was counted. */
			if (!last_lost)
				ck_assert_uint_eq(counts.kept + counts.rewound,
						  recid - log_holes(0, recid));
		}
	}
	/* It is kept full: a piece that goes is a small part of it. */
	ck_assert_uint_gt(counts.rewound, 4 * counts.kept);
	ck_assert_uint_gt(counts.bytes, LIMIT / 2);
	close_log(log);
	num = log_read("log");
	ck_assert_str_eq(reports, "");
	check_newest(num, recid);
}
END_TEST

START_TEST(test_lost)
{
	struct lkst_log *log = log_create("log", 1, 0, false);
	struct lkst_run run = log_run(1, 100, 10);
	struct lkst_trace *trace;

	run.lost = 100;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	/* Again, as after an error: nothing is written twice. */
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	run = log_run(1, 105, 10);
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	run = log_run(1, 120, 1);
	run.lost = 3;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	ck_assert_uint_eq(counts_of(log).lost, 103);
	ck_assert_uint_eq(counts_of(log).kept, 16 - log_holes(100, 115));
	close_log(log);
	ck_assert_uint_eq(log_read("log"), 16 - log_holes(100, 115));
	ck_assert_ptr_nonnull(strstr(reports, "103 events were lost"));
	trace = lkst_trace_open(log_path("log"), NULL, &err);
	ck_assert_uint_eq(lkst_trace_lost(trace), 103);
	ck_assert(!lkst_trace_incomplete(trace));
	lkst_trace_close(trace);
}
END_TEST

static const char *symbol_in_log(uint64_t address)
{
	static char text[100];
	struct lkst_trace *trace = lkst_trace_open(log_path("log"), NULL, &err);
	struct lkst_symbol symbol = { "-", "", 0 };

	ck_assert_ptr_nonnull(trace);
	lkst_symbols_find(lkst_trace_context(trace)->symbols, address, &symbol);
	snprintf(text, sizeof(text), "%s[%s]", symbol.name, symbol.module);
	lkst_trace_close(trace);
	return text;
}

static void write_call(struct lkst_log *log, uint64_t recid, uint32_t type, uint64_t address)
{
	const struct lkst_event_record record = { .clock = 1000 + recid * 2000,
						  .event_type = (uint16_t)type,
						  .arg = { address } };
	struct lkst_run run = log_run(1, recid, 0);

	run.record = &record;
	run.num = 1;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
}

static void load_modules(const char *text)
{
	FILE *to = fopen(log_path("proc/kallsyms"), "w");

	ck_assert_ptr_nonnull(to);
	fputs(text, to);
	fclose(to);
}

/* The list of symbols is read again when a module came, but no more than once a minute. */
START_TEST(test_modules)
{
	const uint64_t first = 0xffffffffc0000010, second = 0xffffffffc0000110;
	struct lkst_log *log = log_create("log", 1, LIMIT, false);

	write_call(log, 0, 0x040, first);
	ck_assert_str_eq(symbol_in_log(first), "-[]");
	/* What comes of the kernel itself a second time is not taken. */
	load_modules("ffffffff81000000 T changed\n"
		     "ffffffffc0000000 t a\t[one]\nffffffffc0000100 t b\t[one]\n");
	write_call(log, 1, LKST_ETYPE_MODULE_LOAD, 0);
	ck_assert_str_eq(symbol_in_log(first), "-[]");
	later = 61;
	write_call(log, 2, 0x040, LOG_CODE);
	ck_assert_str_eq(symbol_in_log(first), "a[one]");
	ck_assert_str_eq(symbol_in_log(second), "-[]");
	ck_assert_str_eq(symbol_in_log(LOG_CODE), "do_it[]");
	write_call(log, 3, 0x040, second);
	ck_assert_str_eq(symbol_in_log(second), "b[one]");
	/* Another one where it was: the first one's records had their time. */
	load_modules("ffffffffc0000000 t c\t[two]\nffffffffc0000200 t d\t[two]\n");
	later = 122;
	write_call(log, 4, LKST_ETYPE_MODULE_LOAD, 0);
	ck_assert_str_eq(symbol_in_log(first), "c[two]");
	ck_assert_str_eq(symbol_in_log(second), "c[two]");
	/* All that was told is in the head of each lap. */
	for (uint64_t recid = 5; recid < 20000; recid += 1000)
		write_run(log, recid, 1000);
	ck_assert_uint_gt(counts_of(log).rewound, 4000);
	ck_assert_str_eq(symbol_in_log(first), "c[two]");
	close_log(log);
	ck_assert_str_eq(symbol_in_log(first), "c[two]");
	later = 0;
}
END_TEST

/* A disk that gets full within any write. */
START_TEST(test_full_disk)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);
	struct lkst_log_counts counts;
	uint64_t recid = 0;
	size_t num;

	state = (uint64_t)_i + 100;
	failure = _i & 2 ? EIO : ENOSPC;
	for (int i = 0; i < 160; i++) {
		size_t n = 1 + random_below(2000);
		struct lkst_run run = log_run(1, recid, n);
		int ret;

		run.lost = 0;
		room = (int64_t)random_below(random_below(2) ? 64 : n * 80);
		mending = random_below(2);
		ret = lkst_log_write(log, &run, &err);
		if (ret)
			ck_assert_int_eq(err.sys_errno, failure);
		counts = counts_of(log);
		if (ret && i % 8 == 0) {
			num = log_read("log");
			ck_assert_uint_eq(num, counts.kept);
			/* Nothing half-written is in the way, unless nothing at all can be written. */
			if (mending)
				ck_assert_str_eq(reports, "");
		}
		if (ret && !room && random_below(2)) {
			mending = false;
			ck_assert_int_eq(lkst_log_write(log, &run, &err), -1);
			ck_assert_int_eq(err.sys_errno, failure);
		}
		room = INT64_MAX;
		ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
		recid += n;
		counts = counts_of(log);
		ck_assert_uint_eq(counts.kept + counts.rewound, recid - log_holes(0, recid));
		if (i % 16 == 0) {
			num = log_read("log");
			ck_assert_uint_eq(num, counts.kept);
			ck_assert_str_eq(reports, "");
			check_newest(num, recid);
		}
	}
	close_log(log);
	num = log_read("log");
	ck_assert_str_eq(reports, "");
	check_newest(num, recid);
}
END_TEST

START_TEST(test_full_disk_at_start_and_end)
{
	const struct lkst_log_options opt = { .cpu = 1, .root = log_dir };
	struct lkst_log *log;

	failure = ENOSPC;
	for (room = 0; room < 4000; room += 37) {
		int64_t left = room;

		ck_assert_ptr_null(lkst_log_create(log_dir_fd, "log", &opt, &err));
		ck_assert_int_eq(err.sys_errno, ENOSPC);
		ck_assert_int_eq(faccessat(log_dir_fd, "log", F_OK, 0), -1);
		room = left;
	}
	room = INT64_MAX;
	log = log_create("log", 1, 0, false);
	write_run(log, 0, 10);
	room = 30;
	ck_assert_int_eq(lkst_log_close(log, &err), -1);
	ck_assert_int_eq(err.sys_errno, ENOSPC);
	room = INT64_MAX;
	/* Only the end is missing. */
	ck_assert_uint_eq(log_read("log"), 10);
	ck_assert_ptr_nonnull(strstr(reports, "cut off after"));
}
END_TEST

/* ---- what logs have in common ---- */

static int looks; /* at all threads */

DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);

DIR *__wrap_opendir(const char *path)
{
	looks += !strcmp(path, "/proc");
	return __real_opendir(path);
}

/* Logs that begin or end together look at the threads once. */
START_TEST(test_looks)
{
	struct lkst_log *log[3];
	char name[16];

	later++;
	looks = 0;
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "log%d", i);
		log[i] = log_create(name, i, 0, false);
	}
	ck_assert_int_eq(looks, 1);
	later++;
	for (int i = 0; i < 3; i++)
		close_log(log[i]);
	ck_assert_int_eq(looks, 2);
	close_log(log_create("log", 0, 0, false));
	ck_assert_int_eq(looks, 2);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "log%d", i);
		log_open(name);
	}
}
END_TEST

/* ---- files that somebody else has changed ---- */

static const char *const changes[] = { "emptied", "cut off", "removed", "longer", "overwritten" };

static void change_log(const char *how)
{
	const char *path = log_path("log");
	int fd = open(path, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	if (!strcmp(how, "emptied"))
		ck_assert_int_eq(ftruncate(fd, 0), 0);
	else if (!strcmp(how, "cut off"))
		ck_assert_int_eq(ftruncate(fd, 1000), 0);
	else if (!strcmp(how, "removed"))
		ck_assert_int_eq(unlink(path), 0);
	else if (!strcmp(how, "longer"))
		ck_assert_int_eq(__real_pwrite64(fd, how, 1, lseek(fd, 0, SEEK_END)), 1);
	else
		ck_assert_int_eq(__real_pwrite64(fd, how, 8, 0), 8);
	close(fd);
}

static off_t size_of_log(const char *name)
{
	struct stat st;

	return fstatat(log_dir_fd, name, &st, 0) ? -1 : st.st_size;
}

START_TEST(test_changed)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, false);
	off_t size;

	for (uint64_t recid = 0; recid < 10000; recid += 1000) {
		ck_assert(lkst_log_intact(log));
		write_run(log, recid, 1000);
	}
	ck_assert(lkst_log_intact(log));
	change_log(changes[_i]);
	ck_assert(!lkst_log_intact(log));
	size = size_of_log("log");
	close_log(log);
	ck_assert_int_eq(size_of_log("log"), size);
}
END_TEST

/* It has its size again when it is looked at. */
START_TEST(test_emptied_before_a_write)
{
	struct lkst_log *log = log_create("log", 1, 0, false);

	write_run(log, 0, 1000);
	change_log("emptied");
	write_run(log, 1000, 1000);
	ck_assert_uint_eq((uint64_t)size_of_log("log"), counts_of(log).bytes);
	ck_assert(!lkst_log_intact(log));
	close_log(log);
}
END_TEST

/* A write that failed has left nothing that would look like a change. */
START_TEST(test_failed_write_is_no_change)
{
	struct lkst_log *log = log_create("log", 1, _i ? LIMIT : 0, false);
	struct lkst_run run;

	failure = ENOSPC;
	for (uint64_t recid = 0; recid < 20000; recid += 1000) {
		run = log_run(1, recid, 1000);
		for (room = 0; room < 80000; room += 7919) {
			int64_t left = room;

			lkst_log_write(log, &run, &err);
			ck_assert(lkst_log_intact(log));
			room = left;
		}
		room = INT64_MAX;
		write_run(log, recid, 1000);
	}
	close_log(log);
}
END_TEST

/* ---- files that are not whole ---- */

static void load_log(const char *name, uint8_t **data, size_t *size)
{
	int fd = open(log_path(name), O_RDONLY);

	ck_assert_int_ge(fd, 0);
	read_file(fd, data, size);
	close(fd);
}

static void put_data(const char *name, const uint8_t *data, size_t size)
{
	int fd = open(log_path(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_eq(__real_pwrite64(fd, data, size, 0), (ssize_t)size);
	close(fd);
}

/* By steps, and the last 16 bytes, among which is what aligns a chunk, one by one. */
static size_t next_cut(size_t cut, size_t size, size_t step)
{
	if (cut >= size - 16)
		return cut + 1;
	return cut + step < size - 16 ? cut + step : size - 16;
}

START_TEST(test_cut_off)
{
	struct lkst_log *log = log_create("log", 1, _i & 2 ? LIMIT : 0, _i & 1);
	size_t size, last = 0, num, all, step = _i & 2 ? 1999 : 1;
	uint8_t *data;

	for (uint64_t recid = 0; recid < (_i & 2 ? 20000 : 60); recid += 20)
		write_run(log, recid, 20);
	close_log(log);
	load_log("log", &data, &size);
	all = log_read("log");
	for (size_t cut = 2000; cut < size; cut = next_cut(cut, size, step)) {
		put_data("cut", data, cut);
		num = log_read("cut");
		/* The last bytes may be nothing but what aligns the chunk: without them all is there. */
		if (num < all || cut < size - 7)
			ck_assert_msg(*reports, "%zu of %zu", cut, size);
		ck_assert_uint_ge(num, last);
		ck_assert_uint_le(num, all);
		last = num;
	}
	ck_assert_uint_gt(last, 30);
	free(data);
}
END_TEST

/* A write that a SIGKILL ended: of what it changes the first bytes are new, the others old. */
START_TEST(test_killed)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);
	uint8_t *old, *new;
	size_t old_size, new_size;
	uint64_t recid = 0;

	for (; recid < 8000; recid += 100)
		write_run(log, recid, 100);
	for (int round = 0; round < 4; round++) {
		struct lkst_log_counts before = counts_of(log), after;
		size_t first = 0, last;

		load_log("log", &old, &old_size);
		write_run(log, recid, 100);
		recid += 100;
		after = counts_of(log);
		load_log("log", &new, &new_size);
		last = old_size < new_size ? old_size : new_size;
		while (first < last && old[first] == new[first])
			first++;
		while (last > first && old[last - 1] == new[last - 1])
			last--;
		if (new_size > old_size)
			last = new_size;
		for (size_t at = first + 1; at < last; at += 61) {
			size_t size = at > old_size ? at : old_size, num;
			uint8_t *mixed = malloc(size);

			memcpy(mixed, old, old_size);
			memcpy(mixed, new, at);
			put_data("killed", mixed, size);
			num = log_read("killed");
			ck_assert_ptr_nonnull(strstr(reports, "cut off"));
			/* What was not written over is there, and perhaps what is new. */
			ck_assert_uint_ge(num + after.rewound - before.rewound, before.kept);
			ck_assert_uint_le(num, before.kept + 100);
			free(mixed);
		}
		free(old);
		free(new);
	}
	close_log(log);
}
END_TEST

START_TEST(test_damaged)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i & 1);
	uint8_t *data;
	size_t size;

	for (uint64_t recid = 0; recid < 20000; recid += 50)
		write_run(log, recid, 50);
	close_log(log);
	load_log("log", &data, &size);
	for (int round = 0; round < 30; round++) {
		uint8_t *bad = malloc(size);
		size_t flips = 1 + random_below(round < 15 ? 20 : size / 100);

		memcpy(bad, data, size);
		while (flips--)
			bad[64 + random_below(size - 64)] ^= (uint8_t)(1 + random_below(255));
		put_data("bad", bad, size);
		/* Each record that is handed out is one that was written. */
		log_read("bad");
		free(bad);
	}
	free(data);
}
END_TEST

/* ---- a writer at work ---- */

START_TEST(test_growing)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i);
	struct lkst_event event;
	struct lkst_trace *trace;
	uint64_t recid = 0, last;
	int ret;

	for (; recid < 6000; recid += 200)
		write_run(log, recid, 200);
	for (int order = 0; order < 2; order++) {
		uint64_t read = 0;

		reports[0] = 0;
		trace = lkst_trace_open(log_path("log"), &hooks, &err);
		ck_assert(lkst_trace_growing(trace));
		ck_assert_str_eq(reports, "");
		ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
		last = order == LKST_OLDEST_FIRST ? 0 : UINT64_MAX;
		while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
			log_check_event(&event);
			if (order == LKST_OLDEST_FIRST ? event.recid < last : event.recid >= last)
				ck_abort_msg("recid %llu", (unsigned long long)event.recid);
			last = event.recid;
			/* The writer goes round under the reader. */
			if (read++ % 50 == 0) {
				write_run(log, recid, 200);
				recid += 200;
			}
		}
		ck_assert_int_eq(ret, 0);
		ck_assert_ptr_nonnull(strstr(reports, "written over by newer ones"));
		ck_assert(!lkst_trace_incomplete(trace));
		lkst_trace_close(trace);
	}
	close_log(log);
}
END_TEST

/* The newest first, as the oldest are about to be written over. Returns how many events were there. */
static size_t read_beside(void)
{
	struct lkst_event event;
	struct lkst_trace *trace;
	size_t num = 0;
	int ret;

	reports[0] = 0;
	trace = lkst_trace_open(log_path("log"), &hooks, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_NEWEST_FIRST, &err), 0);
	for (; (ret = lkst_trace_next(trace, &event, &err)) > 0; num++)
		log_check_event(&event);
	ck_assert_msg(!ret, "%s", err.text);
	/* When the writer ends in between there is no lock any more, and no damage either. */
	ck_assert_msg(!lkst_trace_incomplete(trace), "%s", reports);
	lkst_trace_close(trace);
	return num;
}

START_TEST(test_two_processes)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, _i);
	size_t num, beside = 0;
	int status;
	pid_t pid;

	for (uint64_t recid = 0; recid < 8000; recid += 500)
		write_run(log, recid, 500);
	pid = fork();
	if (!pid) {
		for (uint64_t recid = 8000; recid < 400000; recid += 100) {
			struct lkst_run run = log_run(1, recid, 100);

			if (lkst_log_write(log, &run, &err))
				_exit(1);
		}
		_exit(0);
	}
	/* The lock is that of the open file, which is the child's, too. */
	do
		beside += read_beside();
	while (!waitpid(pid, &status, WNOHANG));
	ck_assert_uint_gt(beside, 0);
	ck_assert_int_eq(status, 0);
	num = log_read("log");
	ck_assert_uint_gt(num, 1000);
	check_newest(num, 400000);
	lkst_log_close(log, NULL);
}
END_TEST

START_TEST(test_growing_is_torn)
{
	struct lkst_log *log = log_create("log", 1, 0, false);
	struct lkst_trace *trace;
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	uint8_t *data;
	size_t size;
	int fd;

	write_run(log, 0, 100);
	write_run(log, 100, 100);
	load_log("log", &data, &size);
	close_log(log);
	/* The last chunk is not all there yet. */
	put_data("torn", data, size - 500);
	fd = open(log_path("torn"), O_RDWR);
	ck_assert_int_eq(fcntl(fd, F_OFD_SETLK, &lock), 0);
	ck_assert_uint_eq(log_read("torn"), 100 - log_holes(0, 100));
	ck_assert_str_eq(reports, "");
	close(fd);
	/* Without a writer it is cut off, and what is there of it is read. */
	reports[0] = 0;
	trace = lkst_trace_open(log_path("torn"), &hooks, &err);
	ck_assert_ptr_nonnull(strstr(reports, "of the last 100 records 92 are there"));
	ck_assert(lkst_trace_incomplete(trace));
	lkst_trace_close(trace);
	free(data);
}
END_TEST

/* ---- another byte order ---- */

static void swap32(void *p, size_t num)
{
	for (uint32_t *v = p; num--; v++)
		*v = __builtin_bswap32(*v);
}

static void swap64(void *p, size_t num)
{
	for (uint64_t *v = p; num--; v++)
		*v = __builtin_bswap64(*v);
}

static void swap_records(struct trace_buffer_header *head)
{
	struct lkst_event_record *record = (void *)(head + 1);
	uint64_t num = head->count;

	swap32(head, 4);
	swap64(&head->count, 9);
	swap32(&head->record_version, 2);
	swap64(&head->monotonic_ns, 1);
	swap32(&head->xtime_ns, 1);
	for (; num--; record++) {
		record->event_type = __builtin_bswap16(record->event_type);
		record->flags = __builtin_bswap16(record->flags);
		swap64(&record->clock, 1);
		swap32(&record->thread, 5);
		swap64(record->arg, 4);
	}
}

static void swap_chunk(struct trace_chunk_header *chunk)
{
	void *payload = chunk + 1;
	uint64_t length = chunk->length;

	switch (chunk->type) {
	case TRACE_RECORDS_RAW:
		swap_records(payload);
		break;
	case TRACE_END:
		swap64(payload, 2);
		break;
	case TRACE_LOSS:
		swap32(payload, 2);
		swap64((char *)payload + 8, 2);
		break;
	case TRACE_LOG:
		swap32(payload, 2);
		swap64((char *)payload + 8, 1);
		break;
	case TRACE_PROCESSES:
		for (struct trace_process *p = payload; (char *)p < (char *)payload + length; p++)
			swap32(p, 2);
	}
	chunk->payload_checksum = lkst_crc32c(payload, length);
	swap64(&chunk->length, 2);
	chunk->type = __builtin_bswap16(chunk->type);
	chunk->compression = __builtin_bswap16(chunk->compression);
	swap32(&chunk->magic, 1);
	swap32(&chunk->payload_checksum, 1);
	chunk->checksum = __builtin_bswap32(lkst_crc32c(chunk, 28));
}

START_TEST(test_other_byte_order)
{
	struct lkst_log *log = log_create("log", 1, LIMIT, false);
	struct lkst_run run;
	uint8_t *data;
	size_t size, num;

	for (uint64_t recid = 0; recid < 9000; recid += 100)
		write_run(log, recid, 100);
	run = log_run(1, 9010, 100);
	run.lost = 10;
	ck_assert_int_eq(lkst_log_write(log, &run, &err), 0);
	close_log(log);
	num = log_read("log");
	load_log("log", &data, &size);
	for (size_t at = 32; at < size;) {
		struct trace_chunk_header *chunk = (void *)(data + at);

		at += sizeof(*chunk) + trace_padded(chunk->length);
		swap_chunk(chunk);
	}
	swap32(data + 8, 1);
	((uint16_t *)(void *)data)[6] = __builtin_bswap16(1);
	((uint16_t *)(void *)data)[7] = __builtin_bswap16(32);
	((uint32_t *)(void *)data)[7] = __builtin_bswap32(lkst_crc32c(data, 28));
	put_data("swapped", data, size);
	ck_assert_uint_eq(log_read("swapped"), num);
	ck_assert_ptr_nonnull(strstr(reports, ": 10 events were lost"));
	ck_assert_ptr_null(strchr(reports, '\n')[1] ? reports : NULL);
	free(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("log");
	TCase *tc = tcase_create("log");

	tcase_set_timeout(tc, 300);
	tcase_add_checked_fixture(tc, log_setup, log_teardown);
	tcase_add_loop_test(tc, test_round_trip, 0, 2);
	check_id(tc, test_exists);
	tcase_add_loop_test(tc, test_rewinds, 0, 4);
	check_id(tc, test_lost);
	check_id(tc, test_modules);
	tcase_add_loop_test(tc, test_full_disk, 0, 4);
	check_id(tc, test_full_disk_at_start_and_end);
	check_id(tc, test_looks);
	tcase_add_loop_test(tc, test_changed, 0, sizeof(changes) / sizeof(*changes));
	check_id(tc, test_emptied_before_a_write);
	tcase_add_loop_test(tc, test_failed_write_is_no_change, 0, 2);
	tcase_add_loop_test(tc, test_cut_off, 0, 4);
	tcase_add_loop_test(tc, test_killed, 0, 2);
	tcase_add_loop_test(tc, test_damaged, 0, 2);
	tcase_add_loop_test(tc, test_growing, 0, 2);
	tcase_add_loop_test(tc, test_two_processes, 0, 2);
	check_id(tc, test_growing_is_torn);
	check_id(tc, test_other_byte_order);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
