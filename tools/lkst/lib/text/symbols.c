// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the symbols of code addresses, in the lists in a trace (Documentation/lkst/trace-file.rst)
 * or in the running kernel's list.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kallsyms.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "symbols.h"
#include "text.h"

/* Code from @start up to, but not including, @end. */
struct symbol_range {
	uint64_t start;
	uint64_t end;
	const char *name;
	const char *module;
	uint32_t text; /* the range is from the list @text[text] of struct lkst_symbols */
};

/* A set of symbols from several lists. lkst_symbols_add() adds a list, which is a string. */
struct lkst_symbols {
	char **text; /* the lists; the names point into these strings */
	uint32_t texts; /* number of lists */
	size_t first; /* index of the first range from the list that is being added */
	size_t num;
	size_t room;
	struct symbol_range *range; /* after lkst_symbols_finalize(): sorted, without overlaps */
	const struct lkst_kallsyms *kernel; /* symbols to use instead of @range, or NULL */
	struct lkst_kallsyms *own; /* @kernel if it must be freed here; otherwise NULL */
	char *path; /* file from which @own is loaded at the first lookup */
};

/**
 * symbol_good_word() - check whether a word may be the name of a symbol or module
 * @word: the word
 * @max: maximum length in bytes
 */
bool symbol_good_word(const char *word, size_t max)
{
	size_t len = strlen(word);

	return len <= max && put_is_plain(word, len);
}

static bool symbols_parse_address(const char *word, uint64_t *address)
{
	char *end;

	errno = 0;
	*address = strtoull(word, &end, 16);
	return isxdigit((unsigned char)*word) && !*end && !errno;
}

/* Parse "START END NAME [MODULE]". */
static const char *symbols_parse_line(void *ctx, char *line)
{
	struct lkst_symbols *symbols = ctx;
	const char *start = text_word(&line), *end = text_word(&line);
	const char *name = text_word(&line);
	char *module = text_word(&line);
	struct symbol_range range = { .name = name, .module = "", .text = symbols->texts };

	if (!symbols_parse_address(start, &range.start))
		return "address expected";
	if (!symbols_parse_address(end, &range.end) || range.end <= range.start)
		return "greater address expected";
	if (!symbol_good_word(name, SYMBOL_NAME_MAX))
		return "name of 1 to 511 bytes expected";
	if (*module) {
		size_t len = strlen(module);

		if (!symbol_good_word(module, SYMBOL_MODULE_MAX + 2) || len < 3 ||
		    module[0] != '[' || module[len - 1] != ']')
			return "[MODULE] of 1 to 63 bytes expected";
		module[len - 1] = 0;
		range.module = module + 1;
	}
	if (line[strspn(line, " \t")])
		return "too many fields";
	if (symbols->num > symbols->first && symbols->range[symbols->num - 1].end > range.start)
		return "addresses that rise expected";
	if (symbols->num == symbols->room) {
		size_t room = symbols->room ? symbols->room * 2 : 256;
		struct symbol_range *grown = realloc(symbols->range, room * sizeof(*grown));

		if (!grown)
			return text_no_memory;
		symbols->range = grown;
		symbols->room = room;
	}
	symbols->range[symbols->num++] = range;
	return NULL;
}

/**
 * lkst_symbols_new() - make an empty set of symbols
 *
 * Return: NULL if an allocation fails.
 */
struct lkst_symbols *lkst_symbols_new(void)
{
	return calloc(1, sizeof(struct lkst_symbols));
}

/**
 * lkst_symbols_add() - add a list of symbols
 * @symbols: symbols; call lkst_symbols_finalize() before the next lookup
 * @text: the list as lkst_addresses_resolve() writes it; need not be 0-terminated
 * @len: length in bytes
 * @origin: file name, for error messages
 * @err: set if the list is invalid, in which case no symbols are added; names the line
 */
int lkst_symbols_add(struct lkst_symbols *symbols, const char *text, size_t len, const char *origin,
		     struct lkst_error *err)
{
	static const struct text_format format = { "a list of symbols", SYMBOLS_HEADER,
						   symbols_parse_line };
	char **texts = realloc(symbols->text, (symbols->texts + 1) * sizeof(*texts));
	char *copy = text_copy(text, len);

	if (texts)
		symbols->text = texts;
	if (!texts || !copy) {
		lkst_error_memory(err, "symbols");
		goto fail;
	}
	symbols->first = symbols->num;
	if (text_parse(&format, copy, origin, symbols, err)) {
		symbols->num = symbols->first;
		goto fail;
	}
	texts[symbols->texts++] = copy;
	return 0;

fail:
	free(copy);
	return -1;
}

