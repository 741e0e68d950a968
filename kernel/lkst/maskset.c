// SPDX-License-Identifier: GPL-2.0
/*
 * Masksets, the switch between them, and starting and stopping (specification 4.2.1,
 * 4.7.1.1, 4.7.1.2).
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "etype.h"
#include "event.h"
#include "evhandler.h"
#include "maskset.h"
#include "source.h"

/* The special ones: there from the start, with these names. */
static struct lkst_maskset lkst_maskset_nothing = {
	.id = LKST_MASKSET_ID_RNOTHING,
	.name = "nothing",
};

static struct lkst_maskset lkst_maskset_all = {
	.id = LKST_MASKSET_ID_RALL,
	.name = "all",
};

static struct lkst_maskset lkst_maskset_default = {
	.id = LKST_MASKSET_ID_RDEFAULT,
	.name = "default",
};

const struct lkst_maskset *lkst_maskset_current __read_mostly = &lkst_maskset_nothing;

static DEFINE_MUTEX(lkst_maskset_mutex);

/* By id. Protected by lkst_maskset_mutex */
static struct lkst_maskset *lkst_masksets[LKST_MASKSET_ID_MAX + 1];

/* What TRC_START goes back to while LKST is stopped. Protected by lkst_maskset_mutex */
static lkst_maskset_id lkst_maskset_saved = LKST_MASKSET_ID_VOID;
static bool lkst_stopped;

/* Event classes, and whether the default maskset records them. */
static const struct {
	int first;
	int last;
	bool recorded;
} lkst_default_classes[] = {
	{ 0x000, 0x00f, IS_ENABLED(CONFIG_LKST_DEFAULT_PROCESSES) },
	{ 0x010, 0x01f, IS_ENABLED(CONFIG_LKST_DEFAULT_INTERRUPTS) },
	{ 0x030, 0x03f, IS_ENABLED(CONFIG_LKST_DEFAULT_SYSCALLS) },
	{ 0x0e0, 0x0ef, true },
	{ LKST_ETYPE_LKST_MIN, LKST_ETYPE_NUM - 1, true },
};

/* Set up the special masksets; none records yet. */
void __init lkst_maskset_init(void)
{
	int etype, i;

	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		if (!lkst_etype_registered(etype))
			continue;
		lkst_maskset_all.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
		for (i = 0; i < ARRAY_SIZE(lkst_default_classes); i++)
			if (etype >= lkst_default_classes[i].first &&
			    etype <= lkst_default_classes[i].last &&
			    lkst_default_classes[i].recorded)
				lkst_maskset_default.handler[etype] = LKST_EVHANDLER_ID_ENTRY_LOG;
	}
	lkst_masksets[LKST_MASKSET_ID_RNOTHING] = &lkst_maskset_nothing;
	lkst_masksets[LKST_MASKSET_ID_RALL] = &lkst_maskset_all;
	lkst_masksets[LKST_MASKSET_ID_RDEFAULT] = &lkst_maskset_default;
}

static struct lkst_maskset *lkst_maskset_find(lkst_maskset_id id)
{
	return id >= 0 && id <= LKST_MASKSET_ID_MAX ? lkst_masksets[id] : NULL;
}

/**
 * lkst_maskset_by_word() - the maskset that a boot parameter means
 * @word: its name or its id
 *
 * Return: the id, or -EINVAL.
 */
int lkst_maskset_by_word(const char *word)
{
	int id;

	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++)
		if (lkst_masksets[id] && !strcmp(lkst_masksets[id]->name, word))
			return id;
	if (kstrtoint(word, 0, &id) || !lkst_maskset_find(id))
		return -EINVAL;
	return id;
}

/*
 * Select @to: first the sources that it needs and did not have, then the switch itself,
 * which takes effect at once, then the sources that nobody needs any more. Events that
 * both masksets record are recorded throughout.
 */
static void lkst_maskset_select(const struct lkst_maskset *to)
{
	lockdep_assert_held(&lkst_maskset_mutex);
	lkst_source_enable(to);
	/* Whoever sees the pointer sees the table: it was complete before. */
	smp_store_release(&lkst_maskset_current, to);
}

