// SPDX-License-Identifier: GPL-2.0
/* The output of lkstla offcpu by stack: a table, or lines for flame graphs. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "offcpu.h"
#include "value.h"

static const struct column places_columns[] = {
	{ "thread", "thread", COLUMN_TEXT },  { "cause", "cause", COLUMN_TEXT },
	{ "sleeps", "sleeps", COLUMN_COUNT }, { "blocked ms", "blocked_ns", COLUMN_MS },
	{ "max us", "max_ns", COLUMN_US },    { "at", "at_ns", COLUMN_TIME },
	{ "stack", "stack", COLUMN_STACK },
};

/* Order: most time first. */
static int places_order(const void *pa, const void *pb)
{
	const struct offcpu_place *a = *(const struct offcpu_place *const *)pa;
	const struct offcpu_place *b = *(const struct offcpu_place *const *)pb;

	if (a->total_ns != b->total_ns)
		return a->total_ns > b->total_ns ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

/* Return the stack of a place; NULL if it is unknown, or if too many stacks were found. */
static const struct stack *places_stack(const struct offcpu *offcpu,
					const struct offcpu_place *place)
{
	return hash_is_rest(place) ? NULL : stacks_get(&offcpu->stacks, offcpu_place_stack(place));
}

/* Return the text for a place that combines several stacks; NULL for any other place. */
static const char *places_no_stack(const struct offcpu_place *place)
{
	return hash_is_rest(place) || offcpu_place_stack(place) == STACK_OTHERS ? OFFCPU_REST :
										  NULL;
}

static int places_add(const struct offcpu *offcpu, struct table *table,
		      const struct offcpu_place *place, struct lkst_error *err)
{
	const struct stack *stack = places_stack(offcpu, place);
	char thread[40], cause[OFFCPU_NAME_SIZE], text[STACK_TEXT_SIZE];

	return table_add(
		table,
		(struct cell[]){
			CELL_TEXT(offcpu_name(offcpu, place->thread, &place->head, thread)),
			CELL_TEXT(offcpu_cause(offcpu, place->thread, &place->head, cause)),
			CELL(place->times),
			CELL(place->total_ns),
			CELL(place->max_ns),
			CELL(place->max_at_ns),
			CELL_TEXT(stack ? stacks_text(&offcpu->stacks, stack, place->thread->source,
						      text) :
					  places_no_stack(place)),
		},
		err);
}

/**
 * offcpu_report_places() - add the table
 * @offcpu: what was collected, without pending sleeps
 * @to: receives the table
 * @err: set if an allocation failed
 */
int offcpu_report_places(const struct offcpu *offcpu, struct tables *to, struct lkst_error *err)
{
	struct table *table = value_table(to, "stacks", "Sleeps by stack", places_columns,
					  sizeof(places_columns) / sizeof(*places_columns), err);
	void **places;
	int ret = 0;

	if (!table)
		return -1;
	places = hash_sorted(&offcpu->places, places_order);
	if (!places) {
		lkst_error_memory(err, "offcpu");
		return -1;
	}
	for (size_t i = 0; i < offcpu->places.num && !ret; i++) {
		const struct offcpu_place *place = places[i];

		if (offcpu_over(offcpu, (uint64_t)place->max_ns))
			ret = places_add(offcpu, table, place, err);
	}
	free(places);
	return ret;
}

/* Print the functions of a stack, outermost first. */
static void places_print_stack(const struct offcpu *offcpu, const struct offcpu_place *place)
{
	const struct stack *stack = places_stack(offcpu, place);
	const char *none = places_no_stack(place);
	char name[STACK_NAME_SIZE];

	if (!stack) {
		offcpu_print_frame(none ? none : "-", ';');
		return;
	}
	if (stack->cut)
		offcpu_print_frame("[cut]", ';');
	for (uint32_t i = stack->num; i-- > 0;)
		offcpu_print_frame(run_symbol(offcpu->run, place->thread->source,
					      stack->function[i], name, sizeof(name)),
				   ';');
}

static void places_print(const struct offcpu *offcpu, const struct offcpu_place *place)
{
	char thread[40], text[OFFCPU_NAME_SIZE];
	const char *cause = offcpu_cause(offcpu, place->thread, &place->head, text);

	offcpu_print_frame(offcpu_name(offcpu, place->thread, &place->head, thread), ';');
	places_print_stack(offcpu, place);
	offcpu_print_frame(cause ? cause : OFFCPU_REST, ' ');
	offcpu_print_us((uint64_t)place->total_ns);
}

/**
 * offcpu_print_folded_places() - print lines "thread;outermost;...;innermost;cause microseconds"
 * @offcpu: what was collected, without pending sleeps
 * @err: set if an allocation failed
 */
int offcpu_print_folded_places(const struct offcpu *offcpu, struct lkst_error *err)
{
	void **places = hash_sorted(&offcpu->places, places_order);

	if (!places) {
		lkst_error_memory(err, "offcpu");
		return -1;
	}
	for (size_t i = 0; i < offcpu->places.num; i++) {
		const struct offcpu_place *place = places[i];

		if (place->total_ns && offcpu_over(offcpu, (uint64_t)place->max_ns))
			places_print(offcpu, place);
	}
	free(places);
	return 0;
}
