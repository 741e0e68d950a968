// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of buffers that a CPU records in while lkstlogd is running. When a buffer is full, the
 * CPU shifts to the next one and wakes the daemon. The ring holds the latest records, whether or
 * not they are in a file yet.
 *
 * A recid is the number of an event: each CPU numbers its events from 0.
 */
#include <errno.h>
#include <string.h>
#include <syslog.h>
#include <time.h>

#include "cli/logd_options.h"
#include "lib/base/error.h"
#include "lib/device/messages.h"
#include "report.h"
#include "ring.h"
#include "state.h"

/* Retry a jump to another buffer while the CPU is shifting or recording, because both end soon. */
#define TRIES	 200
#define PAUSE_NS 5000000

static void ring_pause_briefly(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

static const struct lkst_buffer_listent *logd_ring_find(const struct lkst_buffer_list *list, int id)
{
	for (int i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

/**
 * logd_ring_has() - check whether a buffer belongs to a ring
 * @ring: ring
 * @id: buffer
 */
bool logd_ring_has(const struct logd_ring *ring, lkst_buffer_id id)
{
	for (uint32_t i = 0; i < ring->num; i++)
		if (ring->id[i] == id)
			return true;
	return false;
}

static int ring_next_of(const struct logd_ring *ring, uint32_t i)
{
	return ring->id[(i + 1) % ring->num];
}

/*
 * Return whether the kernel's buffers still form the ring that @ring describes, and the ring has
 * the number and size of buffers that the options request.
 */
static bool ring_is_whole(const struct lkst_buffer_list *list, const struct logd_ring *ring,
			  const struct logd_options *opt)
{
	if (!ring->num || ring->num != (uint64_t)opt->number || ring->size != opt->buffer_size)
		return false;
	for (uint32_t i = 0; i < ring->num; i++) {
		const struct lkst_buffer_listent *ent = logd_ring_find(list, ring->id[i]);

		if (!ent || ent->next != ring_next_of(ring, i))
			return false;
	}
	return true;
}

static void ring_set_old(struct logd_ring *ring, int id, bool old)
{
	uint64_t bit = 1ull << id % 64;

	if (old)
		ring->old[id / 64] |= bit;
	else
		ring->old[id / 64] &= ~bit;
}

static bool ring_is_old(const struct logd_ring *ring, int id)
{
	return ring->old[id / 64] >> id % 64 & 1;
}

/* Mark the buffers of the ring as old: they stay until their records have been read. */
static void logd_ring_retire(struct logd_ring *ring)
{
	for (uint32_t i = 0; i < ring->num; i++)
		ring_set_old(ring, ring->id[i], true);
	ring->num = 0;
}

static void ring_delete_new(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring)
{
	while (ring->num)
		lkst_buffer_delete(dev, cpu, ring->id[--ring->num], NULL);
}

/*
 * Add a buffer to the ring. The state file lists the buffer as old before the buffer exists: if the
 * daemon is killed at this point, the next daemon finds an old buffer and deletes it.
 */
static int ring_create_buffer(struct lkst_device *dev, const struct lkst_buffer_list *list,
			      struct lkst_buffer_param *param, struct logd_ring *ring,
			      struct lkst_error *err)
{
	struct lkst_error why = { .sys_errno = ENOSPC };
	int ret = -1;

	/* Skip buffer 0: the kernel creates it, and it cannot be deleted. */
	for (int id = 1; ret && id <= LKST_BUFFER_ID_MAX; id++) {
		if (logd_ring_find(list, id) || logd_ring_has(ring, id))
			continue;
		param->id = id;
		ring_set_old(ring, id, true);
		ret = lkst_buffer_create(dev, param, &why);
		if (!ret)
			ring->id[ring->num++] = (uint8_t)id;
		ring_set_old(ring, id, false);
		/* EINVAL: another program may have taken the id since the list was read. */
		if (ret && why.sys_errno != EINVAL)
			break;
	}
	if (ret && why.sys_errno == ENOSPC)
		lkst_error_set(&why, LKST_ERR_SYSTEM, MSG_BUFFER_IDS, LKST_BUFFER_ID_MAX + 1);
	if (ret && err)
		*err = why;
	return ret;
}

static int ring_create(struct lkst_device *dev, const struct lkst_buffer_list *list, int32_t cpu,
		       const struct logd_options *opt, struct logd_ring *ring,
		       struct lkst_error *err)
{
	ring->size = opt->buffer_size;
	for (int64_t i = 0; i < opt->number; i++) {
		struct lkst_buffer_param param = {
			.next = i ? ring->id[i - 1] : LKST_BUFFER_ID_VOID,
			.cpu = cpu,
			.size = opt->buffer_size,
		};

		if (ring_create_buffer(dev, list, &param, ring, err))
			goto fail;
	}
	/*
	 * Each buffer is linked to the one created before it. Reverse the ids to get ring order.
	 */
	for (uint32_t i = 0; i < ring->num / 2; i++) {
		uint8_t id = ring->id[i];

		ring->id[i] = ring->id[ring->num - 1 - i];
		ring->id[ring->num - 1 - i] = id;
	}
	if (!lkst_buffer_link(dev, cpu, ring->id[ring->num - 1], ring->id[0], err))
		return 0;
fail:
	ring_delete_new(dev, cpu, ring);
	return -1;
}

/**
 * logd_ring_create() - make sure that a CPU has a ring, without switching to it
 * @dev: device
 * @cpu: CPU
 * @opt: number and size of the buffers
 * @ring: ring left behind by an earlier daemon; it is kept if it matches @opt, and replaced
 *	otherwise
 * @err: set on failure; if the creation of a buffer has failed, the CPU has no ring
 */
int logd_ring_create(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		     struct logd_ring *ring, struct lkst_error *err)
{
	struct lkst_buffer_list list;
	bool own;
	int ret = 0;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	own = logd_ring_has(ring, list.param.write_buf) ||
	      (list.param.write_buf != LKST_BUFFER_ID_VOID &&
	       ring_is_old(ring, list.param.write_buf));
	if (!own)
		ring->before = list.param.write_buf;
	if (!ring_is_whole(&list, ring, opt)) {
		logd_ring_retire(ring);
		ret = ring_create(dev, &list, cpu, opt, ring, err);
	}
	lkst_buffer_list_free(&list);
	return ret;
}

/* Jump to a buffer. Retry while the CPU is busy. */
static int logd_ring_jump(struct lkst_device *dev, int32_t cpu, lkst_buffer_id to,
			  struct lkst_error *err)
{
	struct lkst_error why = { 0 };

	for (int i = 0; i < TRIES; i++) {
		if (!lkst_buffer_jump(dev, cpu, to, &why))
			return 0;
		if (why.sys_errno != EBUSY)
			break;
		ring_pause_briefly();
	}
	if (err)
		*err = why;
	return -1;
}

/* Return the recid that follows the last record in a buffer. */
static uint64_t ring_end_of(const struct lkst_buffer_listent *buffer)
{
	return (uint64_t)buffer->baseid + buffer->write_offset;
}

/*
 * Return the buffer of the ring that is empty or has the oldest records, or NULL if there is no
 * ring.
 */
static const struct lkst_buffer_listent *ring_find_oldest(const struct lkst_buffer_list *list,
							  const struct logd_ring *ring)
{
	const struct lkst_buffer_listent *oldest = NULL;

	for (uint32_t i = 0; i < ring->num; i++) {
		const struct lkst_buffer_listent *ent = logd_ring_find(list, ring->id[i]);

		if (ent && (!oldest || ring_end_of(ent) < ring_end_of(oldest)))
			oldest = ent;
	}
	return oldest;
}

/**
 * logd_ring_enter() - switch a CPU to its ring; its earlier records stay where they are
 * @dev: device
 * @cpu: CPU
 * @ring: its ring
 * @err: set on failure
 */
int logd_ring_enter(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring,
		    struct lkst_error *err)
{
	const struct lkst_buffer_listent *to;
	struct lkst_buffer_list list;
	int ret = 0;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	to = ring_find_oldest(&list, ring);
	if (to && !logd_ring_has(ring, list.param.write_buf))
		ret = logd_ring_jump(dev, cpu, to->id, err);
	lkst_buffer_list_free(&list);
	return ret;
}

/**
 * logd_ring_back() - switch a CPU back to its ring after it recorded in another buffer
 * @dev: device
 * @cpu: CPU
 * @opt: number and size of the buffers, used if the ring must be created again
 * @ring: its ring
 * @err: set on failure
 */
int logd_ring_back(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		   struct logd_ring *ring, struct lkst_error *err)
{
	bool first = !ring->num;
	int32_t before = ring->before;

	if (logd_ring_create(dev, cpu, opt, ring, err))
		return -1;
	/*
	 * logd_ring_create() may have set ring->before to the buffer that the CPU records in now.
	 * Restore the earlier value: it is the buffer to which logd_ring_remove() returns the CPU.
	 */
	if (!first)
		ring->before = before;
	return logd_ring_enter(dev, cpu, ring, err);
}

/**
 * logd_ring_cleanup() - delete each buffer of an earlier ring once its records are in files
 * @dev: device
 * @cpu: CPU
 * @state: its state
 */
void logd_ring_cleanup(struct lkst_device *dev, int32_t cpu, struct logd_cpu *state)
{
	struct logd_ring *ring = &state->ring;
	struct lkst_buffer_list list;
	bool any = false;

	for (size_t i = 0; i < sizeof(ring->old) / sizeof(*ring->old); i++)
		any |= ring->old[i] != 0;
	if (!any || lkst_buffer_list_get(dev, cpu, &list, NULL))
		return;
	for (int id = 0; id <= LKST_BUFFER_ID_MAX; id++) {
		const struct lkst_buffer_listent *ent = logd_ring_find(&list, id);

		if (!ring_is_old(ring, id) ||
		    (ent && (id == list.param.write_buf || ring_end_of(ent) > state->next)))
			continue;
		if (!ent || !lkst_buffer_delete(dev, cpu, id, NULL))
			ring_set_old(ring, id, false);
	}
	lkst_buffer_list_free(&list);
}

/**
 * logd_ring_end() - get the recid that the next record of a CPU will have
 * @dev: device
 * @cpu: CPU, which may be offline
 * @end: result
 * @err: set on failure
 */
int logd_ring_end(struct lkst_device *dev, int32_t cpu, uint64_t *end, struct lkst_error *err)
{
	struct lkst_buffer_list list;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	*end = 0;
	for (int i = 0; i < list.param.buffer_num; i++)
		if (ring_end_of(&list.ent[i]) > *end)
			*end = ring_end_of(&list.ent[i]);
	lkst_buffer_list_free(&list);
	return 0;
}

static void ring_remove_buffer(struct lkst_device *dev, int32_t cpu, int id)
{
	struct lkst_error err = { 0 };

	for (int i = 0; i < TRIES; i++) {
		if (!lkst_buffer_delete(dev, cpu, id, &err) || err.code == LKST_ERR_NOT_FOUND)
			return;
		if (err.sys_errno != EBUSY)
			break;
		ring_pause_briefly();
	}
	logd_report_error(LOG_WARNING, "a buffer stays", &err);
}

/**
 * logd_ring_remove() - switch a CPU back to its earlier buffer, and delete its ring
 * @dev: device
 * @cpu: CPU
 * @ring: its ring; records that were not read are lost
 */
void logd_ring_remove(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring)
{
	struct lkst_buffer_list list;
	struct lkst_error err;
	int to = 0;

	if (!ring->num || lkst_buffer_list_get(dev, cpu, &list, NULL))
		return;
	if (logd_ring_find(&list, ring->before))
		to = ring->before;
	/* If a user has switched the CPU to a buffer outside the ring, leave it there. */
	if (logd_ring_has(ring, list.param.write_buf) && logd_ring_jump(dev, cpu, to, &err))
		logd_report_error(LOG_WARNING, "the ring of buffers stays", &err);
	for (uint32_t i = 0; i < ring->num; i++)
		if (logd_ring_find(&list, ring->id[i]))
			ring_remove_buffer(dev, cpu, ring->id[i]);
	for (int id = 0; id <= LKST_BUFFER_ID_MAX; id++)
		if (ring_is_old(ring, id) && logd_ring_find(&list, id))
			ring_remove_buffer(dev, cpu, id);
	lkst_buffer_list_free(&list);
	memset(ring, 0, sizeof(*ring));
}
