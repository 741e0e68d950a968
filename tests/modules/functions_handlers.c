// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the functions of section 4.7.2.3 of the specification: event handlers, with and without
 * a device in sysfs.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst_class.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>
#include "functions.h"

#define NO_ID	LKST_EVHANDLER_ID_VOID

static int ctrl(int id, void *buf, u64 bufsize)
{
	struct lkst_evhandler_ctrl_param param = { id, 0, address(buf), bufsize };
	int ret = lkst_evhandler_ctrl(&param);

	return ret ?: param.ret;
}

void test_evhandlers(void)
{
	u8 area[4] = { 0xf0, 0xf0, 0xf0, 0xf0 };

	function = "lkst_evhandler_list";
	ROW(-EINVAL, "NULL", lkst_evhandler_list(NULL));
	ROW(-EINVAL, "listent is NULL", list_evhandlers(100, NULL));
	ROW(-EINVAL, "listent_size is negative", list_evhandlers(-1, evhandlers));
	ROW(0, "success", list_evhandlers(EVHANDLERS_SIZE, evhandlers));
	skip("-ENOMEM", "it allocates nothing");

	function = "lkst_evhandler_ctrl";
	ROW(-EINVAL, "NULL", lkst_evhandler_ctrl(NULL));
	ROW(-EINVAL, "id is negative", ctrl(-1, area, 3));
	ROW(-EINVAL, "id is out of range", ctrl(NO_ID, area, 3));
	ROW(-EINVAL, "there is no such event handler", ctrl(0xfff, area, 3));
	ROW(-EINVAL, "no control function", ctrl(LOG, area, 3));
	ROW(-EINVAL, "buf is NULL, bufsize is not 0", ctrl(own_handler, NULL, 3));
	ROW(-EINVAL, "bufsize is 0, buf is not NULL", ctrl(own_handler, area, 0));
	ROW(-EINVAL, "bufsize is too large",
	    ctrl(own_handler, area, LKST_EVHANDLER_CTRL_SIZE_MAX + 1));
	ROW(0x0f, "success", ctrl(own_handler, area, 3));
	ok(area[2] == 0x0f && area[3] == 0xf0, "changes the 3 bytes of the area, and no other");
	ROW(-77, "success without an area", ctrl(own_handler, NULL, 0));
	skip("-ENOMEM", "it allocates nothing");

	function = "lkst_evhandler_get_id";
	ROW(own_handler, "success", lkst_evhandler_get_id("functions"));
	ROW(NO_ID, "an unknown name", lkst_evhandler_get_id("other"));
	ROW(-EINVAL, "NULL", lkst_evhandler_get_id(NULL));
	ROW(-EINVAL, "no name", lkst_evhandler_get_id(""));
}

static int reg(int id, const char *name)
{
	return lkst_evhandler_register(id, name, own_evhandler, NULL);
}

LKST_EH_DEV_DEF(functions_device, own_evhandler, own_ctrl, NULL, NULL);
LKST_EH_DEV_DEF(functions_bad, own_evhandler, own_ctrl, NULL, NULL);

static int reg_bad(const char *name, int id, lkst_evhandler_func func)
{
	struct lkst_eh_device *bad = &LKST_EH_DEV(functions_bad);
	int ret;

	memset(bad->name, 0, sizeof(bad->name));
	memcpy(bad->name, name, strnlen(name, sizeof(bad->name)));
	bad->id = id;
	bad->evhandler = func;
	ret = lkst_eh_device_register(bad);
	if (ret >= 0)
		lkst_eh_device_unregister(bad);
	return ret;
}

