// SPDX-License-Identifier: LGPL-2.1
/*
 * The state model: receives events, detects losses, calls the handlers of the events, and opens and
 * cuts windows.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "messages.h"
#include "state.h"

/**
 * lkst_model_new() - make a model that has not seen any events
 * @selected: the trace was filtered when it was written, so gaps in the recids are not losses
 * @err: set if an allocation fails
 */
struct lkst_model *lkst_model_new(bool selected, struct lkst_error *err)
{
	struct lkst_model *model = calloc(1, sizeof(*model));

	if (!model) {
		lkst_error_memory(err, MODEL_MEMORY);
		return NULL;
	}
	model->selected = selected;
	model->now_ns = -MODEL_TIME_MAX;
	return model;
}

/**
 * lkst_model_free() - free a model
 * @model: may be NULL
 */
void lkst_model_free(struct lkst_model *model)
{
	if (!model)
		return;
	for (size_t i = 0; i < model->worlds; i++) {
		struct model_world *world = model->world[i];

		for (size_t k = 0; world && k < world->cpus; k++)
			free(world->cpu[k]);
		if (world)
			free(world->cpu);
		free(world);
	}
	for (size_t i = 0; i < model->threads; i++)
		thread_free(model->thread[i]);
	free(model->world);
	free(model->thread);
	free(model->slot);
	free(model->listener);
	free(model);
}

/**
 * lkst_model_add() - add functions that the model calls from now on
 * @model: model
 * @ops: functions; copied
 * @ctx: passed to the functions
 * @err: set if an allocation fails
 *
 * Functions that are added first are called first.
 */
int lkst_model_add(struct lkst_model *model, const struct lkst_model_ops *ops, void *ctx,
		   struct lkst_error *err)
{
	struct model_listener *grown =
		realloc(model->listener, (model->listeners + 1) * sizeof(*grown));

	if (!grown) {
		lkst_error_memory(err, MODEL_MEMORY);
		return -1;
	}
	model->listener = grown;
	grown[model->listeners++] = (struct model_listener){ *ops, ctx };
	return 0;
}

/* ---- CPUs ---- */

/* Make the array at *@array, whose elements are pointers, larger than @index. */
static int model_grow(void ***array, size_t *num, size_t index)
{
	void **grown;
	size_t size = *num ? *num : 4;

	if (index < *num)
		return 0;
	while (size <= index)
		size *= 2;
	grown = realloc(*array, size * sizeof(*grown));
	if (!grown)
		return -1;
	memset(grown + *num, 0, (size - *num) * sizeof(*grown));
	*array = grown;
	*num = size;
	return 0;
}

/* Find or add the world of a source, which is less than MODEL_SOURCES. */
static struct model_world *model_world_of(struct lkst_model *model, uint32_t source)
{
	if (model_grow((void ***)&model->world, &model->worlds, source))
		return NULL;
	if (!model->world[source]) {
		model->world[source] = calloc(1, sizeof(struct model_world));
		if (model->world[source])
			model->world[source]->source = source;
	}
	return model->world[source];
}

static struct model_cpu *model_cpu_new(const struct lkst_model *model, uint32_t source,
				       int32_t number)
{
	struct model_cpu *cpu = calloc(1, sizeof(*cpu));

	if (!cpu)
		return NULL;
	cpu->span.source = source;
	cpu->span.cpu = number;
	cpu->span.begin_ns = cpu->at_ns = cpu->last_ns = model->now_ns;
	cpu->tid = cpu->switched_from = MODEL_NO_TID;
	return cpu;
}

/**
 * model_cpu_of() - find or add a CPU
 * @model: model
 * @source: source with a world
 * @number: CPU, which may be any number
 *
 * Return: the CPU; NULL if there cannot be such a CPU, or if an allocation fails.
 */
struct model_cpu *model_cpu_of(struct lkst_model *model, uint32_t source, uint32_t number)
{
	struct model_world *world = model->world[source];

	if (number < world->cpus && world->cpu[number])
		return world->cpu[number];
	if (number >= MODEL_CPUS || model_grow((void ***)&world->cpu, &world->cpus, number))
		return NULL;
	world->cpu[number] = model_cpu_new(model, source, (int32_t)number);
	return world->cpu[number];
}

/* ---- events that concern all threads and CPUs of a source ---- */

/*
 * Note that nothing is known about a source any longer: since now, or since the last events of its
 * CPUs if no events may have been recorded after these.
 */
static void model_forget(struct lkst_model *model, struct model_world *world, bool since_now)
{
	int64_t last_ns = -MODEL_TIME_MAX;

	for (size_t i = 0; i < world->cpus; i++) {
		struct model_cpu *cpu = world->cpu[i];

		if (!cpu)
			continue;
		cpu_forget(model, cpu, since_now ? model->now_ns : cpu->last_ns);
		last_ns = model_later(last_ns, cpu->last_ns);
	}
	while (world->elsewhere)
		thread_forget(model, world->elsewhere, since_now ? model->now_ns : last_ns);
}

