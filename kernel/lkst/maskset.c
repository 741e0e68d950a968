// SPDX-License-Identifier: GPL-2.0
/*
 * Masksets: which there are, and what they say (specification 4.2.1, 4.7.1.2, 4.7.2.2).
 */
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_private.h>

#include "compat.h"
#include "etype.h"
#include "evhandler.h"
#include "maskset.h"
#include "memory.h"
#include "stage.h"
#include "switch.h"
#include "sync.h"

/* The special ones: there from the start, with these names. */
struct lkst_maskset lkst_maskset_nothing = {
	.id = LKST_MASKSET_ID_RNOTHING,
	.name = "nothing",
};

static struct lkst_maskset lkst_maskset_all = {
	.id = LKST_MASKSET_ID_RALL,
	.name = "all",
};

/* Until another one is written. */
static struct lkst_maskset lkst_maskset_default = {
	.id = LKST_MASKSET_ID_RDEFAULT,
	.name = "default",
};

/* The lowest id that is not that of a special one. */
#define LKST_MASKSET_ID_FIRST	(LKST_MASKSET_ID_RDEFAULT + 1)

struct lkst_maskset *lkst_masksets[LKST_MASKSET_ID_MAX + 1] = {
	[LKST_MASKSET_ID_RNOTHING] = &lkst_maskset_nothing,
	[LKST_MASKSET_ID_RALL] = &lkst_maskset_all,
	[LKST_MASKSET_ID_RDEFAULT] = &lkst_maskset_default,
};

/* Event classes, and whether the default maskset records them. */
static const struct {
	int first;
	int last;
	bool recorded;
} lkst_default_classes[] = {
#define LKST_ECLASS_DEF(first, last, name, title, recorded) { first, last, recorded },
#include <linux/lkst_eclasses.h>
#undef LKST_ECLASS_DEF
};

/* Set up the special masksets, when it is known which events there can be. */
void __init lkst_maskset_init(void)
{
	int etype, i;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (!lkst_etype_present(etype))
			continue;
		lkst_maskset_all.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
		for (i = 0; i < ARRAY_SIZE(lkst_default_classes); i++)
			if (etype >= lkst_default_classes[i].first &&
			    etype <= lkst_default_classes[i].last &&
			    lkst_default_classes[i].recorded)
				lkst_maskset_default.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
	}
}

/* The caller of these two holds lkst_maskset_mutex, or uses the result under RCU. */

static struct lkst_maskset *lkst_maskset_find(lkst_maskset_id id)
{
	return id >= 0 && id <= LKST_MASKSET_ID_MAX ? READ_ONCE(lkst_masksets[id]) : NULL;
}

static struct lkst_maskset *lkst_maskset_find_name(const char *name)
{
	struct lkst_maskset *maskset;
	int id;

	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++) {
		maskset = lkst_maskset_find(id);
		if (maskset && !strcmp(maskset->name, name))
			return maskset;
	}
	return NULL;
}

/**
 * lkst_maskset_by_word() - the maskset that a boot parameter means
 * @word: its name or its id
 *
 * Return: the id, or -EINVAL.
 */
int lkst_maskset_by_word(const char *word)
{
	const struct lkst_maskset *maskset = lkst_maskset_find_name(word);
	int id;

	if (maskset)
		return maskset->id;
	if (kstrtoint(word, 0, &id) || !lkst_maskset_find(id))
		return -EINVAL;
	return id;
}

/**
 * lkst_maskset_get_id() - find a maskset by name (4.7.2.2.6)
 * @name: its name
 *
 * Context: may sleep.
 *
 * Return: its id; LKST_MASKSET_ID_VOID: there is none of that name; -EINVAL: @name is NULL or
 * empty.
 */
int lkst_maskset_get_id(const char *name)
{
	const struct lkst_maskset *maskset;
	int id;

	if (!name || !*name)
		return -EINVAL;
	rcu_read_lock();
	maskset = lkst_maskset_find_name(name);
	id = maskset ? maskset->id : LKST_MASKSET_ID_VOID;
	rcu_read_unlock();
	return id;
}
EXPORT_SYMBOL_GPL(lkst_maskset_get_id);