/**
 * lkst_trc_begin() - start tracing for the first time
 * @id: maskset to begin with
 *
 * Context: may run before the scheduler does.
 */
void __init lkst_trc_begin(lkst_maskset_id id)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_maskset_select(lkst_masksets[id]);
	mutex_unlock(&lkst_maskset_mutex);
	lkst_event_direct(LKST_ETYPE_LKST_TRC_START, id, 0, 0, 0);
}

/**
 * lkst_trc_begin_late() - trace what could not be traced from the beginning
 *
 * Called when the first process is there, and before it runs a program.
 */
void __init lkst_trc_begin_late(void)
{
	mutex_lock(&lkst_maskset_mutex);
	lkst_source_allow_late();
	lkst_source_enable(lkst_maskset_current);
	mutex_unlock(&lkst_maskset_mutex);
}

/**
 * lkst_maskset_set() - switch to another maskset (4.7.1.2.3, 4.7.2.2.3)
 * @id: of the maskset
 *
 * Context: may sleep.
 *
 * Return: 0, -EINVAL: there is no such maskset, or -EBUSY: LKST is stopped.
 */
int lkst_maskset_set(lkst_maskset_id id)
{
	const struct lkst_maskset *to;
	lkst_maskset_id from;
	int ret = -EINVAL;

	mutex_lock(&lkst_maskset_mutex);
	to = lkst_maskset_find(id);
	if (!to)
		goto out;
	ret = -EBUSY;
	if (lkst_stopped)
		goto out;
	ret = 0;
	if (to == lkst_maskset_current)
		goto out;
	from = lkst_maskset_current->id;
	/* Into the buffers by whichever of the two records it. */
	if (lkst_maskset_current->handler[LKST_ETYPE_LKST_MASKSET_SET]) {
		lkst_event_direct(LKST_ETYPE_LKST_MASKSET_SET, from, id, 0, 0);
		lkst_maskset_select(to);
	} else {
		lkst_maskset_select(to);
		lkst_event_direct(LKST_ETYPE_LKST_MASKSET_SET, from, id, 0, 0);
	}
	lkst_source_disable(to);
out:
	mutex_unlock(&lkst_maskset_mutex);
	return ret;
}

/**
 * lkst_trc_start() - go on tracing (4.7.1.1.2, 4.7.2.1.2)
 *
 * With the maskset that was selected when LKST was stopped, or with the default one if that
 * is gone. While LKST runs, this does nothing.
 *
 * Context: may sleep.
 *
 * Return: 0.
 */
int lkst_trc_start(void)
{
	const struct lkst_maskset *to;

	mutex_lock(&lkst_maskset_mutex);
	if (lkst_stopped) {
		to = lkst_maskset_find(lkst_maskset_saved) ?: &lkst_maskset_default;
		lkst_stopped = false;
		lkst_maskset_saved = LKST_MASKSET_ID_VOID;
		lkst_maskset_select(to);
		lkst_event_direct(LKST_ETYPE_LKST_TRC_START, to->id, 0, 0, 0);
	}
	mutex_unlock(&lkst_maskset_mutex);
	return 0;
}

/**
 * lkst_trc_stop() - stop tracing (4.7.1.1.3, 4.7.2.1.3)
 *
 * When it returns, nothing is recorded any more. While LKST is stopped, this does nothing.
 *
 * Context: may sleep.
 *
 * Return: 0.
 */
int lkst_trc_stop(void)
{
	mutex_lock(&lkst_maskset_mutex);
	if (!lkst_stopped) {
		lkst_stopped = true;
		lkst_maskset_saved = lkst_maskset_current->id;
		lkst_event_direct(LKST_ETYPE_LKST_TRC_STOP, lkst_maskset_saved, 0, 0, 0);
		lkst_maskset_select(&lkst_maskset_nothing);
		lkst_source_disable(&lkst_maskset_nothing);
	}
	mutex_unlock(&lkst_maskset_mutex);
	return 0;
}

