// SPDX-License-Identifier: GPL-2.0
/*
 * The locks of samples/lkst/lkst_sample_locks.c, told by their addresses.
 */
#include "provoke.h"

#define PROC_FILE "/proc/lkst_sample_locks"
#define TIMES	  3
/* How often the sample does it each time. */
#define WAYS	4
#define TRIES	2
#define RWTRIES 1

static void take(uint64_t *spinlock, uint64_t *rwlock)
{
	char text[64], times[16];
	ull first, second;

	snprintf(times, sizeof(times), "%d", TIMES);
	need(write_file(PROC_FILE, times), PROC_FILE);
	need(read_file(PROC_FILE, text, sizeof(text)), PROC_FILE);
	if (sscanf(text, "%llx %llx", &first, &second) != 2)
		bail_out(PROC_FILE);
	*spinlock = first;
	*rwlock = second;
}

/* As many, also by where they were taken and by whom. */
static void expect_locks(unsigned int count, const char *etype, uint64_t lock)
{
	expect(TIMES * count, etype, ARG(1, lock));
	expect(TIMES * count, etype, ARG(1, lock), .code = 2, .thread = gettid_own());
}

static void locks(void)
{
	uint64_t spinlock, rwlock;

	take(&spinlock, &rwlock);
	expect_locks(WAYS, "spin_lock", spinlock);
	expect_locks(TRIES, "spin_trylock", spinlock);
	expect_locks(WAYS + TRIES, "spin_unlock", spinlock);
	expect_locks(WAYS + RWTRIES, "read_lock", rwlock);
	expect_locks(WAYS + RWTRIES, "read_unlock", rwlock);
	expect_locks(WAYS + RWTRIES, "write_lock", rwlock);
	expect_locks(WAYS + RWTRIES, "write_unlock", rwlock);
}

const struct test lock_tests[] = {
	{ "locks",
	  "spin_lock spin_trylock spin_unlock read_lock read_unlock write_lock write_unlock",
	  locks },
	{},
};
