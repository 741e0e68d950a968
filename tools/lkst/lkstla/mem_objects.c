// SPDX-License-Identifier: GPL-2.0
/*
 * Follows allocated kernel memory by its address until it is freed.
 *
 * Some ways of freeing record no event, for example kfree_rcu(), which frees many objects together.
 * If an address is allocated again, its previous object must have been freed in such a way.
 */
#include <stdlib.h>

#include "lib/base/etype_ids.h"
#include "mem_objects.h"
#include "tally.h"
#include "value.h"

#define MEM_SITES_MAX	65536
#define MEM_OBJECTS_MAX	(3 << 18) /* fills three quarters of 2^20 slots, which take 56 MB */
#define NO_SITE		UINT32_MAX

/* kmalloc() returns this address for 0 bytes. kfree() ignores it, like NULL. */
#define ZERO_SIZE_ADDRESS 16

/* Finds a site by its kind and caller. */
struct mem_site_entry {
	struct hash_head head;
	uint32_t index;
};

/*
 * An object. The key is its address. @site is NO_SITE if -p or -c does not select its allocation.
 */
struct mem_object {
	struct hash_head head;
	uint64_t requested;
	uint32_t allocated;
	uint32_t site;
	int64_t time_ns;
};

void mem_objects_init(struct mem *mem, const struct run *run)
{
	mem->run = run;
	mem->index = (struct hash){ .size = sizeof(struct mem_site_entry), .max = MEM_SITES_MAX };
	mem->objects = (struct hash){ .size = sizeof(struct mem_object), .max = MEM_OBJECTS_MAX };
	mem->early = (struct hash){ .size = sizeof(struct mem_early), .max = MEM_SITES_MAX };
}

/* ---- allocations ---- */

/* An allocation of any kind */
struct mem_alloc {
	enum mem_kind kind;
	uint64_t caller;
	uint64_t address;	/* 0: failed */
	uint64_t requested;
	uint32_t allocated;	/* 0: unknown */
};

/* Find or add the site of an allocation. Returns NULL if an allocation fails. */
static struct mem_site *mem_site_of(struct mem *mem, const struct mem_alloc *alloc)
{
	const uint64_t key[HASH_WORDS] = { alloc->kind, alloc->caller };
	struct mem_site_entry *entry;
	struct mem_site *site;

	if (hash_add_row(&mem->index, key, &entry) == HASH_FOUND)
		return &mem->site[entry->index];
	if (!entry)
		return NULL;
	site = tally_cover(mem->site, &mem->room, mem->sites, sizeof(*site));
	if (!site) {
		hash_remove(&mem->index, entry);
		return NULL;
	}
	mem->site = site;
	site += mem->sites;
	entry->index = (uint32_t)mem->sites++;
	site->caller = hash_is_rest(entry) ? 0 : alloc->caller;
	site->kind = hash_is_rest(entry) ? MEM_KINDS : alloc->kind;
	return site;
}

static int mem_follow(struct mem *mem, const struct lkst_event *event,
		      const struct mem_alloc *alloc, struct mem_site *site)
{
	const uint64_t key[HASH_WORDS] = { alloc->address };
	struct mem_object *object;

	switch (hash_add(&mem->objects, key, &object)) {
	case HASH_NO_MEMORY:
		return -1;
	case HASH_FULL:
		if (site)
			site->unfollowed++;
		return 0;
	case HASH_FOUND:
		if (object->site != NO_SITE)
			mem->site[object->site].unseen++;
		break;
	case HASH_ADDED:
		break;
	}
	object->requested = alloc->requested;
	object->allocated = alloc->allocated;
	object->site = site ? (uint32_t)(site - mem->site) : NO_SITE;
	object->time_ns = event->time_ns;
	return 0;
}

