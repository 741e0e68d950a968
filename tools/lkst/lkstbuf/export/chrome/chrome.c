// SPDX-License-Identifier: GPL-2.0
/* Begins and ends a file in the Trace Event Format of Chrome. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chrome.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "lib/base/version.h"
#include "lib/text/context.h"
#include "lib/text/filter.h"
#include "lib/text/names.h"
#include "lib/text/out.h"
#include "lib/trace/trace.h"
#include "lkstbuf/export/formats.h"

static void chrome_on_event(void *ctx, const struct lkst_event *event)
{
	chrome_cpu_follow(ctx, event->cpu);
}

static const struct lkst_model_ops chrome_ops = {
	.thread = chrome_thread_span,
	.cpu = chrome_cpu_span,
	.context = chrome_context,
	.syscall = chrome_syscall,
	.loss = chrome_cpu_loss,
	.event = chrome_on_event,
	.context_begin = chrome_context_begin,
	.syscall_begin = chrome_syscall_begin,
};

static void chrome_close(void *ctx)
{
	struct chrome *chrome = ctx;
	struct chrome_pending *next;

	/* chrome_end() empties the tracks, but is not called after an error. */
	for (int i = 0; i < CHROME_CPUS_MAX; i++) {
		if (chrome->cpu[i])
			chrome_drop(&chrome->writer, &chrome->cpu[i]->track);
		free(chrome->cpu[i]);
	}
	for (size_t i = 0; i < chrome->threads; i++) {
		if (!chrome->thread[i])
			continue;
		chrome_drop(&chrome->writer, &chrome->thread[i]->track);
		free(chrome->thread[i]->pending);
		free(chrome->thread[i]);
	}
	for (; chrome->unused; chrome->unused = next) {
		next = chrome->unused->next;
		free(chrome->unused);
	}
	free(chrome->thread);
	free(chrome->uses);
	chrome_free(&chrome->writer);
	states_close(&chrome->states);
	free(chrome);
}

/* ---- names ---- */

/* Name a track or a process. */
static void chrome_describe(struct chrome *chrome, const struct chrome_track *track,
			    const char *what, const char *name)
{
	char *p = chrome_line(&chrome->writer, 'M', track, chrome->writer.zero_ns, what);

	p = chrome_put_string(put_text(p, ",\"args\":{\"name\":"), name);
	chrome_line_end(&chrome->writer, put_char(p, '}'));
}

/* Set the position at which viewers show a track or a process. A lower index is higher up. */
static void chrome_sort(struct chrome *chrome, const struct chrome_track *track, const char *what,
			int64_t index)
{
	char *p = chrome_line(&chrome->writer, 'M', track, chrome->writer.zero_ns, what);

	p = put_dec(put_text(p, ",\"args\":{\"sort_index\":"), index);
	chrome_line_end(&chrome->writer, put_char(p, '}'));
}

static void *chrome_open(struct export *export, struct lkst_error *err)
{
	const struct lkst_selection *selection = export->selection;
	struct chrome *chrome = calloc(1, sizeof(*chrome));
	const struct lkst_format_options options = { 0 };
	struct chrome_writer *writer;

	if (!chrome) {
		lkst_error_memory(err, "the export");
		return NULL;
	}
	chrome->export = export;
	chrome->calls = lkst_trace_has_type(export->trace, LKST_ETYPE_SYSCALL_EXIT);
	chrome->chosen = (selection->filter && selection->filter->words) || selection->wheres ||
			 selection->longer;
	chrome->marks.pid = CHROME_PID_CPUS;
	chrome->marks.tid = CHROME_TID_MARKS;
	writer = &chrome->writer;
	writer->file = &export->out;
	writer->out = &writer->line;
	if (lkst_out_open(&writer->line, -1, err) ||
	    states_open(&chrome->states, export, &chrome_ops, chrome, err)) {
		chrome_close(chrome);
		return NULL;
	}
	writer->zero_ns = chrome->states.begin_ns;
	lkst_format_init(&writer->format, writer->out, export->types, export->context, &options);
	out_end(writer->file, put_text(out_room(writer->file), "{\"traceEvents\":["));
	chrome_describe(chrome, &chrome->marks, "process_name", "CPUs and marks");
	return chrome;
}

