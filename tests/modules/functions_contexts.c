// SPDX-License-Identifier: GPL-2.0
/* In each kind of atomic context, call the functions that are allowed there. */
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_maskset.h>
#ifdef CONFIG_X86_LOCAL_APIC
#include <asm/apic.h>
#include <asm/nmi.h>
#endif
#include "functions.h"

#define RUNNING	LKST_TRC_RUNNING
#define STOPPED	LKST_TRC_STOPPED
#define NOTHING	LKST_MASKSET_ID_RNOTHING

#define OWN_MASKSET	100

static DEFINE_RAW_SPINLOCK(any_lock);

/*
 * Define a function that makes a call between @enter and @leave. Both may use @flags, a local
 * variable.
 */
#define CONTEXT(name, enter, leave)			\
static int name(lkst_call call)				\
{							\
	unsigned long __maybe_unused flags;		\
	int ret;					\
							\
	enter;						\
	ret = call();					\
	leave;						\
	return ret;					\
}

CONTEXT(with_preemption_off, preempt_disable(), preempt_enable())
CONTEXT(with_interrupts_off, local_irq_save(flags), local_irq_restore(flags))
CONTEXT(with_lock_held, raw_spin_lock_irqsave(&any_lock, flags),
	raw_spin_unlock_irqrestore(&any_lock, flags))

/* The call that an interrupt makes, and its result. */
static lkst_call interrupt_call;
static int interrupt_result;

static void interrupt_calls(void)
{
	lkst_call call = READ_ONCE(interrupt_call);

	WRITE_ONCE(interrupt_result, call());
	/* A CPU that sees NULL must also see the result. Pairs with wait_for_interrupt(). */
	smp_store_release(&interrupt_call, NULL);
}

/*
 * Wait until an interrupt has made the call. Return the call's result, or -ETIMEDOUT if there was
 * no interrupt.
 */
static int wait_for_interrupt(void)
{
	for (unsigned int us = 0; us < USEC_PER_SEC; us++) {
		/* Pairs with interrupt_calls(). */
		if (!smp_load_acquire(&interrupt_call))
			return READ_ONCE(interrupt_result);
		udelay(1);
	}
	return -ETIMEDOUT;
}

static void irq_work_calls(struct irq_work *work)
{
	interrupt_calls();
}

struct irq_work own_irq_work = IRQ_WORK_INIT_HARD(irq_work_calls);

static int in_hard_interrupt(lkst_call call)
{
	WRITE_ONCE(interrupt_call, call);
	irq_work_queue(&own_irq_work);
	return wait_for_interrupt();
}

#ifdef CONFIG_X86_LOCAL_APIC
static int nmi_calls(unsigned int val, struct pt_regs *regs)
{
	if (!READ_ONCE(interrupt_call))
		return NMI_DONE;
	interrupt_calls();
	return NMI_HANDLED;
}

static int in_nmi_handler(lkst_call call)
{
	int ret;

	if (register_nmi_handler(NMI_LOCAL, nmi_calls, 0, "lkst_functions"))
		return -ENOMEM;
	preempt_disable();
	WRITE_ONCE(interrupt_call, call);
	apic->send_IPI_mask(cpumask_of(smp_processor_id()), NMI_VECTOR);
	ret = wait_for_interrupt();
	preempt_enable();
	unregister_nmi_handler(NMI_LOCAL, "lkst_functions");
	return ret;
}
#endif

static const struct {
	const char *name;
	int (*run)(lkst_call call);
	bool needs_events;
} contexts[] = {
	{ "with preemption off", with_preemption_off },
	{ "with interrupts off", with_interrupts_off },
	{ "with a spinlock held", with_lock_held },
	{ "in a hard interrupt", in_hard_interrupt },
#ifdef CONFIG_X86_LOCAL_APIC
	{ "in an NMI", in_nmi_handler },
#endif
	{ "in an event handler", in_event_handler, true },
};

#define CALL(name, call) static int name(void) { return call; }

CALL(set_nothing, lkst_maskset_set(NOTHING))
CALL(set_all, lkst_maskset_set(LKST_MASKSET_ID_RALL))
CALL(set_absent, lkst_maskset_set(77))
CALL(jump_back, lkst_buffer_jump(0))
CALL(jump_nowhere, lkst_buffer_jump(77))

