// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of event handlers and of their control functions, through which
 * programs configure a handler (specification 4.2.1, 4.7.1.2.6, 4.7.1.2.7,
 * 4.7.2.3).
 */
#include <linux/bitmap.h>
#include <linux/ctype.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/srcu.h>
#include <linux/string.h>

#include "../base/compat.h"
#include "evhandler.h"
#include "maskset.h"
#include "../base/sync.h"

/*
 * Serializes changes of lkst_evhandlers[] and lkst_evhandler_ids. Taken before
 * the maskset mutex. Must not be held while waiting for a handler or a control
 * function, because a control function may register another handler.
 */
static DEFINE_MUTEX(lkst_evhandler_mutex);

/*
 * Ids in use. While a handler is being unregistered, its id stays in use: an
 * event that was meant for it must not reach a new handler with the same id.
 */
static DECLARE_BITMAP(lkst_evhandler_ids, LKST_EVHANDLER_ID_MAX + 1);

/* Read-locked while a control function runs. Control functions may sleep. */
DEFINE_STATIC_SRCU(lkst_evhandler_ctrl_srcu);

/* Return the number of event handlers. */
int lkst_evhandler_num(void)
{
	int id, num = 0;

	for (id = 0; id <= LKST_EVHANDLER_ID_MAX; id++)
		num += lkst_evhandler_registered(id);
	return num;
}

/* Whether @name could be the name of a directory in sysfs. */
static bool lkst_evhandler_name_valid(const char *name)
{
	size_t i, len = name ? strnlen(name, LKST_EVHANDLER_NAME_LEN) : 0;

	if (!len || len == LKST_EVHANDLER_NAME_LEN || !strcmp(name, ".") || !strcmp(name, ".."))
		return false;
	for (i = 0; i < len; i++)
		if (iscntrl(name[i]) || name[i] == '/')
			return false;
	return true;
}

/*
 * Find a handler by name. Return its id, or LKST_EVHANDLER_ID_VOID. The caller
 * holds lkst_evhandler_mutex or rcu_read_lock().
 */
static int lkst_evhandler_find(const char *name)
{
	const struct lkst_evhandler *handler;
	int id;

	for (id = 0; id <= LKST_EVHANDLER_ID_MAX; id++) {
		handler = READ_ONCE(lkst_evhandlers[id]);
		if (handler && !strcmp(handler->name, name))
			return id;
	}
	return LKST_EVHANDLER_ID_VOID;
}

/*
 * Reserve @id or, if it is LKST_EVHANDLER_ID_VOID, the lowest free id. Return
 * the id or a negative errno.
 */
static int lkst_evhandler_take_id(lkst_evhandler_id id)
{
	lockdep_assert_held(&lkst_evhandler_mutex);
	if (id == LKST_EVHANDLER_ID_VOID) {
		id = find_next_zero_bit(lkst_evhandler_ids, LKST_EVHANDLER_ID_MAX + 1,
					LKST_EVHANDLER_ID_USER_MIN);
		if (id > LKST_EVHANDLER_ID_MAX)
			return -ENOSPC;
	} else if (id < LKST_EVHANDLER_ID_USER_MIN || id > LKST_EVHANDLER_ID_MAX ||
		   test_bit(id, lkst_evhandler_ids)) {
		return -EINVAL;
	}
	__set_bit(id, lkst_evhandler_ids);
	return id;
}

/*
 * Register an event handler, and free it on error. Return the id or a negative
 * errno, as lkst_evhandler_register().
 */
static int lkst_evhandler_publish(lkst_evhandler_id id, const struct lkst_evhandler *handler)
{
	int ret = -EINVAL;

	mutex_lock(&lkst_evhandler_mutex);
	if (lkst_evhandler_find(handler->name) == LKST_EVHANDLER_ID_VOID)
		ret = lkst_evhandler_take_id(id);
	if (ret >= 0)
		/*
		 * A CPU that sees the pointer must also see what it points to.
		 */
		smp_store_release(&lkst_evhandlers[ret], handler);
	mutex_unlock(&lkst_evhandler_mutex);

	if (ret < 0)
		kfree(handler);
	return ret;
}

