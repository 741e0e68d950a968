// SPDX-License-Identifier: LGPL-2.1
/*
 * The addresses of code that records hold, and the symbols that the running kernel has for
 * them. Its list of symbols is long and in no order: it is gone through once, and only what
 * is near one of the addresses is kept.
 */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "symbols.h"

#define ADDRESSES_MAX (1u << 18) /* more stay without symbols: that is no trace of a kernel */
#define LINE_SIZE     1024
#define GAP_MAX	      65536 /* code behind the last symbol before something else */

struct lkst_addresses {
	uint8_t args[LKST_ETYPE_NUM]; /* bit for each argument that is an address of code */
	size_t num;
	size_t size; /* of the table, a power of two */
	uint64_t *table; /* 0: free */
};

/**
 * lkst_addresses_new() - addresses, none yet
 * @types: event types, which tell where there are any
 * @err: no memory
 */
struct lkst_addresses *lkst_addresses_new(const struct lkst_etypes *types, struct lkst_error *err)
{
	struct lkst_addresses *addresses = calloc(1, sizeof(*addresses));

	if (addresses) {
		addresses->size = 1024;
		addresses->table = calloc(addresses->size, sizeof(*addresses->table));
	}
	if (!addresses || !addresses->table) {
		free(addresses);
		lkst_error_memory(err, "addresses");
		return NULL;
	}
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		for (int k = 0; type && k < type->fields; k++) {
			const struct lkst_field *field = &type->field[k];

			if ((field->format == LKST_FMT_SYM || field->format == LKST_FMT_REG) &&
			    field->part == LKST_PART_WHOLE)
				addresses->args[i] |= (uint8_t)(1u << field->arg);
		}
	}
	return addresses;
}

/**
 * lkst_addresses_free() - free addresses
 * @addresses: may be NULL
 */
void lkst_addresses_free(struct lkst_addresses *addresses)
{
	if (addresses)
		free(addresses->table);
	free(addresses);
}

static uint64_t *slot_of(uint64_t *table, size_t size, uint64_t address)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 32) & (size - 1);

	while (table[i] && table[i] != address)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static int grow(struct lkst_addresses *addresses)
{
	size_t size = addresses->size * 2;
	uint64_t *table = calloc(size, sizeof(*table));

	if (!table)
		return -1;
	for (size_t i = 0; i < addresses->size; i++)
		if (addresses->table[i])
			*slot_of(table, size, addresses->table[i]) = addresses->table[i];
	free(addresses->table);
	addresses->table = table;
	addresses->size = size;
	return 0;
}

/* Kernels are in the upper half; where addresses have 32 bits, it is not known where. */
static bool may_be_kernel(uint64_t address)
{
	return address >> 63 || (address && address <= UINT32_MAX);
}

static int add(struct lkst_addresses *addresses, uint64_t address, unsigned int back)
{
	uint64_t *slot;

	if (!may_be_kernel(address))
		return 0;
	address -= back;
	slot = slot_of(addresses->table, addresses->size, address);
	if (!address || *slot || addresses->num == ADDRESSES_MAX)
		return 0;
	*slot = address;
	addresses->num++;
	return addresses->num * 2 > addresses->size ? grow(addresses) : 0;
}

/**
 * lkst_addresses_add() - take in the addresses that records hold
 * @addresses: addresses
 * @record: records
 * @num: how many
 * @err: no memory
 */
int lkst_addresses_add(struct lkst_addresses *addresses, const struct lkst_log_record *record,
		       size_t num, struct lkst_error *err)
{
	for (; num--; record++) {
		uint32_t type = (uint32_t)record->posix.log_event_type;
		unsigned int args = type < LKST_ETYPE_NUM ? addresses->args[type] : 0;
		const uint64_t arg[4] = { record->log_arg1, record->log_arg2, record->log_arg3,
					  record->log_arg4 };

		for (int i = 0; args >> i; i++)
			if (args >> i & 1 && add(addresses, arg[i], lkst_address_back(type))) {
				lkst_error_memory(err, "addresses");
				return -1;
			}
	}
	return 0;
}

/* ---- the kernel's symbols ---- */

struct symbol {
	uint64_t start;
	bool code;
	char *name;
	char module[SYMBOL_MODULE_MAX + 1];
};

/* What there is after one address and up to the next, which it includes. */
struct gap {
	struct symbol last;
	uint64_t first; /* where a symbol begins; UINT64_MAX: there is none */
	char first_module[SYMBOL_MODULE_MAX + 1];
};

/* Behind these there is no code, whatever the list says. */
static bool is_end(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext") || !strcmp(name, "_end");
}

/* "ffffffff81000000 T name" or "ffffffffc0000000 t name\t[module]"; names point into @line. */
static bool parse_line(char *line, struct symbol *symbol)
{
	char *p, *module;
	size_t len;

	symbol->start = strtoull(line, &p, 16);
	if (p == line || *p++ != ' ' || !*p || p[1] != ' ')
		return false;
	symbol->code = strchr("tTwW", *p) != NULL;
	symbol->name = p + 2;
	symbol->module[0] = 0;
	len = strcspn(symbol->name, "\t \n");
	module = symbol->name + len;
	if (*module)
		*module++ = 0;
	if (!len || len > SYMBOL_NAME_MAX)
		return false;
	symbol->code &= !is_end(symbol->name);
	module += strspn(module, "\t ");
	len = strcspn(module, "]\n");
	if (*module == '[' && len > 1 && len - 1 <= SYMBOL_MODULE_MAX) {
		memcpy(symbol->module, module + 1, len - 1);
		symbol->module[len - 1] = 0;
	}
	return true;
}

