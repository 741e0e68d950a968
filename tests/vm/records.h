/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Read a buffer while other processes are recording into it, and check the properties that every
 * record must have.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include "../modules/pattern.h"
#include "proc_etypes.h"
#include "processes.h"

#define LOG_FLAGS (LKST_LOG_INTERRUPT | LKST_RECORD_FLAGS << LKST_LOG_RECORD_SHIFT)

/* Prepare for checking records. Must be called before starting the processes that check them. */
static inline void prepare_checks(void)
{
	wrongs = map(sizeof(*wrongs));
	read_proc_etypes();
}

/* The result of one BUFFER_READ: @num records, in memory for @max records. */
struct reading {
	struct lkst_log_record *records;
	size_t max;
	size_t num;
	struct lkst_log_buffer param;
};

static inline void reading_init(struct reading *reading, size_t max)
{
	*reading = (struct reading){ map(max * sizeof(*reading->records)), .max = max };
}

static inline void reading_free(struct reading *reading)
{
	munmap(reading->records, reading->max * sizeof(*reading->records));
}

/* Read up to @max records of a buffer. @max must not exceed @reading->max. Return 0 or errno. */
static inline int read_some(struct reading *reading, int cpu, int id, size_t max)
{
	int error = read_buffer_max(&reading->param, cpu, id, reading->records, max);

	reading->num = 0;
	if (error)
		return error;
	reading->num = reading->param.result_read_size / sizeof(*reading->records);
	if (reading->param.result_read_size % sizeof(*reading->records) || reading->num > max)
		wrong("%llu bytes were read, of %zu records", (ull)reading->param.result_read_size,
		      max);
	return 0;
}

/*
 * Check the counts that BUFFER_READ returned. This works even if events were recorded during the
 * call. If there was room for all records, the counts must add up to the number of recorded events.
 * Otherwise their sum must not exceed that number.
 */
static inline void check_sum(const struct reading *reading)
{
	const struct lkst_log_buffer *param = &reading->param;
	uint64_t sum = reading->num + param->overwritten + param->dropped + param->unfinished;
	bool all = param->read_size == reading->max * sizeof(*reading->records);

	if (sum > param->recorded || (sum < param->recorded && all))
		wrong("CPU %d: %zu read, %llu overwritten, %llu dropped, %llu unfinished, of %llu",
		      param->cpu, reading->num, (ull)param->overwritten, (ull)param->dropped,
		      (ull)param->unfinished, (ull)param->recorded);
}

/*
 * Check the CPU, the event type and the recid of a record, and the members that have fixed values.
 */
static inline void check_record(const struct reading *reading, size_t i)
{
	const struct lkst_log_buffer *param = &reading->param;
	const struct posix_log_entry *posix = &reading->records[i].posix;
	ull recid = posix->log_recid;

	if (posix->log_magic != LKST_LOG_MAGIC || posix->log_format != LKST_LOG_FORMAT ||
	    posix->log_size != LKST_LOG_SIZE || posix->log_facility != LKST_LOG_FACILITY ||
	    posix->log_severity != LKST_LOG_SEVERITY || posix->log_processor != param->cpu ||
	    posix->log_flags & ~LOG_FLAGS || posix->log_time.tv_nsec < 0 ||
	    posix->log_time.tv_nsec >= 1000000000)
		wrong("CPU %d recid %#llx: fixed values or CPU", param->cpu, recid);
	if (posix->log_event_type < 0 || posix->log_event_type >= LKST_ETYPE_NUM ||
	    !*proc_etypes[posix->log_event_type].mnemonic)
		wrong("CPU %d recid %#llx: event type %#x", param->cpu, recid,
		      posix->log_event_type);
	if (recid >= param->first_recid + param->recorded ||
	    recid < param->first_recid + param->overwritten ||
	    (i && recid <= reading->records[i - 1].posix.log_recid))
		wrong("CPU %d: recid %#llx", param->cpu, recid);
}

/* Whether arguments 2 to 4 have the values that pattern_fill() computes from argument 1. */
static inline bool has_pattern(const struct lkst_log_record *record)
{
	__u64 expected[4];

	pattern_fill(expected, record->log_arg1);
	return record->log_arg2 == expected[1] && record->log_arg3 == expected[2] &&
	       record->log_arg4 == expected[3];
}

static inline void wrong_record(const struct lkst_log_record *record, const char *problem)
{
	const struct posix_log_entry *posix = &record->posix;

	wrong("CPU %d recid %#llx, type %#x, flags %#x, thread %u, %#llx %#llx %#llx %#llx: %s",
	      posix->log_processor, (ull)posix->log_recid, posix->log_event_type, posix->log_flags,
	      posix->log_thread, (ull)record->log_arg1, (ull)record->log_arg2,
	      (ull)record->log_arg3, (ull)record->log_arg4, problem);
}

static inline int64_t record_ns(const struct lkst_log_record *record)
{
	return record->posix.log_time.tv_sec * 1000000000LL + record->posix.log_time.tv_nsec;
}

/*
 * Check that the counts add up exactly. Call this only after recording into the buffer has ended.
 */
static inline void report_sum(const struct reading *reading)
{
	const struct lkst_log_buffer *param = &reading->param;

	ok(param->recorded == reading->num + param->overwritten + param->dropped &&
		   !param->unfinished,
	   "CPU %d: recorded %llu = read %zu + overwritten %llu + dropped %llu", param->cpu,
	   (ull)param->recorded, reading->num, (ull)param->overwritten, (ull)param->dropped);
}

#endif
