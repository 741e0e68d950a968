// SPDX-License-Identifier: GPL-2.0
/*
 * LKST comes up (specification 4.5), in steps as the kernel does.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/lkst.h>

#include "buffer.h"
#include "clock.h"
#include "device.h"
#include "dump.h"
#include "etype.h"
#include "event.h"
#include "image.h"
#include "maskset.h"
#include "memory.h"
#include "reserved.h"
#include "shift.h"
#include "source.h"
#include "static_buffer.h"
#include "values.h"

/* Parsed before there is anything to be set up: errors go to the static buffer. */
static unsigned long lkst_param_buffer_size __initdata = CONFIG_LKST_BUFFER_SIZE * SZ_1K;

static int __init lkst_set_buffer_size(const char *value, const struct kernel_param *kp)
{
	char *end;
	u64 size = memparse(value, &end);

	if (end == value || *end || size < LKST_BUFFER_SIZE_MIN || size > LKST_BUFFER_SIZE_MAX) {
		pr_warn("lkst: lkst.buffer_size=%s: want a size from 4K to %luM; using %luK\n",
			value, LKST_BUFFER_SIZE_MAX / SZ_1M, lkst_param_buffer_size / SZ_1K);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_BUFFER_SIZE);
		return 0;
	}
	lkst_param_buffer_size = size;
	return 0;
}

static const struct kernel_param_ops lkst_buffer_size_ops __initconst = {
	.set = lkst_set_buffer_size,
};

module_param_cb(buffer_size, &lkst_buffer_size_ops, NULL, 0);
MODULE_PARM_DESC(buffer_size, "size of each CPU's buffer, 4K to 1G");

/* Bytes, or a share of the machine's memory; 0: nobody said. */
static u64 lkst_param_memory __initdata;
static bool lkst_param_memory_percent __initdata;

#define LKST_MEMORY_DEFAULT_PERCENT	25

static int __init lkst_set_memory(const char *value, const struct kernel_param *kp)
{
	char *end;
	u64 memory = memparse(value, &end);
	bool percent = *end == '%';

	if (end == value || end[percent] || !memory || (percent && memory > 100)) {
		pr_warn("lkst: lkst.memory=%s: want a size, or 1%% to 100%% of the memory; using %d%%\n",
			value, LKST_MEMORY_DEFAULT_PERCENT);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_MEMORY);
		return 0;
	}
	lkst_param_memory = memory;
	lkst_param_memory_percent = percent;
	return 0;
}

static const struct kernel_param_ops lkst_memory_ops __initconst = {
	.set = lkst_set_memory,
};

module_param_cb(memory, &lkst_memory_ops, NULL, 0);
MODULE_PARM_DESC(memory, "the most memory to take in all: a size, or a share as in 25%");

static u64 __init lkst_memory_bound(void)
{
	u64 percent = LKST_MEMORY_DEFAULT_PERCENT;

	if (lkst_param_memory && !lkst_param_memory_percent)
		return lkst_param_memory;
	if (lkst_param_memory)
		percent = lkst_param_memory;
	return div_u64((u64)totalram_pages() * PAGE_SIZE * percent, 100);
}

static char *lkst_param_maskset __initdata = "default";
module_param_named(maskset, lkst_param_maskset, charp, 0);
MODULE_PARM_DESC(maskset, "maskset to begin with: nothing, all, default, or its id");

static bool lkst_param_off;
module_param_named(off, lkst_param_off, bool, 0444);
MODULE_PARM_DESC(off, "do not trace: no buffers, no device, no cost");

/* Whether lkst_init() came through; what follows depends on it. */
static bool lkst_up __initdata;

static int __init lkst_first_maskset(void)
{
	int id = lkst_maskset_by_word(lkst_param_maskset);

	if (id >= 0)
		return id;
	pr_warn("lkst: lkst.maskset=%s: there is no such maskset; using default\n",
		lkst_param_maskset);
	lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_MASKSET);
	return LKST_MASKSET_ID_RDEFAULT;
}

/**
 * lkst_init() - start tracing
 *
 * Called from start_kernel(), as soon as tracepoints work: memory can be allocated, one
 * CPU runs, with interrupts off.
 */
void __init lkst_init(void)
{
	if (lkst_param_off) {
		pr_info("lkst: off\n");
		return;
	}
	lkst_clock_init();
	lkst_static_buffer_write(0, LKST_ETYPE_LKST_INIT, LKST_INTERFACE_VERSION,
				 num_possible_cpus(), 0, 0);
	lkst_memory_init(lkst_memory_bound());
	lkst_image_init();
	lkst_static_buffer_sign();
	lkst_reserved_init();
	lkst_source_init();
	lkst_maskset_init();
	if (lkst_buffer_init(lkst_param_buffer_size)) {
		pr_err("lkst: no memory for a buffer; not tracing\n");
		lkst_error(LKST_ERROR_NO_BUFFER, raw_smp_processor_id());
		return;
	}
	lkst_oops_start();
	lkst_trc_begin(lkst_first_maskset());
	lkst_event_direct(LKST_ETYPE_LKST_INIT, LKST_INTERFACE_VERSION, num_possible_cpus(),
			  0, 0);
	lkst_dump_register_panic();
	lkst_up = true;
	pr_info("lkst: tracing\n");
}

/* The first process runs this, before the other CPUs come up. */
static int __init lkst_init_smp(void)
{
	int ret;

	if (!lkst_up)
		return 0;
	lkst_clock_first_note();
	lkst_shift_date();
	lkst_image_start();
	lkst_trc_begin_late();
	ret = lkst_buffer_start();
	if (ret)
		return ret;
	ret = lkst_cpu_start();
	if (ret)
		return ret;
	ret = lkst_dump_register_sysrq();
	if (ret)
		return ret;
	return IS_ENABLED(CONFIG_PRINTK) ? lkst_dump_start() : 0;
}
early_initcall(lkst_init_smp);

static int __init lkst_init_interface(void)
{
	int ret;

	if (!lkst_up)
		return 0;
	ret = lkst_device_start();
	if (ret)
		return ret;
	ret = lkst_etype_start();
	if (ret)
		return ret;
	return lkst_values_start();
}
device_initcall(lkst_init_interface);

/* Once the clocksource is chosen. */
static int __init lkst_init_time(void)
{
	return lkst_up ? lkst_clock_start() : 0;
}
late_initcall(lkst_init_time);
