// SPDX-License-Identifier: GPL-2.0
/*
 * Draws a screen: the lines that fit, each cut at the width of the terminal. Each line replaces the
 * old one without clearing the screen, which avoids flicker.
 */
#include <string.h>

#include "lib/base/printable.h"
#include "top.h"

#define HOME	"\033[H"
#define CLEAR	"\033[K"
#define BELOW	"\033[J"
#define REVERSE "\033[7m"
#define PLAIN	"\033[0m"

/* Return the length of an escape sequence for colours at the start of @text; 0: none. */
static size_t screen_escape(const char *text, const char *end)
{
	const char *p = text;

	if (p + 1 >= end || p[0] != '\033' || p[1] != '[')
		return 0;
	for (p += 2; p < end && (*p < '@' || *p > '~'); p++)
		;
	return p < end ? (size_t)(p - text) + 1 : 0;
}

/*
 * Write the first @width characters of a line, which ends at @end, and return their number. The
 * line is cleared before it is written: after a line that fills the width, the cursor stays on the
 * last character, so clearing the rest of the line would erase that character.
 */
static unsigned int screen_line(const char *text, const char *end, unsigned int width, FILE *to)
{
	unsigned int column = 0;
	size_t len;

	fputs(CLEAR, to);
	while (text < end) {
		len = screen_escape(text, end);
		if (!len) {
			len = 1;
			while (text + len < end && (text[len] & 0xc0) == 0x80)
				len++;
			if (column == width)
				break;
			column++;
		}
		fwrite(text, 1, len, to);
		text += len;
	}
	return column;
}

/* Write up to @lines lines, and return the number of lines that were written. */
static unsigned int screen_lines(const char **text, unsigned int lines, unsigned int width,
				 FILE *to)
{
	unsigned int n;

	for (n = 0; n < lines && **text; n++) {
		const char *end = *text + strcspn(*text, "\n");

		fputs("\r\n", to);
		screen_line(*text, end, width, to);
		fputs(PLAIN, to);
		*text = *end ? end + 1 : end;
	}
	return n;
}

static void screen_skip(const char **text, size_t lines)
{
	for (; lines && **text; lines--) {
		*text += strcspn(*text, "\n");
		*text += **text == '\n';
	}
}

static void screen_title(const struct top_screen *screen, FILE *to)
{
	unsigned int column;

	fputs(HOME REVERSE, to);
	column = screen_line(screen->title, screen->title + strlen(screen->title), screen->width,
			     to);
	fprintf(to, "%*s" PLAIN, (int)(screen->width - column), "");
}

/**
 * screen_draw() - draw a screen
 * @screen: what to draw
 * @to: terminal
 *
 * If the terminal has too few rows, the lines of the header are left out first.
 */
void screen_draw(const struct top_screen *screen, FILE *to)
{
	unsigned int left = screen->height > 2 ? screen->height - 2 : 0;
	const char *header = screen->header, *body = screen->body;
	char last[TOP_INPUT_SIZE * 4];

	screen_title(screen, to);
	left -= screen_lines(&header, left > 3 ? left - 3 : 0, screen->width, to);
	left -= screen_lines(&body, left > 0, screen->width, to);
	screen_skip(&body, screen->first);
	left -= screen_lines(&body, left, screen->width, to);
	if (left)
		fputs("\r\n" BELOW, to);
	if (screen->height < 2)
		return;
	lkst_printable(screen->last, strlen(screen->last), last, sizeof(last));
	fprintf(to, "\033[%u;1H", screen->height);
	screen_line(last, last + strlen(last), screen->width, to);
}
