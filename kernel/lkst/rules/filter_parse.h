/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the filter's parser share. */
#ifndef _LKST_RULES_FILTER_PARSE_H
#define _LKST_RULES_FILTER_PARSE_H

#include "filter.h"

enum lkst_filter_relation {
	LKST_REL_EQ,
	LKST_REL_NE,
	LKST_REL_LT,
	LKST_REL_LE,
	LKST_REL_GT,
	LKST_REL_GE,
	LKST_REL_AND,
	LKST_REL_MATCHES,
};

/* Arguments for "%.*s" that print a word, which is cut if it is long. */
#define LKST_FILTER_SHOWN		60
#define LKST_FILTER_WORD(word)	\
	(int)((word)->len < LKST_FILTER_SHOWN ? (word)->len : LKST_FILTER_SHOWN), (word)->at

/* filter_token.c */
bool lkst_filter_unexpected(struct lkst_filter_parser *parser, const char *want);

/* filter_value.c */
bool lkst_filter_is(const char *at, size_t len, const char *text);
__u64 lkst_filter_mask(const struct lkst_filter_field *field);
__u64 lkst_filter_lowest(const struct lkst_filter_field *field);
__u64 lkst_filter_highest(const struct lkst_filter_field *field);
bool lkst_filter_value(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
		       const struct lkst_filter_word *word, const char *at, size_t len,
		       __u64 *value);

/* filter_compare.c */
unsigned int lkst_filter_glob(const char *pattern, size_t len, struct lkst_glob *glob);
bool lkst_filter_comparison(struct lkst_filter_parser *parser);

/* filter_parse.c */
struct lkst_filter_test *lkst_filter_add(struct lkst_filter_parser *parser, __u32 at);
void lkst_filter_negate(struct lkst_filter_parser *parser);
void lkst_filter_join(struct lkst_filter_parser *parser, bool both);

#endif
