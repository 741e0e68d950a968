/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Convert records to columns, the form in which the history compresses them.
 */
#ifndef _LKST_COLUMNS_H
#define _LKST_COLUMNS_H

#include <linux/types.h>
#include <linux/lkst_history.h>

/* Size of an entry in the column of event types, in bytes. */
#define LKST_COLUMNS_KEY	2

/* Length of the columns of @num records in bytes. */
#define LKST_COLUMNS_LENGTH(num)					\
	(sizeof(struct lkst_records_header) +				\
	 (num) * (sizeof(struct lkst_event_record) + LKST_COLUMNS_KEY))

/**
 * struct lkst_columns - memory that the conversion needs
 * @key: event type of each record
 * @order: indices of the records, sorted by event type
 * @next: index in @order of the next record of each event type
 */
struct lkst_columns {
	u16 key[LKST_CHUNK_RECORDS];
	u16 order[LKST_CHUNK_RECORDS];
	u16 next[LKST_ETYPE_NUM];
};

size_t lkst_columns_make(struct lkst_columns *work, const struct lkst_records_header *header,
			 const struct lkst_event_record *records, u8 *columns);

#endif
