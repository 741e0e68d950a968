// SPDX-License-Identifier: GPL-2.0
/* lkstla lock: waits from begin to end, nested begins, kinds, callers, and what is unknown. */
#include <errno.h>

#include "calls_case.h"
#include "lkstla/lock.h"
#include "tap.h"

#define LOCKS	"lock,kind,waits,failed,cut,wait_ns,p50_ns,p99_ns,max_ns,at_ns,worst,in\n"
#define CALLERS	"lock,kind,waits,failed,cut,wait_ns,p50_ns,p99_ns,max_ns,at_ns,worst,in,caller\n"
#define WAITING	"lock,kind,thread,since_ns,for_ns,in\n"

#define SPIN	1
#define READ	2
#define WRITE	4
#define RT	8
#define PERCPU	16
#define MUTEX	32

#define IDLE	0

static void setup(void)
{
	calls_setup(&analysis_lock, NULL);
	calls_values("lcb flags 1 SPIN\nlcb flags 2 READ\nlcb flags 4 WRITE\nlcb flags 8 RT\n"
		     "lcb flags 16 PERCPU\nlcb flags 32 MUTEX\n");
	for (int i = 0; i < NUM(calls_threads); i++)
		calls_threads[i].syscall = LKST_SYSCALL_NONE;
}

TESTS(.setup = setup, .teardown = calls_teardown);

static void begin(int64_t time_ns, int32_t cpu, uint32_t tid, uint64_t lock, uint64_t flags)
{
	calls_event(time_ns, cpu, tid, LKST_ETYPE_LOCK_CONTENTION_BEGIN, lock, flags, 0, 0);
}

static void end(int64_t time_ns, int32_t cpu, uint32_t tid, uint64_t lock, int64_t result)
{
	calls_event(time_ns, cpu, tid, LKST_ETYPE_LOCK_CONTENTION_END, lock, (uint64_t)result, 0, 0);
}

TEST(nothing)
{
	analysis_check(LOCKS WAITING);
}

/* A mutex: spin, sleep, spin again, and sleep again. All of it is one wait. */
TEST(mutex)
{
	calls_threads[1].syscall = 82;
	begin(100, 0, 101, 0x1000, MUTEX | SPIN);
	begin(110, 0, 101, 0x1000, MUTEX);
	begin(120, 1, 101, 0x1000, MUTEX | SPIN);
	begin(130, 1, 101, 0x1000, MUTEX);
	end(160, 1, 101, 0x1000, 0);
	begin(200, 0, 100, 0x1000, MUTEX);
	end(210, 0, 100, 0x1000, -EINTR);
	analysis_check(LOCKS "0:0x1000,mutex,2,1,0,70,10,60,60,160,b-101,call_82\n" WAITING);
}

static const struct { const char *kind; uint64_t flags; } kinds[] = {
	{ "spinlock", SPIN }, { "rwlock read", SPIN | READ }, { "rwlock write", SPIN | WRITE },
	{ "mutex", MUTEX }, { "mutex", MUTEX | SPIN }, { "rwsem read", READ },
	{ "rwsem write", WRITE }, { "rt-mutex", RT }, { "rt-rwlock read", RT | READ },
	{ "rt-rwlock write", RT | WRITE }, { "percpu-rwsem read", PERCPU | READ },
	{ "percpu-rwsem write", PERCPU | WRITE }, { "semaphore", 0 }, { "0x40", 64 },
};

TEST_EACH(kind, kinds)
{
	char expected[256];

	begin(100, 0, 101, 0x1000, kinds[_i].flags);
	end(160, 1, 101, 0x1000, 0);
	snprintf(expected, sizeof(expected), "%s0:0x1000,%s,1,0,0,60,60,60,60,160,b-101,\n%s", LOCKS,
		 kinds[_i].kind, WAITING);
	analysis_check(expected);
}

