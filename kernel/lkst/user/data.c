// SPDX-License-Identifier: GPL-2.0
/*
 * The file through which programs register and record events. It has the same
 * interface as the file user_events_data of the kernel's own user_events.
 */
#include <linux/compat.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/nospec.h>
#include <linux/overflow.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_user_events.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../dispatch/chain.h"
#include "../dispatch/event.h"
#include "../dispatch/event_fast.h"
#include "../tree/tree.h"
#include "budget.h"
#include "data.h"
#include "enabler.h"
#include "registry.h"

/**
 * struct lkst_data_events - the events that were registered through a file
 * @rcu: frees the structure after the last writer has stopped using it
 * @num: number of elements of @event, including unused ones
 * @event: the events, indexed by write index; unused elements are NULL. The
 *	file holds a reference to each event until the file is closed
 */
struct lkst_data_events {
	struct rcu_head rcu;
	unsigned int num;
	struct lkst_user_event *event[];
};

/**
 * struct lkst_data - an open file
 * @events: the events that were registered through it, or NULL. write() reads
 *	this under RCU
 * @budget: budget of the writer, or NULL if it has privileges
 * @num: number of events
 * @mutex: serializes changes of @events and @num
 * @who: the user who opened the file
 */
struct lkst_data {
	struct lkst_data_events __rcu *events;
	struct lkst_budget *budget;
	unsigned int num;
	struct mutex mutex;	/* protects @events and @num */
	struct lkst_user_who who;
};

/*
 * Copy of the payload of an event that is recorded as a chain, while the
 * payload is checked and recorded.
 */
struct lkst_data_page {
	char bytes[LKST_CHAIN_BYTES_MAX];
} __aligned(sizeof(u64));

static struct lkst_data_page __percpu *lkst_data_pages;

/**
 * union lkst_data_short - the beginning of what a program writes
 * @word: the whole union as words, for copying; word 0 is @pad
 * @pad: not used; aligns @arg like the arguments of an event
 * @index: the write index
 * @arg: the payload
 */
union lkst_data_short {
	u32 word[2 + LKST_FORMAT_RECORD / sizeof(u32)];
	struct {
		u32 pad;
		s32 index;
		u64 arg[LKST_FORMAT_RECORD / sizeof(u64)];
	};
};

#define LKST_DATA_SHORT		(sizeof(s32) + LKST_FORMAT_RECORD)

/*
 * Return the event to which a write index refers, or NULL. The event stays
 * valid while the file is open. Context: preemption off.
 */
static __always_inline struct lkst_user_event *lkst_data_find(struct lkst_data *data, s32 index)
{
	const struct lkst_data_events *events = rcu_dereference_sched(data->events);

	if (unlikely(!events || index >= events->num))
		return NULL;
	/* Pairs with the release in lkst_data_append(). */
	return READ_ONCE(events->event[array_index_nospec(index, events->num)]);
}

/*
 * Whether an event with a payload of @bytes may be recorded. Returns 0 or a
 * negative errno.
 */
static __always_inline int lkst_data_check(const struct lkst_user_event *event, size_t bytes)
{
	if (unlikely(!event))
		return -ENOENT;
	if (unlikely(bytes < event->min_size))
		return -EINVAL;
	/*
	 * This check reads the selected maskset, not the program's bit. So it
	 * is correct even if the bit has not been changed yet after a switch of
	 * the maskset.
	 */
	if (unlikely(lkst_maskset_handler(event->etype) == LKST_EVHANDLER_ID_NONE))
		return -EBADF;
	return 0;
}

/*
 * Whether to handle an event. If the writer has a budget, first check whether
 * the event's rule drops the event. If so, the event takes nothing from the
 * budget, and must not be handled at all: handling it would apply the rule once
 * more. Meanwhile, another thread of the program may have changed what the rule
 * reads, so the rule could then record an event for which nothing was taken
 * from the budget.
 */
static __always_inline bool lkst_data_affordable(struct lkst_data *data, int etype,
						 const struct lkst_payload *payload,
						 const u64 *arg, unsigned int records)
{
	return likely(!data->budget) || (lkst_event_passes(etype, payload, arg) &&
					 lkst_budget_take(data->budget, records));
}

