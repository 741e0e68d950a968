// SPDX-License-Identifier: GPL-2.0
/* The device and reading it out, against a kernel that is not there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "sample.h"
#include "tap.h"

#define CPUS	    4
#define SLOTS	    64
#define OVERWRITTEN 4
/* CPU 0 and 1 are online with a buffer each, CPU 1 with two; 2 is offline with one; 3 has none. */
static struct kernel {
	unsigned long last; /* request */
	intptr_t arg;
	int state_dumps;
} kernel;

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

/* The static buffer: the others are read in blocks. */
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
	static const char *const names[] = { "nothing", "all", "default" };
	struct lkst_maskset_listent *ent = (void *)(uintptr_t)param->listent;

	param->current_id = 2;
	for (int i = 0; i < 3 && LKST_MASKSET_LISTENT_SIZE(i + 1u) <= param->listent_size; i++) {
		ent[i].id = i;
		strcpy(ent[i].name, names[i]);
		ent[i].len = 10;
	}
	return 0;
}

static int do_evhandler_list(struct lkst_evhandler_listparam *param)
{
	static const struct lkst_evhandler_listent handlers[] = {
		{ 0, "none" },
		{ 1, "entry_log" },
		{ 0x020, "sample" },
		{ LKST_EVHANDLER_ID_MAX, "last" },
	};
	struct lkst_evhandler_listent *ent = (void *)(uintptr_t)param->listent;

	for (unsigned int i = 0; i < 4 && LKST_EVHANDLER_LISTENT_SIZE(i + 1) <= param->listent_size;
	     i++)
		ent[i] = handlers[i];
	return 0;
}

static int own_ioctl(unsigned long request, void *arg)
{
	kernel.last = request;
	kernel.arg = (intptr_t)arg;
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
		return kernel.arg > 2 ? -EINVAL : 0;
	case LKST_IOC_MASKSET_READ:
		return ((struct lkst_maskset_param *)arg)->id == 9 ? -EINVAL : 0;
	case LKST_IOC_ENTRY_LOG:
		return ((struct lkst_entry_args *)arg)->event_type == 0x300 ? -EINVAL : 0;
	case LKST_IOC_TRC_STATEDUMP:
		kernel.state_dumps++;
		return 0;
	case LKST_IOC_TRC_START:
	case LKST_IOC_TRC_STOP:
		return 0;
	}
	return -ENOTTY;
}

static struct lkst_device *dev;

/* As many marks, of which the oldest were overwritten. */
static void fill(int cpu, int buffer)
{
	fake_shift(cpu, buffer);
	for (int i = 0; i < SLOTS + OVERWRITTEN; i++)
		fake_record(cpu, i, WHOLE);
	fake.cpu[cpu].buffer[buffer].oldest += OVERWRITTEN;
}

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	fake_begin(CPUS);
	fill(0, 0);
	/* A ring whose buffer 0 is the one being written. */
	fill(1, 1);
	fill(1, 0);
	fill(2, 0);
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	dev = fake_device(own_ioctl);
}

static void teardown(void)
{
	char command[64];

	lkst_device_close(dev);
	ck_assert_int_eq(fake.open, 0);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	ck_assert_int_eq(system(command), 0);
}

static void put_file(const char *name, const char *text)
{
	char path[128];
	FILE *to;

	snprintf(path, sizeof(path), "mkdir -p %s/proc", root);
	ck_assert_int_eq(system(path), 0);
	snprintf(path, sizeof(path), "%s%s", root, name);
	to = fopen(path, "w");
	ck_assert_ptr_nonnull(to);
	fputs(text, to);
	fclose(to);
}

static int events_of_cpu[CPUS];

/* Capture; returns the trace, whose file *fd is, NULL on an error. */
static struct lkst_trace *capture_trace(struct lkst_capture what, int *fd, struct lkst_error *err)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	*fd = lkst_temporary_file(err);
	what.root = root;
	writer = lkst_trace_writer_fd(*fd, "T", err);
	if (lkst_capture(dev, &what, writer, err)) {
		lkst_trace_writer_abort(writer);
		close(*fd);
		return NULL;
	}
	ck_assert_int_eq(lkst_trace_writer_commit(writer, err), 0);
	trace = lkst_trace_open_fd(*fd, "T", NULL, err);
	ck_assert_msg(trace != NULL, "%s", err->text);
	ck_assert(!lkst_trace_incomplete(trace));
	return trace;
}

