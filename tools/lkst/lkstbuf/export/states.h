/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the state model for the formats that show states instead of events. The states are those
 * that lkstla reports, for the time that --since and --until select.
 */
#ifndef _LKSTBUF_EXPORT_STATES_H
#define _LKSTBUF_EXPORT_STATES_H

#include "export.h"
#include "lib/model.h"

struct model_read;

/**
 * struct states - the state model of an export
 * @export: the export
 * @model: model. In all of its threads, @source is the index of the newest file
 * @read: feeds the model
 * @window: the time for which the model reports
 * @begin_ns: start of that time: the time of --since or, if --since is not given or is before the
 *	oldest event, the time of the oldest event
 * @event: the event that the model is processing, or NULL while it reports the end of the window
 * @after: all further events are after the window
 */
struct states {
	struct export *export;
	struct lkst_model *model;
	struct model_read *read;
	struct lkst_model_window window;
	int64_t begin_ns;
	const struct lkst_event *event;
	bool after;
};

/**
 * struct states_choice - whether -p selects a thread. Initialize all members to 0
 * @known: the other members are set
 * @selected: the thread is selected. It stays selected if its name changes
 * @tgid: process for which @selected was determined
 * @name: name for which @selected was determined
 */
struct states_choice {
	bool known;
	bool selected;
	uint32_t tgid;
	char name[LKST_COMM_LEN];
};

int states_open(struct states *states, struct export *export, const struct lkst_model_ops *ops,
		void *ctx, struct lkst_error *err);
int states_observe(struct states *states, const struct lkst_event *event, struct lkst_error *err);
int states_end(struct states *states, struct lkst_error *err);
void states_close(struct states *states);
void states_out_of_memory(const struct states *states);
uint32_t states_process(const struct states *states, const struct lkst_thread *thread);
bool states_select(const struct states *states, const struct lkst_thread *thread,
		   struct states_choice *choice);
void *states_cover(const struct states *states, void *array, size_t *room, size_t index,
		   size_t size);

/* Return whether -c selects a CPU. */
static inline bool states_select_cpu(const struct states *states, int32_t cpu)
{
	return states->export->selection->cpu < 0 || states->export->selection->cpu == cpu;
}

#endif
