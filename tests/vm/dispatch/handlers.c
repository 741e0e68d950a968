// SPDX-License-Identifier: GPL-2.0
/*
 * Check the event handlers of a module: access to the files in their sysfs directories, a handler
 * that generates events itself, and unloading the module while its functions are running.
 */
/* also: -m32 */
#include <sys/stat.h>

#include "modules.h"
#include "processes.h"
#include "../modules/handlers.h"

#define MASKSET 20
#define STRESS_S 5
#define MIN_CALLS 10000

/* An argument of marks. The 32-bit and the 64-bit program run in one boot with different values. */
#define COOKIE(number)	((number) + sizeof(void *))

/* Check that LKST's own handler static_log records only to the static buffer. */
static void static_log_records(void)
{
	const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_STATIC_LOG };
	const uint64_t cookie = COOKIE(0x57a71c000000);

	need(write_maskset(MASKSET, "static", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(MASKSET), "MASKSET_SET");
	for (unsigned int i = 0; i < 10; i++)
		need(mark(i, cookie, 0, 0), "a mark");
	equal(count_in(-1, VOID, USER_MARK, cookie, LKST_LOG_PREEMPT_OFF), 10,
	      "static_log records in the static buffer");
	equal(count_records(USER_MARK, cookie, 0), 0, "static_log records nothing in CPU 0's buffer");
}

/* The sysfs directories of event handlers */

static void own_handlers_are_there(void)
{
	/* The event handlers with the ids 0 to 6. */
	static const char *const own[] = {
		"none", "entry_log", "buffer_shift", "buffer_shift_dw", "static_log", "stop_after",
		"buffer_jump",
	};

	for (char id[] = "0"; *id <= '6'; ++*id) {
		attr_is(own[*id - '0'], "id", id);
		attr_is(own[*id - '0'], "name", own[*id - '0']);
	}
	ok(!access("/sys/class/lkst/lkst/dev", F_OK), "/dev/lkst has a directory in the same class");
}

static int mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

/*
 * Check that the mode of "ctrl" depends on which functions a handler has. A read or write for which
 * the handler has no function must fail, even if the mode is changed to allow it.
 */
static void files_do_what_they_can(void)
{
	static const struct {
		const char *name;
		int mode, read, write;
	} rows[] = {
		{ "handlers_slow", 0400, 0, EINVAL },
		{ "handlers_store", 0200, EINVAL, 0 },
		{ "handlers_plain", 0400, EINVAL, EINVAL },
		{ "entry_log", 0400, EINVAL, EINVAL },
	};
	const char *path;
	char text[64];

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		path = attr_path(rows[i].name, "ctrl");
		equal(mode_of(path), rows[i].mode, "%s: mode", path);
		if (!(rows[i].mode & 0200))
			gives(write_file(path, "x"), EACCES, "%s: cannot be written", path);
		if (!(rows[i].mode & 0400))
			gives(read_file(path, text, sizeof(text)), EACCES, "%s: cannot be read",
			      path);
		need(chmod(path, 0600) ? errno : 0, "chmod");
		gives(read_file(path, text, sizeof(text)), rows[i].read, "%s: reading", path);
		gives(write_file(path, "x"), rows[i].write, "%s: writing", path);
		need(chmod(path, rows[i].mode) ? errno : 0, "chmod");
	}
	equal(mode_of(attr_path("handlers_plain", "id")), 0444, "id: all users can read it");
	gives(write_file(attr_path("handlers_plain", "id"), "33"), EACCES,
	      "id: it cannot be written");
}

/*
 * Drop CAP_SYS_ADMIN, access the files, and return a mask with a bit for each wrong result. This is
 * called in a child process.
 */
