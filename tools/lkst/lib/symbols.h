/* SPDX-License-Identifier: LGPL-2.1 */
/* What the parts that deal with addresses of code have in common. */
#ifndef _LKST_SYMBOLS_H
#define _LKST_SYMBOLS_H

#include "etype_ids.h"
#include "liblkst.h"

#define SYMBOLS_HEAD	 "# lkst_symbols 1"
#define SYMBOL_NAME_MAX	 511 /* bytes; the kernel's limit. OUT_ROOM relies on it */
#define SYMBOL_MODULE_MAX 63

#define KALLSYM_LINE_MAX  (2 * 17 + SYMBOL_NAME_MAX + SYMBOL_MODULE_MAX + 5)

/* Code from start to before end, as the running kernel has it. */
struct kallsym {
	uint64_t start;
	uint64_t end;
	const char *name;
	const char *module; /* "" for none */
};

bool symbol_good_word(const char *word, size_t max);

bool lkst_kallsyms_find(const struct lkst_kallsyms *kallsyms, uint64_t address,
			struct kallsym *symbol);
struct lkst_symbols *lkst_symbols_of_kernel(const struct lkst_kallsyms *kallsyms,
					    struct lkst_error *err);
void kallsym_line(const struct kallsym *symbol, char *line);

int lkst_addresses_add_raw(struct lkst_addresses *addresses, const struct lkst_event_record *record,
			   size_t num, struct lkst_error *err);
const uint64_t *lkst_addresses_list(const struct lkst_addresses *addresses, size_t *num);

/*
 * How far behind the code that is meant the addresses of an event are. On a stack they are
 * where a call returns to: after one that never does, another function may begin there.
 */
static inline unsigned int lkst_address_back(uint32_t type)
{
	return type == LKST_ETYPE_OOPS_STACK;
}

#endif
