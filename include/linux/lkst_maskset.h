/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LKST masksets for kernel code (specification 4.7.2.2). The structures are the
 * same as for the ioctls, but the pointers in them point to kernel memory.
 */
#ifndef _LINUX_LKST_MASKSET_H
#define _LINUX_LKST_MASKSET_H

#include <uapi/linux/lkst_maskset.h>

int lkst_maskset_read(struct lkst_maskset_param *maskset_param);
int lkst_maskset_write(struct lkst_maskset_param *maskset_param);
int lkst_maskset_set(lkst_maskset_id id);
int lkst_maskset_list(struct lkst_maskset_listparam *maskset_listparam);
int lkst_maskset_delete(lkst_maskset_id id);

#endif
