// SPDX-License-Identifier: GPL-2.0
/* Files without their last records: at the end of a window, records of some CPUs may be missing. */
#include <fcntl.h>
#include <unistd.h>

#include "lib/model.h"
#include "lib/trace/format.h"
#include "log_case.h"

#define SECOND 1000000000ll

TESTS(.timeout = 120, .setup = log_setup, .teardown = log_teardown);

/* The losses as text. Each has its CPU, the number of records, and its start and end in seconds. */
static char losses[1000];

static void note_loss(void *ctx, const struct lkst_loss *loss)
{
	size_t len = strlen(losses);

	(void)ctx;
	snprintf(losses + len, sizeof(losses) - len, "%d: %d %d-%d; ", loss->cpu, (int)loss->number,
		 (int)(loss->begin_ns / SECOND), (int)(loss->end_ns / SECOND));
}

/* @parts is a list of "CPU:FIRST-LAST" or "CPU:FIRST-LAST@S": record N has time S + N, in s. */
static void put_parts(const char *parts)
{
	struct lkst_log_record record[16];
	int cpu, first, last, len;

	for (; sscanf(parts, "%d:%d-%d%n", &cpu, &first, &last, &len) == 3; parts += len) {
		long at = 0;

		parts += len;
		len = 0;
		if (*parts == '@')
			at = strtol(parts + 1, (char **)&parts, 10);
		for (int i = first; i <= last; i++)
			record[i - first] = sample_record(cpu, (uint64_t)i, (at + i) * SECOND,
							  0x030, 100, NULL);
		put_records(cpu, 0, record, (size_t)(last - first + 1));
		len = (int)strspn(parts, " ");
	}
	ck_assert_str_eq(parts, "");
}

static const struct {
	const char *name;
	const char *file[3];	/* see write_file() */
	int64_t until_s;	/* 0: up to the newest record */
	bool lacks;
	const char *expected;
} cases[] = {
	{ "a complete file", { "+0:0-9 1:0-2" }, 0, false, "" },
	{ "a cut file", { "0:0-9 1:0-2" }, 0, true, "1: 0 2-9; " },
	{ "later records show that a silent CPU lacks nothing",
	  { "0:0-9 1:0-1 1:2-2@5 2:0-1" }, 3, true, "2: 0 1-3; " },
	{ "later records show that a silent CPU lacks some",
	  { "0:0-9 1:0-1 1:4-4@5" }, 3, true, "1: 2 1-9; " },
	{ "a complete file follows", { "0:0-3 1:0-2", "+0:6-9 1:5-8" }, 0, false,
	  "1: 2 2-5; 0: 2 3-6; " },
	{ "a complete file follows, but not of all CPUs", { "0:0-3 1:0-2", "+0:6-9" }, 0, true,
	  "0: 2 3-6; 1: 0 2-9; " },
	{ "a complete file is followed by a cut one", { "+0:0-3 1:0-5", "0:4-9" }, 0, true,
	  "1: 0 5-9; " },
	{ "the complete file is older than the last record", { "+0:0-7 1:0-5", "0:0-9" }, 0, true,
	  "1: 0 5-9; " },
	{ "a complete file has all that the cut one has", { "0:0-9", "+0:0-9 1:0-5" }, 0, false, "" },
	{ "a program writes the file", { "*0:0-9 1:0-2" }, 0, false, "" },
	{ "the file lacks a record, but not its end", { "-0:0-9 1:0-2" }, 0, true, "1: 0 2-9; " },
	{ "only the file of another boot is cut", { "+1:0-2", "+0:0-9", "!0:0-9" }, 0, false, "" },
	{ "a complete file of another boot follows", { "0:0-8 1:0-2", "?0:0-9 1:0-2" }, 0, true, "" },
};

/* The open file with the lock of a program that is writing to it; -1: none */
static int locked_fd = -1;

static void lock_file(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	locked_fd = open(path, O_RDWR | O_CLOEXEC);
	ck_assert_int_ge(locked_fd, 0);
	ck_assert_int_eq(fcntl(locked_fd, F_OFD_SETLK, &lock), 0);
}