/* Recording stops. */
static int model_stop(struct lkst_model *model, struct model_cpu *cpu,
		      const struct lkst_event *event)
{
	(void)event;
	model_forget(model, model->world[cpu->span.source], true);
	return 0;
}

/*
 * Recording starts, or other events are recorded from now on. The thread of this event is the first
 * thing that is known.
 */
static int model_restart(struct lkst_model *model, struct model_cpu *cpu,
			 const struct lkst_event *event)
{
	model_forget(model, model->world[cpu->span.source],
		     event->type == LKST_ETYPE_LKST_MASKSET_SET);
	return cpu_show(model, cpu, event->tid);
}

/*
 * LKST began to record. It is the first event of a boot, or of the module being loaded. If earlier
 * events are from before that, their threads may have ended.
 */
static int model_init(struct lkst_model *model, struct model_cpu *cpu,
		      const struct lkst_event *event)
{
	struct model_world *world = model->world[cpu->span.source];
	bool again = world->begun || cpu->rewound;

	world->begun = true;
	if (again) {
		model_forget(model, world, false);
		while (world->unknown)
			thread_exit(model, world->unknown, LKST_END_CUT);
		for (size_t i = 0; i < world->cpus; i++)
			if (world->cpu[i])
				world->cpu[i]->rewound = false;
	}
	return cpu_show(model, cpu, event->tid);
}

static int model_idle_entry(struct lkst_model *model, struct model_cpu *cpu,
			    const struct lkst_event *event)
{
	(void)event;
	return cpu->tid ? cpu_show(model, cpu, 0) : 0;
}

static int model_online(struct lkst_model *model, struct model_cpu *cpu,
			const struct lkst_event *event)
{
	cpu_account(cpu, model->now_ns);
	cpu->offline = event->type == LKST_ETYPE_CPU_OFFLINE;
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}

/* While the machine sleeps, nothing runs, but the wall clock advances. */
static int model_suspend(struct lkst_model *model, struct model_cpu *cpu,
			 const struct lkst_event *event)
{
	char action[17];

	lkst_event_text(event, 0, 2, action);
	if (strcmp(action, "machine_suspend") || !event->arg[3])
		return 0;
	cpu_stop(model, cpu, model->now_ns);
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}

/* ---- dispatch ---- */

static model_handler *const model_handlers[LKST_ETYPE_NUM] = {
	[LKST_ETYPE_PROCESS_CONTEXTSWITCH] = process_switch,
	[LKST_ETYPE_PROCESS_WAKEUP] = wake_up,
	[LKST_ETYPE_PROCESS_WAKING] = wake_waking,
	[LKST_ETYPE_PROCESS_FORK] = process_fork,
	[LKST_ETYPE_PROCESS_EXEC] = process_exec,
	[LKST_ETYPE_PROCESS_EXIT] = process_exit,
	[LKST_ETYPE_PROCESS_MIGRATE] = wake_migrate,
	[LKST_ETYPE_PROCESS_RENAME] = process_rename,
	[LKST_ETYPE_PROCESS_STATE] = process_state,
	[LKST_ETYPE_INT_HARDWARE_ENTRY] = context_hardware_entry,
	[LKST_ETYPE_INT_HARDWARE_EXIT] = context_hardware_exit,
	[LKST_ETYPE_INT_SOFTIRQ_ENTRY] = context_softirq_entry,
	[LKST_ETYPE_INT_SOFTIRQ_EXIT] = context_softirq_exit,
	[LKST_ETYPE_INT_SOFTIRQ_RAISE] = context_softirq_raise,
	[LKST_ETYPE_INT_TASKLETHI_ENTRY] = context_tasklet_entry,
	[LKST_ETYPE_INT_TASKLETHI_EXIT] = context_tasklet_exit,
	[LKST_ETYPE_INT_TASKLET_ENTRY] = context_tasklet_entry,
	[LKST_ETYPE_INT_TASKLET_EXIT] = context_tasklet_exit,
	[LKST_ETYPE_INT_TIMER_ENTRY] = context_timer_irq_entry,
	[LKST_ETYPE_INT_TIMER_EXIT] = context_timer_irq_exit,
	[LKST_ETYPE_INT_IPI_ENTRY] = context_ipi_entry,
	[LKST_ETYPE_INT_IPI_EXIT] = context_ipi_exit,
	[LKST_ETYPE_EXCEPTION_ENTRY] = context_exception_entry,
	[LKST_ETYPE_EXCEPTION_EXIT] = context_exception_exit,
	[LKST_ETYPE_SYSCALL_ENTRY] = syscall_enter,
	[LKST_ETYPE_SYSCALL_EXIT] = syscall_return,
	[LKST_ETYPE_TIMER_RUN_ENTRY] = context_timer_entry,
	[LKST_ETYPE_TIMER_RUN_EXIT] = context_timer_exit,
	[LKST_ETYPE_TIMER_HR_RUN_ENTRY] = context_hrtimer_entry,
	[LKST_ETYPE_TIMER_HR_RUN_EXIT] = context_hrtimer_exit,
	[LKST_ETYPE_CPU_IDLE_ENTRY] = model_idle_entry,
	[LKST_ETYPE_CPU_ONLINE] = model_online,
	[LKST_ETYPE_CPU_OFFLINE] = model_online,
	[LKST_ETYPE_CPU_SUSPEND] = model_suspend,
	[LKST_ETYPE_WORK_ENTRY] = context_work_entry,
	[LKST_ETYPE_WORK_EXIT] = context_work_exit,
	[LKST_ETYPE_LKST_INIT] = model_init,
	[LKST_ETYPE_LKST_TRC_START] = model_restart,
	[LKST_ETYPE_LKST_TRC_STOP] = model_stop,
	[LKST_ETYPE_LKST_MASKSET_SET] = model_restart,
};

