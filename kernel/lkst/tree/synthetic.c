// SPDX-License-Identifier: GPL-2.0
/*
 * The file "synthetic_events": the added events that are synthetic. Each line
 * is a definition without its first letter: "latency u64 lat; char comm[16]"
 * means "s:latency u64 lat; char comm[16]".
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../added/added.h"
#include "../rules/synth.h"
#include "dynamic.h"
#include "file.h"

#define LKST_TREE_BLANKS	" \t"

/* ---- the list ---- */

/* Print "char comm[16]" as the kernel does, "char[16] comm". */
static void lkst_tree_show_synthetic_field(struct seq_file *m, const char *field, size_t len)
{
	size_t array = min(strcspn(field, "["), len), name = array;

	while (field[name - 1] != ' ')
		name--;
	seq_printf(m, "%.*s%.*s %.*s", (int)name - 1, field, (int)(len - array), field + array,
		   (int)(array - name), field + name);
}

static int lkst_tree_show_synthetic(const struct lkst_added_info *info, void *data)
{
	static const char group[] = LKST_SYNTH_GROUP "/";
	const char *name = strchr(info->text, ':') + 1, *field = strchr(name, ' ') + 1;
	size_t len;

	if (*info->text != *LKST_TREE_SYNTHETIC)
		return 0;
	if (!strncmp(name, group, strlen(group)))
		name += strlen(group);
	seq_printf(data, "%.*s\t", (int)strcspn(name, " "), name);
	for (;; field += len + strlen("; ")) {
		len = strcspn(field, ";");
		lkst_tree_show_synthetic_field(data, field, len);
		if (!field[len])
			break;
		seq_puts(data, "; ");
	}
	seq_putc(data, '\n');
	return 0;
}

static int lkst_tree_synthetic_show(struct seq_file *m, void *unused)
{
	return lkst_added_for_each(lkst_tree_show_synthetic, m);
}

static int lkst_tree_synthetic_open(struct inode *inode, struct file *file)
{
	return lkst_tree_open_added(file, LKST_TREE_SYNTHETIC) ?:
	       single_open(file, lkst_tree_synthetic_show, NULL);
}

/* ---- definitions ---- */

/**
 * struct lkst_tree_fields - a definition that is being written
 * @to: where to continue
 * @has_type: whether the present field has a type
 * @has_name: whether it also has a name
 */
struct lkst_tree_fields {
	char *to;
	bool has_type;
	bool has_name;
};

static void lkst_tree_fields_put(struct lkst_tree_fields *fields, const char *text, size_t len)
{
	fields->to = (char *)memcpy(fields->to, text, len) + len;
}

/* Write the next word of a field, or the first one of the next field. */
static void lkst_tree_fields_word(struct lkst_tree_fields *fields, const char *word, size_t len)
{
	if (fields->has_name) {
		lkst_tree_fields_put(fields, ";", 1);
		fields->has_type = false;
		fields->has_name = false;
	}
	lkst_tree_fields_put(fields, " ", 1);
	lkst_tree_fields_put(fields, word, len);
	fields->has_name = fields->has_type;
	/* "unsigned" is the first word of a type of two words. */
	if (len != strlen("unsigned") || strncmp(word, "unsigned", len))
		fields->has_type = true;
}

/*
 * Convert a line "NAME FIELDS" to the definition "s:NAME FIELDS". As in
 * tracefs, the ";" between two fields may be missing. Return the definition,
 * which the caller frees, or NULL if there is no memory.
 */
static char *lkst_tree_synthetic_definition(const char *line)
{
	/* At most each blank becomes "; ". */
	char *text = kzalloc(strlen("s:") + 2 * strlen(line) + 1, GFP_KERNEL);
	struct lkst_tree_fields fields = { .to = text };
	size_t len = strcspn(line, LKST_TREE_BLANKS ";");

	if (!text)
		return NULL;
	lkst_tree_fields_put(&fields, LKST_TREE_SYNTHETIC ":", strlen("s:"));
	lkst_tree_fields_put(&fields, line, len);
	for (line = skip_spaces(line + len); *line; line = skip_spaces(line + len)) {
		len = strcspn(line, LKST_TREE_BLANKS ";");
		if (len) {
			lkst_tree_fields_word(&fields, line, len);
			continue;
		}
		len = 1;
		lkst_tree_fields_put(&fields, line, len);
		fields.has_type = false;
		fields.has_name = false;
	}
	return text;
}

/*
 * Execute a line: "NAME FIELDS" adds an event, and "!NAME [FIELDS]" removes it.
 */
static int lkst_tree_synthetic_command(char *command)
{
	char *text;
	int ret;

	command = strim(command);
	if (!*command || *command == '#')
		return 0;
	if (*command == '!')
		return lkst_tree_remove_events(LKST_TREE_SYNTHETIC, command + 1);
	text = lkst_tree_synthetic_definition(command);
	if (!text)
		return -ENOMEM;
	ret = lkst_tree_added_execute(text);
	kfree(text);
	return ret;
}

static ssize_t lkst_tree_synthetic_write(struct file *file, const char __user *from, size_t count,
					 loff_t *position)
{
	return lkst_tree_execute(from, count, "\n", lkst_tree_synthetic_command);
}

const struct file_operations lkst_tree_synthetic_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_synthetic_open,
	.read = seq_read,
	.write = lkst_tree_synthetic_write,
	.llseek = seq_lseek,
	.release = single_release,
};
