// SPDX-License-Identifier: GPL-2.0
/* lkstla html: writes a page with a timeline of the trace. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/messages.h"
#include "html.h"
#include "lib/base/error.h"
#include "lkstla/delays.h"
#include "lkstla/findings.h"
#include "lkstla/messages.h"
#include "lkstla/tally.h"
#include "page.h"

#define HTML_LARGE	(256ull << 20) /* bytes: some browsers may have trouble with more */

/* Ten events make about this many spans. */
#define HTML_SPANS_TENTHS 16

static const struct option_row html_rows[] = {
	OPT_TEXT('o', "output", "FILE", struct html_arguments, output,
		 "write the page to FILE (required); \"-\": standard output"),
	OPT_NUMBER(0, "slowest", "NUMBER", struct html_arguments, slowest, 1, DELAYS_MAX,
		   "number of delays", "explain the longest delays; default: 100"),
};

static const struct analysis *const html_parts[HTML_PARTS] = {
	[HTML_PART_BLOCK] = &analysis_block, [HTML_PART_LOCK] = &analysis_lock,
	[HTML_PART_NET] = &analysis_net,     [HTML_PART_REPORT] = &analysis_report,
	[HTML_PART_WHY] = &analysis_why,
};

/* ---- signals ---- */

static volatile sig_atomic_t html_stop;

static void html_on_signal(int signal)
{
	html_stop = signal;
}

/* Make the model fail if the page cannot be completed. */
static void html_check(struct html *html)
{
	struct lkst_error err;

	if (html_stop) {
		lkst_error_set(&err, LKST_ERR_INTERRUPTED, MSG_HTML_STOPPED);
		lkst_model_fail(html->run->model, &err);
	} else if (html_output_check(&html->output, &err)) {
		lkst_model_fail(html->run->model, &err);
	} else if (html_chunks_failed(&html->chunks)) {
		run_out_of_memory(html->run);
	}
}

/* ---- the start ---- */

static void html_free(void *ctx)
{
	struct html *html = ctx;

	for (int i = 0; i < HTML_PARTS; i++)
		if (html->part[i])
			html_parts[i]->free(html->part[i]);
	if (html->output.name && !html->complete)
		html_output_abort(&html->output);
	html_chunks_free(&html->chunks);
	html_levels_free(&html->levels);
	html_names_free(&html->names);
	html_plots_free(&html->plots);
	paths_free(&html->paths);
	if (html->text.buf)
		lkst_out_close(&html->text);
	free(html->thread);
	free(html->cpu);
	free(html->cpu_of);
	free(html->device);
	free(html->mark);
	free(html->loss);
	free(html);
}

static int html_start_parts(struct html *html, struct lkst_error *err)
{
	const struct run *run = html->run;

	for (int i = 0; i < HTML_PARTS; i++) {
		if (i == HTML_PART_REPORT)
			html->part[i] = findings_start(run, html->report, err);
		else if (i == HTML_PART_WHY)
			html->part[i] = delays_start(run, err);
		else
			html->part[i] = html_parts[i]->start(run, err);
		if (!html->part[i] ||
		    lkst_model_add(run->model, &html_parts[i]->ops, html->part[i], err))
			return -1;
	}
	html_observe_devices(html);
	return 0;
}

/* Estimate the number of spans in the window. */
static uint64_t html_spans(const struct run *run)
{
	double part = (double)tally_length(run->begin_ns, run->end_ns) /
		      ((double)tally_length(run->oldest_ns, run->newest_ns) + 1);

	return (uint64_t)((double)lkst_trace_records(run->trace) / 10 * HTML_SPANS_TENTHS * part);
}

static const char *html_refuses_output(const struct common_arguments *args, const char *output)
{
	if (!strcmp(output, "-") && isatty(STDOUT_FILENO))
		return MSG_HTML_TERMINAL;
	if (trace_files_have(&args->input.from, output))
		return MSG_OUTPUT_IS_INPUT;
	return NULL;
}

/* Check -o before the trace is read. */
static int html_check_output(const struct common_arguments *args, const void *own, char **operands,
			     struct lkst_error *err)
{
	const char *output = ((const struct html_arguments *)own)->output;
	const char *why = output ? html_refuses_output(args, output) : MSG_HTML_OUTPUT;

