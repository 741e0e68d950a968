// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/lkst: the device interface (specification 4.3, 4.7.1).
 */
#include <linux/capability.h>
#include <linux/cdev.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/security.h>
#include <linux/uaccess.h>
#include <linux/lkst_buffer.h>

#include "buffer.h"
#include "compat.h"
#include "device.h"
#include "etype.h"
#include "event.h"
#include "evhandler.h"
#include "maskset.h"
#include "state_dump.h"
#include "static_buffer.h"

/* Everything LKST has to say is the superuser's, and nobody's where tracing is locked down. */
static int lkst_permission(void)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

/* Bit @cpu of an array of 64-bit words, as programs of any width see it. */
static int lkst_put_online(const struct lkst_trc_status *status)
{
	u64 __user *to = u64_to_user_ptr(status->online_cpu);
	unsigned int words = min_t(unsigned int, status->online_cpu_len / sizeof(*to),
				   DIV_ROUND_UP(nr_cpu_ids, 64));
	unsigned int i, bit;

	for (i = 0; i < words; i++) {
		u64 word = 0;

		for (bit = 0; bit < 64 && i * 64 + bit < nr_cpu_ids; bit++)
			if (cpu_online(i * 64 + bit))
				word |= 1ULL << bit;
		if (put_user(word, &to[i]))
			return -EINVAL;
	}
	return 0;
}

static int lkst_put_written(const struct lkst_trc_status *status)
{
	lkst_buffer_id __user *write = u64_to_user_ptr(status->write_buf);
	lkst_buffer_id __user *read = u64_to_user_ptr(status->read_buf);
	int cpu, cpus = min_t(unsigned int, status->cpu_num, nr_cpu_ids);

	for (cpu = 0; cpu < cpus; cpu++) {
		lkst_buffer_id id = cpu_possible(cpu) ? lkst_buffer_written(cpu) :
							LKST_BUFFER_ID_VOID;

		if (write && put_user(id, &write[cpu]))
			return -EINVAL;
		if (read && put_user(LKST_BUFFER_ID_VOID, &read[cpu]))
			return -EINVAL;
	}
	return 0;
}

/* 4.7.1.1.1 */
static int lkst_ioctl_trc_status(void *arg)
{
	struct lkst_trc_status *status = arg;

	if (status->online_cpu_len % sizeof(u64) || lkst_put_online(status) ||
	    lkst_put_written(status))
		return -EINVAL;
	lkst_maskset_status(status);
	status->online_cpu_len = DIV_ROUND_UP(nr_cpu_ids, 64) * sizeof(u64);
	status->cpu_num = nr_cpu_ids;
	status->evhandler_num = lkst_evhandler_num();
	status->static_buffer_recid = lkst_static_buffer_next();
	status->static_buffer_size = lkst_static_buffer_size();
	status->lost = lkst_buffer_lost_total();
	status->clock = lkst_clock_current();
	status->version = LKST_INTERFACE_VERSION;
	status->pad = 0;
	return 0;
}

/* 4.7.1.4.1. Types of LKST itself are not for programs to make up. */
static int lkst_ioctl_entry_log(void *arg)
{
	const struct lkst_entry_args *entry = arg;

	if (!lkst_etype_registered(entry->event_type) ||
	    entry->event_type >= LKST_ETYPE_LKST_MIN)
		return -EINVAL;
	lkst_event_direct(entry->event_type, entry->log_arg1, entry->log_arg2, entry->log_arg3,
			  entry->log_arg4);
	return 0;
}

static int lkst_ioctl_statedump(void *arg)
{
	lkst_state_dump();
	return 0;
}

static int lkst_ioctl_trc_start(void *arg)
{
	return lkst_trc_start();
}

static int lkst_ioctl_trc_stop(void *arg)
{
	return lkst_trc_stop();
}

static int lkst_ioctl_maskset_set(void *arg)
{
	unsigned long id = (unsigned long)arg;

	return id > LKST_MASKSET_ID_MAX ? -EINVAL : lkst_maskset_set(id);
}

static int lkst_ioctl_maskset_read(void *arg)
{
	return lkst_maskset_read_user(arg);
}

static int lkst_ioctl_maskset_list(void *arg)
{
	return lkst_maskset_list_user(arg);
}

static int lkst_ioctl_evhandler_list(void *arg)
{
	return lkst_evhandler_list_user(arg);
}

static int lkst_ioctl_buffer_read(void *arg)
{
	return lkst_buffer_read_user(arg);
}