/* An address in a structure that kernel code has filled in. */
static void *lkst_maskset_area(u64 address)
{
	return (void *)(unsigned long)address;
}

/* How many entries a maskset has: one for each registered event type. */
static unsigned int lkst_maskset_len(void)
{
	unsigned int len = 0;
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		len += lkst_etype_registered(etype);
	return len;
}

/* Returns -EINVAL when it is more than @room entries. */
static int lkst_maskset_describe(const struct lkst_maskset *maskset,
				 struct lkst_maskset_body *body, u64 room)
{
	int etype;

	strscpy_pad(body->name, maskset->name, sizeof(body->name));
	body->len = 0;
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (!lkst_etype_registered(etype))
			continue;
		if (body->len == room)
			return -EINVAL;
		body->entry[body->len++] = (struct lkst_maskset_entry) {
			.event_type = etype,
			.id = READ_ONCE(maskset->handler[etype]),
		};
	}
	return 0;
}

/**
 * lkst_maskset_read() - read what a maskset says (4.7.2.2.1)
 * @maskset_param: id, or LKST_MASKSET_ID_VOID: the current maskset, whose id is stored there;
 *	area for a struct lkst_maskset_body, in kernel memory
 *
 * The area gets an entry for each registered event type, in ascending order.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: @maskset_param is NULL, there is no such maskset, the area is NULL, or it is
 * too small. Then the area may hold a part of it.
 */
int lkst_maskset_read(struct lkst_maskset_param *maskset_param)
{
	const struct lkst_maskset *maskset;
	struct lkst_maskset_body *body;
	lkst_maskset_id id;
	int ret = -EINVAL;

	if (!maskset_param || !maskset_param->maskset ||
	    maskset_param->maskset_size < LKST_MASKSET_SIZE(0))
		return -EINVAL;
	body = lkst_maskset_area(maskset_param->maskset);
	id = maskset_param->id;

	/* Not the mutex: its holder may be waiting for a CPU. */
	rcu_read_lock();
	if (id == LKST_MASKSET_ID_VOID)
		id = lkst_select_current();
	maskset = lkst_maskset_find(id);
	if (maskset)
		ret = lkst_maskset_describe(maskset, body,
					    div_u64(maskset_param->maskset_size -
						    LKST_MASKSET_SIZE(0),
						    sizeof(*body->entry)));
	rcu_read_unlock();

	if (!ret)
		maskset_param->id = id;
	return ret;
}
EXPORT_SYMBOL_GPL(lkst_maskset_read);

/**
 * lkst_maskset_list() - list the masksets (4.7.2.2.4)
 * @maskset_listparam: gets the id of the current maskset; area for the list, in kernel memory
 *
 * In ascending order of ids. A list that is longer than the area is cut.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: @maskset_listparam or the area is NULL, or its size is negative.
 */
int lkst_maskset_list(struct lkst_maskset_listparam *maskset_listparam)
{
	const struct lkst_maskset *maskset;
	struct lkst_maskset_listent *to;
	unsigned int len;
	u64 room;
	int id;

	if (!maskset_listparam || !maskset_listparam->listent ||
	    (s64)maskset_listparam->listent_size < 0)
		return -EINVAL;
	to = lkst_maskset_area(maskset_listparam->listent);
	room = div_u64(maskset_listparam->listent_size, sizeof(*to));

	/* As lkst_maskset_read(). */
	rcu_read_lock();
	maskset_listparam->current_id = lkst_select_current();
	len = lkst_maskset_len();
	for (id = 0; id <= LKST_MASKSET_ID_MAX && room; id++) {
		maskset = lkst_maskset_find(id);
		if (!maskset)
			continue;
		to->id = id;
		to->len = len;
		strscpy_pad(to->name, maskset->name, sizeof(to->name));
		to++;
		room--;
	}
	rcu_read_unlock();
	return 0;
}
EXPORT_SYMBOL_GPL(lkst_maskset_list);

/*
 * Waking the daemon is an interrupt, and takes locks; asking other CPUs is an interrupt of theirs:
 * does each time bring about this event?
 */
