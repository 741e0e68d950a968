// SPDX-License-Identifier: GPL-2.0
/*
 * The header lkst/event.h: several threads, and signal handlers. The test replaces syscall(),
 * ioctl() and fcntl() with functions that simulate a file on which registering and writing are
 * slow.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "lkst/event.h"
#include "tap.h"

#define FD 1000

static atomic_int registered, detached, writes, wrong, closed, writing;
static atomic_bool slow; /* writes end only after an event has been detached */
static atomic_bool interrupt; /* registering raises a signal */

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __wrap_ioctl(int fd, unsigned long request, void *arg);
int __wrap_fcntl(int fd, int cmd, ...);
int __wrap_fcntl64(int fd, int cmd, ...);

static long write_file(int fd)
{
	writing++;
	while (slow && !detached)
		sched_yield();
	/* Give the other thread time to close the file. */
	for (int i = 0; slow && i < 20 && !closed; i++)
		usleep(10000);
	writes++;
	wrong += fd == FD && closed;
	return 0;
}

long __wrap_syscall(long number, ...)
{
	long arg[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_openat)
		return FD;
	if (number == SYS_write)
		return write_file((int)arg[0]);
	if (number == SYS_close) {
		closed++;
		return 0;
	}
	return __real_syscall(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

int __wrap_fcntl(int fd, int cmd, ...)
{
	return fd == FD && cmd == F_SETFD ? 0 : -1;
}

int __wrap_fcntl64(int fd, int cmd, ...)
{
	return __wrap_fcntl(fd, cmd);
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	struct lkst_event_reg *reg = arg;

	(void)fd;
	if (request == LKST_EVENT_IOCSUNREG) {
		detached++;
		return 0;
	}
	if (interrupt)
		raise(SIGUSR1);
	usleep(200000);
	__atomic_fetch_or((uint32_t *)(uintptr_t)reg->enable_addr, LKST_EVENT_ON, __ATOMIC_RELAXED);
	reg->write_index = (uint32_t)registered++;
	return 0;
}

static void setup(void)
{
	registered = detached = writes = wrong = closed = writing = 0;
	slow = interrupt = false;
	lkst_event_state = (struct lkst_event_state){ .fd = -1 };
}

TESTS(.setup = setup);

#define THREADS 8

static pthread_barrier_t barrier;

static void *same_and_own(void *number)
{
	pthread_barrier_wait(&barrier);
	if ((uintptr_t)number % 2)
		LKST_EVENT(odd, "number=%d", 1);
	else
		LKST_EVENT(even, "number=%d", 0);
	LKST_EVENT(all, "");
	return NULL;
}

/* Threads that register events at the same time record all of them. */
TEST(test_register)
{
	pthread_t thread[THREADS];

	pthread_barrier_init(&barrier, NULL, THREADS);
	for (uintptr_t i = 0; i < THREADS; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, same_and_own, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	ck_assert_int_eq(registered, 3);
	ck_assert_int_eq(writes, 2 * THREADS);
	lkst_event_unregister();
	ck_assert_int_eq(detached, 6);
	ck_assert_int_eq(closed, 1);
}

static void on_signal(int number)
{
	LKST_EVENT(in_handler, "number=%d", number);
}

/* A signal that arrives while an event is being registered is handled afterwards. */
TEST(test_signal)
{
	sigset_t before, after;

	ck_assert(signal(SIGUSR1, on_signal) != SIG_ERR);
	sigprocmask(SIG_SETMASK, NULL, &before);
	interrupt = true;
	LKST_EVENT(interrupted, "");
	interrupt = false;
	sigprocmask(SIG_SETMASK, NULL, &after);
	ck_assert_mem_eq(&before, &after, NSIG / 8);
	ck_assert_int_eq(registered, 2);
	/* The handler runs twice, because the registration of its event raises the signal again. */
	ck_assert_int_eq(writes, 3);
}

static void *record_one(void *arg)
{
	(void)arg;
	LKST_EVENT(one, "");
	return NULL;
}

/* While a thread writes an event, the descriptor that it writes to is not closed. */
TEST(test_unregister_while_writing)
{
	pthread_t thread;

	slow = true;
	ck_assert_int_eq(pthread_create(&thread, NULL, record_one, NULL), 0);
	while (!writing)
		sched_yield();
	lkst_event_unregister();
	pthread_join(thread, NULL);
	ck_assert_int_eq(writes, 1);
	ck_assert_int_eq(wrong, 0);
	ck_assert_int_eq(lkst_event_fd(), -1);
}

static struct lkst_event_site many;

static void *record_many(void *arg)
{
	(void)arg;
	while (!detached)
		lkst_event_record(&many, "many ");
	for (int i = 0; i < 1000; i++)
		lkst_event_record(&many, "many ");
	return NULL;
}

/* Threads that record events all the time do not write them to a descriptor that is closed. */
TEST_LOOP(test_unregister, 20)
{
	pthread_t thread[2];

	many = (struct lkst_event_site){ .word = LKST_EVENT_ON, .fd = &lkst_event_state.fd };
	lkst_event_state = (struct lkst_event_state){ .opened = 1, .fd = FD, .sites = &many };
	for (int i = 0; i < 2; i++)
		ck_assert_int_eq(pthread_create(&thread[i], NULL, record_many, NULL), 0);
	while (writing < 100)
		sched_yield();
	lkst_event_unregister();
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	ck_assert_int_eq(wrong, 0);
}
