// SPDX-License-Identifier: LGPL-2.1
/*
 * The state model: receives events and calls their handlers, and answers queries about the current
 * state.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "messages.h"
#include "state.h"

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

/* Extend the array *@array, whose elements are pointers, so that it has an element @index. */
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

/* Find or add the struct model_world of @source, which is less than MODEL_SOURCES. */
static struct model_world *model_world_of(struct lkst_model *model, uint32_t source)
{
	if (model_grow((void ***)&model->world, &model->worlds, source))
		return NULL;
	if (!model->world[source]) {
		model->world[source] = calloc(1, sizeof(struct model_world));
		if (!model->world[source])
			return NULL;
		model->world[source]->source = source;
		model->world[source]->active_end = &model->world[source]->active;
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
	cpu->latest_ns = -MODEL_TIME_MAX;
	cpu->tid = cpu->switched_from = MODEL_NO_TID;
	return cpu;
}

static struct model_cpu *model_find_cpu(const struct lkst_model *model, uint32_t source,
					uint32_t number)
{
	const struct model_world *world = source < model->worlds ? model->world[source] : NULL;

	return world && number < world->cpus ? world->cpu[number] : NULL;
}

/**
 * model_cpu_of() - find or add a CPU
 * @model: model
 * @source: source with a world
 * @number: CPU number from a trace, which may be invalid
 *
 * Return: the CPU; NULL if the number is invalid, or if an allocation fails.
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
	[LKST_ETYPE_CPU_IDLE_ENTRY] = recording_idle_entry,
	[LKST_ETYPE_CPU_ONLINE] = recording_online,
	[LKST_ETYPE_CPU_OFFLINE] = recording_online,
	[LKST_ETYPE_CPU_SUSPEND] = recording_suspend,
	[LKST_ETYPE_WORK_ENTRY] = context_work_entry,
	[LKST_ETYPE_WORK_EXIT] = context_work_exit,
	[LKST_ETYPE_LKST_INIT] = recording_init,
	[LKST_ETYPE_LKST_TRC_START] = recording_restart,
	[LKST_ETYPE_LKST_TRC_STOP] = recording_stop,
	[LKST_ETYPE_LKST_MASKSET_SET] = recording_restart,
};

void lkst_model_fail(struct lkst_model *model, const struct lkst_error *why)
{
	if (!model->failed)
		model->failure = *why;
	model->failed = true;
}

/**
 * model_failure() - check whether a function that the model called has failed
 * @model: model
 * @err: set if one has failed
 */
int model_failure(const struct lkst_model *model, struct lkst_error *err)
{
	if (!model->failed)
		return 0;
	if (err)
		*err = model->failure;
	return -1;
}

/* Return whether a handler sets the current thread of the CPU, so that the caller need not. */
static bool model_shows(model_handler *handler)
{
	return handler == process_switch || handler == recording_restart ||
	       handler == recording_init;
}

static int model_handle(struct lkst_model *model, struct model_cpu *cpu,
			const struct lkst_event *event)
{
	model_handler *handler = model_handlers[event->type];

	if (!cpu->seen)
		recording_begin(model, cpu, event);
	else if (event->recid != cpu->recid + 1 + event->parts_before)
		recording_check_recid(model, cpu, event);
	cpu->recid = event->recid;
	recording_activate(model, cpu);
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

/*
 * Return the time of an event. A writer first reserves the slot of a record and last sets its time.
 * If an interrupt arrives in between, the records of the interrupt come later in the buffer, but
 * have earlier times. The model handles them as if they had the time of the interrupted record,
 * because the times of a CPU must not decrease.
 */
static int64_t model_time(struct lkst_model *model, struct model_cpu *cpu,
			  const struct lkst_event *event)
{
	const uint32_t interrupt = LKST_LOG_INTERRUPT | LKST_LOG_HARDIRQ | LKST_LOG_SOFTIRQ |
				   LKST_LOG_NMI;
	int64_t time_ns = window_time(event->time_ns), back;

	if (!cpu)
		return time_ns;
	back = cpu->latest_ns - time_ns;
	cpu->latest_ns = model_later(cpu->latest_ns, time_ns);
	if (back <= 0 || back > MODEL_INTERRUPTED_NS || !(event->flags & interrupt))
		return time_ns;
	model->counts.nested++;
	model->counts.nested_ns = model_later(model->counts.nested_ns, back);
	return cpu->latest_ns;
}

/* Advance to the time of an event. */
static void model_advance(struct lkst_model *model, int64_t time_ns)
{
	if (model->waiting && time_ns >= model->window_ns)
		window_open(model, model->window_ns);
	if (time_ns < model->now_ns)
		model->counts.reordered++;
	else
		model->now_ns = time_ns;
}

int lkst_model_event(struct lkst_model *model, const struct lkst_event *event,
		     struct lkst_error *err)
{
	/*
	 * The records of the static buffer come from all CPUs, and their recids say nothing about
	 * their order among the other records of a CPU.
	 */
	bool ordered = event->buffer != LKST_BUFFER_ID_VOID && (uint32_t)event->cpu < MODEL_CPUS;
	struct model_cpu *cpu =
		ordered ? model_find_cpu(model, event->source, (uint32_t)event->cpu) : NULL;

	if (event->source >= MODEL_SOURCES) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_MODEL_SOURCE, event->source,
			       MODEL_SOURCES - 1);
		return -1;
	}
	model_advance(model, model_time(model, cpu, event));
	model->counts.events++;
	if (event->type < LKST_ETYPE_NUM) {
		model->saw[event->type / 64] |= 1ull << event->type % 64;
		if (ordered) {
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
	return model_failure(model, err);
}

void lkst_model_after(struct lkst_model *model, const struct lkst_event *event)
{
	struct model_cpu *cpu = NULL;

	if (event->buffer != LKST_BUFFER_ID_VOID)
		cpu = model_find_cpu(model, event->source, (uint32_t)event->cpu);
	if (!cpu)
		return;
	if (!cpu->seen && (event->recid <= event->parts_before || model->selected))
		cpu->starts_after = true;
	if (cpu->seen && event->recid != cpu->recid + 1 + event->parts_before)
		recording_check_recid(model, cpu, event);
}

/* ---- queries ---- */

size_t lkst_model_threads(const struct lkst_model *model)
{
	return model->threads;
}

const struct lkst_thread *lkst_model_thread(const struct lkst_model *model, uint32_t index)
{
	return index < model->threads ? &model->thread[index]->pub : NULL;
}

const struct lkst_thread *lkst_model_find(const struct lkst_model *model, uint32_t source,
					  uint32_t tid)
{
	const struct model_thread *thread = thread_find(model, source, tid);

	return thread ? &thread->pub : NULL;
}

const struct lkst_thread *lkst_model_find_at(const struct lkst_model *model, uint32_t source,
					     uint32_t tid, int64_t time_ns)
{
	const struct model_thread *thread = thread_find(model, source, tid);

	while (thread && time_ns < thread->pub.first_ns)
		thread = thread->older;
	if (!thread || (thread->pub.exited && time_ns >= thread->pub.since_ns))
		return NULL;
	return &thread->pub;
}

size_t lkst_model_cpus(const struct lkst_model *model)
{
	return model->cpus;
}

bool lkst_model_cpu(const struct lkst_model *model, uint32_t source, int32_t cpu,
		    struct lkst_cpu_span *now)
{
	const struct model_cpu *found = model_find_cpu(model, source, (uint32_t)cpu);

	if (!found || !found->seen)
		return false;
	*now = found->span;
	now->end_ns = model->now_ns;
	return true;
}

const struct lkst_model_counts *lkst_model_counts(const struct lkst_model *model)
{
	return &model->counts;
}

bool lkst_model_saw(const struct lkst_model *model, uint32_t type)
{
	return type < LKST_ETYPE_NUM && model_saw(model, type);
}
