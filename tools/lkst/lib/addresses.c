// SPDX-License-Identifier: LGPL-2.1
/* The addresses of code that records hold, each once. */
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "symbols.h"

#define ADDRESSES_MAX (1u << 18) /* more stay without symbols: that is no trace of a kernel */

struct lkst_addresses {
	uint8_t args[LKST_ETYPE_NUM]; /* bit for each argument that is an address of code */
	size_t num;
	size_t size; /* of the table, a power of two */
	uint64_t *table; /* 0: free */
	uint64_t *list; /* in the order in which they came; size / 2 entries */
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
		addresses->list = calloc(addresses->size / 2, sizeof(*addresses->list));
	}
	if (!addresses || !addresses->table || !addresses->list) {
		lkst_addresses_free(addresses);
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
	if (!addresses)
		return;
	free(addresses->table);
	free(addresses->list);
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
	uint64_t *list = realloc(addresses->list, size / 2 * sizeof(*list));
	uint64_t *table;

	if (!list)
		return -1;
	addresses->list = list;
	table = calloc(size, sizeof(*table));
	if (!table)
		return -1;
	for (size_t i = 0; i < addresses->num; i++)
		*slot_of(table, size, list[i]) = list[i];
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
	if (addresses->num == addresses->size / 2) {
		if (grow(addresses))
			return -1;
		slot = slot_of(addresses->table, addresses->size, address);
	}
	*slot = address;
	addresses->list[addresses->num++] = address;
	return 0;
}

static int add_args(struct lkst_addresses *addresses, uint32_t type, const uint64_t *arg,
		    struct lkst_error *err)
{
	unsigned int args = type < LKST_ETYPE_NUM ? addresses->args[type] : 0;

	for (int i = 0; args >> i; i++)
		if (args >> i & 1 && add(addresses, arg[i], lkst_address_back(type))) {
			lkst_error_memory(err, "addresses");
			return -1;
		}
	return 0;
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
		const uint64_t arg[4] = { record->log_arg1, record->log_arg2, record->log_arg3,
					  record->log_arg4 };

		if (add_args(addresses, (uint32_t)record->posix.log_event_type, arg, err))
			return -1;
	}
	return 0;
}

/**
 * lkst_addresses_add_raw() - likewise, of records as the buffers hold them
 * @addresses: addresses
 * @record: records
 * @num: how many
 * @err: no memory
 */
int lkst_addresses_add_raw(struct lkst_addresses *addresses, const struct lkst_event_record *record,
			   size_t num, struct lkst_error *err)
{
	for (; num--; record++) {
		uint64_t arg[4];

		if (!record->clock || record->event_type >= LKST_ETYPE_NUM ||
		    !addresses->args[record->event_type])
			continue;
		memcpy(arg, record->arg, sizeof(arg));
		if (add_args(addresses, record->event_type, arg, err))
			return -1;
	}
	return 0;
}

/**
 * lkst_addresses_list() - the addresses in the order in which they came
 * @addresses: addresses
 * @num: how many
 *
 * Return: good until the next one is added.
 */
const uint64_t *lkst_addresses_list(const struct lkst_addresses *addresses, size_t *num)
{
	*num = addresses->num;
	return addresses->list;
}

static int by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static void put_symbols(FILE *to, const struct lkst_kallsyms *kallsyms, const uint64_t *address,
			size_t num)
{
	struct kallsym symbol;
	uint64_t end = 0;

	for (size_t i = 0; i < num; i++) {
		char line[KALLSYM_LINE_MAX];

		if (address[i] < end || !lkst_kallsyms_find(kallsyms, address[i], &symbol))
			continue;
		kallsym_line(&symbol, line);
		fputs(line, to);
		end = symbol.end;
	}
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
	struct lkst_kallsyms *kallsyms =
		lkst_kallsyms_load(addresses->num ? path : "/dev/null", err);
	uint64_t *sorted = malloc((addresses->num + 1) * sizeof(*sorted));
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	bool failed = !kallsyms || !sorted || !to;

	if (!failed) {
		memcpy(sorted, addresses->list, addresses->num * sizeof(*sorted));
		qsort(sorted, addresses->num, sizeof(*sorted), by_value);
		fputs(SYMBOLS_HEAD "\n", to);
		put_symbols(to, kallsyms, sorted, addresses->num);
		failed = ferror(to);
	}
	if (to && fclose(to))
		failed = true;
	free(sorted);
	lkst_kallsyms_free(kallsyms);
	if (failed) {
		free(text);
		lkst_error_memory(err, "symbols");
		return NULL;
	}
	return text;
}
