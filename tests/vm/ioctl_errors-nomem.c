// SPDX-License-Identifier: GPL-2.0
/*
 * "Kernel cannot allocate memory": the first allocation of the call fails, then the second, and
 * so on until it makes no more. One that the kernel makes up for is no error.
 */
#include "ioctl_errors.h"

struct fault {
	int fd; /* this thread's fail-nth, or -1 */
	const char *why_not;
};

static struct fault fault = { -1, "this kernel cannot let memory run out" };

static bool fault_setting(const char *name, const char *value)
{
	char path[100];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "/sys/kernel/debug/%s", name);
	fd = open(path, O_WRONLY);
	done = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
	close(fd);
	return done;
}

void fault_init(void)
{
	if (fault_setting("failslab/ignore-gfp-wait", "N") &&
	    fault_setting("failslab/verbose", "0") &&
	    fault_setting("fail_page_alloc/ignore-gfp-wait", "N") &&
	    fault_setting("fail_page_alloc/ignore-gfp-highmem", "N") &&
	    fault_setting("fail_page_alloc/min-order", "0") &&
	    fault_setting("fail_page_alloc/verbose", "0"))
		fault.fd = open("/proc/thread-self/fail-nth", O_RDWR);
}

static void fault_at(unsigned int nth)
{
	char text[20];
	int len = snprintf(text, sizeof(text), "%u", nth);

	if (pwrite(fault.fd, text, len, 0) != len)
		bail_out("fail-nth");
}

/* Whether the call made that many allocations. */
static bool fault_was_reached(void)
{
	char text[20] = "";

	if (pread(fault.fd, text, sizeof(text) - 1, 0) < 1)
		bail_out("fail-nth");
	return atoi(text) == 0;
}

/* The call, with its @nth allocation failing. Returns whether there is an @nth. */
static bool call_with_fault(const struct call *call, unsigned int nth, unsigned int *failed,
			    bool *good)
{
	char *before, *after;
	union arg arg;
	bool reached;
	int got;

	if (call->enter)
		call->enter();
	call->good(&arg);
	before = state();
	fault_at(nth);
	got = call_errno(call, &arg, &as_usual);
	reached = fault_was_reached();
	fault_at(0);
	after = state();
	*failed += got == ENOMEM;
	if ((got && got != ENOMEM) || (got && !same(before, after))) {
		diag("%s with allocation %u failing", error_name(got), nth);
		*good = false;
	}
	if (call->leave)
		call->leave();
	free(before);
	free(after);
	return reached;
}

void nomem_row(const struct call *call)
{
	const char *what = "memory runs out";
	unsigned int nth, failed = 0;
	bool good = true;
	char *base, *end;

	if (fault.fd < 0) {
		skip(call, ENOMEM, what, fault.why_not);
		return;
	}
	base = state();
	for (nth = 1; nth < 1000 && call_with_fault(call, nth, &failed, &good); nth++)
		;
	end = state();
	good &= same(base, end);
	if (good && !failed)
		skip(call, ENOMEM, what, "this call has no allocation that may not fail");
	else if (!ok(good, "%s: ENOMEM: %s", call->name, what))
		diag("%u allocations failed", failed);
	free(base);
	free(end);
}