/* Record an event that fits in one record. Context: preemption off. */
static __always_inline void lkst_data_record(struct lkst_data *data,
					     const struct lkst_user_event *event, const u64 *arg)
{
	if (lkst_data_affordable(data, event->etype, NULL, arg, 1))
		lkst_event_inline(event->etype, arg[0], arg[1], arg[2], arg[3]);
}

/* Record an event as a chain. Context: preemption off. */
static void lkst_data_record_chain(struct lkst_data *data, const struct lkst_user_event *event,
				   const struct lkst_data_page *page, size_t bytes)
{
	const struct lkst_payload payload = {
		.data = page->bytes,
		.bytes = min_t(size_t, bytes, sizeof(page->bytes)),
		.flags = bytes > sizeof(page->bytes) ? LKST_CHAIN_CUT : 0,
	};

	if (lkst_data_affordable(data, event->etype, &payload, NULL,
				 1 + LKST_CHAIN_PARTS_OF(payload.bytes)))
		lkst_event_chain(event->etype, &payload);
}

/*
 * Copy a payload to the page of this CPU, check it, and record it. Preemption
 * stays off from the copy to the last record, so that no other writer changes
 * the page. The copy is checked rather than the payload itself, so the program
 * cannot change what has been checked. With preemption off, a page of the
 * program cannot be faulted in: if it is not present, the function returns
 * false, and *@ret is not set.
 */
static bool lkst_data_try_chain(struct lkst_data *data, const struct lkst_user_event *event,
				struct iov_iter *from, ssize_t *ret)
{
	size_t bytes = iov_iter_count(from), now = min_t(size_t, bytes, LKST_CHAIN_BYTES_MAX);
	struct lkst_data_page *page;
	struct iov_iter copy = *from;
	bool copied;

	preempt_disable_notrace();
	page = this_cpu_ptr(lkst_data_pages);
	pagefault_disable();
	/* copy_from_iter() has checks that may sleep on PREEMPT_RT. */
	copied = _copy_from_iter(page->bytes, now, &copy) == now;
	pagefault_enable();
	if (copied) {
		/*
		 * A payload that is cut cannot be checked. Readers mark such a
		 * payload, and do not trust the locations in it.
		 */
		*ret = now == bytes ? lkst_format_validate(event->format, page->bytes, now) : 0;
		if (!*ret)
			lkst_data_record_chain(data, event, page, bytes);
	}
	preempt_enable_notrace();
	return copied;
}

static ssize_t lkst_data_write_chain(struct lkst_data *data, const struct lkst_user_event *event,
				     struct iov_iter *from)
{
	size_t now = min_t(size_t, iov_iter_count(from), LKST_CHAIN_BYTES_MAX);
	ssize_t ret;

	if (lkst_data_try_chain(data, event, from, &ret))
		return ret;
	if (fault_in_iov_iter_readable(from, now) ||
	    !lkst_data_try_chain(data, event, from, &ret))
		return -EFAULT;
	return ret;
}

static ssize_t lkst_data_write_short(struct lkst_data *data, const struct lkst_user_event *event,
				     struct iov_iter *from)
{
	size_t now = min_t(size_t, iov_iter_count(from), LKST_FORMAT_RECORD);
	u64 arg[LKST_FORMAT_RECORD / sizeof(u64)] = {};

	if (copy_from_iter(arg, now, from) != now)
		return -EFAULT;
	preempt_disable_notrace();
	lkst_data_record(data, event, arg);
	preempt_enable_notrace();
	return 0;
}

/* The slow path of write(): handles all cases that the fast path does not. */
static noinline ssize_t lkst_data_write(struct lkst_data *data, struct iov_iter *from)
{
	size_t bytes = iov_iter_count(from);
	struct lkst_user_event *event;
	ssize_t ret;
	s32 index;

	if (copy_from_iter(&index, sizeof(index), from) != sizeof(index))
		return -EFAULT;
	if (index < 0)
		return -EINVAL;
	preempt_disable_notrace();
	event = lkst_data_find(data, index);
	ret = lkst_data_check(event, iov_iter_count(from));
	preempt_enable_notrace();
	if (ret)
		return ret;
	ret = event->chain ? lkst_data_write_chain(data, event, from) :
			     lkst_data_write_short(data, event, from);
	return ret ?: bytes;
}

