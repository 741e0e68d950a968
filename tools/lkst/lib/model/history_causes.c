// SPDX-License-Identifier: LGPL-2.1
/*
 * Causes: the contexts in which threads were woken up or went to sleep. There are few different
 * causes, so each is stored once, and spans refer to it by number. A hash table finds the number.
 */
#include <stdlib.h>
#include <string.h>

#include "history.h"
#include "lib/base/error.h"
#include "messages.h"

static struct history_cause *causes(const struct lkst_history *history)
{
	return history->causes.item;
}

static uint32_t *causes_slots(const struct lkst_history *history)
{
	return history->cause_slots.item;
}

/* Return the slot of a cause, or the empty slot into which it can be put. */
static uint32_t *causes_slot(const struct lkst_history *history, const struct history_cause *cause)
{
	uint64_t hash = (cause->number ^ cause->kind) * 0x9e3779b97f4a7c15;
	size_t mask = history->cause_slots.num - 1, i;
	uint32_t *slots = causes_slots(history);

	for (const char *c = cause->name; *c; c++)
		hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
	for (i = hash >> 32 & mask; slots[i]; i = (i + 1) & mask)
		if (!memcmp(&causes(history)[slots[i] - 1], cause, sizeof(*cause)))
			break;
	return &slots[i];
}

static int causes_fail(struct lkst_history *history)
{
	struct lkst_error err;

	lkst_error_memory(&err, HISTORY_MEMORY);
	lkst_model_fail(history->model, &err);
	history->failed = true;
	return -1;
}

/* Make the hash table large enough for 1.5 times the current number of causes. */
static int causes_resize(struct lkst_history *history)
{
	struct history_list *slots = &history->cause_slots;
	size_t num = 64;

	while (num < history->causes.num * 3)
		num *= 2;
	history->bytes -= slots->room * sizeof(uint32_t);
	free(slots->item);
	*slots = (struct history_list){ .item = calloc(num, sizeof(uint32_t)) };
	if (!slots->item)
		return causes_fail(history);
	slots->num = slots->room = num;
	history->bytes += num * sizeof(uint32_t);
	for (size_t i = 0; i < history->causes.num; i++)
		*causes_slot(history, &causes(history)[i]) = (uint32_t)i + 1;
	return 0;
}

/**
 * history_cause() - find or add a cause, and get its number
 * @history: history; if memory is short, old spans are dropped
 * @kind: enum lkst_context_kind
 * @number: number of the context, see enum lkst_context_kind
 * @name: name of the handler
 * @cause: result: number of the cause
 *
 * Return: 0; -1 on failure, which makes the model fail, too.
 */
int history_cause(struct lkst_history *history, int kind, uint64_t number, const char *name,
		  uint32_t *cause)
{
	struct history_cause wanted = { .number = number, .kind = (uint8_t)kind };

	strncpy(wanted.name, name, sizeof(wanted.name) - 1);
	if (history->cause_slots.num && (*cause = *causes_slot(history, &wanted)) != 0)
		return 0;
	if (history_grow(history, &history->causes, 1, sizeof(wanted)))
		return -1;
	causes(history)[history->causes.num++] = wanted;
	*cause = (uint32_t)history->causes.num;
	if (history->causes.num * 2 > history->cause_slots.num)
		return causes_resize(history);
	*causes_slot(history, &wanted) = *cause;
	return 0;
}

/*
 * Drop the causes whose value in @map is 0, and set the other values to the new numbers of the
 * causes.
 */
static void causes_pack(struct lkst_history *history, uint32_t *map)
{
	size_t num = 0;

	for (size_t i = 0; i < history->causes.num; i++) {
		if (!map[i])
			continue;
		causes(history)[num++] = causes(history)[i];
		map[i] = (uint32_t)num;
	}
	history->causes.num = num;
	history_shrink(history, &history->causes, sizeof(struct history_cause));
}

/**
 * history_causes_rebuild() - free the causes that no span uses
 * @history: history
 *
 * Return: 0; -1 on failure, which makes the model fail, too.
 */
int history_causes_rebuild(struct lkst_history *history)
{
	struct history_thread *threads = history_threads(history);
	uint32_t *map;

	if (!history->causes.num)
		return 0;
	map = calloc(history->causes.num, sizeof(*map));
	if (!map)
		return causes_fail(history);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < history->threads.num; i++) {
			struct history_span *spans = threads[i].spans.item;

			for (size_t k = 0; k < threads[i].spans.num; k++) {
				if (!spans[k].cause)
					continue;
				if (pass)
					spans[k].cause = map[spans[k].cause - 1];
				else
					map[spans[k].cause - 1] = 1;
			}
		}
		if (!pass)
			causes_pack(history, map);
	}
	free(map);
	return causes_resize(history);
}
