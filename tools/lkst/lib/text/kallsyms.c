// SPDX-License-Identifier: LGPL-2.1
/*
 * The running kernel's symbols, sorted for lookup. The kernel's own symbols never change while it
 * runs, but modules are loaded and unloaded. So when the list is read again, only the symbols of
 * modules are stored. Processes that share the memory of the first list after a fork() continue to
 * share it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "kallsyms.h"
#include "lib/base/error.h"
#include "lib/base/put.h"
#include "symbols.h"

#define BLOCK_SIZE (64 * 1024) /* bytes to read in one call; longer than any line */
#define GAP_MAX	   65536 /* maximum size in bytes of the last symbol of a module or of the kernel */

/* A symbol. @name and @module are offsets in the table's text, which starts with "". */
struct kallsyms_entry {
	uint64_t start;
	uint32_t name;
	uint32_t code : 1;
	uint32_t module : 31;
};

/* A table of symbols. kallsyms_finalize() sorts it by address and drops duplicates. */
struct symbol_table {
	size_t num;
	size_t room;
	struct kallsyms_entry *entry;
	size_t len;
	size_t size;
	char *text;
};

struct lkst_kallsyms {
	struct symbol_table core;
	struct symbol_table modules;
	/* @core, or @core of an earlier list that outlives this one */
	const struct symbol_table *shared;
};

/* Part of a line. */
struct kallsyms_word {
	const char *text;
	size_t len;
};

static int kallsyms_put_word(struct symbol_table *table, struct kallsyms_word word,
			     uint32_t *offset)
{
	if (table->len + word.len + 1 > table->size) {
		size_t size = (table->size ? table->size * 2 : 64 * 1024) + word.len + 1;
		char *grown = size <= INT32_MAX ? realloc(table->text, size) : NULL;

		if (!grown)
			return -1;
		table->text = grown;
		table->size = size;
	}
	memcpy(table->text + table->len, word.text, word.len);
	table->text[table->len + word.len] = 0;
	*offset = (uint32_t)table->len;
	table->len += word.len + 1;
	return 0;
}

static bool kallsyms_is_word(const char *text, struct kallsyms_word word)
{
	return !strncmp(text, word.text, word.len) && !text[word.len];
}

/*
 * Store the name of a module, unless the previous symbol belongs to the same module: the list keeps
 * the symbols of a module together.
 */
static int kallsyms_put_module(struct symbol_table *table, struct kallsyms_word module,
			       uint32_t *offset)
{
	const struct kallsyms_entry *last = table->num ? &table->entry[table->num - 1] : NULL;

	*offset = last ? last->module : 0;
	return kallsyms_is_word(table->text + *offset, module) ?
		       0 :
		       kallsyms_put_word(table, module, offset);
}

static int kallsyms_put_symbol(struct symbol_table *table, uint64_t start, bool code,
			       struct kallsyms_word name, struct kallsyms_word module)
{
	uint32_t name_at, module_at;

	if (table->num == table->room) {
		size_t room = table->room ? table->room * 2 : 1024;
		struct kallsyms_entry *grown = realloc(table->entry, room * sizeof(*grown));

		if (!grown)
			return -1;
		table->entry = grown;
		table->room = room;
	}
	if ((!table->len && kallsyms_put_word(table, (struct kallsyms_word){ "", 0 }, &name_at)) ||
	    kallsyms_put_module(table, module, &module_at) ||
	    kallsyms_put_word(table, name, &name_at))
		return -1;
	table->entry[table->num++] = (struct kallsyms_entry){
		.start = start,
		.name = name_at,
		.code = code,
		.module = module_at & INT32_MAX,
	};
	return 0;
}

/*
 * Sort by address. Among symbols with the same address, symbols of code come first. Otherwise
 * the symbols keep the order in which the kernel lists them.
 */
