// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the CPUs. A slice shows which thread runs, and the slices inside it show what interrupts
 * the thread. There is no slice while the CPU is idle, so gaps are idle time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "chrome.h"

/**
 * chrome_cpu() - find or add a CPU
 * @chrome: export
 * @number: CPU
 *
 * Return: the CPU; NULL if it is not selected, if there cannot be such a CPU, or if an allocation
 * failed.
 */
struct chrome_cpu *chrome_cpu(struct chrome *chrome, int32_t number)
{
	struct chrome_cpu *cpu;

	if (number < 0 || number >= CHROME_CPUS_MAX || !states_select_cpu(&chrome->states, number))
		return NULL;
	if (chrome->cpu[number])
		return chrome->cpu[number];
	cpu = calloc(1, sizeof(*cpu));
	if (!cpu) {
		states_out_of_memory(&chrome->states);
		return NULL;
	}
	cpu->track.pid = CHROME_PID_CPUS;
	cpu->track.tid = CHROME_PID_CPUS + (uint32_t)number;
	cpu->track.last_ns = INT64_MIN;
	chrome->cpu[number] = cpu;
	return cpu;
}

static void cpu_name(const struct chrome *chrome, const struct lkst_thread *thread,
		     char name[CHROME_NAME_SIZE])
{
	if (thread)
		state_thread_name(chrome_names(chrome), thread, name);
	else
		snprintf(name, CHROME_NAME_SIZE, "unknown");
}

/* Begin a slice for what is running in a span of the CPU, unless this slice has already begun. */
static void cpu_run(struct chrome *chrome, struct chrome_cpu *cpu, const struct lkst_cpu_span *span)
{
	struct chrome_slice slice = { .kind = CHROME_RUN, .begin_ns = span->begin_ns };
	bool running = span->thread || span->mode == LKST_MODE_UNKNOWN;

	if (cpu->running == running && (!running || cpu->thread == span->thread))
		return;
	/* Interrupts that occurred while the thread ran have ended, or their ends are missing. */
	chrome_end_all(&chrome->writer, &cpu->track,
		       cpu->running ? cpu->run_end_ns : span->begin_ns);
	cpu->running = running;
	cpu->thread = span->thread;
	cpu->run_end_ns = span->begin_ns;
	if (!running)
		return;
	cpu_name(chrome, span->thread, slice.name);
	chrome_begin(&chrome->writer, &cpu->track, &slice);
}

/**
 * chrome_cpu_follow() - draw what a CPU is doing now
 * @chrome: export
 * @number: CPU
 */
void chrome_cpu_follow(struct chrome *chrome, int32_t number)
{
	struct chrome_cpu *cpu = chrome_cpu(chrome, number);
	struct lkst_cpu_span now;

	if (cpu && lkst_model_cpu(chrome->states.model, chrome->states.window.source, number, &now))
		cpu_run(chrome, cpu, &now);
}

/**
 * chrome_cpu_span() - draw a span that has ended
 * @ctx: export
 * @span: span
 */
void chrome_cpu_span(void *ctx, const struct lkst_cpu_span *span)
{
	struct chrome *chrome = ctx;
	struct chrome_cpu *cpu = chrome_cpu(chrome, span->cpu);

	if (!cpu)
		return;
	cpu_run(chrome, cpu, span);
	cpu->run_end_ns = span->end_ns;
}

/**
 * chrome_cpu_loss() - draw where records are missing
 * @ctx: export
 * @loss: loss. The model has forgotten what the CPU was doing
 */
void chrome_cpu_loss(void *ctx, const struct lkst_loss *loss)
{
	struct chrome *chrome = ctx;
	struct chrome_cpu *cpu = chrome_cpu(chrome, loss->cpu);
	struct chrome_writer *writer = &chrome->writer;
	int64_t begin_ns = loss->begin_ns;
	char name[CHROME_NAME_SIZE], *p;

	if (!cpu)
		return;
	if (__builtin_add_overflow(chrome->lost, loss->number, &chrome->lost))
		chrome->lost = UINT64_MAX;
	chrome_cpu_follow(chrome, loss->cpu);
	if (loss->number)
		snprintf(name, sizeof(name), "lost %" PRIu64 " records", loss->number);
	else
		snprintf(name, sizeof(name), "the last records may be missing");
	if (chrome_advance(writer, &cpu->track, &begin_ns, loss->end_ns)) {
		chrome_hold_line(writer, &cpu->track,
				 chrome_line(writer, 'B', &cpu->track, begin_ns, name));
		chrome_hold_line(writer, &cpu->track,
				 chrome_line(writer, 'E', &cpu->track, loss->end_ns, name));
		return;
	}
	p = chrome_line(writer, 'i', &cpu->track, begin_ns, name);
	chrome_hold_line(writer, &cpu->track, chrome_put_text(p, "s", "t"));
}

/**
 * chrome_cpu_context_begin() - begin an interrupt, a softirq, or a function that these call
 * @chrome: export
 * @span: context that has begun
 * @slice: description of the slice
 */
void chrome_cpu_context_begin(struct chrome *chrome, const struct lkst_context_span *span,
			      const struct chrome_slice *slice)
{
	struct chrome_cpu *cpu = chrome_cpu(chrome, span->cpu);

	if (!cpu)
		return;
	chrome_cpu_follow(chrome, span->cpu);
	chrome_begin(&chrome->writer, &cpu->track, slice);
}

/**
 * chrome_cpus_end() - end all slices, after the end of the window
 * @chrome: export
 */
void chrome_cpus_end(struct chrome *chrome)
{
	for (int i = 0; i < CHROME_CPUS_MAX; i++)
		if (chrome->cpu[i])
			chrome_end_all(&chrome->writer, &chrome->cpu[i]->track,
				       chrome->cpu[i]->run_end_ns);
}
