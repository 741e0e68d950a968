// SPDX-License-Identifier: GPL-2.0
/*
 * lkstla block: requests that complete in parts, are issued twice, wait in the queue, or are only
 * partly recorded.
 */
#include <errno.h>

#include "calls_case.h"
#include "lkstla/block.h"
#include "tap.h"

#define BLOCK								\
	"device,operation,requests,bytes,mb_per_s,errors,cut,at_once,p50_ns,p99_ns,max_ns,at_ns," \
	"sector,issued_by,queue_p50_ns,queue_p99_ns,queue_max_ns,queue_at_ns\n"
#define IN_PROGRESS "device,operation,sector,bytes,issued_ns,for_ns,issued_by,queue_ns\n"
/* The rest of a row if the time in the queue is unknown */
#define NO_QUEUE ",,,,\n"

enum { READ, WRITE, FLUSH, DISCARD };

#define SDA ((8u << 20) | 0)
#define SDB ((8u << 20) | 16)

static void setup(void)
{
	calls_setup(&analysis_block, NULL);
	calls_values("blkop enum 0 READ\nblkop enum 1 WRITE\nblkop enum 2 FLUSH\n"
		     "blkop enum 3 DISCARD\ndev enum 0x800000 sda\n");
}

TESTS(.setup = setup, .teardown = calls_teardown);

static void issue_after(uint64_t queue_ns, int64_t time_ns, uint32_t tid, uint64_t device,
			uint64_t sector, uint32_t bytes, uint32_t op)
{
	calls_event(time_ns, 0, tid, LKST_ETYPE_BLOCK_ISSUE, device, sector, pack(bytes, op),
		    queue_ns);
}

static void issue(int64_t time_ns, uint32_t tid, uint64_t device, uint64_t sector, uint32_t bytes,
		  uint32_t op)
{
	issue_after(0, time_ns, tid, device, sector, bytes, op);
}

/*
 * Completions are recorded in interrupts, which can hit any thread. In these tests, the interrupted
 * thread is unknown.
 */
static void complete(int64_t time_ns, uint64_t device, uint64_t sector, uint32_t bytes, uint32_t op,
		     int64_t error)
{
	calls_event(time_ns, 1, 7, LKST_ETYPE_BLOCK_COMPLETE, device, sector, pack(bytes, op),
		    (uint64_t)error);
}

TEST(nothing)
{
	analysis_check(BLOCK IN_PROGRESS);
}

TEST(requests)
{
	issue(100, 100, SDA, 8, 4096, READ);
	issue(110, 101, SDA, 16, 4096, READ);
	issue(120, 102, SDA, 8, 512, WRITE);
	issue(130, 103, SDB, 8, 1 << 20, READ);
	complete(150, SDA, 16, 4096, READ, 0);
	issue(160, 102, SDA, 16, 4096, READ);
	complete(180, SDA, 8, 512, WRITE, -EIO);
	complete(190, SDB, 8, 1 << 20, READ, 0);
	complete(200, SDA, 8, 4096, READ, 0);
	complete(201, SDA, 16, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,3,12288,12.288,0,0,2,41,100,100,200,8,a-100" NO_QUEUE
		       "sda,WRITE,1,512,0.512,1,0,1,60,60,60,180,8,c-102" NO_QUEUE
		       "8:16,READ,1,1048576,1048.576,0,0,1,60,60,60,190,8,d-103" NO_QUEUE IN_PROGRESS);
}

/* A request that completes in three parts is one request. */
TEST(parts)
{
	issue(100, 100, SDA, 1000, 4096, WRITE);
	complete(150, SDA, 1000, 1024, WRITE, 0);
	complete(160, SDA, 1002, 512, WRITE, 0);
	issue(165, 101, SDA, 1000, 1024, WRITE);
	complete(170, SDA, 1003, 2560, WRITE, 0);
	complete(190, SDA, 1000, 1024, WRITE, 0);
	analysis_check(BLOCK "sda,WRITE,2,5120,5.12,0,0,2,25,70,70,170,1000,a-100" NO_QUEUE IN_PROGRESS);
}

