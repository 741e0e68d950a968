// SPDX-License-Identifier: LGPL-2.1
/* Classes of events: ranges of event types. */
#include "liblkst.h"

const struct lkst_class lkst_classes[] = {
	{ 0x000, 0x00f, "process", "processes" },
	{ 0x010, 0x01f, "interrupt", "interrupts" },
	{ 0x020, 0x02f, "exception", "exceptions" },
	{ 0x030, 0x03f, "syscall", "system calls" },
	{ 0x040, 0x05f, "memory", "memory" },
	{ 0x060, 0x06f, "network", "network" },
	{ 0x070, 0x07f, "ipc", "System V IPC" },
	{ 0x080, 0x08f, "lock", "locks" },
	{ 0x090, 0x09f, "timer", "timers" },
	{ 0x0a0, 0x0af, "block", "block" },
	{ 0x0b0, 0x0bf, "oops", "oops" },
	{ 0x0c0, 0x0cf, "cpu", "CPU and power" },
	{ 0x0d0, 0x0df, "module", "modules and work" },
	{ 0x0e0, 0x0ff, "mark", "user programs" },
	{ 0x100, 0x1ff, "user", "user-defined" },
	{ 0x200, 0xeff, "reserved", "reserved" },
	{ 0xf00, 0xfff, "lkst", "LKST itself" },
};

const size_t lkst_classes_num = sizeof(lkst_classes) / sizeof(*lkst_classes);

/**
 * lkst_class_of() - the class of an event type
 * @event_type: any number
 *
 * Return: the class, NULL for a number that is no event type.
 */
const struct lkst_class *lkst_class_of(uint32_t event_type)
{
	for (size_t i = 0; i < lkst_classes_num; i++)
		if (event_type >= lkst_classes[i].first && event_type <= lkst_classes[i].last)
			return &lkst_classes[i];
	return NULL;
}
