// SPDX-License-Identifier: GPL-2.0
/* Requests to the device, and capturing a trace from it, with a fake kernel. */
#include <errno.h>
#include <sys/stat.h>

#include "fake_kernel.h"
#include "lib/live/capture.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "trace_case.h"

#define CPUS	    4
#define SLOTS	    64
#define OVERWRITTEN 4

/*
 * CPUs 0 and 1 are online. CPU 0 has one buffer, and CPU 1 has two. CPUs 2 and 3 are offline. CPU 2
 * has one buffer, and CPU 3 has none.
 */

static intptr_t last_arg; /* argument of the last request */
static char root[] = "/tmp/lkst-test-XXXXXX";

static int do_status(struct lkst_trc_status *trc)
{
	lkst_buffer_id *write = (void *)(uintptr_t)trc->write_buf;
	uint64_t *online = (void *)(uintptr_t)trc->online_cpu;

	if (trc->online_cpu_len >= 8)
		online[0] = 3;
	trc->online_cpu_len = 8;
	for (uint32_t i = 0; write && i < trc->cpu_num && i < CPUS; i++)
		write[i] = i < 2 ? 0 : LKST_BUFFER_ID_VOID;
	trc->cpu_num = CPUS;
	trc->static_buffer_size = 8 * LKST_SIZEOF_LKST_EVENT_RECORD;
	trc->static_buffer_recid = 3;
	trc->current_maskset_id = 2;
	trc->maskset_num = 3;
	trc->evhandler_num = 2;
	trc->state = LKST_TRC_RUNNING;
	trc->saved_maskset_id = LKST_MASKSET_ID_VOID;
	trc->clock = LKST_CLOCK_TSC;
	trc->version = LKST_INTERFACE_VERSION;
	return 0;
}

/* Read the static buffer. All other buffers are read in blocks. */
static int do_buffer_read(struct lkst_log_buffer *buffer)
{
	struct lkst_log_record *record = (void *)(uintptr_t)buffer->buffer;
	const uint64_t arg[4] = { 0 };
	uint64_t num = buffer->read_size / sizeof(*record);

	ck_assert(buffer->cpu == -1 && buffer->id == LKST_BUFFER_ID_VOID);
	num = num < 3 ? num : 3;
	for (uint64_t i = 0; i < num; i++)
		record[i] = sample_record(1, i, SAMPLE_NS + (int64_t)i, 0x030, 1, arg);
	buffer->recorded = 3;
	buffer->result_read_size = num * sizeof(*record);
	buffer->buf_ver = LKST_BUFFER_VERSION;
	strcpy(buffer->arch, "x86_64");
	return 0;
}

static int do_maskset_list(struct lkst_maskset_listparam *param)
{
	static const struct lkst_maskset_listent sets[] = {
		{ .id = 0, .name = "nothing", .len = 10 },
		{ .id = 1, .name = "all", .len = 10 },
		{ .id = 2, .name = "default", .len = 10 },
	};
	struct lkst_maskset_listent *ent = (void *)(uintptr_t)param->listent;

	param->current_id = 2;
	for (uint32_t i = 0; i < 3 && LKST_MASKSET_LISTENT_SIZE(i + 1) <= param->listent_size; i++)
		ent[i] = sets[i];
	return 0;
}

static int do_evhandler_list(struct lkst_evhandler_listparam *param)
{
	static const struct lkst_evhandler_listent handlers[] = {
		{ 0, "none" }, { 1, "entry_log" }, { 0x020, "sample" },
		{ LKST_EVHANDLER_ID_MAX, "last" },
	};
	struct lkst_evhandler_listent *ent = (void *)(uintptr_t)param->listent;

	for (int i = 0; i < 4 && LKST_EVHANDLER_LISTENT_SIZE(i + 1u) <= param->listent_size; i++)
		ent[i] = handlers[i];
	return 0;
}

static int own_ioctl(unsigned long request, void *arg)
{
	last_arg = (intptr_t)arg;
	switch (request) {
	case LKST_IOC_TRC_STATUS:
		return do_status(arg);
	case LKST_IOC_BUFFER_READ:
		return do_buffer_read(arg);
	case LKST_IOC_MASKSET_LIST:
		return do_maskset_list(arg);
	case LKST_IOC_EVHANDLER_LIST:
		return do_evhandler_list(arg);
	case LKST_IOC_MASKSET_SET:
		return last_arg > 2 ? -EINVAL : 0;
	case LKST_IOC_MASKSET_READ:
		return ((struct lkst_maskset_param *)arg)->id == 9 ? -EINVAL : 0;
	case LKST_IOC_ENTRY_LOG:
		return ((struct lkst_entry_args *)arg)->event_type == 0x300 ? -EINVAL : 0;
	case LKST_IOC_TRC_STATEDUMP:
	case LKST_IOC_TRC_START:
	case LKST_IOC_TRC_STOP:
		return 0;
	}
	return -ENOTTY;
}

