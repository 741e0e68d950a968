// SPDX-License-Identifier: GPL-2.0
/*
 * Keep this boot's slot of reserved memory across hibernation.
 *
 * The kernel's hibernation image does not contain memory that was reserved with
 * memmap=. When the image is restored, that memory contains what the restoring
 * kernel has left there: that kernel counts as a separate boot and has taken a
 * slot. After a power failure, all other slots contain noise. But the restored
 * kernel continues to write and read at the old addresses.
 *
 * So LKST copies this boot's slot to ordinary memory just before the kernel
 * makes the image, and back when the kernel has been restored. No record may be
 * written between the copy and the image: the state of the ring in the image
 * would include the record, but the copy would not. At that time only one CPU
 * is running, with interrupts off, and LKST suspends recording on it.
 *
 * The kernel has a tracepoint at both moments. Syscore callbacks would also
 * work, but their prototypes change within stable series.
 *
 * Memory reserved with reserve_mem= is in the image. The restored kernel then
 * finds its slot unchanged.
 */
#include <linux/kernel.h>
#include <linux/notifier.h>
#include <linux/pm.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/vmalloc.h>
#include <trace/events/power.h>

#include "../base/compat.h"
#include "hibernate.h"
#include "boot_slots.h"
#include "../base/stage.h"

/* Constant while the notifier is registered. */
static struct lkst_boot_slots *lkst_hibernate_slots;

/*
 * These variables are used from PM_HIBERNATION_PREPARE to PM_POST_HIBERNATION.
 * They need no lock: the notifier and the probe never change them at the same
 * time, because no other thread is running when the probe is called.
 */
static struct lkst_boot_slots_copy lkst_hibernate_copy;
static struct lkst_ring *lkst_hibernate_ring;
static bool lkst_hibernate_restored;

/*
 * Save this boot's slot when the action "machine_suspend" of a hibernation
 * starts, and restore it when the action ends. The action ends twice: when the
 * image has been made, and when the kernel has been restored from it.
 */
static void lkst_hibernate_probe(void *unused, const char *action, int value, bool start)
{
	if (value != PM_EVENT_HIBERNATE || strcmp(action, "machine_suspend"))
		return;
	if (start) {
		lkst_hibernate_ring = lkst_hibernate_client.suspend();
		lkst_boot_slots_save(lkst_hibernate_slots, &lkst_hibernate_copy);
	} else {
		lkst_hibernate_restored =
			lkst_boot_slots_restore(lkst_hibernate_slots, &lkst_hibernate_copy);
		lkst_hibernate_client.resume(lkst_hibernate_ring);
	}
}

static int lkst_hibernate_begin(void)
{
	void *data = vmalloc(lkst_hibernate_slots->slot_size);

	if (data && !register_trace_suspend_resume(lkst_hibernate_probe, NULL)) {
		lkst_hibernate_copy.data = data;
		lkst_hibernate_restored = false;
		return NOTIFY_OK;
	}
	vfree(data);
	pr_warn("lkst: no memory for a copy of this boot's slot of the reserved memory: no hibernation\n");
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
		pr_info("lkst: restored slot %d of the reserved memory after hibernation\n",
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
 * lkst_hibernate_start() - start keeping this boot's slot across hibernation
 * @slots: reserved memory with a slot of this boot; must stay valid until
 *	lkst_hibernate_stop()
 *
 * Context: while LKST starts.
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_hibernate_start(struct lkst_boot_slots *slots)
{
	lkst_hibernate_slots = slots;
	return register_pm_notifier(&lkst_hibernate_notifier);
}

/*
 * Stop keeping this boot's slot across hibernation. Does nothing unless
 * lkst_hibernate_start() was called.
 */
void __lkst_exit lkst_hibernate_stop(void)
{
	if (!lkst_hibernate_slots)
		return;
	unregister_pm_notifier(&lkst_hibernate_notifier);
	lkst_hibernate_end();
}
