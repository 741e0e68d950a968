// SPDX-License-Identifier: GPL-2.0
/*
 * A mistake that fuzzing has to find, or it would find nothing else: a trace without damage that
 * is of another machine than all that fuzzing begins with. It takes a change behind two checksums.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "chunks.h"
#include "fuzz.h"
#include "mutate.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed);

static void count_report(void *ctx, const char *text)
{
	(void)text;
	(*(unsigned int *)ctx)++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned int reports = 0;
	const struct lkst_trace_hooks hooks = { .ctx = &reports, .report = count_report };
	int fd = memfd_create("fuzz", 0);
	struct lkst_trace *trace;
	struct lkst_error err;
	const char *machine;
	size_t len;

	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	trace = lkst_trace_open_fd(fd, "T", &hooks, &err);
	machine = trace ? lkst_trace_system(trace, "machine", &len) : NULL;
	if (machine && !reports)
		MUST(len == strlen("x86_64") && !memcmp(machine, "x86_64", len));
	lkst_trace_close(trace);
	close(fd);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	return mutate_trace(data, size, max, seed);
}
