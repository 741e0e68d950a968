// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla cpu: where the time of each CPU went, how often it switched threads, and how long it was
 * idle while threads waited in the queues of other CPUs.
 *
 * The last figure is computed here, because the model has no spans for it: it depends on which
 * queues had threads during an idle span. So two clocks run with the trace. @waiting_ns advances
 * while any thread waits, and struct cpu_row.alone_ns of a CPU advances while threads wait in the
 * queue of that CPU only. During an idle span, their difference increases by the time in which
 * threads waited in other queues. The clocks are read only for the CPU of an event or span, so an
 * event costs the same for any number of CPUs.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "cpu.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "tally.h"

#define CPU_MAX	 8192
#define NO_QUEUE (-1)

/**
 * struct cpu_row - data about a CPU
 * @seen: the CPU has events or spans
 * @mode_ns: time by mode
 * @switches: number of context switches
 * @migrations: number of threads that were moved to its queue
 * @wakes: number of wake-ups by code on this CPU
 * @idle_queued_ns: time in which it was idle while threads waited in the queues of other CPUs
 * @queue: number of threads that wait in its queue
 * @alone_ns: clock that runs while threads wait in this queue only
 * @mark_ns: value of @waiting_ns - @alone_ns at the end of the previous span
 * @last_ns: value of @waiting_ns - @alone_ns at the last event of the CPU
 * @khz: its frequency since @khz_from_ns; 0: unknown
 * @khz_from_ns: time up to which @cycles and @khz_ns have been counted
 * @khz_ns: total time for which its frequency is known
 * @cycles: number of cycles in @khz_ns, in millions
 */
struct cpu_row {
	bool seen;
	double mode_ns[LKST_MODE_NUM];
	uint64_t switches;
	uint64_t migrations;
	uint64_t wakes;
	uint64_t idle_queued_ns;
	uint32_t queue;
	int64_t alone_ns;
	int64_t mark_ns;
	int64_t last_ns;
	uint64_t khz;
	int64_t khz_from_ns;
	double khz_ns;
	double cycles;
};

/**
 * struct cpu_report - what the analysis collects
 * @run: run
 * @row: CPU_MAX CPUs, by number. The memory of CPUs that are not in the trace is never accessed
 * @threads: number of elements of @queue_of
 * @queue_of: for each thread: 1 plus the number of the CPU in whose queue it waits; 0: it does not
 *	wait
 * @synced: the threads that were waiting when the window began have been counted
 * @now_ns: time up to which the clocks have been advanced
 * @waiting_ns: clock that runs while any thread waits
 * @queues: number of CPUs in whose queues threads wait
 * @queue_sum: sum of the numbers of these CPUs. If there is only one such CPU, the sum is the
 *	number of that CPU
 * @frequencies: the frequency of at least one CPU is known
 */
struct cpu_report {
	const struct run *run;
	struct cpu_row *row;
	size_t threads;
	uint16_t *queue_of;
	bool synced;
	int64_t now_ns;
	int64_t waiting_ns;
	uint32_t queues;
	uint64_t queue_sum;
	bool frequencies;
};

static struct cpu_row *cpu_row_of(struct cpu_report *report, int32_t cpu)
{
	return cpu < 0 || cpu >= CPU_MAX ? NULL : &report->row[cpu];
}

static uint16_t *cpu_queue_of(struct cpu_report *report, uint32_t index)
{
	uint16_t *queue_of =
		tally_cover(report->queue_of, &report->threads, index, sizeof(*queue_of));

	if (!queue_of) {
		run_out_of_memory(report->run);
		return NULL;
	}
	report->queue_of = queue_of;
	return &queue_of[index];
}

/* Advance the clocks to a time, unless they are later already. */
static void cpu_advance(struct cpu_report *report, int64_t now_ns)
{
	int64_t step = tally_length(report->now_ns, now_ns), *alone_ns;

	if (!step)
		return;
	report->now_ns = now_ns;
	if (report->queues)
		report->waiting_ns = tally_sum(report->waiting_ns, step);
	if (report->queues == 1) {
		alone_ns = &report->row[report->queue_sum].alone_ns;
		*alone_ns = tally_sum(*alone_ns, step);
	}
}

/*
 * Return for how long at least one thread has waited in the queue of another CPU, no matter whether
 * threads also waited in the queue of this CPU.
 */
static int64_t cpu_others_ns(const struct cpu_report *report, const struct cpu_row *row)
{
	return report->waiting_ns - row->alone_ns;
}

