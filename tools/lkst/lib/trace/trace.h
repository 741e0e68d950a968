/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads a trace: its buffers, losses and gaps. See lkst.h for the other functions. */
#ifndef _LKST_LIB_TRACE_TRACE_H
#define _LKST_LIB_TRACE_TRACE_H

#include "lib/lkst.h"

struct lkst_run;
struct lkst_symbols;

bool lkst_trace_is_one(int fd);
struct lkst_trace *lkst_trace_open_again(const struct lkst_trace *trace,
					 const struct lkst_trace_hooks *hooks,
					 struct lkst_error *err);
int lkst_trace_span(struct lkst_trace *trace, int64_t *oldest_ns, int64_t *newest_ns,
		    struct lkst_error *err);

/**
 * struct lkst_trace_buffer - a buffer of a trace
 * @cpu: CPU; -1: the static buffer
 * @id: id of the buffer
 * @clock: enum lkst_clock
 * @records: number of records in the file
 * @recorded: as in struct lkst_log_buffer
 * @overwritten: as in struct lkst_log_buffer
 * @dropped: as in struct lkst_log_buffer
 * @unfinished: as in struct lkst_log_buffer
 */
struct lkst_trace_buffer {
	int32_t cpu;
	int32_t id;
	uint32_t clock;
	uint64_t records;
	uint64_t recorded;
	uint64_t overwritten;
	uint64_t dropped;
	uint64_t unfinished;
};

/* Return whether the counters other than @records are known. Log files do not contain them. */
static inline bool lkst_trace_buffer_counted(const struct lkst_trace_buffer *buffer)
{
	return buffer->recorded || !buffer->records;
}

struct lkst_trace *lkst_trace_view_new(const struct lkst_trace *trace, struct lkst_error *err);
void lkst_trace_view_free(struct lkst_trace *view);
int lkst_trace_rewind_part(struct lkst_trace *trace, int32_t cpu, int64_t since_ns,
			   struct lkst_error *err);
int lkst_trace_rewind_lane(struct lkst_trace *trace, size_t i, enum lkst_order order,
			   struct lkst_error *err);
size_t lkst_trace_lanes(const struct lkst_trace *trace);
int lkst_trace_lane_first(struct lkst_trace *trace, size_t i, struct lkst_event *event,
			  struct lkst_error *err);
uint32_t lkst_trace_boot(const struct lkst_trace *trace, uint32_t source);
const char *lkst_trace_system(const struct lkst_trace *trace, const char *key, size_t *len);
const char *lkst_trace_boot_system(const struct lkst_trace *trace, uint32_t boot, const char *key,
				   size_t *len);
bool lkst_trace_damaged(const struct lkst_trace *trace);
bool lkst_trace_image_lacks(const struct lkst_trace *trace);
const struct lkst_context *lkst_trace_context(const struct lkst_trace *trace);
void lkst_trace_set_symbols(struct lkst_trace *trace, struct lkst_symbols *symbols);
void lkst_trace_drop_files(struct lkst_trace *trace);
bool lkst_trace_has_cpu(const struct lkst_trace *trace, int32_t cpu);
bool lkst_trace_has_type(const struct lkst_trace *trace, uint32_t type);
void lkst_trace_cpu_text(const struct lkst_trace *trace, char *text, size_t size);
size_t lkst_trace_buffers(const struct lkst_trace *trace);
uint64_t lkst_trace_lost(const struct lkst_trace *trace);
void lkst_trace_buffer(const struct lkst_trace *trace, size_t i,
		       struct lkst_trace_buffer *buffer);

#define LKST_TRACE_CPUS 8192 /* maximum number of CPUs */

/**
 * struct lkst_trace_ends - which records may be missing at the end of a boot
 * @cut: a file of the boot lacks its end
 * @lacks: @lacking is not empty
 * @cpus: bitmap of the CPUs that have records
 * @lacking: bitmap of the CPUs in @cpus whose last records may be missing
 */
struct lkst_trace_ends {
	bool cut;
	bool lacks;
	uint64_t cpus[LKST_TRACE_CPUS / 64];
	uint64_t lacking[LKST_TRACE_CPUS / 64];
};

void lkst_trace_ends(const struct lkst_trace *trace, uint32_t boot, struct lkst_trace_ends *ends);

/**
 * struct lkst_trace_gap - events missing between files, for one CPU
 * @boot: UUID of the kernel's run
 * @cpu: CPU that recorded them
 * @missing: number of missing events, not counting events that a file reports as lost
 * @gaps: number of gaps
 */
struct lkst_trace_gap {
	const char *boot;
	int32_t cpu;
	uint64_t missing;
	uint64_t gaps;
};

size_t lkst_trace_gaps(const struct lkst_trace *trace);
const struct lkst_trace_gap *lkst_trace_gap(const struct lkst_trace *trace, size_t i);
uint64_t lkst_trace_missing(const struct lkst_trace *trace);

#endif
