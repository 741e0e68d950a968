// SPDX-License-Identifier: LGPL-2.1
/*
 * The running kernel's list of symbols, sorted to be looked up. The kernel's own symbols stay
 * where they are until it ends, those of modules do not: reading the list again takes only the
 * modules in, so that processes that share the first one by fork() go on sharing it.
 */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "symbols.h"

#define LINE_SIZE 1024
#define GAP_MAX	  65536 /* code behind the last symbol before something else */

/* Names are offsets in the table's text, at whose start stands "". */
struct entry {
	uint64_t start;
	uint32_t name;
	uint32_t code : 1;
	uint32_t module : 31;
};

/* Sorted, each start once. */
struct table {
	size_t num;
	size_t room;
	struct entry *entry;
	size_t len;
	size_t size;
	char *text;
};

struct lkst_kallsyms {
	struct table core;
	struct table modules;
	const struct table *shared; /* core of another one, which outlives this; or our own */
};

static int put_text(struct table *table, const char *text, uint32_t *offset)
{
	size_t len = strlen(text) + 1;

	if (table->len + len > table->size) {
		size_t size = (table->size ? table->size * 2 : 64 * 1024) + len;
		char *grown = size <= INT32_MAX ? realloc(table->text, size) : NULL;

		if (!grown)
			return -1;
		table->text = grown;
		table->size = size;
	}
	memcpy(table->text + table->len, text, len);
	*offset = (uint32_t)table->len;
	table->len += len;
	return 0;
}

/* The symbols of a module follow each other. */
static int put_module(struct table *table, const char *module, uint32_t *offset)
{
	const struct entry *last = table->num ? &table->entry[table->num - 1] : NULL;

	*offset = last ? last->module : 0;
	return strcmp(table->text + *offset, module) ? put_text(table, module, offset) : 0;
}

static int put_symbol(struct table *table, uint64_t start, bool code, const char *name,
		      const char *module)
{
	uint32_t name_at, module_at;

	if (table->num == table->room) {
		size_t room = table->room ? table->room * 2 : 1024;
		struct entry *grown = realloc(table->entry, room * sizeof(*grown));

		if (!grown)
			return -1;
		table->entry = grown;
		table->room = room;
	}
	if ((!table->len && put_text(table, "", &name_at)) ||
	    put_module(table, module, &module_at) || put_text(table, name, &name_at))
		return -1;
	table->entry[table->num++] = (struct entry){
		.start = start,
		.name = name_at,
		.code = code,
		.module = module_at & INT32_MAX,
	};
	return 0;
}

/* Of several names of one place code counts, then the first, as the kernel prefers it. */
static int compare(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->code != b->code)
		return a->code ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void settle(struct table *table)
{
	size_t num = 0;

	if (table->num)
		qsort(table->entry, table->num, sizeof(*table->entry), compare);
	for (size_t i = 0; i < table->num; i++)
		if (!i || table->entry[i].start != table->entry[num - 1].start)
			table->entry[num++] = table->entry[i];
	table->num = num;
}

/* Behind these there is no code, whatever the list says. */
static bool is_end(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext") || !strcmp(name, "_end");
}

/* "ffffffff81000000 T name" or "ffffffffc0000000 t name\t[module]". Returns -1: no memory. */
static int see_line(struct lkst_kallsyms *kallsyms, char *line)
{
	char *p, *name, *module, kind;
	uint64_t start = strtoull(line, &p, 16);
	size_t len;

	/* An address that the kernel does not show reads as 0. */
	if (p == line || !start || *p++ != ' ' || !*p || p[1] != ' ')
		return 0;
	kind = *p;
	name = p + 2;
	len = strcspn(name, "\t \n");
	module = name + len;
	if (*module)
		*module++ = 0;
	if (!symbol_good_word(name, SYMBOL_NAME_MAX))
		return 0;
	module += strspn(module, "\t ");
	len = strcspn(module, "]\n");
	module[len] = 0;
	module = *module == '[' && symbol_good_word(module + 1, SYMBOL_MODULE_MAX) ? module + 1 :
										     "";
	if (!*module && kallsyms->shared != &kallsyms->core)
		return 0;
	return put_symbol(*module ? &kallsyms->modules : &kallsyms->core, start,
			  strchr("tTwW", kind) && !is_end(name), name, module);
}

static int read_list(struct lkst_kallsyms *kallsyms, const char *path)
{
	FILE *from = fopen(path, "re");
	char line[LINE_SIZE];
	int ret = 0;

	if (!from)
		return 0;
	setvbuf(from, NULL, _IOFBF, 64 * 1024);
	while (!ret && fgets(line, sizeof(line), from))
		ret = see_line(kallsyms, line);
	fclose(from);
	settle(&kallsyms->core);
	settle(&kallsyms->modules);
	return ret;
}

static struct lkst_kallsyms *load(const struct table *shared, const char *path,
				  struct lkst_error *err)
{
	struct lkst_kallsyms *kallsyms = calloc(1, sizeof(*kallsyms));

	if (kallsyms)
		kallsyms->shared = shared ? shared : &kallsyms->core;
	if (!kallsyms || read_list(kallsyms, path)) {
		lkst_kallsyms_free(kallsyms);
		lkst_error_memory(err, "the kernel's symbols");
		return NULL;
	}
	return kallsyms;
}

/**
 * lkst_kallsyms_load() - the running kernel's symbols
 * @path: list in the format of /proc/kallsyms. Where it is missing, there are none
 * @err: no memory
 *
 * It takes some tenths of a second, and some 10 MB that children of fork() share.
 */
struct lkst_kallsyms *lkst_kallsyms_load(const char *path, struct lkst_error *err)
{
	return load(NULL, path, err);
}

/**
 * lkst_kallsyms_again() - the symbols as they are now, other modules being loaded
 * @before: an earlier list, which must stay as long as this one
 * @path: as for lkst_kallsyms_load()
 * @err: no memory
 */
struct lkst_kallsyms *lkst_kallsyms_again(const struct lkst_kallsyms *before, const char *path,
					  struct lkst_error *err)
{
	return load(before->shared, path, err);
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

/* How many entries of a table begin no later. */
static size_t up_to(const struct table *table, uint64_t address)
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
 * lkst_kallsyms_find() - the code that an address is in
 * @kallsyms: symbols
 * @address: address
 * @symbol: result, good as long as @kallsyms
 *
 * Return: whether there is one.
 */
bool lkst_kallsyms_find(const struct lkst_kallsyms *kallsyms, uint64_t address,
			struct kallsym *symbol)
{
	const struct table *tables[] = { kallsyms->shared, &kallsyms->modules };
	const struct entry *last = NULL, *next = NULL;
	const char *module = "", *next_module = "";

	for (int i = 0; i < 2; i++) {
		const struct table *table = tables[i];
		size_t at = up_to(table, address);
		const struct entry *entry = table->num ? table->entry + at : NULL;

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
 * kallsym_line() - a line of the text that lkst_symbols_parse() reads
 * @symbol: symbol
 * @line: KALLSYM_LINE_MAX bytes
 */
void kallsym_line(const struct kallsym *symbol, char *line)
{
	snprintf(line, KALLSYM_LINE_MAX, "%llx %llx %s%s%s%s\n", (unsigned long long)symbol->start,
		 (unsigned long long)symbol->end, symbol->name, *symbol->module ? " [" : "",
		 symbol->module, *symbol->module ? "]" : "");
}
