// SPDX-License-Identifier: GPL-2.0
/* The device and reading it out, against a kernel that is not there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/liblkst.h"
#include "sample.h"
#include "tap.h"

#define CPUS  4
#define SLOTS 64

/* CPU 0 and 1 are online with a buffer each, CPU 1 with two; 2 is offline with one; 3 has none. */
static struct kernel {
	int error; /* that every call gives */
	int reads; /* BUFFER_READs so far */
	uint64_t held; /* records that a buffer holds */
	int order; /* of the buffers that were read, one digit each */
	int gone; /* so many reads of buffer 1 of CPU 1 go well, then it is deleted; -1: all */
	unsigned long last; /* request */
	intptr_t arg;
	int state_dumps;
	uint32_t type; /* of its records */
	uint64_t caller; /* their second argument, rising by one */
} kernel;

static char root[] = "/tmp/lkst-test-XXXXXX";

static int buffers_of(int32_t cpu)
{
	return cpu == 1 ? 2 : cpu == 0 || cpu == 2;
}

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

#define OVERWRITTEN 4

static uint64_t first_recid(lkst_buffer_id id)
{
	return id == 1 ? 4 : 4 + SLOTS;
}

static uint64_t oldest_recid(lkst_buffer_id id)
{
	return first_recid(id) + OVERWRITTEN + 1;
}

static int do_buffer_list(struct lkst_buffer_listparam *param)
{
	struct lkst_buffer_listent *ent = (void *)(uintptr_t)param->listent;

	if (param->cpu < 0 || param->cpu >= CPUS)
		return -EINVAL;
	param->buffer_num = buffers_of(param->cpu);
	for (int i = 0; i < param->buffer_num && i < param->listent_num; i++)
		ent[i] = (struct lkst_buffer_listent){
			.size = SLOTS * LKST_SIZEOF_LKST_EVENT_RECORD,
			.id = i,
			.next = LKST_BUFFER_ID_VOID,
			/* A ring whose buffer 0 is the one being written. */
			.first_recid = first_recid(i),
			.overwritten = OVERWRITTEN,
			.dropped = 1,
			.baseid = (int64_t)oldest_recid(i),
			.write_offset = kernel.held,
			.state = i ? LKST_BUFFER_QUEUED : LKST_BUFFER_WRITTEN,
		};
	return 0;
}

static int do_buffer_read(struct lkst_log_buffer *buffer)
{
	bool fixed = buffer->cpu == -1 && buffer->id == LKST_BUFFER_ID_VOID;
	struct lkst_log_record *record = (void *)(uintptr_t)buffer->buffer;
	uint64_t oldest = fixed ? 0 : oldest_recid(buffer->id), next;
	uint64_t num = buffer->read_size / sizeof(*record);

	kernel.reads++;
	kernel.order = kernel.order * 10 + buffer->id;
	if (buffer->cpu == 1 && buffer->id == 1 && kernel.gone >= 0 && !kernel.gone--)
		return -EINVAL;
	next = oldest + (fixed ? 3 : kernel.held);
	if (oldest < buffer->first_recid)
		oldest = buffer->first_recid;
	if (num > next - oldest)
		num = next - oldest;
	for (uint64_t i = 0; i < num; i++) {
		const uint64_t arg[4] = { (uint64_t)buffer->id, kernel.caller + i };

		record[i] = sample_record(fixed ? 1 : buffer->cpu, oldest + i,
					  SAMPLE_NS + (int64_t)i, kernel.type, 1, arg);
	}
	buffer->first_recid = fixed ? 0 : first_recid(buffer->id);
	buffer->recorded = next - buffer->first_recid;
	buffer->overwritten = fixed ? 0 : OVERWRITTEN;
	buffer->dropped = !fixed;
	buffer->unfinished = 0;
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

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	(void)ctx;
	kernel.last = request;
	kernel.arg = (intptr_t)arg;
	if (kernel.error)
		return -kernel.error;
	switch (request) {
	case LKST_IOC_TRC_STATUS:
		return do_status(arg);
	case LKST_IOC_BUFFER_LIST:
		return do_buffer_list(arg);
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

static const struct lkst_device_ops ops = { .ioctl = fake_ioctl };
static struct lkst_device *dev;

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	kernel.held = SLOTS;
	kernel.gone = -1;
	kernel.type = 0x030;
	strcpy(root + sizeof(root) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(root));
	dev = lkst_device_new(&ops, NULL, NULL);
}

static void teardown(void)
{
	char command[64];

	lkst_device_close(dev);
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
	ck_assert_int_eq(kernel.reads, 4);
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

START_TEST(test_oldest_buffer_first)
{
	struct lkst_error err = { 0 };

	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 1, .id = -1 }, &err), 2 * SLOTS);
	ck_assert_int_eq(kernel.order, 10);
}
END_TEST

