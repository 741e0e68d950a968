// SPDX-License-Identifier: GPL-2.0
/* Processes that the module "delaying" delays. */
#include <sys/syscall.h>

#include "why_load.h"

extern const char *why_file;

static void load(const char *parameters)
{
	int fd = open(why_file ? why_file : "", O_RDONLY);

	bail_if(fd < 0 || syscall(SYS_finit_module, fd, parameters, 0), "load the module");
	close(fd);
}

static void unload(void)
{
	bail_if(syscall(SYS_delete_module, "delaying", 0), "unload the module");
}

static void late(void)
{
	nap(250);
}

static void holder_of_irqs(void)
{
	nap(50);
	load("what=irqs");
	unload();
}

static void irqs(void)
{
	actor("irq-late", 1, 0, late);
	actor("irq-hold", 1, 0, holder_of_irqs);
}

static void holder_of_softirqs(void)
{
	nap(50);
	load("what=softirqs");
	unload();
}

static void softirqs(void)
{
	actor("sof-late", 1, 0, late);
	actor("sof-hold", 1, 0, holder_of_softirqs);
}

/* The module stays loaded: its symbols are needed to print the functions of the work items. */
static void waiter_for_work(void)
{
	load("what=work");
}

static void work(void)
{
	actor("work-wai", -1, 0, waiter_for_work);
}

const struct scenario module_scenarios[] = {
	{ "irqs", irqs }, { "softirqs", softirqs }, { "work", work }, { NULL, NULL }
};
