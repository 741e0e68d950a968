// SPDX-License-Identifier: GPL-2.0
/* What lkstlogd says of itself: written and read back, and nothing else is believed. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/liblkst.h"
#include "tap.h"

static char dir[64], path[128];

static void set_up(void)
{
	strcpy(dir, "/tmp/lkst-status.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/status", dir);
	/* The status of a process that is no lkstlogd any more is none. */
	prctl(PR_SET_NAME, "lkstlogd");
}

static void tear_down(void)
{
	unlink(path);
	rmdir(dir);
}

static void put(const char *text)
{
	FILE *to = fopen(path, "w");

	ck_assert_ptr_nonnull(to);
	fputs(text, to);
	fclose(to);
}

static struct lkst_logd_cpu cpus[] = {
	{ .cpu = 0, .file = "/var/log/lkst/a b0.1", .kept = 1, .rewound = 2, .lost = 3 },
	{ .cpu = 7, .file = "", .kept = UINT64_MAX, .rewound = 0, .lost = 0 },
};

static struct lkst_logd_status sample(void)
{
	struct lkst_logd_status status = {
		.pid = getpid(),
		.state = "writing",
		.since = 1700000000,
		.trouble = "CPU 0: a: cannot be written",
		.config = "/etc/lkst.conf:3: unknown key \"x\"",
		.limit = 1 << 20,
		.total = UINT64_MAX,
		.seconds = 86400,
		.previous = {
			.saved = 2,
			.unsaved = 1,
			.file = "/var/log/lkst/a bprevious.3",
			.trouble = "/var/log/lkst: No space left on device",
		},
		.num = 2,
		.cpu = cpus,
	};

	return status;
}

START_TEST(test_round)
{
	struct lkst_logd_status from = sample(), to;
	struct lkst_error err;
	struct stat st;

	ck_assert_int_eq(lkst_logd_status_write(path, &from, &err), 0);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0644);
	ck_assert_int_eq(lkst_logd_status_read(path, &to, &err), 0);
	ck_assert_int_eq(to.pid, from.pid);
	ck_assert_str_eq(to.state, from.state);
	ck_assert_str_eq(to.trouble, from.trouble);
	ck_assert_str_eq(to.config, from.config);
	ck_assert_uint_eq(to.limit, from.limit);
	ck_assert_uint_eq(to.total, from.total);
	ck_assert_uint_eq(to.seconds, from.seconds);
	ck_assert_int_eq(to.since, from.since);
	ck_assert_uint_eq(to.previous.saved, from.previous.saved);
	ck_assert_uint_eq(to.previous.unsaved, from.previous.unsaved);
	ck_assert_str_eq(to.previous.file, from.previous.file);
	ck_assert_str_eq(to.previous.trouble, from.previous.trouble);
	ck_assert_uint_eq(to.num, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(to.cpu[i].cpu, cpus[i].cpu);
		ck_assert_str_eq(to.cpu[i].file, cpus[i].file);
		ck_assert_uint_eq(to.cpu[i].kept, cpus[i].kept);
		ck_assert_uint_eq(to.cpu[i].rewound, cpus[i].rewound);
		ck_assert_uint_eq(to.cpu[i].lost, cpus[i].lost);
	}
	lkst_logd_status_free(&to);
	ck_assert_ptr_null(to.cpu);
}
END_TEST

/* Replaced in one step, and nothing stays behind. */
START_TEST(test_replace)
{
	struct lkst_logd_status from = sample(), to;
	struct lkst_error err;
	struct stat before, after;

	ck_assert_int_eq(lkst_logd_status_write(path, &from, &err), 0);
	ck_assert_int_eq(stat(path, &before), 0);
	snprintf(from.state, sizeof(from.state), "idle");
	from.trouble[0] = 0;
	from.num = 0;
	ck_assert_int_eq(lkst_logd_status_write(path, &from, &err), 0);
	ck_assert_int_eq(stat(path, &after), 0);
	ck_assert_uint_ne(before.st_ino, after.st_ino);
	ck_assert_int_eq(lkst_logd_status_read(path, &to, &err), 0);
	ck_assert_str_eq(to.state, "idle");
	ck_assert_str_eq(to.trouble, "");
	ck_assert_uint_eq(to.num, 0);
	lkst_logd_status_free(&to);
	/* Else tear_down() could not remove the directory. */
	unlink(path);
	ck_assert_int_eq(rmdir(dir), 0);
}
END_TEST

START_TEST(test_cannot_write)
{
	struct lkst_logd_status from = sample();
	struct lkst_error err;

	ck_assert_int_eq(lkst_logd_status_write("/nowhere/status", &from, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/status"));
}
END_TEST

START_TEST(test_not_running)
{
	struct lkst_logd_status status = sample(), to;
	struct lkst_error err;

	ck_assert_int_eq(lkst_logd_status_read(path, &to, &err), 0);
	ck_assert_int_eq(to.pid, 0);
	ck_assert_uint_eq(to.num, 0);
	/* Its number has somebody else now. */
	ck_assert_int_eq(lkst_logd_status_write(path, &status, &err), 0);
	prctl(PR_SET_NAME, "other");
	ck_assert_int_eq(lkst_logd_status_read(path, &to, &err), 0);
	ck_assert_int_eq(to.pid, 0);
	ck_assert_ptr_null(to.cpu);
}
END_TEST

#define HEAD "# lkstlogd_status 1\n"
#define BODY "pid 1\nsince 2\nstate idle\ntrouble \n"

static const char *const bad[] = {
	"",
	"pid 1\n",
	HEAD,
	HEAD "pid 1\nsince 2\nstate idle\n",
	HEAD "pid 1\nsince 2\ntrouble \n",
	HEAD "pid 1\nstate idle\ntrouble \n",
	HEAD "since 2\nstate idle\ntrouble \n",
	HEAD BODY "pid 1\n",
	HEAD BODY "state idle\n",
	HEAD BODY "unknown 1\n",
	HEAD BODY "cpu\n",
	HEAD BODY "cpu 0 1 2\n",
	HEAD BODY "cpu 0 1 2 3\n",
	HEAD BODY "cpu 0 1 2 3 name x\n",
	HEAD BODY "cpu -1 1 2 3 file \n",
	HEAD BODY "cpu 0 1 2 -3 file \n",
	HEAD BODY "cpu 0 1 2 99999999999999999999 file \n",
	HEAD BODY "cpu 4294967296 1 2 3 file \n",
	HEAD BODY "cpu 1 1 2 3 file \ncpu 0 1 2 3 file \n",
	HEAD BODY "cpu 1 1 2 3 file \ncpu 1 1 2 3 file \n",
	HEAD BODY "limits 1 2\n",
	HEAD BODY "limits 1 2 3 4\n",
	HEAD BODY "limits 1 2 3\nlimits 1 2 3\n",
	HEAD BODY "config x\nconfig x\n",
	HEAD BODY "previous\n",
	HEAD BODY "previous 1 2 x\n",
	HEAD BODY "previous 1 -2 file \n",
	HEAD BODY "previous 4294967296 0 file \n",
	HEAD BODY "previous 1 0 file \nprevious 1 0 file \n",
	HEAD BODY "previous_trouble x\nprevious_trouble x\n",
	HEAD "pid x\nsince 2\nstate idle\ntrouble \n",
	HEAD "pid 1 2\nsince 2\nstate idle\ntrouble \n",
	HEAD "pid 99999999999\nsince 2\nstate idle\ntrouble \n",
	HEAD "pid 1\nsince -2\nstate idle\ntrouble \n",
	HEAD "pid 1\nsince 2\nstate \ntrouble \n",
	HEAD "pid 1\nsince 2\nstate a-word-that-is-too-long\ntrouble \n",
};

#define BAD (sizeof(bad) / sizeof(*bad))

START_TEST(test_bad)
{
	struct lkst_logd_status to;
	struct lkst_error err;

	put(bad[_i]);
	ck_assert_int_eq(lkst_logd_status_read(path, &to, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, path));
	ck_assert_ptr_null(to.cpu);
}
END_TEST

/* What is put in one line stays in one line. */
START_TEST(test_lines)
{
	struct lkst_logd_status from = sample(), to;
	struct lkst_error err;

	snprintf(from.trouble, sizeof(from.trouble), "one\ntwo\x7f");
	ck_assert_int_eq(lkst_logd_status_write(path, &from, &err), 0);
	ck_assert_int_eq(lkst_logd_status_read(path, &to, &err), 0);
	ck_assert_str_eq(to.trouble, "one\\012two\\177");
	lkst_logd_status_free(&to);
}
END_TEST

static const struct {
	uint64_t seconds;
	const char *text;
} spans[] = {
	{ 0, "0 s" },	 { 119, "119 s" },   { 120, "2 min" },	   { 7199, "119 min" },
	{ 7200, "2 h" }, { 172799, "47 h" }, { 172800, "2 days" }, { 8640000, "100 days" },
};

START_TEST(test_spans)
{
	char text[32];

	lkst_seconds_text(spans[_i].seconds, text, sizeof(text));
	ck_assert_str_eq(text, spans[_i].text);
}
END_TEST

static Suite *logd_status_suite(void)
{
	Suite *suite = suite_create("logd_status");
	TCase *tcase = tcase_create("status");

	tcase_add_checked_fixture(tcase, set_up, tear_down);
	check_id(tcase, test_round);
	check_id(tcase, test_replace);
	check_id(tcase, test_cannot_write);
	check_id(tcase, test_not_running);
	tcase_add_loop_test(tcase, test_bad, 0, BAD);
	check_id(tcase, test_lines);
	tcase_add_loop_test(tcase, test_spans, 0, sizeof(spans) / sizeof(*spans));
	suite_add_tcase(suite, tcase);
	return suite;
}

int main(void)
{
	return run_suite(logd_status_suite());
}
