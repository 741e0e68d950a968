// SPDX-License-Identifier: GPL-2.0
/*
 * The levels of detail of lkstla html: the encoding of numbers, the choice of levels, and rows that
 * are encoded and decoded again.
 */
#include <stdint.h>

#include "html_reader.h"
#include "lkstla/html/html_levels.h"
#include "tap.h"

static struct html_levels levels;
static struct html_bytes block;
static bool no_memory;

void *__real_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_realloc(void *old, size_t size)
{
	return no_memory ? NULL : __real_realloc(old, size);
}

static void teardown(void)
{
	no_memory = false;
	html_levels_free(&levels);
	html_bytes_free(&block);
}

TESTS(.teardown = teardown);

/* Return the next number of a fixed sequence (xorshift64). */
static uint64_t levels_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* ---- numbers ---- */

static const uint64_t numbers[] = {
	0, 1, 127, 128, 16383, 16384, UINT32_MAX, 1ull << 53, UINT64_MAX - 1, UINT64_MAX
};

TEST(test_numbers)
{
	struct html_reader reader;

	for (int i = 0; i < NUM(numbers); i++) {
		html_put_number(&block, numbers[i]);
		html_put_number(&block, html_zigzag((int64_t)numbers[i]));
		html_put_number(&block, html_zigzag(-(int64_t)(numbers[i] / 2)));
	}
	reader = (struct html_reader){ .data = block.data, .len = block.len };
	for (int i = 0; i < NUM(numbers); i++) {
		ck_assert_uint_eq(html_read_number(&reader), numbers[i]);
		ck_assert_int_eq(html_read_signed(&reader), (int64_t)numbers[i]);
		ck_assert_int_eq(html_read_signed(&reader), -(int64_t)(numbers[i] / 2));
	}
	ck_assert_uint_eq(reader.at, reader.len);
	ck_assert(!block.failed);
}

TEST(test_zigzag)
{
	ck_assert_uint_eq(html_zigzag(0), 0);
	ck_assert_uint_eq(html_zigzag(-1), 1);
	ck_assert_uint_eq(html_zigzag(1), 2);
	ck_assert_uint_eq(html_zigzag(INT64_MIN), UINT64_MAX);
}

/* ---- the choice of levels ---- */

static const struct {
	int64_t length_ns;
	uint64_t spans;
	unsigned int num;
} choices[] = {
	{ 1000000000, 0, 1 },
	{ 1000000000, 524288, 1 },
	{ 1000000000, 524292, 2 },
	{ 1000000000, 8000000, 3 },
	{ 1000000000, UINT64_MAX, 6 },
	{ 1000, 8000000, 1 },
	{ 4097, 8000000, 2 },
	{ 1, 0, 1 },
	{ 0, 0, 1 },
	{ INT64_MAX, 1, 1 },
};

TEST_EACH(test_choice, choices)
{
	int64_t length_ns = choices[_i].length_ns > 0 ? choices[_i].length_ns : 1;

	html_levels_init(&levels, choices[_i].length_ns, choices[_i].spans);
	ck_assert_uint_eq(levels.num, choices[_i].num);
	for (unsigned int i = 0; i < levels.num; i++) {
		uint64_t bins = html_levels_bins(&levels, i);

		ck_assert_uint_le(bins, (uint64_t)HTML_LEVEL_BINS << 2 * i);
		/* The bins cover the window, and no bin is outside. */
		ck_assert_uint_ge(bins * (uint64_t)levels.width_ns[i], (uint64_t)length_ns);
		ck_assert_uint_lt((bins - 1) * (uint64_t)levels.width_ns[i], (uint64_t)length_ns);
	}
}

/* ---- the encoding ---- */

#define VALUES 5

/* How many nanoseconds of a bin have each value */
struct bin {
	int64_t ns[VALUES];
	bool has[VALUES];
};

static void bins_add(struct bin *bin, int64_t width_ns, uint32_t value, int64_t begin_ns,
		     int64_t end_ns)
{
	int64_t t = begin_ns;

	bin[t / width_ns].has[value] = true;
	while (t < end_ns) {
		struct bin *to = &bin[t / width_ns];
		int64_t next = (t / width_ns + 1) * width_ns;

		to->has[value] = true;
		to->ns[value] += (next < end_ns ? next : end_ns) - t;
		t = next;
	}
}

/* Return whether a bin is entirely in one state. An empty bin is in state 0. */
static bool bin_is(const struct bin *bin, uint64_t value, int64_t width_ns)
{
	bool is = true;

	for (unsigned int v = 1; v < VALUES; v++)
		is &= bin->has[v] == (v == value) && bin->ns[v] == (v == value ? width_ns : 0);
	return is;
}

