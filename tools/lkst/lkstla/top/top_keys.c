// SPDX-License-Identifier: GPL-2.0
/* The keys of lkstla top. This code does not access the terminal. */
#include <stdio.h>
#include <string.h>

#include "top.h"

const char keys_help[] =
	"  q, Ctrl-C   quit\n"
	"  space       pause: the screen keeps the interval that it shows\n"
	"  t y i u     threads, system calls, interrupts, CPUs; Tab: the next of these\n"
	"  < >         sort by the column to the left or to the right\n"
	"  s           sort by a column: its heading, with \"-\" for blanks (run-%)\n"
	"  a           also threads that did nothing but sleep, or not\n"
	"  p           processes: numbers, names, 'ba*', !name; empty: all\n"
	"  c           a CPU; empty: all\n"
	"  arrows, Page Up, Page Down, Home   other rows\n"
	"  h ?         this help\n"
	"\n"
	"What is selected with a, p and c is shown from the next interval on.\n"
	"lkstla(8) explains the columns.\n";

/* Sequences of terminals, without the escape character */
static const struct {
	const char *bytes;
	int key;
} sequences[] = {
	{ "[A", KEY_UP },	{ "OA", KEY_UP },	  { "[B", KEY_DOWN }, { "OB", KEY_DOWN },
	{ "[C", KEY_RIGHT },	{ "OC", KEY_RIGHT },	  { "[D", KEY_LEFT }, { "OD", KEY_LEFT },
	{ "[5~", KEY_PAGE_UP }, { "[6~", KEY_PAGE_DOWN }, { "[H", KEY_HOME }, { "OH", KEY_HOME },
	{ "[1~", KEY_HOME },	{ "[F", KEY_END },	  { "OF", KEY_END },  { "[4~", KEY_END },
};

/* Return the length of a control sequence that starts after an escape character. */
static size_t keys_sequence(const char *bytes, size_t len)
{
	size_t i = 1;

	if (!len || (*bytes != '[' && *bytes != 'O'))
		return 0;
	while (i < len && (bytes[i] < '@' || bytes[i] > '~'))
		i++;
	return i < len ? i + 1 : i;
}

/**
 * keys_decode() - get the first key from what a terminal sent
 * @bytes: what the terminal sent
 * @len: number of bytes, at least 1
 * @used: number of bytes of the key
 *
 * Return: a character as unsigned char, or KEY_*; KEY_NONE if the sequence has no meaning here.
 */
int keys_decode(const char *bytes, size_t len, size_t *used)
{
	size_t size;

	*used = 1;
	if (*bytes != '\033')
		return (unsigned char)*bytes;
	size = keys_sequence(bytes + 1, len - 1);
	if (!size)
		return KEY_ESCAPE;
	*used += size;
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		if (strlen(sequences[i].bytes) == size &&
		    !memcmp(sequences[i].bytes, bytes + 1, size))
			return sequences[i].key;
	return KEY_NONE;
}

/* Delete the last character, which may have several bytes in UTF-8. */
static void keys_delete(struct top_ui *ui)
{
	while (ui->len && (ui->input[ui->len - 1] & 0xc0) == 0x80)
		ui->len--;
	if (ui->len)
		ui->len--;
}

static enum top_action keys_enter(struct top_ui *ui)
{
	static const enum top_action actions[] = {
		[PROMPT_SORT] = ACTION_SORT,
		[PROMPT_CPU] = ACTION_CPU,
		[PROMPT_PROCESS] = ACTION_PROCESS,
	};
	enum top_action action = actions[ui->prompt];

	ui->prompt = PROMPT_NONE;
	/* Ignore an empty name of a column. */
	return action == ACTION_SORT && !ui->len ? ACTION_DRAW : action;
}

static enum top_action keys_edit(struct top_ui *ui, int key)
{
	if (key == '\r' || key == '\n')
		return keys_enter(ui);
	if (key == KEY_ESCAPE)
		ui->prompt = PROMPT_NONE;
	else if (key == '\b' || key == 0x7f)
		keys_delete(ui);
	else if (key == 0x15) /* Ctrl-U */
		ui->len = 0;
	else if (key >= ' ' && key <= 0xff && ui->len < TOP_INPUT_SIZE - 1)
		ui->input[ui->len++] = (char)key;
	else
		return ACTION_NONE;
	ui->input[ui->len] = 0;
	return ACTION_DRAW;
}

