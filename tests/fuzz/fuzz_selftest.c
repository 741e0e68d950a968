// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the fuzzer itself: a target with an artificial bug, which the fuzzer must find. The
 * target fails for an undamaged trace whose machine is not x86_64. All traces in the corpus are
 * from x86_64, so the fuzzer has to change the name of the machine, which two checksums protect.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/trace/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int reports = 0;
	const struct lkst_trace_hooks hooks = { .ctx = &reports, .report = count_report };
	int fd = fuzz_file(data, size);
	struct lkst_trace *trace;
	struct lkst_error err;
	const char *machine;
	size_t len;

	trace = lkst_trace_open_fd(fd, "T", &hooks, &err);
	machine = trace ? lkst_trace_system(trace, "machine", &len) : NULL;
	if (machine && !reports)
		MUST(len == strlen("x86_64") && !memcmp(machine, "x86_64", len));
	lkst_trace_close(trace);
	close(fd);
	return 0;
}
