// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "interrupt" (0x010) on all architectures.
 */
#include <linux/interrupt.h>
#include <linux/percpu.h>
#include <trace/events/irq.h>

#include "../base/compat.h"
#include "../dispatch/event.h"
#include "../source/source.h"

static void lkst_probe_irq_handler_entry(void *data, int irq, struct irqaction *action)
{
	u64 name[3];

	lkst_text_copy(name, ARRAY_SIZE(name), action->name ?: "");
	lkst_event(LKST_ETYPE_INT_HARDWARE_ENTRY, irq, name[0], name[1], name[2]);
}

static void lkst_probe_irq_handler_exit(void *data, int irq, struct irqaction *action, int ret)
{
	lkst_event(LKST_ETYPE_INT_HARDWARE_EXIT, irq, ret, 0, 0);
}

static void lkst_probe_softirq_entry(void *data, unsigned int vector)
{
	lkst_event(LKST_ETYPE_INT_SOFTIRQ_ENTRY, vector, 0, 0, 0);
}

static void lkst_probe_softirq_exit(void *data, unsigned int vector)
{
	lkst_event(LKST_ETYPE_INT_SOFTIRQ_EXIT, vector, 0, 0, 0);
}

static void lkst_probe_softirq_raise(void *data, unsigned int vector)
{
	lkst_event(LKST_ETYPE_INT_SOFTIRQ_RAISE, vector, 0, 0, 0);
}

#if LKST_HAVE_TASKLET_TRACEPOINTS
/*
 * Whether this CPU is running HI_SOFTIRQ. The tasklet tracepoints do not say
 * which of the two lists the tasklet is on, but each list has its own softirq,
 * HI_SOFTIRQ or TASKLET_SOFTIRQ. A CPU runs one softirq at a time, so one flag
 * per CPU is enough.
 */
static DEFINE_PER_CPU(bool, lkst_tasklet_hi);

static void lkst_probe_softirq_tasklet(void *data, unsigned int vector)
{
	raw_cpu_write(lkst_tasklet_hi, vector == HI_SOFTIRQ);
}

static void lkst_probe_tasklet_entry(void *data, struct tasklet_struct *tasklet, void *func)
{
	lkst_event(raw_cpu_read(lkst_tasklet_hi) ? LKST_ETYPE_INT_TASKLETHI_ENTRY :
						   LKST_ETYPE_INT_TASKLET_ENTRY,
		   LKST_ARGP(tasklet), LKST_ARGP(func), 0, 0);
}

static void lkst_probe_tasklet_exit(void *data, struct tasklet_struct *tasklet, void *func)
{
	lkst_event(raw_cpu_read(lkst_tasklet_hi) ? LKST_ETYPE_INT_TASKLETHI_EXIT :
						   LKST_ETYPE_INT_TASKLET_EXIT,
		   LKST_ARGP(tasklet), LKST_ARGP(func), 0, 0);
}
#endif

struct lkst_source lkst_sources_irq[] = {
	LKST_SOURCE(irq_handler_entry, lkst_probe_irq_handler_entry,
		    LKST_ETYPE_INT_HARDWARE_ENTRY),
	LKST_SOURCE(irq_handler_exit, lkst_probe_irq_handler_exit,
		    LKST_ETYPE_INT_HARDWARE_EXIT),
	LKST_SOURCE(softirq_entry, lkst_probe_softirq_entry, LKST_ETYPE_INT_SOFTIRQ_ENTRY),
	LKST_SOURCE(softirq_exit, lkst_probe_softirq_exit, LKST_ETYPE_INT_SOFTIRQ_EXIT),
	LKST_SOURCE(softirq_raise, lkst_probe_softirq_raise, LKST_ETYPE_INT_SOFTIRQ_RAISE),
#if LKST_HAVE_TASKLET_TRACEPOINTS
	/*
	 * Must come before the tasklet probes, which read the flag that this
	 * probe sets.
	 */
	LKST_SOURCE(softirq_entry, lkst_probe_softirq_tasklet,
		    LKST_ETYPE_INT_TASKLETHI_ENTRY, LKST_ETYPE_INT_TASKLETHI_EXIT,
		    LKST_ETYPE_INT_TASKLET_ENTRY, LKST_ETYPE_INT_TASKLET_EXIT),
	LKST_SOURCE(tasklet_entry, lkst_probe_tasklet_entry,
		    LKST_ETYPE_INT_TASKLETHI_ENTRY, LKST_ETYPE_INT_TASKLET_ENTRY),
	LKST_SOURCE(tasklet_exit, lkst_probe_tasklet_exit,
		    LKST_ETYPE_INT_TASKLETHI_EXIT, LKST_ETYPE_INT_TASKLET_EXIT),
#endif
	{}
};
