// SPDX-License-Identifier: GPL-2.0
/* The output of lkstla offcpu: a table, or lines for flame graphs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "contexts.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/constants.h"
#include "offcpu.h"
#include "value.h"

#define OFFCPU_TRAP_PAGE_FAULT 14 /* of x86 */
#define OFFCPU_NAME_SIZE       (CONTEXT_NAME_SIZE + CAUSE_NAME_SIZE)
#define OFFCPU_REST	       "(others)"

static const struct column offcpu_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "cause", "cause", COLUMN_TEXT },
	{ "sleeps", "sleeps", COLUMN_COUNT },
	{ "blocked ms", "blocked_ns", COLUMN_MS },
	VALUE_DIST_COLUMNS,
	{ "woken by", "woken_by", COLUMN_TEXT },
};

/* Causes with more time come first. */
static int offcpu_order(const void *pa, const void *pb)
{
	const struct offcpu_sleep *a = *(const struct offcpu_sleep *const *)pa;
	const struct offcpu_sleep *b = *(const struct offcpu_sleep *const *)pb;

	if (a->blocked.sum != b->blocked.sum)
		return a->blocked.sum > b->blocked.sum ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

/* Name the context in which a thread slept; "" if it slept in no context. */
static void offcpu_context(const struct offcpu *offcpu, const struct offcpu_sleep *sleep,
			   char text[CONTEXT_NAME_SIZE])
{
	uint64_t what = sleep->head.key[1], trap = what >> 32;
	bool x86 = sleep->thread->machine == LKST_MACHINE_X86_64 ||
		   sleep->thread->machine == LKST_MACHINE_I386;
	const char *name;

	*text = 0;
	if (what & OFFCPU_WORK) {
		strcpy(text, " in work ");
		run_symbol(offcpu->run, sleep->thread->source, sleep->head.key[2],
			   text + strlen(text), CONTEXT_NAME_SIZE - strlen(text));
	} else if (what & OFFCPU_EXCEPTION && x86 && trap == OFFCPU_TRAP_PAGE_FAULT) {
		strcpy(text, " page fault");
	} else if (what & OFFCPU_EXCEPTION) {
		name = x86 ? constant_name(LKST_FMT_TRAP, trap) : NULL;
		if (name)
			snprintf(text, CONTEXT_NAME_SIZE, " exception %s", name);
		else
			snprintf(text, CONTEXT_NAME_SIZE, " exception %" PRIu64, trap);
	}
}

/* Name why a thread slept: "S in read", "D page fault in read", "D in work wb_workfn". */
static const char *offcpu_cause(const struct offcpu *offcpu, const struct offcpu_sleep *sleep,
				char text[OFFCPU_NAME_SIZE])
{
	unsigned int letter = sleep->head.key[1] & OFFCPU_LETTER;
	char context[CONTEXT_NAME_SIZE], call[CAUSE_NAME_SIZE];
	const char *where = NULL;

	if (hash_is_rest(sleep))
		return NULL;
	offcpu_context(offcpu, sleep, context);
	/* For an exception, name the system call only if the thread was in one. */
	if (!*context ||
	    (sleep->head.key[1] & OFFCPU_EXCEPTION && sleep->head.key[2] >= CAUSE_IN_CALL))
		where = cause_name(sleep->thread, sleep->head.key[2], offcpu->calls_seen, call);
	snprintf(text, OFFCPU_NAME_SIZE, "%c%s%s%s",
		 letter < CAUSE_OTHER ? CAUSE_LETTERS[letter] : '-', context, where ? " " : "",
		 where ? where : "");
	return text;
}

static const char *offcpu_name(const struct offcpu *offcpu, const struct offcpu_sleep *sleep,
			       char text[40])
{
	return hash_is_rest(sleep) ? OFFCPU_REST :
				     run_thread_name(offcpu->run, sleep->thread, text);
}

static int offcpu_add(const struct offcpu *offcpu, struct table *table,
		      const struct offcpu_sleep *sleep, struct lkst_error *err)
{
	const struct waker *waker = hash_is_rest(sleep) ? NULL : waker_counts_top(&sleep->wakers);
	char thread[40], cause[OFFCPU_NAME_SIZE], name[WAKER_NAME_SIZE];
	struct cell cell[] = {
		CELL_TEXT(offcpu_name(offcpu, sleep, thread)),
		CELL_TEXT(offcpu_cause(offcpu, sleep, cause)),
		CELL(sleep->times),
		cell_of_ns(sleep->blocked.sum),
		CELL_NONE,
		CELL_NONE,
		CELL_NONE,
		CELL_NONE,
		waker ? CELL_TEXT(waker_name(offcpu->run, waker, sleep->thread->source, name)) :
			CELL_NONE,
	};

	value_dist(&sleep->blocked, cell + 4);
	return table_add(table, cell, err);
}

static bool offcpu_over(const struct offcpu *offcpu, const struct offcpu_sleep *sleep)
{
	int64_t over_ns = offcpu->run->args->over_ns;

	return over_ns <= 0 || sleep->blocked.max >= (uint64_t)over_ns;
}

/**
 * offcpu_report_table() - add the table
 * @offcpu: what was collected, without pending sleeps
 * @to: receives the table
 * @err: set if an allocation failed
 */
int offcpu_report_table(const struct offcpu *offcpu, struct tables *to, struct lkst_error *err)
{
	struct table *table = value_table(to, "offcpu", "Sleeps by cause", offcpu_columns,
					  sizeof(offcpu_columns) / sizeof(*offcpu_columns), err);
	void **sleeps;
	int ret = 0;

	if (!table)
		return -1;
	sleeps = hash_sorted(&offcpu->sleeps, offcpu_order);
	if (!sleeps) {
		lkst_error_memory(err, "offcpu");
		return -1;
	}
	for (size_t i = 0; i < offcpu->sleeps.num && !ret; i++)
		if (offcpu_over(offcpu, sleeps[i]))
			ret = offcpu_add(offcpu, table, sleeps[i], err);
	free(sleeps);
	return ret;
}

/* ---- lines for flame graphs ---- */

/* Print a frame. ";" separates frames, and a blank separates the last one from the number. */
static void folded_frame(const char *text, char after)
{
	char printable[4 * OFFCPU_NAME_SIZE];

	lkst_printable(text, strlen(text), printable, sizeof(printable));
	for (const char *p = printable; *p; p++)
		putchar(*p == ';' ? ':' : *p);
	putchar(after);
}

static void folded_line(const struct offcpu *offcpu, const struct offcpu_sleep *sleep,
			const char *waker, uint64_t ns)
{
	char thread[40], text[OFFCPU_NAME_SIZE];
	const char *cause = offcpu_cause(offcpu, sleep, text);

	if (!ns)
		return;
	folded_frame(offcpu_name(offcpu, sleep, thread), ';');
	folded_frame(cause ? cause : OFFCPU_REST, ';');
	folded_frame(waker ? waker : "-", ' ');
	printf("%" PRIu64 "\n", ns / 1000 + (ns % 1000 >= 500));
}

/* Time without a waker is that of sleeps that had not ended, or whose end is unknown. */
static void folded_sleep(const struct offcpu *offcpu, const struct offcpu_sleep *sleep)
{
	const struct waker_counts *wakers = &sleep->wakers;
	uint64_t left_ns = sleep->blocked.sum;
	char name[WAKER_NAME_SIZE];

	for (uint32_t i = 0; i < wakers->num && !hash_is_rest(sleep); i++) {
		const struct waker_count *count = &wakers->count[i];
		uint64_t ns = (uint64_t)count->total_ns;

		if (count->waker.kind == WAKER_UNKNOWN)
			continue;
		ns = ns < left_ns ? ns : left_ns;
		left_ns -= ns;
		folded_line(offcpu, sleep,
			    waker_name(offcpu->run, &count->waker, sleep->thread->source, name),
			    ns);
	}
	folded_line(offcpu, sleep, NULL, left_ns);
}

/**
 * offcpu_print_folded() - print lines "thread;cause;waker microseconds"
 * @offcpu: what was collected, without pending sleeps
 * @err: set if an allocation failed
 */
int offcpu_print_folded(const struct offcpu *offcpu, struct lkst_error *err)
{
	void **sleeps = hash_sorted(&offcpu->sleeps, offcpu_order);

	if (!sleeps) {
		lkst_error_memory(err, "offcpu");
		return -1;
	}
	for (size_t i = 0; i < offcpu->sleeps.num; i++)
		if (offcpu_over(offcpu, sleeps[i]))
			folded_sleep(offcpu, sleeps[i]);
	free(sleeps);
	return 0;
}
