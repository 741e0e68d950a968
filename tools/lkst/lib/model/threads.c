// SPDX-License-Identifier: LGPL-2.1
/*
 * The threads, and the spans in which each of them stayed in one state.
 *
 * A hash table contains the latest thread of each source and tid. A thread that has ended stays in
 * the table until its tid is used again. Each thread that has not ended is in one list: the list of
 * its CPU or, if its state or CPU is unknown, one of the lists in struct model_world. When a CPU
 * loses records, the states of all threads in its list become unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "state.h"

static size_t threads_slot(const struct lkst_model *model, uint32_t source, uint32_t tid)
{
	/* Each bit of both numbers affects the upper half of the product. */
	uint64_t product = ((uint64_t)source << 32 | tid) * 0x9e3779b97f4a7c15;
	size_t i = product >> 32 & (model->slots - 1);

	while (model->slot[i] &&
	       (model->slot[i]->pub.tid != tid || model->slot[i]->pub.source != source))
		i = (i + 1) & (model->slots - 1);
	return i;
}

static int threads_grow_slots(struct lkst_model *model)
{
	struct model_thread **old = model->slot;
	size_t slots = model->slots;

	model->slots = slots ? slots * 2 : 1024;
	model->slot = calloc(model->slots, sizeof(*model->slot));
	if (!model->slot) {
		model->slot = old;
		model->slots = slots;
		return -1;
	}
	for (size_t i = 0; i < slots; i++)
		if (old[i])
			model->slot[threads_slot(model, old[i]->pub.source, old[i]->pub.tid)] =
				old[i];
	free(old);
	return 0;
}

/**
 * thread_refill_slots() - fill the hash table again after threads were removed
 * @model: model
 *
 * The threads are in the order in which they were added, so the table ends up with the latest one
 * of each tid.
 */
void thread_refill_slots(struct lkst_model *model)
{
	if (!model->slots)
		return;
	memset(model->slot, 0, model->slots * sizeof(*model->slot));
	model->slots_used = 0;
	for (size_t k = 0; k < model->threads; k++) {
		const struct lkst_thread *thread = &model->thread[k]->pub;
		size_t i = threads_slot(model, thread->source, thread->tid);

		model->slots_used += !model->slot[i];
		model->slot[i] = model->thread[k];
	}
}

static int threads_grow(struct lkst_model *model)
{
	size_t room = model->threads_room ? model->threads_room * 2 : 256;
	struct model_thread **grown = realloc(model->thread, room * sizeof(*grown));

	if (!grown)
		return -1;
	model->thread = grown;
	model->threads_room = room;
	return 0;
}

static void thread_unlist(struct model_thread *thread)
{
	if (!thread->list)
		return;
	if (thread->prev)
		thread->prev->next = thread->next;
	else
		*thread->list = thread->next;
	if (thread->next)
		thread->next->prev = thread->prev;
	thread->list = NULL;
}

/* Put a thread that has not ended into the list to which it belongs. */
static void thread_list(struct lkst_model *model, struct model_thread *thread)
{
	struct model_world *world = model->world[thread->pub.source];
	struct model_thread **list = &world->elsewhere;

	if (thread->pub.state == LKST_STATE_UNKNOWN)
		list = &world->unknown;
	else if (thread->pub.cpu >= 0)
		list = &world->cpu[thread->pub.cpu]->threads;
	if (thread->list == list)
		return;
	if (list != &world->unknown && list != &world->elsewhere)
		recording_activate(model, world->cpu[thread->pub.cpu]);
	thread_unlist(thread);
	thread->list = list;
	thread->prev = NULL;
	thread->next = *list;
	if (*list)
		(*list)->prev = thread;
	*list = thread;
}

static void thread_free_live(struct model_thread *thread)
{
	if (thread->live)
		free(thread->live->context);
	free(thread->live);
	thread->live = NULL;
}

static struct model_thread *thread_alloc(void)
{
	struct model_thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	thread->live = calloc(1, sizeof(*thread->live));
	if (thread->live)
		return thread;
	free(thread);
	return NULL;
}

/**
 * thread_find() - find the latest thread with a tid
 * @model: model
 * @source: source
 * @tid: thread ID
 *
 * Return: the thread, which may have ended; NULL if no thread has this ID.
 */
