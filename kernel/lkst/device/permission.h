/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LKST_PERMISSION_H
#define _LKST_PERMISSION_H

#include <linux/capability.h>
#include <linux/security.h>

/*
 * Return 0 if the process may use LKST, otherwise a negative errno. Use of LKST
 * requires CAP_SYS_ADMIN, and is denied under LOCKDOWN_TRACEFS.
 */
static inline int lkst_permission(void)
{
	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

#endif
