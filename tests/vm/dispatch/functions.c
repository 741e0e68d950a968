// SPDX-License-Identifier: GPL-2.0
/*
 * Report the results of the module "functions", which tests LKST's functions for kernel code, and
 * set up the one state that needs a process: a buffer that is being read.
 */
#include "fault.h"
#include "modules.h"

/* Print and count the results in @path. Their numbers continue after the earlier results. */
static void show(const char *path)
{
	FILE *results = fopen(path, "r");
	char line[500];

	bail_if(!results, path);
	while (fgets(line, sizeof(line), results)) {
		tap_count += !strncmp(line, "ok ", 3) || !strncmp(line, "not ok ", 7);
		tap_failed += !strncmp(line, "not ok ", 7);
		fputs(line, stdout);
		fflush(stdout);
	}
	fclose(results);
}

/*
 * Create buffers 1 and 2 of CPU 0, link buffers 0 and 1 into a ring, make buffer 1 the current one,
 * and read from buffer 0.
 */
static void read_a_buffer(void)
{
	struct lkst_log_record record;

	need(create(0, 1, 0, 65536) ?: create(0, 2, VOID, 65536), "BUFFER_CREATE");
	need(link_buffer(0, 0, 1), "BUFFER_LINK");
	need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD");
	need(shift(0), "BUFFER_SHIFT");
	bail_if(read(lkst_fd, &record, sizeof(record)) != sizeof(record), "read");
}

int main(void)
{
	fault_init();
	need(load_module("functions"), "loading functions.ko");
	open_lkst();
	pin(0);
	show("/proc/lkst_functions");
	read_a_buffer();
	show("/proc/lkst_functions_busy");
	reopen_lkst();
	need(jump(0, 0), "BUFFER_JUMP");
	need(delete_buffer(0, 1) ?: delete_buffer(0, 2), "BUFFER_DELETE");
	need(link_buffer(0, 0, VOID), "BUFFER_LINK");
	need(unload_module("functions"), "unloading functions.ko");
	return done_testing();
}
