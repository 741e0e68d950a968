// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a table as text: the headings, the rows, a horizontal line, and the total. Columns are
 * separated by two spaces. Strings and times of day are aligned to the left, numbers to the right.
 */
#include <string.h>

#include "lib/base/printable.h"
#include "lib/text/timestamp.h"
#include "table.h"
#include "table_rows.h"

#define GAP	 2
#define ELLIPSIS "..."
#define BAR_MIN	 8 /* minimum and maximum length of the longest bar */
#define BAR_MAX	 30
#define TEXT_MIN 8 /* minimum to which a string is shortened */

#define STACK_BETWEEN "<-" /* between the functions of a stack */
#define STACK_ROOM    60   /* maximum number of characters of a stack */
#define STACK_MIN     24   /* minimum to which a stack is shortened */

#define BOLD   "1"
#define YELLOW "33"

/* ---- values ---- */

static bool text_continues(char c)
{
	return (c & 0xc0) == 0x80;
}

/*
 * Return the number of characters of a string in UTF-8. Each character is assumed to be one column
 * wide.
 */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += !text_continues(*text);
	return width;
}

/* Write @value / @unit, rounded to @digits digits after the decimal point. */
static void text_decimal(char *to, size_t size, int64_t value, uint64_t unit, int digits)
{
	uint64_t number = value < 0 ? -(uint64_t)value : (uint64_t)value, scale = 1;
	uint64_t whole = number / unit, fraction;

	for (int i = 0; i < digits; i++)
		scale *= 10;
	fraction = (number % unit * scale + unit / 2) / unit;
	whole += fraction / scale;
	fraction %= scale;
	snprintf(to, size, "%s%llu.%0*llu", value < 0 && (whole || fraction) ? "-" : "",
		 (unsigned long long)whole, digits, (unsigned long long)fraction);
}

/* Write a number of bytes in the largest unit in which it is at least 1, such as 1.5M. */
static void text_bytes(char *to, size_t size, int64_t bytes)
{
	static const char units[] = "KMG";
	uint64_t number = bytes < 0 ? -(uint64_t)bytes : (uint64_t)bytes, unit = 1024;
	size_t i = 0, len;

	if (number < unit) {
		snprintf(to, size, "%lld", (long long)bytes);
		return;
	}
	/* 1023.95K and more is rounded to 1024.0K, which is 1.0M. */
	while (units[i + 1] && number >= unit * 1024 - unit / 20) {
		unit *= 1024;
		i++;
	}
	text_decimal(to, size, bytes, unit, 1);
	len = strlen(to);
	snprintf(to + len, size - len, "%c", units[i]);
}

static void text_real(char *to, size_t size, double value)
{
	double rounded = value > -0.05 && value <= 0 ? 0 : value; /* not -0.0 */

	snprintf(to, size, rounded > -1e15 && rounded < 1e15 ? "%.1f" : "%.3e", rounded);
}

/*
 * Shorten a stack that is too long: end it after the last function that fits, but at least after
 * the first one.
 */
static void text_shorten_stack(char *text)
{
	char *end = strstr(text, STACK_BETWEEN);

	if (!end || text_width(text) <= STACK_ROOM)
		return;
	end += strlen(STACK_BETWEEN);
	for (char *next; (next = strstr(end, STACK_BETWEEN)) != NULL;) {
		next += strlen(STACK_BETWEEN);
		if ((size_t)(next - text) + strlen(ELLIPSIS) > STACK_ROOM)
			break;
		end = next;
	}
	strcpy(end, ELLIPSIS);
}

/* Return the text of a cell, which is valid until the next call. */
static const char *text_of_cell(const struct table *table, const struct column *column,
				const struct cell *cell)
{
	size_t size = TABLE_SCRATCH(table->text_max);
	char *to = table->scratch;

	if (table_lacks(column, cell))
		return "-";
	switch (column->kind) {
	case COLUMN_TEXT:
		lkst_printable(cell->text, strlen(cell->text), to, size);
		break;
	case COLUMN_STACK:
		lkst_printable(cell->text, strlen(cell->text), to, size);
		text_shorten_stack(to);
		break;
	case COLUMN_COUNT:
		snprintf(to, size, "%llu", (unsigned long long)cell->number);
		break;
	case COLUMN_NUMBER:
		snprintf(to, size, "%lld", (long long)cell->number);
		break;
	case COLUMN_US:
		text_decimal(to, size, cell->number, 1000, 1);
		break;
	case COLUMN_MS:
		text_decimal(to, size, cell->number, 1000000, 2);
		break;
	case COLUMN_TIME:
		lkst_timestamp_text(cell->number, to);
		break;
	case COLUMN_PERCENT:
		text_real(to, size, 100 * cell->real);
		break;
	case COLUMN_RATE:
		text_real(to, size, cell->real);
		break;
	case COLUMN_REAL:
		snprintf(to, size, "%.15g", cell->real);
		break;
	case COLUMN_BYTES:
		text_bytes(to, size, cell->number);
		break;
	}
	return to;
}

