// SPDX-License-Identifier: GPL-2.0
/*
 * Event handlers in sysfs: /sys/class/lkst/NAME/ (specification 4.7.2.3.6,
 * 4.7.2.3.7). The same class contains the device /dev/lkst as "lkst".
 */
#include <linux/device.h>
#include <linux/export.h>
#include <linux/kstrtox.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/lkst_class.h>

#include "class.h"
#include "../base/compat.h"
#include "permission.h"
#include "../dispatch/evhandler.h"

struct class *lkst_class;

/*
 * Set the mode of the nodes of the class, unless the type of the device has
 * already set it.
 */
static char *lkst_devnode(LKST_DEVNODE_DEVICE *dev, umode_t *mode)
{
	if (mode && !*mode)
		*mode = 0600;
	return NULL;
}

static ssize_t id_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct lkst_eh_device *ehdev = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", ehdev->id);
}

static ssize_t name_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	const struct lkst_eh_device *ehdev = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%s\n", ehdev->name);
}

static ssize_t ctrl_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct lkst_eh_device *ehdev = dev_get_drvdata(dev);

	if (!ehdev->ctrl_show)
		return -EINVAL;
	return lkst_permission() ?: ehdev->ctrl_show(ehdev, buf);
}

static ssize_t ctrl_store(struct device *dev, struct device_attribute *attr, const char *buf,
			  size_t count)
{
	struct lkst_eh_device *ehdev = dev_get_drvdata(dev);

	if (!ehdev->ctrl_store)
		return -EINVAL;
	return lkst_permission() ?: ehdev->ctrl_store(ehdev, buf, count);
}

static DEVICE_ATTR_RO(id);
static DEVICE_ATTR_RO(name);
static DEVICE_ATTR_ADMIN_RW(ctrl);

static struct attribute *lkst_eh_attrs[] = {
	&dev_attr_id.attr,
	&dev_attr_name.attr,
	&dev_attr_ctrl.attr,
	NULL
};

/*
 * Return the mode of a file. The mode of ctrl depends on which functions the
 * event handler has. If it has none, the mode is 0400, because sysfs would hide
 * a file with mode 0.
 */
static umode_t lkst_eh_attr_mode(struct kobject *kobj, struct attribute *attr, int index)
{
	const struct lkst_eh_device *ehdev = dev_get_drvdata(kobj_to_dev(kobj));

	if (attr != &dev_attr_ctrl.attr)
		return attr->mode;
	if (!ehdev->ctrl_store)
		return 0400;
	return ehdev->ctrl_show ? 0600 : 0200;
}

static const struct attribute_group lkst_eh_group = {
	.attrs = lkst_eh_attrs,
	.is_visible = lkst_eh_attr_mode,
};

static const struct attribute_group *lkst_eh_groups[] = { &lkst_eh_group, NULL };

static struct device *lkst_eh_device_create(struct lkst_eh_device *ehdev)
{
	return device_create_with_groups(lkst_class, NULL, 0, ehdev, lkst_eh_groups, "%s",
					 ehdev->name);
}

/*
 * Whether a name is free in the class. Event handlers have unique names, but
 * the name "lkst" belongs to /dev/lkst. If a name were used twice, sysfs would
 * print a warning with a stack trace.
 */
static bool lkst_eh_name_free(const char *name)
{
	struct device *dev = class_find_device_by_name(lkst_class, name);

	put_device(dev);
	return !dev;
}

/**
 * lkst_eh_device_register() - register a handler in sysfs (4.7.2.3.6)
 * @ehdev: event handler, see LKST_EH_DEV_DEF(); @ehdev->id is set to the
 *	assigned id. @ehdev must stay valid until lkst_eh_device_unregister()
 *
 * Calls lkst_evhandler_register() with the name, id, event handler and control
 * function of @ehdev, and creates the files id, name and ctrl in
 * /sys/class/lkst/NAME/. The functions of ctrl are called only for a process
 * that may use LKST, see lkst_permission().
 *
 * Context: may sleep.
 *
 * Return: the id; -EINVAL if @ehdev is NULL, is already registered, or has a
 * name that is taken in /sys/class/lkst/; -ENODEV if LKST is off; -ENOMEM; or
 * an error of lkst_evhandler_register(). On error, nothing is registered.
 */
