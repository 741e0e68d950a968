// SPDX-License-Identifier: GPL-2.0
/*
 * Tests the error messages for ioctls that the kernel refuses, and the selection of one of the
 * previous boots. tests/vm/commands tests the ioctls of a real kernel.
 */
#include <errno.h>

#include "lib/device/device.h"
#include "lib/device/previous.h"
#include "tap.h"

#define CPUS 3
#define VOID LKST_BUFFER_ID_VOID

static struct lkst_device *dev;
static unsigned long refused; /* the request that fails */
static int refused_errno; /* the errno that it fails with */

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

/*
 * CPU 0 records into buffer 0, whose next buffer is 1. Buffer 1 has no next buffer, and process
 * 4711 reads it. Buffer 2 is free. CPU 1 records into its only buffer, 0, whose next buffer, 9,
 * does not exist. CPU 2 has never been online and has no buffers.
 */
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

static int fake_ioctl(void *ctx, unsigned long request, void *arg)
{
	(void)ctx;
	if (request == refused)
		return -refused_errno;
	switch (request) {
	case LKST_IOC_TRC_STATUS:
		return do_status(arg);
	case LKST_IOC_BUFFER_LIST:
		return do_list(arg);
	case LKST_IOC_EVHANDLER_LIST:
		return do_handlers(arg);
	}
	return -ENOTTY;
}

static const struct lkst_device_ops ops = { .ioctl = fake_ioctl };

static void setup(void)
{
	refused = 0;
	dev = lkst_device_new(&ops, NULL, NULL);
	ck_assert_int_eq(lkst_device_fd(dev), -1);
}

static void teardown(void)
{
	lkst_device_close(dev);
}

static void refuse(unsigned long request, int error)
{
	refused = request;
	refused_errno = error;
}

/* Check that a call failed, and that err has the expected errno, code and text. */
static void failed(int ret, enum lkst_err code, const char *message)
{
	ck_assert_int_eq(ret, -1);
	assert_contains(err.text, message);
	ck_assert_int_eq(err.code, code);
	ck_assert_int_eq(err.sys_errno, refused_errno);
}

TESTS(.setup = setup, .teardown = teardown);

#define SIZE	  (1 << 20)
#define NOT_FOUND LKST_ERR_NOT_FOUND
#define ARGUMENT  LKST_ERR_ARGUMENT
#define SYSTEM	  LKST_ERR_SYSTEM

/* Arguments of BUFFER_CREATE, the errno with which the kernel refuses it, and the error text. */
static const struct {
	int error;
	enum lkst_err code;
	int32_t id, next, cpu;
	uint64_t size;
	const char *message;
} creates[] = {
	{ EINVAL, NOT_FOUND, 1, VOID, 7, SIZE, "no CPU 7, only CPUs 0-2" },
	{ EINVAL, NOT_FOUND, 1, VOID, -2, SIZE, "no CPU -2" },
	{ EINVAL, ARGUMENT, 256, VOID, 0, SIZE, "buffer 256 is out of range: ids are 0 to 254" },
	{ EINVAL, ARGUMENT, -1, VOID, 0, SIZE, "buffer -1 is out of range" },
	{ EINVAL, ARGUMENT, 3, 999, 0, SIZE, "buffer 999 is out of range" },
	{ EINVAL, ARGUMENT, 3, VOID, 0, 4095, "4095 bytes is not possible (want 4K to 1G)" },
	{ EINVAL, ARGUMENT, 3, VOID, 0, 1ull << 31, "2147483648 bytes is not possible" },
	{ EINVAL, ARGUMENT, 3, 3, 0, SIZE, "buffer 3 cannot be its own next buffer" },
	{ EINVAL, SYSTEM, 2, VOID, 0, SIZE, "buffer 2 already exists on CPU 0" },
	{ EINVAL, SYSTEM, 2, VOID, -1, SIZE, "buffer 2 already exists on CPU 0" },
	{ EINVAL, SYSTEM, VOID, 3, 0, SIZE, "buffer 3 is the lowest free id" },
	{ EINVAL, SYSTEM, 3, VOID, 0, SIZE, "changed meanwhile" },
	{ ENOSPC, SYSTEM, VOID, VOID, 0, SIZE, "all 255 buffer ids are in use" },
	{ ENOMEM, SYSTEM, VOID, VOID, 0, SIZE,
	  "1048576 bytes: LKST takes 3145728 bytes of at most 4194304" },
};

TEST_EACH(test_create, creates)
{
	struct lkst_buffer_param param = {
		.id = creates[_i].id, .next = creates[_i].next, .cpu = creates[_i].cpu,
		.size = creates[_i].size,
	};

	refuse(LKST_IOC_BUFFER_CREATE, creates[_i].error);
	failed(lkst_buffer_create(dev, &param, &err), creates[_i].code, creates[_i].message);
}

