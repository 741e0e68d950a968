/* SPDX-License-Identifier: GPL-2.0 */
/* The ring of buffers that a CPU records in. */
#ifndef _LKSTLOGD_RING_H
#define _LKSTLOGD_RING_H

#include "lib/lkst.h"

struct logd_cpu;
struct logd_options;

#define LOGD_RING_MAX	(LKST_BUFFER_ID_MAX + 1)

/**
 * struct logd_ring - the ring of buffers that a CPU records in
 * @num: number of buffers; 0: there is no ring
 * @before: buffer that the CPU recorded in before it entered the ring
 * @size: size of each buffer in bytes, as the options request
 * @old: bitmap of buffers of an earlier ring, to be deleted once their records are in a file
 * @id: ids of the buffers, in ring order
 */
struct logd_ring {
	uint32_t num;
	int32_t before;
	uint64_t size;
	uint64_t old[LOGD_RING_MAX / 64 + 1];
	uint8_t id[LOGD_RING_MAX];
};

int logd_ring_create(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		     struct logd_ring *ring, struct lkst_error *err);
int logd_ring_enter(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring,
		    struct lkst_error *err);
int logd_ring_back(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		   struct logd_ring *ring, struct lkst_error *err);
void logd_ring_cleanup(struct lkst_device *dev, int32_t cpu, struct logd_cpu *state);
bool logd_ring_has(const struct logd_ring *ring, lkst_buffer_id id);
int logd_ring_end(struct lkst_device *dev, int32_t cpu, uint64_t *end, struct lkst_error *err);
void logd_ring_remove(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring);

#endif
