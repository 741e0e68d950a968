// SPDX-License-Identifier: GPL-2.0
/*
 * The boot parameters of LKST (specification 4.5), and the steps in which it
 * starts. The order and timing of the steps are in builtin.c if LKST is built
 * in, and in module.c if it is a module.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/sizes.h>
#include <linux/lkst.h>

#include "buffer/buffer.h"
#include "clock/clock.h"
#include "console/console.h"
#include "device/rule.h"
#include "dispatch/event.h"
#include "history/history.h"
#include "history/pack.h"
#include "image/image.h"
#include "buffer/jump.h"
#include "buffer/long_ring.h"
#include "buffer/snapshot.h"
#include "main.h"
#include "dispatch/maskset.h"
#include "memory/memory.h"
#include "memory/reserved.h"
#include "source/source.h"
#include "base/stage.h"
#include "memory/static_buffer.h"

/*
 * Size in bytes of each buffer that LKST creates automatically. No CPU has a
 * buffer yet when parameters are parsed, so errors in them are recorded in the
 * static buffer.
 */
static unsigned long lkst_param_buffer_size __initdata = CONFIG_LKST_BUFFER_SIZE * SZ_1K;

static int __init lkst_set_buffer_size(const char *value, const struct kernel_param *kp)
{
	char *end;
	u64 size = memparse(value, &end);

	if (end == value || *end || size < LKST_BUFFER_SIZE_MIN || size > LKST_BUFFER_SIZE_MAX) {
		pr_warn("lkst: lkst.buffer_size=%s: not a size from 4K to %luM; using %luK\n",
			value, LKST_BUFFER_SIZE_MAX / SZ_1M, lkst_param_buffer_size / SZ_1K);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_BUFFER_SIZE);
		return 0;
	}
	lkst_param_buffer_size = size;
	return 0;
}

static const struct kernel_param_ops lkst_buffer_size_ops = {
	.set = lkst_set_buffer_size,
};

module_param_cb(buffer_size, &lkst_buffer_size_ops, NULL, 0);
MODULE_PARM_DESC(buffer_size, "size of each CPU's buffer, 4K to 1G");

/*
 * Size in bytes of each long ring, and the words that select its events.
 * kernel_param_lock() protects the words.
 */
static unsigned long lkst_param_long_size __initdata = LKST_LONG_SIZE;
static char lkst_param_long_events[256] = "all,oops_printk";

/* Whether boot parameters have been parsed. Later writes come from sysfs. */
static bool lkst_params_applied __ro_after_init;

static int __init lkst_set_long_size(const char *value, const struct kernel_param *kp)
{
	char *end;
	u64 size = memparse(value, &end);

	if (end == value || *end || (size && size < LKST_BUFFER_SIZE_MIN) ||
	    size > LKST_BUFFER_SIZE_MAX) {
		pr_warn("lkst: lkst.long_size=%s: neither 0 nor a size from 4K to %luM; using %luK\n",
			value, LKST_BUFFER_SIZE_MAX / SZ_1M, lkst_param_long_size / SZ_1K);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_LONG_SIZE);
		return 0;
	}
	lkst_param_long_size = size;
	return 0;
}

static const struct kernel_param_ops lkst_long_size_ops = {
	.set = lkst_set_long_size,
};

module_param_cb(long_size, &lkst_long_size_ops, NULL, 0);
MODULE_PARM_DESC(long_size, "size of each CPU's long ring, 4K to 1G; 0: no long rings");

static int lkst_set_long_events(const char *value, const struct kernel_param *kp)
{
	static DECLARE_BITMAP(etypes, LKST_ETYPE_NUM);
	size_t len = strcspn(value, "\n");
	char words[sizeof(lkst_param_long_events)];
	int ret = -EINVAL;

	if (len < sizeof(words)) {
		strscpy(words, value, len + 1);
		ret = lkst_console_words("lkst.long_events", words, etypes);
	}
	if (!ret)
		ret = lkst_long_set_etypes(etypes);
	if (!ret) {
		strscpy(lkst_param_long_events, words, sizeof(lkst_param_long_events));
		return 0;
	}
	pr_warn("lkst: lkst.long_events: not a list of events that the long rings can take; keeping \"%s\"\n",
		lkst_param_long_events);
	/* A wrong boot parameter does not keep LKST from starting. */
	if (lkst_params_applied)
		return ret;
	lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_LONG_EVENTS);
	return 0;
}

