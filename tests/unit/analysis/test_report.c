// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla report: each finding by itself, below its threshold and at it. Threads are "a" to "z",
 * with the IDs 101 to 126.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "lkstla/report/report.h"
#include "script_case.h"

const char *__real_run_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
				    char text[32]);
const char *__wrap_run_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
				    char text[32]);

const char *__wrap_run_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
				    char text[32])
{
	return number == 257 ? strcpy(text, "openat") :
			       __real_run_syscall_name(thread, number, abi, text);
}

/* --html is not tested here. */
const struct analysis analysis_report_page;

unsigned int terminal_width(void)
{
	return 0;
}

bool color_enabled(void)
{
	return false;
}

/* All events are recorded. */
bool report_lacks(const struct run *run, const struct report_rule *rule)
{
	(void)run;
	(void)rule;
	return false;
}

void report_missing_text(const struct run *run, const char *const *words, char *text, size_t size)
{
	(void)run;
	(void)words;
	snprintf(text, size, "missing");
}

/* Run a script up to @end_ns, with options of --threshold. */
static void begin(const char *script, int64_t end_ns, const struct report_arguments *own)
{
	script_setup("blkop enum 1 WRITE\n");
	analysis_setup(&analysis_report, own);
	script_window(end_ns);
	assert_ok(lkst_model_add(model, &analysis_report.ops, analysis_ctx(), &err));
	script_run(script);
}

/* Return the page. The caller must free it. */
static char *page(void)
{
	struct tables tables = { 0 };

	assert_ok(analysis_report.report(analysis_ctx(), &analysis_run, &tables, &err));
	ck_assert_ptr_nonnull(tables.text);
	for (size_t i = 0; i < tables.num; i++)
		table_free(tables.table[i]);
	return tables.text;
}

/* Check the part of the page before WHERE THE CPUS WERE. */
static void check(const char *name, const char *script, int64_t end_ns, const char *threshold,
		  const char *expected)
{
	struct report_arguments own = { .threshold.num = threshold != NULL,
					.threshold.word = { threshold } };
	char *text, *found, *rest;

	begin(script, end_ns, &own);
	text = page();
	/* After a panic, the page has another block before the findings. */
	found = strstr(text, "FINDINGS\n");
	ck_assert_ptr_nonnull(found);
	rest = strstr(text, "\nWHERE THE CPUS WERE\n");
	ck_assert_ptr_nonnull(rest);
	*rest = 0;
	ck_assert_msg(!strcmp(found, expected), "%s: got\n%swant\n%s", name, found, expected);
	free(text);
	script_teardown();
}

#define NONE "FINDINGS\n    No findings. "