/*
 * After a request completes in part, the rest of it begins at the sector of another request. The
 * analysis then forgets the rest and keeps the other request.
 */
TEST(parts_collide)
{
	issue(100, 100, SDA, 1000, 4096, WRITE);
	issue(110, 101, SDA, 1002, 3072, WRITE);
	complete(150, SDA, 1000, 1024, WRITE, 0);
	complete(160, SDA, 1002, 3072, WRITE, 0);
	analysis_check(BLOCK "sda,WRITE,1,3072,3.072,0,0,2,50,50,50,160,1002,b-101" NO_QUEUE IN_PROGRESS);
}

/* The driver had no room, so the request was issued again. Its time begins at the first issue. */
TEST(issued_again)
{
	issue(100, 100, SDA, 8, 4096, READ);
	issue(150, 101, SDA, 8, 4096, READ);
	issue(160, 101, SDA, 8, 4096, READ);
	complete(200, SDA, 8, 4096, READ, 0);
	issue(300, 102, SDA, 8, 4096, READ);
	complete(310, SDA, 8, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,2,8192,8.192,0,0,1,10,100,100,200,8,a-100" NO_QUEUE IN_PROGRESS);
}

/* Two threads read the same sectors simultaneously. */
TEST(same_sectors)
{
	issue(100, 100, SDA, 8, 4096, READ);
	issue(150, 101, SDA, 8, 4096, READ);
	complete(160, SDA, 8, 4096, READ, 0);
	complete(270, SDA, 8, 4096, READ, 0);
	complete(280, SDA, 8, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,3,12288,12.288,0,1,1,60,120,120,270,8,b-101" NO_QUEUE IN_PROGRESS);
}

/*
 * A flush and a write are one request each. The write ends with a completion of 0 bytes, which does
 * not count as another request.
 */
TEST(flush)
{
	issue(100, 100, SDA, 0, 0, FLUSH);
	complete(150, SDA, 0, 0, FLUSH, 0);
	issue(160, 100, SDA, 64, 4096, WRITE);
	complete(170, SDA, 64, 4096, WRITE, 0);
	complete(171, SDA, 64, 0, WRITE, 0);
	issue(180, 100, SDA, 64, 4096, WRITE);
	complete(181, SDA, 64, 0, WRITE, 0);
	complete(182, SDA, 64, 4096, WRITE, 0);
	analysis_check(BLOCK "sda,FLUSH,1,0,0,0,0,1,50,50,50,150,0,a-100" NO_QUEUE
		       "sda,WRITE,2,8192,8.192,0,0,1,2,10,10,170,64,a-100" NO_QUEUE IN_PROGRESS);
}

/* The issue was not recorded, so the request counts, but its duration is unknown. */
TEST(no_issue)
{
	complete(150, SDA, 8, 4096, READ, -EIO);
	complete(160, SDA, 0, 0, FLUSH, 0);
	analysis_check(BLOCK "sda,READ,1,4096,4.096,1,1,0,,,,,," NO_QUEUE
		       "sda,FLUSH,1,0,0,0,1,0,,,,,," NO_QUEUE IN_PROGRESS);
}

TEST(in_progress)
{
	issue(500, 101, SDA, 8, 4096, READ);
	issue(400, 100, SDB, 1 << 20, 4096, DISCARD);
	complete(510, SDB, 1 << 20, 1024, DISCARD, 0);
	issue(600, 102, SDA, 8, 4096, WRITE);
	issue(650, 102, SDA, 8, 4096, WRITE);
	complete(700, SDA, 8, 4096, WRITE, 0);
	analysis_check(BLOCK "sda,WRITE,1,4096,4.096,0,0,1,100,100,100,700,8,c-102" NO_QUEUE
		       "sda,READ,0,0,0,0,0,1,,,,,," NO_QUEUE
		       "8:16,DISCARD,0,0,0,0,0,1,,,,,," NO_QUEUE
		       IN_PROGRESS "8:16,DISCARD,1048576,4096,400,999600,a-100,\n"
		       "sda,READ,8,4096,500,999500,b-101,\n");
}

/*
 * The time in the queue counts when the request completes, whether the request began to wait in the
 * window or before it. A request for which the kernel does not know this time does not count for
 * the columns about the queue.
 */
TEST(queue)
{
	issue_after(30, 100, 100, SDA, 8, 4096, READ);
	issue_after(5000, 110, 101, SDA, 16, 4096, READ);
	issue(120, 101, SDA, 24, 4096, READ);
	issue_after(9000, 130, 101, SDA, 32, 4096, READ);
	issue_after(1, 130, 102, SDA, 8, 4096, WRITE);
	issue_after(UINT64_MAX, 140, 102, SDA, 16, 4096, WRITE);
	complete(150, SDA, 8, 4096, READ, 0);
	complete(160, SDA, 16, 4096, READ, 0);
	complete(170, SDA, 24, 4096, READ, 0);
	complete(180, SDA, 8, 4096, WRITE, 0);
	complete(190, SDA, 16, 4096, WRITE, 0);
	analysis_check(BLOCK "sda,READ,3,12288,12.288,0,0,4,50,50,50,150,8,a-100,30,5000,5000,110\n"
		       "sda,WRITE,2,8192,8.192,0,0,2,50,50,50,180,8,c-102,1,1,1,130\n"
		       IN_PROGRESS "sda,READ,32,4096,130,999870,b-101,9000\n");
}

/*
 * The driver had no room, so the request was issued again. The time in the queue ends with the
 * first issue, so that the time in the queue and the time in the device do not overlap.
 */
TEST(queue_issued_again)
{
	issue_after(30, 100, 100, SDA, 8, 4096, READ);
	issue_after(80, 150, 101, SDA, 8, 4096, READ);
	complete(200, SDA, 8, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,1,4096,4.096,0,0,1,100,100,100,200,8,a-100,30,30,30,100\n"
		       IN_PROGRESS);
}

/* Each of two requests for the same sectors has its own time in the queue. */
TEST(queue_same_sectors)
{
	issue_after(30, 100, 100, SDA, 8, 4096, READ);
	issue_after(10, 150, 101, SDA, 8, 4096, READ);
	complete(160, SDA, 8, 4096, READ, 0);
	complete(270, SDA, 8, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,2,8192,8.192,0,0,1,60,120,120,270,8,b-101,10,30,30,100\n"
		       IN_PROGRESS);
}

/* A request that completes in parts was in the queue once. */
TEST(queue_parts)
{
	issue_after(30, 100, 100, SDA, 1000, 4096, WRITE);
	complete(150, SDA, 1000, 1024, WRITE, 0);
	complete(190, SDA, 1002, 3072, WRITE, 0);
	analysis_check(BLOCK "sda,WRITE,1,4096,4.096,0,0,1,90,90,90,190,1000,a-100,30,30,30,100\n"
		       IN_PROGRESS);
}

/* The requests that see() was called for, one on each line */
static char seen[1024];

static void see(void *ctx, const struct block_done *done)
{
	size_t len = strlen(seen);

	ck_assert_ptr_eq(ctx, seen);
	ck_assert_uint_eq(done->device, SDA);
	snprintf(seen + len, sizeof(seen) - len, "%d:%d+%d %d+%d..%d%s%s %d on %d by %s\n",
		 (int)done->operation, (int)done->sector, (int)done->bytes, (int)done->queue_ns,
		 (int)done->begin_ns, (int)done->end_ns, done->begin_known ? "" : " no begin",
		 done->end_known ? "" : " no end", (int)done->error, done->cpu,
		 done->thread ? done->thread->name : "?");
}

/*
 * An analysis that calls block_observe() sees each request once, even if the request completes in
 * parts or not at all.
 */
TEST(observer)
{
	*seen = 0;
	block_observe(analysis_ctx(), see, seen);
	issue_after(30, 100, 100, SDA, 8, 4096, READ);
	issue_after(40, 110, 101, SDA, 64, 512, WRITE);
	complete(150, SDA, 8, 1024, READ, 0);
	complete(160, SDA, 10, 3072, READ, -EIO);
	complete(170, SDA, 80, 512, WRITE, 0);
	ck_assert_str_eq(seen, "0:8+4096 30+100..160 -5 on 0 by a\n"
			       "1:0+512 0+0..170 no begin 0 on -1 by ?\n");
	*seen = 0;
	block_finish(analysis_ctx());
	ck_assert_str_eq(seen, "1:64+512 40+110..1000000 no end 0 on 0 by b\n");
}

TEST(lost)
{
	issue(100, 100, SDA, 8, 4096, READ);
	issue(100, 100, SDA, 16, 4096, READ);
	calls_loss(120, 130);
	issue(140, 101, SDA, 8, 4096, READ);
	complete(150, SDA, 8, 4096, READ, 0);
	complete(160, SDA, 16, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,2,8192,8.192,0,1,2,10,10,10,150,8,b-101" NO_QUEUE IN_PROGRESS);
}

TEST(window)
{
	analysis_run.begin_ns = 100;
	analysis_run.end_ns = 200;
	issue(90, 100, SDA, 8, 4096, READ);
	issue(90, 100, SDA, 16, 4096, READ);
	complete(99, SDA, 8, 4096, READ, 0);
	complete(100, SDA, 16, 4096, READ, 0);
	issue(190, 100, SDA, 8, 4096, READ);
	complete(201, SDA, 8, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,1,4096,40960,0,1,1,,,,,," NO_QUEUE IN_PROGRESS
		       "sda,READ,8,4096,190,10,a-100,\n");
}

/*
 * -p selects requests by the thread that issued them. If this thread is unknown, the request does
 * not count.
 */
TEST(selection)
{
	analysis_selected = &calls_threads[1];
	analysis_args.processes.num = 1;
	issue(100, 100, SDA, 8, 4096, READ);
	issue(110, 101, SDA, 16, 4096, READ);
	issue(120, 100, SDA, 24, 4096, READ);
	issue(130, 101, SDA, 32, 4096, READ);
	complete(150, SDA, 8, 4096, READ, 0);
	complete(160, SDA, 16, 4096, READ, 0);
	complete(170, SDA, 40, 4096, READ, 0);
	analysis_check(BLOCK "sda,READ,1,4096,4.096,0,0,2,50,50,50,160,16,b-101" NO_QUEUE IN_PROGRESS
		       "sda,READ,32,4096,130,999870,b-101,\n");
}

TEST(over)
{
	analysis_args.over_ns = 50;
	issue(100, 100, SDA, 8, 4096, READ);
	complete(149, SDA, 8, 4096, READ, 0);
	issue(200, 100, SDA, 8, 4096, READ);
	complete(250, SDA, 8, 4096, READ, 0);
	complete(260, SDA, 8, 4096, READ, 0);
	issue(999990, 100, SDA, 8, 4096, READ);
	analysis_check(BLOCK "sda,READ,1,4096,4.096,0,0,1,50,50,50,250,8,a-100" NO_QUEUE IN_PROGRESS);
}

/* With arbitrary values, the tables stay within their limits. */
TEST(damaged)
{
	analysis_run.begin_ns = INT64_MIN;
	analysis_run.end_ns = INT64_MAX;
	for (uint64_t i = 0; i < 200000; i++)
		issue(i % 2 ? INT64_MIN : INT64_MAX, (uint32_t)i, i % 10000, UINT64_MAX - i,
		      UINT32_MAX - (uint32_t)i % 3, (uint32_t)i % 5);
	for (uint64_t i = 0; i < 200000; i++)
		complete(i % 2 ? INT64_MAX : INT64_MIN, i % 10000, UINT64_MAX - i, UINT32_MAX - 1,
			 (uint32_t)i % 5, INT64_MIN);
	calls_report();
}