static int lkst_ioctl_buffer_list(void *arg)
{
	return lkst_buffer_list_user(arg);
}

/*
 * The function gets the structure that the request's number tells the size and direction
 * of, or the argument itself where that has no size.
 */
static const struct {
	unsigned int request;
	int (*func)(void *arg);
} lkst_ioctls[] = {
	{ LKST_IOC_TRC_STATUS, lkst_ioctl_trc_status },
	{ LKST_IOC_TRC_START, lkst_ioctl_trc_start },
	{ LKST_IOC_TRC_STOP, lkst_ioctl_trc_stop },
	{ LKST_IOC_TRC_STATEDUMP, lkst_ioctl_statedump },
	{ LKST_IOC_MASKSET_READ, lkst_ioctl_maskset_read },
	{ LKST_IOC_MASKSET_SET, lkst_ioctl_maskset_set },
	{ LKST_IOC_MASKSET_LIST, lkst_ioctl_maskset_list },
	{ LKST_IOC_EVHANDLER_LIST, lkst_ioctl_evhandler_list },
	{ LKST_IOC_BUFFER_READ, lkst_ioctl_buffer_read },
	{ LKST_IOC_BUFFER_LIST, lkst_ioctl_buffer_list },
	{ LKST_IOC_ENTRY_LOG, lkst_ioctl_entry_log },
};

union lkst_ioctl_arg {
	struct lkst_trc_status status;
	struct lkst_maskset_param maskset;
	struct lkst_maskset_listparam maskset_list;
	struct lkst_evhandler_listparam evhandler_list;
	struct lkst_log_buffer log_buffer;
	struct lkst_buffer_listparam buffer_list;
	struct lkst_entry_args entry;
};

/* A structure that cannot be copied is EINVAL: so the specification has it. */
static int lkst_ioctl_call(int (*func)(void *arg), unsigned int request, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	union lkst_ioctl_arg param;
	int ret;

	if (!_IOC_SIZE(request))
		return func((void *)arg);
	if (copy_from_user(&param, user, _IOC_SIZE(request)))
		return -EINVAL;
	ret = func(&param);
	if (!ret && _IOC_DIR(request) & _IOC_READ &&
	    copy_to_user(user, &param, _IOC_SIZE(request)))
		return -EINVAL;
	return ret;
}

static long lkst_ioctl(struct file *file, unsigned int request, unsigned long arg)
{
	int ret = lkst_permission();
	unsigned int i;

	if (ret)
		return ret;
	for (i = 0; i < ARRAY_SIZE(lkst_ioctls); i++)
		if (lkst_ioctls[i].request == request)
			return lkst_ioctl_call(lkst_ioctls[i].func, request, arg);
	return -ENOTTY;
}

/* 4.7.1.5.1: reading is for a process that is bound to a CPU, and none can be yet. */
static ssize_t lkst_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return lkst_permission() ?: -EBUSY;
}

static __poll_t lkst_poll(struct file *file, poll_table *wait)
{
	return EPOLLERR;
}

static const struct file_operations lkst_fops = {
	.owner = THIS_MODULE,
	.read = lkst_read,
	.poll = lkst_poll,
	.unlocked_ioctl = lkst_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = no_llseek,
};

static char *lkst_devnode(LKST_DEVNODE_DEVICE *dev, umode_t *mode)
{
	if (mode)
		*mode = 0600;
	return NULL;
}

static struct cdev lkst_cdev;

/**
 * lkst_device_start() - show /dev/lkst
 *
 * Return: 0 or a negative error.
 */
int __init lkst_device_start(void)
{
	struct device *device;
	struct class *class;
	dev_t dev;
	int ret;

	ret = alloc_chrdev_region(&dev, 0, 1, "lkst");
	if (ret)
		return ret;
	cdev_init(&lkst_cdev, &lkst_fops);
	lkst_cdev.owner = THIS_MODULE;
	ret = cdev_add(&lkst_cdev, dev, 1);
	if (ret)
		goto unregister;

	class = lkst_class_create("lkst");
	if (IS_ERR(class)) {
		ret = PTR_ERR(class);
		goto del;
	}
	class->devnode = lkst_devnode;
	device = device_create(class, NULL, dev, NULL, "lkst");
	if (IS_ERR(device)) {
		ret = PTR_ERR(device);
		goto destroy;
	}
	return 0;

destroy:
	class_destroy(class);
del:
	cdev_del(&lkst_cdev);
unregister:
	unregister_chrdev_region(dev, 1);
	return ret;
}