static const struct finding_case {
	const char *name;
	const char *script;
	int64_t end_ns;
	const char *below; /* a threshold that is not reached */
	const char *at;	   /* a threshold that is just reached; NULL: the default */
	const char *expected;
} cases[] = {
	{ "oops",
	  "0/a:1000000 sys 1 1; 0:2000000 die 14 4096; 0:3000000 ret 1 1",
	  4000000, "oops=2", NULL,
	  " 1  kernel: oops: #PF at 0x1000 on CPU 0 in 101\n"
	  "    at 00:00:00.002000, oops\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "oops",
	  "0/a:1000000 sys 1 1; 0:2000000 panic fatal; 0:3000000 ret 1 1",
	  4000000, "oops=2", NULL,
	  " 1  kernel: panic: fatal on CPU 0 in 101\n"
	  "    at 00:00:00.002000, oops\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "oops", /* kills a thread */
	  "0/a:1000000 sys 1 1; 0:2000000 die 14 4096; 0:2100000 exit a 11; 0:3000000 switch a>idle Z",
	  4000000, "oops=2", NULL,
	  " 1  kernel: oops: #PF at 0x1000 on CPU 0 in 101\n"
	  "    at 00:00:00.002000, oops\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "lockup",
	  "0/a:1000000 sys 1 1; 0:2000000 lockup 101 1; 0:3000000 ret 1 1",
	  4000000, "lockup=2", NULL,
	  " 1  the kernel detected a lockup: soft, 101, on CPU 0\n"
	  "    at 00:00:00.002000, lockup\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "mce",
	  "0/a:1000000 sys 1 1; 0:2000000 mce 4 77; 0:3000000 ret 1 1",
	  4000000, "mce=2", NULL,
	  " 1  the hardware reported an error of CPU 0: bank 4, status 0x4d\n"
	  "    at 00:00:00.002000, mce\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "oom-kill",
	  "0/a:1000000 sys 1 1; 0:2000000 oomkill a; 0:3000000 ret 1 1",
	  4000000, "oom-kill=2", NULL,
	  " 1  memory ran out: the kernel killed 101\n"
	  "    at 00:00:00.002000, oom-kill\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "warning",
	  "0/a:1000000 sys 1 1; 0:2000000 warn 1 4096; 0:3000000 ret 1 1",
	  4000000, "warning=2", NULL,
	  " 1  the kernel warned: 1 at 0x1000 on CPU 0 in 101\n"
	  "    at 00:00:00.002000, warning\n"
	  "    lkstbuf print --until 00:00:00.002001 -n 40\n" },
	{ "crash",
	  "0/a:1000000 sys 1 1; 0:2000000 exit a 11; 0:3000000 switch a>idle Z",
	  4000000, "crash=2", NULL,
	  " 1  101 crashed: killed(SIGSEGV)\n"
	  "    at 00:00:00.002000, crash\n"
	  "    lkstbuf print -p 101 --until 00:00:00.002001 -n 40\n" },
	{ "cpu-offline",
	  "0/a:1000000 sys 1 1; 0:2000000 offline 3; 0:3000000 ret 1 1",
	  4000000, "cpu-offline=2", NULL,
	  " 1  CPU 3 went offline\n"
	  "    at 00:00:00.002000, cpu-offline\n"
	  "    lkstbuf print -r -e cpu_offline,cpu_online\n" },
	{ "lost",
	  "0/a:1000000 sys 1 1; 0:2000000 ret 1 1; lose 0 7; 0:3000000 sys 1 1",
	  4000000, "lost=8", "lost=7",
	  " 1  records are missing: 7, the largest gap on CPU 0\n"
	  "    at 00:00:00.003000, lost\n"
	  "    lkstbuf print --summary\n" },
	{ "io-error",
	  "0/a:1000000 sys 1 1; 0:2000000 issue 8 4096; 0:3000000 done 8 4096 -5; 0:4000000 ret 1 1",
	  5000000, "io-error=2", NULL,
	  " 1  WRITE of 4096 bytes on 0:1, sector 8, failed with -EIO, issued by 101\n"
	  "    at 00:00:00.003000, io-error\n"
	  "    lkstbuf print -r -e block_issue,block_complete --since 00:00:00.002000 --until 00:00:00.003001\n" },
	{ "cpu-wait",
	  "1/c:0 sys 1 1; 1:1000000 switch c>idle S; 0/a:1000000 switch a>b S; 0/b:2000000 waking a;"
	  "0/b:2000000 wakeup a 0; 0/b:152000000 switch b>a S; 1/idle:155000000 switch idle>c R",
	  160000000, "cpu-wait=150001us", "cpu-wait=150ms",
	  " 1  101 waited 150 ms for CPU 0, held by 102; CPU 1 was idle for at least 150 ms of it\n"
	  "    at 00:00:00.152000, cpu-wait\n"
	  "    lkstla why 101 --at 00:00:00.152000\n" },
	{ "irqs-off",
	  "0/a:1000000 sys 35 9; 0:2000000 switch a>b S; 0h/b:40000000 tick 236; 0h/b:40100000 hr 77 10000000;"
	  "0h/b:40300000 hrx 77; 0h/b:40400000 tickx 236; 0/b:41000000 sys 1 1",
	  42000000, "irqs-off=30001us", "irqs-off=30ms",
	  " 1  interrupts were disabled on CPU 0 for 30.0 ms while 102 ran\n"
	  "    at 00:00:00.040100, irqs-off\n"
	  "    lkstla timer -c 0 --over 30000us\n" },
	{ "irqs-off", /* a pending interrupt is handled before that of the timer */
	  "0/a:1000000 sys 35 9; 0:2000000 switch a>b S; 0h/b:39900000 irq 24 nic; 0h/b:39950000 irqx 24;"
	  "0h/b:40000000 tick 236; 0h/b:40100000 hr 77 10000000; 0h/b:40300000 hrx 77; 0h/b:40400000 tickx 236;"
	  "0/b:41000000 sys 1 1",
	  42000000, "irqs-off=29901us", "irqs-off=29900us",
	  " 1  interrupts were disabled on CPU 0 for 29.9 ms while 102 ran\n"
	  "    at 00:00:00.040100, irqs-off\n"
	  "    lkstla timer -c 0 --over 29900us\n" },
	{ "timer-late", /* another interrupt meanwhile shows that interrupts were enabled */
	  "0/a:1000000 sys 35 9; 0:2000000 switch a>b S; 0h/b:30000000 irq 24 nic; 0h/b:30050000 irqx 24;"
	  "0h/b:40000000 tick 236; 0h/b:40100000 hr 77 10000000; 0h/b:40300000 hrx 77; 0h/b:40400000 tickx 236;"
	  "0/b:41000000 sys 1 1",
	  42000000, "timer-late=30101us", "timer-late=30100us",
	  " 1  timer 0x4d ran 30.1 ms late on CPU 0, which was running a thread\n"
	  "    at 00:00:00.040100, timer-late\n"
	  "    lkstla timer -c 0 --over 30100us\n" },
	{ "irq-long",
	  "0/a:1000000 sys 0 3; 0h:2000000 irq 24 nic; 0h:9000000 irqx 24; 0:10000000 ret 0 1",
	  11000000, "irq-long=7001us", "irq-long=7ms",
	  " 1  interrupt nic took 7.0 ms on CPU 0, and interrupted 101\n"
	  "    at 00:00:00.009000, irq-long\n"
	  "    lkstbuf print -r -c 0 --since 00:00:00.002000 --until 00:00:00.009001\n" },
	{ "softirq-long",
	  "0/a:1000000 sys 0 3; 0s:2000000 soft 3; 0s:32000000 softx 3; 0:35000000 ret 0 1",
	  40000000, "softirq-long=30001us", NULL,
	  " 1  softirq NET_RX took 30.0 ms on CPU 0, and interrupted 101\n"
	  "    at 00:00:00.032000, softirq-long\n"
	  "    lkstbuf print -r -c 0 --since 00:00:00.002000 --until 00:00:00.032001\n" },
	{ "timer-late",
	  "0/a:1000000 sys 35 9; 0:2000000 switch a>idle S; 0h/idle:40000000 tick 236; 0h:40100000 hr 77 10000000;"
	  "0h:40300000 hrx 77; 0h:40400000 tickx 236; 0:41000000 mark 1",
	  42000000, "timer-late=30101us", "timer-late=30100us",
	  " 1  timer 0x4d ran 30.1 ms late on CPU 0, which was idle\n"
	  "    at 00:00:00.040100, timer-late\n"
	  "    lkstla timer -c 0 --over 30100us\n" },
	{ "block-slow",
	  "0/a:1000000 sys 1 1; 0:2000000 issue 8 4096; 0:202000000 done 8 4096; 0:203000000 ret 1 1",
	  204000000, "block-slow=201ms", NULL,
	  " 1  WRITE of 4096 bytes on 0:1, sector 8, took 200 ms, issued by 101\n"
	  "    at 00:00:00.202000, block-slow\n"
	  "    lkstla block -p 101 --over 200000us\n" },
	{ "block-slow",
	  "0/a:1000000 sys 1 1; 0:2000000 issue 8 4096; 0:203000000 ret 1 1",
	  204000000, "block-slow=203ms", NULL,
	  " 1  WRITE of 4096 bytes on 0:1, sector 8, which has not completed, took 202 ms, issued by 101\n"
	  "    at 00:00:00.204000, block-slow\n"
	  "    lkstla block -p 101 --over 200000us\n" },
	{ "lock-wait",
	  "0/a:1000000 sys 1 1; 0:2000000 contend 255 4; 0:3000000 switch a>b S; 0/b:32000000 waking a;"
	  "0/b:32000000 wakeup a 0; 0:33000000 switch b>a S; 0:33000000 contended 255; 0:34000000 ret 1 1",
	  40000000, "lock-wait=31001us", "lock-wait=31ms",
	  " 1  101 waited 31.0 ms for a lock: 0x4 0:0xff, in call_1, held by 102\n"
	  "    at 00:00:00.033000, lock-wait\n"
	  "    lkstla lock -p 101 --over 31000us\n" },
	{ "lock-wait",
	  "1/c:500000 sys 1 1; 0/a:1000000 sys 1 1; 0:2000000 contend 255 4 c; 0:3000000 switch a>b S; 0/b:32000000 waking a;"
	  "0/b:32000000 wakeup a 0; 0:33000000 switch b>a S; 0:33000000 contended 255; 0:34000000 ret 1 1",
	  40000000, "lock-wait=31001us", NULL,
	  " 1  101 waited 31.0 ms for a lock: 0x4 0:0xff, in call_1, held by 103\n"
	  "    at 00:00:00.033000, lock-wait\n"
	  "    lkstla lock -p 101 --over 20000us\n" },
	{ "d-wait",
	  "0/a:1000000 sys 1 1; 0:2000000 switch a>idle D; 0/idle:1002000000 waking a;"
	  "0:1002000000 wakeup a 0; 0:1002100000 switch idle>a R; 0/a:1003000000 ret 1 1",
	  1004000000, "d-wait=1001ms", NULL,
	  " 1  101 slept for 1000 ms in call_1, and signals could not interrupt it\n"
	  "    at 00:00:01.002000, d-wait\n"
	  "    lkstla why 101 --at 00:00:01.002000\n" },
	{ "call-slow",
	  "0/a:1000000 sys 257 1; 0:2000000 switch a>idle S; 0/idle:502000000 waking a;"
	  "0:502000000 wakeup a 0; 0:502100000 switch idle>a R; 0/a:503000000 ret 257 1",
	  504000000, "call-slow=501ms", NULL,
	  " 1  101 slept for 500 ms in openat\n"
	  "    at 00:00:00.503000, call-slow\n"
	  "    lkstla why 101 --at 00:00:00.503000\n" },
	{ "mem-grew",
	  "0/a:1000000 sys 1 1; 0:2000000 kmalloc 4096 17 0x0600000006000000; 0:2500000 kfree 1 2; 0:3000000 ret 1 1",
	  4000000, "mem-grew=97M", "mem-grew=96M",
	  " 1  0:0x1000 allocated 96.0 MB that were not freed\n"
	  "    mem-grew\n"
	  "    lkstla mem\n" },
	{ "idle-queued",
	  "1/idle:1000000 idle 1; 0/a:1000000 sys 1 1; 0:2000000 ret 1 1; 0:50000000 switch a>b R;"
	  "0:100000000 switch b>a R; 0:150000000 switch a>b R; 0:200000000 switch b>a R; 1/idle:200000000 mark 1",
	  200000000, "idle-queued=80", "idle-queued=70%",
	  " 1  CPU 1 was idle for 75.0 % of the time while threads waited for other CPUs\n"
	  "    idle-queued\n"
	  "    lkstla cpu\n" },
};

