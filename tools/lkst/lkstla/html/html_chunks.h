/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stores the exact spans in chunks, in the order in which the state model reports the spans: by
 * their ends. A chunk has a table for each kind of span, and the columns of a table are encoded one
 * after the other.
 */
#ifndef _LKSTLA_HTML_CHUNKS_H
#define _LKSTLA_HTML_CHUNKS_H

#include "html_output.h"
#include "lib/text/etypes.h"

#define HTML_CHUNK_SPANS 32768
#define HTML_CHUNK_TEXTS (1 << 20) /* bytes of text after which a chunk ends */

/*
 * The tables, in their order in a chunk. The key of a span identifies its row in the timeline. A
 * thread is identified by its index.
 */
enum html_table {
	HTML_CPU, /* what a CPU executed; key: CPU */
	HTML_THREAD, /* states of a thread; key: thread */
	HTML_CALL, /* system calls; key: thread */
	HTML_CONTEXT, /* interrupts and other contexts; key: CPU */
	HTML_BLOCK, /* requests of block devices; key: lane */
	HTML_NET, /* packets; key: lane */
	HTML_LOCK, /* waits for locks; key: thread */
	HTML_EVENT, /* other events; key: CPU */
	HTML_TABLES,
};

/*
 * Columns that the caller of html_chunks_add() sets. In the page, the start and the end are
 * columns, too.
 */
enum {
	CPU_STATE,
	CPU_THREAD,
	CPU_COLUMNS
};
enum {
	THREAD_STATE,
	THREAD_CPU,
	THREAD_FLAGS,
	THREAD_LETTER,
	THREAD_CALL,
	THREAD_CONTEXT,
	THREAD_WAKER,
	THREAD_WAKER_CONTEXT,
	THREAD_WAKER_CPU,
	THREAD_WAKER_GAP,
	THREAD_BEHIND,
	THREAD_COLUMNS
};
enum {
	CALL_CALL,
	CALL_FLAGS,
	CALL_RESULT,
	CALL_WAIT,
	CALL_BLOCKED,
	CALL_UNKNOWN,
	CALL_PATH,
	CALL_ARG1,
	CALL_ARG2,
	CALL_ARG3,
	CALL_COLUMNS
};
enum {
	CONTEXT_CONTEXT,
	CONTEXT_OTHERS,
	CONTEXT_THREAD,
	CONTEXT_FLAGS,
	CONTEXT_RAISED,
	CONTEXT_COLUMNS
};
enum {
	BLOCK_OPERATION,
	BLOCK_SECTOR,
	BLOCK_BYTES,
	BLOCK_ERROR,
	BLOCK_CPU,
	BLOCK_THREAD,
	BLOCK_FLAGS,
	BLOCK_QUEUE,
	BLOCK_COLUMNS
};
enum {
	NET_BYTES,
	NET_CPU,
	NET_THREAD,
	NET_FLAGS,
	NET_COLUMNS
};
enum {
	LOCK_LOCK,
	LOCK_KIND,
	LOCK_CALL,
	LOCK_HOLDER,
	LOCK_CPU,
	LOCK_FLAGS,
	LOCK_COLUMNS
};
enum {
	EVENT_TYPE,
	EVENT_THREAD,
	EVENT_TEXT,
	EVENT_COLUMNS
};

/* Flags of spans */
#define HTML_BEGIN_KNOWN 1
#define HTML_END_KNOWN	 2 /* all tables except HTML_THREAD */
#define HTML_END_SHIFT	 1 /* HTML_THREAD: two bits, enum lkst_end */
#define HTML_WAKE_KNOWN	 8 /* threads */
#define HTML_WAKE_IDLE	 16 /* threads: the waker was an idle CPU or an unknown thread */
#define HTML_EXITED	 4 /* system calls */

/**
 * struct html_column - a column
 * @name: name for the page
 * @kind: 'u': unsigned number below 2^53; 's': signed number of up to 53 bits; 'w': unsigned number
 *	of 64 bits; 'z': signed number of 64 bits
 */
struct html_column {
	const char *name;
	char kind;
};

/**
 * struct html_layout - a table
 * @name: name for the page
 * @column: columns, in their order in a chunk, which is the order of the enumeration of this table
 *	above: CPU_* for HTML_CPU, and so on
 * @columns: number of columns
 */
struct html_layout {
	const char *name;
	const struct html_column *column;
	unsigned int columns;
};

extern const struct html_layout html_layouts[HTML_TABLES];

/**
 * struct html_spans - the spans of a table in the current chunk
 * @cell: for each span: key, begin, end, and its columns. An event also has the position of its
 *	text
 * @num: number of spans
 * @room: number of spans that fit into @cell
 * @total: number of spans in all chunks
 */
struct html_spans {
	uint64_t *cell;
	size_t num;
	size_t room;
	uint64_t total;
};

/**
 * struct html_chunks - the chunks
 * @output: where complete chunks are written
 * @spans: the current chunk
 * @texts: texts of its events
 * @num: number of spans in the current chunk
 * @chunks: number of complete chunks
 * @directory: what the complete chunks contain
 * @order: the spans of the table that is being written, in the order of the rows
 * @column: the column that is being encoded
 * @block: the chunk that is being written
 */
struct html_chunks {
	struct html_output *output;
	struct html_spans spans[HTML_TABLES];
	struct html_bytes texts;
	size_t num;
	uint64_t chunks;
	struct html_bytes directory;
	uint64_t order[HTML_CHUNK_SPANS];
	struct html_bytes column;
	struct html_bytes block;
};

void html_chunks_init(struct html_chunks *chunks, struct html_output *output);
uint64_t *html_chunks_add(struct html_chunks *chunks, enum html_table table, uint32_t key,
			  int64_t begin_ns, int64_t end_ns);
void html_chunks_set_text(struct html_chunks *chunks, uint64_t *value, const char *text,
			  size_t len);
void html_chunks_end(struct html_chunks *chunks);
bool html_chunks_failed(const struct html_chunks *chunks);
void html_chunks_put_directory(const struct html_chunks *chunks, struct html_bytes *to);
void html_chunks_free(struct html_chunks *chunks);

#endif
