// SPDX-License-Identifier: GPL-2.0
/*
 * The status file of lkstlogd. Reading a file and writing its status again produces the same file.
 * A malformed file is refused, and a status is ignored if its process is not lkstlogd.
 * lkst_status.t tests what the lines of the file mean.
 */
#include <sys/prctl.h>
#include <sys/stat.h>

#include "cli/logd_status.h"
#include "dir.h"
#include "tap.h"

#define HEADER "# lkstlogd_status 1\n"

static char path[64], text[512]; /* name and contents of a status file */
static struct lkst_logd_status from; /* the status that this file contains */

static struct lkst_logd_status read_status(void)
{
	struct lkst_logd_status to;

	assert_ok(lkst_logd_status_read(path, &to, &err));
	return to;
}

static void set_up(void)
{
	dir_make();
	strcpy(path, dir_path("status"));
	/* The reader ignores a status whose process is not called lkstlogd. */
	prctl(PR_SET_NAME, "lkstlogd");
	snprintf(text, sizeof(text),
		 HEADER "pid %d\nsince 1700000000\nstate writing\n"
			"trouble CPU 0: a: cannot be written\n"
			"config /etc/lkst.conf:3: unknown key \"x\"\n"
			"limits 1048576 18446744073709551615 86400\n"
			"previous 2 1 file /var/log/lkst/a bprevious.3\n"
			"previous_trouble /var/log/lkst: No space left on device\n"
			"cpu 0 1 2 3 file /var/log/lkst/a b0.1\n"
			"cpu 7 18446744073709551615 0 0 file \n",
		 getpid());
	write_text(path, text);
	from = read_status();
	unlink(path);
}

static void tear_down(void)
{
	lkst_logd_status_free(&from);
	ck_assert_ptr_null(from.cpu);
	dir_remove();
}

static void write_status(void)
{
	assert_ok(lkst_logd_status_write(path, &from, &err));
}

TESTS(.name = "status", .setup = set_up, .teardown = tear_down);

TEST(test_round)
{
	struct stat st;

	write_status();
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0644);
	check_text(path, text);
}

/* The file is replaced atomically, and no temporary file remains. */
TEST(test_replace)
{
	struct lkst_logd_status to;
	struct stat before, after;

	write_status();
	ck_assert_int_eq(stat(path, &before), 0);
	snprintf(from.state, sizeof(from.state), "idle");
	from.trouble[0] = 0;
	from.num = 0;
	write_status();
	ck_assert_int_eq(stat(path, &after), 0);
	ck_assert_uint_ne(before.st_ino, after.st_ino);
	to = read_status();
	ck_assert_str_eq(to.state, "idle");
	ck_assert_str_eq(to.trouble, "");
	ck_assert_uint_eq(to.num, 0);
	lkst_logd_status_free(&to);
	ck_assert_int_eq(dir_files(), 1);
}

TEST(test_cannot_write)
{
	ck_assert_int_eq(lkst_logd_status_write("/nowhere/status", &from, &err), -1);
	assert_contains(err.text, "/nowhere/status");
}

TEST(test_not_running)
{
	struct lkst_logd_status to = read_status();

	ck_assert_int_eq(to.pid, 0);
	ck_assert_uint_eq(to.num, 0);
	/* The PID now belongs to a process with another name. */
	write_status();
	prctl(PR_SET_NAME, "other");
	to = read_status();
	ck_assert_int_eq(to.pid, 0);
	ck_assert_ptr_null(to.cpu);
}

#define BODY "pid 1\nsince 2\nstate idle\ntrouble \n"

static const char *const bad[] = {
	"", "pid 1\n", HEADER, HEADER "pid 1\nsince 2\nstate idle\n",
	HEADER "pid 1\nsince 2\ntrouble \n", HEADER "pid 1\nstate idle\ntrouble \n",
	HEADER "since 2\nstate idle\ntrouble \n", HEADER "pid x\nsince 2\nstate idle\ntrouble \n",
	HEADER "pid 1 2\nsince 2\nstate idle\ntrouble \n",
	HEADER "pid 99999999999\nsince 2\nstate idle\ntrouble \n",
	HEADER "pid 1\nsince -2\nstate idle\ntrouble \n",
	HEADER "pid 1\nsince 2\nstate \ntrouble \n",
	HEADER "pid 1\nsince 2\nstate a-word-that-is-too-long\ntrouble \n",
};

/* Lines that are errors if they follow the lines of BODY */
static const char *const bad_lines[] = {
	"pid 1", "state idle", "unknown 1", "cpu", "cpu 0 1 2", "cpu 0 1 2 3 name x",
	"cpu 0 1 2 99999999999999999999 file ", "cpu 4294967296 1 2 3 file ",
	"cpu 1 1 2 3 file \ncpu 0 1 2 3 file ", "cpu 1 1 2 3 file \ncpu 1 1 2 3 file ",
	"limits 1 2", "limits 1 2 3 4", "limits 1 2 3\nlimits 1 2 3", "config x\nconfig x",
	"previous", "previous 1 2 x", "previous 1 -2 file ", "previous 4294967296 0 file ",
	"previous 1 0 file \nprevious 1 0 file ", "previous_trouble x\nprevious_trouble x",
};

static void read_bad(const char *lines)
{
	struct lkst_logd_status to;

	write_text(path, lines);
	ck_assert_msg(lkst_logd_status_read(path, &to, &err) == -1, "accepted:\n%s", lines);
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	assert_contains(err.text, path);
	ck_assert_ptr_null(to.cpu);
}

TEST_EACH(test_bad, bad)
{
	read_bad(bad[_i]);
}

TEST_EACH(test_bad_line, bad_lines)
{
	snprintf(text, sizeof(text), HEADER BODY "%s\n", bad_lines[_i]);
	read_bad(text);
}

/* A newline in a value is escaped, so that the value stays on one line. */
TEST(test_lines)
{
	struct lkst_logd_status to;

	snprintf(from.trouble, sizeof(from.trouble), "one\ntwo\x7f");
	write_status();
	to = read_status();
	ck_assert_str_eq(to.trouble, "one\\012two\\177");
	lkst_logd_status_free(&to);
}

static const struct { uint64_t seconds; const char *text; } spans[] = {
	{ 0, "0 s" }, { 119, "119 s" }, { 120, "2 min" }, { 7199, "119 min" }, { 7200, "2 h" },
	{ 172799, "47 h" }, { 172800, "2 days" }, { 8640000, "100 days" },
};

TEST_EACH(test_spans, spans)
{
	lkst_seconds_text(spans[_i].seconds, text, sizeof(text));
	ck_assert_str_eq(text, spans[_i].text);
}