static enum top_action keys_ask(struct top_ui *ui, enum top_prompt prompt)
{
	ui->prompt = prompt;
	ui->len = 0;
	ui->input[0] = 0;
	return ACTION_DRAW;
}

static enum top_action keys_show(struct top_ui *ui, enum top_view view)
{
	ui->view = view;
	ui->first = 0;
	return ACTION_DRAW;
}

/*
 * Scroll by a number of rows. The caller of keys_press() limits the result to the number of rows.
 */
static enum top_action keys_scroll(struct top_ui *ui, size_t up, size_t down)
{
	ui->first = ui->first > up ? ui->first - up : 0;
	ui->first += down;
	return ACTION_DRAW;
}

static enum top_action keys_move(struct top_ui *ui, int key, size_t page)
{
	switch (key) {
	case KEY_UP:
		return keys_scroll(ui, 1, 0);
	case KEY_DOWN:
		return keys_scroll(ui, 0, 1);
	case KEY_PAGE_UP:
		return keys_scroll(ui, page, 0);
	case KEY_PAGE_DOWN:
		return keys_scroll(ui, 0, page);
	case KEY_HOME:
		return keys_scroll(ui, SIZE_MAX, 0);
	case KEY_END:
		return keys_scroll(ui, SIZE_MAX, SIZE_MAX);
	default:
		return ACTION_NONE;
	}
}

static enum top_action keys_command(struct top_ui *ui, int key, size_t page)
{
	switch (key) {
	case 'q':
	case 'Q':
	case 3: /* Ctrl-C, if the terminal does not send a signal */
		return ACTION_QUIT;
	case ' ':
		ui->paused = !ui->paused;
		return ACTION_DRAW;
	case 'h':
	case '?':
		ui->help = true;
		return ACTION_DRAW;
	case 't':
		return keys_show(ui, TOP_THREADS);
	case 'y':
		return keys_show(ui, TOP_CALLS);
	case 'i':
		return keys_show(ui, TOP_INTERRUPTS);
	case 'u':
		return keys_show(ui, TOP_CPUS);
	case '\t':
		return keys_show(ui, (ui->view + 1) % TOP_VIEWS);
	case 'a':
		ui->all = !ui->all;
		snprintf(ui->message, sizeof(ui->message), "from the next interval on: %s",
			 ui->all ? "all threads" : "only threads that did not just sleep");
		return ACTION_DRAW;
	case '<':
	case KEY_LEFT:
		return ACTION_SORT_LEFT;
	case '>':
	case KEY_RIGHT:
		return ACTION_SORT_RIGHT;
	case 's':
		return keys_ask(ui, PROMPT_SORT);
	case 'c':
		return keys_ask(ui, PROMPT_CPU);
	case 'p':
		return keys_ask(ui, PROMPT_PROCESS);
	default:
		return keys_move(ui, key, page);
	}
}

/**
 * keys_press() - handle a key
 * @ui: what the user has chosen so far
 * @key: from keys_decode()
 * @page: number of rows on the screen
 */
enum top_action keys_press(struct top_ui *ui, int key, size_t page)
{
	if (key == KEY_NONE)
		return ACTION_NONE;
	if (ui->prompt)
		return keys_edit(ui, key);
	ui->message[0] = 0;
	if (ui->help && key != 'q' && key != 3) {
		ui->help = false;
		return ACTION_DRAW;
	}
	return keys_command(ui, key, page);
}

/**
 * keys_prompt_text() - describe what the user is entering
 * @ui: what the user has chosen
 * @text: result: the prompt, the message, or ""
 * @size: size of @text in bytes
 */
void keys_prompt_text(const struct top_ui *ui, char *text, size_t size)
{
	static const char *const prompts[] = {
		[PROMPT_SORT] = "sort by column",
		[PROMPT_CPU] = "CPU (empty: all)",
		[PROMPT_PROCESS] = "processes (empty: all)",
	};

	if (ui->prompt)
		snprintf(text, size, "%s: %s", prompts[ui->prompt], ui->input);
	else
		snprintf(text, size, "%s", ui->message);
}
