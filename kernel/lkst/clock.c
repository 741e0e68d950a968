// SPDX-License-Identifier: GPL-2.0
/*
 * The clock that records are stamped with, and how it relates to the kernel's time.
 *
 * Records carry the TSC where the kernel trusts it, else CLOCK_MONOTONIC. LKST notes both
 * with the wall clock once a minute, after a suspend and when the clock is set, and
 * converts with the nearest of these notes. The same readings go into the buffers as
 * LKST_SYNC_TIME events, also once in each lap, for those who have nothing but the buffers.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/pvclock_gtod.h>
#include <linux/percpu.h>
#include <linux/seqlock.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/suspend.h>
#include <linux/workqueue.h>

#include "buffer.h"
#include "clock.h"
#include "compat.h"
#include "context.h"
#include "cpucall.h"
#include "event.h"
#include "shift.h"
#include "stage.h"

#define LKST_SYNC_INTERVAL	(60 * MSEC_PER_SEC)

/* While a CPU lacks memory for a buffer: until it has one, its events are lost. */
#define LKST_SYNC_RETRY		MSEC_PER_SEC

static struct lkst_timeline lkst_timeline;	/* protected by lkst_timeline_seq */
static seqcount_t lkst_timeline_seq = SEQCNT_ZERO(lkst_timeline_seq);

/*
 * Of writers. Recording the locks of the kernel would record each spinlock_t that is taken to read
 * what was recorded: reading would fill the buffer that it reads. So there is none on this way:
 * readers retry, and this lock has no trace point.
 */
static arch_spinlock_t lkst_timeline_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/* Returns the interrupt flags, for lkst_timeline_write_end(). Context: any but NMI. */
static unsigned long lkst_timeline_write_begin(void)
{
	unsigned long flags;

	local_irq_save(flags);
	arch_spin_lock(&lkst_timeline_lock);
	write_seqcount_begin(&lkst_timeline_seq);
	return flags;
}

static void lkst_timeline_write_end(unsigned long flags)
{
	write_seqcount_end(&lkst_timeline_seq);
	arch_spin_unlock(&lkst_timeline_lock);
	local_irq_restore(flags);
}

/* The verdict. Changes once at most: from the counter to CLOCK_MONOTONIC. */
static unsigned int lkst_clock __read_mostly;
static unsigned int lkst_clock_at_boot __ro_after_init;

/**
 * lkst_clock_current() - what new buffers are stamped with
 *
 * Return: enum lkst_clock.
 */
unsigned int lkst_clock_current(void)
{
	return READ_ONCE(lkst_clock);
}

/**
 * lkst_clock_khz() - the rate of a clock
 * @clock: enum lkst_clock
 *
 * Return: kHz; 0 while the kernel has not measured it.
 */
u64 lkst_clock_khz(unsigned int clock)
{
	return clock == LKST_CLOCK_NS ? 1000000 : lkst_arch_counter_khz();
}

/* A machine that never had a usable counter may not have one at all. */
static u64 lkst_counter_read(void)
{
	return lkst_clock_read(lkst_clock_at_boot);
}

/**
 * lkst_time_read() - read all clocks at one moment
 * @time: gets the readings
 *
 * Each clock is read around the next, and the middle is taken; of a few tries, the one
 * that took the shortest time counts.
 *
 * Context: any, NMI included.
 */
void lkst_time_read(struct lkst_time *time)
{
	u64 best = U64_MAX;
	unsigned int i;

	time->new_rate = false;
	for (i = 0; i < 4; i++) {
		u64 counter[2];
		s64 monotonic[2], wall, boot;

		counter[0] = lkst_counter_read();
		monotonic[0] = ktime_get_mono_fast_ns();
		wall = ktime_get_real_fast_ns();
		boot = ktime_get_boot_fast_ns();
		monotonic[1] = ktime_get_mono_fast_ns();
		counter[1] = lkst_counter_read();

		if (counter[1] - counter[0] >= best)
			continue;
		best = counter[1] - counter[0];
		time->counter = counter[0] + best / 2;
		time->monotonic = monotonic[0] + (monotonic[1] - monotonic[0]) / 2;
		time->wall = wall;
		time->boot = boot;
	}
}

static bool lkst_clock_reliable;

/* Whether readings of the clocks can be used to date records, see lkst_clock_discard_early(). */
bool lkst_time_known(void)
{
	return READ_ONCE(lkst_clock_reliable);
}

/**
 * lkst_time_args() - the arguments of LKST_SYNC_TIME now
 * @args: gets the four
 * @clock: the clock of the buffer they go to
 *
 * Context: any, NMI included.
 */
void lkst_time_args(u64 *args, unsigned int clock)
{
	struct lkst_time time;
	u64 seconds;
	u32 ns;

	lkst_time_read(&time);
	seconds = div_u64_rem(time.wall, NSEC_PER_SEC, &ns);
	args[0] = LKST_ARG32(seconds, ns);
	args[1] = lkst_time_clock(&time, clock);
	args[2] = lkst_clock_khz(clock);
	args[3] = time.monotonic;
}

