// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers that switch masksets, start and stop, wherever their events occur: with the
 * scheduler's locks held, in interrupts. tests/vm/masksets.c has them do that on all CPUs. And a
 * trap that does it between two instructions of who is doing just that.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/hw_breakpoint.h>
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

static struct perf_event * __percpu *trap;
static struct switching_trap trap_wanted;
static atomic_t trap_accesses;

/*
 * The processor traps after the access, with traps off until this returns. That is x86: others trap
 * before it, and again.
 */
static void trapped(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	if (atomic_inc_return(&trap_accesses) != trap_wanted.at)
		return;
	switch (trap_wanted.what) {
	case SWITCHING_TO_A:
		lkst_maskset_set(SWITCHING_SET_A);
		break;
	case SWITCHING_TO_B:
		lkst_maskset_set(SWITCHING_SET_B);
		break;
	case SWITCHING_TO_C:
		lkst_maskset_set(SWITCHING_SET_C);
		break;
	case SWITCHING_STOP:
		lkst_trc_stop();
		break;
	case SWITCHING_START:
		lkst_trc_start();
		break;
	}
}

static void trap_remove(void)
{
	if (trap)
		unregister_wide_hw_breakpoint(trap);
	trap = NULL;
}

static int trap_ctrl(void *buf, size_t bufsize)
{
	struct switching_trap *area = buf;
	struct perf_event_attr attr;
	int ret;

	if (bufsize != sizeof(*area))
		return -EINVAL;
	if (!IS_ENABLED(CONFIG_X86))
		return -EOPNOTSUPP;
	trap_remove();
	area->accesses = atomic_xchg(&trap_accesses, 0);
	if (!area->address)
		return 0;
	trap_wanted = *area;
	hw_breakpoint_init(&attr);
	attr.bp_addr = area->address;
	attr.bp_len = area->length;
	attr.bp_type = area->writes ? HW_BREAKPOINT_W : HW_BREAKPOINT_RW;
	trap = register_wide_hw_breakpoint(&attr, trapped, NULL);
	ret = PTR_ERR_OR_ZERO((void __force *)trap);
	if (ret)
		trap = NULL;
	return ret;
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
	ids[1] = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "switching_b", switching_b,
					 trap_ctrl);
	if (ids[1] < 0) {
		lkst_evhandler_unregister(ids[0]);
		return ids[1];
	}
	return 0;
}

static void __exit switching_exit(void)
{
	trap_remove();
	lkst_evhandler_unregister(ids[1]);
	lkst_evhandler_unregister(ids[0]);
}

module_init(switching_init);
module_exit(switching_exit);
MODULE_DESCRIPTION("LKST test: event handlers that switch masksets");
MODULE_LICENSE("GPL");
