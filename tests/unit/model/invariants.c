// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "invariants.h"
#include "lib/base/etype_ids.h"
#include "lib/base/error.h"
#include "must.h"

#define TIME_MAX (INT64_MAX / 2) /* the model limits all times to this */
#define CPUS	 8192

struct seen_thread {
	bool seen;
	int64_t end_ns;		/* end of the last span */
	int64_t call_end_ns;	/* end of the last system call */
	int64_t run_ns;
	bool exited;
	bool called;		/* a system call has begun, at @call_begin_ns */
	int64_t call_begin_ns;
};

struct seen_cpu {
	uint32_t source;
	int32_t cpu;
	bool seen;
	uint64_t recid;
	int64_t end_ns;
	int64_t cpu_ns[LKST_MODE_NUM];		/* time with a thread on the CPU, by mode */
	int64_t thread_ns[LKST_MODE_NUM];	/* RUNNING time of threads on this CPU, by mode */
};

struct invariants {
	struct lkst_model *model;
	size_t threads;
	struct seen_thread *thread;
	size_t cpus;
	struct seen_cpu *cpu;
	uint64_t events;
	uint64_t lost;
	uint64_t begun;		/* contexts that have begun and not ended */
	bool window;
	bool window_open;
	int64_t window_ns;
	int64_t now_ns;		/* time of the event that is being processed */
	int64_t least_ns;	/* no span ends before this time */
	bool lacks_end;		/* the last records may be missing */
};

static struct seen_thread *inv_thread(struct invariants *inv, uint32_t index)
{
	if (index >= inv->threads) {
		size_t threads = inv->threads ? inv->threads : 16;

		while (threads <= index)
			threads *= 2;
		inv->thread = realloc(inv->thread, threads * sizeof(*inv->thread));
		MUST(inv->thread);
		memset(inv->thread + inv->threads, 0,
		       (threads - inv->threads) * sizeof(*inv->thread));
		inv->threads = threads;
	}
	return &inv->thread[index];
}

static struct seen_cpu *inv_cpu(struct invariants *inv, uint32_t source, int32_t cpu)
{
	for (size_t i = 0; i < inv->cpus; i++)
		if (inv->cpu[i].source == source && inv->cpu[i].cpu == cpu)
			return &inv->cpu[i];
	inv->cpu = realloc(inv->cpu, (inv->cpus + 1) * sizeof(*inv->cpu));
	MUST(inv->cpu);
	inv->cpu[inv->cpus] = (struct seen_cpu){ .source = source, .cpu = cpu };
	return &inv->cpu[inv->cpus++];
}

static int64_t inv_time(int64_t time_ns)
{
	return time_ns > TIME_MAX ? TIME_MAX : time_ns < -TIME_MAX ? -TIME_MAX : time_ns;
}

static void inv_check_times(const struct invariants *inv, int64_t begin_ns, int64_t end_ns)
{
	MUST(!inv->window || inv->window_open);
	MUST(begin_ns <= end_ns);
	MUST(end_ns <= inv->now_ns);
	MUST(end_ns >= inv->least_ns);
	MUST(!inv->window || begin_ns >= inv->window_ns);
}

static void inv_on_thread(void *ctx, const struct lkst_thread_span *span)
{
	struct invariants *inv = ctx;
	const struct lkst_thread *thread = span->thread;
	struct seen_thread *seen = inv_thread(inv, thread->index);
	int64_t sum = 0;

	inv_check_times(inv, span->begin_ns, span->end_ns);
	MUST(lkst_model_thread(inv->model, thread->index) == thread);
	MUST(!seen->exited);
	if (seen->seen)
		MUST(span->begin_ns == seen->end_ns);
	else
		MUST(span->begin_ns == (inv->window && inv->window_ns > thread->first_ns ?
						inv->window_ns : thread->first_ns));
	seen->seen = true;
	seen->end_ns = span->end_ns;
	MUST(span->state < LKST_STATE_NUM && span->state == thread->state);
	MUST(span->end != LKST_END_PREEMPTED || span->state == LKST_STATE_RUNNING);
	for (int i = 0; i < LKST_MODE_NUM; i++) {
		MUST(span->mode_ns[i] >= 0);
		sum += span->mode_ns[i];
	}
	MUST(sum == (span->state == LKST_STATE_RUNNING ? span->end_ns - span->begin_ns : 0));
	if (span->state == LKST_STATE_RUNNING) {
		struct seen_cpu *cpu = inv_cpu(inv, thread->source, span->cpu);

		seen->run_ns += sum;
		for (int i = 0; i < LKST_MODE_NUM; i++)
			cpu->thread_ns[i] += span->mode_ns[i];
	}
	MUST(!span->wake.known || span->state == LKST_STATE_RUNNABLE);
	MUST(!span->behind || span->behind != thread);
	seen->exited = span->end == LKST_END_EXIT;
}

