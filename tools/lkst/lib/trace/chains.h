/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Puts chains together (linux/lkst_buffer.h): gives the head the payload of the whole chain, and
 * leaves out the parts.
 */
#ifndef _LKST_LIB_TRACE_CHAINS_H
#define _LKST_LIB_TRACE_CHAINS_H

#include "lib/base/etype_ids.h"
#include "lib/lkst.h"

/*
 * A part belongs to a head only if it is one of the next CHAINS_REACH records of the CPU. A thread
 * cannot be preempted while it records a chain, but interrupts can record events in between.
 */
#define CHAINS_REACH 4096

/* The role of a record, which depends on the event types of its source. */
enum chain_role {
	CHAIN_PLAIN,	/* not a record of a chain */
	CHAIN_HEAD,
	CHAIN_PART,
};

/* A payload and the memory for it. */
struct chain_payload {
	struct lkst_payload payload;
	uint8_t data[LKST_CHAIN_BYTES_MAX];
};

/**
 * struct chain_item - a record that waits to be returned
 * @event: the record
 * @key: number that the caller associates with the record
 * @poll: another number that the caller associates with the record
 * @position: number of the record among all records of the CPU
 * @role: role of the record
 * @open: a head that lacks parts, which may still follow. When reading the newest record first: a
 *	part whose head has not been read yet
 * @next: open: 1 + number of the next open item in the same bucket; 0: none
 * @first: head: 1 + number of its first part; 0: none. Part: the same for the next part
 * @last: head: number of the last part
 * @have: head: bitmap of the parts that it has
 */
struct chain_item {
	struct lkst_event event;
	int64_t key;
	uint64_t poll;
	uint64_t position;
	enum chain_role role;
	bool open;
	uint64_t next;
	uint64_t first;
	uint64_t last;
	uint64_t have[4];
};

#define CHAINS_BUCKETS 256

/**
 * struct chains - records of a CPU that wait until the chains among them are complete
 * @item: ring of records, numbered from @first to @end - 1
 * @room: number of elements of @item: a power of two, or 0
 * @first: number of the oldest record
 * @end: number that the next record gets
 * @position: number of records of the CPU so far
 * @bucket: hash table of open items by CPU and serial: 1 + number of an item; 0: none
 * @hidden: number of parts that were left out since the last record that was returned
 * @keep: also return the parts, as separate events
 * @skipped: counts parts without a head
 */
struct chains {
	struct chain_item *item;
	size_t room;
	uint64_t first;
	uint64_t end;
	uint64_t position;
	uint64_t bucket[CHAINS_BUCKETS];
	uint32_t hidden;
	bool keep;
	uint64_t *skipped;
};

/* For readers that read the oldest record first */
int chains_push(struct chains *chains, const struct lkst_event *event, enum chain_role role,
		int64_t key, uint64_t poll);
const struct chain_item *chains_front(struct chains *chains);
bool chains_ready(struct chains *chains);
void chains_take(struct chains *chains, struct lkst_event *event, struct chain_payload *payload);

/* For readers that read the newest record first */
int chains_stash(struct chains *chains, const struct lkst_event *part);
void chains_collect(struct chains *chains, struct lkst_event *head, struct chain_payload *payload);
void chains_pass(struct chains *chains);
void chains_flush(struct chains *chains);

void chains_close(struct chains *chains);

#endif
