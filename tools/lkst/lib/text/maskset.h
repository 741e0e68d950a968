/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Checks what a maskset may contain, prints masksets as text, and parses them. A maskset determines
 * the event handler of each event type, and thereby which events are recorded.
 */
#ifndef _LKST_LIB_TEXT_MASKSET_H
#define _LKST_LIB_TEXT_MASKSET_H

#include <stdio.h>

#include "lib/lkst.h"
#include "words.h"

/**
 * struct lkst_maskset_style - how a maskset is printed
 * @unregistered: include event types that are not registered; ignored with @plain
 * @plain: omit descriptions of event types
 */
struct lkst_maskset_style {
	bool unregistered;
	bool plain;
};

/**
 * struct lkst_maskset_change - a change to the event types of a maskset
 * @set: event types that get the new event handler
 * @left_out: requested event types that are absent in this kernel
 */
struct lkst_maskset_change {
	struct lkst_etype_set set;
	struct lkst_etype_set left_out;
};

int lkst_maskset_check_entry(const struct lkst_etypes *types, int number,
			     lkst_evhandler_id handler, struct lkst_error *err);
int lkst_maskset_check_locks(const struct lkst_etypes *types,
			     const struct lkst_maskset_body *body, int *offender,
			     struct lkst_error *err);
int lkst_maskset_select(const struct lkst_etypes *types, const char *word,
			lkst_evhandler_id handler, struct lkst_maskset_change *change,
			struct lkst_error *err);
bool lkst_maskset_shows(const struct lkst_etypes *types, const struct lkst_maskset_entry *entry,
			const struct lkst_maskset_style *style);
void lkst_maskset_complete(struct lkst_maskset_body *body);
void lkst_maskset_print(FILE *to, lkst_maskset_id id, const struct lkst_maskset_body *body,
			const struct lkst_etypes *types,
			const struct lkst_maskset_style *style);
int lkst_maskset_parse(FILE *from, const char *origin, const struct lkst_etypes *types,
		       const struct lkst_evhandler_list *handlers,
		       struct lkst_maskset_body *body, struct lkst_etype_set *left_out,
		       struct lkst_error *err);

#endif
