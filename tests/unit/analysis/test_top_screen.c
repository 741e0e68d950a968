// SPDX-License-Identifier: GPL-2.0
/* How lkstla top lays out its screen. The tests draw on a small simulated terminal. */
#include "lkstla/top/top.h"
#include "tap.h"

#define ROWS	8
#define COLUMNS 12

static char cell[ROWS][COLUMNS + 1];

/* Fill the terminal with "#". Drawing must replace all of them. */
static void setup(void)
{
	for (int row = 0; row < ROWS; row++)
		memset(cell[row], '#', COLUMNS);
}

TESTS(.setup = setup);

static void erase(unsigned int row, unsigned int column)
{
	if (row < ROWS && column < COLUMNS)
		memset(cell[row] + column, ' ', COLUMNS - column);
}

/* Draw on a terminal that has @height rows and does not wrap lines. */
static void show(const char *text, unsigned int height)
{
	unsigned int row = 0, column = 0;

	for (; *text; text++) {
		unsigned int number = 0;

		if (*text == '\r') {
			column = 0;
		} else if (*text == '\n') {
			row++;
		} else if (*text != '\033') {
			ck_assert_uint_lt(row, height);
			ck_assert_uint_lt(column, COLUMNS);
			cell[row][column++] = *text;
		} else {
			text++;
			ck_assert_int_eq(*text++, '[');
			while (*text >= '0' && *text <= ';')
				number = *text == ';' ? (text++, number) :
							number * 10 + (unsigned int)(*text++ - '0');
			switch (*text) {
			case 'H':
				row = number ? number / 10 - 1 : 0;
				column = 0;
				break;
			case 'K':
				erase(row, column);
				break;
			case 'J':
				erase(row, column);
				for (unsigned int i = row + 1; i < height; i++)
					erase(i, 0);
				break;
			default:
				ck_assert_int_eq(*text, 'm');
			}
		}
	}
}

static const struct {
	const char *name;
	struct top_screen screen;
	const char *rows; /* without blanks at the ends of rows */
} screens[] = {
	{ "everything fits",
	  { "title", "one\ntwo\n", "head\na\nb\n", 0, "last", COLUMNS, 8 },
	  "title|one|two|head|a|b||last" },
	{ "long lines are cut",
	  { "a title that is long", "123456789012\n", "1234567890123\n", 0,
	    "message of some length", COLUMNS, 8 },
	  "a title that|123456789012|123456789012|||||message of s" },
	{ "rows that do not fit",
	  { "title", "one\n", "head\na\nb\nc\nd\n", 0, "", COLUMNS, 6 },
	  "title|one|head|a|b||#|#" },
	{ "rows above the first one",
	  { "title", "one\n", "head\na\nb\nc\nd\n", 2, "", COLUMNS, 6 },
	  "title|one|head|c|d||#|#" },
	{ "more rows above than there are",
	  { "title", "", "head\na\n", 7, "", COLUMNS, 4 },
	  "title|head|||#|#|#|#" },
	{ "the header is cut first",
	  { "title", "1\n2\n3\n4\n", "head\na\nb\nc\n", 0, "last", COLUMNS, 6 },
	  "title|1|head|a|b|last|#|#" },
	{ "colours have no width",
	  { "title", "", "\033[1mhe\033[0mad\n\033[33m123456789012345\033[0m\n", 0, "", COLUMNS, 4 },
	  "title|head|123456789012||#|#|#|#" },
	{ "the last line has no control characters",
	  { "title", "", "", 0, "a\033[Jb", COLUMNS, 3 },
	  "title||a\\033[Jb|#|#|#|#|#" },
	{ "two lines", { "title", "one\n", "head\n", 0, "last", COLUMNS, 2 }, "title|last|#|#|#|#|#|#" },
	{ "one line", { "title", "one\n", "head\n", 0, "last", COLUMNS, 1 }, "title|#|#|#|#|#|#|#" },
};

TEST_ROWS(test_draw, screens)
{
	const struct top_screen *screen = &screens[_i].screen;
	char *text, rows[256] = "";
	size_t size;
	FILE *to = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(to);
	screen_draw(screen, to);
	fclose(to);
	show(text, screen->height);
	free(text);
	for (int row = 0; row < ROWS; row++) {
		size_t len = COLUMNS;

		while (len && cell[row][len - 1] == ' ')
			len--;
		if (cell[row][0] == '#')
			len = 1;
		snprintf(rows + strlen(rows), sizeof(rows) - strlen(rows), "%s%.*s", row ? "|" : "",
			 (int)len, cell[row]);
	}
	ck_assert_str_eq(rows, screens[_i].rows);
}
