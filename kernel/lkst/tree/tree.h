/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory lkst/ of debugfs, which imitates tracefs for programs that were
 * written for the kernel's trace events and user_events.
 */
#ifndef _LKST_TREE_TREE_H
#define _LKST_TREE_TREE_H

#ifdef CONFIG_DEBUG_FS
void lkst_tree_update(void);
void lkst_tree_changed(void);
void lkst_tree_start(void);
void lkst_tree_stop(void);
void lkst_tree_end(void);
#else
static inline void lkst_tree_update(void) { }
static inline void lkst_tree_changed(void) { }
static inline void lkst_tree_start(void) { }
static inline void lkst_tree_stop(void) { }
static inline void lkst_tree_end(void) { }
#endif

#endif
