/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make compressed chunks of records.
 */
#ifndef _LKST_PACK_H
#define _LKST_PACK_H

#include <linux/types.h>
#include <linux/lkst_history.h>

struct lkst_packer;

/**
 * struct lkst_records - records in the form that an uncompressed chunk has
 * @header: header; @header.count is the number of records
 * @record: the records
 */
struct lkst_records {
	struct lkst_records_header header;
	struct lkst_event_record record[LKST_CHUNK_RECORDS];
};

bool lkst_pack_possible(void);
struct lkst_packer *lkst_packer_open(void);
void lkst_packer_close(struct lkst_packer *packer);
const void *lkst_pack(struct lkst_packer *packer, const struct lkst_records *records,
		      struct lkst_chunk_header *chunk);

#endif
