// SPDX-License-Identifier: GPL-2.0
/*
 * Trace points of the class memory (0x040).
 */
#include <linux/preempt.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <linux/lkst_hook.h>

/**
 * lkst_vfree() - the hook in vfree()
 * @addr: what it frees
 * @caller: who called it
 * @late: the work that frees what was recorded earlier, in an interrupt or by vfree_atomic()
 *
 * What is recorded is what somebody gives back who got it: not memory of an allocation that fails.
 *
 * Context: any but NMI. In interrupts nobody may ask what size the area has.
 */
void lkst_vfree(const void *addr, unsigned long caller, work_func_t late)
{
	const struct vm_struct *area = in_interrupt() ? NULL : find_vm_area(addr);
	const struct work_struct *work = current_work();

	if (work && work->func == late)
		return;
	if (area && area->flags & VM_UNINITIALIZED)
		return;
	lkst_hook(LKST_ETYPE_MEM_VFREE, LKST_ARGP(addr),
		  area ? get_vm_area_size(area) : 0, caller, 0);
}
