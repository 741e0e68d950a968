// SPDX-License-Identifier: LGPL-2.1
/*
 * Puts chains together (linux/lkst_buffer.h).
 *
 * A part belongs to the nearest head before it that has the same CPU and serial, if the head is at
 * most CHAINS_REACH records away. If a chain has several parts with the same number, the first one
 * counts. Other parts are skipped and counted. The payload of a chain ends before the first part
 * that is missing.
 *
 * When reading the oldest record first, a head and the records after it are kept in a ring until
 * all parts of the head have been read, or until CHAINS_REACH records have been read after it. Then
 * the records are returned in their order. When reading the newest record first, parts are kept in
 * the ring until their head is read. Either way, the ring holds few records if the chains are
 * complete, and never more than CHAINS_REACH + 1 unless the caller keeps other records there, too.
 */
#include "chains.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text/payload.h"

#define ROOM_MIN 64

static struct chain_item *chains_item(const struct chains *chains, uint64_t number)
{
	return &chains->item[number & (chains->room - 1)];
}

/* Add a record to the ring. Returns NULL if an allocation fails. */
static struct chain_item *chains_add(struct chains *chains, const struct lkst_event *event,
				     enum chain_role role)
{
	uint64_t num = chains->end - chains->first;
	struct chain_item *item;

	if (num == chains->room) {
		struct chains grown = *chains;

		grown.room = chains->room ? 2 * chains->room : ROOM_MIN;
		grown.item = malloc(grown.room * sizeof(*grown.item));
		if (!grown.item)
			return NULL;
		for (uint64_t i = chains->first; i < chains->end; i++)
			*chains_item(&grown, i) = *chains_item(chains, i);
		free(chains->item);
		chains->item = grown.item;
		chains->room = grown.room;
	}
	item = chains_item(chains, chains->end++);
	item->event = *event;
	item->position = chains->position++;
	item->role = role;
	item->open = false;
	item->next = 0;
	item->first = 0;
	return item;
}

/* ---- open items by CPU and serial ---- */

static uint64_t *chains_bucket(struct chains *chains, const struct lkst_event *event)
{
	uint32_t key = LKST_CHAIN_SERIAL(event->arg[0]) ^ (uint32_t)event->cpu << 20;

	return &chains->bucket[key * 0x9e3779b1u >> 24];
}

static bool chains_same(const struct lkst_event *a, const struct lkst_event *b)
{
	return a->cpu == b->cpu && LKST_CHAIN_SERIAL(a->arg[0]) == LKST_CHAIN_SERIAL(b->arg[0]);
}

/*
 * Return the link to the first open item at or after @link that has the same CPU and serial as
 * @event; NULL if none exists. Items that have left the ring end the list.
 */
static uint64_t *chains_find(struct chains *chains, uint64_t *link, const struct lkst_event *event)
{
	while (*link > chains->first) {
		struct chain_item *item = chains_item(chains, *link - 1);

		if (chains_same(&item->event, event))
			return link;
		link = &item->next;
	}
	*link = 0;
	return NULL;
}

static void chains_link(struct chains *chains, struct chain_item *item, uint64_t number)
{
	uint64_t *bucket = chains_bucket(chains, &item->event);

	item->open = true;
	item->next = *bucket;
	*bucket = number + 1;
}

/* Take the item to which @link points out of the list, and return it. */
static struct chain_item *chains_unlink(struct chains *chains, uint64_t *link)
{
	struct chain_item *item = chains_item(chains, *link - 1);

	*link = item->next;
	item->open = false;
	return item;
}

/* ---- heads and their parts ---- */

/* Return the number of parts that belong to a head. Normally the head states this number. */
static unsigned int chains_needs(const struct lkst_event *head)
{
	unsigned int parts = LKST_CHAIN_HEAD_PARTS(head->arg[0]);
	unsigned int needs = LKST_CHAIN_PARTS_OF(LKST_CHAIN_HEAD_BYTES(head->arg[0]));

	return parts < needs ? parts : needs;
}

/* Return how many bytes of the payload are in the first @parts parts and in the head. */
static unsigned int chains_size(const struct lkst_event *head, unsigned int parts)
{
	unsigned int bytes = LKST_CHAIN_HEAD_BYTES(head->arg[0]);
	unsigned int most = LKST_CHAIN_BYTES * (parts + 1);

	return bytes < most ? bytes : most;
}

