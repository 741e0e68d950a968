// SPDX-License-Identifier: GPL-2.0
/*
 * Remembers the names of threads. A trace.dat file has one name for each thread: the last one that
 * the thread has in the trace.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/names.h"
#include "tracedat.h"

#define THREADS (4 * 1024 * 1024) /* the kernel's limit for the number of a thread */

/* The last event of a CPU. */
struct threads_cpu {
	uint32_t tid;
	int64_t time_ns;
	struct lkst_names *names;
};

/* The last known name of a thread, and the time of the event at which it had the name. */
struct threads_name {
	char name[DAT_COMM_SIZE];
	int64_t time_ns;
};

/**
 * struct dat_threads - names of threads
 * @cpu: last event of each CPU. Its @tid is 0 if the CPU has had no event
 * @num: highest number of a thread that has a name, plus 1
 * @last: names, by the number of the thread. Memory is allocated only for the pages that are used
 */
struct dat_threads {
	struct threads_cpu cpu[LKST_TRACE_CPUS];
	uint32_t num;
	struct threads_name *last;
};

/**
 * dat_threads_new() - make an empty list
 * @err: set if an allocation fails
 */
struct dat_threads *dat_threads_new(struct lkst_error *err)
{
	struct dat_threads *threads = calloc(1, sizeof(*threads));

	if (threads)
		threads->last = calloc(THREADS, sizeof(*threads->last));
	if (threads && threads->last)
		return threads;
	free(threads);
	lkst_error_memory(err, "the threads");
	return NULL;
}

/**
 * dat_threads_free() - free a list
 * @threads: may be NULL
 */
void dat_threads_free(struct dat_threads *threads)
{
	if (threads)
		free(threads->last);
	free(threads);
}

/* Remember the name that the thread of a CPU's last event had at that time. */
static void threads_keep(struct dat_threads *threads, const struct threads_cpu *last)
{
	struct threads_name *known;
	const char *name;

	if (!last->tid || last->tid >= THREADS)
		return;
	known = &threads->last[last->tid];
	if (*known->name && last->time_ns < known->time_ns)
		return;
	name = lkst_names_get(last->names, last->tid, last->time_ns);
	if (!name)
		return;
	if (last->tid >= threads->num)
		threads->num = last->tid + 1;
	strncpy(known->name, name, DAT_COMM_SIZE - 1);
	known->time_ns = last->time_ns;
}

/**
 * dat_threads_see() - update the names when an event is written
 * @dat: writer
 * @event: event, from one of LKST_TRACE_CPUS CPUs
 */
void dat_threads_see(struct tracedat *dat, const struct lkst_event *event)
{
	struct threads_cpu *last = &dat->threads->cpu[event->cpu];
	struct lkst_names *names = dat->export->context->names;

	if (last->tid != event->tid || last->names != names)
		threads_keep(dat->threads, last);
	*last = (struct threads_cpu){ event->tid, event->time_ns, names };
}

/**
 * dat_threads_end() - update the names after the last event
 * @dat: writer
 */
void dat_threads_end(struct tracedat *dat)
{
	for (uint32_t cpu = 0; cpu < dat->cpus; cpu++)
		threads_keep(dat->threads, &dat->threads->cpu[cpu]);
}

/**
 * dat_threads_write() - write the list of threads
 * @dat: writer
 * @out: output; NULL: only determine the length
 *
 * Return: length in bytes.
 */
uint64_t dat_threads_write(struct tracedat *dat, struct lkst_out *out)
{
	const struct dat_threads *threads = dat->threads;
	char line[4 * DAT_COMM_SIZE + 16 + PUT_SPARE];
	uint64_t len = 0;

	for (uint32_t tid = 0; tid < threads->num; tid++) {
		const char *name = threads->last[tid].name;
		char *p = line;

		if (!*name)
			continue;
		p = put_char(put_udec(p, tid), ' ');
		p = put_char(put_printable(p, name, strlen(name)), '\n');
		len += (uint64_t)(p - line);
		if (out)
			out_end(out, put_bytes(out_room(out), line, (size_t)(p - line)));
	}
	return len;
}
