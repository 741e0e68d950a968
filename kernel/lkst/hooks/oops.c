// SPDX-License-Identifier: GPL-2.0
/*
 * Events of the class oops (0x0b0): the kernel finds that something is wrong, and says so.
 *
 * This runs in any context, NMI included, with any lock held, and on any stack, also on the small
 * one for double faults, where an overflow of another brings the CPU: it takes no lock, faults
 * nowhere and keeps little on the stack.
 */
#include <linux/bits.h>
#include <linux/instruction_pointer.h>
#include <linux/irqflags.h>
#include <linux/kdebug.h>
#include <linux/limits.h>
#include <linux/minmax.h>
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

#include "../dump.h"
#include "../event.h"
#include "../maskset.h"
#include "../outside.h"
#include "../points/point.h"
#include "../source.h"
#include "../stage.h"
#include "oops_arch.h"

/*
 * What is being recorded on this CPU, by event type and context, a bit each. Something may go wrong
 * while LKST records that something went wrong; the same in the same context is not recorded again.
 * Changed only by the CPU itself, in nesting contexts that leave it as they found it.
 */
static DEFINE_PER_CPU(unsigned int, lkst_oops_busy);

static unsigned int lkst_oops_bit(int etype)
{
	return BIT((etype - LKST_ETYPE_OOPS_DIE) * 4 + interrupt_context_level());
}

/* False: do not record it. Context: as lkst_event_nopreempt(). */
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

/* Addresses of a stack that are recorded; and inside of these, that may have to be left out. */
#define LKST_OOPS_STACK		32
#define LKST_OOPS_STACK_INNER	16

/**
 * struct lkst_oops_stack - where the calls return to that led to some place, innermost first
 * @first: the first address of @at that is meant
 * @len: how many there are, with those before @first
 * @at: addresses; the others are 0, of which the last record may need three
 */
struct lkst_oops_stack {
	unsigned int first;
	unsigned int len;
	unsigned long at[LKST_OOPS_STACK_INNER + LKST_OOPS_STACK + 3];
};

#define LKST_OOPS_STACK_ROOM	(LKST_OOPS_STACK_INNER + LKST_OOPS_STACK)

/* The first that the unwinder has is the instruction pointer. */
static void lkst_oops_stack_of_regs(struct lkst_oops_stack *stack, struct pt_regs *regs)
{
	stack->len = lkst_stack_of_regs(regs, stack->at, LKST_OOPS_STACK_ROOM);
}

/*
 * Of this thread, from @place outwards, which an exception told of, or else from the return to
 * @caller. What is inside of them is how LKST came to know.
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
 * An event and its stack, from where interrupts may be on: nothing but an NMI gets in between.
 * Lockdep is not told, which may be what warns.
 */
static void lkst_oops_together(int etype, u64 a1, u64 a2, const struct lkst_oops_stack *stack)
{
	unsigned long flags;

	raw_local_irq_save(flags);
	lkst_event_nopreempt(etype, a1, a2, 0, 0);
	lkst_oops_stack_record(stack);
	raw_local_irq_restore(flags);
}

/* Interrupts are off in an oops. */
static noinline void lkst_oops_die(const struct die_args *args)
{
	struct lkst_oops_stack stack = {};

	if (!lkst_oops_begin(LKST_ETYPE_OOPS_DIE))
		return;
	lkst_event_nopreempt(LKST_ETYPE_OOPS_DIE, LKST_ARG32(lkst_oops_trap(args), args->err),
		       instruction_pointer(args->regs), args->signr, 0);
	lkst_oops_regs(args->regs);
	lkst_oops_stack_of_regs(&stack, args->regs);
	lkst_oops_stack_record(&stack);
	lkst_oops_end(LKST_ETYPE_OOPS_DIE);
}

/* Called for exceptions that are handled, too. */
static int lkst_oops_die_notify(struct notifier_block *nb, unsigned long val, void *args)
{
	if (val == DIE_OOPS) {
		preempt_disable_notrace();
		lkst_oops_die(args);
		preempt_enable_notrace();
	}
	return NOTIFY_DONE;
}

