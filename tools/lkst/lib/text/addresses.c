// SPDX-License-Identifier: LGPL-2.1
/* Collects the code addresses in records, without duplicates. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "etypes.h"
#include "kallsyms.h"
#include "lib/base/error.h"
#include "symbols.h"

#define ADDRESSES_MAX (1u << 18) /* further addresses are ignored; real traces have fewer */

struct lkst_addresses {
	uint8_t args[LKST_ETYPE_NUM]; /* bitmap of the arguments that are code addresses */
	uint8_t back[LKST_ETYPE_NUM]; /* bytes to subtract from the addresses */
	size_t num;
	size_t size; /* of the hash table, a power of two */
	uint64_t *table; /* hash table; 0: free entry */
	uint64_t *list; /* in the order in which they were added; at most size / 2 entries */
};

/*
 * Note which arguments of a type are code addresses. If a stack continues in the parts of a chain
 * (records of type LKST_ETYPE_LKST_MORE), the contents of all parts count as addresses, because a
 * part does not say whether it contains a stack or text. This does no harm: text is hardly ever
 * equal to an address of the kernel.
 */
static void addresses_learn(struct lkst_addresses *addresses, const struct lkst_etype *type)
{
	for (int k = 0; k < type->fields; k++) {
		const struct lkst_field *field = &type->field[k];

		if ((field->format != LKST_FMT_SYM && field->format != LKST_FMT_REG) ||
		    field->part != LKST_PART_WHOLE)
			continue;
		for (unsigned int arg = field->arg; arg < field->arg + field->args; arg++)
			addresses->args[type->number] |= (uint8_t)(1u << arg);
		if (!field->continues)
			continue;
		addresses->back[type->number] = LKST_STACK_BACK;
		addresses->back[LKST_ETYPE_LKST_MORE] = LKST_STACK_BACK;
		addresses->args[LKST_ETYPE_LKST_MORE] = 0xe;
	}
}

/**
 * lkst_addresses_new() - make an empty set of addresses
 * @types: event types, to find out which arguments are addresses
 * @err: set if an allocation fails
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
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		addresses->back[i] = (uint8_t)lkst_address_back(i);
		if (types->type[i])
			addresses_learn(addresses, types->type[i]);
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

static uint64_t *addresses_slot_of(uint64_t *table, size_t size, uint64_t address)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15u >> 32) & (size - 1);

	while (table[i] && table[i] != address)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static int addresses_grow(struct lkst_addresses *addresses)
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
		*addresses_slot_of(table, size, list[i]) = list[i];
	free(addresses->table);
	addresses->table = table;
	addresses->size = size;
	return 0;
}

/*
 * Return whether an address may belong to a kernel. 64-bit kernels are in the upper half of the
 * address space. A 32-bit kernel may be anywhere in its address space, which ends at 4 GB.
 */
static bool addresses_may_be_kernel(uint64_t address)
{
	return address >> 63 || (address && address <= UINT32_MAX);
}

static int addresses_add(struct lkst_addresses *addresses, uint64_t address, unsigned int back)
{
	uint64_t *slot;

	if (!addresses_may_be_kernel(address))
		return 0;
	address -= back;
	slot = addresses_slot_of(addresses->table, addresses->size, address);
	if (!address || *slot || addresses->num == ADDRESSES_MAX)
		return 0;
	if (addresses->num == addresses->size / 2) {
		if (addresses_grow(addresses))
			return -1;
		slot = addresses_slot_of(addresses->table, addresses->size, address);
	}
	*slot = address;
	addresses->list[addresses->num++] = address;
	return 0;
}

static int addresses_add_args(struct lkst_addresses *addresses, uint32_t type, const uint64_t *arg,
			      struct lkst_error *err)
{
	unsigned int args = type < LKST_ETYPE_NUM ? addresses->args[type] : 0;

	for (int i = 0; args >> i; i++)
		if (args >> i & 1 && addresses_add(addresses, arg[i], addresses->back[type])) {
			lkst_error_memory(err, "addresses");
			return -1;
		}
	return 0;
}

/**
 * lkst_addresses_add() - add the addresses in records
 * @addresses: addresses
 * @record: records in the STD format
 * @num: number of records
 * @err: set if an allocation fails
 */
int lkst_addresses_add(struct lkst_addresses *addresses, const struct lkst_log_record *record,
		       size_t num, struct lkst_error *err)
{
	for (; num--; record++) {
		const uint64_t arg[4] = { record->log_arg1, record->log_arg2, record->log_arg3,
					  record->log_arg4 };

		if (addresses_add_args(addresses, (uint32_t)record->posix.log_event_type, arg, err))
			return -1;
	}
	return 0;
}

/**
 * lkst_addresses_add_raw() - add the addresses in records of a buffer
 * @addresses: addresses
 * @record: records in the format that they have in a buffer
 * @num: number of records
 * @err: set if an allocation fails
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
		if (addresses_add_args(addresses, record->event_type, arg, err))
			return -1;
	}
	return 0;
}

/**
 * lkst_addresses_list() - get the addresses in the order in which they were added
 * @addresses: addresses
 * @num: set to their number
 *
 * Return: the addresses, valid until another one is added.
 */
const uint64_t *lkst_addresses_list(const struct lkst_addresses *addresses, size_t *num)
{
	*num = addresses->num;
	return addresses->list;
}

static int addresses_by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static void addresses_put_symbols(FILE *to, const struct lkst_kallsyms *kallsyms,
				  const uint64_t *address, size_t num)
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
 * lkst_addresses_resolve() - find the symbols of addresses
 * @addresses: addresses
 * @path: list of symbols in the format of /proc/kallsyms; if it does not exist, no symbol is found
 * @len: length of the result in bytes
 * @err: set if an allocation fails
 *
 * Return: text for lkst_symbols_parse(), to be freed by the caller; NULL on failure.
 */
char *lkst_addresses_resolve(const struct lkst_addresses *addresses, const char *path, size_t *len,
			     struct lkst_error *err)
{
	/* Loading the list takes a long time, so skip it if there are no addresses. */
	struct lkst_kallsyms *kallsyms =
		lkst_kallsyms_load(addresses->num ? path : "/dev/null", err);
	uint64_t *sorted = malloc((addresses->num + 1) * sizeof(*sorted));
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	bool failed = !kallsyms || !sorted || !to;

	if (!failed) {
		memcpy(sorted, addresses->list, addresses->num * sizeof(*sorted));
		qsort(sorted, addresses->num, sizeof(*sorted), addresses_by_value);
		fputs(SYMBOLS_HEADER "\n", to);
		addresses_put_symbols(to, kallsyms, sorted, addresses->num);
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
