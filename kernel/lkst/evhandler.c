// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of event handlers (specification 4.2.1, 4.7.1.2.6, 4.7.1.2.7, 4.7.2.3).
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

#include "compat.h"
#include "evhandler.h"
#include "maskset.h"
#include "sync.h"

/*
 * Protects changes of lkst_evhandlers[] and of lkst_evhandler_ids. Taken before the maskset
 * mutex. Nobody waits for handlers or control functions under it: a control function may
 * register another handler.
 */
static DEFINE_MUTEX(lkst_evhandler_mutex);

/*
 * Ids that are taken. One that is being unregistered stays taken until no event can come that
 * was meant for the old handler and would go to the new one.
 */
static DECLARE_BITMAP(lkst_evhandler_ids, LKST_EVHANDLER_ID_MAX + 1);

/* Held while a control function runs, which may sleep. */
DEFINE_STATIC_SRCU(lkst_evhandler_ctrl_srcu);

/* How many event handlers there are. */
int lkst_evhandler_num(void)
{
	int id, num = 0;

	for (id = 0; id <= LKST_EVHANDLER_ID_MAX; id++)
		num += lkst_evhandler_registered(id);
	return num;
}

/* One that a directory in sysfs can have. */
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

/* Its id, or LKST_EVHANDLER_ID_VOID. With lkst_evhandler_mutex, or under RCU. */
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

/* @id if it can be taken, the lowest that can for LKST_EVHANDLER_ID_VOID, or an error. */
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

/**
 * lkst_evhandler_register() - register an event handler (4.7.2.3.3)
 * @id: LKST_EVHANDLER_ID_USER_MIN to LKST_EVHANDLER_ID_MAX, or LKST_EVHANDLER_ID_VOID: the
 *	lowest one that is free
 * @name: unique, 1 to 31 bytes, without control characters and "/". Is copied
 * @evhandler: event handler; see lkst_evhandler_func
 * @evhandler_ctrl: its control function, or NULL: there is none
 *
 * No maskset has the handler yet. It can run as soon as a maskset that has it is selected,
 * which may be before this function returns.
 *
 * Context: may sleep. A control function may call it.
 *
 * Return: the id; -EINVAL: @id is out of range or taken, @name is invalid or taken, or
 * @evhandler is NULL; -ENOSPC: no id is free; -ENOMEM.
 */
int lkst_evhandler_register(lkst_evhandler_id id, const char *name,
			    lkst_evhandler_func evhandler,
			    lkst_evhandler_ctrl_func evhandler_ctrl)
{
	struct lkst_evhandler *handler;
	int ret = -EINVAL;

	if (!evhandler || !lkst_evhandler_name_valid(name))
		return -EINVAL;
	handler = kzalloc_obj(*handler, GFP_KERNEL);
	if (!handler)
		return -ENOMEM;
	strscpy(handler->name, name, sizeof(handler->name));
	handler->func = evhandler;
	handler->ctrl = evhandler_ctrl;

	mutex_lock(&lkst_evhandler_mutex);
	if (lkst_evhandler_find(name) == LKST_EVHANDLER_ID_VOID)
		ret = lkst_evhandler_take_id(id);
	if (ret >= 0)
		/* Whoever sees the pointer sees what it points to. */
		smp_store_release(&lkst_evhandlers[ret], handler);
	mutex_unlock(&lkst_evhandler_mutex);

	if (ret < 0)
		kfree(handler);
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_evhandler_register);

/*
 * The table entry goes first: a maskset that is written from now on cannot have the handler.
 * Those that were written before fall back to the default handler next. Only then the table
 * and all masksets are clean, and waiting once is enough: for handlers that run, and for
 * events that have looked into the table or a maskset before. At last the id is free.
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
 * @id: event handler, not one of LKST's own
 *
 * In masksets that have it, the default handler, LKST_EVHANDLER_ID_ENTRY_LOG, takes its
 * place: what was recorded by it goes on being recorded. When this function returns, neither
 * the handler nor its control function runs on any CPU, or will.
 *
 * Context: may sleep, and waits for control functions that run: neither an event handler nor
 * a control function may call it.
 *
 * Return: 0, or -EINVAL: there is no such handler, or it is LKST's own.
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
 * lkst_evhandler_list() - list the event handlers (4.7.2.3.1)
 * @evhandler_listparam: with the area to be filled in, in ascending order of ids
 *
 * A list that is longer than @evhandler_listparam->listent_size is cut.
 *
 * Context: may sleep.
 *
 * Return: 0, or -EINVAL: @evhandler_listparam or @evhandler_listparam->listent is NULL, or
 * @evhandler_listparam->listent_size is negative.
 */
int lkst_evhandler_list(struct lkst_evhandler_listparam *evhandler_listparam)
{
	const struct lkst_evhandler *handler;
	struct lkst_evhandler_listent *to;
	u64 room;
	int id;

	if (!evhandler_listparam || !evhandler_listparam->listent ||
	    (s64)evhandler_listparam->listent_size < 0)
		return -EINVAL;
	to = (struct lkst_evhandler_listent *)(unsigned long)evhandler_listparam->listent;
	room = div_u64(evhandler_listparam->listent_size, sizeof(*to));
	/* Not the mutex: see lkst_maskset_read(). */
	rcu_read_lock();
	for (id = 0; id <= LKST_EVHANDLER_ID_MAX && room; id++) {
		handler = READ_ONCE(lkst_evhandlers[id]);
		if (!handler)
			continue;
		to->id = id;
		strscpy_pad(to->name, handler->name, sizeof(to->name));
		to++;
		room--;
	}
	rcu_read_unlock();
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_evhandler_list);

/**
 * lkst_evhandler_ctrl() - call an event handler's control function (4.7.2.3.2)
 * @evhandler_ctrl_param: id, and communication area, in kernel memory; gets what the function
 *	returned
 *
 * Several calls may run side by side: control functions protect what they change.
 *
 * Context: may sleep.
 *
 * Return: 0: the function was called, whatever it returned; -EINVAL: @evhandler_ctrl_param is NULL,
 * there is no such handler, it has no control function, the area has an address but no size or a
 * size but no address, or is larger than LKST_EVHANDLER_CTRL_SIZE_MAX.
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
	/* What it points to is there: pairs with the release in lkst_evhandler_register(). */
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
 * @name: its name
 *
 * Context: may sleep.
 *
 * Return: its id; LKST_EVHANDLER_ID_VOID: there is none of that name; -EINVAL: @name is NULL
 * or empty.
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
