// SPDX-License-Identifier: GPL-2.0
/* lkstla why: explains delays as chains of causes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "lib/base/error.h"
#include "lib/text/timestamp.h"
#include "lkstla/arguments.h"
#include "lkstla/messages.h"
#include "lkstla/value.h"
#include "why.h"

#define WHY_SLOWEST  1
#define WHY_DEPTH    5
#define WHY_SEGMENTS 12

static const struct option_row why_rows[] = {
	OPT_TEXT(0, "at", "TIME", struct why_arguments, at,
		 "the delay at this time; as for --since"),
	OPT_NUMBER(0, "slowest", "NUMBER", struct why_arguments, slowest, 1, WHY_DELAYS_MAX,
		   "number of delays", "the longest delays; default: 1"),
	OPT_TEXT(0, "syscall", "CALL", struct why_arguments, syscall, "only this system call"),
	OPT_TEXT(0, "span", "MARKS", struct why_arguments, span,
		 "from one mark to another: 'begin..end'"),
	OPT_NUMBER(0, "depth", "NUMBER", struct why_arguments, depth, 1, WHY_DEPTH_MAX,
		   "number of levels", "at most this many levels of causes; default: 5"),
	OPT_NUMBER(0, "segments", "NUMBER", struct why_arguments, segments, 1, WHY_WIDTH_MAX,
		   "number of segments", "the longest of each level; default: 12"),
};

static int why_check(const struct why *why, struct lkst_error *err)
{
	const struct why_arguments *own = why->own;
	const char *wrong = NULL;

	if (own->syscall && own->at)
		wrong = "--syscall cannot be combined with --at";
	else if (own->syscall && own->span)
		wrong = "--syscall cannot be combined with --span";
	if (!wrong)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", wrong);
	return -1;
}

static void why_free(void *ctx)
{
	struct why *why = ctx;

	lkst_history_free(why->history);
	why_facts_free(&why->facts);
	free(why->marks.pairs.delay);
	free(why->pool);
	free(why->lengths);
	free(why);
}

static int why_alloc(struct why *why, struct lkst_error *err)
{
	why->history = lkst_history_new(why->run->model, 0, err);
	if (!why->history)
		return -1;
	why->pool = calloc(WHY_POOL, sizeof(*why->pool));
	why->lengths = calloc(why->width, sizeof(*why->lengths));
	if (why->pool && why->lengths)
		return 0;
	lkst_error_memory(err, "why");
	return -1;
}

/**
 * why_new() - prepare to explain delays
 * @run: run
 * @own: options of lkstla why, which must stay valid as long as the result
 * @err: set if an option is invalid, or an allocation fails
 */
struct why *why_new(const struct run *run, const struct why_arguments *own, struct lkst_error *err)
{
	struct why *why = calloc(1, sizeof(*why));

	if (!why) {
		lkst_error_memory(err, "why");
		return NULL;
	}
	why->run = run;
	why->own = own;
	why->width = (size_t)(own->segments ? own->segments : WHY_SEGMENTS);
	why->depth = (int)(own->depth ? own->depth : WHY_DEPTH);
	why_facts_init(&why->facts, run);
	why->marks.pairs.max = WHY_DELAYS_MAX;
	if (!why_check(why, err) &&
	    (!own->at || !value_moment(run, "--at", own->at, &why->at_ns, err)) &&
	    !why_marks_init(why, err) && !why_alloc(why, err))
		return why;
	why_free(why);
	return NULL;
}

/* Print a note if the history lacks the first part of the window. */
static void why_note_begin(const struct why *why)
{
	int64_t begin_ns = lkst_history_begin(why->history);
	char time[LKST_TIMESTAMP_SIZE], text[160];

	if (begin_ns <= why->run->begin_ns)
		return;
	snprintf(text, sizeof(text), MSG_WHY_FORGOT, lkst_timestamp_text(begin_ns, time));
	print_note(text);
}

/*
 * Print a note for each operand NAME-NUMBER if all threads with this number have other names. Only
 * the number selects threads, because a thread may have changed its name.
 */
