// SPDX-License-Identifier: GPL-2.0
/*
 * The digest (Documentation/lkst/long-ring.rst). Once a second, each CPU that
 * is not idle adds LKST_DIGEST to its long ring, and one of them adds
 * LKST_DIGEST_SYSTEM as well.
 *
 * The timers are deferrable: they do not wake an idle CPU. When an idle CPU
 * wakes up, its next digest covers the whole time since the previous one.
 *
 * A digest contains -1 for each figure that this kernel does not provide.
 */
#include <linux/atomic.h>
#include <linux/cpuhotplug.h>
#include <linux/kernel_stat.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/psi.h>
#include <linux/sched/loadavg.h>
#include <linux/tick.h>
#include <linux/timer.h>
#include <linux/vmstat.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_hook.h>

#include "../base/compat.h"
#include "../base/ksyms.h"
#include "../base/stage.h"
#include "../buffer/long_ring.h"
#include "digest.h"

#define LKST_DIGEST_MS		1000

/* The value of a figure that is unknown: -1 as an unsigned number */
#define LKST_DIGEST_UNKNOWN	U32_MAX

/**
 * struct lkst_digest_times - how a CPU has spent its time since boot, in ns
 * @now: CLOCK_MONOTONIC
 * @user: in programs
 * @system: in the kernel, without interrupts
 * @irq: in interrupts and softirqs
 * @steal: time that a hypervisor gave to others
 * @idle: idle, including @iowait
 * @iowait: idle while a thread of this CPU waited for I/O
 */
struct lkst_digest_times {
	u64 now;
	u64 user;
	u64 system;
	u64 irq;
	u64 steal;
	u64 idle;
	u64 iowait;
};

/**
 * struct lkst_digest - the state of a CPU's digest
 * @timer: pinned to the CPU
 * @cpu: the CPU
 * @last: times at the previous digest
 */
struct lkst_digest {
	struct timer_list timer;
	int cpu;
	struct lkst_digest_times last;
};

static DEFINE_PER_CPU(struct lkst_digest, lkst_digests);

/* Time of the previous LKST_DIGEST_SYSTEM, in ms of CLOCK_MONOTONIC. */
static atomic64_t lkst_digest_system_ms;

static void lkst_digest_read(int cpu, struct lkst_digest_times *times)
{
	struct kernel_cpustat stat;
	u64 *at = stat.cpustat, idle, iowait;

	kcpustat_cpu_fetch(&stat, cpu);
	idle = get_cpu_idle_time_us(cpu, NULL);
	iowait = get_cpu_iowait_time_us(cpu, NULL);
	*times = (struct lkst_digest_times) {
		.now = ktime_get_ns(),
		.user = at[CPUTIME_USER] + at[CPUTIME_NICE],
		.system = at[CPUTIME_SYSTEM],
		.irq = at[CPUTIME_IRQ] + at[CPUTIME_SOFTIRQ],
		.steal = at[CPUTIME_STEAL],
	};
	/* Without dynamic ticks, the kernel counts idle ticks instead. */
	if (idle == U64_MAX || iowait == U64_MAX) {
		times->idle = at[CPUTIME_IDLE] + at[CPUTIME_IOWAIT];
		times->iowait = at[CPUTIME_IOWAIT];
	} else {
		times->idle = (idle + iowait) * NSEC_PER_USEC;
		times->iowait = iowait * NSEC_PER_USEC;
	}
}

/*
 * Return how much a time has increased, in ms. A time may go back a little, and
 * then the result is 0.
 */
static u32 lkst_digest_ms(u64 from, u64 to)
{
	return (s64)(to - from) > 0 ? min_t(u64, div_u64(to - from, NSEC_PER_MSEC), S32_MAX) : 0;
}

static void lkst_digest_cpu(struct lkst_digest *digest, unsigned int records)
{
	struct lkst_digest_times now, *last = &digest->last;
	unsigned int left_out;
	u32 ms;

	lkst_digest_read(digest->cpu, &now);
	ms = lkst_digest_ms(last->now, now.now);
	lkst_long_refill(ms, records);
	left_out = lkst_long_unreported();
	if (lkst_long_record(LKST_ETYPE_LKST_DIGEST, 0, LKST_ARG32(ms, left_out),
			     LKST_ARG32(lkst_digest_ms(last->user, now.user),
					lkst_digest_ms(last->system, now.system)),
			     LKST_ARG32(lkst_digest_ms(last->irq, now.irq),
					lkst_digest_ms(last->steal, now.steal)),
			     LKST_ARG32(lkst_digest_ms(last->idle, now.idle),
					lkst_digest_ms(last->iowait, now.iowait))))
		lkst_long_report(left_out);
	*last = now;
}