/*
 * Note the time now, unless nothing has changed and the last note is younger than @interval
 * ns. @new_rate: as in struct lkst_time. Context: any but NMI.
 */
static void lkst_time_add_reading(s64 interval, bool new_rate)
{
	struct lkst_time time;
	unsigned long flags;

	flags = lkst_timeline_write_begin();
	lkst_time_read(&time);
	time.new_rate = new_rate;
	if (!lkst_timeline_add(&lkst_timeline, &time, interval)) {
		/* After a suspend, some do: lkst_clock_evaluate() draws the conclusion. */
		lkst_timeline_end_counter(&lkst_timeline);
		lkst_timeline_add(&lkst_timeline, &time, interval);
	}
	lkst_timeline_write_end(flags);
}

/**
 * lkst_time_refresh() - note the time, so that what is converted next is close to a note
 *
 * A reader calls it once before it converts.
 */
void lkst_time_refresh(void)
{
	lkst_time_add_reading(10 * (s64)NSEC_PER_SEC, false);
}

/**
 * lkst_time_to_wall() - when a record was made
 * @clock: enum lkst_clock, of the record's buffer
 * @value: the record's clock
 *
 * Context: any but NMI.
 *
 * Return: wall-clock time in ns, as the wall clock was set then. Before the kernel keeps
 * time, 0.
 */
s64 lkst_time_to_wall(unsigned int clock, u64 value)
{
	struct lkst_span span;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&lkst_timeline_seq);
		lkst_timeline_around(&lkst_timeline, clock, value, &span);
	} while (read_seqcount_retry(&lkst_timeline_seq, seq));
	return lkst_span_wall(&span, clock, value, lkst_arch_counter_khz());
}

/**
 * lkst_time_complete() - tell from one clock's reading what the others would have shown
 * @time: readings of a moment when the kernel did not keep time yet
 * @clock: enum lkst_clock, of the clock whose reading counts
 *
 * Context: any but NMI.
 */
void lkst_time_complete(struct lkst_time *time, unsigned int clock)
{
	struct lkst_time now;
	s64 ago;

	lkst_time_read(&now);
	ago = now.wall - lkst_time_to_wall(clock, lkst_time_clock(time, clock));
	time->wall = now.wall - ago;
	time->boot = now.boot - ago;
	if (clock != LKST_CLOCK_NS)
		time->monotonic = now.monotonic - ago;
}

static void lkst_sync_cpu(struct lkst_cpu_request *unused)
{
	lkst_event_time();
	lkst_shift_rewrite_header();
}

static DEFINE_PER_CPU(struct lkst_cpu_request, lkst_sync_requests);

/*
 * Nobody waits for the CPUs, as one of them may be stuck for good: a CPU that has not come
 * round to the last request does not get another one.
 */
static void lkst_sync_cpus(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		lkst_cpu_request_send(cpu, per_cpu_ptr(&lkst_sync_requests, cpu));
	cpus_read_unlock();
}

/* The kernel trusts it, and it was never seen to go back. */
static bool lkst_counter_trusted(void)
{
	return lkst_arch_counter_usable() && !READ_ONCE(lkst_timeline.counter_ended);
}

static void lkst_clock_distrust(void)
{
	unsigned long flags;

	pr_notice("lkst: the TSC cannot be trusted any more; new buffers use CLOCK_MONOTONIC\n");
	flags = lkst_timeline_write_begin();
	lkst_timeline_end_counter(&lkst_timeline);
	lkst_timeline_write_end(flags);
	WRITE_ONCE(lkst_clock, LKST_CLOCK_NS);
}

/*
 * Also gives CPUs that found no memory for a buffer another chance. Returns whether all have one.
 */
static bool lkst_clock_evaluate(void)
{
	unsigned int from = lkst_clock_current();
	bool enough;

	if (from != LKST_CLOCK_NS && !lkst_counter_trusted())
		lkst_clock_distrust();
	enough = lkst_buffer_renew();
	if (lkst_clock_current() != from)
		lkst_event_preemptible(LKST_ETYPE_LKST_CLOCK, from, LKST_CLOCK_NS, 0, 0);
	return enough;
}

static void lkst_sync(struct work_struct *work);
static DECLARE_WORK(lkst_sync_work, lkst_sync);
static bool lkst_sync_ended;

/*
 * When the time is noted next. It expires in a hard interrupt: a timer of a softirq would wait for
 * ksoftirqd, which a real-time thread may keep from running. The worker is bound to no CPU.
 */
static struct hrtimer lkst_sync_timer;

static enum hrtimer_restart lkst_sync_expired(struct hrtimer *timer)
{
	queue_work(lkst_workqueue(), &lkst_sync_work);
	return HRTIMER_NORESTART;
}