static void inv_on_cpu(void *ctx, const struct lkst_cpu_span *span)
{
	struct invariants *inv = ctx;
	struct seen_cpu *cpu = inv_cpu(inv, span->source, span->cpu);

	inv_check_times(inv, span->begin_ns, span->end_ns);
	MUST(span->begin_ns < span->end_ns);
	MUST(!cpu->seen || span->begin_ns == cpu->end_ns);
	MUST(span->mode < LKST_MODE_NUM);
	MUST(!span->thread || (span->mode != LKST_MODE_UNKNOWN && span->mode != LKST_MODE_IDLE));
	if (!span->thread)
		MUST(span->mode != LKST_MODE_USER && span->mode != LKST_MODE_KERNEL &&
		     span->mode != LKST_MODE_THREAD);
	cpu->seen = true;
	cpu->end_ns = span->end_ns;
	if (span->thread)
		cpu->cpu_ns[span->mode] += span->end_ns - span->begin_ns;
}

static void inv_on_context(void *ctx, const struct lkst_context_span *span)
{
	struct invariants *inv = ctx;

	inv_check_times(inv, span->begin_ns, span->end_ns);
	MUST(span->kind < LKST_CONTEXT_NUM);
	MUST(span->own_ns >= 0 && span->own_ns <= span->end_ns - span->begin_ns);
	MUST(strnlen(span->name, sizeof(span->name)) < sizeof(span->name));
	/*
	 * After lkst_model_cut(), the model reports the rest of a context as another span, but the
	 * context does not begin again.
	 */
	if (!span->begin_known)
		return;
	MUST(inv->begun);
	inv->begun--;
}

static void inv_check_begin(const struct invariants *inv, int64_t begin_ns, bool begin_known)
{
	bool window = inv->window && begin_ns == inv->window_ns;

	MUST(!inv->window || inv->window_open);
	MUST(begin_known ? begin_ns == inv->now_ns || window : window);
}

static void inv_on_context_begin(void *ctx, const struct lkst_context_span *span)
{
	struct invariants *inv = ctx;

	inv_check_begin(inv, span->begin_ns, span->begin_known);
	MUST(span->kind < LKST_CONTEXT_NUM);
	inv->begun += span->begin_known;
}

static void inv_on_syscall_begin(void *ctx, const struct lkst_syscall_span *span)
{
	struct invariants *inv = ctx;
	struct seen_thread *seen = inv_thread(inv, span->thread->index);

	inv_check_begin(inv, span->begin_ns, span->begin_known);
	MUST(span->thread->syscall == span->number && span->thread->abi == span->abi);
	MUST(!seen->call_end_ns || span->begin_ns >= seen->call_end_ns);
	seen->called = true;
	seen->call_begin_ns = span->begin_ns;
}

static void inv_on_syscall(void *ctx, const struct lkst_syscall_span *span)
{
	struct invariants *inv = ctx;
	struct seen_thread *seen = inv_thread(inv, span->thread->index);
	int64_t sum = 0;

	inv_check_times(inv, span->begin_ns, span->end_ns);
	for (int i = 0; i < LKST_STATE_NUM; i++) {
		MUST(span->state_ns[i] >= 0);
		sum += span->state_ns[i];
	}
	MUST(sum == span->end_ns - span->begin_ns);
	MUST(!seen->call_end_ns || span->begin_ns >= seen->call_end_ns);
	seen->call_end_ns = span->end_ns;
	MUST(!span->exited || !span->end_known);
	if (span->begin_known)
		MUST(seen->called && span->begin_ns == seen->call_begin_ns);
	seen->called = false;
}

static void inv_on_wake(void *ctx, const struct lkst_thread *thread, const struct lkst_wake *wake)
{
	struct invariants *inv = ctx;

	MUST(thread->state == LKST_STATE_RUNNABLE && !thread->exited);
	MUST(wake->time_ns == inv->now_ns);
	MUST(wake->context >= -1 && wake->context < LKST_CONTEXT_NUM);
	MUST(wake->known || !wake->thread);
}

static void inv_on_loss(void *ctx, const struct lkst_loss *loss)
{
	struct invariants *inv = ctx;

	MUST(loss->begin_ns <= loss->end_ns && loss->end_ns == inv->now_ns);
	/* A loss of 0 records means that the last records of a CPU may be missing. */
	MUST(loss->number > 0 || inv->lacks_end);
	if (__builtin_add_overflow(inv->lost, loss->number, &inv->lost))
		inv->lost = UINT64_MAX;
}

static void inv_on_event(void *ctx, const struct lkst_event *event)
{
	struct invariants *inv = ctx;
	const struct lkst_model_counts *counts = lkst_model_counts(inv->model);

	inv->events++;
	MUST(counts->events == inv->events);
	MUST(counts->lost == inv->lost);
	MUST(event->type >= LKST_ETYPE_NUM || lkst_model_saw(inv->model, event->type));
}