void test_no_evhandler_id(void)
{
	char name[20];
	int first = 0;

	for (int id = LKST_EVHANDLER_ID_USER_MIN; id <= LKST_EVHANDLER_ID_MAX; id++) {
		snprintf(name, sizeof(name), "handler %d", id);
		if (reg(NO_ID, name) < 0)
			break;
		first = first ?: lkst_evhandler_get_id(name);
	}
	function = "lkst_evhandler_register";
	ROW(-ENOSPC, "no id is free", reg(NO_ID, "other"));
	function = "lkst_eh_device_register";
	ROW(-ENOSPC, "no id is free", reg_bad("other", NO_ID, own_evhandler));
	for (int id = first; id <= LKST_EVHANDLER_ID_MAX; id++)
		if (id != own_handler)
			lkst_evhandler_unregister(id);
}

void test_register(void)
{
	static const char no_end[] = "name of LKST_EVHANDLER_NAME_LEN chars";

	function = "lkst_evhandler_register";
	ROW(-EINVAL, "id is negative", reg(-1, "new"));
	ROW(-EINVAL, "id is reserved for LKST", reg(0x01f, "new"));
	ROW(-EINVAL, "id is out of range", reg(NO_ID + 1, "new"));
	ROW(-EINVAL, "id is taken", reg(own_handler, "new"));
	ROW(-EINVAL, "name is NULL", reg(0x200, NULL));
	ROW(-EINVAL, "name is empty", reg(0x200, ""));
	ROW(-EINVAL, "name is too long", reg(0x200, no_end));
	ROW(-EINVAL, "name is taken", reg(0x200, "functions"));
	ROW(-EINVAL, "function is NULL", lkst_evhandler_register(0x200, "new", NULL, own_ctrl));
	ROW(0x200, "success", reg(0x200, "new"));
	function = "lkst_evhandler_unregister";
	ROW(-EINVAL, "id is negative", lkst_evhandler_unregister(-1));
	ROW(-EINVAL, "id is out of range", lkst_evhandler_unregister(NO_ID));
	ROW(-EINVAL, "there is no such event handler", lkst_evhandler_unregister(0x201));
	for (int id = 0; id < LKST_EVHANDLER_ID_USER_MIN; id++)
		ROW(-EINVAL, "an event handler of LKST", lkst_evhandler_unregister(id));
	ROW(0, "success", lkst_evhandler_unregister(0x200));
	function = "lkst_evhandler_register";
	NOMEM("-ENOMEM: memory runs out", reg(0x200, "new"), lkst_evhandler_unregister(0x200));
}

void test_devices(void)
{
	struct lkst_eh_device *device = &LKST_EH_DEV(functions_device);
	int id;

	function = "lkst_eh_device_register";
	ROW(-EINVAL, "NULL", lkst_eh_device_register(NULL));
	ROW(-EINVAL, "no name", reg_bad("", NO_ID, own_evhandler));
	ROW(-EINVAL, "name is taken", reg_bad("functions", NO_ID, own_evhandler));
	ROW(-EINVAL, "name is the one of /dev/lkst", reg_bad("lkst", NO_ID, own_evhandler));
	ROW(-EINVAL, "no function", reg_bad("other", NO_ID, NULL));
	ROW(-EINVAL, "id is reserved for LKST", reg_bad("other", 0x01f, own_evhandler));
	ROW(-EINVAL, "id is taken", reg_bad("other", own_handler, own_evhandler));
	id = lkst_eh_device_register(device);
	ok(id >= LKST_EVHANDLER_ID_USER_MIN && id == device->id, "success");
	ROW(-EINVAL, "the device is already registered", lkst_eh_device_register(device));
	ROW(id, "its event handler is registered", lkst_evhandler_get_id("functions_device"));
	lkst_eh_device_unregister(device);
	function = "lkst_eh_device_unregister";
	ROW(NO_ID, "its event handler is unregistered", lkst_evhandler_get_id("functions_device"));
	take_snapshot(&before);
	lkst_eh_device_unregister(device);
	lkst_eh_device_unregister(NULL);
	finish_row("NULL or a device that is not registered is ignored", -1, -1);
	function = "lkst_eh_device_register";
	NOMEM("-ENOMEM: memory runs out",
	      lkst_eh_device_register(device), lkst_eh_device_unregister(device));
}
