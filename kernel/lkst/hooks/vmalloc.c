// SPDX-License-Identifier: GPL-2.0
/*
 * The events MEM_VMALLOC and MEM_VFREE in a kernel that has no trace points for them: from its
 * functions, which are called rarely and take long.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>

#include "../event.h"
#include "../outside.h"
#include "../source.h"

/* At a time; vmalloc() may wait for memory. */
#define LKST_VMALLOCS	256

struct lkst_vmalloc {
	unsigned long size;
	unsigned long caller;
};

/* Arguments of __vmalloc_node_range(), from 0 on. With PAE one before the last has two words. */
#define LKST_VMALLOC_SIZE	0
#define LKST_VMALLOC_CALLER	(8 + IS_ENABLED(CONFIG_X86_PAE))

static unsigned long lkst_vmalloc_caller(struct pt_regs *regs)
{
#ifdef CONFIG_ARM64
	/*
	 * The first that is on the stack, of which regs_get_kernel_argument() knows nothing, and
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

/* Who calls this has disabled preemption. */
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

/* is_vmalloc_or_module_addr(), which 6.1 does not export. */
static bool lkst_vmalloc_has(unsigned long address)
{
#ifdef MODULES_VADDR
	if (address >= MODULES_VADDR && address < MODULES_END)
		return true;
#endif
	return is_vmalloc_addr((const void *)address);
}

/*
 * The size of the memory that vfree() is called for, in bytes. A probe must not
 * take a lock: it may run in a breakpoint, which x86 and lockdep treat as an NMI,
 * and with PREEMPT_RT a lock may sleep. So this does not call find_vm_area() but
 * looks where the memory ends: the page behind an area is never mapped. Whoever
 * calls vfree() owns the area, so its page tables stay as they are.
 */
static unsigned long lkst_vfree_size(unsigned long address)
{
	unsigned long end = address;

	while (lkst_vmalloc_has(end) && vmalloc_to_page((const void *)end))
		end += PAGE_SIZE;
	return end - address;
}

/*
 * What vfree() is being called for in an interrupt. There it goes on to vfree_atomic(), which
 * leaves it to a worker, and that calls vfree() once more (from 6.3 on): one event all the same.
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
	lkst_event_nopreempt(LKST_ETYPE_MEM_VFREE, address, interrupted ? 0 : lkst_vfree_size(address),
		       lkst_function_caller(regs), 0);
}

static void lkst_vfree_atomic_begins(struct pt_regs *regs)
{
	unsigned long address = regs_get_kernel_argument(regs, 0);

	if (address && address != raw_cpu_read(lkst_vfree_interrupted))
		lkst_event_nopreempt(LKST_ETYPE_MEM_VFREE, address, 0, lkst_function_caller(regs), 0);
	raw_cpu_write(lkst_vfree_interrupted, 0);
}

static struct lkst_function lkst_vfree_function = { .begins = lkst_vfree_begins };
static struct lkst_function lkst_vfree_atomic_function = { .begins = lkst_vfree_atomic_begins };

struct lkst_source lkst_sources_vmalloc[] = {
	LKST_SOURCE_FUNCTION(LKST_VMALLOC_FUNCTION, &lkst_vmalloc_function, LKST_ETYPE_MEM_VMALLOC),
	LKST_SOURCE_FUNCTION("vfree", &lkst_vfree_function, LKST_ETYPE_MEM_VFREE),
	LKST_SOURCE_FUNCTION("vfree_atomic", &lkst_vfree_atomic_function, LKST_ETYPE_MEM_VFREE),
	{}
};
