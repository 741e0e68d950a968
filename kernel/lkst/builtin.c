// SPDX-License-Identifier: GPL-2.0
/*
 * LKST in the kernel comes up as that does (specification 4.5).
 */
#include <linux/init.h>
#include <linux/smp.h>
#include <linux/lkst.h>

#include "buffer.h"
#include "clock.h"
#include "device.h"
#include "dump.h"
#include "etype.h"
#include "image.h"
#include "main.h"
#include "maskset.h"
#include "shift.h"
#include "source.h"
#include "values.h"

/* Whether lkst_init() came through; what follows depends on it. */
static bool lkst_up __initdata;

/**
 * lkst_init() - start tracing
 *
 * Called from start_kernel(), as soon as tracepoints work: memory can be allocated, one
 * CPU runs, with interrupts off.
 */
void __init lkst_init(void)
{
	if (lkst_is_off() || lkst_prepare() || lkst_first_buffer())
		return;
	lkst_begin();
	lkst_up = true;
}

/* The first process runs this, before the other CPUs come up. */
static int __init lkst_init_smp(void)
{
	if (!lkst_up)
		return 0;
	lkst_clock_first_reading();
	lkst_shift_timestamp(NULL);
	lkst_image_start();
	lkst_trc_begin_late();
	return lkst_buffer_start() ?: lkst_cpu_start() ?: lkst_console_register_sysrq() ?:
	       lkst_kmsg_dump_start();
}
early_initcall(lkst_init_smp);

/* Right after the fs_initcall in which the kernel chooses its clocksource. */
static int __init lkst_init_clock(void)
{
	if (!lkst_up)
		return 0;
	lkst_clock_discard_early();
	on_each_cpu(lkst_shift_timestamp, NULL, 1);
	return 0;
}
fs_initcall_sync(lkst_init_clock);

static int __init lkst_init_interface(void)
{
	if (!lkst_up)
		return 0;
	return lkst_device_start() ?: lkst_etype_start() ?: lkst_values_start();
}
device_initcall(lkst_init_interface);

static int __init lkst_init_time(void)
{
	return lkst_up ? lkst_clock_start() : 0;
}
late_initcall(lkst_init_time);
