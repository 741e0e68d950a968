/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters that can only be read. */
#ifndef _LKST_BASE_PARAM_H
#define _LKST_BASE_PARAM_H

#include <linux/moduleparam.h>
#include <linux/printk.h>
#include <linux/string.h>

/*
 * The function "set" of a parameter that can only be read. The kernel calls it
 * if the parameter is given at boot or to modprobe. An error would keep the
 * module from being loaded, so the value is ignored.
 */
static inline int lkst_param_refuse(const char *value, const struct kernel_param *kp)
{
	const char *dot = strrchr(kp->name, '.');	/* only if LKST is built in */

	pr_warn("lkst: lkst.%s=%s: this parameter can only be read; ignoring the value\n",
		dot ? dot + 1 : kp->name, value);
	return 0;
}

#endif
