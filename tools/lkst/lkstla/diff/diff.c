// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla diff: shows what changed between two traces. The first run reads trace A. The second run
 * reads trace B and compares it with A.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/json.h"
#include "diff.h"
#include "lib/base/error.h"
#include "lib/text/timestamp.h"
#include "lkstla/messages.h"
#include "lkstla/missing.h"
#include "lkstla/value.h"

#define CHANGE_DEFAULT	   20 /* percent */
#define CONFIDENCE_DEFAULT 95 /* percent */
#define WORTH_DEFAULT_NS   100000

const char *const diff_kind_names[DIFF_KINDS] = {
	[DIFF_WAKE] = "wake-up",
	[DIFF_LOCK] = "lock",
	[DIFF_CALL] = "call",
	[DIFF_BLOCK] = "block",
	[DIFF_RUN] = "run",
	[DIFF_WAIT] = "wait",
	[DIFF_IRQ] = "interrupt",
	[DIFF_SOFTIRQ] = "softirq",
	[DIFF_TIMER] = "timer",
	[DIFF_WORK] = "work",
	[DIFF_EXCEPTION] = "exception",
};

static const struct option_row diff_rows[] = {
	OPT_FLAG('a', "all", struct diff_arguments, all,
		 "also what did not change by more than noise"),
	OPT_NUMBER(0, "change", "PERCENT", struct diff_arguments, change, 1, 1000000, "percentage",
		   "only changes of more than this; default: 20"),
	OPT_TEXT(0, "worth", "SPAN", struct diff_arguments, worth,
		 "only changes worth this much per second; default: 100us"),
	OPT_NUMBER(0, "confidence", "PERCENT", struct diff_arguments, confidence, 1, 99,
		   "percentage", "of all intervals together; default: 95"),
};

/* ---- start and end ---- */

static void diff_free(void *ctx)
{
	struct diff_side *side = ctx;

	diff_collect_free(side);
	diff_side_free(side);
	if (side->window)
		json_free(side->window);
	free(side->header);
	free(side);
}

static void *diff_start(const struct run *run, struct lkst_error *err)
{
	struct diff_side *side = calloc(1, sizeof(*side));

	if (!side) {
		lkst_error_memory(err, "the trace");
		return NULL;
	}
	diff_side_init(side, run);
	if (diff_collect_start(side, err)) {
		diff_free(side);
		return NULL;
	}
	return side;
}

/* ---- the headers ---- */

static const char *diff_file(const struct trace_input *input)
{
	if (input->previous)
		return "previous boot";
	if (!input->from.num)
		return "running kernel";
	return strcmp(input->from.path[0], "-") ? input->from.path[0] : "standard input";
}

/* Copy what the second run needs from the first run, whose trace is about to be closed. */
static int diff_keep(struct diff_side *side, const struct run *run, struct lkst_error *err)
{
	const struct runner *runner = runner_of(run);
	bool structured = run->args->json || run->args->csv;
	size_t size;
	FILE *to = open_memstream(&side->header, &size);

	if (!to) {
		lkst_error_memory(err, "the header");
		return -1;
	}
	header_print(runner, structured ? 0 : terminal_width(), to);
	if (fclose(to)) {
		lkst_error_memory(err, "the header");
		return -1;
	}
	snprintf(side->file, sizeof(side->file), "%s", diff_file(&run->args->input));
	if (run->args->json)
		side->window = header_json(runner);
	side->cpus = run->cpus;
	side->lost = lkst_model_counts(run->model)->lost;
	for (size_t kind = 0; kind < DIFF_KINDS; kind++)
		side->has[kind] = missing_has_any(runner, diff_events[kind]);
	return 0;
}

/* Print the kinds of rows that are not compared because only one of the traces has the events. */
static void diff_print_missing(const struct diff_side *a, const struct diff_side *b, FILE *to)
{
	const char *before = "not compared: ";

	for (size_t kind = 0; kind < DIFF_KINDS; kind++) {
		if (a->has[kind] == b->has[kind])
			continue;
		fprintf(to, "%s%s (no", before, diff_kind_names[kind]);
		for (const char *const *word = diff_events[kind]; *word; word++) {
			char name[64];

			missing_name(missing_etype(b->run->types, *word), *word, name);
			fprintf(to, "%s%s", word == diff_events[kind] ? " " : " or ", name);
		}
		fprintf(to, " in %c)", a->has[kind] ? 'B' : 'A');
		before = ", ";
	}
	if (*before == ',')
		putc('\n', to);
}