/* The part of TRC_STATUS that is about masksets. */
void lkst_maskset_status(struct lkst_trc_status *status)
{
	int id;

	mutex_lock(&lkst_maskset_mutex);
	status->current_maskset_id = lkst_maskset_current->id;
	status->saved_maskset_id = lkst_maskset_saved;
	status->state = lkst_stopped ? LKST_TRC_STOPPED : LKST_TRC_RUNNING;
	status->maskset_num = 0;
	for (id = 0; id <= LKST_MASKSET_ID_MAX; id++)
		status->maskset_num += !!lkst_masksets[id];
	mutex_unlock(&lkst_maskset_mutex);
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

static void lkst_maskset_describe(const struct lkst_maskset *maskset,
				  struct lkst_maskset_body *body)
{
	int etype;

	strscpy_pad(body->name, maskset->name, sizeof(body->name));
	body->len = 0;
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_etype_registered(etype))
			body->entry[body->len++] = (struct lkst_maskset_entry) {
				.event_type = etype,
				.id = maskset->handler[etype],
			};
}

/**
 * lkst_maskset_read_user() - read a maskset into a process's memory (4.7.1.2.1)
 * @param: as the process gave it; an id of LKST_MASKSET_ID_VOID becomes that of the
 *	current maskset
 *
 * Return: 0, -EINVAL: there is no such maskset, or it does not fit into
 * @param->maskset_size, or @param->maskset cannot be written; -ENOMEM.
 */
int lkst_maskset_read_user(struct lkst_maskset_param *param)
{
	void __user *to = u64_to_user_ptr(param->maskset);
	size_t size = LKST_MASKSET_SIZE(lkst_maskset_len());
	const struct lkst_maskset *maskset;
	struct lkst_maskset_body *body;
	int ret = 0;

	if (!to || param->maskset_size < size)
		return -EINVAL;
	body = kzalloc(size, GFP_KERNEL);
	if (!body)
		return -ENOMEM;

	mutex_lock(&lkst_maskset_mutex);
	maskset = param->id == LKST_MASKSET_ID_VOID ? lkst_maskset_current :
						      lkst_maskset_find(param->id);
	if (maskset) {
		param->id = maskset->id;
		lkst_maskset_describe(maskset, body);
	}
	mutex_unlock(&lkst_maskset_mutex);

	if (!maskset || copy_to_user(to, body, size))
		ret = -EINVAL;
	kfree(body);
	return ret;
}

/**
 * lkst_maskset_list_user() - list the masksets (4.7.1.2.4)
 * @param: as the process gave it, and what it gets back
 *
 * A list that is longer than @param->listent_size is cut.
 *
 * Return: 0, or -EINVAL: @param->listent cannot be written; -ENOMEM.
 */
int lkst_maskset_list_user(struct lkst_maskset_listparam *param)
{
	void __user *to = u64_to_user_ptr(param->listent);
	u64 room = div_u64(param->listent_size, sizeof(struct lkst_maskset_listent));
	unsigned int len = lkst_maskset_len(), num = 0;
	struct lkst_maskset_listent *list;
	int id, ret = 0;

	if (!to || (s64)param->listent_size < 0)
		return -EINVAL;
	list = kcalloc(ARRAY_SIZE(lkst_masksets), sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;

	/* Who stops LKST waits for this mutex: no page of the process is touched in it. */
	mutex_lock(&lkst_maskset_mutex);
	param->current_id = lkst_maskset_current->id;
	for (id = 0; id <= LKST_MASKSET_ID_MAX && num < room; id++) {
		if (!lkst_masksets[id])
			continue;
		list[num].id = id;
		list[num].len = len;
		strscpy(list[num].name, lkst_masksets[id]->name, sizeof(list[num].name));
		num++;
	}
	mutex_unlock(&lkst_maskset_mutex);

	if (copy_to_user(to, list, num * sizeof(*list)))
		ret = -EINVAL;
	kfree(list);
	return ret;
}
