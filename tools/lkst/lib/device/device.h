/* SPDX-License-Identifier: LGPL-2.1 */
/* Describes a device (/dev/lkst, or a replacement for tests), and checks arguments for it. */
#ifndef _LKST_LIB_DEVICE_DEVICE_H
#define _LKST_LIB_DEVICE_DEVICE_H

#include <linux/lkst_history.h>
#include <sys/types.h>

#include "lib/lkst.h"

#define LKST_DEVICE_PATH	"/dev/lkst"

/**
 * struct lkst_device_ops - implementation of a device
 * @ioctl: returns 0, a positive result, or a negative errno
 * @read: returns a number of bytes or a negative errno, without waiting; NULL: not supported
 * @reopen: opens the same device again; NULL: not supported
 * @close: may be NULL
 */
struct lkst_device_ops {
	int (*ioctl)(void *ctx, unsigned long request, void *arg);
	ssize_t (*read)(void *ctx, void *to, size_t size);
	struct lkst_device *(*reopen)(void *ctx, struct lkst_error *err);
	void (*close)(void *ctx);
};

/* Limits on the size of a buffer, in bytes. On a 32-bit kernel, the maximum is 16 MB. */
#define LKST_BUFFER_SIZE_LEAST	(4ull << 10)
#define LKST_BUFFER_SIZE_MOST	(1ull << 30)

int lkst_masksets_lock(struct lkst_device *dev, struct lkst_error *err);
int lkst_cpu_check(int32_t cpu, uint32_t cpus, struct lkst_error *err);
int lkst_buffer_list_by_age(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			    struct lkst_error *err);
int lkst_long_status_get(struct lkst_device *dev, int32_t cpu, struct lkst_long_status *status,
			 struct lkst_error *err);
ssize_t lkst_history_read(struct lkst_device *dev, int32_t cpu, uint64_t *position, void *to,
			  size_t size, struct lkst_error *err);
int lkst_history_status_get(struct lkst_device *dev, int32_t cpu,
			    struct lkst_history_status *status, struct lkst_error *err);
struct lkst_device *lkst_device_new(const struct lkst_device_ops *ops, void *ctx,
				    struct lkst_error *err);

#endif
