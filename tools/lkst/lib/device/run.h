/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * A run: records of a CPU with consecutive recids, as the kernel returns them in a block. A recid
 * is the number of an event; it increases by 1 for each event of a CPU.
 */
#ifndef _LKST_LIB_DEVICE_RUN_H
#define _LKST_LIB_DEVICE_RUN_H

#include "lib/lkst.h"

/**
 * struct lkst_run - records with consecutive recids, of one CPU, one buffer and one clock
 * @cpu: CPU that recorded them
 * @buffer: id of their buffer
 * @clock: enum lkst_clock
 * @first_recid: recid of the first record
 * @num: number of records; 0: the run only reports events before @first_recid as lost
 * @record: records, valid until the next call to lkst_stream_next(); only the flags in
 *	LKST_RECORD_FLAGS have a meaning
 * @lost: number of events between the CPU's previous run and @first_recid that can no longer be
 *	read
 * @dropped: number of events in @lost that were dropped because their slots were in use
 * @unfinished: number of events in @lost whose records were not finished in time
 * @recorded: recid of the CPU's next event at the time of the read
 * @monotonic_ns: the kernel's monotonic clock when @tsc was read; INT64_MIN: unknown
 * @xtime_ns: the wall clock when @tsc was read
 * @tsc: a value that was read from the buffer's clock
 * @freq_khz: rate of the buffer's clock
 * @arch: machine, as uname -m prints it
 * @boot: UUID that LKST generates each time it starts; recids then restart at 0
 */
struct lkst_run {
	int32_t cpu;
	lkst_buffer_id buffer;
	uint32_t clock;
	uint64_t first_recid;
	size_t num;
	const struct lkst_event_record *record;
	uint64_t lost;
	uint64_t dropped;
	uint64_t unfinished;
	uint64_t recorded;
	int64_t monotonic_ns;
	int64_t xtime_ns;
	uint64_t tsc;
	uint64_t freq_khz;
	char arch[LKST_ARCH_NAME_LEN];
	uint8_t boot[LKST_BLOCK_BOOT_LEN];
};

#endif