/* Move a thread to the queue of a CPU, or out of all queues if @cpu is NO_QUEUE. */
static void cpu_queue(struct cpu_report *report, const struct lkst_thread *thread, int32_t cpu)
{
	uint16_t *queue = cpu_queue_of(report, thread->index);
	struct cpu_row *row;

	if (!queue)
		return;
	if (*queue) {
		row = &report->row[*queue - 1];
		if (!--row->queue) {
			report->queues--;
			report->queue_sum -= *queue - 1u;
		}
		*queue = 0;
	}
	row = cpu_row_of(report, cpu);
	if (!row)
		return;
	if (!row->queue++) {
		report->queues++;
		report->queue_sum += (uint32_t)cpu;
	}
	*queue = (uint16_t)(cpu + 1);
}

/*
 * At the first callback, count the threads that have waited since before the window. The callback
 * may be about a thread that begins to wait now: do not count that thread here.
 */
static void cpu_sync(struct cpu_report *report)
{
	const struct lkst_model *model = report->run->model;

	if (report->synced)
		return;
	report->synced = true;
	report->now_ns = report->run->begin_ns;
	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);

		if (thread->state == LKST_STATE_RUNNABLE && thread->since_ns <= report->now_ns)
			cpu_queue(report, thread, thread->cpu);
	}
}

static void cpu_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct cpu_report *report = ctx;
	struct cpu_row *row = cpu_row_of(report, span->cpu);
	int64_t clock;

	cpu_sync(report);
	cpu_advance(report, span->end_ns);
	if (!row)
		return;
	clock = cpu_others_ns(report, row);
	/*
	 * A span that ended at the last event before a loss is reported only after the loss, when
	 * the clocks are later.
	 */
	if (span->end_ns < report->now_ns)
		clock = row->last_ns > row->mark_ns ? row->last_ns : row->mark_ns;
	row->mode_ns[span->mode] += (double)(span->end_ns - span->begin_ns);
	if (span->mode == LKST_MODE_IDLE)
		row->idle_queued_ns += (uint64_t)(clock - row->mark_ns);
	row->mark_ns = clock;
	row->seen = true;
}

static void cpu_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct cpu_report *report = ctx;

	cpu_sync(report);
	cpu_advance(report, span->end_ns);
	/*
	 * A preempted thread waits in the queue of its CPU. In all other cases, also if its state
	 * becomes unknown, the thread has left the queues.
	 */
	cpu_queue(report, span->thread, span->end == LKST_END_PREEMPTED ? span->cpu : NO_QUEUE);
}

static void cpu_on_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	struct cpu_report *report = ctx;
	struct cpu_row *row = cpu_row_of(report, wake->cpu);

	cpu_sync(report);
	cpu_advance(report, wake->time_ns);
	if (row)
		row->wakes++;
	if (thread->state == LKST_STATE_RUNNABLE)
		cpu_queue(report, thread, thread->cpu);
}

static void cpu_on_migrate(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
			   int64_t time_ns)
{
	struct cpu_report *report = ctx;
	struct cpu_row *row = cpu_row_of(report, to);

	(void)from;
	cpu_sync(report);
	cpu_advance(report, time_ns);
	if (row)
		row->migrations++;
	if (thread->state == LKST_STATE_RUNNABLE)
		cpu_queue(report, thread, to);
}

/*
 * Put the thread of a wake-up or of a context switch into the queue in which it waits. The spans do
 * not show all of these moves: the CPU may be known only after the wake-up, and if the trace first
 * shows a thread when the thread is switched out, no span of the thread ends at that time.
 */
static void cpu_follow(struct cpu_report *report, const struct lkst_event *event)
{
	uint32_t tid = (uint32_t)(event->arg[0] >> 32);
	const struct lkst_thread *thread = lkst_model_find(report->run->model, event->source, tid);

	if (!thread || thread->state != LKST_STATE_RUNNABLE)
		return;
	cpu_queue(report, thread, thread->cpu);
}

/*
 * At the first event of a CPU, note the clocks. They are treated as if they had been read at the
 * start of the CPU's first span. If that span begins with the window, keep @mark_ns at 0: the
 * clocks were 0 at that time.
 */
static void cpu_see(struct cpu_report *report, struct cpu_row *row, const struct lkst_event *event)
{
	struct lkst_cpu_span now;

	row->seen = true;
	if (!lkst_model_cpu(report->run->model, event->source, event->cpu, &now) ||
	    now.begin_ns <= report->run->begin_ns)
		return;
	row->mark_ns = cpu_others_ns(report, row);
}

