// SPDX-License-Identifier: GPL-2.0
/* lkstla mem: allocations and frees by call site, and what is unknown about them. */
#include "calls_case.h"
#include "tap.h"

#define HEAD								\
	"call_site,kind,allocs,frees,unseen_frees,live,requested_bytes,allocated_bytes," \
	"waste_bytes,age_p50_ns,oldest_ns"
#define MEM	HEAD "\n"
#define FREED	"freed_by,event,cache,frees,last_ns\n"

/* As in mem.c. */
struct mem_arguments {
	const char *grew_since;
	bool never_freed;
};

static const struct mem_arguments all, never_freed = { .never_freed = true };

static void setup(void)
{
	calls_setup(&analysis_mem, &all);
}

TESTS(.setup = setup, .teardown = calls_teardown);

static void alloc(int64_t time_ns, uint64_t caller, uint64_t object, uint32_t requested,
		  uint32_t allocated)
{
	calls_event(time_ns, 0, 100, LKST_ETYPE_MEM_KMALLOC, caller, object,
		    pack(requested, allocated), 0);
}

static void release(int64_t time_ns, uint64_t caller, uint64_t object)
{
	calls_event(time_ns, 1, 101, LKST_ETYPE_MEM_KFREE, caller, object, 0, 0);
}

static void cache_alloc(int64_t time_ns, uint64_t caller, uint64_t object, uint64_t size)
{
	calls_event(time_ns, 0, 100, LKST_ETYPE_MEM_CACHEALLOC, caller, object, size, 0);
}

static void cache_free(int64_t time_ns, uint64_t caller, uint64_t object, const char *cache)
{
	calls_event(time_ns, 0, 100, LKST_ETYPE_MEM_CACHEFREE, caller, object, text8(cache),
		    strlen(cache) > 8 ? text8(cache + 8) : 0);
}

TEST(nothing)
{
	analysis_check(MEM FREED);
}

TEST(sites)
{
	alloc(100, 0xa, 0x1000, 100, 128);
	alloc(110, 0xa, 0x2000, 60, 64);
	alloc(120, 0xb, 0x3000, 1000, 1024);
	release(130, 0xe, 0x2000);
	release(140, 0xe, 0x3000);
	alloc(150, 0xa, 0x2000, 8, 8);
	cache_alloc(160, 0xc, 0x4000, 192);
	cache_alloc(170, 0xa, 0x5000, 192);
	cache_free(180, 0xe, 0x5000, "dentry");
	calls_event(190, 0, 100, LKST_ETYPE_MEM_VMALLOC, 0x9000, 5000, 0xd, 0);
	calls_event(200, 0, 100, LKST_ETYPE_MEM_VMALLOC, 0xa000, 8192, 0xd, 0);
	calls_event(210, 0, 100, LKST_ETYPE_MEM_VFREE, 0xa000, 8192, 0xe, 0);
	analysis_check(MEM "0:0xd,vmalloc,2,1,0,1,5000,,,999810,999810\n"
		       "0:0xc,cache,1,0,0,1,192,,,999840,999840\n"
		       "0:0xa,kmalloc,3,1,0,2,108,136,28,999850,999900\n"
		       "0:0xb,kmalloc,1,1,0,0,0,0,0,,\n"
		       "0:0xa,cache,1,1,0,0,0,,,,\n" FREED);
}

/* An object of a cache may be freed with kfree(). */
TEST(kfree_of_cache)
{
	cache_alloc(100, 0xc, 0x4000, 192);
	cache_free(101, 0xe, 0x8000, "dentry");
	release(180, 0xe, 0x4000);
	analysis_check(MEM "0:0xc,cache,1,1,0,0,0,,,,\n" FREED
		       "0:0xe,mem_cachefree,dentry,1,101\n");
}

/*
 * Frees of objects whose allocations are not in the trace. A free of NULL, or of the result of
 * kmalloc(0), does not count.
 */
TEST(freed)
{
	release(100, 0xe, 0x1000);
	release(110, 0xe, 0x1000);
	release(120, 0xf, 0x1000);
	cache_free(130, 0xe, 0x2000, "dentry");
	cache_free(130, 0xe, 0x2000, "skbuff_head_cache");
	calls_event(140, 0, 100, LKST_ETYPE_MEM_VFREE, 0xa000, 8192, 0xe, 0);
	release(150, 0xe, 0);
	release(150, 0xe, 16);
	analysis_check(MEM FREED "0:0xe,mem_kfree,,2,110\n0:0xf,mem_kfree,,1,120\n"
		       "0:0xe,mem_cachefree,dentry,1,130\n"
		       "0:0xe,mem_cachefree,skbuff_head_cach,1,130\n"
		       "0:0xe,mem_vfree,,1,140\n");
}

/* An address that is allocated again was freed without an event. */
TEST(unseen)
{
	release(99, 0xe, 0x1000);
	alloc(100, 0xa, 0x1000, 100, 128);
	alloc(110, 0xb, 0x1000, 50, 64);
	alloc(120, 0xb, 0x1000, 50, 64);
	analysis_check(MEM "0:0xb,kmalloc,2,0,1,1,50,64,14,999880,999880\n"
		       "0:0xa,kmalloc,1,0,1,0,0,0,0,,\n" FREED "0:0xe,mem_kfree,,1,99\n");
}