static bool lkst_maskset_waking_causes(int etype)
{
#ifdef CONFIG_X86
	if (etype == LKST_ETYPE_INT_IPI_ENTRY || etype == LKST_ETYPE_INT_IPI_EXIT)
		return true;
#endif
	return etype == LKST_ETYPE_CPU_IPI_SEND ||
	       (etype >= LKST_ETYPE_LOCK_MIN && etype <= LKST_ETYPE_LOCK_MAX);
}

static bool lkst_maskset_wakes(const u16 *handler, int etype)
{
	return handler[etype] == LKST_EVHANDLER_ID_BUFFER_SHIFT_DW ||
	       handler[etype] == LKST_EVHANDLER_ID_BUFFER_JUMP;
}

/**
 * lkst_maskset_pairing_allowed() - whether event handlers go together (4.7.1.2.2)
 * @handler: event handler of each event type
 *
 * Handlers that wake the daemon or ask other CPUs must not be those of events that this causes, or
 * there would be no end; nor the one for full buffers where locks make events that fill them.
 */
bool lkst_maskset_pairing_allowed(const u16 *handler)
{
	int etype;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_maskset_waking_causes(etype) && lkst_maskset_wakes(handler, etype))
			return false;
	if (!lkst_maskset_wakes(handler, LKST_ETYPE_LKST_BUFF_OVFLOW))
		return true;
	for (etype = LKST_ETYPE_LOCK_MIN; etype <= LKST_ETYPE_LOCK_MAX; etype++)
		if (handler[etype] != LKST_EVHANDLER_ID_NONE)
			return false;
	return true;
}

/* What does not depend on anything but @param itself. */
static bool lkst_maskset_well_formed(const struct lkst_maskset_param *param)
{
	const struct lkst_maskset_body *body = lkst_maskset_area(param->maskset);

	return body && param->maskset_size >= LKST_MASKSET_SIZE(0) &&
	       body->len <= LKST_MASKSET_TABLE_LEN_MAX &&
	       param->maskset_size >= LKST_MASKSET_SIZE(body->len) &&
	       strnlen(body->name, sizeof(body->name)) < sizeof(body->name);
}

/* The id that WRITE means by @id, or an error. */
static int lkst_maskset_id_to_write(lkst_maskset_id id)
{
	if (id != LKST_MASKSET_ID_VOID)
		return id >= LKST_MASKSET_ID_RDEFAULT && id <= LKST_MASKSET_ID_MAX ? id : -EINVAL;
	for (id = LKST_MASKSET_ID_FIRST; id <= LKST_MASKSET_ID_MAX; id++)
		if (!lkst_masksets[id])
			return id;
	return -EBUSY;
}

static bool lkst_maskset_name_valid(const char *name, const struct lkst_maskset *old)
{
	const struct lkst_maskset *other;

	if (!*name)
		return old;
	other = lkst_maskset_find_name(name);
	return !other || other == old;
}

/* Masking is always possible: what was read from a kernel that knows more can be written back. */
static bool lkst_maskset_entry_valid(const struct lkst_maskset_entry *entry)
{
	if (entry->event_type < 0 || entry->event_type >= LKST_ETYPE_NUM)
		return false;
	return entry->id == LKST_EVHANDLER_ID_NONE ||
	       (lkst_evhandler_registered(entry->id) && lkst_etype_present(entry->event_type));
}

/* The table that @body makes; the one there was before is all 0. */
static int lkst_maskset_fill(u16 *handler, const struct lkst_maskset_body *body)
{
	DECLARE_BITMAP(listed, LKST_ETYPE_NUM) = {};
	unsigned int i;

	for (i = 0; i < body->len; i++) {
		const struct lkst_maskset_entry *entry = &body->entry[i];

		if (!lkst_maskset_entry_valid(entry) ||
		    __test_and_set_bit(entry->event_type, listed))
			return -EINVAL;
		handler[entry->event_type] = entry->id;
	}
	return lkst_maskset_pairing_allowed(handler) ? 0 : -EINVAL;
}

/* The default maskset that was there from the start has no memory of its own to give back. */
void lkst_maskset_free(struct lkst_maskset *maskset)
{
	if (maskset == &lkst_maskset_default)
		return;
	kfree(maskset);
	lkst_memory_uncharge(sizeof(*maskset));
}