static int lkst_get_long_events(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%s\n", lkst_param_long_events);
}

static const struct kernel_param_ops lkst_long_events_ops = {
	.set = lkst_set_long_events,
	.get = lkst_get_long_events,
};

module_param_cb(long_events, &lkst_long_events_ops, NULL, 0644);
MODULE_PARM_DESC(long_events, "events of the long rings: names, numbers, classes, all; ! excludes");

static unsigned long lkst_param_history_size __initdata;

static int __init lkst_set_history_size(const char *value, const struct kernel_param *kp)
{
	char *end;
	u64 size = memparse(value, &end);

	if (end == value || *end || (size && size < LKST_HISTORY_SIZE_MIN) ||
	    size > LKST_HISTORY_SIZE_MAX) {
		pr_warn("lkst: lkst.history_size=%s: neither 0 nor a size from %luM to %luM; using %luK\n",
			value, (unsigned long)LKST_HISTORY_SIZE_MIN / SZ_1M,
			LKST_HISTORY_SIZE_MAX / SZ_1M, lkst_param_history_size / SZ_1K);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_HISTORY_SIZE);
		return 0;
	}
	if (size && !lkst_pack_possible()) {
		pr_warn("lkst: lkst.history_size=%s: this kernel has no zstd (CONFIG_ZSTD_COMPRESS); no history\n",
			value);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_HISTORY_SIZE);
		return 0;
	}
	lkst_param_history_size = size;
	return 0;
}

static int lkst_get_history_size(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%zu\n", lkst_history_size());
}

static const struct kernel_param_ops lkst_history_size_ops = {
	.set = lkst_set_history_size,
	.get = lkst_get_history_size,
};

module_param_cb(history_size, &lkst_history_size_ops, NULL, 0444);
MODULE_PARM_DESC(history_size, "size of each CPU's compressed history, 1M to 1G; 0: no history");

static int lkst_set_history_share(const char *value, const struct kernel_param *kp)
{
	unsigned int percent;

	if (!kstrtouint(value, 0, &percent) && percent >= 1 && percent <= 100) {
		lkst_history_set_share(percent);
		return 0;
	}
	pr_warn("lkst: lkst.history_share: not a percentage from 1 to 100; keeping %u\n",
		lkst_history_share());
	/* A wrong boot parameter does not keep LKST from starting. */
	if (lkst_params_applied)
		return -EINVAL;
	lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_HISTORY_SHARE);
	return 0;
}

static int lkst_get_history_share(char *buffer, const struct kernel_param *kp)
{
	return scnprintf(buffer, PAGE_SIZE, "%u\n", lkst_history_share());
}

static const struct kernel_param_ops lkst_history_share_ops = {
	.set = lkst_set_history_share,
	.get = lkst_get_history_share,
};

module_param_cb(history_share, &lkst_history_share_ops, NULL, 0644);
MODULE_PARM_DESC(history_share, "percentage of one CPU that compressing the history may take");

/*
 * Limit on LKST's memory, in bytes or as a percentage of all memory; 0 if the
 * parameter was not given.
 */
static u64 lkst_param_memory __initdata;
static bool lkst_param_memory_percent __initdata;

#define LKST_MEMORY_DEFAULT_PERCENT	25

static int __init lkst_set_memory(const char *value, const struct kernel_param *kp)
{
	char *end;
	u64 memory = memparse(value, &end);
	bool percent = *end == '%';

	if (end == value || end[percent] || !memory || (percent && memory > 100)) {
		pr_warn("lkst: lkst.memory=%s: not a size, or 1%% to 100%% of the memory; using %d%%\n",
			value, LKST_MEMORY_DEFAULT_PERCENT);
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_MEMORY);
		return 0;
	}
	lkst_param_memory = memory;
	lkst_param_memory_percent = percent;
	return 0;
}

