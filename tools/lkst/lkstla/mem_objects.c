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
	mem->grew_since_ns = INT64_MAX;
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

/* Add an object to the growth of its site since the time of --grew-since, or subtract it. */
static void mem_grow(struct mem *mem, const struct lkst_event *event,
		     const struct mem_object *object, int64_t by)
{
	struct mem_site *site;

	if (object->site == NO_SITE || event->time_ns < mem->grew_since_ns)
		return;
	site = &mem->site[object->site];
	site->grew += by;
	site->grew_bytes += (uint64_t)by * object->requested;
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
		mem_grow(mem, event, object, -1);
		break;
	case HASH_ADDED:
		break;
	}
	object->requested = alloc->requested;
	object->allocated = alloc->allocated;
	object->site = site ? (uint32_t)(site - mem->site) : NO_SITE;
	object->time_ns = event->time_ns;
	mem_grow(mem, event, object, 1);
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
	mem_grow(mem, event, object, -1);
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

/* ---- the end ---- */

/* Return whether an object counts as live: -p and -c select it, and it is old enough for --over. */
static bool mem_counts(const struct mem *mem, const struct mem_object *object)
{
	return object->site != NO_SITE && tally_length(object->time_ns, mem->run->end_ns) >=
						  mem->run->args->over_ns;
}

/**
 * mem_objects_sum() - add up the objects of each site that are alive at the end of the window
 * @mem: what was seen
 */
void mem_objects_sum(struct mem *mem)
{
	struct mem_object *object;
	struct mem_site *site;
	size_t at = 0;

	while ((object = hash_next(&mem->objects, &at)) != NULL) {
		if (!mem_counts(mem, object))
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

/*
 * Return the value that would be at an index if the values were sorted. Reorders the values: after
 * each pass, no value before @low is larger than the result, and no value after @high is smaller
 * (Hoare's algorithm). Unlike qsort(), this function needs no memory.
 */
static int64_t mem_select(int64_t *value, size_t num, size_t index)
{
	ptrdiff_t low = 0, high = (ptrdiff_t)num - 1, wanted = (ptrdiff_t)index;

	while (low < high) {
		int64_t pivot = value[wanted];
		ptrdiff_t i = low, j = high;

		while (i <= j) {
			while (value[i] < pivot)
				i++;
			while (value[j] > pivot)
				j--;
			if (i <= j) {
				int64_t other = value[i];

				value[i++] = value[j];
				value[j--] = other;
			}
		}
		if (j < wanted)
			low = i;
		if (i > wanted)
			high = j;
	}
	return value[index];
}

/*
 * Set the median of each site. @time has room for the times of all live objects, and @end for a
 * pointer for each site.
 */
static void mem_set_medians(struct mem *mem, int64_t *time, int64_t **end)
{
	const struct mem_object *object;
	size_t at = 0;

	for (size_t i = 0; i < mem->sites; i++) {
		end[i] = time;
		time += mem->site[i].live;
	}
	while ((object = hash_next(&mem->objects, &at)) != NULL)
		if (mem_counts(mem, object))
			*end[object->site]++ = object->time_ns;
	for (size_t i = 0; i < mem->sites; i++) {
		struct mem_site *site = &mem->site[i];

		if (site->live)
			site->median_ns = mem_select(end[i] - site->live, site->live,
						     site->live / 2);
	}
}

/**
 * mem_objects_ages() - find the median age of the live objects of each site
 * @mem: what was seen; mem_objects_sum() must have been called
 *
 * During the call, this function uses 8 bytes for each object, and 8 bytes for each site.
 *
 * Return: 0; -1 if an allocation failed.
 */
int mem_objects_ages(struct mem *mem)
{
	int64_t *time = malloc((mem->objects.num + 1) * sizeof(*time));
	int64_t **end = malloc((mem->sites + 1) * sizeof(*end));
	int ret = -1;

	if (time && end) {
		mem_set_medians(mem, time, end);
		ret = 0;
	}
	free(end);
	free(time);
	return ret;
}

void mem_objects_free(struct mem *mem)
{
	hash_free(&mem->index);
	free(mem->site);
	hash_free(&mem->objects);
	hash_free(&mem->early);
}
