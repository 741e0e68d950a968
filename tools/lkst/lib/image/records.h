/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Reads the records of a buffer in an image. A session is one use of a buffer, from when a CPU
 * switches to the buffer. In the session, the CPU writes the slots of the buffer again and again;
 * each time is a lap. A recid is the number of an event: each CPU numbers its events from 0.
 */
#ifndef _LKST_LIB_IMAGE_RECORDS_H
#define _LKST_LIB_IMAGE_RECORDS_H

#include "lib/lkst.h"

struct image;
struct image_region;
struct lkst_run;

/**
 * struct image_counts - counts of the slots of a region
 * @records: valid and plausible records
 * @missing: slots that should hold a record, but whose page is not in the image
 * @implausible: slots whose contents cannot be the record that belongs there
 * @unfinished: slots that were being written, or whose record was dropped
 * @overwritten: records of the session that were overwritten
 * @first_recid: first recid of the session, or 0 if the session is unknown; for the static buffer,
 *	recid of the oldest record
 * @unknown: number of regions whose recids are unknown because their sessions are lost; for a
 *	buffer, valid when its first run is delivered
 * @fragments: extents that are missing or incomplete, or whose headers are lost. If the buffer had
 *	not wrapped, it is unknown whether slots after its last record held records, so @missing
 *	does not include these slots. 0 if the buffer never had a session
 */
struct image_counts {
	uint64_t records;
	uint64_t missing;
	uint64_t implausible;
	uint64_t unfinished;
	uint64_t overwritten;
	uint64_t first_recid;
	uint64_t unknown;
	uint64_t fragments;
};

/*
 * Read the records of a buffer, oldest first, as runs. Recids in a run have no gaps: if a record is
 * missing, the run contains a record with clock 0 instead. Numbers are in the byte order of this
 * machine, and strings in arguments are unchanged. If the session is unknown, the segments of
 * records (ring.h) are sorted by the clock of their first record, and recids count from 0. @types
 * contains the event types that may occur.
 */
int image_records(const struct image *image, const struct image_region *region,
		  const struct lkst_etypes *types,
		  int (*put)(void *ctx, const struct lkst_run *run, struct lkst_error *err),
		  void *ctx, struct image_counts *counts, struct lkst_error *err);
/* Read the records of the static buffer in order of recids; each record states its CPU. */
int image_static_records(const struct image *image, const struct image_region *region,
			 const struct lkst_etypes *types,
			 int (*put)(void *ctx, const struct lkst_log_record *record,
				    struct lkst_error *err),
			 void *ctx, struct image_counts *counts, struct lkst_error *err);

#endif