#define DELETE LKST_IOC_BUFFER_DELETE
#define LINK   LKST_IOC_BUFFER_LINK
#define SHIFT  LKST_IOC_BUFFER_SHIFT
#define JUMP   LKST_IOC_BUFFER_JUMP
#define BIND   LKST_IOC_BUFFER_SETRMOD

static const struct {
	unsigned long request;
	int32_t cpu;
	lkst_buffer_id id, next;
	int error;
	enum lkst_err code;
	const char *message;
} rows[] = {
	{ DELETE, 7, 1, 0, EINVAL, NOT_FOUND, "no CPU 7" },
	{ DELETE, 0, 300, 0, EINVAL, ARGUMENT, "buffer 300 is out of range" },
	{ DELETE, 1, 2, 0, EINVAL, NOT_FOUND, "no buffer 2 on CPU 1: \"lkstbuf list\"" },
	{ DELETE, 0, 0, 0, EINVAL, SYSTEM, "buffer 0 of CPU 0 cannot be deleted" },
	{ DELETE, 0, 1, 0, EBUSY, SYSTEM, "buffer 1 of CPU 0 is being read by process 4711" },
	{ DELETE, 1, 0, 0, EBUSY, SYSTEM, "buffer 0 of CPU 1 is being written: shift or jump" },
	{ DELETE, 0, 2, 0, ENOMEM, SYSTEM, "Cannot allocate memory" },
	{ LINK, 7, 1, 2, EINVAL, NOT_FOUND, "no CPU 7" },
	{ LINK, 1, 2, 3, EINVAL, NOT_FOUND, "no buffer 2 on CPU 1" },
	{ LINK, 0, 2, 300, EINVAL, ARGUMENT, "buffer 300 is out of range" },
	{ LINK, 0, 2, 2, EINVAL, ARGUMENT, "buffer 2 cannot be its own next buffer" },
	{ SHIFT, -1, 0, 0, EINVAL, NOT_FOUND, "no CPU -1" },
	{ SHIFT, 1, 0, 0, EINVAL, NOT_FOUND,
	  "buffer 0 of CPU 1 is followed by buffer 9, which does not exist" },
	{ SHIFT, 2, 0, 0, EBUSY, SYSTEM, "CPU 2 has no write buffer" },
	{ SHIFT, 0, 0, 0, EBUSY, SYSTEM, "buffer 1 of CPU 0 is being read by process 4711" },
	{ SHIFT, 1, 0, 0, EBUSY, SYSTEM, "CPU 1 is in another shift" },
	{ JUMP, 7, 0, 0, EINVAL, NOT_FOUND, "no CPU 7" },
	{ JUMP, 0, 255, 0, EINVAL, ARGUMENT, "buffer 255 is out of range" },
	{ JUMP, 0, 3, 0, EINVAL, NOT_FOUND, "no buffer 3 on CPU 0" },
	{ JUMP, 0, 1, 0, EBUSY, SYSTEM, "buffer 1 of CPU 0 is being read by process 4711" },
	{ JUMP, 0, 2, 0, EBUSY, SYSTEM, "CPU 0 is in another shift" },
	{ BIND, 7, 0, 0, EINVAL, NOT_FOUND, "no CPU 7" },
	{ BIND, 2, 0, 0, EINVAL, SYSTEM, "CPU 2 has no write buffer" },
	{ BIND, 0, 0, 0, EBUSY, SYSTEM, "CPU 0 is already being read by process 4711" },
	{ BIND, 1, 0, 0, EBUSY, SYSTEM, "CPU 1 cannot be read by this process" },
};

static int act(int i, struct lkst_error *err)
{
	const int32_t cpu = rows[i].cpu;
	const lkst_buffer_id id = rows[i].id;

	switch (rows[i].request) {
	case DELETE:
		return lkst_buffer_delete(dev, cpu, id, err);
	case LINK:
		return lkst_buffer_link(dev, cpu, id, rows[i].next, err);
	case SHIFT:
		return lkst_buffer_shift(dev, cpu, err);
	case JUMP:
		return lkst_buffer_jump(dev, cpu, id, err);
	default:
		return lkst_read_bind(dev, &(struct lkst_buffer_srmodparam){ .cpu = cpu }, err);
	}
}

TEST_EACH(test_refused, rows)
{
	refuse(rows[_i].request, rows[_i].error);
	failed(act(_i, &err), rows[_i].code, rows[_i].message);
	/* err may be NULL. */
	ck_assert_int_eq(act(_i, NULL), -1);
}

static const struct {
	int error;
	enum lkst_err code;
	lkst_evhandler_id id;
	size_t size;
	const char *message;
} ctrls[] = {
	{ EINVAL, NOT_FOUND, 1, 0, "event handler 0x001 \"entry_log\" cannot be controlled" },
	{ EINVAL, NOT_FOUND, 0x20, 0, "no event handler 0x020" },
	{ EINVAL, ARGUMENT, 1, 65537,
	  "65537 bytes are too many for an event handler: at most 65536" },
	{ ENOMEM, SYSTEM, 1, 4, "not enough memory" },
};

