// SPDX-License-Identifier: LGPL-2.1
/*
 * The ioctls for buffers. The kernel returns the same errno for several reasons; these functions
 * look at the existing buffers to find out which reason applies. They store the errno in sys_errno
 * of the error. Besides the errnos that are listed below, every call can fail with EPERM or ENOTTY.
 * Numbers such as 4.7.1.3.7 are sections of the LKST 2.01 specification.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "device.h"
#include "lib/base/error.h"
#include "messages.h"

#define VOID LKST_BUFFER_ID_VOID

/* List the buffers of a CPU, to explain an error. On failure, the list is empty. */
static void device_buffers_list(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list)
{
	if (!lkst_buffer_list_get(dev, cpu, list, NULL))
		return;
	memset(list, 0, sizeof(*list));
	list->param.cpu = cpu;
	list->param.write_buf = VOID;
}

static const struct lkst_buffer_listent *device_buffers_find(const struct lkst_buffer_list *list,
							     lkst_buffer_id id)
{
	for (int i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

static bool has_buffer(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id)
{
	struct lkst_buffer_list list;
	bool found;

	device_buffers_list(dev, cpu, &list);
	found = device_buffers_find(&list, id);
	lkst_buffer_list_free(&list);
	return found;
}

/* If the CPU cannot exist, set the error and return true. */
static bool buffers_wrong_cpu(struct lkst_device *dev, int32_t cpu, struct lkst_error *err)
{
	struct lkst_status status;
	bool wrong;

	if (lkst_status_get(dev, &status, NULL))
		return false;
	wrong = lkst_cpu_check(cpu, status.trc.cpu_num, err);
	lkst_status_free(&status);
	return wrong;
}

/* If no buffer can have this id, set the error and return true. */
static bool buffers_wrong_id(lkst_buffer_id id, struct lkst_error *err)
{
	if (id >= 0 && id <= LKST_BUFFER_ID_MAX)
		return false;
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BUFFER_ID, (long)id, LKST_BUFFER_ID_MAX);
	return true;
}

static void no_such_buffer(int32_t cpu, lkst_buffer_id id, struct lkst_error *err)
{
	char where[32];

	snprintf(where, sizeof(where), "CPU %d", cpu);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_BUFFER, (long)id, where);
}

/* If the CPU or its buffer does not exist, set the error and return true. */
static bool device_buffers_missing(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id,
				   struct lkst_error *err)
{
	if (buffers_wrong_cpu(dev, cpu, err) || buffers_wrong_id(id, err))
		return true;
	if (has_buffer(dev, cpu, id))
		return false;
	no_such_buffer(cpu, id, err);
	return true;
}

/* Store the errno @ret of a failed call in the error. Returns -1. */
static int device_buffers_refused(int ret, struct lkst_error *err)
{
	if (err)
		err->sys_errno = ret;
	return -1;
}

/**
 * lkst_buffer_list_get() - list the buffers of a CPU (4.7.1.3.7)
 * @dev: device
 * @cpu: CPU
 * @list: result, to be freed with lkst_buffer_list_free()
 * @err: set on failure
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

static int buffers_by_first_recid(const void *a, const void *b)
{
	uint64_t first = ((const struct lkst_buffer_listent *)a)->first_recid;
	uint64_t second = ((const struct lkst_buffer_listent *)b)->first_recid;

	return first < second ? -1 : first > second;
}

/**
 * lkst_buffer_list_by_age() - list the buffers of a CPU, those with the oldest records first
 * @dev: device
 * @cpu: CPU
 * @list: as for lkst_buffer_list_get()
 * @err: set on failure
 *
 * In a ring of buffers, the one with the oldest records is overwritten next, so a caller that reads
 * all buffers must begin with it.
 */
int lkst_buffer_list_by_age(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			    struct lkst_error *err)
{
	if (lkst_buffer_list_get(dev, cpu, list, err))
		return -1;
	qsort(list->ent, (size_t)list->param.buffer_num, sizeof(*list->ent),
	      buffers_by_first_recid);
	return 0;
}

