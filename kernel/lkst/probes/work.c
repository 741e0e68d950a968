// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of class "module" (0x0d0): modules and work items.
 */
#include <linux/module.h>
#include <linux/workqueue.h>
#include <trace/events/module.h>
#include <trace/events/workqueue.h>

#include "../dispatch/event.h"
#include "../source/source.h"

#ifdef CONFIG_MODULES
static void lkst_module(int etype, const struct module *mod)
{
	u64 name[3];

	lkst_text_copy(name, ARRAY_SIZE(name), mod->name);
	lkst_event_rare(etype, name[0], name[1], name[2], 0);
}

static void lkst_probe_module_load(void *data, struct module *mod)
{
	lkst_module(LKST_ETYPE_MODULE_LOAD, mod);
}

static void lkst_probe_module_free(void *data, struct module *mod)
{
	lkst_module(LKST_ETYPE_MODULE_FREE, mod);
}
#endif

static void lkst_probe_workqueue_execute_start(void *data, struct work_struct *work)
{
	lkst_event(LKST_ETYPE_WORK_ENTRY, LKST_ARGP(work), LKST_ARGP(work->func), 0, 0);
}

/* The work function may have freed the work, so do not access it. */
static void lkst_probe_workqueue_execute_end(void *data, struct work_struct *work,
					     work_func_t function)
{
	lkst_event(LKST_ETYPE_WORK_EXIT, LKST_ARGP(work), LKST_ARGP(function), 0, 0);
}

struct lkst_source lkst_sources_work[] = {
#ifdef CONFIG_MODULES
	LKST_SOURCE(module_load, lkst_probe_module_load, LKST_ETYPE_MODULE_LOAD),
	LKST_SOURCE(module_free, lkst_probe_module_free, LKST_ETYPE_MODULE_FREE),
#endif
	LKST_SOURCE(workqueue_execute_start, lkst_probe_workqueue_execute_start,
		    LKST_ETYPE_WORK_ENTRY),
	LKST_SOURCE(workqueue_execute_end, lkst_probe_workqueue_execute_end,
		    LKST_ETYPE_WORK_EXIT),
	{}
};
