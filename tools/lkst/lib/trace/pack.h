/* SPDX-License-Identifier: LGPL-2.1 */
/* Builds chunks of a trace file in memory. */
#ifndef _LKST_TRACE_PACK_H
#define _LKST_TRACE_PACK_H

#include "format.h"

struct lkst_run;

#define TRACE_PACK_SPARE 32	/* bytes of room after the chunks */

/*
 * Levels of zstd. FAST is for a daemon that compresses all the time, and SMALL for a trace that is
 * saved once: it takes longer, and the file is 3 % smaller.
 */
#define TRACE_PACK_PLAIN 0
#define TRACE_PACK_FAST	 1
#define TRACE_PACK_SMALL 3

struct trace_packer {
	void *zstd;	/* NULL: no compression */
	uint8_t *columns; /* memory to convert the records of a chunk */
	uint8_t *buf;	/* chunks, one after the other */
	size_t len;
	size_t room;
};

int trace_packer_open(struct trace_packer *packer, int level);
void trace_packer_close(struct trace_packer *packer);
int trace_pack(struct trace_packer *packer, unsigned int type, const void *header,
	       size_t header_len, const void *data, size_t len);
struct lkst_records_header trace_run_header(const struct lkst_run *run);
void trace_seal(struct lkst_chunk_header *chunk, uint32_t payload_checksum);

#endif
