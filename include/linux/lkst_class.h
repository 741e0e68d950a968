/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST event handlers as devices: /sys/class/lkst/NAME/ (specification
 * 4.7.2.3.6, 4.7.2.3.7).
 */
#ifndef _LINUX_LKST_CLASS_H
#define _LINUX_LKST_CLASS_H

#include <linux/types.h>
#include <linux/lkst_evhandler.h>

struct device;

/**
 * struct lkst_eh_device - an event handler with attributes in sysfs
 * @name: name of the event handler and of its directory
 * @id: event handler id. Before registration, the id to register, or
 *	LKST_EVHANDLER_ID_VOID for any free one; while registered, the actual id
 * @evhandler: called for each event
 * @evhandler_ctrl: control function, or NULL
 * @ctrl_store: handles a write to the file ctrl. Returns the number of bytes
 *	consumed or a negative errno. May sleep. NULL if the file is not
 *	writable
 * @ctrl_show: fills @buf, of PAGE_SIZE bytes, for a read of the file ctrl.
 *	Returns the number of bytes stored or a negative errno. May sleep. NULL
 *	if the file is not readable
 * @dev: private to LKST: the device, or NULL while not registered
 * @requested_id: private to LKST: value of @id before registration, which
 *	unregistration restores
 *
 * The functions of one event handler may run concurrently.
 */
struct lkst_eh_device {
	char name[LKST_EVHANDLER_NAME_LEN];
	int id;
	lkst_evhandler_func evhandler;
	lkst_evhandler_ctrl_func evhandler_ctrl;
	ssize_t (*ctrl_store)(struct lkst_eh_device *ehdev, const char *buf, size_t size);
	ssize_t (*ctrl_show)(struct lkst_eh_device *ehdev, char *buf);
	struct device *dev;
	int requested_id;
};

/* Name of the struct lkst_eh_device that LKST_EH_DEV_DEF() defines. */
#define LKST_EH_DEV(_name)	lkst_eh_device_##_name

#define LKST_EH_DEV_DEF(_name, evh, evh_ctl, cstore, cshow)				\
	static struct lkst_eh_device LKST_EH_DEV(_name) = {				\
		.name = #_name,								\
		.id = LKST_EVHANDLER_ID_VOID,						\
		.evhandler = (evh),							\
		.evhandler_ctrl = (evh_ctl),						\
		.ctrl_store = (cstore),							\
		.ctrl_show = (cshow),							\
	}

int lkst_eh_device_register(struct lkst_eh_device *ehdev);
void lkst_eh_device_unregister(struct lkst_eh_device *ehdev);

#endif