static int chrome_observe(void *ctx, const struct lkst_event *event, struct lkst_error *err)
{
	struct chrome *chrome = ctx;

	chrome->writer.format.types = chrome->export->types;
	chrome->writer.format.context = chrome->export->context;
	if (states_observe(&chrome->states, event, err))
		return -1;
	if (!chrome->writer.failed)
		return 0;
	lkst_error_memory(err, "the export");
	return -1;
}

/* ---- the end of the file: names, and what the file contains ---- */

static void chrome_describe_cpus(struct chrome *chrome)
{
	char name[32];

	chrome_sort(chrome, &chrome->marks, "process_sort_index", -1);
	chrome_describe(chrome, &chrome->marks, "thread_name", "marks");
	chrome_sort(chrome, &chrome->marks, "thread_sort_index", -1);
	for (int i = 0; i < CHROME_CPUS_MAX; i++) {
		if (!chrome->cpu[i])
			continue;
		snprintf(name, sizeof(name), "CPU %d", i);
		chrome_describe(chrome, &chrome->cpu[i]->track, "thread_name", name);
		chrome_sort(chrome, &chrome->cpu[i]->track, "thread_sort_index", i);
	}
}

/* Get the last known name of a thread. Include its number only if viewers show another number. */
static void chrome_thread_name(const struct chrome *chrome, const struct chrome_thread *thread,
			       char name[STATE_THREAD_SIZE])
{
	state_thread_name(chrome_names(chrome), thread->thread, name);
	if (thread->track.tid == thread->thread->tid && strchr(name, '-'))
		*strrchr(name, '-') = 0;
}

/* Return whether the main thread of the process of a thread will be described. */
static bool chrome_has_leader(const struct chrome *chrome, const struct chrome_thread *thread)
{
	uint32_t pid = thread->track.pid;
	const struct lkst_thread *leader =
		lkst_model_find(chrome->states.model, thread->thread->source, pid % CHROME_TIDS);

	return leader && leader->index < chrome->threads && chrome->thread[leader->index] &&
	       chrome->thread[leader->index]->track.tid == pid;
}

/*
 * Name the process of a thread. If the main thread of the process will also be described, only the
 * main thread names the process.
 */
static void chrome_describe_process(struct chrome *chrome, const struct chrome_thread *thread)
{
	const struct chrome_track *track = &thread->track;
	uint32_t tgid = track->pid % CHROME_TIDS;
	const char *of_leader;
	char name[STATE_THREAD_SIZE];

	if (track->pid == track->tid) {
		chrome_thread_name(chrome, thread, name);
	} else if (chrome_has_leader(chrome, thread)) {
		return;
	} else {
		of_leader = lkst_names_get(chrome_names(chrome), tgid, INT64_MAX);
		snprintf(name, sizeof(name), "%s", of_leader ? of_leader : "unknown");
	}
	chrome_describe(chrome, track, "process_name", name);
}

static void chrome_describe_threads(struct chrome *chrome)
{
	char name[STATE_THREAD_SIZE];

	for (size_t i = 0; i < chrome->threads; i++) {
		const struct chrome_thread *thread = chrome->thread[i];

		if (!thread || !thread->track.pid)
			continue;
		chrome_thread_name(chrome, thread, name);
		chrome_describe(chrome, &thread->track, "thread_name", name);
		chrome_describe_process(chrome, thread);
	}
}

static int chrome_end_file(void *ctx, struct lkst_error *err)
{
	struct chrome *chrome = ctx;
	char *p;

	if (states_end(&chrome->states, err))
		return -1;
	chrome_threads_end(chrome);
	chrome_cpus_end(chrome);
	if (chrome->writer.failed) {
		lkst_error_memory(err, "the export");
		return -1;
	}
	chrome_describe_cpus(chrome);
	chrome_describe_threads(chrome);
	p = out_room(&chrome->export->out);
	p = put_text(p, "\n],\"displayTimeUnit\":\"ns\",\"otherData\":{\"writer\":\"lkstbuf ");
	p = put_text(put_text(p, LKST_TOOLS_VERSION), "\",\"zero_ns\":\"");
	p = put_dec(p, chrome->writer.zero_ns);
	p = put_udec(put_text(p, "\",\"lost_records\":"), chrome->lost);
	out_end(&chrome->export->out, put_text(p, "}}\n"));
	return 0;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.suffix = ".json",
	.text = true,
	.open = chrome_open,
	.observe = chrome_observe,
	.event = chrome_event,
	.end = chrome_end_file,
	.close = chrome_close,
};
