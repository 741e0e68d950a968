// SPDX-License-Identifier: GPL-2.0
/*
 * The device's calls, against a kernel that refuses them: what the error says. The calls that list
 * things are in test_capture.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/liblkst.h"
#include "tap.h"

#define CPUS 3
#define VOID LKST_BUFFER_ID_VOID

/*
 * CPU 0 writes buffer 0, which leads to 1; 1 leads nowhere and is being read by process 4711; 2
 * is free. CPU 1 writes buffer 0, which leads to 9, which is not there. CPU 2 has never been
 * online and has nothing.
 */
static struct kernel {
	unsigned long refused; /* request */
	int error; /* that it gives */
	int terminal; /* buffer 0 of CPU 0 leads nowhere */
	unsigned long last;
	union {
		intptr_t number;
		struct lkst_buffer_param create;
		struct lkst_buffer_delparam delete;
		struct lkst_buffer_linkparam link;
		struct lkst_buffer_jumpparam jump;
		struct lkst_buffer_srmodparam bind;
		struct lkst_evhandler_ctrl_param ctrl;
	} arg;
} kernel;

static struct lkst_device *dev;

static int do_status(struct lkst_trc_status *trc)
{
	uint64_t *online = (void *)(uintptr_t)trc->online_cpu;

	if (trc->online_cpu_len >= 8)
		online[0] = 3;
	trc->online_cpu_len = 8;
	trc->cpu_num = CPUS;
	trc->memory = 3 << 20;
	trc->memory_max = 4 << 20;
	return 0;
}

static int do_list(struct lkst_buffer_listparam *param)
{
	static const struct lkst_buffer_listent ents[] = {
		{ .id = 0, .next = 1, .state = LKST_BUFFER_WRITTEN },
		{ .id = 1, .next = VOID, .state = LKST_BUFFER_BEING_READ },
		{ .id = 2, .next = VOID, .state = LKST_BUFFER_FREE },
	};
	struct lkst_buffer_listent *to = (void *)(uintptr_t)param->listent;

	if (param->cpu < 0 || param->cpu >= CPUS)
		return -EINVAL;
	param->buffer_num = param->cpu == 0 ? 3 : param->cpu == 1;
	memcpy(to, ents, (size_t)param->buffer_num * sizeof(*to));
	if (param->cpu == 1)
		to[0].next = 9;
	else if (kernel.terminal)
		to[0].next = VOID;
	param->write_buf = param->cpu == 2 ? VOID : 0;
	param->read_buf = param->cpu == 0 ? 1 : VOID;
	param->owner = param->cpu == 0 ? 4711 : LKST_BUFFER_OWNER_NONE;
	return 0;
}

static int do_handlers(struct lkst_evhandler_listparam *param)
{
	struct lkst_evhandler_listent *ent = (void *)(uintptr_t)param->listent;

	ent[0] = (struct lkst_evhandler_listent){ 0, "none" };
	ent[1] = (struct lkst_evhandler_listent){ 1, "entry_log" };
	return 0;
}

static size_t size_of(unsigned long request)
{
	return request >> 16 & 0x3fff;
}

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	(void)ctx;
	switch (request) {
	case LKST_IOC_TRC_STATUS:
		return do_status(arg);
	case LKST_IOC_BUFFER_LIST:
		return do_list(arg);
	case LKST_IOC_EVHANDLER_LIST:
		return do_handlers(arg);
	}
	kernel.last = request;
	if (size_of(request))
		memcpy(&kernel.arg, arg, size_of(request));
	else
		kernel.arg.number = (intptr_t)arg;
	if (request == LKST_IOC_BUFFER_CREATE && !kernel.error) {
		((struct lkst_buffer_param *)arg)->id = 5;
		((struct lkst_buffer_param *)arg)->result_size = 8192;
	}
	if (request == LKST_IOC_EVHANDLER_CTRL)
		((struct lkst_evhandler_ctrl_param *)arg)->ret = -7;
	return request == kernel.refused ? -kernel.error : 0;
}

static const struct lkst_device_ops ops = { .ioctl = fake_ioctl };

static void setup(void)
{
	memset(&kernel, 0, sizeof(kernel));
	dev = lkst_device_new(&ops, NULL, NULL);
}

static void teardown(void)
{
	lkst_device_close(dev);
}

static void refuse(unsigned long request, int error)
{
	kernel.refused = request;
	kernel.error = error;
}

/* A call failed; the error has the errno, the kind, and these words. */
static void failed(int ret, const struct lkst_error *err, enum lkst_err code, const char *says)
{
	ck_assert_int_eq(ret, -1);
	ck_assert_msg(strstr(err->text, says), "\"%s\" is not in \"%s\"", says, err->text);
	ck_assert_int_eq(err->code, code);
	ck_assert_int_eq(err->sys_errno, kernel.error);
}