/*
 * If the trace has no mem_kfree event, frees may not have been recorded, so it is unknown which
 * objects from kmalloc() are still allocated.
 */
TEST(no_frees_recorded)
{
	alloc(100, 0xa, 0x1000, 100, 128);
	cache_alloc(110, 0xb, 0x2000, 100);
	cache_free(120, 0xe, 0x3000, "x");
	analysis_check(MEM "0:0xa,kmalloc,1,,0,,,,,,\n0:0xb,cache,1,0,0,1,100,,,999890,999890\n" FREED
		       "0:0xe,mem_cachefree,x,1,120\n");
}

TEST(failed)
{
	alloc(100, 0xa, 0, 100, 0);
	alloc(100, 0xa, 16, 0, 0);
	release(120, 0xe, 0x1000);
	analysis_check(HEAD ",failed\n0:0xa,kmalloc,0,0,0,0,0,0,0,,,1\n" FREED
		       "0:0xe,mem_kfree,,1,120\n");
}

/*
 * If records were lost, an object that was allocated before the loss may have been freed during it.
 */
TEST(lost)
{
	alloc(100, 0xa, 0x1000, 100, 128);
	alloc(110, 0xa, 0x2000, 100, 128);
	alloc(110, 0xa, 0x3000, 100, 128);
	calls_loss(120, 130);
	alloc(130, 0xa, 0x4000, 100, 128);
	release(140, 0xe, 0x3000);
	analysis_check(HEAD ",unsure\n0:0xa,kmalloc,4,1,0,3,300,384,84,999890,999900,2\n" FREED);
}

TEST(only_never_freed)
{
	analysis_run.own = &never_freed;
	alloc(100, 0xa, 0x1000, 100, 128);
	alloc(110, 0xa, 0x2000, 100, 128);
	release(120, 0xe, 0x1000);
	alloc(130, 0xb, 0x3000, 10, 16);
	alloc(140, 0xc, 0x4000, 10, 16);
	alloc(150, 0xd, 0x4000, 10, 16);
	analysis_check(MEM "0:0xb,kmalloc,1,0,0,1,10,16,6,999870,999870\n"
		       "0:0xd,kmalloc,1,0,0,1,10,16,6,999850,999850\n" FREED);
}

TEST(window)
{
	analysis_run.begin_ns = 100;
	analysis_run.end_ns = 200;
	alloc(99, 0xa, 0x1000, 100, 128);
	alloc(100, 0xa, 0x2000, 100, 128);
	release(150, 0xe, 0x1000);
	release(201, 0xe, 0x2000);
	alloc(201, 0xa, 0x4000, 100, 128);
	analysis_check(MEM "0:0xa,kmalloc,1,0,0,1,100,128,28,100,100\n" FREED "0:0xe,mem_kfree,,1,150\n");
}

/* What other threads allocate does not count, even if a selected thread frees it. */
TEST(selection)
{
	analysis_selected = &calls_threads[1];
	analysis_args.processes.num = 1;
	alloc(100, 0xa, 0x1000, 100, 128);
	calls_event(110, 0, 101, LKST_ETYPE_MEM_KMALLOC, 0xb, 0x2000, pack(10, 16), 0);
	calls_event(110, 0, 101, LKST_ETYPE_MEM_KMALLOC, 0xb, 0x3000, pack(10, 16), 0);
	release(120, 0xe, 0x1000);
	release(130, 0xe, 0x9000);
	calls_event(140, 0, 100, LKST_ETYPE_MEM_KFREE, 0xf, 0x2000, 0, 0);
	calls_event(140, 0, 100, LKST_ETYPE_MEM_KFREE, 0xf, 0x9000, 0, 0);
	analysis_check(MEM "0:0xb,kmalloc,2,1,0,1,10,16,6,999890,999890\n" FREED "0:0xe,mem_kfree,,1,130\n");
}

/* --over shows only objects that are at least as old as its argument. */
TEST(over)
{
	analysis_args.over_ns = 500000;
	alloc(500000, 0xa, 0x1000, 100, 128);
	alloc(500001, 0xa, 0x2000, 100, 128);
	release(600000, 0xe, 0x9000);
	analysis_check(MEM "0:0xa,kmalloc,2,0,0,1,100,128,28,500000,500000\n" FREED
		       "0:0xe,mem_kfree,,1,600000\n");
}

