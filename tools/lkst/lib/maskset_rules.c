// SPDX-License-Identifier: LGPL-2.1
/* What may stand in a maskset: told before the kernel refuses it without a reason. */
#include "etype_ids.h"
#include "messages.h"

/**
 * lkst_maskset_check_entry() - may an event type have that event handler?
 * @types: those of the kernel
 * @number: event type
 * @handler: event handler; LKST_EVHANDLER_ID_NONE goes with every event type
 * @err: why not
 */
int lkst_maskset_check_entry(const struct lkst_etypes *types, int number, lkst_evhandler_id handler,
			     struct lkst_error *err)
{
	const struct lkst_etype *type = lkst_etype(types, (uint32_t)number);

	if (handler == LKST_EVHANDLER_ID_NONE || (type && type->present))
		return 0;
	if (type)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_ABSENT, type->name,
			       (unsigned int)number);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NOT_REGISTERED, (unsigned int)number);
	return -1;
}

static bool is_lock(int number)
{
	return number >= LKST_ETYPE_LOCK_MIN && number <= LKST_ETYPE_LOCK_MAX;
}

static bool waking_causes(int number)
{
	return is_lock(number) || number == LKST_ETYPE_CPU_IPI_SEND ||
	       number == LKST_ETYPE_INT_IPI_ENTRY || number == LKST_ETYPE_INT_IPI_EXIT;
}

/* The name of an event handler that wakes the daemon or asks other CPUs; NULL: it does neither. */
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
 * lkst_maskset_check_locks() - is there an event handler that its event cannot have?
 * @types: for the names
 * @body: maskset
 * @culprit: event type that does not go; may be NULL
 * @err: that lock events do not go together with a handler of full buffers that wakes or asks other
 *	CPUs (specification 4.7.1.2.2), or which event has such a handler and is caused by it
 */
int lkst_maskset_check_locks(const struct lkst_etypes *types, const struct lkst_maskset_body *body,
			     int *culprit, struct lkst_error *err)
{
	const struct lkst_etype *lock = NULL, *itself = NULL;
	const char *full = NULL, *again = NULL;

	for (lkst_maskset_table_len i = 0; i < body->len; i++) {
		const struct lkst_maskset_entry *entry = &body->entry[i];
		const struct lkst_etype *type = lkst_etype(types, (uint32_t)entry->event_type);

		if (entry->event_type == LKST_ETYPE_LKST_BUFF_OVFLOW)
			full = maskset_rules_waker(entry->id);
		else if (is_lock(entry->event_type) && entry->id != LKST_EVHANDLER_ID_NONE)
			lock = type;
		if (type && maskset_rules_waker(entry->id) && waking_causes(entry->event_type)) {
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
	if (culprit)
		*culprit = itself ? itself->number : lock->number;
	return -1;
}

/**
 * lkst_maskset_select() - the event types that a word means, which get an event handler
 * @types: those of the kernel
 * @word: as for lkst_etypes_select()
 * @handler: event handler
 * @change: is added to
 * @err: what is wrong with the word, or that it leaves nothing
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
