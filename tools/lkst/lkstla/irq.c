// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla irq: how often interrupts, softirqs, work items and functions of timers and tasklets ran,
 * for how long, and which thread the longest one interrupted.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "lib/base/error.h"
#include "value.h"

/**
 * struct irq_row - an interrupt, softirq, work item or function
 * @row: what the row is about
 * @count: how often it began
 * @cut_ns: total own time of the contexts that began before the window, or that were still running
 *	at the end of the window. The own time of a context excludes the time of the contexts that
 *	interrupted it
 * @own: own times of all other contexts of the row
 * @hit: thread that the longest of these contexts interrupted
 * @delay: SOFTIRQ: times from the raise to the start
 */
struct irq_row {
	struct context_row row;
	uint64_t count;
	uint64_t cut_ns;
	struct dist own;
	const struct lkst_thread *hit;
	struct dist delay;
};

struct irq_state {
	const struct run *run;
	struct hash rows;
};

static void *irq_start(const struct run *run, struct lkst_error *err)
{
	struct irq_state *state = calloc(1, sizeof(*state));

	if (!state) {
		lkst_error_memory(err, "the interrupts");
		return NULL;
	}
	state->run = run;
	state->rows.size = sizeof(struct irq_row);
	state->rows.max = CONTEXT_ROWS_MAX;
	return state;
}

static void irq_free(void *ctx)
{
	struct irq_state *state = ctx;
	struct irq_row *row;
	size_t at = 0;

	while ((row = hash_next(&state->rows, &at)) != NULL) {
		dist_free(&row->own);
		dist_free(&row->delay);
	}
	hash_free(&state->rows);
	free(state);
}

/* Add the delay of a softirq, if the times of the raise and of the start are known. */
static int irq_add_delay(struct irq_row *row, const struct lkst_context_span *span)
{
	int64_t delay;

	if (span->kind != LKST_CONTEXT_SOFTIRQ || !span->raised_ns || !span->begin_known ||
	    __builtin_sub_overflow(span->begin_ns, span->raised_ns, &delay))
		return 0;
	return dist_add(&row->delay, delay, span->raised_ns);
}

static int irq_add(struct irq_row *row, const struct lkst_context_span *span)
{
	uint64_t own = span->own_ns > 0 ? (uint64_t)span->own_ns : 0;

	row->count += span->begin_known;
	if (irq_add_delay(row, span))
		return -1;
	if (!span->begin_known || !span->end_known) {
		if (__builtin_add_overflow(row->cut_ns, own, &row->cut_ns))
			row->cut_ns = UINT64_MAX;
		return 0;
	}
	if (dist_exceeds(&row->own, span->own_ns))
		row->hit = span->thread;
	return dist_add(&row->own, span->own_ns, span->begin_ns);
}

static void irq_context(void *ctx, const struct lkst_context_span *span)
{
	struct irq_state *state = ctx;
	struct irq_row *row;
	struct context_id id;

	if (span->kind == LKST_CONTEXT_EXCEPTION || span->own_ns < state->run->args->over_ns ||
	    (!span->begin_known && span->own_ns <= 0) ||
	    !context_selects(state->run, span->cpu, span->thread))
		return;
	id = context_id(span);
	row = context_row(&state->rows, &id);
	if (!row || irq_add(row, span))
		run_out_of_memory(state->run);
}

static uint64_t irq_total(const struct irq_row *row)
{
	uint64_t total;

	return __builtin_add_overflow(row->own.sum, row->cut_ns, &total) ? UINT64_MAX : total;
}

/* Order: most time first. The other comparisons make the order unambiguous. */
static int irq_compare(const void *pa, const void *pb)
{
	const struct irq_row *a = *(struct irq_row *const *)pa, *b = *(struct irq_row *const *)pb;
	uint64_t total_a = irq_total(a), total_b = irq_total(b);

	if (total_a != total_b)
		return total_a > total_b ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return context_compare(&a->row, &b->row);
}

#define IRQ_DURATIONS                                                              \
	{ "count", "count", COLUMN_COUNT }, { "total ms", "total_ns", COLUMN_MS }, \
		VALUE_DIST_COLUMNS
#define IRQ_COLUMNS_MAX 9

static const struct column irq_columns[] = {
	{ "number", "number", COLUMN_TEXT },
	{ "interrupt", "name", COLUMN_TEXT },
	IRQ_DURATIONS,
	{ "hit", "hit", COLUMN_TEXT },
};

static const struct column softirq_columns[] = {
	{ "softirq", "name", COLUMN_TEXT },
	IRQ_DURATIONS,
	{ "hit", "hit", COLUMN_TEXT },
};

static const struct column work_columns[] = {
	{ "work function", "name", COLUMN_TEXT },
	IRQ_DURATIONS,
	{ "thread", "thread", COLUMN_TEXT },
};

static const struct column timer_columns[] = {
	{ "kind", "kind", COLUMN_TEXT },
	{ "function", "name", COLUMN_TEXT },
	IRQ_DURATIONS,
	{ "hit", "hit", COLUMN_TEXT },
};

static const struct column delay_columns[] = {
	{ "raised softirq", "name", COLUMN_TEXT },
	{ "count", "count", COLUMN_COUNT },
	VALUE_DIST_COLUMNS,
};

/* Return the text for the column before the name; NULL if this kind has no such column. */
static const char *irq_before_name(const struct context_row *row, char text[32])
{
	if (hash_is_rest(row))
		return "-";
	switch (row->id.kind) {
	case LKST_CONTEXT_IRQ:
		snprintf(text, 32, "%" PRIu64, row->id.number);
		return text;
	case LKST_CONTEXT_TIMER_IRQ:
	case LKST_CONTEXT_IPI:
		snprintf(text, 32, "vec %" PRIu64, row->id.number);
		return text;
	case LKST_CONTEXT_TASKLET:
		return "tasklet";
	case LKST_CONTEXT_TIMER:
		return "timer";
	case LKST_CONTEXT_HRTIMER:
		return "hrtimer";
	default:
		return NULL;
	}
}

