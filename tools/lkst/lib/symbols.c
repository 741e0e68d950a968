// SPDX-License-Identifier: LGPL-2.1
/*
 * The symbols of kernel code that a trace brings, those that its records need
 * (Documentation/lkst/trace-file.rst).
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "symbols.h"
#include "text.h"

/* Code from start to before end. */
struct range {
	uint64_t start;
	uint64_t end;
	const char *name;
	const char *module;
};

struct lkst_symbols {
	char *text; /* what the names point into */
	size_t num;
	size_t room;
	struct range *range; /* sorted, apart from each other */
	const struct lkst_kallsyms *kernel; /* they are in there; NULL: in range */
};

static bool good_word(const char *word, size_t max)
{
	size_t len = strlen(word);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)word[i] <= 0x20 || word[i] == 0x7f)
			return false;
	return len && len <= max;
}

static bool parse_address(const char *word, uint64_t *address)
{
	char *end;

	errno = 0;
	*address = strtoull(word, &end, 16);
	return isxdigit((unsigned char)*word) && !*end && !errno;
}

/* START END NAME [MODULE] */
static const char *parse_line(void *ctx, char *line)
{
	struct lkst_symbols *symbols = ctx;
	const char *start = text_word(&line), *end = text_word(&line);
	const char *name = text_word(&line);
	char *module = text_word(&line);
	struct range range = { .name = name, .module = "" };

	if (!parse_address(start, &range.start))
		return "address expected";
	if (!parse_address(end, &range.end) || range.end <= range.start)
		return "greater address expected";
	if (!good_word(name, SYMBOL_NAME_MAX))
		return "name of 1 to 511 bytes expected";
	if (*module) {
		size_t len = strlen(module);

		if (!good_word(module, SYMBOL_MODULE_MAX + 2) || len < 3 || module[0] != '[' ||
		    module[len - 1] != ']')
			return "[MODULE] of 1 to 63 bytes expected";
		module[len - 1] = 0;
		range.module = module + 1;
	}
	if (line[strspn(line, " \t")])
		return "too many fields";
	if (symbols->num && symbols->range[symbols->num - 1].end > range.start)
		return "addresses that rise expected";
	if (symbols->num == symbols->room) {
		size_t room = symbols->room ? symbols->room * 2 : 256;
		struct range *grown = realloc(symbols->range, room * sizeof(*grown));

		if (!grown)
			return text_no_memory;
		symbols->range = grown;
		symbols->room = room;
	}
	symbols->range[symbols->num++] = range;
	return NULL;
}

/**
 * lkst_symbols_parse() - symbols from text
 * @text: as lkst_addresses_resolve() writes it, need not end with 0
 * @len: bytes
 * @origin: file name, for errors
 * @err: what is wrong, with the line
 */
struct lkst_symbols *lkst_symbols_parse(const char *text, size_t len, const char *origin,
					struct lkst_error *err)
{
	static const struct text_format format = { "a list of symbols", SYMBOLS_HEAD, parse_line };
	struct lkst_symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols)
		symbols->text = text_copy(text, len);
	if (!symbols || !symbols->text) {
		lkst_error_memory(err, "symbols");
		goto fail;
	}
	if (text_parse(&format, symbols->text, origin, symbols, err))
		goto fail;
	return symbols;

fail:
	lkst_symbols_free(symbols);
	return NULL;
}

/**
 * lkst_symbols_of_kernel() - symbols of the running kernel
 * @kallsyms: where they are looked up; must stay
 * @err: no memory
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
 * lkst_symbols_free() - free symbols
 * @symbols: may be NULL
 */
void lkst_symbols_free(struct lkst_symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->range);
	free(symbols->text);
	free(symbols);
}

static bool find_in_kernel(const struct lkst_kallsyms *kallsyms, uint64_t address,
			   struct lkst_symbol *symbol)
{
	struct kallsym found;

	if (!lkst_kallsyms_find(kallsyms, address, &found))
		return false;
	*symbol = (struct lkst_symbol){ found.name, found.module, address - found.start };
	return true;
}

/**
 * lkst_symbols_find() - the symbol that an address is in
 * @symbols: may be NULL
 * @address: address
 * @symbol: result
 *
 * Return: whether there is one.
 */
bool lkst_symbols_find(const struct lkst_symbols *symbols, uint64_t address,
		       struct lkst_symbol *symbol)
{
	size_t low = 0, high = symbols ? symbols->num : 0;
	const struct range *range;

	if (symbols && symbols->kernel)
		return find_in_kernel(symbols->kernel, address, symbol);
	/* The last that begins no later. */
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