/* Return a fixed-point number of the kernel, multiplied by 100. */
static u32 lkst_digest_fixed(unsigned long fixed)
{
	return min_t(u64, (u64)fixed * 100 >> FSHIFT, S32_MAX);
}

/*
 * Get the pressure on the CPUs, memory and I/O: the share of the last 10 s in
 * which at least one thread had to wait, in hundredths of a percent.
 */
static void lkst_digest_pressure(u32 *cpu, u32 *memory, u32 *io)
{
#ifdef CONFIG_PSI
	const struct psi_group *group = lkst_psi_system();

	if (group && READ_ONCE(group->avg_last_update)) {
		*cpu = lkst_digest_fixed(READ_ONCE(group->avg[PSI_CPU_SOME][0]));
		*memory = lkst_digest_fixed(READ_ONCE(group->avg[PSI_MEM_SOME][0]));
		*io = lkst_digest_fixed(READ_ONCE(group->avg[PSI_IO_SOME][0]));
		return;
	}
#endif
	*cpu = LKST_DIGEST_UNKNOWN;
	*memory = LKST_DIGEST_UNKNOWN;
	*io = LKST_DIGEST_UNKNOWN;
}

/*
 * Convert pages to KB. The result is at most 2 TB, so it differs from
 * LKST_DIGEST_UNKNOWN.
 */
static u32 lkst_digest_kb(long pages)
{
	return min_t(u64, (u64)max(pages, 0L) << (PAGE_SHIFT - 10), S32_MAX);
}

static void lkst_digest_system(void)
{
	u32 cpu, memory, io;

	lkst_digest_pressure(&cpu, &memory, &io);
	lkst_long_record(LKST_ETYPE_LKST_DIGEST_SYSTEM, 0,
			 LKST_ARG32(lkst_nr_running(), lkst_nr_iowait()),
			 LKST_ARG32(lkst_digest_kb(global_zone_page_state(NR_FREE_PAGES)),
				    lkst_digest_kb(si_mem_available())),
			 LKST_ARG32(cpu, memory),
			 LKST_ARG32(io, lkst_digest_fixed(avenrun[0])));
}

/*
 * Whether this CPU must record the digest of the system: true for the first
 * caller in a second. Timers have the resolution of a tick, so 900 ms already
 * count as a second.
 */
static bool lkst_digest_claim(void)
{
	s64 now = ktime_to_ms(ktime_get()), last = atomic64_read(&lkst_digest_system_ms);

	return now - last >= LKST_DIGEST_MS / 10 * 9 &&
	       atomic64_cmpxchg(&lkst_digest_system_ms, last, now) == last;
}

static void lkst_digest_arm(struct lkst_digest *digest)
{
	digest->timer.expires = jiffies + msecs_to_jiffies(LKST_DIGEST_MS);
	add_timer_on(&digest->timer, digest->cpu);
}

static void lkst_digest_expired(struct timer_list *timer)
{
	struct lkst_digest *digest = container_of(timer, struct lkst_digest, timer);
	bool system = lkst_digest_claim();

	lkst_digest_cpu(digest, 1 + system);
	if (system)
		lkst_digest_system();
	lkst_digest_arm(digest);
}

/* Called on the CPU itself, when it has come online. Returns 0. */
static int lkst_digest_online(unsigned int cpu)
{
	struct lkst_digest *digest = per_cpu_ptr(&lkst_digests, cpu);

	digest->cpu = cpu;
	lkst_digest_read(cpu, &digest->last);
	timer_setup(&digest->timer, lkst_digest_expired, TIMER_DEFERRABLE | TIMER_PINNED);
	/* A CPU without a long ring must not claim the digest of the system. */
	if (lkst_long_provide(cpu))
		pr_notice("lkst: memory is short: CPU %u has no long ring\n", cpu);
	else
		lkst_digest_arm(digest);
	return 0;
}

/* Called on the CPU itself, before it goes offline. Returns 0. */
static int lkst_digest_offline(unsigned int cpu)
{
	lkst_timer_delete_sync(&per_cpu_ptr(&lkst_digests, cpu)->timer);
	return 0;
}

static enum cpuhp_state lkst_digest_state;

/**
 * lkst_digest_start() - give each CPU its long ring and its digest, now or when
 *	it comes online
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_digest_start(void)
{
	int ret;

	if (!lkst_long_wanted())
		return 0;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "lkst:digest", lkst_digest_online,
				lkst_digest_offline);
	lkst_digest_state = ret;
	return ret < 0 ? ret : 0;
}

/* Stop the digests. The long rings remain. */
void __lkst_exit lkst_digest_stop(void)
{
	if (lkst_long_wanted())
		cpuhp_remove_state(lkst_digest_state);
}