static void check_share(const struct bin *bin, uint64_t value, unsigned int share, int64_t width_ns)
{
	double exact = (double)bin->ns[value] / (double)width_ns * HTML_SHARE_WHOLE;

	/*
	 * A share may differ by up to VALUES, because the largest share is changed so that all
	 * shares add up in spite of rounding.
	 */
	if (value >= VALUES || !bin->has[value] || !share || share < exact - VALUES ||
	    share > exact + VALUES)
		ck_abort_msg("value %u, share %u instead of %.2f", (unsigned int)value, share,
			     exact);
}

/* Decode a row, and compare it with what it must contain. */
static void check_row(struct html_reader row, const struct bin *bin, uint64_t bins,
		      int64_t width_ns)
{
	struct html_reader items, shares;
	uint64_t at = 0;

	if (row.len) {
		items = html_read_part(&row, html_read_number(&row));
		shares = html_read_part(&row, row.len - row.at);
	} else {
		items = shares = row;
	}
	while (items.at < items.len) {
		uint64_t head = html_read_number(&items), value;
		unsigned int sum = 0, before = 0;
		int64_t ns = 0;

		if (head % 2 == 0) {
			value = html_read_number(&items);
			ck_assert_uint_le(head / 2, bins - at);
			for (uint64_t k = 0; k < head / 2; k++, at++)
				if (!bin_is(&bin[at], value, width_ns))
					ck_abort_msg("bin %u is not wholly %u", (unsigned int)at,
						     (unsigned int)value);
			continue;
		}
		if (at >= bins)
			ck_abort_msg("more than %u bins", (unsigned int)bins);
		for (uint64_t k = 0; k < head / 2; k++) {
			unsigned int share = *html_read_part(&shares, 1).data;

			value = html_read_number(&items);
			if (value <= before)
				ck_abort_msg("the values are not in order");
			before = (unsigned int)value;
			check_share(&bin[at], value, share, width_ns);
			sum += share;
		}
		for (unsigned int v = 1; v < VALUES; v++)
			ns += bin[at].ns[v];
		if (sum > HTML_SHARE_WHOLE || (ns == width_ns && sum < HTML_SHARE_WHOLE))
			ck_abort_msg("the shares add up to %u", sum);
		at++;
	}
	ck_assert_uint_eq(shares.at, shares.len);
	for (; at < bins; at++)
		if (!bin_is(&bin[at], 0, width_ns))
			ck_abort_msg("bin %u is missing", (unsigned int)at);
}

static void check_levels(size_t rows, const struct bin *const *bin)
{
	html_levels_finish(&levels);
	for (unsigned int level = 0; level < levels.num; level++) {
		struct html_reader reader, lengths;

		block.len = 0;
		html_levels_put(&levels, level, &block);
		ck_assert(!block.failed);
		reader = (struct html_reader){ .data = block.data, .len = block.len };
		ck_assert_uint_eq(html_read_number(&reader), rows);
		lengths = reader;
		for (size_t i = 0; i < rows; i++)
			html_read_number(&reader);
		for (size_t i = 0; i < rows; i++)
			check_row(html_read_part(&reader, html_read_number(&lengths)),
				  bin[i * HTML_LEVELS_MAX + level],
				  html_levels_bins(&levels, level), levels.width_ns[level]);
		ck_assert_uint_eq(reader.at, reader.len);
	}
}

#define ROWS 3

/* Random spans: short ones, long ones, instants, and gaps. */
static const struct {
	int64_t length_ns;
	int64_t longest_ns;
	bool gaps;
} randoms[] = {
	{ 100000, 50, true }, { 100000, 50, false },	 { 100000, 5000, true },
	{ 100000, 3, true },  { 4097, 2, false },	 { 70001, 60000, true },
	{ 5, 2, true },	      { 100000, 100000, false },
};

TEST_EACH(test_random, randoms)
{
	struct bin *bin[ROWS * HTML_LEVELS_MAX] = { NULL };
	int64_t length_ns = randoms[_i].length_ns;

	html_levels_init(&levels, length_ns, UINT64_MAX);
	for (size_t row = 0; row < ROWS; row++) {
		int64_t at_ns = 0;

		ck_assert_int_eq(html_levels_add_row(&levels), (int64_t)row);
		for (unsigned int i = 0; i < levels.num; i++)
			bin[row * HTML_LEVELS_MAX + i] =
				calloc(html_levels_bins(&levels, i), sizeof(struct bin));
		/* The last row stays empty. */
		while (row + 1 < ROWS && at_ns < length_ns) {
			int64_t span_ns =
				(int64_t)(levels_random() % (uint64_t)(randoms[_i].longest_ns + 1));
			uint32_t value = (uint32_t)(1 + levels_random() % (VALUES - 1));

			if (randoms[_i].gaps)
				at_ns += (int64_t)(levels_random() %
						   (uint64_t)(randoms[_i].longest_ns + 1));
			if (at_ns >= length_ns)
				break;
			if (span_ns > length_ns - at_ns)
				span_ns = length_ns - at_ns;
			ck_assert_int_eq(
				html_levels_add(&levels, row, value, at_ns, at_ns + span_ns), 0);
			for (unsigned int i = 0; i < levels.num; i++)
				bins_add(bin[row * HTML_LEVELS_MAX + i], levels.width_ns[i], value,
					 at_ns, at_ns + span_ns);
			at_ns += span_ns;
		}
	}
	check_levels(ROWS, (const struct bin *const *)bin);
	for (int i = 0; i < NUM(bin); i++)
		free(bin[i]);
}