/*
 * Note the time, and tell each buffer that is being written. Whoever asks for that meanwhile
 * gets it right after.
 */
static void lkst_sync(struct work_struct *work)
{
	bool enough;

	lkst_time_add_reading(NSEC_PER_SEC, false);
	enough = lkst_clock_evaluate();
	lkst_sync_cpus();
	if (!READ_ONCE(lkst_sync_ended))
		hrtimer_start(&lkst_sync_timer,
			      ms_to_ktime(enough ? LKST_SYNC_INTERVAL : LKST_SYNC_RETRY),
			      HRTIMER_MODE_REL_HARD);
}

/*
 * The clock was set, another clocksource took over, or the machine wakes up. That is noted
 * however short ago the last note was: what that one says does not hold from here on. This CPU
 * records LKST_SYNC_TIME at once: after a wakeup it is the only CPU online, and workers run later.
 */
static void lkst_clock_was_set(struct irq_work *work)
{
	lkst_time_add_reading(0, true);
	lkst_sync_cpu(NULL);
	queue_work(lkst_workqueue(), &lkst_sync_work);
}

static DEFINE_IRQ_WORK(lkst_clock_was_set_work, lkst_clock_was_set);

/* Called with the timekeeper locked, at each tick: nothing more can be done here. */
static int lkst_timekeeping_notify(struct notifier_block *nb, unsigned long was_set, void *tk)
{
	if (was_set)
		irq_work_queue(&lkst_clock_was_set_work);
	return NOTIFY_OK;
}

static struct notifier_block lkst_timekeeping_notifier = {
	.notifier_call = lkst_timekeeping_notify,
};

/* The timekeeper wakes up before the other CPUs: when all are there, they are told. */
static int lkst_suspend_notify(struct notifier_block *nb, unsigned long event, void *unused)
{
	if (event == PM_POST_SUSPEND || event == PM_POST_HIBERNATION)
		queue_work(lkst_workqueue(), &lkst_sync_work);
	return NOTIFY_OK;
}

static struct notifier_block lkst_suspend_notifier = {
	.notifier_call = lkst_suspend_notify,
};

/*
 * The first buffer is stamped with the TSC when nothing speaks against it yet; whether
 * the kernel comes to trust it shows at lkst_clock_start().
 */
void __init lkst_clock_init(void)
{
	lkst_clock_at_boot = lkst_arch_counter_usable() ? LKST_ARCH_CLOCK : LKST_CLOCK_NS;
	lkst_clock = lkst_clock_at_boot;
}

/* As soon as the kernel keeps time: earlier records are dated backwards from here. */
void __init lkst_clock_first_reading(void)
{
	lkst_time_add_reading(0, true);
}

/*
 * Called when the kernel has chosen its clocksource. Until then it counts timer
 * ticks, and misses those that come while interrupts are off or a hypervisor runs
 * something else. A note from that time would date later records too late, by all
 * that the kernel missed after it. So the notes begin anew, and LKST_SYNC_TIME is
 * not recorded before.
 */
void __init lkst_clock_discard_early(void)
{
	unsigned long flags = lkst_timeline_write_begin();

	lkst_timeline_clear(&lkst_timeline);
	lkst_timeline_write_end(flags);
	lkst_time_add_reading(0, true);
	WRITE_ONCE(lkst_clock_reliable, true);
}

/* Once the kernel has chosen its clocksource. */
int __init lkst_clock_start(void)
{
	int cpu, ret;

	for_each_possible_cpu(cpu)
		lkst_cpu_request_init(per_cpu_ptr(&lkst_sync_requests, cpu), lkst_sync_cpu);
	lkst_hrtimer_setup(&lkst_sync_timer, lkst_sync_expired, CLOCK_MONOTONIC,
			   HRTIMER_MODE_REL_HARD);
	ret = register_pm_notifier(&lkst_suspend_notifier);
	if (ret)
		return ret;
	ret = pvclock_gtod_register_notifier(&lkst_timekeeping_notifier);
	if (ret) {
		unregister_pm_notifier(&lkst_suspend_notifier);
		return ret;
	}
	queue_work(lkst_workqueue(), &lkst_sync_work);
	return 0;
}

/*
 * No CPU is asked to note the time any more. Those that have been are waited for by lkst_jump_end()
 * and lkst_buffer_free_all(): here events may still send CPUs elsewhere, and there might never be a
 * moment without any request.
 */
void __lkst_exit lkst_clock_stop(void)
{
	pvclock_gtod_unregister_notifier(&lkst_timekeeping_notifier);
	unregister_pm_notifier(&lkst_suspend_notifier);
	irq_work_sync(&lkst_clock_was_set_work);
	/* A worker that has not seen it may start the timer, which starts one that has. */
	WRITE_ONCE(lkst_sync_ended, true);
	cancel_work_sync(&lkst_sync_work);
	hrtimer_cancel(&lkst_sync_timer);
	cancel_work_sync(&lkst_sync_work);
}