static int kallsyms_compare(const void *pa, const void *pb)
{
	const struct kallsyms_entry *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->code != b->code)
		return a->code ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/*
 * Sort by address, and keep one name for each address. The kernel lists its own symbols in order of
 * address, so they need no sorting.
 */
static void kallsyms_finalize(struct symbol_table *table)
{
	struct kallsyms_entry *entry = table->entry;
	size_t num = 0, rising = 1;

	while (rising < table->num && entry[rising - 1].start <= entry[rising].start)
		rising++;
	if (rising < table->num)
		qsort(entry, table->num, sizeof(*entry), kallsyms_compare);
	for (size_t i = 0; i < table->num; i++)
		if (!num || entry[i].start != entry[num - 1].start)
			entry[num++] = entry[i];
		else if (kallsyms_compare(&entry[i], &entry[num - 1]) < 0)
			entry[num - 1] = entry[i];
	table->num = num;
}

/*
 * Return whether a symbol marks the end of code. Such a symbol is not code, even if the list says
 * that it is.
 */
static bool kallsyms_is_end(struct kallsyms_word name)
{
	return kallsyms_is_word("_etext", name) || kallsyms_is_word("_einittext", name) ||
	       kallsyms_is_word("_end", name);
}

static unsigned int kallsyms_digit_of(char c)
{
	unsigned int decimal = (unsigned char)c - '0', letter = ((unsigned char)c | 0x20) - 'a';

	return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 16;
}

/* Return the word at @p, up to a byte that cannot be in a name. */
static struct kallsyms_word kallsyms_word_at(const char *p, const char *end)
{
	struct kallsyms_word word = { p, 0 };

	while (p < end && (unsigned char)*p > 0x20 && *p != 0x7f)
		p++;
	word.len = (size_t)(p - word.text);
	return word;
}

static bool kallsyms_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Return whether symbols_parse_line() accepts a word as a name. */
static bool kallsyms_is_good(struct kallsyms_word word, size_t max)
{
	return word.len <= max && put_is_plain(word.text, word.len);
}

/* Parse "[module]". */
static struct kallsyms_word kallsyms_module_at(const char *p, const char *end)
{
	struct kallsyms_word module = { "", 0 };
	const char *close;

	while (p < end && kallsyms_is_blank(*p))
		p++;
	if (p == end || *p != '[')
		return module;
	module = kallsyms_word_at(p + 1, end);
	close = memchr(module.text, ']', module.len);
	module.len = close ? (size_t)(close - module.text) : module.len;
	return kallsyms_is_good(module, SYMBOL_MODULE_MAX) ? module :
							     (struct kallsyms_word){ "", 0 };
}

/*
 * Parse "ffffffff81000000 T name" or "ffffffffc0000000 t name\t[module]". Returns -1 if an
 * allocation fails.
 */
