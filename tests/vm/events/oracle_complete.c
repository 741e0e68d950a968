// SPDX-License-Identifier: GPL-2.0
/*
 * Complete ftrace's events. Some members of an event are not in ftrace's record of that event, but
 * in other records: the process of a thread, its exit status, the function of a timer, and the
 * protocol of a packet.
 */
#include <dirent.h>
#include <limits.h>

#include "oracle_ftrace.h"
#include "tap.h"

#define PIDS		(4 << 20)

#define NR_EXIT		60
#define NR_EXIT_GROUP	231

/* What is known about the thread with a certain id. */
static struct thread {
	uint32_t process;	/* id of the process, or 0 if the thread has the same id */
	uint32_t alias;		/* other id of the thread, or 0 */
	int status;		/* exit status */
	bool has_status;	/* whether @status is known */
	bool in_ia32;		/* whether its current system call is 32-bit */
	bool has_threads;	/* whether the process with this id has had several threads */
} *threads;

/* Set argument @i, which was unknown, and note that it is known now. */
static void set_known(struct event *event, unsigned int i, uint64_t value)
{
	event->arg[i] = value;
	event->unknown &= ~(3 << 2 * i);
}

static void set_known_low(struct event *event, unsigned int i, uint32_t value)
{
	event->arg[i] = pack(event->arg[i] >> 32, value);
	event->unknown &= ~(1 << 2 * i);
}

/* Threads */

/* Note the processes of the existing threads. */
static void read_processes(void)
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
			threads[atoi(task->d_name)].process = atoi(process->d_name);
			threads[atoi(process->d_name)].has_threads = true;
		}
		closedir(tasks);
	}
	closedir(proc);
}

void complete_begin(void)
{
	threads = calloc(PIDS, sizeof(*threads));
	bail_if(!threads, "memory");
	read_processes();
}

static uint32_t process(uint32_t thread)
{
	return threads[thread].process ?: thread;
}

/* First pass over the events: note new threads, exchanged ids, and exit status. */
static void track_thread(const struct event *event)
{
	uint32_t id = event->arg[0] >> 32, other = event->arg[0];

	if (event->kind == SYSCALL_ENTRY &&
	    (event->arg[0] == pack(NR_EXIT, 0) || event->arg[0] == pack(NR_EXIT_GROUP, 0))) {
		threads[event->thread].status = (event->arg[1] & 0xff) << 8;
		threads[event->thread].has_status = true;
	}
	if (event->kind == EXEC && id != other) {
		threads[other].alias = id;
		threads[id].alias = other;
	}
	/* Note the creator, which may be any thread of the process. See resolve_threads(). */
	if (event->kind == FORK && event->arg[1] & 0x10000 /* CLONE_THREAD */)
		threads[id].process = event->thread;
}

/* Follow the creators of each thread to the first thread, which has the id of the process. */
static void resolve_threads(void)
{
	for (struct thread *thread = threads; thread < threads + PIDS; thread++) {
		if (!thread->process)
			continue;
		while (threads[thread->process].process)
			thread->process = threads[thread->process].process;
		threads[thread->process].has_threads = true;
	}
}

/*
 * Add to an event what is known about its thread. The exit status remains unknown if another thread
 * or a signal may have ended the thread, or if the thread is a kernel thread. The member alias is
 * the other id under which the kernel may have recorded the thread: when a thread other than the
 * first one of its process calls exec(), it exchanges ids with the first thread, which has exited
 * by then but may not have switched away yet.
 */
static void complete_thread(struct event *event)
{
	struct thread *thread = &threads[event->thread];

	event->process = process(event->thread);
	event->alias = thread->alias;
	switch (event->kind) {
	case FORK:
		set_known_low(event, 0, process(event->arg[0] >> 32));
		break;
	case EXIT:
		if (!threads[event->process].has_threads && thread->has_status)
			set_known(event, 1, thread->status);
		break;
	case SYSCALL_ENTRY:
		thread->in_ia32 = event->arg[0] & 1;
		break;
	case SYSCALL_EXIT:
		set_known_low(event, 0, thread->in_ia32);
		break;
	}
}

