/* SPDX-License-Identifier: GPL-2.0 */
/*
 * For the tests that load modules with event handlers: modules, small files, event handlers, and
 * programs that cause events on all CPUs.
 */
#ifndef MODULES_H
#define MODULES_H

#include <pthread.h>
#include <sys/syscall.h>

#include "buffers.h"

#define CPUS 2

/* Event types, as include/linux/lkst_etypes.h has them. */
#define PROCESS_CONTEXTSWITCH 0x001
#define PROCESS_WAKEUP	      0x002
#define INT_HARDWARE_ENTRY    0x010
#define INT_HARDWARE_EXIT     0x011
#define INT_SOFTIRQ_ENTRY     0x012
#define INT_SOFTIRQ_EXIT      0x013
#define SYSCALL_ENTRY	      0x030
#define SYSCALL_EXIT	      0x031

/* Modules are beside the programs. */
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

/* Small files: the text without its line end, and the error number. */

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

/* A file in an event handler's directory says @want. */
static inline bool attr_is(const char *handler, const char *attr, const char *want)
{
	char text[256];
	int error = read_file(attr_path(handler, attr), text, sizeof(text));

	if (ok(!error && !strcmp(text, want), "%s: %s", attr_path(handler, attr), want))
		return true;
	diag("got '%s' (%s)", text, strerror(error));
	return false;
}

/* Event handlers */

/* The id that EVHANDLER_LIST has for a name, or -1. */
static inline int handler_id(const char *name)
{
	static struct lkst_evhandler_listent list[64];
	struct lkst_evhandler_listparam param = { .listent_size = sizeof(list),
						  .listent = (uintptr_t)list };
	unsigned int i, num = get_status().evhandler_num;

	if (num > 64 || lkst(LKST_IOC_EVHANDLER_LIST, &param))
		bail_out("EVHANDLER_LIST");
	for (i = 0; i < num; i++)
		if (!strcmp(list[i].name, name))
			return list[i].id;
	return -1;
}

/* Calls a control function; its own value goes to @ret. */
static inline int control(int id, void *area, size_t size, int *ret)
{
	struct lkst_evhandler_ctrl_param param = {
		.id = id, .ret = -1, .buf = (uintptr_t)area, .bufsize = size
	};
	int error = lkst(LKST_IOC_EVHANDLER_CTRL, &param);

	*ret = param.ret;
	return error;
}

/* The event handler that a maskset has for an event type; -1: the type is not listed. */
static inline int handler_in_maskset(int id, int etype)
{
	static union {
		struct lkst_maskset_body body;
		char room[LKST_MASKSET_SIZE_MAX];
	} maskset;
	struct lkst_maskset_param param = { .id = id,
					    .maskset_size = sizeof(maskset),
					    .maskset = (uintptr_t)&maskset };
	unsigned int i;

	if (lkst(LKST_IOC_MASKSET_READ, &param))
		bail_out("MASKSET_READ");
	for (i = 0; i < maskset.body.len; i++)
		if (maskset.body.entry[i].event_type == etype)
			return maskset.body.entry[i].id;
	return -1;
}

/* Records with this type and this second argument, and with none of these flags (LKST_LOG_*). */
struct pattern {
	int etype;
	uint64_t arg2;
	uint32_t without;
};

/* How many of them a buffer has. */
static inline unsigned int count_in(int cpu, int id, struct pattern pattern)
{
	static struct lkst_log_record records[1 << 18];
	struct lkst_log_buffer param;
	unsigned int found = 0;
	size_t i;

	need(read_buffer_max(&param, cpu, id, records, 1 << 18), "BUFFER_READ");
	for (i = 0; i < param.result_read_size / sizeof(*records); i++)
		if (records[i].posix.log_event_type == pattern.etype &&
		    records[i].log_arg2 == pattern.arg2 &&
		    !(records[i].posix.log_flags & pattern.without))
			found++;
	return found;
}

/* In CPU 0's current buffer. */
static inline unsigned int count_records(int etype, uint64_t arg2, uint32_t without)
{
	return count_in(0, written_buffer(0), (struct pattern){ etype, arg2, without });
}

/* Programs that cause events as fast as they can: one on each CPU. */

static struct storm {
	pthread_t thread;
	int cpu;
	volatile unsigned long calls;
} storms[CPUS];

static volatile bool storm_end;

static inline void *storm_run(void *arg)
{
	struct storm *storm = arg;

	pin(storm->cpu);
	while (!storm_end) {
		mark(storm->cpu, storm->calls, 0, 0);
		syscall(SYS_getppid);
		/* Switches, now and then. */
		if (storm->calls++ % 64 == 0)
			sched_yield();
	}
	return NULL;
}

static inline void storm_begin(void)
{
	int cpu;

	storm_end = false;
	for (cpu = 0; cpu < CPUS; cpu++) {
		storms[cpu].cpu = cpu;
		if (pthread_create(&storms[cpu].thread, NULL, storm_run, &storms[cpu]))
			bail_out("pthread_create");
	}
}

static inline void storm_stop(void)
{
	int cpu;

	storm_end = true;
	for (cpu = 0; cpu < CPUS; cpu++)
		pthread_join(storms[cpu].thread, NULL);
}

/* Both programs have gone on a good deal since they were asked for the last time. */
static inline bool storm_blows(void)
{
	unsigned long before[CPUS];
	int cpu, tries;

	for (cpu = 0; cpu < CPUS; cpu++)
		before[cpu] = storms[cpu].calls;
	for (cpu = 0; cpu < CPUS; cpu++)
		for (tries = 0; storms[cpu].calls < before[cpu] + 100; tries++) {
			if (tries == 2000)
				return false;
			sleep_ms(5);
		}
	return true;
}

#endif
