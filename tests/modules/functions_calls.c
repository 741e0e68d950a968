// SPDX-License-Identifier: GPL-2.0
/*
 * Call LKST's functions from a module. Most rows of the specification's tables of return values are
 * tested by tests/vm/device/ioctl_errors_tables.c, whose ioctls call the same functions, and by the
 * KUnit tests. This file tests the rows that no ioctl reaches and the rows that need fault
 * injection. It also calls every function that no other test module calls.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/smp.h>
#include <linux/lkst_class.h>
#include <linux/lkst_private.h>
#include "functions.h"

#define OTHER_ETYPE	0x1e1

static void finish_row(const char *desc, int got, int expected)
{
	bool changed;

	take_snapshot(&after);
	changed = expected < 0 && has_changed(&before, &after);
	report(got == expected && !changed, "%s", desc);
	if (got != expected || changed)
		seq_printf(out, "# got %d, wanted %d%s\n", got, expected,
			   changed ? "; the state has changed" : "");
}

/*
 * Make a call and check its result. If an error is expected, also check that nothing has changed.
 */
#define ROW(expected, desc, call) do {				\
	int row_got;						\
								\
	take_snapshot(&before);					\
	row_got = (call);					\
	finish_row(desc, row_got, expected);			\
} while (0)

static int status_of(u64 *online_cpu, u32 online_cpu_len, lkst_buffer_id *write_buf,
		     lkst_buffer_id *read_buf, u32 cpu_num)
{
	struct lkst_trc_status status = { address(online_cpu), address(write_buf),
					  address(read_buf), .online_cpu_len = online_cpu_len,
					  .cpu_num = cpu_num };

	return lkst_trc_status(&status);
}

static void test_status(void)
{
	lkst_buffer_id ids[3] = { 77, 77, 77 };
	u64 online[2] = { 0, 77 };

	ROW(-EINVAL, "lkst_trc_status: NULL", lkst_trc_status(NULL));
	ROW(-EINVAL, "lkst_trc_status: online_cpu_len is negative",
	    status_of(online, -8, NULL, NULL, 0));
	ROW(-EINVAL, "lkst_trc_status: cpu_num is negative", status_of(NULL, 0, ids, NULL, -1));
	ROW(0, "lkst_trc_status: success", status_of(online, 8, ids, NULL, 1));
	report(online[0] == cpumask_bits(cpu_online_mask)[0] && online[1] == 77,
	       "lkst_trc_status: online_cpu is filled up to its length");
	report(ids[0] == 0 && ids[1] == 77, "lkst_trc_status: write_buf is filled up to cpu_num");
	ROW(0, "lkst_trc_status: success", status_of(NULL, 0, NULL, ids, 1));
	report(ids[0] == LKST_BUFFER_ID_VOID && ids[1] == 77,
	       "lkst_trc_status: read_buf is filled up to cpu_num");
}

static void test_masksets_and_handlers(void)
{
	static u64 area[LKST_EVHANDLER_CTRL_SIZE_MAX / sizeof(u64) + 1];
	struct lkst_maskset_listparam maskset_list = { .listent_size = -1,
						       .listent = address(area) };
	struct lkst_evhandler_listparam evhandler_list = { -1, address(area) };
	struct lkst_evhandler_ctrl_param ctrl = { own_handler, 0, address(area), sizeof(area) };

	ROW(-EINVAL, "lkst_maskset_read: NULL", lkst_maskset_read(NULL));
	ROW(-EINVAL, "lkst_maskset_write: NULL", lkst_maskset_write(NULL));
	ROW(-EINVAL, "lkst_maskset_list: NULL", lkst_maskset_list(NULL));
	ROW(-EINVAL, "lkst_maskset_list: listent_size is negative",
	    lkst_maskset_list(&maskset_list));
	ROW(LKST_MASKSET_ID_RALL, "lkst_maskset_get_id: success", lkst_maskset_get_id("all"));
	ROW(-EINVAL, "lkst_evhandler_list: NULL", lkst_evhandler_list(NULL));
	ROW(-EINVAL, "lkst_evhandler_list: listent_size is negative",
	    lkst_evhandler_list(&evhandler_list));
	ROW(-EINVAL, "lkst_evhandler_ctrl: NULL", lkst_evhandler_ctrl(NULL));
	ROW(-EINVAL, "lkst_evhandler_ctrl: bufsize is too large", lkst_evhandler_ctrl(&ctrl));
	ROW(own_handler, "lkst_evhandler_get_id: success", lkst_evhandler_get_id("functions"));
}

