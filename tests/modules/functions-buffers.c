// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of section 4.7.2.4: buffers.
 */
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include "functions.h"

static int read_buffer(int cpu, int id, u64 size, struct lkst_log_record *records)
{
	struct lkst_log_buffer param = { .cpu = cpu, .id = id, .read_size = size,
					 .buffer = address(records) };
	int ret = lkst_buffer_read(&param);

	return ret ?: param.result_read_size;
}

void test_buffer_read(void)
{
	int cpu = raw_smp_processor_id(), size = sizeof(struct lkst_log_record);
	struct lkst_log_record record;

	ROW(-EINVAL, "lkst_buffer_read: NULL", lkst_buffer_read(NULL));
	ROW(-EINVAL, "lkst_buffer_read: buffer is NULL", read_buffer(cpu, 0, size, NULL));
	ROW(-EINVAL, "lkst_buffer_read: read_size is 0", read_buffer(cpu, 0, 0, &record));
	ROW(-EINVAL, "lkst_buffer_read: read_size is less than a record",
	    read_buffer(cpu, 0, size - 1, &record));
	ROW(-EINVAL, "lkst_buffer_read: read_size is negative",
	    read_buffer(cpu, 0, -1, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is negative", read_buffer(cpu, -1, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is out of range",
	    read_buffer(cpu, 256, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is VOID, of a CPU",
	    read_buffer(cpu, VOID, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: there is no such buffer",
	    read_buffer(cpu, 77, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: there is no such CPU",
	    read_buffer(99999, 0, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: cpu is negative", read_buffer(-2, 0, size, &record));
	ROW(-EINVAL, "lkst_buffer_read: id is not VOID, of no CPU",
	    read_buffer(-1, 0, size, &record));
	ROW(size, "lkst_buffer_read: success", read_buffer(cpu, 0, size, &record));
	ok(record.posix.log_magic == LKST_LOG_MAGIC && record.posix.log_processor == cpu,
	   "lkst_buffer_read: a record");
	ROW(size, "lkst_buffer_read: success, of the static buffer",
	    read_buffer(-1, VOID, size, &record));
	ok(record.posix.log_event_type == LKST_ETYPE_LKST_INIT,
	   "lkst_buffer_read: its first record");
	skip("lkst_buffer_read: -EBUSY", "in ring structure or bound, buffers can be read, too");
	skip("lkst_buffer_read: -EPERM", "functions look at no capability");
}

/* As much memory as LKST may have, but for less than a page; the buffers are of this CPU. */
static void take_all_memory(void)
{
	size_t size = SZ_1G;

	while (size >= SZ_4K)
		if (lkst_buffer_create(VOID, size, VOID) < 0)
			size /= 2;
}

static void take_all_buffers(void)
{
	while (lkst_buffer_create(VOID, SZ_4K, VOID) >= 0)
		;
}

void free_all_buffers(void)
{
	int id;

	for (id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		lkst_buffer_delete(id);
}

void test_buffers(void)
{
	ROW(-EINVAL, "lkst_buffer_create: id is negative", lkst_buffer_create(-1, SZ_4K, VOID));
	ROW(-EINVAL, "lkst_buffer_create: id is out of range",
	    lkst_buffer_create(256, SZ_4K, VOID));
	ROW(-EINVAL, "lkst_buffer_create: the buffer exists", lkst_buffer_create(0, SZ_4K, VOID));
	ROW(-EINVAL, "lkst_buffer_create: size is 0", lkst_buffer_create(1, 0, VOID));
	ROW(-EINVAL, "lkst_buffer_create: size is too small",
	    lkst_buffer_create(1, SZ_4K - 1, VOID));
	ROW(-EINVAL, "lkst_buffer_create: size is too large",
	    lkst_buffer_create(1, SIZE_MAX, VOID));
	ROW(-EINVAL, "lkst_buffer_create: next is negative", lkst_buffer_create(1, SZ_4K, -1));
	ROW(-EINVAL, "lkst_buffer_create: next is out of range",
	    lkst_buffer_create(1, SZ_4K, 256));
	ROW(-EINVAL, "lkst_buffer_create: next is the buffer itself",
	    lkst_buffer_create(1, SZ_4K, 1));
	NOMEM("lkst_buffer_create: -ENOMEM: memory runs out", lkst_buffer_create(1, SZ_64K, 77),
	      lkst_buffer_delete(1));
	skip("lkst_buffer_create: -EINVAL: the CPU is invalid", "it is the one that runs this");
	skip("lkst_buffer_create: -EBUSY: LKST is not initialized",
	     "it is before there is a module");
	skip("lkst_buffer_create: -EBUSY: a buffer is collapsed",
	     "kernel memory that is overwritten is not noticed");
	skip("lkst_buffer_create: -EBUSY: the CPU's buffers are bound",
	     "they can be added while somebody reads");
	skip("lkst_buffer_create: -EPERM", "functions look at no capability");
	ROW(1, "lkst_buffer_create: success", lkst_buffer_create(1, SZ_64K, 77));

	ROW(-EINVAL, "lkst_buffer_shift: the current buffer has no next", lkst_buffer_shift());
	ROW(-EINVAL, "lkst_buffer_jump: id is negative", lkst_buffer_jump(-1));
	ROW(-EINVAL, "lkst_buffer_jump: id is VOID", lkst_buffer_jump(VOID));
	ROW(-EINVAL, "lkst_buffer_jump: id is out of range", lkst_buffer_jump(256));
	ROW(-EINVAL, "lkst_buffer_jump: there is no such buffer", lkst_buffer_jump(77));
	ROW(0, "lkst_buffer_jump: success", lkst_buffer_jump(1));
	ROW(-EINVAL, "lkst_buffer_shift: the next buffer does not exist", lkst_buffer_shift());
	ROW(-EINVAL, "lkst_buffer_delete: id is 0", lkst_buffer_delete(0));
	ROW(-EINVAL, "lkst_buffer_delete: id is negative", lkst_buffer_delete(-1));
	ROW(-EINVAL, "lkst_buffer_delete: id is VOID", lkst_buffer_delete(VOID));
	ROW(-EINVAL, "lkst_buffer_delete: id is out of range", lkst_buffer_delete(256));
	ROW(-EINVAL, "lkst_buffer_delete: there is no such buffer", lkst_buffer_delete(2));
	ROW(-EBUSY, "lkst_buffer_delete: the buffer is written", lkst_buffer_delete(1));
	ROW(0, "lkst_buffer_jump: success, back", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_jump: success, to the current one", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_delete: success", lkst_buffer_delete(1));
	skip("lkst_buffer_shift: -EBUSY: LKST is not initialized",
	     "it is before there is a module");
	skip("lkst_buffer_jump: -EBUSY: LKST is not initialized",
	     "it is before there is a module");
	skip("lkst_buffer_delete: -EPERM", "functions look at no capability");
}

void test_buffer_limits(void)
{
	take_all_buffers();
	ROW(-ENOSPC, "lkst_buffer_create: no id is free", lkst_buffer_create(VOID, SZ_4K, VOID));
	free_all_buffers();
	take_all_memory();
	ROW(-ENOMEM, "lkst_buffer_create: LKST's memory is used up",
	    lkst_buffer_create(VOID, SZ_4K, VOID));
	ROW(-ENOMEM, "lkst_maskset_write: LKST's memory is used up",
	    write_maskset(VOID, "new", MARK, LOG));
	free_all_buffers();
}

/* --- While buffer 0 of this CPU is being read, which is the next of the written one */

void test_busy(void)
{
	ROW(-EAGAIN, "lkst_buffer_shift: the next buffer is being read", lkst_buffer_shift());
	ROW(-EAGAIN, "lkst_buffer_jump: the buffer is being read", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_jump: success", lkst_buffer_jump(2));
	ROW(-EBUSY, "lkst_buffer_delete: the buffer is written", lkst_buffer_delete(2));
}
