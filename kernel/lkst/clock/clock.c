// SPDX-License-Identifier: GPL-2.0
/*
 * The clock of the records, and its relation to the kernel's time.
 *
 * Records are stamped with the TSC if the kernel trusts it, and otherwise with
 * CLOCK_MONOTONIC. LKST reads both together with the wall clock once a minute,
 * after a suspend, and when the wall clock is set. Timestamps are converted
 * with the readings nearest to them. For tools that have only the buffers, such
 * readings are also recorded as LKST_SYNC_TIME events, at least each time a
 * buffer wraps.
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
#include <linux/lkst_buffer.h>

#include "clock.h"
#include "../base/compat.h"
#include "../ring/context.h"
#include "../base/cpu_request.h"
#include "../base/stage.h"

/* Interval at which CPUs record the time, in ms. */
#define LKST_SYNC_INTERVAL	(60 * MSEC_PER_SEC)

/*
 * Shorter interval, in ms. Used while a CPU is losing its events because there
 * is no memory for its buffer.
 */
#define LKST_SYNC_RETRY		MSEC_PER_SEC

/* Protected by lkst_timeline_seq. */
static struct lkst_timeline lkst_timeline;
static seqcount_t lkst_timeline_seq = SEQCNT_ZERO(lkst_timeline_seq);

/*
 * Serializes writers. The lock is an arch_spinlock_t because LKST hooks every
 * spinlock_t: when a program reads a buffer, the kernel may also add a reading
 * to the timeline, and with a spinlock_t this would record lock events in that
 * same buffer. Readers of the timeline take no lock, but retry.
 */
static arch_spinlock_t lkst_timeline_lock = __ARCH_SPIN_LOCK_UNLOCKED;

/*
 * Begin a change of the timeline. Returns the interrupt flags for
 * lkst_timeline_write_end(). Context: any but NMI.
 */
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

/*
 * The clock of new buffers. Changes at most once, from the counter to
 * CLOCK_MONOTONIC.
 */
static unsigned int lkst_clock __read_mostly;
static unsigned int lkst_clock_at_boot __ro_after_init;

/**
 * lkst_clock_current() - get the clock of new buffers
 *
 * Context: any.
 *
 * Return: enum lkst_clock.
 */
unsigned int lkst_clock_current(void)
{
	return READ_ONCE(lkst_clock);
}

/**
 * lkst_clock_khz() - get the rate of a clock
 * @clock: enum lkst_clock
 *
 * Context: any.
 *
 * Return: kHz; 0 if the kernel has not measured it yet.
 */
u64 lkst_clock_khz(unsigned int clock)
{
	return clock == LKST_CLOCK_NS ? 1000000 : lkst_arch_counter_khz();
}

/*
 * Return a reading of the clock that was selected at boot. This is the counter
 * if it was usable at boot. If not, the machine may not even have a counter.
 */
static u64 lkst_counter_read(void)
{
	return lkst_clock_read(lkst_clock_at_boot);
}

/**
 * lkst_time_read() - read all clocks together
 * @time: receives the readings
 *
 * The counter is read before and after CLOCK_MONOTONIC, and CLOCK_MONOTONIC
 * before and after the other two clocks. The midpoint of each such pair is
 * used. Of four attempts, the one that took the least time is used.
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

/*
 * Whether readings of the clocks can be used to date records, see
 * lkst_clock_discard_early().
 */
bool lkst_time_known(void)
{
	return READ_ONCE(lkst_clock_reliable);
}

/**
 * lkst_time_args() - get the arguments of an LKST_SYNC_TIME event
 * @args: receives the four arguments
 * @clock: clock of the buffer in which the event will be recorded
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
 * Add a reading of the clocks to the timeline. The reading is not added if
 * nothing has changed since the previous one, and the previous one is less than
 * @interval ns old.
 * @new_rate: as in struct lkst_time. Context: any but NMI.
 */
