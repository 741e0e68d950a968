// SPDX-License-Identifier: GPL-2.0
/* The tables irq, block and lock: interrupts, requests to block devices, and waits for locks. */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "lib/text/constants.h"
#include "lkstla/contexts.h"
#include "lkstla/tally.h"
#include "lkstla/value.h"
#include "sql.h"

static const char *const irq_kinds[LKST_CONTEXT_NUM] = {
	[LKST_CONTEXT_IRQ] = "irq",
	[LKST_CONTEXT_TIMER_IRQ] = "timer irq",
	[LKST_CONTEXT_IPI] = "ipi",
	[LKST_CONTEXT_SOFTIRQ] = "softirq",
	[LKST_CONTEXT_TASKLET] = "tasklet",
	[LKST_CONTEXT_TIMER] = "timer",
	[LKST_CONTEXT_HRTIMER] = "hrtimer",
	[LKST_CONTEXT_WORK] = "work",
	[LKST_CONTEXT_EXCEPTION] = "exception",
};

enum {
	IRQ_KIND,
	IRQ_NUMBER,
	IRQ_NAME,
	IRQ_CPU,
	IRQ_THREAD,
	IRQ_TID,
	IRQ_PID,
	IRQ_BEGIN,
	IRQ_END,
	IRQ_DURATION,
	IRQ_OWN,
	IRQ_BEGIN_KNOWN,
	IRQ_END_KNOWN,
	IRQ_RAISED,
	IRQ_DELAY,
};