/* Capture and read what came of it; returns the trace's records, -1 on an error. */
static int64_t capture(struct lkst_capture what, struct lkst_error *err)
{
	struct lkst_trace *trace;
	struct lkst_event event;
	int64_t records;
	int fd;

	memset(events_of_cpu, 0, sizeof(events_of_cpu));
	trace = capture_trace(what, &fd, err);
	if (!trace)
		return -1;
	records = (int64_t)lkst_trace_records(trace);
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, err), 0);
	while (lkst_trace_next(trace, &event, err) > 0)
		events_of_cpu[event.cpu]++;
	lkst_trace_close(trace);
	close(fd);
	return records;
}

START_TEST(test_all)
{
	struct lkst_error err;

	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1 }, &err), 4 * SLOTS);
	ck_assert_int_eq(events_of_cpu[0], SLOTS);
	ck_assert_int_eq(events_of_cpu[1], 2 * SLOTS);
	ck_assert_int_eq(events_of_cpu[2], SLOTS);
	ck_assert_int_eq(events_of_cpu[3], 0);
}
END_TEST

START_TEST(test_selection)
{
	struct lkst_error err = { 0 };

	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 1, .id = -1 }, &err), 2 * SLOTS);
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 1, .id = 1 }, &err), SLOTS);
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = 0 }, &err), 3 * SLOTS);
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 3, .id = -1 }, &err), 0);
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 0, .id = 1 }, &err), -1);
	ck_assert_str_eq(err.text, "no buffer 1 on CPU 0: \"lkstbuf list\" shows which there are");
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = 7 }, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no buffer 7 on any CPU"));
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 99, .id = -1 }, &err), -1);
	ck_assert_str_eq(err.text, "no CPU 99 here, only CPUs 0-3");
	ck_assert_int_eq(err.code, LKST_ERR_NOT_FOUND);
}
END_TEST

START_TEST(test_oldest)
{
	struct lkst_error err;

	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1, .max = 10 }, &err),
			 40);
	ck_assert_int_eq(events_of_cpu[1], 20);
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1, .max = SLOTS + 1 },
				 &err),
			 4 * SLOTS);
}
END_TEST

/* ---- what becomes of CPU 0's events while it is read ---- */

static void nothing(int n)
{
	(void)n;
}

static void go_on(int n)
{
	(void)n;
	for (int i = 0; i < 5; i++)
		fake_record(0, 1000, WHOLE);
}

static void overtake(int n)
{
	go_on(n);
	fake.cpu[0].buffer[0].oldest += n ? 0 : 10;
}

static void drop(int n)
{
	struct fake_cpu *c = &fake.cpu[0];

	c->state[c->buffer[0].oldest + 7] = DROPPED;
	c->buffer[0].dropped = 1;
	(void)n;
}

static void interrupt(int n)
{
	struct fake_cpu *c = &fake.cpu[0];

	c->state[c->buffer[0].oldest + 7] = c->state[c->buffer[0].end - 1] = UNFINISHED;
	(void)n;
}

static void finish(int n)
{
	if (!n)
		interrupt(n);
	else if (n == 3)
		memset(fake.cpu[0].state, WHOLE, FAKE_RECORDS);
}

static void begin_anew(int n)
{
	if (n)
		return;
	fake_shift(0, 0);
	go_on(n);
}

static void go_elsewhere(int n)
{
	if (n)
		return;
	fake_shift(0, 1);
	go_on(n);
}

static void delete_it(int n)
{
	fake.cpu[0].buffer[0].there = false;
	(void)n;
}

static const struct {
	void (*at_read)(int n);
	uint64_t max;
	uint64_t records;
	uint64_t overwritten;
	uint64_t dropped;
	uint64_t unfinished;
} scenes[] = {
	{ nothing, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ nothing, 9, 9, OVERWRITTEN, 0, 0 },
	{ go_on, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ overtake, 0, SLOTS - 10, OVERWRITTEN + 10, 0, 0 },
	{ drop, 0, SLOTS - 1, OVERWRITTEN, 1, 0 },
	{ interrupt, 0, SLOTS - 2, OVERWRITTEN, 0, 2 },
	{ finish, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ begin_anew, 0, 0, SLOTS + OVERWRITTEN, 0, 0 },
	{ go_elsewhere, 0, SLOTS, OVERWRITTEN, 0, 0 },
	{ delete_it, 0, 0, SLOTS + OVERWRITTEN, 0, 0 },
};

