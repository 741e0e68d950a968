// SPDX-License-Identifier: LGPL-2.1
/*
 * Keeps the parts of chains together with their heads when events are selected, so that a trace
 * contains either all records of a chain or none. Serials count up, so in the table of one CPU, a
 * chain is forgotten only when the CPU has recorded CUT_HEADS further chains. By then, all parts of
 * the chain have been read. CPUs that record in the static buffer share a table, in which a chain
 * of another CPU may also replace the chain.
 *
 * A chain is an event that takes several records: a head, and parts (linux/lkst_buffer.h).
 */
#include "cut_heads.h"

#include "lib/base/etype_ids.h"
#include "lib/text/etypes.h"

static uint32_t cut_heads_index(const struct lkst_event *event)
{
	return (LKST_CHAIN_SERIAL(event->arg[0]) + (uint32_t)event->cpu * 61) % CUT_HEADS;
}

/**
 * cut_heads_find() - find the head of a part
 * @heads: chains
 * @event: any record
 *
 * Return: the head; NULL if it is unknown, or @event is not a part.
 */
const struct cut_head *cut_heads_find(const struct cut_heads *heads, const struct lkst_event *event)
{
	const struct cut_head *head = &heads->head[cut_heads_index(event)];

	if (event->type != LKST_ETYPE_LKST_MORE || !head->known || head->cpu != event->cpu ||
	    head->serial != LKST_CHAIN_SERIAL(event->arg[0]))
		return NULL;
	return head;
}

/**
 * cut_heads_select() - decide whether a record of a chain is selected
 * @heads: chains; remembers the chain if @event is a head
 * @event: head or part
 * @type: type of the event; NULL: unknown
 * @selected: whether the record itself is selected
 *
 * Return: for a part, whether its head was selected; for a head, or a part without a head,
 * @selected.
 */
bool cut_heads_select(struct cut_heads *heads, const struct lkst_event *event,
		      const struct lkst_etype *type, bool selected)
{
	const struct cut_head *head = cut_heads_find(heads, event);

	if (head)
		return head->selected;
	if (type && type->chain)
		heads->head[cut_heads_index(event)] = (struct cut_head){
			.known = true,
			.selected = selected,
			.text = type->user || type->field[type->fields - 1].format == LKST_FMT_TEXT,
			.cpu = event->cpu,
			.serial = LKST_CHAIN_SERIAL(event->arg[0]),
		};
	return selected;
}
