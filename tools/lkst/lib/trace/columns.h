/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Converts records to columns. Compressed columns take less than half the space of compressed
 * records (TRACE_COMPRESSION_COLUMNS in Documentation/lkst/trace-file.rst).
 */
#ifndef _LKST_TRACE_COLUMNS_H
#define _LKST_TRACE_COLUMNS_H

#include "format.h"
#include "lib/lkst.h"
#include "unpack.h"

#define TRACE_COLUMNS_KEY 2	/* size of an entry in the column of event types, in bytes */
#define TRACE_COLUMNS_MAX					\
	(sizeof(struct lkst_records_header) + \
	 LKST_CHUNK_RECORDS * (sizeof(struct lkst_log_record) + TRACE_COLUMNS_KEY))

size_t trace_columns_from(const struct lkst_records_header *header, const void *records,
			  uint8_t *columns);
size_t trace_columns_to(const uint8_t *columns, size_t len, bool swapped, trace_wanted_fn *wanted,
			uint8_t *payload, size_t room);

#endif
