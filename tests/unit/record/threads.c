// SPDX-License-Identifier: GPL-2.0
/*
 * Two CPUs at full speed: one thread writes, and writes more in signal handlers. Another thread
 * reads.
 *
 * This does not run under ThreadSanitizer. ThreadSanitizer reports the plain stores that fill a
 * record, which race with a reader's loads by design, and it does not take barriers between
 * accesses to different places into account. weak.c checks these barriers.
 */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "world.h"

#define SECONDS 5u
#define SLOTS	RECORD_SLOTS_MAX
#define PLACES	(1u << 16)

/*
 * The latest writes that were not interrupted, and the last record that was read from each slot. The
 * indexes are serial % PLACES and recid % SLOTS.
 */
static struct pair {
	u64 serial, recid;
} places[PLACES], last[SLOTS];

static struct lkst_ring *ring;
static u64 serials;
static volatile unsigned int interrupts;
static volatile bool stop;
static u64 accepted;

static void write_one(void)
{
	u64 serial = __atomic_add_fetch(&serials, 1, __ATOMIC_RELAXED);
	unsigned int before = interrupts, place = serial % PLACES;
	u64 recid = record_next();

	record_clock = serial;
	record_world_call(record_plain_write, ring, serial);
	__atomic_store_n(&places[place].serial, 0, __ATOMIC_RELEASE);
	__atomic_store_n(&places[place].recid, recid, __ATOMIC_RELEASE);
	if (interrupts == before)
		__atomic_store_n(&places[place].serial, serial, __ATOMIC_RELEASE);
}

/* Handle a signal: write one to three records, but every eighth time a whole lap or more. */
static void interrupt(int signal)
{
	unsigned int records = ++interrupts % 8 ? interrupts % 3 + 1 : SLOTS + interrupts % 128;

	(void)signal;
	while (records--)
		write_one();
}

static void check(u64 recid, const struct lkst_event_record *record)
{
	struct pair *same = &last[recid % SLOTS], *before = &last[(recid + SLOTS - 1) % SLOTS];
	u64 serial = record_world_serial(record);
	unsigned int place = serial % PLACES;
	u64 known = __atomic_load_n(&places[place].recid, __ATOMIC_ACQUIRE);

	if (!record_world_whole(record, serial))
		record_fail("recid %llu is not whole", recid);
	if (__atomic_load_n(&places[place].serial, __ATOMIC_ACQUIRE) == serial &&
	    __atomic_load_n(&places[place].recid, __ATOMIC_ACQUIRE) == known && known != recid)
		record_fail("recid %llu was read from the place of %llu", known, recid);
	if (same->serial && (same->serial == serial) != (same->recid == recid))
		record_fail("recid %llu with serial %llu was read, and recid %llu with serial %llu",
			    recid, serial, same->recid, same->serial);
	if (before->serial == serial)
		record_fail("recid %llu is the one before, too", recid);
	*same = (struct pair){ serial, recid };
	accepted++;
}

static void *read_all(void *unused)
{
	while (!stop) {
		u64 next = record_next(), recid = next > SLOTS ? next - SLOTS : 0;

		for (; recid < next; recid++) {
			struct lkst_event_record record;

			if (record_plain_read(ring, record_index(recid), &record) == RECORD_READ)
				check(recid, &record);
		}
	}
	return unused;
}

static void start_timer(int signal, long ns)
{
	struct sigaction action = { .sa_handler = interrupt, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = signal };
	const struct itimerspec rate = { { 0, ns }, { 0, ns } };
	timer_t timer;

	if (sigaction(signal, &action, NULL) || timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &rate, NULL))
		record_fail("no timer");
}

void record_case_threads(void)
{
	struct lkst_event_record record;
	struct timespec now, end;
	sigset_t signals;
	pthread_t reader;
	u64 recid, readable = 0;

	ring = record_ring_init(SLOTS, 0, 0);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR1);
	sigaddset(&signals, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	if (pthread_create(&reader, NULL, read_all, NULL))
		record_fail("no thread");
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);

	/* Each signal can interrupt the handler of the other. */
	start_timer(SIGUSR1, 100 * 1000);
	start_timer(SIGUSR2, 70 * 1000);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += SECONDS;
	do {
		for (unsigned int i = 0; i < 1000; i++)
			write_one();
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec < end.tv_sec);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	stop = true;
	pthread_join(reader, NULL);

	for (recid = serials - SLOTS; recid < serials; recid++)
		readable += record_plain_read(ring, record_index(recid), &record) == RECORD_READ;
	record_describe("%llu records, %u interrupts, %llu dropped, %llu accepted", serials,
			interrupts, record_dropped(), accepted);
	if (record_next() != serials || record_depth())
		record_fail("%llu recids, depth %u", record_next(), record_depth());
	if (readable + record_overwritten() + record_dropped() != serials)
		record_fail("%llu readable + %llu overwritten + %llu dropped", readable,
			    record_overwritten(), record_dropped());
	if (!interrupts || !accepted)
		record_fail("nothing happened");
}
