/* SPDX-License-Identifier: GPL-2.0 */
/* Events that an analysis uses and that the trace does not contain, and how to record them. */
#ifndef _LKSTLA_MISSING_H
#define _LKSTLA_MISSING_H

#include <stdbool.h>

#include "lib/text/etypes.h"
#include "run.h"

#define MISSING_SIZE 4096 /* size of the text about missing events; a longer one is cut */

const struct lkst_etype *missing_etype(const struct lkst_etypes *types, const char *word);
void missing_name(const struct lkst_etype *type, const char *word, char text[64]);
bool missing_has_type(const struct runner *runner, uint32_t type);
bool missing_has_any(const struct runner *runner, const char *const *words);
bool missing_is_unsure(const struct runner *runner, const char *const *words);
void missing_text(const struct runner *runner, const char *const *words, bool quiet,
		  char text[MISSING_SIZE]);

#endif
