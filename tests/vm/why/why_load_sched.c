// SPDX-License-Identifier: GPL-2.0
/* Processes that wait for a CPU, and kernel threads. */
#include <linux/membarrier.h>
#include <sched.h>
#include <sys/syscall.h>

#include "why_load.h"

static int *lock;
static int *begun; /* the process that keeps the CPU busy has begun */

/* ---- a lock whose owner has a low priority ---- */

/* The process with the medium priority preempts this one, and then keeps the CPU. */
static void inversion_low(void)
{
	while (!__atomic_load_n(begun, __ATOMIC_SEQ_CST))
		;
	futex_unlock(lock);
}

static void inversion_mid(void)
{
	await_asleep("inv-high");
	nap(150);
	__atomic_store_n(begun, 1, __ATOMIC_SEQ_CST);
	spin(500);
}

static void inversion_high(void)
{
	futex_lock(lock);
	futex_unlock(lock);
}

static void inversion(void)
{
	lock = shared();
	begun = shared();
	futex_lock(lock);
	actor("inv-low", 1, 0, inversion_low);
	actor("inv-mid", 1, 10, inversion_mid);
	actor("inv-high", 1, 20, inversion_high);
}

/* ---- hogs ---- */

static int *ended; /* the hog has ended */

static void hog(void)
{
	await_asleep("late");
	nap(50);
	spin(delay_ms(500));
	__atomic_store_n(ended, 1, __ATOMIC_SEQ_CST);
}

/* Sleep many times. One of the sleeps ends while the hog has the CPU. */
static void late(void)
{
	while (!__atomic_load_n(ended, __ATOMIC_SEQ_CST))
		nap(150);
}

static void timer_behind_hog(void)
{
	ended = shared();
	actor("hog", 1, 10, hog);
	actor("late", 1, 0, late);
}

static void yielder(void)
{
	for (int i = 0; i < 20; i++) {
		sched_yield();
		spin(10);
	}
}

static void share(void)
{
	actor("share-1", 1, 0, yielder);
	actor("share-2", 1, 0, yielder);
}

/* ---- moves ---- */

static int *moving; /* the mover is about to move */

static void busy(void)
{
	nap(50);
	__atomic_store_n(begun, 1, __ATOMIC_SEQ_CST);
	while (!__atomic_load_n(moving, __ATOMIC_SEQ_CST))
		;
	spin(500);
}

static void mover(void)
{
	cpu_set_t cpus;

	while (!__atomic_load_n(begun, __ATOMIC_SEQ_CST))
		nap(10);
	__atomic_store_n(moving, 1, __ATOMIC_SEQ_CST);
	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	bail_if(sched_setaffinity(0, sizeof(cpus), &cpus), "sched_setaffinity");
}

static void move(void)
{
	begun = shared();
	moving = shared();
	actor("busy", 1, 10, busy);
	actor("mover", 0, 0, mover);
}

static void set_online(char state)
{
	int fd = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);

	bail_if(fd < 0 || write(fd, &state, 1) != 1, "cpu1/online");
	close(fd);
}

static void offliner(void)
{
	set_online('0');
}

static void offline(void)
{
	actor("offliner", 0, 0, offliner);
	actors_begin();
	actors_end();
	set_online('1');
}

/* ---- RCU ---- */

static void rcu_waiter(void)
{
	bail_if(syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0), "membarrier");
}

static void rcu(void)
{
	actor("rcu-waiter", -1, 0, rcu_waiter);
}

/* ---- a limit on CPU time ---- */

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	int ret = fd < 0 || write(fd, text, strlen(text)) < 0;

	close(fd);
	return ret;
}

static void throttled(void)
{
	bail_if(put("/tmp/cgroup/cpu/cgroup.procs", "0"), "cgroup.procs");
	for (int i = 0; i < 6; i++)
		spin(20);
}

static void throttle(void)
{
	actor("throttled", 1, 0, throttled);
}

const struct scenario sched_scenarios[] = {
	{ "inversion", inversion }, { "hog", timer_behind_hog }, { "share", share },
	{ "move", move },	    { "offline", offline },	 { "rcu", rcu },
	{ "throttle", throttle },   { NULL, NULL },
};
