// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/model_read.h"
#include "lib/text/context.h"
#include "lib/text/names.h"
#include "lib/trace/trace.h"
#include "states.h"

#define STATES_TIME_MAX (INT64_MAX / 2) /* the model limits times to this */

/**
 * states_out_of_memory() - make the export fail, from a function that the model calls
 * @states: model
 */
void states_out_of_memory(const struct states *states)
{
	struct lkst_error err;

	lkst_error_memory(&err, "the export");
	lkst_model_fail(states->model, &err);
}

/* Find the start of the window. */
static int states_begin(struct states *states, struct lkst_error *err)
{
	int64_t since_ns = states->export->selection->since_ns, newest_ns;
	int ret = lkst_trace_span(states->export->trace, &states->begin_ns, &newest_ns, err);

	/* model_read_open() reports an empty trace. */
	if (ret < 0)
		return -1;
	if (ret || since_ns > states->begin_ns)
		states->begin_ns = since_ns;
	if (states->begin_ns > STATES_TIME_MAX)
		states->begin_ns = STATES_TIME_MAX;
	if (states->begin_ns < -STATES_TIME_MAX)
		states->begin_ns = -STATES_TIME_MAX;
	return 0;
}

/**
 * states_open() - make a model
 * @states: result; must be passed to states_close(), even after an error
 * @export: export that begins
 * @ops: functions that the model calls
 * @ctx: passed to the functions
 * @err: set on failure, for example if the trace is empty
 */
int states_open(struct states *states, struct export *export, const struct lkst_model_ops *ops,
		void *ctx, struct lkst_error *err)
{
	*states = (struct states){
		.export = export,
		.window.begin_ns = export->selection->since_ns,
		.window.end_ns = export->selection->until_ns,
	};
	states->model = lkst_model_new(false, err);
	if (!states->model || lkst_model_add(states->model, ops, ctx, err) ||
	    states_begin(states, err))
		return -1;
	states->read = model_read_open(states->model, export->trace, &states->window, err);
	return states->read ? 0 : -1;
}

/**
 * states_observe() - pass the next event of the trace to the model
 * @states: model
 * @event: event
 * @err: set on failure
 */
int states_observe(struct states *states, const struct lkst_event *event, struct lkst_error *err)
{
	struct lkst_event copy = *event;
	int ret;

	if (states->after)
		return 0;
	states->event = event;
	ret = model_read_push(states->read, &copy, err);
	states->event = NULL;
	states->after = !ret;
	return ret < 0 ? -1 : 0;
}

/**
 * states_end() - make the model report everything up to the end of the window
 * @states: model
 * @err: set on failure
 */
int states_end(struct states *states, struct lkst_error *err)
{
	return model_read_end(states->read, err);
}

/**
 * states_close() - free the model
 * @states: from states_open()
 */
void states_close(struct states *states)
{
	model_read_close(states->read);
	lkst_model_free(states->model);
}

/**
 * states_process() - find the process of a thread
 * @states: model
 * @thread: thread
 *
 * Return: the process, or the thread itself if the process is unknown.
 */
uint32_t states_process(const struct states *states, const struct lkst_thread *thread)
{
	uint32_t tgid = thread->tgid;

	/* If the trace begins later than the thread, only later events may show its process. */
	if (!tgid)
		tgid = lkst_names_process(states->export->context->names, thread->tid);
	return tgid ? tgid : thread->tid;
}

/**
 * states_select() - check whether -p selects a thread
 * @states: model
 * @thread: thread
 * @choice: what is known about the thread; updated
 */
bool states_select(const struct states *states, const struct lkst_thread *thread,
		   struct states_choice *choice)
{
	const struct lkst_processes *processes = states->export->selection->processes;
	const struct lkst_event event = {
		.tid = thread->tid,
		.tgid = states_process(states, thread),
		.cpu = thread->cpu,
		.time_ns = states->event ? states->event->time_ns : states->window.end_ns,
	};
	enum lkst_process_match match;

	if (!processes || choice->selected)
		return true;
	if (choice->known && choice->tgid == thread->tgid &&
	    !memcmp(choice->name, thread->name, sizeof(choice->name)))
		return false;
	match = lkst_process_match(processes, states->export->context->names, &event);
	choice->known = true;
	choice->tgid = thread->tgid;
	memcpy(choice->name, thread->name, sizeof(choice->name));
	choice->selected = match == LKST_PROCESS_NO_MATCH ? lkst_processes_others(processes) :
							    match == LKST_PROCESS_SELECTED;
	return choice->selected;
}

/**
 * states_cover() - make an array large enough for an index; new members are zero
 * @states: model
 * @array: array from this function; NULL: none yet
 * @room: number of members of the array; updated
 * @index: index
 * @size: size of a member in bytes
 *
 * Return: the array, which may have moved; NULL if an allocation failed, in which case the old
 * array stays valid, and the model fails.
 */
void *states_cover(const struct states *states, void *array, size_t *room, size_t index,
		   size_t size)
{
	size_t num = *room ? *room : 64;
	char *grown;

	if (index < *room)
		return array;
	while (num <= index)
		num *= 2;
	grown = reallocarray(array, num, size);
	if (!grown) {
		states_out_of_memory(states);
		return NULL;
	}
	memset(grown + *room * size, 0, (num - *room) * size);
	*room = num;
	return grown;
}