/**
 * lkst_evhandler_register() - register an event handler (4.7.2.3.3)
 * @id: LKST_EVHANDLER_ID_USER_MIN to LKST_EVHANDLER_ID_MAX, or
 *	LKST_EVHANDLER_ID_VOID for the lowest free id
 * @name: unique, 1 to 31 bytes, without control characters or "/"; copied
 * @evhandler: event handler, see lkst_evhandler_func
 * @evhandler_ctrl: control function, or NULL
 *
 * At first, no maskset uses the handler. The handler may be called as soon as a
 * maskset that uses it is selected, possibly before this function returns.
 *
 * Context: may sleep. May be called by a control function.
 *
 * Return: the id; -EINVAL if @id is out of range or in use, @name is invalid or
 * in use, or @evhandler is NULL; -ENOSPC if no id is free; -ENOMEM.
 */
int lkst_evhandler_register(lkst_evhandler_id id, const char *name,
			    lkst_evhandler_func evhandler,
			    lkst_evhandler_ctrl_func evhandler_ctrl)
{
	struct lkst_evhandler *handler;

	if (!evhandler || !lkst_evhandler_name_valid(name))
		return -EINVAL;
	handler = kzalloc_obj(*handler, GFP_KERNEL);
	if (!handler)
		return -ENOMEM;
	strscpy(handler->name, name, sizeof(handler->name));
	handler->func = evhandler;
	handler->ctrl = evhandler_ctrl;
	return lkst_evhandler_publish(id, handler);
}
EXPORT_SYMBOL_GPL(lkst_evhandler_register);

/**
 * lkst_evhandler_register_decider() - register an event handler that decides
 *	whether events are recorded
 * @name: as for lkst_evhandler_register()
 * @decider: its functions
 * @data: passed to these functions
 *
 * Context: may sleep.
 *
 * Return: the id, or an error as for lkst_evhandler_register().
 */
int lkst_evhandler_register_decider(const char *name, const struct lkst_evhandler_decider *decider,
				    void *data)
{
	struct lkst_evhandler *handler;

	if (!lkst_evhandler_name_valid(name))
		return -EINVAL;
	handler = kzalloc_obj(*handler, GFP_KERNEL);
	if (!handler)
		return -ENOMEM;
	strscpy(handler->name, name, sizeof(handler->name));
	handler->decider = decider;
	handler->data = data;
	return lkst_evhandler_publish(LKST_EVHANDLER_ID_VOID, handler);
}

/*
 * Whether an event handler must not be used for lock events. The caller holds
 * lkst_maskset_mutex, so a handler that a maskset uses is not freed.
 */
bool lkst_evhandler_takes_locks(int id)
{
	const struct lkst_evhandler *handler;
	bool takes;

	rcu_read_lock();
	handler = id <= LKST_EVHANDLER_ID_MAX ? READ_ONCE(lkst_evhandlers[id]) : NULL;
	takes = handler && handler->decider && handler->decider->takes_locks;
	rcu_read_unlock();
	return takes;
}

/*
 * Remove a handler from all tables, and return it, or NULL if it is not
 * registered. First remove the entry in lkst_evhandlers[], so that no new
 * maskset can use the handler. Then replace the handler with the default one in
 * all masksets. After this, the caller need wait only once: the same wait
 * covers handler calls that are in progress, and events for which a CPU read
 * one of the tables before it was changed.
 */
static const struct lkst_evhandler *lkst_evhandler_take_out(lkst_evhandler_id id)
{
	const struct lkst_evhandler *handler;

	mutex_lock(&lkst_evhandler_mutex);
	handler = lkst_evhandlers[id];
	if (handler) {
		WRITE_ONCE(lkst_evhandlers[id], NULL);
		lkst_maskset_forget_evhandler(id);
	}
	mutex_unlock(&lkst_evhandler_mutex);
	return handler;
}

/**
 * lkst_evhandler_unregister() - unregister an event handler (4.7.2.3.4)
 * @id: id of an event handler that is not LKST's own
 *
 * Masksets with this handler get the default handler,
 * LKST_EVHANDLER_ID_ENTRY_LOG, instead. So the same events are still recorded.
 * When this function returns, neither the handler nor its control function is
 * running or will be called.
 *
 * Context: may sleep. Waits for running control functions, so neither an event
 * handler nor a control function may call it.
 *
 * Return: 0, or -EINVAL if there is no such handler or it is LKST's own.
 */
int lkst_evhandler_unregister(lkst_evhandler_id id)
{
	const struct lkst_evhandler *handler;

	if (id < LKST_EVHANDLER_ID_USER_MIN || id > LKST_EVHANDLER_ID_MAX)
		return -EINVAL;
	handler = lkst_evhandler_take_out(id);
	if (!handler)
		return -EINVAL;
	lkst_synchronize();
	synchronize_srcu(&lkst_evhandler_ctrl_srcu);
	kfree(handler);

	mutex_lock(&lkst_evhandler_mutex);
	__clear_bit(id, lkst_evhandler_ids);
	mutex_unlock(&lkst_evhandler_mutex);
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_evhandler_unregister);

