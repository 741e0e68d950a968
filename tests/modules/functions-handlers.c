// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of section 4.7.2.3: event handlers, and those that are devices.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/lkst_class.h>
#include <linux/lkst_evhandler.h>
#include <linux/lkst_private.h>
#include "functions.h"

static int ctrl(int id, void *buf, u64 bufsize)
{
	struct lkst_evhandler_ctrl_param param = { .id = id, .buf = address(buf),
						   .bufsize = bufsize };
	int ret = lkst_evhandler_ctrl(&param);

	return ret ?: param.ret;
}

void test_evhandlers(void)
{
	u8 area[4] = { 0xf0, 0xf0, 0xf0, 0xf0 };

	ROW(-EINVAL, "lkst_evhandler_list: NULL", lkst_evhandler_list(NULL));
	ROW(-EINVAL, "lkst_evhandler_list: listent is NULL", list_evhandlers(100, NULL));
	ROW(-EINVAL, "lkst_evhandler_list: listent_size is negative",
	    list_evhandlers(-1, evhandlers));
	ROW(0, "lkst_evhandler_list: success", list_evhandlers(EVHANDLERS_SIZE, evhandlers));
	skip("lkst_evhandler_list: -ENOMEM", "it allocates nothing");
	skip("lkst_evhandler_list: -EPERM", "functions look at no capability");

	ROW(-EINVAL, "lkst_evhandler_ctrl: NULL", lkst_evhandler_ctrl(NULL));
	ROW(-EINVAL, "lkst_evhandler_ctrl: id is negative", ctrl(-1, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: id is out of range",
	    ctrl(LKST_EVHANDLER_ID_VOID, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: there is no such event handler", ctrl(0xfff, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: it has no control function", ctrl(LOG, area, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: buf is NULL, bufsize is not 0",
	    ctrl(own_handler, NULL, 3));
	ROW(-EINVAL, "lkst_evhandler_ctrl: bufsize is 0, buf is not NULL",
	    ctrl(own_handler, area, 0));
	ROW(-EINVAL, "lkst_evhandler_ctrl: bufsize is too large",
	    ctrl(own_handler, area, LKST_EVHANDLER_CTRL_SIZE_MAX + 1));
	ROW(0x0f, "lkst_evhandler_ctrl: success", ctrl(own_handler, area, 3));
	ok(area[2] == 0x0f && area[3] == 0xf0,
	   "lkst_evhandler_ctrl: the area is what it was given");
	ROW(-77, "lkst_evhandler_ctrl: success, without an area, and what it returned",
	    ctrl(own_handler, NULL, 0));
	skip("lkst_evhandler_ctrl: -ENOMEM", "it allocates nothing");
	skip("lkst_evhandler_ctrl: -EPERM", "functions look at no capability");

	ROW(own_handler, "lkst_evhandler_get_id: success", lkst_evhandler_get_id("functions"));
	ROW(LKST_EVHANDLER_ID_VOID, "lkst_evhandler_get_id: there is none of that name",
	    lkst_evhandler_get_id("other"));
	ROW(-EINVAL, "lkst_evhandler_get_id: NULL", lkst_evhandler_get_id(NULL));
	ROW(-EINVAL, "lkst_evhandler_get_id: no name", lkst_evhandler_get_id(""));
	skip("lkst_evhandler_get_id: -EPERM", "functions look at no capability");
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
	int id, first = 0;

	for (id = LKST_EVHANDLER_ID_USER_MIN; id <= LKST_EVHANDLER_ID_MAX; id++) {
		snprintf(name, sizeof(name), "handler %d", id);
		if (reg(LKST_EVHANDLER_ID_VOID, name) < 0)
			break;
		first = first ?: lkst_evhandler_get_id(name);
	}
	ROW(-ENOSPC, "lkst_evhandler_register: no id is free",
	    reg(LKST_EVHANDLER_ID_VOID, "other"));
	ROW(-ENOSPC, "lkst_eh_device_register: no id is free",
	    reg_bad("other", LKST_EVHANDLER_ID_VOID, own_evhandler));
	for (id = first; id <= LKST_EVHANDLER_ID_MAX; id++)
		if (id != own_handler)
			lkst_evhandler_unregister(id);
}

void test_register(void)
{
	static const char no_end[] = "name of LKST_EVHANDLER_NAME_LEN chars";
	int id;

	ROW(-EINVAL, "lkst_evhandler_register: id is negative", reg(-1, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: id is LKST's own", reg(0x01f, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: id is out of range",
	    reg(LKST_EVHANDLER_ID_VOID + 1, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: id is taken", reg(own_handler, "new"));
	ROW(-EINVAL, "lkst_evhandler_register: name is NULL", reg(0x200, NULL));
	ROW(-EINVAL, "lkst_evhandler_register: name is empty", reg(0x200, ""));
	ROW(-EINVAL, "lkst_evhandler_register: name is too long", reg(0x200, no_end));
	ROW(-EINVAL, "lkst_evhandler_register: name is taken", reg(0x200, "functions"));
	ROW(-EINVAL, "lkst_evhandler_register: function is NULL",
	    lkst_evhandler_register(0x200, "new", NULL, own_ctrl));
	ROW(0x200, "lkst_evhandler_register: success", reg(0x200, "new"));
	ROW(-EINVAL, "lkst_evhandler_unregister: id is negative", lkst_evhandler_unregister(-1));
	ROW(-EINVAL, "lkst_evhandler_unregister: id is out of range",
	    lkst_evhandler_unregister(LKST_EVHANDLER_ID_VOID));
	ROW(-EINVAL, "lkst_evhandler_unregister: there is no such event handler",
	    lkst_evhandler_unregister(0x201));
	for (id = 0; id < LKST_EVHANDLER_ID_USER_MIN; id++)
		ROW(-EINVAL, "lkst_evhandler_unregister: LKST's own",
		    lkst_evhandler_unregister(id));
	ROW(0, "lkst_evhandler_unregister: success", lkst_evhandler_unregister(0x200));
	NOMEM("lkst_evhandler_register: -ENOMEM: memory runs out", reg(0x200, "new"),
	      lkst_evhandler_unregister(0x200));
	skip("lkst_evhandler_register: -EPERM", "functions look at no capability");
	skip("lkst_evhandler_unregister: -EPERM", "functions look at no capability");
}

void test_devices(void)
{
	struct lkst_eh_device *device = &LKST_EH_DEV(functions_device);
	int id;

	ROW(-EINVAL, "lkst_eh_device_register: NULL", lkst_eh_device_register(NULL));
	ROW(-EINVAL, "lkst_eh_device_register: no name",
	    reg_bad("", LKST_EVHANDLER_ID_VOID, own_evhandler));
	ROW(-EINVAL, "lkst_eh_device_register: name is taken",
	    reg_bad("functions", LKST_EVHANDLER_ID_VOID, own_evhandler));
	ROW(-EINVAL, "lkst_eh_device_register: no function",
	    reg_bad("other", LKST_EVHANDLER_ID_VOID, NULL));
	ROW(-EINVAL, "lkst_eh_device_register: id is LKST's own",
	    reg_bad("other", 0x01f, own_evhandler));
	ROW(-EINVAL, "lkst_eh_device_register: id is taken",
	    reg_bad("other", own_handler, own_evhandler));
	id = lkst_eh_device_register(device);
	ok(id >= LKST_EVHANDLER_ID_USER_MIN && id == device->id,
	   "lkst_eh_device_register: success");
	ROW(-EINVAL, "lkst_eh_device_register: is registered", lkst_eh_device_register(device));
	ROW(id, "lkst_eh_device_register: its event handler is there",
	    lkst_evhandler_get_id("functions_device"));
	lkst_eh_device_unregister(device);
	ROW(LKST_EVHANDLER_ID_VOID, "lkst_eh_device_unregister: its event handler is gone",
	    lkst_evhandler_get_id("functions_device"));
	take_snapshot(&before);
	lkst_eh_device_unregister(device);
	lkst_eh_device_unregister(NULL);
	finish_row("lkst_eh_device_unregister: what is not registered", -1, -1);
	NOMEM("lkst_eh_device_register: -ENOMEM: memory runs out",
	      lkst_eh_device_register(device), lkst_eh_device_unregister(device));
	skip("lkst_eh_device_register: -EPERM", "functions look at no capability");
}