static struct lkst_device *dev;

/* Record SLOTS + OVERWRITTEN marks in a buffer, which overwrites the oldest OVERWRITTEN of them. */
static void fill(int cpu, int buffer)
{
	fake_shift(cpu, buffer);
	for (int i = 0; i < SLOTS + OVERWRITTEN; i++)
		fake_record(cpu, i, WHOLE);
	fake.cpu[cpu].buffer[buffer].oldest += OVERWRITTEN;
}

static void setup(void)
{
	char proc[64];

	fake_begin(CPUS);
	fill(0, 0);
	/* CPU 1 has two buffers, and records into buffer 0. */
	fill(1, 1);
	fill(1, 0);
	fill(2, 0);
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	snprintf(proc, sizeof(proc), "%s/proc", root);
	ck_assert_int_eq(mkdir(proc, 0700), 0);
	dev = fake_device(own_ioctl);
}

static void teardown(void)
{
	char command[64];

	close_trace();
	lkst_device_close(dev);
	ck_assert_int_eq(fake.open, 0);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static void put_file(const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s%s", root, name);
	write_text(path, text);
}

/*
 * Capture a trace, and open it. Return whether lkst_capture() succeeded. If it was interrupted,
 * return false, but also open the trace, which is complete.
 */
static bool capture(struct lkst_capture what)
{
	bool done;
	int fd;

	begin_trace(NULL);
	what.root = root;
	done = !lkst_capture(dev, &what, writer, &err);
	fd = commit_trace();
	if (!done && err.code != LKST_ERR_INTERRUPTED) {
		close(fd);
		return false;
	}
	open_trace(fd);
	ck_assert(!lkst_trace_incomplete(trace));
	return done;
}

static const struct lkst_capture everything = { .cpu = -1, .id = -1 };

TESTS(.setup = setup, .teardown = teardown, .timeout = 60);

/* What to capture, and the number of records of each CPU in the trace. */
static const struct {
	const char *name;
	struct lkst_capture what;
	uint64_t num[CPUS];
} selections[] = {
	{ "test_all", { .cpu = -1, .id = -1 }, { SLOTS, 2 * SLOTS, SLOTS } },
	{ "test_selection_cpu", { .cpu = 1, .id = -1 }, { 0, 2 * SLOTS } },
	{ "test_selection_cpu_and_buffer", { .cpu = 1, .id = 1 }, { 0, SLOTS } },
	{ "test_selection_buffer", { .cpu = -1, .id = 0 }, { SLOTS, SLOTS, SLOTS } },
	{ "test_selection_without_buffer", { .cpu = 3, .id = -1 }, { 0 } },
	{ "test_oldest", { .cpu = -1, .id = -1, .max = 10 }, { 10, 20, 10 } },
	{ "test_oldest_of_less", { .cpu = -1, .id = -1, .max = SLOTS + 1 },
	  { SLOTS, 2 * SLOTS, SLOTS } },
	{ "test_static", { .cpu = -1, .id = -1, .static_buffer = true }, { 0, 3 } },
	{ "test_static_of_2", { .cpu = -1, .id = -1, .static_buffer = true, .max = 2 }, { 0, 2 } },
};

TEST_ROWS(test_selection, selections)
{
	uint64_t num[CPUS] = { 0 }, records = 0;

	ck_assert(capture(selections[_i].what));
	for (size_t i = read_all(LKST_OLDEST_FIRST); i-- > 0; records++)
		num[events[i].cpu]++;
	ck_assert_mem_eq(num, selections[_i].num, sizeof(num));
	ck_assert_uint_eq(lkst_trace_records(trace), records);
	ck_assert(!fake.reads == (selections[_i].what.static_buffer || !records));
}

/* A CPU or buffer that does not exist, and the error. */
static const struct {
	int32_t cpu;
	lkst_buffer_id id;
	const char *says;
} absent[] = {
	{ 0, 1, "no buffer 1 on CPU 0: \"lkstbuf list\" lists the buffers" },
	{ -1, 7, "no buffer 7 on any CPU" },
	{ 99, -1, "no CPU 99, only CPUs 0-3" },
};

TEST_EACH(test_selection_absent, absent)
{
	ck_assert(!capture((struct lkst_capture){ .cpu = absent[_i].cpu, .id = absent[_i].id }));
	ck_assert_msg(strstr(err.text, absent[_i].says) == err.text, "%s", err.text);
	ck_assert_int_eq(err.code, LKST_ERR_NOT_FOUND);
}

/*
 * Scripts that change the buffers of CPU 0 while they are read, and the expected counts in the
 * trace. At the start, buffer 0 has the recids from 5 to 68. Each event that was recorded before
 * the capture of its buffer begins is either captured or counted as lost. Later events are not
 * captured.
 */
#define GO_ON "0@1000 0@1000 0@1000 0@1000 0@1000 "

static const struct {
	const char *name, *script;
	uint64_t max, records, overwritten, dropped, unfinished;
} scenes[] = {
	{ "test_meanwhile_nothing", "", 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_nothing_of_9", "", 9, 9, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_go_on", "|* " GO_ON, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_overtake", "|* " GO_ON "|0 0<15", 0, SLOTS - 10, OVERWRITTEN + 10, 0, 0 },
	{ "test_meanwhile_drop", "0!12", 0, SLOTS - 1, OVERWRITTEN, 1, 0 },
	{ "test_meanwhile_interrupt", "|0 0?12 0?68", 0, SLOTS - 2, OVERWRITTEN, 0, 2 },
	{ "test_meanwhile_finish", "|0 0?12 0?68 |3 0=12 0=68", 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_begin_anew", "|0 0>0 " GO_ON, 0, 0, SLOTS + OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_go_elsewhere", "|0 0>1 " GO_ON, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ "test_meanwhile_delete", "|0 0-0", 0, 0, SLOTS + OVERWRITTEN, 0, 0 },
};

TEST_ROWS(test_meanwhile, scenes)
{
	struct lkst_trace_buffer buffer;

	fake_play(scenes[_i].script);
	ck_assert(capture((struct lkst_capture){ .cpu = 0, .id = -1, .max = scenes[_i].max }));
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert_uint_eq(buffer.records, scenes[_i].records);
	ck_assert_uint_eq(buffer.recorded, SLOTS + OVERWRITTEN);
	ck_assert_uint_eq(buffer.overwritten, scenes[_i].overwritten);
	ck_assert_uint_eq(buffer.dropped, scenes[_i].dropped);
	ck_assert_uint_eq(buffer.unfinished, scenes[_i].unfinished);
}

/* Change all records to spin_lock events. The callers in each buffer start at @caller. */
static void call_from(uint64_t caller)
{
	for (int i = 0; i < CPUS * FAKE_BUFFERS; i++) {
		struct fake_cpu *c = &fake.cpu[i / FAKE_BUFFERS];
		const struct fake_buffer *b = &c->buffer[i % FAKE_BUFFERS];

		for (uint64_t recid = b->oldest; recid < b->end; recid++) {
			c->record[recid].event_type = 0x080; /* spin_lock(lock, caller) */
			c->record[recid].arg[1] = caller + (recid - b->oldest);
		}
	}
}

/* The trace contains the names of values, and the symbols that its records refer to. */
TEST(test_context)
{
	const uint64_t caller = 0xffffffff81000100;
	const struct lkst_context *context;
	struct lkst_symbol symbol;

	put_file(LKST_VALUES_PATH, LKST_VALUES_HEAD "\ndrop enum 2 TWO\n");
	put_file(LKST_SYMBOLS_PATH, "ffffffff81000000 T before\n"
				    "ffffffff81000100 T caller\n"
				    "ffffffff81000120 T caller_too\n"
				    "ffffffff81000200 T behind\n");
	call_from(caller);
	ck_assert(capture(everything));
	context = lkst_trace_context(trace);
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_DROP, 2), "TWO");
	for (uint64_t i = 0; i < SLOTS; i++) {
		ck_assert(lkst_symbols_find(context->symbols, caller + i, &symbol));
		ck_assert_str_eq(symbol.name, i < 0x20 ? "caller" : "caller_too");
		ck_assert_uint_eq(symbol.offset, i % 0x20);
	}
	/* Symbols that no record refers to are not stored. */
	ck_assert(!lkst_symbols_find(context->symbols, 0xffffffff81000000, &symbol));
	ck_assert(!lkst_symbols_find(context->symbols, 0xffffffff81000200, &symbol));
	/* With no_symbols, no symbols are stored. */
	ck_assert(capture((struct lkst_capture){ .cpu = -1, .id = -1, .no_symbols = true }));
	ck_assert_ptr_null(lkst_trace_context(trace)->symbols);
}

