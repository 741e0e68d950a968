// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the functions of sections 4.7.2.1 and 4.7.2.2 of the specification: the status of LKST,
 * starting and stopping LKST, and masksets.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst.h>
#include <linux/lkst_maskset.h>
#include <linux/lkst_private.h>
#include "functions.h"

static int status_of(void *online_cpu, u32 online_cpu_len, void *write_buf, void *read_buf,
		     u32 cpu_num)
{
	struct lkst_trc_status status = { address(online_cpu), address(write_buf),
					  address(read_buf), .online_cpu_len = online_cpu_len,
					  .cpu_num = cpu_num };

	return lkst_trc_status(&status);
}

void test_status(void)
{
	lkst_buffer_id ids[3] = { 77, 77, 77 };
	u64 online[2] = { 0, 77 };

	function = "lkst_trc_status";
	ROW(-EINVAL, "NULL", lkst_trc_status(NULL));
	ROW(0, "online_cpu is NULL, online_cpu_len is not 0", status_of(NULL, 8, NULL, NULL, 0));
	ROW(-EINVAL, "online_cpu_len is not a multiple of 8", status_of(online, 7, NULL, NULL, 0));
	ROW(-EINVAL, "online_cpu_len is negative", status_of(online, -8, NULL, NULL, 0));
	ROW(-EINVAL, "cpu_num is negative", status_of(NULL, 0, ids, NULL, -1));
	ROW(0, "success", status_of(online, 8, ids, NULL, 1));
	ok(online[0] == cpumask_bits(cpu_online_mask)[0] && online[1] == 77,
	   "online_cpu is filled up to its length");
	ok(ids[0] == 0 && ids[1] == 77, "write_buf is filled up to cpu_num");
	ROW(0, "success", status_of(NULL, 0, NULL, ids, 1));
	ok(ids[0] == LKST_BUFFER_ID_VOID && ids[1] == 77, "read_buf is filled up to cpu_num");
}

void test_start_stop(void)
{
	function = "lkst_trc_start";
	ROW(0, "success, already running", lkst_trc_start());
	function = "lkst_trc_stop";
	ROW(0, "success", lkst_trc_stop());
	ok(get_status().state == LKST_TRC_STOPPED, "LKST has stopped");
	ROW(0, "success, already stopped", lkst_trc_stop());
	function = "lkst_maskset_set";
	ROW(-EBUSY, "LKST is stopped", lkst_maskset_set(1));
	function = "lkst_trc_start";
	ROW(0, "success", lkst_trc_start());
	ok(get_status().state == LKST_TRC_RUNNING, "LKST is running");
}

static int write_area(int id, u64 size, const void *area)
{
	struct lkst_maskset_param param = { id, 0, size, address(area) };
	int ret = lkst_maskset_write(&param);

	return ret ?: param.id;
}

static int write_len(u32 len, u64 size)
{
	body->len = len;
	return write_area(VOID, size, body);
}

/* Write a maskset with one entry. Return its id or the error. */
int write_maskset(int id, const char *name, int etype, int handler)
{
	memset(body, 0, LKST_MASKSET_SIZE(1));
	memcpy(body->name, name, strnlen(name, sizeof(body->name)));
	body->len = 1;
	body->entry[0] = (struct lkst_maskset_entry){ etype, handler };
	return write_area(id, LKST_MASKSET_SIZE(1), body);
}

static int write_two(int etype, int handler, int etype2, int handler2)
{
	memset(body, 0, LKST_MASKSET_SIZE(2));
	strscpy(body->name, "two", sizeof(body->name));
	body->entry[0] = (struct lkst_maskset_entry){ etype, handler };
	body->entry[1] = (struct lkst_maskset_entry){ etype2, handler2 };
	return write_len(2, LKST_MASKSET_SIZE(2));
}

void test_maskset_read(void)
{
	u32 len;

	function = "lkst_maskset_read";
	ROW(-EINVAL, "NULL", lkst_maskset_read(NULL));
	ROW(-EINVAL, "maskset is NULL", read_maskset(2, LKST_MASKSET_SIZE_MAX, NULL));
	ROW(-EINVAL, "id is negative", read_maskset(-1, LKST_MASKSET_SIZE_MAX, body));
	ROW(-EINVAL, "id is out of range", read_maskset(256, LKST_MASKSET_SIZE_MAX, body));
	ROW(-EINVAL, "there is no such maskset", read_maskset(77, LKST_MASKSET_SIZE_MAX, body));
	ROW(0, "success", read_maskset(VOID, LKST_MASKSET_SIZE_MAX, body));
	len = body->len;
	ROW(-EINVAL, "maskset_size is 0", read_maskset(2, 0, body));
	ROW(-EINVAL, "maskset_size is too small",
	    read_maskset(2, LKST_MASKSET_SIZE(len) - 1, body));
	skip("-ENOMEM", "it allocates nothing");
}

static void take_all_masksets(void)
{
	char name[20];

	for (int id = 3; id <= LKST_MASKSET_ID_MAX; id++) {
		snprintf(name, sizeof(name), "maskset %d", id);
		write_maskset(id, name, MARK, LOG);
	}
}

void free_all_masksets(void)
{
	for (int id = 3; id <= LKST_MASKSET_ID_MAX; id++)
		lkst_maskset_delete(id);
}

