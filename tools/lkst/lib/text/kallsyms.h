/* SPDX-License-Identifier: LGPL-2.1 */
/* Loads the running kernel's list of symbols, and looks up addresses in it. */
#ifndef _LKST_LIB_TEXT_KALLSYMS_H
#define _LKST_LIB_TEXT_KALLSYMS_H

#include "lib/lkst.h"
#include "symbols.h"

struct lkst_kallsyms;

#define LKST_SYMBOLS_PATH	"/proc/kallsyms"

struct lkst_kallsyms *lkst_kallsyms_load(const char *path, struct lkst_error *err);
struct lkst_kallsyms *lkst_kallsyms_reload(const struct lkst_kallsyms *before, const char *path,
					   struct lkst_error *err);
void lkst_kallsyms_free(struct lkst_kallsyms *kallsyms);

#define KALLSYM_LINE_MAX  (2 * 17 + SYMBOL_NAME_MAX + SYMBOL_MODULE_MAX + 5)

/* Code of the running kernel from @start up to, but not including, @end. */
struct kallsym {
	uint64_t start;
	uint64_t end;
	const char *name;
	const char *module; /* "": none */
};

bool lkst_kallsyms_find(const struct lkst_kallsyms *kallsyms, uint64_t address,
			struct kallsym *symbol);
void kallsym_line(const struct kallsym *symbol, char *line);

#endif
