/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions for tests that load modules with event handlers: load modules, read and write small
 * files, look up and control event handlers, and run threads that generate events on all CPUs.
 */
#ifndef MODULES_H
#define MODULES_H

#include <pthread.h>
#include <sys/syscall.h>

#include "buffers.h"
#include "etypes.h"

#define CPUS 2

/* Load a module from the directory "modules" next to the test programs. Return 0 or errno. */
static inline int load_module(const char *name)
{
	char path[128];
	int fd, error;

	snprintf(path, sizeof(path), "modules/%s.ko", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	error = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
	close(fd);
	return error;
}

static inline int unload_module(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
}

/*
 * Read and write files that contain one line. Each function returns 0 or errno. @text does not
 * include the newline.
 */

static inline int read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), error = 0;
	ssize_t got;

	*text = 0;
	if (fd < 0)
		return errno;
	got = read(fd, text, size - 1);
	if (got < 0)
		error = errno;
	else
		text[got] = 0;
	text[strcspn(text, "\n")] = 0;
	close(fd);
	return error;
}

static inline int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		error = errno;
	close(fd);
	return error;
}

static inline const char *attr_path(const char *handler, const char *attr)
{
	static char path[128];

	snprintf(path, sizeof(path), "/sys/class/lkst/%s/%s", handler, attr);
	return path;
}

/* Check that the file @attr in the sysfs directory of an event handler contains @expected. */
static inline bool attr_is(const char *handler, const char *attr, const char *expected)
{
	char text[256];
	int error = read_file(attr_path(handler, attr), text, sizeof(text));

	if (ok(!error && !strcmp(text, expected), "%s: %s", attr_path(handler, attr), expected))
		return true;
	diag("got '%s' (%s)", text, strerror(error));
	return false;
}

/* Event handlers */

/* Return the id of the event handler @name, or -1 if it does not exist. */
static inline int handler_id(const char *name)
{
	static struct lkst_evhandler_listent list[64];
	struct lkst_evhandler_listparam param = { .listent_size = sizeof(list),
						  .listent = (uintptr_t)list };
	unsigned int num = get_status().evhandler_num;

	bail_if(num > 64 || lkst(LKST_IOC_EVHANDLER_LIST, &param), "EVHANDLER_LIST");
	for (unsigned int i = 0; i < num; i++)
		if (!strcmp(list[i].name, name))
			return list[i].id;
	return -1;
}

/* Call the control function of an event handler, and store its result in @ret. */
static inline int control(int id, void *area, size_t size, int *ret)
{
	struct lkst_evhandler_ctrl_param param = {
		.id = id, .ret = -1, .buf = (uintptr_t)area, .bufsize = size
	};
	int error = lkst(LKST_IOC_EVHANDLER_CTRL, &param);

	*ret = param.ret;
	return error;
}

/* Return the event handler of an event type in a maskset, or -1 if the type is not listed. */
static inline int handler_in_maskset(int id, int etype)
{
	static union {
		struct lkst_maskset_body body;
		char room[LKST_MASKSET_SIZE_MAX];
	} maskset;
	struct lkst_maskset_param param = { .id = id,
					    .maskset_size = sizeof(maskset),
					    .maskset = (uintptr_t)&maskset };

	bail_if(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
	for (unsigned int i = 0; i < maskset.body.len; i++)
		if (maskset.body.entry[i].event_type == etype)
			return maskset.body.entry[i].id;
	return -1;
}

/* Write a maskset that has @handler for each of @etypes, and masks all other event types. */
static inline int write_maskset_of(int id, const char *name, const int *etypes, unsigned int num,
				   int handler)
{
	struct mask masks[16];

	for (unsigned int i = 0; i < num; i++)
		masks[i] = (struct mask){ etypes[i], handler };
	return write_maskset(id, name, masks, num);
}

/*
 * Return the number of records in a buffer that have the event type @etype, the second argument
 * @arg2, and none of the flags @without (LKST_LOG_*).
 */
static inline unsigned int count_in(int cpu, int id, int etype, uint64_t arg2, uint32_t without)
{
	static struct lkst_log_record records[1 << 18];
	struct lkst_log_buffer param;
	unsigned int found = 0;

	need(read_buffer_max(&param, cpu, id, records, ARRAY_SIZE(records)), "BUFFER_READ");
	for (size_t i = 0; i < param.result_read_size / sizeof(*records); i++)
		found += records[i].posix.log_event_type == etype && records[i].log_arg2 == arg2 &&
			 !(records[i].posix.log_flags & without);
	return found;
}

/* Return the number of records in CPU 0's current buffer that match these values. */
static inline unsigned int count_records(int etype, uint64_t arg2, uint32_t without)
{
	return count_in(0, written_buffer(0), etype, arg2, without);
}

/* Stress: on each CPU, one thread generates events as fast as it can. */

static struct stressor {
	pthread_t thread;
	int cpu;
	volatile unsigned long calls;
} stressors[CPUS];

static volatile bool stress_ends;

static inline void *stress_run(void *arg)
{
	struct stressor *stressor = arg;

	pin(stressor->cpu);
	while (!stress_ends) {
		mark(stressor->cpu, stressor->calls, 0, 0);
		syscall(SYS_getppid);
		/* Cause context switches now and then. */
		if (stressor->calls++ % 64 == 0)
			sched_yield();
	}
	return NULL;
}

static inline void stress_start(void)
{
	stress_ends = false;
	for (int cpu = 0; cpu < CPUS; cpu++) {
		stressors[cpu].cpu = cpu;
		need(pthread_create(&stressors[cpu].thread, NULL, stress_run, &stressors[cpu]),
		     "thread");
	}
}

static inline void stress_stop(void)
{
	stress_ends = true;
	for (int cpu = 0; cpu < CPUS; cpu++)
		pthread_join(stressors[cpu].thread, NULL);
}

/* Wait up to 10 s for each stressor to make 100 more calls. Return whether all of them did. */
static inline bool stress_continues(void)
{
	unsigned long before[CPUS];

	for (int cpu = 0; cpu < CPUS; cpu++)
		before[cpu] = stressors[cpu].calls;
	for (int cpu = 0; cpu < CPUS; cpu++)
		for (int tries = 0; stressors[cpu].calls < before[cpu] + 100; tries++) {
			if (tries == 2000)
				return false;
			sleep_ms(5);
		}
	return true;
}

#endif
