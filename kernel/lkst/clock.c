// SPDX-License-Identifier: GPL-2.0
/*
 * The clock that records are stamped with, and how it relates to the kernel's time.
 *
 * Records carry the TSC where the kernel trusts it, else CLOCK_MONOTONIC. The TSC's rate
 * is known to a kHz only and the kernel steers its clocks, so LKST notes both
 * together once a minute, at resume and when the clock is set, and converts with the
 * nearest of these notes. The same pairs go into the buffers as LKST_SYNC_TIME
 * events, also once in each lap, for those who have nothing but the buffers.
 */
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/pvclock_gtod.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/syscore_ops.h>
#include <linux/workqueue.h>

#include "buffer.h"
#include "clock.h"
#include "context.h"
#include "event.h"

#define LKST_SYNC_INTERVAL	(60 * HZ)

/*
 * Taken once a minute: the last day and a half in full, and what is older at half that
 * resolution each time the table fills up.
 */
#define LKST_TIMES		2048

static struct lkst_time lkst_times[LKST_TIMES];	/* in order; protected by lkst_times_lock */
static unsigned int lkst_times_num;		/* protected by lkst_times_lock */
static DEFINE_RAW_SPINLOCK(lkst_times_lock);

/* The verdict. Changes once at most: from the counter to CLOCK_MONOTONIC. */
static unsigned int lkst_clock __read_mostly;

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

/* What @clock showed at @time. */
u64 lkst_time_clock(const struct lkst_time *time, unsigned int clock)
{
	return clock == LKST_CLOCK_NS ? time->monotonic : time->counter;
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

	for (i = 0; i < 4; i++) {
		u64 counter[2];
		s64 monotonic[2], wall;

		counter[0] = lkst_arch_counter();
		monotonic[0] = ktime_get_mono_fast_ns();
		wall = ktime_get_real_fast_ns();
		monotonic[1] = ktime_get_mono_fast_ns();
		counter[1] = lkst_arch_counter();

		if (counter[1] - counter[0] >= best)
			continue;
		best = counter[1] - counter[0];
		time->counter = counter[0] + best / 2;
		time->monotonic = monotonic[0] + (monotonic[1] - monotonic[0]) / 2;
		time->wall = wall;
	}
	if (LKST_ARCH_CLOCK == LKST_CLOCK_NS)
		time->counter = time->monotonic;
}

/**
 * lkst_time_record() - record LKST_SYNC_TIME
 * @clock: the clock of the buffer it goes to
 *
 * Context: any, with preemption off.
 */
void lkst_time_record(unsigned int clock)
{
	struct lkst_time time;
	u64 seconds;
	u32 ns;

	lkst_time_read(&time);
	seconds = div_u64_rem(time.wall, NSEC_PER_SEC, &ns);
	lkst_event(LKST_ETYPE_LKST_SYNC_TIME, LKST_ARG32(seconds, ns),
		   lkst_time_clock(&time, clock), lkst_clock_khz(clock), time.monotonic);
}

/* Every second one of the older half goes. */
static void lkst_times_thin(void)
{
	unsigned int half = LKST_TIMES / 2, i;

	for (i = 0; i < half / 2; i++)
		lkst_times[i] = lkst_times[2 * i];
	memmove(&lkst_times[half / 2], &lkst_times[half], half * sizeof(*lkst_times));
	lkst_times_num = half / 2 + half;
}

/* Whether the wall clock was set between the two, rather than steered. */
static bool lkst_wall_was_set(const struct lkst_time *from, const struct lkst_time *to)
{
	s64 moved = (to->wall - to->monotonic) - (from->wall - from->monotonic);

	return abs(moved) > NSEC_PER_USEC;
}

/*
 * Note the time now, unless the last note is younger than @interval ns and says the
 * same. Context: any but NMI.
 */
static void lkst_times_add(s64 interval, bool new_rate)
{
	const struct lkst_time *last;
	struct lkst_time time;
	unsigned long flags;

	raw_spin_lock_irqsave(&lkst_times_lock, flags);
	lkst_time_read(&time);
	time.new_rate = new_rate;
	last = lkst_times_num ? &lkst_times[lkst_times_num - 1] : NULL;
	if (!last || time.monotonic - last->monotonic >= interval ||
	    lkst_wall_was_set(last, &time)) {
		if (lkst_times_num == LKST_TIMES)
			lkst_times_thin();
		lkst_times[lkst_times_num++] = time;
	}
	raw_spin_unlock_irqrestore(&lkst_times_lock, flags);
}

/**
 * lkst_time_refresh() - note the time, so that what is converted next is close to a note
 *
 * A reader calls it once before it converts.
 */
void lkst_time_refresh(void)
{
	lkst_times_add(10 * (s64)NSEC_PER_SEC, false);
}

/* Index of the last note at or before @value; 0 when there is none. */
static unsigned int lkst_times_find(unsigned int clock, u64 value)
{
	unsigned int low = 0, high = lkst_times_num;

	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if ((s64)(value - lkst_time_clock(&lkst_times[middle], clock)) < 0)
			high = middle;
		else
			low = middle;
	}
	return low;
}

