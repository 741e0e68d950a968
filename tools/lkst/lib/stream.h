/* SPDX-License-Identifier: LGPL-2.1 */
/* A stream on a device that the caller has opened: the kernel's, or a test's. */
#ifndef _LKST_STREAM_H
#define _LKST_STREAM_H

#include "liblkst.h"

struct lkst_stream *lkst_stream_new(struct lkst_device *dev, int32_t cpu, size_t room,
				    struct lkst_error *err);

#endif