/* When the last maskset that was taken out is freed: for lkst_deferred_wait(). Under the mutex. */
static long lkst_maskset_discarded;

/*
 * Take the mutex, to write or delete a maskset, and wait until the one that was taken out before is
 * freed. By then nobody is left who looked at the word of switch.c before its last counted change.
 */
static int lkst_maskset_begin(void)
{
	int ret = mutex_lock_killable(&lkst_maskset_mutex);

	if (ret)
		return ret;
	ret = lkst_deferred_wait(lkst_maskset_discarded);
	if (ret)
		mutex_unlock(&lkst_maskset_mutex);
	return ret;
}

/**
 * struct lkst_maskset_end - the waits that end a change, after the mutex is released
 * @settled: for lkst_select_wait()
 * @discarded: for lkst_deferred_wait()
 */
struct lkst_maskset_end {
	long settled;
	long discarded;
};

/* Have a maskset freed that was taken out. */
static void lkst_maskset_discard(struct lkst_maskset *maskset, struct lkst_maskset_end *end)
{
	end->discarded = lkst_select_discard(maskset);
	lkst_maskset_discarded = end->discarded;
}

static int lkst_maskset_wait(const struct lkst_maskset_end *end)
{
	return lkst_select_wait(end->settled) ?: lkst_deferred_wait(end->discarded);
}

/*
 * In place of @old, whose events stop if @new does not have them, and which is freed; so is @new on
 * an error. If it becomes the current one meanwhile, the sources follow when this is done.
 */
static int lkst_maskset_install(struct lkst_maskset *new, struct lkst_maskset *old,
				struct lkst_maskset_end *end)
{
	bool current_one = lkst_select_current() == new->id;
	int ret = 0;

	if (current_one)
		ret = lkst_select_prepare(new);
	if (!ret) {
		/* Whoever sees the entry sees the maskset. */
		smp_store_release(&lkst_masksets[new->id], new);
		if (old)
			lkst_select_replaced();
	}
	if (current_one)
		end->settled = lkst_select_complete();
	if (ret)
		lkst_maskset_discard(new, end);
	else if (old)
		lkst_maskset_discard(old, end);
	return ret;
}

/**
 * lkst_maskset_write() - register a maskset, or overwrite one (4.7.2.2.2)
 * @maskset_param: id, LKST_MASKSET_ID_RDEFAULT to LKST_MASKSET_ID_MAX, or
 *	LKST_MASKSET_ID_VOID: the lowest one that is free, which is stored there; a
 *	struct lkst_maskset_body and its size, in kernel memory
 *
 * Event types that have no entry are masked. An overwrite with an empty name keeps the name.
 * If it is the current maskset, it takes effect at once: an event goes by the one before or by
 * this one. On an error nothing has changed.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: @maskset_param is NULL or has no area, or one that is too small for its
 * entries, the id cannot be written, the name is not terminated, is missing from a new maskset or
 * is that of another one; an entry's event type is out of range or comes twice, or its event
 * handler is there for an event that is not, or does not exist; LKST_EVHANDLER_ID_BUFFER_SHIFT_DW
 * or LKST_EVHANDLER_ID_BUFFER_JUMP is that of locks or of interprocessor interrupts, or lock events
 * are recorded together with one of them for LKST_ETYPE_LKST_BUFF_OVFLOW; -EBUSY: no id is free;
 * -ENOMEM, also when LKST may not take more; -EINTR: a fatal signal ended the wait, and the maskset
 * has been written or not.
 */
