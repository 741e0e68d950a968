// SPDX-License-Identifier: GPL-2.0
/*
 * The maskset that is selected while lkstlogd runs: what users selected, but a full buffer shifts and
 * wakes. Locks are not in it, since waking takes some (specification 4.7.1.2.2).
 */
#include <stdlib.h>
#include <string.h>

#include "lib/etype_ids.h"
#include "lib/messages.h"
#include "logd.h"

#define NAME "lkstlogd"

/* ---- what it is made of ---- */

static bool is_lock(int type)
{
	return type >= LKST_ETYPE_LOCK_MIN && type <= LKST_ETYPE_LOCK_MAX;
}

static bool is_ipi(int type)
{
	return type == LKST_ETYPE_INT_IPI_ENTRY || type == LKST_ETYPE_INT_IPI_EXIT;
}

static lkst_evhandler_id handler_for(const struct lkst_maskset_entry *entry)
{
	switch (entry->event_type) {
	case LKST_ETYPE_LKST_BUFF_OVFLOW:
		return LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
	case LKST_ETYPE_LKST_BUFF_SHIFT:
	case LKST_ETYPE_LKST_SYNC_TIME:
		/* Without them nobody knows where and when the records of a buffer are. */
		return LKST_EVHANDLER_ID_ENTRY_LOG;
	}
	if (is_lock(entry->event_type))
		return LKST_EVHANDLER_ID_NONE;
	/* Waking brings such events about: to shift at each of them would never end. */
	if (is_ipi(entry->event_type) && entry->id == LKST_EVHANDLER_ID_BUFFER_SHIFT_DW)
		return LKST_EVHANDLER_ID_ENTRY_LOG;
	return entry->id;
}

static void logd_maskset_adapt(struct lkst_maskset_body *body)
{
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		body->entry[i].id = handler_for(&body->entry[i]);
	snprintf(body->name, sizeof(body->name), NAME);
}

/* ---- which are there ---- */

/* What is selected, or will be when LKST is started again. */
static int selected(struct lkst_device *dev, lkst_maskset_id *id, bool *running,
		    struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(dev, &status, err))
		return -1;
	*running = status.trc.state == LKST_TRC_RUNNING;
	*id = *running ? status.trc.current_maskset_id : status.trc.saved_maskset_id;
	lkst_status_free(&status);
	return 0;
}

static bool there(const struct lkst_maskset_list *list, lkst_maskset_id id)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->ent[i].id == id)
			return true;
	return false;
}

/* The one that is called like ours, LKST_MASKSET_ID_VOID: none. */
static lkst_maskset_id find_own(const struct lkst_maskset_list *list)
{
	for (size_t i = 0; i < list->num; i++)
		if (!strcmp(list->ent[i].name, NAME))
			return list->ent[i].id;
	return LKST_MASKSET_ID_VOID;
}

/* Which is ours, and which one it stands for, as far as that is still so. */
static int look(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err)
{
	struct lkst_maskset_list list;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	state->maskset = find_own(&list);
	if (!there(&list, state->before) || state->before == state->maskset)
		state->before = LKST_MASKSET_ID_RDEFAULT;
	lkst_maskset_list_free(&list);
	return 0;
}

/* ---- selecting it ---- */

/* Write ours, made from @from, and select it. While LKST is stopped that has to wait. */
static int make(struct lkst_device *dev, struct logd_state *state, lkst_maskset_id from,
		bool running, struct lkst_error *err)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	lkst_maskset_id id = state->maskset;
	int ret = -1;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	if (lkst_maskset_read(dev, from, body, err))
		goto out;
	logd_maskset_adapt(body);
	if (lkst_maskset_write(dev, &id, body, err))
		goto out;
	state->maskset = id;
	if (from != id)
		state->before = from;
	ret = running ? lkst_maskset_set(dev, id, err) : 0;
out:
	free(body);
	return ret;
}

/**
 * logd_maskset_select() - select the daemon's maskset
 * @dev: device
 * @state: as it was left
 * @err: why not
 */
int logd_maskset_select(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err)
{
	lkst_maskset_id id;
	bool running;

	if (look(dev, state, err) || selected(dev, &id, &running, err))
		return -1;
	return make(dev, state, id, running, err);
}

/**
 * logd_maskset_watch() - has somebody selected another one meanwhile?
 * @dev: device
 * @state: what is selected stands for another one then
 * @err: why that cannot be told or done
 *
 * Return: 1 if so, 0 if not, -1 on an error.
 */
int logd_maskset_watch(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err)
{
	lkst_maskset_id id;
	bool running;

	if (selected(dev, &id, &running, err))
		return -1;
	if (!running || id == state->maskset)
		return 0;
	if (look(dev, state, err) || make(dev, state, id, running, err))
		return -1;
	return 1;
}

/* ---- putting back what was before ---- */

/*
 * LKST is stopped, and starting it would lead to ours: it is started, with nothing to record, and
 * stopped with the other one. What happens in between the two is recorded.
 */
static int set_while_stopped(struct lkst_device *dev, struct logd_state *state,
			     struct lkst_error *err)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	lkst_maskset_id id = state->maskset;
	int ret;

	if (!body) {
		lkst_error_memory(err, "a maskset");
		return -1;
	}
	ret = lkst_maskset_write(dev, &id, body, err);
	free(body);
	if (!ret)
		ret = lkst_start(dev, err);
	if (!ret)
		ret = lkst_maskset_set(dev, state->before, err);
	return lkst_stop(dev, ret ? NULL : err) ? -1 : ret;
}

/**
 * logd_maskset_restore() - select what was selected before, if the daemon's still is
 * @dev: device
 * @state: has none after this
 */
void logd_maskset_restore(struct lkst_device *dev, struct logd_state *state)
{
	struct lkst_error err;
	lkst_maskset_id id;
	bool running;
	int ret = 0;

	if (look(dev, state, &err) || selected(dev, &id, &running, &err)) {
		ret = -1;
	} else if (state->maskset != LKST_MASKSET_ID_VOID) {
		if (id == state->maskset)
			ret = running ? lkst_maskset_set(dev, state->before, &err) :
					set_while_stopped(dev, state, &err);
		if (!ret)
			ret = lkst_maskset_delete(dev, state->maskset, &err);
	}
	if (ret)
		logd_report_error(LOG_WARNING, "the maskset \"" NAME "\" stays", &err);
	state->maskset = LKST_MASKSET_ID_VOID;
}