static const struct kernel_param_ops lkst_memory_ops = {
	.set = lkst_set_memory,
};

module_param_cb(memory, &lkst_memory_ops, NULL, 0);
MODULE_PARM_DESC(memory, "limit for all memory of LKST: a size, or a percentage such as 25%");

static u64 __init lkst_memory_bound(void)
{
	u64 percent = LKST_MEMORY_DEFAULT_PERCENT;

	if (lkst_param_memory && !lkst_param_memory_percent)
		return lkst_param_memory;
	if (lkst_param_memory)
		percent = lkst_param_memory;
	return div_u64((u64)totalram_pages() * PAGE_SIZE * percent, 100);
}

static char *lkst_param_maskset = "default";
module_param_named(maskset, lkst_param_maskset, charp, 0);
MODULE_PARM_DESC(maskset, "first maskset: nothing, all, default, detailed, or its id");

static char *lkst_param_rules;
module_param_named(rules, lkst_param_rules, charp, 0);
MODULE_PARM_DESC(rules, "rules of the first maskset: EVENT if CONDITION; EVENT if CONDITION; ...");

static bool lkst_param_off;
module_param_named(off, lkst_param_off, bool, 0444);
MODULE_PARM_DESC(off, "do not trace: no buffers, no device, no cost");

/* Whether LKST is turned off by lkst.off. */
bool __init lkst_is_off(void)
{
	if (lkst_param_off)
		pr_info("lkst: off\n");
	return lkst_param_off;
}

static int __init lkst_first_maskset(void)
{
	int id = lkst_maskset_by_word(lkst_param_maskset);

	if (id >= 0)
		return id;
	pr_warn("lkst: lkst.maskset=%s: unknown maskset; using default\n",
		lkst_param_maskset);
	lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_MASKSET);
	return LKST_MASKSET_ID_RDEFAULT;
}

/**
 * lkst_prepare() - set up what the first buffer needs
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_prepare(void)
{
	int ret;

	lkst_clock_init();
	lkst_static_buffer_write(0, LKST_ETYPE_LKST_INIT, LKST_INTERFACE_VERSION,
				 num_possible_cpus(), 0, 0);
	lkst_memory_init(lkst_memory_bound());
	lkst_image_init();
	lkst_long_init(lkst_param_long_size);
	lkst_history_init(lkst_param_history_size);
	lkst_params_applied = true;
	ret = lkst_static_buffer_start();
	if (ret)
		return ret;
	lkst_reserved_init();
	lkst_jump_init();
	lkst_snapshot_init();
	lkst_source_init();
	lkst_maskset_init();
	return 0;
}

/**
 * lkst_first_buffer() - create the buffer of this CPU
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_first_buffer(void)
{
	if (!lkst_buffer_init(lkst_param_buffer_size))
		return 0;
	pr_err("lkst: no memory for a buffer; not tracing\n");
	lkst_error(LKST_ERROR_NO_BUFFER, raw_smp_processor_id());
	return -ENOMEM;
}

/**
 * lkst_first_rules() - write the rules that the boot parameter contains
 *
 * Return: 0, even if a rule is wrong.
 */
int __init lkst_first_rules(void)
{
	struct lkst_trc_status status = {};

	if (!lkst_param_rules)
		return 0;
	lkst_maskset_status(&status);
	if (lkst_rules_set(status.current_maskset_id, lkst_param_rules))
		lkst_error(LKST_ERROR_BAD_PARAM, LKST_PARAM_RULES);
	return 0;
}

/* Start recording. */
void __init lkst_begin(void)
{
	lkst_oops_start();
	lkst_trc_begin(lkst_first_maskset());
	lkst_event_preemptible(LKST_ETYPE_LKST_INIT, LKST_INTERFACE_VERSION, num_possible_cpus(),
			       0, 0);
	lkst_console_register_panic();
	pr_info("lkst: tracing\n");
}
