// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the functions of sections 4.7.2.4 and 4.7.2.5 of the specification: buffers, event
 * types, and functions that record an event.
 */
#include <linux/sizes.h>
#include <linux/smp.h>
#include <linux/lkst.h>
#include <linux/lkst_buffer.h>
#include <linux/lkst_private.h>
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

	function = "lkst_buffer_read";
	ROW(-EINVAL, "NULL", lkst_buffer_read(NULL));
	ROW(-EINVAL, "buffer is NULL", read_buffer(cpu, 0, size, NULL));
	ROW(-EINVAL, "read_size is 0", read_buffer(cpu, 0, 0, &record));
	ROW(-EINVAL, "read_size is less than a record", read_buffer(cpu, 0, size - 1, &record));
	ROW(-EINVAL, "read_size is negative", read_buffer(cpu, 0, -1, &record));
	ROW(-EINVAL, "id is negative", read_buffer(cpu, -1, size, &record));
	ROW(-EINVAL, "id is out of range", read_buffer(cpu, 256, size, &record));
	ROW(-EINVAL, "id is VOID, and cpu is a CPU", read_buffer(cpu, VOID, size, &record));
	ROW(-EINVAL, "there is no such buffer", read_buffer(cpu, 77, size, &record));
	ROW(-EINVAL, "there is no such CPU", read_buffer(99999, 0, size, &record));
	ROW(-EINVAL, "cpu is negative", read_buffer(-2, 0, size, &record));
	ROW(-EINVAL, "id is not VOID, and cpu is -1", read_buffer(-1, 0, size, &record));
	ROW(size, "success", read_buffer(cpu, 0, size, &record));
	ok(record.posix.log_magic == LKST_LOG_MAGIC && record.posix.log_processor == cpu,
	   "the record is valid");
	ROW(size, "success, the static buffer", read_buffer(-1, VOID, size, &record));
	ok(record.posix.log_event_type == LKST_ETYPE_LKST_INIT, "the first record is LKST_INIT");
	skip("-EBUSY", "buffers in a ring or of a bound CPU can be read, too");
}

/* Create buffers for this CPU until not even one of 4 KB fits into LKST's memory limit. */
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
	for (int id = 1; id <= LKST_BUFFER_ID_MAX; id++)
		lkst_buffer_delete(id);
}

void test_buffers(void)
{
	function = "lkst_buffer_create";
	ROW(-EINVAL, "id is negative", lkst_buffer_create(-1, SZ_4K, VOID));
	ROW(-EINVAL, "id is out of range", lkst_buffer_create(256, SZ_4K, VOID));
	ROW(-EINVAL, "the buffer exists", lkst_buffer_create(0, SZ_4K, VOID));
	ROW(-EINVAL, "size is 0", lkst_buffer_create(1, 0, VOID));
	ROW(-EINVAL, "size is too small", lkst_buffer_create(1, SZ_4K - 1, VOID));
	ROW(-EINVAL, "size is too large", lkst_buffer_create(1, SIZE_MAX, VOID));
	ROW(-EINVAL, "next is negative", lkst_buffer_create(1, SZ_4K, -1));
	ROW(-EINVAL, "next is out of range", lkst_buffer_create(1, SZ_4K, 256));
	ROW(-EINVAL, "next is the buffer itself", lkst_buffer_create(1, SZ_4K, 1));
	NOMEM("-ENOMEM: memory runs out", lkst_buffer_create(1, SZ_64K, 77), lkst_buffer_delete(1));
	skip("-EINVAL: the CPU is invalid", "the function uses the current CPU");
	skip("-EBUSY: LKST is not initialized", "LKST is initialized before any module");
	skip("-EBUSY: a buffer is collapsed", "LKST does not detect overwritten kernel memory");
	skip("-EBUSY: the CPU's buffers are bound", "buffers can be created during reading");
	ROW(1, "success", lkst_buffer_create(1, SZ_64K, 77));

	function = "lkst_buffer_shift";
	ROW(-EINVAL, "the current buffer has no next buffer", lkst_buffer_shift());
	function = "lkst_buffer_jump";
	ROW(-EINVAL, "id is negative", lkst_buffer_jump(-1));
	ROW(-EINVAL, "id is VOID", lkst_buffer_jump(VOID));
	ROW(-EINVAL, "id is out of range", lkst_buffer_jump(256));
	ROW(-EINVAL, "there is no such buffer", lkst_buffer_jump(77));
	ROW(0, "success", lkst_buffer_jump(1));
	function = "lkst_buffer_shift";
	ROW(-EINVAL, "the next buffer does not exist", lkst_buffer_shift());
	skip("-EBUSY: LKST is not initialized", "LKST is initialized before any module");
	function = "lkst_buffer_delete";
	ROW(-EINVAL, "id is 0", lkst_buffer_delete(0));
	ROW(-EINVAL, "id is negative", lkst_buffer_delete(-1));
	ROW(-EINVAL, "id is VOID", lkst_buffer_delete(VOID));
	ROW(-EINVAL, "id is out of range", lkst_buffer_delete(256));
	ROW(-EINVAL, "there is no such buffer", lkst_buffer_delete(2));
	ROW(-EBUSY, "the buffer is the current one", lkst_buffer_delete(1));
	function = "lkst_buffer_jump";
	ROW(0, "success, to buffer 0", lkst_buffer_jump(0));
	ROW(0, "success, to the current buffer", lkst_buffer_jump(0));
	skip("-EBUSY: LKST is not initialized", "LKST is initialized before any module");
	function = "lkst_buffer_delete";
	ROW(0, "success", lkst_buffer_delete(1));
}

