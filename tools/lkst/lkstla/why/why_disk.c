// SPDX-License-Identifier: GPL-2.0
/*
 * Follows the requests to disks. Notes when and by which thread each request was issued, and how
 * many other requests were in progress at that time. A request may complete in parts, each of which
 * begins at the sector after the previous part.
 */
#include "lib/text/field.h"
#include "why_facts.h"

#define WHY_SECTOR_SIZE 512

static void why_request_key(const struct lkst_event *event, uint64_t sector,
			    uint64_t key[HASH_WORDS])
{
	key[0] = event->arg[0];
	key[1] = (uint32_t)event->arg[2];
	key[2] = sector;
}

/*
 * Find or add a device. Returns NULL if there are too many devices, or if an allocation failed,
 * which is reported.
 */
static struct why_device *why_device(struct why_facts *facts, const struct lkst_event *event)
{
	const uint64_t key[HASH_WORDS] = { event->arg[0] };
	struct why_device *device;

	if (hash_add(&facts->devices, key, &device) == HASH_NO_MEMORY)
		run_out_of_memory(facts->run);
	return device;
}

/**
 * why_disk_issue() - note that a request was issued
 * @facts: facts
 * @event: block_issue
 */
void why_disk_issue(struct why_facts *facts, const struct lkst_event *event)
{
	struct why_device *device = why_device(facts, event);
	struct why_pending *request;
	uint64_t key[HASH_WORDS];
	enum hash_result result;

	why_request_key(event, event->arg[1], key);
	result = hash_add(&facts->requests, key, &request);
	if (result == HASH_NO_MEMORY)
		run_out_of_memory(facts->run);
	/* If a request is issued again, the first issue counts. */
	if (!device || !request || result == HASH_FOUND)
		return;
	request->fact = (struct why_fact){
		.since_ns = facts->now_ns,
		.queue_ns = lkst_block_queue_ns(event),
		.number = event->arg[0],
		.value = { event->arg[1], event->arg[2] },
		.thread = why_actor(facts, event),
		.ahead = device->requests ? device->issuer : 0,
		.extra = (uint32_t)device->requests,
		.detail = WHY_DETAIL_DISK,
	};
	device->requests++;
	device->issuer = request->fact.thread;
}

/* Complete a part of a request, and keep the rest as a request in progress. */
static void why_continue(struct why_facts *facts, const struct lkst_event *event,
			 const struct why_fact *fact)
{
	uint64_t sectors = (event->arg[2] >> 32) / WHY_SECTOR_SIZE, key[HASH_WORDS];
	struct why_pending *rest;

	why_request_key(event, event->arg[1] + sectors, key);
	if (hash_add(&facts->requests, key, &rest) == HASH_NO_MEMORY)
		run_out_of_memory(facts->run);
	if (rest) {
		rest->fact = *fact;
		rest->fact.value[0] += sectors;
		rest->fact.value[1] -= event->arg[2] >> 32 << 32;
	}
}

/**
 * why_disk_complete() - note that a request has completed
 * @facts: facts
 * @level: the interrupt or softirq in which it completed; NULL: none
 * @event: block_complete
 */
void why_disk_complete(struct why_facts *facts, struct why_level *level,
		       const struct lkst_event *event)
{
	uint64_t key[HASH_WORDS], bytes = event->arg[2] >> 32;
	struct why_pending *request;
	struct why_device *device;
	struct why_fact fact = { .number = event->arg[0],
				 .value = { event->arg[1], event->arg[2] },
				 .detail = WHY_DETAIL_DISK };

	why_request_key(event, event->arg[1], key);
	request = hash_find(&facts->requests, key);
	if (request) {
		fact = request->fact;
		hash_remove(&facts->requests, request);
		device = why_device(facts, event);
		if (bytes && bytes < fact.value[1] >> 32)
			why_continue(facts, event, &fact);
		else if (device && device->requests)
			device->requests--;
	}
	if (level)
		level->done = fact;
}