/* Timers and packets */

/*
 * The state of the timer or packet at @address, according to the latest records. When the kernel
 * reuses the address, the new timer or packet gets the same entry.
 */
struct object {
	uint64_t address;
	uint64_t function;
	uint64_t expires;
	uint32_t protocol;
	struct event *queued;	/* a PKTSENDQ that still lacks the protocol, or NULL */
};

#define OBJECTS		(1 << 18)

static struct object *objects;

static struct object *find_object(uint64_t address)
{
	size_t at = (address * 0x9e3779b97f4a7c15UL) >> 46;

	for (size_t tried = 0; tried < OBJECTS; tried++, at = (at + 1) % OBJECTS)
		if (!objects[at].address || objects[at].address == address) {
			objects[at].address = address;
			return &objects[at];
		}
	bail_out("too many timers and packets");
}

/*
 * Add the function and the expiry time to an event of a timer. If the timer was started before the
 * recording began, its function is unknown until it is started again. The expiry time is added only
 * for high-resolution timers: the expiry time of other timers may change without a record.
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
		return;
	case TIMER_RUN_EXIT:
	case HR_RUN_EXIT:
		if (here->address == event->arg[0])
			set_known(event, 1, here->function);
		return;
	case TIMER_RUN_ENTRY:
	case HR_RUN_ENTRY:
		here->address = event->arg[0];
		here->function = event->arg[1];
	}
	if (object->function && (event->kind == TIMER_DEL || event->kind == HR_DEL))
		set_known(event, 1, object->function);
	if (object->function && (event->kind == HR_DEL || event->kind == HR_RUN_ENTRY))
		set_known(event, 2, object->expires);
}

/*
 * Add the protocol to an event of a packet. For a packet that is sent, the event that contains the
 * protocol (PACKET_PROTOCOL) comes after PKTSENDQ. For a received packet, PACKET_PROTOCOL comes
 * before PKTRECVQ and PKTRECV.
 */
static void complete_packet(struct event *event)
{
	struct object *object = find_object(event->arg[0]);

	if (event->kind == PKTSENDQ) {
		object->queued = event;
	} else if (event->kind == PACKET_PROTOCOL) {
		object->protocol = event->arg[1];
		if (object->queued)
			set_known_low(object->queued, 1, object->protocol);
		object->queued = NULL;
	} else if (event->kind == DROP) {
		*object = (struct object){ .address = object->address };
	} else if (object->protocol) {
		set_known_low(event, 1, object->protocol);
	}
}

static void complete_event(struct event *event, int cpu)
{
	complete_thread(event);
	if (event->kind >= TIMER_ADD && event->kind <= HR_RUN_EXIT)
		complete_timer(event, cpu);
	else if (event->kind == PACKET_PROTOCOL || (event->kind >= PKTSENDQ && event->kind <= DROP))
		complete_packet(event);
}

/*
 * Complete the events of all CPUs in chronological order, because a record that completes an event
 * may be from another CPU.
 */
static void complete_all(struct trace traces[ORACLE_CPUS])
{
	size_t at[ORACLE_CPUS] = {};

	for (;;) {
		int first = -1;

		for (int cpu = 0; cpu < ORACLE_CPUS; cpu++)
			if (at[cpu] < traces[cpu].num &&
			    (first < 0 || traces[cpu].events[at[cpu]].time <
						  traces[first].events[at[first]].time))
				first = cpu;
		if (first < 0)
			return;
		complete_event(&traces[first].events[at[first]++], first);
	}
}

void complete(struct trace traces[ORACLE_CPUS])
{
	objects = calloc(OBJECTS, sizeof(*objects));
	bail_if(!objects, "memory");
	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++)
		for (size_t i = 0; i < traces[cpu].num; i++)
			track_thread(&traces[cpu].events[i]);
	resolve_threads();
	complete_all(traces);
	for (int cpu = 0; cpu < ORACLE_CPUS; cpu++)
		trace_clean(&traces[cpu]);
	free(objects);
}
