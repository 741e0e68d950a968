// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers and their directories in sysfs, as a module registers them: what the files
 * can do and who may; a handler that causes events itself; functions that are running when the
 * module goes.
 */
/* also: -m32 */
#include <linux/capability.h>
#include <sys/stat.h>

#include "modules.h"
#include "../modules/handlers.h"

#define MASKSET 20
#define STORM_S 5
#define MIN_CALLS 10000

/* Of marks: not those of the other width's program, which shares the boot. */
#define COOKIE(number)	((number) + sizeof(void *))

/* LKST's own: what the static buffer gets, and only it. */
static void static_log_records(void)
{
	const struct mask mask = { USER_MARK, LKST_EVHANDLER_ID_STATIC_LOG };
	const uint64_t cookie = COOKIE(0x57a71c000000);
	unsigned int i;

	need(write_maskset(MASKSET, "static", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(MASKSET), "MASKSET_SET");
	for (i = 0; i < 10; i++)
		need(mark(i, cookie, 0, 0), "a mark");
	equal(count_in(-1, VOID, (struct pattern){ USER_MARK, cookie, LKST_LOG_PREEMPT_OFF }), 10,
	      "static_log records in the static buffer");
	equal(count_records(USER_MARK, cookie, 0), 0, "and nowhere else");
}

/* The directories */

static void own_handlers_are_there(void)
{
	static const struct {
		const char *name, *id;
	} own[] = {
		{ "none", "0" },	 { "entry_log", "1" },
		{ "buffer_shift", "2" }, { "buffer_shift_dw", "3" },
		{ "static_log", "4" },	 { "stop_after", "5" },
		{ "buffer_jump", "6" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		attr_is(own[i].name, "id", own[i].id);
		attr_is(own[i].name, "name", own[i].name);
	}
	ok(!access("/sys/class/lkst/lkst/dev", F_OK), "/dev/lkst has its place beside them");
}

static int mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? -1 : (int)(st.st_mode & 07777);
}

/* The modes tell; who changes them finds out that there is no function. */
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
	unsigned int i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		path = attr_path(rows[i].name, "ctrl");
		equal(mode_of(path), rows[i].mode, "%s: mode", path);
		if (!(rows[i].mode & 0200))
			gives(write_file(path, "x"), EACCES, "%s: not to be written", path);
		if (!(rows[i].mode & 0400))
			gives(read_file(path, text, sizeof(text)), EACCES, "%s: not to be read",
			      path);
		need(chmod(path, 0600) ? errno : 0, "chmod");
		gives(read_file(path, text, sizeof(text)), rows[i].read, "%s: reading", path);
		gives(write_file(path, "x"), rows[i].write, "%s: writing", path);
		need(chmod(path, rows[i].mode) ? errno : 0, "chmod");
	}
	equal(mode_of(attr_path("handlers_plain", "id")), 0444, "id: everybody may read it");
	gives(write_file(attr_path("handlers_plain", "id"), "33"), EACCES, "id: nobody sets it");
}

static int drop_admin(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &header, data))
		return errno;
	data[CAP_SYS_ADMIN / 32].effective &= ~(1U << CAP_SYS_ADMIN % 32);
	return syscall(SYS_capset, &header, data) ? errno : 0;
}

/* In a process that has no CAP_SYS_ADMIN: the first row that is wrong, or 0. */
static int without_admin(void)
{
	char text[64];

	if (drop_admin())
		return 1;
	if (read_file(attr_path("handlers_slow", "ctrl"), text, sizeof(text)) != EPERM)
		return 2;
	if (write_file(attr_path("handlers_store", "ctrl"), "x") != EPERM)
		return 3;
	if (read_file(attr_path("handlers_store", "id"), text, sizeof(text)))
		return 4;
	return 0;
}

static void admin_is_needed(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(without_admin());
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		bail_out("fork");
	equal(WIFEXITED(status) ? WEXITSTATUS(status) : 99, 0,
	      "ctrl is for the superuser, id for everybody");
}

/* A handler that causes events */