static void diff_print_notes(const struct diff_side *a, const struct diff_side *b, FILE *to)
{
	bool full[2] = { diff_is_full(a), diff_is_full(b) };

	if (full[0] || full[1])
		fprintf(to, "note: %s too many rows: not all are compared\n",
			!full[1] ? "A has" :
			!full[0] ? "B has" :
				   "both have");
	if (a->cpus != b->cpus)
		fprintf(to,
			"note: A has %zu CPUs and B has %zu: rates and totals are those of all CPUs\n",
			a->cpus, b->cpus);
	if (a->lost || b->lost)
		fprintf(to, "note: records of %s were lost, so its rates and totals are too low\n",
			!b->lost ? "A" :
			!a->lost ? "B" :
				   "both");
}

static char *diff_header(const struct diff_side *a, const struct diff_side *b, size_t figures,
			 size_t changed, int64_t confidence)
{
	char *header = NULL;
	size_t size;
	FILE *to = open_memstream(&header, &size);

	if (!to)
		return NULL;
	fprintf(to, "A: %s\n%sB: %s\n%s", a->file, a->header, b->file, b->header);
	diff_print_missing(a, b, to);
	diff_print_notes(a, b, to);
	fprintf(to,
		"compared: %zu figures, of which %zu changed by more than noise (confidence %" PRId64
		" %%)\n",
		figures, changed, confidence);
	if (fclose(to)) {
		free(header);
		return NULL;
	}
	return header;
}

/* ---- tables ---- */

static const struct column diff_columns[] = {
	{ "what", "what", COLUMN_TEXT },
	{ "name", "name", COLUMN_TEXT },
	{ "figure", "figure", COLUMN_TEXT },
	{ "A", "a", COLUMN_RATE },
	{ "B", "b", COLUMN_RATE },
	{ "change %", "change", COLUMN_PERCENT },
	{ "from %", "from", COLUMN_PERCENT },
	{ "to %", "to", COLUMN_PERCENT },
	{ "ms/s", "worth_ms", COLUMN_RATE },
	{ "only in", "only_in", COLUMN_TEXT },
};

/* For each figure: its name with the unit, and the divisor that converts its value to that unit */
static const struct {
	const char *name;
	double unit;
} diff_figures[DIFF_MEASURES] = {
	[DIFF_RATE] = { "per s", 1 },	    [DIFF_ERRORS] = { "errors per s", 1 },
	[DIFF_TOTAL] = { "ms per s", 1e6 }, [DIFF_P50] = { "p50 us", 1e3 },
	[DIFF_P99] = { "p99 us", 1e3 },
};

static int diff_add_row(struct table *table, const struct diff_change *change,
			struct lkst_error *err)
{
	double unit = diff_figures[change->measure].unit;
	const struct cell cell[] = {
		CELL_TEXT(diff_kind_names[change->kind]),
		CELL_TEXT(change->name),
		CELL_TEXT(diff_figures[change->measure].name),
		CELL_REAL(change->a / unit),
		CELL_REAL(change->b / unit),
		CELL_REAL(change->a > 0 ? change->b / change->a - 1 : INFINITY),
		CELL_REAL(change->a > 0 ? change->ratio.from - 1 : INFINITY),
		CELL_REAL(change->a > 0 ? change->ratio.to - 1 : INFINITY),
		CELL_REAL(change->worth_ns / 1e6),
		change->only == 'A' ? CELL_TEXT("A") :
		change->only	    ? CELL_TEXT("B") :
				      CELL_NONE,
	};

	return table_add(table, cell, err);
}

/*
 * Add a table of the figures that changed or, if @changed is false, of the figures that did not
 * change.
 */
static int diff_add_table(struct tables *to, const char *name, const char *title, bool changed,
			  const struct diff_change *change, size_t num, struct lkst_error *err)
{
	struct table *table = value_table(to, name, title, diff_columns,
					  sizeof(diff_columns) / sizeof(*diff_columns), err);

	if (!table)
		return -1;
	for (size_t i = 0; i < num; i++)
		if (change[i].changed == changed && diff_add_row(table, &change[i], err))
			return -1;
	return 0;
}

static int diff_add_tables(const struct run *run, const struct diff_change *change, size_t num,
			   size_t changed, struct tables *to, struct lkst_error *err)
{
	const struct diff_arguments *own = run->own;
	bool structured = run->args->json || run->args->csv;

	/* If no figure changed, text output omits the table of changes, unless --all is given. */
	if ((changed || structured || own->all) &&
	    diff_add_table(to, "changed", "Changed", true, change, num, err))
		return -1;
	return own->all ? diff_add_table(to, "others", "Not changed by more than noise", false,
					 change, num, err) :
			  0;
}

/* ---- the comparison ---- */

static int diff_take_limits(const struct diff_arguments *own, struct diff_limits *limits,
			    struct lkst_error *err)
{
	int64_t worth_ns = WORTH_DEFAULT_NS;

