// SPDX-License-Identifier: GPL-2.0
/*
 * The binary interface of lkst.h: the layout of the structures that programs allocate, which must
 * never change, and the functions that only programs use (lib/public.c).
 */
#include <errno.h>

#include "fake_kernel.h"
#include "lib/base/version.h"
#include "lib/device/device.h"
#include "lib/model.h"
#include "lib/text/classes.h"
#include "lib/text/format.h"
#include "lib/text/out.h"
#include "sample.h"
#include "tap.h"

/* Sizes of structures, and offsets of members. Programs that were built earlier depend on them. */
#define AT(type, member, offset) { #type "." #member, offsetof(struct type, member), offset }
#define SIZE(type, size)	 { #type, sizeof(struct type), size }

static const struct { const char *name; size_t is, must; } layout[] = {
	SIZE(lkst_error, 1032), AT(lkst_error, code, 0), AT(lkst_error, sys_errno, 4),
	AT(lkst_error, text, 8),
	SIZE(lkst_event, 128), AT(lkst_event, time_ns, 0), AT(lkst_event, recid, 8),
	AT(lkst_event, arg, 16), AT(lkst_event, type, 48), AT(lkst_event, tid, 52),
	AT(lkst_event, tgid, 56), AT(lkst_event, pgrp, 60), AT(lkst_event, uid, 64),
	AT(lkst_event, gid, 68), AT(lkst_event, flags, 72), AT(lkst_event, cpu, 76),
	AT(lkst_event, buffer, 80), AT(lkst_event, machine, 84), AT(lkst_event, nth, 85),
	AT(lkst_event, swapped, 86), AT(lkst_event, source, 88), AT(lkst_event, parts_before, 92),
	AT(lkst_event, clock, 96), AT(lkst_event, monotonic_ns, 104), AT(lkst_event, payload, 112),
	AT(lkst_event, more, 120),
	SIZE(lkst_follow_options, 32), AT(lkst_follow_options, cpu, 0),
	AT(lkst_follow_options, history, 4), AT(lkst_follow_options, keep_parts, 5),
	AT(lkst_follow_options, interval_ms, 8),
#if __SIZEOF_POINTER__ == 8
	SIZE(lkst_payload, 32), AT(lkst_payload, data, 0), AT(lkst_payload, size, 8),
	AT(lkst_payload, bytes, 12), AT(lkst_payload, parts, 16), AT(lkst_payload, parts_found, 18),
	AT(lkst_payload, cut, 20),
	SIZE(lkst_trace_hooks, 48), AT(lkst_trace_hooks, report, 8),
	AT(lkst_trace_hooks, progress, 16),
	SIZE(lkst_status, sizeof(struct lkst_trc_status) + 56),
	AT(lkst_status, online, sizeof(struct lkst_trc_status)),
	AT(lkst_status, write_buf, sizeof(struct lkst_trc_status) + 8),
	AT(lkst_status, read_buf, sizeof(struct lkst_trc_status) + 16),
	SIZE(lkst_buffer_list, sizeof(struct lkst_buffer_listparam) + 40),
	AT(lkst_buffer_list, ent, sizeof(struct lkst_buffer_listparam)),
	SIZE(lkst_maskset_list, 56), AT(lkst_maskset_list, num, 8), AT(lkst_maskset_list, ent, 16),
	SIZE(lkst_evhandler_list, 48), AT(lkst_evhandler_list, ent, 8),
	/* Only the library allocates the structures that have no SIZE() below, so they may grow. */
	AT(lkst_thread, index, 0), AT(lkst_thread, source, 4),
	AT(lkst_thread, tid, 8), AT(lkst_thread, tgid, 12),
	AT(lkst_thread, parent, 16), AT(lkst_thread, kernel, 20),
	AT(lkst_thread, created, 21), AT(lkst_thread, exited, 22),
	AT(lkst_thread, name, 23), AT(lkst_thread, first_ns, 40),
	AT(lkst_thread, state, 48), AT(lkst_thread, since_ns, 56),
	AT(lkst_thread, cpu, 64), AT(lkst_thread, letter, 68),
	AT(lkst_thread, syscall, 72), AT(lkst_thread, abi, 76),
	AT(lkst_thread, machine, 77), AT(lkst_thread, syscall_ns, 80),
	AT(lkst_thread, wakes, 88), SIZE(lkst_wake, 88),
	AT(lkst_wake, known, 0), AT(lkst_wake, thread, 8),
	AT(lkst_wake, cpu, 16), AT(lkst_wake, context, 20),
	AT(lkst_wake, number, 24), AT(lkst_wake, name, 32),
	AT(lkst_wake, time_ns, 64), SIZE(lkst_thread_span, 272),
	AT(lkst_thread_span, thread, 0), AT(lkst_thread_span, state, 8),
	AT(lkst_thread_span, begin_ns, 16), AT(lkst_thread_span, end_ns, 24),
	AT(lkst_thread_span, begin_known, 32), AT(lkst_thread_span, end, 36),
	AT(lkst_thread_span, cpu, 40), AT(lkst_thread_span, mode_ns, 48),
	AT(lkst_thread_span, letter, 112), AT(lkst_thread_span, syscall, 116),
	AT(lkst_thread_span, context, 120), AT(lkst_thread_span, number, 128),
	AT(lkst_thread_span, preempted, 136), AT(lkst_thread_span, wake, 144),
	AT(lkst_thread_span, behind, 232), SIZE(lkst_cpu_span, 56),
	AT(lkst_cpu_span, cpu, 4), AT(lkst_cpu_span, mode, 8),
	AT(lkst_cpu_span, thread, 16), AT(lkst_cpu_span, begin_ns, 24),
	AT(lkst_cpu_span, end_ns, 32), AT(lkst_context_span, cpu, 4),
	AT(lkst_context_span, kind, 8), AT(lkst_context_span, number, 16),
	AT(lkst_context_span, name, 24), AT(lkst_context_span, thread, 56),
	AT(lkst_context_span, begin_ns, 64), AT(lkst_context_span, end_ns, 72),
	AT(lkst_context_span, own_ns, 80),
	AT(lkst_context_span, begin_known, 88),
	AT(lkst_context_span, end_known, 89),
	AT(lkst_context_span, raised_ns, 96),
	AT(lkst_context_span, expires_ns, 104), AT(lkst_context_span, ip, 112),
	SIZE(lkst_syscall_span, 152), AT(lkst_syscall_span, thread, 0),
	AT(lkst_syscall_span, number, 8), AT(lkst_syscall_span, abi, 12),
	AT(lkst_syscall_span, arg, 16), AT(lkst_syscall_span, result, 40),
	AT(lkst_syscall_span, begin_ns, 48), AT(lkst_syscall_span, end_ns, 56),
	AT(lkst_syscall_span, begin_known, 64),
	AT(lkst_syscall_span, end_known, 65), AT(lkst_syscall_span, exited, 66),
	AT(lkst_syscall_span, state_ns, 72), AT(lkst_loss, source, 0),
	AT(lkst_loss, cpu, 4), AT(lkst_loss, begin_ns, 8),
	AT(lkst_loss, end_ns, 16), AT(lkst_loss, number, 24),
	SIZE(lkst_model_window, 80), AT(lkst_model_window, begin_ns, 0),
	AT(lkst_model_window, end_ns, 8), AT(lkst_model_window, source, 16),
	AT(lkst_model_window, ctx, 24), AT(lkst_model_window, next, 32),
	AT(lkst_model_window, progress, 40),
	SIZE(lkst_model_ops, 128), AT(lkst_model_ops, thread, 0),
	AT(lkst_model_ops, cpu, 8), AT(lkst_model_ops, context, 16),
	AT(lkst_model_ops, syscall, 24), AT(lkst_model_ops, wake, 32),
	AT(lkst_model_ops, migrate, 40), AT(lkst_model_ops, loss, 48),
	AT(lkst_model_ops, event, 56), AT(lkst_model_ops, context_begin, 64),
	AT(lkst_model_ops, syscall_begin, 72), AT(lkst_model_counts, events, 0),
	AT(lkst_model_counts, lost, 8), AT(lkst_model_counts, begins, 16),
	AT(lkst_model_counts, ends, 24), AT(lkst_model_counts, reordered, 32),
#endif
};

