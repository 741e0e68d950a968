// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "html_levels.h"
#include "lkstla/tally.h"

/*
 * The page draws the spans themselves if at most this many are visible. So finer levels are added
 * only until HTML_LEVEL_BINS bins contain, on average, at most this many spans.
 */
#define LEVELS_SPANS (16 * 32768)

/**
 * html_levels_init() - choose the levels for a window
 * @levels: result, to be freed with html_levels_free()
 * @length_ns: length of the window
 * @spans: estimated number of spans
 */
void html_levels_init(struct html_levels *levels, int64_t length_ns, uint64_t spans)
{
	uint64_t bins = HTML_LEVEL_BINS;

	*levels = (struct html_levels){ .length_ns = length_ns > 0 ? length_ns : 1 };
	for (bool more = true; more && levels->num < HTML_LEVELS_MAX; levels->num++) {
		levels->width_ns[levels->num] =
			(int64_t)(((uint64_t)levels->length_ns - 1) / bins + 1);
		more = spans > LEVELS_SPANS && levels->width_ns[levels->num] > 1;
		bins *= 4;
		spans /= 4;
	}
}

static void pen_free(struct html_pen *pen)
{
	html_bytes_free(&pen->done);
	html_bytes_free(&pen->sharing);
}

static void levels_free_pens(const struct html_levels *levels, unsigned int level)
{
	for (size_t i = 0; i < levels->rows; i++)
		pen_free(&levels->row[i].pen[level]);
}

void html_levels_free(struct html_levels *levels)
{
	for (unsigned int level = 0; level < levels->num; level++)
		levels_free_pens(levels, level);
	for (size_t i = 0; i < levels->rows; i++)
		free(levels->row[i].pen);
	free(levels->row);
	*levels = (struct html_levels){ 0 };
}

/**
 * html_levels_add_row() - add a row
 * @levels: levels
 *
 * Return: its number; -1 if an allocation fails.
 */
int64_t html_levels_add_row(struct html_levels *levels)
{
	struct html_level_row *row =
		tally_cover(levels->row, &levels->room, levels->rows, sizeof(*row));

	if (!row)
		return -1;
	levels->row = row;
	row += levels->rows;
	*row = (struct html_level_row){ .pen = calloc(levels->num, sizeof(*row->pen)) };
	return row->pen ? (int64_t)levels->rows++ : -1;
}

/* Return the number of bins of a level. */
uint64_t html_levels_bins(const struct html_levels *levels, unsigned int level)
{
	return ((uint64_t)levels->length_ns - 1) / (uint64_t)levels->width_ns[level] + 1;
}

/* ---- a row at one level ---- */

static void pen_end_run(struct html_pen *pen)
{
	if (!pen->run)
		return;
	html_put_number(&pen->done, 2 * pen->run);
	html_put_number(&pen->done, pen->run_value);
	pen->run = 0;
}

static void pen_add_run(struct html_pen *pen, uint32_t value, uint64_t bins)
{
	if (pen->run_value != value)
		pen_end_run(pen);
	pen->run_value = value;
	pen->run += bins;
}

static int pen_compare(const void *a, const void *b)
{
	uint32_t value[2] = { ((const struct html_share *)a)->value,
			      ((const struct html_share *)b)->value };

	return (value[0] > value[1]) - (value[0] < value[1]);
}

/* Increase or decrease the largest share by one. */
static void pen_correct(uint8_t share[HTML_BIN_VALUES], unsigned int shares, int by)
{
	unsigned int largest = 0;

	for (unsigned int i = 1; i < shares; i++)
		if (share[i] > share[largest])
			largest = i;
	share[largest] = (uint8_t)(share[largest] + by);
}

/*
 * Round times to shares of at least 1. Then correct the largest shares so that the sum is at most
 * HTML_SHARE_WHOLE or, if the values fill the bin, exactly that.
 */
static void pen_share(const struct html_pen *pen, int64_t width_ns, uint8_t share[HTML_BIN_VALUES])
{
	unsigned int sum = 0;
	int64_t ns = 0;

	for (unsigned int i = 0; i < pen->shares; i++) {
		double part = (double)pen->share[i].ns / (double)width_ns;

		share[i] = (uint8_t)(part * HTML_SHARE_WHOLE + 0.5);
		share[i] += !share[i];
		sum += share[i];
		ns += pen->share[i].ns;
	}
	for (; sum > HTML_SHARE_WHOLE; sum--)
		pen_correct(share, pen->shares, -1);
	for (; ns == width_ns && sum < HTML_SHARE_WHOLE; sum++)
		pen_correct(share, pen->shares, 1);
}

static void pen_put_bin(struct html_pen *pen, int64_t width_ns)
{
	uint8_t share[HTML_BIN_VALUES];

	pen_end_run(pen);
	qsort(pen->share, pen->shares, sizeof(*pen->share), pen_compare);
	pen_share(pen, width_ns, share);
	html_put_number(&pen->done, 2 * pen->shares + 1);
	for (unsigned int i = 0; i < pen->shares; i++)
		html_put_number(&pen->done, pen->share[i].value);
	html_put_bytes(&pen->sharing, share, pen->shares);
}

