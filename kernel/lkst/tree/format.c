// SPDX-License-Identifier: GPL-2.0
/*
 * The file "format" of an event: its fields, as ftrace describes them.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "../device/permission.h"
#include "../user/files.h"
#include "../user/format.h"
#include "../user/registry.h"
#include "event.h"
#include "file.h"

/* Print the line of a field in a file "format". @text: lkst_format.text */
static void lkst_tree_show_field(struct seq_file *m, const struct lkst_format_field *field,
				 const char *text)
{
	const char *type = text + field->type, *name = text + field->name;
	const char *array = memchr(type, '[', field->type_len);
	int type_len = field->type_len, array_len = 0;

	/*
	 * Like ftrace, print "char[4] a" as "char a[4]", but do not change
	 * "__data_loc char[] a".
	 */
	if (array && field->kind != LKST_FIELD_DATA_LOC) {
		type_len = array - type;
		array_len = field->type_len - type_len;
	}
	seq_puts(m, "\tfield:");
	lkst_user_show_text(m, type, type_len);
	seq_putc(m, ' ');
	lkst_user_show_text(m, name, field->name_len);
	lkst_user_show_text(m, array, array_len);
	seq_printf(m, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		   LKST_FORMAT_ENTRY + field->offset, field->size, *type != 'u');
}

/* Return the conversion with which ftrace prints a field. */
static const char *lkst_tree_conversion(const struct lkst_format_field *field)
{
	if (field->kind == LKST_FIELD_INTEGER && field->size < 8)
		return field->is_signed ? "%d" : "%u";
	if (field->kind == LKST_FIELD_INTEGER)
		return field->is_signed ? "%lld" : "%llu";
	return field->is_text ? "%s" : "%llu";
}

/* Print the name of a field. */
static void lkst_tree_show_name(struct seq_file *m, const struct lkst_format *format,
				unsigned int i)
{
	lkst_user_show_text(m, format->text + format->field[i].name, format->field[i].name_len);
}

static void lkst_tree_show_format(struct seq_file *m, const struct lkst_user_event *event)
{
	const struct lkst_format *format = event->format;
	unsigned int i;

	seq_puts(m, "name: ");
	lkst_tree_show_string(m, lkst_user_event_name(event));
	seq_printf(m, "\nID: %u\nformat:\n", event->etype);
	seq_puts(m, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n");
	seq_puts(m, "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n");
	seq_puts(m, "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n");
	seq_puts(m, "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	for (i = 0; i < format->num; i++)
		lkst_tree_show_field(m, &format->field[i], format->text);
	seq_puts(m, "\nprint fmt: \"");
	for (i = 0; i < format->num; i++) {
		seq_puts(m, i ? " " : "");
		lkst_tree_show_name(m, format, i);
		seq_printf(m, "=%s", lkst_tree_conversion(&format->field[i]));
	}
	seq_putc(m, '"');
	for (i = 0; i < format->num; i++) {
		const struct lkst_format_field *field = &format->field[i];
		const char *before = "REC->", *behind = "";

		if (field->is_text && field->kind != LKST_FIELD_CHARS) {
			before = field->kind == LKST_FIELD_DATA_LOC ? "__get_str(" :
								      "__get_rel_str(";
			behind = ")";
		}
		seq_printf(m, ", %s", before);
		lkst_tree_show_name(m, format, i);
		seq_puts(m, behind);
	}
	seq_putc(m, '\n');
}

static int lkst_tree_format_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_format);
}

LKST_TREE_FILE(format);