TEST_EACH(test_layout, layout)
{
	ck_assert_msg(layout[_i].is == layout[_i].must, "ABI: %s", layout[_i].name);
}

/* Constants that are compiled into programs. */
_Static_assert(LKST_ERR_NONE == 0 && LKST_ERR_SYSTEM == 1 && LKST_ERR_NO_DEVICE == 2 &&
		       LKST_ERR_PERMISSION == 3 && LKST_ERR_ARGUMENT == 4 &&
		       LKST_ERR_NOT_FOUND == 5 && LKST_ERR_FORMAT == 6 && LKST_ERR_INTERRUPTED == 7,
	       "ABI: enum lkst_err");
_Static_assert(LKST_OLDEST_FIRST == 0 && LKST_NEWEST_FIRST == 1, "ABI: enum lkst_order");
_Static_assert(LKST_PRINT_VERBOSE == 1 && LKST_PRINT_COLOR == 2 && LKST_PRINT_CSV == 4 &&
		       LKST_PRINT_EPOCH == 8,
	       "ABI: enum lkst_print");
_Static_assert(LKST_STATE_UNKNOWN == 0 && LKST_STATE_RUNNING == 1 && LKST_STATE_RUNNABLE == 2 &&
		       LKST_STATE_BLOCKED == 3 && LKST_STATE_NUM <= LKST_STATES_MAX,
	       "ABI: enum lkst_state");