/* Each finding is reported alone, and only from its threshold on. */
TEST(findings)
{
	char expected[2048], line[32];

	for (size_t i = 0; i < NUM(cases); i++) {
		const struct finding_case *c = &cases[i];
		struct report_arguments own = { .threshold = { 1, { c->below } } };
		char *text;

		snprintf(expected, sizeof(expected), "FINDINGS\n%s", c->expected);
		check(c->name, c->script, c->end_ns, c->at, expected);
		begin(c->script, c->end_ns, &own);
		text = page();
		snprintf(line, sizeof(line), " %s\n", c->name);
		ck_assert_msg(!strstr(text, line), "%s is below its threshold, but: %s", c->name,
			      text);
		free(text);
		script_teardown();
	}
}

/* Return a script that repeats two events 150 times in 0.9 s. @second follows 2 ms after @first. */
static char *repeated(const char *first, const char *second)
{
	const char *hard = strncmp(first, "irq", 3) ? "" : "h";
	char *all = NULL;
	size_t len;
	FILE *to = open_memstream(&all, &len);

	ck_assert_ptr_nonnull(to);
	fputs("0/a:1000000 mark 1", to);
	for (int i = 1; i <= 150; i++)
		fprintf(to, "; 0%s:%d %s; 0%s:%d %s", hard, i * 6000000, first, hard,
			i * 6000000 + 2000000, second);
	ck_assert(!fclose(to));
	return all;
}

