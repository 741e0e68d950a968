// SPDX-License-Identifier: LGPL-2.1
/*
 * The running kernel's list of symbols, sorted to be looked up. The kernel's own symbols stay
 * where they are until it ends, those of modules do not: reading the list again takes only the
 * modules in, so that processes that share the first one by fork() go on sharing it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "symbols.h"

#define BLOCK_SIZE (64 * 1024) /* that is read at once; no line is so long */
#define GAP_MAX	   65536 /* code behind the last symbol before something else */

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

/* A part of a line. */
struct word {
	const char *text;
	size_t len;
};

static int put_word(struct table *table, struct word word, uint32_t *offset)
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

static bool is_word(const char *text, struct word word)
{
	return !strncmp(text, word.text, word.len) && !text[word.len];
}

/* The symbols of a module follow each other. */
static int put_module(struct table *table, struct word module, uint32_t *offset)
{
	const struct entry *last = table->num ? &table->entry[table->num - 1] : NULL;

	*offset = last ? last->module : 0;
	return is_word(table->text + *offset, module) ? 0 : put_word(table, module, offset);
}

static int put_symbol(struct table *table, uint64_t start, bool code, struct word name,
		      struct word module)
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
	if ((!table->len && put_word(table, (struct word){ "", 0 }, &name_at)) ||
	    put_module(table, module, &module_at) || put_word(table, name, &name_at))
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

/* Sorted by where they start, as the kernel's own are already; of each place the one that counts. */
static void settle(struct table *table)
{
	struct entry *entry = table->entry;
	size_t num = 0, rising = 1;

	while (rising < table->num && entry[rising - 1].start <= entry[rising].start)
		rising++;
	if (rising < table->num)
		qsort(entry, table->num, sizeof(*entry), compare);
	for (size_t i = 0; i < table->num; i++)
		if (!num || entry[i].start != entry[num - 1].start)
			entry[num++] = entry[i];
		else if (compare(&entry[i], &entry[num - 1]) < 0)
			entry[num - 1] = entry[i];
	table->num = num;
}

/* Behind these there is no code, whatever the list says. */
static bool is_end(struct word name)
{
	return is_word("_etext", name) || is_word("_einittext", name) || is_word("_end", name);
}

static unsigned int digit_of(char c)
{
	unsigned int decimal = (unsigned char)c - '0', letter = ((unsigned char)c | 0x20) - 'a';

	return decimal < 10 ? decimal : letter < 6 ? letter + 10 : 16;
}

/* The word that begins here, up to what cannot be in a name. */
static struct word word_at(const char *p, const char *end)
{
	struct word word = { p, 0 };

	while (p < end && (unsigned char)*p > 0x20 && *p != 0x7f)
		p++;
	word.len = (size_t)(p - word.text);
	return word;
}

static bool kallsyms_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* "[module]" */
static struct word module_at(const char *p, const char *end)
{
	struct word module = { "", 0 };
	const char *close;

	while (p < end && kallsyms_is_blank(*p))
		p++;
	if (p == end || *p != '[')
		return module;
	module = word_at(p + 1, end);
	close = memchr(module.text, ']', module.len);
	module.len = close ? (size_t)(close - module.text) : module.len;
	return module.len <= SYMBOL_MODULE_MAX ? module : (struct word){ "", 0 };
}

/* "ffffffff81000000 T name" or "ffffffffc0000000 t name\t[module]". Returns -1: no memory. */
static int see_line(struct lkst_kallsyms *kallsyms, const char *line, const char *end)
{
	struct word name, module;
	const char *p = line;
	unsigned int digit;
	uint64_t start = 0;
	char kind;

	for (; p < end && (digit = digit_of(*p)) < 16; p++)
		start = start << 4 | digit;
	/* An address that the kernel does not show reads as 0. */
	if (!start || p - line > 16 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return 0;
	kind = p[1];
	name = word_at(p + 3, end);
	p = name.text + name.len;
	if (!name.len || name.len > SYMBOL_NAME_MAX || (p < end && !kallsyms_is_blank(*p)))
		return 0;
	module = module_at(p, end);
	if (!module.len && kallsyms->shared != &kallsyms->core)
		return 0;
	return put_symbol(module.len ? &kallsyms->modules : &kallsyms->core, start,
			  strchr("tTwW", kind) && !is_end(name), name, module);
}

/* The lines that are whole. Returns how many bytes they have, -1: no memory. */
static ssize_t see_lines(struct lkst_kallsyms *kallsyms, const char *text, size_t len)
{
	const char *line = text, *end;

	while ((end = memchr(line, '\n', len - (size_t)(line - text)))) {
		if (see_line(kallsyms, line, end))
			return -1;
		line = end + 1;
	}
	return line - text;
}

/* Returns 0 at the end of the list, -1: no memory. */
static int read_lines(struct lkst_kallsyms *kallsyms, int fd, char *text)
{
	size_t len = 0;
	ssize_t n, seen;

	while ((n = read(fd, text + len, BLOCK_SIZE - len)) > 0 || (n < 0 && errno == EINTR)) {
		len += n > 0 ? (size_t)n : 0;
		seen = see_lines(kallsyms, text, len);
		if (seen < 0)
			return -1;
		len -= (size_t)seen;
		/* So long is no line of a list of symbols. */
		if (len == BLOCK_SIZE)
			break;
		memmove(text, text + seen, len);
	}
	return see_line(kallsyms, text, text + len);
}

/* Where the code of a module is; of that which only its start needed, the list may say as well. */
struct code_range {
	char name[SYMBOL_MODULE_MAX + 1];
	uint64_t start;
	uint64_t size;
};

/* The modules that there are: of a list .../kallsyms, that is .../modules. Returns how many. */
static size_t read_modules(const char *path, struct code_range **ranges)
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
	/* name size users of state address */
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
 * What a module was started with is gone, and another module may be there now: but some kernels go
 * on listing it. Before the table is sorted: the symbols of a module follow each other.
 */
static void drop_what_is_gone(struct table *table, const char *path)
{
	struct code_range *ranges, *range = NULL;
	size_t modules = read_modules(path, &ranges), num = 0;
	uint32_t module = 0;

	for (size_t i = 0; modules && i < table->num; i++) {
		const struct entry *entry = &table->entry[i];

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

static int read_list(struct lkst_kallsyms *kallsyms, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;
	int ret;

	if (fd < 0)
		return 0;
	text = malloc(BLOCK_SIZE);
	ret = text ? read_lines(kallsyms, fd, text) : -1;
	free(text);
	close(fd);
	drop_what_is_gone(&kallsyms->modules, path);
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