static int mem_count_alloc(struct mem *mem, const struct lkst_event *event,
			   const struct mem_alloc *alloc)
{
	struct mem_site *site = NULL;

	if (alloc->address == ZERO_SIZE_ADDRESS)
		return 0;
	if (value_selects(mem->run, event)) {
		site = mem_site_of(mem, alloc);
		if (!site)
			return -1;
		if (alloc->address)
			site->allocs++;
		else
			site->failed++;
	}
	return alloc->address ? mem_follow(mem, event, alloc, site) : 0;
}

/* ---- frees ---- */

static int mem_count_early(struct mem *mem, const struct lkst_event *event, uint64_t caller)
{
	uint64_t key[HASH_WORDS] = { event->type, caller };
	struct mem_early *early;

	if (!value_selects(mem->run, event))
		return 0;
	if (event->type == LKST_ETYPE_MEM_CACHEFREE)
		key[2] = event->arg[2];
	if (hash_add_row(&mem->early, key, &early) == HASH_ADDED && !hash_is_rest(early) &&
	    event->type == LKST_ETYPE_MEM_CACHEFREE)
		lkst_event_text(event, 2, 2, early->cache);
	if (!early)
		return -1;
	early->frees++;
	early->last_ns = event->time_ns;
	return 0;
}

static int mem_count_free(struct mem *mem, const struct lkst_event *event, uint64_t caller,
			  uint64_t address)
{
	const uint64_t key[HASH_WORDS] = { address };
	struct mem_object *object;

	if (address <= ZERO_SIZE_ADDRESS)
		return 0;
	object = hash_find(&mem->objects, key);
	if (!object)
		return mem_count_early(mem, event, caller);
	if (object->site != NO_SITE)
		mem->site[object->site].frees++;
	hash_remove(&mem->objects, object);
	return 0;
}

/**
 * mem_objects_take() - follow an allocation or a free
 * @mem: what was seen
 * @event: any event in the window
 *
 * Return: 0; -1 if an allocation failed.
 */
int mem_objects_take(struct mem *mem, const struct lkst_event *event)
{
	const uint64_t *arg = event->arg;

	switch (event->type) {
	case LKST_ETYPE_MEM_KMALLOC:
		return mem_count_alloc(mem, event,
				       &(struct mem_alloc){ MEM_KMALLOC, arg[0], arg[1],
							    arg[2] >> 32, (uint32_t)arg[2] });
	case LKST_ETYPE_MEM_CACHEALLOC:
		return mem_count_alloc(mem, event,
				       &(struct mem_alloc){ MEM_CACHE, arg[0], arg[1], arg[2], 0 });
	case LKST_ETYPE_MEM_VMALLOC:
		return mem_count_alloc(mem, event,
				       &(struct mem_alloc){ MEM_VMALLOC, arg[2], arg[0], arg[1], 0 });
	case LKST_ETYPE_MEM_KFREE:
	case LKST_ETYPE_MEM_CACHEFREE:
		return mem_count_free(mem, event, arg[0], arg[1]);
	case LKST_ETYPE_MEM_VFREE:
		return mem_count_free(mem, event, arg[2], arg[0]);
	default:
		return 0;
	}
}

/**
 * mem_objects_sum() - add up the objects of each site that are alive at the end of the window
 * @mem: what was seen
 */
void mem_objects_sum(struct mem *mem)
{
	const struct run *run = mem->run;
	struct mem_object *object;
	struct mem_site *site;
	size_t at = 0;

	while ((object = hash_next(&mem->objects, &at)) != NULL) {
		if (object->site == NO_SITE ||
		    tally_length(object->time_ns, run->end_ns) < run->args->over_ns)
			continue;
		site = &mem->site[object->site];
		if (!site->live || object->time_ns < site->oldest_ns)
			site->oldest_ns = object->time_ns;
		site->live++;
		site->unsure += mem->lost && object->time_ns < mem->lost_ns;
		site->requested += object->requested;
		site->allocated += object->allocated;
	}
}

void mem_objects_free(struct mem *mem)
{
	hash_free(&mem->index);
	free(mem->site);
	hash_free(&mem->objects);
	hash_free(&mem->early);
}