struct invariants *invariants_new(struct lkst_model *model)
{
	static const struct lkst_model_ops ops = {
		.thread = inv_on_thread, .cpu = inv_on_cpu, .context = inv_on_context,
		.syscall = inv_on_syscall, .wake = inv_on_wake, .loss = inv_on_loss,
		.event = inv_on_event, .context_begin = inv_on_context_begin,
		.syscall_begin = inv_on_syscall_begin,
	};
	struct invariants *inv = calloc(1, sizeof(*inv));
	struct lkst_error err;

	MUST(inv);
	MUST(!lkst_model_add(model, &ops, inv, &err));
	inv->model = model;
	inv->now_ns = inv->least_ns = -TIME_MAX;
	return inv;
}

/*
 * Restart all checks at the beginning of the window. The model opens the window before it processes
 * the first event at or after this time.
 */
static void inv_open(struct invariants *inv, int64_t time_ns)
{
	inv->window_open = true;
	inv->window_ns = inv->now_ns > inv->window_ns ? inv->now_ns : inv->window_ns;
	(void)time_ns;
	for (size_t i = 0; i < inv->threads; i++)
		inv->thread[i] = (struct seen_thread){ .exited = inv->thread[i].exited };
	for (size_t i = 0; i < inv->cpus; i++)
		inv->cpu[i] = (struct seen_cpu){ .source = inv->cpu[i].source,
						 .cpu = inv->cpu[i].cpu,
						 .recid = inv->cpu[i].recid };
	inv->events = inv->lost = inv->begun = 0;
	inv->now_ns = inv->least_ns = inv->window_ns;
}

void invariants_event(struct invariants *inv, const struct lkst_event *event)
{
	int64_t time_ns = inv_time(event->time_ns);
	bool discontinuous = event->type == LKST_ETYPE_LKST_TRC_START ||
			     event->type == LKST_ETYPE_LKST_INIT;

	if (inv->window && !inv->window_open && time_ns >= inv->window_ns)
		inv_open(inv, time_ns);
	if (event->buffer != LKST_BUFFER_ID_VOID && event->cpu >= 0 && event->cpu < CPUS &&
	    event->type < LKST_ETYPE_NUM) {
		struct seen_cpu *cpu = inv_cpu(inv, event->source, event->cpu);

		discontinuous |= event->recid != cpu->recid + 1;
		cpu->recid = event->recid;
	}
	/*
	 * Spans end at this event. After a loss, spans can end at the last event before the loss,
	 * so their ends are not limited.
	 */
	if (!discontinuous)
		inv->least_ns = inv->now_ns;
	else
		inv->least_ns = -TIME_MAX;
	inv->now_ns = time_ns > inv->now_ns ? time_ns : inv->now_ns;
	if (!discontinuous)
		inv->least_ns = inv->now_ns;
}

void invariants_window(struct invariants *inv, int64_t time_ns)
{
	inv->window = true;
	inv->window_open = false;
	inv->window_ns = inv_time(time_ns);
	if (inv->window_ns <= inv->now_ns)
		inv_open(inv, inv->now_ns);
}

void invariants_cut(struct invariants *inv, int64_t time_ns)
{
	time_ns = inv_time(time_ns);
	if (inv->window && !inv->window_open && time_ns >= inv->window_ns)
		inv_open(inv, time_ns);
	inv->now_ns = time_ns > inv->now_ns ? time_ns : inv->now_ns;
	inv->least_ns = inv->now_ns;
}

void invariants_lose_end(struct invariants *inv)
{
	inv->least_ns = -TIME_MAX;
	inv->lacks_end = true;
}

void invariants_after_cut(const struct invariants *inv)
{
	size_t threads = lkst_model_threads(inv->model);

	if (inv->window && !inv->window_open)
		return;
	for (size_t i = 0; i < threads; i++) {
		const struct lkst_thread *thread = lkst_model_thread(inv->model, (uint32_t)i);
		const struct seen_thread *seen = i < inv->threads ? &inv->thread[i] : NULL;

		MUST(thread->index == i);
		if (thread->exited)
			continue;
		MUST(lkst_model_find(inv->model, thread->source, thread->tid) == thread);
		if (seen && seen->seen)
			MUST(seen->end_ns == inv->now_ns);
		else
			MUST(thread->first_ns == inv->now_ns || inv->window_ns == inv->now_ns);
	}
	for (size_t i = 0; i < inv->cpus; i++) {
		const struct seen_cpu *cpu = &inv->cpu[i];

		MUST(!cpu->seen || cpu->end_ns == inv->now_ns);
		for (int k = 0; k < LKST_MODE_NUM; k++)
			MUST(cpu->cpu_ns[k] == cpu->thread_ns[k]);
	}
}

int64_t invariants_run_ns(const struct invariants *inv, uint32_t index)
{
	return index < inv->threads ? inv->thread[index].run_ns : 0;
}

void invariants_free(struct invariants *inv)
{
	free(inv->thread);
	free(inv->cpu);
	free(inv);
}