/* The kernel has no /proc/lkst_values, and hides the addresses of symbols. */
TEST(test_context_of_old_kernel)
{
	const uint64_t caller = 0xffffffff81000100;
	struct lkst_symbol symbol;

	put_file(LKST_SYMBOLS_PATH, "0000000000000000 T caller\n");
	call_from(caller);
	ck_assert(capture(everything));
	ck_assert(!lkst_symbols_find(lkst_trace_context(trace)->symbols, caller, &symbol));
}

/* A trace contains a buffer even if it has no records. */
TEST(test_empty)
{
	struct lkst_trace_buffer buffer;

	fake_begin(CPUS);
	fake_shift(1, 2);
	ck_assert(capture(everything));
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert(buffer.cpu == 1 && buffer.id == 2 && !buffer.records && !buffer.recorded);
}

static void stop_after_first(void *ctx, uint64_t done, uint64_t total)
{
	*(int *)ctx = done > 0 && done < total;
}

/* An interrupted capture leaves a complete trace of the buffers that it has read. */
TEST(test_interrupted)
{
	int stop = 1;
	struct lkst_capture what = { .cpu = -1, .id = -1, .stop = &stop };

	ck_assert(!capture(what));
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	stop = fake.reads = 0;
	what.progress = stop_after_first;
	what.ctx = &stop;
	ck_assert(!capture(what));
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	ck_assert_int_eq(fake.reads, 1);
	ck_assert_uint_eq(lkst_trace_records(trace), SLOTS);
}

