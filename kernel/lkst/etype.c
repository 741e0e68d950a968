// SPDX-License-Identifier: GPL-2.0
/*
 * Event types: the table, and /proc/lkst_etypes.
 */
#include <linux/ctype.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/string_helpers.h>

#include "etype.h"
#include "source.h"

const struct lkst_etype_desc lkst_etypes[LKST_ETYPE_NUM] = {
#define LKST_ETYPE_DEF(number, hook, mnemonic, name, arg1, arg2, arg3, arg4) \
	[number] = { #mnemonic, #hook, name, { arg1, arg2, arg3, arg4 } },
#include <linux/lkst_etypes.h>
#undef LKST_ETYPE_DEF
};

#ifdef CONFIG_PROC_FS
/* Documentation/lkst/trace-file.rst describes the format; tools parse it. */
static int lkst_etypes_show(struct seq_file *m, void *unused)
{
	int etype, i;

	seq_puts(m, "# lkst_etypes 1\n"
		    "# number mnemonic hook source state \"name\" \"arg1\" \"arg2\" \"arg3\" \"arg4\"\n");
	for (etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		const struct lkst_etype_desc *desc = &lkst_etypes[etype];

		if (!desc->mnemonic)
			continue;
		seq_printf(m, "0x%03x %s %s ", etype, desc->mnemonic, desc->hook);
		lkst_source_show(m, etype);
		seq_printf(m, " %s \"%s\"", lkst_source_present(etype) ? "present" : "absent",
			   desc->name);
		for (i = 0; i < ARRAY_SIZE(desc->args); i++)
			seq_printf(m, " \"%s\"", desc->args[i]);
		seq_putc(m, '\n');
	}
	return 0;
}

/**
 * lkst_etype_start() - show /proc/lkst_etypes
 *
 * Return: 0 or -ENOMEM.
 */
int __init lkst_etype_start(void)
{
	if (!proc_create_single("lkst_etypes", 0444, NULL, lkst_etypes_show))
		return -ENOMEM;
	return 0;
}
#else
int __init lkst_etype_start(void)
{
	return 0;
}
#endif
