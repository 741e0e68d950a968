// SPDX-License-Identifier: GPL-2.0
/* For tests/vm/module/load_off.t: a module whose exit function stops LKST. It does nothing else. */
#include <linux/module.h>
#include <linux/lkst.h>

static void __exit stopping_exit(void)
{
	lkst_trc_stop();
}

module_exit(stopping_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a module that stops it");
