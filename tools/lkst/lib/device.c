// SPDX-License-Identifier: LGPL-2.1
/* /dev/lkst: one function for each ioctl, with lists that grow to what there is. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "messages.h"

struct lkst_device {
	const struct lkst_device_ops *ops;
	void *ctx;
};

static int file_ioctl(void *ctx, unsigned long request, void *arg)
{
	return ioctl((int)(intptr_t)ctx, request, arg) < 0 ? -errno : 0;
}

static void file_close(void *ctx)
{
	close((int)(intptr_t)ctx);
}

static const struct lkst_device_ops file_ops = {
	.ioctl = file_ioctl,
	.close = file_close,
};

/**
 * lkst_device_new() - a device whose calls go elsewhere than to the kernel
 * @ops: where
 * @ctx: for @ops
 * @err: no memory
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

/**
 * lkst_device_open() - open /dev/lkst
 * @err: why not, and what to do about it
 */
struct lkst_device *lkst_device_open(struct lkst_error *err)
{
	int fd = open(LKST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
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
 * lkst_device_close() - close a device
 * @dev: may be NULL
 */
void lkst_device_close(struct lkst_device *dev)
{
	if (dev && dev->ops->close)
		dev->ops->close(dev->ctx);
	free(dev);
}

/* An ioctl whose errors need no explanation of their own. Returns 0 or the errno. */
static int call(struct lkst_device *dev, unsigned long request, void *arg, const char *name,
		struct lkst_error *err)
{
	int ret;

	do {
		ret = -dev->ops->ioctl(dev->ctx, request, arg);
	} while (ret == EINTR);
	switch (ret) {
	case 0:
		return 0;
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

#define CALL(dev, request, arg, err) call(dev, request, arg, #request, err)

static uint64_t address(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/**
 * lkst_status_get() - what LKST is doing
 * @dev: device
 * @status: result, to be freed with lkst_status_free()
 * @err: why not
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
	/* Neither can change; but nothing may be believed that has no room here. */
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
 * lkst_status_free() - free what lkst_status_get() filled in
 * @status: or is all zero
 */
void lkst_status_free(struct lkst_status *status)
{
	free(status->online);
	free(status->write_buf);
	free(status->read_buf);
	memset(status, 0, sizeof(*status));
}

/**
 * lkst_status_online() - whether a CPU is online
 * @status: from lkst_status_get()
 * @cpu: number
 */
bool lkst_status_online(const struct lkst_status *status, uint32_t cpu)
{
	return cpu / 8 < status->trc.online_cpu_len && (status->online[cpu / 64] >> cpu % 64 & 1);
}

/**
 * lkst_start() - start event tracing (4.7.1.1.2)
 * @dev: device
 * @err: why not
 */
int lkst_start(struct lkst_device *dev, struct lkst_error *err)
{
	return CALL(dev, LKST_IOC_TRC_START, NULL, err) ? -1 : 0;
}

/**
 * lkst_stop() - stop event tracing (4.7.1.1.3)
 * @dev: device
 * @err: why not
 */
int lkst_stop(struct lkst_device *dev, struct lkst_error *err)
{
	return CALL(dev, LKST_IOC_TRC_STOP, NULL, err) ? -1 : 0;
}

/**
 * lkst_state_dump() - record the name and state of every thread
 * @dev: device
 * @err: why not
 */
int lkst_state_dump(struct lkst_device *dev, struct lkst_error *err)
{
	return CALL(dev, LKST_IOC_TRC_STATEDUMP, NULL, err) ? -1 : 0;
}

/**
 * lkst_entry_log() - tell LKST of an event (4.7.1.4.1)
 * @dev: device
 * @args: event type and arguments
 * @err: why not
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
 * lkst_buffer_list_get() - the buffers of a CPU (4.7.1.3.7)
 * @dev: device
 * @cpu: CPU
 * @list: result, to be freed with lkst_buffer_list_free()
 * @err: why not
 */
int lkst_buffer_list_get(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			 struct lkst_error *err)
{
	int num = LKST_BUFFER_ID_MAX + 1;

	list->ent = calloc((size_t)num, sizeof(*list->ent));
	if (!list->ent) {
		lkst_error_memory(err, "the list of buffers");
		return -1;
	}
	memset(&list->param, 0, sizeof(list->param));
	list->param.cpu = cpu;
	list->param.listent_num = num;
	list->param.listent = address(list->ent);
	if (CALL(dev, LKST_IOC_BUFFER_LIST, &list->param, err)) {
		lkst_buffer_list_free(list);
		return -1;
	}
	if (list->param.buffer_num < 0)
		list->param.buffer_num = 0;
	if (list->param.buffer_num > num)
		list->param.buffer_num = num;
	return 0;
}

/**
 * lkst_buffer_list_free() - free what lkst_buffer_list_get() filled in
 * @list: or is all zero
 */
void lkst_buffer_list_free(struct lkst_buffer_list *list)
{
	free(list->ent);
	list->ent = NULL;
	list->param.buffer_num = 0;
}

/**
 * lkst_buffer_read() - read a buffer, oldest record first (4.7.1.3.1)
 * @dev: device
 * @buffer: with cpu, id, read_size and buffer; the rest is the result
 * @err: why not; LKST_ERR_NOT_FOUND: there is no such buffer (any more)
 */
int lkst_buffer_read(struct lkst_device *dev, struct lkst_log_buffer *buffer,
		     struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_BUFFER_READ, buffer, err);
	char where[32];

	if (ret == EINVAL && buffer->cpu >= 0) {
		snprintf(where, sizeof(where), "CPU %d", buffer->cpu);
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_BUFFER, (long)buffer->id, where);
	}
	return ret ? -1 : 0;
}

/**
 * lkst_maskset_list_get() - the masksets there are (4.7.1.2.4)
 * @dev: device
 * @list: result, to be freed with lkst_maskset_list_free()
 * @err: why not
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
	/* Nothing says how many there are but that ids rise, and 0 is the first. */
	for (size_t i = 0; i < room && (!i || list->ent[i].id > list->ent[i - 1].id); i++) {
		list->ent[i].name[LKST_MASKSET_NAME_LEN - 1] = 0;
		list->num++;
	}
	return 0;
}

/**
 * lkst_maskset_list_free() - free what lkst_maskset_list_get() filled in
 * @list: or is all zero
 */
void lkst_maskset_list_free(struct lkst_maskset_list *list)
{
	free(list->ent);
	list->ent = NULL;
	list->num = 0;
}

/**
 * lkst_maskset_read() - the contents of a maskset (4.7.1.2.1)
 * @dev: device
 * @id: maskset, LKST_MASKSET_ID_VOID for the selected one
 * @body: result
 * @err: why not
 */
int lkst_maskset_read(struct lkst_device *dev, lkst_maskset_id id, struct lkst_maskset_body *body,
		      struct lkst_error *err)
{
	struct lkst_maskset_param param = {
		.id = id,
		.maskset_size = sizeof(*body),
		.maskset = address(body),
	};
	int ret;

	memset(body, 0, sizeof(*body));
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
 * @err: why not
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
 * @id: maskset, LKST_MASKSET_ID_VOID for a free one, which is stored there
 * @body: maskset; an overwrite without a name keeps the name
 * @err: why not. The kernel gives no reason: see maskset_rules.c
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
 * @err: why not
 */
int lkst_maskset_delete(struct lkst_device *dev, lkst_maskset_id id, struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_MASKSET_DELETE, (void *)(intptr_t)id, err);

	if (ret == EINVAL && id <= LKST_MASKSET_ID_RDEFAULT)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MASKSET_KEPT, (long)id);
	else if (ret == EINVAL)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET, (long)id);
	else if (ret == EBUSY)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_MASKSET_SELECTED, (long)id);
	return ret ? -1 : 0;
}

/**
 * lkst_evhandler_list_get() - the event handlers there are (4.7.1.2.6)
 * @dev: device
 * @list: result, to be freed with lkst_evhandler_list_free()
 * @err: why not
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
	/* As in lkst_maskset_list_get(). */
	for (size_t i = 0; i < room && (!i || list->ent[i].id > list->ent[i - 1].id); i++) {
		list->ent[i].name[LKST_EVHANDLER_NAME_LEN - 1] = 0;
		list->num++;
	}
	return 0;
}

/**
 * lkst_evhandler_list_free() - free what lkst_evhandler_list_get() filled in
 * @list: or is all zero
 */
void lkst_evhandler_list_free(struct lkst_evhandler_list *list)
{
	free(list->ent);
	list->ent = NULL;
	list->num = 0;
}
