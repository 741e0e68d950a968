// SPDX-License-Identifier: GPL-2.0
/*
 * Check each row of each table of return values in section 4.7.1 of the specification: in the state
 * that the row describes, the call returns the error of the row. A call that fails must not change
 * anything.
 */
/* also: -m32 */
#include <sys/mman.h>

#include "fault.h"
#include "ioctl_errors.h"
#include "modules.h"

char *no_page, *ro_page, *last_page;
size_t page_size;

union maskset_room maskset_room;
struct lkst_maskset_listent masksets[256];
struct lkst_evhandler_listent handlers[LKST_EVHANDLER_ID_MAX + 1];
unsigned char area[2 * LKST_EVHANDLER_CTRL_SIZE_MAX];
int ctrl_handler;

static void *map(size_t size, int protection)
{
	void *page = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	bail_if(page == MAP_FAILED, "mmap");
	return page;
}

static void map_pages(void)
{
	page_size = sysconf(_SC_PAGESIZE);
	no_page = map(page_size, PROT_NONE);
	ro_page = map(page_size, PROT_READ);
	last_page = map(2 * page_size, PROT_READ | PROT_WRITE);
	bail_if(munmap(last_page + page_size, page_size), "munmap");
}

/*
 * Check that EVHANDLER_CTRL passes the caller's memory to the control function, copies the changed
 * memory back, and returns the function's result.
 */
static void ctrl_copies(const struct call *call)
{
	union arg arg = call->good;
	bool inverted;

	memset(area, 0xf0, sizeof(area));
	inverted = !ioctl(lkst_fd, call->request, &arg) && area[0] == 0x0f && area[99] == 0x0f;
	ok(inverted && area[100] == 0xf0, "%s: 0: the area is copied in and out", call->name);
	ok(arg.ctrl.ret == 0x0f && arg.ctrl.buf == user(area) && arg.ctrl.bufsize == 100,
	   "%s: 0: ret is what the control function returned", call->name);
}

/* Record marks until the history has a chunk: the rows of HISTORY_READ need one. */
static void fill_history(void)
{
	struct lkst_history_status status = { .cpu = 0 };

	need(move_to(0), "sched_setaffinity");
	do {
		for (int i = 0; i < 1000; i++)
			need(mark(0, 0, 0, 0), "ENTRY_LOG");
		sleep_ms(10);
		need(lkst(LKST_IOC_HISTORY_STATUS, &status), "HISTORY_STATUS");
		if (!(status.flags & LKST_HISTORY_ON))
			bail_out("need a history");
	} while (!status.chunks);
}

static void no_requests(void)
{
	static const struct call none[] = {
		{ "the retired BUFFER_RING", LKST_IOC_BUFFER_RING },
		{ "an unknown number", _IO(LKST_IOC_MAGIC, 0x7f) },
		{ "an unknown size", _IOWR(LKST_IOC_MAGIC, 0x10, char[999]) },
		{ "another driver's request", 0x5401 },
	};
	const struct row unknown = { .desc = "there is no such call", .error = ENOTTY };
	const struct row not_allowed = { .desc = "not the superuser", .error = EPERM,
					 .unprivileged = true };

	for (unsigned int i = 0; i < ARRAY_SIZE(none); i++) {
		run(&none[i], &unknown);
		run(&none[i], &not_allowed);
	}
}

int main(void)
{
	open_lkst();
	map_pages();
	fault_init();
	need(load_module("functions"), "modules/functions.ko");
	ctrl_handler = handler_id("functions");
	if (ctrl_handler < 0)
		bail_out("event handler functions");
	if (cpus() < 2 || written_buffer(0) != 0)
		bail_out("need two CPUs that record into their buffers 0");
	make_calls();
	fill_history();

	for (int id = 0; id < CALLS; id++) {
		common_rows(&calls[id]);
		own_rows(&calls[id], id);
		if (calls[id].nomem)
			nomem_row(&calls[id]);
	}
	ctrl_copies(&calls[EVHANDLER_CTRL]);
	no_requests();
	need(unload_module("functions"), "delete_module");
	return done_testing();
}