static void why_note_names(const struct why *why)
{
	const struct lkst_model *model = why->run->model;
	char name[40], text[256];

	for (char **operand = why->run->operands; operand && *operand; operand++) {
		const char *tid = arguments_tid(*operand);
		bool other = false, same = tid == *operand;

		for (size_t i = 0; tid && !same && i < lkst_model_threads(model); i++) {
			const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);

			if (strtoull(tid, NULL, 10) != thread->tid)
				continue;
			other = true;
			same = !*thread->name ||
			       !strcmp(run_thread_name(why->run, thread, name), *operand);
		}
		if (!other || same)
			continue;
		snprintf(text, sizeof(text), MSG_WHY_NAME, *operand, name);
		print_note(text);
	}
}

static int why_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	const struct why_arguments *own = run->own;
	struct why *why = ctx;
	struct why_delays delays = { .max = (size_t)(own->slowest ? own->slowest : WHY_SLOWEST) };
	int ret = -1;

	why_note_begin(why);
	why_note_names(why);
	delays.delay = calloc(delays.max, sizeof(*delays.delay));
	if (!delays.delay)
		lkst_error_memory(err, "why");
	else if (!why_choose(why, &delays, err))
		ret = why_print(why, &delays, to, err);
	free(delays.delay);
	return ret;
}

static void *why_start(const struct run *run, struct lkst_error *err)
{
	return why_new(run, run->own, err);
}

static void why_on_event(void *ctx, const struct lkst_event *event)
{
	struct why *why = ctx;

	why_facts_event(&why->facts, event);
	why_marks_event(why, event);
}

static void why_on_migrate(void *ctx, const struct lkst_thread *thread, int32_t from, int32_t to,
			   int64_t time_ns)
{
	why_facts_migrate(&((struct why *)ctx)->facts, thread, from, to, time_ns);
}

static void why_on_context(void *ctx, const struct lkst_context_span *span)
{
	why_facts_work(&((struct why *)ctx)->facts, span);
}

static void why_on_loss(void *ctx, const struct lkst_loss *loss)
{
	why_facts_loss(&((struct why *)ctx)->facts, loss);
}

static const char *const why_needs[] = { "PROCESS_CONTEXTSWITCH", "PROCESS_WAKEUP", NULL };
static const char *const why_helps[] = {
	"PROCESS_WAKING",
	"PROCESS_SIGSEND",
	"PROCESS_FORK",
	"SYSCALL_ENTRY",
	"SYSCALL_EXIT",
	"INT_HARDWARE_ENTRY",
	"INT_TIMER_ENTRY",
	"INT_IPI_ENTRY",
	"INT_SOFTIRQ_ENTRY",
	"INT_SOFTIRQ_RAISE",
	"TIMER_HR_RUN_ENTRY",
	"TIMER_HR_ADD",
	"TIMER_RUN_ENTRY",
	"TIMER_ADD",
	"BLOCK_ISSUE",
	"BLOCK_COMPLETE",
	"WORK_ENTRY",
	"EXCEPTION_ENTRY",
	NULL,
};

const struct analysis analysis_why = {
	.name = "why",
	.summary = "why a thread was delayed: the chain of causes",
	.about = "Divides a delay of a thread into what the thread did, what it waited for, and\n"
		 "what that waited for. THREAD is a name, a number, or NAME-NUMBER.\n",
	.operands = "[THREAD...]",
	.operands_select = true,
	.operands_threads = true,
	.refuses = {
		[ANALYSIS_CPU] = "a delay may involve several CPUs",
		[ANALYSIS_TOP] = "--slowest limits the number of delays",
		[ANALYSIS_SORT] = "the longest delays come first",
	},
	.row = why_rows,
	.rows = sizeof(why_rows) / sizeof(*why_rows),
	.own_size = sizeof(struct why_arguments),
	.needs = why_needs,
	.helps = why_helps,
	.ops = {
		.context = why_on_context,
		.migrate = why_on_migrate,
		.loss = why_on_loss,
		.event = why_on_event,
	},
	.start = why_start,
	.report = why_report,
	.free = why_free,
};
