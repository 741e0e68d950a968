// SPDX-License-Identifier: GPL-2.0
/*
 * The process that saves the records of previous boots saves all boots before it writes reports.
 * lkstlogd notices when this process has exited.
 */
#include <errno.h>

#define lkst_previous_get fake_previous_get
#include "lkstlogd/previous.c"
#undef lkst_previous_get

#include "tap.h"

static const char *boots; /* as in save_cases */
static char actions[2048];

int fake_previous_get(struct lkst_device *dev, struct lkst_previous *previous,
		      struct lkst_error *error)
{
	(void)dev;
	(void)error;
	*previous = (struct lkst_previous){ .num = strlen(boots) };
	for (size_t i = 0; i < previous->num; i++) {
		previous->boot[i].state = boots[i] == '-' ? LKST_BOOT_SLOT_READ :
							    LKST_BOOT_SLOT_UNREAD;
		previous->boot[i].boot[0] = (uint8_t)i;
	}
	return 0;
}

int logd_previous_save(struct logd_previous_args *args, struct lkst_device *dev,
		       const struct lkst_previous_listent *boot, struct logd_saved *saved,
		       struct lkst_error *error)
{
	char what = boots[boot->boot[0]];

	(void)args;
	(void)dev;
	sprintf(actions + strlen(actions), " save%d", boot->boot[0]);
	saved->serial = boot->boot[0];
	if (what == 's')
		stop = SIGTERM;
	if (what == 'u')
		return 0;
	lkst_error_set(error, LKST_ERR_SYSTEM, "no space");
	return -1;
}

void logd_boot_report(struct logd_previous_args *args, const struct logd_saved *saved)
{
	(void)args;
	sprintf(actions + strlen(actions), " report%u", saved->serial);
}

void logd_report_error(int priority, const char *before, const struct lkst_error *error)
{
	(void)priority;
	(void)before;
	sprintf(actions + strlen(actions), " %s", error->text);
}

void logd_report_cut(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

void logd_report(int level, const char *format, ...)
{
	(void)level;
	(void)format;
}

/* Start a child that sleeps until it is killed. Return its PID. */
static pid_t waiting(void)
{
	pid_t pid = fork();

	while (!pid)
		pause();
	ck_assert_int_ge(pid, 0);
	return pid;
}

TESTS(.name = "ended");

TEST(test_running)
{
	pid_t pid = waiting();

	errno = ECHILD;
	ck_assert(!logd_previous_reap(pid));
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitid(P_PID, (id_t)pid, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), 0);
	ck_assert(logd_previous_reap(pid));
}

TEST(test_somebody_else_waited)
{
	pid_t pid = waiting();

	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	errno = 0;
	ck_assert(logd_previous_reap(pid));
}

TESTS(.name = "save");

/*
 * @boots has a letter for each boot: -: read, u: unread, f: cannot be saved, s: cannot be saved
 * because SIGTERM arrives
 */
static const struct { const char *name, *boots; bool report; const char *actions; } save_cases[] = {
	{ "none", "", true, "" },
	{ "all are read", "--", true, "" },
	{ "one", "u", true, " save0 report0" },
	{ "the reports come last", "uu", true, " save0 save1 report0 report1" },
	{ "read boots get no report", "-u-u", true, " save1 save3 report1 report3" },
	{ "no report of a boot that is not saved", "ufu", true,
	  " save0 save1 no space save2 report0 report2" },
	{ "stopped", "usu", true, " save0 save1 report0" },
	{ "no reports", "uu", false, " save0 save1" },
};

TEST_ROWS(test_save, save_cases)
{
	static struct logd_state state;
	struct logd_options opt = { .report = save_cases[_i].report };
	struct logd_previous_args args = { .opt = &opt, .state = &state };

	memset(&state, 0, sizeof(state));
	boots = save_cases[_i].boots;
	actions[0] = 0;
	stop = 0;
	assert_ok(previous_save_all(&args, NULL, &err));
	ck_assert_str_eq(actions, save_cases[_i].actions);
	ck_assert_uint_eq(state.previous.unsaved, strchr(boots, 'f') != NULL);
	stop = 0;
}
