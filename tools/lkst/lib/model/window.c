// SPDX-License-Identifier: LGPL-2.1
/*
 * Windows: the time for which the model reports spans, and the cuts at which it reports open ones.
 */
#include "state.h"

/**
 * window_time() - limit a time, so that the difference of two times does not overflow
 * @time_ns: any time
 */
int64_t window_time(int64_t time_ns)
{
	if (time_ns > MODEL_TIME_MAX)
		return MODEL_TIME_MAX;
	return time_ns < -MODEL_TIME_MAX ? -MODEL_TIME_MAX : time_ns;
}

/* Report all spans that are in progress up to a time, and continue them from that time on. */
static void window_cut(struct lkst_model *model, int64_t at_ns)
{
	for (size_t i = 0; i < model->worlds; i++) {
		struct model_world *world = model->world[i];

		for (size_t k = 0; world && k < world->cpus; k++)
			if (world->cpu[k])
				cpu_cut(model, world->cpu[k], at_ns);
	}
	for (size_t i = 0; i < model->threads; i++)
		if (!model->thread[i]->pub.exited)
			thread_cut(model, model->thread[i], at_ns);
}

/*
 * Report what is open when the window opens: the call of a thread before its contexts, because a
 * thread enters its contexts within its call.
 */
static void window_continue(struct lkst_model *model)
{
	for (size_t i = 0; i < model->worlds; i++) {
		struct model_world *world = model->world[i];

		for (size_t k = 0; world && k < world->cpus; k++)
			if (world->cpu[k])
				contexts_continue(model, world->cpu[k]->context,
						  world->cpu[k]->depth);
	}
	for (size_t i = 0; i < model->threads; i++) {
		const struct model_thread *thread = model->thread[i];

		if (thread->pub.exited)
			continue;
		syscall_continue(model, thread);
		contexts_continue(model, thread->live->context, thread->live->depth);
	}
}

/**
 * window_open() - open a window
 * @model: model
 * @at_ns: start of the window. Nothing is reported for earlier times
 */
void window_open(struct lkst_model *model, int64_t at_ns)
{
	model->waiting = true;
	model->now_ns = model_later(model->now_ns, at_ns);
	window_cut(model, model->now_ns);
	model->waiting = false;
	model->counts = (struct lkst_model_counts){ 0 };
	window_continue(model);
}

void lkst_model_open_window(struct lkst_model *model, int64_t time_ns)
{
	model->window_ns = window_time(time_ns);
	model->waiting = true;
	if (model->window_ns <= model->now_ns)
		window_open(model, model->window_ns);
}

int lkst_model_cut(struct lkst_model *model, int64_t time_ns, struct lkst_error *err)
{
	time_ns = window_time(time_ns);
	if (model->waiting && time_ns >= model->window_ns)
		window_open(model, model->window_ns);
	model->now_ns = model_later(model->now_ns, time_ns);
	window_cut(model, model->now_ns);
	return model_failure(model, err);
}
