/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters that can only be read. */
#ifndef _LKST_BASE_PARAM_H
#define _LKST_BASE_PARAM_H

#include <linux/errno.h>
#include <linux/moduleparam.h>

/*
 * The function "set" of a parameter that can only be read. The kernel calls it
 * if the parameter is given at boot or to modprobe.
 */
static inline int lkst_param_refuse(const char *value, const struct kernel_param *kp)
{
	return -EPERM;
}

#endif
