// SPDX-License-Identifier: GPL-2.0
/*
 * The measurement of bench/added, in a VM whose clock counts instructions. Prints a line for each
 * row and each tracer: ROW TRACER INSTRUCTIONS. INSTRUCTIONS is the number of instructions that the
 * tracer adds to one iteration of the row's load: the difference between an iteration with the
 * tracer and an iteration without it, each in the sample with the fewest instructions. "added-guest
 * ROW" measures only ROW.
 */
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include <linux/lkst_event.h>
#include <linux/lkst_watch.h>

#include "buffers.h"
#include "loads.h"
#include "tracers/tracers.h"

#define SAMPLES	   201
#define ITERATIONS 500 /* in a sample, which must be shorter than the timer interval */
#define MASKSET	   20

/* Event types, from include/linux/lkst_etypes.h */
#define SYSCALL_ENTRY	0x030
#define SYSCALL_EXIT	0x031
#define USER_EVENTS_NEW 0xeff

/* ---- loads ---- */

/*
 * Calls getppid() with an argument. The system call ignores the argument, but fields of the kprobes
 * record it.
 */
static void call_getppid(void)
{
	static const char text[] = "characters";
	long result;

	asm volatile("syscall"
		     : "=a"(result)
		     : "0"(SYS_getppid), "D"(text)
		     : "rcx", "r11", "memory");
}

/* Reaches the tracepoint itimer_state. */
static void set_timer(void)
{
	static const struct itimerval none;

	setitimer(ITIMER_VIRTUAL, &none, NULL);
}

/* Reaches the tracepoint task_rename. */
static void rename_thread(void)
{
	prctl(PR_SET_NAME, "characters");
}

static uint64_t least(void (*load)(void))
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < SAMPLES; i++) {
		uint64_t now = instructions();

		for (int j = 0; j < ITERATIONS; j++)
			load();
		now = instructions() - now;
		if (now < least)
			least = now;
	}
	return least;
}

/* ---- added events ---- */

/* The definition of each field is the same for LKST and for ftrace. */
static const struct {
	const char *name;
	void (*load)(void);
	const char *lkst; /* the definition */
	const char *ftrace; /* for kprobe_events, or the path of an event of the kernel */
} rows[] = {
	{ "tracepoint-numbers", set_timer,
	  "t:bench/row itimer_state which=$arg1 value=$arg2 expires=$arg3", "timer/itimer_state" },
	{ "tracepoint-string", rename_thread, "t:bench/row task_rename newcomm=+0($arg2):string",
	  "task/task_rename" },
	{ "kprobe-numbers", call_getppid,
	  "p:bench/row __x64_sys_getppid a=$arg1:u64 b=%ax:u32 c=%si:u16 d=%dx:u8", NULL },
	{ "kprobe-comm", call_getppid, "p:bench/row __x64_sys_getppid comm=$comm", NULL },
	{ "kprobe-string", call_getppid, "p:bench/row __x64_sys_getppid text=@hex_asc:string",
	  NULL },
	{ "kprobe-ustring", call_getppid,
	  "p:bench/row __x64_sys_getppid text=+0(+112($arg1)):ustring", NULL },
	{ "kretprobe", call_getppid, "r:bench/row __x64_sys_getppid result=$retval:s64", NULL },
};

static void control(const char *text)
{
	struct lkst_event_param param = { .text = (uintptr_t)text, .text_size = strlen(text) };

	need(lkst(LKST_IOC_EVENT_CONTROL, &param), "%s", text);
}

static void lkst_begin(const char *definition)
{
	control(definition);
	need(set_maskset(MASKSET), "MASKSET_SET");
}