_Static_assert(LKST_MODE_UNKNOWN == 0 && LKST_MODE_IDLE == 1 && LKST_MODE_USER == 2 &&
		       LKST_MODE_KERNEL == 3 && LKST_MODE_THREAD == 4 && LKST_MODE_SOFTIRQ == 5 &&
		       LKST_MODE_HARDIRQ == 6 && LKST_MODE_NUM <= LKST_MODES_MAX,
	       "ABI: enum lkst_mode");
_Static_assert(LKST_CONTEXT_IRQ == 0 && LKST_CONTEXT_TIMER_IRQ == 1 && LKST_CONTEXT_IPI == 2 &&
		       LKST_CONTEXT_SOFTIRQ == 3 && LKST_CONTEXT_TASKLET == 4 &&
		       LKST_CONTEXT_TIMER == 5 && LKST_CONTEXT_HRTIMER == 6 &&
		       LKST_CONTEXT_WORK == 7 && LKST_CONTEXT_EXCEPTION == 8,
	       "ABI: enum lkst_context_kind");
_Static_assert(LKST_END_CUT == 0 && LKST_END_STATE == 1 && LKST_END_PREEMPTED == 2 &&
		       LKST_END_EXIT == 3,
	       "ABI: enum lkst_end");

static struct lkst_etypes *types;
static struct lkst_trace *trace;
static int fd;

static void open_sample(void)
{
	fd = sample_fd();
	trace = lkst_trace_open_fd(fd, "sample", NULL, &err);
	assert_made(trace);
	types = lkst_trace_etypes(trace, &err);
	assert_made(types);
}

static void close_sample(void)
{
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	close(fd);
}

TESTS(.setup = open_sample, .teardown = close_sample);

TEST(test_version)
{
	ck_assert_str_eq(lkst_library_version(), LKST_TOOLS_VERSION);
}