static int without_admin(void)
{
	char text[64];

	return (drop_admin() != 0) |
	       (read_file(attr_path("handlers_slow", "ctrl"), text, sizeof(text)) != EPERM) << 1 |
	       (write_file(attr_path("handlers_store", "ctrl"), "x") != EPERM) << 2 |
	       (read_file(attr_path("handlers_store", "id"), text, sizeof(text)) != 0) << 3;
}

/* A handler that generates events */

static void select_causing(int handler)
{
	static const int etypes[] = {
		USER_MARK,	   SYSCALL_ENTRY,     SYSCALL_EXIT,	INT_HARDWARE_ENTRY,
		INT_HARDWARE_EXIT, INT_SOFTIRQ_ENTRY, INT_SOFTIRQ_EXIT, PROCESS_WAKEUP,
		HANDLERS_ETYPE_INNER,
	};

	need(write_maskset_of(MASKSET, "causing", etypes, ARRAY_SIZE(etypes), handler),
	     "MASKSET_WRITE");
	need(set_maskset(MASKSET), "MASKSET_SET");
}

static struct handlers_counts counts_of(int handler)
{
	struct handlers_counts counts = {};
	int ret;

	need(control(handler, &counts, sizeof(counts), &ret), "EVHANDLER_CTRL");
	need(-ret, "handlers_causing");
	return counts;
}

/*
 * Check that each event is recorded once, and that the default handler records the events that the
 * module's handler generates.
 */
static void marks_are_recorded(void)
{
	const uint64_t cookie = COOKIE(0xc0ffee000000);
	unsigned int inner;

	for (unsigned int i = 0; i < 50; i++)
		need(mark(i, cookie, 0, 0), "a mark");
	equal(count_records(USER_MARK, cookie, 0), 50,
	      "the events of the maskset are recorded once each");
	equal(count_records(USER_MARK, cookie, LKST_LOG_PREEMPT_OFF), 50,
	      "the events of the maskset have the flags of their own context");
	inner = count_records(HANDLERS_ETYPE_INNER, cookie, 0);
	if (!ok(inner >= 50, "the events that the handler causes are recorded, too"))
		diag("%u", inner);
}

static void causing_events(void)
{
	int handler = handler_id("handlers_causing");
	struct handlers_counts counts;

	ok(handler >= LKST_EVHANDLER_ID_USER_MIN, "the handler that causes events is registered");
	select_causing(handler);
	marks_are_recorded();
	stress_start();
	for (unsigned int ms = 0; ms < STRESS_S * 10000; ms += 1000) {
		sleep_ms(1000);
		counts = counts_of(handler);
		if (ms >= STRESS_S * 1000 && counts.calls > MIN_CALLS && counts.nested)
			break;
	}
	ok(stress_continues(), "both CPUs continue while the handler causes events");
	counts = counts_of(handler);
	diag("%u calls, %u nested", counts.calls, counts.nested);
	ok(counts.calls > MIN_CALLS, "the handler is called for many events");
	equal(counts.reentered, 0, "the handler is not called for its own events");
	ok(counts.nested > 0, "the handler is called for events of interrupts");
	/* Do not stop the stress: the module must be unloaded while both CPUs call its handler. */
}

/* Unloading the module while its functions are running */

/* Whether the kernel has printed a warning, which sets bit 9 of /proc/sys/kernel/tainted. */
static bool kernel_warned(void)
{
	char text[32];

	need(read_file("/proc/sys/kernel/tainted", text, sizeof(text)), "tainted");
	return strtoul(text, NULL, 10) >> 9 & 1;
}

/*
 * A call to a slow function of the module: to the control function or, if @reads is true, to the
 * function that is called when the file "ctrl" is read.
 */
struct slow_call {
	bool reads;
	pthread_t thread;
	volatile pid_t tid;
	volatile bool done;
	unsigned int begin; /* time at which the call began, CLOCK_MONOTONIC in ms */
	int handler;
	int error;
	int ret;
	char text[64];
};