	(void)operands;
	if (!why)
		return 0;
	lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", why);
	return -1;
}

static const char *html_refuses(const struct run *run, const char *output)
{
	const char *why = html_refuses_output(run->args, output);

	if (why)
		return why;
	if (tally_length(run->begin_ns, run->end_ns) >= HTML_LENGTH_MAX)
		return MSG_HTML_LONG;
	return NULL;
}

/* Write a text as HTML, with escapes for special characters. */
static void html_put_escaped(struct html_output *to, const char *text)
{
	for (; *text; text++) {
		size_t plain = strcspn(text, "<>&\"");
		const char *entity = text[plain] == '<' ? "&lt;" :
				     text[plain] == '>' ? "&gt;" :
				     text[plain] == '"' ? "&quot;" :
							  "&amp;";

		html_output_text(to, text, plain);
		text += plain;
		if (!*text)
			return;
		html_output_text(to, entity, strlen(entity));
	}
}

static void html_put_head(struct html *html)
{
	const struct trace_files *from = &html->run->args->input.from;
	const char *slash = from->num ? strrchr(from->path[0], '/') : NULL;
	const char *name = slash ? slash + 1 : from->num ? from->path[0] : "trace";

	html_output_text(&html->output, html_page_head, strlen(html_page_head));
	html_put_escaped(&html->output, name);
	html_output_text(&html->output, html_page_middle, strlen(html_page_middle));
}

static int html_open(struct html *html, const char *path, struct lkst_error *err)
{
	const struct lkst_format_options options = { .verbose = true };

	if (lkst_out_open(&html->text, -1, err))
		return -1;
	lkst_format_init(&html->format, &html->text, html->run->types, NULL, &options);
	program_catch_stop(html_on_signal);
	if (html_output_open(&html->output, path, err)) {
		html->output.name = NULL;
		return -1;
	}
	/*
	 * If the page is written directly, a signal need not be caught, because there is no
	 * temporary file to remove.
	 */
	if (replacement_direct(&html->output.file))
		program_release_stop();
	html_chunks_init(&html->chunks, &html->output);
	html_put_head(html);
	return 0;
}

/* Begin a page. @report is NULL for lkstla html. */
static struct html *html_new(const struct run *run, const char *path,
			     const struct report_arguments *report, struct lkst_error *err)
{
	static const struct report_arguments defaults;
	const char *why = html_refuses(run, path);
	struct html *html;

	if (why) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, "%s", why);
		return NULL;
	}
	html = calloc(1, sizeof(*html));
	if (!html) {
		lkst_error_memory(err, "the page");
		return NULL;
	}
	html->run = run;
	html->slowest = HTML_SLOWEST;
	html->is_report = report;
	html->report = report ? report : &defaults;
	html_plots_init(&html->plots);
	html_levels_init(&html->levels, tally_length(run->begin_ns, run->end_ns), html_spans(run));
	html_names_init(&html->names, run);
	paths_init(&html->paths, run);
	if (!html_start_parts(html, err) && !html_open(html, path, err))
		return html;
	html_free(html);
	return NULL;
}

static void *html_start(const struct run *run, struct lkst_error *err)
{
	const struct html_arguments *own = run->own;
	struct html *html = html_new(run, own->output, NULL, err);

	if (html && own->slowest)
		html->slowest = (size_t)own->slowest;
	return html;
}

/* Begin the page of lkstla report --html. */
static void *html_start_report(const struct run *run, struct lkst_error *err)
{
	const struct report_arguments *own = run->own;

	return html_new(run, own->html, own, err);
}

/* ---- the end ---- */

/* Write the parts of the page that are known only after the last event. */
static int html_put_rest(struct html *html, struct lkst_error *err)
{
	struct html_output *output = &html->output;
	struct html_bytes block = { 0 };
	char id[24];
	int ret;

	html_chunks_end(&html->chunks);
	html_levels_finish(&html->levels);
	for (unsigned int i = 0; i < html->levels.num; i++) {
		block.len = 0;
		html_levels_put(&html->levels, i, &block);
		snprintf(id, sizeof(id), "level-%u", i);
		html_output_block(output, id, &block);
	}
	block.len = 0;
	html_chunks_put_directory(&html->chunks, &block);
	html_output_block(output, "directory", &block);
	block.len = 0;
	ret = html_put_meta(html, &block, err);
	if (!ret)
		html_output_block(output, "meta", &block);
	html_output_text(output, html_page_end, strlen(html_page_end));
	html_bytes_free(&block);
	return ret;
}

