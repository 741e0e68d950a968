// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers that switch masksets, and start and stop LKST, in all contexts of their events,
 * for instance in interrupts or with the scheduler's locks held. tests/vm/dispatch/masksets.c runs
 * them on all CPUs. A data breakpoint, the "trap", makes the same changes between two instructions
 * of code that is switching masksets.
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
static DEFINE_PER_CPU(u32, seed);

/* Make a change, which may fail. */
static void apply(enum switching_change change)
{
	static const int masksets[] = {
		[SWITCHING_TO_A] = SWITCHING_SET_A,
		[SWITCHING_TO_B] = SWITCHING_SET_B,
		[SWITCHING_TO_C] = SWITCHING_SET_C,
	};

	if (change == SWITCHING_STOP)
		lkst_trc_stop();
	else if (change == SWITCHING_START)
		lkst_trc_start();
	else
		lkst_maskset_set(masksets[change]);
}

/* Make a pseudo-random change, but stop LKST only rarely. */
static void change(void)
{
	u32 number = raw_cpu_read(seed) * 1664525 + 1013904223, side = number >> 27;

	raw_cpu_write(seed, number);
	apply(side < 1 ? SWITCHING_STOP : side < 8 ? SWITCHING_START : side < 15 ? SWITCHING_TO_C :
	     side < 23 ? SWITCHING_TO_A : SWITCHING_TO_B);
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
	/*
	 * Handlers run with preemption off, so handlers that may have seen the old value of quiet
	 * have returned after this wait.
	 */
	synchronize_rcu();
	area->calls[0] = atomic64_read(&calls[0]);
	area->calls[1] = atomic64_read(&calls[1]);
	area->changes = atomic64_read(&changes);
	return 0;
}

static struct perf_event * __percpu *trap;
static struct switching_trap trap_request;
static atomic_t trap_accesses;

/*
 * Make the change at the access that trap_request selects. On x86, the processor traps after the
 * access, and traps stay off until this function returns. Other processors trap before the access,
 * and would trap again when they repeat it.
 */
static void trapped(struct perf_event *event, struct perf_sample_data *data, struct pt_regs *regs)
{
	if (atomic_inc_return(&trap_accesses) == trap_request.at)
		apply(trap_request.change);
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
	trap_request = *area;
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
		per_cpu(seed, cpu) = cpu;
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
