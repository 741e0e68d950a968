// SPDX-License-Identifier: GPL-2.0
/*
 * A buffer read in pieces while its CPU goes on: nothing twice, nothing out of order, and what was not
 * read is counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/pieces.h"
#include "tap.h"

#define ROOM  64u /* records that the buffer holds */
#define FIRST 1000u /* recid of the stretch */

/**
 * struct scene - a buffer, and what becomes of it
 * @name: for the failure
 * @written: events so far
 * @dropped: which of them, from 1 on, was dropped; 0: none
 * @unfinished: likewise, still being written; and the next one
 * @before: events between the list and the first read
 * @meanwhile: events between two reads
 * @shifted: so many reads, then a shift leads to the buffer anew; 0: never
 * @deleted: so many reads, then it is gone; -1: never
 * @gives_up: the kernel always is too slow
 * @max: records that are wanted
 * @size: of a piece
 * @read: records that come
 * @overwritten: and are counted
 * @reads: calls that it takes; 0: any number
 */
struct scene {
	const char *name;
	uint64_t written;
	uint64_t dropped;
	uint64_t unfinished;
	uint64_t before;
	uint64_t meanwhile;
	int shifted;
	int deleted;
	bool gives_up;
	uint64_t max;
	size_t size;
	uint64_t read;
	uint64_t overwritten;
	int reads;
};

/* Of 100 events the oldest 36 are overwritten at the start, unless said otherwise. */
static const struct scene scenes[] = {
	{ .name = "nothing happens",
	  .written = 50,
	  .size = 7,
	  .deleted = -1,
	  .read = 50,
	  .reads = 8 },
	{ .name = "one piece", .written = 50, .size = 100, .deleted = -1, .read = 50, .reads = 1 },
	{ .name = "exactly one piece",
	  .written = 50,
	  .size = 50,
	  .deleted = -1,
	  .read = 50,
	  .reads = 1 },
	{ .name = "wrapped",
	  .written = 100,
	  .size = 7,
	  .deleted = -1,
	  .read = 64,
	  .overwritten = 36 },
	{ .name = "a slow writer",
	  .written = 100,
	  .size = 7,
	  .meanwhile = 3,
	  .deleted = -1,
	  .read = 64,
	  .overwritten = 36 },
	{ .name = "as fast as the reader",
	  .written = 100,
	  .size = 7,
	  .meanwhile = 7,
	  .deleted = -1,
	  .read = 64,
	  .overwritten = 36 },
	/* 7 are read while 14 are overwritten: every second one is lost. */
	{ .name = "twice as fast",
	  .written = 100,
	  .size = 7,
	  .meanwhile = 14,
	  .deleted = -1,
	  .read = 35,
	  .overwritten = 65 },
	{ .name = "a lap between two pieces",
	  .written = 100,
	  .size = 7,
	  .meanwhile = 1000,
	  .deleted = -1,
	  .read = 7,
	  .overwritten = 93,
	  .reads = 2 },
	{ .name = "one was dropped",
	  .written = 100,
	  .size = 7,
	  .dropped = 60,
	  .deleted = -1,
	  .read = 63,
	  .overwritten = 36 },
	{ .name = "the oldest was dropped",
	  .written = 100,
	  .size = 7,
	  .dropped = 37,
	  .deleted = -1,
	  .read = 63,
	  .overwritten = 36 },
	{ .name = "the newest was dropped",
	  .written = 100,
	  .size = 7,
	  .dropped = 100,
	  .deleted = -1,
	  .read = 63,
	  .overwritten = 36 },
	{ .name = "one was dropped that would be overwritten",
	  .written = 100,
	  .size = 7,
	  .dropped = 9,
	  .deleted = -1,
	  .read = 64,
	  .overwritten = 35 },
	{ .name = "one was dropped that is overwritten meanwhile",
	  .written = 100,
	  .size = 7,
	  .dropped = 45,
	  .meanwhile = 1000,
	  .deleted = -1,
	  .read = 7,
	  .overwritten = 92 },
	{ .name = "two are unfinished",
	  .written = 100,
	  .size = 7,
	  .unfinished = 60,
	  .deleted = -1,
	  .read = 62,
	  .overwritten = 36 },
	{ .name = "two are unfinished in two pieces",
	  .written = 100,
	  .size = 7,
	  .unfinished = 43,
	  .deleted = -1,
	  .read = 62,
	  .overwritten = 36 },
	{ .name = "the newest are unfinished",
	  .written = 100,
	  .size = 7,
	  .unfinished = 99,
	  .deleted = -1,
	  .read = 62,
	  .overwritten = 36 },
	{ .name = "shifted to anew",
	  .written = 100,
	  .size = 7,
	  .shifted = 3,
	  .deleted = -1,
	  .read = 21,
	  .overwritten = 79,
	  .reads = 4 },
	{ .name = "deleted",
	  .written = 100,
	  .size = 7,
	  .deleted = 3,
	  .read = 21,
	  .overwritten = 79,
	  .reads = 4 },
	{ .name = "the oldest only",
	  .written = 100,
	  .size = 7,
	  .max = 10,
	  .deleted = -1,
	  .read = 10,
	  .overwritten = 36,
	  .reads = 2 },
	{ .name = "more than there are",
	  .written = 100,
	  .size = 7,
	  .max = 1000,
	  .deleted = -1,
	  .read = 64,
	  .overwritten = 36 },
	{ .name = "empty", .size = 7, .deleted = -1, .reads = 1 },
	{ .name = "one comes in time", .size = 7, .before = 1, .deleted = -1, .read = 1, .reads = 1 },
	{ .name = "a lap before the first piece",
	  .written = 100,
	  .size = 7,
	  .before = 1000,
	  .deleted = -1,
	  .read = 64,
	  .overwritten = 1036 },
	{ .name = "the kernel gives up",
	  .written = 100,
	  .size = 7,
	  .gives_up = true,
	  .deleted = -1,
	  .overwritten = 100,
	  .reads = 5 },
};