START_TEST(test_arguments)
{
	struct lkst_buffer_param param = { .id = VOID, .next = 3, .cpu = -1, .size = 9000 };
	struct lkst_buffer_srmodparam bind = { .cpu = 1, .mode = LKST_READ_MODE_RAW };
	struct lkst_error err;

	ck_assert_int_eq(lkst_buffer_create(dev, &param, &err), 0);
	ck_assert_uint_eq(kernel.last, LKST_IOC_BUFFER_CREATE);
	ck_assert_int_eq(kernel.arg.create.next, 3);
	ck_assert_int_eq(kernel.arg.create.cpu, -1);
	ck_assert_int_eq(param.id, 5);
	ck_assert_uint_eq(param.result_size, 8192);
	ck_assert_int_eq(lkst_buffer_delete(dev, 1, 7, &err), 0);
	ck_assert_uint_eq(kernel.last, LKST_IOC_BUFFER_DELETE);
	ck_assert(kernel.arg.delete.cpu == 1 && kernel.arg.delete.id == 7);
	ck_assert_int_eq(lkst_buffer_link(dev, 1, 7, 8, &err), 0);
	ck_assert_uint_eq(kernel.last, LKST_IOC_BUFFER_LINK);
	ck_assert(kernel.arg.link.cpu == 1 && kernel.arg.link.id == 7 && kernel.arg.link.next == 8);
	ck_assert_int_eq(lkst_buffer_shift(dev, 1, &err), 0);
	ck_assert_uint_eq(kernel.last, LKST_IOC_BUFFER_SHIFT);
	ck_assert_int_eq(kernel.arg.number, 1);
	ck_assert_int_eq(lkst_buffer_jump(dev, 1, 7, &err), 0);
	ck_assert_uint_eq(kernel.last, LKST_IOC_BUFFER_JUMP);
	ck_assert(kernel.arg.jump.cpu == 1 && kernel.arg.jump.dest == 7);
	ck_assert_int_eq(lkst_read_bind(dev, &bind, &err), 0);
	ck_assert_uint_eq(kernel.last, LKST_IOC_BUFFER_SETRMOD);
	ck_assert(kernel.arg.bind.cpu == 1 && kernel.arg.bind.mode == LKST_READ_MODE_RAW);
	ck_assert_int_eq(lkst_device_fd(dev), -1);
}
END_TEST

#define SIZE (1 << 20)

static const struct {
	struct lkst_buffer_param param;
	int error;
	enum lkst_err code;
	const char *says;
} creates[] = {
	{ { 1, VOID, 7, 0, SIZE, 0 }, EINVAL, LKST_ERR_NOT_FOUND, "no CPU 7 here, only CPUs 0-2" },
	{ { 1, VOID, -2, 0, SIZE, 0 }, EINVAL, LKST_ERR_NOT_FOUND, "no CPU -2 here" },
	{ { 256, VOID, 0, 0, SIZE, 0 },
	  EINVAL,
	  LKST_ERR_ARGUMENT,
	  "buffer 256 is out of range: ids are 0 to 254" },
	{ { -1, VOID, 0, 0, SIZE, 0 }, EINVAL, LKST_ERR_ARGUMENT, "buffer -1 is out of range" },
	{ { 3, 999, 0, 0, SIZE, 0 }, EINVAL, LKST_ERR_ARGUMENT, "buffer 999 is out of range" },
	{ { 3, VOID, 0, 0, 4095, 0 },
	  EINVAL,
	  LKST_ERR_ARGUMENT,
	  "4095 bytes is not possible: 4K to 1G" },
	{ { 3, VOID, 0, 0, 1ull << 31, 0 },
	  EINVAL,
	  LKST_ERR_ARGUMENT,
	  "2147483648 bytes is not possible" },
	{ { 3, 3, 0, 0, SIZE, 0 }, EINVAL, LKST_ERR_ARGUMENT, "buffer 3 cannot lead to itself" },
	{ { 2, VOID, 0, 0, SIZE, 0 },
	  EINVAL,
	  LKST_ERR_SYSTEM,
	  "buffer 2 is there already on CPU 0" },
	{ { 2, VOID, -1, 0, SIZE, 0 },
	  EINVAL,
	  LKST_ERR_SYSTEM,
	  "buffer 2 is there already on CPU 0" },
	{ { VOID, 3, 0, 0, SIZE, 0 }, EINVAL, LKST_ERR_SYSTEM, "buffer 3 is the lowest free id" },
	{ { 3, VOID, 0, 0, SIZE, 0 }, EINVAL, LKST_ERR_SYSTEM, "changed meanwhile" },
	{ { VOID, VOID, 0, 0, SIZE, 0 },
	  ENOSPC,
	  LKST_ERR_SYSTEM,
	  "all 255 ids of buffers are taken" },
	{ { VOID, VOID, 0, 0, SIZE, 0 },
	  ENOMEM,
	  LKST_ERR_SYSTEM,
	  "1048576 bytes: LKST takes 3145728 bytes of at most 4194304" },
};

