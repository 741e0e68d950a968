// SPDX-License-Identifier: LGPL-2.1
/*
 * What the events show about the recording itself and about the CPUs: where records are missing,
 * when recording stops and starts, and which CPUs are offline or idle.
 */
#include <string.h>

#include "lib/base/etype_ids.h"
#include "state.h"

/**
 * recording_check_recid() - find out whether records of a CPU are missing before an event
 * @model: model
 * @cpu: CPU of the event, which has had other events before
 * @event: event whose recid does not follow the previous event's recid. It may be later than the
 *	current time of the model
 *
 * Records that are parts of another event do not count as missing. The reader merges them into that
 * event.
 */
void recording_check_recid(struct lkst_model *model, struct model_cpu *cpu,
			   const struct lkst_event *event)
{
	uint64_t gap = event->recid - cpu->recid - 1;
	uint64_t lost = gap > event->parts_before ? gap - event->parts_before : 0;

	if (event->recid <= cpu->recid) {
		/* Records of another boot or module load begin here; see recording_init(). */
		cpu->rewound = true;
		cpu_forget(model, cpu, cpu->last_ns);
	} else if (lost && !model->selected) {
		struct lkst_loss loss = {
			.source = cpu->span.source,
			.cpu = cpu->span.cpu,
			.begin_ns = cpu->last_ns,
			.end_ns = model_later(model->now_ns, window_time(event->time_ns)),
			.number = lost,
		};

		cpu_forget(model, cpu, cpu->last_ns);
		if (__builtin_add_overflow(model->counts.lost, lost, &model->counts.lost))
			model->counts.lost = UINT64_MAX;
		MODEL_REPORT(model, loss, &loss);
	}
}

/* Forget the state of those threads in a list that wait for a CPU. */
static void recording_forget_waits(struct lkst_model *model, struct model_thread *thread)
{
	struct model_thread *next;

	for (; thread; thread = next) {
		next = thread->next;
		if (thread->pub.state == LKST_STATE_RUNNABLE)
			thread_forget(model, thread, model->now_ns);
	}
}

/**
 * recording_begin() - handle the first event of a CPU
 * @model: model
 * @cpu: CPU
 * @event: event
 *
 * If the CPU had earlier records, they have been overwritten. Those records may have shown that a
 * thread that waits for this CPU ran and went to sleep again, so the state of such threads is
 * forgotten. So is the state of threads that wait for an unknown CPU, because that may be this CPU.
 */
void recording_begin(struct lkst_model *model, struct model_cpu *cpu,
		     const struct lkst_event *event)
{
	cpu->seen = true;
	cpu->span.begin_ns = cpu->at_ns = model->now_ns;
	cpu->index = model->cpus++;
	if (event->recid <= event->parts_before || model->selected)
		return;
	recording_forget_waits(model, cpu->threads);
	recording_forget_waits(model, model->world[cpu->span.source]->elsewhere);
}

/* Return whether records of a CPU may be missing between its last record and @at_ns. */
static bool recording_lacks_end(const struct model_cpu *cpu, const uint64_t *known, int64_t at_ns)
{
	uint32_t number = (uint32_t)cpu->span.cpu;

	return cpu->seen && !(known[number / 64] >> number % 64 & 1) && cpu->last_ns < at_ns;
}

/* Return whether a CPU has no records although it may have recorded some. */
static bool recording_is_unseen(const struct model_cpu *cpu)
{
	return !cpu->seen && !cpu->starts_after;
}

/*
 * Forget the threads of a source that are not running. Since @since_ns, any of them may have run on
 * a CPU whose records are missing. If a CPU appears only in the records of other CPUs, all records
 * of that CPU may be missing.
 */
static void recording_forget_others(struct lkst_model *model, uint32_t source, int64_t since_ns)
{
	for (size_t i = 0; i < model->threads; i++) {
		struct model_thread *thread = model->thread[i];
		const struct lkst_thread *pub = &thread->pub;
		bool unseen;

		if (pub->exited || pub->source != source || pub->state == LKST_STATE_RUNNING)
			continue;
		unseen = pub->cpu >= 0 && recording_is_unseen(model->world[source]->cpu[pub->cpu]);
		thread_forget(model, thread, unseen ? -MODEL_TIME_MAX : since_ns);
	}
}

/**
 * recording_lose_end() - note that the last records of CPUs may be missing
 * @model: model
 * @source: source
 * @known: bitmap of MODEL_CPUS bits: the CPUs that are known to have records at @at_ns or later
 * @at_ns: time up to which the states would continue otherwise
 *
 * Each other CPU is unknown from its last record on. Threads that do not run are unknown from the
 * earliest of these last records on.
 */