static noinline ssize_t lkst_data_write_user(struct lkst_data *data, const char __user *user,
					     size_t count)
{
	struct iov_iter from;

	if (!access_ok(user, count))
		return -EFAULT;
	iov_iter_ubuf(&from, ITER_SOURCE, (void __user *)user, count);
	return lkst_data_write(data, &from);
}

/*
 * Copy @count bytes that a program writes to @to, and fill the rest of @to with
 * zeros. Return false if the address is wrong. @count is at most
 * LKST_DATA_SHORT.
 *
 * Copying words takes far fewer instructions than copy_from_user() with its
 * checks. The code uses pointers instead of arrays: with UBSAN, an access to an
 * array calls a function, and no function may be called while user memory is
 * accessible.
 */
static __always_inline bool lkst_data_copy(union lkst_data_short *to, const char __user *user,
					   size_t count)
{
	u32 *word = (u32 *)&to->index;
	u8 *byte = (u8 *)&to->index;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(to->arg); i++)
		to->arg[i] = 0;
	if (!user_read_access_begin(user, count))
		return false;
	for (i = 0; i < count / sizeof(u32); i++)
		unsafe_get_user(word[i], (const u32 __user *)user + i, fault);
	for (i *= sizeof(u32); i < count; i++)
		unsafe_get_user(byte[i], (const u8 __user *)user + i, fault);
	user_read_access_end();
	return true;
fault:
	user_read_access_end();
	return false;
}

/*
 * The fast path: an event that fits in one record. It copies the write index
 * and the payload in a single pass, although only the write index shows whether
 * the event fits in one record. The copy has no side effect. If it fails, or if
 * the event is a chain, the slow path starts over: it checks the write index
 * and the event before it accesses the payload, so that the right error is
 * returned.
 */
static ssize_t lkst_data_fops_write(struct file *file, const char __user *user, size_t count,
				    loff_t *pos)
{
	struct lkst_data *data = file->private_data;
	const struct lkst_user_event *event;
	union lkst_data_short from;
	ssize_t ret;
	bool chain;

	if (unlikely(*pos))
		return -EFAULT;
	if (unlikely(count < sizeof(from.index) || count > LKST_DATA_SHORT ||
		     !lkst_data_copy(&from, user, count) || from.index < 0))
		return lkst_data_write_user(data, user, count);
	preempt_disable_notrace();
	event = lkst_data_find(data, from.index);
	ret = lkst_data_check(event, count - sizeof(from.index));
	chain = !ret && event->chain;
	if (likely(!ret && !chain))
		lkst_data_record(data, event, from.arg);
	preempt_enable_notrace();
	if (unlikely(chain))
		return lkst_data_write_user(data, user, count);
	return ret ?: count;
}

static ssize_t lkst_data_fops_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	if (iocb->ki_pos)
		return -EFAULT;
	return lkst_data_write(iocb->ki_filp->private_data, from);
}

/* Return the write index of an event, or -ENOENT if the event has none. */
static int lkst_data_index(const struct lkst_data *data, const struct lkst_data_events *events,
			   const struct lkst_user_event *event)
{
	unsigned int i;

	for (i = 0; i < data->num; i++)
		if (events->event[i] == event)
			return i;
	return -ENOENT;
}

/*
 * Replace the array, which may be NULL and which writers may be using, with one
 * that is twice as long. Return the new one, or NULL if an allocation fails.
 */
static struct lkst_data_events *lkst_data_grow(struct lkst_data *data,
					       struct lkst_data_events *events)
{
	unsigned int num = events ? 2 * events->num : 1;
	struct lkst_data_events *longer;

