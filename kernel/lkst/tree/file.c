// SPDX-License-Identifier: GPL-2.0
/*
 * Helpers for the files of the tree: read what a program writes, and print
 * names.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "../user/files.h"
#include "file.h"

void lkst_tree_show_string(struct seq_file *m, const char *text)
{
	lkst_user_show_text(m, text, strlen(text));
}

/*
 * Divide the text that a program writes at any of the @separators, and call
 * @execute for each part that is not empty, until a call fails. Returns @count
 * or a negative errno.
 */
ssize_t lkst_tree_execute(const char __user *from, size_t count, const char *separators,
			  int (*execute)(char *part))
{
	char *text, *rest, *part;
	int ret = 0;

	if (count > PAGE_SIZE)
		return -E2BIG;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	rest = text;
	while (!ret && (part = strsep(&rest, separators)))
		ret = *part ? execute(part) : 0;
	kfree(text);
	return ret ?: count;
}

/*
 * Read the number, 0 or 1, that a program writes. Returns it, or a negative
 * errno.
 */
int lkst_tree_read_switch(const char __user *from, size_t count)
{
	unsigned long value;
	int ret = kstrtoul_from_user(from, count, 10, &value);

	if (ret)
		return ret;
	return value > 1 ? -EINVAL : value;
}