/* Complete the current bin, and continue with a later one. */
static void pen_move(struct html_pen *pen, int64_t width_ns, uint64_t bin)
{
	if (!pen->shares)
		pen_add_run(pen, 0, 1);
	else if (pen->shares == 1 && pen->share[0].ns == width_ns)
		pen_add_run(pen, pen->share[0].value, 1);
	else
		pen_put_bin(pen, width_ns);
	if (bin > pen->bin + 1)
		pen_add_run(pen, 0, bin - pen->bin - 1);
	pen->bin = bin;
	pen->shares = 0;
}

/*
 * Add time of a value to the bin. If the bin would have too many values, drop the value with the
 * shortest time.
 */
static void pen_fill(struct html_pen *pen, uint32_t value, int64_t ns)
{
	struct html_share *least = &pen->share[0];

	for (unsigned int i = 0; i < pen->shares; i++) {
		if (pen->share[i].value == value) {
			pen->share[i].ns += ns;
			return;
		}
		if (pen->share[i].ns < least->ns)
			least = &pen->share[i];
	}
	if (pen->shares < HTML_BIN_VALUES)
		pen->share[pen->shares++] = (struct html_share){ value, ns };
	else if (ns > least->ns)
		*least = (struct html_share){ value, ns };
}

static void pen_add(struct html_pen *pen, int64_t width_ns, uint32_t value, int64_t begin_ns,
		    int64_t end_ns)
{
	uint64_t width = (uint64_t)width_ns, first = (uint64_t)begin_ns / width;
	uint64_t last = end_ns > begin_ns ? ((uint64_t)end_ns - 1) / width : first;

	if (first > pen->bin)
		pen_move(pen, width_ns, first);
	if (first == last) {
		pen_fill(pen, value, end_ns - begin_ns);
		return;
	}
	pen_fill(pen, value, (int64_t)((first + 1) * width - (uint64_t)begin_ns));
	pen_move(pen, width_ns, first + 1);
	if (last > first + 1) {
		pen_add_run(pen, value, last - first - 1);
		pen->bin = last;
	}
	pen_fill(pen, value, (int64_t)((uint64_t)end_ns - last * width));
}

/* ---- all rows and levels ---- */

static size_t pen_bytes(const struct html_pen *pen)
{
	return pen->done.len + pen->sharing.len;
}

/* Drop the finest level if the levels need too much memory. */
static void levels_limit(struct html_levels *levels)
{
	if (levels->bytes <= HTML_LEVELS_BYTES || levels->num < 2)
		return;
	levels->num--;
	for (size_t i = 0; i < levels->rows; i++)
		levels->bytes -= pen_bytes(&levels->row[i].pen[levels->num]);
	levels_free_pens(levels, levels->num);
}

/**
 * html_levels_add() - add a span to a row
 * @levels: levels
 * @row: row
 * @value: value of the span. Not 0, because 0 means that there is no span
 * @begin_ns: start of the span, since the start of the window. The part before the end of the
 *	previous span of the row is left out
 * @end_ns: end of the span, at most the length of the window
 *
 * Return: 0; -1 if an allocation fails.
 */
int html_levels_add(struct html_levels *levels, size_t row, uint32_t value, int64_t begin_ns,
		    int64_t end_ns)
{
	struct html_level_row *to = &levels->row[row];
	bool failed = false;

	if (begin_ns < to->end_ns)
		begin_ns = to->end_ns;
	if (end_ns < begin_ns)
		return 0;
	to->end_ns = end_ns;
	/* An instant at the end of the window belongs to the last bin. */
	if (begin_ns >= levels->length_ns)
		begin_ns = end_ns = levels->length_ns - 1;
	for (unsigned int level = 0; level < levels->num; level++) {
		struct html_pen *pen = &to->pen[level];
		size_t before = pen_bytes(pen);

		pen_add(pen, levels->width_ns[level], value, begin_ns, end_ns);
		levels->bytes += pen_bytes(pen) - before;
		failed |= pen->done.failed | pen->sharing.failed;
	}
	levels_limit(levels);
	return failed ? -1 : 0;
}

/**
 * html_levels_finish() - encode the last bins
 * @levels: levels; the caller must not add spans later
 */
void html_levels_finish(struct html_levels *levels)
{
	for (size_t i = 0; i < levels->rows; i++)
		for (unsigned int level = 0; level < levels->num; level++) {
			struct html_pen *pen = &levels->row[i].pen[level];

			pen_move(pen, levels->width_ns[level], pen->bin + 1);
			if (pen->run_value)
				pen_end_run(pen);
		}
}

/* Write a row of a level. For a row without spans, write nothing. */
static void pen_put(const struct html_pen *pen, struct html_bytes *to)
{
	to->failed |= pen->done.failed | pen->sharing.failed;
	if (!pen->done.len)
		return;
	html_put_all(to, &pen->done);
	html_put_bytes(to, pen->sharing.data, pen->sharing.len);
}

/**
 * html_levels_put() - write a level as the page reads it
 * @levels: levels, after html_levels_finish()
 * @level: level
 * @to: result: the number of rows, the length of the data of each row, and the data
 */
void html_levels_put(const struct html_levels *levels, unsigned int level, struct html_bytes *to)
{
	struct html_bytes row = { 0 }, all = { 0 };

	html_put_number(to, levels->rows);
	for (size_t i = 0; i < levels->rows; i++) {
		row.len = 0;
		pen_put(&levels->row[i].pen[level], &row);
		html_put_number(to, row.len);
		html_put_bytes(&all, row.data, row.len);
	}
	html_put_bytes(to, all.data, all.len);
	to->failed |= row.failed | all.failed;
	html_bytes_free(&row);
	html_bytes_free(&all);
}