START_TEST(test_create)
{
	struct lkst_buffer_param param = creates[_i].param;
	struct lkst_error err = { 0 };

	refuse(LKST_IOC_BUFFER_CREATE, creates[_i].error);
	failed(lkst_buffer_create(dev, &param, &err), &err, creates[_i].code, creates[_i].says);
}
END_TEST

enum action {
	DELETE,
	LINK,
	SHIFT,
	JUMP,
	BIND,
};

static const struct {
	enum action action;
	int32_t cpu;
	lkst_buffer_id id;
	lkst_buffer_id next;
	int error;
	enum lkst_err code;
	const char *says;
} rows[] = {
	{ DELETE, 7, 1, 0, EINVAL, LKST_ERR_NOT_FOUND, "no CPU 7 here" },
	{ DELETE, 0, 300, 0, EINVAL, LKST_ERR_ARGUMENT, "buffer 300 is out of range" },
	{ DELETE, 1, 2, 0, EINVAL, LKST_ERR_NOT_FOUND, "no buffer 2 on CPU 1: \"lkstbuf list\"" },
	{ DELETE, 0, 0, 0, EINVAL, LKST_ERR_SYSTEM, "buffer 0 of CPU 0 cannot be deleted" },
	{ DELETE, 0, 1, 0, EBUSY, LKST_ERR_SYSTEM,
	  "buffer 1 of CPU 0 is being read by process 4711" },
	{ DELETE, 1, 0, 0, EBUSY, LKST_ERR_SYSTEM,
	  "buffer 0 of CPU 1 is being written: shift or jump" },
	{ DELETE, 0, 2, 0, ENOMEM, LKST_ERR_SYSTEM, "Cannot allocate memory" },
	{ LINK, 7, 1, 2, EINVAL, LKST_ERR_NOT_FOUND, "no CPU 7 here" },
	{ LINK, 1, 2, 3, EINVAL, LKST_ERR_NOT_FOUND, "no buffer 2 on CPU 1" },
	{ LINK, 0, 2, 300, EINVAL, LKST_ERR_ARGUMENT, "buffer 300 is out of range" },
	{ LINK, 0, 2, 2, EINVAL, LKST_ERR_ARGUMENT, "buffer 2 cannot lead to itself" },
	{ SHIFT, -1, 0, 0, EINVAL, LKST_ERR_NOT_FOUND, "no CPU -1 here" },
	{ SHIFT, 1, 0, 0, EINVAL, LKST_ERR_NOT_FOUND,
	  "buffer 0 of CPU 1 leads to buffer 9, which is not there" },
	{ SHIFT, 2, 0, 0, EBUSY, LKST_ERR_SYSTEM, "CPU 2 records nowhere" },
	{ SHIFT, 0, 0, 0, EBUSY, LKST_ERR_SYSTEM,
	  "buffer 1 of CPU 0 is being read by process 4711" },
	{ SHIFT, 1, 0, 0, EBUSY, LKST_ERR_SYSTEM, "CPU 1 is at another shift" },
	{ JUMP, 7, 0, 0, EINVAL, LKST_ERR_NOT_FOUND, "no CPU 7 here" },
	{ JUMP, 0, 255, 0, EINVAL, LKST_ERR_ARGUMENT, "buffer 255 is out of range" },
	{ JUMP, 0, 3, 0, EINVAL, LKST_ERR_NOT_FOUND, "no buffer 3 on CPU 0" },
	{ JUMP, 0, 1, 0, EBUSY, LKST_ERR_SYSTEM,
	  "buffer 1 of CPU 0 is being read by process 4711" },
	{ JUMP, 0, 2, 0, EBUSY, LKST_ERR_SYSTEM, "CPU 0 is at another shift" },
	{ BIND, 7, 0, 0, EINVAL, LKST_ERR_NOT_FOUND, "no CPU 7 here" },
	{ BIND, 2, 0, 0, EINVAL, LKST_ERR_SYSTEM, "CPU 2 records nowhere" },
	{ BIND, 0, 0, 0, EBUSY, LKST_ERR_SYSTEM, "CPU 0 is read by process 4711 already" },
	{ BIND, 1, 0, 0, EBUSY, LKST_ERR_SYSTEM, "CPU 1 cannot be read by this process" },
};