static unsigned int now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *slow_run(void *arg)
{
	struct slow_call *call = arg;

	call->begin = now_ms();
	call->tid = syscall(SYS_gettid);
	call->error = call->reads ? read_file(attr_path("handlers_slow", "ctrl"), call->text,
					      sizeof(call->text)) :
				    control(call->handler, NULL, 0, &call->ret);
	call->done = true;
	return NULL;
}

/*
 * Whether the call is running in the module. The module's slow functions sleep uninterruptibly, and
 * nothing else in the thread does so for long.
 */
static bool is_in_module(const struct slow_call *call)
{
	char path[64], text[256], *state;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", call->tid);
	if (!call->tid || read_file(path, text, sizeof(text)))
		return false;
	state = strrchr(text, ')');
	return state && state[2] == 'D';
}

/*
 * Start a thread that makes the call, and wait until the call is running in the module. If the call
 * returns before this function sees it running, start another thread.
 */
static void start_call(struct slow_call *call)
{
	call->handler = handler_id("handlers_slow");
	for (;;) {
		call->tid = 0;
		call->done = false;
		bail_if(pthread_create(&call->thread, NULL, slow_run, call), "pthread_create");
		while (!call->done) {
			if (is_in_module(call))
				return;
			sleep_ms(1);
		}
		pthread_join(call->thread, NULL);
	}
}

/* Check that unloading the module under stress waits for the call to return. */
static void unload_during(struct slow_call *call, const char *name)
{
	unsigned int took;

	start_call(call);
	gives(unload_module("handlers"), 0, "the module is unloaded during %s", name);
	took = now_ms() - call->begin;
	pthread_join(call->thread, NULL);
	gives(call->error, 0, "%s returns as usual", name);
	if (!ok(took >= HANDLERS_SLOW_MS, "the unload waits for the call to return"))
		diag("the unload took %u ms", took);
	ok(handler_id("handlers_slow") < 0, "the handlers are no longer listed");
	equal(handler_in_maskset(MASKSET, USER_MARK), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "their events go to the default handler");
	ok(stress_continues(), "both CPUs continue");
}

/*
 * Check unloading while a slow handler is almost always running on CPU 1. It may also be running on
 * this CPU.
 */
static void unload_while_handling(void)
{
	static const int etype = USER_MARK;
	bool warned = kernel_warned();

	gives(load_module("handlers"), 0, "the module is loaded again");
	need(write_maskset_of(MASKSET, "long", &etype, 1, handler_id("handlers_long")),
	     "MASKSET_WRITE");
	sleep_ms(HANDLERS_LONG_MS * 10);
	gives(unload_module("handlers"), 0, "the module is unloaded while a slow handler runs");
	ok(kernel_warned() == warned, "the handler has not run after it was unregistered");
	ok(stress_continues(), "both CPUs continue");
}

int main(void)
{
	struct slow_call ctrl_call = {}, read_call = { .reads = true };

	open_lkst();
	pin(0);
	static_log_records();
	own_handlers_are_there();
	gives(load_module("handlers"), 0, "a module with handlers is loaded");
	equal(handler_id("handlers_plain"), HANDLERS_PLAIN_ID,
	      "its handler gets the id that it requests");
	files_do_what_they_can();
	equal(value_in_child(without_admin()), 0,
	      "only the superuser can use ctrl, all users can read id");
	causing_events();
	unload_during(&ctrl_call, "a control function");
	equal(ctrl_call.ret, HANDLERS_SLOW_RET, "the control function returns its value");

	gives(load_module("handlers"), 0, "the module is loaded once more");
	select_causing(handler_id("handlers_causing"));
	unload_during(&read_call, "a read of ctrl");
	ok(!strcmp(read_call.text, "slow"), "the read of ctrl returns its text");
	unload_while_handling();

	stress_stop();
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	gives(lkst_number(LKST_IOC_MASKSET_DELETE, MASKSET), 0, "the maskset can be deleted");
	return done_testing();
}