/* The median of an even number of ages is the smaller one of the two in the middle. */
TEST(ages)
{
	static const int64_t times[] = { 900, 300, 500, 100, 500, 700 };

	for (uint64_t i = 0; i < NUM(times); i++) {
		alloc(times[i], 0xa, (i + 1) << 12, 8, 8);
		if (i < 5)
			alloc(times[i], 0xb, (i + 1) << 20, 8, 8);
	}
	alloc(600, 0xc, 0x900000000, 1, 8);
	alloc(900, 0xc, 0xa00000000, 1, 8);
	release(910, 0xe, 0x900000000);
	analysis_check(MEM "0:0xa,kmalloc,6,0,0,6,48,48,0,999500,999900\n"
		       "0:0xb,kmalloc,5,0,0,5,40,40,0,999500,999900\n"
		       "0:0xc,kmalloc,2,1,0,1,1,8,7,999100,999100\n" FREED);
}

/* The median is that of the sorted ages, whatever the order of the objects. */
TEST(ages_random)
{
	char expected[256];
	uint32_t seed = 1;

	for (int i = 0; i < 1000; i++) {
		int64_t time[200];
		uint64_t num = 1 + (seed >> 8) % NUM(time);

		calls_teardown();
		setup();
		for (uint64_t j = 0; j < num; j++) {
			size_t at = j;

			seed = seed * 1664525 + 1013904223;
			for (; at && time[at - 1] > (seed >> 8) % 300; at--)
				time[at] = time[at - 1];
			time[at] = (seed >> 8) % 300;
			alloc(time[at], 0xa, (j + 1) << 12, 1, 1);
		}
		release(500, 0xe, 0x10);
		snprintf(expected, sizeof(expected),
			 MEM "0:0xa,kmalloc,%llu,0,0,%llu,%llu,%llu,0,%lld,%lld\n" FREED,
			 (unsigned long long)num, (unsigned long long)num, (unsigned long long)num,
			 (unsigned long long)num, (long long)(1000000 - time[num / 2]),
			 (long long)(1000000 - time[0]));
		analysis_check(expected);
	}
}

/*
 * --grew-since: what each call site allocated from this time on, minus what was freed since then,
 * including older objects. An object that was freed without an event counts as freed when its
 * address is allocated again.
 */
TEST(grew)
{
	calls_teardown();
	calls_setup(&analysis_mem, &(struct mem_arguments){ .grew_since = "+100us" });
	alloc(99999, 0xa, 0x1000, 100, 128);
	alloc(99999, 0xa, 0x2000, 100, 128);
	alloc(99999, 0xb, 0x3000, 10, 16);
	release(99999, 0xe, 0x1000);
	alloc(100000, 0xa, 0x1000, 50, 64);
	alloc(100001, 0xb, 0x4000, 10, 16);
	alloc(100002, 0xb, 0x5000, 5, 8);
	release(100003, 0xe, 0x2000);
	release(100004, 0xe, 0x5000);
	alloc(100005, 0xc, 0x3000, 1, 8);
	cache_alloc(100006, 0xd, 0x6000, 7);
	analysis_check(HEAD ",grew,grew_bytes\n0:0xc,kmalloc,1,0,0,1,1,8,7,899995,899995,1,1\n"
		       "0:0xb,kmalloc,3,1,1,1,10,16,6,899999,899999,0,0\n"
		       "0:0xd,cache,1,,0,,,,,,,,\n"
		       "0:0xa,kmalloc,3,2,0,1,50,64,14,900000,900000,0,-50\n" FREED);
}

/* The time of --grew-since must be in the window. */
TEST(grew_outside)
{
	struct mem_arguments wrong = { .grew_since = "@1" };

	ck_assert_int_eq(analysis_mem.apply(analysis_ctx(), &wrong, &err), -1);
	assert_begins(err.text, "--grew-since @1 is not in the window (want a time from ");
	wrong.grew_since = "x";
	ck_assert_int_eq(analysis_mem.apply(analysis_ctx(), &wrong, &err), -1);
	assert_begins(err.text, "--grew-since \"x\"");
}

/*
 * The number of live objects that can be followed is limited. Objects beyond the limit are counted
 * as unfollowed.
 */
TEST(many)
{
	for (uint64_t i = 1; i <= 1000000; i++)
		alloc(100, 0xa, i << 12, 1, 2);
	release(110, 0xe, 1 << 12);
	release(110, 0xe, 900000ull << 12);
	analysis_check(HEAD ",unfollowed\n0:0xa,kmalloc,1000000,1,0,786431,786431,1572862,786431,"
		       "999900,999900,213568\n" FREED "0:0xe,mem_kfree,,1,110\n");
}

/* With arbitrary values, the tables stay within their limits. */
TEST(damaged)
{
	analysis_run.begin_ns = INT64_MIN;
	analysis_run.end_ns = INT64_MAX;
	for (uint32_t i = 0; i < 400000; i++) {
		static const uint32_t types[] = {
			LKST_ETYPE_MEM_KMALLOC, LKST_ETYPE_MEM_KFREE, LKST_ETYPE_MEM_CACHEALLOC,
			LKST_ETYPE_MEM_CACHEFREE, LKST_ETYPE_MEM_VMALLOC, LKST_ETYPE_MEM_VFREE };

		calls_event(i % 2 ? INT64_MIN : INT64_MAX, INT32_MIN, i, types[i % 6], i * 3ull, i % 1000,
			    ~0ull << i % 64, i);
	}
	calls_report();
}
