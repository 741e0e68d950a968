// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla profile: which code the CPUs were executing when the interrupt of the local timer arrived.
 * Each such interrupt is a sample: its event contains the address of the interrupted instruction.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/context.h"
#include "lib/text/symbols.h"
#include "value.h"

#define PROFILE_MAX (1u << 18)

/* The table has rows for these modes in addition to the kinds in enum lkst_context_kind. */
enum profile_mode {
	PROFILE_USER = LKST_CONTEXT_NUM,
	PROFILE_KERNEL,
	PROFILE_UNKNOWN,
	PROFILE_MODES_END,
};

struct profile_arguments {
	bool folded;
};

/**
 * struct profile_row - a function of the kernel or an instruction of a program
 * @row: mode, address, and the name of the program or, for --folded, the index of the thread
 * @thread: --folded: the thread; NULL: idle or unknown
 * @samples: number of samples
 */
struct profile_row {
	struct context_row row;
	const struct lkst_thread *thread;
	uint64_t samples;
};

struct profile_state {
	const struct run *run;
	bool folded;
	struct hash rows;
	uint64_t samples;
	uint64_t by_mode[PROFILE_MODES_END - PROFILE_USER];
};

static void *profile_start(const struct run *run, struct lkst_error *err)
{
	const struct profile_arguments *own = run->own;
	struct profile_state *state = calloc(1, sizeof(*state));

	if (!state) {
		lkst_error_memory(err, "the profile");
		return NULL;
	}
	state->run = run;
	state->folded = own && own->folded;
	state->rows.size = sizeof(struct profile_row);
	state->rows.max = PROFILE_MAX;
	return state;
}

static void profile_free(void *ctx)
{
	struct profile_state *state = ctx;

	hash_free(&state->rows);
	free(state);
}

/*
 * Return the mode of a sample. The kernel uses the upper half of the addresses on a 64-bit machine,
 * and by default the upper quarter on a 32-bit one. Kernel threads and the idle thread are never in
 * user mode.
 */
static enum profile_mode profile_mode(const struct lkst_context_span *span)
{
	const struct lkst_thread *thread = span->thread;

	if (!span->ip)
		return PROFILE_UNKNOWN;
	if (span->ip >> 63)
		return PROFILE_KERNEL;
	if (!thread)
		return PROFILE_UNKNOWN;
	if (thread->kernel || (thread->machine == LKST_MACHINE_I386 && span->ip >= 0xc0000000))
		return PROFILE_KERNEL;
	return PROFILE_USER;
}

/* Return the address of the function that contains a kernel address. */
static uint64_t profile_function(const struct run *run, uint32_t source, uint64_t ip)
{
	const struct lkst_context *context = lkst_trace_source_context(run->trace, source);
	struct lkst_symbol symbol;

	return lkst_symbols_find(context->symbols, ip, &symbol) ? ip - symbol.offset : ip;
}

static void profile_context(void *ctx, const struct lkst_context_span *span)
{
	struct profile_state *state = ctx;
	const struct lkst_thread *thread = span->thread;
	struct context_id id = { .source = span->source, .number = span->ip };
	struct profile_row *row;

	if (span->kind != LKST_CONTEXT_TIMER_IRQ || !span->begin_known ||
	    !context_selects(state->run, span->cpu, thread))
		return;
	id.kind = profile_mode(span);
	if (id.kind == PROFILE_KERNEL)
		id.number = profile_function(state->run, span->source, span->ip);
	if (state->folded && thread)
		snprintf(id.name, sizeof(id.name), "%" PRIu32, thread->index);
	else if (!state->folded && thread && id.kind == PROFILE_USER)
		snprintf(id.name, sizeof(id.name), "%.*s", LKST_COMM_LEN, thread->name);
	row = context_row(&state->rows, &id);
	if (!row) {
		run_out_of_memory(state->run);
		return;
	}
	row->thread = hash_is_rest(row) ? NULL : thread;
	row->samples++;
	state->samples++;
	state->by_mode[id.kind - PROFILE_USER]++;
}

/* Order: most samples first. The other comparisons make the order unambiguous. */
static int profile_compare(const void *pa, const void *pb)
{
	const struct profile_row *a = *(struct profile_row *const *)pa;
	const struct profile_row *b = *(struct profile_row *const *)pb;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return context_compare(&a->row, &b->row);
}

static const char *profile_mode_name(int mode)
{
	switch (mode) {
	case PROFILE_USER:
		return "user";
	case PROFILE_KERNEL:
		return "kernel";
	default:
		return "unknown";
	}
}

static const struct column profile_mode_columns[] = {
	{ "mode", "mode", COLUMN_TEXT },
	{ "samples", "samples", COLUMN_COUNT },
	{ "share %", "share", COLUMN_PERCENT },
};

