// SPDX-License-Identifier: GPL-2.0
/*
 * Record MEM_VMALLOC and MEM_VFREE in a kernel without LKST's hooks for them.
 * Probes on vmalloc() and vfree() themselves are affordable, because these
 * functions are called rarely and take a long time.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>

#include "../dispatch/event.h"
#include "../base/ksyms.h"
#include "../source/source.h"

/*
 * Maximum number of vmalloc() calls in progress. There may be many, because a
 * call may wait for memory.
 */
#define LKST_VMALLOCS	256

struct lkst_vmalloc {
	unsigned long size;
	unsigned long caller;
};

/*
 * Positions of the arguments of __vmalloc_node_range(), in words, from 0. With
 * PAE, the protection bits take two words.
 */
#define LKST_VMALLOC_SIZE	0
#define LKST_VMALLOC_CALLER	(8 + IS_ENABLED(CONFIG_X86_PAE))

static unsigned long lkst_vmalloc_caller(struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	/*
	 * The argument that contains the caller is the first one on the stack.
	 * regs_get_kernel_argument() only finds arguments in registers, and
	 * regs_get_kernel_stack_nth() is not exported.
	 */
	return READ_ONCE_NOCHECK(*(unsigned long *)kernel_stack_pointer(regs));
#else
	return regs_get_kernel_argument(regs, LKST_VMALLOC_CALLER);
#endif
}

static int lkst_vmalloc_entry(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	struct lkst_vmalloc *call = (void *)instance->data;

	call->size = regs_get_kernel_argument(regs, LKST_VMALLOC_SIZE);
	call->caller = lkst_vmalloc_caller(regs);
	return 0;
}

/*
 * Record a call of vmalloc() when it returns. The kretprobe calls this with
 * preemption disabled.
 */
static int lkst_vmalloc_return(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	const struct lkst_vmalloc *call = (void *)instance->data;
	unsigned long address = regs_return_value(regs);

	if (address)
		lkst_event_nopreempt(LKST_ETYPE_MEM_VMALLOC, address, call->size, call->caller, 0);
	return 0;
}

static struct lkst_function lkst_vmalloc_function = {
	.probe = {
		.entry_handler = lkst_vmalloc_entry,
		.handler = lkst_vmalloc_return,
		.data_size = sizeof(struct lkst_vmalloc),
		.maxactive = LKST_VMALLOCS,
	},
};

/* Like is_vmalloc_or_module_addr(), which 6.1 does not export. */
static bool lkst_vmalloc_has(unsigned long address)
{
#ifdef MODULES_VADDR
	if (address >= MODULES_VADDR && address < MODULES_END)
		return true;
#endif
	return is_vmalloc_addr((const void *)address);
}

/*
 * Return the size in bytes of the memory that vfree() is called for.
 *
 * A probe must not take a lock: it may run in the handler of a breakpoint,
 * which x86 and lockdep treat as an NMI, and with PREEMPT_RT, taking a lock may
 * sleep. So this does not call find_vm_area(), but searches for the end of the
 * memory: the page after an area is never mapped. The caller of vfree() owns
 * the area, so its page tables do not change.
 */
static unsigned long lkst_vfree_size(unsigned long address)
{
	unsigned long end = address;

	while (lkst_vmalloc_has(end) && vmalloc_to_page((const void *)end))
		end += PAGE_SIZE;
	return end - address;
}

/*
 * The address that vfree() was called with in an interrupt, or 0. In an
 * interrupt, vfree() calls vfree_atomic(), which leaves the work to a worker.
 * From 6.3 on, the worker calls vfree() once more. All these calls are recorded
 * as one event.
 */
static DEFINE_PER_CPU(unsigned long, lkst_vfree_interrupted);

static void lkst_vfree_begins(struct pt_regs *regs)
{
	unsigned long address = regs_get_kernel_argument(regs, 0);
	bool interrupted = in_interrupt();

	if (!address || (!interrupted && lkst_is_late_vfree()))
		return;
	if (interrupted && lkst_has_late_vfree())
		raw_cpu_write(lkst_vfree_interrupted, address);
	lkst_event_nopreempt(LKST_ETYPE_MEM_VFREE, address,
			     interrupted ? 0 : lkst_vfree_size(address),
			     lkst_function_caller(regs), 0);
}

static void lkst_vfree_atomic_begins(struct pt_regs *regs)
{
	unsigned long address = regs_get_kernel_argument(regs, 0);

	if (address && address != raw_cpu_read(lkst_vfree_interrupted))
		lkst_event_nopreempt(LKST_ETYPE_MEM_VFREE, address, 0, lkst_function_caller(regs),
				     0);
	raw_cpu_write(lkst_vfree_interrupted, 0);
}

static struct lkst_function lkst_vfree_function = { .begins = lkst_vfree_begins };
static struct lkst_function lkst_vfree_atomic_function = { .begins = lkst_vfree_atomic_begins };

struct lkst_source lkst_sources_vmalloc[] = {
	LKST_SOURCE_FUNCTION(LKST_VMALLOC_FUNCTION, &lkst_vmalloc_function, NULL,
			     LKST_ETYPE_MEM_VMALLOC),
	LKST_SOURCE_FUNCTION("vfree", &lkst_vfree_function, NULL, LKST_ETYPE_MEM_VFREE),
	LKST_SOURCE_FUNCTION("vfree_atomic", &lkst_vfree_atomic_function, NULL,
			     LKST_ETYPE_MEM_VFREE),
	{}
};