/* Find out from the recid of an event whether records of its CPU are missing. */
static void model_check_recid(struct lkst_model *model, struct model_cpu *cpu,
			      const struct lkst_event *event)
{
	uint64_t lost = event->recid - cpu->recid - 1;

	if (event->recid <= cpu->recid) {
		/* The records of another run follow; see model_init(). */
		cpu->rewound = true;
		cpu_forget(model, cpu, cpu->last_ns);
	} else if (lost && !model->selected) {
		struct lkst_loss loss = {
			.source = cpu->span.source,
			.cpu = cpu->span.cpu,
			.begin_ns = cpu->last_ns,
			.end_ns = model->now_ns,
			.number = lost,
		};

		cpu_forget(model, cpu, cpu->last_ns);
		if (__builtin_add_overflow(model->counts.lost, lost, &model->counts.lost))
			model->counts.lost = UINT64_MAX;
		MODEL_REPORT(model, loss, &loss);
	}
}

/* Return whether a handler finds out itself which thread is the present one. */
static bool model_shows(model_handler *handler)
{
	return handler == process_switch || handler == model_restart || handler == model_init;
}

static int model_handle(struct lkst_model *model, struct model_cpu *cpu,
			const struct lkst_event *event)
{
	model_handler *handler = model_handlers[event->type];

	if (!cpu->seen) {
		cpu->seen = true;
		cpu->span.begin_ns = cpu->at_ns = model->now_ns;
		model->cpus++;
	} else if (event->recid != cpu->recid + 1) {
		model_check_recid(model, cpu, event);
	}
	cpu->recid = event->recid;
	contexts_check_flags(model, cpu, event->flags);
	if (event->tid == cpu->tid)
		cpu->switched_from = MODEL_NO_TID;
	else if (!model_shows(handler) && cpu_show(model, cpu, event->tid))
		return -1;
	if (cpu->thread && !cpu->thread->pub.tgid && event->tid == cpu->tid)
		cpu->thread->pub.tgid = event->tgid;
	if (handler && handler(model, cpu, event))
		return -1;
	cpu->last_ns = model->now_ns;
	return 0;
}

static int64_t model_time(int64_t time_ns)
{
	if (time_ns > MODEL_TIME_MAX)
		return MODEL_TIME_MAX;
	return time_ns < -MODEL_TIME_MAX ? -MODEL_TIME_MAX : time_ns;
}

static void model_open(struct lkst_model *model, int64_t at_ns);

/* Advance to the time of an event. */
static void model_advance(struct lkst_model *model, int64_t time_ns)
{
	time_ns = model_time(time_ns);
	if (model->waiting && time_ns >= model->window_ns)
		model_open(model, model->window_ns);
	if (time_ns < model->now_ns)
		model->counts.reordered++;
	else
		model->now_ns = time_ns;
}

/**
 * lkst_model_event() - process an event
 * @model: model
 * @event: event, not older than the previous one. An older event is handled as if it had occurred
 *	at the same time
 * @err: set on failure
 *
 * Return: 0; -1 if an allocation fails, after which the model can only be freed.
 */
int lkst_model_event(struct lkst_model *model, const struct lkst_event *event,
		     struct lkst_error *err)
{
	struct model_cpu *cpu;
	bool ordered = event->buffer != LKST_BUFFER_ID_VOID;

