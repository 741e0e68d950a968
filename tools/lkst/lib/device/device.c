// SPDX-License-Identifier: LGPL-2.1
/*
 * Opens /dev/lkst and calls its ioctls. The ioctls for buffers are called in buffers.c, those for
 * previous boots in previous.c, and those for blocks in lib/live/stream.c. Functions that return a
 * list allocate it and return all entries. Numbers such as 4.7.1.2.4 are sections of the LKST 2.01
 * specification.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <unistd.h>

#include "call.h"
#include "device.h"
#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "messages.h"

struct lkst_device {
	const struct lkst_device_ops *ops;
	void *ctx;
};

static int device_file_ioctl(void *ctx, unsigned long request, void *arg)
{
	int ret = ioctl((int)(intptr_t)ctx, request, arg);

	return ret < 0 ? -errno : ret;
}

static ssize_t device_file_read(void *ctx, void *to, size_t size)
{
	ssize_t got = read((int)(intptr_t)ctx, to, size);

	return got < 0 ? -errno : got;
}

static void device_file_close(void *ctx)
{
	close((int)(intptr_t)ctx);
}

static struct lkst_device *device_file_reopen(void *ctx, struct lkst_error *err)
{
	(void)ctx;
	return device_open(O_NONBLOCK, err);
}

static const struct lkst_device_ops file_ops = {
	.ioctl = device_file_ioctl,
	.read = device_file_read,
	.reopen = device_file_reopen,
	.close = device_file_close,
};

/**
 * lkst_device_new() - make a device whose calls go to functions of the caller, not to the kernel
 * @ops: these functions
 * @ctx: passed to @ops
 * @err: set if an allocation fails
 */
struct lkst_device *lkst_device_new(const struct lkst_device_ops *ops, void *ctx,
				    struct lkst_error *err)
{
	struct lkst_device *dev = malloc(sizeof(*dev));

	if (!dev) {
		lkst_error_memory(err, LKST_DEVICE_PATH);
		return NULL;
	}
	dev->ops = ops;
	dev->ctx = ctx;
	return dev;
}

/* Open the device with additional @flags of open(), such as O_NONBLOCK. */
struct lkst_device *device_open(int flags, struct lkst_error *err)
{
	int fd = open(LKST_DEVICE_PATH, O_RDWR | O_CLOEXEC | flags);
	struct lkst_device *dev;

	if (fd < 0) {
		switch (errno) {
		case ENOENT:
		case ENXIO:
		case ENODEV:
			lkst_error_set(err, LKST_ERR_NO_DEVICE, MSG_NO_DEVICE, LKST_DEVICE_PATH);
			break;
		case EACCES:
		case EPERM:
			lkst_error_set(err, LKST_ERR_PERMISSION, MSG_PERMISSION, LKST_DEVICE_PATH);
			break;
		default:
			lkst_error_system(err, errno, LKST_DEVICE_PATH, "open");
		}
		return NULL;
	}
	dev = lkst_device_new(&file_ops, (void *)(intptr_t)fd, err);
	if (!dev)
		close(fd);
	return dev;
}

/**
 * lkst_device_open() - open /dev/lkst
 * @err: set on failure; the message says how to solve the problem
 */
struct lkst_device *lkst_device_open(struct lkst_error *err)
{
	return device_open(0, err);
}

/**
 * lkst_device_close() - close a device
 * @dev: may be NULL
 */
void lkst_device_close(struct lkst_device *dev)
{
	if (dev && dev->ops->close)
		dev->ops->close(dev->ctx);
	free(dev);
}

/*
 * Call an ioctl; @name is its name. On success, returns the negated result of the ioctl, so 0 or a
 * negative number. On failure, returns the errno, which is positive, and sets @err. For common
 * errnos, the message in @err explains the cause.
 */
int device_call(struct lkst_device *dev, unsigned long request, void *arg, const char *name,
		struct lkst_error *err)
{
	int ret;

