/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All code that depends on the version of the kernel is in this file.
 */
#ifndef _LKST_COMPAT_H
#define _LKST_COMPAT_H

#include <linux/compiler.h>
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
 * LKST queues its work on an unbound workqueue: a worker that is bound to a CPU
 * may never run, because a real-time thread can monopolize that CPU. 7.2 warns
 * if system_unbound_wq is used.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define lkst_workqueue()		system_unbound_wq
#else
#define lkst_workqueue()		system_dfl_wq
#endif

/* checkpatch of 7.2 asks for this macro, which 6.1 and 6.12 do not have. */
#ifndef kzalloc_obj
#define kzalloc_obj(object, gfp)	kzalloc(sizeof(object), gfp)
#endif

/* Early releases of 6.1 lack this macro, so functions keep the protector. */
#ifndef __no_stack_protector
#define __no_stack_protector
#endif

/*
 * 6.4 dropped the module argument of class_create(). 6.2 made the device
 * argument of the devnode() callback const.
 */
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

/* 6.2 and updates of 6.1 can look up all symbols with the same name. */
#define LKST_HAVE_MATCH_SYMBOL		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 64))

/* 6.4 added the tracepoint ipi_send_cpu. */
#define LKST_HAVE_IPI_SEND_CPU		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0))

/* 6.4 added tasklet_entry and tasklet_exit. 6.1.159 has them, too. */
#define LKST_HAVE_TASKLET_TRACEPOINTS	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0) ||	\
					 (LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 159) &&	\
					  LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)))

/*
 * The two directions of an iov_iter: its memory is the destination or the
 * source of a copy. Older 6.1 kernels call the directions READ and WRITE.
 */
#ifndef ITER_DEST
#define ITER_DEST			READ
#define ITER_SOURCE			WRITE
#endif

/*
 * Choose the probe whose prototype fits @tracepoint. The prototype may change
 * within a stable series, so the version number is not enough.
 */
#define LKST_PROBE_PROTOTYPE(tracepoint, probe, older_probe)				\
	__builtin_choose_expr(								\
		__builtin_types_compatible_p(typeof(check_trace_callback_type_##tracepoint),	\
					     void (typeof(probe) *)),			\
		probe, older_probe)

/* 6.12 moved the reason of a kmsg dump into a structure. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
typedef enum kmsg_dump_reason lkst_kmsg_dump;
#define lkst_kmsg_dump_reason(dump)	(dump)
#else
typedef struct kmsg_dump_detail *lkst_kmsg_dump;
#define lkst_kmsg_dump_reason(dump)	((dump)->reason)
#endif

/*
 * Return the name of a drop reason of the networking core. Since 6.4,
 * subsystems also have their own reasons, for which this returns NULL.
 */
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
 * How the kernel's symbol table stores addresses: up to 6.10, as addresses or
 * as offsets from a base, depending on the configuration; from 6.11 on, always
 * as offsets from a base; from 7.2 on, each as its distance from the table
 * entry that stores it.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#define LKST_KALLSYMS_DISTANCES
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(6, 11, 0) || defined(CONFIG_KALLSYMS_BASE_RELATIVE)
#define LKST_KALLSYMS_DISTANCES
#define LKST_KALLSYMS_BASE
#endif

/*
 * Whether LKST disables preemption itself in probes. Up to 6.12, all
 * tracepoints call probes with preemption off. From 6.13 on, the tracepoints of
 * system calls no longer disable it, see LKST_SYSCALL_PREEMPTIBLE. In 7.2, no
 * tracepoint disables it, and SRCU protects the probes. In 7.0 and 7.1, LKST
 * disables preemption even if the tracepoint has already done so, which does no
 * harm.
 */
#define LKST_TRACEPOINT_PREEMPTIBLE	(LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0))

/*
 * A probe calls lkst_probe_begin() and lkst_probe_end() around code that needs
 * preemption off, once per event.
 */
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

/*
 * Whether LKST disables preemption itself in the system call probes that write
 * chains (records that belong together). From 6.13 on, the system call
 * tracepoints call all probes with preemption on. Probes that write no chains
 * may run with preemption on.
 */
#define LKST_SYSCALL_PREEMPTIBLE	(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0))

static __always_inline void lkst_syscall_probe_begin(void)
{
	if (LKST_SYSCALL_PREEMPTIBLE)
		preempt_disable_notrace();
}

static __always_inline void lkst_syscall_probe_end(void)
{
	if (LKST_SYSCALL_PREEMPTIBLE)
		preempt_enable_notrace();
}

/* Wait for probes in progress, and for all code that has preemption off. */
static inline void lkst_tracepoint_synchronize(void)
{
	tracepoint_synchronize_unregister();
	if (LKST_TRACEPOINT_PREEMPTIBLE)
		synchronize_rcu();
}

/* 6.12 added the boot parameter reserve_mem=. */
#define LKST_HAVE_RESERVE_MEM		(LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0))

static inline bool lkst_reserve_mem_find(const char *name, phys_addr_t *start, phys_addr_t *size)
{
#if LKST_HAVE_RESERVE_MEM
	return reserve_mem_find_by_name(name, start, size);
#else
	return false;
#endif
}

/* Return the CRC-32C of @data. 6.15 renamed __crc32c_le() to crc32c(). */
static inline u32 lkst_crc32c(const void *data, size_t len)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
	return ~__crc32c_le(~0, data, len);
#else
	return ~crc32c(~0, data, len);
#endif
}

