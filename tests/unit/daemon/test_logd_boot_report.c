// SPDX-License-Identifier: GPL-2.0
/*
 * Tests that lkstlogd writes a report about a previous boot next to the saved trace of that boot. A
 * fake lkstla prints the report.
 */
#include <dirent.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <unistd.h>

static ssize_t fake_readlink(const char *path, char *to, size_t size);
#define readlink fake_readlink
#include "lkstlogd/boot_report.c"
#undef readlink

#include "tap.h"

#define BOOT "2b3be54d-bea3-8208-bd2e-d877a4f9ba66"

static char dir[] = "/tmp/test_logd_boot_report.XXXXXX";
static char logged[8192];
static struct logd_files files;
static struct { struct logd_state state; struct logd_cpu cpu[1]; } state;
static volatile int stop;

/* ---- stubs for the system and the rest of the daemon ---- */

static ssize_t fake_readlink(const char *path, char *to, size_t size)
{
	ck_assert_str_eq(path, "/proc/self/exe");
	return snprintf(to, size, "%s/lkstlogd", dir);
}

/* Collect the messages, each with its level, and with D instead of the directory. */
void logd_report(int level, const char *format, ...)
{
	char text[4096], *at;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	while ((at = strstr(text, dir)) != NULL) {
		*at = 'D';
		memmove(at + 1, at + strlen(dir), strlen(at + strlen(dir)) + 1);
	}
	sprintf(logged + strlen(logged), "%d %s\n", level, text);
}

void logd_report_cut(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
	for (; *to; to++)
		*to = *to == '\n' ? ' ' : *to;
}

/* ---- tests ---- */

static const char *path_of(const char *name)
{
	static char path[4][PATH_MAX];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", dir, name);
	return path[next];
}

static void set_up(void)
{
	logged[0] = 0;
	stop = 0;
	memset(&state, 0, sizeof(state));
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	ck_assert(mkdtemp(dir));
	assert_ok(logd_files_init(&files, path_of("log"), &err));
	write_text(path_of("logprevious.3"), "the trace\n");
}

static void tear_down(void)
{
	static const char *const names[] = {
		"lkstla", "logprevious.3", "report-logprevious.3.txt", "report-logprevious.new",
	};

	for (int i = 0; i < NUM(names); i++)
		remove(path_of(names[i]));
	/* Nothing else is left. */
	ck_assert_int_eq(rmdir(dir), 0);
}

#define SAYS(level, text) #level " previous boot " BOOT ": " text "\n"
#define WRITTEN		  SAYS(5, "report in D/report-logprevious.3.txt")
#define AGAIN		  " (lkstla report -f D/logprevious.3 prints it)"