static const unsigned long requests[] = {
	[DELETE] = LKST_IOC_BUFFER_DELETE, [LINK] = LKST_IOC_BUFFER_LINK,
	[SHIFT] = LKST_IOC_BUFFER_SHIFT,   [JUMP] = LKST_IOC_BUFFER_JUMP,
	[BIND] = LKST_IOC_BUFFER_SETRMOD,
};

static int act(enum action action, int32_t cpu, lkst_buffer_id id, lkst_buffer_id next,
	       struct lkst_error *err)
{
	struct lkst_buffer_srmodparam bind = { .cpu = cpu };

	switch (action) {
	case DELETE:
		return lkst_buffer_delete(dev, cpu, id, err);
	case LINK:
		return lkst_buffer_link(dev, cpu, id, next, err);
	case SHIFT:
		return lkst_buffer_shift(dev, cpu, err);
	case JUMP:
		return lkst_buffer_jump(dev, cpu, id, err);
	case BIND:
		return lkst_read_bind(dev, &bind, err);
	}
	return 0;
}

START_TEST(test_refused)
{
	struct lkst_error err = { 0 };

	refuse(requests[rows[_i].action], rows[_i].error);
	failed(act(rows[_i].action, rows[_i].cpu, rows[_i].id, rows[_i].next, &err), &err,
	       rows[_i].code, rows[_i].says);
	/* Nobody wants to know. */
	ck_assert_int_eq(act(rows[_i].action, rows[_i].cpu, rows[_i].id, rows[_i].next, NULL), -1);
}
END_TEST

START_TEST(test_shift_from_terminal)
{
	struct lkst_error err = { 0 };

	kernel.terminal = 1;
	refuse(LKST_IOC_BUFFER_SHIFT, EINVAL);
	failed(lkst_buffer_shift(dev, 0, &err), &err, LKST_ERR_NOT_FOUND,
	       "buffer 0 of CPU 0 leads to no other: \"lkstbuf link -b 0 -c 0 -n ID\"");
}
END_TEST

START_TEST(test_ctrl)
{
	struct lkst_error err = { 0 };
	char buf[4] = "abc";
	int result = 0;

	ck_assert_int_eq(lkst_evhandler_ctrl(dev, 1, buf, sizeof(buf), &result, &err), 0);
	ck_assert_int_eq(result, -7);
	ck_assert_int_eq(kernel.arg.ctrl.id, 1);
	ck_assert_uint_eq(kernel.arg.ctrl.buf, (uint64_t)(uintptr_t)buf);
	ck_assert_uint_eq(kernel.arg.ctrl.bufsize, sizeof(buf));
	refuse(LKST_IOC_EVHANDLER_CTRL, EINVAL);
	failed(lkst_evhandler_ctrl(dev, 1, NULL, 0, &result, &err), &err, LKST_ERR_NOT_FOUND,
	       "event handler 0x001 \"entry_log\" cannot be controlled");
	failed(lkst_evhandler_ctrl(dev, 0x20, NULL, 0, &result, &err), &err, LKST_ERR_NOT_FOUND,
	       "no event handler 0x020");
	failed(lkst_evhandler_ctrl(dev, 1, buf, 65537, &result, &err), &err, LKST_ERR_ARGUMENT,
	       "65537 bytes for an event handler are too many: at most 65536");
	refuse(LKST_IOC_EVHANDLER_CTRL, ENOMEM);
	failed(lkst_evhandler_ctrl(dev, 1, buf, 4, &result, &err), &err, LKST_ERR_SYSTEM,
	       "not enough memory");
}
END_TEST

START_TEST(test_permission)
{
	struct lkst_error err = { 0 };

	refuse(LKST_IOC_BUFFER_SHIFT, EPERM);
	failed(lkst_buffer_shift(dev, 0, &err), &err, LKST_ERR_PERMISSION, "CAP_SYS_ADMIN");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("device");
	TCase *tc = tcase_create("device");

	tcase_add_checked_fixture(tc, setup, teardown);
	check_id(tc, test_arguments);
	tcase_add_loop_test(tc, test_create, 0, sizeof(creates) / sizeof(*creates));
	tcase_add_loop_test(tc, test_refused, 0, sizeof(rows) / sizeof(*rows));
	check_id(tc, test_shift_from_terminal);
	check_id(tc, test_ctrl);
	check_id(tc, test_permission);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
