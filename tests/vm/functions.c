// SPDX-License-Identifier: GPL-2.0
/*
 * Shows what the module functions finds when it calls LKST's functions for kernel code, and sees
 * to the state that only a process can bring about: a buffer that is being read.
 */
#include <sys/syscall.h>

#include "buffers.h"

/* The results in a file of the module, which go on where those before have ended. */
static void show(const char *path)
{
	FILE *results = fopen(path, "r");
	char line[500];

	if (!results)
		bail_out(path);
	while (fgets(line, sizeof(line), results)) {
		tap_count += !strncmp(line, "ok ", 3) || !strncmp(line, "not ok ", 7);
		tap_failed += !strncmp(line, "not ok ", 7);
		fputs(line, stdout);
		fflush(stdout);
	}
	fclose(results);
}

/* Of CPU 0: buffer 0 is being read, 1 is written and leads there, and there is a third one. */
static void read_a_buffer(void)
{
	struct lkst_log_record record;

	need(create(0, 1, 0, 65536) ?: create(0, 2, VOID, 65536), "BUFFER_CREATE");
	need(link_buffer(0, 0, 1), "BUFFER_LINK");
	need(set_mode(0, LKST_READ_MODE_STD), "SETRMOD");
	need(shift(0), "BUFFER_SHIFT");
	if (read(lkst_fd, &record, sizeof(record)) != sizeof(record))
		bail_out("read");
}

int main(void)
{
	int module = open("modules/functions.ko", O_RDONLY);

	if (module < 0 || syscall(SYS_finit_module, module, "", 0))
		bail_out("modules/functions.ko");
	open_lkst();
	pin(0);
	show("/proc/lkst_functions");
	read_a_buffer();
	show("/proc/lkst_functions_busy");
	close(lkst_fd);
	open_lkst();
	need(jump(0, 0), "BUFFER_JUMP");
	need(delete_buffer(0, 1) ?: delete_buffer(0, 2), "BUFFER_DELETE");
	need(link_buffer(0, 0, VOID), "BUFFER_LINK");
	if (syscall(SYS_delete_module, "functions", 0))
		bail_out("delete_module");
	return done_testing();
}
