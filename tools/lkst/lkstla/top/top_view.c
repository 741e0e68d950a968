// SPDX-License-Identifier: GPL-2.0
/* lkstla top on a terminal: draws the selected interval, and carries out the commands of keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/processes.h"
#include "lib/text/parse.h"
#include "lib/trace/select.h"
#include "lkstla/terminal.h"
#include "top.h"

#define VIEW_CPUS 8192

/* ---- drawing ---- */

static void view_title(const struct top_display *display, char *text, size_t size)
{
	const struct common_arguments *args = display->runner->args;
	const struct top_ui *ui = &display->ui;
	const char *sort = display->sort[ui->view];
	int len;

	len = snprintf(text, size, "lkstla top - %s%s%s", top_views[ui->view].name,
		       *sort ? " by " : "", sort);
	if (args->cpu >= 0)
		len += snprintf(text + len, size - (size_t)len, ", CPU %lld", (long long)args->cpu);
	if (display->runner->processes)
		len += snprintf(text + len, size - (size_t)len, ", selected processes");
	snprintf(text + len, size - (size_t)len, "%s - h: help", ui->paused ? " - PAUSED" : "");
}

/* Return the number of lines of a text. */
static size_t view_lines(const char *text)
{
	size_t lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Return the number of rows that fit on the screen. */
static size_t view_page(void)
{
	unsigned int width, height;

	terminal_size(&width, &height);
	return height > 12 ? height - 8 : 4;
}

/* Limit scrolling, so that the last row stays on the screen. */
static void view_limit(struct top_ui *ui, const char *body)
{
	size_t rows = view_lines(body);

	rows = rows > 2 ? rows - 2 : 0;
	if (ui->first > rows)
		ui->first = rows;
}

static void view_print(struct top_display *display, struct top_screen *screen, FILE *header,
		       FILE *body)
{
	struct top_frame *frame = display->shown;

	if (display->ui.help) {
		fputs("Keys:\n", body);
		fputs(keys_help, body);
		return;
	}
	if (!frame) {
		fputs("The first interval has not ended yet.\n", body);
		return;
	}
	frame_print_header(frame, screen->width, header);
	putc('\n', header);
	frame_print_view(frame, display->ui.view, screen->width, color_enabled(), body);
}

/**
 * top_view_draw() - draw the screen
 * @display: screen
 */
void top_view_draw(struct top_display *display)
{
	char title[256], last[TOP_INPUT_SIZE + 64];
	char *header = NULL, *body = NULL;
	size_t header_size, body_size;
	FILE *to_header = open_memstream(&header, &header_size);
	FILE *to_body = open_memstream(&body, &body_size);
	struct top_screen screen = { .title = title, .last = last };

	terminal_size(&screen.width, &screen.height);
	if (to_header && to_body)
		view_print(display, &screen, to_header, to_body);
	/* If memory is short, leave the screen unchanged. */
	if (to_header && !fclose(to_header) && to_body && !fclose(to_body)) {
		view_limit(&display->ui, body);
		view_title(display, title, sizeof(title));
		keys_prompt_text(&display->ui, last, sizeof(last));
		screen.header = header;
		screen.body = body;
		screen.first = display->ui.help ? 0 : display->ui.first;
		screen_draw(&screen, stdout);
		fflush(stdout);
	}
	free(header);
	free(body);
}

/* ---- keys ---- */

static void view_message(struct top_display *display, const struct lkst_error *err)
{
	snprintf(display->ui.message, sizeof(display->ui.message), "%.*s",
		 (int)strcspn(err->text, "\n"), err->text);
}

/* Sort by the column that is @step columns to the right of the current one. */
static void view_move_sort(struct top_display *display, int step)
{
	enum top_view view = display->ui.view;
	char *key = display->sort[view];
	const struct table *table;
	size_t i, columns;

	if (!display->shown)
		return;
	table = display->shown->tables.table[top_views[view].first];
	columns = table_columns(table);
	for (i = 0; i < columns && strcasecmp(key, table_sort_key(table, i)); i++)
		;
	/*
	 * If a view has its default order, there is no current column: begin with the first one
	 * that contains numbers.
	 */
	i = i == columns ? 1 : (i + columns + (size_t)step) % columns;
	snprintf(key, TOP_SORT_SIZE, "%s", table_sort_key(table, i));
	frame_sort(display->shown, view, key, NULL);
	display->ui.first = 0;
}

static void view_sort(struct top_display *display)
{
	struct lkst_error err;

	if (!display->shown)
		return;
	if (frame_sort(display->shown, display->ui.view, display->ui.input, &err)) {
		view_message(display, &err);
		return;
	}
	snprintf(display->sort[display->ui.view], TOP_SORT_SIZE, "%.*s", TOP_SORT_SIZE - 1,
		 display->ui.input);
	display->ui.first = 0;
}

static void view_select_cpu(struct top_display *display)
{
	const struct runner *runner = display->runner;
	struct lkst_cpu_span now;
	struct lkst_error err;
	long cpu = -1;

	if (display->ui.len &&
	    lkst_parse_range("CPU", display->ui.input, 0, VIEW_CPUS - 1, &cpu, &err)) {
		view_message(display, &err);
		return;
	}
	if (cpu >= 0 && !lkst_model_cpu(runner->run.model, runner->source, (int32_t)cpu, &now)) {
		snprintf(display->ui.message, sizeof(display->ui.message), "CPU %ld has no events",
			 cpu);
		return;
	}
	display->runner->args->cpu = cpu;
}

static void view_select_processes(struct top_display *display)
{
	struct runner *runner = display->runner;
	struct lkst_processes *processes = lkst_processes_new(NULL);
	struct lkst_error err;

	if (!processes)
		return;
	if (display->ui.len && lkst_processes_add(processes, display->ui.input, &err)) {
		view_message(display, &err);
		lkst_processes_free(processes);
		return;
	}
	if (!display->ui.len) {
		lkst_processes_free(processes);
		processes = NULL;
	}
	lkst_processes_free(runner->processes);
	runner->processes = processes;
	names_forget(runner);
}

/* Execute an action. Returns 1 to quit; otherwise 0. */
static int view_act(struct top_display *display, enum top_action action)
{
	switch (action) {
	case ACTION_QUIT:
		return 1;
	case ACTION_SORT_LEFT:
		view_move_sort(display, -1);
		break;
	case ACTION_SORT_RIGHT:
		view_move_sort(display, 1);
		break;
	case ACTION_SORT:
		view_sort(display);
		break;
	case ACTION_CPU:
		view_select_cpu(display);
		break;
	case ACTION_PROCESS:
		view_select_processes(display);
		break;
	default:
		break;
	}
	return 0;
}

/**
 * top_view_keys() - wait for keys, and execute their actions
 * @display: screen
 * @timeout_ms: maximum time to wait
 *
 * Return: 1 to quit, because of a key or a signal, or because the terminal was closed; otherwise 0.
 */
int top_view_keys(struct top_display *display, int timeout_ms)
{
	char bytes[256];
	int len = terminal_read(bytes, sizeof(bytes), timeout_ms);
	bool draw = terminal_changed();
	size_t used;

	if (len < 0 || terminal_stopping())
		return 1;
	for (int i = 0; i < len; i += (int)used) {
		int key = keys_decode(bytes + i, (size_t)(len - i), &used);
		enum top_action action = keys_press(&display->ui, key, view_page());

		draw |= action != ACTION_NONE;
		if (view_act(display, action))
			return 1;
	}
	if (draw)
		top_view_draw(display);
	return 0;
}
