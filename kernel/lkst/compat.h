/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every difference between kernel versions lives here, and nowhere else.
 */
#ifndef _LKST_COMPAT_H
#define _LKST_COMPAT_H

#include <linux/cpu.h>
#include <linux/crc32.h>
#include <linux/device.h>
#include <linux/hrtimer.h>
#include <linux/kmsg_dump.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/tracepoint.h>
#include <linux/uio.h>
#include <linux/version.h>
#ifdef CONFIG_NET
#include <net/dropreason.h>
#endif

/*
 * Not bound to a CPU: a real-time thread may keep a CPU from ever running a worker. By 7.2 the
 * kernel warns of the old name.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define lkst_workqueue()		system_unbound_wq
#else
#define lkst_workqueue()		system_dfl_wq
#endif

/* By 7.2 checkpatch asks for this one; 6.1 and 6.12 do not have it. */
#ifndef kzalloc_obj
#define kzalloc_obj(object, gfp)	kzalloc(sizeof(object), gfp)
#endif

/* 6.4 dropped the module argument and made devnode's device const. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define lkst_class_create(name)		class_create(THIS_MODULE, name)
#else
#define lkst_class_create(name)		class_create(name)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define LKST_DEVNODE_DEVICE		struct device
#else
#define LKST_DEVNODE_DEVICE		const struct device
#endif

/* 6.4 brought the tracepoint ipi_send_cpu. */
#define LKST_HAVE_IPI_SEND_CPU		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0))

/* 6.4 brought tasklet_entry and tasklet_exit, and 6.1.159 has them, too. */
#define LKST_HAVE_TASKLET_TRACEPOINTS	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0) ||	\
					 (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 159) &&	\
					  LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)))

/* What 6.2 calls the one of READ and WRITE that an iterator is for; so do later ones of 6.1. */
#ifndef ITER_DEST
#define ITER_DEST			READ
#endif

/*
 * Of two probes the one that fits @tracepoint: its prototype changed, also within a stable series,
 * where the version says nothing.
 */
#define LKST_PROBE_THAT_FITS(tracepoint, probe, older_probe)				\
	__builtin_choose_expr(								\
		__builtin_types_compatible_p(typeof(check_trace_callback_type_##tracepoint),	\
					     void (typeof(probe) *)),			\
		probe, older_probe)

/* 6.12 made the reason part of a structure. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
typedef enum kmsg_dump_reason lkst_kmsg_dump;
#define lkst_kmsg_dump_reason(dump)	(dump)
#else
typedef struct kmsg_dump_detail *lkst_kmsg_dump;
#define lkst_kmsg_dump_reason(dump)	((dump)->reason)
#endif

/* 6.4 let subsystems have reasons of their own to drop a packet. These are those of the core. */
#ifdef CONFIG_NET
static inline const char *lkst_skb_drop_reason(unsigned int reason)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	return drop_reasons[reason];
#else
	const struct drop_reason_list *core =
		rcu_dereference_raw(drop_reasons_by_subsys[SKB_DROP_REASON_SUBSYS_CORE]);

	return reason < core->n_reasons ? core->reasons[reason] : NULL;
#endif
}
#endif

/*
 * How the kernel's list of symbols tells where they are: by address, by the distance from a base
 * (6.11 has no other), by the distance from where that distance is (7.2).
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#define LKST_KALLSYMS_DISTANCES
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) || defined(CONFIG_KALLSYMS_BASE_RELATIVE)
#define LKST_KALLSYMS_DISTANCES
#define LKST_KALLSYMS_BASE
#endif

/*
 * Up to 6.12 a tracepoint calls its probes with preemption off. Since then it is as the traced code
 * has it: first at the system calls (6.13), whose probe is the one that does not mind, then at
 * all, by 7.2, where SRCU protects the probes; from 7.0 on, as asking too early does no harm.
 */
#define LKST_TRACEPOINT_PREEMPTIBLE	(LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0))

/* Around what a probe does that needs preemption off, once. */
static __always_inline void lkst_probe_begin(void)
{
	if (LKST_TRACEPOINT_PREEMPTIBLE)
		preempt_disable_notrace();
}

static __always_inline void lkst_probe_end(void)
{
	if (LKST_TRACEPOINT_PREEMPTIBLE)
		preempt_enable_notrace();
}

/* Wait for the probes under way, and for whoever else is in a section without preemption. */
static inline void lkst_tracepoint_synchronize(void)
{
	tracepoint_synchronize_unregister();
	if (LKST_TRACEPOINT_PREEMPTIBLE)
		synchronize_rcu();
}

/* 6.12 brought the boot parameter reserve_mem=. */
#define LKST_HAVE_RESERVE_MEM		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0))

static inline bool lkst_reserve_mem_find(const char *name, phys_addr_t *start, phys_addr_t *size)
{
#if LKST_HAVE_RESERVE_MEM
	return reserve_mem_find_by_name(name, start, size);
#else
	return false;
#endif
}

/* What 6.1 and 6.12 call __crc32c_le() is crc32c() now. */
static inline u32 lkst_crc32c(const void *data, size_t len)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return ~__crc32c_le(~0, data, len);
#else
	return ~crc32c(~0, data, len);
#endif
}

/* What all kinds of vmalloc() come to. 6.10 lets the callers of allocators be counted. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define LKST_VMALLOC_FUNCTION		"__vmalloc_node_range"
#else
#define LKST_VMALLOC_FUNCTION		"__vmalloc_node_range_noprof"
#endif

/* A check that is not for modules. */
#ifdef MODULE
#define lockdep_assert_cpus_held()	do { } while (0)
#endif

/* The key that a SysRq handler is told: 6.6 made it a character. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
typedef int lkst_sysrq_key;
#else
typedef u8 lkst_sysrq_key;
#endif

/* The largest piece of memory that can be had. 6.4 let MAX_ORDER be that, 6.8 renamed it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define LKST_PAGE_ORDER_MAX		(MAX_ORDER - 1)
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define LKST_PAGE_ORDER_MAX		MAX_ORDER
#else
#define LKST_PAGE_ORDER_MAX		MAX_PAGE_ORDER
#endif

/* 6.16 shares the tracepoints of page faults between architectures. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define LKST_PAGE_FAULT_TRACEPOINTS	"asm/trace/exceptions.h"
#else
#define LKST_PAGE_FAULT_TRACEPOINTS	"trace/events/exceptions.h"
#endif

/* 6.13 put what a machine check found into a larger structure. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
typedef struct mce lkst_mce_record;
#define lkst_mce(record)		(record)
#else
typedef struct mce_hw_err lkst_mce_record;
#define lkst_mce(record)		(&(record)->m)
#endif

/* 6.16 renamed it. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define lkst_rdmsr(msr, value)		rdmsrl(msr, value)
#else
#define lkst_rdmsr(msr, value)		rdmsrq(msr, value)
#endif

/* 6.2 renamed it; by 6.15 the old name is gone. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define lkst_timer_delete_sync(timer)	del_timer_sync(timer)
#else
#define lkst_timer_delete_sync(timer)	timer_delete_sync(timer)
#endif

/* 6.13 brought it; by 6.15 a timer has no other way to get its function. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define lkst_hrtimer_setup(timer, func, clock, mode)	\
do {							\
	struct hrtimer *_timer = (timer);		\
							\
	hrtimer_init(_timer, clock, mode);		\
	_timer->function = (func);			\
} while (0)
#else
#define lkst_hrtimer_setup		hrtimer_setup
#endif

/* 6.12 moved it. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif
