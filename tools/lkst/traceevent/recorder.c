// SPDX-License-Identifier: LGPL-2.1
/*
 * What TraceEvent() does with /dev/lkst: starting and stopping, its maskset, and its buffers.
 *
 * The settings of TraceEvent() apply to the whole system, as on QNX, and outlive the program. So
 * they are kept in the kernel: the filters and modes are in the maskset RECORDER_MASKSET, and the
 * buffers have fixed ids. The functions that start and stop do not allocate memory, because signal
 * handlers may use these commands.
 */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_evhandler.h>

#define RECORDER_MASKSET "traceevent"
#define RECORDER_CPUS	 4096
#define RECORDER_EVENTS	 1024 /* events of a buffer on QNX */
#define RECORDER_BYTES	 64 /* of an event */

/* Two buffers of each CPU, linked in a ring, so that one can be read while the other is in use. */
static const lkst_buffer_id recorder_buffer[] = { 201, 202 };

static uint64_t recorder_user(const void *address)
{
	return (uint64_t)(uintptr_t)address;
}

/* Change errno to a value that TraceEvent() may set. */
static int recorder_fail(void)
{
	switch (errno) {
	case EACCES:
	case EPERM:
		errno = EPERM;
		break;
	case ENOENT:
	case ENXIO:
	case ENODEV:
	case ENOTTY:
	case ENOSYS:
		errno = ENOTSUP; /* no LKST, or no BPF */
		break;
	case ENOMEM:
	case EFAULT:
	case ENOTSUP:
		break;
	case EEXIST:
		errno = EFAULT; /* the command is not allowed now */
		break;
	default:
		errno = ECANCELED;
	}
	return -1;
}

static int recorder_open(void)
{
	return open("/dev/lkst", O_RDWR | O_CLOEXEC);
}

/**
 * recorder_call() - call ioctl() with the address of a structure, again if a signal interrupts it
 * @fd: device
 * @request: request
 * @arg: structure
 */
int recorder_call(int fd, unsigned long request, void *arg)
{
	int ret;

	do {
		ret = ioctl(fd, request, arg);
	} while (ret < 0 && errno == EINTR);
	return ret;
}

/* Call ioctl() with a number, again if a signal interrupts it. */
int recorder_number(int fd, unsigned long request, long number)
{
	int ret;

	do {
		ret = ioctl(fd, request, number);
	} while (ret < 0 && errno == EINTR);
	return ret;
}

/* Close the device, and return the result of a command. */
static int recorder_close(int fd, int ret)
{
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
	return fd < 0 || ret < 0 ? recorder_fail() : ret;
}

/* ---- the maskset ---- */

