// SPDX-License-Identifier: GPL-2.0
/* Writes, as JSON, everything except the spans: the window, names, findings and delays. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/json.h"
#include "html.h"
#include "html_json.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/version.h"
#include "lkstla/delays.h"
#include "lkstla/findings.h"
#include "lkstla/run.h"

/* Context of the functions that receive findings and delays */
struct meta {
	struct html *html;
	struct html_bytes *to;
	struct lkst_error *err;
	int ret;
};

/* Write a time relative to the start of the window, or null. */
static void meta_put_time(const struct html *html, struct html_bytes *to, const char *name,
			  int64_t time_ns)
{
	if (time_ns)
		html_json_int(to, name, html_time(html, time_ns));
	else
		html_json_raw(to, name, "null");
}

static void meta_put_thread(struct html_bytes *to, const char *name,
			    const struct lkst_thread *thread)
{
	if (thread)
		html_json_int(to, name, thread->index);
	else
		html_json_raw(to, name, "null");
}

/* ---- the trace ---- */

static void meta_put_system(const struct html *html, struct html_bytes *to, const char *name,
			    const char *key)
{
	size_t len = 0;
	const char *value = run_system(html->run, key, &len);
	char text[128];

	if (value)
		snprintf(text, sizeof(text), "%.*s", (int)(len < 127 ? len : 127), value);
	html_json_text(to, name, value ? text : NULL);
}

/* Write the options that select the input, as a user would type them. */
static void meta_put_command(const struct html *html, struct html_bytes *to)
{
	char *text = NULL;
	size_t len;
	FILE *stream = open_memstream(&text, &len);

	if (!stream) {
		to->failed = true;
		return;
	}
	run_put_input(html->run, stream);
	to->failed |= fclose(stream) || !text;
	if (text)
		html_json_text(to, "command", text);
	free(text);
}

static void meta_put_trace(const struct html *html, struct html_bytes *to)
{
	const struct run *run = html->run;
	const struct trace_files *from = &run->args->input.from;
	time_t seconds = (time_t)(run->begin_ns / 1000000000);
	char begin[24];
	struct tm tm;

	snprintf(begin, sizeof(begin), "%lld", (long long)run->begin_ns);
	html_json_text(to, "program", "lkstla " LKST_TOOLS_VERSION);
	html_json_text(to, "file", from->num ? from->path[0] : NULL);
	html_json_int(to, "files", (int64_t)from->num);
	meta_put_command(html, to);
	meta_put_system(html, to, "kernel", "release");
	meta_put_system(html, to, "machine", "machine");
	meta_put_system(html, to, "host", "hostname");
	html_json_text(to, "begin_ns", begin);
	html_json_int(to, "length_ns", html_time(html, run->end_ns));
	html_json_int(to, "zone_s", localtime_r(&seconds, &tm) ? tm.tm_gmtoff : 0);
}

static void meta_put_lines(struct html_bytes *to, const char *name, char *text)
{
	html_json_open(to, name, '[');
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
		html_json_text(to, NULL, line);
	html_json_close(to, ']');
}

/* Write the same header as all other analyses. */
static void meta_put_header(const struct html *html, struct html_bytes *to)
{
	struct runner *runner = runner_of(html->run);
	char *text = NULL, *json = json_take_text(header_json(runner));
	size_t len;
	FILE *stream = open_memstream(&text, &len);

	if (stream) {
		header_print(runner, 0, stream);
		if (fclose(stream) || !text)
			to->failed = true;
		else
			meta_put_lines(to, "window_text", text);
	}
	if (json)
		html_json_raw(to, "window", json);
	to->failed |= !json || !stream;
	free(json);
	free(text);
}

/* ---- marks and losses ---- */

