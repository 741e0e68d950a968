// SPDX-License-Identifier: LGPL-2.1
/* Lists the threads of a kernel from its memory. */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "lib/base/error.h"
#include "lib/trace/write.h"
#include "messages.h"

#define THREADS_MAX (1u << 20)
#define PID_MAX	    (4u << 20)

struct tasks {
	struct image_kernel *kernel;
	uint64_t init_task;
	uint64_t tasks;
	uint64_t pid;
	uint64_t tgid;
	uint64_t comm;
	uint64_t signal;
	uint64_t thread_node;
	uint64_t thread_head;
	struct lkst_process *process;
	size_t num;
	size_t room;
	bool no_memory;
};

static void tasks_take_thread(struct tasks *tasks, uint64_t task)
{
	struct image_kernel *kernel = tasks->kernel;
	struct lkst_process process;

	memset(&process, 0, sizeof(process));
	if (!image_kernel_u32(kernel, task + tasks->pid, &process.tid) ||
	    !image_kernel_u32(kernel, task + tasks->tgid, &process.tgid) ||
	    !image_kernel_read(kernel, process.name, sizeof(process.name), task + tasks->comm) ||
	    !process.tid || process.tid > PID_MAX || process.tgid > PID_MAX)
		return;
	process.name[sizeof(process.name) - 1] = 0;
	if (tasks->num == tasks->room) {
		size_t room = tasks->room ? tasks->room * 2 : 256;
		struct lkst_process *grown = realloc(tasks->process, room * sizeof(*grown));

		if (!grown) {
			tasks->no_memory = true;
			return;
		}
		tasks->process = grown;
		tasks->room = room;
	}
	tasks->process[tasks->num++] = process;
}

/*
 * Follow a list from its head and, if it is broken, also backwards from its other end. The number
 * of threads is limited to THREADS_MAX in all, because a damaged list may be endless.
 */
static void image_tasks_walk(struct tasks *tasks, uint64_t head, uint64_t offset,
			     void (*take)(struct tasks *tasks, uint64_t task))
{
	const unsigned int size = image_kernel_long_size(tasks->kernel);
	uint64_t node;

	for (unsigned int back = 0; back < 2; back++) {
		node = head;
		while (image_kernel_long(tasks->kernel, node + back * size, &node) &&
		       node != head && tasks->num < THREADS_MAX && !tasks->no_memory) {
			size_t before = tasks->num;

			take(tasks, node - offset);
			/* If a node is not a thread, the list is damaged there. */
			if (tasks->num == before)
				break;
		}
		if (node == head)
			return;
	}
}

static void tasks_take_process(struct tasks *tasks, uint64_t task)
{
	size_t before = tasks->num;
	uint64_t signal;

	if (image_kernel_long(tasks->kernel, task + tasks->signal, &signal))
		image_tasks_walk(tasks, signal + tasks->thread_head, tasks->thread_node,
				 tasks_take_thread);
	/* If the threads of a process cannot be found, at least list its main thread. */
	if (tasks->num == before)
		tasks_take_thread(tasks, task);
}

/**
 * image_kernel_processes() - list the threads of a kernel
 * @kernel: memory of the kernel
 * @num: set to the number of threads
 * @err: set on failure
 *
 * Return: array of threads, to be freed by the caller; NULL on failure.
 */
struct lkst_process *image_kernel_processes(struct image_kernel *kernel, size_t *num,
					    struct lkst_error *err)
{
	struct tasks tasks = { .kernel = kernel };
	const struct image_kernel_number numbers[] = {
		{ "init_task", &tasks.init_task },
		{ "task_tasks", &tasks.tasks },
		{ "task_pid", &tasks.pid },
		{ "task_tgid", &tasks.tgid },
		{ "task_comm", &tasks.comm },
		{ "task_signal", &tasks.signal },
		{ "task_thread_node", &tasks.thread_node },
		{ "signal_thread_head", &tasks.thread_head },
	};

	if (image_kernel_numbers(kernel, numbers, sizeof(numbers) / sizeof(*numbers), err))
		return NULL;
	image_tasks_walk(&tasks, tasks.init_task + tasks.tasks, tasks.tasks, tasks_take_process);
	*num = tasks.num;
	if (tasks.num && !tasks.no_memory)
		return tasks.process;
	free(tasks.process);
	if (tasks.no_memory)
		lkst_error_memory(err, "process names");
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_IMAGE_TASKS);
	return NULL;
}
