/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Histograms that rules contain: their memory, and the action "hist".
 */
#ifndef _LKST_RULES_HIST_STORE_H
#define _LKST_RULES_HIST_STORE_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/lkst.h>

#include "hist.h"

struct lkst_action;
struct lkst_action_parser;
struct lkst_rule_program;

/**
 * struct lkst_hist - a histogram
 * @users: number of actions that contain it, and of readers
 * @node: in the list of all histograms
 * @maskset: maskset of the rule for which it was created
 * @etype: event type of that rule
 * @paused: whether counting is paused
 * @charged: bytes charged with lkst_memory_charge()
 * @def: its definition
 * @text: the definition as it was written
 * @table: tables of the CPUs, by CPU number; NULL for a CPU that does not
 *	exist. Replaced under lkst_hist_mutex. Each CPU reads its pointer with
 *	preemption off, so no CPU uses a replaced table after lkst_synchronize()
 */
struct lkst_hist {
	refcount_t users;
	struct list_head node;
	lkst_maskset_id maskset;
	int etype;
	bool paused;
	size_t charged;
	struct lkst_hist_def def;
	char *text;
	struct lkst_hist_table *table[];
};

int lkst_hist_action_parse(struct lkst_action_parser *parser, struct lkst_action *action,
			   const struct lkst_filter_word *args);
void lkst_hist_action_run(int etype, const struct lkst_filter_record *record, void *private);
void lkst_hist_action_free(void *private);
int lkst_hist_written(const struct lkst_rule_program *program);
struct lkst_hist *lkst_hist_of(const struct lkst_action *action);
void lkst_hist_get(struct lkst_hist *hist);
void lkst_hist_put(struct lkst_hist *hist);
int lkst_hist_read(struct lkst_hist *hist, bool reset, struct lkst_hist_merge *merge);
void lkst_hist_read_end(struct lkst_hist_merge *merge);

#endif