/* What is there when its turn comes is read, or counted. What comes later is not. */
START_TEST(test_meanwhile)
{
	struct lkst_trace_buffer buffer;
	struct lkst_error err = { 0 };
	struct lkst_trace *trace;
	int fd;

	fake.at_read = scenes[_i].at_read;
	if (fake.at_read == drop)
		drop(0);
	trace = capture_trace((struct lkst_capture){ .cpu = 0, .id = -1, .max = scenes[_i].max },
			      &fd, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert_uint_eq(buffer.records, scenes[_i].records);
	ck_assert_uint_eq(buffer.recorded, SLOTS + OVERWRITTEN);
	ck_assert_uint_eq(buffer.overwritten, scenes[_i].overwritten);
	ck_assert_uint_eq(buffer.dropped, scenes[_i].dropped);
	ck_assert_uint_eq(buffer.unfinished, scenes[_i].unfinished);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_static)
{
	struct lkst_error err;

	ck_assert_int_eq(
		capture((struct lkst_capture){ .cpu = -1, .id = -1, .static_buffer = true }, &err),
		3);
	ck_assert_int_eq(events_of_cpu[1], 3);
	ck_assert_int_eq(fake.reads, 0);
	ck_assert_int_eq(capture(
				 (struct lkst_capture){
					 .cpu = -1, .id = -1, .static_buffer = true, .max = 2 },
				 &err),
			 2);
}
END_TEST

/* All events take spin locks, called from one place after the other. */
static void call_from(uint64_t caller)
{
	for (int cpu = 0; cpu < CPUS; cpu++) {
		struct fake_cpu *c = &fake.cpu[cpu];

		for (int i = 0; i < FAKE_BUFFERS; i++)
			for (uint64_t recid = c->buffer[i].oldest; recid < c->buffer[i].end;
			     recid++) {
				c->record[recid].event_type = 0x080; /* spin_lock(lock, caller) */
				c->record[recid].arg[1] = caller + (recid - c->buffer[i].oldest);
			}
	}
}

/* What values and code are called is found out with the records. */
START_TEST(test_context)
{
	const uint64_t caller = 0xffffffff81000100;
	const struct lkst_context *context;
	struct lkst_error err = { 0 };
	struct lkst_symbol symbol;
	struct lkst_trace *trace;
	int fd;

	put_file(LKST_VALUES_PATH, LKST_VALUES_HEAD "\ndrop enum 2 TWO\n");
	put_file(LKST_SYMBOLS_PATH, "ffffffff81000000 T before\n"
				    "ffffffff81000100 T caller\n"
				    "ffffffff81000120 T caller_too\n"
				    "ffffffff81000200 T behind\n");
	call_from(caller);
	trace = capture_trace((struct lkst_capture){ .cpu = -1, .id = -1 }, &fd, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	context = lkst_trace_context(trace);
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_DROP, 2), "TWO");
	for (uint64_t i = 0; i < SLOTS; i++) {
		ck_assert(lkst_symbols_find(context->symbols, caller + i, &symbol));
		ck_assert_str_eq(symbol.name, i < 0x20 ? "caller" : "caller_too");
		ck_assert_uint_eq(symbol.offset, i % 0x20);
	}
	/* Only what is needed */
	ck_assert(!lkst_symbols_find(context->symbols, 0xffffffff81000000, &symbol));
	ck_assert(!lkst_symbols_find(context->symbols, 0xffffffff81000200, &symbol));
	lkst_trace_close(trace);
	close(fd);
	/* And nothing if that is found out later. */
	trace = capture_trace((struct lkst_capture){ .cpu = -1, .id = -1, .no_symbols = true }, &fd,
			      &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert_ptr_null(lkst_trace_context(trace)->symbols);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_context_of_old_kernel)
{
	const uint64_t caller = 0xffffffff81000100;
	struct lkst_error err = { 0 };
	struct lkst_symbol symbol;
	struct lkst_trace *trace;
	int fd;

	/* No /proc/lkst_values, and symbols that are not shown */
	put_file(LKST_SYMBOLS_PATH, "0000000000000000 T caller\n");
	call_from(caller);
	trace = capture_trace((struct lkst_capture){ .cpu = -1, .id = -1 }, &fd, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert(!lkst_symbols_find(lkst_trace_context(trace)->symbols, caller, &symbol));
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* The trace has them all the same. */
START_TEST(test_empty)
{
	struct lkst_trace_buffer buffer;
	struct lkst_error err = { 0 };
	struct lkst_trace *trace;
	int fd;

	fake_begin(CPUS);
	fake_shift(1, 2);
	trace = capture_trace((struct lkst_capture){ .cpu = -1, .id = -1 }, &fd, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert_uint_eq(lkst_trace_buffers(trace), 1);
	lkst_trace_buffer(trace, 0, &buffer);
	ck_assert(buffer.cpu == 1 && buffer.id == 2 && !buffer.records && !buffer.recorded);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_interrupted)
{
	struct lkst_error err = { 0 };
	int stop = 1;

	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1, .stop = &stop }, &err),
			 -1);
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
}
END_TEST

static void stop_after_first(void *ctx, uint64_t done, uint64_t total)
{
	*(int *)ctx = done > 0 && done < total;
}

/* What was read by then is a whole trace, if somebody wants it. */
START_TEST(test_interrupted_between_buffers)
{
	int stop = 0, fd = lkst_temporary_file(NULL);
	struct lkst_trace_writer *writer = lkst_trace_writer_fd(fd, "T", NULL);
	struct lkst_capture what = {
		.cpu = -1,
		.id = -1,
		.root = root,
		.stop = &stop,
		.progress = stop_after_first,
		.ctx = &stop,
	};
	struct lkst_error err = { 0 };
	struct lkst_trace *trace;

	ck_assert_int_eq(lkst_capture(dev, &what, writer, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_INTERRUPTED);
	ck_assert_int_eq(fake.reads, 1);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	trace = lkst_trace_open_fd(fd, "T", NULL, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert_uint_eq(lkst_trace_records(trace), SLOTS);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_errors)
{
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
	struct lkst_status status;
	struct lkst_error err = { 0 };

	fake.error = errors[_i].error;
	ck_assert_int_eq(lkst_status_get(dev, &status, &err), -1);
	ck_assert_int_eq(err.code, errors[_i].code);
	ck_assert_int_eq(err.sys_errno, errors[_i].error);
	ck_assert_ptr_nonnull(strstr(err.text, "/dev/lkst"));
	ck_assert_ptr_nonnull(strstr(err.text, errors[_i].says));
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1 }, &err), -1);
}
END_TEST