static const struct {
	const char *name;
	const char *script; /* script that the fake lkstla runs; NULL: there is no lkstla */
	const char *text; /* expected text of the report; NULL: no report */
	const char *logged;
	uint64_t max; /* limit on all files; 0: no limit */
} cases[] = {
	{ "a report", "printf 'window\nnote\n\nHOW\n    It died.\n    Then.\n\nA\n  b\n'",
	  "window\nnote\n\nHOW\n    It died.\n    Then.\n\nA\n  b\n",
	  WRITTEN SAYS(5, "It died."), 0 },
	{ "nothing to quote", "echo window", "window\n", WRITTEN, 0 },
	{ "nothing but spaces", "printf 'window\n    \n'", "window\n    \n", WRITTEN, 0 },
	{ "no newline at the end", "printf 'A\n 1'", "A\n 1", WRITTEN SAYS(5, "1"), 0 },
	{ "the arguments", "[ \"$*\" = \"report -f ${0%/*}/logprevious.3\" ] && cat \"$3\"",
	  "the trace\n", WRITTEN, 0 },
	{ "notes", "echo 1; echo 'lkstla: a note' >&2", "1\n\nlkstla: a note\n", WRITTEN, 0 },
	{ "a damaged trace", "echo ' 1'; printf 'lkstla: damaged\\nmore\\n' >&2; exit 1",
	  " 1\n\nlkstla: damaged\nmore\n",
	  SAYS(4, "incomplete report in D/report-logprevious.3.txt: lkstla: damaged")
	  SAYS(5, "1"), 0 },
	{ "an error", "printf 'lkstla: wrong\\nand more\\n' >&2; exit 2", NULL,
	  SAYS(4, "no report: D/lkstla: exit status 2 without a report: lkstla: wrong"
		  AGAIN), 0 },
	{ "no output", ":", NULL,
	  SAYS(4, "no report: D/lkstla: exit status 0 without a report" AGAIN), 0 },
	{ "no lkstla", NULL, NULL,
	  SAYS(4, "no report: D/lkstla: exit status 127 without a report: "
		  "D/lkstla: No such file or directory" AGAIN), 0 },
	{ "killed", "echo 1; kill -9 $$", NULL,
	  SAYS(4, "no report: D/lkstla: killed by signal 9" AGAIN), 0 },
	{ "endless", "while :; do echo 1; done", NULL,
	  SAYS(4, "no report: D/lkstla: more than 262144 bytes of output, killed" AGAIN), 0 },
	/* Two bytes of text, and one byte that is reserved for a newline. */
	{ "just enough room", "echo 1", "1\n", WRITTEN, 3 },
	{ "no room", "echo 1", NULL,
	  SAYS(4, "no report: 3 bytes are needed, but the limit on all files (-L) leaves 2" AGAIN),
	  2 },
};

static void make_report(uint64_t max)
{
	struct logd_previous_args args = {
		.files = &files, .state = &state.state, .max = max, .stop = &stop,
	};
	struct logd_saved saved = { .boot = BOOT, .serial = 3, .name = "logprevious.3" };

	logd_boot_report(&args, &saved);
}

static void make_lkstla(const char *script)
{
	char text[1024];

	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	write_text(path_of("lkstla"), text);
	ck_assert_int_eq(chmod(path_of("lkstla"), 0755), 0);
}

TESTS(.name = "report", .setup = set_up, .teardown = tear_down);

TEST_ROWS(test_report, cases)
{
	const char *report = path_of("report-logprevious.3.txt");
	struct stat st;

	if (cases[_i].script)
		make_lkstla(cases[_i].script);
	make_report(cases[_i].max ? cases[_i].max : UINT64_MAX);
	ck_assert_str_eq(logged, cases[_i].logged);
	ck_assert_uint_eq(state.state.previous.reports, cases[_i].text != NULL);
	if (cases[_i].text) {
		check_text(report, cases[_i].text);
		ck_assert_int_eq(stat(report, &st), 0);
		ck_assert_uint_eq(st.st_mode & 0777, 0600);
	} else {
		ck_assert_int_eq(access(report, F_OK), -1);
	}
	ck_assert_int_eq(access(path_of("report-logprevious.new"), F_OK), -1);
	check_text(path_of("logprevious.3"), "the trace\n");
}

TEST(test_left_by_a_killed_process)
{
	make_lkstla("echo 1");
	ck_assert_int_eq(symlink("logprevious.3", path_of("report-logprevious.new")), 0);
	make_report(UINT64_MAX);
	ck_assert_str_eq(logged, WRITTEN);
	check_text(path_of("report-logprevious.3.txt"), "1\n");
	check_text(path_of("logprevious.3"), "the trace\n");
}

TEST(test_cannot_be_written)
{
	make_lkstla("echo 1");
	ck_assert_int_eq(mkdir(path_of("report-logprevious.3.txt"), 0700), 0);
	make_report(UINT64_MAX);
	assert_begins(logged, "4 previous boot " BOOT ": no report: ");
	assert_contains(logged, "Is a directory" AGAIN);
	ck_assert_int_eq(access(path_of("report-logprevious.new"), F_OK), -1);
}

TEST(test_stop)
{
	make_lkstla("exec sleep 1000");
	stop = 1;
	make_report(UINT64_MAX);
	ck_assert_str_eq(logged, SAYS(4, "no report: D/lkstla: killed, because lkstlogd exits" AGAIN));
}
