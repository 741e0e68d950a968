/* SPDX-License-Identifier: LGPL-2.1 */
/* Makes a trace from a memory image. */
#ifndef _LKST_LIB_IMAGE_TRACE_H
#define _LKST_LIB_IMAGE_TRACE_H

#include "lib/lkst.h"

struct image;
struct image_counts;
struct image_hooks;
struct image_selection;
struct lkst_trace_writer;

/*
 * Find the boot whose UUID begins with @id. If @id is NULL, find the newest boot that has a buffer,
 * and report the other boots. Returns the index of the boot; -1 if no boot or several boots match.
 */
int image_choose_boot(const struct image *image, const char *id, const struct image_hooks *hooks,
		      struct lkst_error *err);
/*
 * Write the records that @selection selects, and the histories of the selected CPUs. @total is set
 * to the sums of all counts; may be NULL.
 */
int image_trace(const struct image *image, const struct image_selection *selection,
		const struct image_hooks *hooks, struct lkst_trace_writer *writer,
		struct image_counts *total, struct lkst_error *err);

#endif