/* Before anybody who stops the machine. */
static struct notifier_block lkst_oops_die_notifier = {
	.notifier_call = lkst_oops_die_notify,
	.priority = INT_MAX,
};

/**
 * lkst_oops_start() - record OOPS_DIE from now on
 */
void __init lkst_oops_start(void)
{
	register_die_notifier(&lkst_oops_die_notifier);
}

void __lkst_exit lkst_oops_stop(void)
{
	unregister_die_notifier(&lkst_oops_die_notifier);
}

/**
 * lkst_oops_panic() - the kernel panics
 * @message: what it says
 * @caller: where panic() was called from
 *
 * Context: of panic(), interrupts off, with preemption off on behalf of LKST.
 */
void lkst_oops_panic(const char *message, unsigned long caller)
{
	struct lkst_oops_stack stack = {};
	u64 text[4];

	if (lkst_oops_begin(LKST_ETYPE_OOPS_PANIC)) {
		lkst_text_copy(text, ARRAY_SIZE(text), message);
		lkst_event_nopreempt(LKST_ETYPE_OOPS_PANIC, text[0], text[1], text[2], text[3]);
		lkst_oops_regs_here(caller);
		lkst_oops_stack_from(&stack, 0, caller);
		lkst_oops_stack_record(&stack);
		lkst_oops_end(LKST_ETYPE_OOPS_PANIC);
	}
	lkst_dump_panicking();
}

/* A WARN has the address of the place as its id; others may have one that is not of code. */
static void lkst_probe_error_report_end(void *data, enum error_detector detector, unsigned long id)
{
	struct lkst_oops_stack stack = {};

	lkst_probe_begin();
	if (lkst_oops_begin(LKST_ETYPE_OOPS_WARN)) {
		lkst_oops_stack_from(&stack, id, _RET_IP_);
		lkst_oops_together(LKST_ETYPE_OOPS_WARN, detector, id, &stack);
		lkst_oops_end(LKST_ETYPE_OOPS_WARN);
	}
	lkst_probe_end();
}

/**
 * lkst_oops_lockup() - a CPU hangs
 * @kind: of lockup
 * @regs: of what it was executing; NULL: nobody has told
 * @caller: who says so
 *
 * Context: an interrupt or NMI on that CPU, with preemption off on behalf of LKST.
 */
void lkst_oops_lockup(enum lkst_lockup kind, struct pt_regs *regs, unsigned long caller)
{
	struct lkst_oops_stack stack = {};

	if (!lkst_oops_begin(LKST_ETYPE_OOPS_LOCKUP))
		return;
	lkst_event_nopreempt(LKST_ETYPE_OOPS_LOCKUP, current->pid, kind, 0, 0);
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
/* The task may run again by now: the unwinder stays in its stack. */
static void lkst_probe_sched_process_hang(void *data, struct task_struct *task)
{
	struct lkst_oops_stack stack = {};

	lkst_probe_begin();
	if (lkst_oops_begin(LKST_ETYPE_OOPS_LOCKUP)) {
		stack.len = lkst_stack_of_task(task, stack.at, LKST_OOPS_STACK_ROOM);
		lkst_oops_together(LKST_ETYPE_OOPS_LOCKUP, task->pid, LKST_LOCKUP_TASK, &stack);
		lkst_oops_end(LKST_ETYPE_OOPS_LOCKUP);
	}
	lkst_probe_end();
}
#endif

#ifdef CONFIG_TREE_RCU
/*
 * "SelfDetected": by the tick of the CPU that is late. Otherwise it is another CPU, or a thread
 * that was preempted, and nobody says here which: -1.
 */
static void lkst_probe_rcu_stall_warning(void *data, const char *rcuname, const char *msg)
{
	lkst_probe_begin();
	if (!strcmp(msg, "SelfDetected"))
		lkst_oops_lockup(LKST_LOCKUP_RCU, get_irq_regs(), _RET_IP_);
	else
		lkst_event_nopreempt(LKST_ETYPE_OOPS_LOCKUP, -1, LKST_LOCKUP_RCU, 0, 0);
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
	LKST_SOURCE_HOOK(LKST_ETYPE_OOPS_PRINTK),
#endif
	{}
};
