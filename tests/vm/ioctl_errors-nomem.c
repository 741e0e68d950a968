// SPDX-License-Identifier: GPL-2.0
/*
 * "Kernel cannot allocate memory": the first allocation of the call fails, then the second, and
 * so on until it makes no more. One that the kernel makes up for is no error.
 */
#include "fault.h"
#include "ioctl_errors.h"

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

	if (!fault_possible()) {
		skip(call, ENOMEM, what, "this kernel cannot let memory run out");
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
