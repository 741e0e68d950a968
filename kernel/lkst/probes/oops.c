// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "oops" (0x0b0), which occur when the kernel
 * reports that something is wrong.
 *
 * The code here runs in any context, NMI included, with any lock held. It may
 * run on any stack, even the small double fault stack on which a CPU lands
 * after a stack overflow. It takes no lock, causes no fault and uses little
 * stack.
 */
#include <linux/bits.h>
#include <linux/instruction_pointer.h>
#include <linux/irqflags.h>
#include <linux/kdebug.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/stacktrace.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_hook.h>
#include <asm/irq_regs.h>
#include <trace/events/error_report.h>
#include <trace/events/rcu.h>
#include <trace/events/sched.h>

#include "../buffer/long_ring.h"
#include "../clock/clock.h"
#include "../dispatch/event.h"
#include "../dispatch/maskset.h"
#include "../dispatch/maskset_select.h"
#include "../base/ksyms.h"
#include "../hooks/hook.h"
#include "../source/source.h"
#include "../base/stage.h"
#include "oops_arch.h"

/*
 * The events of this class that this CPU is recording, one bit per event type
 * and context. Recording such an event may itself go wrong and report the same
 * event again. If this happens in the same context, the second event is not
 * recorded.
 *
 * Only the CPU itself changes the word. Nested contexts restore it before they
 * return, so no atomic operations are needed.
 */
static DEFINE_PER_CPU(unsigned int, lkst_oops_busy);

static unsigned int lkst_oops_bit(int etype)
{
	return BIT((etype - LKST_ETYPE_OOPS_DIE) * 4 + interrupt_context_level());
}

/*
 * Begin to record an event. Return false if it must not be recorded. Context:
 * preemption off.
 */
static bool lkst_oops_begin(int etype)
{
	unsigned int bit = lkst_oops_bit(etype);

	if (lkst_maskset_handler(etype) == LKST_EVHANDLER_ID_NONE ||
	    raw_cpu_read(lkst_oops_busy) & bit)
		return false;
	raw_cpu_or(lkst_oops_busy, bit);
	barrier();
	return true;
}

static void lkst_oops_end(int etype)
{
	barrier();
	raw_cpu_and(lkst_oops_busy, ~lkst_oops_bit(etype));
}

/*
 * Maximum number of return addresses to record, and of innermost addresses to
 * skip before them.
 */
#define LKST_OOPS_STACK		32
#define LKST_OOPS_STACK_INNER	16

/**
 * struct lkst_oops_stack - return addresses of a stack, innermost first
 * @first: index in @at of the first address to record
 * @len: number of addresses in @at, including those before @first
 * @at: return addresses, followed by zeros: a record takes four entries at a
 *	time, so up to three entries past @len are read
 */
struct lkst_oops_stack {
	unsigned int first;
	unsigned int len;
	unsigned long at[LKST_OOPS_STACK_INNER + LKST_OOPS_STACK + 3];
};

#define LKST_OOPS_STACK_ROOM	(LKST_OOPS_STACK_INNER + LKST_OOPS_STACK)

/*
 * Save the stack that led to @regs. The first address is the instruction
 * pointer.
 */
static void lkst_oops_stack_of_regs(struct lkst_oops_stack *stack, struct pt_regs *regs)
{
	stack->len = lkst_stack_of_regs(regs, stack->at, LKST_OOPS_STACK_ROOM);
}

/*
 * Save the stack of the current thread, and find the part of it that led to the
 * problem: the addresses after @place, where an exception occurred. If @place
 * is not on the stack, find the part that begins with @caller. The addresses
 * before that part belong to the code that reports and records the problem.
 */
static void lkst_oops_stack_from(struct lkst_oops_stack *stack, unsigned long place,
				 unsigned long caller)
{
	unsigned int i;

	stack->len = stack_trace_save(stack->at, LKST_OOPS_STACK_ROOM, 0);
	for (i = 0; i < stack->len; i++) {
		if (stack->at[i] == caller)
			stack->first = i;
		if (stack->at[i] == place) {
			stack->first = i + 1;
			return;
		}
	}
}

static void lkst_oops_stack_record(const struct lkst_oops_stack *stack)
{
	unsigned int i, end = min(stack->len, stack->first + LKST_OOPS_STACK);
	const unsigned long *at = stack->at;

	for (i = stack->first; i < end; i += 4)
		lkst_event_nopreempt(LKST_ETYPE_OOPS_STACK, at[i], at[i + 1], at[i + 2], at[i + 3]);
}