/* Findings that take many events: @first and @second are repeated. */
static const struct repeated_case {
	const char *first;
	const char *second;
	const char *below;
	const char *at;
	const char *expected;
} repeated_cases[] = {
	{ "sys 9 1", "ret 9 -13", "errors=151", "errors=150",
	  "FINDINGS\n"
	  " 1  call_9 failed 150 times with -EACCES, last in 101\n"
	  "    at 00:00:00.902000, errors\n"
	  "    lkstla syscall -p 101\n" },
	{ "drop 1 4096 2", "mark 1", "drops=151", "drops=150",
	  "FINDINGS\n"
	  " 1  150 packets were dropped: 2, in 0x1000\n"
	  "    at 00:00:00.900000, drops\n"
	  "    lkstla net\n" },
	{ "irq 9 nic", "irqx 9", "irq-busy=31", "irq-busy=30%",
	  "FINDINGS\n"
	  " 1  CPU 0 was in interrupts and softirqs for 30.0 % of the time\n"
	  "    irq-busy\n"
	  "    lkstla irq -c 0\n" },
};

TEST(many_events)
{
	for (size_t i = 0; i < NUM(repeated_cases); i++) {
		const struct repeated_case *c = &repeated_cases[i];
		char *script = repeated(c->first, c->second), *text;
		struct report_arguments own = { .threshold = { 1, { c->below } } };

		begin(script, 1000000000, &own);
		text = page();
		ck_assert_msg(!strncmp(text, NONE, strlen(NONE)), "%s", text);
		free(text);
		script_teardown();
		check(c->below, script, 1000000000, c->at, c->expected);
		free(script);
	}
}