static struct kernel {
	const struct scene *scene;
	uint64_t first; /* recid of the stretch */
	uint64_t next;
	int reads;
} kernel;

static uint64_t oldest(void)
{
	uint64_t held = kernel.next - kernel.first;

	return kernel.next - (held < ROOM ? held : ROOM);
}

static bool is_dropped(uint64_t recid)
{
	return kernel.first == FIRST && kernel.scene->dropped &&
	       recid == FIRST + kernel.scene->dropped - 1;
}

static bool is_unfinished(uint64_t recid)
{
	return kernel.first == FIRST && kernel.scene->unfinished &&
	       recid - (FIRST + kernel.scene->unfinished - 1) < 2;
}

static int do_list(struct lkst_buffer_listparam *param)
{
	struct lkst_buffer_listent *ent = (void *)(uintptr_t)param->listent;

	param->buffer_num = 2;
	ent[0] = (struct lkst_buffer_listent){ .id = 0 };
	ent[1] = (struct lkst_buffer_listent){
		.id = 5,
		.baseid = (int64_t)kernel.next - 3,
		.write_offset = 3,
		.size = ROOM * LKST_SIZEOF_LKST_EVENT_RECORD,
		.first_recid = kernel.first,
		.overwritten = oldest() - kernel.first,
	};
	return 0;
}

static void walk(struct lkst_log_buffer *buffer, uint64_t recid, size_t room)
{
	struct lkst_log_record *record = (void *)(uintptr_t)buffer->buffer;
	size_t num = 0;

	for (uint64_t gone = kernel.first; gone < recid; gone++)
		buffer->dropped += is_dropped(gone);
	for (; recid < kernel.next && num < room; recid++) {
		if (is_dropped(recid))
			buffer->dropped++;
		else if (is_unfinished(recid))
			buffer->unfinished++;
		else
			record[num++].posix.log_recid = recid;
	}
	buffer->result_read_size = num * sizeof(*record);
}

static int do_read(struct lkst_log_buffer *buffer)
{
	const struct scene *scene = kernel.scene;
	uint64_t from = buffer->first_recid;

	kernel.next += kernel.reads ? scene->meanwhile : scene->before;
	if (scene->deleted >= 0 && kernel.reads++ == scene->deleted)
		return -EINVAL;
	kernel.reads += scene->deleted < 0;
	if (scene->shifted && kernel.reads == scene->shifted + 1) {
		kernel.first = kernel.next + 7;
		kernel.next = kernel.first + 50;
	}
	buffer->first_recid = kernel.first;
	buffer->recorded = (scene->gives_up ? from : kernel.next) - kernel.first;
	buffer->overwritten = oldest() - kernel.first;
	buffer->dropped = buffer->unfinished = 0;
	buffer->result_read_size = 0;
	if (!scene->gives_up)
		walk(buffer, from > oldest() ? from : oldest(),
		     buffer->read_size / sizeof(struct lkst_log_record));
	return 0;
}

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	(void)ctx;
	switch (request) {
	case LKST_IOC_BUFFER_LIST:
		return do_list(arg);
	case LKST_IOC_BUFFER_READ:
		return do_read(arg);
	}
	return -ENOTTY;
}

static const struct lkst_device_ops ops = { .ioctl = fake_ioctl };
static struct lkst_device *dev;

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	dev = lkst_device_new(&ops, NULL, NULL);
}

static void teardown(void)
{
	lkst_device_close(dev);
}

START_TEST(test_scene)
{
	const struct scene *scene = &scenes[_i];
	const struct lkst_log_buffer *counts;
	uint64_t last = 0, read = 0;
	struct pieces pieces;
	struct lkst_error err;
	size_t num;
	int ret;

	kernel.scene = scene;
	kernel.first = FIRST;
	kernel.next = FIRST + scene->written;
	pieces_init(&pieces, dev, scene->size);
	ck_assert_int_eq(pieces_begin(&pieces, 0, 5, scene->max, &err), 1);
	while ((ret = pieces_next(&pieces, &num, &err)) > 0) {
		ck_assert_uint_le(num, scene->size);
		for (size_t i = 0; i < num; i++) {
			ck_assert_uint_gt(pieces.record[i].posix.log_recid, last);
			last = pieces.record[i].posix.log_recid;
		}
		read += num;
	}
	ck_assert_int_eq(ret, 0);
	counts = &pieces.counts;
	ck_assert_msg(read == scene->read && pieces.read == read, "%s: %llu read", scene->name,
		      (unsigned long long)read);
	ck_assert_msg(counts->overwritten == scene->overwritten, "%s: %llu overwritten",
		      scene->name, (unsigned long long)counts->overwritten);
	ck_assert_msg(scene->max == 10 || counts->recorded == read + counts->overwritten +
								      counts->dropped +
								      counts->unfinished,
		      "%s: %llu recorded, %llu dropped, %llu unfinished", scene->name,
		      (unsigned long long)counts->recorded, (unsigned long long)counts->dropped,
		      (unsigned long long)counts->unfinished);
	ck_assert_uint_eq(counts->dropped, !!scene->dropped);
	ck_assert_uint_eq(counts->unfinished, scene->unfinished ? 2 : 0);
	ck_assert_msg(!scene->reads || kernel.reads == scene->reads, "%s: %d reads", scene->name,
		      kernel.reads);
	pieces_free(&pieces);
}
END_TEST

START_TEST(test_no_buffer)
{
	struct scene gone = { .written = 10 };
	struct pieces pieces;
	struct lkst_error err;
	size_t num;

	kernel.scene = &gone;
	kernel.first = FIRST;
	kernel.next = FIRST + 10;
	pieces_init(&pieces, dev, 7);
	ck_assert_int_eq(pieces_begin(&pieces, 0, 6, 0, &err), 0);
	ck_assert_int_eq(pieces_begin(&pieces, 0, 5, 0, &err), 1);
	/* Deleted between the list and the read. */
	ck_assert_int_eq(pieces_next(&pieces, &num, &err), 0);
	ck_assert(!pieces.begun && !num);
	pieces_free(&pieces);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("pieces");
	TCase *tc = tcase_create("pieces");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_scene, 0, sizeof(scenes) / sizeof(*scenes));
	tcase_add_test(tc, test_no_buffer);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
