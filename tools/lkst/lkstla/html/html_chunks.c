// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "html_chunks.h"

/*
 * Indexes of the cells of a span. Its columns begin at CELL_VALUES. An event has another cell after
 * its columns: the position of its text.
 */
enum {
	CELL_KEY,
	CELL_BEGIN,
	CELL_END,
	CELL_VALUES
};

static const struct html_column cpu_columns[CPU_COLUMNS] = {
	[CPU_STATE] = { "state", 'u' },
	[CPU_THREAD] = { "thread", 'u' },
};

static const struct html_column thread_columns[THREAD_COLUMNS] = {
	[THREAD_STATE] = { "state", 'u' },	 [THREAD_CPU] = { "cpu", 'u' },
	[THREAD_FLAGS] = { "flags", 'u' },	 [THREAD_LETTER] = { "letter", 'u' },
	[THREAD_CALL] = { "call", 'u' },	 [THREAD_CONTEXT] = { "context", 'u' },
	[THREAD_WAKER] = { "waker", 'u' },	 [THREAD_WAKER_CONTEXT] = { "wakectx", 'u' },
	[THREAD_WAKER_CPU] = { "wakecpu", 'u' }, [THREAD_WAKER_GAP] = { "wakegap", 's' },
	[THREAD_BEHIND] = { "behind", 'u' },
};

static const struct html_column call_columns[CALL_COLUMNS] = {
	[CALL_CALL] = { "call", 'u' },	     [CALL_FLAGS] = { "flags", 'u' },
	[CALL_RESULT] = { "result", 'z' },   [CALL_WAIT] = { "wait", 'u' },
	[CALL_BLOCKED] = { "blocked", 'u' }, [CALL_UNKNOWN] = { "unknown", 'u' },
	[CALL_PATH] = { "path", 'u' },	     [CALL_ARG1] = { "a1", 'w' },
	[CALL_ARG2] = { "a2", 'w' },	     [CALL_ARG3] = { "a3", 'w' },
};

static const struct html_column context_columns[CONTEXT_COLUMNS] = {
	[CONTEXT_CONTEXT] = { "context", 'u' }, [CONTEXT_OTHERS] = { "own", 'u' },
	[CONTEXT_THREAD] = { "thread", 'u' },	[CONTEXT_FLAGS] = { "flags", 'u' },
	[CONTEXT_RAISED] = { "raised", 'u' },
};

static const struct html_column block_columns[BLOCK_COLUMNS] = {
	[BLOCK_OPERATION] = { "op", 'u' }, [BLOCK_SECTOR] = { "sector", 'w' },
	[BLOCK_BYTES] = { "bytes", 'w' },  [BLOCK_ERROR] = { "error", 'z' },
	[BLOCK_CPU] = { "cpu", 'u' },	   [BLOCK_THREAD] = { "thread", 'u' },
	[BLOCK_FLAGS] = { "flags", 'u' },  [BLOCK_QUEUE] = { "queue", 'w' },
};

static const struct html_column net_columns[NET_COLUMNS] = {
	[NET_BYTES] = { "bytes", 'u' },
	[NET_CPU] = { "cpu", 'u' },
	[NET_THREAD] = { "thread", 'u' },
	[NET_FLAGS] = { "flags", 'u' },
};

static const struct html_column lock_columns[LOCK_COLUMNS] = {
	[LOCK_LOCK] = { "lock", 'u' }, [LOCK_KIND] = { "kind", 'u' },
	[LOCK_CALL] = { "call", 'u' }, [LOCK_HOLDER] = { "holder", 'u' },
	[LOCK_CPU] = { "cpu", 'u' },   [LOCK_FLAGS] = { "flags", 'u' },
};

static const struct html_column event_columns[EVENT_COLUMNS] = {
	[EVENT_TYPE] = { "type", 'u' },
	[EVENT_THREAD] = { "thread", 'u' },
	[EVENT_TEXT] = { "text", 'u' },
};