/* A trace in which nothing goes wrong */
TEST(quiet)
{
	struct report_arguments own = { 0 };
	char *text;

	begin("0/a:1000000 sys 1 1; 0:2000000 issue 8 4096; 0:3000000 switch a>idle D; 0h/idle:4000000 irq 9 disk;"
	      "0h/idle:4100000 done 8 4096; 0h:4200000 waking a; 0h:4200000 wakeup a 0; 0h:4300000 irqx 9;"
	      "0:4400000 switch idle>a R; 0/a:5000000 ret 1 -11",
	      200000000, &own);
	text = page();
	ck_assert_msg(!strncmp(text, NONE "Nothing reached a threshold: oops 1, ", strlen(NONE) + 37),
		      "%s", text);
	ck_assert_ptr_nonnull(strstr(text, "WRITE of 4096 bytes on 0:1, sector 8, took 2.1 ms, issued by 101\n"));
	free(text);
	script_teardown();
}

/* Several occurrences of one kind are one finding. The most expensive kind comes first. */
TEST(several)
{
	check("several",
	      "0/a:1000000 sys 0 3; 0h:2000000 irq 24 nic; 0h:9000000 irqx 24; 0h:10000000 irq 24 nic;"
	      "0h:18000000 irqx 24; 0s:20000000 soft 3; 0s:60000000 softx 3; 0:70000000 ret 0 1",
	      71000000, NULL,
	      "FINDINGS\n"
	      " 1  softirq NET_RX took 40.0 ms on CPU 0, and interrupted 101\n"
	      "    at 00:00:00.060000, softirq-long\n"
	      "    lkstbuf print -r -c 0 --since 00:00:00.020000 --until 00:00:00.060001\n"
	      " 2  interrupt nic took 8.0 ms on CPU 0, and interrupted 101\n"
	      "    worst at 00:00:00.018000, 2 times, in total 15.0 ms, irq-long\n"
	      "    lkstbuf print -r -c 0 --since 00:00:00.010000 --until 00:00:00.018001\n");
}

