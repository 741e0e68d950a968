// SPDX-License-Identifier: GPL-2.0
/*
 * What ftrace does not say in a record, but in others: whose thread that is, with which status it
 * ends, which function a timer has, which protocol a packet.
 */
#include <dirent.h>
#include <limits.h>

#include "oracle-ftrace.h"
#include "tap.h"

#define PIDS		(4 << 20)

#define NR_EXIT		60
#define NR_EXIT_GROUP	231

/* By thread: its process, its other id, and the status it ends with. */
static uint32_t *process_of;
static uint32_t *alias_of;
static int *status_of;
static bool *in_ia32;

/* By process: it had another thread at some time. */
static bool *has_threads;

#define STATUS_UNKNOWN	(-1)

/* Argument @i, or one half of it, is known after all. */
static void tell(struct event *event, unsigned int i, uint64_t value)
{
	event->arg[i] = value;
	event->unknown &= ~(3 << 2 * i);
}

static void tell_low(struct event *event, unsigned int i, uint32_t value)
{
	event->arg[i] = pack(event->arg[i] >> 32, value);
	event->unknown &= ~(1 << 2 * i);
}

/* Threads */

/* The processes of the threads there are already. */
static void note_processes(void)
{
	DIR *proc = opendir("/proc"), *tasks;
	struct dirent *process, *task;
	char path[PATH_MAX];

	while ((process = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/task", process->d_name);
		if (!atoi(process->d_name) || !(tasks = opendir(path)))
			continue;
		while ((task = readdir(tasks))) {
			if (atoi(task->d_name) == atoi(process->d_name) || !atoi(task->d_name))
				continue;
			process_of[atoi(task->d_name)] = atoi(process->d_name);
			has_threads[atoi(process->d_name)] = true;
		}
		closedir(tasks);
	}
	closedir(proc);
}

void complete_begin(void)
{
	process_of = calloc(PIDS, sizeof(*process_of));
	alias_of = calloc(PIDS, sizeof(*alias_of));
	status_of = malloc(PIDS * sizeof(*status_of));
	in_ia32 = calloc(PIDS, sizeof(*in_ia32));
	has_threads = calloc(PIDS, sizeof(*has_threads));
	if (!process_of || !alias_of || !status_of || !in_ia32 || !has_threads)
		bail_out("memory");
	memset(status_of, STATUS_UNKNOWN, PIDS * sizeof(*status_of));
	note_processes();
}

static uint32_t process(uint32_t thread)
{
	return process_of[thread] ?: thread;
}

/* First which threads there were, and how they meant to end. */
static void note_thread(const struct event *event)
{
	uint32_t id = event->arg[0] >> 32, other = event->arg[0];

	if (event->kind == SYSCALL_ENTRY &&
	    (event->arg[0] == pack(NR_EXIT, 0) || event->arg[0] == pack(NR_EXIT_GROUP, 0)))
		status_of[event->thread] = (event->arg[1] & 0xff) << 8;
	if (event->kind == EXEC && id != other) {
		alias_of[other] = id;
		alias_of[id] = other;
	}
	if (event->kind != FORK || !(event->arg[1] & 0x10000 /* CLONE_THREAD */))
		return;
	/* The creator, not its process: that may not be known yet. */
	process_of[id] = event->thread;
}

/* From a thread to the process's first one, over those who created it. */
static void resolve_threads(void)
{
	uint32_t thread;

	for (thread = 1; thread < PIDS; thread++) {
		if (!process_of[thread])
			continue;
		while (process_of[process_of[thread]])
			process_of[thread] = process_of[process_of[thread]];
		has_threads[process_of[thread]] = true;
	}
}

/*
 * The status of a thread that another one or a signal may have ended is not known; nor
 * is that of the kernel's own. When a thread other than the first executes a program, it
 * exchanges ids with the first one, which has ended, but maybe not switched away yet.
 */
static void complete_thread(struct event *event)
{
	uint32_t thread = event->thread;

	event->process = process(thread);
	event->alias = alias_of[thread];
	switch (event->kind) {
	case FORK:
		tell_low(event, 0, process(event->arg[0] >> 32));
		break;
	case EXIT:
		if (!has_threads[process(thread)] && status_of[thread] != STATUS_UNKNOWN)
			tell(event, 1, status_of[thread]);
		break;
	case SYSCALL_ENTRY:
		in_ia32[thread] = event->arg[0] & 1;
		break;
	case SYSCALL_EXIT:
		tell_low(event, 0, in_ia32[thread]);
		break;
	}
}

/* Timers and packets */

/* What the last record said that had all of it. By the object's address: it is reused later. */
struct object {
	uint64_t address;
	uint64_t function;
	uint64_t expires;
	uint32_t protocol;
	struct event *queued;	/* waits for the protocol */
};

#define OBJECTS		(1 << 18)

static struct object *objects;

static struct object *find_object(uint64_t address)
{
	size_t at = (address * 0x9e3779b97f4a7c15UL) >> 46, tried;

	for (tried = 0; tried < OBJECTS; tried++, at = (at + 1) % OBJECTS)
		if (!objects[at].address || objects[at].address == address) {
			objects[at].address = address;
			return &objects[at];
		}
	bail_out("too many timers and packets");
}

/*
 * A timer that is already there when the recording begins is known when it is started again. A
 * pending timer's expiry time may change without a record, a high-resolution timer's does not.
 */
static void complete_timer(struct event *event, int cpu)
{
	static struct object running[ORACLE_CPUS][CONTEXTS];
	struct object *object = find_object(event->arg[0]);
	struct object *here = &running[cpu][event->context];

	switch (event->kind) {
	case TIMER_ADD:
	case HR_ADD:
		object->function = event->arg[1];
		object->expires = event->arg[2];
		break;
	case HR_DEL:
		if (object->function)
			tell(event, 2, object->expires);
		/* fall through */
	case TIMER_DEL:
		if (object->function)
			tell(event, 1, object->function);
		break;
	case HR_RUN_ENTRY:
		if (object->function)
			tell(event, 2, object->expires);
		/* fall through */
	case TIMER_RUN_ENTRY:
		here->address = event->arg[0];
		here->function = event->arg[1];
		break;
	case TIMER_RUN_EXIT:
	case HR_RUN_EXIT:
		if (here->address == event->arg[0])
			tell(event, 1, here->function);
		break;
	}
}

/* A device takes a packet after it was queued; who receives one knows it. */
static void complete_packet(struct event *event)
{
	struct object *object = find_object(event->arg[0]);

	if (event->kind == PKTSENDQ) {
		object->queued = event;
	} else if (event->kind == NOTE_PROTOCOL) {
		object->protocol = event->arg[1];
		if (object->queued)
			tell_low(object->queued, 1, object->protocol);
		object->queued = NULL;
	} else if (event->kind == DROP) {
		*object = (struct object){ .address = object->address };
	} else if (object->protocol) {
		tell_low(event, 1, object->protocol);
	}
}

static void complete_event(struct event *event, int cpu)
{
	complete_thread(event);
	switch (event->kind) {
	case TIMER_ADD:
	case TIMER_DEL:
	case TIMER_RUN_ENTRY:
	case TIMER_RUN_EXIT:
	case HR_ADD:
	case HR_DEL:
	case HR_RUN_ENTRY:
	case HR_RUN_EXIT:
		complete_timer(event, cpu);
		break;
	case PKTSENDQ:
	case PKTRECV:
	case PKTRECVQ:
	case DROP:
	case NOTE_PROTOCOL:
		complete_packet(event);
		break;
	}
}

/* All CPUs' events in the order of time: what is begun on one may be ended on another. */
static void complete_all(struct trace traces[ORACLE_CPUS])
{
	size_t at[ORACLE_CPUS] = {};

	for (;;) {
		int first = -1, cpu;

		for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
			if (at[cpu] < traces[cpu].num &&
			    (first < 0 || traces[cpu].events[at[cpu]].time <
						  traces[first].events[at[first]].time))
				first = cpu;
		if (first < 0)
			return;
		complete_event(&traces[first].events[at[first]++], first);
	}
}

static void drop_notes(struct trace *trace)
{
	size_t i, kept = 0;

	for (i = 0; i < trace->num; i++)
		if (trace->events[i].kind < KINDS)
			trace->events[kept++] = trace->events[i];
	trace->num = kept;
}

void complete(struct trace traces[ORACLE_CPUS])
{
	size_t i;
	int cpu;

	objects = calloc(OBJECTS, sizeof(*objects));
	if (!objects)
		bail_out("memory");
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (i = 0; i < traces[cpu].num; i++)
			note_thread(&traces[cpu].events[i]);
	resolve_threads();
	complete_all(traces);
	for (cpu = 0; cpu < ORACLE_CPUS; cpu++)
		drop_notes(&traces[cpu]);
	free(objects);
}
