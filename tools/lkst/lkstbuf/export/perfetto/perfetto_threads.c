// SPDX-License-Identifier: GPL-2.0
/*
 * Lists threads and processes. When a thread occurs for the first time, its name, its process, and
 * the command line of the process are written.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "lib/text/context.h"
#include "lib/text/files.h"
#include "lib/text/names.h"
#include "perfetto.h"

#define THREADS	     (4 * 1024 * 1024) /* the kernel's limit for the number of a thread */
#define THREADS_ARGS 128 /* arguments of a command line; further ones are left out */
#define KTHREADD     2

/*
 * Bitmaps: which threads and processes have been listed, which threads have been named, which
 * processes are kernel threads, and which threads have a track.
 */
struct thread_list {
	uint64_t thread[THREADS / 64];
	uint64_t process[THREADS / 64];
	uint64_t named[THREADS / 64];
	uint64_t kernel[THREADS / 64];
	uint64_t track[THREADS / 64];
};

static void threads_set(uint64_t *map, uint32_t number)
{
	if (number < THREADS)
		map[number / 64] |= 1ull << number % 64;
}

static void threads_clear(uint64_t *map, uint32_t number)
{
	if (number < THREADS)
		map[number / 64] &= ~(1ull << number % 64);
}

/* Return whether a bit is set; true for a number that no thread can have. */
static bool threads_has(const uint64_t *map, uint32_t number)
{
	return number >= THREADS || map[number / 64] >> number % 64 & 1;
}

/**
 * threads_new() - make an empty list
 * @err: set if an allocation fails
 */
struct thread_list *threads_new(struct lkst_error *err)
{
	struct thread_list *threads = calloc(1, sizeof(*threads));

	if (!threads)
		lkst_error_memory(err, "the threads");
	return threads;
}

/**
 * threads_free() - free a list
 * @threads: may be NULL
 */
void threads_free(struct thread_list *threads)
{
	free(threads);
}

/* Return the byte of an octal escape of three digits at @text; -1 if @text is no such escape. */
static int threads_unescape(const char *text)
{
	if (*text != '\\')
		return -1;
	for (int i = 1; i <= 3; i++)
		if (text[i] < '0' || text[i] > '7')
			return -1;
	return (text[1] - '0') << 6 | (text[2] - '0') << 3 | (text[3] - '0');
}

#define THREADS_COMMAND_MAX 4096

/*
 * Write the next argument of a command line at @p. Blanks separate the arguments. A blank within an
 * argument is an octal escape. Returns the end of the argument in the command line.
 */
static const char *threads_put_argument(const char *command, char **p)
{
	char text[THREADS_COMMAND_MAX];
	size_t len = 0;

	for (; *command && *command != ' ' && len < sizeof(text); len++) {
		int byte = threads_unescape(command);

		text[len] = byte < 0 ? *command : (char)byte;
		command += byte < 0 ? 1 : 4;
	}
	*p = put_utf8(*p, text, len);
	*(*p)++ = 0;
	return command;
}

/*
 * Fill in the command line of a process. @text and @arg are room for it. A very long command line
 * is cut.
 */
static void threads_fill_command(const struct perfetto *pf, Pf__ProcessTree__Process *process,
				 const struct lkst_event *event, const char *comm,
				 char text[2 * THREADS_COMMAND_MAX], char *arg[THREADS_ARGS])
{
	const char *command =
		lkst_files_command(pf->export->context->files, event, (uint32_t)process->pid);
	char *p = text, *end = text + THREADS_COMMAND_MAX - 1;

	process->cmdline = arg;
	if (!command && comm) {
		command = "";
		*arg = text;
		*put_utf8(text, comm, strlen(comm)) = 0;
		process->n_cmdline = 1;
		process->has_cmdline_is_comm = process->cmdline_is_comm = true;
	}
	while (command && *command && process->n_cmdline < THREADS_ARGS && p < end) {
		arg[process->n_cmdline++] = p;
		command = threads_put_argument(command, &p);
		command += *command == ' ';
	}
}

/* What is known about a thread. @parent is 0 if the parent is unknown. */
struct thread_seen {
	uint32_t tid;
	uint32_t tgid;
	uint32_t parent;
};