	do {
		ret = -dev->ops->ioctl(dev->ctx, request, arg);
	} while (ret == EINTR);
	if (ret <= 0)
		return ret;
	switch (ret) {
	case EPERM:
	case EACCES:
		lkst_error_set(err, LKST_ERR_PERMISSION, MSG_PERMISSION, LKST_DEVICE_PATH);
		break;
	case ENOTTY:
		lkst_error_set(err, LKST_ERR_NO_DEVICE, MSG_NOT_LKST_DEVICE, LKST_DEVICE_PATH,
			       name);
		break;
	default:
		lkst_error_system(err, ret, LKST_DEVICE_PATH, name);
	}
	if (err)
		err->sys_errno = ret;
	return ret;
}

/* Open the device again, to get a file with its own read positions. */
struct lkst_device *device_reopen(struct lkst_device *dev, struct lkst_error *err)
{
	return dev->ops->reopen(dev->ctx, err);
}

/* Read without waiting. Returns the number of bytes; 0 if no data is available; -1 on error. */
ssize_t device_read(struct lkst_device *dev, void *to, size_t size, struct lkst_error *err)
{
	ssize_t got;

	do {
		got = dev->ops->read(dev->ctx, to, size);
	} while (got == -EINTR);
	if (got == -EAGAIN)
		return 0;
	if (got < 0)
		lkst_error_system(err, (int)-got, LKST_DEVICE_PATH, "read");
	return got < 0 ? -1 : got;
}

/**
 * lkst_device_fd() - get the file descriptor of a device, for read() and poll()
 * @dev: device
 *
 * Return: the file descriptor, or -1 if @dev was created by lkst_device_new().
 */
int lkst_device_fd(const struct lkst_device *dev)
{
	return dev->ops == &file_ops ? (int)(intptr_t)dev->ctx : -1;
}

/**
 * lkst_masksets_lock() - wait for exclusive permission to change masksets
 * @dev: device; closing it releases the lock
 * @err: set on failure
 *
 * A change reads a maskset and writes it back. Without the lock, a change that another command makes
 * between these two steps would be lost. Do not hold the lock while reading standard input, which
 * may be a pipe from a command that waits for the lock.
 */
int lkst_masksets_lock(struct lkst_device *dev, struct lkst_error *err)
{
	int ret;

	do {
		ret = flock(lkst_device_fd(dev), LOCK_EX);
	} while (ret && errno == EINTR);
	if (ret)
		lkst_error_system(err, errno, LKST_DEVICE_PATH, "lock");
	return ret;
}

/**
 * lkst_status_get() - get the status of LKST
 * @dev: device
 * @status: result, to be freed with lkst_status_free()
 * @err: set on failure
 */
int lkst_status_get(struct lkst_device *dev, struct lkst_status *status, struct lkst_error *err)
{
	uint32_t cpus, len;

	memset(status, 0, sizeof(*status));
	if (CALL(dev, LKST_IOC_TRC_STATUS, &status->trc, err))
		return -1;
	cpus = status->trc.cpu_num;
	len = status->trc.online_cpu_len;
	status->online = calloc(1, (size_t)len + 8);
	status->write_buf = calloc((size_t)cpus + 1, sizeof(lkst_buffer_id));
	status->read_buf = calloc((size_t)cpus + 1, sizeof(lkst_buffer_id));
	if (!status->online || !status->write_buf || !status->read_buf) {
		lkst_error_memory(err, "the status");
		goto fail;
	}
	memset(&status->trc, 0, sizeof(status->trc));
	status->trc.online_cpu = address(status->online);
	status->trc.online_cpu_len = len;
	status->trc.write_buf = address(status->write_buf);
	status->trc.read_buf = address(status->read_buf);
	status->trc.cpu_num = cpus;
	if (CALL(dev, LKST_IOC_TRC_STATUS, &status->trc, err))
		goto fail;
	/*
	 * The second call should return the same counts as the first, but never trust a count that
	 * exceeds the allocated memory.
	 */
	if (status->trc.cpu_num > cpus)
		status->trc.cpu_num = cpus;
	if (status->trc.online_cpu_len > len)
		status->trc.online_cpu_len = len;
	return 0;

fail:
	lkst_status_free(status);
	return -1;
}

