// SPDX-License-Identifier: GPL-2.0
/* Processes that the module "delaying" delays. */
#include <sys/syscall.h>

#include "why_load.h"

static void load(const char *what)
{
	int fd = open(why_file ? why_file : "", O_RDONLY);
	char parameters[64];

	snprintf(parameters, sizeof(parameters), "what=%s ms=%d", what, delay_ms(300));

	bail_if(fd < 0 || syscall(SYS_finit_module, fd, parameters, 0), "load the module");
	close(fd);
}

static void unload(void)
{
	bail_if(syscall(SYS_delete_module, "delaying", 0), "unload the module");
}

static int *delayed; /* the module has delayed the processes of its CPU */

/* Sleep many times. One of the sleeps ends while the module keeps the CPU. */
static void late(void)
{
	while (!__atomic_load_n(delayed, __ATOMIC_SEQ_CST))
		nap(20);
}

static void delay(const char *what)
{
	nap(50);
	load(what);
	__atomic_store_n(delayed, 1, __ATOMIC_SEQ_CST);
	unload();
}

static void holder_of_irqs(void)
{
	await_asleep("irq-late");
	delay("irqs");
}

static void irqs(void)
{
	delayed = shared();
	actor("irq-late", 1, 0, late);
	actor("irq-hold", 1, 0, holder_of_irqs);
}

static void holder_of_softirqs(void)
{
	await_asleep("sof-late");
	delay("softirqs");
}

static void softirqs(void)
{
	delayed = shared();
	actor("sof-late", 1, 0, late);
	actor("sof-hold", 1, 0, holder_of_softirqs);
}

/*
 * The module stays loaded, because its symbols are needed to print the functions of the work items.
 */
static void waiter_for_work(void)
{
	load("work");
}

static void work(void)
{
	actor("work-wai", -1, 0, waiter_for_work);
}

const struct scenario module_scenarios[] = {
	{ "irqs", irqs }, { "softirqs", softirqs }, { "work", work }, { NULL, NULL }
};
