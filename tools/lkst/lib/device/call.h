/* SPDX-License-Identifier: LGPL-2.1 */
/* Functions with which lib/device and lib/live make system calls on the device. */
#ifndef _LKST_DEVICE_CALL_H
#define _LKST_DEVICE_CALL_H

#include <fcntl.h>
#include <sys/types.h>

#include "lib/lkst.h"

struct lkst_device *device_open(int flags, struct lkst_error *err);
struct lkst_device *device_reopen(struct lkst_device *dev, struct lkst_error *err);
ssize_t device_read(struct lkst_device *dev, void *to, size_t size, struct lkst_error *err);
int device_call(struct lkst_device *dev, unsigned long request, void *arg, const char *name,
		struct lkst_error *err);

#define CALL(dev, request, arg, err) device_call(dev, request, arg, #request, err)

static inline uint64_t address(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

#endif
