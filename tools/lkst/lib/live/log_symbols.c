// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the symbols that the records of a log file need. An address is looked up when it is first
 * seen. When a module has been loaded or an address is not in any symbol, the list of symbols is
 * read again, at most once a minute. Then all addresses are looked up again, because code may have
 * been loaded at an address that was not in any symbol.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/error.h"
#include "lib/text/addresses.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/text/symbols.h"
#include "log_symbols.h"

#define RELOAD_SECONDS 60

/* A symbol that the records need. */
struct needed {
	uint64_t start;
	uint64_t end;
	char *line; /* line for the SYMBOLS chunk */
	bool unwritten; /* not written yet */
};

struct log_symbols {
	char *path;
	const struct lkst_kallsyms *shared; /* NULL: nothing is loaded yet */
	struct lkst_kallsyms *first; /* @shared if it must be freed here; otherwise NULL */
	struct lkst_kallsyms *reloaded; /* the latest reload, or NULL */
	time_t loaded;
	bool stale;
	struct lkst_addresses *addresses;
	size_t seen; /* number of addresses already looked up */
	size_t num, room;
	struct needed *needed; /* sorted by start, without overlaps */
	size_t unwritten;
	size_t reported; /* number of entries of @needed that the last text covers */
	char *text;
	size_t text_room;
};

static time_t log_symbols_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return now.tv_sec;
}

/**
 * log_symbols_new() - make an empty set of symbols for a log
 * @types: event types, to find out which arguments are addresses
 * @kallsyms: shared list of symbols, up to date; NULL: load one when it is needed
 * @path: file from which the list is loaded
 * @err: set if an allocation fails
 */
struct log_symbols *log_symbols_new(const struct lkst_etypes *types,
				    const struct lkst_kallsyms *kallsyms, const char *path,
				    struct lkst_error *err)
{
	struct log_symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols) {
		symbols->path = strdup(path);
		symbols->shared = kallsyms;
		symbols->loaded = log_symbols_seconds();
		symbols->addresses = lkst_addresses_new(types, err);
	}
	if (!symbols || !symbols->path || !symbols->addresses) {
		log_symbols_free(symbols);
		lkst_error_memory(err, "symbols");
		return NULL;
	}
	return symbols;
}

/**
 * log_symbols_free() - free the symbols
 * @symbols: may be NULL
 */
void log_symbols_free(struct log_symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->num; i++)
		free(symbols->needed[i].line);
	free(symbols->needed);
	free(symbols->text);
	free(symbols->path);
	lkst_addresses_free(symbols->addresses);
	lkst_kallsyms_free(symbols->reloaded);
	lkst_kallsyms_free(symbols->first);
	free(symbols);
}

