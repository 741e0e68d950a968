// SPDX-License-Identifier: GPL-2.0
/* For tests/vm/load_off.t: asks LKST to stop, and is gone. */
#include <linux/module.h>
#include <linux/lkst.h>

static int __init stopping_init(void)
{
	return 0;
}

static void __exit stopping_exit(void)
{
	lkst_trc_stop();
}

module_init(stopping_init);
module_exit(stopping_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a module that stops it");
