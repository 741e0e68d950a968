// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parsers of a trace's list of symbols, and of /proc/kallsyms, from which that list is
 * made.
 */
#include "fuzz.h"
#include "lib/base/etype_ids.h"
#include "lib/text/addresses.h"
#include "lib/text/etypes.h"
#include "lib/text/symbols.h"

static const uint64_t addresses[] = {
	0, 0xffffffff81000000, 0xffffffff81152b44, 0xffffffffc0201010, UINT64_MAX,
};

#define ADDRESSES (sizeof(addresses) / sizeof(*addresses))

static void lookup(struct lkst_symbols *symbols)
{
	struct lkst_symbol symbol;

	for (size_t i = 0; i < ADDRESSES; i++)
		if (lkst_symbols_find(symbols, addresses[i], &symbol))
			MUST(*symbol.name && symbol.module && symbol.offset <= addresses[i]);
	lkst_symbols_free(symbols);
}

/* Parse the input as /proc/kallsyms. The list of symbols made from it must be valid. */
static void resolve(const uint8_t *data, size_t size)
{
	static struct lkst_etypes *types;
	struct lkst_error err = { 0 };
	struct lkst_addresses *set;
	struct lkst_symbols *symbols;
	struct lkst_log_record record = { 0 };
	char path[32], *text;
	size_t len;
	int fd = fuzz_file(data, size);

	if (!types)
		types = lkst_etypes_embedded(&err);
	MUST(types);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	set = lkst_addresses_new(types, &err);
	MUST(set);
	record.posix.log_event_type = LKST_ETYPE_OOPS_REGS;
	for (size_t i = 0; i < ADDRESSES; i++) {
		record.log_arg1 = record.log_arg2 = record.log_arg3 = record.log_arg4 =
			addresses[i];
		MUST(!lkst_addresses_add(set, &record, 1, &err));
	}
	text = lkst_addresses_resolve(set, path, &len, &err);
	if (text) {
		symbols = lkst_symbols_parse(text, len, "made", &err);
		if (!symbols)
			fprintf(stderr, "%s\n", err.text);
		MUST(symbols);
		lookup(symbols);
	}
	free(text);
	lkst_addresses_free(set);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkst_error err = { 0 };
	struct lkst_symbols *symbols = lkst_symbols_parse((const char *)data, size, "T", &err);

	if (symbols)
		lookup(symbols);
	else
		MUST_EXPLAIN(err);
	resolve(data, size);
	return 0;
}
