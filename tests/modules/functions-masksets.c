// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of sections 4.7.2.1 and 4.7.2.2: LKST's status, starting and stopping it, and
 * masksets.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst.h>
#include <linux/lkst_maskset.h>
#include <linux/lkst_private.h>
#include "functions.h"

/* --- 4.7.2.1 */

static int status_of(u64 online_cpu, u32 online_cpu_len, u64 write_buf, u64 read_buf, u32 cpu_num)
{
	struct lkst_trc_status status = { .online_cpu = online_cpu,
					  .online_cpu_len = online_cpu_len,
					  .write_buf = write_buf, .read_buf = read_buf,
					  .cpu_num = cpu_num };

	return lkst_trc_status(&status);
}

void test_status(void)
{
	lkst_buffer_id ids[3] = { 77, 77, 77 };
	u64 online[2] = { 0, 77 };

	ROW(-EINVAL, "lkst_trc_status: NULL", lkst_trc_status(NULL));
	ROW(0, "lkst_trc_status: online_cpu is NULL, with a length", status_of(0, 8, 0, 0, 0));
	ROW(-EINVAL, "lkst_trc_status: online_cpu_len is no multiple of 8",
	    status_of(address(online), 7, 0, 0, 0));
	ROW(-EINVAL, "lkst_trc_status: online_cpu_len is negative",
	    status_of(address(online), -8, 0, 0, 0));
	ROW(-EINVAL, "lkst_trc_status: cpu_num is negative",
	    status_of(0, 0, address(ids), 0, -1));
	ROW(0, "lkst_trc_status: success", status_of(address(online), 8, address(ids), 0, 1));
	ok(online[0] == cpumask_bits(cpu_online_mask)[0] && online[1] == 77,
	   "lkst_trc_status: online_cpu, as far as it goes");
	ok(ids[0] == 0 && ids[1] == 77, "lkst_trc_status: write_buf, as far as it goes");
	ROW(0, "lkst_trc_status: success", status_of(0, 0, 0, address(ids), 1));
	ok(ids[0] == LKST_BUFFER_ID_VOID && ids[1] == 77,
	   "lkst_trc_status: read_buf, as far as it goes");
}

void test_start_stop(void)
{
	ROW(0, "lkst_trc_start: success, while it runs", lkst_trc_start());
	ROW(0, "lkst_trc_stop: success", lkst_trc_stop());
	ok(get_status().state == LKST_TRC_STOPPED, "lkst_trc_stop: it has stopped");
	ROW(0, "lkst_trc_stop: success, while it is stopped", lkst_trc_stop());
	ROW(-EBUSY, "lkst_maskset_set: LKST is stopped", lkst_maskset_set(1));
	ROW(0, "lkst_trc_start: success", lkst_trc_start());
	ok(get_status().state == LKST_TRC_RUNNING, "lkst_trc_start: it runs");
	skip("lkst_trc_start: -EPERM", "functions look at no capability");
	skip("lkst_trc_stop: -EPERM", "functions look at no capability");
}

/* --- 4.7.2.2 */

static int write_area(int id, u64 size, const void *area)
{
	struct lkst_maskset_param param = { .id = id, .maskset_size = size,
					    .maskset = address(area) };
	int ret = lkst_maskset_write(&param);

	return ret ?: param.id;
}

/* Returns the id, or the error. */
int write_maskset(int id, const char *name, int etype, int handler)
{
	struct lkst_maskset_entry entry = { etype, handler };

	memset(body, 0, LKST_MASKSET_SIZE(1));
	memcpy(body->name, name, strnlen(name, sizeof(body->name)));
	body->len = 1;
	body->entry[0] = entry;
	return write_area(id, LKST_MASKSET_SIZE(1), body);
}

static int write_two(int etype, int handler, int etype2, int handler2)
{
	memset(body, 0, LKST_MASKSET_SIZE(2));
	strscpy(body->name, "two", sizeof(body->name));
	body->len = 2;
	body->entry[0] = (struct lkst_maskset_entry){ etype, handler };
	body->entry[1] = (struct lkst_maskset_entry){ etype2, handler2 };
	return write_area(LKST_MASKSET_ID_VOID, LKST_MASKSET_SIZE(2), body);
}