/*
 * @counter as CLOCK_MONOTONIC: from note @at on, along the line to the next note. After
 * the last one, along the line through it and one that is at least a second before, as one
 * that is closer would make the error of the readings its slope; or at the counter's nominal
 * rate, if the kernel's clock has a new rate since.
 */
static s64 lkst_counter_to_monotonic(unsigned int at, u64 counter)
{
	const struct lkst_time *note = &lkst_times[at], *from = note, *to = note;
	s64 delta = counter - note->counter;
	u64 ns, ticks;

	if (at + 1 < lkst_times_num)
		to++;
	else
		while (from > lkst_times && !from->new_rate &&
		       to->monotonic - from->monotonic < NSEC_PER_SEC)
			from--;
	ns = to->monotonic - from->monotonic;
	ticks = to->counter - from->counter;
	if ((to == note && (s64)ns < NSEC_PER_SEC) || (s64)ticks <= 0) {
		ns = NSEC_PER_MSEC;
		ticks = lkst_arch_counter_khz();
	}
	if (!ticks)
		return note->monotonic;
	if (delta < 0)
		return note->monotonic - (s64)mul_u64_u64_div_u64(-delta, ns, ticks);
	return note->monotonic + (s64)mul_u64_u64_div_u64(delta, ns, ticks);
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
	unsigned long flags;
	unsigned int at;
	s64 wall = 0;

	raw_spin_lock_irqsave(&lkst_times_lock, flags);
	if (lkst_times_num) {
		at = lkst_times_find(clock, value);
		wall = clock == LKST_CLOCK_NS ? (s64)value : lkst_counter_to_monotonic(at, value);
		wall += lkst_times[at].wall - lkst_times[at].monotonic;
	}
	raw_spin_unlock_irqrestore(&lkst_times_lock, flags);
	return wall;
}

/* Note the time, and tell every buffer that is being written about it. */
static void lkst_sync_cpu(void *unused)
{
	struct lkst_ring *ring;

	preempt_disable_notrace();
	ring = raw_cpu_read(lkst_ring_current);
	if (ring)
		lkst_time_record(ring->clock);
	preempt_enable_notrace();
}

static void lkst_clock_evaluate(void)
{
	unsigned int from = lkst_clock_current();

	if (from == LKST_CLOCK_NS || lkst_arch_counter_usable())
		return;
	pr_notice("lkst: the kernel no longer trusts the TSC; new buffers use CLOCK_MONOTONIC\n");
	WRITE_ONCE(lkst_clock, LKST_CLOCK_NS);
	lkst_buffer_renew();
	lkst_event_direct(LKST_ETYPE_LKST_CLOCK, from, LKST_CLOCK_NS, 0, 0);
}

static void lkst_sync(struct work_struct *work)
{
	lkst_times_add(NSEC_PER_SEC, false);
	lkst_clock_evaluate();
	on_each_cpu(lkst_sync_cpu, NULL, 1);
	mod_delayed_work(system_wq, to_delayed_work(work), LKST_SYNC_INTERVAL);
}

static DECLARE_DELAYED_WORK(lkst_sync_work, lkst_sync);

/*
 * The clock was set, or another clocksource took over. That is noted however short ago the
 * last note was: what it says does not hold from here on.
 */
static void lkst_clock_was_set(struct irq_work *work)
{
	lkst_times_add(0, true);
	mod_delayed_work(system_wq, &lkst_sync_work, 0);
}

static DEFINE_IRQ_WORK(lkst_clock_was_set_work, lkst_clock_was_set);

/* Called with the timekeeper locked, at each tick: no time can be read here. */
static int lkst_timekeeping_notify(struct notifier_block *nb, unsigned long was_set, void *tk)
{
	if (was_set)
		irq_work_queue(&lkst_clock_was_set_work);
	return NOTIFY_OK;
}

static struct notifier_block lkst_timekeeping_notifier = {
	.notifier_call = lkst_timekeeping_notify,
};

#ifdef CONFIG_PM_SLEEP
static void lkst_clock_resume(void)
{
	lkst_times_add(0, true);
	mod_delayed_work(system_wq, &lkst_sync_work, 0);
}

static struct syscore_ops lkst_clock_syscore_ops = {
	.resume = lkst_clock_resume,
};

static void lkst_clock_watch_resume(void)
{
	register_syscore_ops(&lkst_clock_syscore_ops);
}
#else
static void lkst_clock_watch_resume(void) { }
#endif

/*
 * The first buffer is stamped with the TSC when nothing speaks against it yet; whether
 * the kernel comes to trust it shows at lkst_clock_start().
 */
void __init lkst_clock_init(void)
{
	lkst_clock = lkst_arch_counter_usable() ? LKST_ARCH_CLOCK : LKST_CLOCK_NS;
}

/* Once the kernel keeps time and has chosen its clocksource. */
int __init lkst_clock_start(void)
{
	lkst_times_add(0, true);
	lkst_clock_watch_resume();
	mod_delayed_work(system_wq, &lkst_sync_work, 0);
	return pvclock_gtod_register_notifier(&lkst_timekeeping_notifier);
}
