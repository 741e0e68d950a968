// SPDX-License-Identifier: GPL-2.0
/* lkstlogd runs a command, collects its output, and kills a command that does not exit. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "lkstlogd/output.h"
#include "tap.h"

static struct logd_output output;
static volatile int stop;

static int collect(const char *script, int64_t limit_ms)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };

	return logd_output_collect(argv, limit_ms, &stop, &output, &err);
}

/* Check that no child process is left, and that no descriptor is left open. */
static void check_left(int next)
{
	int fd = dup(STDIN_FILENO);

	ck_assert_int_eq(fd, next);
	close(fd);
	ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	ck_assert_int_eq(errno, ECHILD);
}

static int next_fd(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

static const struct {
	const char *name, *script;
	const char *text, *messages; /* NULL: not compared */
	int status;
	const char *error; /* the call fails with this error; NULL: it succeeds */
} cases[] = {
	{ "nothing", ":", "", "", 0, NULL },
	{ "text and messages", "echo a; echo m >&2; echo b", "a\nb\n", "m\n", 0, NULL },
	{ "an exit status", "echo a; exit 3", "a\n", "", 3, NULL },
	{ "standard input is empty", "cat; echo $?", "0\n", "", 0, NULL },
	{ "no other descriptors", "ls /proc/self/fd | tr '\\n' ' '", "0 1 2 3 ", "", 0, NULL },
	{ "the kernel kills it first", "cat /proc/self/oom_score_adj", "1000\n", "", 0, NULL },
	{ "closes its output before it exits", "echo a; exec >&- 2>&-; sleep 0.1; exit 4", "a\n",
	  "", 4, NULL },
	{ "as much as fits", "head -c 262144 /dev/zero | tr '\\0' x", NULL, "", 0, NULL },
	{ "a byte more than fits", "head -c 262145 /dev/zero | tr '\\0' x; exec sleep 1000", NULL,
	  NULL, 0, "/bin/sh: more than 262144 bytes of output, killed" },
	{ "more messages than fit", "head -c 100000 /dev/zero | tr '\\0' x >&2; echo a", "a\n",
	  NULL, 0, NULL },
	{ "is killed", "echo a; kill -9 $$", NULL, NULL, 0, "/bin/sh: killed by signal 9" },
};

TESTS(.name = "collect");

TEST_ROWS(test_collect, cases)
{
	int next = next_fd();
	int ret = collect(cases[_i].script, 3600000);

	if (cases[_i].error) {
		ck_assert_int_eq(ret, -1);
		ck_assert_str_eq(err.text, cases[_i].error);
	} else {
		assert_ok(ret);
		ck_assert_int_eq(output.status, cases[_i].status);
	}
	if (cases[_i].text)
		ck_assert_str_eq(output.text, cases[_i].text);
	if (cases[_i].messages)
		ck_assert_str_eq(output.messages, cases[_i].messages);
	ck_assert_uint_eq(output.len, strlen(output.text));
	ck_assert_uint_eq(output.messages_len, strlen(output.messages));
	check_left(next);
}

TEST(test_lengths)
{
	assert_ok(collect(cases[7].script, 3600000));
	ck_assert_uint_eq(output.len, LOGD_OUTPUT_MAX);
	assert_ok(collect(cases[9].script, 3600000));
	ck_assert_uint_eq(output.messages_len, sizeof(output.messages) - 1);
}

TEST(test_does_not_exist)
{
	const char *const argv[] = { "/nowhere/lkstla", "report", NULL };
	int next = next_fd();

	assert_ok(logd_output_collect(argv, 3600000, &stop, &output, &err));
	ck_assert_int_eq(output.status, 127);
	ck_assert_str_eq(output.text, "");
	ck_assert_str_eq(output.messages, "/nowhere/lkstla: No such file or directory\n");
	check_left(next);
}

/* A command that does not exit is killed, whether or not it has closed its output. */
static const char *const endless[] = {
	"echo a; exec sleep 1000",
	"exec sleep 1000 >&- 2>&-",
	"trap '' TERM INT; while :; do :; done",
};

TEST_EACH(test_late, endless)
{
	int next = next_fd();

	ck_assert_int_eq(collect(endless[_i], 1), -1);
	ck_assert_str_eq(err.text, "/bin/sh: did not exit within 0 s, killed");
	check_left(next);
}

static void on_alarm(int signal)
{
	stop = signal;
}

TEST_EACH(test_stop, endless)
{
	int next = next_fd();

	signal(SIGALRM, on_alarm);
	alarm(1);
	ck_assert_int_eq(collect(endless[_i], 3600000), -1);
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	ck_assert_str_eq(err.text, "/bin/sh: killed, because lkstlogd exits");
	stop = 0;
	check_left(next);
}