/* Sort by start. Of ranges with the same start, the one from the list added last comes first. */
static int symbols_by_start(const void *pa, const void *pb)
{
	const struct symbol_range *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->text < b->text ? 1 : a->text > b->text ? -1 : 0;
}

/**
 * lkst_symbols_finalize() - prepare for lookups; call it after adding the last list
 * @symbols: symbols
 *
 * Ranges overlap if a module was loaded where another one had been. In that case the list that was
 * added last takes precedence.
 */
void lkst_symbols_finalize(struct lkst_symbols *symbols)
{
	size_t num = 0;

	if (symbols->texts > 1 && symbols->num)
		qsort(symbols->range, symbols->num, sizeof(*symbols->range), symbols_by_start);
	for (size_t i = 0; symbols->texts > 1 && i < symbols->num; i++) {
		const struct symbol_range *next = &symbols->range[i];
		struct symbol_range *last = num ? &symbols->range[num - 1] : NULL;

		if (last && last->end > next->start) {
			if (last->text >= next->text || last->start == next->start)
				continue;
			last->end = next->start;
		}
		symbols->range[num++] = *next;
	}
	if (symbols->texts > 1)
		symbols->num = num;
}

/**
 * lkst_symbols_parse() - parse a list of symbols
 * @text: as for lkst_symbols_add()
 * @len: length in bytes
 * @origin: file name, for error messages
 * @err: set if the list is invalid; names the line
 */
struct lkst_symbols *lkst_symbols_parse(const char *text, size_t len, const char *origin,
					struct lkst_error *err)
{
	struct lkst_symbols *symbols = lkst_symbols_new();

	if (!symbols)
		lkst_error_memory(err, "symbols");
	else if (!lkst_symbols_add(symbols, text, len, origin, err))
		return symbols;
	lkst_symbols_free(symbols);
	return NULL;
}

/**
 * lkst_symbols_of_kernel() - use the symbols of the running kernel
 * @kallsyms: symbols; must outlive the result
 * @err: set if an allocation fails
 */
struct lkst_symbols *lkst_symbols_of_kernel(const struct lkst_kallsyms *kallsyms,
					    struct lkst_error *err)
{
	struct lkst_symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols)
		symbols->kernel = kallsyms;
	else
		lkst_error_memory(err, "symbols");
	return symbols;
}

/**
 * lkst_symbols_of_list() - use the symbols of the running kernel, loaded at the first lookup
 * @path: list in the format of /proc/kallsyms; if it does not exist, there are no symbols
 * @err: set if an allocation fails
 */
struct lkst_symbols *lkst_symbols_of_list(const char *path, struct lkst_error *err)
{
	struct lkst_symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols)
		symbols->path = strdup(path);
	if (!symbols || !symbols->path) {
		free(symbols);
		lkst_error_memory(err, "symbols");
		return NULL;
	}
	return symbols;
}

/* Load the list of symbols. If an allocation fails, only addresses are printed. */
static void symbols_read_list(struct lkst_symbols *symbols)
{
	symbols->own = lkst_kallsyms_load(symbols->path, NULL);
	symbols->kernel = symbols->own;
	free(symbols->path);
	symbols->path = NULL;
}

/**
 * lkst_symbols_free() - free symbols
 * @symbols: may be NULL
 */
void lkst_symbols_free(struct lkst_symbols *symbols)
{
	if (!symbols)
		return;
	for (uint32_t i = 0; i < symbols->texts; i++)
		free(symbols->text[i]);
	lkst_kallsyms_free(symbols->own);
	free(symbols->path);
	free(symbols->range);
	free(symbols->text);
	free(symbols);
}

static bool symbols_find_in_kernel(const struct lkst_kallsyms *kallsyms, uint64_t address,
				   struct lkst_symbol *symbol)
{
	struct kallsym found;

	if (!lkst_kallsyms_find(kallsyms, address, &found))
		return false;
	*symbol = (struct lkst_symbol){ found.name, found.module, address - found.start };
	return true;
}

/**
 * lkst_symbols_find() - find the symbol that an address is in
 * @symbols: may be NULL
 * @address: address
 * @symbol: result
 *
 * Return: whether a symbol was found.
 */
bool lkst_symbols_find(struct lkst_symbols *symbols, uint64_t address, struct lkst_symbol *symbol)
{
	size_t low = 0, high = symbols ? symbols->num : 0;
	const struct symbol_range *range;

	if (symbols && symbols->path)
		symbols_read_list(symbols);
	if (symbols && symbols->kernel)
		return symbols_find_in_kernel(symbols->kernel, address, symbol);
	/* Find the last range that begins at or before the address. */
	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (symbols->range[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	if (!low)
		return false;
	range = &symbols->range[low - 1];
	if (address >= range->end)
		return false;
	*symbol = (struct lkst_symbol){ range->name, range->module, address - range->start };
	return true;
}