static void threads_put(struct perfetto *pf, const struct thread_seen *seen, bool list_process,
			const struct lkst_event *event, uint64_t time)
{
	struct thread_list *threads = pf->threads;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__ProcessTree tree = PF__PROCESS_TREE__INIT;
	Pf__ProcessTree__Thread thread = PF__PROCESS_TREE__THREAD__INIT, *thread_list = &thread;
	Pf__ProcessTree__Process process = PF__PROCESS_TREE__PROCESS__INIT,
				 *process_list = &process;
	char text[2 * THREADS_COMMAND_MAX], *arg[THREADS_ARGS], idle[16], name[LKST_COMM_LEN];
	const char *comm = encode_comm(pf, seen->tid, event, idle);

	thread.has_tid = thread.has_tgid = true;
	thread.tid = (int32_t)seen->tid;
	thread.tgid = (int32_t)seen->tgid;
	if (comm) {
		*put_utf8(name, comm, strlen(comm)) = 0;
		thread.name = name;
		threads_set(threads->named, seen->tid);
	}
	process.has_pid = true;
	process.pid = (int32_t)seen->tgid;
	process.has_ppid = seen->parent;
	process.ppid = (int32_t)seen->parent;
	process.has_is_kthread = process.is_kthread = threads_has(threads->kernel, seen->tgid);
	threads_fill_command(pf, &process, event, seen->tid == seen->tgid ? comm : NULL, text, arg);
	tree.n_threads = 1;
	tree.threads = &thread_list;
	tree.n_processes = list_process;
	tree.processes = &process_list;
	packet.process_tree = &tree;
	packet.has_timestamp = true;
	packet.timestamp = time;
	perfetto_write(pf, &packet);
}

/* List a thread and its process, unless they have already been listed. */
static void threads_list(struct perfetto *pf, const struct thread_seen *seen,
			 const struct lkst_event *event, uint64_t time)
{
	struct thread_list *threads = pf->threads;
	bool new_process = !threads_has(threads->process, seen->tgid);

	if (threads_has(threads->thread, seen->tid) && !new_process)
		return;
	threads_put(pf, seen, new_process, event, time);
	threads_set(threads->thread, seen->tid);
	threads_set(threads->process, seen->tgid);
}

/* List the thread that an event of the state dump describes. */
static void threads_take_state(struct perfetto *pf, const struct lkst_event *event, uint64_t time)
{
	struct thread_seen seen = { (uint32_t)(event->arg[0] >> 32), (uint32_t)event->arg[0],
				    (uint32_t)(event->arg[1] >> 32) };

	if (seen.parent == KTHREADD || seen.tid == KTHREADD)
		threads_set(pf->threads->kernel, seen.tgid);
	threads_list(pf, &seen, event, time);
}

/**
 * threads_see() - list the thread of an event
 * @pf: writer
 * @event: event
 * @time: its time in the output
 */
void threads_see(struct perfetto *pf, const struct lkst_event *event, uint64_t time)
{
	struct thread_seen seen = { event->tid, event->tgid, 0 };
	struct thread_list *threads = pf->threads;
	uint32_t child;

	/* The idle threads have no process. Each kernel thread is a separate process. */
	if (seen.tid)
		threads_list(pf, &seen, event, time);
	switch (event->type) {
	case LKST_ETYPE_PROCESS_STATE:
		threads_take_state(pf, event, time);
		break;
	case LKST_ETYPE_PROCESS_FORK:
		/* From now on, the thread ID belongs to another thread. */
		child = (uint32_t)(event->arg[0] >> 32);
		threads_clear(threads->thread, child);
		threads_clear(threads->process, child);
		threads_clear(threads->named, child);
		threads_clear(threads->kernel, child);
		threads_clear(threads->track, child);
		if (event->tid == KTHREADD)
			threads_set(threads->kernel, child);
		break;
	case LKST_ETYPE_PROCESS_EXEC:
		/* From now on, the process has another command line. */
		threads_clear(threads->process, event->tgid);
		break;
	}
}

/**
 * threads_name() - remember that the output has named a thread
 * @pf: writer
 * @tid: thread
 */
void threads_name(struct perfetto *pf, uint32_t tid)
{
	threads_set(pf->threads->named, tid);
}

/**
 * threads_named() - check whether the output has named a thread
 * @pf: writer
 * @tid: thread
 */
bool threads_named(const struct perfetto *pf, uint32_t tid)
{
	return tid < THREADS && threads_has(pf->threads->named, tid);
}

/**
 * threads_track() - check whether a thread needs a new track, and assume that it gets one
 * @pf: writer
 * @tid: thread
 *
 * Return: true the first time that this is called for a thread. For a number that no thread can have,
 * as in a damaged trace, always true.
 */
bool threads_track(struct perfetto *pf, uint32_t tid)
{
	if (tid < THREADS && threads_has(pf->threads->track, tid))
		return false;
	threads_set(pf->threads->track, tid);
	return true;
}
