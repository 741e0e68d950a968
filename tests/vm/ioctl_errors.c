// SPDX-License-Identifier: GPL-2.0
/*
 * Each row of each table of return values in section 4.7.1 of the specification: the call, the
 * state it needs, the error, and that a call which fails leaves everything as it was.
 */
/* also: -m32 */
#include <sys/mman.h>
#include <sys/syscall.h>

#include "fault.h"
#include "ioctl_errors.h"

char *no_page, *ro_page, *last_page;
size_t page_size;

int ctrl_handler = -1;

static void no_requests(void)
{
	static const struct call none[] = {
		{ "the retired BUFFER_RING", LKST_IOC_BUFFER_RING },
		{ "an unknown number", _IO(LKST_IOC_MAGIC, 0x7f) },
		{ "an unknown size", _IOWR(LKST_IOC_MAGIC, 0x10, char[999]) },
		{ "another driver's request", 0x5401 },
	};
	const struct how unprivileged = { .unprivileged = true };
	const struct row unknown = { "there is no such call", ENOTTY };
	const struct row not_allowed = { "not the superuser", EPERM };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		run(&none[i], &unknown, &as_usual);
		run(&none[i], &not_allowed, &unprivileged);
	}
}

static void (*const rows[CALLS])(const struct call *call) = {
	[TRC_STATUS] = status_rows,
	[MASKSET_READ] = maskset_read_rows,
	[MASKSET_WRITE] = maskset_write_rows,
	[MASKSET_OVERWRITE] = maskset_over_rows,
	[MASKSET_SET] = maskset_set_rows,
	[MASKSET_LIST] = maskset_list_rows,
	[MASKSET_DELETE] = maskset_delete_rows,
	[EVHANDLER_LIST] = evhandler_list_rows,
	[EVHANDLER_CTRL] = ctrl_rows,
	[BUFFER_READ] = buffer_read_rows,
	[BUFFER_CREATE] = create_rows,
	[BUFFER_CREATE_ALL] = create_all_rows,
	[BUFFER_SHIFT] = shift_rows,
	[BUFFER_JUMP] = jump_rows,
	[BUFFER_LINK] = link_rows,
	[BUFFER_DELETE] = delete_rows,
	[BUFFER_LIST] = buffer_list_rows,
	[BUFFER_SETRMOD] = setrmod_rows,
	[BLOCK_SEEK] = seek_rows,
	[BLOCK_WAIT] = not_in_blocks_rows,
	[BLOCK_FLUSH] = not_in_blocks_rows,
	[ENTRY_LOG] = entry_log_rows,
	[READ] = read_rows,
};

static void *map(int protection)
{
	void *page = mmap(NULL, page_size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		bail_out("mmap");
	return page;
}

static void map_pages(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	no_page = map(PROT_NONE);
	ro_page = map(PROT_READ);
	last_page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	if (last_page == MAP_FAILED || munmap(last_page + page_size, page_size))
		bail_out("mmap");
}

static void find_ctrl_handler(const char *module)
{
	int i, fd = open(module, O_RDONLY), num;
	struct lkst_evhandler_listparam list = { .listent_size = sizeof(handlers),
						 .listent = user(handlers) };

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		bail_out(module);
	close(fd);
	need(lkst(LKST_IOC_EVHANDLER_LIST, &list), "EVHANDLER_LIST");
	num = get_status().evhandler_num;
	for (i = 0; i < num; i++)
		if (!strcmp(handlers[i].name, "functions"))
			ctrl_handler = handlers[i].id;
	if (ctrl_handler < 0)
		bail_out("event handler functions");
}

int main(void)
{
	const struct call *call;

	open_lkst();
	map_pages();
	fault_init();
	find_ctrl_handler("modules/functions.ko");
	if (cpus() < 2 || written_buffer(0) != 0)
		bail_out("want two CPUs that record into their buffers 0");

	for (call = calls; call < calls + CALLS; call++) {
		common_rows(call);
		if (rows[call - calls])
			rows[call - calls](call);
		if (call->nomem)
			nomem_row(call);
	}
	ctrl_copies(&calls[EVHANDLER_CTRL]);
	no_requests();
	if (syscall(SYS_delete_module, "functions", 0))
		bail_out("delete_module");
	return done_testing();
}
