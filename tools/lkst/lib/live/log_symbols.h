/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Writes the symbols that the records of a log file need. Each symbol is written with the first
 * record that needs it.
 */
#ifndef _LKST_LOG_SYMBOLS_H
#define _LKST_LOG_SYMBOLS_H

#include "lib/lkst.h"

struct lkst_kallsyms;

struct log_symbols;

struct log_symbols *log_symbols_new(const struct lkst_etypes *types,
				    const struct lkst_kallsyms *kallsyms, const char *path,
				    struct lkst_error *err);
void log_symbols_free(struct log_symbols *symbols);
int log_symbols_observe(struct log_symbols *symbols, const struct lkst_event_record *record,
		    size_t num, struct lkst_error *err);
int log_symbols_text(struct log_symbols *symbols, bool all, size_t most, const char **text,
		     size_t *len, struct lkst_error *err);
void log_symbols_acknowledge(struct log_symbols *symbols);

#endif
