// SPDX-License-Identifier: GPL-2.0
/*
 * Hooks for the events of class "oops" (0x0b0). They run in any context, see
 * probes/oops.c.
 */
#include <linux/instruction_pointer.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/lkst_hook.h>

#include "hook.h"

/*
 * Address that panic() was called from, or 0 if vpanic() was called directly.
 * It is never cleared, because panic() does not return.
 */
static DEFINE_PER_CPU(unsigned long, lkst_panic_caller);

/**
 * lkst_panic_called() - remember the caller of panic(), which only calls
 * vpanic()
 * @caller: address that panic() was called from
 */
void lkst_panic_called(unsigned long caller)
{
	raw_cpu_write(lkst_panic_caller, caller);
}

/**
 * lkst_panic() - record a panic; called from panic() or vpanic()
 * @message: the panic message
 * @caller: address that panic() or vpanic() was called from
 *
 * Context: interrupts off.
 */
void lkst_panic(const char *message, unsigned long caller)
{
	unsigned long called = raw_cpu_read(lkst_panic_caller);

	preempt_disable_notrace();
	lkst_hook_call(lkst_oops_panic)(message, called ?: caller);
	preempt_enable_notrace();
}

/**
 * lkst_lockup() - record a lockup; called from the lockup detectors
 * @kind: which detector found the lockup
 * @regs: registers of the code that the detector interrupted, or NULL
 */
void lkst_lockup(enum lkst_lockup kind, struct pt_regs *regs)
{
	preempt_disable_notrace();
	lkst_hook_call(lkst_oops_lockup)(kind, regs, _RET_IP_);
	preempt_enable_notrace();
}

/* Record a rare event in the buffer and in the long ring. */
static void lkst_hook_rare(unsigned long etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	preempt_disable_notrace();
	lkst_hook_call(lkst_event_rare_nopreempt)(etype, a1, a2, a3, a4);
	preempt_enable_notrace();
}

/**
 * lkst_hard_lockup() - record a lockup; called from the hard lockup detectors
 * @cpu: the CPU that hangs
 * @regs: registers of the code that the detector interrupted on @cpu, or NULL
 *
 * If @cpu is not the current CPU, nothing else is known about it. The event
 * then has the PID -1, and neither registers nor a stack follow.
 */
void lkst_hard_lockup(unsigned int cpu, struct pt_regs *regs)
{
	if (cpu == raw_smp_processor_id())
		lkst_lockup(LKST_LOCKUP_HARD, regs);
	else
		lkst_hook_rare(LKST_ETYPE_OOPS_LOCKUP, -1, LKST_LOCKUP_HARD, 0, 0);
}

#ifdef CONFIG_PRINTK
/**
 * lkst_printk() - record a message; called from vprintk_store()
 * @level: log level, 0 to 7
 * @line: text that is added to the log, without a newline at the end
 * @length: length of @line in bytes
 */
void lkst_printk(int level, const char *line, unsigned int length)
{
	u64 text[3] = {};

	memcpy(text, line, min_t(size_t, length, sizeof(text)));
	lkst_hook_rare(LKST_ETYPE_OOPS_PRINTK, LKST_ARG32(level, length), text[0], text[1],
		       text[2]);
}

/**
 * lkst_message() - record a whole message; called from vprintk_store()
 * @level: log level, 0 to 7
 * @line: text that is added to the log, without a newline at the end
 * @length: length of @line in bytes
 */
void lkst_message(int level, const char *line, unsigned int length)
{
	preempt_disable_notrace();
	lkst_hook_call(lkst_event_message)(level, length, line, length);
	preempt_enable_notrace();
}
#endif
