/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is read of a buffer while others record there, and what must be true of it whoever they are.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <sys/mman.h>

#include "../modules/pattern.h"
#include "buffers.h"
#include "proc_etypes.h"

#define LOG_FLAGS (LKST_LOG_INTERRUPT | LKST_RECORD_FLAGS << LKST_LOG_RECORD_SHIFT)

/* Memory that processes share. */
static inline void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		bail_out("memory");
	return p;
}

/* Things that are not as they must be, in all processes; the first of them is kept. */
struct wrongs {
	unsigned long num;
	char why[512];
};

/* Weak: one, however many files a program is made of. */
__attribute__((weak)) struct wrongs *wrongs;

static inline void __attribute__((format(printf, 1, 2))) wrong(const char *why, ...)
{
	va_list args;

	if (__atomic_fetch_add(&wrongs->num, 1, __ATOMIC_RELAXED))
		return;
	va_start(args, why);
	vsnprintf(wrongs->why, sizeof(wrongs->why), why, args);
	va_end(args);
}

static inline void report_wrongs(const char *name)
{
	if (!ok(!wrongs->num, "%s", name))
		diag("%lu are wrong; the first: %s", wrongs->num, wrongs->why);
}

/* Before the processes begin that check records. */
static inline void prepare_checks(void)
{
	wrongs = map(sizeof(*wrongs));
	read_proc_etypes();
}

/* What was read of one buffer; there is room for @max records. */
struct reading {
	struct lkst_log_record *records;
	size_t max;
	size_t num;
	struct lkst_log_buffer param;
};

static inline void reading_init(struct reading *reading, size_t max)
{
	reading->records = map(max * sizeof(*reading->records));
	reading->max = max;
	reading->num = 0;
}

static inline void reading_free(struct reading *reading)
{
	munmap(reading->records, reading->max * sizeof(*reading->records));
}

/* At most @max records, which there must be room for. */
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

/* With room for all of them it is the sum, whatever is being recorded meanwhile. */
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

/* What each record must be. */
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

/* The arguments are a pattern that begins with the first. */
static inline bool has_pattern(const struct lkst_log_record *record)
{
	__u64 want[4];

	pattern_fill(want, record->log_arg1);
	return record->log_arg2 == want[1] && record->log_arg3 == want[2] &&
	       record->log_arg4 == want[3];
}

static inline void wrong_record(const struct lkst_log_record *record, const char *what)
{
	const struct posix_log_entry *posix = &record->posix;

	wrong("CPU %d recid %#llx, type %#x, flags %#x, thread %u, %#llx %#llx %#llx %#llx: %s",
	      posix->log_processor, (ull)posix->log_recid, posix->log_event_type, posix->log_flags,
	      posix->log_thread, (ull)record->log_arg1, (ull)record->log_arg2,
	      (ull)record->log_arg3, (ull)record->log_arg4, what);
}

static inline int64_t record_ns(const struct lkst_log_record *record)
{
	return record->posix.log_time.tv_sec * 1000000000LL + record->posix.log_time.tv_nsec;
}

/* Nothing is recorded there any more. */
static inline void report_sum(const struct reading *reading)
{
	const struct lkst_log_buffer *param = &reading->param;

	ok(param->recorded == reading->num + param->overwritten + param->dropped &&
		   !param->unfinished,
	   "CPU %d: recorded %llu = read %zu + overwritten %llu + dropped %llu", param->cpu,
	   (ull)param->recorded, reading->num, (ull)param->overwritten, (ull)param->dropped);
}

#endif
