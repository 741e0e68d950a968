// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/death*.t: all CPUs record numbered events, take locks and start timers until the
 * kernel dies. Each CPU stores its latest numbers in a page of memory, whose physical address is
 * the parameter "page". Nothing else writes to this page, and it survives the kernel.
 *
 * "echo KIND >/sys/module/death/parameters/now" makes the kernel die. kinds[] lists the kinds.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/lkst.h>

#include "compat.h"
#include "death.h"
#include "pattern.h"

#define BATCH		40
#define TIMER_NS	(700 * NSEC_PER_USEC)

LKST_ETYPE_DEF_MODULE(DEATH_ETYPE, NORMAL, DEATH, "death",
		      "number:hex", "check:hex", "check:hex", "check:hex");

static unsigned long page;
module_param(page, ulong, 0400);

static struct death_page *counts;
static DEFINE_SPINLOCK(shared_lock);
static bool panic_in_timer;

struct recorder {
	struct task_struct *task;
	struct hrtimer hrtimer;
	struct timer_list timer;
};

static DEFINE_PER_CPU(struct recorder, recorders);

/* Record the next event of a series of this CPU. Each series has only one writer. */
static void record(int series)
{
	int cpu = raw_smp_processor_id();
	struct death_series *at = &counts->series[cpu][series];
	u64 number = at->begun + 1, args[4];

	pattern_fill(args, (u64)cpu << DEATH_CPU_SHIFT | (u64)series << DEATH_SERIES_SHIFT | number);
	WRITE_ONCE(at->begun, number);
	barrier();
	LKST_HOOK(DEATH, args[0], args[1], args[2], args[3]);
	barrier();
	WRITE_ONCE(at->done, number);
}

static enum hrtimer_restart record_in_timer(struct hrtimer *hrtimer)
{
	record(DEATH_TIMER);
	if (READ_ONCE(panic_in_timer))
		panic("death: in a timer");
	hrtimer_forward_now(hrtimer, ns_to_ktime(TIMER_NS));
	return HRTIMER_RESTART;
}

static void do_nothing(struct timer_list *timer)
{
}

static int record_in_thread(void *data)
{
	struct recorder *recorder = data;

	hrtimer_start(&recorder->hrtimer, ns_to_ktime(TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		for (int i = 0; i < BATCH; i++) {
			record(DEATH_THREAD);
			spin_lock(&shared_lock);
			spin_unlock(&shared_lock);
			mod_timer(&recorder->timer, jiffies + 1 + i % 4);
		}
		usleep_range(100, 300);
	}
	hrtimer_cancel(&recorder->hrtimer);
	timer_delete_sync(&recorder->timer);
	return 0;
}

static void die_by_panic(void)
{
	panic("death: of a panic");
}

static void die_in_timer(void)
{
	WRITE_ONCE(panic_in_timer, true);
}

static void die_with_lock(void)
{
	unsigned long flags;

	spin_lock_irqsave(&shared_lock, flags);
	panic("death: with a lock held");
}

static void hang(void *unused)
{
	for (;;)
		cpu_relax();
}

static void die_hanging(void)
{
	on_each_cpu(hang, NULL, 0);
}

static const struct {
	const char *name;
	void (*die)(void);
} kinds[] = {
	{ "panic", die_by_panic },	/* panic in a process */
	{ "timer", die_in_timer },	/* panic in an interrupt */
	{ "lock", die_with_lock },	/* panic while holding a lock that every CPU wants */
	{ "hang", die_hanging },	/* all CPUs hang, with interrupts off */
};

static int die_now(const char *value, const struct kernel_param *kp)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (sysfs_streq(value, kinds[i].name)) {
			kinds[i].die();
			return 0;
		}
	}
	return -EINVAL;
}

static const struct kernel_param_ops now_ops = { .set = die_now };

module_param_cb(now, &now_ops, NULL, 0200);

static void stop_recorders(void)
{
	int cpu;

	for_each_online_cpu(cpu) {
		struct recorder *recorder = per_cpu_ptr(&recorders, cpu);

		if (!IS_ERR_OR_NULL(recorder->task))
			kthread_stop(recorder->task);
	}
}

static int start_recorder(int cpu)
{
	struct recorder *recorder = per_cpu_ptr(&recorders, cpu);

	hrtimer_setup(&recorder->hrtimer, record_in_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	timer_setup(&recorder->timer, do_nothing, TIMER_PINNED);
	recorder->task = kthread_create_on_cpu(record_in_thread, recorder, cpu, "death/%u");
	if (IS_ERR(recorder->task))
		return PTR_ERR(recorder->task);
	wake_up_process(recorder->task);
	return 0;
}

static int __init death_init(void)
{
	int cpu, ret;

	counts = memremap(page, PAGE_SIZE, MEMREMAP_WB);
	if (!page || !counts)
		return -ENOMEM;
	memset(counts, 0, PAGE_SIZE);
	ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(DEATH));
	if (ret < 0)
		goto unmap;
	for_each_online_cpu(cpu) {
		ret = start_recorder(cpu);
		if (ret)
			goto stop;
		counts->cpus++;
	}
	counts->magic = DEATH_MAGIC;
	return 0;

stop:
	stop_recorders();
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(DEATH));
unmap:
	memunmap(counts);
	return ret;
}

static void __exit death_exit(void)
{
	stop_recorders();
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(DEATH));
	memunmap(counts);
}

module_init(death_init);
module_exit(death_exit);
MODULE_DESCRIPTION("LKST test: the kernel dies while all CPUs record");
MODULE_LICENSE("GPL");
