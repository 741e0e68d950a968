// SPDX-License-Identifier: GPL-2.0
/*
 * LKST_KERNEL_DUMP (0xf07): the kernel hands its messages to whoever keeps them, because it dies or
 * goes down.
 */
#include <linux/kmsg_dump.h>

#include "../compat.h"
#include "../event.h"
#include "../source.h"
#include "../stage.h"

/* In any context, NMI included, and with other CPUs stopped anywhere. */
static void lkst_kernel_dump(struct kmsg_dumper *dumper, lkst_kmsg_dump dump)
{
	lkst_event_preemptible(LKST_ETYPE_LKST_KERNEL_DUMP, lkst_kmsg_dump_reason(dump), 0, 0, 0);
}

static struct kmsg_dumper lkst_dumper = {
	.dump = lkst_kernel_dump,
	.max_reason = KMSG_DUMP_MAX,
};

/**
 * lkst_kmsg_dump_start() - record LKST_KERNEL_DUMP from now on
 *
 * Return: 0 or a negative error.
 */
int __init lkst_kmsg_dump_start(void)
{
	return kmsg_dump_register(&lkst_dumper);
}

void __lkst_exit lkst_kmsg_dump_stop(void)
{
	kmsg_dump_unregister(&lkst_dumper);
}

struct lkst_source lkst_sources_kmsg_dump[] = {
	LKST_SOURCE_NOTIFIER(kmsg_dump, LKST_ETYPE_LKST_KERNEL_DUMP),
	{}
};