static const struct column profile_columns[] = {
	{ "samples", "samples", COLUMN_COUNT },
	{ "share %", "share", COLUMN_PERCENT },
	{ "mode", "mode", COLUMN_TEXT },
	{ "program", "program", COLUMN_TEXT },
	{ "function or address", "symbol", COLUMN_TEXT },
};

static int profile_add_modes(const struct profile_state *state, struct table *table,
			     struct lkst_error *err)
{
	for (int mode = PROFILE_USER; mode < PROFILE_MODES_END; mode++) {
		uint64_t samples = state->by_mode[mode - PROFILE_USER];
		struct cell cell[] = { CELL_TEXT(profile_mode_name(mode)), CELL(samples),
				       CELL_REAL((double)samples / (double)state->samples) };

		if (samples && table_add(table, cell, err))
			return -1;
	}
	return 0;
}

static int profile_add_row(const struct profile_state *state, const struct run *run,
			   struct table *table, const struct profile_row *row,
			   struct lkst_error *err)
{
	char name[CONTEXT_NAME_SIZE];
	struct cell cell[] = {
		CELL(row->samples),
		CELL_REAL((double)row->samples / (double)state->samples),
		CELL_TEXT(hash_is_rest(row) ? NULL : profile_mode_name(row->row.id.kind)),
		CELL_TEXT(*row->row.id.name ? row->row.id.name : NULL),
		CELL_TEXT(context_name(run, &row->row, name)),
	};

	return table_add(table, cell, err);
}

/*
 * Print a line for flamegraph.pl and similar programs, in which ";" separates the frames of a
 * stack.
 */
static void profile_print_folded(const struct run *run, const struct profile_row *row)
{
	char name[CONTEXT_NAME_SIZE], thread[CONTEXT_THREAD_SIZE] = "-";

	if (row->thread)
		run_thread_name(run, row->thread, thread);
	for (char *p = thread; *p; p++)
		if (*p == ';')
			*p = ':';
	printf("%s;%s %" PRIu64 "\n", LKST_PRINTABLE(thread), context_name(run, &row->row, name),
	       row->samples);
}

static int profile_add_tables(const struct profile_state *state, void *const *rows,
			      const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct table *table =
		value_table(to, "mode", "Samples by mode", profile_mode_columns,
			    sizeof(profile_mode_columns) / sizeof(*profile_mode_columns), err);

	if (!table || profile_add_modes(state, table, err) || table_sort(table, "samples", err))
		return -1;
	table = value_table(to, "profile", "Samples by function or address", profile_columns,
			    sizeof(profile_columns) / sizeof(*profile_columns), err);
	if (!table)
		return -1;
	for (size_t i = 0; i < state->rows.num; i++)
		if (profile_add_row(state, run, table, rows[i], err))
			return -1;
	return 0;
}

static int profile_report(void *ctx, const struct run *run, struct tables *to,
			  struct lkst_error *err)
{
	struct profile_state *state = ctx;
	void **rows = hash_sorted(&state->rows, profile_compare);
	int ret = 0;

	if (!rows) {
		lkst_error_memory(err, "the profile");
		return -1;
	}
	to->printed = state->folded;
	if (state->folded)
		for (size_t i = 0; i < state->rows.num; i++)
			profile_print_folded(run, rows[i]);
	else
		ret = profile_add_tables(state, rows, run, to, err);
	free(rows);
	return ret;
}

static const struct option_row profile_rows[] = {
	OPT_FLAG(0, "folded", struct profile_arguments, folded,
		 "lines \"thread;function samples\", for flamegraph.pl"),
};

static const char *const profile_needs[] = { "INT_TIMER_ENTRY", NULL };
static const char *const profile_helps[] = { "INT_TIMER_EXIT", "PROCESS_CONTEXTSWITCH", NULL };

const struct analysis analysis_profile = {
	.name = "profile",
	.summary = "where the CPUs executed, from samples of the local timer",
	.about = "Where the CPUs executed when the local timer interrupted them: functions of the\n"
		 "kernel, and addresses of instructions in programs, for addr2line. The timer\n"
		 "rarely interrupts an idle CPU, and it interrupts code that has interrupts\n"
		 "disabled only when they are enabled again.\n",
	.refuses = {
		[ANALYSIS_OVER] = "a sample has no duration",
	},
	.row = profile_rows,
	.rows = sizeof(profile_rows) / sizeof(*profile_rows),
	.own_size = sizeof(struct profile_arguments),
	.prints = "--folded",
	.needs = profile_needs,
	.helps = profile_helps,
	.ops = { .context = profile_context },
	.start = profile_start,
	.report = profile_report,
	.free = profile_free,
};
