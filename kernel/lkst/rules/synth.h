/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Synthetic events, which the action trace() of rules and watches makes from the
 * fields of other events. added/ adds and removes them.
 */
#ifndef _LKST_RULES_SYNTH_H
#define _LKST_RULES_SYNTH_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/types.h>

#include "filter.h"
#include "filter_record.h"

#define LKST_SYNTH_GROUP	"synthetic"	/* of events without a group */
#define LKST_SYNTH_BYTES	128		/* maximum size of a payload */

/**
 * struct lkst_synth_field - a field of a synthetic event
 * @offset: position in the payload, in bytes
 * @size: size in bytes
 * @is_text: whether it is a string, else it is a number
 */
struct lkst_synth_field {
	u16 offset;
	u16 size;
	bool is_text;
};

/**
 * struct lkst_synth - a synthetic event
 * @node: in the list of synthetic events. Protected by the mutex of synth.c
 * @users: number of users: the list, and each action trace() that makes the
 *	event. Increases only under the mutex
 * @label: its name, such as "synthetic:latency"; valid while it is in the list
 * @etype: its event type
 * @chain: whether it is recorded as a chain
 * @bytes: size of its payload
 * @missed: number of times that trace() could not make an event
 * @num: number of fields
 * @field: the fields
 */
struct lkst_synth {
	struct list_head node;
	refcount_t users;
	const char *label;
	int etype;
	bool chain;
	u16 bytes;
	atomic_long_t missed;
	unsigned int num;
	struct lkst_synth_field field[];
};

/**
 * struct lkst_synth_load - how to get the value of a field from another event
 * @field: where it is in the other event
 * @size: size of the value in bytes
 * @is_signed: whether the field in the other event is a signed number
 */
struct lkst_synth_load {
	struct lkst_filter_test field;
	u16 size;
	bool is_signed;
};

struct lkst_synth *lkst_synth_new(unsigned int num);
void lkst_synth_add(struct lkst_synth *synth);
int lkst_synth_remove(struct lkst_synth *synth);
struct lkst_synth *lkst_synth_get(const char *name, size_t len);
void lkst_synth_put(struct lkst_synth *synth);

int lkst_synth_set_load(struct lkst_synth_load *load, struct lkst_filter_parser *parser, u32 at,
			const struct lkst_filter_field *from, const struct lkst_synth_field *to);
bool lkst_synth_load(const struct lkst_synth_load *load, const struct lkst_filter_record *record,
		     void *to);

#endif
