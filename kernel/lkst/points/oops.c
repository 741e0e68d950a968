// SPDX-License-Identifier: GPL-2.0
/*
 * Trace points of the class oops (0x0b0), in any context, as hooks/oops.c says.
 */
#include <linux/instruction_pointer.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/lkst_hook.h>

#include "point.h"

/* Where panic() was called from; 0: not by panic(). It does not come back. */
static DEFINE_PER_CPU(unsigned long, lkst_panic_caller);

/**
 * lkst_panic_called() - the hook in a panic() that leaves the work to vpanic()
 * @caller: where it was called from
 */
void lkst_panic_called(unsigned long caller)
{
	raw_cpu_write(lkst_panic_caller, caller);
}

/**
 * lkst_panic() - the hook in panic() or vpanic(), which has turned interrupts off
 * @message: what it says
 * @caller: where it was called from
 */
void lkst_panic(const char *message, unsigned long caller)
{
	unsigned long called = raw_cpu_read(lkst_panic_caller);

	preempt_disable_notrace();
	lkst_hook_call(lkst_oops_panic)(message, called ?: caller);
	preempt_enable_notrace();
}

/**
 * lkst_lockup() - the hook in the lockup detectors
 * @kind: of lockup
 * @regs: of what the detector interrupted, or NULL
 */
void lkst_lockup(enum lkst_lockup kind, struct pt_regs *regs)
{
	preempt_disable_notrace();
	lkst_hook_call(lkst_oops_lockup)(kind, regs, _RET_IP_);
	preempt_enable_notrace();
}

/**
 * lkst_hard_lockup() - the hook in the hard lockup detectors
 * @cpu: that hangs: this one, or another, of which this one knows no more than that
 * @regs: of what the detector interrupted on @cpu, or NULL
 */
void lkst_hard_lockup(unsigned int cpu, struct pt_regs *regs)
{
	if (cpu == raw_smp_processor_id())
		lkst_lockup(LKST_LOCKUP_HARD, regs);
	else
		lkst_hook(LKST_ETYPE_OOPS_LOCKUP, -1, LKST_LOCKUP_HARD, 0, 0);
}

#ifdef CONFIG_PRINTK
/**
 * lkst_printk() - the hook in printk()
 * @level: of the message
 * @line: what it adds to the log, @length bytes, without a newline at its end
 * @length: likewise
 */
void lkst_printk(int level, const char *line, unsigned int length)
{
	u64 text[3] = {};

	memcpy(text, line, min_t(size_t, length, sizeof(text)));
	lkst_hook(LKST_ETYPE_OOPS_PRINTK, LKST_ARG32(level, length), text[0], text[1],
		  text[2]);
}
#endif
