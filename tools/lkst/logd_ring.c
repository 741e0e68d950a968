// SPDX-License-Identifier: GPL-2.0
/*
 * The ring of buffers that a CPU records in while lkstlogd runs. When one is full the CPU goes on in
 * the next, which wakes the daemon. The ring holds the latest records, whether they are written or not.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "lib/messages.h"
#include "logd.h"

/* A CPU that is in the middle of a shift, or of a record, is soon done with it. */
#define TRIES	 200
#define PAUSE_NS 5000000

static void pause_a_little(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

static const struct lkst_buffer_listent *find(const struct lkst_buffer_list *list, int id)
{
	for (int i = 0; i < list->param.buffer_num; i++)
		if (list->ent[i].id == id)
			return &list->ent[i];
	return NULL;
}

/**
 * logd_ring_has() - is a buffer one of the ring?
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

static int next_of(const struct logd_ring *ring, uint32_t i)
{
	return ring->id[(i + 1) % ring->num];
}

/* Is the ring in the kernel what the state says, and what is asked for? */
static bool is_whole(const struct lkst_buffer_list *list, const struct logd_ring *ring,
		     const struct logd_options *opt)
{
	if (!ring->num || ring->num != (uint64_t)opt->number || ring->size != opt->buffer_size)
		return false;
	for (uint32_t i = 0; i < ring->num; i++) {
		const struct lkst_buffer_listent *ent = find(list, ring->id[i]);

		if (!ent || ent->next != next_of(ring, i))
			return false;
	}
	return true;
}

static void set_old(struct logd_ring *ring, int id, bool old)
{
	uint64_t bit = 1ull << id % 64;

	if (old)
		ring->old[id / 64] |= bit;
	else
		ring->old[id / 64] &= ~bit;
}

static bool is_old(const struct logd_ring *ring, int id)
{
	return ring->old[id / 64] >> id % 64 & 1;
}

/* What there was of it stays until it was read. */
static void logd_ring_retire(struct logd_ring *ring)
{
	for (uint32_t i = 0; i < ring->num; i++)
		set_old(ring, ring->id[i], true);
	ring->num = 0;
}

static void delete_new(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring)
{
	while (ring->num)
		lkst_buffer_delete(dev, cpu, ring->id[--ring->num], NULL);
}

/*
 * One more buffer of the ring. The state names it before it is there: if the daemon is killed meanwhile,
 * the next one finds an old buffer and deletes it.
 */
static int create_buffer(struct lkst_device *dev, const struct lkst_buffer_list *list,
			 struct lkst_buffer_param *param, struct logd_ring *ring,
			 struct lkst_error *err)
{
	struct lkst_error why = { .sys_errno = ENOSPC };
	int ret = -1;

	/* Buffer 0 is the kernel's, which cannot be deleted. */
	for (int id = 1; ret && id <= LKST_BUFFER_ID_MAX; id++) {
		if (find(list, id) || logd_ring_has(ring, id))
			continue;
		param->id = id;
		set_old(ring, id, true);
		ret = lkst_buffer_create(dev, param, &why);
		if (!ret)
			ring->id[ring->num++] = (uint8_t)id;
		set_old(ring, id, false);
		/* Somebody may have taken the number since the list was made. */
		if (ret && why.sys_errno != EINVAL)
			break;
	}
	if (ret && why.sys_errno == ENOSPC)
		lkst_error_set(&why, LKST_ERR_SYSTEM, MSG_BUFFER_IDS, LKST_BUFFER_ID_MAX + 1);
	if (ret && err)
		*err = why;
	return ret;
}

static int create(struct lkst_device *dev, const struct lkst_buffer_list *list, int32_t cpu,
		  const struct logd_options *opt, struct logd_ring *ring, struct lkst_error *err)
{
	ring->size = opt->buffer_size;
	for (int64_t i = 0; i < opt->number; i++) {
		struct lkst_buffer_param param = {
			.next = i ? ring->id[i - 1] : LKST_BUFFER_ID_VOID,
			.cpu = cpu,
			.size = opt->buffer_size,
		};

		if (create_buffer(dev, list, &param, ring, err))
			goto fail;
	}
	/* Each leads to the one before it; in order they lead forwards. */
	for (uint32_t i = 0; i < ring->num / 2; i++) {
		uint8_t id = ring->id[i];

		ring->id[i] = ring->id[ring->num - 1 - i];
		ring->id[ring->num - 1 - i] = id;
	}
	if (!lkst_buffer_link(dev, cpu, ring->id[ring->num - 1], ring->id[0], err))
		return 0;
fail:
	delete_new(dev, cpu, ring);
	return -1;
}

/**
 * logd_ring_create() - see that a CPU has a ring, and do not use it yet
 * @dev: device
 * @cpu: CPU
 * @opt: how it is to be
 * @ring: as it was left, which is taken over if it fits
 * @err: why not: then there is none
 */
int logd_ring_create(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		     struct logd_ring *ring, struct lkst_error *err)
{
	struct lkst_buffer_list list;
	bool ours;
	int ret = 0;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	ours = logd_ring_has(ring, list.param.write_buf) ||
	       (list.param.write_buf != LKST_BUFFER_ID_VOID && is_old(ring, list.param.write_buf));
	if (!ours)
		ring->before = list.param.write_buf;
	if (!is_whole(&list, ring, opt)) {
		logd_ring_retire(ring);
		ret = create(dev, &list, cpu, opt, ring, err);
	}
	lkst_buffer_list_free(&list);
	return ret;
}

/* A jump, as soon as the CPU is ready for it. */
static int jump(struct lkst_device *dev, int32_t cpu, lkst_buffer_id to, struct lkst_error *err)
{
	struct lkst_error why = { 0 };

	for (int i = 0; i < TRIES; i++) {
		if (!lkst_buffer_jump(dev, cpu, to, &why))
			return 0;
		if (why.sys_errno != EBUSY)
			break;
		pause_a_little();
	}
	if (err)
		*err = why;
	return -1;
}

/* Recid after the last one in a buffer. */
static uint64_t end_of(const struct lkst_buffer_listent *buffer)
{
	return (uint64_t)buffer->baseid + buffer->write_offset;
}

/* The one with the oldest records, or none. NULL: there is no ring. */
static const struct lkst_buffer_listent *find_oldest(const struct lkst_buffer_list *list,
						     const struct logd_ring *ring)
{
	const struct lkst_buffer_listent *oldest = NULL;

	for (uint32_t i = 0; i < ring->num; i++) {
		const struct lkst_buffer_listent *ent = find(list, ring->id[i]);

		if (ent && (!oldest || end_of(ent) < end_of(oldest)))
			oldest = ent;
	}
	return oldest;
}

/**
 * logd_ring_enter() - let a CPU record in its ring; what it recorded before stays where it is
 * @dev: device
 * @cpu: CPU
 * @ring: its ring
 * @err: why not
 */
int logd_ring_enter(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring,
		    struct lkst_error *err)
{
	const struct lkst_buffer_listent *to;
	struct lkst_buffer_list list;
	int ret = 0;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	to = find_oldest(&list, ring);
	if (to && !logd_ring_has(ring, list.param.write_buf))
		ret = jump(dev, cpu, to->id, err);
	lkst_buffer_list_free(&list);
	return ret;
}

/**
 * logd_ring_back() - see that a CPU has its ring and records there, whoever led it elsewhere
 * @dev: device
 * @cpu: CPU
 * @opt: how the ring is to be, if it is not whole any more
 * @ring: its ring
 * @err: why not
 */
int logd_ring_back(struct lkst_device *dev, int32_t cpu, const struct logd_options *opt,
		   struct logd_ring *ring, struct lkst_error *err)
{
	bool first = !ring->num;
	int32_t before = ring->before;

	if (logd_ring_create(dev, cpu, opt, ring, err))
		return -1;
	/* Where it is now is not where it was when the daemon came. */
	if (!first)
		ring->before = before;
	return logd_ring_enter(dev, cpu, ring, err);
}

/**
 * logd_ring_tidy() - delete what is left of an earlier ring and is in files
 * @dev: device
 * @cpu: CPU
 * @state: what is known of it
 */
void logd_ring_tidy(struct lkst_device *dev, int32_t cpu, struct logd_cpu *state)
{
	struct logd_ring *ring = &state->ring;
	struct lkst_buffer_list list;
	bool any = false;

	for (size_t i = 0; i < sizeof(ring->old) / sizeof(*ring->old); i++)
		any |= ring->old[i] != 0;
	if (!any || lkst_buffer_list_get(dev, cpu, &list, NULL))
		return;
	for (int id = 0; id <= LKST_BUFFER_ID_MAX; id++) {
		const struct lkst_buffer_listent *ent = find(&list, id);

		if (!is_old(ring, id) ||
		    (ent && (id == list.param.write_buf || end_of(ent) > state->next)))
			continue;
		if (!ent || !lkst_buffer_delete(dev, cpu, id, NULL))
			set_old(ring, id, false);
	}
	lkst_buffer_list_free(&list);
}

/**
 * logd_ring_end() - the recid that a CPU's next record gets
 * @dev: device
 * @cpu: CPU, which may be offline
 * @end: result
 * @err: why it is not known
 */
int logd_ring_end(struct lkst_device *dev, int32_t cpu, uint64_t *end, struct lkst_error *err)
{
	struct lkst_buffer_list list;

	if (lkst_buffer_list_get(dev, cpu, &list, err))
		return -1;
	*end = 0;
	for (int i = 0; i < list.param.buffer_num; i++)
		if (end_of(&list.ent[i]) > *end)
			*end = end_of(&list.ent[i]);
	lkst_buffer_list_free(&list);
	return 0;
}

static void remove_buffer(struct lkst_device *dev, int32_t cpu, int id)
{
	struct lkst_error err = { 0 };

	for (int i = 0; i < TRIES; i++) {
		if (!lkst_buffer_delete(dev, cpu, id, &err) || err.code == LKST_ERR_NOT_FOUND)
			return;
		if (err.sys_errno != EBUSY)
			break;
		pause_a_little();
	}
	logd_report_error(LOG_WARNING, "a buffer stays", &err);
}

/**
 * logd_ring_remove() - let a CPU record where it did before, and take its ring away
 * @dev: device
 * @cpu: CPU
 * @ring: its ring; what is in it is lost unless it was read
 */
void logd_ring_remove(struct lkst_device *dev, int32_t cpu, struct logd_ring *ring)
{
	struct lkst_buffer_list list;
	struct lkst_error err;
	int to = 0;

	if (!ring->num || lkst_buffer_list_get(dev, cpu, &list, NULL))
		return;
	if (find(&list, ring->before))
		to = ring->before;
	/* If somebody led the CPU elsewhere it stays there. */
	if (logd_ring_has(ring, list.param.write_buf) && jump(dev, cpu, to, &err))
		logd_report_error(LOG_WARNING, "the ring of buffers stays", &err);
	for (uint32_t i = 0; i < ring->num; i++)
		if (find(&list, ring->id[i]))
			remove_buffer(dev, cpu, ring->id[i]);
	for (int id = 0; id <= LKST_BUFFER_ID_MAX; id++)
		if (is_old(ring, id) && find(&list, id))
			remove_buffer(dev, cpu, id);
	lkst_buffer_list_free(&list);
	memset(ring, 0, sizeof(*ring));
}