/**
 * lkst_evhandler_list_num() - list the event handlers, and count them
 * @evhandler_listparam: address and size of the list, in kernel memory
 *
 * The list is in ascending order of ids. It is cut off if it does not fit.
 *
 * Context: may sleep.
 *
 * Return: number of entries stored; -EINVAL if @evhandler_listparam or the list
 * is NULL, or if the size is negative.
 */
int lkst_evhandler_list_num(struct lkst_evhandler_listparam *evhandler_listparam)
{
	const struct lkst_evhandler *handler;
	struct lkst_evhandler_listent *to;
	int id, num = 0;
	u64 room;

	if (!evhandler_listparam || !evhandler_listparam->listent ||
	    (s64)evhandler_listparam->listent_size < 0)
		return -EINVAL;
	to = (struct lkst_evhandler_listent *)(unsigned long)evhandler_listparam->listent;
	room = div_u64(evhandler_listparam->listent_size, sizeof(*to));
	/* Use RCU instead of the mutex: see lkst_maskset_read(). */
	rcu_read_lock();
	for (id = 0; id <= LKST_EVHANDLER_ID_MAX && num < room; id++) {
		handler = READ_ONCE(lkst_evhandlers[id]);
		if (!handler)
			continue;
		to->id = id;
		strscpy_pad(to->name, handler->name, sizeof(to->name));
		to++;
		num++;
	}
	rcu_read_unlock();
	return num;
}

/**
 * lkst_evhandler_list() - list the event handlers (4.7.2.3.1)
 * @evhandler_listparam: as for lkst_evhandler_list_num()
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINVAL in the same cases as lkst_evhandler_list_num().
 */
int lkst_evhandler_list(struct lkst_evhandler_listparam *evhandler_listparam)
{
	return min(lkst_evhandler_list_num(evhandler_listparam), 0);
}
EXPORT_SYMBOL_GPL(lkst_evhandler_list);

/**
 * lkst_evhandler_ctrl() - call an event handler's control function (4.7.2.3.2)
 * @evhandler_ctrl_param: id, and the communication area in kernel memory;
 *	receives the result of the control function
 *
 * Several calls may run at the same time. A control function must protect its
 * own data.
 *
 * Context: may sleep.
 *
 * Return: 0 if the function was called, whatever it returned; -EINVAL if
 * @evhandler_ctrl_param is NULL, there is no such handler, the handler has no
 * control function, the area has an address but no size or a size but no
 * address, or it is larger than LKST_EVHANDLER_CTRL_SIZE_MAX.
 */
int lkst_evhandler_ctrl(struct lkst_evhandler_ctrl_param *evhandler_ctrl_param)
{
	const struct lkst_evhandler *handler;
	int idx, ret = -EINVAL;
	lkst_evhandler_id id;
	u64 bufsize;
	void *buf;

	if (!evhandler_ctrl_param)
		return -EINVAL;
	id = evhandler_ctrl_param->id;
	buf = (void *)(unsigned long)evhandler_ctrl_param->buf;
	bufsize = evhandler_ctrl_param->bufsize;
	if (!buf != !bufsize || bufsize > LKST_EVHANDLER_CTRL_SIZE_MAX ||
	    !lkst_evhandler_registered(id))
		return -EINVAL;

	idx = srcu_read_lock(&lkst_evhandler_ctrl_srcu);
	/* Pairs with the release in lkst_evhandler_publish(). */
	handler = READ_ONCE(lkst_evhandlers[id]);
	if (handler && handler->ctrl) {
		evhandler_ctrl_param->ret = handler->ctrl(buf, bufsize);
		ret = 0;
	}
	srcu_read_unlock(&lkst_evhandler_ctrl_srcu, idx);
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_evhandler_ctrl);

/**
 * lkst_evhandler_get_id() - find an event handler by name (4.7.2.3.5)
 * @name: name of the handler
 *
 * Context: may sleep.
 *
 * Return: the id; LKST_EVHANDLER_ID_VOID if no handler has this name; -EINVAL
 * if @name is NULL or empty.
 */
int lkst_evhandler_get_id(const char *name)
{
	int id;

	if (!name || !*name)
		return -EINVAL;
	rcu_read_lock();
	id = lkst_evhandler_find(name);
	rcu_read_unlock();
	return id;
}
EXPORT_SYMBOL_GPL(lkst_evhandler_get_id);
