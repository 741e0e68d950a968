// SPDX-License-Identifier: GPL-2.0
/*
 * What tests/modules/provoke.c does in the kernel, told by the addresses of what it does it with
 * and by its own.
 */
#include "provoke.h"

#define TIMES 5
#define AREAS 4 /* whose addresses the module can tell */

/* Processes */

static void init_queue(void)
{
	struct values queue = ask("init-queue", TIMES);

	expect(TIMES, "process_init_wqh", ARG(1, queue.at[0]));
	expect(TIMES, "process_init_wqh", ARG(1, queue.at[0]), .code = 2, .thread = gettid_own());
}

/* Four ways to get in, four ways out; two entries. */
static void use_queue(void)
{
	struct values used = ask("use-queue", TIMES);
	const uint32_t thread = gettid_own();
	int entry;

	for (entry = 1; entry <= 2; entry++) {
		expect(2 * TIMES, "process_add_wq", ARG(1, used.at[0]), ARG(2, used.at[entry]),
		       .code = 3, .thread = thread);
		expect(2 * TIMES, "process_rem_wq", ARG(1, used.at[0]), ARG(2, used.at[entry]),
		       .code = 3, .thread = thread);
	}
	expect(4 * TIMES, "process_add_wq", ARG(1, used.at[0]));
	expect(4 * TIMES, "process_rem_wq", ARG(1, used.at[0]));
}

/* The one who sleeps gets in, the timer that wakes it gets it out. */
static void sleep_in_queue(void)
{
	struct values used = ask("sleep-in-queue", TIMES);

	expect(TIMES, "process_add_wq", ARG(1, used.at[0]));
	expect(TIMES, "process_add_wq", ARG(1, used.at[0]), ARG(2, used.at[1]), .code = 3,
	       .thread = gettid_own());
	expect(TIMES, "process_rem_wq", ARG(1, used.at[0]));
	expect(TIMES, "process_rem_wq", ARG(1, used.at[0]), ARG(2, used.at[1]),
	       .in_interrupt = true);
}

static void threads(void)
{
	struct values begun = ask("threads", TIMES);
	int i;

	expect(TIMES, "process_lthreadgen", ARG(1, begun.at[0]));
	for (i = 0; i < TIMES; i++)
		expect(1, "process_lthreadgen", ARG(1, begun.at[0]), ARG(2, begun.at[1] + i),
		       ARG(3, text8("provoke/")), ARG(4, '0' + i));
}

/* Interrupts */

static void expect_tasklets(struct values tasklet, const char *entry, const char *exit)
{
	expect(TIMES, entry, ARG(1, tasklet.at[0]), ARG(2, tasklet.at[1]), .in_interrupt = true);
	expect(TIMES, exit, ARG(1, tasklet.at[0]), ARG(2, tasklet.at[1]), .in_interrupt = true);
}

static void expect_no_tasklets(struct values tasklet, const char *entry, const char *exit)
{
	expect(0, entry, ARG(1, tasklet.at[0]));
	expect(0, exit, ARG(1, tasklet.at[0]));
}

static void tasklets(void)
{
	struct values tasklet = ask("tasklet", TIMES);

	expect_tasklets(tasklet, "int_tasklet_entry", "int_tasklet_exit");
	expect_no_tasklets(tasklet, "int_tasklethi_entry", "int_tasklethi_exit");
}

static void tasklets_hi(void)
{
	struct values tasklet = ask("tasklet-hi", TIMES);

	expect_tasklets(tasklet, "int_tasklethi_entry", "int_tasklethi_exit");
	expect_no_tasklets(tasklet, "int_tasklet_entry", "int_tasklet_exit");
}

static void nmis(void)
{
	struct values handler = ask("nmi", TIMES);

	expect(TIMES, "int_nmi", ARG(1, handler.at[0]), ARG(3, 1), .in_interrupt = true);
	expect(TIMES, "int_nmi", ARG(1, handler.at[0]));
}

/* Breakpoints in the kernel that somebody takes are not recorded. The address is behind the one byte. */
static void kprobes(void)
{
	struct values probed = ask("kprobe", TIMES);

	expect(0, "exception_entry", ARG(2, probed.at[0] + 1));
}

/* Memory, network */

static void vmallocs(void)
{
	struct values area = ask("vmalloc", TIMES);

	expect(TIMES, "mem_vmalloc", ARG(2, area.at[0]), .code = 3, .thread = gettid_own());
	expect(TIMES, "mem_vmalloc", .code = 3);
	expect(TIMES, "mem_vmalloc", .code = 3, .preemptible = true);
	expect(TIMES, "mem_vfree", ARG(2, area.at[0]), .code = 3, .thread = gettid_own());
	expect(TIMES, "mem_vfree", .code = 3);
	expect(TIMES, "mem_vfree", .code = 3, .preemptible = true);
}

/* Whoever frees it in the end, it was given back once. Its size cannot be asked for there. */
static void softirq_vfrees(void)
{
	struct values area = ask("free-in-softirq", AREAS);
	unsigned int i;

	for (i = 0; i < AREAS; i++)
		expect(1, "mem_vfree", ARG(1, area.at[i]));
	expect(AREAS, "mem_vfree", ARG(2, 0), .code = 3, .in_interrupt = true);
}

static void drops(void)
{
	struct values packet = ask("drop", TIMES);

	expect(TIMES, "net_drop", BOTH(3, packet.at[0], packet.at[1]), .code = 2,
	       .thread = gettid_own());
	expect(TIMES, "net_drop", HIGH(3, packet.at[0]));
}