	if (event->source >= MODEL_SOURCES) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_MODEL_SOURCE, event->source,
			       MODEL_SOURCES - 1);
		return -1;
	}
	model_advance(model, event->time_ns);
	model->counts.events++;
	if (event->type < LKST_ETYPE_NUM) {
		model->saw[event->type / 64] |= 1ull << event->type % 64;
		/*
		 * The records of the static buffer come from all CPUs, and their recids say nothing
		 * about the order in which a CPU recorded them and others.
		 */
		if (ordered && (uint32_t)event->cpu < MODEL_CPUS) {
			cpu = model_world_of(model, event->source) ?
				      model_cpu_of(model, event->source, (uint32_t)event->cpu) :
				      NULL;
			if (!cpu || model_handle(model, cpu, event)) {
				lkst_error_memory(err, MODEL_MEMORY);
				return -1;
			}
		}
	}
	MODEL_REPORT(model, event, event);
	return 0;
}

/* ---- windows ---- */

/* Report everything up to a time, and continue it. */
static void model_cut(struct lkst_model *model, int64_t at_ns)
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

/* Open a window. Nothing is reported for the time before it. */
static void model_open(struct lkst_model *model, int64_t at_ns)
{
	model->waiting = true;
	model->now_ns = model_later(model->now_ns, at_ns);
	model_cut(model, model->now_ns);
	model->waiting = false;
	model->counts = (struct lkst_model_counts){ 0 };
}

/**
 * lkst_model_open_window() - begin to report at a time
 * @model: model
 * @time_ns: time. If it is later than the latest event, nothing is reported until an event at this
 *	time or a later one. Until then, the model only follows the events
 *
 * Spans before the time are not reported. Open spans begin at the time, with @begin_known false.
 * The counts restart.
 */
void lkst_model_open_window(struct lkst_model *model, int64_t time_ns)
{
	model->window_ns = model_time(time_ns);
	model->waiting = true;
	if (model->window_ns <= model->now_ns)
		model_open(model, model->window_ns);
}

/**
 * lkst_model_cut() - report all open spans up to a time, and continue them
 * @model: model
 * @time_ns: time; if it is before the latest event, the time of that event
 *
 * What begins exactly at that time is not reported.
 *
 * If a window has not opened yet, it opens at its time, provided that this is not later.
 */
void lkst_model_cut(struct lkst_model *model, int64_t time_ns)
{
	time_ns = model_time(time_ns);
	if (model->waiting && time_ns >= model->window_ns)
		model_open(model, model->window_ns);
	model->now_ns = model_later(model->now_ns, time_ns);
	model_cut(model, model->now_ns);
}

/* ---- queries ---- */

/**
 * lkst_model_threads() - count the threads, including those that have ended
 * @model: model
 */
size_t lkst_model_threads(const struct lkst_model *model)
{
	return model->threads;
}

/**
 * lkst_model_thread() - get a thread by its index
 * @model: model
 * @index: less than lkst_model_threads()
 */
struct lkst_thread *lkst_model_thread(const struct lkst_model *model, uint32_t index)
{
	return &model->thread[index]->pub;
}

/**
 * lkst_model_find() - find the latest thread with a thread ID
 * @model: model
 * @source: index of the file in a trace of several files
 * @tid: thread ID
 *
 * Return: the thread, which may have ended; NULL if there is none.
 */
struct lkst_thread *lkst_model_find(const struct lkst_model *model, uint32_t source, uint32_t tid)
{
	struct model_thread *thread = thread_find(model, source, tid);

	return thread ? &thread->pub : NULL;
}

/**
 * lkst_model_cpus() - count the CPUs with events, of all sources
 * @model: model
 */
size_t lkst_model_cpus(const struct lkst_model *model)
{
	return model->cpus;
}

/**
 * lkst_model_cpu() - get the present span of a CPU
 * @model: model
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 * @now: result; @end_ns is the time of the latest event or cut
 *
 * Return: whether the CPU has events.
 */
bool lkst_model_cpu(const struct lkst_model *model, uint32_t source, int32_t cpu,
		    struct lkst_cpu_span *now)
{
	const struct model_world *world = source < model->worlds ? model->world[source] : NULL;

	if (!world || cpu < 0 || (size_t)cpu >= world->cpus || !world->cpu[cpu] ||
	    !world->cpu[cpu]->seen)
		return false;
	*now = world->cpu[cpu]->span;
	now->end_ns = model->now_ns;
	return true;
}

/**
 * lkst_model_counts() - get what has been counted since the window was opened
 * @model: model
 */
const struct lkst_model_counts *lkst_model_counts(const struct lkst_model *model)
{
	return &model->counts;
}

/**
 * lkst_model_saw() - check whether there was an event of a type, even before the window
 * @model: model
 * @type: event type
 */
bool lkst_model_saw(const struct lkst_model *model, uint32_t type)
{
	return type < LKST_ETYPE_NUM && model_saw(model, type);
}