static void select_causing(int handler)
{
	const struct mask masks[] = {
		{ USER_MARK, handler },
		{ SYSCALL_ENTRY, handler },
		{ SYSCALL_EXIT, handler },
		{ INT_HARDWARE_ENTRY, handler },
		{ INT_HARDWARE_EXIT, handler },
		{ INT_SOFTIRQ_ENTRY, handler },
		{ INT_SOFTIRQ_EXIT, handler },
		{ PROCESS_WAKEUP, handler },
		{ HANDLERS_ETYPE_INNER, handler },
	};

	need(write_maskset(MASKSET, "causing", masks, sizeof(masks) / sizeof(masks[0])),
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

/* Each is recorded once, and what the handler causes meanwhile is recorded by the default one. */
static void marks_are_recorded(void)
{
	const uint64_t cookie = COOKIE(0xc0ffee000000);
	unsigned int i, inner;

	for (i = 0; i < 50; i++)
		need(mark(i, cookie, 0, 0), "a mark");
	equal(count_records(USER_MARK, cookie, 0), 50, "its events are recorded, once each");
	equal(count_records(USER_MARK, cookie, LKST_LOG_PREEMPT_OFF), 50,
	      "with the flags of where they occurred");
	inner = count_records(HANDLERS_ETYPE_INNER, cookie, 0);
	if (!ok(inner >= 50, "and those that it causes"))
		diag("%u", inner);
}

static void causing_events(void)
{
	int handler = handler_id("handlers_causing");
	struct handlers_counts counts;
	unsigned int ms;

	ok(handler >= LKST_EVHANDLER_ID_USER_MIN, "a handler that causes events");
	select_causing(handler);
	marks_are_recorded();
	storm_begin();
	for (ms = 0; ms < STORM_S * 10000; ms += 1000) {
		sleep_ms(1000);
		counts = counts_of(handler);
		if (ms >= STORM_S * 1000 && counts.calls > MIN_CALLS && counts.nested)
			break;
	}
	ok(storm_blows(), "it runs on both CPUs, and they go on");
	counts = counts_of(handler);
	diag("%u calls, %u nested", counts.calls, counts.nested);
	ok(counts.calls > MIN_CALLS, "it is called all the time");
	equal(counts.reentered, 0, "it is not called again by what it causes");
	ok(counts.nested > 0, "but by what interrupts it");
	/* The storm goes on. */
}

/* Functions that are running when the module goes */

/* Bit 9 of /proc/sys/kernel/tainted: the kernel has warned. */
static bool kernel_warned(void)
{
	char text[32];

	need(read_file("/proc/sys/kernel/tainted", text, sizeof(text)), "tainted");
	return strtoul(text, NULL, 10) >> 9 & 1;
}

struct slow_call {
	pthread_t thread;
	volatile pid_t tid;
	volatile bool done;
	unsigned int begin; /* ms */
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

static void begin_call(struct slow_call *call)
{
	call->begin = now_ms();
	call->tid = syscall(SYS_gettid);
}

static void *slow_control(void *arg)
{
	struct slow_call *call = arg;

	begin_call(call);
	call->error = control(call->handler, NULL, 0, &call->ret);
	call->done = true;
	return NULL;
}

static void *slow_read(void *arg)
{
	struct slow_call *call = arg;

	begin_call(call);
	call->error = read_file(attr_path("handlers_slow", "ctrl"), call->text, sizeof(call->text));
	call->done = true;
	return NULL;
}

/* The module's functions sleep uninterruptibly. Nothing else that the thread does takes long. */
static bool is_in_module(const struct slow_call *call)
{
	char path[64], text[256], *state;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", call->tid);
	if (!call->tid || read_file(path, text, sizeof(text)))
		return false;
	state = strrchr(text, ')');
	return state && state[2] == 'D';
}

/* Returns when @func is in the module. It calls again if that was over before this thread ran. */
static void start_call(void *(*func)(void *arg), struct slow_call *call)
{
	call->handler = handler_id("handlers_slow");
	for (;;) {
		call->tid = 0;
		call->done = false;
		if (pthread_create(&call->thread, NULL, func, call))
			bail_out("pthread_create");
		while (!call->done) {
			if (is_in_module(call))
				return;
			sleep_ms(1);
		}
		pthread_join(call->thread, NULL);
	}
}

/* Unloads while @func is in the module, and in the storm. */
static void unload_during(void *(*func)(void *arg), struct slow_call *call, const char *what)
{
	unsigned int took;

	start_call(func, call);
	gives(unload_module("handlers"), 0, "the module goes during %s", what);
	took = now_ms() - call->begin;
	pthread_join(call->thread, NULL);
	gives(call->error, 0, "%s ends as it should", what);
	if (!ok(took >= HANDLERS_SLOW_MS, "which unloading waits for"))
		diag("it was over after %u ms", took);
	ok(handler_id("handlers_slow") < 0, "the handlers are gone");
	equal(handler_in_maskset(MASKSET, USER_MARK), LKST_EVHANDLER_ID_ENTRY_LOG,
	      "events of theirs go to the default one");
	ok(storm_blows(), "both CPUs go on");
}

/* Unloads while a handler is running on CPU 1, and perhaps on this one, most of the time. */
static void unload_while_handling(void)
{
	struct mask mask = { .etype = USER_MARK };
	bool warned = kernel_warned();

	gives(load_module("handlers"), 0, "and again");
	mask.handler = handler_id("handlers_long");
	need(write_maskset(MASKSET, "long", &mask, 1), "MASKSET_WRITE");
	sleep_ms(HANDLERS_LONG_MS * 10);
	gives(unload_module("handlers"), 0, "the module goes while a handler runs that takes long");
	ok(kernel_warned() == warned, "and when it was unregistered, it ran no more");
	ok(storm_blows(), "both CPUs go on");
}

int main(void)
{
	struct slow_call call = {};

	open_lkst();
	pin(0);
	static_log_records();
	own_handlers_are_there();
	gives(load_module("handlers"), 0, "a module with handlers");
	equal(handler_id("handlers_plain"), HANDLERS_PLAIN_ID, "the id that it asked for");
	files_do_what_they_can();
	admin_is_needed();
	causing_events();
	unload_during(slow_control, &call, "a control function");
	equal(call.ret, HANDLERS_SLOW_RET, "its value");

	gives(load_module("handlers"), 0, "again");
	select_causing(handler_id("handlers_causing"));
	unload_during(slow_read, &call, "a read of ctrl");
	ok(!strcmp(call.text, "slow"), "its text");
	unload_while_handling();

	storm_stop();
	need(set_maskset(LKST_MASKSET_ID_RDEFAULT), "MASKSET_SET");
	gives(lkst_number(LKST_IOC_MASKSET_DELETE, MASKSET), 0, "the maskset can be deleted");
	return done_testing();
}