static const struct sql_column irq_columns[] = {
	[IRQ_KIND] = { "kind", "TEXT", SQL_PLAIN, "irq, timer irq, ipi, softirq, work ..." },
	[IRQ_NUMBER] = { "number", "INTEGER", SQL_PLAIN, "interrupt, vector, softirq or trap" },
	[IRQ_NAME] = { "name", "TEXT", SQL_PLAIN, "handler, softirq, or function" },
	[IRQ_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU" },
	SQL_THREAD_COLUMNS(IRQ_THREAD, "thread that it interrupted, or that ran the work"),
	[IRQ_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time at which it began" },
	[IRQ_END] = { "end_ns", "INTEGER", SQL_END, "time at which it ended" },
	[IRQ_DURATION] = { "duration_ns", "INTEGER", SQL_PLAIN, "end_ns - begin_ns" },
	[IRQ_OWN] = { "own_ns", "INTEGER", SQL_PLAIN, "duration_ns without what interrupted it" },
	[IRQ_BEGIN_KNOWN] = { "begin_known", "INTEGER", SQL_PLAIN, "0: it began before begin_ns" },
	[IRQ_END_KNOWN] = { "end_known", "INTEGER", SQL_PLAIN, "0: its end is unknown" },
	[IRQ_RAISED] = { "raised_ns", "INTEGER", SQL_PLAIN,
			 "softirq: time at which it was raised" },
	[IRQ_DELAY] = { "delay_ns", "INTEGER", SQL_PLAIN, "softirq: begin_ns - raised_ns" },
};

static void irq_span(void *ctx, const struct lkst_context_span *span)
{
	union sql_row *row =
		sql_feed_add(ctx, span->begin_ns, span->end_ns, span->cpu, span->thread);

	if (row)
		row->context = *span;
}

static void irq_put_number(const struct lkst_context_span *span, sqlite3_context *to)
{
	bool function = span->kind >= LKST_CONTEXT_TASKLET && span->kind <= LKST_CONTEXT_WORK;

	sql_put_time(to, (int64_t)span->number, !function);
}

static void irq_put_name(const struct sql_cursor *cursor, const struct lkst_context_span *span,
			 sqlite3_context *to)
{
	const struct context_row row = { .id = context_id(span) };
	char text[CONTEXT_NAME_SIZE];
	const char *name;

	if (span->kind == LKST_CONTEXT_EXCEPTION)
		name = constant_name(LKST_FMT_TRAP, span->number);
	else
		name = context_name(cursor->sql->run, &row, text);
	sql_put_text(to, name && strcmp(name, "-") ? name : NULL);
}

static void irq_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		      sqlite3_context *to)
{
	const struct lkst_context_span *span = &row->context;
	bool raised = span->kind == LKST_CONTEXT_SOFTIRQ && span->raised_ns;

	switch (column) {
	case IRQ_KIND:
		sql_put_text(to, irq_kinds[span->kind]);
		break;
	case IRQ_NUMBER:
		irq_put_number(span, to);
		break;
	case IRQ_NAME:
		irq_put_name(cursor, span, to);
		break;
	case IRQ_CPU:
		sql_put_id(to, span->cpu);
		break;
	case IRQ_THREAD:
	case IRQ_TID:
	case IRQ_PID:
		sql_put_thread_column(cursor, span->thread, column - IRQ_THREAD, to);
		break;
	case IRQ_BEGIN:
		sql_put_time(to, span->begin_ns, true);
		break;
	case IRQ_END:
		sql_put_time(to, span->end_ns, true);
		break;
	case IRQ_DURATION:
		sql_put_time(to, tally_length(span->begin_ns, span->end_ns), true);
		break;
	case IRQ_OWN:
		sql_put_time(to, span->own_ns, true);
		break;
	case IRQ_BEGIN_KNOWN:
		sqlite3_result_int(to, span->begin_known);
		break;
	case IRQ_END_KNOWN:
		sqlite3_result_int(to, span->end_known);
		break;
	case IRQ_RAISED:
		sql_put_time(to, span->raised_ns, raised);
		break;
	case IRQ_DELAY:
		sql_put_time(to, tally_length(span->raised_ns, span->begin_ns),
			     raised && span->begin_known);
		break;
	}
}

const struct sql_table sql_irq = {
	.name = "irq",
	.about = "an interrupt, softirq, exception, work item or timer function ran",
	SQL_COLUMNS(irq_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_irq,
	.ops = { .context = irq_span },
	.value = irq_value,
};

/* ---- block ---- */

enum {
	BLOCK_DEVICE,
	BLOCK_OPERATION,
	BLOCK_SECTOR,
	BLOCK_BYTES,
	BLOCK_BEGIN,
	BLOCK_END,
	BLOCK_DURATION,
	BLOCK_QUEUE,
	BLOCK_ERROR,
	BLOCK_CPU,
	BLOCK_THREAD,
	BLOCK_TID,
	BLOCK_PID,
};

static const struct sql_column block_columns[] = {
	[BLOCK_DEVICE] = { "device", "TEXT", SQL_PLAIN, "device" },
	[BLOCK_OPERATION] = { "operation", "TEXT", SQL_PLAIN, "READ, WRITE, FLUSH ..." },
	[BLOCK_SECTOR] = { "sector", "INTEGER", SQL_PLAIN, "first sector" },
	[BLOCK_BYTES] = { "bytes", "INTEGER", SQL_PLAIN, "size" },
	[BLOCK_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time of the issue to the driver" },
	[BLOCK_END] = { "end_ns", "INTEGER", SQL_END, "time of the completion" },
	[BLOCK_DURATION] = { "duration_ns", "INTEGER", SQL_PLAIN, "end_ns - begin_ns" },
	[BLOCK_QUEUE] = { "queue_ns", "INTEGER", SQL_PLAIN, "time in the queue before the issue" },
	[BLOCK_ERROR] = { "error", "INTEGER", SQL_PLAIN, "0, or negative errno" },
	[BLOCK_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU that issued it" },
	SQL_THREAD_COLUMNS(BLOCK_THREAD, "thread that issued it"),
};

static void block_add(void *ctx, const struct block_done *done)
{
	union sql_row *row =
		sql_feed_add(ctx, done->begin_ns, done->end_ns, done->cpu, done->thread);

	if (row)
		row->block = *done;
}

static void block_attach(struct sql_cursor *cursor, void *engine)
{
	block_observe(engine, block_add, cursor);
}

static void block_end(struct sql_cursor *cursor, void *engine)
{
	(void)cursor;
	block_finish(engine);
}

static void block_put_name(const struct sql_cursor *cursor, const struct block_done *done,
			   const char *label, sqlite3_context *to)
{
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.arg = { done->device, 0, done->operation },
	};
	char text[VALUE_SIZE];

	sql_put_text(to, value_text(cursor->sql->run, &event, label, text, sizeof(text)));
}

static void block_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
			sqlite3_context *to)
{
	const struct block_done *done = &row->block;

	switch (column) {
	case BLOCK_DEVICE:
		block_put_name(cursor, done, "device", to);
		break;
	case BLOCK_OPERATION:
		block_put_name(cursor, done, "operation", to);
		break;
	case BLOCK_SECTOR:
		sql_put_time(to, (int64_t)done->sector, done->begin_known);
		break;
	case BLOCK_BYTES:
		sqlite3_result_int64(to, (int64_t)done->bytes);
		break;
	case BLOCK_BEGIN:
		sql_put_time(to, done->begin_ns, done->begin_known);
		break;
	case BLOCK_END:
		sql_put_time(to, done->end_ns, done->end_known);
		break;
	case BLOCK_DURATION:
		sql_put_time(to, tally_length(done->begin_ns, done->end_ns),
			     done->begin_known && done->end_known);
		break;
	case BLOCK_QUEUE:
		sql_put_time(to, done->queue_ns, done->queue_ns);
		break;
	case BLOCK_ERROR:
		sql_put_time(to, done->error, done->end_known);
		break;
	case BLOCK_CPU:
		sql_put_id(to, done->cpu);
		break;
	case BLOCK_THREAD:
	case BLOCK_TID:
	case BLOCK_PID:
		sql_put_thread_column(cursor, done->thread, column - BLOCK_THREAD, to);
		break;
	}
}

const struct sql_table sql_block = {
	.name = "block",
	.about = "a request to a block device",
	SQL_COLUMNS(block_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_block,
	.engine = &analysis_block,
	.attach = block_attach,
	.finish = block_end,
	.value = block_value,
};

/* ---- lock ---- */

enum {
	LOCK_LOCK,
	LOCK_KIND,
	LOCK_CPU,
	LOCK_THREAD,
	LOCK_TID,
	LOCK_PID,
	LOCK_BEGIN,
	LOCK_END,
	LOCK_WAIT,
	LOCK_ERROR,
	LOCK_CALL,
};

static const struct sql_column lock_columns[] = {
	[LOCK_LOCK] = { "lock", "TEXT", SQL_PLAIN, "lock: symbol or address" },
	[LOCK_KIND] = { "kind", "TEXT", SQL_PLAIN, "mutex, spinlock ..." },
	[LOCK_CPU] = { "cpu", "INTEGER", SQL_CPU, "CPU on which the wait began" },
	SQL_THREAD_COLUMNS(LOCK_THREAD, "thread that waited"),
	[LOCK_BEGIN] = { "begin_ns", "INTEGER", SQL_BEGIN, "time at which the wait began" },
	[LOCK_END] = { "end_ns", "INTEGER", SQL_END, "time at which it ended" },
	[LOCK_WAIT] = { "wait_ns", "INTEGER", SQL_PLAIN, "end_ns - begin_ns" },
	[LOCK_ERROR] = { "error", "INTEGER", SQL_PLAIN, "0: got the lock; or negative errno" },
	[LOCK_CALL] = { "call", "TEXT", SQL_PLAIN, "system call in which the thread was" },
};

static void lock_add(void *ctx, const struct lock_done *done)
{
	union sql_row *row =
		sql_feed_add(ctx, done->begin_ns, done->end_ns, done->cpu, done->thread);

	if (row)
		row->lock = *done;
}

static void lock_attach(struct sql_cursor *cursor, void *engine)
{
	lock_observe(engine, lock_add, cursor);
}

static void lock_end(struct sql_cursor *cursor, void *engine)
{
	(void)cursor;
	lock_finish(engine);
}

static void lock_put_lock(const struct sql_cursor *cursor, const struct lock_done *done,
			  sqlite3_context *to)
{
	char text[VALUE_SIZE];

	sql_put_text(to, run_symbol(cursor->sql->run, 0, done->lock, text, sizeof(text)));
}

static void lock_value(const struct sql_cursor *cursor, const union sql_row *row, int column,
		       sqlite3_context *to)
{
	const struct lock_done *done = &row->lock;

	switch (column) {
	case LOCK_LOCK:
		lock_put_lock(cursor, done, to);
		break;
	case LOCK_KIND:
		sql_put_text(to, strcmp(done->kind, "?") ? done->kind : NULL);
		break;
	case LOCK_CPU:
		sql_put_id(to, done->cpu);
		break;
	case LOCK_THREAD:
	case LOCK_TID:
	case LOCK_PID:
		sql_put_thread_column(cursor, done->thread, column - LOCK_THREAD, to);
		break;
	case LOCK_BEGIN:
		sql_put_time(to, done->begin_ns, done->begin_known);
		break;
	case LOCK_END:
		sql_put_time(to, done->end_ns, done->end_known);
		break;
	case LOCK_WAIT:
		sql_put_time(to, tally_length(done->begin_ns, done->end_ns),
			     done->begin_known && done->end_known);
		break;
	case LOCK_ERROR:
		sql_put_time(to, done->error, done->end_known);
		break;
	case LOCK_CALL:
		sql_put_text(to, *done->call ? done->call : NULL);
		break;
	}
}

const struct sql_table sql_lock = {
	.name = "lock",
	.about = "a thread waited for a kernel lock",
	SQL_COLUMNS(lock_columns),
	.source = SQL_FROM_MODEL,
	.like = &analysis_lock,
	.engine = &analysis_lock,
	.attach = lock_attach,
	.finish = lock_end,
	.value = lock_value,
};