/* Replace the chunk END of the file @name by that of the file "more". Both files are complete. */
static void copy_end(const char *name)
{
	char end[sizeof(struct lkst_chunk_header) + sizeof(struct trace_end)];
	int from = open(dir_path("more"), O_RDONLY | O_CLOEXEC);
	int to = open(dir_path(name), O_RDWR | O_CLOEXEC);

	ck_assert(from >= 0 && to >= 0);
	ck_assert_int_ge(lseek(from, -(off_t)sizeof(end), SEEK_END), 0);
	ck_assert_int_ge(lseek(to, -(off_t)sizeof(end), SEEK_END), 0);
	ck_assert_int_eq(read(from, end, sizeof(end)), sizeof(end));
	ck_assert_int_eq(write(to, end, sizeof(end)), sizeof(end));
	close(from);
	close(to);
}

/*
 * Write the parts to a file. A character before the parts says what kind of file it is. No
 * character: without the END chunk that completes a file; "+": complete; "-": with an END chunk
 * that counts one record more than the file has; "*": a program is writing it; "?": complete, but
 * from another boot; "!": without an END chunk and from another boot.
 */
static void write_file(const char *name, const char *parts)
{
	char kind = strchr("+-*?!", *parts) ? *parts++ : 0;

	begin_trace(dir_path(name));
	ck_assert_int_eq(lkst_trace_write_system(writer,
						 kind == '?' || kind == '!' ?
							 "kernel=Linux\nboot_id=Y\n" :
							 "kernel=Linux\nboot_id=X\n",
						 &err),
			 0);
	put_parts(parts);
	if (kind == '+' || kind == '-' || kind == '?')
		end_trace();
	else
		commit_trace();
	if (kind == '-') {
		char more[100];

		snprintf(more, sizeof(more), "+%s 3:0-0", parts);
		write_file("more", more);
		copy_end(name);
	}
	if (kind == '*')
		lock_file(dir_path(name));
}

TEST_LOOP(test_ends, NUM(cases))
{
	const struct lkst_model_ops ops = { .loss = note_loss };
	struct lkst_model_window window = { .begin_ns = INT64_MIN, .end_ns = INT64_MAX };
	struct lkst_model *model = lkst_model_new(false, &err);
	struct lkst_trace_ends ends;
	static char path[3][200];
	const char *paths[3];
	size_t num = 0;

	assert_made(model);
	for (; num < 3 && cases[_i].file[num]; num++) {
		const char name[] = { (char)('a' + num), 0 };

		write_file(name, cases[_i].file[num]);
		paths[num] = strcpy(path[num], dir_path(name));
	}
	open_paths(paths, num);
	lkst_trace_ends(trace, 0, &ends);
	ck_assert_msg(ends.lacks == cases[_i].lacks, "%s: lacks %d", cases[_i].name, ends.lacks);
	if (cases[_i].until_s)
		window.end_ns = cases[_i].until_s * SECOND;
	*losses = 0;
	assert_ok(lkst_model_add(model, &ops, NULL, &err));
	assert_ok(lkst_model_read(model, trace, &window, &err));
	ck_assert_msg(!strcmp(losses, cases[_i].expected), "%s: %s", cases[_i].name, losses);
	lkst_model_free(model);
	if (locked_fd >= 0)
		close(locked_fd);
	locked_fd = -1;
}
END_TEST

/* After the window, a complete file is not read to its end. */
TEST(test_stop_after_window)
{
	struct lkst_model_window window = { .begin_ns = INT64_MIN, .end_ns = 3 * SECOND };
	struct lkst_model *model = lkst_model_new(false, &err);
	struct lkst_event event;

	assert_made(model);
	write_file("a", "+0:0-9 1:0-9");
	open_paths((const char *[]){ dir_path("a") }, 1);
	assert_ok(lkst_model_read(model, trace, &window, &err));
	ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 1);
	ck_assert_int_eq(event.time_ns / SECOND, 5);
	lkst_model_free(model);
}
END_TEST

/* A damaged record can have any time. */
TEST(test_earliest_time)
{
	struct lkst_log_record record = sample_record(0, 0, INT64_MIN, 0x030, 100, NULL);
	struct lkst_trace_ends ends;

	begin_trace(dir_path("a"));
	put_records(0, 0, &record, 1);
	commit_trace();
	open_paths((const char *[]){ dir_path("a") }, 1);
	lkst_trace_ends(trace, 0, &ends);
	ck_assert(ends.lacks);
}
END_TEST
