// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "memory" (0x040).
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <trace/events/kmem.h>
#include <trace/events/oom.h>
#include <trace/events/vmscan.h>

#include "../dispatch/event.h"
#include "../base/ksyms.h"
#include "../source/source.h"

static void lkst_probe_kmalloc(void *data, unsigned long call_site, const void *ptr,
			       size_t bytes_req, size_t bytes_alloc, gfp_t gfp_flags, int node)
{
	lkst_event(LKST_ETYPE_MEM_KMALLOC, call_site, LKST_ARGP(ptr),
		   LKST_ARG32(bytes_req, bytes_alloc),
		   LKST_ARG32((__force u32)gfp_flags, node));
}

/* @ptr may be NULL, and is not dereferenced. */
static void lkst_probe_kfree(void *data, unsigned long call_site, const void *ptr)
{
	lkst_event(LKST_ETYPE_MEM_KFREE, call_site, LKST_ARGP(ptr), 0, 0);
}

static void lkst_probe_kmem_cache_alloc(void *data, unsigned long call_site, const void *ptr,
					struct kmem_cache *cache, gfp_t gfp_flags, int node)
{
	lkst_event(LKST_ETYPE_MEM_CACHEALLOC, call_site, LKST_ARGP(ptr), kmem_cache_size(cache),
		   LKST_ARG32((__force u32)gfp_flags, node));
}

/* The cache still exists: it cannot be destroyed while it has objects. */
static void lkst_probe_kmem_cache_free(void *data, unsigned long call_site, const void *ptr,
				       const struct kmem_cache *cache)
{
	u64 name[2];

	lkst_text_copy(name, ARRAY_SIZE(name), lkst_cache_name(cache));
	lkst_event(LKST_ETYPE_MEM_CACHEFREE, call_site, LKST_ARGP(ptr), name[0], name[1]);
}

static void lkst_probe_mm_page_alloc(void *data, struct page *page, unsigned int order,
				     gfp_t gfp_flags, int migratetype)
{
	lkst_event(LKST_ETYPE_MEM_PAGEALLOC, page ? page_to_pfn(page) : U64_MAX,
		   LKST_ARG32(order, migratetype), (__force u32)gfp_flags, 0);
}

static void lkst_probe_mm_page_free(void *data, struct page *page, unsigned int order)
{
	lkst_event(LKST_ETYPE_MEM_PAGEFREE, page_to_pfn(page), order, 0, 0);
}

static void lkst_probe_direct_reclaim_begin(void *data, gfp_t gfp_flags, int order,
					    struct mem_cgroup *memcg)
{
	lkst_event(LKST_ETYPE_MEM_RECLAIM_ENTRY, order, (__force u32)gfp_flags, 0, 0);
}

static void lkst_probe_direct_reclaim_end(void *data, unsigned long nr_reclaimed,
					  struct mem_cgroup *memcg)
{
	lkst_event(LKST_ETYPE_MEM_RECLAIM_EXIT, nr_reclaimed, 0, 0, 0);
}

/* Up to 6.12 these tracepoints do not pass a memory cgroup. */
static void lkst_probe_direct_reclaim_begin_order(void *data, int order, gfp_t gfp_flags)
{
	lkst_probe_direct_reclaim_begin(data, gfp_flags, order, NULL);
}

static void lkst_probe_direct_reclaim_end_number(void *data, unsigned long nr_reclaimed)
{
	lkst_probe_direct_reclaim_end(data, nr_reclaimed, NULL);
}

static void lkst_probe_kswapd_wake(void *data, int nid, int zid, int order)
{
	lkst_event(LKST_ETYPE_MEM_KSWAPD_WAKE, nid, order, 0, 0);
}

static void lkst_probe_mark_victim(void *data, struct task_struct *task, uid_t uid)
{
	lkst_event_rare(LKST_ETYPE_MEM_OOMKILL, task->pid, 0, 0, 0);
}

/* Older 6.1 kernels pass only the PID. */
static void lkst_probe_mark_victim_pid(void *data, int pid)
{
	lkst_event_rare(LKST_ETYPE_MEM_OOMKILL, pid, 0, 0, 0);
}

struct lkst_source lkst_sources_mm[] = {
	LKST_SOURCE(kmalloc, lkst_probe_kmalloc, LKST_ETYPE_MEM_KMALLOC),
	LKST_SOURCE(kfree, lkst_probe_kfree, LKST_ETYPE_MEM_KFREE),
	LKST_SOURCE(kmem_cache_alloc, lkst_probe_kmem_cache_alloc, LKST_ETYPE_MEM_CACHEALLOC),
	LKST_SOURCE(kmem_cache_free, lkst_probe_kmem_cache_free, LKST_ETYPE_MEM_CACHEFREE),
	LKST_SOURCE(mm_page_alloc, lkst_probe_mm_page_alloc, LKST_ETYPE_MEM_PAGEALLOC),
	LKST_SOURCE(mm_page_free, lkst_probe_mm_page_free, LKST_ETYPE_MEM_PAGEFREE),
	LKST_SOURCE(mm_vmscan_direct_reclaim_begin,
		    LKST_PROBE_PROTOTYPE(mm_vmscan_direct_reclaim_begin,
					 lkst_probe_direct_reclaim_begin,
					 lkst_probe_direct_reclaim_begin_order),
		    LKST_ETYPE_MEM_RECLAIM_ENTRY),
	LKST_SOURCE(mm_vmscan_direct_reclaim_end,
		    LKST_PROBE_PROTOTYPE(mm_vmscan_direct_reclaim_end,
					 lkst_probe_direct_reclaim_end,
					 lkst_probe_direct_reclaim_end_number),
		    LKST_ETYPE_MEM_RECLAIM_EXIT),
	LKST_SOURCE(mm_vmscan_kswapd_wake, lkst_probe_kswapd_wake, LKST_ETYPE_MEM_KSWAPD_WAKE),
	LKST_SOURCE(mark_victim,
		    LKST_PROBE_PROTOTYPE(mark_victim, lkst_probe_mark_victim,
					 lkst_probe_mark_victim_pid),
		    LKST_ETYPE_MEM_OOMKILL),
#ifdef CONFIG_MMU
	LKST_SOURCE_HOOK(LKST_ETYPE_MEM_NOPAGE, LKST_ETYPE_MEM_WPPAGE, LKST_ETYPE_MEM_VMALLOC,
			 LKST_ETYPE_MEM_VFREE),
#endif
	{}
};