void recording_lose_end(struct lkst_model *model, uint32_t source, const uint64_t *known,
			int64_t at_ns)
{
	struct model_world *world = source < model->worlds ? model->world[source] : NULL;
	int64_t first_ns = at_ns;

	if (model->waiting && at_ns >= model->window_ns)
		window_open(model, model->window_ns);
	for (size_t i = 0; world && i < world->cpus; i++)
		if (world->cpu[i] && recording_lacks_end(world->cpu[i], known, at_ns) &&
		    world->cpu[i]->last_ns < first_ns)
			first_ns = world->cpu[i]->last_ns;
	recording_forget_others(model, source, first_ns);
	for (size_t i = 0; world && i < world->cpus; i++) {
		struct model_cpu *cpu = world->cpu[i];
		struct lkst_loss loss = { .source = source,
					  .end_ns = model_later(model->now_ns, at_ns) };

		if (!cpu || !recording_lacks_end(cpu, known, at_ns))
			continue;
		cpu_forget(model, cpu, cpu->last_ns);
		loss.cpu = cpu->span.cpu;
		loss.begin_ns = cpu->last_ns;
		MODEL_REPORT(model, loss, &loss);
	}
}

/**
 * recording_activate() - note that the model may know something about a CPU from now on
 * @model: model
 * @cpu: CPU
 */
void recording_activate(struct lkst_model *model, struct model_cpu *cpu)
{
	struct model_world *world = model->world[cpu->span.source];

	if (cpu->active)
		return;
	cpu->active = true;
	cpu->next_active = NULL;
	*world->active_end = cpu;
	world->active_end = &cpu->next_active;
}

/*
 * Forget everything about the source of the CPU whose event is being handled. If @since_now is
 * true, its CPUs and threads become unknown now. Otherwise, each CPU becomes unknown at its last
 * event, because recording may have been off after that.
 *
 * This visits only the CPUs about which something may be known. Otherwise, a damaged trace with
 * many CPUs and many events that stop recording would take very long.
 */
static void recording_forget(struct lkst_model *model, struct model_cpu *cpu, bool since_now)
{
	struct model_world *world = model->world[cpu->span.source];
	int64_t last_ns = -MODEL_TIME_MAX;
	struct model_cpu *old, *next = world->active;

	world->active = NULL;
	world->active_end = &world->active;
	while ((old = next) != NULL) {
		next = old->next_active;
		old->active = false;
		cpu_forget(model, old, since_now ? model->now_ns : old->last_ns);
		last_ns = model_later(last_ns, old->last_ns);
	}
	recording_activate(model, cpu);
	while (world->elsewhere)
		thread_forget(model, world->elsewhere, since_now ? model->now_ns : last_ns);
}

/* LKST stops recording, so nothing is known from now on. */
int recording_stop(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	(void)event;
	recording_forget(model, cpu, true);
	return 0;
}

/*
 * Recording starts, or the set of recorded events changes. From then on, it is known only that the
 * thread of this event is running.
 */
int recording_restart(struct lkst_model *model, struct model_cpu *cpu,
		      const struct lkst_event *event)
{
	recording_forget(model, cpu, event->type == LKST_ETYPE_LKST_MASKSET_SET);
	return cpu_show(model, cpu, event->tid);
}

/*
 * LKST began to record: this is the first event after a boot or after the module was loaded. If the
 * trace has events from before that, the threads of these events may have ended in the meantime.
 */
int recording_init(struct lkst_model *model, struct model_cpu *cpu, const struct lkst_event *event)
{
	struct model_world *world = model->world[cpu->span.source];
	bool again = world->begun || cpu->rewound;

	world->begun = true;
	if (again) {
		recording_forget(model, cpu, false);
		while (world->unknown)
			thread_exit(model, world->unknown, LKST_END_CUT);
	}
	return cpu_show(model, cpu, event->tid);
}

int recording_idle_entry(struct lkst_model *model, struct model_cpu *cpu,
			 const struct lkst_event *event)
{
	(void)event;
	return cpu->tid ? cpu_show(model, cpu, 0) : 0;
}

int recording_online(struct lkst_model *model, struct model_cpu *cpu,
		     const struct lkst_event *event)
{
	cpu_account(cpu, model->now_ns);
	cpu->offline = event->type == LKST_ETYPE_CPU_OFFLINE;
	cpu_refresh(model, cpu, model->now_ns);
	return 0;
}

/* While the machine sleeps, nothing runs, but the wall clock advances. */
int recording_suspend(struct lkst_model *model, struct model_cpu *cpu,
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
