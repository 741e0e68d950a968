/* SPDX-License-Identifier: GPL-2.0 */
/* Differences between kernel versions, for the test modules. */
#ifndef COMPAT_H
#define COMPAT_H

#include <linux/hrtimer.h>
#include <linux/timer.h>
#include <linux/version.h>
#ifdef CONFIG_X86_MCE
#include <asm/mce.h>
#endif

/* Linux 6.13 added hrtimer_setup(), and a later version removed hrtimer_init(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

/* Linux 6.16 renamed destroy_timer_on_stack(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define timer_destroy_on_stack(timer)	destroy_timer_on_stack(timer)
#endif

/* Linux 6.13 moved the error record into a larger structure. */
#ifdef CONFIG_X86_MCE
static inline void log_mce(struct mce *mce)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	mce_log(mce);
#else
	struct mce_hw_err error = { .m = *mce };

	mce_log(&error);
#endif
}
#endif

#endif