/**
 * lkst_status_free() - free what lkst_status_get() allocated
 * @status: may be all zero
 */
void lkst_status_free(struct lkst_status *status)
{
	free(status->online);
	free(status->write_buf);
	free(status->read_buf);
	memset(status, 0, sizeof(*status));
}

/**
 * lkst_status_online() - check whether a CPU is online
 * @status: from lkst_status_get()
 * @cpu: number
 */
bool lkst_status_online(const struct lkst_status *status, uint32_t cpu)
{
	return cpu / 8 < status->trc.online_cpu_len && (status->online[cpu / 64] >> cpu % 64 & 1);
}

/**
 * lkst_cpu_check() - check that a CPU can exist
 * @cpu: number
 * @cpus: number of possible CPUs: cpu_num of the status
 * @err: set if @cpu cannot exist; names the possible CPUs
 */
int lkst_cpu_check(int32_t cpu, uint32_t cpus, struct lkst_error *err)
{
	char range[32] = "CPU 0";

	if (cpu >= 0 && (uint32_t)cpu < cpus)
		return 0;
	if (cpus > 1)
		snprintf(range, sizeof(range), "CPUs 0-%u", cpus - 1);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU, (long)cpu, range);
	return -1;
}

/**
 * lkst_start() - start event tracing (4.7.1.1.2)
 * @dev: device
 * @err: set on failure
 */
int lkst_start(struct lkst_device *dev, struct lkst_error *err)
{
	return CALL(dev, LKST_IOC_TRC_START, NULL, err) ? -1 : 0;
}

/**
 * lkst_stop() - stop event tracing (4.7.1.1.3)
 * @dev: device
 * @err: set on failure
 */
int lkst_stop(struct lkst_device *dev, struct lkst_error *err)
{
	return CALL(dev, LKST_IOC_TRC_STOP, NULL, err) ? -1 : 0;
}

/**
 * lkst_state_dump() - record the name and state of every thread
 * @dev: device
 * @err: set on failure
 *
 * Return: number of threads that were left out because a dump takes at most a quarter of a buffer;
 * -1 on error.
 */
int lkst_state_dump(struct lkst_device *dev, struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_TRC_STATEDUMP, NULL, err);

	return ret > 0 ? -1 : -ret;
}

/**
 * lkst_entry_log() - record an event (4.7.1.4.1)
 * @dev: device
 * @args: event type and arguments
 * @err: set on failure
 */
int lkst_entry_log(struct lkst_device *dev, const struct lkst_entry_args *args,
		   struct lkst_error *err)
{
	struct lkst_entry_args copy = *args;
	int ret = CALL(dev, LKST_IOC_ENTRY_LOG, &copy, err);

	if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_ENTRY_LOG,
			       (unsigned int)args->event_type, LKST_ETYPES_PATH);
	return ret ? -1 : 0;
}

/**
 * lkst_entry_text() - record a text in a USER_LONG_TEXT event
 * @dev: device
 * @text: text
 * @size: number of bytes, at most LKST_CHAIN_BYTES_MAX
 * @err: set on failure
 */
int lkst_entry_text(struct lkst_device *dev, const char *text, size_t size, struct lkst_error *err)
{
	struct lkst_entry_text param = { .text = address(text), .size = size };

	if (size > LKST_CHAIN_BYTES_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_ENTRY_TEXT_SIZE, size,
			       LKST_CHAIN_BYTES_MAX);
		return -1;
	}
	return CALL(dev, LKST_IOC_ENTRY_TEXT, &param, err) ? -1 : 0;
}

/**
 * lkst_maskset_list_get() - list the masksets (4.7.1.2.4)
 * @dev: device
 * @list: result, to be freed with lkst_maskset_list_free()
 * @err: set on failure
 */
int lkst_maskset_list_get(struct lkst_device *dev, struct lkst_maskset_list *list,
			  struct lkst_error *err)
{
	struct lkst_maskset_listparam param = { 0 };
	const size_t room = LKST_MASKSET_ID_MAX + 1;