static const struct {
	int error;
	enum lkst_err code;
	const char *says;
} errors[] = {
	{ EPERM, LKST_ERR_PERMISSION, "CAP_SYS_ADMIN" },
	{ EACCES, LKST_ERR_PERMISSION, "CAP_SYS_ADMIN" },
	{ ENOTTY, LKST_ERR_NO_DEVICE, "does not know LKST_IOC_TRC_STATUS" },
	{ ENOMEM, LKST_ERR_SYSTEM, "Cannot allocate memory" },
};

TEST_EACH(test_errors, errors)
{
	struct lkst_status status;

	fake.error = errors[_i].error;
	ck_assert_int_eq(lkst_status_get(dev, &status, &err), -1);
	ck_assert_int_eq(err.code, errors[_i].code);
	ck_assert_int_eq(err.sys_errno, errors[_i].error);
	assert_contains(err.text, "/dev/lkst");
	assert_contains(err.text, errors[_i].says);
	ck_assert(!capture(everything));
}

TEST(test_status)
{
	struct lkst_status status;

	ck_assert_int_eq(lkst_status_get(dev, &status, &err), 0);
	ck_assert_uint_eq(status.trc.cpu_num, CPUS);
	ck_assert(lkst_status_online(&status, 0) && lkst_status_online(&status, 1));
	ck_assert(!lkst_status_online(&status, 2) && !lkst_status_online(&status, 64) &&
		  !lkst_status_online(&status, 100000));
	ck_assert_int_eq(status.write_buf[1], 0);
	ck_assert_int_eq(status.write_buf[3], LKST_BUFFER_ID_VOID);
	lkst_status_free(&status);
}

TEST(test_masksets)
{
	struct lkst_maskset_list list;
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);

	ck_assert_int_eq(lkst_maskset_list_get(dev, &list, &err), 0);
	ck_assert_uint_eq(list.num, 3);
	ck_assert_int_eq(list.current, 2);
	ck_assert_str_eq(list.ent[1].name, "all");
	lkst_maskset_list_free(&list);
	ck_assert_int_eq(lkst_maskset_set(dev, 1, &err), 0);
	ck_assert_int_eq(last_arg, 1);
	ck_assert_int_eq(lkst_maskset_set(dev, 9, &err), -1);
	ck_assert_str_eq(err.text, "no maskset 9: \"lkstm list\" lists the masksets");
	ck_assert_int_eq(lkst_maskset_read(dev, 9, body, &err), -1);
	assert_contains(err.text, "no maskset 9");
	fake.error = EBUSY;
	ck_assert_int_eq(lkst_maskset_set(dev, 1, &err), -1);
	assert_contains(err.text, "stopped");
	free(body);
}

TEST(test_evhandlers)
{
	struct lkst_evhandler_list list;

	ck_assert_int_eq(lkst_evhandler_list_get(dev, &list, &err), 0);
	ck_assert_uint_eq(list.num, 4);
	ck_assert_int_eq(list.ent[2].id, 0x020);
	ck_assert_str_eq(list.ent[3].name, "last");
	lkst_evhandler_list_free(&list);
}

TEST(test_entry_log)
{
	struct lkst_entry_args args = { .event_type = 0x300 };

	ck_assert_int_eq(lkst_entry_log(dev, &args, &err), -1);
	assert_contains(err.text, "0x300");
	args.event_type = 0x0e0;
	ck_assert_int_eq(lkst_entry_log(dev, &args, &err), 0);
}