#ifdef CONFIG_FAULT_INJECTION
static void finish_nomem(const char *desc, int failed, int other)
{
	bool changed;

	take_snapshot(&after);
	changed = has_changed(&before, &after);
	report(failed && !other && !changed, "%s", desc);
	if (!failed || other || changed)
		seq_printf(out, "# failed %d times; another error: %d%s\n", failed, other,
			   changed ? "; the state has changed" : "");
}

/*
 * Repeat a call: let its first allocation fail, then its second, and so on until the call finishes
 * without reaching the failing allocation. A call may succeed although an allocation fails.
 */
#define NOMEM(desc, call, undo) do {				\
	int nth = 0, got, failed = 0, other = 0;		\
	bool reached = true;					\
								\
	take_snapshot(&before);					\
	while (reached && nth < 1000) {				\
		current->fail_nth = ++nth;			\
		got = (call);					\
		reached = !current->fail_nth;			\
		current->fail_nth = 0;				\
		if (got >= 0)					\
			undo;					\
		else if (got == -ENOMEM)			\
			failed++;				\
		else						\
			other = got;				\
	}							\
	finish_nomem(desc, failed, other);			\
} while (0)

LKST_EH_DEV_DEF(functions_device, own_evhandler, NULL, NULL, NULL);

static int register_etype(void)
{
	static struct lkst_etype_info info = { .etype = OTHER_ETYPE, .mnemonic = "OTHER",
					       .name = "other", .args = { "", "", "", "" } };
	int ret = lkst_hook_etype_register(&info);

	if (ret >= 0)
		lkst_hook_etype_unregister(&info);
	return ret;
}

static void test_nomem(void)
{
	struct lkst_eh_device *device = &LKST_EH_DEV(functions_device);

	NOMEM("lkst_evhandler_register: -ENOMEM: memory runs out",
	      lkst_evhandler_register(0x200, "new", own_evhandler, NULL),
	      lkst_evhandler_unregister(0x200));
	NOMEM("lkst_eh_device_register: -ENOMEM: memory runs out",
	      lkst_eh_device_register(device), lkst_eh_device_unregister(device));
	NOMEM("lkst_hook_etype_register: -ENOMEM: memory runs out", register_etype(), (void)0);
}
#else
static void test_nomem(void)
{
	report(true, "-ENOMEM: memory runs out # SKIP this kernel has no fault injection");
}
#endif

static int read_buffer(u64 size, struct lkst_log_record *records)
{
	struct lkst_log_buffer param = { .cpu = raw_smp_processor_id(), .read_size = size,
					 .buffer = address(records) };
	int ret = lkst_buffer_read(&param);

	return ret ?: param.result_read_size;
}

static void test_buffers(void)
{
	struct lkst_log_record record;
	u64 recid;

	ROW(-EINVAL, "lkst_buffer_read: NULL", lkst_buffer_read(NULL));
	ROW(-EINVAL, "lkst_buffer_read: buffer is NULL", read_buffer(sizeof(record), NULL));
	ROW(-EINVAL, "lkst_buffer_read: read_size is negative", read_buffer(-1, &record));
	ROW(sizeof(record), "lkst_buffer_read: success", read_buffer(sizeof(record), &record));
	report(record.posix.log_magic == LKST_LOG_MAGIC &&
	       record.posix.log_processor == raw_smp_processor_id(),
	       "lkst_buffer_read: the record is valid");
	ROW(-EINVAL, "lkst_buffer_shift: the current buffer has no next buffer",
	    lkst_buffer_shift());
	ROW(-EINVAL, "lkst_buffer_jump: id is negative", lkst_buffer_jump(-1));
	ROW(-EINVAL, "lkst_buffer_jump: id is VOID", lkst_buffer_jump(LKST_BUFFER_ID_VOID));
	ROW(-EINVAL, "lkst_buffer_jump: id is out of range", lkst_buffer_jump(256));

	recid = get_status().static_buffer_recid;
	lkst_evhandlerprim_static_log(NULL, OWN_ETYPE, 1, 2, 3, 4);
	report(get_status().static_buffer_recid == recid + 1,
	       "lkst_evhandlerprim_static_log: adds a record to the static buffer");
}

void test_calls(void)
{
	test_status();
	test_masksets_and_handlers();
	test_nomem();
	test_buffers();
}

/* Test calls while buffer 0, to which this CPU's next shift leads, is being read. */
void test_busy(void)
{
	ROW(-EAGAIN, "lkst_buffer_shift: the next buffer is being read", lkst_buffer_shift());
	ROW(-EAGAIN, "lkst_buffer_jump: the buffer is being read", lkst_buffer_jump(0));
	ROW(0, "lkst_buffer_jump: success", lkst_buffer_jump(2));
	ROW(-EBUSY, "lkst_buffer_delete: the buffer is the current one", lkst_buffer_delete(2));
}