/* Count the cycles of a CPU up to a time. */
static void cpu_count_cycles(const struct cpu_report *report, struct cpu_row *row, int64_t end_ns)
{
	int64_t begin_ns = row->khz_from_ns;
	double ns;

	row->khz_from_ns = end_ns;
	if (begin_ns < report->run->begin_ns)
		begin_ns = report->run->begin_ns;
	ns = row->khz ? (double)tally_length(begin_ns, end_ns) : 0;
	row->khz_ns += ns;
	row->cycles += ns * (double)row->khz / 1e12;
}

/*
 * Note the frequency of a CPU. Events before the window are needed, too: they show the frequency at
 * the start of the window.
 */
static void cpu_on_frequency(void *ctx, const struct lkst_event *event)
{
	struct cpu_report *report = ctx;
	struct cpu_row *row;

	if (event->type != LKST_ETYPE_CPU_FREQUENCY || event->arg[1] >= CPU_MAX)
		return;
	row = &report->row[event->arg[1]];
	cpu_count_cycles(report, row, event->time_ns);
	row->khz = event->arg[0];
	report->frequencies = true;
}

static void cpu_on_event(void *ctx, const struct lkst_event *event)
{
	struct cpu_report *report = ctx;
	struct cpu_row *row = cpu_row_of(report, event->cpu);

	cpu_sync(report);
	cpu_advance(report, event->time_ns);
	if (row && !row->seen)
		cpu_see(report, row, event);
	if (row)
		row->last_ns = cpu_others_ns(report, row);
	if (event->type == LKST_ETYPE_PROCESS_WAKEUP ||
	    event->type == LKST_ETYPE_PROCESS_CONTEXTSWITCH)
		cpu_follow(report, event);
	if (event->type == LKST_ETYPE_PROCESS_CONTEXTSWITCH && row)
		row->switches++;
	cpu_on_frequency(report, event);
}

static void *cpu_start(const struct run *run, struct lkst_error *err)
{
	struct cpu_report *report = calloc(1, sizeof(*report));

	if (report)
		report->row = calloc(CPU_MAX, sizeof(*report->row));
	if (!report || !report->row) {
		free(report);
		lkst_error_memory(err, "CPUs");
		return NULL;
	}
	report->run = run;
	return report;
}

static void cpu_free(void *ctx)
{
	struct cpu_report *report = ctx;

	free(report->row);
	free(report->queue_of);
	free(report);
}

enum {
	CPU_NUMBER,
	CPU_MODES, /* one column for each mode, in the order of cpu_modes[] */
	CPU_SWITCHES = CPU_MODES + LKST_MODE_NUM,
	CPU_MIGRATIONS,
	CPU_WAKES,
	CPU_IDLE_QUEUED,
	CPU_MHZ, /* left out if no frequency is known */
	CPU_COLUMNS,
};

static const enum lkst_mode cpu_modes[LKST_MODE_NUM] = {
	LKST_MODE_USER,	   LKST_MODE_KERNEL, LKST_MODE_THREAD,	LKST_MODE_HARDIRQ,
	LKST_MODE_SOFTIRQ, LKST_MODE_IDLE,   LKST_MODE_UNKNOWN,
};

static const struct column cpu_columns[CPU_COLUMNS] = {
	{ "CPU", "cpu", COLUMN_COUNT },
	{ "user %", "user", COLUMN_PERCENT },
	{ "kernel %", "kernel", COLUMN_PERCENT },
	{ "thread %", "thread", COLUMN_PERCENT },
	{ "irq %", "irq", COLUMN_PERCENT },
	{ "softirq %", "softirq", COLUMN_PERCENT },
	{ "idle %", "idle", COLUMN_PERCENT },
	{ "unknown %", "unknown", COLUMN_PERCENT },
	{ "switches", "switches", COLUMN_COUNT },
	{ "migrations", "migrations", COLUMN_COUNT },
	{ "wake-ups", "wakeups", COLUMN_COUNT },
	{ "idle while queued ms", "idle_while_queued_ns", COLUMN_MS },
	{ "MHz", "mhz", COLUMN_RATE },
};