static bool chains_has(const uint64_t have[4], unsigned int part)
{
	return have[part / 64] >> (part % 64) & 1;
}

/*
 * Add a part to the parts of a head. Returns false if the part does not fit the head, or if the
 * head already has a part with the same number.
 */
static bool chains_accept(const struct lkst_event *head, const struct lkst_event *part,
			  uint64_t have[4])
{
	unsigned int number = LKST_CHAIN_PART_NUMBER(part->arg[0]);

	if (!number || number > chains_needs(head) || chains_has(have, number) ||
	    LKST_CHAIN_PART_BYTES(part->arg[0]) !=
		    chains_size(head, number) - chains_size(head, number - 1))
		return false;
	have[number / 64] |= 1ull << (number % 64);
	return true;
}

static unsigned int chains_count(const uint64_t have[4])
{
	unsigned int num = 0;

	for (int i = 0; i < 4; i++)
		num += (unsigned int)__builtin_popcountll(have[i]);
	return num;
}

/* Begin a payload with the bytes in the head. */
static void chains_begin(const struct lkst_event *head, struct chain_payload *payload)
{
	payload->payload = (struct lkst_payload){ .data = payload->data };
	payload_bytes(head, payload->data);
}

static void chains_copy(const struct lkst_event *part, struct chain_payload *payload)
{
	unsigned int number = LKST_CHAIN_PART_NUMBER(part->arg[0]);

	payload_bytes(part, payload->data + LKST_CHAIN_BYTES * number);
}

/* Complete a payload to which all parts in @have were copied. */
static void chains_finish(struct lkst_event *head, const uint64_t have[4],
			  struct chain_payload *payload)
{
	struct lkst_payload *to = &payload->payload;
	unsigned int whole = 0, needs = chains_needs(head);

	while (whole < needs && chains_has(have, whole + 1))
		whole++;
	to->bytes = LKST_CHAIN_HEAD_BYTES(head->arg[0]);
	to->size = chains_size(head, whole);
	to->parts = LKST_CHAIN_HEAD_PARTS(head->arg[0]);
	to->parts_found = (uint16_t)chains_count(have);
	to->cut = to->size < to->bytes || LKST_CHAIN_HEAD_FLAGS(head->arg[0]) & LKST_CHAIN_CUT;
	head->payload = to;
}

/* ---- oldest record first ---- */

/*
 * Give up on an incomplete head with the same CPU and serial as @head, because all further parts
 * belong to @head.
 */
static void chains_supersede(struct chains *chains, const struct lkst_event *head)
{
	uint64_t *link = chains_find(chains, chains_bucket(chains, head), head);

	if (link)
		chains_unlink(chains, link);
}

static void chains_open(struct chains *chains, struct chain_item *head, uint64_t number)
{
	chains_supersede(chains, &head->event);
	memset(head->have, 0, sizeof(head->have));
	if (chains_needs(&head->event))
		chains_link(chains, head, number);
}

/* Attach a part to its head. Returns false if the ring contains no head that the part fits. */
static bool chains_attach(struct chains *chains, const struct chain_item *part, uint64_t number)
{
	uint64_t *link = chains_find(chains, chains_bucket(chains, &part->event), &part->event);
	struct chain_item *head;

	if (!link)
		return false;
	head = chains_item(chains, *link - 1);
	if (part->position - head->position > CHAINS_REACH ||
	    !chains_accept(&head->event, &part->event, head->have))
		return false;
	if (head->first)
		chains_item(chains, head->last)->first = number + 1;
	else
		head->first = number + 1;
	head->last = number;
	if (chains_count(head->have) == chains_needs(&head->event))
		chains_unlink(chains, link);
	return true;
}

/**
 * chains_push() - add the next record of a CPU
 * @chains: chains of the CPU
 * @event: record
 * @role: role of the record
 * @key: stored in the item
 * @poll: stored in the item
 *
 * Return: -1 if an allocation fails.
 */
int chains_push(struct chains *chains, const struct lkst_event *event, enum chain_role role,
		int64_t key, uint64_t poll)
{
	struct chain_item *item = chains_add(chains, event, role);

	if (!item)
		return -1;
	item->key = key;
	item->poll = poll;
	if (role == CHAIN_HEAD)
		chains_open(chains, item, chains->end - 1);
	else if (role == CHAIN_PART && !chains_attach(chains, item, chains->end - 1))
		++*chains->skipped;
	return 0;
}

/**
 * chains_front() - get the record that will be returned next
 * @chains: chains of a CPU
 *
 * Return: the record, which is not a part unless @chains->keep is set; NULL if the ring is empty.
 */
const struct chain_item *chains_front(struct chains *chains)
{
	while (chains->first < chains->end) {
		const struct chain_item *item = chains_item(chains, chains->first);

		if (item->role != CHAIN_PART || chains->keep)
			return item;
		chains->first++;
		chains->hidden++;
	}
	return NULL;
}

/**
 * chains_ready() - check whether the record that chains_front() returns can be returned now
 * @chains: chains of a CPU
 *
 * Return: false if the ring is empty, or if the record is a head whose parts may still follow.
 */
bool chains_ready(struct chains *chains)
{
	const struct chain_item *front = chains_front(chains);

	return front && (!front->open || chains->position - 1 - front->position >= CHAINS_REACH);
}

/**
 * chains_take() - take the record that chains_front() returns
 * @chains: chains of a CPU
 * @event: result
 * @payload: receives the payload of a head, to which @event then points
 */
void chains_take(struct chains *chains, struct lkst_event *event, struct chain_payload *payload)
{
	struct chain_item *item = chains_item(chains, chains->first);

	*event = item->event;
	event->parts_before = chains->hidden;
	chains->hidden = 0;
	if (item->role == CHAIN_HEAD) {
		if (item->open)
			chains_supersede(chains, event);
		chains_begin(event, payload);
		for (uint64_t at = item->first; at;) {
			const struct chain_item *part = chains_item(chains, at - 1);

			chains_copy(&part->event, payload);
			at = part->first;
		}
		chains_finish(event, item->have, payload);
	}
	chains->first++;
}

/* ---- newest record first ---- */

/*
 * Skip the parts that are too far away from all heads that are still to be read, and forget the
 * parts whose head has been read.
 */
static void chains_expire(struct chains *chains)
{
	while (chains->first < chains->end) {
		const struct chain_item *item = chains_item(chains, chains->first);

		if (item->open && chains->position - item->position <= CHAINS_REACH)
			break;
		*chains->skipped += item->open;
		chains->first++;
	}
}

/**
 * chains_stash() - keep a part until its head is read
 * @chains: chains of its CPU
 * @part: part
 *
 * Return: -1 if an allocation fails.
 */
int chains_stash(struct chains *chains, const struct lkst_event *part)
{
	struct chain_item *item;

	chains_expire(chains);
	item = chains_add(chains, part, CHAIN_PART);
	if (!item)
		return -1;
	chains_link(chains, item, chains->end - 1);
	return 0;
}

/**
 * chains_collect() - put together a chain whose parts were stashed
 * @chains: chains of its CPU
 * @head: head, which then points to @payload
 * @payload: result
 *
 * The list of parts begins with the part that was stashed last, which was recorded first.
 */
void chains_collect(struct chains *chains, struct lkst_event *head, struct chain_payload *payload)
{
	uint64_t have[4] = { 0 }, *link = chains_bucket(chains, head);

	chains_expire(chains);
	chains_begin(head, payload);
	while ((link = chains_find(chains, link, head)) != NULL) {
		const struct chain_item *part = chains_unlink(chains, link);

		if (chains_accept(head, &part->event, have))
			chains_copy(&part->event, payload);
		else
			++*chains->skipped;
	}
	chains_finish(head, have, payload);
	chains->position++;
}

/**
 * chains_pass() - count a record that does not belong to a chain
 * @chains: chains of its CPU
 */
void chains_pass(struct chains *chains)
{
	chains->position++;
}

/**
 * chains_flush() - count as skipped the parts whose head was not found
 * @chains: chains of a CPU, of which all records were read
 */
void chains_flush(struct chains *chains)
{
	chains->position += CHAINS_REACH + 1;
	chains_expire(chains);
}

/**
 * chains_close() - free the memory
 * @chains: chains of a CPU
 */
void chains_close(struct chains *chains)
{
	free(chains->item);
	chains->item = NULL;
	chains->room = 0;
	chains->first = chains->end;
}
