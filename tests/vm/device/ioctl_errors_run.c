// SPDX-License-Identifier: GPL-2.0
/* Run a row: make its call with or without CAP_SYS_ADMIN, and check the result and the state. */
#include <sys/mman.h>

#include "fault.h"
#include "ioctl_errors.h"
#include "processes.h"

/* The state of LKST as text */

static unsigned int sum_of(const void *data, size_t size)
{
	const unsigned char *byte = data;
	unsigned int sum = 2166136261U;

	while (size--)
		sum = (sum ^ *byte++) * 16777619U;
	return sum;
}

static void print_masksets(FILE *to)
{
	struct lkst_maskset_listparam list = { 0, 0, sizeof(masksets), user(masksets) };
	struct lkst_trc_status status = get_status();

	fprintf(to, "current %d saved %d state %u masksets %d handlers %d memory %llu of %llu\n",
		status.current_maskset_id, status.saved_maskset_id, status.state,
		status.maskset_num, status.evhandler_num, (ull)status.memory,
		(ull)status.memory_max);
	bail_if(lkst(LKST_IOC_MASKSET_LIST, &list), "MASKSET_LIST");
	for (int i = 0; i < status.maskset_num; i++) {
		struct lkst_maskset_param param = { masksets[i].id, 0, sizeof(maskset_room),
						    user(&maskset_room) };

		bail_if(lkst(LKST_IOC_MASKSET_READ, &param), "MASKSET_READ");
		fprintf(to, "maskset %d \"%s\" %u %x\n", masksets[i].id, masksets[i].name,
			masksets[i].len,
			sum_of(&maskset_room, LKST_MASKSET_SIZE(maskset_room.body.len)));
	}
}

static void print_handlers(FILE *to)
{
	struct lkst_evhandler_listparam list = { sizeof(handlers), user(handlers) };
	int num = get_status().evhandler_num;

	bail_if(lkst(LKST_IOC_EVHANDLER_LIST, &list), "EVHANDLER_LIST");
	for (int i = 0; i < num; i++)
		fprintf(to, "handler %d \"%s\"\n", handlers[i].id, handlers[i].name);
}

/* Print the buffers of a CPU, except for the values that change whenever an event is recorded. */
static void print_buffers(FILE *to, int cpu)
{
	const struct lkst_buffer_listent *ent;
	struct buffers buffers;

	list_buffers(&buffers, cpu);
	fprintf(to, "cpu %d written %d read %d queue %d to %d owner %d", cpu,
		buffers.param.write_buf, buffers.param.read_buf, buffers.param.rq_head,
		buffers.param.rq_tail, buffers.param.owner);
	if (buffers.param.read_buf != VOID)
		fprintf(to, " read_pos %llu", (ull)buffers.param.read_pos);
	fprintf(to, "\n");
	for (ent = buffers.ent; ent < buffers.ent + buffers.param.buffer_num; ent++)
		fprintf(to, "cpu %d buffer %d next %d size %llu state %u queue %d %d\n", cpu,
			ent->id, ent->next, (ull)ent->size, ent->state, ent->rq_prev, ent->rq_next);
}

int cpus(void)
{
	return get_status().cpu_num;
}

static char *state(void)
{
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	bail_if(!to, "open_memstream");
	print_masksets(to);
	print_handlers(to);
	for (int cpu = 0; cpu < cpus(); cpu++)
		print_buffers(to, cpu);
	fclose(to);
	return text;
}

/* Whether two results of state() are equal. If not, print the first lines that differ. */
static bool same(const char *a, const char *b)
{
	size_t line = 0, i;

	for (i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '\n')
			line = i + 1;
	if (a[i] == b[i])
		return true;
	diag("before: %.*s", (int)strcspn(a + line, "\n"), a + line);
	diag("after:  %.*s", (int)strcspn(b + line, "\n"), b + line);
	return false;
}

/* Making a call */

int call_errno(const struct call *call, union arg *arg, void *address)
{
	int fd = call_fd >= 0 ? call_fd : lkst_fd;
	long ret;

	if (!call->request)
		ret = read(fd, arg->read.to, arg->read.size);
	else if (_IOC_SIZE(call->request))
		ret = ioctl(fd, call->request, address);
	else
		ret = ioctl(fd, call->request, arg->number);
	return ret < 0 ? errno : 0;
}

/*
 * Make the call in a child without CAP_SYS_ADMIN, through a descriptor that the parent opened with
 * that capability. Return the error number.
 */
static int unprivileged_errno(const struct call *call, union arg *arg, void *address)
{
	return value_in_child(drop_admin() ? 200 : call_errno(call, arg, address));
}

/* Running rows */

static void nothing(void)
{
}

static const char *error_name(int error)
{
	return error ? strerrorname_np(error) : "0";
}

static void skip(const struct call *call, int error, const char *desc, const char *why)
{
	ok(true, "%s: %s: %s # SKIP %s", call->name, error_name(error), desc, why);
}

