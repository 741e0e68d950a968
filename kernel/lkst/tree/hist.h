/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Printing histograms as ftrace does.
 */
#ifndef _LKST_TREE_HIST_H
#define _LKST_TREE_HIST_H

struct lkst_hist;
struct seq_file;

int lkst_tree_show_hist(struct seq_file *m, struct lkst_hist *hist, const char *text);

#endif