void test_maskset_read(void)
{
	u32 len;

	ROW(-EINVAL, "lkst_maskset_read: NULL", lkst_maskset_read(NULL));
	ROW(-EINVAL, "lkst_maskset_read: maskset is NULL",
	    read_maskset(2, LKST_MASKSET_SIZE_MAX, NULL));
	ROW(-EINVAL, "lkst_maskset_read: id is negative",
	    read_maskset(-1, LKST_MASKSET_SIZE_MAX, body));
	ROW(-EINVAL, "lkst_maskset_read: id is out of range",
	    read_maskset(256, LKST_MASKSET_SIZE_MAX, body));
	ROW(-EINVAL, "lkst_maskset_read: there is no such maskset",
	    read_maskset(77, LKST_MASKSET_SIZE_MAX, body));
	ROW(0, "lkst_maskset_read: success", read_maskset(VOID, LKST_MASKSET_SIZE_MAX, body));
	len = body->len;
	ROW(-EINVAL, "lkst_maskset_read: maskset_size is 0", read_maskset(2, 0, body));
	ROW(-EINVAL, "lkst_maskset_read: maskset_size is too small",
	    read_maskset(2, LKST_MASKSET_SIZE(len) - 1, body));
	skip("lkst_maskset_read: -ENOMEM", "it allocates nothing");
	skip("lkst_maskset_read: -EPERM", "functions look at no capability");
}

static void take_all_masksets(void)
{
	char name[20];
	int id;

	for (id = 3; id <= LKST_MASKSET_ID_MAX; id++) {
		snprintf(name, sizeof(name), "maskset %d", id);
		write_maskset(id, name, MARK, LOG);
	}
}

void free_all_masksets(void)
{
	int id;

	for (id = 3; id <= LKST_MASKSET_ID_MAX; id++)
		lkst_maskset_delete(id);
}