static void cpu_cells(const struct cpu_row *row, struct cell number, struct cell cell[CPU_COLUMNS])
{
	double all = 0;

	for (int i = 0; i < LKST_MODE_NUM; i++)
		all += row->mode_ns[i];
	cell[CPU_NUMBER] = number;
	for (int i = 0; i < LKST_MODE_NUM; i++)
		cell[CPU_MODES + i] = all > 0 ? CELL_REAL(row->mode_ns[cpu_modes[i]] / all) :
						CELL_NONE;
	cell[CPU_SWITCHES] = CELL(row->switches);
	cell[CPU_MIGRATIONS] = CELL(row->migrations);
	cell[CPU_WAKES] = CELL(row->wakes);
	cell[CPU_IDLE_QUEUED] = CELL(row->idle_queued_ns);
	cell[CPU_MHZ] = row->khz_ns > 0 ? CELL_REAL(row->cycles / row->khz_ns * 1e9) : CELL_NONE;
}

/* Add the time before the first event of a CPU, for which the model has no span, as unknown. */
static void cpu_complete(struct cpu_row *row, const struct run *run)
{
	double missing = (double)tally_length(run->begin_ns, run->end_ns);

	for (int i = 0; i < LKST_MODE_NUM; i++)
		missing -= row->mode_ns[i];
	if (missing > 0)
		row->mode_ns[LKST_MODE_UNKNOWN] += missing;
}

/**
 * cpu_get() - get the figures of a CPU
 * @cpus: what start() of the analysis returned. Call this after the last event
 * @cpu: CPU
 * @figures: result
 *
 * Return: true if the CPU is in the trace, and -c selects it.
 */
bool cpu_get(void *cpus, int32_t cpu, struct cpu_figures *figures)
{
	struct cpu_report *report = cpus;
	struct cpu_row *row = cpu_row_of(report, cpu);

	if (!row || !row->seen || !run_selects_cpu(report->run, cpu))
		return false;
	cpu_complete(row, report->run);
	memcpy(figures->mode_ns, row->mode_ns, sizeof(figures->mode_ns));
	figures->idle_queued_ns = row->idle_queued_ns;
	return true;
}

static void cpu_add_total(struct cpu_row *total, const struct cpu_row *row)
{
	for (int i = 0; i < LKST_MODE_NUM; i++)
		total->mode_ns[i] += row->mode_ns[i];
	total->switches += row->switches;
	total->migrations += row->migrations;
	total->wakes += row->wakes;
	total->idle_queued_ns += row->idle_queued_ns;
	total->khz_ns += row->khz_ns;
	total->cycles += row->cycles;
}

static int cpu_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct cpu_report *report = ctx;
	struct table *table = table_new("cpus", "CPUs", cpu_columns,
					CPU_COLUMNS - !report->frequencies, err);
	struct cell cell[CPU_COLUMNS];
	struct cpu_row total = { 0 };

	if (!table)
		return -1;
	to->table[to->num++] = table;
	for (size_t i = 0; i < CPU_MAX; i++) {
		if (!report->row[i].seen || !run_selects_cpu(run, (int32_t)i))
			continue;
		cpu_complete(&report->row[i], run);
		cpu_count_cycles(report, &report->row[i], run->end_ns);
		cpu_cells(&report->row[i], CELL(i), cell);
		if (table_add(table, cell, err))
			return -1;
		cpu_add_total(&total, &report->row[i]);
	}
	cpu_cells(&total, CELL_NONE, cell);
	return table_total(table, cell, err);
}

static const char *const cpu_needs[] = { "PROCESS_CONTEXTSWITCH", NULL };
static const char *const cpu_helps[] = { "SYSCALL_ENTRY", "SYSCALL_EXIT", NULL };

const struct analysis analysis_cpu = {
	.name = "cpu",
	.about =
		"Where the time of each CPU went, in percent of the window. \"thread\" is the time\n"
		"of threads that were in user or in kernel mode; which one is not known.\n"
		"\"migrations\" are threads that were moved to the queue of this CPU, \"wake-ups\"\n"
		"threads that code on this CPU woke up. \"idle while queued\" is the time in which\n"
		"the CPU was idle although a thread waited in the queue of another CPU. \"MHz\" is\n"
		"the mean frequency, if cpu_frequency was recorded.\n",
	.refuses = {
		[ANALYSIS_PROCESSES] = "lkstla thread shows the time of processes",
		[ANALYSIS_OVER] = "each row is the sum for a CPU",
	},
	.needs = cpu_needs,
	.helps = cpu_helps,
	.ops = {
		.thread = cpu_on_thread,
		.cpu = cpu_on_cpu,
		.wake = cpu_on_wake,
		.migrate = cpu_on_migrate,
		.event = cpu_on_event,
	},
	.early = cpu_on_frequency,
	.start = cpu_start,
	.report = cpu_report,
	.free = cpu_free,
};