static void meta_put_marks(const struct html *html, struct html_bytes *to)
{
	html_json_int(to, "marks_total", (int64_t)html->marks);
	html_json_open(to, "marks", '[');
	for (size_t i = 0; i < html->marks && i < HTML_MARKS_MAX; i++) {
		const struct html_mark *mark = &html->mark[i];

		html_json_open(to, NULL, '{');
		html_json_int(to, "at", mark->at_ns);
		html_json_text(to, "text", mark->text);
		meta_put_thread(to, "thread", mark->thread);
		html_json_int(to, "cpu", mark->cpu);
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

static void meta_put_losses(const struct html *html, struct html_bytes *to)
{
	html_json_int(to, "losses_total", (int64_t)html->losses);
	html_json_open(to, "losses", '[');
	for (size_t i = 0; i < html->losses && i < HTML_LOSSES_MAX; i++) {
		const struct lkst_loss *loss = &html->loss[i];

		html_json_open(to, NULL, '{');
		html_json_int(to, "cpu", loss->cpu);
		html_json_int(to, "begin", html_time(html, loss->begin_ns));
		html_json_int(to, "end", html_time(html, loss->end_ns));
		html_json_int(to, "number", (int64_t)loss->number);
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
}

/* ---- findings and delays ---- */

static void meta_on_finding(void *ctx, const struct finding *finding)
{
	const struct meta *meta = ctx;
	struct html_bytes *to = meta->to;

	html_json_open(to, NULL, '{');
	html_json_text(to, "rule", finding->name);
	html_json_text(to, "text", finding->text);
	html_json_text(to, "more", finding->more);
	html_json_int(to, "count", (int64_t)finding->count);
	meta_put_time(meta->html, to, "begin", finding->begin_ns);
	meta_put_time(meta->html, to, "at", finding->at_ns);
	meta_put_thread(to, "thread", finding->thread);
	meta_put_thread(to, "other", finding->other);
	if (finding->cpu >= 0)
		html_json_int(to, "cpu", finding->cpu);
	else
		html_json_raw(to, "cpu", "null");
	html_json_close(to, '}');
}

static void meta_on_delay(void *ctx, const struct delay *delay)
{
	const struct meta *meta = ctx;
	struct html *html = meta->html;
	struct html_bytes *to = meta->to;
	uint32_t call = 0;

	if (delay->call)
		call = html_names_call(&html->names, delay->thread, delay->call->number,
				       delay->call->abi);
	html_json_open(to, NULL, '{');
	meta_put_thread(to, "thread", delay->thread);
	html_json_int(to, "begin", html_time(html, delay->begin_ns));
	html_json_int(to, "end", html_time(html, delay->end_ns));
	if (call)
		html_json_int(to, "call", call - 1);
	else
		html_json_raw(to, "call", "null");
	html_json_text(to, "text", delay->text);
	html_json_close(to, '}');
}

/* Explain the delay of a finding, even if it is not among the longest delays. */
static void meta_on_finding_delay(void *ctx, const struct finding *finding)
{
	struct meta *meta = ctx;

	if (!meta->ret && finding->thread && finding->at_ns)
		meta->ret = delays_at(meta->html->part[HTML_PART_WHY], finding->thread,
				      finding->at_ns, meta_on_delay, meta, meta->err);
}

static int meta_put_findings(struct html *html, struct html_bytes *to, struct lkst_error *err)
{
	struct meta meta = { .html = html, .to = to, .err = err };
	void *report = html->part[HTML_PART_REPORT], *why = html->part[HTML_PART_WHY];

	findings_finish(report);
	html_json_open(to, "findings", '[');
	if (findings_each(report, meta_on_finding, &meta, err))
		return -1;
	html_json_close(to, ']');
	html_json_open(to, "whys", '[');
	if (findings_each(report, meta_on_finding_delay, &meta, err) || meta.ret ||
	    delays_slowest(why, html->slowest, meta_on_delay, &meta, err))
		return -1;
	html_json_close(to, ']');
	return 0;
}

/* ---- lkstla report --html ---- */

static int meta_put_report(const struct html *html, struct html_bytes *to, struct lkst_error *err)
{
	struct findings_page page;
	char *tables = NULL, *history = NULL;
	int ret = findings_make_page(html->part[HTML_PART_REPORT], &page, err);

	if (!ret) {
		tables = json_take_text(page.tables);
		history = page.history ? json_take_text(page.history) : NULL;
		to->failed |= page.history && !history;
		html_json_open(to, "report", '{');
		html_json_text(to, "death", page.death);
		html_json_text(to, "none", page.none);
		html_json_raw(to, "history", history ? history : "null");
		html_json_raw(to, "tables", tables ? tables : "{}");
		html_json_close(to, '}');
		to->failed |= !tables;
	} else {
		json_free(page.tables);
		json_free(page.history);
	}
	free(tables);
	free(history);
	free(page.death);
	free(page.none);
	return ret;
}

/* Write the name of a distribution. */
static void meta_name_plot(void *ctx, enum html_plot_kind kind, const uint64_t number[2],
			   char name[HTML_PLOT_NAME])
{
	const struct html *html = ctx;
	const struct lkst_event event = {
		.type = LKST_ETYPE_BLOCK_ISSUE,
		.source = runner_of(html->run)->source,
		.arg = { number[0], 0, (uint32_t)number[1] },
	};
	char context[CONTEXT_NAME_SIZE], device[VALUE_SIZE], operation[VALUE_SIZE];

	switch (kind) {
	case HTML_PLOT_WAIT:
		snprintf(name, HTML_PLOT_NAME, "waits for a CPU");
		break;
	case HTML_PLOT_CALL:
		snprintf(name, HTML_PLOT_NAME, "%s", html->names.call[number[0] - 1].name);
		break;
	case HTML_PLOT_REQUEST:
		value_text(html->run, &event, "device", device, sizeof(device));
		value_text(html->run, &event, "operation", operation, sizeof(operation));
		snprintf(name, HTML_PLOT_NAME, "%s %s", device, operation);
		break;
	case HTML_PLOT_LOCK:
		snprintf(name, HTML_PLOT_NAME, "%s", html_names_text(&html->names, number[0]));
		break;
	default:
		snprintf(name, HTML_PLOT_NAME, "%s",
			 context_name(html->run, &html->names.context[number[0] - 1], context));
		break;
	}
}

/* ---- the layout of the blocks ---- */

static void meta_put_column(struct html_bytes *to, const char *name, char kind)
{
	html_json_open(to, NULL, '[');
	html_json_text(to, NULL, name);
	html_json_text(to, NULL, (char[]){ kind, 0 });
	html_json_close(to, ']');
}

static void meta_put_tables(const struct html *html, struct html_bytes *to)
{
	html_json_open(to, "tables", '{');
	for (int i = 0; i < HTML_TABLES; i++) {
		const struct html_layout *layout = &html_layouts[i];

		html_json_open(to, layout->name, '[');
		meta_put_column(to, "gap", 's');
		meta_put_column(to, "dur", 'u');
		for (unsigned int k = 0; k < layout->columns; k++)
			meta_put_column(to, layout->column[k].name, layout->column[k].kind);
		html_json_close(to, ']');
	}
	html_json_close(to, '}');
	html_json_open(to, "counts", '{');
	for (int i = 0; i < HTML_TABLES; i++)
		html_json_int(to, html_layouts[i].name, (int64_t)html->chunks.spans[i].total);
	html_json_close(to, '}');
	html_json_int(to, "chunks", (int64_t)html->chunks.chunks);
}

static void meta_put_levels(const struct html_levels *levels, struct html_bytes *to)
{
	html_json_open(to, "levels", '[');
	for (unsigned int i = 0; i < levels->num; i++) {
		html_json_open(to, NULL, '{');
		html_json_int(to, "width_ns", levels->width_ns[i]);
		html_json_int(to, "bins", (int64_t)html_levels_bins(levels, i));
		html_json_close(to, '}');
	}
	html_json_close(to, ']');
	html_json_int(to, "rows", (int64_t)levels->rows);
}

/**
 * html_put_meta() - write everything except the spans, as JSON
 * @html: state of the analysis, after the last event, with complete chunks and levels
 * @to: result: JSON
 * @err: set if an allocation fails
 */
int html_put_meta(struct html *html, struct html_bytes *to, struct lkst_error *err)
{
	html_json_open(to, NULL, '{');
	html_json_int(to, "version", 1);
	meta_put_trace(html, to);
	meta_put_header(html, to);
	/* Findings and delays may use new names, so the names are written after them. */
	if (meta_put_findings(html, to, err))
		return -1;
	if (html->is_report && meta_put_report(html, to, err))
		return -1;
	html_put_rows(html, to);
	to->failed |= html_plots_put(&html->plots, meta_name_plot, html, to) != 0;
	meta_put_marks(html, to);
	meta_put_losses(html, to);
	meta_put_tables(html, to);
	meta_put_levels(&html->levels, to);
	html_json_close(to, '}');
	if (!to->failed)
		return 0;
	lkst_error_memory(err, "the page");
	return -1;
}
