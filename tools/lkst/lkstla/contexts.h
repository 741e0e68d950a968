/* SPDX-License-Identifier: GPL-2.0 */
/* What the analyses of interrupts, softirqs, timers and work items have in common. */
#ifndef _LKSTLA_CONTEXTS_H
#define _LKSTLA_CONTEXTS_H

#include "analysis.h"
#include "dist.h"
#include "hash.h"

#define CONTEXT_NAME_SIZE   600
#define CONTEXT_THREAD_SIZE 40
#define CONTEXT_CPUS_MAX    8192

/*
 * A damaged trace can contain any number of functions. When a table has this many rows, all further
 * contexts share one row.
 */
#define CONTEXT_ROWS_MAX (1u << 14)

/**
 * struct context_id - identifies the contexts whose spans share a row
 * @source: index of the file in a trace of several files
 * @kind: enum lkst_context_kind; from LKST_CONTEXT_NUM on, a kind that only the analysis uses
 * @number: number of the context, see enum lkst_context_kind
 * @name: IRQ: name of the handler, because the handlers of a shared interrupt have the same number;
 *	otherwise ""
 */
struct context_id {
	uint32_t source;
	int kind;
	uint64_t number;
	char name[25];
};

/* The first members of a row, in a table of rows by struct context_id */
struct context_row {
	struct hash_head head;
	struct context_id id;
};

extern const char *const context_kinds[LKST_CONTEXT_NUM];

struct context_id context_id(const struct lkst_context_span *span);
void *context_row(struct hash *rows, const struct context_id *id);
void *context_cpu(struct hash *cpus, uint32_t source, int32_t cpu);
const char *context_name(const struct run *run, const struct context_row *row,
			 char text[CONTEXT_NAME_SIZE]);
int context_compare(const struct context_row *a, const struct context_row *b);

/* Return whether -c and -p select something that happened to a thread on a CPU. */
static inline bool context_selects(const struct run *run, int32_t cpu,
				   const struct lkst_thread *thread)
{
	return run_selects_cpu(run, cpu) && run_selects(run, thread);
}

/*
 * Return whether a duration is longer than all durations in a distribution. Among equal durations,
 * the earliest one counts as the longest one.
 */
static inline bool dist_exceeds(const struct dist *dist, int64_t duration_ns)
{
	return !dist->count || (duration_ns > 0 && (uint64_t)duration_ns > dist->max);
}

/* Make a cell from a sum or a maximum, which may exceed the largest value of a cell. */
static inline struct cell cell_of_ns(uint64_t ns)
{
	return CELL(ns < INT64_MAX ? ns : INT64_MAX);
}

#endif
