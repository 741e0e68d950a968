// SPDX-License-Identifier: GPL-2.0
/*
 * Start LKST when its module is loaded (specification 4.5), and stop it when
 * the module is unloaded.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
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
#include "buffer/jump.h"
#include "buffer/snapshot.h"
#include "main.h"
#include "dispatch/bpf.h"
#include "dispatch/maskset.h"
#include "memory/memory.h"
#include "base/ksyms.h"
#include "hooks/hook.h"
#include "memory/reserved.h"
#include "source/source.h"
#include "base/stage.h"
#include "memory/static_buffer.h"
#include "user/files.h"
#include "user/registry.h"
#include "source/values.h"

/**
 * struct lkst_stage - a step of starting LKST
 * @start: does the step; if it returns a negative errno, nothing needs to be
 *	undone
 * @stop: undoes the step, or NULL if there is nothing to undo
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

/*
 * Undo lkst_prepare(). If lkst_prepare() itself fails, nothing needs to be
 * undone.
 */
static void __lkst_exit lkst_unprepare(void)
{
	lkst_bpf_end();
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
#if LKST_HOOKS_SEPARATE
	static const struct lkst_hooks hooks = {
		.event = lkst_event_nopreempt,
		.rare = lkst_event_rare_nopreempt,
		.panic = lkst_oops_panic,
		.lockup = lkst_oops_lockup,
		.message = lkst_event_message,
	};

	lkst_hooks_connect(&hooks);
#endif
	return 0;
}

static void __lkst_exit lkst_stop_hooks(void)
{
#if LKST_HOOKS_SEPARATE
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
	lkst_path_end();
	lkst_printk_end();
	lkst_oops_stop();
	lkst_console_unregister_panic();
	lkst_jump_end();
	lkst_snapshot_end();
}

/*
 * The order guarantees that every CPU has its buffer while events can be
 * recorded. Interfaces for programs start last and stop first.
 */
static const struct lkst_stage lkst_stages[] __refconst = {
	{ lkst_start_ksyms },
	{ lkst_prepare, lkst_unprepare },
	{ lkst_start_time },
	{ lkst_start_buffer, lkst_buffer_free_all },
	{ lkst_buffer_start, lkst_buffer_stop },
	{ lkst_start_image_texts, lkst_image_texts_stop },
	{ lkst_start_hooks, lkst_stop_hooks },
	{ lkst_user_start, lkst_user_stop },
	{ lkst_added_start, lkst_added_stop },
	{ lkst_start_sources, lkst_stop_sources },
	{ lkst_cpu_start, lkst_cpu_stop },
	{ lkst_digest_start, lkst_digest_stop },
	{ lkst_history_start, lkst_history_stop },
	{ lkst_console_register_sysrq, lkst_console_unregister_sysrq },
	{ lkst_kmsg_dump_start, lkst_kmsg_dump_stop },
	{ lkst_clock_start, lkst_clock_stop },
	{ lkst_etype_start, lkst_etype_stop },
	{ lkst_values_start, lkst_values_stop },
	{ lkst_device_start, lkst_device_stop },
	{ lkst_user_files_start, lkst_user_files_stop },
	{ lkst_kmemtrace_start, lkst_kmemtrace_stop },
	{ lkst_first_rules },
};

/* Whether lkst_module_init() has run all stages. */
static bool lkst_initialized;

/* Undo the first @num stages, last one first. */
static void lkst_stop(unsigned int num)
{
	while (num--)
		if (lkst_stages[num].stop)
			lkst_stages[num].stop();
	/* By now, all memory must have been returned. */
	WARN_ON(lkst_memory_used());
}

static int __init lkst_module_init(void)
{
	unsigned int i;
	int ret;

	/* Even while LKST is off, other modules may call its functions. */
	if (lkst_is_off()) {
		lkst_buffer_set_void();
		lkst_static_buffer_discard();
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(lkst_stages); i++) {
		ret = lkst_stages[i].start();
		if (ret) {
			lkst_stop(i);
			return ret;
		}
	}
	lkst_initialized = true;
	return 0;
}
module_init(lkst_module_init);

static void __exit lkst_module_exit(void)
{
	if (!lkst_initialized) {
		/*
		 * LKST was off. Other modules may have called its functions
		 * nevertheless. Undo what those calls have set up.
		 */
		lkst_trc_end();
		lkst_etype_end();
		return;
	}
	lkst_stop(ARRAY_SIZE(lkst_stages));
	pr_info("lkst: unloaded\n");
}
module_exit(lkst_module_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Linux Kernel State Tracer: a flight recorder for the kernel");
