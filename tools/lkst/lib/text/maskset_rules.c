// SPDX-License-Identifier: LGPL-2.1
/*
 * Checks a maskset before it is written to the kernel, which gives no reason if it refuses one. A
 * maskset determines the event handler of each event type, and thereby which events are recorded.
 */
#include "etypes.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "maskset.h"
#include "messages.h"
#include "words.h"

/**
 * lkst_maskset_check_entry() - check that an event type may have an event handler
 * @types: event types of the kernel
 * @number: event type
 * @handler: event handler; LKST_EVHANDLER_ID_NONE is allowed for every event type
 * @err: set if the event type must not have this event handler
 */
int lkst_maskset_check_entry(const struct lkst_etypes *types, int number, lkst_evhandler_id handler,
			     struct lkst_error *err)
{
	const struct lkst_etype *type = lkst_etype(types, (uint32_t)number);

	/* A user event that has ended may begin again, and then has this event handler. */
	if (handler == LKST_EVHANDLER_ID_NONE ||
	    (type && (type->present || lkst_etype_is_program((uint32_t)number))))
		return 0;
	if (type)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_ABSENT, type->name,
			       (unsigned int)number);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NOT_REGISTERED, (unsigned int)number);
	return -1;
}

static bool maskset_rules_is_lock(int number)
{
	return number >= LKST_ETYPE_LOCK_MIN && number <= LKST_ETYPE_LOCK_MAX;
}

static bool maskset_rules_waking_causes(int number)
{
	return maskset_rules_is_lock(number) || number == LKST_ETYPE_CPU_IPI_SEND ||
	       number == LKST_ETYPE_INT_IPI_ENTRY || number == LKST_ETYPE_INT_IPI_EXIT;
}

/* Return the name of an event handler if it wakes the daemon or sends IPIs; otherwise NULL. */
static const char *maskset_rules_waker(lkst_evhandler_id id)
{
	switch (id) {
	case LKST_EVHANDLER_ID_BUFFER_SHIFT_DW:
		return "buffer_shift_dw";
	case LKST_EVHANDLER_ID_BUFFER_JUMP:
		return "buffer_jump";
	default:
		return NULL;
	}
}

/**
 * lkst_maskset_check_locks() - check that no event handler generates the events that it handles
 * @types: event types, for their names
 * @body: maskset
 * @offender: set to the offending event type; may be NULL
 * @err: set if the maskset records lock events although its handler for the overflow of a buffer
 *	wakes the daemon or sends IPIs (specification 4.7.1.2.2), or if the maskset assigns a handler
 *	of this kind to an event that the handler itself generates
 */
int lkst_maskset_check_locks(const struct lkst_etypes *types, const struct lkst_maskset_body *body,
			     int *offender, struct lkst_error *err)
{
	const struct lkst_etype *lock = NULL, *itself = NULL;
	const char *full = NULL, *again = NULL;

	for (lkst_maskset_table_len i = 0; i < body->len; i++) {
		const struct lkst_maskset_entry *entry = &body->entry[i];
		const struct lkst_etype *type = lkst_etype(types, (uint32_t)entry->event_type);

		if (entry->event_type == LKST_ETYPE_LKST_BUFF_OVFLOW)
			full = maskset_rules_waker(entry->id);
		else if (maskset_rules_is_lock(entry->event_type) &&
			 entry->id != LKST_EVHANDLER_ID_NONE)
			lock = type;
		if (type && maskset_rules_waker(entry->id) &&
		    maskset_rules_waking_causes(entry->event_type)) {
			itself = type;
			again = maskset_rules_waker(entry->id);
		}
	}
	if (itself)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WAKES_ITSELF, itself->name, again);
	else if (full && lock)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_LOCKS, lock->name, full);
	else
		return 0;
	if (offender)
		*offender = itself ? itself->number : lock->number;
	return -1;
}

/**
 * lkst_maskset_select() - extend a change by the event types that a word refers to
 * @types: event types of the kernel
 * @word: as for lkst_etypes_select()
 * @handler: event handler for these event types
 * @change: the event types are added to its sets
 * @err: set if the word is invalid, or if none of its event types can be changed
 */
int lkst_maskset_select(const struct lkst_etypes *types, const char *word,
			lkst_evhandler_id handler, struct lkst_maskset_change *change,
			struct lkst_error *err)
{
	unsigned int known = 0, changed = 0, last = 0;
	struct lkst_etype_set set;

	if (lkst_etypes_select(types, word, &set, err))
		return -1;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (!lkst_etype_set_has(&set, i) || !lkst_etype(types, i))
			continue;
		known++;
		last = i;
		if (lkst_maskset_check_entry(types, (int)i, handler, NULL)) {
			lkst_etype_set_add(&change->left_out, i);
		} else {
			lkst_etype_set_add(&change->set, i);
			changed++;
		}
	}
	if (changed)
		return 0;
	if (!known)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WORD_UNKNOWN, word);
	else if (known == 1)
		lkst_maskset_check_entry(types, (int)last, handler, err);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WORD_ABSENT, word);
	return -1;
}