/*
 * A thread waits because of a softirq, and not because of the thread that the softirq interrupts.
 */
TEST(wait_for_softirq)
{
	check("wait_for_softirq",
	      "0/b:1000000 sys 0 3; 0s:2000000 soft 3; 0s:3000000 waking a; 0s:3000000 wakeup a 0;"
	      "0s:152000000 softx 3; 0/b:203000000 switch b>a S; 0/a:204000000 mark 1",
	      205000000, NULL,
	      "FINDINGS\n"
	      " 1  101 waited 200 ms for CPU 0, which interrupts and softirqs took for at least 149 ms\n"
	      "    at 00:00:00.203000, cpu-wait\n"
	      "    lkstla why 101 --at 00:00:00.203000\n"
	      " 2  softirq NET_RX took 150 ms on CPU 0, and interrupted 102\n"
	      "    at 00:00:00.152000, softirq-long\n"
	      "    lkstbuf print -r -c 0 --since 00:00:00.002000 --until 00:00:00.152001\n"
	      " 3  CPU 0 was in interrupts and softirqs for 73.2 % of the time\n"
	      "    irq-busy\n"
	      "    lkstla irq -c 0\n");
}

/*
 * Check the sentence about a wait of "a" for a CPU from 10 to 410 ms, with 200 ticks of 50 us,
 * which have the @flags. The script has the events @first before the ticks, @middle after 100
 * ticks, and @last at the end.
 */
static void check_wait(const char *flags, const char *first, const char *middle, const char *last,
		       const char *sentence)
{
	struct report_arguments own = { 0 };
	char *script = NULL, *text;
	size_t len;
	FILE *to = open_memstream(&script, &len);

	ck_assert_ptr_nonnull(to);
	fprintf(to, "0/b:1000000 sys 1 1; 0:10000000 waking a; 0:10000000 wakeup a 0%s", first);
	for (int i = 0; i < 200; i++)
		fprintf(to, "%s; 0%s:%d tick 236; 0%s:%d tickx 236", i == 100 ? middle : "", flags,
			11000000 + i * 1990000, flags, 11050000 + i * 1990000);
	fprintf(to, "%s; 0/a:411000000 mark 1", last);
	ck_assert(!fclose(to));
	begin(script, 412000000, &own);
	text = page();
	ck_assert_msg(strstr(text, sentence), "want %s\ngot %s", sentence, text);
	free(text);
	free(script);
	script_teardown();
}