int lkst_maskset_write(struct lkst_maskset_param *maskset_param)
{
	const struct lkst_maskset_body *body;
	struct lkst_maskset_end end = {};
	struct lkst_maskset *new, *old;
	int id, ret;

	if (!maskset_param || !lkst_maskset_well_formed(maskset_param))
		return -EINVAL;
	body = lkst_maskset_area(maskset_param->maskset);
	new = kzalloc_obj(*new, GFP_KERNEL);
	if (!new)
		return -ENOMEM;

	ret = lkst_maskset_begin();
	if (ret)
		goto free;
	id = lkst_maskset_id_to_write(maskset_param->id);
	old = lkst_maskset_find(id);
	ret = -EINVAL;
	if (lkst_maskset_fill(new->handler, body) || !lkst_maskset_name_valid(body->name, old))
		goto unlock;
	ret = id;
	if (ret < 0)
		goto unlock;
	ret = -ENOMEM;
	if (!lkst_memory_charge(sizeof(*new)))
		goto unlock;

	new->id = id;
	strscpy_pad(new->name, *body->name ? body->name : old->name, sizeof(new->name));
	ret = lkst_maskset_install(new, old, &end);
	new = NULL;
	if (!ret)
		maskset_param->id = id;
unlock:
	mutex_unlock(&lkst_maskset_mutex);
free:
	kfree(new);
	return ret ?: lkst_maskset_wait(&end);
}
EXPORT_SYMBOL_GPL(lkst_maskset_write);

/**
 * lkst_maskset_delete() - delete a maskset (4.7.2.2.5)
 * @id: of the maskset
 *
 * While LKST is stopped, the one that was selected before can be deleted: START then goes on
 * with the default one.
 *
 * Context: may sleep.
 *
 * Return: 0; -EINVAL: there is no such maskset, or it is a special one; -EBUSY: it is the
 * current one; -EINTR: a fatal signal ended the wait, and the maskset has been deleted or not.
 */
int lkst_maskset_delete(lkst_maskset_id id)
{
	struct lkst_maskset_end end = {};
	struct lkst_maskset *maskset;
	int ret;

	ret = lkst_maskset_begin();
	if (ret)
		return ret;
	ret = -EINVAL;
	maskset = lkst_maskset_find(id);
	if (!maskset || id < LKST_MASKSET_ID_FIRST)
		goto unlock;
	ret = -EBUSY;
	if (lkst_select_current() == id)
		goto unlock;

	/* Nobody selects it any more; somebody may have done so in between. */
	WRITE_ONCE(lkst_masksets[id], NULL);
	ret = lkst_select_forget(id);
	if (ret) {
		/* As lkst_maskset_install(). */
		smp_store_release(&lkst_masksets[id], maskset);
		lkst_select_remembered();
		goto unlock;
	}
	lkst_maskset_discard(maskset, &end);
unlock:
	mutex_unlock(&lkst_maskset_mutex);
	return ret ?: lkst_maskset_wait(&end);
}
EXPORT_SYMBOL_GPL(lkst_maskset_delete);

/* An event handler is gone: its events go to the default one. */
void lkst_maskset_forget_evhandler(lkst_evhandler_id id)
{
	int i, etype;

	mutex_lock(&lkst_maskset_mutex);
	for (i = 0; i <= LKST_MASKSET_ID_MAX; i++)
		for (etype = 0; lkst_masksets[i] && etype < LKST_ETYPE_NUM; etype++)
			if (lkst_masksets[i]->handler[etype] == id)
				WRITE_ONCE(lkst_masksets[i]->handler[etype],
					   LKST_EVHANDLER_ID_ENTRY_LOG);
	mutex_unlock(&lkst_maskset_mutex);
}

/* There is a new event type: the maskset "all" records it. */
void lkst_maskset_add_etype(int etype)
{
	mutex_lock(&lkst_maskset_mutex);
	WRITE_ONCE(lkst_maskset_all.handler[etype], LKST_EVHANDLER_ID_ENTRY_LOG);
	mutex_unlock(&lkst_maskset_mutex);
	lkst_select_enable();
}

/* An event type is gone: no maskset records it. */
void lkst_maskset_forget_etype(int etype)
{
	int id;

	mutex_lock(&lkst_maskset_mutex);
	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++)
		if (lkst_masksets[id])
			WRITE_ONCE(lkst_masksets[id]->handler[etype], LKST_EVHANDLER_ID_NONE);
	mutex_unlock(&lkst_maskset_mutex);
}

/* Free those that were written. Events use lkst_maskset_nothing; the discarded ones are freed. */
void __lkst_exit lkst_maskset_end(void)
{
	int id;

	for (id = LKST_MASKSET_ID_RDEFAULT; id <= LKST_MASKSET_ID_MAX; id++)
		if (lkst_masksets[id])
			lkst_maskset_free(lkst_masksets[id]);
}
