/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of kmemtrace in debugfs.
 */
#ifndef _LKST_KMEMTRACE_H
#define _LKST_KMEMTRACE_H

#ifdef CONFIG_DEBUG_FS
int lkst_kmemtrace_start(void);
void lkst_kmemtrace_stop(void);
#else
static inline int lkst_kmemtrace_start(void) { return 0; }
static inline void lkst_kmemtrace_stop(void) { }
#endif

#endif