static int kallsyms_parse_line(struct lkst_kallsyms *kallsyms, const char *line, const char *end)
{
	struct kallsyms_word name, module;
	const char *p = line;
	unsigned int digit;
	uint64_t start = 0;
	char kind;

	for (; p < end && (digit = kallsyms_digit_of(*p)) < 16; p++)
		start = start << 4 | digit;
	/* The address is 0 if the kernel hides it. */
	if (!start || p - line > 16 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return 0;
	kind = p[1];
	name = kallsyms_word_at(p + 3, end);
	p = name.text + name.len;
	if (!kallsyms_is_good(name, SYMBOL_NAME_MAX) || (p < end && !kallsyms_is_blank(*p)))
		return 0;
	module = kallsyms_module_at(p, end);
	if (!module.len && kallsyms->shared != &kallsyms->core)
		return 0;
	return kallsyms_put_symbol(module.len ? &kallsyms->modules : &kallsyms->core, start,
				   strchr("tTwW", kind) && !kallsyms_is_end(name), name, module);
}

/* Parse the complete lines. Returns their length in bytes; -1 if an allocation fails. */
static ssize_t kallsyms_parse_lines(struct lkst_kallsyms *kallsyms, const char *text, size_t len)
{
	const char *line = text, *end;

	while ((end = memchr(line, '\n', len - (size_t)(line - text)))) {
		if (kallsyms_parse_line(kallsyms, line, end))
			return -1;
		line = end + 1;
	}
	return line - text;
}

/* Read and parse the whole list. Returns 0; -1 if an allocation fails. */
static int kallsyms_read_lines(struct lkst_kallsyms *kallsyms, int fd, char *text)
{
	size_t len = 0;
	ssize_t n, seen;

	while ((n = read(fd, text + len, BLOCK_SIZE - len)) > 0 || (n < 0 && errno == EINTR)) {
		len += n > 0 ? (size_t)n : 0;
		seen = kallsyms_parse_lines(kallsyms, text, len);
		if (seen < 0)
			return -1;
		len -= (size_t)seen;
		/* No valid line is as long as the block. */
		if (len == BLOCK_SIZE)
			break;
		memmove(text, text + seen, len);
	}
	return kallsyms_parse_line(kallsyms, text, text + len);
}

/* The code of a module, without its init code, which was freed after the module was loaded. */
struct code_range {
	char name[SYMBOL_MODULE_MAX + 1];
	uint64_t start;
	uint64_t size;
};

/* Read the loaded modules from the file "modules" next to the list. Returns their number. */
static size_t kallsyms_read_modules(const char *path, struct code_range **ranges)
{
	const char *slash = strrchr(path, '/');
	struct code_range range, *grown;
	char file[PATH_MAX], line[1024];
	size_t num = 0;
	FILE *f;

	*ranges = NULL;
	if (!slash || strcmp(slash, "/kallsyms") ||
	    snprintf(file, sizeof(file), "%.*s/modules", (int)(slash - path), path) >=
		    (int)sizeof(file))
		return 0;
	f = fopen(file, "re");
	/* Format of a line: name size refcount users state address */
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %" SCNu64 " %*s %*s %*s %" SCNx64, range.name, &range.size,
			   &range.start) != 3 ||
		    !range.start)
			continue;
		grown = realloc(*ranges, (num + 1) * sizeof(*grown));
		if (!grown)
			break;
		*ranges = grown;
		grown[num++] = range;
	}
	if (f)
		fclose(f);
	return num;
}

/*
 * Drop the symbols of the init code of modules. This code was freed after the module was loaded,
 * and another module may use its memory now, but some kernels still list its symbols. Must be
 * called before the table is sorted, while the symbols of a module are together.
 */
static void kallsyms_drop_init_code(struct symbol_table *table, const char *path)
{
	struct code_range *ranges, *range = NULL;
	size_t modules = kallsyms_read_modules(path, &ranges), num = 0;
	uint32_t module = 0;

	for (size_t i = 0; modules && i < table->num; i++) {
		const struct kallsyms_entry *entry = &table->entry[i];

		if (!range || entry->module != module) {
			module = entry->module;
			for (range = ranges; range < ranges + modules; range++)
				if (!strcmp(range->name, table->text + module))
					break;
		}
		if (range < ranges + modules && entry->code &&
		    entry->start - range->start >= range->size)
			continue;
		table->entry[num++] = *entry;
	}
	if (modules)
		table->num = num;
	free(ranges);
}

static int kallsyms_read_list(struct lkst_kallsyms *kallsyms, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;
	int ret;

	if (fd < 0)
		return 0;
	text = malloc(BLOCK_SIZE);
	ret = text ? kallsyms_read_lines(kallsyms, fd, text) : -1;
	free(text);
	close(fd);
	kallsyms_drop_init_code(&kallsyms->modules, path);
	kallsyms_finalize(&kallsyms->core);
	kallsyms_finalize(&kallsyms->modules);
	return ret;
}

static struct lkst_kallsyms *kallsyms_load(const struct symbol_table *shared, const char *path,
					   struct lkst_error *err)
{
	struct lkst_kallsyms *kallsyms = calloc(1, sizeof(*kallsyms));

