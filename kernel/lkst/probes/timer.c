// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "timer" (0x090).
 */
#include <linux/hrtimer.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/timer.h>
#include <trace/events/timer.h>

#include "../dispatch/event.h"
#include "../source/source.h"

/**
 * struct lkst_timer_run - the timer whose function is running
 * @timer: the timer, or NULL if no timer is running or the function started
 *	before the probe was attached
 * @function: the function of @timer
 *
 * The function is saved here because it may free its timer, so the timer must
 * not be accessed once the function has returned.
 */
struct lkst_timer_run {
	const void *timer;
	const void *function;
};

/* Timers run in softirq context, and a CPU runs one softirq at a time. */
static DEFINE_PER_CPU(struct lkst_timer_run, lkst_timer_run);

/*
 * hrtimers run in softirq context (index 0) or in a hard interrupt (index 1),
 * which may interrupt the softirq.
 */
static DEFINE_PER_CPU(struct lkst_timer_run[2], lkst_hrtimer_run);

static struct lkst_timer_run *lkst_hrtimer_here(void)
{
	return &(*raw_cpu_ptr(&lkst_hrtimer_run))[!!in_hardirq()];
}

static void lkst_timer_run_entry(struct lkst_timer_run *run, const void *timer,
				 const void *function)
{
	run->timer = timer;
	run->function = function;
}

/*
 * Return the function that @timer ran, or 0 if no probe was attached when the
 * function started.
 */
static u64 lkst_timer_run_exit(struct lkst_timer_run *run, const void *timer)
{
	u64 function = run->timer == timer ? LKST_ARGP(run->function) : 0;

	run->timer = NULL;
	return function;
}

static void lkst_probe_timer_start(void *data, struct timer_list *timer, unsigned long bucket)
{
	lkst_event(LKST_ETYPE_TIMER_ADD, LKST_ARGP(timer), LKST_ARGP(timer->function),
		   timer->expires, 0);
}

/* 6.1 passes fields of the timer instead of the bucket. */
static void lkst_probe_timer_start_flags(void *data, struct timer_list *timer,
					 unsigned long expires, unsigned int flags)
{
	lkst_probe_timer_start(data, timer, 0);
}

/*
 * The kernel calls this probe not only when a timer is cancelled, but also when
 * it takes a timer off its list in order to run it or to change its expiry
 * time.
 */
static void lkst_probe_timer_cancel(void *data, struct timer_list *timer)
{
	lkst_event(LKST_ETYPE_TIMER_DEL, LKST_ARGP(timer), LKST_ARGP(timer->function),
		   timer->expires, 0);
}

static void lkst_probe_timer_expire_entry(void *data, struct timer_list *timer,
					  unsigned long baseclk)
{
	const void *function = timer->function;

	lkst_timer_run_entry(raw_cpu_ptr(&lkst_timer_run), timer, function);
	lkst_event(LKST_ETYPE_TIMER_RUN_ENTRY, LKST_ARGP(timer), LKST_ARGP(function), 0, 0);
}

static void lkst_probe_timer_expire_exit(void *data, struct timer_list *timer)
{
	u64 function = lkst_timer_run_exit(raw_cpu_ptr(&lkst_timer_run), timer);

	lkst_event(LKST_ETYPE_TIMER_RUN_EXIT, LKST_ARGP(timer), function, 0, 0);
}

static __always_inline void lkst_hrtimer(int etype, const struct hrtimer *timer)
{
	/*
	 * Another CPU may be restarting a timer that is about to run. Either
	 * expiry time is correct.
	 */
	s64 expires = data_race(hrtimer_get_expires(timer));

	lkst_event(etype, LKST_ARGP(timer), LKST_ARGP(ACCESS_PRIVATE(timer, function)), expires,
		   0);
}

static void lkst_probe_hrtimer_start(void *data, struct hrtimer *timer, enum hrtimer_mode mode,
				     bool was_armed)
{
	lkst_hrtimer(LKST_ETYPE_TIMER_HR_ADD, timer);
}

/* Older 6.1 kernels do not say whether the timer was armed. */
static void lkst_probe_hrtimer_start_mode(void *data, struct hrtimer *timer,
					  enum hrtimer_mode mode)
{
	lkst_hrtimer(LKST_ETYPE_TIMER_HR_ADD, timer);
}

static void lkst_probe_hrtimer_cancel(void *data, struct hrtimer *timer)
{
	lkst_hrtimer(LKST_ETYPE_TIMER_HR_DEL, timer);
}

static void lkst_probe_hrtimer_expire_entry(void *data, struct hrtimer *timer, ktime_t now)
{
	lkst_timer_run_entry(lkst_hrtimer_here(), timer, ACCESS_PRIVATE(timer, function));
	lkst_hrtimer(LKST_ETYPE_TIMER_HR_RUN_ENTRY, timer);
}

/* Up to 6.12 the time is passed by reference. */
static void lkst_probe_hrtimer_expire_entry_at(void *data, struct hrtimer *timer, ktime_t *now)
{
	lkst_probe_hrtimer_expire_entry(data, timer, *now);
}

static void lkst_probe_hrtimer_expire_exit(void *data, struct hrtimer *timer)
{
	u64 function = lkst_timer_run_exit(lkst_hrtimer_here(), timer);

	lkst_event(LKST_ETYPE_TIMER_HR_RUN_EXIT, LKST_ARGP(timer), function, 0, 0);
}

struct lkst_source lkst_sources_timer[] = {
	LKST_SOURCE(timer_start,
		    LKST_PROBE_PROTOTYPE(timer_start, lkst_probe_timer_start,
					 lkst_probe_timer_start_flags),
		    LKST_ETYPE_TIMER_ADD),
	LKST_SOURCE(timer_cancel, lkst_probe_timer_cancel, LKST_ETYPE_TIMER_DEL),
	LKST_SOURCE(timer_expire_entry, lkst_probe_timer_expire_entry,
		    LKST_ETYPE_TIMER_RUN_ENTRY, LKST_ETYPE_TIMER_RUN_EXIT),
	LKST_SOURCE(timer_expire_exit, lkst_probe_timer_expire_exit, LKST_ETYPE_TIMER_RUN_EXIT),
	LKST_SOURCE(hrtimer_start,
		    LKST_PROBE_PROTOTYPE(hrtimer_start, lkst_probe_hrtimer_start,
					 lkst_probe_hrtimer_start_mode),
		    LKST_ETYPE_TIMER_HR_ADD),
	LKST_SOURCE(hrtimer_cancel, lkst_probe_hrtimer_cancel, LKST_ETYPE_TIMER_HR_DEL),
	LKST_SOURCE(hrtimer_expire_entry,
		    LKST_PROBE_PROTOTYPE(hrtimer_expire_entry, lkst_probe_hrtimer_expire_entry,
					 lkst_probe_hrtimer_expire_entry_at),
		    LKST_ETYPE_TIMER_HR_RUN_ENTRY, LKST_ETYPE_TIMER_HR_RUN_EXIT),
	LKST_SOURCE(hrtimer_expire_exit, lkst_probe_hrtimer_expire_exit,
		    LKST_ETYPE_TIMER_HR_RUN_EXIT),
	{}
};