void test_maskset_write(void)
{
	static const char no_end[] = "name of LKST_MASKSET_NAME_LEN chars";
	const u32 too_long = LKST_MASKSET_TABLE_LEN_MAX + 1;

	function = "lkst_maskset_write";
	ROW(-EINVAL, "NULL", lkst_maskset_write(NULL));
	ROW(-EINVAL, "maskset is NULL", write_area(VOID, LKST_MASKSET_SIZE(1), NULL));
	ROW(-EINVAL, "maskset_size is 0", write_area(VOID, 0, body));
	ROW(-EINVAL, "maskset_size is too small", write_len(1, LKST_MASKSET_SIZE(1) - 1));
	ROW(-EINVAL, "len is too large", write_len(too_long, LKST_MASKSET_SIZE(too_long)));
	ROW(-EINVAL, "id is negative", write_maskset(-1, "new", MARK, LOG));
	ROW(-EINVAL, "id is out of range", write_maskset(256, "new", MARK, LOG));
	ROW(-EINVAL, "the maskset nothing", write_maskset(0, "new", MARK, LOG));
	ROW(-EINVAL, "the maskset all", write_maskset(1, "new", MARK, LOG));
	ROW(-EINVAL, "no name", write_maskset(VOID, "", MARK, LOG));
	ROW(-EINVAL, "name is not terminated", write_maskset(VOID, no_end, MARK, LOG));
	ROW(-EINVAL, "name is the one of another maskset", write_maskset(VOID, "all", MARK, LOG));
	ROW(-EINVAL, "event type is negative", write_maskset(VOID, "new", -1, LOG));
	ROW(-EINVAL, "event type is out of range", write_maskset(VOID, "new", 0x1000, LOG));
	ROW(-EINVAL, "event type is not registered", write_maskset(VOID, "new", OTHER_ETYPE, LOG));
	ROW(-EINVAL, "event type is listed twice", write_two(MARK, LOG, MARK, LOG));
	ROW(-EINVAL, "event handler is negative", write_maskset(VOID, "new", MARK, -1));
	ROW(-EINVAL, "event handler is out of range",
	    write_maskset(VOID, "new", MARK, LKST_EVHANDLER_ID_VOID));
	ROW(-EINVAL, "event handler does not exist", write_maskset(VOID, "new", MARK, 0xfff));
	/* A kernel without lock events refuses them in any maskset. */
	ROW(-EINVAL, "lock events and the handler buffer_shift_dw",
	    write_two(LKST_ETYPE_LKST_BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW,
		      LKST_ETYPE_LOCK_MIN, LOG));
	ROW(OWN_MASKSET, "success", write_maskset(OWN_MASKSET, "own", MARK, LOG));
	ROW(-EINVAL, "the second entry is bad", write_two(MARK, LOG, MARK, 0xfff));
	lkst_maskset_delete(OWN_MASKSET);
	take_all_masksets();
	ROW(-EBUSY, "no id is free", write_maskset(VOID, "new", MARK, LOG));
	free_all_masksets();
	NOMEM("-ENOMEM: memory runs out",
	      write_maskset(VOID, "new", MARK, LOG), lkst_maskset_delete(got));
	skip("-EBUSY: the maskset is collapsed",
	     "LKST does not detect overwritten kernel memory");
}

void test_masksets(void)
{
	function = "lkst_maskset_set";
	ROW(-EINVAL, "id is negative", lkst_maskset_set(-1));
	ROW(-EINVAL, "id is VOID", lkst_maskset_set(VOID));
	ROW(-EINVAL, "id is out of range", lkst_maskset_set(256));
	ROW(-EINVAL, "there is no such maskset", lkst_maskset_set(77));
	skip("-EBUSY: the selected maskset is not initialized",
	     "a maskset is selected before any module is loaded");

	function = "lkst_maskset_list";
	ROW(-EINVAL, "NULL", lkst_maskset_list(NULL));
	ROW(-EINVAL, "listent is NULL", list_masksets(100, NULL));
	ROW(-EINVAL, "listent_size is negative", list_masksets(-1, masksets));
	ROW(0, "success", list_masksets(MASKSETS_SIZE, masksets));
	skip("-ENOMEM", "it allocates nothing");

	write_maskset(OWN_MASKSET, "own", MARK, LOG);
	function = "lkst_maskset_set";
	ROW(0, "success", lkst_maskset_set(OWN_MASKSET));
	function = "lkst_maskset_delete";
	ROW(-EINVAL, "the maskset nothing", lkst_maskset_delete(0));
	ROW(-EINVAL, "the maskset all", lkst_maskset_delete(1));
	ROW(-EINVAL, "the default maskset", lkst_maskset_delete(2));
	ROW(-EINVAL, "there is no such maskset", lkst_maskset_delete(77));
	ROW(-EINVAL, "id is negative", lkst_maskset_delete(-1));
	ROW(-EINVAL, "id is out of range", lkst_maskset_delete(256));
	ROW(-EBUSY, "the maskset is selected", lkst_maskset_delete(OWN_MASKSET));

	function = "lkst_maskset_get_id";
	ROW(OWN_MASKSET, "success", lkst_maskset_get_id("own"));
	ROW(VOID, "an unknown name", lkst_maskset_get_id("other"));
	ROW(-EINVAL, "NULL", lkst_maskset_get_id(NULL));
	ROW(-EINVAL, "no name", lkst_maskset_get_id(""));
	lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
	function = "lkst_maskset_delete";
	ROW(0, "success", lkst_maskset_delete(OWN_MASKSET));
}