/* ---- layout ---- */

static bool text_is_left(const struct column *column)
{
	return table_is_string(column) || column->kind == COLUMN_TIME;
}

static void text_widen(size_t *width, const char *text)
{
	size_t needed = text_width(text);

	if (*width < needed)
		*width = needed;
}

/* Return the number of characters by which a column can be made shorter. Numbers are never cut. */
static size_t text_excess(const struct table *table, size_t i)
{
	size_t width = table->layout[i].width;
	size_t min = table->column[i].kind == COLUMN_STACK ? STACK_MIN : TEXT_MIN;

	return table_is_string(&table->column[i]) && width > min ? width - min : 0;
}

/* Shorten the columns of a kind, from the first one on. Returns the new width of the table. */
static size_t text_fit_kind(const struct table *table, enum column_kind kind, size_t all,
			    size_t width)
{
	for (size_t i = 0; i < table->columns && all > width; i++) {
		size_t excess = table->column[i].kind == kind ? text_excess(table, i) : 0;

		if (excess > all - width)
			excess = all - width;
		table->layout[i].width -= excess;
		all -= excess;
	}
	return all;
}

/*
 * Shorten columns so that no row is wider than @width: first stacks, and then strings from the
 * first column on. If the table would still be wider, do not shorten any string. The terminal then
 * wraps the rows, and complete names are more useful.
 */
static void text_fit(const struct table *table, size_t width)
{
	size_t all = GAP * (table->columns - 1), possible = 0;

	for (size_t i = 0; i < table->columns; i++) {
		all += table->layout[i].width;
		possible += text_excess(table, i);
	}
	if (all > width + possible)
		return;
	all = text_fit_kind(table, COLUMN_STACK, all, width);
	text_fit_kind(table, COLUMN_TEXT, all, width);
}

/*
 * Find the maximum of a column of numbers among the rows that are printed. Returns NULL for times
 * of day, whose maximum is not interesting, and if all values are equal.
 */
static const struct cell *text_find_max(const struct table *table, size_t i)
{
	const struct column *column = &table->column[i];
	const struct cell *max = NULL;
	bool differ = false;

	if (text_is_left(column))
		return NULL;
	for (size_t k = 0; k < table_shown(table); k++) {
		const struct cell *cell = &table->row[k]->cell[i];

		if (table_lacks(column, cell))
			continue;
		differ |= max && table_is_less(column, cell, max);
		differ |= max && table_is_less(column, max, cell);
		if (!max || table_is_less(column, max, cell))
			max = cell;
	}
	return differ ? max : NULL;
}

/* Leave out the last columns if they do not fit, but never the first column. */
static void text_drop(const struct table *table, size_t width)
{
	size_t all = 0;

	for (size_t i = 0; i < table->columns; i++) {
		all += table->layout[i].width + (i ? GAP : 0);
		table->layout[i].dropped = i && all > width;
	}
}

/*
 * Bars at the ends of the rows, which show the shares in a column, compared with the largest one.
 * @length: length of the longest bar; 0: no bars
 */
struct text_bars {
	size_t column;
	size_t length;
	double max;
};

/* Plan the bars of a terminal with @width columns, if the table has shares and leaves room. */
static struct text_bars text_plan_bars(const struct table *table, size_t width)
{
	struct text_bars bars = { .column = table->columns };
	size_t all = GAP;

	for (size_t i = 0; i < table->columns; i++) {
		all += table->layout[i].width + (i ? GAP : 0);
		if (table->column[i].kind == COLUMN_PERCENT &&
		    !strcmp(table->column[i].key, "share"))
			bars.column = i;
	}
	if (bars.column == table->columns || width < all + BAR_MIN)
		return bars;
	for (size_t k = 0; k < table_shown(table); k++) {
		const struct cell *cell = &table->row[k]->cell[bars.column];

		if (!table_lacks(&table->column[bars.column], cell) && cell->real > bars.max)
			bars.max = cell->real;
	}
	if (bars.max > 0)
		bars.length = width - all < BAR_MAX ? width - all : BAR_MAX;
	return bars;
}

static void text_lay_out(const struct table *table, unsigned int width, bool drop)
{
	for (size_t i = 0; i < table->columns; i++) {
		const struct column *column = &table->column[i];
		size_t *own = &table->layout[i].width;

		*own = text_width(column->head);
		for (size_t k = 0; k < table_shown(table); k++)
			text_widen(own, text_of_cell(table, column, &table->row[k]->cell[i]));
		if (table->total && table->rows)
			text_widen(own, text_of_cell(table, column, &table->total->cell[i]));
		table->layout[i].max = text_find_max(table, i);
		table->layout[i].dropped = false;
	}
	if (width && drop)
		text_drop(table, width);
	else if (width)
		text_fit(table, width);
}

