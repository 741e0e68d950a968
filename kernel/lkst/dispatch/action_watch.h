/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The action watch(NAME) of rules.
 */
#ifndef _LKST_DISPATCH_ACTION_WATCH_H
#define _LKST_DISPATCH_ACTION_WATCH_H

#include <linux/types.h>

#include "../rules/action.h"

struct lkst_watch_feed;

int lkst_action_watch_parse(struct lkst_action_parser *parser, struct lkst_action *action,
			    const struct lkst_filter_word *args);
void lkst_action_watch(int etype, const struct lkst_filter_record *record, void *private);
void lkst_action_watch_end(int etype, const struct lkst_watch_feed *feed,
			   const u64 *arg, u64 now, u64 begin);

#endif
