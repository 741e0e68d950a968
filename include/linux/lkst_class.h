/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST event handlers as devices: /sys/class/lkst/NAME/ (specification 4.7.2.3.6, 4.7.2.3.7).
 */
#ifndef _LINUX_LKST_CLASS_H
#define _LINUX_LKST_CLASS_H

#include <linux/types.h>
#include <linux/lkst_evhandler.h>

struct device;

/**
 * struct lkst_eh_device - an event handler with attributes in sysfs
 * @name: of the event handler and of its directory
 * @id: event handler id, or LKST_EVHANDLER_ID_VOID: a free one is taken. While registered: the
 *	id that it has
 * @evhandler: event handler
 * @evhandler_ctrl: its control function; NULL: none
 * @ctrl_store: what is written to the file ctrl; returns how much of it was taken, or a
 *	negative error. May sleep. NULL: the file cannot be written
 * @ctrl_show: fills in what is read from the file ctrl, PAGE_SIZE at most; returns how much
 *	that is, or a negative error. May sleep. NULL: the file cannot be read
 * @dev: private: NULL while not registered
 * @id_wanted: private: what @id is when no longer registered
 *
 * Functions of one event handler may run side by side.
 */
struct lkst_eh_device {
	char name[LKST_EVHANDLER_NAME_LEN];
	int id;
	lkst_evhandler_func evhandler;
	lkst_evhandler_ctrl_func evhandler_ctrl;
	ssize_t (*ctrl_store)(struct lkst_eh_device *ehdev, const char *buf, size_t size);
	ssize_t (*ctrl_show)(struct lkst_eh_device *ehdev, char *buf);
	struct device *dev;
	int id_wanted;
};

/* The object that LKST_EH_DEV_DEF() defines. */
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