static void lkst_time_add_reading(s64 interval, bool new_rate)
{
	struct lkst_time time;
	unsigned long flags;

	flags = lkst_timeline_write_begin();
	lkst_time_read(&time);
	time.new_rate = new_rate;
	if (!lkst_timeline_add(&lkst_timeline, &time, interval)) {
		/*
		 * The counter went back, as some do after a suspend. The next
		 * lkst_clock_evaluate() changes the clock of new buffers.
		 */
		lkst_timeline_end_counter(&lkst_timeline);
		lkst_timeline_add(&lkst_timeline, &time, interval);
	}
	lkst_timeline_write_end(flags);
}

/**
 * lkst_time_refresh() - make sure that the timeline has a recent reading
 *
 * A reader calls this once before it converts timestamps.
 *
 * Context: any but NMI.
 */
void lkst_time_refresh(void)
{
	lkst_time_add_reading(10 * (s64)NSEC_PER_SEC, false);
}

/**
 * lkst_time_to_wall() - convert a timestamp to wall-clock time
 * @clock: enum lkst_clock, clock of the record's buffer
 * @value: the timestamp
 *
 * Context: any but NMI.
 *
 * Return: wall-clock time in ns, as the wall clock was set at the time of the
 * record. 0 if the kernel is not keeping time yet.
 */
s64 lkst_time_to_wall(unsigned int clock, u64 value)
{
	struct lkst_span span;
	unsigned int seq;

	do {
		seq = read_seqcount_begin(&lkst_timeline_seq);
		lkst_timeline_get_span(&lkst_timeline, clock, value, &span);
	} while (read_seqcount_retry(&lkst_timeline_seq, seq));
	return lkst_span_wall(&span, clock, value, lkst_arch_counter_khz());
}

/**
 * lkst_time_complete() - reconstruct the missing clocks of an early reading
 * @time: a reading from before the kernel kept time; completed here
 * @clock: enum lkst_clock, the only clock whose reading in @time is valid
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

/* Record the time in the current buffer of this CPU. */
static void lkst_sync_cpu(struct lkst_cpu_request *unused)
{
	lkst_clock_client.record_time();
}

static DEFINE_PER_CPU(struct lkst_cpu_request, lkst_sync_requests);

/*
 * Request all online CPUs to record the time. The requests are asynchronous,
 * because a CPU may be stuck for good. A CPU that has not handled the previous
 * request does not get a new one.
 */
static void lkst_sync_cpus(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		lkst_cpu_request_send(cpu, per_cpu_ptr(&lkst_sync_requests, cpu));
	cpus_read_unlock();
}

/* Whether the kernel trusts the counter, and LKST has not given up on it. */
static bool lkst_counter_is_reliable(void)
{
	return lkst_arch_counter_usable() && !READ_ONCE(lkst_timeline.counter_ended);
}

static void lkst_clock_end_counter(void)
{
	unsigned long flags;

	pr_notice("lkst: the TSC is no longer reliable; new buffers use CLOCK_MONOTONIC\n");
	flags = lkst_timeline_write_begin();
	lkst_timeline_end_counter(&lkst_timeline);
	lkst_timeline_write_end(flags);
	WRITE_ONCE(lkst_clock, LKST_CLOCK_NS);
}

/*
 * If the counter has become unreliable, change the clock. In any case, try to
 * get buffers for CPUs without one. Returns whether all CPUs have buffers now.
 */
static bool lkst_clock_evaluate(void)
{
	unsigned int from = lkst_clock_current();

	if (from != LKST_CLOCK_NS && !lkst_counter_is_reliable())
		lkst_clock_end_counter();
	return lkst_clock_client.renew(from);
}

static void lkst_sync(struct work_struct *work);
static DECLARE_WORK(lkst_sync_work, lkst_sync);
static bool lkst_sync_ended;

/*
 * The timer that queues the next lkst_sync(). It expires in a hard interrupt. A
 * softirq timer would depend on ksoftirqd, which a real-time thread may starve.
 * For the same reason, the worker that runs lkst_sync() is not bound to a CPU.
 */
static struct hrtimer lkst_sync_timer;

