// SPDX-License-Identifier: GPL-2.0
/*
 * The rows of the calls about status, masksets and event handlers.
 */
#include "ioctl_errors.h"
#include "proc_etypes.h"

#define PROCESS_FORK 0x005
#define LOCK_EVENT   0x080

void status_rows(const struct call *call)
{
	uint64_t *online = before_end(sizeof(*online));
	lkst_buffer_id *ids = before_end(cpus() * sizeof(*ids));
	const struct row rows[] = {
		{ "online_cpu: NULL with a length", 0, .arg.status = { .online_cpu_len = 8 } },
		{ "no areas, and the sizes that an earlier call returned", 0,
		  .arg.status = get_status() },
		{ "online_cpu is not there", EINVAL,
		  .arg.status = { .online_cpu = user(no_page), .online_cpu_len = 8 } },
		{ "online_cpu cannot be written", EINVAL,
		  .arg.status = { .online_cpu = user(ro_page), .online_cpu_len = 8 } },
		{ "online_cpu_len is no multiple of 8", EINVAL,
		  .arg.status = { .online_cpu = user(online), .online_cpu_len = 7 } },
		{ "online_cpu_len is negative", EINVAL,
		  .arg.status = { .online_cpu = user(online), .online_cpu_len = -8 } },
		{ "write_buf is not there", EINVAL,
		  .arg.status = { .write_buf = user(no_page), .cpu_num = 1 } },
		{ "write_buf cannot be written", EINVAL,
		  .arg.status = { .write_buf = user(ro_page), .cpu_num = 1 } },
		{ "read_buf is not there", EINVAL,
		  .arg.status = { .read_buf = user(no_page), .cpu_num = 1 } },
		{ "read_buf goes on where nothing is", EINVAL,
		  .arg.status = { .read_buf = user(ids + 1), .cpu_num = cpus() } },
		{ "cpu_num is negative", EINVAL,
		  .arg.status = { .read_buf = user(ids), .cpu_num = -1 } },
		{ "no more is stored than there are CPUs", 0,
		  .arg.status = { .online_cpu = user(online),
				  .online_cpu_len = 64,
				  .write_buf = user(ids),
				  .read_buf = user(ids),
				  .cpu_num = 1000 } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void maskset_read_rows(const struct call *call)
{
	unsigned int len = maskset_len();
	char *fits = before_end(page_size - 8);
	const struct row rows[] = {
		{ "maskset is NULL", EINVAL,
		  .arg.maskset = { .id = 2, .maskset_size = sizeof(maskset_room) } },
		{ "maskset is not there", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(no_page) } },
		{ "maskset cannot be written", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(ro_page) } },
		{ "maskset goes on where nothing is", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(before_end(LKST_MASKSET_SIZE(len) - 1)) } },
		{ "no more is stored than the maskset has", 0,
		  .arg.maskset = { .id = 2,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(before_end(LKST_MASKSET_SIZE(len))) } },
		{ "maskset_size is 0", EINVAL, .arg.maskset = { .id = 2, .maskset = user(fits) } },
		{ "maskset_size is too small", EINVAL,
		  .arg.maskset = { .id = 2,
				   .maskset_size = LKST_MASKSET_SIZE(len) - 1,
				   .maskset = user(fits) } },
		{ "maskset_size is negative", EINVAL,
		  .arg.maskset = { .id = 2, .maskset_size = -1, .maskset = user(fits) } },
		{ "id is negative", EINVAL,
		  .arg.maskset = { .id = -1,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(&maskset_room) } },
		{ "id is out of range", EINVAL,
		  .arg.maskset = { .id = 256,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(&maskset_room) } },
		{ "there is no such maskset", EINVAL,
		  .arg.maskset = { .id = 77,
				   .maskset_size = sizeof(maskset_room),
				   .maskset = user(&maskset_room) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

/* An event type that is absent. The test sees to it that there is one. */
static int absent_etype(void)
{
	int etype = LKST_ETYPE_NUM - 1;

	read_proc_etypes();
	while (etype && (!*proc_etypes[etype].mnemonic || proc_etypes[etype].present))
		etype--;
	return etype;
}

#define ENTRIES(...)                                                      \
	ARRAY_SIZE(((const struct lkst_maskset_entry[]){ __VA_ARGS__ })), \
		(const struct lkst_maskset_entry[])                       \
	{                                                                 \
		__VA_ARGS__                                               \
	}

/* A maskset with these entries. */
#define WRITE(...) .arg.maskset = write_param(VOID, "new", ENTRIES(__VA_ARGS__))

void maskset_write_rows(const struct call *call)
{
	struct lkst_maskset_param one = write_param(VOID, "new", 1, one_entry);
	static union maskset_room too_long = { { "new", LKST_MASKSET_TABLE_LEN_MAX + 1 } };
	const char *no_end = "name of LKST_MASKSET_NAME_LEN chars";
	void *last = before_end(LKST_MASKSET_SIZE(1));
	int absent = absent_etype();
	const struct row rows[] = {
		{ "maskset is NULL", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size } },
		{ "maskset is not there", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size,
				   .maskset = user(no_page) } },
		{ "maskset goes on where nothing is", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size,
				   .maskset = user(last) + 1 } },
		{ "maskset ends where nothing more is", 0,
		  .arg.maskset = { VOID, .maskset_size = one.maskset_size,
				   .maskset = user(last) } },
		{ "maskset_size is 0", EINVAL, .arg.maskset = { VOID, .maskset = one.maskset } },
		{ "maskset_size is too small for any maskset", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = LKST_MASKSET_SIZE(0) - 1,
				   .maskset = one.maskset } },
		{ "maskset_size is too small for its len", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = LKST_MASKSET_SIZE(1) - 1,
				   .maskset = one.maskset } },
		{ "maskset_size is negative", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = -1, .maskset = one.maskset } },
		{ "len is too large", EINVAL,
		  .arg.maskset = { VOID, .maskset_size = LKST_MASKSET_SIZE(too_long.body.len),
				   .maskset = user(&too_long) } },
		{ "id is negative", EINVAL, .arg.maskset = write_param(-1, "new", 1, one_entry) },
		{ "id is out of range", EINVAL,
		  .arg.maskset = write_param(256, "new", 1, one_entry) },
		{ "id is that of the maskset nothing", EINVAL,
		  .arg.maskset = write_param(0, "new", 1, one_entry) },
		{ "id is that of the maskset all", EINVAL,
		  .arg.maskset = write_param(1, "new", 1, one_entry) },
		{ "no name for a new id", EINVAL,
		  .arg.maskset = write_param(VOID, "", 1, one_entry) },
		{ "no name for a new id that was given", EINVAL,
		  .arg.maskset = write_param(77, "", 1, one_entry) },
		{ "the name has no end", EINVAL,
		  .arg.maskset = write_param(VOID, no_end, 1, one_entry) },
		{ "the name is that of another maskset", EINVAL,
		  .arg.maskset = write_param(VOID, "default", 1, one_entry) },
		{ "event type is negative", EINVAL, WRITE({ -1, 1 }) },
		{ "event type is out of range", EINVAL, WRITE({ 0x1000, 1 }) },
		{ "event type is out of range and masked", EINVAL, WRITE({ 0x1000, 0 }) },
		{ "event type is not registered", EINVAL,
		  WRITE({ USER_MARK, 1 }, { UNREGISTERED, 1 }) },
		{ "event type is not registered, but masked", 0, WRITE({ UNREGISTERED, 0 }) },
		{ "event type is there twice", EINVAL, WRITE({ USER_MARK, 1 }, { USER_MARK, 1 }) },
		{ "event handler is negative", EINVAL, WRITE({ USER_MARK, -1 }) },
		{ "event handler is out of range", EINVAL, WRITE({ USER_MARK, 0x1000 }) },
		{ "event handler does not exist", EINVAL, WRITE({ USER_MARK, 0xfff }) },
		/*
		 * Nothing records locks yet, so that this row cannot tell for which of the two
		 * reasons it is refused.
		 */
		{ "lock events, and waking the daemon", EINVAL,
		  WRITE({ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW }, { LOCK_EVENT, 1 }) },
		{ "locks masked, and waking the daemon", 0,
		  WRITE({ BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW }, { LOCK_EVENT, 0 }) },
		{ "no id is free", EBUSY, .arg.maskset = one, .enter = all_masksets },
		{ "LKST's memory is used up", ENOMEM, .arg.maskset = one, .enter = all_memory,
		  .leave = one_buffer },
	};
	const struct row absent_row = { "event type is absent", EINVAL, WRITE({ absent, 1 }) };

	memcpy(last, (void *)(uintptr_t)one.maskset, LKST_MASKSET_SIZE(1));
	run_rows(call, rows, ARRAY_SIZE(rows));
	run(call, &absent_row, &as_usual);
	skip(call, EBUSY, "the maskset is collapsed",
	     "kernel memory that is overwritten is not noticed");
}

