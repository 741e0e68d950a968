/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chains: events whose payload does not fit in one record.
 */
#ifndef _LKST_CHAIN_H
#define _LKST_CHAIN_H

#include <linux/types.h>
#include <linux/lkst_buffer.h>

#define LKST_PAYLOAD_WORDS	2

/**
 * struct lkst_payload - the payload of a chain: some words, then some bytes
 * @word: the first eight bytes, and the next eight; the second and third
 *	argument of the event
 * @words: number of entries of @word that the payload has, 0 to
 *	LKST_PAYLOAD_WORDS
 * @data: the bytes after the words
 * @bytes: number of bytes at @data; bytes beyond LKST_CHAIN_BYTES_MAX are not
 *	recorded
 * @flags: LKST_CHAIN_CUT if the caller has shortened the data, else 0
 *
 * The caller owns the memory at @data. If another CPU changes it while the
 * chain is written, the chain may contain a mix of old and new bytes.
 */
struct lkst_payload {
	u64 word[LKST_PAYLOAD_WORDS];
	unsigned int words;
	const void *data;
	unsigned int bytes;
	unsigned int flags;
};

void lkst_event_chain(int etype, const struct lkst_payload *payload);
void lkst_event_chain_within(int etype, const struct lkst_payload *payload);
void lkst_event_message(int level, unsigned int length, const char *text, unsigned int bytes);

#endif
