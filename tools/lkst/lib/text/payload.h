/* SPDX-License-Identifier: LGPL-2.1 */
/* Reads the part of a chain's payload that is in the head of the chain (linux/lkst_buffer.h). */
#ifndef _LKST_LIB_TEXT_PAYLOAD_H
#define _LKST_LIB_TEXT_PAYLOAD_H

#include "lib/lkst.h"

/**
 * struct payload_head - the payload of an event whose parts are unknown
 * @payload: describes @data
 * @data: the bytes that the head contains
 */
struct payload_head {
	struct lkst_payload payload;
	uint8_t data[LKST_CHAIN_BYTES];
};

void payload_bytes(const struct lkst_event *event, uint8_t bytes[LKST_CHAIN_BYTES]);
const struct lkst_payload *payload_of(const struct lkst_event *event, struct payload_head *head);
bool payload_is_mark(uint32_t type);
bool payload_mark(const struct lkst_event *event, char *text, size_t size);
uint64_t payload_word(const struct lkst_event *event, const struct lkst_payload *payload,
		      size_t at);

#endif