/**
 * lkst_buffer_list_free() - free what lkst_buffer_list_get() allocated
 * @list: may be all zero
 */
void lkst_buffer_list_free(struct lkst_buffer_list *list)
{
	free(list->ent);
	list->ent = NULL;
	list->param.buffer_num = 0;
}

/**
 * lkst_long_status_get() - get the state of a CPU's long ring
 * @dev: device
 * @cpu: CPU
 * @status: result; its size is 0 if the CPU has no long ring
 * @err: set on failure
 */
int lkst_long_status_get(struct lkst_device *dev, int32_t cpu, struct lkst_long_status *status,
			 struct lkst_error *err)
{
	int ret;

	*status = (struct lkst_long_status){ .cpu = cpu };
	ret = CALL(dev, LKST_IOC_LONG_STATUS, status, err);
	/* ENOTTY: the kernel has an older version of LKST, without long rings. */
	return ret && ret != ENOTTY ? device_buffers_refused(ret, err) : 0;
}

/**
 * lkst_buffer_read() - read a buffer, oldest record first (4.7.1.3.1)
 * @dev: device
 * @buffer: the caller sets cpu, id, read_size and buffer; the other members are results
 * @err: set on failure; LKST_ERR_NOT_FOUND: the buffer does not exist or was deleted
 */
int lkst_buffer_read(struct lkst_device *dev, struct lkst_log_buffer *buffer,
		     struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_BUFFER_READ, buffer, err);

	if (ret == EINVAL && buffer->cpu >= 0)
		no_such_buffer(buffer->cpu, buffer->id, err);
	return ret ? device_buffers_refused(ret, err) : 0;
}

/*
 * Return the first CPU that has a buffer @id; -1 if there is no such CPU. If @cpu is negative, all
 * online CPUs are checked, otherwise only @cpu.
 */
static int32_t cpu_with_buffer(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id)
{
	struct lkst_status status;
	int32_t found = -1;

	if (cpu >= 0)
		return has_buffer(dev, cpu, id) ? cpu : -1;
	if (lkst_status_get(dev, &status, NULL))
		return -1;
	for (uint32_t i = 0; found < 0 && i < status.trc.cpu_num; i++)
		if (lkst_status_online(&status, i) && has_buffer(dev, (int32_t)i, id))
			found = (int32_t)i;
	lkst_status_free(&status);
	return found;
}

static void buffers_explain_create(struct lkst_device *dev, const struct lkst_buffer_param *param,
				   struct lkst_error *err)
{
	int32_t used_by;

	if (param->cpu != -1 && buffers_wrong_cpu(dev, param->cpu, err))
		return;
	if ((param->id != VOID && buffers_wrong_id(param->id, err)) ||
	    (param->next != VOID && buffers_wrong_id(param->next, err)))
		return;
	used_by = param->id == VOID ? -1 : cpu_with_buffer(dev, param->cpu, param->id);
	if (param->size < LKST_BUFFER_SIZE_LEAST || param->size > LKST_BUFFER_SIZE_MOST)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BUFFER_SIZE,
			       (unsigned long long)param->size);
	else if (param->id != VOID && param->id == param->next)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BUFFER_ITSELF, (long)param->id);
	else if (used_by >= 0)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_TAKEN, (long)param->id,
			       (long)used_by);
	else if (param->id == VOID && param->next != VOID &&
		 cpu_with_buffer(dev, param->cpu, param->next) < 0)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_FREE_ITSELF, (long)param->next);
	else
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_REFUSED);
}

static void buffers_explain_memory(struct lkst_device *dev, uint64_t size, struct lkst_error *err)
{
	struct lkst_status status;

	if (lkst_status_get(dev, &status, NULL)) {
		lkst_error_memory(err, "the buffer");
		return;
	}
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_MEMORY, (unsigned long long)size,
		       (unsigned long long)status.trc.memory,
		       (unsigned long long)status.trc.memory_max);
	lkst_status_free(&status);
}