/*
 * Each case begins with maskset OWN_MASKSET selected and buffer 1 current, whose next buffer is
 * buffer 2. If @stopped, LKST is stopped before the call. @expected is the expected result of the
 * call. @state, @maskset and @buffer are the state of LKST, the maskset and the current buffer of
 * this CPU that are expected after the call.
 */
static const struct {
	const char *name;
	lkst_call call;
	int expected, state, maskset, buffer;
	bool stopped;
} atomic_calls[] = {
	{ "lkst_trc_stop: success", lkst_trc_stop, 0, STOPPED, NOTHING, 1 },
	{ "lkst_trc_stop: success, already stopped", lkst_trc_stop, 0, STOPPED, NOTHING, 1,
	  true },
	{ "lkst_trc_start: success", lkst_trc_start, 0, RUNNING, OWN_MASKSET, 1, true },
	{ "lkst_trc_start: success, already running", lkst_trc_start, 0, RUNNING, OWN_MASKSET, 1 },
	{ "lkst_maskset_set: success, maskset nothing", set_nothing, 0, RUNNING, NOTHING, 1 },
	{ "lkst_maskset_set: success, maskset all", set_all, 0, RUNNING, LKST_MASKSET_ID_RALL, 1 },
	{ "lkst_maskset_set: no such maskset", set_absent, -EINVAL, RUNNING, OWN_MASKSET, 1 },
	{ "lkst_maskset_set: LKST is stopped", set_all, -EBUSY, STOPPED, NOTHING, 1, true },
	{ "lkst_buffer_shift: success", lkst_buffer_shift, 0, RUNNING, OWN_MASKSET, 2 },
	{ "lkst_buffer_jump: success", jump_back, 0, RUNNING, OWN_MASKSET, 0 },
	{ "lkst_buffer_jump: no such buffer", jump_nowhere, -EINVAL, RUNNING, OWN_MASKSET, 1 },
};

/* Whether the snapshot "after" has the state that atomic_calls[@i] expects. */
static bool state_is_expected(unsigned int i)
{
	const struct lkst_trc_status *now = &after.status;

	return now->state == atomic_calls[i].state &&
	       now->current_maskset_id == atomic_calls[i].maskset &&
	       (now->state == RUNNING || now->saved_maskset_id == OWN_MASKSET) &&
	       after.write_buf[raw_smp_processor_id()] == atomic_calls[i].buffer;
}

static void test_in_context(unsigned int context)
{
	int got;

	for (unsigned int i = 0; i < ARRAY_SIZE(atomic_calls); i++) {
		if (atomic_calls[i].stopped && contexts[context].needs_events)
			continue;
		lkst_maskset_set(OWN_MASKSET);
		lkst_buffer_jump(1);
		if (atomic_calls[i].stopped)
			lkst_trc_stop();
		got = contexts[context].run(atomic_calls[i].call);
		take_snapshot(&after);
		report(got == atomic_calls[i].expected && state_is_expected(i), "%s, %s",
		       atomic_calls[i].name, contexts[context].name);
		if (got != atomic_calls[i].expected)
			seq_printf(out, "# got %d, wanted %d\n", got, atomic_calls[i].expected);
		lkst_trc_start();
	}
}

static void write_own_maskset(void)
{
	const struct {
		char name[LKST_MASKSET_NAME_LEN];
		lkst_maskset_table_len len;
		struct lkst_maskset_entry entry;
	} body = { "own", 1, { OWN_ETYPE, own_handler } };
	struct lkst_maskset_param param = { OWN_MASKSET, 0, LKST_MASKSET_SIZE(1),
					    address(&body) };

	lkst_maskset_write(&param);
}

void test_atomic(void)
{
	lkst_buffer_create(1, SZ_64K, 2);
	lkst_buffer_create(2, SZ_64K, 1);
	write_own_maskset();
	for (unsigned int context = 0; context < ARRAY_SIZE(contexts); context++)
		test_in_context(context);
	lkst_buffer_jump(0);
	lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
	lkst_maskset_delete(OWN_MASKSET);
	lkst_buffer_delete(1);
	lkst_buffer_delete(2);
}
