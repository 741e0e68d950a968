// SPDX-License-Identifier: GPL-2.0
/* The chunks of lkstla html, written into a file and decoded again, and its JSON. */
#include <errno.h>
#include <fcntl.h>
#include <zlib.h>

#include "dir.h"
#include "html_reader.h"
#include "lkstla/html/html_chunks.h"
#include "lkstla/html/html_json.h"
#include "tap.h"

#define SPANS_MAX  70000
#define VALUES_MAX 16

struct span {
	enum html_table table;
	uint32_t key;
	int64_t begin_ns;
	int64_t end_ns;
	uint64_t value[VALUES_MAX];
	char text[8];
};

static struct html_chunks *chunks;
static struct html_output output;
static struct html_bytes bytes;
static struct span *spans;
static bool *found;
static char *page;

static void setup(void)
{
	dir_make();
	chunks = calloc(1, sizeof(*chunks));
	spans = calloc(SPANS_MAX, sizeof(*spans));
	found = calloc(SPANS_MAX, sizeof(*found));
	ck_assert(chunks && spans && found);
	assert_ok(html_output_open(&output, dir_path("page"), &err));
	html_chunks_init(chunks, &output);
}

static void teardown(void)
{
	html_chunks_free(chunks);
	free(chunks);
	free(spans);
	free(found);
	free(page);
	page = NULL;
	html_bytes_free(&bytes);
	dir_remove();
}

TESTS(.setup = setup, .teardown = teardown);

