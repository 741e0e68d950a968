// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of section 4.7.2.5: event types, and what records an event.
 */
#include <linux/lkst.h>
#include <linux/lkst_private.h>
#include "functions.h"

static int reg_etype(int etype, const char *mnemonic, const char *name, const char *arg)
{
	struct lkst_etype_info info = { .etype = etype, .mnemonic = mnemonic, .name = name,
					.args = { arg, "", "", "" } };
	int ret = lkst_hook_etype_register(&info);

	if (ret >= 0)
		lkst_hook_etype_unregister(&info);
	return ret;
}

void test_etypes(void)
{
	struct lkst_etype_info other = { .etype = OWN_ETYPE };
	u64 recid;

	ROW(-EINVAL, "lkst_hook_etype_register: NULL", lkst_hook_etype_register(NULL));
	ROW(-EINVAL, "lkst_hook_etype_register: event type is reserved, below",
	    reg_etype(0x0ff, "OTHER", "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: event type is reserved, above",
	    reg_etype(0x200, "OTHER", "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: event type is negative",
	    reg_etype(-1, "OTHER", "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: no mnemonic",
	    reg_etype(OTHER_ETYPE, NULL, "other", ""));
	ROW(-EINVAL, "lkst_hook_etype_register: no name",
	    reg_etype(OTHER_ETYPE, "OTHER", NULL, ""));
	ROW(-EINVAL, "lkst_hook_etype_register: no argument",
	    reg_etype(OTHER_ETYPE, "OTHER", "other", NULL));
	ROW(-EINVAL, "lkst_hook_etype_register: a name of several lines",
	    reg_etype(OTHER_ETYPE, "OTHER", "other\nother", ""));
	ROW(-EBUSY, "lkst_hook_etype_register: event type is used",
	    reg_etype(OWN_ETYPE, "OTHER", "other", ""));
	ROW(OTHER_ETYPE, "lkst_hook_etype_register: success",
	    reg_etype(OTHER_ETYPE, "OTHER", "other", ""));
	NOMEM("lkst_hook_etype_register: -ENOMEM: memory runs out",
	      reg_etype(OTHER_ETYPE, "OTHER", "other", ""), (void)0);
	skip("lkst_hook_etype_register: -EPERM", "functions look at no capability");
	take_snapshot(&before);
	lkst_hook_etype_unregister(NULL);
	lkst_hook_etype_unregister(&other);
	finish_row("lkst_hook_etype_unregister: what is not registered", -1, -1);

	recid = get_status().static_buffer_recid;
	lkst_evhandlerprim_static_log(NULL, OWN_ETYPE, 1, 2, 3, 4);
	ok(get_status().static_buffer_recid == recid + 1,
	   "lkst_evhandlerprim_static_log: a record in the static buffer");
}
