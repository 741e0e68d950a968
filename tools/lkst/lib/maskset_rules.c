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

/**
 * lkst_maskset_check_locks() - are lock events recorded, and full buffers handled with locks?
 * @types: for the names
 * @body: maskset
 * @err: that both do not go together (specification 4.7.1.2.2)
 */
int lkst_maskset_check_locks(const struct lkst_etypes *types, const struct lkst_maskset_body *body,
			     struct lkst_error *err)
{
	const struct lkst_etype *lock = NULL;
	bool wakes = false;

	for (lkst_maskset_table_len i = 0; i < body->len; i++) {
		const struct lkst_maskset_entry *entry = &body->entry[i];

		if (entry->event_type == LKST_ETYPE_LKST_BUFF_OVFLOW)
			wakes = entry->id == LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
		else if (entry->event_type >= LKST_ETYPE_LOCK_MIN &&
			 entry->event_type <= LKST_ETYPE_LOCK_MAX &&
			 entry->id != LKST_EVHANDLER_ID_NONE)
			lock = lkst_etype(types, (uint32_t)entry->event_type);
	}
	if (!wakes || !lock)
		return 0;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_LOCKS, lock->name);
	return -1;
}
