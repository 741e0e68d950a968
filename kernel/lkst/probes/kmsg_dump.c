// SPDX-License-Identifier: GPL-2.0
/*
 * Record LKST_KERNEL_DUMP (0xf07) when the kernel passes its messages to the
 * registered kmsg dumpers, because it crashes or shuts down.
 */
#include <linux/kmsg_dump.h>

#include "../base/compat.h"
#include "../dispatch/event.h"
#include "../source/source.h"
#include "../base/stage.h"

/*
 * Record that the kernel passes its messages to the dumpers. Context: any, NMI
 * included. The other CPUs may have been stopped at arbitrary places.
 */
static void lkst_kernel_dump(struct kmsg_dumper *dumper, lkst_kmsg_dump dump)
{
	lkst_event_preemptible(LKST_ETYPE_LKST_KERNEL_DUMP, lkst_kmsg_dump_reason(dump), 0, 0, 0);
}

static struct kmsg_dumper lkst_dumper = {
	.dump = lkst_kernel_dump,
	.max_reason = KMSG_DUMP_MAX,
};

/**
 * lkst_kmsg_dump_start() - start recording LKST_KERNEL_DUMP
 *
 * Return: 0 or a negative errno.
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
