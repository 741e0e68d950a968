// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "interrupt" (0x010) on x86: NMIs, and
 * interrupts of the local APIC, which the generic code does not trace as
 * hardware interrupts.
 */
#include <asm/irq_regs.h>
#include <asm/ptrace.h>
#include <asm/trace/irq_vectors.h>
#include <trace/events/nmi.h>

#include "../dispatch/event.h"
#include "../source/source.h"

static void lkst_probe_local_timer_entry(void *data, int vector)
{
	struct pt_regs *regs = get_irq_regs();

	lkst_event(LKST_ETYPE_INT_TIMER_ENTRY, vector, regs ? instruction_pointer(regs) : 0, 0, 0);
}

static void lkst_probe_local_timer_exit(void *data, int vector)
{
	lkst_event(LKST_ETYPE_INT_TIMER_EXIT, vector, 0, 0, 0);
}

static void lkst_probe_ipi_entry(void *data, int vector)
{
	lkst_event(LKST_ETYPE_INT_IPI_ENTRY, vector, 0, 0, 0);
}

static void lkst_probe_ipi_exit(void *data, int vector)
{
	lkst_event(LKST_ETYPE_INT_IPI_EXIT, vector, 0, 0, 0);
}

static void lkst_probe_nmi_handler(void *data, void *handler, s64 delta_ns, int handled)
{
	lkst_event(LKST_ETYPE_INT_NMI, LKST_ARGP(handler), delta_ns, handled, 0);
}

#define LKST_SOURCE_IPI(name)								\
	LKST_SOURCE(name##_entry, lkst_probe_ipi_entry, LKST_ETYPE_INT_IPI_ENTRY),	\
	LKST_SOURCE(name##_exit, lkst_probe_ipi_exit, LKST_ETYPE_INT_IPI_EXIT)

struct lkst_source lkst_sources_irq_x86[] = {
	LKST_SOURCE(local_timer_entry, lkst_probe_local_timer_entry,
		    LKST_ETYPE_INT_TIMER_ENTRY),
	LKST_SOURCE(local_timer_exit, lkst_probe_local_timer_exit, LKST_ETYPE_INT_TIMER_EXIT),
#ifdef CONFIG_SMP
	LKST_SOURCE_IPI(reschedule),
	LKST_SOURCE_IPI(call_function),
	LKST_SOURCE_IPI(call_function_single),
#endif
#ifdef CONFIG_IRQ_WORK
	LKST_SOURCE_IPI(irq_work),
#endif
	LKST_SOURCE_IPI(x86_platform_ipi),
	LKST_SOURCE(nmi_handler, lkst_probe_nmi_handler, LKST_ETYPE_INT_NMI),
	{}
};