/* The report knows what had the CPU for most of a wait, even after hundreds of interrupts. */
TEST(long_wait)
{
	check_wait("h", "", "", "; 0/b:410000000 switch b>a S",
		   " 101 waited 400 ms for CPU 0, held by 102\n");
	check_wait("hs", "; 0s:10500000 soft 3", "",
		   "; 0s:408500000 softx 3; 0/b:410000000 switch b>a S",
		   " 101 waited 400 ms for CPU 0, which interrupts and softirqs took for at least 383 ms\n");
	check_wait("h", "; 0:10500000 switch b>c S", "; 0/c:209500000 switch c>d S",
		   "; 0/d:410000000 switch d>a S",
		   " 101 waited 400 ms for CPU 0, where 104 ran longest\n");
}

/* A thread waits for a CPU. The records of that CPU may begin only after the wait. */
static const struct wait_case {
	const char *script;
	const char *expected; /* NULL: no finding */
} wait_cases[] = {
	{ "1/c:1000000 sys 1 1; 1:2000000 waking a; 1:2000000 wakeup a 0; 0/b:50000000 sys 1 1;"
	  "0/b:302000000 switch b>a S; 0/a:303000000 sys 1 1",
	  " 1  101 waited 300 ms for CPU 0, held by 102\n" },
	{ "1/c:1000000 sys 1 1; 1:2000000 waking a; 1:2000000 wakeup a 0; lose 0 5; 0/b:50000000 sys 1 1;"
	  "0/b:302000000 switch b>a S; 0/a:303000000 sys 1 1",
	  NULL },
	{ "1/c:1000000 sys 1 1; 1:2000000 waking a; 1:2000000 wakeup a 0; lose 0 5; 0/b:50000000 sys 1 1;"
	  "0/b:303000000 sys 1 1",
	  NULL },
	{ "lose 0 5; 0/b:500000 sys 1 1; 1/c:1000000 sys 1 1; 1:2000000 waking a; 1:2000000 wakeup a 0;"
	  "0/b:302000000 switch b>a S; 0/a:303000000 sys 1 1",
	  " 1  101 waited 300 ms for CPU 0, held by 102\n" },
};

TEST(waits)
{
	for (size_t i = 0; i < NUM(wait_cases); i++) {
		struct report_arguments own = { .threshold = { 1, { "idle-queued=100" } } };
		const char *expected = wait_cases[i].expected;
		char *text, *found;

		begin(wait_cases[i].script, 304000000, &own);
		text = page();
		found = strstr(text, "FINDINGS\n");
		ck_assert_ptr_nonnull(found);
		if (expected)
			ck_assert_msg(!strncmp(found + 9, expected, strlen(expected)), "%zu: %s", i,
				      text);
		else
			ck_assert_msg(!strncmp(found, NONE, strlen(NONE)), "%zu: %s", i, text);
		free(text);
		script_teardown();
	}
}

/* A thread that seems to wait during the whole window has probably run without being recorded. */
TEST(wait_without_ends)
{
	struct report_arguments own = { 0 };
	char *text;

	begin("0/b:1000000 waking a; 0:1000000 wakeup a 0; open 2000000; 0/b:3000000 sys 1 1",
	      412000000, &own);
	text = page();
	ck_assert_msg(!strstr(text, "waited"), "%s", text);
	free(text);
	script_teardown();
}

/* Return the error that start() reports for an argument of --threshold. */
static const char *refused(const char *word)
{
	struct report_arguments own = { .threshold = { 1, { word } } };
	struct run run = { .args = &analysis_args, .own = &own };

	ck_assert_ptr_null(analysis_report.start(&run, &err));
	return err.text;
}

TEST(thresholds)
{
	ck_assert_str_eq(refused("cpu-wiat=1ms"),
			 "--threshold \"cpu-wiat\": unknown name; did you mean \"cpu-wait\"? "
			 "(lkstla report --thresholds lists them)");
	ck_assert_str_eq(refused("cpu-wait"), "--threshold \"cpu-wait\": want cpu-wait=VALUE, which is "
					      "a time: 250us, 20ms, 1.5s");
	ck_assert_str_eq(refused("cpu-wait=0"), "--threshold \"cpu-wait=0\": want cpu-wait=VALUE, which "
						"is a time: 250us, 20ms, 1.5s");
}