int lkst_eh_device_register(struct lkst_eh_device *ehdev)
{
	struct device *dev;
	int id;

	if (!ehdev || ehdev->dev)
		return -EINVAL;
	if (!lkst_class)
		return -ENODEV;
	id = lkst_evhandler_register(ehdev->id, ehdev->name, ehdev->evhandler,
				     ehdev->evhandler_ctrl);
	if (id < 0)
		return id;
	ehdev->requested_id = ehdev->id;
	ehdev->id = id;
	/*
	 * While this event handler is registered, no other event handler can
	 * take its name.
	 */
	dev = lkst_eh_name_free(ehdev->name) ? lkst_eh_device_create(ehdev) : ERR_PTR(-EINVAL);
	if (IS_ERR(dev)) {
		ehdev->id = ehdev->requested_id;
		lkst_evhandler_unregister(id);
		return PTR_ERR(dev);
	}
	ehdev->dev = dev;
	return id;
}
EXPORT_SYMBOL_GPL(lkst_eh_device_register);

/**
 * lkst_eh_device_unregister() - unregister a handler in sysfs (4.7.2.3.7)
 * @ehdev: event handler; nothing happens if it is NULL or not registered
 *
 * Also calls lkst_evhandler_unregister(). When this function returns, none of
 * @ehdev's functions is running or will be called, and @ehdev can be registered
 * again.
 *
 * Context: may sleep. Waits for running functions of @ehdev, so none of them
 * may call this function.
 */
void lkst_eh_device_unregister(struct lkst_eh_device *ehdev)
{
	if (!ehdev || !ehdev->dev)
		return;
	/* Remove the files first: their functions may rely on the handler. */
	device_unregister(ehdev->dev);
	ehdev->dev = NULL;
	lkst_evhandler_unregister(ehdev->id);
	ehdev->id = ehdev->requested_id;
}
EXPORT_SYMBOL_GPL(lkst_eh_device_unregister);

/*
 * Call the control function of one of LKST's own event handlers. For these, the
 * file ctrl shows and sets the value that the control function gets and sets.
 */
static int lkst_own_ctrl(const struct lkst_eh_device *ehdev, struct lkst_evhandler_value *value)
{
	return lkst_evhandlers[ehdev->id]->ctrl(value, sizeof(*value));
}

static ssize_t lkst_own_ctrl_show(struct lkst_eh_device *ehdev, char *buf)
{
	struct lkst_evhandler_value value = {};

	return lkst_own_ctrl(ehdev, &value) ?: sysfs_emit(buf, "%u\n", value.value);
}

static ssize_t lkst_own_ctrl_store(struct lkst_eh_device *ehdev, const char *buf, size_t size)
{
	struct lkst_evhandler_value value = { .set = 1 };
	int ret = kstrtouint(buf, 0, &value.value);

	if (!ret)
		ret = lkst_own_ctrl(ehdev, &value);
	return ret ? ret : (ssize_t)size;
}

/* LKST's own event handlers. Only LKST can unregister them. */
static struct lkst_eh_device *lkst_own[LKST_EVHANDLER_ID_USER_MIN];

static int __init lkst_class_add_own(void)
{
	struct lkst_eh_device *ehdev;
	int id;

	for (id = 0; id < LKST_EVHANDLER_ID_USER_MIN; id++) {
		if (!lkst_evhandler_registered(id))
			continue;
		ehdev = kzalloc_obj(*ehdev, GFP_KERNEL);
		if (!ehdev)
			return -ENOMEM;
		lkst_own[id] = ehdev;
		strscpy(ehdev->name, lkst_evhandlers[id]->name, sizeof(ehdev->name));
		ehdev->id = id;
		if (lkst_evhandlers[id]->ctrl) {
			ehdev->ctrl_show = lkst_own_ctrl_show;
			ehdev->ctrl_store = lkst_own_ctrl_store;
		}
		ehdev->dev = lkst_eh_device_create(ehdev);
		if (IS_ERR(ehdev->dev))
			return PTR_ERR(ehdev->dev);
	}
	return 0;
}

/*
 * Remove the class. Handlers of other modules have been unregistered already.
 */
void lkst_class_stop(void)
{
	int id;

	for (id = 0; id < ARRAY_SIZE(lkst_own); id++) {
		if (lkst_own[id] && !IS_ERR_OR_NULL(lkst_own[id]->dev))
			device_unregister(lkst_own[id]->dev);
		kfree(lkst_own[id]);
		lkst_own[id] = NULL;
	}
	class_destroy(lkst_class);
	lkst_class = NULL;
}

/**
 * lkst_class_start() - create the class with LKST's own event handlers
 *
 * Return: 0 or a negative errno.
 */
int __init lkst_class_start(void)
{
	struct class *class = lkst_class_create("lkst");
	int ret;

	if (IS_ERR(class))
		return PTR_ERR(class);
	class->devnode = lkst_devnode;
	lkst_class = class;
	ret = lkst_class_add_own();
	if (ret)
		lkst_class_stop();
	return ret;
}
