// SPDX-License-Identifier: GPL-2.0
/*
 * Read the files of kmemtrace. This program knows nothing about LKST, only what the document about
 * the files says (Documentation/ABI/testing/debugfs-kmemtrace of Linux 2.6.31).
 *
 *	kmemtrace DIR: print the events of all CPUs, sorted by their sequence numbers, until no event
 *	has come for three seconds:
 *	    EVENT TYPE SEQUENCE CPU CALLER OBJECT [REQUESTED ALLOCATED FLAGS TARGET]
 *	kmemtrace DIR late: the same, but cause many events after the first reads
 *	kmemtrace DIR wrong: call read() with wrong arguments. Exits with status 0 if each call
 *	fails with the right error
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"

#define CORE	  24 /* bytes that every event has */
#define ALLOC	  48 /* bytes that an allocation has at least */
#define EVENT_MAX 200000

struct event {
	uint8_t event_id, type_id;
	uint16_t size;
	int32_t sequence;
	uint64_t caller, object, requested, allocated;
	uint32_t flags;
	int32_t target;
	int cpu;
	unsigned int order;
};

static struct event events[EVENT_MAX];
static unsigned int num;

static void get(void *to, const char **from, size_t size)
{
	memcpy(to, *from, size);
	*from += size;
}

/* Add the event at @from. Returns its size. */
static size_t add(const char *from, size_t left, int cpu)
{
	struct event *event = &events[num];

	bail_if(left < CORE, "a part of an event");
	bail_if(num == EVENT_MAX, "too many events");
	*event = (struct event){ .cpu = cpu, .order = num };
	get(&event->event_id, &from, 1);
	get(&event->type_id, &from, 1);
	get(&event->size, &from, 2);
	get(&event->sequence, &from, 4);
	get(&event->caller, &from, 8);
	get(&event->object, &from, 8);
	bail_if(event->event_id > 1 || event->type_id > 2, "unknown event");
	bail_if(event->size < (event->event_id ? CORE : ALLOC) || event->size > left, "size");
	if (!event->event_id) {
		get(&event->requested, &from, 8);
		get(&event->allocated, &from, 8);
		get(&event->flags, &from, 4);
		get(&event->target, &from, 4);
		bail_if(!event->requested || event->allocated < event->requested, "sizes");
	}
	num++;
	return event->size;
}

static int open_cpu(const char *dir, int cpu)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/cpu%d", dir, cpu);
	return open(path, O_RDONLY);
}

static void run_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	bail_if(sched_setaffinity(0, sizeof(set), &set), "sched_setaffinity");
}

static void read_cpu(int file, int cpu)
{
	static char area[65536];
	struct pollfd poll_fd = { .fd = file, .events = POLLIN };
	ssize_t size;

	run_on(cpu);
	while (poll(&poll_fd, 1, 3000) > 0) {
		unsigned int before = num;

		/*
		 * Neither size is a multiple of an event's size, but a read returns whole events
		 * only.
		 */
		size = read(poll_fd.fd, area, num % 2 ? 100 : sizeof(area) - 1);
		bail_if(size < 0, "read");
		for (ssize_t at = 0; at < size;)
			at += add(area + at, size - at, cpu);
		if (num == before)
			usleep(1000);
	}
}

/* Compare by sequence number, which may wrap around. Events of a CPU keep their order. */
static int compare(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	int32_t difference = (int32_t)((uint32_t)x->sequence - (uint32_t)y->sequence);

	if (difference && x->cpu != y->cpu)
		return difference < 0 ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static void print(const struct event *event)
{
	static const char *const names[] = { "alloc", "free" };
	static const char *const types[] = { "kmalloc", "cache", "pages" };

	printf("%s %s %" PRId32 " %d %" PRIx64 " %" PRIx64, names[event->event_id],
	       types[event->type_id], event->sequence, event->cpu, event->caller, event->object);
	if (!event->event_id)
		printf(" %" PRIu64 " %" PRIu64 " %" PRIx32 " %" PRId32, event->requested,
		       event->allocated, event->flags, event->target);
	putchar('\n');
}

static int read_wrong(const char *dir)
{
	void *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pollfd poll_fd = { .events = POLLIN };
	int fd = open_cpu(dir, 0);

	bail_if(fd < 0 || nowhere == MAP_FAILED, "the file of CPU 0");
	bail_if(read(fd, events, 47) != -1 || errno != EINVAL, "no room for an event: EINVAL");
	bail_if(read(fd, nowhere, 4096) != -1 || errno != EFAULT, "a wrong address: EFAULT");
	/* The read() that failed has not consumed the events. */
	poll_fd.fd = fd;
	bail_if(poll(&poll_fd, 1, -1) != 1 || read(fd, events, 4096) <= 0, "read after EFAULT");
	return 0;
}

/* Cause some hundred thousand events on CPU 0. */
static void be_late(void)
{
	run_on(0);
	for (int i = 0; i < 100000; i++)
		close(open("/proc/self/stat", O_RDONLY));
}

int main(int argc, char **argv)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), files[CPU_SETSIZE];

	bail_if(argc < 2, "usage: kmemtrace DIR [late | wrong]");
	if (argc > 2 && !strcmp(argv[2], "wrong"))
		return read_wrong(argv[1]);
	for (int cpu = 0; cpu < cpus; cpu++) {
		files[cpu] = open_cpu(argv[1], cpu);
		bail_if(files[cpu] < 0, "the file of a CPU");
	}
	if (argc > 2) {
		read_cpu(files[0], 0);
		num = 0;
		be_late();
	}
	for (int cpu = 0; cpu < cpus; cpu++)
		read_cpu(files[cpu], cpu);
	qsort(events, num, sizeof(*events), compare);
	for (unsigned int i = 0; i < num; i++)
		print(&events[i]);
	return 0;
}