static size_t log_symbols_place_of(const struct log_symbols *symbols, uint64_t start)
{
	size_t low = 0, high = symbols->num;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (symbols->needed[mid].start < start)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static void log_symbols_drop(struct log_symbols *symbols, size_t at)
{
	struct needed *needed = &symbols->needed[at];

	symbols->unwritten -= needed->unwritten;
	free(needed->line);
	memmove(needed, needed + 1, (--symbols->num - at) * sizeof(*needed));
}

static int log_symbols_insert(struct log_symbols *symbols, size_t at, const struct needed *entry)
{
	struct needed *grown = symbols->needed;

	if (symbols->num == symbols->room) {
		size_t room = symbols->room ? symbols->room * 2 : 256;

		grown = realloc(grown, room * sizeof(*grown));
		if (!grown)
			return -1;
		symbols->needed = grown;
		symbols->room = room;
	}
	memmove(&grown[at + 1], &grown[at], (symbols->num - at) * sizeof(*grown));
	grown[at] = *entry;
	symbols->num++;
	symbols->unwritten++;
	return 0;
}

/* Add a symbol. Symbols that overlap it are from a module that was unloaded, so remove them. */
static int log_symbols_need(struct log_symbols *symbols, const struct kallsym *symbol)
{
	struct needed entry = { .start = symbol->start, .end = symbol->end, .unwritten = true };
	size_t at = log_symbols_place_of(symbols, symbol->start);
	char line[KALLSYM_LINE_MAX];

	kallsym_line(symbol, line);
	if (at < symbols->num && symbols->needed[at].start == symbol->start &&
	    !strcmp(symbols->needed[at].line, line))
		return 0;
	while (at < symbols->num && symbols->needed[at].start < symbol->end)
		log_symbols_drop(symbols, at);
	if (at && symbols->needed[at - 1].end > symbol->start)
		log_symbols_drop(symbols, --at);
	entry.line = strdup(line);
	if (entry.line && !log_symbols_insert(symbols, at, &entry))
		return 0;
	free(entry.line);
	return -1;
}

static int log_symbols_lookup(struct log_symbols *symbols)
{
	const struct lkst_kallsyms *list = symbols->reloaded ? symbols->reloaded : symbols->shared;
	struct kallsym symbol;
	size_t num;
	const uint64_t *address = lkst_addresses_list(symbols->addresses, &num);

	for (; symbols->seen < num; symbols->seen++) {
		if (!lkst_kallsyms_find(list, address[symbols->seen], &symbol))
			symbols->stale = true;
		else if (log_symbols_need(symbols, &symbol))
			return -1;
	}
	return 0;
}

static int log_symbols_load(struct log_symbols *symbols, struct lkst_error *err)
{
	struct lkst_kallsyms *list =
		symbols->shared ? lkst_kallsyms_reload(symbols->shared, symbols->path, err) :
				  lkst_kallsyms_load(symbols->path, err);

	if (!list)
		return -1;
	if (symbols->shared) {
		lkst_kallsyms_free(symbols->reloaded);
		symbols->reloaded = list;
	} else {
		symbols->first = list;
		symbols->shared = list;
	}
	symbols->loaded = log_symbols_seconds();
	symbols->seen = 0;
	return 0;
}

/**
 * log_symbols_observe() - find the symbols that records need
 * @symbols: symbols
 * @record: records
 * @num: number of records
 * @err: set if an allocation fails
 */
int log_symbols_observe(struct log_symbols *symbols, const struct lkst_event_record *record,
			size_t num, struct lkst_error *err)
{
	size_t addresses;

	if (lkst_addresses_add_raw(symbols->addresses, record, num, err))
		return -1;
	for (size_t i = 0; i < num; i++)
		symbols->stale |= record[i].event_type == LKST_ETYPE_MODULE_LOAD;
	lkst_addresses_list(symbols->addresses, &addresses);
	if (!addresses)
		return 0;
	if (symbols->shared && log_symbols_lookup(symbols))
		goto fail;
	if (symbols->shared &&
	    (!symbols->stale || log_symbols_seconds() - symbols->loaded < RELOAD_SECONDS))
		return 0;
	if (log_symbols_load(symbols, err))
		return -1;
	if (log_symbols_lookup(symbols))
		goto fail;
	/* Do not reload again for addresses that are still not in any symbol: it would not help. */
	symbols->stale = false;
	return 0;

fail:
	lkst_error_memory(err, "symbols");
	return -1;
}

static int log_symbols_text_room(struct log_symbols *symbols, size_t len)
{
	char *grown;

	if (len <= symbols->text_room)
		return 0;
	grown = realloc(symbols->text, len * 2);
	if (!grown)
		return -1;
	symbols->text = grown;
	symbols->text_room = len * 2;
	return 0;
}

/**
 * log_symbols_text() - make the text of a SYMBOLS chunk
 * @symbols: symbols
 * @all: include symbols that have been written before
 * @most: maximum length in bytes; symbols that do not fit are left for a later call
 * @text: result, valid until the next call
 * @len: length of the text in bytes; 0 if there is nothing to write
 * @err: set if an allocation fails
 */
int log_symbols_text(struct log_symbols *symbols, bool all, size_t most, const char **text,
		     size_t *len, struct lkst_error *err)
{
	size_t at = sizeof(SYMBOLS_HEADER);

	*len = 0;
	symbols->reported = 0;
	if (all ? !symbols->num : !symbols->unwritten)
		return 0;
	if (log_symbols_text_room(symbols, at))
		goto fail;
	memcpy(symbols->text, SYMBOLS_HEADER "\n", at);
	for (; symbols->reported < symbols->num; symbols->reported++) {
		const struct needed *needed = &symbols->needed[symbols->reported];
		size_t line = strlen(needed->line);

		if (!all && !needed->unwritten)
			continue;
		if (at + line > most)
			break;
		if (log_symbols_text_room(symbols, at + line))
			goto fail;
		memcpy(symbols->text + at, needed->line, line);
		at += line;
	}
	*text = symbols->text;
	*len = at > sizeof(SYMBOLS_HEADER) ? at : 0;
	return 0;

fail:
	lkst_error_memory(err, "symbols");
	return -1;
}

/**
 * log_symbols_acknowledge() - mark the symbols in the last text as written
 * @symbols: symbols
 */
void log_symbols_acknowledge(struct log_symbols *symbols)
{
	for (size_t i = 0; i < symbols->reported; i++) {
		symbols->unwritten -= symbols->needed[i].unwritten;
		symbols->needed[i].unwritten = false;
	}
	symbols->reported = 0;
}
