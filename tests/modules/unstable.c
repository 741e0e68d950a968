// SPDX-License-Identifier: GPL-2.0
/* For tests/vm/memory_short*.t, renew_*.t: the kernel stops trusting the TSC. */
#include <linux/module.h>
#include <asm/tsc.h>

static int __init unstable_init(void)
{
	mark_tsc_unstable("a test says so");
	return 0;
}

static void __exit unstable_exit(void)
{
}

module_init(unstable_init);
module_exit(unstable_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a TSC that cannot be trusted");