/*
 * Record an event and its stack, with interrupts disabled, so that only an NMI
 * can add records in between.
 *
 * The raw functions bypass lockdep, because the recorded event may be a lockdep
 * warning.
 */
static void lkst_oops_record_stack(int etype, u64 a1, u64 a2, const struct lkst_oops_stack *stack)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	lkst_event_rare_nopreempt(etype, a1, a2, 0, 0);
	lkst_oops_stack_record(stack);
	raw_local_irq_restore(flags);
}

/* Record an oops. Interrupts are off during an oops. */
static noinline void lkst_oops_die(const struct die_args *args)
{
	struct lkst_oops_stack stack = {};

	if (!lkst_oops_begin(LKST_ETYPE_OOPS_DIE))
		return;
	lkst_event_rare_nopreempt(LKST_ETYPE_OOPS_DIE, LKST_ARG32(lkst_oops_trap(args), args->err),
				  instruction_pointer(args->regs), args->signr, 0);
	lkst_oops_regs(args->regs);
	lkst_oops_stack_of_regs(&stack, args->regs);
	lkst_oops_stack_record(&stack);
	lkst_oops_end(LKST_ETYPE_OOPS_DIE);
}

/*
 * Record an oops. The kernel also calls the notifier chain for exceptions that
 * it handles, and that are therefore not oopses.
 */
static int lkst_oops_die_notify(struct notifier_block *nb, unsigned long val, void *args)
{
	if (val == DIE_OOPS) {
		preempt_disable_notrace();
		lkst_oops_die(args);
		preempt_enable_notrace();
	}
	return NOTIFY_DONE;
}

/* Run before all other notifiers, because one of them may stop the machine. */
static struct notifier_block lkst_oops_die_notifier = {
	.notifier_call = lkst_oops_die_notify,
	.priority = INT_MAX,
};

/**
 * lkst_oops_start() - start recording OOPS_DIE
 */
void __init lkst_oops_start(void)
{
	register_die_notifier(&lkst_oops_die_notifier);
}

void __lkst_exit lkst_oops_stop(void)
{
	unregister_die_notifier(&lkst_oops_die_notifier);
}

static bool lkst_panic_stop = true;
module_param_named(panic_stop, lkst_panic_stop, bool, 0644);
MODULE_PARM_DESC(panic_stop, "stop recording after a panic");

/* Whether LKST stops recording when the kernel panics. */
bool lkst_oops_panic_stops(void)
{
	return READ_ONCE(lkst_panic_stop);
}

/*
 * Stop recording if reading the clock may take a lock. The panic has been
 * recorded, and the other CPUs are about to be stopped. Reading CLOCK_MONOTONIC
 * may take a lock, for instance if it uses the HPET, and a stopped CPU may hold
 * that lock. So if records use this clock, the panic is the last record. The
 * records in the long rings always use it.
 */
static void lkst_oops_freeze(void)
{
	if (!lkst_oops_panic_stops())
		return;
	lkst_long_pause(true);
	if (lkst_clock_current() == LKST_CLOCK_NS)
		lkst_trc_freeze();
}

/**
 * lkst_oops_panic() - record a panic
 * @message: the panic message
 * @caller: address that panic() was called from
 *
 * Context: in panic(), interrupts off, preemption disabled by LKST.
 */
void lkst_oops_panic(const char *message, unsigned long caller)
{
	struct lkst_oops_stack stack = {};
	u64 text[4];

	if (lkst_oops_begin(LKST_ETYPE_OOPS_PANIC)) {
		lkst_text_copy(text, ARRAY_SIZE(text), message);
		lkst_event_rare_nopreempt(LKST_ETYPE_OOPS_PANIC, text[0], text[1], text[2],
					  text[3]);
		lkst_oops_regs_here(caller);
		lkst_oops_stack_from(&stack, 0, caller);
		lkst_oops_stack_record(&stack);
		lkst_oops_end(LKST_ETYPE_OOPS_PANIC);
	}
	lkst_oops_freeze();
}

/*
 * Record what a detector has reported. For a WARN, @id is the address of the
 * WARN. Other detectors may pass an @id that is not a code address.
 */
static void lkst_probe_error_report_end(void *data, enum error_detector detector, unsigned long id)
{
	struct lkst_oops_stack stack = {};

	lkst_probe_begin();
	if (lkst_oops_begin(LKST_ETYPE_OOPS_WARN)) {
		lkst_oops_stack_from(&stack, id, _RET_IP_);
		lkst_oops_record_stack(LKST_ETYPE_OOPS_WARN, detector, id, &stack);
		lkst_oops_end(LKST_ETYPE_OOPS_WARN);
	}
	lkst_probe_end();
}