const struct html_layout html_layouts[HTML_TABLES] = {
	[HTML_CPU] = { "cpu", cpu_columns, CPU_COLUMNS },
	[HTML_THREAD] = { "thr", thread_columns, THREAD_COLUMNS },
	[HTML_CALL] = { "sys", call_columns, CALL_COLUMNS },
	[HTML_CONTEXT] = { "ctx", context_columns, CONTEXT_COLUMNS },
	[HTML_BLOCK] = { "blk", block_columns, BLOCK_COLUMNS },
	[HTML_NET] = { "net", net_columns, NET_COLUMNS },
	[HTML_LOCK] = { "lck", lock_columns, LOCK_COLUMNS },
	[HTML_EVENT] = { "evt", event_columns, EVENT_COLUMNS },
};

void html_chunks_init(struct html_chunks *chunks, struct html_output *output)
{
	chunks->output = output;
}

/* Return the number of cells of a span. */
static size_t chunk_stride(enum html_table table)
{
	return CELL_VALUES + html_layouts[table].columns + (table == HTML_EVENT);
}

static const uint64_t *chunk_span(const struct html_chunks *chunks, enum html_table table, size_t i)
{
	return chunks->spans[table].cell + (uint32_t)chunks->order[i] * chunk_stride(table);
}

/* ---- a table of a chunk ---- */

static int chunk_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Sort by key. The spans of a row stay in the order of their ends. */
static void chunk_sort(struct html_chunks *chunks, enum html_table table)
{
	const struct html_spans *spans = &chunks->spans[table];
	size_t stride = chunk_stride(table);

	for (size_t i = 0; i < spans->num; i++)
		chunks->order[i] = spans->cell[i * stride + CELL_KEY] << 32 | i;
	qsort(chunks->order, spans->num, sizeof(*chunks->order), chunk_compare);
}

/* Return the number of spans of the row that begins at @from. */
static size_t chunk_row(const struct html_chunks *chunks, enum html_table table, size_t from)
{
	size_t to = from;

	while (to < chunks->spans[table].num &&
	       chunks->order[to] >> 32 == chunks->order[from] >> 32)
		to++;
	return to - from;
}

/* Write the keys of the rows and, if @counts is set, the number of spans of each row. */
static void chunk_put_rows(const struct html_chunks *chunks, enum html_table table, bool counts,
			   struct html_bytes *to)
{
	uint64_t before = 0, rows = 0;
	size_t num;

	for (size_t i = 0; i < chunks->spans[table].num; i += chunk_row(chunks, table, i))
		rows++;
	html_put_number(to, rows);
	for (size_t i = 0; i < chunks->spans[table].num; i += num) {
		uint64_t key = chunks->order[i] >> 32;

		num = chunk_row(chunks, table, i);
		html_put_number(to, key - before);
		if (counts)
			html_put_number(to, num);
		before = key;
	}
}

/* Write the distance of each span from the end of the previous span in its row, and its length. */
static void chunk_put_times(struct html_chunks *chunks, enum html_table table)
{
	struct html_bytes *to = &chunks->column;
	int64_t end_ns = 0;

	to->len = 0;
	for (size_t i = 0; i < chunks->spans[table].num; i++) {
		const uint64_t *span = chunk_span(chunks, table, i);

		if (i && chunks->order[i] >> 32 != chunks->order[i - 1] >> 32)
			end_ns = 0;
		html_put_number(to, html_zigzag((int64_t)span[CELL_BEGIN] - end_ns));
		end_ns = (int64_t)span[CELL_END];
	}
	html_put_all(&chunks->block, to);
	to->len = 0;
	for (size_t i = 0; i < chunks->spans[table].num; i++) {
		const uint64_t *span = chunk_span(chunks, table, i);

		html_put_number(to, span[CELL_END] - span[CELL_BEGIN]);
	}
	html_put_all(&chunks->block, to);
}