/**
 * lkst_buffer_create() - create a buffer (4.7.1.3.2)
 * @dev: device
 * @param: buffer to create; id and result_size are results
 * @err: set on failure; sys_errno is one of EINVAL, ENOSPC, ENOMEM
 */
int lkst_buffer_create(struct lkst_device *dev, struct lkst_buffer_param *param,
		       struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_BUFFER_CREATE, param, err);

	if (ret == EINVAL)
		buffers_explain_create(dev, param, err);
	else if (ret == ENOSPC)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_IDS, LKST_BUFFER_ID_MAX + 1);
	else if (ret == ENOMEM)
		buffers_explain_memory(dev, param->size, err);
	return ret ? device_buffers_refused(ret, err) : 0;
}

static void buffers_explain_delete(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id, int ret,
				   struct lkst_error *err)
{
	struct lkst_buffer_list list;

	if (ret == EINVAL) {
		if (!device_buffers_missing(dev, cpu, id, err))
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_KEPT, (long)id, (long)cpu);
		return;
	}
	device_buffers_list(dev, cpu, &list);
	if (list.param.read_buf == id)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_BEING_READ, (long)id, (long)cpu,
			       (long)list.param.owner);
	else
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_WRITTEN, (long)id, (long)cpu);
	lkst_buffer_list_free(&list);
}

/**
 * lkst_buffer_delete() - delete a buffer (4.7.1.3.6)
 * @dev: device
 * @cpu: CPU
 * @id: buffer
 * @err: set on failure; sys_errno is one of EINVAL, EBUSY, ENOMEM
 */
int lkst_buffer_delete(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id,
		       struct lkst_error *err)
{
	struct lkst_buffer_delparam param = { .cpu = cpu, .id = id };
	int ret = CALL(dev, LKST_IOC_BUFFER_DELETE, &param, err);

	if (ret == EINVAL || ret == EBUSY)
		buffers_explain_delete(dev, cpu, id, ret, err);
	return ret ? device_buffers_refused(ret, err) : 0;
}

/**
 * lkst_buffer_link() - set the buffer that follows another one (4.7.1.3.5)
 * @dev: device
 * @cpu: CPU
 * @id: buffer
 * @next: next buffer, which need not exist; LKST_BUFFER_ID_VOID: none
 * @err: set on failure; sys_errno is EINVAL
 */
int lkst_buffer_link(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id, lkst_buffer_id next,
		     struct lkst_error *err)
{
	struct lkst_buffer_linkparam param = { .cpu = cpu, .id = id, .next = next };
	int ret = CALL(dev, LKST_IOC_BUFFER_LINK, &param, err);

	if (ret == EINVAL && !device_buffers_missing(dev, cpu, id, err) &&
	    (next == VOID || !buffers_wrong_id(next, err)))
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BUFFER_ITSELF, (long)id);
	return ret ? device_buffers_refused(ret, err) : 0;
}

/*
 * Explain why a CPU cannot switch to buffer @to now or, if @to is LKST_BUFFER_ID_VOID, to its next
 * buffer.
 */
static void buffers_explain_busy(const struct lkst_buffer_list *list, lkst_buffer_id to,
				 struct lkst_error *err)
{
	const struct lkst_buffer_listent *now = device_buffers_find(list, list->param.write_buf);
	long cpu = list->param.cpu;

	if (to == VOID && now)
		to = now->next;
	if (!now)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_RECORDS_NOWHERE, cpu);
	else if (list->param.read_buf == to)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BUFFER_BEING_READ, (long)to, cpu,
			       (long)list->param.owner);
	else
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_SHIFT_BUSY, cpu);
}

