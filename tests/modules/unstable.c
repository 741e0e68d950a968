// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/vm/limits/memory_short*.t and renew_*.t: a module that makes the kernel consider the
 * TSC unstable. It cannot be unloaded.
 */
#include <linux/module.h>
#include <asm/tsc.h>

static int __init unstable_init(void)
{
	mark_tsc_unstable("a test says so");
	return 0;
}

module_init(unstable_init);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a TSC that cannot be trusted");
