// SPDX-License-Identifier: GPL-2.0
/*
 * The maskset that is selected while lkstlogd is running. It is a copy of the user's maskset, with
 * four changes. When a buffer is full, the CPU shifts to the next one and wakes the daemon. The
 * events lkst_buff_shift and lkst_sync_time are always recorded. Lock events are not recorded,
 * because waking the daemon takes locks (specification 4.7.1.2.2). IPI events do not wake the
 * daemon.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "maskset.h"
#include "report.h"
#include "state.h"

#define NAME "lkstlogd"

/* ---- contents ---- */

static bool logd_maskset_is_lock(int type)
{
	return type >= LKST_ETYPE_LOCK_MIN && type <= LKST_ETYPE_LOCK_MAX;
}

static bool maskset_is_ipi(int type)
{
	return type == LKST_ETYPE_INT_IPI_ENTRY || type == LKST_ETYPE_INT_IPI_EXIT;
}

static lkst_evhandler_id maskset_handler_for(const struct lkst_maskset_entry *entry)
{
	switch (entry->event_type) {
	case LKST_ETYPE_LKST_BUFF_OVFLOW:
		return LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
	case LKST_ETYPE_LKST_BUFF_SHIFT:
	case LKST_ETYPE_LKST_SYNC_TIME:
		/*
		 * Always recorded: the CPU and the time of day of all other records in a buffer are
		 * derived from these events.
		 */
		return LKST_EVHANDLER_ID_ENTRY_LOG;
	}
	if (logd_maskset_is_lock(entry->event_type))
		return LKST_EVHANDLER_ID_NONE;
	/*
	 * Waking the daemon sends IPIs. If an IPI event could also shift the buffer and wake the
	 * daemon, each wakeup could cause the next.
	 */
	if (maskset_is_ipi(entry->event_type) && entry->id == LKST_EVHANDLER_ID_BUFFER_SHIFT_DW)
		return LKST_EVHANDLER_ID_ENTRY_LOG;
	return entry->id;
}

static void logd_maskset_adapt(struct lkst_maskset_body *body)
{
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		body->entry[i].id = maskset_handler_for(&body->entry[i]);
	snprintf(body->name, sizeof(body->name), NAME);
}

/* ---- existing masksets ---- */

/* Get the selected maskset or, while LKST is stopped, the one that the next start will select. */
static int logd_maskset_selected(struct lkst_device *dev, lkst_maskset_id *id, bool *running,
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

static bool logd_maskset_exists(const struct lkst_maskset_list *list, lkst_maskset_id id)
{
	for (size_t i = 0; i < list->num; i++)
		if (list->ent[i].id == id)
			return true;
	return false;
}

/* Return the id of the daemon's maskset, or LKST_MASKSET_ID_VOID if it does not exist. */
static lkst_maskset_id maskset_find_own(const struct lkst_maskset_list *list)
{
	for (size_t i = 0; i < list->num; i++)
		if (!strcmp(list->ent[i].name, NAME))
			return list->ent[i].id;
	return LKST_MASKSET_ID_VOID;
}

/*
 * Update in @state the ids of the daemon's maskset and of the maskset on which it is based. If the
 * maskset on which it is based no longer exists, its id becomes LKST_MASKSET_ID_RDEFAULT.
 */
static int logd_maskset_update(struct lkst_device *dev, struct logd_state *state,
			       struct lkst_error *err)
{
	struct lkst_maskset_list list;

	if (lkst_maskset_list_get(dev, &list, err))
		return -1;
	state->maskset = maskset_find_own(&list);
	if (!logd_maskset_exists(&list, state->before) || state->before == state->maskset)
		state->before = LKST_MASKSET_ID_RDEFAULT;
	lkst_maskset_list_free(&list);
	return 0;
}

/* ---- selecting ---- */

/*
 * Write the daemon's maskset, based on @from, and select it. While LKST is stopped, the next start
 * of LKST selects it.
 */
static int logd_maskset_make(struct lkst_device *dev, struct logd_state *state,
			     lkst_maskset_id from, bool running, struct lkst_error *err)
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
 * @state: state, possibly left by an earlier daemon; updated
 * @err: set on failure
 */
int logd_maskset_select(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err)
{
	lkst_maskset_id id;
	bool running;

	if (logd_maskset_update(dev, state, err) || logd_maskset_selected(dev, &id, &running, err))
		return -1;
	return logd_maskset_make(dev, state, id, running, err);
}

/**
 * logd_maskset_watch() - check whether a user has selected another maskset
 * @dev: device
 * @state: updated if another maskset was selected; the daemon's maskset is then based on that one
 * @err: set on failure
 *
 * Return: 1 if another maskset was selected, 0 if not, -1 on error.
 */
int logd_maskset_watch(struct lkst_device *dev, struct logd_state *state, struct lkst_error *err)
{
	lkst_maskset_id id;
	bool running;

	if (logd_maskset_selected(dev, &id, &running, err))
		return -1;
	if (!running || id == state->maskset)
		return 0;
	if (logd_maskset_update(dev, state, err) || logd_maskset_make(dev, state, id, running, err))
		return -1;
	return 1;
}

/* ---- restoring the previous maskset ---- */

/*
 * While LKST is stopped, the next start would select the daemon's maskset. Make the next start
 * select the previous maskset instead: empty the daemon's maskset, start LKST with it, select the
 * previous maskset, and stop LKST. Events between the last two steps are recorded.
 */
static int maskset_set_while_stopped(struct lkst_device *dev, struct logd_state *state,
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
 * logd_maskset_restore() - select the previous maskset again, if the daemon's is still selected
 * @dev: device
 * @state: state; afterwards, the daemon has no maskset
 */
void logd_maskset_restore(struct lkst_device *dev, struct logd_state *state)
{
	struct lkst_error err;
	lkst_maskset_id id;
	bool running;
	int ret = 0;

	if (logd_maskset_update(dev, state, &err) ||
	    logd_maskset_selected(dev, &id, &running, &err)) {
		ret = -1;
	} else if (state->maskset != LKST_MASKSET_ID_VOID) {
		if (id == state->maskset)
			ret = running ? lkst_maskset_set(dev, state->before, &err) :
					maskset_set_while_stopped(dev, state, &err);
		if (!ret)
			ret = lkst_maskset_delete(dev, state->maskset, &err);
	}
	if (ret)
		logd_report_error(LOG_WARNING, "the maskset \"" NAME "\" stays", &err);
	state->maskset = LKST_MASKSET_ID_VOID;
}