/* Timers */

static void timers(void)
{
	struct values timer = ask("timer", TIMES);

	expect(TIMES, "timer_add", ARG(1, timer.at[0]), ARG(2, timer.at[1]), ARG(3, timer.at[2]));
	expect(TIMES, "timer_add", ARG(1, timer.at[0]));
	expect(TIMES, "timer_del", ARG(1, timer.at[0]), ARG(2, timer.at[1]), ARG(3, timer.at[2]));
	expect(TIMES, "timer_del", ARG(1, timer.at[0]));
	expect(0, "timer_run_entry", ARG(1, timer.at[0]));
	expect(0, "timer_run_exit", ARG(1, timer.at[0]));
}

/* One that runs is deleted by that. */
static void running_timers(void)
{
	struct values timer = ask("run-timer", TIMES);

	expect(TIMES, "timer_add", ARG(1, timer.at[0]), ARG(2, timer.at[1]));
	expect(TIMES, "timer_del", ARG(1, timer.at[0]), ARG(2, timer.at[1]));
	expect(TIMES, "timer_run_entry", ARG(1, timer.at[0]), ARG(2, timer.at[1]),
	       .in_interrupt = true);
	expect(TIMES, "timer_run_exit", ARG(1, timer.at[0]), ARG(2, timer.at[1]),
	       .in_interrupt = true);
}

static void hrtimers(void)
{
	struct values timer = ask("hrtimer", TIMES);

	expect(TIMES, "timer_hr_add", ARG(1, timer.at[0]), ARG(2, timer.at[1]),
	       ARG(3, timer.at[2]));
	expect(TIMES, "timer_hr_add", ARG(1, timer.at[0]));
	expect(TIMES, "timer_hr_del", ARG(1, timer.at[0]), ARG(2, timer.at[1]),
	       ARG(3, timer.at[2]));
	expect(TIMES, "timer_hr_del", ARG(1, timer.at[0]));
	expect(0, "timer_hr_run_entry", ARG(1, timer.at[0]));
	expect(0, "timer_hr_run_exit", ARG(1, timer.at[0]));
}

static void running_hrtimers(void)
{
	struct values timer = ask("run-hrtimer", TIMES);

	expect(TIMES, "timer_hr_add", ARG(1, timer.at[0]), ARG(2, timer.at[1]));
	expect(TIMES, "timer_hr_run_entry", ARG(1, timer.at[0]), ARG(2, timer.at[1]),
	       .in_interrupt = true);
	expect(TIMES, "timer_hr_run_exit", ARG(1, timer.at[0]), ARG(2, timer.at[1]),
	       .in_interrupt = true);
}

/* Work, messages */

static void work(void)
{
	struct values work = ask("work", TIMES);

	expect(TIMES, "work_entry", ARG(1, work.at[0]), ARG(2, work.at[1]));
	expect(TIMES, "work_exit", ARG(1, work.at[0]), ARG(2, work.at[1]));
}

/* Levels of messages. */
enum {
	NOTICE = 5,
	INFO = 6
};

static void messages(void)
{
	const char notice[] = "provoke: notice 0", info[] = "provoke: info 0";

	ask("print", TIMES);
	expect(TIMES, "oops_printk", BOTH(1, NOTICE, strlen(notice)), ARG(2, text8(notice)),
	       ARG(3, text8(notice + 8)));
	expect(1, "oops_printk", ARG(2, text8(notice)), ARG(3, text8(notice + 8)),
	       ARG(4, text8(notice + 16)));
	expect(TIMES, "oops_printk", BOTH(1, INFO, strlen(info)), ARG(2, text8(info)));
	expect(2 * TIMES, "oops_printk", ARG(2, text8("provoke:")));
	expect(2 * TIMES, "oops_printk", ARG(2, text8("provoke:")), .preemptible = true);
}

const struct test module_tests[] = {
	{ "init-wait-queue", "process_init_wqh", init_queue },
	{ "use-wait-queue", "process_add_wq process_rem_wq", use_queue },
	{ "sleep-in-wait-queue", "process_add_wq process_rem_wq", sleep_in_queue },
	{ "kernel-threads", "process_lthreadgen", threads },
	{ "tasklets", "int_tasklet_entry int_tasklet_exit int_tasklethi_entry int_tasklethi_exit",
	  tasklets },
	{ "tasklets-hi",
	  "int_tasklet_entry int_tasklet_exit int_tasklethi_entry int_tasklethi_exit",
	  tasklets_hi },
	{ "nmis", "int_nmi", nmis },
	{ "kprobes", "exception_entry", kprobes },
	{ "vmalloc", "mem_vmalloc mem_vfree", vmallocs },
	{ "vfree-in-softirq", "mem_vfree", softirq_vfrees },
	{ "packet-drop", "net_drop", drops },
	{ "timers", "timer_add timer_del timer_run_entry timer_run_exit", timers },
	{ "running-timers", "timer_add timer_del timer_run_entry timer_run_exit", running_timers },
	{ "hrtimers", "timer_hr_add timer_hr_del timer_hr_run_entry timer_hr_run_exit", hrtimers },
	{ "running-hrtimers", "timer_hr_add timer_hr_run_entry timer_hr_run_exit",
	  running_hrtimers },
	{ "work", "work_entry work_exit", work },
	{ "kernel-messages", "oops_printk", messages },
	{},
};