void test_maskset_write(void)
{
	static const char no_end[] = "name of LKST_MASKSET_NAME_LEN chars";

	ROW(-EINVAL, "lkst_maskset_write: NULL", lkst_maskset_write(NULL));
	ROW(-EINVAL, "lkst_maskset_write: maskset is NULL",
	    write_area(VOID, LKST_MASKSET_SIZE(1), NULL));
	ROW(-EINVAL, "lkst_maskset_write: maskset_size is 0", write_area(VOID, 0, body));
	ROW(-EINVAL, "lkst_maskset_write: maskset_size is too small",
	    (body->len = 1, write_area(VOID, LKST_MASKSET_SIZE(1) - 1, body)));
	ROW(-EINVAL, "lkst_maskset_write: len is too large",
	    (body->len = LKST_MASKSET_TABLE_LEN_MAX + 1,
	     write_area(VOID, LKST_MASKSET_SIZE(LKST_MASKSET_TABLE_LEN_MAX + 1), body)));
	ROW(-EINVAL, "lkst_maskset_write: id is negative", write_maskset(-1, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: id is out of range",
	    write_maskset(256, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: the maskset nothing",
	    write_maskset(0, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: the maskset all", write_maskset(1, "new", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: no name", write_maskset(VOID, "", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: a name without an end",
	    write_maskset(VOID, no_end, MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: the name of another one",
	    write_maskset(VOID, "all", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is negative",
	    write_maskset(VOID, "new", -1, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is out of range",
	    write_maskset(VOID, "new", 0x1000, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is not registered",
	    write_maskset(VOID, "new", OTHER_ETYPE, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event type is there twice",
	    write_two(MARK, LOG, MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: event handler is negative",
	    write_maskset(VOID, "new", MARK, -1));
	ROW(-EINVAL, "lkst_maskset_write: event handler is out of range",
	    write_maskset(VOID, "new", MARK, LKST_EVHANDLER_ID_VOID));
	ROW(-EINVAL, "lkst_maskset_write: event handler does not exist",
	    write_maskset(VOID, "new", MARK, 0xfff));
	/* Nothing records locks yet: this is refused for that, too. */
	ROW(-EINVAL, "lkst_maskset_write: lock events, and waking the daemon",
	    write_two(LKST_ETYPE_LKST_BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW,
		      LKST_ETYPE_LOCK_MIN, LOG));
	ROW(OWN_MASKSET, "lkst_maskset_write: success",
	    write_maskset(OWN_MASKSET, "own", MARK, LOG));
	ROW(-EINVAL, "lkst_maskset_write: an overwrite with a bad entry",
	    write_two(MARK, LOG, MARK, 0xfff));
	lkst_maskset_delete(OWN_MASKSET);
	take_all_masksets();
	ROW(-EBUSY, "lkst_maskset_write: no id is free", write_maskset(VOID, "new", MARK, LOG));
	free_all_masksets();
	NOMEM("lkst_maskset_write: -ENOMEM: memory runs out",
	      write_maskset(VOID, "new", MARK, LOG), lkst_maskset_delete(got));
	skip("lkst_maskset_write: -EBUSY: the maskset is collapsed",
	     "kernel memory that is overwritten is not noticed");
	skip("lkst_maskset_write: -EPERM", "functions look at no capability");
}

void test_masksets(void)
{
	ROW(-EINVAL, "lkst_maskset_set: id is negative", lkst_maskset_set(-1));
	ROW(-EINVAL, "lkst_maskset_set: id is VOID", lkst_maskset_set(VOID));
	ROW(-EINVAL, "lkst_maskset_set: id is out of range", lkst_maskset_set(256));
	ROW(-EINVAL, "lkst_maskset_set: there is no such maskset", lkst_maskset_set(77));
	skip("lkst_maskset_set: -EBUSY: the selected maskset is not initialized",
	     "one is selected before there is a module");
	skip("lkst_maskset_set: -EPERM", "functions look at no capability");

	ROW(-EINVAL, "lkst_maskset_list: NULL", lkst_maskset_list(NULL));
	ROW(-EINVAL, "lkst_maskset_list: listent is NULL", list_masksets(100, NULL));
	ROW(-EINVAL, "lkst_maskset_list: listent_size is negative",
	    list_masksets(-1, masksets));
	ROW(0, "lkst_maskset_list: success", list_masksets(MASKSETS_SIZE, masksets));
	skip("lkst_maskset_list: -ENOMEM", "it allocates nothing");
	skip("lkst_maskset_list: -EPERM", "functions look at no capability");

	write_maskset(OWN_MASKSET, "own", MARK, LOG);
	ROW(0, "lkst_maskset_set: success", lkst_maskset_set(OWN_MASKSET));
	ROW(-EINVAL, "lkst_maskset_delete: the maskset nothing", lkst_maskset_delete(0));
	ROW(-EINVAL, "lkst_maskset_delete: the maskset all", lkst_maskset_delete(1));
	ROW(-EINVAL, "lkst_maskset_delete: the default maskset", lkst_maskset_delete(2));
	ROW(-EINVAL, "lkst_maskset_delete: there is no such maskset", lkst_maskset_delete(77));
	ROW(-EINVAL, "lkst_maskset_delete: id is negative", lkst_maskset_delete(-1));
	ROW(-EINVAL, "lkst_maskset_delete: id is out of range", lkst_maskset_delete(256));
	ROW(-EBUSY, "lkst_maskset_delete: it is selected", lkst_maskset_delete(OWN_MASKSET));
	skip("lkst_maskset_delete: -EPERM", "functions look at no capability");

	ROW(OWN_MASKSET, "lkst_maskset_get_id: success", lkst_maskset_get_id("own"));
	ROW(VOID, "lkst_maskset_get_id: there is none of that name",
	    lkst_maskset_get_id("other"));
	ROW(-EINVAL, "lkst_maskset_get_id: NULL", lkst_maskset_get_id(NULL));
	ROW(-EINVAL, "lkst_maskset_get_id: no name", lkst_maskset_get_id(""));
	skip("lkst_maskset_get_id: -EPERM", "functions look at no capability");
	lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT);
	ROW(0, "lkst_maskset_delete: success", lkst_maskset_delete(OWN_MASKSET));
}
