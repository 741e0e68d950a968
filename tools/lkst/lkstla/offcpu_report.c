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

static const struct column offcpu_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },
	{ "cause", "cause", COLUMN_TEXT },
	{ "sleeps", "sleeps", COLUMN_COUNT },
	{ "blocked ms", "blocked_ns", COLUMN_MS },
	VALUE_DIST_COLUMNS,
	{ "woken by", "woken_by", COLUMN_TEXT },
};

/* Order: most time first. */
static int offcpu_order(const void *pa, const void *pb)
{
	const struct offcpu_sleep *a = *(const struct offcpu_sleep *const *)pa;
	const struct offcpu_sleep *b = *(const struct offcpu_sleep *const *)pb;

	if (a->blocked.sum != b->blocked.sum)
		return a->blocked.sum > b->blocked.sum ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

/* Get the name of the exception or work item in which a thread slept; "" if there was none. */
static void offcpu_context(const struct offcpu *offcpu, const struct lkst_thread *thread,
			   const struct hash_head *head, char text[CONTEXT_NAME_SIZE])
{
	uint64_t what = head->key[1], trap = what >> 32;
	bool x86 = thread->machine == LKST_MACHINE_X86_64 || thread->machine == LKST_MACHINE_I386;
	const char *name;

	*text = 0;
	if (what & OFFCPU_WORK) {
		strcpy(text, " in work ");
		run_symbol(offcpu->run, thread->source, head->key[2], text + strlen(text),
			   CONTEXT_NAME_SIZE - strlen(text));
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

/**
 * offcpu_cause() - describe why a thread slept: "S in read", "D page fault in read", "D in work
 * wb_workfn"
 * @offcpu: what was collected
 * @thread: thread
 * @head: key of a struct offcpu_sleep or struct offcpu_place
 * @text: buffer for the result
 *
 * Return: @text; NULL for the row that all sleeps without a row share.
 */
const char *offcpu_cause(const struct offcpu *offcpu, const struct lkst_thread *thread,
			 const struct hash_head *head, char text[OFFCPU_NAME_SIZE])
{
	unsigned int letter = head->key[1] & OFFCPU_LETTER;
	char context[CONTEXT_NAME_SIZE], call[CAUSE_NAME_SIZE];
	const char *where = NULL;

	if (hash_is_rest(head))
		return NULL;
	offcpu_context(offcpu, thread, head, context);
	/* For an exception, name the system call only if the thread was in one. */
	if (!*context || (head->key[1] & OFFCPU_EXCEPTION && head->key[2] >= CAUSE_IN_CALL))
		where = cause_name(thread, head->key[2], offcpu->calls_seen, call);
	snprintf(text, OFFCPU_NAME_SIZE, "%c%s%s%s",
		 letter < CAUSE_OTHER ? CAUSE_LETTERS[letter] : '-', context, where ? " " : "",
		 where ? where : "");
	return text;
}

/**
 * offcpu_name() - name the thread of a sleep
 * @offcpu: what was collected
 * @thread: thread
 * @head: key of a struct offcpu_sleep or struct offcpu_place
 * @text: buffer for the result
 */
const char *offcpu_name(const struct offcpu *offcpu, const struct lkst_thread *thread,
			const struct hash_head *head, char text[40])
{
	return hash_is_rest(head) ? OFFCPU_REST : run_thread_name(offcpu->run, thread, text);
}

static int offcpu_add(const struct offcpu *offcpu, struct table *table,
		      const struct offcpu_sleep *sleep, struct lkst_error *err)
{
	const struct waker *waker = hash_is_rest(sleep) ? NULL : waker_counts_top(&sleep->wakers);
	char thread[40], cause[OFFCPU_NAME_SIZE], name[WAKER_NAME_SIZE];
	struct cell cell[] = {
		CELL_TEXT(offcpu_name(offcpu, sleep->thread, &sleep->head, thread)),
		CELL_TEXT(offcpu_cause(offcpu, sleep->thread, &sleep->head, cause)),
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

/* Return whether the longest sleep of a row was at least as long as --over requires. */
bool offcpu_over(const struct offcpu *offcpu, uint64_t max_ns)
{
	int64_t over_ns = offcpu->run->args->over_ns;

	return over_ns <= 0 || max_ns >= (uint64_t)over_ns;
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
	for (size_t i = 0; i < offcpu->sleeps.num && !ret; i++) {
		const struct offcpu_sleep *sleep = sleeps[i];

		if (offcpu_over(offcpu, sleep->blocked.max))
			ret = offcpu_add(offcpu, table, sleep, err);
	}
	free(sleeps);
	return ret;
}

/* ---- lines for flame graphs ---- */

/**
 * offcpu_print_frame() - print a frame of a line for flame graphs
 * @text: name, in which ";" becomes ":"
 * @after: ";" after a frame, and a blank after the last one
 */
void offcpu_print_frame(const char *text, char after)
{
	char printable[4 * OFFCPU_NAME_SIZE];

	lkst_printable(text, strlen(text), printable, sizeof(printable));
	for (const char *p = printable; *p; p++)
		putchar(*p == ';' ? ':' : *p);
	putchar(after);
}

/* End a line for flame graphs with the time in microseconds. */
void offcpu_print_us(uint64_t ns)
{
	printf("%" PRIu64 "\n", ns / 1000 + (ns % 1000 >= 500));
}

static void folded_line(const struct offcpu *offcpu, const struct offcpu_sleep *sleep,
			const char *waker, uint64_t ns)
{
	char thread[40], text[OFFCPU_NAME_SIZE];
	const char *cause = offcpu_cause(offcpu, sleep->thread, &sleep->head, text);

	if (!ns)
		return;
	offcpu_print_frame(offcpu_name(offcpu, sleep->thread, &sleep->head, thread), ';');
	offcpu_print_frame(cause ? cause : OFFCPU_REST, ';');
	offcpu_print_frame(waker ? waker : "-", ' ');
	offcpu_print_us(ns);
}

/*
 * Print the sleeps by waker. The rest of the time was spent in sleeps that had not ended, or whose
 * end is unknown.
 */
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
	for (size_t i = 0; i < offcpu->sleeps.num; i++) {
		const struct offcpu_sleep *sleep = sleeps[i];

		if (offcpu_over(offcpu, sleep->blocked.max))
			folded_sleep(offcpu, sleep);
	}
	free(sleeps);
	return 0;
}