	if (own->worth && lkst_span_parse("--worth", own->worth, &worth_ns, err))
		return -1;
	*limits = (struct diff_limits){
		.factor = 1 + (double)(!own->change ? CHANGE_DEFAULT : own->change) / 100,
		.worth_ns = (double)worth_ns,
		.chance =
			1 - (double)(own->confidence ? own->confidence : CONFIDENCE_DEFAULT) / 100,
	};
	return 0;
}

static struct json_object *diff_windows(struct diff_side *a, struct diff_side *b)
{
	struct json_object *windows = json_new();

	json_text(a->window, "file", a->file);
	json_text(b->window, "file", b->file);
	json_put(windows, "a", a->window);
	json_put(windows, "b", b->window);
	a->window = b->window = NULL;
	return windows;
}

static struct json_object *diff_missing_json(const struct diff_side *a, const struct diff_side *b)
{
	struct json_object *list = json_list();

	for (size_t kind = 0; kind < DIFF_KINDS; kind++) {
		struct json_object *entry;

		if (a->has[kind] == b->has[kind])
			continue;
		entry = json_new();
		json_text(entry, "what", diff_kind_names[kind]);
		json_text(entry, "lacks", a->has[kind] ? "b" : "a");
		json_add(list, entry);
	}
	return list;
}

static int diff_print(struct diff_side *a, struct diff_side *b, const struct run *run,
		      const struct diff_change *change, size_t num, struct tables *to,
		      struct lkst_error *err)
{
	const struct diff_arguments *own = run->own;
	size_t changed = 0;

	for (size_t i = 0; i < num; i++)
		changed += change[i].changed;
	to->header = diff_header(a, b, num, changed,
				 own->confidence ? own->confidence : CONFIDENCE_DEFAULT);
	if (!to->header) {
		lkst_error_memory(err, "the header");
		return -1;
	}
	if (run->args->json) {
		to->window = diff_windows(a, b);
		to->json = json_new();
		json_uint(to->json, "compared", num);
		json_uint(to->json, "changed", changed);
		json_put(to->json, "not_compared", diff_missing_json(a, b));
	}
	return diff_add_tables(run, change, num, changed, to, err);
}

static int diff_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct diff_side *a = run->first, *b = ctx;
	struct diff_change *change;
	struct diff_limits limits;
	size_t num = 0;
	int ret;

	diff_collect_end(b);
	if (diff_keep(b, run, err) || diff_take_limits(run->own, &limits, err))
		return -1;
	if (!a) {
		diff_collect_free(b);
		to->printed = to->quiet = true;
		return 0;
	}
	change = diff_compare(a, b, &limits, &num);
	if (!change) {
		lkst_error_memory(err, "the comparison");
		return -1;
	}
	ret = diff_print(a, b, run, change, num, to, err);
	free(change);
	return ret;
}

static const char *const diff_needs[] = {
	"PROCESS_CONTEXTSWITCH",
	"PROCESS_WAKING",
	"PROCESS_WAKEUP",
	"SYSCALL_ENTRY",
	"SYSCALL_EXIT",
	"LOCK_CONTENTION_BEGIN",
	"LOCK_CONTENTION_END",
	"BLOCK_ISSUE",
	"BLOCK_COMPLETE",
	"INT_HARDWARE_ENTRY",
	"INT_HARDWARE_EXIT",
	"INT_TIMER_ENTRY",
	"INT_TIMER_EXIT",
	"INT_IPI_ENTRY",
	"INT_IPI_EXIT",
	"INT_SOFTIRQ_ENTRY",
	"INT_SOFTIRQ_EXIT",
	"INT_TASKLET_ENTRY",
	"INT_TASKLET_EXIT",
	"WORK_ENTRY",
	"WORK_EXIT",
	"TIMER_RUN_ENTRY",
	"TIMER_RUN_EXIT",
	"TIMER_HR_RUN_ENTRY",
	"TIMER_HR_RUN_EXIT",
	"EXCEPTION_ENTRY",
	"EXCEPTION_EXIT",
	NULL,
};

const struct analysis analysis_diff = {
	.name = "diff",
	.about =
		"What changed from trace A to trace B, without the noise. If B is missing, it is\n"
		"the running kernel. With --previous, A is the previous boot.\n",
	.refuses = {
		[ANALYSIS_OVER] = "--worth and --change select changes",
	},
	.compares = true,
	.row = diff_rows,
	.rows = sizeof(diff_rows) / sizeof(*diff_rows),
	.own_size = sizeof(struct diff_arguments),
	.needs = diff_needs,
	.needs_any = true,
	.ops = {
		.thread = diff_collect_thread,
		.syscall = diff_collect_syscall,
		.context = diff_collect_context,
		.wake = diff_collect_wake,
		.event = diff_collect_event,
		.loss = diff_collect_loss,
	},
	.start = diff_start,
	.report = diff_report,
	.free = diff_free,
};