static size_t first_not_less(const uint64_t *address, size_t num, uint64_t value)
{
	size_t low = 0;

	while (low < num) {
		size_t mid = low + (num - low) / 2;

		if (address[mid] < value)
			low = mid + 1;
		else
			num = mid;
	}
	return low;
}

/* Of several names of one place the first counts, as the kernel prefers it. */
static int see_symbol(struct gap *gap, const struct symbol *symbol)
{
	bool better = !gap->last.name || symbol->start > gap->last.start ||
		      (symbol->start == gap->last.start && symbol->code && !gap->last.code);

	if (symbol->start < gap->first) {
		gap->first = symbol->start;
		strcpy(gap->first_module, symbol->module);
	}
	if (better) {
		char *name = strdup(symbol->name);

		if (!name)
			return -1;
		free(gap->last.name);
		gap->last = *symbol;
		gap->last.name = name;
	}
	return 0;
}

/* Returns -1 when there is no memory. */
static int see_symbols(FILE *from, const uint64_t *address, size_t num, struct gap *gap)
{
	char line[LINE_SIZE];
	struct symbol symbol;

	while (fgets(line, sizeof(line), from)) {
		/* An address that the kernel does not show reads as 0. */
		if (!parse_line(line, &symbol) || !symbol.start)
			continue;
		if (see_symbol(&gap[first_not_less(address, num, symbol.start)], &symbol))
			return -1;
	}
	return 0;
}

static void put_symbols(FILE *to, const uint64_t *address, size_t num, struct gap *gap)
{
	const struct symbol *last = NULL, *written = NULL;
	const struct gap *next = NULL;

	/* The next symbol of each address, from the right. */
	for (size_t i = num + 1; i-- > 0;) {
		if (gap[i].first == UINT64_MAX && next) {
			gap[i].first = next->first;
			strcpy(gap[i].first_module, next->first_module);
		}
		next = &gap[i];
	}
	for (size_t i = 0; i < num; i++) {
		uint64_t end = gap[i + 1].first;

		if (gap[i].last.name)
			last = &gap[i].last;
		if (!last || !last->code || last == written)
			continue;
		if ((end == UINT64_MAX || strcmp(gap[i + 1].first_module, last->module)) &&
		    end - last->start > GAP_MAX)
			end = last->start + GAP_MAX;
		if (address[i] >= end)
			continue;
		fprintf(to, "%llx %llx %s", (unsigned long long)last->start,
			(unsigned long long)end, last->name);
		if (*last->module)
			fprintf(to, " [%s]", last->module);
		putc('\n', to);
		written = last;
	}
}

static int by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static uint64_t *sorted(const struct lkst_addresses *addresses)
{
	uint64_t *address = malloc((addresses->num + 1) * sizeof(*address));
	size_t num = 0;

	for (size_t i = 0; address && i < addresses->size; i++)
		if (addresses->table[i])
			address[num++] = addresses->table[i];
	if (num)
		qsort(address, num, sizeof(*address), by_value);
	return address;
}

static char *symbols_text(FILE *from, const struct lkst_addresses *addresses, size_t *len)
{
	uint64_t *address = sorted(addresses);
	size_t num = addresses->num;
	struct gap *gap = calloc(num + 1, sizeof(*gap));
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	bool failed = !address || !gap || !to;

	for (size_t i = 0; gap && i <= num; i++)
		gap[i].first = UINT64_MAX;
	if (!failed && from)
		failed = see_symbols(from, address, num, gap);
	if (!failed) {
		fputs(SYMBOLS_HEAD "\n", to);
		put_symbols(to, address, num, gap);
		failed = ferror(to);
	}
	if (to && fclose(to))
		failed = true;
	for (size_t i = 0; gap && i <= num; i++)
		free(gap[i].last.name);
	free(gap);
	free(address);
	if (failed) {
		free(text);
		text = NULL;
	}
	return text;
}

/**
 * lkst_addresses_resolve() - the symbols of addresses
 * @addresses: addresses
 * @path: list of symbols in the format of /proc/kallsyms. Where it is missing, there are none
 * @len: bytes of the result
 * @err: no memory
 *
 * Return: text for lkst_symbols_parse(), to be freed.
 */
char *lkst_addresses_resolve(const struct lkst_addresses *addresses, const char *path, size_t *len,
			     struct lkst_error *err)
{
	/* The list takes its time: nobody waits for what nobody needs. */
	FILE *from = addresses->num ? fopen(path, "re") : NULL;
	char *text;

	if (from)
		setvbuf(from, NULL, _IOFBF, 64 * 1024);
	text = symbols_text(from, addresses, len);
	if (from)
		fclose(from);
	if (!text)
		lkst_error_memory(err, "symbols");
	return text;
}
