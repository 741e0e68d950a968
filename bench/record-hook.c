// SPDX-License-Identifier: GPL-2.0
/*
 * For bench/record: a loop around an LKST_HOOK. Writing N to the parameter "records" executes N
 * iterations. The parameter "instructions" is the total number of instructions so far, if the TSC
 * counts them.
 */
#include <linux/module.h>
#include <linux/lkst.h>
#include <asm/msr.h>

#include "record-hook.h"

LKST_ETYPE_DEF_MODULE(RECORD_HOOK_ETYPE, NORMAL, RECORD_HOOK, "record hook", "left:udec",
		      "where:ptr", "left:udec", "");

static unsigned long instructions;
module_param(instructions, ulong, 0400);

/* Executes the hook in the shortest possible loop, whose own instructions are counted as well. */
static noinline void record(unsigned long left)
{
	do {
		LKST_HOOK(RECORD_HOOK, LKST_ARG(left), LKST_ARGP(&instructions), LKST_ARG(left),
			  LKST_ARG(0));
	} while (--left);
}

static int records_set(const char *value, const struct kernel_param *kp)
{
	unsigned int num;
	u64 begin;
	int ret = kstrtouint(value, 0, &num);

	if (ret)
		return ret;
	if (!num)
		return -EINVAL;
	begin = rdtsc();
	record(num);
	instructions += rdtsc() - begin;
	return 0;
}

static const struct kernel_param_ops records_ops = { .set = records_set };

module_param_cb(records, &records_ops, NULL, 0200);

static int __init record_hook_init(void)
{
	int ret = lkst_hook_etype_register(&LKST_ETYPE_INFO(RECORD_HOOK));

	return ret < 0 ? ret : 0;
}

static void __exit record_hook_exit(void)
{
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(RECORD_HOOK));
}

module_init(record_hook_init);
module_exit(record_hook_exit);

MODULE_DESCRIPTION("LKST bench: a hook in a loop");
MODULE_LICENSE("GPL");
