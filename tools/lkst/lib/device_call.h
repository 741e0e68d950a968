/* SPDX-License-Identifier: LGPL-2.1 */
/* An ioctl of the device, for the files that have a function for each. */
#ifndef _LKST_DEVICE_CALL_H
#define _LKST_DEVICE_CALL_H

#include "liblkst.h"

int device_call(struct lkst_device *dev, unsigned long request, void *arg, const char *name,
		struct lkst_error *err);

#define CALL(dev, request, arg, err) device_call(dev, request, arg, #request, err)

static inline uint64_t address(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

#endif
