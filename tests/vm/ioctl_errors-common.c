// SPDX-License-Identifier: GPL-2.0
/*
 * Rows that every call has: success, who may not, addresses that are bad.
 */
#include <sys/mman.h>

#include "ioctl_errors.h"

static void run_address(const struct call *call, const char *what, int error, void *address)
{
	const struct how how = { .elsewhere = true, .address = address };
	const struct row row = { .what = what, .error = error };

	run(call, &row, &how);
}

static void make_writable(void *page, bool writable)
{
	if (mprotect(page, page_size, PROT_READ | (writable ? PROT_WRITE : 0)))
		bail_out("mprotect");
}

/* "Argument is invalid", "failed to execute copy_to/from_user()". */
static void structure_rows(const struct call *call)
{
	size_t size = _IOC_SIZE(call->request);
	union arg good;

	call->good(&good);
	run_address(call, "the structure is NULL", EINVAL, NULL);
	run_address(call, "the structure is in a page that is not there", EINVAL, no_page);
	memcpy(before_end(size / 2), &good, size / 2);
	run_address(call, "the structure goes on in a page that is not there", EINVAL,
		    before_end(size / 2));
	memcpy(before_end(size), &good, size);
	run_address(call, "the structure ends where nothing more is", 0, before_end(size));
	if (!(_IOC_DIR(call->request) & _IOC_READ))
		return;
	make_writable(ro_page, true);
	memcpy(ro_page, &good, size);
	make_writable(ro_page, false);
	run_address(call, "the structure cannot be written", EINVAL, ro_page);
}

/* What is reserved must be 0: any bit of it may get a meaning. */
static void pad_rows(const struct call *call)
{
	static const struct {
		const char *what;
		uint32_t pad;
	} pads[] = { { "pad is 1", 1 }, { "pad is 2^31", 1U << 31 } };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pads); i++) {
		struct row row = { .what = pads[i].what, .error = EINVAL };

		call->good(&row.arg);
		*(uint32_t *)((char *)&row.arg + call->pad) = pads[i].pad;
		run(call, &row, &as_usual);
	}
}

/* What the call stores in its structure is no error where it finds it the next time. */
static void again_row(const struct call *call)
{
	struct row row = { .what = "with the structure of an earlier call" };

	call->good(&row.arg);
	need(call_errno(call, &row.arg, &as_usual), call->name);
	run(call, &row, &as_usual);
}

void common_rows(const struct call *call)
{
	const struct how unprivileged = { .unprivileged = true };
	const struct how and_bad = { .unprivileged = true, .elsewhere = true, .address = no_page };
	struct row row = { .what = "success" };

	call->good(&row.arg);
	run(call, &row, &as_usual);
	row.what = "not the superuser";
	row.error = EPERM;
	run(call, &row, &unprivileged);
	if (!_IOC_SIZE(call->request))
		return;
	row.what = "not the superuser, and a bad address";
	run(call, &row, &and_bad);
	structure_rows(call);
	if (call->pad)
		pad_rows(call);
	if (_IOC_DIR(call->request) & _IOC_READ && !call->enter && !call->leave)
		again_row(call);
}
