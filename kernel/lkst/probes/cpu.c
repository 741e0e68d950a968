// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "cpu" (0x0c0): CPUs and power.
 */
#include <linux/cpuhotplug.h>
#include <trace/events/ipi.h>
#include <trace/events/power.h>

#include "../dispatch/event.h"
#include "../source/source.h"
#include "../base/stage.h"

static void lkst_probe_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	if (state == (unsigned int)PWR_EVENT_EXIT)
		lkst_event(LKST_ETYPE_CPU_IDLE_EXIT, 0, 0, 0, 0);
	else
		lkst_event(LKST_ETYPE_CPU_IDLE_ENTRY, state, 0, 0, 0);
}

static void lkst_probe_cpu_frequency(void *data, unsigned int frequency, unsigned int cpu)
{
	lkst_event(LKST_ETYPE_CPU_FREQUENCY, frequency, cpu, 0, 0);
}

static void lkst_probe_suspend_resume(void *data, const char *action, int val, bool start)
{
	u64 text[2];

	lkst_text_copy(text, ARRAY_SIZE(text), action ?: "");
	lkst_event_rare(LKST_ETYPE_CPU_SUSPEND, text[0], text[1], val, start);
}

#if LKST_HAVE_IPI_SEND_CPU
static void lkst_probe_ipi_send_cpu(void *data, const unsigned int cpu, unsigned long callsite,
				    void *callback)
{
	lkst_event(LKST_ETYPE_CPU_IPI_SEND, cpu, callsite, LKST_ARGP(callback), 0);
}
#endif

static int lkst_cpu_online(unsigned int cpu)
{
	lkst_event_rare_preemptible(LKST_ETYPE_CPU_ONLINE, cpu, 0, 0, 0);
	return 0;
}

static int lkst_cpu_offline(unsigned int cpu)
{
	lkst_event_rare_preemptible(LKST_ETYPE_CPU_OFFLINE, cpu, 0, 0, 0);
	return 0;
}

static enum cpuhp_state lkst_cpu_state;

/**
 * lkst_cpu_start() - start recording when CPUs come online or go offline
 *
 * CPUHP_AP_ONLINE_DYN runs the callbacks on the CPU itself: as one of the last
 * steps of coming online, and as one of the first steps of going offline. At
 * both times, the CPU has its buffer.
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_cpu_start(void)
{
	int ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "lkst:online", lkst_cpu_online,
				    lkst_cpu_offline);

	lkst_cpu_state = ret;
	return ret < 0 ? ret : 0;
}

void __lkst_exit lkst_cpu_stop(void)
{
	cpuhp_remove_state_nocalls(lkst_cpu_state);
}

struct lkst_source lkst_sources_cpu[] = {
	LKST_SOURCE(cpu_idle, lkst_probe_cpu_idle, LKST_ETYPE_CPU_IDLE_ENTRY,
		    LKST_ETYPE_CPU_IDLE_EXIT),
	LKST_SOURCE(cpu_frequency, lkst_probe_cpu_frequency, LKST_ETYPE_CPU_FREQUENCY),
	LKST_SOURCE(suspend_resume, lkst_probe_suspend_resume, LKST_ETYPE_CPU_SUSPEND),
#if LKST_HAVE_IPI_SEND_CPU
	LKST_SOURCE(ipi_send_cpu, lkst_probe_ipi_send_cpu, LKST_ETYPE_CPU_IPI_SEND),
#endif
	LKST_SOURCE_NOTIFIER(cpuhp, LKST_ETYPE_CPU_ONLINE, LKST_ETYPE_CPU_OFFLINE),
	{}
};