/* Return the next number of a fixed sequence (xorshift64). */
static uint64_t chunks_random(void)
{
	static uint64_t state = 88172645463325252;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

/* ---- reading the page ---- */

static void read_page(void)
{
	int fd = open(dir_path("page"), O_RDONLY);
	off_t size = lseek(fd, 0, SEEK_END);

	ck_assert_int_ge(size, 0);
	page = malloc((size_t)size + 1);
	ck_assert_int_eq(pread(fd, page, (size_t)size, 0), size);
	page[size] = 0;
	close(fd);
}

static unsigned int digit_of(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *found_at = strchr(digits, c);

	if (!c || !found_at)
		ck_abort_msg("not base64: %c", c);
	return (unsigned int)(found_at - digits);
}

/* Decode a block of the page into @bytes. Returns false if the page has no such block. */
static bool read_block(const char *id)
{
	static uint8_t packed[8 << 20], plain[32 << 20];
	uLongf size = sizeof(plain);
	size_t len = 0;
	char head[128];
	const char *p;

	snprintf(head, sizeof(head), "<script type=\"application/x-lkst\" id=\"lkst-%s\">", id);
	p = strstr(page, head);
	if (!p)
		return false;
	for (p += strlen(head); *p != '<'; p += 4) {
		uint32_t bits = digit_of(p[0]) << 18 | digit_of(p[1]) << 12;

		if (len + 3 > sizeof(packed))
			ck_abort_msg("the block is too large");
		bits |= p[2] == '=' ? 0 : digit_of(p[2]) << 6;
		bits |= p[3] == '=' ? 0 : digit_of(p[3]);
		packed[len++] = (uint8_t)(bits >> 16);
		if (p[2] != '=')
			packed[len++] = (uint8_t)(bits >> 8);
		if (p[3] != '=')
			packed[len++] = (uint8_t)bits;
	}
	assert_begins(p, "</script>\n");
	ck_assert_int_eq(uncompress(plain, &size, packed, len), Z_OK);
	bytes.len = 0;
	html_put_bytes(&bytes, plain, size);
	return true;
}

static struct html_reader reader_of(const struct html_bytes *of)
{
	return (struct html_reader){ .data = of->data, .len = of->len };
}

/* ---- decoding a chunk ---- */

/*
 * Find the first span of this row that earlier calls have not found. Spans are found in the order
 * in which they were added.
 */
static const struct span *find_span(enum html_table table, uint32_t key, size_t *from)
{
	while (spans[*from].table != table || spans[*from].key != key || found[*from]) {
		if (++*from >= SPANS_MAX)
			ck_abort_msg("a span was not added");
	}
	found[*from] = true;
	return &spans[(*from)++];
}

struct decoded {
	struct html_reader column[VALUES_MAX + 2];
	struct html_reader texts;
};

/* Check all values of a span. One assertion for each value would take much longer. */
static void check_span(struct decoded *in, enum html_table table, const struct span *span,
		       int64_t *end_ns)
{
	const struct html_layout *layout = &html_layouts[table];
	bool same = *end_ns + html_read_signed(&in->column[0]) == span->begin_ns;

	same &= html_read_number(&in->column[1]) == (uint64_t)(span->end_ns - span->begin_ns);
	*end_ns = span->end_ns;
	for (unsigned int i = 0; i < layout->columns; i++) {
		bool sign = strchr("sz", layout->column[i].kind) != NULL;
		uint64_t value = sign ? (uint64_t)html_read_signed(&in->column[i + 2]) :
					html_read_number(&in->column[i + 2]);

		if (table != HTML_EVENT || i != EVENT_TEXT)
			same &= value == span->value[i];
		else
			same &= value == strlen(span->text) &&
				!memcmp(html_read_part(&in->texts, value).data, span->text, value);
	}
	if (!same)
		ck_abort_msg("a span of %s differs", layout->name);
}

static size_t check_table(struct html_reader *chunk, enum html_table table, size_t from)
{
	uint64_t num = html_read_number(chunk), rows, key = 0, sum = 0, count[64];
	unsigned int columns = html_layouts[table].columns + 2;
	uint32_t keys[64];
	struct decoded in;

	if (!num)
		return 0;
	rows = html_read_number(chunk);
	ck_assert_uint_le(rows, 64);
	for (uint64_t i = 0; i < rows; i++) {
		key += html_read_number(chunk);
		keys[i] = (uint32_t)key;
		count[i] = html_read_number(chunk);
		sum += count[i];
	}
	ck_assert_uint_eq(sum, num);
	for (unsigned int i = 0; i < columns; i++)
		in.column[i] = html_read_part(chunk, html_read_number(chunk));
	if (table == HTML_EVENT)
		in.texts = html_read_part(chunk, html_read_number(chunk));
	for (uint64_t i = 0; i < rows; i++) {
		size_t at = from;
		int64_t end_ns = 0;

		for (uint64_t k = 0; k < count[i]; k++)
			check_span(&in, table, find_span(table, keys[i], &at), &end_ns);
	}
	for (unsigned int i = 0; i < columns; i++)
		ck_assert_uint_eq(in.column[i].at, in.column[i].len);
	return num;
}

/* Decode all chunks. Returns their number. */
static unsigned int check_chunks(size_t num)
{
	unsigned int k = 0;
	size_t seen = 0;

	for (;; k++) {
		struct html_reader chunk;
		size_t in_chunk = 0;
		char id[32];

		snprintf(id, sizeof(id), "chunk-%u", k);
		if (!read_block(id))
			break;
		chunk = reader_of(&bytes);
		for (int table = 0; table < HTML_TABLES; table++)
			in_chunk += check_table(&chunk, (enum html_table)table, seen);
		ck_assert_uint_eq(chunk.at, chunk.len);
		ck_assert_uint_gt(in_chunk, 0);
		ck_assert_uint_le(in_chunk, HTML_CHUNK_SPANS);
		seen += in_chunk;
	}
	ck_assert_uint_eq(seen, num);
	ck_assert_uint_eq(chunks->chunks, k);
	return k;
}

/* ---- random spans ---- */

static uint64_t random_value(char kind)
{
	uint64_t value = chunks_random() >> chunks_random() % 64;

	if (kind == 'w' || kind == 'z')
		return value;
	value &= (1ull << 52) - 1;
	return kind == 's' && chunks_random() % 2 ? -value : value;
}

static void add_random(struct span *span)
{
	enum html_table table = (enum html_table)(chunks_random() % HTML_TABLES);
	const struct html_layout *layout = &html_layouts[table];
	uint64_t *value;

	span->table = table;
	span->key = (uint32_t)(chunks_random() % 8 * 1000);
	span->begin_ns = (int64_t)(chunks_random() >> 12);
	span->end_ns = span->begin_ns + (int64_t)(chunks_random() >> 12 >> chunks_random() % 52);
	value = html_chunks_add(chunks, table, span->key, span->begin_ns, span->end_ns);
	ck_assert_ptr_nonnull(value);
	for (unsigned int i = 0; i < layout->columns; i++)
		value[i] = span->value[i] = random_value(layout->column[i].kind);
	if (table == HTML_EVENT) {
		value[EVENT_TYPE] = span->value[EVENT_TYPE] = chunks_random() % LKST_ETYPE_NUM;
		snprintf(span->text, sizeof(span->text), "%.*s", (int)(chunks_random() % 8),
			 "{\"a\":1}");
		html_chunks_set_text(chunks, value, span->text, strlen(span->text));
	}
}

static const struct {
	size_t spans;
	unsigned int chunks;
} sizes[] = {
	{ 0, 0 },	  { 1, 1 }, { 20, 1 }, { HTML_CHUNK_SPANS, 1 }, { HTML_CHUNK_SPANS + 1, 2 },
	{ SPANS_MAX, 3 },
};

TEST_EACH(test_random, sizes)
{
	uint64_t total = 0;

	for (size_t i = 0; i < sizes[_i].spans; i++)
		add_random(&spans[i]);
	html_chunks_end(chunks);
	ck_assert(!html_chunks_failed(chunks));
	assert_ok(html_output_commit(&output, &err));
	read_page();
	ck_assert_uint_eq(check_chunks(sizes[_i].spans), sizes[_i].chunks);
	for (int i = 0; i < HTML_TABLES; i++)
		total += chunks->spans[i].total;
	ck_assert_uint_eq(total, sizes[_i].spans);
}

/* Events without texts */
TEST(test_no_texts)
{
	for (int i = 0; i < 3; i++) {
		spans[i] = (struct span){ .table = HTML_EVENT, .begin_ns = i, .end_ns = i };
		ck_assert_ptr_nonnull(html_chunks_add(chunks, HTML_EVENT, 0, i, i));
	}
	html_chunks_end(chunks);
	assert_ok(html_output_commit(&output, &err));
	read_page();
	ck_assert_uint_eq(check_chunks(3), 1);
}

/* A chunk with much text has fewer spans. */
TEST(test_texts)
{
	static char text[HTML_CHUNK_TEXTS / 4];
	uint64_t *value;

	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 9; i++) {
		value = html_chunks_add(chunks, HTML_EVENT, 0, i, i);
		ck_assert_ptr_nonnull(value);
		html_chunks_set_text(chunks, value, text, sizeof(text));
	}
	html_chunks_end(chunks);
	ck_assert_uint_eq(chunks->chunks, 3);
	assert_ok(html_output_commit(&output, &err));
}

