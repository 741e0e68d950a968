// SPDX-License-Identifier: LGPL-2.1
/* The ioctls for the compressed history (Documentation/lkst/history.rst). */
#include <errno.h>
#include <linux/lkst_history.h>
#include <sys/types.h>

#include "call.h"
#include "device.h"

/* Call the device. Returns its errno; -1 with @err set if it failed for an unexpected reason. */
static int device_history_call(struct lkst_device *dev, unsigned long request, void *arg,
			       const char *name, struct lkst_error *err)
{
	struct lkst_error why;
	int ret = device_call(dev, request, arg, name, &why);

	/* ENOTTY: the kernel has an older version of LKST, without a history. */
	if (!ret || ret == ENODATA || ret == ENOTTY)
		return ret;
	why.sys_errno = ret;
	if (err)
		*err = why;
	return -1;
}

/**
 * lkst_history_read() - read chunks from the compressed history of a CPU
 * @dev: device
 * @cpu: CPU
 * @position: position of the next chunk, 0: the oldest chunk. Set to the position after the last
 *	chunk that was read
 * @to: result: chunks in the order of their recids. The caller must check them
 * @size: size of @to in bytes, at least LKST_HISTORY_CHUNK_MAX
 * @err: set on failure
 *
 * Chunks that were overwritten since the previous call are skipped, which leaves a gap in the
 * recids.
 *
 * Return: number of bytes read; 0 after the last chunk, or if there is no history; -1 on error.
 */
ssize_t lkst_history_read(struct lkst_device *dev, int32_t cpu, uint64_t *position, void *to,
			  size_t size, struct lkst_error *err)
{
	struct lkst_history_read param = {
		.cpu = cpu,
		.position = *position,
		.buffer = address(to),
		.size = size,
	};
	int ret = device_history_call(dev, LKST_IOC_HISTORY_READ, &param, "LKST_IOC_HISTORY_READ",
				      err);

	if (ret)
		return ret < 0 ? -1 : 0;
	*position = param.position;
	return (ssize_t)(param.result < size ? param.result : size);
}

/**
 * lkst_history_status_get() - get the state of the compressed history of a CPU
 * @dev: device
 * @cpu: CPU
 * @status: result; all members except @cpu are 0 if there is no history, or on failure
 * @err: set on failure
 */
int lkst_history_status_get(struct lkst_device *dev, int32_t cpu,
			    struct lkst_history_status *status, struct lkst_error *err)
{
	int ret;

	*status = (struct lkst_history_status){ .cpu = cpu };
	ret = device_history_call(dev, LKST_IOC_HISTORY_STATUS, status, "LKST_IOC_HISTORY_STATUS",
				  err);
	if (ret)
		*status = (struct lkst_history_status){ .cpu = cpu };
	return ret < 0 ? -1 : 0;
}
