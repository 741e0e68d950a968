/* SPDX-License-Identifier: GPL-2.0 */
/* The event types of the running kernel, from /proc/lkst_etypes. */
#ifndef PROC_ETYPES_H
#define PROC_ETYPES_H

#include <linux/lkst.h>

#include "tap.h"

/* A line of /proc/lkst_etypes. */
struct proc_etype {
	char mnemonic[64]; /* identifier of the event type, or "" if the number is not used */
	char name[64]; /* name of the event type as the commands print it */
	char hook[16]; /* type of the hook that LKST's patches add, or "UNDEF" if they add none */
	bool present; /* whether the kernel can record it */
};

/*
 * The event types, indexed by number. Weak, so that all source files of a program share one
 * definition.
 */
__attribute__((weak)) struct proc_etype proc_etypes[LKST_ETYPE_NUM];

static inline void read_proc_etypes(void)
{
	FILE *file = fopen("/proc/lkst_etypes", "r");
	char line[2048], state[16];
	struct proc_etype etype;
	unsigned int number;

	bail_if(!file, "/proc/lkst_etypes");
	memset(proc_etypes, 0, sizeof(proc_etypes));
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		if (sscanf(line, "0x%x %63s %15s %*s %15s \"%63[^\"]\"", &number, etype.mnemonic,
			   etype.hook, state, etype.name) != 5 ||
		    number >= LKST_ETYPE_NUM) {
			printf("Bail out! /proc/lkst_etypes: %s", line);
			exit(1);
		}
		etype.present = !strcmp(state, "present");
		proc_etypes[number] = etype;
	}
	fclose(file);
}

/* Whether the kernel lacks LKST's patches, and so has no hooks. LKST is then a module. */
static inline bool kernel_is_stock(void)
{
	char taint[16] = "";
	FILE *file = fopen("/sys/module/lkst/taint", "r");
	bool is_stock = file && fgets(taint, sizeof(taint), file) && strchr(taint, 'O');

	if (file)
		fclose(file);
	return is_stock;
}

#define NO_ETYPE (-1)

/* Whether the event type @name exists only on x86, and this machine is not x86. */
static inline bool is_of_other_machine(const char *name)
{
#if !defined(__x86_64__) && !defined(__i386__)
	static const char *const names[] = {
#define CONFIG_X86 1
#define LKST_ETYPE_DEF(number, hook, mnemonic, name, ...) name,
#include "../../include/asm-x86/lkst_etypes.h"
#undef LKST_ETYPE_DEF
#undef CONFIG_X86
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i], name))
			return true;
#else
	(void)name;
#endif
	return false;
}

/*
 * Whether an event type may be absent in this kernel. NO_ETYPE means an event type of another
 * architecture. In a kernel without LKST's patches, event types that need a hook are absent.
 */
static inline bool may_be_absent(int etype)
{
	return etype == NO_ETYPE || (kernel_is_stock() && !proc_etypes[etype].present &&
				     strcmp(proc_etypes[etype].hook, "UNDEF"));
}

#endif
