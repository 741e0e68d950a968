// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that may be called where one cannot sleep, in each such context.
 */
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

static DEFINE_RAW_SPINLOCK(any_lock);

static int with_preemption_off(lkst_call call)
{
	int ret;

	preempt_disable();
	ret = call();
	preempt_enable();
	return ret;
}

static int with_interrupts_off(lkst_call call)
{
	unsigned long flags;
	int ret;

	local_irq_save(flags);
	ret = call();
	local_irq_restore(flags);
	return ret;
}

static int with_lock_held(lkst_call call)
{
	unsigned long flags;
	int ret;

	raw_spin_lock_irqsave(&any_lock, flags);
	ret = call();
	raw_spin_unlock_irqrestore(&any_lock, flags);
	return ret;
}

/* What an interrupt is to call. */
static lkst_call interrupt_call;
static int interrupt_result;

static void interrupt_calls(void)
{
	lkst_call call = READ_ONCE(interrupt_call);

	WRITE_ONCE(interrupt_result, call());
	/* The result is there when the call is gone. */
	smp_store_release(&interrupt_call, NULL);
}

/* Returns -ETIMEDOUT if no interrupt came. */
static int wait_for_interrupt(void)
{
	unsigned int us;

	for (us = 0; us < USEC_PER_SEC; us++) {
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

static int set_nothing(void)
{
	return lkst_maskset_set(LKST_MASKSET_ID_RNOTHING);
}

static int set_all(void)
{
	return lkst_maskset_set(LKST_MASKSET_ID_RALL);
}

static int set_absent(void)
{
	return lkst_maskset_set(77);
}

static int jump_back(void)
{
	return lkst_buffer_jump(0);
}

static int jump_nowhere(void)
{
	return lkst_buffer_jump(77);
}

/* What there is to see after a call, of the CPU that made it. */
static bool is_running(const struct snapshot *now)
{
	return now->status.state == LKST_TRC_RUNNING &&
	       now->status.current_maskset_id == OWN_MASKSET;
}

static bool is_stopped(const struct snapshot *now)
{
	return now->status.state == LKST_TRC_STOPPED &&
	       now->status.current_maskset_id == LKST_MASKSET_ID_RNOTHING &&
	       now->status.saved_maskset_id == OWN_MASKSET;
}

static bool nothing_is_set(const struct snapshot *now)
{
	return now->status.current_maskset_id == LKST_MASKSET_ID_RNOTHING;
}

static bool all_is_set(const struct snapshot *now)
{
	return now->status.current_maskset_id == LKST_MASKSET_ID_RALL;
}

static bool writes_0(const struct snapshot *now)
{
	return now->write_buf[raw_smp_processor_id()] == 0;
}

static bool writes_1(const struct snapshot *now)
{
	return now->write_buf[raw_smp_processor_id()] == 1;
}

static bool writes_2(const struct snapshot *now)
{
	return now->write_buf[raw_smp_processor_id()] == 2;
}

/* Each begins with maskset OWN_MASKSET, and with buffer 1, which leads to 2. */
static const struct {
	const char *name;
	lkst_call call;
	int want;
	bool (*then)(const struct snapshot *now);
	bool stopped;
} atomic_calls[] = {
	{ "lkst_trc_stop: success", lkst_trc_stop, 0, is_stopped },
	{ "lkst_trc_stop: success, while it is stopped", lkst_trc_stop, 0, is_stopped, true },
	{ "lkst_trc_start: success", lkst_trc_start, 0, is_running, true },
	{ "lkst_trc_start: success, while it runs", lkst_trc_start, 0, is_running },
	{ "lkst_maskset_set: success, nothing", set_nothing, 0, nothing_is_set },
	{ "lkst_maskset_set: success, all", set_all, 0, all_is_set },
	{ "lkst_maskset_set: no such maskset", set_absent, -EINVAL, is_running },
	{ "lkst_maskset_set: LKST is stopped", set_all, -EBUSY, is_stopped, true },
	{ "lkst_buffer_shift: success", lkst_buffer_shift, 0, writes_2 },
	{ "lkst_buffer_jump: success", jump_back, 0, writes_0 },
	{ "lkst_buffer_jump: no such buffer", jump_nowhere, -EINVAL, writes_1 },
};

static void test_in_context(unsigned int context)
{
	unsigned int i;
	int got;

	for (i = 0; i < ARRAY_SIZE(atomic_calls); i++) {
		if (atomic_calls[i].stopped && contexts[context].needs_events)
			continue;
		lkst_maskset_set(OWN_MASKSET);
		lkst_buffer_jump(1);
		/* Trace points follow the maskset from a work item. */
		if (contexts[context].needs_events)
			msleep(100);
		if (atomic_calls[i].stopped)
			lkst_trc_stop();
		got = contexts[context].run(atomic_calls[i].call);
		take_snapshot(&after);
		ok(got == atomic_calls[i].want && atomic_calls[i].then(&after), "%s, %s",
		   atomic_calls[i].name, contexts[context].name);
		if (got != atomic_calls[i].want)
			seq_printf(out, "# got %d, wanted %d\n", got, atomic_calls[i].want);
		lkst_trc_start();
	}
}

void test_atomic(void)
{
	unsigned int context;

	lkst_buffer_create(1, SZ_64K, 2);
	lkst_buffer_create(2, SZ_64K, 1);
	write_maskset(OWN_MASKSET, "own", OWN_ETYPE, own_handler);
	for (context = 0; context < ARRAY_SIZE(contexts); context++)
		test_in_context(context);
	lkst_buffer_jump(0);
	lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
	free_all_masksets();
	free_all_buffers();
}