/* Without the names of the flags, the kind is the number. */
TEST(no_names)
{
	calls_values("");
	begin(100, 0, 101, 0x1000, MUTEX);
	end(160, 1, 101, 0x1000, 0);
	analysis_check(LOCKS "0:0x1000,0x20,1,0,0,60,60,60,60,160,b-101,\n" WAITING);
}

/*
 * Simultaneous waits: for the same lock, for different locks, and for another lock in an interrupt.
 */
TEST(at_once)
{
	begin(100, 0, 100, 0x1000, WRITE);
	begin(110, 1, 101, 0x1000, READ);
	begin(120, 0, 100, 0x2000, SPIN);
	begin(125, 2, IDLE, 0x2000, SPIN);
	begin(126, 3, IDLE, 0x2000, SPIN);
	end(130, 0, 100, 0x2000, 0);
	end(140, 2, IDLE, 0x2000, 0);
	end(150, 3, IDLE, 0x2000, 0);
	end(200, 0, 100, 0x1000, 0);
	end(201, 1, 101, 0x1000, 0);
	analysis_check(LOCKS "0:0x1000,rwsem write,1,0,0,100,100,100,100,200,a-100,\n"
		       "0:0x1000,rwsem read,1,0,0,91,91,91,91,201,b-101,\n"
		       "0:0x2000,spinlock,3,0,0,49,15,24,24,150,,\n" WAITING);
}

/* An end without a begin counts, but its kind and duration are unknown. */
TEST(no_begin)
{
	end(160, 1, 101, 0x1000, 0);
	begin(170, 0, 101, 0x1000, SPIN);
	end(180, 0, 101, 0x1000, 0);
	end(190, 0, 101, 0x1000, -EINTR);
	analysis_check(LOCKS "0:0x1000,spinlock,1,0,0,10,10,10,10,180,b-101,\n"
		       "0:0x1000,?,2,1,2,0,,,,,,\n" WAITING);
}

/* A begin without an end: the thread still waits. The wait that began first is listed first. */
TEST(no_end)
{
	calls_threads[2].syscall = 1;
	begin(300, 0, 102, 0x1000, MUTEX);
	begin(200, 1, 101, 0x2000, READ);
	analysis_check(LOCKS WAITING "0:0x2000,rwsem read,b-101,200,999800,\n"
		       "0:0x1000,mutex,c-102,300,999700,call_1\n");
}

/* The waits that see() was called for, one on each line */
static char seen[1024];

static void see(void *ctx, const struct lock_done *done)
{
	size_t len = strlen(seen);

	ck_assert_ptr_eq(ctx, seen);
	snprintf(seen + len, sizeof(seen) - len, "%x %s %d..%d%s%s %d on %d by %s in %s\n",
		 (int)done->lock, done->kind, (int)done->begin_ns, (int)done->end_ns,
		 done->begin_known ? "" : " no begin", done->end_known ? "" : " no end",
		 (int)done->error, done->cpu, done->thread ? done->thread->name : "?", done->call);
}

/* An analysis that calls lock_observe() sees each wait once, even if the wait does not end. */
TEST(observer)
{
	*seen = 0;
	lock_observe(analysis_ctx(), see, seen);
	calls_threads[1].syscall = 82;
	begin(100, 0, 101, 0x1000, MUTEX | SPIN);
	begin(110, 1, 101, 0x1000, MUTEX);
	end(160, 1, 101, 0x1000, -EINTR);
	end(170, 1, 100, 0x2000, 0);
	begin(180, 1, 102, 0x1000, SPIN);
	ck_assert_str_eq(seen, "1000 mutex 100..160 -4 on 0 by b in call_82\n"
			       "2000 ? 0..170 no begin 0 on 1 by a in \n");
	*seen = 0;
	lock_finish(analysis_ctx());
	ck_assert_str_eq(seen, "1000 spinlock 180..1000000 no end 0 on 1 by c in \n");
}

