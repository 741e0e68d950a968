// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "lkstla/tally.h"
#include "script_case.h"
#include "why_case.h"

/* The time of a thread by state, from the spans that the model reports */
struct span_times {
	size_t num, room;
	struct lkst_thread_span *span;
};

uint64_t why_case_bytes;
char why_case_note[256];

static struct span_times spans;
static char *operands[2];

struct lkst_history *__real_lkst_history_new(struct lkst_model *of, uint64_t bytes,
					     struct lkst_error *error);
struct lkst_history *__wrap_lkst_history_new(struct lkst_model *of, uint64_t bytes,
					     struct lkst_error *error);

struct lkst_history *__wrap_lkst_history_new(struct lkst_model *of, uint64_t bytes,
					     struct lkst_error *error)
{
	return __real_lkst_history_new(of, why_case_bytes ? why_case_bytes : bytes, error);
}

void print_note(const char *text)
{
	snprintf(why_case_note, sizeof(why_case_note), "%s", text);
}

unsigned int terminal_width(void)
{
	return 0;
}

static void on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct span_times *times = ctx;

	times->span = tally_cover(times->span, &times->room, times->num, sizeof(*times->span));
	ck_assert_ptr_nonnull(times->span);
	times->span[times->num++] = *span;
}

/**
 * why_case_begin() - begin an analysis of all events from time 0 on
 * @own: options of lkstla why, with the argument of --at in nanoseconds
 * @operand: operand of lkstla why; may be NULL
 */
void why_case_begin(const struct why_arguments *own, const char *operand)
{
	struct why_arguments start = *own;
	struct why *why;
	static const struct lkst_model_ops ops = { .thread = on_thread };

	script_setup("blkop enum 1 WRITE\n");
	operands[0] = (char *)(uintptr_t)operand;
	analysis_operands = operands;
	spans.num = 0;
	*why_case_note = 0;
	/* The argument of --at cannot be checked here, because the window has not been set yet. */
	start.at = NULL;
	analysis_setup(&analysis_why, &start);
	why = analysis_ctx();
	why->own = analysis_run.own = own;
	why->at_ns = own->at ? strtoll(own->at, NULL, 10) : 0;
	analysis_args.processes.num = operand != NULL;
	assert_ok(lkst_model_add(model, &analysis_why.ops, analysis_ctx(), &err));
	assert_ok(lkst_model_add(model, &ops, &spans, &err));
}

/* Run a script, and end the window. */
void why_case_run(const char *script, int64_t end_ns)
{
	script_window(end_ns);
	script_run(script);
}

/* Return the report as text, or the error after "error: ". The caller must free it. */
char *why_case_text(void)
{
	struct tables tables = { 0 };
	char *text = NULL;

	if (analysis_why.report(analysis_ctx(), &analysis_run, &tables, &err))
		ck_assert_int_gt(asprintf(&text, "error: %s\n", err.text), 0);
	else
		text = tables.text;
	ck_assert(!tables.num && !tables.json && (!tables.text || tables.text == text));
	return text;
}

/* ---- checks of each tree ---- */

static void check_children(const struct why *why, size_t parent, int64_t begin_ns, int64_t end_ns)
{
	int64_t at_ns = begin_ns;

	for (size_t i = why->pool[parent].child; i; i = why->pool[i].next) {
		const struct why_segment *segment = &why->pool[i];

		ck_assert_uint_eq(segment->parent, parent);
		ck_assert_int_lt(segment->depth, why->depth);
		ck_assert_int_eq(segment->begin_ns, at_ns);
		ck_assert_int_lt(segment->begin_ns, segment->end_ns);
		ck_assert(*segment->text);
		at_ns = segment->end_ns;
		check_children(why, i, segment->begin_ns, segment->end_ns);
	}
	if (at_ns > begin_ns || !parent)
		ck_assert_int_eq(at_ns, end_ns);
}

/*
 * Compare the times by state with the spans of the model. If short segments were combined into one
 * (WHY_MANY), do nothing, because its time is not divided by state.
 */
static void check_states(const struct why *why, const struct why_delay *delay)
{
	int64_t segments[LKST_STATE_NUM] = { 0 }, expected[LKST_STATE_NUM] = { 0 };

	if (delay->begin_ns < lkst_history_begin(why->history))
		return;

	for (size_t i = why->pool[0].child; i; i = why->pool[i].next) {
		const struct why_segment *segment = &why->pool[i];
		int state = segment->kind == WHY_RUNNING  ? LKST_STATE_RUNNING :
			    segment->kind == WHY_RUNNABLE ? LKST_STATE_RUNNABLE :
			    segment->kind == WHY_BLOCKED  ? LKST_STATE_BLOCKED :
							    LKST_STATE_UNKNOWN;

		if (segment->kind == WHY_MANY)
			return;
		segments[state] += segment->end_ns - segment->begin_ns;
	}
	for (size_t i = 0; i < spans.num; i++) {
		const struct lkst_thread_span *span = &spans.span[i];
		int64_t begin = span->begin_ns > delay->begin_ns ? span->begin_ns : delay->begin_ns;
		int64_t end = span->end_ns < delay->end_ns ? span->end_ns : delay->end_ns;

		if (span->thread == delay->thread && begin < end)
			expected[span->state] += end - begin;
	}
	for (int i = LKST_STATE_RUNNING; i < LKST_STATE_NUM; i++)
		ck_assert_int_eq(segments[i], expected[i]);
}

/* Check the trees of the longest delays. Returns the number of delays. */
size_t why_case_check(size_t most)
{
	struct why_delays delays = { .max = most, .delay = calloc(most, sizeof(*delays.delay)) };
	struct why *why = analysis_ctx();

	ck_assert_ptr_nonnull(delays.delay);
	why_choose(why, &delays, &err);
	for (size_t i = 0; i < delays.num; i++) {
		const struct why_delay *delay = &delays.delay[i];

		ck_assert_int_lt(delay->begin_ns, delay->end_ns);
		why_explain(why, delay);
		ck_assert_uint_le(why->segments, WHY_POOL);
		check_children(why, 0, delay->begin_ns, delay->end_ns);
		check_states(why, delay);
		ck_assert(why_explained(why, delay) >= 0 && why_explained(why, delay) <= 1);
	}
	free(delays.delay);
	return delays.num;
}

void why_case_done(void)
{
	script_teardown();
	free(spans.span);
	spans = (struct span_times){ 0 };
}