static void html_note_size(const struct html *html)
{
	uint64_t bytes = html->output.written;
	char text[256];

	if (bytes < HTML_LARGE)
		return;
	snprintf(text, sizeof(text), MSG_HTML_LARGE, html->output.name,
		 (unsigned long long)(bytes >> 20));
	print_note(text);
}

static int html_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct html *html = ctx;

	(void)run;
	(void)to;
	html_finish_devices(html);
	if (html_put_rest(html, err))
		return -1;
	if (html_stop) {
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_HTML_STOPPED);
		return -1;
	}
	html_note_size(html);
	if (html_output_commit(&html->output, err))
		return -1;
	html->complete = true;
	return 0;
}

static void html_early(void *ctx, const struct lkst_event *event)
{
	analysis_report.early(((struct html *)ctx)->part[HTML_PART_REPORT], event);
	html_check(ctx);
}

static void html_take_event(void *ctx, const struct lkst_event *event)
{
	html_on_event(ctx, event);
	html_check(ctx);
}

static const char *const html_needs[] = {
	"PROCESS_CONTEXTSWITCH",
	"PROCESS_WAKEUP",
	"SYSCALL_ENTRY",
	"INT_HARDWARE_ENTRY",
	"INT_TIMER_ENTRY",
	"INT_SOFTIRQ_ENTRY",
	"BLOCK_ISSUE",
	"OOPS_PANIC",
	"USER_TEXT",
	NULL,
};

static const char *const html_helps[] = {
	"PROCESS_WAKING",
	"SYSCALL_EXIT",
	"INT_IPI_ENTRY",
	"TIMER_HR_RUN_ENTRY",
	"TIMER_RUN_ENTRY",
	"WORK_ENTRY",
	"BLOCK_ISSUE",
	"BLOCK_COMPLETE",
	"EXCEPTION_ENTRY",
	"LOCK_CONTENTION_BEGIN",
	"NET_PKTSEND",
	"NET_PKTRECV",
	NULL,
};

#define HTML_CALLBACKS \
	.ops = {                                  \
		.thread = html_on_thread,         \
		.cpu = html_on_cpu,               \
		.context = html_on_context,       \
		.syscall = html_on_syscall,       \
		.loss = html_on_loss,             \
		.event = html_take_event,         \
	},                                        \
	.early = html_early,                      \
	.report = html_report,                    \
	.free = html_free,                        \
	.needs = html_needs,                      \
	.needs_any = true,                        \
	.writes_file = true,                      \
	.helps = html_helps

const struct analysis analysis_html = {
	.name = "html",
	.summary = "what is wrong, where the time went; a timeline for browsers",
	.about = "Writes a page that any browser opens, without a server or a network: what each\n"
		 "CPU, thread and device did, as a timeline that can be zoomed and searched, with\n"
		 "the findings of lkstla report and the explanations of lkstla why.\n",
	.refuses = {
		[ANALYSIS_CPU] = "the page has all CPUs",
		[ANALYSIS_OVER] = "the search of the page selects by duration",
		[ANALYSIS_CSV] = "the result is a page for a browser",
		[ANALYSIS_TOP] = "the page has no tables",
		[ANALYSIS_SORT] = "the page has no tables",
		[ANALYSIS_JSON] = "the result is a page for a browser",
	},
	.required = "-o FILE",
	.check = html_check_output,
	.row = html_rows,
	.rows = sizeof(html_rows) / sizeof(*html_rows),
	.own_size = sizeof(struct html_arguments),
	.start = html_start,
	HTML_CALLBACKS,
};

/* lkstla report --html, whose options analysis_report describes */
const struct analysis analysis_report_page = {
	.name = "report",
	.long_rings = true,
	.start = html_start_report,
	HTML_CALLBACKS,
};
