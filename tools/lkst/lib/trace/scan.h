/* SPDX-License-Identifier: LGPL-2.1 */
/* Scans a file once, chunk by chunk. */
#ifndef _LKST_LIB_TRACE_SCAN_H
#define _LKST_LIB_TRACE_SCAN_H

#include "lib/lkst.h"

struct boot;
struct source;
struct lkst_chunk_header;

bool trace_good_header(bool swapped, const uint8_t *raw, struct lkst_chunk_header *chunk);
bool trace_is_file_header(const uint8_t *raw);
int trace_find_boot(struct source *source, struct boot *boot, struct lkst_error *err);
int trace_scan(struct lkst_trace *trace, struct source *source, struct lkst_error *err);

#endif