void test_buffer_limits(void)
{
	take_all_buffers();
	function = "lkst_buffer_create";
	ROW(-ENOSPC, "no id is free", lkst_buffer_create(VOID, SZ_4K, VOID));
	free_all_buffers();
	take_all_memory();
	ROW(-ENOMEM, "LKST's memory is used up", lkst_buffer_create(VOID, SZ_4K, VOID));
	function = "lkst_maskset_write";
	ROW(-ENOMEM, "LKST's memory is used up", write_maskset(VOID, "new", MARK, LOG));
	free_all_buffers();
}

/* --- A test that runs while buffer 0, the next buffer of this CPU's current one, is being read */

void test_busy(void)
{
	function = "lkst_buffer_shift";
	ROW(-EAGAIN, "the next buffer is being read", lkst_buffer_shift());
	function = "lkst_buffer_jump";
	ROW(-EAGAIN, "the buffer is being read", lkst_buffer_jump(0));
	ROW(0, "success", lkst_buffer_jump(2));
	function = "lkst_buffer_delete";
	ROW(-EBUSY, "the buffer is the current one", lkst_buffer_delete(2));
}

static int reg_etype(int etype, const char *mnemonic, const char *name, const char *arg)
{
	struct lkst_etype_info info = { .etype = etype, .mnemonic = mnemonic, .name = name,
					.args = { arg, "", "", "" } };
	int ret = lkst_hook_etype_register(&info);

	if (ret >= 0)
		lkst_hook_etype_unregister(&info);
	return ret;
}

void test_etypes(void)
{
	struct lkst_etype_info other = { .etype = OWN_ETYPE };
	u64 recid;

	function = "lkst_hook_etype_register";
	ROW(-EINVAL, "NULL", lkst_hook_etype_register(NULL));
	ROW(-EINVAL, "event type is too low", reg_etype(0x0ff, "OTHER", "other", ""));
	ROW(-EINVAL, "event type is too high", reg_etype(0x200, "OTHER", "other", ""));
	ROW(-EINVAL, "event type is negative", reg_etype(-1, "OTHER", "other", ""));
	ROW(-EINVAL, "no mnemonic", reg_etype(OTHER_ETYPE, NULL, "other", ""));
	ROW(-EINVAL, "no name", reg_etype(OTHER_ETYPE, "OTHER", NULL, ""));
	ROW(-EINVAL, "no argument", reg_etype(OTHER_ETYPE, "OTHER", "other", NULL));
	ROW(-EINVAL, "name has several lines",
	    reg_etype(OTHER_ETYPE, "OTHER", "other\nother", ""));
	ROW(-EBUSY, "event type is used", reg_etype(OWN_ETYPE, "OTHER", "other", ""));
	ROW(OTHER_ETYPE, "success", reg_etype(OTHER_ETYPE, "OTHER", "other", ""));
	NOMEM("-ENOMEM: memory runs out", reg_etype(OTHER_ETYPE, "OTHER", "other", ""), (void)0);
	take_snapshot(&before);
	lkst_hook_etype_unregister(NULL);
	lkst_hook_etype_unregister(&other);
	function = "lkst_hook_etype_unregister";
	finish_row("NULL or an event type that is not registered is ignored", -1, -1);

	recid = get_status().static_buffer_recid;
	lkst_evhandlerprim_static_log(NULL, OWN_ETYPE, 1, 2, 3, 4);
	function = "lkst_evhandlerprim_static_log";
	ok(get_status().static_buffer_recid == recid + 1, "adds a record to the static buffer");
}