START_TEST(test_status)
{
	struct lkst_status status;
	struct lkst_error err;

	ck_assert_int_eq(lkst_status_get(dev, &status, &err), 0);
	ck_assert_uint_eq(status.trc.cpu_num, CPUS);
	ck_assert(lkst_status_online(&status, 0) && lkst_status_online(&status, 1));
	ck_assert(!lkst_status_online(&status, 2) && !lkst_status_online(&status, 64) &&
		  !lkst_status_online(&status, 100000));
	ck_assert_int_eq(status.write_buf[1], 0);
	ck_assert_int_eq(status.write_buf[3], LKST_BUFFER_ID_VOID);
	lkst_status_free(&status);
}
END_TEST

START_TEST(test_masksets)
{
	struct lkst_maskset_list list;
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	struct lkst_error err = { 0 };

	ck_assert_int_eq(lkst_maskset_list_get(dev, &list, &err), 0);
	ck_assert_uint_eq(list.num, 3);
	ck_assert_int_eq(list.current, 2);
	ck_assert_str_eq(list.ent[1].name, "all");
	lkst_maskset_list_free(&list);
	ck_assert_int_eq(lkst_maskset_set(dev, 1, &err), 0);
	ck_assert_int_eq(kernel.arg, 1);
	ck_assert_int_eq(lkst_maskset_set(dev, 9, &err), -1);
	ck_assert_str_eq(err.text, "no maskset 9: \"lkstm list\" shows which there are");
	ck_assert_int_eq(lkst_maskset_read(dev, 9, body, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no maskset 9"));
	fake.error = EBUSY;
	ck_assert_int_eq(lkst_maskset_set(dev, 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "stopped"));
	free(body);
}
END_TEST

START_TEST(test_evhandlers)
{
	struct lkst_evhandler_list list;
	struct lkst_error err = { 0 };

	ck_assert_int_eq(lkst_evhandler_list_get(dev, &list, &err), 0);
	ck_assert_uint_eq(list.num, 4);
	ck_assert_int_eq(list.ent[2].id, 0x020);
	ck_assert_str_eq(list.ent[3].name, "last");
	lkst_evhandler_list_free(&list);
}
END_TEST

START_TEST(test_entry_log)
{
	struct lkst_entry_args args = { .event_type = 0x300 };
	struct lkst_error err = { 0 };

	ck_assert_int_eq(lkst_entry_log(dev, &args, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "0x300"));
	args.event_type = 0x0e0;
	ck_assert_int_eq(lkst_entry_log(dev, &args, &err), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("capture");
	TCase *tc = tcase_create("capture");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 60);
	check_id(tc, test_all);
	check_id(tc, test_selection);
	check_id(tc, test_oldest);
	tcase_add_loop_test(tc, test_meanwhile, 0, sizeof(scenes) / sizeof(scenes[0]));
	check_id(tc, test_static);
	check_id(tc, test_context);
	check_id(tc, test_context_of_old_kernel);
	check_id(tc, test_empty);
	check_id(tc, test_interrupted);
	check_id(tc, test_interrupted_between_buffers);
	tcase_add_loop_test(tc, test_errors, 0, 4);
	check_id(tc, test_status);
	check_id(tc, test_masksets);
	check_id(tc, test_evhandlers);
	check_id(tc, test_entry_log);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