/* Decode the first bin of the first row. Returns the number of its values. */
static uint64_t first_bin(uint64_t value[16], uint8_t share[16])
{
	struct html_reader reader, items;
	uint64_t head;

	html_levels_finish(&levels);
	html_levels_put(&levels, 0, &block);
	reader = (struct html_reader){ .data = block.data, .len = block.len };
	html_read_number(&reader);
	html_read_number(&reader);
	items = html_read_part(&reader, html_read_number(&reader));
	head = html_read_number(&items);
	ck_assert_uint_eq(head % 2, 1);
	for (uint64_t i = 0; i < head / 2; i++) {
		value[i] = html_read_number(&items);
		share[i] = *html_read_part(&reader, 1).data;
	}
	return head / 2;
}

/* An instant at the end of the window belongs to the last bin. */
TEST(test_end)
{
	uint64_t value[16];
	uint8_t share[16];

	html_levels_init(&levels, 1, 0);
	ck_assert_int_eq(html_levels_add_row(&levels), 0);
	ck_assert_int_eq(html_levels_add(&levels, 0, 7, 0, 1), 0);
	ck_assert_int_eq(html_levels_add(&levels, 0, 9, 1, 1), 0);
	ck_assert_uint_eq(first_bin(value, share), 2);
	ck_assert_uint_eq(value[0], 7);
	ck_assert_uint_eq(value[1], 9);
	ck_assert_uint_eq(share[0], HTML_SHARE_WHOLE - 1);
	ck_assert_uint_eq(share[1], 1);
}

/* If a span begins before the previous one has ended, only its part after that end counts. */
TEST(test_overlap)
{
	uint64_t value[16];
	uint8_t share[16];

	html_levels_init(&levels, 15LL * HTML_LEVEL_BINS, 0);
	ck_assert_int_eq(html_levels_add_row(&levels), 0);
	ck_assert_int_eq(html_levels_add(&levels, 0, 1, 0, 10), 0);
	ck_assert_int_eq(html_levels_add(&levels, 0, 2, 5, 12), 0);
	ck_assert_int_eq(html_levels_add(&levels, 0, 3, 4, 6), 0);
	ck_assert_uint_eq(first_bin(value, share), 2);
	ck_assert_uint_eq(share[0], 10);
	ck_assert_uint_eq(share[1], 2);
}

/* The number of values in a bin is limited: those with the smallest shares are dropped. */
TEST(test_many_values)
{
	uint64_t value[16];
	uint8_t share[16];
	int64_t at_ns = 0;

	html_levels_init(&levels, 1000LL * HTML_LEVEL_BINS, 0);
	ck_assert_int_eq(html_levels_add_row(&levels), 0);
	for (uint32_t i = 1; i <= 12; i++) {
		ck_assert_int_eq(html_levels_add(&levels, 0, i, at_ns, at_ns + 10 * i), 0);
		at_ns += 10 * i;
	}
	ck_assert_uint_eq(first_bin(value, share), HTML_BIN_VALUES);
	for (unsigned int i = 0; i < HTML_BIN_VALUES; i++)
		ck_assert_uint_eq(value[i], 5 + i);
}

/* If the finest level would exceed the memory limit, the coarser levels remain. */
TEST(test_limit)
{
	html_levels_init(&levels, 1LL << 40, UINT64_MAX);
	ck_assert_int_eq(html_levels_add_row(&levels), 0);
	levels.bytes = HTML_LEVELS_BYTES;
	for (int64_t i = 0; i < 100; i++)
		ck_assert_int_eq(html_levels_add(&levels, 0, 1, i << 30, (i << 30) + 1), 0);
	ck_assert_uint_lt(levels.num, HTML_LEVELS_MAX);
	ck_assert_uint_ge(levels.num, 1);
}

TEST(test_no_memory)
{
	html_levels_init(&levels, 1LL << 40, UINT64_MAX);
	ck_assert_int_eq(html_levels_add_row(&levels), 0);
	no_memory = true;
	ck_assert_int_eq(html_levels_add(&levels, 0, 1, 0, 1), 0);
	ck_assert_int_eq(html_levels_add(&levels, 0, 1, 1LL << 39, (1LL << 39) + 1), -1);
	no_memory = false;
	html_levels_finish(&levels);
	html_levels_put(&levels, 0, &block);
	ck_assert(block.failed);
}