static void chunk_put_column(struct html_chunks *chunks, enum html_table table, unsigned int column)
{
	char kind = html_layouts[table].column[column].kind;
	bool sign = kind == 's' || kind == 'z';
	struct html_bytes *to = &chunks->column;

	to->len = 0;
	for (size_t i = 0; i < chunks->spans[table].num; i++) {
		uint64_t value = chunk_span(chunks, table, i)[CELL_VALUES + column];

		html_put_number(to, sign ? html_zigzag((int64_t)value) : value);
	}
	html_put_all(&chunks->block, to);
}

/* Write the texts of the events, in the order of the events. */
static void chunk_put_texts(struct html_chunks *chunks)
{
	struct html_bytes *to = &chunks->column;

	to->len = 0;
	for (size_t i = 0; i < chunks->spans[HTML_EVENT].num; i++) {
		const uint64_t *value = chunk_span(chunks, HTML_EVENT, i) + CELL_VALUES;

		if (value[EVENT_TEXT])
			html_put_bytes(to, chunks->texts.data + value[EVENT_COLUMNS],
				       value[EVENT_TEXT]);
	}
	html_put_all(&chunks->block, to);
}

static void chunk_put_table(struct html_chunks *chunks, enum html_table table)
{
	struct html_bytes *to = &chunks->block;

	html_put_number(to, chunks->spans[table].num);
	if (!chunks->spans[table].num)
		return;
	chunk_put_rows(chunks, table, true, to);
	chunk_put_times(chunks, table);
	for (unsigned int i = 0; i < html_layouts[table].columns; i++)
		chunk_put_column(chunks, table, i);
	if (table == HTML_EVENT)
		chunk_put_texts(chunks);
}

/* ---- the directory ---- */

/* Write the earliest and the latest end of all spans, and the earliest start. */
static void directory_put_times(const struct html_chunks *chunks, struct html_bytes *to)
{
	uint64_t from = UINT64_MAX, end = 0, begin = UINT64_MAX;

	for (int table = 0; table < HTML_TABLES; table++) {
		const struct html_spans *spans = &chunks->spans[table];
		size_t stride = chunk_stride((enum html_table)table);

		for (size_t i = 0; i < spans->num; i++) {
			const uint64_t *span = spans->cell + i * stride;

			from = span[CELL_END] < from ? span[CELL_END] : from;
			end = span[CELL_END] > end ? span[CELL_END] : end;
			begin = span[CELL_BEGIN] < begin ? span[CELL_BEGIN] : begin;
		}
	}
	html_put_number(to, from);
	html_put_number(to, end - from);
	html_put_number(to, from - begin);
}

/* Write the length of the longest span, so that a search can skip the chunk. */
static void directory_put_longest(const struct html_chunks *chunks, enum html_table table,
				  struct html_bytes *to)
{
	uint64_t longest = 0;

	for (size_t i = 0; i < chunks->spans[table].num; i++) {
		const uint64_t *span = chunk_span(chunks, table, i);

		if (span[CELL_END] - span[CELL_BEGIN] > longest)
			longest = span[CELL_END] - span[CELL_BEGIN];
	}
	html_put_number(to, longest);
}

/* Write which types of events the chunk has, so that a search can skip the chunk. */
static void directory_put_types(const struct html_chunks *chunks, struct html_bytes *to)
{
	bool has[LKST_ETYPE_NUM] = { false };
	unsigned int num = 0, before = 0;

	for (size_t i = 0; i < chunks->spans[HTML_EVENT].num; i++) {
		uint64_t type = chunk_span(chunks, HTML_EVENT, i)[CELL_VALUES + EVENT_TYPE];

		num += !has[type];
		has[type] = true;
	}
	html_put_number(to, num);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (!has[i])
			continue;
		html_put_number(to, i - before);
		before = i;
	}
}

/* ---- all chunks ---- */

/**
 * html_chunks_end() - write the current chunk if it has spans, and begin the next one
 * @chunks: chunks
 */