/**
 * lkst_oops_lockup() - record that this CPU hangs
 * @kind: which detector found the lockup
 * @regs: registers of the interrupted code, or NULL if unknown
 * @caller: address of the code that reports the lockup
 *
 * Context: an interrupt or NMI on this CPU, preemption disabled by LKST.
 */
void lkst_oops_lockup(enum lkst_lockup kind, struct pt_regs *regs, unsigned long caller)
{
	struct lkst_oops_stack stack = {};

	if (!lkst_oops_begin(LKST_ETYPE_OOPS_LOCKUP))
		return;
	lkst_event_rare_nopreempt(LKST_ETYPE_OOPS_LOCKUP, current->pid, kind, 0, 0);
	if (regs) {
		lkst_oops_regs(regs);
		lkst_oops_stack_of_regs(&stack, regs);
	} else {
		lkst_oops_stack_from(&stack, 0, caller);
	}
	lkst_oops_stack_record(&stack);
	lkst_oops_end(LKST_ETYPE_OOPS_LOCKUP);
}

#ifdef CONFIG_DETECT_HUNG_TASK
/*
 * Record a hung task. It may be running again by now. Even so, the unwinder
 * stays within the task's stack.
 */
static void lkst_probe_sched_process_hang(void *data, struct task_struct *task)
{
	struct lkst_oops_stack stack = {};

	lkst_probe_begin();
	if (lkst_oops_begin(LKST_ETYPE_OOPS_LOCKUP)) {
		stack.len = lkst_stack_of_task(task, stack.at, LKST_OOPS_STACK_ROOM);
		lkst_oops_record_stack(LKST_ETYPE_OOPS_LOCKUP, task->pid, LKST_LOCKUP_TASK, &stack);
		lkst_oops_end(LKST_ETYPE_OOPS_LOCKUP);
	}
	lkst_probe_end();
}
#endif

#ifdef CONFIG_TREE_RCU
/*
 * Record an RCU stall. "SelfDetected" comes from the tick of the stalled CPU.
 * Any other message is about another CPU or a preempted thread. The tracepoint
 * does not say which, so the PID is recorded as -1.
 */
static void lkst_probe_rcu_stall_warning(void *data, const char *rcuname, const char *msg)
{
	lkst_probe_begin();
	if (!strcmp(msg, "SelfDetected"))
		lkst_oops_lockup(LKST_LOCKUP_RCU, get_irq_regs(), _RET_IP_);
	else
		lkst_event_rare_nopreempt(LKST_ETYPE_OOPS_LOCKUP, -1, LKST_LOCKUP_RCU, 0, 0);
	lkst_probe_end();
}
#endif

struct lkst_source lkst_sources_oops[] = {
	LKST_SOURCE_NOTIFIER(die, LKST_ETYPE_OOPS_DIE),
	LKST_SOURCE_HOOK(LKST_ETYPE_OOPS_PANIC),
	LKST_SOURCE(error_report_end, lkst_probe_error_report_end, LKST_ETYPE_OOPS_WARN),
#ifdef CONFIG_LOCKUP_DETECTOR
	LKST_SOURCE_HOOK(LKST_ETYPE_OOPS_LOCKUP),
#endif
#ifdef CONFIG_DETECT_HUNG_TASK
	LKST_SOURCE(sched_process_hang, lkst_probe_sched_process_hang, LKST_ETYPE_OOPS_LOCKUP),
#endif
#ifdef CONFIG_TREE_RCU
	LKST_SOURCE(rcu_stall_warning, lkst_probe_rcu_stall_warning, LKST_ETYPE_OOPS_LOCKUP),
#endif
	LKST_SOURCE_WITH(oops_die, LKST_ETYPE_OOPS_REGS, LKST_ETYPE_OOPS_STACK),
	LKST_SOURCE_WITH(oops_panic, LKST_ETYPE_OOPS_REGS, LKST_ETYPE_OOPS_STACK),
	LKST_SOURCE_WITH(oops_warn, LKST_ETYPE_OOPS_STACK),
	LKST_SOURCE_WITH(oops_lockup, LKST_ETYPE_OOPS_REGS, LKST_ETYPE_OOPS_STACK),
#ifdef CONFIG_PRINTK
	LKST_SOURCE_HOOK(LKST_ETYPE_OOPS_PRINTK, LKST_ETYPE_OOPS_MESSAGE),
#endif
	{}
};