/* ---- output ---- */

/* Print the first @num characters of a string. */
static void text_print_start(const char *text, size_t num, FILE *to)
{
	const char *end = text;

	for (; *end && (num || text_continues(*end)); end++)
		num -= !text_continues(*end);
	fwrite(text, 1, (size_t)(end - text), to);
}

/*
 * Print the text of column @i. *@blanks is the number of blanks that separate it from the previous
 * text. They are printed only before a text, so no line ends with blanks.
 */
static void text_print(const struct table *table, size_t i, const char *text, const char *color,
		       size_t *blanks, FILE *to)
{
	size_t room = table->layout[i].width, width = text_width(text);
	size_t padding = width < room ? room - width : 0;
	bool left = text_is_left(&table->column[i]);

	*blanks += (i ? GAP : 0) + (left ? 0 : padding);
	if (width)
		fprintf(to, "%*s", (int)*blanks, "");
	if (width && color)
		fprintf(to, "\033[%sm", color);
	if (width > room) {
		text_print_start(text, room - strlen(ELLIPSIS), to);
		fputs(ELLIPSIS, to);
	} else {
		fputs(text, to);
	}
	if (width && color)
		fputs("\033[0m", to);
	*blanks = (width ? 0 : *blanks) + (left ? padding : 0);
}

/* Print the bar of a row, with @blanks blanks before the gap. */
static void text_print_bar(const struct table *table, const struct row *row,
			   const struct text_bars *bars, size_t blanks, FILE *to)
{
	const struct cell *cell = &row->cell[bars->column];
	size_t length;

	if (table_lacks(&table->column[bars->column], cell))
		return;
	length = (size_t)(cell->real / bars->max * (double)bars->length + 0.5);
	if (length)
		fprintf(to, "%*s", (int)(blanks + GAP), "");
	while (length--)
		putc('#', to);
}

/* @bars: NULL: no bar */
static void text_print_row(const struct table *table, const struct row *row, bool color,
			   const struct text_bars *bars, FILE *to)
{
	size_t blanks = 0;

	for (size_t i = 0; i < table->columns && !table->layout[i].dropped; i++) {
		const struct cell *cell = &row->cell[i];

		text_print(table, i, text_of_cell(table, &table->column[i], cell),
			   color && cell == table->layout[i].max ? YELLOW : NULL, &blanks, to);
	}
	if (bars && bars->length)
		text_print_bar(table, row, bars, blanks, to);
	putc('\n', to);
}

static void text_print_line(const struct table *table, FILE *to)
{
	for (size_t i = 0; i < table->columns && !table->layout[i].dropped; i++) {
		fprintf(to, "%*s", i ? GAP : 0, "");
		for (size_t k = 0; k < table->layout[i].width; k++)
			putc('-', to);
	}
	putc('\n', to);
}

/**
 * table_print_title() - print the title of a table on a line
 * @table: table
 * @color: print it in bold
 * @to: output
 */
void table_print_title(const struct table *table, bool color, FILE *to)
{
	fprintf(to, color ? "\033[" BOLD "m%s:\033[0m\n" : "%s:\n", table->title);
}

static void text_print_table(const struct table *table, bool color, const struct text_bars *bars,
			     FILE *to)
{
	size_t blanks = 0;

	for (size_t i = 0; i < table->columns && !table->layout[i].dropped; i++)
		text_print(table, i, table->column[i].head, color ? BOLD : NULL, &blanks, to);
	putc('\n', to);
	if (!table->rows) {
		fputs("(no rows)\n", to);
		return;
	}
	for (size_t k = 0; k < table_shown(table); k++)
		text_print_row(table, table->row[k], color, bars, to);
	/* The total includes rows that are not printed, so mention them. */
	if (table->total && table_shown(table) < table->rows)
		fprintf(to, "(and %zu more)\n", table->rows - table_shown(table));
	if (table->total) {
		text_print_line(table, to);
		text_print_row(table, table->total, false, NULL, to);
	}
}

/**
 * table_print_text() - print a table as text
 * @table: table
 * @width: maximum width in characters, which only a table with too many columns can exceed; 0: no
 *	terminal: unlimited, and without bars
 * @color: show the headings in bold, and the maximum of each column of numbers in colour
 * @to: output
 */
void table_print_text(const struct table *table, unsigned int width, bool color, FILE *to)
{
	struct text_bars bars;

	text_lay_out(table, width, false);
	bars = text_plan_bars(table, width);
	text_print_table(table, color, &bars, to);
}

/**
 * table_print_screen() - print a table as text, without the last columns that do not fit
 * @table: table
 * @width: maximum width in characters; 0: unlimited
 * @color: show the headings in bold, and the maximum of each column of numbers in colour
 * @to: output
 */
void table_print_screen(const struct table *table, unsigned int width, bool color, FILE *to)
{
	text_lay_out(table, width, true);
	text_print_table(table, color, NULL, to);
}