TEST(lost)
{
	begin(100, 0, 101, 0x1000, MUTEX);
	begin(110, 0, 102, 0x1000, MUTEX);
	begin(120, 0, 103, 0x1000, MUTEX);
	calls_loss(130, 150);
	end(160, 0, 101, 0x1000, 0);
	begin(170, 0, 102, 0x1000, MUTEX);
	end(180, 0, 102, 0x1000, 0);
	begin(150, 0, 100, 0x1000, MUTEX);
	analysis_check(LOCKS "0:0x1000,mutex,1,0,0,10,10,10,10,180,c-102,\n"
		       "0:0x1000,?,1,0,1,0,,,,,,\n" WAITING "0:0x1000,mutex,a-100,150,999850,\n");
}

/* A new thread that reuses a thread ID does not continue the wait of the old thread. */
TEST(reused_thread)
{
	begin(100, 0, 101, 0x1000, MUTEX);
	calls_reuse(&(struct lkst_thread){ .index = 9, .tid = 101, .name = "new",
						.syscall = LKST_SYSCALL_NONE });
	begin(200, 0, 101, 0x1000, MUTEX);
	end(210, 0, 101, 0x1000, 0);
	analysis_check(LOCKS "0:0x1000,mutex,1,0,0,10,10,10,10,210,new-101,\n" WAITING);
}

/* The table shows the caller that took the lock after the longest wait. */
TEST(caller)
{
	begin(100, 0, 101, 0x1000, SPIN);
	end(160, 0, 101, 0x1000, 0);
	calls_event(161, 1, 101, LKST_ETYPE_LOCK_SPIN_LOCK, 0x1000, 0xbad, 0, 0);
	calls_event(161, 0, 102, LKST_ETYPE_LOCK_SPIN_LOCK, 0x1000, 0xbad, 0, 0);
	calls_event(161, 0, 101, LKST_ETYPE_LOCK_SPIN_LOCK, 0x2000, 0xbad, 0, 0);
	calls_event(162, 0, 101, LKST_ETYPE_LOCK_SPIN_LOCK, 0x1000, 0xabc, 0, 0);
	calls_event(163, 0, 101, LKST_ETYPE_LOCK_SPIN_LOCK, 0x1000, 0xbad, 0, 0);
	begin(200, 0, 101, 0x1000, SPIN);
	end(210, 0, 101, 0x1000, 0);
	calls_event(211, 0, 101, LKST_ETYPE_LOCK_SPIN_LOCK, 0x1000, 0xbad, 0, 0);
	begin(200, 0, 101, 0x3000, SPIN | READ);
	end(203, 0, 101, 0x3000, 0);
	analysis_check(CALLERS "0:0x1000,spinlock,2,0,0,70,10,60,60,160,b-101,,0:0xabc\n"
		       "0:0x3000,rwlock read,1,0,0,3,3,3,3,203,b-101,,\n" WAITING);
}

#define HOLDERS	"lock,kind,waits,failed,cut,wait_ns,p50_ns,p99_ns,max_ns,at_ns,worst,in,held_by"

static void begin_held(int64_t time_ns, uint32_t tid, uint64_t lock, uint32_t owner)
{
	calls_event(time_ns, 0, tid, LKST_ETYPE_LOCK_CONTENTION_BEGIN, lock, MUTEX, owner, 0);
}

/* The table shows the thread that had the lock when the longest wait began. */
TEST(holder)
{
	begin_held(100, 101, 0x1000, 100);
	begin_held(110, 101, 0x1000, 103);
	end(160, 0, 101, 0x1000, 0);
	begin_held(200, 102, 0x1000, 103);
	end(210, 0, 102, 0x1000, 0);
	begin(300, 0, 101, 0x2000, MUTEX);
	end(310, 0, 101, 0x2000, 0);
	begin_held(400, 102, 0x3000, 101);
	begin_held(500, 103, 0x3000, 4711);
	analysis_check(HOLDERS "\n"
		       "0:0x1000,mutex,2,0,0,70,10,60,60,160,b-101,,a-100\n"
		       "0:0x2000,mutex,1,0,0,10,10,10,10,310,b-101,,\n"
		       "lock,kind,thread,since_ns,for_ns,in,held_by\n"
		       "0:0x3000,mutex,c-102,400,999600,,b-101\n"
		       "0:0x3000,mutex,d-103,500,999500,,\n");
}

