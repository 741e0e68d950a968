// SPDX-License-Identifier: LGPL-2.1
/*
 * Forgets threads that have ended, so that a program can follow the running kernel for a long time.
 *
 * A thread that has ended is kept if the current state refers to it: another thread may still be
 * waiting behind it, or may have been woken up by it. Each thread and each CPU refers to at most a
 * few such threads.
 *
 * If records are lost, the end of a thread can be among them. So a thread about which nothing has
 * been known for a long time is forgotten, too. If it still exists, it is found again when it runs.
 */
#include "state.h"
#include "trim.h"

#define TRIM_UNKNOWN_NS 300000000000 /* five minutes */

static void trim_keep(const struct lkst_thread *thread)
{
	/* @pub is the first member. */
	if (thread)
		((struct model_thread *)(uintptr_t)thread)->kept = true;
}

static void trim_keep_contexts(const struct model_context *context, unsigned int depth)
{
	while (depth-- > 0)
		trim_keep(context[depth].span.thread);
}

static bool trim_is_lost(const struct lkst_model *model, const struct model_thread *thread)
{
	return thread->pub.state == LKST_STATE_UNKNOWN &&
	       model->now_ns - thread->pub.since_ns > TRIM_UNKNOWN_NS;
}

static void trim_keep_live(const struct lkst_model *model, struct model_thread *thread)
{
	const struct model_live *live = thread->live;

	if (!live)
		return;
	/*
	 * A lost thread (see trim_is_lost()) is kept only if another thread refers to it. It is not
	 * known yet whether one does. So always keep the threads to which a lost thread refers.
	 */
	if (!trim_is_lost(model, thread))
		thread->kept = true;
	trim_keep(live->span.behind);
	trim_keep(live->span.wake.thread);
	trim_keep(live->early.thread);
	trim_keep_contexts(live->context, live->depth);
}

static void trim_mark(struct lkst_model *model)
{
	for (size_t i = 0; i < model->threads; i++)
		trim_keep_live(model, model->thread[i]);
	for (size_t i = 0; i < model->worlds; i++) {
		struct model_world *world = model->world[i];

		for (size_t k = 0; world && k < world->cpus; k++) {
			const struct model_cpu *cpu = world->cpu[k];

			if (!cpu)
				continue;
			trim_keep(cpu->span.thread);
			trim_keep_contexts(cpu->context, cpu->depth);
		}
	}
}

/*
 * Set @older of a thread to the latest of the older threads with the same tid that are kept, or to
 * NULL.
 */
static void trim_older(struct model_thread *thread)
{
	while (thread->older && !thread->older->kept)
		thread->older = thread->older->older;
}

/**
 * lkst_model_trim() - forget threads that have ended, or that were not seen for a long time
 * @model: model
 *
 * The other threads get new indexes, in the same order and without gaps. Pointers to the threads
 * that are forgotten become invalid, so the caller must not keep pointers to threads that have
 * ended or whose state is unknown. Because the indexes change, a model with a struct lkst_history
 * must not be trimmed.
 */
void lkst_model_trim(struct lkst_model *model)
{
	size_t kept = 0;

	trim_mark(model);
	for (size_t i = 0; i < model->threads; i++)
		if (model->thread[i]->kept)
			trim_older(model->thread[i]);
	for (size_t i = 0; i < model->threads; i++) {
		struct model_thread *thread = model->thread[i];

		if (!thread->kept) {
			thread_drop(thread);
			continue;
		}
		thread->kept = false;
		thread->pub.index = (uint32_t)kept;
		model->thread[kept++] = thread;
	}
	model->threads = kept;
	thread_refill_slots(model);
}