	longer = kzalloc(struct_size(longer, event, num), GFP_KERNEL_ACCOUNT);
	if (!longer)
		return NULL;
	longer->num = num;
	if (events)
		memcpy(longer->event, events->event, flex_array_size(events, event, events->num));
	/* A writer that sees the array must also see its contents. */
	rcu_assign_pointer(data->events, longer);
	if (events)
		kfree_rcu(events, rcu);
	return longer;
}

/*
 * Add an event to the file, and take over the caller's reference to it. Return
 * the write index or -ENOMEM.
 */
static int lkst_data_append(struct lkst_data *data, struct lkst_data_events *events,
			    struct lkst_user_event *event)
{
	if (!events || data->num == events->num)
		events = lkst_data_grow(data, events);
	if (!events)
		return -ENOMEM;
	/* A writer that sees the event must also see its contents. */
	smp_store_release(&events->event[data->num], event);
	return data->num++;
}

/*
 * Return the write index of an event, which is added to the file if necessary.
 * Takes over the caller's reference to the event, even on error.
 */
static int lkst_data_add(struct lkst_data *data, struct lkst_user_event *event)
{
	struct lkst_data_events *events;
	int index;
	bool new;

	mutex_lock(&data->mutex);
	events = rcu_dereference_protected(data->events, lockdep_is_held(&data->mutex));
	index = lkst_data_index(data, events, event);
	new = index < 0;
	if (new)
		index = lkst_data_append(data, events, event);
	mutex_unlock(&data->mutex);
	if (!new || index < 0)
		lkst_user_event_put(event);
	return index;
}

/*
 * Copy a structure whose first member is its size. The structure of a program
 * may be longer than the kernel's structure, if all additional bytes are 0.
 */
static int lkst_data_copy_struct(void *to, size_t known, const void __user *from)
{
	u32 size;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	if (size < known)
		return -EINVAL;
	return copy_struct_from_user(to, known, from, size);
}

static int lkst_data_get_reg(struct lkst_user_reg *reg, const void __user *from)
{
	int ret = lkst_data_copy_struct(reg, sizeof(*reg), from);

	if (ret)
		return ret;
	if (reg->flags & ~(LKST_USER_PERSIST | LKST_USER_MULTI_FORMAT))
		return -EINVAL;
	if (reg->enable_size != sizeof(u32) &&
	    (reg->enable_size != sizeof(u64) || !IS_ENABLED(CONFIG_64BIT)))
		return -EINVAL;
	/* The size is a power of two. */
	if (reg->enable_addr & (reg->enable_size - 1))
		return -EINVAL;
	if (reg->enable_bit >= reg->enable_size * BITS_PER_BYTE)
		return -EINVAL;
	if (reg->enable_addr != (unsigned long)reg->enable_addr ||
	    !access_ok((void __user *)(unsigned long)reg->enable_addr, reg->enable_size))
		return -EFAULT;
	return 0;
}

static const char __user *lkst_data_user_text(u64 address)
{
	return (const char __user *)(unsigned long)address;
}

static int lkst_data_register(struct lkst_data *data, void __user *arg)
{
	struct lkst_user_event *event;
	struct lkst_user_reg reg;
	char *command;
	int ret, index;

	ret = lkst_data_get_reg(&reg, arg) ?: lkst_enabler_check(reg.enable_addr, reg.enable_bit);
	if (ret)
		return ret;
	command = strndup_user(lkst_data_user_text(reg.name_args), LKST_USER_TEXT_MAX);
	if (IS_ERR(command))
		return PTR_ERR(command);
	event = lkst_user_register(command, reg.flags, &data->who);
	kfree(command);
	if (IS_ERR(event))
		return PTR_ERR(event);
	lkst_tree_update();
	index = lkst_data_add(data, event);
	if (index < 0)
		return index;
	/*
	 * The file keeps its reference to the event, even if one of the calls
	 * below fails.
	 */
	ret = lkst_enabler_add(event, reg.enable_addr, reg.enable_bit, reg.enable_size,
			       data->who.privileged);
	if (ret)
		return ret;
	return put_user(index, (u32 __user *)(arg + offsetof(struct lkst_user_reg, write_index)));
}

