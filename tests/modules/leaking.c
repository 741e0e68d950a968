// SPDX-License-Identifier: GPL-2.0
/* For tests/vm/module/leak.t: leaks that kmemleak must find. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

static void *small __initdata;
static void *large __initdata;

/* Both pointers are lost when the kernel frees the module's __initdata after this function. */
static int __init leaking_init(void)
{
	small = kmalloc(100, GFP_KERNEL);
	large = vmalloc(PAGE_SIZE);
	return 0;
}

static void __exit leaking_exit(void)
{
}

module_init(leaking_init);
module_exit(leaking_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of LKST: a module that leaks memory");
