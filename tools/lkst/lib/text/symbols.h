/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds the symbols of code addresses. */
#ifndef _LKST_LIB_TEXT_SYMBOLS_H
#define _LKST_LIB_TEXT_SYMBOLS_H

#include "lib/base/etype_ids.h"
#include "lib/lkst.h"

struct lkst_kallsyms;
struct lkst_symbols;

/**
 * struct lkst_symbol - the symbol of an address
 * @name: name of the function
 * @module: module of the function; "": the kernel itself
 * @offset: offset of the address in the function
 */
struct lkst_symbol {
	const char *name;
	const char *module;
	uint64_t offset;
};

struct lkst_symbols *lkst_symbols_new(void);
int lkst_symbols_add(struct lkst_symbols *symbols, const char *text, size_t len,
		     const char *origin, struct lkst_error *err);
void lkst_symbols_finalize(struct lkst_symbols *symbols);
struct lkst_symbols *lkst_symbols_parse(const char *text, size_t len, const char *origin,
					struct lkst_error *err);
struct lkst_symbols *lkst_symbols_of_list(const char *path, struct lkst_error *err);
bool lkst_symbols_find(struct lkst_symbols *symbols, uint64_t address, struct lkst_symbol *symbol);
void lkst_symbols_free(struct lkst_symbols *symbols);

#define SYMBOLS_HEADER	 "# lkst_symbols 1"
#define SYMBOL_NAME_MAX	 511 /* bytes; the kernel's limit. OUT_ROOM depends on it */
#define SYMBOL_MODULE_MAX 63

bool symbol_good_word(const char *word, size_t max);

struct lkst_symbols *lkst_symbols_of_kernel(const struct lkst_kallsyms *kallsyms,
					    struct lkst_error *err);

/*
 * Number of bytes to subtract from the addresses on a stack, which are return addresses, before
 * looking them up. If the last instruction of a function is a call that never returns, the return
 * address is the start of the next function.
 */
#define LKST_STACK_BACK 1

/* Return the number of bytes to subtract from an event's addresses before looking them up. */
static inline unsigned int lkst_address_back(uint32_t type)
{
	return type == LKST_ETYPE_OOPS_STACK ? LKST_STACK_BACK : 0;
}

#endif
