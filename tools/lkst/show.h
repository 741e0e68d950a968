/* SPDX-License-Identifier: GPL-2.0 */
/* Lists that several commands show. */
#ifndef _SHOW_H
#define _SHOW_H

#include "lib/liblkst.h"

int show_status(struct lkst_device *dev, struct lkst_error *err);
int show_buffers(struct lkst_device *dev, int32_t cpu, bool verbose, struct lkst_error *err);
int show_masksets(struct lkst_device *dev, struct lkst_error *err);
int show_evhandlers(struct lkst_device *dev, struct lkst_error *err);
int check_cpu(int32_t cpu, uint32_t cpus, struct lkst_error *err);

#endif