TEST(holder_and_caller)
{
	begin_held(100, 101, 0x1000, 100);
	end(160, 0, 101, 0x1000, 0);
	calls_event(162, 0, 101, LKST_ETYPE_LOCK_SPIN_LOCK, 0x1000, 0xabc, 0, 0);
	analysis_check(HOLDERS ",caller\n"
		       "0:0x1000,mutex,1,0,0,60,60,60,60,160,b-101,,a-100,0:0xabc\n"
		       "lock,kind,thread,since_ns,for_ns,in,held_by\n");
}

/* Events before and after the window do not count. */
TEST(window)
{
	analysis_run.begin_ns = 100;
	analysis_run.end_ns = 200;
	begin(50, 0, 101, 0x1000, MUTEX);
	begin(51, 0, 102, 0x1000, MUTEX);
	end(99, 0, 101, 0x1000, 0);
	end(100, 0, 102, 0x1000, 0);
	begin(110, 0, 101, 0x1000, MUTEX);
	begin(201, 0, 103, 0x1000, MUTEX);
	end(202, 0, 101, 0x1000, 0);
	analysis_check(LOCKS "0:0x1000,?,1,0,1,0,,,,,,\n" WAITING "0:0x1000,mutex,b-101,110,90,\n");
}

TEST(selection)
{
	analysis_selected = &calls_threads[1];
	analysis_args.cpu = 0;
	begin(100, 0, 101, 0x1000, MUTEX);
	begin(100, 1, 101, 0x2000, MUTEX);
	begin(100, 0, 102, 0x1000, MUTEX);
	end(110, 1, 101, 0x1000, 0);
	end(110, 0, 101, 0x2000, 0);
	end(110, 0, 102, 0x1000, 0);
	begin(120, 0, 102, 0x1000, MUTEX);
	begin(120, 1, 101, 0x1000, MUTEX);
	begin(120, 0, 101, 0x3000, MUTEX);
	analysis_check(LOCKS "0:0x1000,mutex,1,0,0,10,10,10,10,110,b-101,\n"
		       WAITING "0:0x3000,mutex,b-101,120,999880,\n");
}

TEST(over)
{
	analysis_args.over_ns = 20;
	begin(100, 0, 101, 0x1000, MUTEX);
	end(119, 0, 101, 0x1000, 0);
	begin(200, 0, 101, 0x1000, MUTEX);
	end(220, 0, 101, 0x1000, 0);
	end(230, 0, 101, 0x1000, 0);
	begin(999990, 0, 101, 0x1000, MUTEX);
	analysis_check(LOCKS "0:0x1000,mutex,1,0,0,20,20,20,20,220,b-101,\n" WAITING);
}

/*
 * With more simultaneous waits than fit, and arbitrary times and CPUs, the table stays within its
 * limit.
 */
TEST(damaged)
{
	for (uint64_t i = 0; i < 200000; i++)
		begin(100, i % 2 ? INT32_MIN : INT32_MAX, (uint32_t)i, i, i << 32);
	for (uint64_t i = 0; i < 200000; i++)
		end(110, -1, 999, i, INT64_MIN);
	analysis_run.begin_ns = INT64_MIN;
	analysis_run.end_ns = INT64_MAX;
	begin(INT64_MIN, 0, 101, UINT64_MAX, UINT64_MAX);
	end(INT64_MAX, 0, 101, UINT64_MAX, 0);
	calls_report();
}
