// SPDX-License-Identifier: GPL-2.0
/* The keys of lkstla top: how they are decoded, and what they change. */
#include "lkstla/top/top.h"
#include "tap.h"

static const struct {
	const char *bytes;
	int key;
	size_t used;
} codes[] = {
	{ "q", 'q', 1 },
	{ "\xc3\xa4", 0xc3, 1 },
	{ "\033", KEY_ESCAPE, 1 },
	{ "\033q", KEY_ESCAPE, 1 },
	{ "\033[A", KEY_UP, 3 },
	{ "\033OBx", KEY_DOWN, 3 },
	{ "\033[5~q", KEY_PAGE_UP, 4 },
	{ "\033[6~", KEY_PAGE_DOWN, 4 },
	{ "\033[1~", KEY_HOME, 4 },
	{ "\033[F", KEY_END, 3 },
	{ "\033[1;5C", KEY_NONE, 6 },
	{ "\033[", KEY_NONE, 2 },
	{ "\033[12", KEY_NONE, 4 },
	{ "\033\033[A", KEY_ESCAPE, 1 },
};

TEST_EACH(test_decode, codes)
{
	size_t used;

	ck_assert_int_eq(keys_decode(codes[_i].bytes, strlen(codes[_i].bytes), &used),
			 codes[_i].key);
	ck_assert_uint_eq(used, codes[_i].used);
}
END_TEST

/*
 * Press @keys, and check the action of the last key and the @state after it. A page has 10 rows.
 * @state is the number of the view, with the letters "a" (all threads), "p" (paused) or "h" (help)
 * if they apply, then the number of rows that have scrolled off the top of the screen, then the
 * prompt and the message in quotes.
 */
static const struct {
	const char *name, *keys;
	enum top_action action;
	const char *state;
} presses[] = {
	{ "quit", "q", ACTION_QUIT, "0 0 ''" },
	{ "Ctrl-C", "\003", ACTION_QUIT, "0 0 ''" },
	{ "system calls", "y", ACTION_DRAW, "1 0 ''" },
	{ "interrupts", "i", ACTION_DRAW, "2 0 ''" },
	{ "CPUs", "u", ACTION_DRAW, "3 0 ''" },
	{ "threads", "ut", ACTION_DRAW, "0 0 ''" },
	{ "the next view", "\t\t", ACTION_DRAW, "2 0 ''" },
	{ "the view after the last one", "u\t", ACTION_DRAW, "0 0 ''" },
	{ "pause", " ", ACTION_DRAW, "0p 0 ''" },
	{ "continue", "  ", ACTION_DRAW, "0 0 ''" },
	{ "help", "h", ACTION_DRAW, "0h 0 ''" },
	{ "a key leaves the help, and does nothing else", "?y", ACTION_DRAW, "0 0 ''" },
	{ "quit in the help", "hq", ACTION_QUIT, "0h 0 ''" },
	{ "all threads", "a", ACTION_DRAW, "0a 0 'from the next interval on: all threads'" },
	{ "the next key removes a message", "at", ACTION_DRAW, "0a 0 ''" },
	{ "sort to the left", "<", ACTION_SORT_LEFT, "0 0 ''" },
	{ "sort to the right", "\033[C", ACTION_SORT_RIGHT, "0 0 ''" },
	{ "down", "\033[B\033[B", ACTION_DRAW, "0 2 ''" },
	{ "a page down", "\033[6~", ACTION_DRAW, "0 10 ''" },
	{ "up", "\033[6~\033[A", ACTION_DRAW, "0 9 ''" },
	{ "up from the first row", "\033[A\033[5~", ACTION_DRAW, "0 0 ''" },
	{ "home", "\033[6~\033[H", ACTION_DRAW, "0 0 ''" },
	{ "another view begins with its first row", "\033[6~y", ACTION_DRAW, "1 0 ''" },
	{ "a CPU", "c12\r", ACTION_CPU, "0 0 '' 12" },
	{ "all CPUs", "c\n", ACTION_CPU, "0 0 ''" },
	{ "processes", "pba*,!q\r", ACTION_PROCESS, "0 0 '' ba*,!q" },
	{ "a prompt", "pq", ACTION_DRAW, "0 0 'processes (empty: all): q' q" },
	{ "escape leaves a prompt", "p1\033", ACTION_DRAW, "0 0 '' 1" },
	{ "a column", "srun-%\r", ACTION_SORT, "0 0 '' run-%" },
	{ "no column", "s\r", ACTION_DRAW, "0 0 ''" },
	{ "backspace", "c12\177\b3", ACTION_DRAW, "0 0 'CPU (empty: all): 3' 3" },
	{ "backspace at the start", "c\177", ACTION_DRAW, "0 0 'CPU (empty: all): '" },
	{ "backspace deletes a character of UTF-8", "px\xc3\xa4\177", ACTION_DRAW,
	  "0 0 'processes (empty: all): x' x" },
	{ "Ctrl-U", "p12\025", ACTION_DRAW, "0 0 'processes (empty: all): '" },
	{ "a control character in a prompt", "p1\001", ACTION_NONE,
	  "0 0 'processes (empty: all): 1' 1" },
	{ "an arrow in a prompt", "p1\033[A", ACTION_NONE, "0 0 'processes (empty: all): 1' 1" },
	{ "a key without a meaning", "x", ACTION_NONE, "0 0 ''" },
	{ "a sequence without a meaning", "y\033[1;5C", ACTION_NONE, "1 0 ''" },
};

static enum top_action press(struct top_ui *ui, const char *keys)
{
	enum top_action action = ACTION_NONE;
	size_t used;

	for (size_t len = strlen(keys); len; len -= used, keys += used)
		action = keys_press(ui, keys_decode(keys, len, &used), 10);
	return action;
}

TEST_ROWS(test_press, presses)
{
	struct top_ui ui = { 0 };
	char last[TOP_INPUT_SIZE + 64], state[1024];

	ck_assert_int_eq(press(&ui, presses[_i].keys), presses[_i].action);
	keys_prompt_text(&ui, last, sizeof(last));
	snprintf(state, sizeof(state), "%d%s%s%s %zu '%s'%s%s", ui.view, ui.all ? "a" : "",
		 ui.paused ? "p" : "", ui.help ? "h" : "", ui.first, last, ui.len ? " " : "",
		 ui.input);
	ck_assert_str_eq(state, presses[_i].state);
}

/* Input that is too long is cut. */
TEST(test_long_input)
{
	struct top_ui ui = { 0 };

	press(&ui, "p");
	for (int i = 0; i < 2 * TOP_INPUT_SIZE; i++)
		press(&ui, "x");
	ck_assert_uint_eq(strlen(ui.input), TOP_INPUT_SIZE - 1);
	ck_assert_int_eq(press(&ui, "\r"), ACTION_PROCESS);
}
END_TEST

/*
 * The key End scrolls beyond the last row, because the number of rows is not known here. The caller
 * limits the position.
 */
TEST(test_end)
{
	struct top_ui ui = { .first = 5 };

	ck_assert_int_eq(press(&ui, "\033[F"), ACTION_DRAW);
	ck_assert_uint_eq(ui.first, SIZE_MAX);
	ck_assert_int_eq(press(&ui, "\033[B"), ACTION_DRAW);
	ck_assert_uint_eq(ui.first, 0);
}
END_TEST