static enum hrtimer_restart lkst_sync_expired(struct hrtimer *timer)
{
	queue_work(lkst_workqueue(), &lkst_sync_work);
	return HRTIMER_NORESTART;
}

/*
 * Read the clocks, and request every CPU to record the time in its current
 * buffer. If this work is queued while it is running, it runs once more.
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
 * Read the clocks after the wall clock was set, the clocksource changed, or the
 * machine resumed. Add the new reading even if the previous one is recent,
 * because the previous one no longer applies. Record LKST_SYNC_TIME on this CPU
 * immediately: right after a resume, no other CPU is online, and no worker is
 * running yet.
 */
static void lkst_clock_was_set(struct irq_work *work)
{
	lkst_time_add_reading(0, true);
	lkst_sync_cpu(NULL);
	queue_work(lkst_workqueue(), &lkst_sync_work);
}

static DEFINE_IRQ_WORK(lkst_clock_was_set_work, lkst_clock_was_set);

/*
 * Queue lkst_clock_was_set() if the clock was set. The kernel calls this at
 * each tick, with the timekeeper locked. So this function does nothing else.
 */
static int lkst_timekeeping_notify(struct notifier_block *nb, unsigned long was_set, void *tk)
{
	if (was_set)
		irq_work_queue(&lkst_clock_was_set_work);
	return NOTIFY_OK;
}

static struct notifier_block lkst_timekeeping_notifier = {
	.notifier_call = lkst_timekeeping_notify,
};

/*
 * Record the time on all CPUs after a suspend. The timekeeper resumes before
 * the other CPUs are online, so lkst_clock_was_set() does not reach them.
 */
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
 * Select the clock of the first buffers: the counter, if it looks usable at
 * this early point. lkst_clock_start() later queues a worker, which checks
 * again whether the kernel trusts the counter.
 */
void __init lkst_clock_init(void)
{
	lkst_clock_at_boot = lkst_arch_counter_usable() ? LKST_ARCH_CLOCK : LKST_CLOCK_NS;
	lkst_clock = lkst_clock_at_boot;
}

/*
 * Add the first reading of the clocks. Called once the kernel is keeping time.
 * The times of earlier records are extrapolated backwards from this reading.
 */
void __init lkst_clock_first_reading(void)
{
	lkst_time_add_reading(0, true);
}

/*
 * Discard all readings and take a new one. Called when the kernel has selected
 * its clocksource.
 *
 * Before that, the kernel counts timer ticks. It misses ticks while interrupts
 * are off or a hypervisor runs something else. A reading from that time would
 * make all later records appear too late, by as much time as the kernel missed
 * after the reading. So no such reading is kept, and LKST_SYNC_TIME is not
 * recorded before this.
 */
void __init lkst_clock_discard_early(void)
{
	unsigned long flags = lkst_timeline_write_begin();

	lkst_timeline_clear(&lkst_timeline);
	lkst_timeline_write_end(flags);
	lkst_time_add_reading(0, true);
	WRITE_ONCE(lkst_clock_reliable, true);
}

/*
 * Start reading the clocks regularly and after changes. Called when the kernel
 * has selected its clocksource. Returns 0 or a negative errno.
 */
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
 * Stop requesting CPUs to record the time. Pending requests are drained later,
 * by lkst_jump_end() and lkst_buffer_free_all(). They cannot be drained here,
 * because events may still send requests, and a wait might never end.
 */
void __lkst_exit lkst_clock_stop(void)
{
	pvclock_gtod_unregister_notifier(&lkst_timekeeping_notifier);
	unregister_pm_notifier(&lkst_suspend_notifier);
	irq_work_sync(&lkst_clock_was_set_work);
	/*
	 * A worker that does not see this flag may start the timer once more.
	 * If that timer expires, it queues a worker that sees the flag. So
	 * cancel the worker, the timer, and the worker again.
	 */
	WRITE_ONCE(lkst_sync_ended, true);
	cancel_work_sync(&lkst_sync_work);
	hrtimer_cancel(&lkst_sync_timer);
	cancel_work_sync(&lkst_sync_work);
}