struct model_thread *thread_find(const struct lkst_model *model, uint32_t source, uint32_t tid)
{
	return model->slots ? model->slot[threads_slot(model, source, tid)] : NULL;
}

/**
 * thread_new() - add a thread
 * @model: model
 * @source: source with a world
 * @tid: thread ID. If a thread with this ID has not ended, it ends now
 *
 * Return: the thread, in state UNKNOWN; NULL if an allocation fails.
 */
struct model_thread *thread_new(struct lkst_model *model, uint32_t source, uint32_t tid)
{
	struct model_thread *thread, *old;
	size_t i;

	if (model->slots_used * 2 >= model->slots && threads_grow_slots(model))
		return NULL;
	if (model->threads == model->threads_room && threads_grow(model))
		return NULL;
	thread = thread_alloc();
	if (!thread)
		return NULL;
	i = threads_slot(model, source, tid);
	old = model->slot[i];
	if (!old)
		model->slots_used++;
	else if (!old->pub.exited)
		thread_exit(model, old, LKST_END_EXIT);
	thread->pub = (struct lkst_thread){
		.index = (uint32_t)model->threads,
		.source = source,
		.tid = tid,
		.kernel = tid == MODEL_KTHREADD,
		.first_ns = model->now_ns,
		.since_ns = model->now_ns,
		.cpu = -1,
		.syscall = LKST_SYSCALL_NONE,
	};
	thread->live->span.thread = &thread->pub;
	thread->live->span.begin_ns = model->now_ns;
	thread->live->span.context = thread->live->span.wake.context = -1;
	thread->live->span.wake.cpu = -1;
	syscall_unknown(thread, model->now_ns);
	thread->older = old;
	model->thread[model->threads++] = thread;
	model->slot[i] = thread;
	thread_list(model, thread);
	return thread;
}

/**
 * thread_get() - find or add a thread that has not ended
 * @model: model
 * @source: source with a world
 * @tid: thread ID
 *
 * Return: the thread; NULL if an allocation fails.
 */
struct model_thread *thread_get(struct lkst_model *model, uint32_t source, uint32_t tid)
{
	struct model_thread *thread = thread_find(model, source, tid);

	return thread && !thread->pub.exited ? thread : thread_new(model, source, tid);
}

/**
 * thread_free() - free a thread
 * @thread: may be NULL
 */
void thread_free(struct model_thread *thread)
{
	if (!thread)
		return;
	thread_free_live(thread);
	free(thread);
}

/**
 * thread_drop() - free a thread that the model forgets, and that nothing refers to
 * @thread: thread that is not the current one of a CPU
 */
void thread_drop(struct model_thread *thread)
{
	thread_unlist(thread);
	thread_free(thread);
}

/* Report the current span. The empty span of a thread that was just added is not reported. */
static void thread_report(struct lkst_model *model, struct model_thread *thread, int64_t at_ns,
			  enum lkst_end end)
{
	struct lkst_thread_span *span = &thread->live->span;

	if (span->state == LKST_STATE_UNKNOWN && at_ns == span->begin_ns)
		return;
	span->end_ns = at_ns;
	span->end = end;
	span->cpu = thread->pub.cpu;
	span->letter = span->state == LKST_STATE_BLOCKED ? thread->pub.letter : 0;
	span->syscall = thread->pub.syscall;
	MODEL_REPORT(model, thread, span);
}

/* Begin a span. */
static void thread_begin(struct model_thread *thread, enum lkst_state state, bool begin_known,
			 int64_t at_ns)
{
	thread->live->span = (struct lkst_thread_span){
		.thread = &thread->pub,
		.state = state,
		.begin_ns = at_ns,
		.begin_known = begin_known,
		.context = -1,
		.wake = { .cpu = -1, .context = -1 },
	};
	/* The contexts of a sleeping thread do not change until it wakes up or is forgotten. */
	if (state == LKST_STATE_BLOCKED && thread->live->depth) {
		const struct lkst_context_span *context =
			&thread->live->context[thread->live->depth - 1].span;

		thread->live->span.context = context->kind;
		thread->live->span.number = context->number;
	}
}

