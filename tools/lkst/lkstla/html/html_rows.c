// SPDX-License-Identifier: GPL-2.0
/* Writes, as JSON, the names that the spans refer to, and the rows of the timeline. */
#include <stdio.h>
#include <string.h>

#include "html.h"
#include "html_json.h"
#include "lkstla/delays.h"

/* ---- names ---- */

static void rows_put_states(struct html_bytes *to)
{
	html_json_open(to, "states", '[');
	for (int i = 0; i < HTML_STATES; i++) {
		html_json_open(to, NULL, '{');
		html_json_text(to, "key", html_state_keys[i]);
		html_json_text(to, "name", html_state_names[i]);
		html_json_text(to, "class", html_state_class((enum html_state)i));
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

static void rows_put_calls(const struct html_names *names, struct html_bytes *to)
{
	html_json_open(to, "calls", '[');
	for (size_t i = 0; i < names->calls.num; i++) {
		html_json_open(to, NULL, '{');
		html_json_text(to, "name", names->call[i].name);
		html_json_text(to, "args", delays_call_arguments(names->call[i].name));
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

static void rows_put_contexts(const struct html *html, struct html_bytes *to)
{
	static const char *const kinds[LKST_CONTEXT_NUM] = {
		[LKST_CONTEXT_IRQ] = "irq",
		[LKST_CONTEXT_TIMER_IRQ] = "timer_irq",
		[LKST_CONTEXT_IPI] = "ipi",
		[LKST_CONTEXT_SOFTIRQ] = "softirq",
		[LKST_CONTEXT_TASKLET] = "tasklet",
		[LKST_CONTEXT_TIMER] = "timer",
		[LKST_CONTEXT_HRTIMER] = "hrtimer",
		[LKST_CONTEXT_WORK] = "work",
		[LKST_CONTEXT_EXCEPTION] = "exception",
	};
	char name[CONTEXT_NAME_SIZE];

	html_json_open(to, "contexts", '[');
	for (size_t i = 0; i < html->names.contexts.num; i++) {
		const struct context_row *row = &html->names.context[i];
		const char *kind = row->id.kind < LKST_CONTEXT_NUM ? kinds[row->id.kind] : "work";

		html_json_open(to, NULL, '{');
		html_json_text(to, "kind", kind);
		html_json_text(to, "name", context_name(html->run, row, name));
		html_json_int(to, "number", (int64_t)row->id.number);
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

static void rows_put_strings(const struct html_names *names, struct html_bytes *to)
{
	const char *text = (const char *)names->text.data;

	html_json_open(to, "strings", '[');
	for (size_t at = 0; at < names->text.len; at += strlen(text + at) + 1)
		html_json_text(to, NULL, text + at);
	html_json_close(to, ']');
	to->failed |= names->text.failed;
}

static void rows_put_events(const struct html *html, struct html_bytes *to)
{
	html_json_open(to, "events", '[');
	for (uint32_t i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = lkst_etype(html->run->types, i);

		if (!html->event_count[i])
			continue;
		html_json_open(to, NULL, '{');
		html_json_int(to, "type", i);
		html_json_text(to, "name", type ? type->name : NULL);
		html_json_int(to, "count", (int64_t)html->event_count[i]);
		html_json_int(to, "stored", (int64_t)html->event_stored[i]);
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

/* ---- CPUs, threads, devices ---- */

static void rows_put_totals(const int64_t state_ns[HTML_STATES], struct html_bytes *to)
{
	char state[16];

	html_json_open(to, "totals", '{');
	for (int i = 0; i < HTML_STATES; i++) {
		if (!state_ns[i])
			continue;
		snprintf(state, sizeof(state), "%d", i);
		html_json_int(to, state, state_ns[i]);
	}
	html_json_close(to, '}');
}

static void rows_put_cpus(const struct html *html, struct html_bytes *to)
{
	html_json_open(to, "cpus", '[');
	for (size_t i = 0; i < html->cpus; i++) {
		const struct html_cpu *cpu = &html->cpu[i];

		html_json_open(to, NULL, '{');
		html_json_int(to, "cpu", cpu->cpu);
		html_json_int(to, "who", cpu->who_row);
		html_json_int(to, "mode", cpu->mode_row);
		rows_put_totals(cpu->state_ns, to);
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

static void rows_put_spans_of(const struct html_thread *of, const struct lkst_thread *thread,
			      struct html_bytes *to)
{
	html_json_int(to, "row", of->row);
	html_json_int(to, "calls_row", of->calls_row);
	html_json_int(to, "begin", of->begin_ns);
	if (thread->exited)
		html_json_int(to, "end", of->end_ns);
	else
		html_json_raw(to, "end", "null");
	html_json_int(to, "runs", (int64_t)of->runs);
	html_json_int(to, "waits", (int64_t)of->waits);
	if (of->waits) {
		html_json_open(to, "max_wait", '[');
		html_json_int(to, NULL, of->longest_ns);
		html_json_int(to, NULL, of->longest_end_ns);
		html_json_close(to, ']');
	}
	html_json_int(to, "calls", (int64_t)of->calls);
	rows_put_totals(of->state_ns, to);
}

static void rows_put_threads(const struct html *html, struct html_bytes *to)
{
	static const struct html_thread none = { .row = -1, .calls_row = -1 };
	const struct lkst_model *model = html->run->model;
	char name[40];

	html_json_open(to, "threads", '[');
	for (size_t i = 0; i < lkst_model_threads(model); i++) {
		const struct lkst_thread *thread = lkst_model_thread(model, (uint32_t)i);
		bool shown = i < html->threads && html->thread[i].shown;

		html_json_open(to, NULL, '{');
		html_json_int(to, "tid", thread->tid);
		html_json_int(to, "tgid", thread->tgid);
		html_json_int(to, "parent", thread->parent);
		html_json_text(to, "name", run_thread_name(html->run, thread, name));
		html_json_text(to, "comm", thread->name);
		html_json_flag(to, "kernel", thread->kernel);
		html_json_flag(to, "exited", thread->exited);
		html_json_flag(to, "selected", shown);
		rows_put_spans_of(shown ? &html->thread[i] : &none, thread, to);
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

static void rows_put_lanes(const struct html_device *device, const char *name,
			   struct html_bytes *to)
{
	html_json_open(to, name, '[');
	for (unsigned int i = 0; device && i < device->lanes; i++) {
		html_json_open(to, NULL, '[');
		html_json_int(to, NULL, device->lane[i].key);
		html_json_int(to, NULL, device->lane[i].row);
		html_json_close(to, ']');
	}
	html_json_close(to, ']');
}

/* Return the other direction of a network device; NULL if the trace lacks it. */
static const struct html_device *rows_other(const struct html *html,
					    const struct html_device *device)
{
	for (size_t i = 0; i < html->devices; i++) {
		const struct html_device *other = &html->device[i];

		if (other->kind != HTML_DISKS && other->kind != device->kind &&
		    !strcmp(other->name, device->name))
			return other;
	}
	return NULL;
}

static void rows_put_device(const struct html *html, const struct html_device *device,
			    struct html_bytes *to)
{
	const struct html_device *other = device->kind == HTML_DISKS ? NULL :
								       rows_other(html, device);

	/*
	 * The two directions of a network interface are one object, written for the first of them.
	 */
	if (other && other < device)
		return;
	html_json_open(to, NULL, '{');
	html_json_text(to, "kind", device->kind == HTML_DISKS ? "block" : "net");
	html_json_text(to, "name", device->name);
	if (device->kind == HTML_DISKS) {
		rows_put_lanes(device, "lanes", to);
	} else {
		rows_put_lanes(device->kind == HTML_SENDING ? device : other, "send", to);
		rows_put_lanes(device->kind == HTML_RECEIVING ? device : other, "receive", to);
	}
	html_json_close(to, '}');
}

static void rows_put_devices(const struct html *html, struct html_bytes *to)
{
	html_json_open(to, "devices", '[');
	for (size_t i = 0; i < html->devices; i++)
		rows_put_device(html, &html->device[i], to);
	html_json_close(to, ']');
}

/**
 * html_put_rows() - write the names that the spans refer to, and the CPUs, threads and devices
 * @html: state of the analysis, after the last event
 * @to: result: members of a JSON object
 */
void html_put_rows(const struct html *html, struct html_bytes *to)
{
	rows_put_states(to);
	rows_put_calls(&html->names, to);
	rows_put_contexts(html, to);
	rows_put_strings(&html->names, to);
	rows_put_events(html, to);
	rows_put_cpus(html, to);
	rows_put_threads(html, to);
	rows_put_devices(html, to);
}