TEST(test_etype)
{
	const struct lkst_etype *type = lkst_etypes_get(types, LKST_ETYPE_SYSCALL_ENTRY);

	ck_assert_ptr_nonnull(type);
	ck_assert_str_eq(lkst_etype_name(type), "system_call_entry");
	ck_assert_str_eq(lkst_etype_mnemonic(type), "SYSCALL_ENTRY");
	ck_assert(lkst_etype_present(type));
	ck_assert_str_ne(lkst_etype_arg(type, 0), "");
	ck_assert_str_eq(lkst_etype_arg(type, 4), "");
	ck_assert_ptr_null(lkst_etypes_get(types, LKST_ETYPE_NUM));
	ck_assert_ptr_null(lkst_etypes_get(types, UINT32_MAX));
	ck_assert_str_eq(lkst_class_name(LKST_ETYPE_SYSCALL_ENTRY),
			 lkst_class_of(LKST_ETYPE_SYSCALL_ENTRY)->name);
	ck_assert_str_eq(lkst_class_name(LKST_ETYPE_NUM), "");
}

/* lkst_printer_line() must return the same lines that the commands print. */
static const unsigned int flags[] = {
	0, LKST_PRINT_VERBOSE, LKST_PRINT_CSV, LKST_PRINT_CSV | LKST_PRINT_EPOCH, LKST_PRINT_COLOR,
};

TEST_EACH(test_printer, flags)
{
	const struct lkst_format_options opt = {
		.verbose = flags[_i] & LKST_PRINT_VERBOSE, .color = flags[_i] & LKST_PRINT_COLOR,
		.epoch = flags[_i] & LKST_PRINT_EPOCH,
	};
	struct lkst_printer *printer = lkst_printer_new(flags[_i], &err);
	struct lkst_format format;
	struct lkst_event event;
	struct lkst_out out;
	unsigned int lines = 0;

	assert_made(printer);
	assert_ok(lkst_out_open(&out, -1, &err));
	lkst_format_init(&format, &out, types, lkst_trace_source_context(trace, 0), &opt);
	assert_ok(lkst_trace_rewind(trace, LKST_NEWEST_FIRST, &err));
	while (lkst_trace_next(trace, &event, &err) > 0) {
		const char *line = lkst_printer_line(
			printer, types, lkst_trace_source_context(trace, event.source), &event);

		out.len = 0;
		if (flags[_i] & LKST_PRINT_CSV)
			lkst_format_csv(&format, &event);
		else
			lkst_format_event(&format, &event);
		ck_assert_uint_eq(strlen(line), out.len);
		ck_assert_mem_eq(line, out.buf, out.len);
		ck_assert_int_eq(line[out.len - 1], '\n');
		lines++;
	}
	ck_assert_uint_eq(lines, lkst_trace_records(trace));
	lkst_out_close(&out);
	lkst_printer_free(printer);
	lkst_printer_free(NULL);
}

TEST(test_process)
{
	const struct lkst_context *context = lkst_trace_source_context(trace, 0);
	struct lkst_event event = { .tid = 0 };

	ck_assert_str_eq(lkst_process_name(context, &event), "swapper");
	event.tid = 300;
	ck_assert_str_eq(lkst_process_name(context, &event), "sleeper");
	event.tid = 4000000;
	ck_assert_ptr_null(lkst_process_name(context, &event));
	/* The sample has no command lines and no files. */
	ck_assert_ptr_null(lkst_process_command(context, &event));
	ck_assert_ptr_null(lkst_process_file(context, &event, 0));
}

/* Reading the kernel's buffers: of all CPUs, or of one. CPU 0 has 3 events, CPU 1 has 2. */
static const struct {
	int32_t cpu;
	unsigned int events[2];
} kernels[] = {
	{ -1, { 3, 2 } },
	{ 0, { 3, 0 } },
	{ 1, { 0, 2 } },
};