void html_chunks_end(struct html_chunks *chunks)
{
	char id[32];

	if (!chunks->num)
		return;
	chunks->block.len = 0;
	directory_put_times(chunks, &chunks->directory);
	for (int i = 0; i < HTML_TABLES; i++) {
		enum html_table table = (enum html_table)i;

		chunk_sort(chunks, table);
		chunk_put_table(chunks, table);
		chunk_put_rows(chunks, table, false, &chunks->directory);
		if (table == HTML_EVENT)
			directory_put_types(chunks, &chunks->directory);
		else
			directory_put_longest(chunks, table, &chunks->directory);
		chunks->spans[table].num = 0;
	}
	snprintf(id, sizeof(id), "chunk-%llu", (unsigned long long)chunks->chunks++);
	chunks->block.failed |= chunks->column.failed | chunks->texts.failed;
	html_output_block(chunks->output, id, &chunks->block);
	chunks->texts.len = 0;
	chunks->num = 0;
}

/* Make room for a span. Returns false if an allocation fails. */
static bool chunks_reserve(struct html_spans *spans, size_t stride)
{
	size_t room = spans->room ? 2 * spans->room : 64;
	uint64_t *grown;

	if (spans->num < spans->room)
		return true;
	grown = reallocarray(spans->cell, room, stride * sizeof(*grown));
	if (!grown)
		return false;
	spans->cell = grown;
	spans->room = room;
	return true;
}

/**
 * html_chunks_add() - add a span
 * @chunks: chunks
 * @table: table
 * @key: row
 * @begin_ns: start, since the start of the window
 * @end_ns: end, not before @begin_ns
 *
 * Return: the columns of the span, which are 0. The caller must set them before the next call. NULL
 * if an allocation fails.
 */
uint64_t *html_chunks_add(struct html_chunks *chunks, enum html_table table, uint32_t key,
			  int64_t begin_ns, int64_t end_ns)
{
	struct html_spans *spans = &chunks->spans[table];
	size_t stride = chunk_stride(table);
	uint64_t *span;

	if (chunks->num == HTML_CHUNK_SPANS || chunks->texts.len >= HTML_CHUNK_TEXTS)
		html_chunks_end(chunks);
	if (!chunks_reserve(spans, stride))
		return NULL;
	span = spans->cell + spans->num++ * stride;
	chunks->num++;
	spans->total++;
	span[CELL_KEY] = key;
	span[CELL_BEGIN] = (uint64_t)begin_ns;
	span[CELL_END] = (uint64_t)end_ns;
	for (size_t i = CELL_VALUES; i < stride; i++)
		span[i] = 0;
	return span + CELL_VALUES;
}

/**
 * html_chunks_set_text() - set the text of an event
 * @chunks: chunks
 * @value: columns of the event, from html_chunks_add()
 * @text: text in UTF-8
 * @len: length of @text in bytes
 */
void html_chunks_set_text(struct html_chunks *chunks, uint64_t *value, const char *text, size_t len)
{
	value[EVENT_COLUMNS] = chunks->texts.len;
	html_put_bytes(&chunks->texts, text, len);
	value[EVENT_TEXT] = chunks->texts.len - value[EVENT_COLUMNS];
}

/* Return whether an allocation has failed. */
bool html_chunks_failed(const struct html_chunks *chunks)
{
	return chunks->texts.failed || chunks->block.failed || chunks->directory.failed;
}

/**
 * html_chunks_put_directory() - write what each chunk contains
 * @chunks: chunks, after html_chunks_end()
 * @to: result
 */
void html_chunks_put_directory(const struct html_chunks *chunks, struct html_bytes *to)
{
	html_put_number(to, chunks->chunks);
	html_put_bytes(to, chunks->directory.data, chunks->directory.len);
	to->failed |= chunks->directory.failed;
}

void html_chunks_free(struct html_chunks *chunks)
{
	for (int i = 0; i < HTML_TABLES; i++)
		free(chunks->spans[i].cell);
	html_bytes_free(&chunks->texts);
	html_bytes_free(&chunks->directory);
	html_bytes_free(&chunks->column);
	html_bytes_free(&chunks->block);
}
