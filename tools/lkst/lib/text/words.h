/* SPDX-License-Identifier: LGPL-2.1 */
/* Looks up the words that users type for event types. A word selects one or more types. */
#ifndef _LKST_LIB_TEXT_WORDS_H
#define _LKST_LIB_TEXT_WORDS_H

#include "lib/lkst.h"

#define LKST_WORD_ALL	"all"

struct lkst_etype_set {
	uint64_t bits[LKST_ETYPE_NUM / 64];
};

static inline void lkst_etype_set_add(struct lkst_etype_set *set, unsigned int number)
{
	set->bits[number / 64] |= 1ull << number % 64;
}

static inline void lkst_etype_set_remove(struct lkst_etype_set *set, unsigned int number)
{
	set->bits[number / 64] &= ~(1ull << number % 64);
}

static inline bool lkst_etype_set_has(const struct lkst_etype_set *set, unsigned int number)
{
	return set->bits[number / 64] >> number % 64 & 1;
}

const char *lkst_etype_bare_name(const struct lkst_etype *type);
bool lkst_etypes_is_bare(const struct lkst_etypes *types, const char *word);
char *lkst_next_word(char **list);
int lkst_etypes_select(const struct lkst_etypes *types, const char *word,
		       struct lkst_etype_set *set, struct lkst_error *err);

#endif
