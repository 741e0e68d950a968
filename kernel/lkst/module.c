// SPDX-License-Identifier: GPL-2.0
/*
 * LKST as a module comes up when it is loaded (specification 4.5), and goes down when it is
 * unloaded.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/lkst.h>

#include "buffer.h"
#include "clock.h"
#include "device.h"
#include "dump.h"
#include "etype.h"
#include "image.h"
#include "jump.h"
#include "main.h"
#include "maskset.h"
#include "memory.h"
#include "outside.h"
#include "points/point.h"
#include "reserved.h"
#include "source.h"
#include "stage.h"
#include "static_buffer.h"
#include "values.h"

/**
 * struct lkst_stage - a step on the way up
 * @start: takes it; returns 0 or a negative error, and then it has not been taken
 * @stop: takes it back; NULL: there is nothing to be done for that
 */
struct lkst_stage {
	int (*start)(void);
	void (*stop)(void);
};

static int __init lkst_start_ksyms(void)
{
	lkst_ksyms_init();
	return 0;
}

/* What was set up before its first error takes nothing back. */
static void __lkst_exit lkst_unprepare(void)
{
	lkst_maskset_end();
	lkst_etype_end();
	lkst_reserved_end();
	lkst_static_buffer_end();
}

static int __init lkst_start_time(void)
{
	lkst_clock_discard_early();
	return 0;
}

static int __init lkst_start_hooks(void)
{
#if LKST_HOOKS_APART
	static const struct lkst_hooks points = {
		.event = lkst_event_nopreempt,
		.panic = lkst_oops_panic,
		.lockup = lkst_oops_lockup,
	};

	lkst_hooks_connect(&points);
#endif
	return 0;
}

static void __lkst_exit lkst_stop_hooks(void)
{
#if LKST_HOOKS_APART
	lkst_hooks_connect(NULL);
#endif
}

static int __init lkst_start_buffer(void)
{
	int ret = lkst_first_buffer();

	if (ret)
		lkst_buffer_free_all();
	return ret;
}

static int __init lkst_start_image_texts(void)
{
	lkst_image_texts_start();
	return 0;
}

static int __init lkst_start_sources(void)
{
	lkst_source_allow_late();
	lkst_begin();
	return 0;
}

static void __lkst_exit lkst_stop_sources(void)
{
	lkst_trc_end();
	lkst_oops_stop();
	lkst_console_unregister_panic();
	lkst_jump_end();
}

/*
 * All CPUs have their buffers before anything is recorded, and until nothing is any more. Programs
 * come last, and go first.
 */
static const struct lkst_stage lkst_stages[] __refconst = {
	{ lkst_start_ksyms },
	{ lkst_prepare, lkst_unprepare },
	{ lkst_start_time },
	{ lkst_start_buffer, lkst_buffer_free_all },
	{ lkst_buffer_start, lkst_buffer_stop },
	{ lkst_start_image_texts, lkst_image_texts_stop },
	{ lkst_start_hooks, lkst_stop_hooks },
	{ lkst_start_sources, lkst_stop_sources },
	{ lkst_cpu_start, lkst_cpu_stop },
	{ lkst_console_register_sysrq, lkst_console_unregister_sysrq },
	{ lkst_kmsg_dump_start, lkst_kmsg_dump_stop },
	{ lkst_clock_start, lkst_clock_stop },
	{ lkst_etype_start, lkst_etype_stop },
	{ lkst_values_start, lkst_values_stop },
	{ lkst_device_start, lkst_device_stop },
};

/* Whether lkst_module_init() had anything to do. */
static bool lkst_up;

/* Takes back the first @num steps. */
static void lkst_go_down(unsigned int num)
{
	while (num--)
		if (lkst_stages[num].stop)
			lkst_stages[num].stop();
	/* Whoever has taken memory has given it back. */
	WARN_ON(lkst_memory_used());
}

static int __init lkst_module_init(void)
{
	unsigned int i;
	int ret;

	/* Other modules may use it all the same. */
	if (lkst_is_off()) {
		lkst_buffer_nowhere();
		lkst_static_buffer_none();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(lkst_stages); i++) {
		ret = lkst_stages[i].start();
		if (ret) {
			lkst_go_down(i);
			return ret;
		}
	}
	lkst_up = true;
	return 0;
}
module_init(lkst_module_init);

static void __exit lkst_module_exit(void)
{
	if (!lkst_up) {
		/* Those other modules may have asked for something. */
		lkst_trc_end();
		lkst_etype_end();
		return;
	}
	lkst_go_down(ARRAY_SIZE(lkst_stages));
	pr_info("lkst: gone\n");
}
module_exit(lkst_module_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Linux Kernel State Tracer: a flight recorder for the kernel");