static void begin_kernel(void)
{
	fake_begin(2);
	fake_shift(0, 0);
	fake_shift(1, 0);
	fake_play("0@10 1@20 0@30 1@40 0@50");
}

TEST_EACH(test_open_kernel, kernels)
{
	struct lkst_trace *kernel;
	struct lkst_event event;
	struct lkst_device *dev;
	unsigned int events[2] = { 0 };

	begin_kernel();
	dev = fake_device();
	kernel = lkst_trace_open_kernel(dev, kernels[_i].cpu, NULL, &err);
	assert_made(kernel);
	assert_ok(lkst_trace_rewind(kernel, LKST_OLDEST_FIRST, &err));
	while (lkst_trace_next(kernel, &event, &err) > 0) {
		int64_t first_ns = event.cpu ? 20 : 10;

		ck_assert_int_eq(event.time_ns, SAMPLE_NS + first_ns + 20 * events[event.cpu]);
		events[event.cpu]++;
	}
	ck_assert_uint_eq(events[0], kernels[_i].events[0]);
	ck_assert_uint_eq(events[1], kernels[_i].events[1]);
	ck_assert(!lkst_trace_incomplete(kernel));
	lkst_trace_close(kernel);
	lkst_device_close(dev);
	ck_assert_int_eq(fake.open, 0);
}

/* The history is left out on demand, and if only the long rings are read. */
static const struct {
	unsigned long flags;
	bool reads;
	unsigned int events;
} with_flags[] = {
	{ 0, true, 3 },
	{ LKST_TRACE_NO_HISTORY, false, 2 },
	{ LKST_TRACE_LONG_RINGS, false, 0 },
};

TEST_EACH(test_open_kernel_history, with_flags)
{
	const struct lkst_trace_hooks with = { .flags = with_flags[_i].flags };
	struct lkst_trace *kernel;
	struct lkst_event event;
	struct lkst_device *dev;
	unsigned int events = 0;

	begin_kernel();
	fake_compress(0, 0, 1, 2);
	fake.cpu[0].buffer[0].oldest = 2;
	dev = fake_device();
	kernel = lkst_trace_open_kernel(dev, 0, &with, &err);
	assert_made(kernel);
	assert_ok(lkst_trace_rewind(kernel, LKST_OLDEST_FIRST, &err));
	while (lkst_trace_next(kernel, &event, &err) > 0)
		events++;
	ck_assert_uint_eq(events, with_flags[_i].events);
	ck_assert(!!fake.history_reads == with_flags[_i].reads);
	lkst_trace_close(kernel);
	lkst_device_close(dev);
}

static char problems[256];

static void take_problem(void *ctx, const char *text)
{
	ck_assert_ptr_eq(ctx, &fake);
	if (strstr(text, "history"))
		strncat(problems, text, sizeof(problems) - strlen(problems) - 1);
}

TEST(test_open_kernel_damaged_history)
{
	const struct lkst_trace_hooks with = { .ctx = &fake, .report = take_problem };
	struct lkst_trace *kernel;
	struct lkst_device *dev;

	begin_kernel();
	fake_compress(0, 0, 1, 2)[8] ^= 1;
	dev = fake_device();
	*problems = 0;
	kernel = lkst_trace_open_kernel(dev, 0, &with, &err);
	assert_made(kernel);
	ck_assert_str_eq(problems,
			 "1 chunks of the compressed history are damaged and were left out");
	lkst_trace_close(kernel);
	lkst_device_close(dev);
}

TEST(test_open_kernel_failure)
{
	struct lkst_device *dev;

	begin_kernel();
	fake.error = EPERM;
	dev = fake_device();
	ck_assert_ptr_null(lkst_trace_open_kernel(dev, -1, NULL, &err));
	ck_assert_int_eq(err.sys_errno, EPERM);
	lkst_device_close(dev);
	ck_assert_int_eq(fake.open, 0);
}