void run(const struct call *call, const struct row *row)
{
	int (*make)(const struct call *call, union arg *arg, void *address) =
		row->unprivileged ? unprivileged_errno : call_errno;
	char *base, *before, *after, *end;
	union arg arg = row->arg;
	bool unchanged, clean;
	int got;

	if (row->skip) {
		skip(call, row->error, row->desc, row->skip);
		return;
	}
	base = state();
	(row->enter ?: call->enter ?: nothing)();
	before = state();
	got = make(call, &arg, row->elsewhere ? row->address : &arg);
	after = state();
	unchanged = !got || same(before, after);
	(row->leave ?: call->leave ?: nothing)();
	end = state();
	clean = same(base, end);
	if (!ok(got == row->error && unchanged && clean, "%s: %s: %s", call->name,
		error_name(row->error), row->desc))
		diag("got %s%s%s", error_name(got), unchanged ? "" : "; the call changed the state",
		     clean ? "" : "; the old state is not restored");
	free(base);
	free(before);
	free(after);
	free(end);
}

static void run_address(const struct call *call, const char *desc, int error, void *address)
{
	const struct row row = { .desc = desc, .error = error, .elsewhere = true,
				 .address = address };

	run(call, &row);
}

static void make_writable(void *page, bool writable)
{
	bail_if(mprotect(page, page_size, PROT_READ | (writable ? PROT_WRITE : 0)), "mprotect");
}

/*
 * Run the rows about bad addresses of the argument. The specification calls them "argument is
 * invalid" and "failed to execute copy_to/from_user()".
 */
static void structure_rows(const struct call *call)
{
	size_t size = _IOC_SIZE(call->request);

	run_address(call, "the structure is NULL", EINVAL, NULL);
	run_address(call, "the structure is on an inaccessible page", EINVAL, no_page);
	memcpy(before_end(size / 2), &call->good, size / 2);
	run_address(call, "the structure ends on an inaccessible page", EINVAL,
		    before_end(size / 2));
	memcpy(before_end(size), &call->good, size);
	run_address(call, "the structure ends before an inaccessible page", 0, before_end(size));
	if (!(_IOC_DIR(call->request) & _IOC_READ))
		return;
	make_writable(ro_page, true);
	memcpy(ro_page, &call->good, size);
	make_writable(ro_page, false);
	run_address(call, "the structure cannot be written", EINVAL, ro_page);
}

/*
 * Check that a call refuses a reserved member that is not 0. LKST must check each bit, because a
 * later version may give the bit a meaning.
 */
static void pad_row(const struct call *call, const char *desc, uint32_t pad)
{
	struct row row = { .desc = desc, .error = EINVAL, .arg = call->good };

	memcpy((char *)&row.arg + call->pad, &pad, sizeof(pad));
	run(call, &row);
}

void common_rows(const struct call *call)
{
	const struct row success = { .desc = "success", .arg = call->good };
	const struct row denied = { .desc = "not the superuser", .error = EPERM, .arg = call->good,
				    .unprivileged = true };
	const struct row and_bad = { .desc = "not the superuser, and a bad address",
				     .error = EPERM, .unprivileged = true, .elsewhere = true,
				     .address = no_page };
	struct row again = { .desc = "with the structure of an earlier call", .arg = call->good };

	run(call, &success);
	run(call, &denied);
	if (!_IOC_SIZE(call->request))
		return;
	run(call, &and_bad);
	structure_rows(call);
	if (call->pad) {
		pad_row(call, "pad is 1", 1);
		pad_row(call, "pad is 2^31", 1U << 31);
	}
	if (_IOC_DIR(call->request) & _IOC_READ && !call->enter && !call->leave) {
		need(call_errno(call, &again.arg, &again.arg), "%s", call->name);
		run(call, &again);
	}
}

/*
 * Make the call while its @nth allocation fails. Count an ENOMEM in @failed, and clear @good if the
 * call returns another error, or if it fails but has changed the state. Return whether the call has
 * an @nth allocation.
 */
static bool call_with_fault(const struct call *call, unsigned int nth, unsigned int *failed,
			    bool *good)
{
	union arg arg = call->good;
	char *before, *after;
	bool reached;
	int got;

	(call->enter ?: nothing)();
	before = state();
	fault_at(nth);
	got = call_errno(call, &arg, &arg);
	reached = fault_was_reached();
	fault_at(0);
	after = state();
	*failed += got == ENOMEM;
	if ((got && got != ENOMEM) || (got && !same(before, after))) {
		diag("%s with allocation %u failing", error_name(got), nth);
		*good = false;
	}
	(call->leave ?: nothing)();
	free(before);
	free(after);
	return reached;
}

void nomem_row(const struct call *call)
{
	const char *desc = "an allocation fails";
	unsigned int failed = 0;
	bool good = true;
	char *base, *end;

	if (!fault_possible()) {
		skip(call, ENOMEM, desc, "this kernel has no fault injection");
		return;
	}
	base = state();
	for (unsigned int nth = 1; nth < 1000 && call_with_fault(call, nth, &failed, &good); nth++)
		;
	end = state();
	good &= same(base, end);
	if (good && !failed)
		skip(call, ENOMEM, desc, "no allocation makes this call fail");
	else if (!ok(good, "%s: ENOMEM: %s", call->name, desc))
		diag("%u allocations failed", failed);
	free(base);
	free(end);
}
