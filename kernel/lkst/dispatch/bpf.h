/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event handlers that are BPF programs.
 */
#ifndef _LKST_BPF_H
#define _LKST_BPF_H

#include <linux/errno.h>
#include <linux/lkst_evhandler.h>

#ifdef CONFIG_BPF_SYSCALL
int lkst_bpf_write(struct lkst_evhandler_bpf_param *param);
int lkst_bpf_read(struct lkst_evhandler_bpf_info *info);
int lkst_bpf_delete(lkst_evhandler_id id);
void lkst_bpf_end(void);
#else
static inline int lkst_bpf_write(struct lkst_evhandler_bpf_param *param)
{
	return -EOPNOTSUPP;
}

static inline int lkst_bpf_read(struct lkst_evhandler_bpf_info *info)
{
	return -ENOENT;
}

static inline int lkst_bpf_delete(lkst_evhandler_id id)
{
	return -ENOENT;
}

static inline void lkst_bpf_end(void)
{
}
#endif

#endif