/**
 * thread_set() - change the state of a thread
 * @model: model
 * @thread: thread that has not ended. If it runs on a CPU, the caller has called cpu_account()
 * @state: new state; if it is the current one, a new span begins nevertheless
 * @begin_known: whether it is known that the thread enters @state at @at_ns, and not earlier
 * @end: how the current span ends
 * @at_ns: time, not before the start of the current span
 */
void thread_set(struct lkst_model *model, struct model_thread *thread, enum lkst_state state,
		bool begin_known, enum lkst_end end, int64_t at_ns)
{
	thread_report(model, thread, at_ns, end);
	syscall_account(thread, at_ns);
	thread_begin(thread, state, begin_known, at_ns);
	thread->pub.state = state;
	thread->pub.since_ns = at_ns;
	thread_list(model, thread);
}

/**
 * thread_place() - set the CPU of a thread
 * @model: model
 * @thread: thread that has not ended
 * @cpu: CPU of the same source
 */
void thread_place(struct lkst_model *model, struct model_thread *thread, struct model_cpu *cpu)
{
	if (thread->pub.cpu == cpu->span.cpu)
		return;
	thread->pub.cpu = cpu->span.cpu;
	thread_list(model, thread);
}

/**
 * thread_behind() - note that a RUNNABLE thread waits behind the current thread of its CPU
 * @model: model
 * @thread: thread
 */
void thread_behind(struct lkst_model *model, struct model_thread *thread)
{
	const struct model_cpu *cpu;

	thread->live->span.behind = NULL;
	if (thread->pub.cpu < 0)
		return;
	cpu = model->world[thread->pub.source]->cpu[thread->pub.cpu];
	if (cpu->thread && cpu->thread != thread)
		thread->live->span.behind = &cpu->thread->pub;
}

/**
 * thread_forget() - note that the state of a thread is no longer known
 * @model: model
 * @thread: thread that has not ended and that is not the current one of a CPU
 * @at_ns: time from which on the state is not known; may be before the start of the current span
 */
void thread_forget(struct lkst_model *model, struct model_thread *thread, int64_t at_ns)
{
	at_ns = model_later(at_ns,
			    model_later(thread->live->span.begin_ns, thread->live->call_at_ns));
	contexts_drop_thread(model, thread, 0, at_ns);
	if (thread->pub.state != LKST_STATE_UNKNOWN)
		thread_set(model, thread, LKST_STATE_UNKNOWN, false, LKST_END_CUT, at_ns);
	thread->pub.letter = 0;
	syscall_forget(model, thread, at_ns);
	thread->live->early.known = false;
}

/**
 * thread_exit() - end a thread now
 * @model: model
 * @thread: thread that has not ended. If a CPU executes it, the current thread of the CPU becomes
 *	unknown
 * @end: how its last span ends
 */
void thread_exit(struct lkst_model *model, struct model_thread *thread, enum lkst_end end)
{
	int64_t now_ns = model->now_ns;

	if (thread->pub.state == LKST_STATE_RUNNING) {
		struct model_cpu *cpu = model->world[thread->pub.source]->cpu[thread->pub.cpu];

		if (cpu->thread == thread) {
			cpu_leave(model, cpu, now_ns);
			cpu_refresh(model, cpu, now_ns);
		}
	}
	contexts_drop_thread(model, thread, 0, now_ns);
	thread_report(model, thread, now_ns, end);
	syscall_account(thread, now_ns);
	syscall_exit(model, thread);
	thread_unlist(thread);
	thread->pub.state = LKST_STATE_UNKNOWN;
	thread->pub.since_ns = now_ns;
	thread->pub.exited = true;
	thread_free_live(thread);
}

/**
 * thread_cut() - report the spans of a thread up to a time, and continue them
 * @model: model
 * @thread: thread that has not ended. If it runs on a CPU, the caller has called cpu_account()
 * @at_ns: time
 */
void thread_cut(struct lkst_model *model, struct model_thread *thread, int64_t at_ns)
{
	struct lkst_thread_span *span = &thread->live->span;

	contexts_cut(model, thread->live->context, thread->live->depth, at_ns);
	syscall_account(thread, at_ns);
	syscall_cut(model, thread, at_ns);
	if (span->begin_ns == at_ns)
		return;
	thread_report(model, thread, at_ns, LKST_END_CUT);
	span->begin_ns = at_ns;
	span->begin_known = false;
	memset(span->mode_ns, 0, sizeof(span->mode_ns));
}
