// SPDX-License-Identifier: LGPL-2.1
/*
 * What was read, in memory that can outlive the process. Who is killed with records that were read and
 * not written leaves them to a successor, even when that happens within read().
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "messages.h"
#include "stream.h"

#define AREA_MAGIC "LKSTRD1"

/* A successor has one record more, and move() may make one segment more than there are records. */
static size_t size_for(size_t room)
{
	size_t head = sizeof(struct area) + (room + 3) * sizeof(struct segment);

	return (head + RECORD_SIZE - 1) / RECORD_SIZE * RECORD_SIZE + (room + 1) * RECORD_SIZE;
}

static bool is_sane(const struct lkst_stream *stream)
{
	const struct area *area = stream->area;

	if (memcmp(area->magic, AREA_MAGIC, sizeof(area->magic)) != 0 || area->cpu != stream->cpu ||
	    area->room != stream->room || area->num > stream->room + 1 ||
	    area->want > stream->room || area->ready > area->num ||
	    (area->ready && area->given > area->ready))
		return false;
	for (size_t i = 0; i < area->ready; i++)
		if (i ? stream->segment[i].index <= stream->segment[i - 1].index :
			stream->segment[i].index != 0)
			return false;
	return !area->ready || stream->segment[area->ready - 1].index < area->num;
}

/* In a file, or nowhere: @path is NULL. */
int stream_area_open(struct lkst_stream *stream, const char *path, struct lkst_error *err)
{
	int fd = -1;
	void *memory;

	stream->area_size = size_for(stream->room);
	if (path) {
		fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, (off_t)stream->area_size)) {
			lkst_error_system(err, errno, path, "open");
			if (fd >= 0)
				close(fd);
			return -1;
		}
	}
	memory = mmap(NULL, stream->area_size, PROT_READ | PROT_WRITE,
		      path ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
	if (fd >= 0)
		close(fd);
	if (memory == MAP_FAILED) {
		lkst_error_memory(err, "the stream of records");
		return -1;
	}
	stream->area = memory;
	stream->segment = (struct segment *)(stream->area + 1);
	stream->record = (struct lkst_event_record *)((char *)memory + stream->area_size -
						      (stream->room + 1) * RECORD_SIZE);
	if (!is_sane(stream)) {
		memset(stream->area, 0, sizeof(*stream->area));
		stream->area->cpu = stream->cpu;
		stream->area->room = stream->room;
		memcpy(stream->area->magic, AREA_MAGIC, sizeof(stream->area->magic));
	}
	return 0;
}

/* ---- what another process has left behind ---- */

/* All of it was read, but not all handed out, or at least nobody knows that. */
static void take_left(struct lkst_stream *stream)
{
	const struct area *area = stream->area;

	stream->num = area->num;
	stream->segments = area->ready;
	stream->given = area->given ? area->given - 1 : 0;
	stream->run = area->run;
	stream->next = stream_recid(stream, stream->segments - 1, stream->num - 1) + 1;
	stream->known = true;
}

static bool in_order(const struct lkst_event_record *record, size_t num, uint64_t recid)
{
	for (size_t i = 0; i < num; i++)
		if (!record[i].clock || stream_low_bits(&record[i]) != ((recid + i) & RECID_MASK))
			return false;
	return true;
}

/* Of the buffer that was being read: has all been read of it? */
static bool was_finished(struct lkst_stream *stream, uint64_t end)
{
	const struct lkst_buffer_listent *ent;
	struct lkst_buffer_list list;
	bool finished;

	if (stream->ops->list(stream->ctx, &list, NULL))
		return false;
	ent = stream_find_buffer(&list, stream->run.buffer);
	finished = ent && ent->state == LKST_BUFFER_FREE && stream_buffer_end(ent) == end;
	lkst_buffer_list_free(&list);
	return finished;
}

/*
 * A process was killed in read(), or just after it. How much it got is seen from where reading goes on:
 * with the record that is read now.
 */
static int take_unplaced(struct lkst_stream *stream, struct lkst_error *err)
{
	const struct area area = *stream->area;
	struct lkst_event_record *kept = stream->record, one = { 0 };
	uint64_t num = area.want;
	int ret;

	stream->run = area.run;
	stream->next = area.from;
	stream->known = true;
	stream->record = &one;
	ret = stream_fill(stream, err);
	stream->record = kept;
	if (ret < 0)
		return ret;
	if (ret)
		num = stream->segment[0].recid - area.from;
	else if (!was_finished(stream, area.from + area.want))
		num = 0;
	stream->area->ready = 0;
	if (num > area.want || !in_order(kept, num, area.from))
		num = 0;
	/* Behind what is there, or alone. */
	stream->segments = 0;
	if (num)
		stream->segment[stream->segments++] = (struct segment){ 0, area.from };
	else if (ret)
		stream->segment[stream->segments++] = (struct segment){ 0, stream->next - 1 };
	if (ret)
		kept[num++] = one;
	stream->num = num;
	stream->given = 0;
	stream->next = stream->segments ? stream_recid(stream, 0, num) : area.from;
	if (stream->segments)
		stream_publish(stream);
	return 0;
}

/**
 * lkst_stream_resume() - go on where an earlier reader has stopped
 * @stream: nothing was read yet
 * @recid: the next one, if nothing is lost; what the earlier reader has read from there on comes first
 * @err: why that cannot be read
 */
int lkst_stream_resume(struct lkst_stream *stream, uint64_t recid, struct lkst_error *err)
{
	int ret = 0;

	if (stream->area->ready)
		take_left(stream);
	else if (stream->area->reading)
		ret = take_unplaced(stream, err);
	stream->told = recid;
	if (stream->next < recid || !stream->known)
		stream->next = recid;
	stream->known = stream->telling = true;
	return ret;
}