static int lkst_data_delete(const char __user *arg)
{
	char *name = strndup_user(arg, LKST_USER_TEXT_MAX);
	int ret;

	if (IS_ERR(name))
		return PTR_ERR(name);
	ret = lkst_user_delete(NULL, name, NULL);
	lkst_tree_update();
	kfree(name);
	return ret;
}

static int lkst_data_unregister(const void __user *arg)
{
	struct lkst_user_unreg unreg;
	int ret = lkst_data_copy_struct(&unreg, sizeof(unreg), arg);

	if (ret)
		return ret;
	if (unreg.__reserved || unreg.__reserved2)
		return -EINVAL;
	if (unreg.disable_addr != (unsigned long)unreg.disable_addr)
		return -ENOENT;
	return lkst_enabler_remove(unreg.disable_addr, unreg.disable_bit);
}

static long lkst_data_fops_ioctl(struct file *file, unsigned int request, unsigned long arg)
{
	struct lkst_data *data = file->private_data;
	void __user *user = (void __user *)arg;

	switch (request) {
	case LKST_USER_REG:
		return lkst_data_register(data, user);
	case LKST_USER_DELETE:
		return lkst_data_delete(user);
	case LKST_USER_UNREG:
		return lkst_data_unregister(user);
	default:
		return -ENOTTY;
	}
}

#ifdef CONFIG_COMPAT
/*
 * The number of a request contains the size of a pointer, so a 32-bit program
 * passes other numbers. The structures are the same.
 */
static long lkst_data_fops_compat_ioctl(struct file *file, unsigned int request,
					unsigned long arg)
{
	if (_IOC_SIZE(request) == sizeof(compat_uptr_t))
		request = _IOC(_IOC_DIR(request), _IOC_TYPE(request), _IOC_NR(request),
			       sizeof(void *));
	return lkst_data_fops_ioctl(file, request, (unsigned long)compat_ptr(arg));
}
#else
#define lkst_data_fops_compat_ioctl	NULL
#endif

static int lkst_data_fops_open(struct inode *inode, struct file *file)
{
	int ret = security_locked_down(LOCKDOWN_TRACEFS);
	struct lkst_data *data;

	if (ret)
		return ret;
	data = kzalloc_obj(*data, GFP_KERNEL_ACCOUNT);
	if (!data)
		return -ENOMEM;
	mutex_init(&data->mutex);
	data->who.owner = lkst_budget_user(file->f_cred);
	data->who.privileged = perfmon_capable();
	if (!data->who.privileged) {
		data->budget = lkst_budget_get(data->who.owner);
		if (!data->budget) {
			kfree(data);
			return -ENOMEM;
		}
	}
	file->private_data = data;
	return 0;
}

static int lkst_data_fops_release(struct inode *inode, struct file *file)
{
	struct lkst_data *data = file->private_data;
	/* The last descriptor is closed, so no other function uses the file. */
	struct lkst_data_events *events = rcu_dereference_protected(data->events, true);
	unsigned int i;

	for (i = 0; i < data->num; i++)
		lkst_user_event_put(events->event[i]);
	kfree(events);
	if (data->budget)
		lkst_budget_put(data->budget);
	kfree(data);
	return 0;
}

const struct file_operations lkst_user_data_fops = {
	.owner = THIS_MODULE,
	.open = lkst_data_fops_open,
	.release = lkst_data_fops_release,
	.write = lkst_data_fops_write,
	.write_iter = lkst_data_fops_write_iter,
	.unlocked_ioctl = lkst_data_fops_ioctl,
	.compat_ioctl = lkst_data_fops_compat_ioctl,
};

/**
 * lkst_data_start() - allocate the pages to which payloads are copied
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_data_start(void)
{
	lkst_data_pages = alloc_percpu(struct lkst_data_page);
	return lkst_data_pages ? 0 : -ENOMEM;
}

void __lkst_exit lkst_data_stop(void)
{
	free_percpu(lkst_data_pages);
	lkst_budget_end();
}
