/* SPDX-License-Identifier: LGPL-2.1 */
/* Processes the payloads of chunks during the scan. */
#ifndef _LKST_LIB_TRACE_PAYLOAD_H
#define _LKST_LIB_TRACE_PAYLOAD_H

#include "lib/lkst.h"
#include "unpack.h"

struct cursor;
struct source;
struct lkst_chunk_header;

struct chunk_place {
	const struct lkst_chunk_header *chunk;
	uint64_t offset;	/* of the payload */
	uint64_t present;	/* number of bytes of the payload that are in the file */
	bool cut;
};

enum lkst_machine trace_machine_of(const char arch[16]);
int trace_payload(struct lkst_trace *trace, struct source *source, struct cursor *c,
		  const struct chunk_place *place, uint8_t *payload, uint64_t len,
		  struct lkst_error *err);
trace_wanted_fn *trace_payload_wanted(unsigned int type);
int trace_learn_syncs(struct lkst_trace *trace, const struct cursor *c, struct lkst_error *err);
int trace_learn_raw(struct lkst_trace *trace, struct lkst_error *err);

#endif
