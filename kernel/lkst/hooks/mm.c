// SPDX-License-Identifier: GPL-2.0
/*
 * Hook for an event of class "memory" (0x040).
 */
#include <linux/preempt.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <linux/lkst_hook.h>

/**
 * lkst_vfree() - record a call to vfree(); called from vfree()
 * @addr: address to be freed
 * @caller: address that called vfree()
 * @late: work function that frees memory after vfree() or vfree_atomic() was
 *	called in an interrupt. The call in the interrupt has been recorded, so
 *	calls from @late are not recorded
 *
 * Only memory that an allocation returned is recorded. vfree() is also called
 * when an allocation fails half-way. VM_UNINITIALIZED is then set in the area.
 *
 * Context: any but NMI. The size is not available in interrupts, because
 * find_vm_area() takes a lock.
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
