// SPDX-License-Identifier: GPL-2.0
/*
 * Start LKST while the kernel boots, if it is built into the kernel
 * (specification 4.5).
 */
#include <linux/init.h>
#include <linux/smp.h>
#include <linux/lkst.h>

#include "added/added.h"
#include "buffer/buffer.h"
#include "clock/clock.h"
#include "device/device.h"
#include "device/kmemtrace.h"
#include "console/console.h"
#include "history/history.h"
#include "source/digest.h"
#include "source/etype.h"
#include "source/image_texts.h"
#include "main.h"
#include "dispatch/maskset.h"
#include "buffer/shift.h"
#include "source/source.h"
#include "user/files.h"
#include "user/registry.h"
#include "source/values.h"

/* Whether lkst_init() has succeeded. All later steps depend on it. */
static bool lkst_initialized __initdata;

/**
 * lkst_init() - start tracing
 *
 * Called from start_kernel() as soon as tracepoints work. Memory can be
 * allocated, and only one CPU is running, with interrupts off.
 */
void __init lkst_init(void)
{
	if (lkst_is_off() || lkst_prepare() || lkst_first_buffer())
		return;
	lkst_begin();
	lkst_initialized = true;
}

/*
 * Start the parts of LKST that need processes. Runs in the first process,
 * before other CPUs come online.
 */
static int __init lkst_init_smp(void)
{
	if (!lkst_initialized)
		return 0;
	lkst_clock_first_reading();
	lkst_shift_timestamp(NULL);
	lkst_image_texts_start();
	lkst_source_allow_late();
	lkst_trc_begin_late();
	return lkst_buffer_start() ?: lkst_cpu_start() ?: lkst_console_register_sysrq() ?:
	       lkst_kmsg_dump_start() ?: lkst_user_start();
}
early_initcall(lkst_init_smp);

/*
 * Discard the early readings of the clocks. Runs right after the fs_initcall in
 * which the kernel selects a clocksource.
 */
static int __init lkst_init_clock(void)
{
	if (!lkst_initialized)
		return 0;
	lkst_clock_discard_early();
	on_each_cpu(lkst_shift_timestamp, NULL, 1);
	return 0;
}
fs_initcall_sync(lkst_init_clock);

static int __init lkst_init_interface(void)
{
	if (!lkst_initialized)
		return 0;
	return lkst_added_start() ?: lkst_device_start() ?: lkst_etype_start() ?:
	       lkst_values_start() ?: lkst_user_files_start() ?: lkst_kmemtrace_start() ?:
	       lkst_first_rules() ?: lkst_digest_start() ?: lkst_history_start();
}
device_initcall(lkst_init_interface);

static int __init lkst_init_time(void)
{
	return lkst_initialized ? lkst_clock_start() : 0;
}
late_initcall(lkst_init_time);