	memset(list, 0, sizeof(*list));
	list->ent = calloc(room, sizeof(*list->ent));
	if (!list->ent) {
		lkst_error_memory(err, "the list of masksets");
		return -1;
	}
	param.listent_size = LKST_MASKSET_LISTENT_SIZE(room);
	param.listent = address(list->ent);
	if (CALL(dev, LKST_IOC_MASKSET_LIST, &param, err)) {
		lkst_maskset_list_free(list);
		return -1;
	}
	list->current = param.current_id;
	/*
	 * The kernel does not return the number of entries. Ids increase from 0, so the list ends
	 * before the first id that does not increase.
	 */
	for (size_t i = 0; i < room && (!i || list->ent[i].id > list->ent[i - 1].id); i++) {
		list->ent[i].name[LKST_MASKSET_NAME_LEN - 1] = 0;
		list->num++;
	}
	return 0;
}

/**
 * lkst_maskset_list_free() - free what lkst_maskset_list_get() allocated
 * @list: may be all zero
 */
void lkst_maskset_list_free(struct lkst_maskset_list *list)
{
	free(list->ent);
	list->ent = NULL;
	list->num = 0;
}

/**
 * lkst_maskset_read() - read the contents of a maskset (4.7.1.2.1)
 * @dev: device
 * @id: maskset; LKST_MASKSET_ID_VOID for the selected maskset
 * @body: result; the caller provides LKST_MASKSET_SIZE_MAX bytes
 * @err: set on failure
 */
int lkst_maskset_read(struct lkst_device *dev, lkst_maskset_id id, struct lkst_maskset_body *body,
		      struct lkst_error *err)
{
	struct lkst_maskset_param param = {
		.id = id,
		.maskset_size = LKST_MASKSET_SIZE_MAX,
		.maskset = address(body),
	};
	int ret;

	memset(body, 0, LKST_MASKSET_SIZE_MAX);
	ret = CALL(dev, LKST_IOC_MASKSET_READ, &param, err);
	if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET, (long)id);
	body->name[LKST_MASKSET_NAME_LEN - 1] = 0;
	if (body->len > LKST_MASKSET_TABLE_LEN_MAX)
		body->len = LKST_MASKSET_TABLE_LEN_MAX;
	return ret ? -1 : 0;
}

/**
 * lkst_maskset_set() - select a maskset (4.7.1.2.3)
 * @dev: device
 * @id: maskset
 * @err: set on failure
 */
int lkst_maskset_set(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_MASKSET_SET, (void *)(intptr_t)id, err);

	if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET, (long)id);
	else if (ret == EBUSY)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_STOPPED);
	return ret ? -1 : 0;
}

/**
 * lkst_maskset_write() - register a maskset, or overwrite one (4.7.1.2.2)
 * @dev: device
 * @id: maskset; LKST_MASKSET_ID_VOID: choose a free id and store it here
 * @body: contents; if the name in it is empty, an overwritten maskset keeps its old name
 * @err: set on failure; the kernel gives no reason, so check the maskset with maskset_rules.c first
 */
int lkst_maskset_write(struct lkst_device *dev, lkst_maskset_id *id,
		       const struct lkst_maskset_body *body, struct lkst_error *err)
{
	struct lkst_maskset_param param = {
		.id = *id,
		.maskset_size = LKST_MASKSET_SIZE(body->len),
		.maskset = address(body),
	};
	int ret = CALL(dev, LKST_IOC_MASKSET_WRITE, &param, err);

	if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MASKSET_REFUSED);
	else if (ret == EBUSY)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MASKSET_IDS, LKST_MASKSET_ID_MAX + 1);
	else if (ret == ENOMEM)
		lkst_error_memory(err, "another maskset: LKST takes no more than lkst.memory");
	if (!ret)
		*id = param.id;
	return ret ? -1 : 0;
}

/**
 * lkst_maskset_delete() - delete a maskset (4.7.1.2.5)
 * @dev: device
 * @id: maskset
 * @err: set on failure
 */
