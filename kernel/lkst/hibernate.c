// SPDX-License-Identifier: GPL-2.0
/*
 * Memory set aside, across a hibernation.
 *
 * The kernel's hibernation image does not contain memory that was set aside with memmap=. When the
 * image is restored, that memory holds what was left by the kernel that restored it, which is a
 * boot of its own and has taken a part, or noise where the power was off. But the restored kernel
 * continues to write and to read where it did before.
 *
 * So LKST copies this boot's part to ordinary memory just before the kernel makes the image, and
 * back when the kernel has been restored. No record may come between the copy and the image: the
 * image would say that it is there, and the copy would not have it. One CPU runs then, with
 * interrupts off, and it records nowhere meanwhile.
 *
 * The kernel has a tracepoint at both places. The callbacks of syscore would do as well, but what
 * they look like changes within stable series.
 *
 * Memory of reserve_mem= is in the image. Then the restored kernel finds its part unchanged.
 */
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/pm.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/vmalloc.h>
#include <trace/events/power.h>

#include "compat.h"
#include "hibernate.h"
#include "parts.h"
#include "shift.h"
#include "stage.h"

/* Constant while the notifier is registered. */
static struct lkst_boot_slots *lkst_hibernate_slots;

/*
 * Changed from PM_HIBERNATION_PREPARE to PM_POST_HIBERNATION, by one after the other: these
 * notifications, and in between the probe, when no other thread runs.
 */
static struct lkst_boot_slots_copy lkst_hibernate_copy;
static struct lkst_ring *lkst_hibernate_ring;
static bool lkst_hibernate_restored;

/* It ends twice: when the image was made, and when the kernel has been restored from it. */
static void lkst_hibernate_probe(void *unused, const char *action, int value, bool start)
{
	if (value != PM_EVENT_HIBERNATE || strcmp(action, "machine_suspend"))
		return;
	if (start) {
		lkst_hibernate_ring = lkst_shift_suspend();
		lkst_boot_slots_save(lkst_hibernate_slots, &lkst_hibernate_copy);
	} else {
		lkst_hibernate_restored =
			lkst_boot_slots_restore(lkst_hibernate_slots, &lkst_hibernate_copy);
		lkst_shift_resume(lkst_hibernate_ring);
	}
}

static int lkst_hibernate_begin(void)
{
	void *data = vmalloc(lkst_hibernate_slots->part_size);

	if (data && !register_trace_suspend_resume(lkst_hibernate_probe, NULL)) {
		lkst_hibernate_copy.data = data;
		lkst_hibernate_restored = false;
		return NOTIFY_OK;
	}
	vfree(data);
	pr_warn("lkst: no memory for a copy of this boot's part of the memory set aside: no hibernation\n");
	return notifier_from_errno(-ENOMEM);
}

static void lkst_hibernate_end(void)
{
	if (!lkst_hibernate_copy.data)
		return;
	unregister_trace_suspend_resume(lkst_hibernate_probe, NULL);
	lkst_tracepoint_synchronize();
	vfree(lkst_hibernate_copy.data);
	lkst_hibernate_copy.data = NULL;
	if (lkst_hibernate_restored)
		pr_info("lkst: restored part %d of the memory set aside after hibernation\n",
			lkst_hibernate_slots->own);
}

static int lkst_hibernate_notify(struct notifier_block *nb, unsigned long event, void *unused)
{
	if (event == PM_HIBERNATION_PREPARE)
		return lkst_hibernate_begin();
	if (event == PM_POST_HIBERNATION)
		lkst_hibernate_end();
	return NOTIFY_OK;
}

static struct notifier_block lkst_hibernate_notifier = {
	.notifier_call = lkst_hibernate_notify,
};

/**
 * lkst_hibernate_start() - keep this boot's part across hibernations from now on
 * @parts: memory set aside, with a part of this boot's; has to stay until lkst_hibernate_stop()
 *
 * Context: LKST is coming up.
 *
 * Return: 0 or a negative error.
 */
int __init lkst_hibernate_start(struct lkst_boot_slots *parts)
{
	lkst_hibernate_slots = parts;
	return register_pm_notifier(&lkst_hibernate_notifier);
}

/* Does nothing unless lkst_hibernate_start() was called. */
void __lkst_exit lkst_hibernate_stop(void)
{
	if (!lkst_hibernate_slots)
		return;
	unregister_pm_notifier(&lkst_hibernate_notifier);
	lkst_hibernate_end();
}