START_TEST(test_deleted_meanwhile)
{
	struct lkst_error err = { 0 };

	kernel.gone = 0;
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 1, .id = -1 }, &err), SLOTS);
	kernel.gone = 0;
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = 1, .id = 1 }, &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_NOT_FOUND);
	ck_assert_str_eq(err.text, "no buffer 1 on CPU 1: \"lkstbuf list\" shows which there are");
}
END_TEST

START_TEST(test_oldest)
{
	struct lkst_error err;

	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1, .max = 10 }, &err),
			 40);
	ck_assert_int_eq(kernel.reads, 4);
}
END_TEST

START_TEST(test_static)
{
	struct lkst_error err;

	ck_assert_int_eq(
		capture((struct lkst_capture){ .cpu = -1, .id = -1, .static_buffer = true }, &err),
		3);
	ck_assert_int_eq(events_of_cpu[1], 3);
}
END_TEST

/* What values and code are called is found out with the records. */
START_TEST(test_context)
{
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
	kernel.type = 0x080; /* spin_lock(lock, caller) */
	kernel.caller = 0xffffffff81000100;
	trace = capture_trace((struct lkst_capture){ .cpu = -1, .id = -1 }, &fd, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	context = lkst_trace_context(trace);
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_DROP, 2), "TWO");
	for (uint64_t i = 0; i < SLOTS; i++) {
		ck_assert(lkst_symbols_find(context->symbols, kernel.caller + i, &symbol));
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
	struct lkst_error err = { 0 };
	struct lkst_symbol symbol;
	struct lkst_trace *trace;
	int fd;

	/* No /proc/lkst_values, and symbols that are not shown */
	put_file(LKST_SYMBOLS_PATH, "0000000000000000 T caller\n");
	kernel.type = 0x080;
	kernel.caller = 0xffffffff81000100;
	trace = capture_trace((struct lkst_capture){ .cpu = -1, .id = -1 }, &fd, &err);
	ck_assert_msg(trace != NULL, "%s", err.text);
	ck_assert(!lkst_symbols_find(lkst_trace_context(trace)->symbols, kernel.caller, &symbol));
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

START_TEST(test_empty)
{
	struct lkst_error err;

	kernel.held = 0;
	ck_assert_int_eq(capture((struct lkst_capture){ .cpu = -1, .id = -1 }, &err), 0);
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
	ck_assert_int_eq(kernel.reads, 1);
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

	kernel.error = errors[_i].error;
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
	struct lkst_maskset_body *body = malloc(sizeof(*body));
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
	kernel.error = EBUSY;
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
	tcase_add_test(tc, test_all);
	tcase_add_test(tc, test_selection);
	tcase_add_test(tc, test_oldest_buffer_first);
	tcase_add_test(tc, test_deleted_meanwhile);
	tcase_add_test(tc, test_oldest);
	tcase_add_test(tc, test_static);
	tcase_add_test(tc, test_context);
	tcase_add_test(tc, test_context_of_old_kernel);
	tcase_add_test(tc, test_empty);
	tcase_add_test(tc, test_interrupted);
	tcase_add_test(tc, test_interrupted_between_buffers);
	tcase_add_loop_test(tc, test_errors, 0, 4);
	tcase_add_test(tc, test_status);
	tcase_add_test(tc, test_masksets);
	tcase_add_test(tc, test_evhandlers);
	tcase_add_test(tc, test_entry_log);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