int lkst_maskset_delete(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_MASKSET_DELETE, (void *)(intptr_t)id, err);

	if (ret == EINVAL && (id <= LKST_MASKSET_ID_RDEFAULT || id == LKST_MASKSET_ID_RDETAILED))
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MASKSET_KEPT, (long)id);
	else if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET, (long)id);
	else if (ret == EBUSY)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MASKSET_SELECTED, (long)id);
	return ret ? -1 : 0;
}

/**
 * lkst_evhandler_list_get() - list the event handlers (4.7.1.2.6)
 * @dev: device
 * @list: result, to be freed with lkst_evhandler_list_free()
 * @err: set on failure
 */
int lkst_evhandler_list_get(struct lkst_device *dev, struct lkst_evhandler_list *list,
			    struct lkst_error *err)
{
	struct lkst_evhandler_listparam param = { 0 };
	const size_t room = LKST_EVHANDLER_ID_MAX + 1;

	memset(list, 0, sizeof(*list));
	list->ent = calloc(room, sizeof(*list->ent));
	if (!list->ent) {
		lkst_error_memory(err, "the list of event handlers");
		return -1;
	}
	param.listent_size = LKST_EVHANDLER_LISTENT_SIZE(room);
	param.listent = address(list->ent);
	if (CALL(dev, LKST_IOC_EVHANDLER_LIST, &param, err)) {
		lkst_evhandler_list_free(list);
		return -1;
	}
	/* Find the end of the list as in lkst_maskset_list_get(). */
	for (size_t i = 0; i < room && (!i || list->ent[i].id > list->ent[i - 1].id); i++) {
		list->ent[i].name[LKST_EVHANDLER_NAME_LEN - 1] = 0;
		list->num++;
	}
	return 0;
}

/**
 * lkst_evhandler_list_free() - free what lkst_evhandler_list_get() allocated
 * @list: may be all zero
 */
void lkst_evhandler_list_free(struct lkst_evhandler_list *list)
{
	free(list->ent);
	list->ent = NULL;
	list->num = 0;
}

/* Explain in @err why LKST_IOC_EVHANDLER_CTRL failed with EINVAL. */
static void device_explain_ctrl(struct lkst_device *dev,
				const struct lkst_evhandler_ctrl_param *param,
				struct lkst_error *err)
{
	struct lkst_evhandler_list handlers;
	const char *name = NULL;

	if (lkst_evhandler_list_get(dev, &handlers, NULL))
		memset(&handlers, 0, sizeof(handlers));
	for (size_t i = 0; i < handlers.num; i++)
		if (handlers.ent[i].id == param->id)
			name = handlers.ent[i].name;
	if (!name && handlers.num)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_EVHANDLER_ID,
			       (unsigned int)param->id);
	else if (param->bufsize > LKST_EVHANDLER_CTRL_SIZE_MAX)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_CTRL_SIZE,
			       (unsigned long long)param->bufsize, LKST_EVHANDLER_CTRL_SIZE_MAX);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CTRL, (unsigned int)param->id,
			       name ? name : "");
	lkst_evhandler_list_free(&handlers);
}

/**
 * lkst_evhandler_ctrl() - call the control function of an event handler (4.7.1.2.7)
 * @dev: device
 * @id: event handler
 * @buf: data that the control function reads and writes; may be NULL if @size is 0
 * @size: size of @buf in bytes
 * @result: return value of the control function: 0 or more, or a negative errno
 * @err: set if the control function was not called
 */
int lkst_evhandler_ctrl(struct lkst_device *dev, lkst_evhandler_id id, void *buf, size_t size,
			int *result, struct lkst_error *err)
{
	struct lkst_evhandler_ctrl_param param = {
		.id = id,
		.buf = address(buf),
		.bufsize = size,
	};
	int ret = CALL(dev, LKST_IOC_EVHANDLER_CTRL, &param, err);

	if (ret == EINVAL)
		device_explain_ctrl(dev, &param, err);
	else if (ret == ENOMEM)
		lkst_error_memory(err, "the data of the event handler");
	if (ret && err)
		err->sys_errno = ret;
	*result = param.ret;
	return ret ? -1 : 0;
}