	if (kallsyms)
		kallsyms->shared = shared ? shared : &kallsyms->core;
	if (!kallsyms || kallsyms_read_list(kallsyms, path)) {
		lkst_kallsyms_free(kallsyms);
		lkst_error_memory(err, "the kernel's symbols");
		return NULL;
	}
	return kallsyms;
}

/**
 * lkst_kallsyms_load() - load the running kernel's symbols
 * @path: list in the format of /proc/kallsyms; if it does not exist, there are no symbols
 * @err: set if an allocation fails
 *
 * Takes a few tenths of a second and about 10 MB of memory, which children share after fork().
 */
struct lkst_kallsyms *lkst_kallsyms_load(const char *path, struct lkst_error *err)
{
	return kallsyms_load(NULL, path, err);
}

/**
 * lkst_kallsyms_reload() - reload the symbols, because the loaded modules have changed
 * @before: an earlier list, which must outlive the new one
 * @path: as for lkst_kallsyms_load()
 * @err: set if an allocation fails
 */
struct lkst_kallsyms *lkst_kallsyms_reload(const struct lkst_kallsyms *before, const char *path,
					   struct lkst_error *err)
{
	return kallsyms_load(before->shared, path, err);
}

/**
 * lkst_kallsyms_free() - free symbols
 * @kallsyms: may be NULL
 */
void lkst_kallsyms_free(struct lkst_kallsyms *kallsyms)
{
	if (!kallsyms)
		return;
	free(kallsyms->core.entry);
	free(kallsyms->core.text);
	free(kallsyms->modules.entry);
	free(kallsyms->modules.text);
	free(kallsyms);
}

/* Return the number of entries of a table that begin at or before an address. */
static size_t kallsyms_count_up_to(const struct symbol_table *table, uint64_t address)
{
	size_t low = 0, high = table->num;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (table->entry[mid].start <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/**
 * lkst_kallsyms_find() - find the code that an address is in
 * @kallsyms: symbols
 * @address: address
 * @symbol: result, valid as long as @kallsyms
 *
 * Return: whether the address is in code.
 */
bool lkst_kallsyms_find(const struct lkst_kallsyms *kallsyms, uint64_t address,
			struct kallsym *symbol)
{
	const struct symbol_table *tables[] = { kallsyms->shared, &kallsyms->modules };
	const struct kallsyms_entry *last = NULL, *next = NULL;
	const char *module = "", *next_module = "";

	for (int i = 0; i < 2; i++) {
		const struct symbol_table *table = tables[i];
		size_t at = kallsyms_count_up_to(table, address);
		const struct kallsyms_entry *entry = table->num ? table->entry + at : NULL;

		if (at && (!last || entry[-1].start > last->start)) {
			last = entry - 1;
			module = table->text + last->module;
			symbol->name = table->text + last->name;
		}
		if (at < table->num && (!next || entry->start < next->start)) {
			next = entry;
			next_module = table->text + next->module;
		}
	}
	if (!last || !last->code)
		return false;
	symbol->start = last->start;
	symbol->module = module;
	symbol->end = next ? next->start : UINT64_MAX;
	if ((!next || strcmp(next_module, module)) && symbol->end - last->start > GAP_MAX)
		symbol->end = last->start + GAP_MAX;
	return address < symbol->end;
}

/**
 * kallsym_line() - format a line for lkst_symbols_parse()
 * @symbol: symbol
 * @line: result; KALLSYM_LINE_MAX bytes
 */
void kallsym_line(const struct kallsym *symbol, char *line)
{
	snprintf(line, KALLSYM_LINE_MAX, "%llx %llx %s%s%s%s\n", (unsigned long long)symbol->start,
		 (unsigned long long)symbol->end, symbol->name, *symbol->module ? " [" : "",
		 symbol->module, *symbol->module ? "]" : "");
}