static int irq_add_row(struct table *table, const struct run *run, const struct irq_row *row,
		       struct lkst_error *err)
{
	char name[CONTEXT_NAME_SIZE], hit[CONTEXT_THREAD_SIZE], text[32];
	struct cell cell[IRQ_COLUMNS_MAX], *p = cell;
	const char *before = irq_before_name(&row->row, text);

	if (before)
		*p++ = CELL_TEXT(before);
	*p++ = CELL_TEXT(context_name(run, &row->row, name));
	*p++ = CELL(row->count);
	*p++ = cell_of_ns(irq_total(row));
	value_dist(&row->own, p);
	p += VALUE_DIST_CELLS;
	*p = row->own.count ? value_thread_cell(run, row->hit, hit) : CELL_NONE;
	return table_add(table, cell, err);
}

static int irq_add_delay_row(struct table *table, const struct run *run, const struct irq_row *row,
			     struct lkst_error *err)
{
	char name[CONTEXT_NAME_SIZE];
	struct cell cell[6] = { CELL_TEXT(context_name(run, &row->row, name)),
				CELL(row->delay.count) };

	if (!row->delay.count)
		return 0;
	value_dist(&row->delay, cell + 2);
	return table_add(table, cell, err);
}

#define KIND(kind) (1u << LKST_CONTEXT_##kind)
/* Row that all kinds share when there are CONTEXT_ROWS_MAX rows */
#define KIND_OTHERS (1u << LKST_CONTEXT_NUM)

/* The tables: kinds of contexts, columns, and the function that adds a row. */
static const struct irq_table {
	const char *name;
	const char *title;
	unsigned int kinds;
	const struct column *column;
	size_t columns;
	int (*add)(struct table *table, const struct run *run, const struct irq_row *row,
		   struct lkst_error *err);
} irq_tables[] = {
#define IRQ_TABLE(name, title, kinds, column, add)                                  \
	{                                                                           \
		name, title, kinds, column, sizeof(column) / sizeof(*(column)), add \
	}
	IRQ_TABLE("irq", "Hard interrupts", KIND(IRQ) | KIND(TIMER_IRQ) | KIND(IPI), irq_columns,
		  irq_add_row),
	IRQ_TABLE("softirq", "Softirqs", KIND(SOFTIRQ), softirq_columns, irq_add_row),
	IRQ_TABLE("delay", "Time from raising a softirq until it ran", KIND(SOFTIRQ), delay_columns,
		  irq_add_delay_row),
	IRQ_TABLE("work", "Work items", KIND(WORK), work_columns, irq_add_row),
	IRQ_TABLE("function", "Functions of timers and tasklets",
		  KIND(TIMER) | KIND(HRTIMER) | KIND(TASKLET) | KIND_OTHERS, timer_columns,
		  irq_add_row),
#undef IRQ_TABLE
};

/* Add a table with the rows of some kinds. */
static int irq_report_table(const struct irq_table *kind, void *const *rows, size_t num,
			    const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct table *table =
		value_table(to, kind->name, kind->title, kind->column, kind->columns, err);

	if (!table)
		return -1;
	for (size_t i = 0; i < num; i++) {
		const struct irq_row *row = rows[i];
		int bit = hash_is_rest(row) ? LKST_CONTEXT_NUM : row->row.id.kind;

		if (kind->kinds >> bit & 1 && kind->add(table, run, row, err))
			return -1;
	}
	return 0;
}

static int irq_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct irq_state *state = ctx;
	void **rows = hash_sorted(&state->rows, irq_compare);
	int ret = rows ? 0 : -1;

	if (!rows)
		lkst_error_memory(err, "the interrupts");
	for (size_t i = 0; !ret && i < sizeof(irq_tables) / sizeof(*irq_tables); i++)
		ret = irq_report_table(&irq_tables[i], rows, state->rows.num, run, to, err);
	free(rows);
	return ret;
}

/* The events of all tables. Each table needs only some of them. */
static const char *const irq_needs[] = {
	"INT_HARDWARE_ENTRY",
	"INT_HARDWARE_EXIT",
	"INT_TIMER_ENTRY",
	"INT_TIMER_EXIT",
	"INT_IPI_ENTRY",
	"INT_IPI_EXIT",
	"INT_SOFTIRQ_ENTRY",
	"INT_SOFTIRQ_EXIT",
	"INT_SOFTIRQ_RAISE",
	"INT_TASKLET_ENTRY",
	"INT_TASKLET_EXIT",
	"WORK_ENTRY",
	"WORK_EXIT",
	"TIMER_RUN_ENTRY",
	"TIMER_RUN_EXIT",
	"TIMER_HR_RUN_ENTRY",
	"TIMER_HR_RUN_EXIT",
	NULL,
};

const struct analysis analysis_irq = {
	.name = "irq",
	.summary = "how often and how long interrupts and softirqs ran",
	.about =
		"How often interrupts, softirqs, work items and functions of timers and tasklets\n"
		"ran, and how long, without what interrupted them. The ones with the longest\n"
		"total time come first. \"at\" is the start of the longest one, and \"hit\" the\n"
		"thread that it interrupted; \"-\" if the CPU was idle or the thread is not known.\n"
		"\"raised softirq\" has the times from raising a softirq until it ran.\n",
	.needs = irq_needs,
	.needs_any = true,
	.helps = irq_needs,
	.ops = { .context = irq_context },
	.start = irq_start,
	.report = irq_report,
	.free = irq_free,
};
