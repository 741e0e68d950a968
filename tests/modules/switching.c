// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers that switch masksets, start and stop, wherever their events occur: with the
 * scheduler's locks held, in interrupts. tests/vm/masksets.c has them do that on all CPUs.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/lkst.h>
#include <linux/lkst_private.h>

#include "switching.h"

static bool quiet = true;
static atomic64_t calls[2], changes;
static DEFINE_PER_CPU(u32, dice);

/* Something else each time, but a stop rarely. What cannot be done just now is not. */
static void change(void)
{
	u32 number = raw_cpu_read(dice) * 1664525 + 1013904223;

	raw_cpu_write(dice, number);
	switch (number >> 27) {
	case 0:
		lkst_trc_stop();
		break;
	case 1 ... 7:
		lkst_trc_start();
		break;
	case 8 ... 14:
		lkst_maskset_set(SWITCHING_SET_C);
		break;
	case 15 ... 22:
		lkst_maskset_set(SWITCHING_SET_A);
		break;
	default:
		lkst_maskset_set(SWITCHING_SET_B);
	}
	atomic64_inc(&changes);
}

static void handle(int which)
{
	atomic64_inc(&calls[which]);
	if (!READ_ONCE(quiet))
		change();
}

static void switching_a(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	handle(0);
}

static void switching_b(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	handle(1);
}

static int switching_ctrl(void *buf, size_t bufsize)
{
	struct switching *area = buf;

	if (bufsize != sizeof(*area))
		return -EINVAL;
	WRITE_ONCE(quiet, area->quiet);
	/* Handlers run with preemption off: those that did not see it are done. */
	synchronize_rcu();
	area->calls[0] = atomic64_read(&calls[0]);
	area->calls[1] = atomic64_read(&calls[1]);
	area->changes = atomic64_read(&changes);
	return 0;
}

static int ids[2];

static int __init switching_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu(dice, cpu) = cpu;
	ids[0] = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "switching_a", switching_a,
					 switching_ctrl);
	if (ids[0] < 0)
		return ids[0];
	ids[1] = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "switching_b", switching_b, NULL);
	if (ids[1] < 0) {
		lkst_evhandler_unregister(ids[0]);
		return ids[1];
	}
	return 0;
}

static void __exit switching_exit(void)
{
	lkst_evhandler_unregister(ids[1]);
	lkst_evhandler_unregister(ids[0]);
}

module_init(switching_init);
module_exit(switching_exit);
MODULE_DESCRIPTION("LKST test: event handlers that switch masksets");
MODULE_LICENSE("GPL");