/* The specification's rows are about the maskset itself, which the first call's are, too. */
void maskset_over_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "the name is that of another maskset", EINVAL,
		  .arg.maskset = write_param(OWN_MASKSET, "default", 1, one_entry) },
		{ "an entry behind a good one is bad", EINVAL,
		  .arg.maskset = write_param(OWN_MASKSET, "other",
					     ENTRIES({ PROCESS_FORK, 1 }, { USER_MARK, 0xfff })) },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void maskset_set_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "id is negative", EINVAL, .arg.number = -1 },
		{ "id is VOID", EINVAL, .arg.number = LKST_MASKSET_ID_VOID },
		{ "id is out of range", EINVAL, .arg.number = 256 },
		{ "there is no such maskset", EINVAL, .arg.number = 77 },
		{ "LKST is stopped", EBUSY, .arg.number = 2, .enter = stop, .leave = start },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
	skip(call, EBUSY, "the selected maskset is not initialized",
	     "one is selected before there is a device");
}

void maskset_list_rows(const struct call *call)
{
	int num = get_status().maskset_num;
	size_t size = LKST_MASKSET_LISTENT_SIZE(num);
	const struct row rows[] = {
		{ "listent is NULL", EINVAL, .arg.maskset_list = { .listent_size = size } },
		{ "listent is NULL, of size 0", EINVAL },
		{ "listent is not there", EINVAL,
		  .arg.maskset_list = { .listent_size = size, .listent = user(no_page) } },
		{ "listent cannot be written", EINVAL,
		  .arg.maskset_list = { .listent_size = size, .listent = user(ro_page) } },
		{ "listent goes on where nothing is", EINVAL,
		  .arg.maskset_list = { .listent_size = size,
					.listent = user(before_end(size - 1)) } },
		{ "no more is stored than the list has", 0,
		  .arg.maskset_list = { .listent_size = 100000000,
					.listent = user(before_end(size)) } },
		{ "no more is stored than there is room for", 0,
		  .arg.maskset_list = { .listent_size = LKST_MASKSET_LISTENT_SIZE(1) + 1,
					.listent =
						user(before_end(LKST_MASKSET_LISTENT_SIZE(1))) } },
		{ "listent_size is negative", EINVAL,
		  .arg.maskset_list = { .listent_size = -1, .listent = user(masksets) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void maskset_delete_rows(const struct call *call)
{
	const struct row rows[] = {
		{ "the maskset nothing", EINVAL, .arg.number = 0 },
		{ "the maskset all", EINVAL, .arg.number = 1 },
		{ "the default maskset", EINVAL, .arg.number = 2 },
		{ "there is no such maskset", EINVAL, .arg.number = 77 },
		{ "id is negative", EINVAL, .arg.number = -1 },
		{ "id is out of range", EINVAL, .arg.number = 256 },
		{ "the maskset is selected", EBUSY, .arg.number = OWN_MASKSET,
		  .enter = own_maskset_is_selected },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void evhandler_list_rows(const struct call *call)
{
	int num = get_status().evhandler_num;
	size_t size = LKST_EVHANDLER_LISTENT_SIZE(num);
	const struct row rows[] = {
		{ "listent is NULL", EINVAL, .arg.evhandler_list = { .listent_size = size } },
		{ "listent is not there", EINVAL,
		  .arg.evhandler_list = { .listent_size = size, .listent = user(no_page) } },
		{ "listent cannot be written", EINVAL,
		  .arg.evhandler_list = { .listent_size = size, .listent = user(ro_page) } },
		{ "listent goes on where nothing is", EINVAL,
		  .arg.evhandler_list = { .listent_size = size,
					  .listent = user(before_end(size - 1)) } },
		{ "no more is stored than the list has", 0,
		  .arg.evhandler_list = { .listent_size = 100000000,
					  .listent = user(before_end(size)) } },
		{ "no more is stored than there is room for", 0,
		  .arg.evhandler_list = { .listent_size = LKST_EVHANDLER_LISTENT_SIZE(1) + 1,
					  .listent = user(
						  before_end(LKST_EVHANDLER_LISTENT_SIZE(1))) } },
		{ "listent_size is negative", EINVAL,
		  .arg.evhandler_list = { .listent_size = -1, .listent = user(handlers) } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void ctrl_rows(const struct call *call)
{
	int id = ctrl_handler;
	const struct row rows[] = {
		{ "id is negative", EINVAL, .arg.ctrl = { -1 } },
		{ "id is out of range", EINVAL, .arg.ctrl = { LKST_EVHANDLER_ID_VOID } },
		{ "there is no such event handler", EINVAL, .arg.ctrl = { 0xfff } },
		{ "it has no control function", EINVAL,
		  .arg.ctrl = { LKST_EVHANDLER_ID_ENTRY_LOG } },
		{ "buf is NULL, bufsize is not 0", EINVAL, .arg.ctrl = { id, .bufsize = 1 } },
		{ "buf is NULL, bufsize is 0", 0, .arg.ctrl = { id } },
		{ "bufsize is 0, buf is not NULL", EINVAL, .arg.ctrl = { id, .buf = user(area) } },
		{ "bufsize is negative", EINVAL,
		  .arg.ctrl = { id, .buf = user(area), .bufsize = -1 } },
		{ "bufsize is too large", EINVAL,
		  .arg.ctrl = { id, .buf = user(area),
				.bufsize = LKST_EVHANDLER_CTRL_SIZE_MAX + 1 } },
		{ "bufsize is as large as it may be", 0,
		  .arg.ctrl = { id, .buf = user(area), .bufsize = LKST_EVHANDLER_CTRL_SIZE_MAX } },
		{ "buf is not there", EINVAL,
		  .arg.ctrl = { id, .buf = user(no_page), .bufsize = 1 } },
		{ "buf cannot be written", EINVAL,
		  .arg.ctrl = { id, .buf = user(ro_page), .bufsize = 1 } },
		{ "buf goes on where nothing is", EINVAL,
		  .arg.ctrl = { id, .buf = user(before_end(8)), .bufsize = 9 } },
		{ "buf ends where nothing more is", 0,
		  .arg.ctrl = { id, .buf = user(before_end(8)), .bufsize = 8 } },
	};

	run_rows(call, rows, ARRAY_SIZE(rows));
}

void ctrl_copies(const struct call *call)
{
	union arg arg;
	bool inverted;

	call->good(&arg);
	memset(area, 0xf0, sizeof(area));
	inverted = !ioctl(lkst_fd, call->request, &arg) && area[0] == 0x0f && area[99] == 0x0f;
	ok(inverted && area[100] == 0xf0, "%s: 0: the area is copied in and out", call->name);
	ok(arg.ctrl.ret == 0x0f && arg.ctrl.buf == user(area) && arg.ctrl.bufsize == 100,
	   "%s: 0: ret is what the control function returned", call->name);
}