TEST(test_directory)
{
	static const uint64_t want[] = {
		2, /* chunks */
		100, 900, 60, /* ends from 100 to 1000, begin from 40 */
		2,   3,	  4,  500, /* cpu: rows 3 and 7, the longest has 500 ns */
		1,   5,	  60, /* thr */
		0,   0,	  0,  0,   0, 0, 0, 0, 0, 0, /* sys, ctx, blk, net, lck */
		1,   0,	  2,  4,   5, /* evt: row 0, types 4 and 9 */
		7,   0,	  7, /* the second chunk */
		0,   0,	  1,  0,   7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	};
	struct html_reader reader;

	html_chunks_add(chunks, HTML_CPU, 7, 500, 1000);
	html_chunks_add(chunks, HTML_CPU, 3, 200, 300);
	html_chunks_add(chunks, HTML_THREAD, 5, 40, 100);
	html_chunks_add(chunks, HTML_EVENT, 0, 400, 400)[EVENT_TYPE] = 9;
	html_chunks_add(chunks, HTML_EVENT, 0, 410, 410)[EVENT_TYPE] = 4;
	html_chunks_add(chunks, HTML_EVENT, 0, 420, 420)[EVENT_TYPE] = 9;
	html_chunks_end(chunks);
	html_chunks_end(chunks);
	html_chunks_add(chunks, HTML_THREAD, 0, 0, 7);
	html_chunks_end(chunks);
	html_chunks_put_directory(chunks, &bytes);
	reader = reader_of(&bytes);
	for (int i = 0; i < NUM(want); i++)
		ck_assert_msg(html_read_number(&reader) == want[i], "number %d", i);
	ck_assert_uint_eq(reader.at, reader.len);
	html_output_abort(&output);
}

