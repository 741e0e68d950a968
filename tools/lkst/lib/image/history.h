/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Finds the chunks of the compressed history of a CPU in an image (Documentation/lkst/history.rst).
 */
#ifndef _IMAGE_HISTORY_H
#define _IMAGE_HISTORY_H

#include "lib/lkst.h"
#include "lib/trace/history.h"

struct image;
struct image_hooks;

/**
 * struct image_history - the history of a CPU in an image. All zero: empty
 * @image: image
 * @hooks: @stop ends the search; may be NULL
 * @types: event types of the boot, which are needed to convert the byte order of records
 * @cpu: CPU
 * @parts: intact chunks, in the order of their recids, without overlaps
 * @events: number of events in these chunks
 * @damaged: number of damaged chunks
 * @damage: the same for each region of the image, indexed like @image->region
 * @missing: number of bytes of the history that are not in the image
 * @reader: checks the chunks
 * @area: a part of a region
 */
struct image_history {
	const struct image *image;
	const struct image_hooks *hooks;
	const struct lkst_etypes *types;
	int32_t cpu;
	struct trace_history_parts parts;
	uint64_t events;
	uint64_t damaged;
	uint64_t *damage;
	uint64_t missing;
	struct trace_history_reader reader;
	uint8_t *area;
};

int image_history_open(struct image_history *history, const struct image *image,
		       const struct lkst_etypes *types, const struct image_hooks *hooks,
		       struct lkst_error *err);
void image_history_close(struct image_history *history);
int image_history_find(struct image_history *history, uint32_t boot, int32_t cpu,
		       struct lkst_error *err);
int image_history_read(struct image_history *history, size_t i, const uint8_t **raw,
		       struct trace_history_chunk *chunk, struct lkst_error *err);

#endif