static void buffers_explain_shift(const struct lkst_buffer_list *list, struct lkst_error *err)
{
	const struct lkst_buffer_listent *now = device_buffers_find(list, list->param.write_buf);
	long cpu = list->param.cpu;

	if (!now)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_RECORDS_NOWHERE, cpu);
	else if (now->next == VOID)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_SHIFT_NOWHERE, (long)now->id, cpu,
			       (long)now->id, cpu);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_SHIFT_MISSING, (long)now->id, cpu,
			       (long)now->next);
}

/**
 * lkst_buffer_shift() - switch a CPU to its next buffer (4.7.1.3.3)
 * @dev: device
 * @cpu: CPU
 * @err: set on failure; sys_errno is one of EINVAL, EBUSY, ENOMEM
 */
int lkst_buffer_shift(struct lkst_device *dev, int32_t cpu, struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_BUFFER_SHIFT, (void *)(intptr_t)cpu, err);
	struct lkst_buffer_list list;

	if ((ret == EINVAL && !buffers_wrong_cpu(dev, cpu, err)) || ret == EBUSY) {
		device_buffers_list(dev, cpu, &list);
		if (ret == EBUSY)
			buffers_explain_busy(&list, VOID, err);
		else
			buffers_explain_shift(&list, err);
		lkst_buffer_list_free(&list);
	}
	return ret ? device_buffers_refused(ret, err) : 0;
}

/**
 * lkst_buffer_jump() - switch a CPU to a given buffer (4.7.1.3.4)
 * @dev: device
 * @cpu: CPU
 * @to: id of the buffer
 * @err: set on failure; sys_errno is one of EINVAL, EBUSY, ENOMEM
 */
int lkst_buffer_jump(struct lkst_device *dev, int32_t cpu, lkst_buffer_id to,
		     struct lkst_error *err)
{
	struct lkst_buffer_jumpparam param = { .cpu = cpu, .dest = to };
	int ret = CALL(dev, LKST_IOC_BUFFER_JUMP, &param, err);
	struct lkst_buffer_list list;

	if (ret == EINVAL) {
		device_buffers_missing(dev, cpu, to, err);
	} else if (ret == EBUSY) {
		device_buffers_list(dev, cpu, &list);
		buffers_explain_busy(&list, to, err);
		lkst_buffer_list_free(&list);
	}
	return ret ? device_buffers_refused(ret, err) : 0;
}

static void buffers_explain_bind(struct lkst_device *dev,
				 const struct lkst_buffer_srmodparam *param, int ret,
				 struct lkst_error *err)
{
	struct lkst_buffer_list list;

	if (ret == EINVAL) {
		if (param->cpu != -1 && buffers_wrong_cpu(dev, param->cpu, err))
			return;
		if (param->mode == LKST_READ_MODE_BLOCK)
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_NO_BLOCKS);
		else if (!buffers_wrong_cpu(dev, param->cpu, err))
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_RECORDS_NOWHERE, (long)param->cpu);
		return;
	}
	device_buffers_list(dev, param->cpu, &list);
	if (list.param.buffer_num && list.param.owner != LKST_BUFFER_OWNER_NONE)
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_READER_TAKEN, (long)param->cpu,
			       (long)list.param.owner);
	else
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_READER_BOUND, (long)param->cpu);
	lkst_buffer_list_free(&list);
}

/**
 * lkst_read_bind() - set what read() returns (4.7.1.3.9)
 * @dev: device
 * @param: the caller sets the CPU and enum lkst_read_mode; the other members are results
 * @err: set on failure; sys_errno is one of EINVAL, EBUSY, ENOMEM
 *
 * LKST_READ_MODE_STD and _RAW bind this process to the CPU's read queue. LKST_READ_MODE_BLOCK binds
 * the open device to the CPU, or to all CPUs.
 */
int lkst_read_bind(struct lkst_device *dev, struct lkst_buffer_srmodparam *param,
		   struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_BUFFER_SETRMOD, param, err);

	if (ret == EINVAL || ret == EBUSY)
		buffers_explain_bind(dev, param, ret, err);
	return ret ? device_buffers_refused(ret, err) : 0;
}