/* Find the maskset of TraceEvent(). Returns its id; VOID if none exists; -1 on error. */
static int recorder_find(int fd)
{
	static const char name[] = RECORDER_MASKSET;
	struct lkst_maskset_listent list[LKST_MASKSET_ID_MAX + 1];
	struct lkst_maskset_listparam param = {
		.listent_size = sizeof(list),
		.listent = recorder_user(list),
	};

	memset(list, 0, sizeof(list));
	if (recorder_call(fd, LKST_IOC_MASKSET_LIST, &param) < 0)
		return -1;
	for (unsigned int i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (!strcmp(list[i].name, name))
			return list[i].id;
	return LKST_MASKSET_ID_VOID;
}

static int recorder_read(int fd, int id, union recorder_maskset *maskset)
{
	struct lkst_maskset_param param = {
		.id = id,
		.maskset_size = sizeof(*maskset),
		.maskset = recorder_user(maskset),
	};

	return recorder_call(fd, LKST_IOC_MASKSET_READ, &param);
}

static int recorder_write(int fd, int id, const union recorder_maskset *maskset)
{
	struct lkst_maskset_param param = {
		.id = id,
		.maskset_size = LKST_MASKSET_SIZE(maskset->body.len),
		.maskset = recorder_user(maskset),
	};

	return recorder_call(fd, LKST_IOC_MASKSET_WRITE, &param);
}

/* Write the rule of an event type. If @text is "", delete the rule, if there is one. */
static int recorder_write_rule(int fd, int id, int type, const char *text)
{
	struct lkst_rule_param param = {
		.id = id,
		.event_type = type,
		.text = recorder_user(text),
		.text_size = (uint32_t)strlen(text),
	};

	if (!recorder_call(fd, LKST_IOC_RULE_WRITE, &param) || (!*text && errno == ENOENT))
		return 0;
	return -1;
}

/*
 * Write the rules of all event types whose rule changes. @before is the maskset before the change,
 * and has the same event types as @body.
 */
static int recorder_write_rules(int fd, int id, const struct recorder_change *change,
				const struct lkst_maskset_body *before,
				const struct lkst_maskset_body *body)
{
	char text[LKST_RULE_TEXT_MAX];

	for (unsigned int i = 0; i < body->len; i++) {
		int type = body->entry[i].event_type;

		if (body->entry[i].id != LKST_EVHANDLER_ID_NONE &&
		    change->rule(change, type, before->entry[i].id != LKST_EVHANDLER_ID_NONE,
				 text) &&
		    recorder_write_rule(fd, id, type, text))
			return -1;
	}
	return 0;
}

/*
 * Change the maskset of TraceEvent(). If it does not exist yet, it begins as a copy of the selected
 * maskset. If it exists, the rule of an event type is written before the event type is turned on,
 * so that no event is recorded without its rule.
 */
static int recorder_edit(int fd, const struct recorder_change *change)
{
	union recorder_maskset maskset, before, all;
	int id = recorder_find(fd);
	bool exists = id != LKST_MASKSET_ID_VOID;

	if (id < 0 || change->prepare(fd, change) || recorder_read(fd, id, &maskset) < 0 ||
	    recorder_read(fd, LKST_MASKSET_ID_RALL, &all) < 0)
		return -1;
	before = maskset;
	change->apply(change, &maskset.body, &all.body);
	memset(maskset.body.name, 0, sizeof(maskset.body.name));
	strcpy(maskset.body.name, RECORDER_MASKSET);
	if (!exists) {
		memset(before.body.entry, 0, before.body.len * sizeof(*before.body.entry));
		if (recorder_write(fd, id, &maskset) < 0)
			return -1;
		id = recorder_find(fd);
	}
	if (recorder_write_rules(fd, id, change, &before.body, &maskset.body))
		return -1;
	return exists ? recorder_write(fd, id, &maskset) : 0;
}

/**
 * recorder_change() - change the maskset of TraceEvent()
 * @change: the change
 *
 * The lock keeps two programs from overwriting each other's change.
 */
int recorder_change(const struct recorder_change *change)
{
	int fd = recorder_open(), ret = -1;

	if (fd >= 0 && !flock(fd, LOCK_EX))
		ret = recorder_edit(fd, change);
	return recorder_close(fd, ret);
}

/* ---- start and stop ---- */

static int recorder_begin(int fd, bool state)
{
	int id = recorder_find(fd);

	if (id < 0 || recorder_number(fd, LKST_IOC_TRC_START, 0) < 0)
		return -1;
	/* If TraceEvent() has no maskset, keep the maskset that LKST selects when it starts. */
	if (id != LKST_MASKSET_ID_VOID && recorder_number(fd, LKST_IOC_MASKSET_SET, id) < 0)
		return -1;
	if (state && recorder_number(fd, LKST_IOC_TRC_STATEDUMP, 0) < 0)
		return -1;
	return 0;
}

/**
 * recorder_start() - start LKST, and select the maskset of TraceEvent() if there is one
 * @state: whether to record the state of all threads
 */
int recorder_start(bool state)
{
	int fd = recorder_open();

	return recorder_close(fd, fd < 0 ? -1 : recorder_begin(fd, state));
}

/* Stop LKST. */
int recorder_stop(void)
{
	int fd = recorder_open();

	return recorder_close(fd, fd < 0 ? -1 : recorder_number(fd, LKST_IOC_TRC_STOP, 0));
}

/* ---- buffers ---- */

/* Call a function for each online CPU until it fails. */
static int recorder_each(int fd, int (*func)(int fd, int cpu, void *arg), void *arg)
{
	uint64_t online[RECORDER_CPUS / 64] = { 0 };
	struct lkst_trc_status status = {
		.online_cpu = recorder_user(online),
		.online_cpu_len = sizeof(online),
	};

	if (recorder_call(fd, LKST_IOC_TRC_STATUS, &status) < 0)
		return -1;
	for (int cpu = 0; cpu < RECORDER_CPUS; cpu++)
		if (online[cpu / 64] >> cpu % 64 & 1 && func(fd, cpu, arg) < 0)
			return -1;
	return 0;
}

/* Move a CPU to a buffer. */
static int recorder_jump(int fd, int cpu, void *arg)
{
	struct lkst_buffer_jumpparam param = { .cpu = cpu, .dest = *(const lkst_buffer_id *)arg };

	return recorder_call(fd, LKST_IOC_BUFFER_JUMP, &param);
}

static int recorder_delete(int fd, int cpu, void *arg)
{
	struct lkst_buffer_delparam param = { .cpu = cpu, .id = *(const lkst_buffer_id *)arg };

	return recorder_call(fd, LKST_IOC_BUFFER_DELETE, &param);
}

/* Get the list of a CPU's buffers. */
static int recorder_list(int fd, int cpu, struct lkst_buffer_listparam *param,
			 struct lkst_buffer_listent list[LKST_BUFFER_ID_MAX + 1])
{
	*param = (struct lkst_buffer_listparam){
		.cpu = cpu,
		.listent_num = LKST_BUFFER_ID_MAX + 1,
		.listent = recorder_user(list),
	};
	return recorder_call(fd, LKST_IOC_BUFFER_LIST, param);
}

static bool recorder_is_own(lkst_buffer_id id)
{
	return id == recorder_buffer[0] || id == recorder_buffer[1];
}

/* Number of events in the allocated buffers of all CPUs, and number of these buffers */
struct recorder_counts {
	uint64_t events;
	unsigned int buffers;
};

static int recorder_add(int fd, int cpu, void *arg)
{
	struct lkst_buffer_listent list[LKST_BUFFER_ID_MAX + 1];
	struct lkst_buffer_listparam param;
	struct recorder_counts *counts = arg;

	if (recorder_list(fd, cpu, &param, list) < 0)
		return -1;
	for (int i = 0; i < param.buffer_num; i++) {
		if (!recorder_is_own(list[i].id))
			continue;
		counts->buffers++;
		if (list[i].state != LKST_BUFFER_FREE)
			counts->events += (uint64_t)list[i].baseid + list[i].write_offset -
					  list[i].first_recid - list[i].overwritten -
					  list[i].dropped;
	}
	return 0;
}

/* Count the events. Returns -1 on error; errno is EEXIST if no buffers have been allocated. */
static int recorder_look(int fd, struct recorder_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	if (recorder_each(fd, recorder_add, counts) < 0)
		return -1;
	errno = EEXIST;
	return counts->buffers ? 0 : -1;
}

static int recorder_create(int fd, unsigned int nth, unsigned int buffers)
{
	struct lkst_buffer_param param = {
		.id = recorder_buffer[nth],
		.next = recorder_buffer[!nth],
		.cpu = -1,
		.size = (uint64_t)buffers * RECORDER_EVENTS * RECORDER_BYTES,
	};

	/* LKST reserves some slots of a buffer for events that occur while a CPU leaves it. */
	param.size += 4096;
	if (!recorder_call(fd, LKST_IOC_BUFFER_CREATE, &param))
		return 0;
	/* EINVAL means that the size exceeds the maximum size of a buffer. */
	if (errno == EINVAL)
		errno = ENOMEM;
	return -1;
}

static int recorder_make(int fd, unsigned int buffers)
{
	lkst_buffer_id first = recorder_buffer[0], zero = 0;
	int saved;

	if (recorder_create(fd, 0, buffers) < 0)
		return -1;
	if (!recorder_create(fd, 1, buffers)) {
		if (!recorder_each(fd, recorder_jump, &first))
			return 0;
		saved = errno;
		recorder_each(fd, recorder_jump, &zero);
		recorder_each(fd, recorder_delete, (void *)&recorder_buffer[1]);
		errno = saved;
	}
	saved = errno;
	recorder_each(fd, recorder_delete, &first);
	errno = saved;
	return -1;
}

/**
 * recorder_alloc() - allocate buffers, and record in them
 * @buffers: size of the memory for each CPU, as a number of QNX trace buffers
 */
int recorder_alloc(unsigned int buffers)
{
	struct recorder_counts counts;
	int fd = recorder_open(), ret = -1;

	if (fd >= 0 && recorder_look(fd, &counts) >= 0)
		errno = EEXIST;
	else if (fd >= 0 && !counts.buffers)
		ret = recorder_make(fd, buffers);
	return recorder_close(fd, ret);
}

/* Return the number of events in the allocated buffers. */
int recorder_count(void)
{
	struct recorder_counts counts;
	int fd = recorder_open(), ret = fd < 0 ? -1 : recorder_look(fd, &counts);

	if (!ret)
		ret = counts.events > INT32_MAX ? INT32_MAX : (int)counts.events;
	return recorder_close(fd, ret);
}

static int recorder_free(int fd)
{
	struct recorder_counts counts;
	lkst_buffer_id zero = 0;

	if (recorder_look(fd, &counts) || recorder_each(fd, recorder_jump, &zero) < 0)
		return -1;
	for (unsigned int i = 0; i < 2; i++)
		if (recorder_each(fd, recorder_delete, (void *)&recorder_buffer[i]) < 0)
			return -1;
	return 0;
}

/* Record in the ordinary buffers again, and delete the allocated ones. */
int recorder_dealloc(void)
{
	int fd = recorder_open();

	return recorder_close(fd, fd < 0 ? -1 : recorder_free(fd));
}

/* Move a CPU to the next buffer. A CPU that records elsewhere is left alone. */
static int recorder_shift(int fd, int cpu, void *arg)
{
	struct lkst_buffer_listent list[LKST_BUFFER_ID_MAX + 1];
	struct lkst_buffer_listparam param;

	(void)arg;
	if (recorder_list(fd, cpu, &param, list) < 0)
		return -1;
	return recorder_is_own(param.write_buf) ? recorder_number(fd, LKST_IOC_BUFFER_SHIFT, cpu) :
						  0;
}

/* Switch the CPUs to the other buffer, so that the events so far can be read. */
int recorder_flush(void)
{
	struct recorder_counts counts;
	int fd = recorder_open(), ret = fd < 0 ? -1 : recorder_look(fd, &counts);

	if (!ret)
		ret = recorder_each(fd, recorder_shift, NULL);
	return recorder_close(fd, ret);
}

/**
 * recorder_set_memory() - check that a range of memory belongs to LKST's reserved memory
 * @address: physical address
 * @size: size in bytes
 *
 * Reserved memory survives a reset. It is set aside at boot, and LKST allocates its buffers there.
 */
int recorder_set_memory(uint64_t address, uint64_t size)
{
	FILE *iomem = fopen("/proc/iomem", "re");
	uint64_t first, last;
	char line[256];
	bool found = false;

	if (!iomem)
		return recorder_fail();
	while (!found && fgets(line, sizeof(line), iomem))
		found = strstr(line, ": LKST") &&
			sscanf(line, "%" SCNx64 "-%" SCNx64, &first, &last) == 2 && size &&
			address >= first && address <= last && size - 1 <= last - address;
	fclose(iomem);
	if (found)
		return 0;
	errno = ENOTSUP;
	return -1;
}

/**
 * recorder_stop_at_once() - let the event handler stop_after stop LKST at once, not after a delay
 */
int recorder_stop_at_once(void)
{
	struct lkst_evhandler_value value = { .set = 1 };
	struct lkst_evhandler_ctrl_param param = {
		.id = LKST_EVHANDLER_ID_STOP_AFTER,
		.buf = recorder_user(&value),
		.bufsize = sizeof(value),
	};
	int fd = recorder_open();

	return recorder_close(fd, fd < 0 ? -1 : recorder_call(fd, LKST_IOC_EVHANDLER_CTRL, &param));
}