/* ---- the output ---- */

/* Blocks of all lengths modulo 3 */
TEST(test_blocks)
{
	struct html_bytes block = { 0 };
	char id[16];

	html_output_text(&output, "<p>", 3);
	for (int i = 0; i < 5; i++) {
		snprintf(id, sizeof(id), "b-%d", i);
		html_output_block(&output, id, &block);
		html_put_number(&block, chunks_random());
	}
	assert_ok(html_output_commit(&output, &err));
	read_page();
	assert_begins(page, "<p><script ");
	for (int i = 0; i < 5; i++) {
		snprintf(id, sizeof(id), "b-%d", i);
		ck_assert(read_block(id));
	}
	ck_assert_mem_eq(bytes.data, block.data, bytes.len);
	html_bytes_free(&block);
}

TEST(test_abort)
{
	html_output_text(&output, "x", 1);
	html_output_abort(&output);
	ck_assert_int_eq(dir_files(), 0);
}

TEST(test_write_error)
{
	html_output_abort(&output);
	assert_ok(html_output_open(&output, "/dev/full", &err));
	html_output_text(&output, "x", 1);
	ck_assert_int_eq(html_output_check(&output, &err), 0);
	ck_assert_int_eq(html_output_commit(&output, &err), -1);
	ck_assert_str_eq(err.text, "/dev/full: cannot be written: No space left on device");
	html_output_abort(&output);
}

/* A block for which an allocation has failed is an error. */
TEST(test_failed_block)
{
	struct html_bytes block = { .failed = true };

	html_output_block(&output, "x", &block);
	ck_assert_int_eq(html_output_check(&output, &err), -1);
	ck_assert_int_eq(err.sys_errno, ENOMEM);
	html_output_abort(&output);
}

/* ---- JSON ---- */

TEST(test_json)
{
	html_json_open(&bytes, NULL, '{');
	html_json_int(&bytes, "a", INT64_MIN);
	html_json_open(&bytes, "b", '[');
	html_json_text(&bytes, NULL,
		       "x\"\\\n\xff"
		       "\xc3\xa4[{");
	html_json_text(&bytes, NULL, NULL);
	html_json_open(&bytes, NULL, '{');
	html_json_close(&bytes, '}');
	html_json_flag(&bytes, NULL, true);
	html_json_close(&bytes, ']');
	html_json_raw(&bytes, "c", "1.5");
	html_json_text(&bytes, "d", "");
	html_json_close(&bytes, '}');
	html_put_bytes(&bytes, "", 1);
	ck_assert_str_eq((char *)bytes.data,
			 "{\"a\":-9223372036854775808,\"b\":[\"x\\\"\\\\\\u000a\\ufffd\xc3\xa4[{\","
			 "null,{},true],\"c\":1.5,\"d\":\"\"}");
	html_output_abort(&output);
}
