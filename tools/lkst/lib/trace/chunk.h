/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Describes where chunks of records are in the files, and which buffers they come from. A recid is
 * the number of an event: each CPU numbers its events from 0.
 */
#ifndef _LKST_LIB_TRACE_CHUNK_H
#define _LKST_LIB_TRACE_CHUNK_H

#include "lib/base/etype_ids.h"
#include "lib/lkst.h"
#include "trace.h"

/*
 * A buffer whose records are in a file. Except in log files, the recids of its chunks increase in
 * file order.
 */
struct file_buffer {
	struct lkst_trace_buffer info;
	uint32_t source;
	uint32_t record_size;
	uint8_t machine;
	uint64_t added_recid;	/* first_recid of the chunk that was added last */
};

/*
 * Counts the OOPS_REGS records of an oops, which follow the event that reports the oops. If a
 * record is missing, the count is unknown until an event reports the next oops.
 */
struct oops_regs {
	uint64_t recid;		/* of the previous record */
	int32_t cpu;
	uint8_t nth;		/* index of the next OOPS_REGS record, or LKST_NTH_UNKNOWN */
};

/* A chunk of records. */
struct chunk_ref {
	uint64_t offset;	/* of the payload in the file */
	uint64_t length;	/* of the part of the payload that is in the file */
	uint64_t first_recid;
	uint64_t last_recid;	/* of the last record; less if the next chunk of the file
				 * overlaps */
	uint32_t checksum;	/* of the complete payload */
	uint32_t count;
	uint32_t stream;	/* index of its buffer in lkst_trace.stream */
	uint32_t lane;
	uint32_t track;
	uint16_t compression;
	bool cut;		/* the payload is incomplete */
	bool regs;		/* it contains OOPS_REGS records */
	int64_t first_ns;	/* sort key of its first record (struct cursor) */
	int64_t latest_ns;
	int64_t floor_ns;	/* lower bound of its keys, from earlier chunks of the same CPU */
	struct oops_regs oops;		/* state before its first record */
};

/* A range of a CPU's events, which a file reports as lost. */
struct loss {
	uint32_t boot;
	int32_t cpu;
	uint64_t first_recid;
	uint64_t number;
};

/*
 * Advance by one record. Returns the index of this record among the OOPS_REGS records of its oops;
 * LKST_NTH_UNKNOWN if it is another kind of record, or records before it are missing.
 */
static inline uint8_t trace_count_oops_regs(struct oops_regs *oops, uint64_t recid, int32_t cpu,
					    uint32_t type)
{
	if (recid != oops->recid + 1 || cpu != oops->cpu)
		oops->nth = LKST_NTH_UNKNOWN;
	oops->recid = recid;
	oops->cpu = cpu;
	/*
	 * The event types that OOPS_REGS can follow have the numbers just below that of OOPS_REGS.
	 */
	if (type < LKST_ETYPE_OOPS_DIE || type > LKST_ETYPE_OOPS_REGS)
		return LKST_NTH_UNKNOWN;
	if (type != LKST_ETYPE_OOPS_REGS)
		oops->nth = 0;
	else if (oops->nth != LKST_NTH_UNKNOWN)
		return oops->nth++;
	return LKST_NTH_UNKNOWN;
}

#endif
