/* SPDX-License-Identifier: GPL-2.0 */
/* Prints histograms of rules. */
#ifndef _HIST_PRINT_H
#define _HIST_PRINT_H

#include "lib/lkst.h"

struct json_object;
struct lkst_hist;
struct lkst_kallsyms;

/**
 * struct hist_names - what is needed to name values
 * @kallsyms: symbols of the kernel; NULL until a histogram contains addresses
 * @machine: architecture of the kernel
 */
struct hist_names {
	struct lkst_kallsyms *kallsyms;
	enum lkst_machine machine;
};

int hist_load_names(struct hist_names *names, const struct lkst_hist *hist, struct lkst_error *err);
void hist_print(const struct lkst_hist *hist, const struct hist_names *names, const char *event);
struct json_object *hist_json(const struct lkst_hist *hist, const struct hist_names *names);

#endif