TEST_EACH(test_ctrl_refused, ctrls)
{
	int result;

	refuse(LKST_IOC_EVHANDLER_CTRL, ctrls[_i].error);
	failed(lkst_evhandler_ctrl(dev, ctrls[_i].id, "abc", ctrls[_i].size, &result, &err),
	       ctrls[_i].code, ctrls[_i].message);
}

static const struct {
	int error;
	enum lkst_err code;
	const char *message;
} errors[] = {
	{ EPERM, LKST_ERR_PERMISSION, "/dev/lkst: not permitted" },
	{ EACCES, LKST_ERR_PERMISSION, "CAP_SYS_ADMIN" },
	{ ENOTTY, LKST_ERR_NO_DEVICE, "does not know LKST_IOC_TRC_STATUS" },
	{ ENOMEM, LKST_ERR_SYSTEM, "/dev/lkst: LKST_IOC_TRC_STATUS: Cannot allocate memory" },
};

TEST_EACH(test_errors, errors)
{
	struct lkst_status status;

	refuse(LKST_IOC_TRC_STATUS, errors[_i].error);
	failed(lkst_status_get(dev, &status, &err), errors[_i].code, errors[_i].message);
}

TEST(test_status)
{
	struct lkst_status status;

	assert_ok(lkst_status_get(dev, &status, &err));
	ck_assert(lkst_status_online(&status, 0) && lkst_status_online(&status, 1));
	ck_assert(!lkst_status_online(&status, 2) && !lkst_status_online(&status, 64) &&
		  !lkst_status_online(&status, 100000));
	lkst_status_free(&status);
}

/* An older kernel does not know the ioctl. This is not an error: no CPU has a long ring. */
TEST(test_long_status)
{
	struct lkst_long_status ring = { .size = 1 };

	ck_assert_int_eq(lkst_long_status_get(dev, 1, &ring, &err), 0);
	ck_assert_int_eq(ring.cpu, 1);
	ck_assert_uint_eq(ring.size, 0);
	refuse(LKST_IOC_LONG_STATUS, EINVAL);
	failed(lkst_long_status_get(dev, 7, &ring, &err), SYSTEM, "LKST_IOC_LONG_STATUS");
}

/* ---- previous boots ---- */

/* The first bytes of the boots' IDs: 10000000-..., 12000000-... and 20000000-..., oldest first. */
static const uint8_t ids[] = { 0x10, 0x12, 0x20 };

static struct lkst_previous previous;

/* Set up the boots, oldest first, with these states. */
static void set_up(const uint32_t *state)
{
	previous = (struct lkst_previous){ .slot_num = 4, .num = NUM(ids) };
	for (int i = 0; i < NUM(ids); i++) {
		previous.boot[i].boot[0] = ids[i];
		previous.boot[i].state = state[i];
	}
}

/* Check that @id selects the boot at @index or, if @index is -1, no boot, with the error @why. */
static void check_id(const char *id, int index, const char *why)
{
	const struct lkst_previous_listent *found = lkst_previous_find(&previous, id, &err);

	ck_assert_ptr_eq(found, index < 0 ? NULL : &previous.boot[index]);
	if (index < 0)
		assert_contains(err.text, why);
}

TESTS(.name = "previous");

TEST(test_id)
{
	set_up((const uint32_t[]){ LKST_BOOT_SLOT_UNREAD, LKST_BOOT_SLOT_READ,
				   LKST_BOOT_SLOT_UNREAD });
	check_id("12", 1, NULL);
	check_id("2", 2, NULL);
	check_id("10000000-0000-0000-0000-000000000000", 0, NULL);
	check_id("1", -1, "the ids of several previous boots begin with \"1\"");
	check_id("3", -1, "no previous boot \"3\"");
	check_id("10000000-0000-0000-0000-0000000000000", -1, "no previous boot");
	check_id("", -1, "no previous boot \"\"");
}

/* Without an ID, the newest unread boot is selected, or the newest boot if all were read. */
TEST(test_no_id)
{
	set_up((const uint32_t[]){ LKST_BOOT_SLOT_UNREAD, LKST_BOOT_SLOT_UNREAD,
				   LKST_BOOT_SLOT_READ });
	check_id(NULL, 1, NULL);
	set_up((const uint32_t[]){ LKST_BOOT_SLOT_READ, LKST_BOOT_SLOT_READ, LKST_BOOT_SLOT_READ });
	check_id(NULL, 2, NULL);
}

TEST(test_none)
{
	previous = (struct lkst_previous){ .slot_num = 3 };
	check_id(NULL, -1, "there is no previous boot");
	check_id("1", -1, "there is no previous boot");
	previous.slot_num = 0;
	check_id(NULL, -1, "no memory is reserved");
}
