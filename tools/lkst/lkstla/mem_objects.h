/* SPDX-License-Identifier: GPL-2.0 */
/* Follows allocations of kernel memory until they are freed, for lkstla mem. */
#ifndef _LKSTLA_MEM_OBJECTS_H
#define _LKSTLA_MEM_OBJECTS_H

#include "analysis.h"
#include "hash.h"

enum mem_kind {
	MEM_KMALLOC,
	MEM_CACHE,
	MEM_VMALLOC,
	MEM_KINDS,
};

/**
 * struct mem_site - code that allocates memory
 * @caller: address of the code
 * @kind: function that the code calls to allocate
 * @allocs: number of allocations
 * @frees: number of objects that were freed
 * @unseen: number of objects that were freed without an event
 * @failed: number of allocations that failed
 * @unfollowed: number of allocations that could not be followed, because too many objects were
 *	alive
 * @live: number of objects that had not been freed at the end of the window
 * @unsure: number of live objects that may have been freed, because records are missing
 * @requested: total size of the live objects
 * @allocated: memory that the live objects occupy
 * @oldest_ns: time at which the oldest live object was allocated
 * @median_ns: median of the times at which the live objects were allocated, see mem_objects_ages()
 * @grew: number of objects that were allocated since the time of --grew-since, minus those that
 *	were freed
 * @grew_bytes: total size of the objects that were allocated since the time of --grew-since, minus
 *	the total size of those that were freed, modulo 2^64
 */
struct mem_site {
	uint64_t caller;
	enum mem_kind kind;
	uint64_t allocs;
	uint64_t frees;
	uint64_t unseen;
	uint64_t failed;
	uint64_t unfollowed;
	uint64_t live;
	uint64_t unsure;
	uint64_t requested;
	uint64_t allocated;
	int64_t oldest_ns;
	int64_t median_ns;
	int64_t grew;
	uint64_t grew_bytes;
};

/* Frees of objects whose allocation is unknown. The key is type, caller and cache. */
struct mem_early {
	struct hash_head head;
	char cache[17];
	uint64_t frees;
	int64_t last_ns;
};

/**
 * struct mem - data about allocations
 * @run: run
 * @index: finds a site by its kind and caller
 * @site: the sites, in the order in which they appear
 * @sites: number of sites
 * @room: number of sites that fit into @site
 * @objects: objects that are alive
 * @early: frees of objects whose allocation is unknown
 * @grew_since_ns: time of --grew-since; INT64_MAX: the option is not given
 * @lost: records are missing
 * @lost_ns: the latest time up to which records are missing
 */
struct mem {
	const struct run *run;
	struct hash index;
	struct mem_site *site;
	size_t sites;
	size_t room;
	struct hash objects;
	struct hash early;
	int64_t grew_since_ns;
	bool lost;
	int64_t lost_ns;
};

void mem_objects_init(struct mem *mem, const struct run *run);
int mem_objects_take(struct mem *mem, const struct lkst_event *event);
void mem_objects_sum(struct mem *mem);
int mem_objects_ages(struct mem *mem);
void mem_objects_free(struct mem *mem);

/* mem.c */
bool mem_knows_live(const struct mem *mem, const struct mem_site *site);

#endif