/*
 * Name of the function that all variants of vmalloc() call. 6.10 renamed it for
 * memory allocation profiling.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define LKST_VMALLOC_FUNCTION		"__vmalloc_node_range"
#else
#define LKST_VMALLOC_FUNCTION		"__vmalloc_node_range_noprof"
#endif

/* 6.3 replaced the user namespace of a mount with a mapping of IDs. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define LKST_NO_IDMAP			(&init_user_ns)
#else
#define LKST_NO_IDMAP			(&nop_mnt_idmap)
#endif

/* The kernel does not export lockdep_assert_cpus_held() to modules. */
#ifdef MODULE
#define lockdep_assert_cpus_held()	do { } while (0)
#endif

/* The key passed to a SysRq handler. 6.6 made it a u8. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
typedef int lkst_sysrq_key;
#else
typedef u8 lkst_sysrq_key;
#endif

/*
 * The largest order of a page allocation. 6.4 made MAX_ORDER inclusive, and 6.8
 * renamed it.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
#define LKST_PAGE_ORDER_MAX		(MAX_ORDER - 1)
#elif LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define LKST_PAGE_ORDER_MAX		MAX_ORDER
#else
#define LKST_PAGE_ORDER_MAX		MAX_PAGE_ORDER
#endif

/* Since 6.16, all architectures share the page fault tracepoints. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define LKST_PAGE_FAULT_TRACEPOINTS	"asm/trace/exceptions.h"
#else
#define LKST_PAGE_FAULT_TRACEPOINTS	"trace/events/exceptions.h"
#endif

/* 6.13 wrapped the result of a machine check in a larger structure. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
typedef struct mce lkst_mce_record;
#define lkst_mce(record)		(record)
#else
typedef struct mce_hw_err lkst_mce_record;
#define lkst_mce(record)		(&(record)->m)
#endif

/* 6.16 renamed rdmsrl() to rdmsrq(). */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define lkst_rdmsr(msr, value)		rdmsrl(msr, value)
#else
#define lkst_rdmsr(msr, value)		rdmsrq(msr, value)
#endif

/* 6.2 renamed del_timer_sync(), and 6.15 removed the old name. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define lkst_timer_delete_sync(timer)	del_timer_sync(timer)
#else
#define lkst_timer_delete_sync(timer)	timer_delete_sync(timer)
#endif

/*
 * 6.13 added hrtimer_setup(), and 6.15 made it the only way to set the function
 * of a timer.
 */
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

/*
 * Get or pin one page of another process. Returns 1, 0 or a negative errno. 6.5
 * dropped an argument of these functions.
 */
static inline long lkst_get_user_page_remote(struct mm_struct *mm, unsigned long address,
					     unsigned int flags, struct page **page)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
	return get_user_pages_remote(mm, address, 1, flags, page, NULL, NULL);
#else
	return get_user_pages_remote(mm, address, 1, flags, page, NULL);
#endif
}

static inline long lkst_pin_user_page_remote(struct mm_struct *mm, unsigned long address,
					     unsigned int flags, struct page **page)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
	return pin_user_pages_remote(mm, address, 1, flags, page, NULL, NULL);
#else
	return pin_user_pages_remote(mm, address, 1, flags, page, NULL);
#endif
}

/*
 * Whether the compiler checks the prototype of each function that is called
 * through a pointer. 6.18 renamed the option.
 */
#define LKST_HAVE_CFI			(IS_ENABLED(CONFIG_CFI_CLANG) || IS_ENABLED(CONFIG_CFI))

/* Whether a BPF program may sleep. 6.10 moved the flag. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define lkst_bpf_sleeps(prog)		((prog)->aux->sleepable)
#else
#define lkst_bpf_sleeps(prog)		((prog)->sleepable)
#endif

/*
 * lkst_bpf_enter() returns whether a BPF program may run: the program must not
 * start again on a CPU on which it is already running. Afterwards, the caller
 * must call lkst_bpf_leave(), even if the result was false. 7.0 added functions
 * for this, which count in another way on arm64.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define lkst_bpf_enter(prog)		(this_cpu_inc_return(*(prog)->active) == 1)
#define lkst_bpf_leave(prog)		this_cpu_dec(*(prog)->active)
#else
#define lkst_bpf_enter(prog)		bpf_prog_get_recursion_context(prog)
#define lkst_bpf_leave(prog)		bpf_prog_put_recursion_context(prog)
#endif

/* 6.12 moved asm/unaligned.h to linux/unaligned.h. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif
