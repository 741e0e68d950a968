// SPDX-License-Identifier: LGPL-2.1
/* Reads the part of a chain's payload that is in the head of the chain (linux/lkst_buffer.h). */
#include "payload.h"

#include <byteswap.h>
#include <string.h>

#include "etypes.h"
#include "lib/base/etype_ids.h"

/**
 * payload_bytes() - get the bytes of the payload that a record of a chain contains
 * @event: head or part
 * @bytes: result, in the order in which they were in memory when they were recorded
 *
 * If the machine that recorded the event has the opposite byte order, the reader has swapped all
 * arguments, so they must be swapped back.
 */
void payload_bytes(const struct lkst_event *event, uint8_t bytes[LKST_CHAIN_BYTES])
{
	for (unsigned int i = 0; i < LKST_CHAIN_BYTES / 8; i++) {
		uint64_t word = event->swapped ? bswap_64(event->arg[1 + i]) : event->arg[1 + i];

		memcpy(bytes + 8 * i, &word, sizeof(word));
	}
}

/**
 * payload_of() - get the payload of a chain
 * @event: first record of the chain
 * @head: memory for the result; used only if the reader has not put the chain together
 *
 * Return: the payload, valid as long as @event and @head are.
 */
const struct lkst_payload *payload_of(const struct lkst_event *event, struct payload_head *head)
{
	uint32_t bytes = LKST_CHAIN_HEAD_BYTES(event->arg[0]);
	uint32_t size = bytes < LKST_CHAIN_BYTES ? bytes : LKST_CHAIN_BYTES;

	if (event->payload)
		return event->payload;
	payload_bytes(event, head->data);
	head->payload = (struct lkst_payload){
		.data = head->data,
		.size = size,
		.bytes = bytes,
		.parts = LKST_CHAIN_HEAD_PARTS(event->arg[0]),
		.cut = size < bytes || LKST_CHAIN_HEAD_FLAGS(event->arg[0]) & LKST_CHAIN_CUT,
	};
	return &head->payload;
}

/**
 * payload_word() - get a number of 64 bits from a payload
 * @event: head
 * @payload: its payload
 * @at: index of the first byte; the payload must have at least 8 bytes from there on
 */
uint64_t payload_word(const struct lkst_event *event, const struct lkst_payload *payload, size_t at)
{
	uint64_t word;

	memcpy(&word, payload->data + at, sizeof(word));
	return event->swapped ? bswap_64(word) : word;
}

/**
 * payload_is_mark() - check whether viewers show the events of a type as marks
 * @type: number of the event type
 *
 * Return: true for marks, texts and user events.
 */
bool payload_is_mark(uint32_t type)
{
	return type == LKST_ETYPE_USER_MARK || type == LKST_ETYPE_USER_TEXT ||
	       type == LKST_ETYPE_USER_LONG_TEXT || lkst_etype_is_program(type);
}

/**
 * payload_mark() - get the text of a mark
 * @event: event of any type
 * @text: result: as much of the text as fits, and a NUL
 * @size: size of @text in bytes; more than 32
 *
 * Return: false if the event is not a text that a program has recorded.
 */
bool payload_mark(const struct lkst_event *event, char *text, size_t size)
{
	const struct lkst_payload *payload;
	struct payload_head head;
	size_t len;

	if (event->type == LKST_ETYPE_USER_TEXT) {
		lkst_event_text(event, 0, 4, text);
		return true;
	}
	if (event->type != LKST_ETYPE_USER_LONG_TEXT)
		return false;
	payload = payload_of(event, &head);
	len = payload->size < size ? payload->size : size - 1;
	memcpy(text, payload->data, len);
	text[len] = 0;
	return true;
}
