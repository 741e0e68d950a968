/* SPDX-License-Identifier: LGPL-2.1 */
/* Parses numbers and sizes that users enter, and suggests similar names for mistyped ones. */
#ifndef _LKST_LIB_TEXT_PARSE_H
#define _LKST_LIB_TEXT_PARSE_H

#include "lib/lkst.h"

int lkst_parse_u64(const char *name, const char *text, uint64_t *value,
		   struct lkst_error *err);
int lkst_parse_range(const char *name, const char *text, long min, long max,
		     long *value, struct lkst_error *err);
int lkst_parse_size(const char *name, const char *text, uint64_t min, uint64_t max,
		    uint64_t *bytes, struct lkst_error *err);
int lkst_size_text(uint64_t bytes, char *text, size_t len);

#define LKST_SUGGESTIONS_MAX	4

size_t lkst_suggest(const char *word, const char *(*name)(void *ctx, size_t i), void *ctx,
		    size_t names, const char *suggestions[LKST_SUGGESTIONS_MAX]);
void lkst_suggestions_text(const char *const *suggestions, size_t n, char *text, size_t size);

#endif
