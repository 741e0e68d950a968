/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The values of an event, as a filter reads them.
 */
#ifndef _LKST_RULES_FILTER_RECORD_H
#define _LKST_RULES_FILTER_RECORD_H

#include <linux/types.h>

/**
 * struct lkst_filter_record - the values of an event
 * @arg: its arguments
 * @data: for a chain, the payload after the words of struct lkst_payload; else
 *	the arguments
 * @bytes: number of bytes at @data
 * @words: for a chain, size of these words in bytes; else 0
 */
struct lkst_filter_record {
	__u64 arg[4];
	const void *data;
	__u32 bytes;
	__u32 words;
};

#endif
