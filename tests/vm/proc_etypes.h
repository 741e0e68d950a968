/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event types of the kernel that is running, as /proc/lkst_etypes has them.
 */
#ifndef PROC_ETYPES_H
#define PROC_ETYPES_H

#include <linux/lkst.h>

#include "tap.h"

/**
 * struct proc_etype - an event type
 * @mnemonic: "": there is no event type of that number
 * @name: as people read it
 * @hook: type of its trace points, "UNDEF": it has none
 * @present: it can be recorded
 */
struct proc_etype {
	char mnemonic[64];
	char name[64];
	char hook[16];
	bool present;
};

/* By number. Weak: one of it, however many files a program is made of. */
__attribute__((weak)) struct proc_etype proc_etypes[LKST_ETYPE_NUM];

static inline void read_proc_etypes(void)
{
	FILE *file = fopen("/proc/lkst_etypes", "r");
	char line[2048], state[16];
	struct proc_etype etype;
	unsigned int number;

	if (!file)
		bail_out("/proc/lkst_etypes");
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

/* Whether LKST is a module of a kernel that does not know of it, and has no trace points for it. */
static inline bool kernel_is_stock(void)
{
	char taint[16] = "";
	FILE *file = fopen("/sys/module/lkst/taint", "r");

	if (file && !fgets(taint, sizeof(taint), file))
		taint[0] = '\0';
	if (file)
		fclose(file);
	return strchr(taint, 'O');
}

#define NO_ETYPE (-1)

/* Whether an event type of that name is of x86 alone, and this is another machine. */
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
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
#else
	(void)name;
#endif
	return false;
}

/* Such a kernel need not have it, nor has a machine that is not made for it: NO_ETYPE. */
static inline bool may_be_absent(int etype)
{
	if (etype == NO_ETYPE)
		return true;
	return kernel_is_stock() && !proc_etypes[etype].present &&
	       strcmp(proc_etypes[etype].hook, "UNDEF");
}

#endif