static void lkst_end(void)
{
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static uint64_t lkst_count(void)
{
	return cpu_recid(0);
}

static const char *traced; /* the event that ftrace records */

static void ftrace_begin(const char *definition, const char *path)
{
	traced = path ?: "bench/row";
	if (!path)
		write_tracefs(definition, "kprobe_events");
	write_tracefs("1", "events/%s/enable", traced);
}

static void ftrace_end(const char *path)
{
	write_tracefs("0", "events/%s/enable", traced);
	if (!path)
		write_tracefs("", "kprobe_events");
}

/* Print a row, if all events were recorded. */
static void report(const char *row, const char *tracer, uint64_t off, uint64_t on,
		   uint64_t recorded)
{
	if (recorded < SAMPLES * ITERATIONS) {
		printf("%s: recorded %ju events of %s\n", tracer, (uintmax_t)recorded, row);
		exit(1);
	}
	printf("%s %s %.1f\n", row, tracer, (double)(on - off) / ITERATIONS);
	fflush(stdout);
}

static void measure_added(unsigned int i)
{
	uint64_t off = least(rows[i].load), on, before;

	lkst_begin(rows[i].lkst);
	before = lkst_count();
	on = least(rows[i].load);
	report(rows[i].name, "lkst", off, on, lkst_count() - before);
	lkst_end();
	control("-:bench/row");

	ftrace_begin(rows[i].lkst, rows[i].ftrace);
	before = ftrace_tracer.recorded();
	on = least(rows[i].load);
	report(rows[i].name, "ftrace", off, on, ftrace_tracer.recorded() - before);
	ftrace_end(rows[i].ftrace);
}

/* ---- probes that do nothing ---- */

static void turn_probe(const char *kind)
{
	int fd = open("/sys/module/added_probe/parameters/probe", O_WRONLY);

	need(fd < 0 || write(fd, kind, strlen(kind)) < 0 ? errno : 0, "added-probe.ko");
	close(fd);
}

/* Measure a probe of added-probe.ko. */
static void measure_probe(const char *row, const char *kind)
{
	uint64_t off = least(call_getppid), on;

	turn_probe(kind);
	on = least(call_getppid);
	turn_probe("0");
	report(row, "kernel", off, on, UINT64_MAX);
}

/* ---- watches ---- */

static void write_rules(const char *text)
{
	for (int etype = SYSCALL_ENTRY; etype <= SYSCALL_EXIT; etype++) {
		struct lkst_rule_param param = {
			.id = MASKSET,
			.event_type = etype,
			.text = (uintptr_t)text,
			.text_size = strlen(text),
		};

		need(lkst(LKST_IOC_RULE_WRITE, &param), "RULE_WRITE");
	}
}

/* Measure a system call whose entry and exit have the same rule. Returns the instructions. */
static uint64_t pair_with(const char *rule)
{
	uint64_t on;

	if (*rule)
		write_rules(rule);
	need(set_maskset(MASKSET), "MASKSET_SET");
	on = least(call_getppid);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	return on;
}

/*
 * Measure a watch whose key is @key: the thread, or the number of the system call, which is in an
 * argument.
 */
static void lkst_watch(const char *row, const char *name, const char *key)
{
	static const struct mask masks[] = { { SYSCALL_ENTRY, LKST_EVHANDLER_ID_ENTRY_LOG },
					     { SYSCALL_EXIT, LKST_EVHANDLER_ID_ENTRY_LOG } };
	static struct lkst_watch_result result;
	struct lkst_watch_param param = {
		.over_ns = UINT64_MAX,
		.text = (uintptr_t)key,
		.text_size = strlen(key),
		.result = (uintptr_t)&result,
		.result_size = sizeof(result),
		.begin = SYSCALL_ENTRY,
		.end = SYSCALL_EXIT,
	};
	char text[LKST_WATCH_TEXT_MAX + 1], rule[64];
	uint64_t off, on;

	snprintf(param.name, sizeof(param.name), "%s", name);
	snprintf(rule, sizeof(rule), "do watch(%s)", name);
	need(write_maskset(MASKSET, "bench", masks, 2), "MASKSET_WRITE");
	need(lkst(LKST_IOC_WATCH_WRITE, &param), "WATCH_WRITE");
	off = pair_with("");
	on = pair_with(rule);
	write_rules("");
	param.exact = 1;
	param.text = (uintptr_t)text;
	param.text_size = sizeof(text);
	need(lkst(LKST_IOC_WATCH_READ, &param), "WATCH_READ");
	report(row, "lkst", off, on, result.count);
}

/* Rules without a watch. */
static void lkst_rules(void)
{
	static const struct {
		const char *row;
		const char *rule;
	} rules[] = {
		{ "rule-pair", "do record" },
		{ "compare-pair", "number == 110" }, /* SYS_getppid */
		{ "filter-pair", "number == 110 && number < 200" },
		{ "filter-pair-3", "number == 110 && number < 200 && number < 201" },
	};
	static const struct mask masks[] = { { SYSCALL_ENTRY, LKST_EVHANDLER_ID_ENTRY_LOG },
					     { SYSCALL_EXIT, LKST_EVHANDLER_ID_ENTRY_LOG } };
	uint64_t off;

	need(write_maskset(MASKSET, "bench", masks, 2), "MASKSET_WRITE");
	off = pair_with("");
	for (unsigned int i = 0; i < ARRAY_SIZE(rules); i++)
		report(rules[i].row, "lkst", off, pair_with(rules[i].rule), UINT64_MAX);
	write_rules("");
}

/* Two triggers, which keep the longest time of each thread. The events are also recorded. */
static void ftrace_watch(void)
{
	static const char *const triggers[][2] = {
		{ "sys_enter", "hist:keys=common_pid:ts0=common_timestamp" },
		{ "sys_exit",
		  "hist:keys=common_pid:time=common_timestamp-$ts0:onmax($time).save(id)" },
	};
	char text[4096];
	const char *hits;
	uint64_t off, on;

	write_tracefs("1", "events/raw_syscalls/enable");
	off = least(call_getppid);
	for (int i = 0; i < 2; i++)
		write_tracefs(triggers[i][1], "events/raw_syscalls/%s/trigger", triggers[i][0]);
	on = least(call_getppid);
	read_tracefs(text, sizeof(text), "events/raw_syscalls/sys_exit/hist");
	hits = strstr(text, "Hits: ");
	report("watch-pair", "ftrace", off, on,
	       hits ? strtoull(hits + strlen("Hits: "), NULL, 10) : 0);
	for (int i = 1; i >= 0; i--) {
		snprintf(text, sizeof(text), "!%s", triggers[i][1]);
		write_tracefs(text, "events/raw_syscalls/%s/trigger", triggers[i][0]);
	}
	write_tracefs("0", "events/raw_syscalls/enable");
}

int main(int argc, char **argv)
{
	const struct mask mask = { USER_EVENTS_NEW, LKST_EVHANDLER_ID_ENTRY_LOG };

	open_lkst();
	/* An added event gets the handler of USER_EVENTS_NEW. */
	need(write_maskset(MASKSET, "bench", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	if (argc < 2) {
		measure_probe("kprobe-nothing", "1");
		measure_probe("kretprobe-nothing", "2");
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++)
		if (argc < 2 || !strcmp(argv[1], rows[i].name))
			measure_added(i);
	if (argc < 2 || !strcmp(argv[1], "watch-pair")) {
		lkst_rules();
		lkst_watch("watch-pair", "thread", "tid");
		lkst_watch("watch-arg-pair", "number", "number");
		ftrace_watch();
	}
	return 0;
}
