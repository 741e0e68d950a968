// SPDX-License-Identifier: GPL-2.0
/*
 * The file "format" of an event: its fields, as ftrace describes them.
 */
#include <linux/align.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../device/permission.h"
#include "../user/files.h"
#include "../user/format.h"
#include "../user/registry.h"
#include "event.h"
#include "file.h"
#include "layout.h"
#include "names.h"

/* ---- events of programs ---- */

/* Print the line of a field in a file "format". @text: lkst_format.text */
static void lkst_tree_show_field(struct seq_file *m, const struct lkst_format_field *field,
				 const char *text)
{
	const char *type = text + field->type, *name = text + field->name;
	const char *array = memchr(type, '[', field->type_len);
	int type_len = field->type_len, array_len = 0;
	bool is_signed = *type != 'u';

	/*
	 * Like ftrace, print "char[4] a" as "char a[4]", but do not change
	 * "__data_loc char[] a".
	 */
	if (array && field->kind != LKST_FIELD_DATA_LOC) {
		type_len = array - type;
		array_len = field->type_len - type_len;
	}
	seq_puts(m, "\tfield:");
	if (field->is_kernel) {
		is_signed = false;
		seq_printf(m, "u%u", field->size * 8);
	} else {
		lkst_user_show_text(m, type, type_len);
	}
	seq_putc(m, ' ');
	lkst_user_show_text(m, name, field->name_len);
	lkst_user_show_text(m, array, array_len);
	seq_printf(m, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		   LKST_FORMAT_ENTRY + field->offset, field->size, is_signed);
}

/* Return the conversion with which ftrace prints a field. */
static const char *lkst_tree_conversion(const struct lkst_format_field *field)
{
	if (field->is_kernel)
		return field->size < 8 ? "0x%x" : "0x%llx";
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

/* Print the fields of an event of a program. */
static void lkst_tree_show_user_format(struct seq_file *m, const struct lkst_user_event *event)
{
	const struct lkst_format *format = event->format;
	unsigned int i;

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

/* ---- events of the kernel ---- */

static bool lkst_tree_has_text(const struct lkst_filter_field *field)
{
	return field->text != LKST_TEXT_NONE;
}

/* Size of a field in a record of ftrace, in bytes. */
static unsigned int lkst_tree_field_size(const struct lkst_filter_field *field)
{
	return field->text == LKST_TEXT_CHAIN ? sizeof(u32) : field->size;
}

/* Print the type of a field, and its name. */
static void lkst_tree_show_column(struct seq_file *m, const struct lkst_tree_column *column)
{
	const struct lkst_filter_field *field = &column->field;

	if (field->text == LKST_TEXT_CHAIN)
		seq_printf(m, "__data_loc char[] %.*s", (int)column->name_len, column->name);
	else if (lkst_tree_has_text(field))
		seq_printf(m, "char %.*s[%u]", (int)column->name_len, column->name, field->size);
	else
		seq_printf(m, "%c%u %.*s", field->is_signed ? 's' : 'u', field->size * 8,
			   (int)column->name_len, column->name);
}

static const char *lkst_tree_column_conversion(const struct lkst_filter_field *field)
{
	if (lkst_tree_has_text(field))
		return "%s";
	if (field->size < sizeof(u64))
		return field->is_signed ? "%d" : "%u";
	return field->is_signed ? "%lld" : "%llu";
}

/* Print the fields of an event of the kernel. */
static void lkst_tree_show_layout(struct seq_file *m, const struct lkst_tree_layout *layout)
{
	const struct lkst_tree_column *column, *end = layout->column + layout->num;
	unsigned int offset = LKST_FORMAT_ENTRY, size;

	for (column = layout->column; column < end; column++) {
		size = lkst_tree_field_size(&column->field);
		if (!lkst_tree_has_text(&column->field))
			offset = ALIGN(offset, size);
		seq_puts(m, "\tfield:");
		lkst_tree_show_column(m, column);
		seq_printf(m, ";\toffset:%u;\tsize:%u;\tsigned:%d;\n", offset, size,
			   column->field.is_signed);
		offset += size;
	}
	seq_puts(m, "\nprint fmt: \"");
	for (column = layout->column; column < end; column++)
		seq_printf(m, "%s%.*s=%s", column == layout->column ? "" : " ",
			   (int)column->name_len, column->name,
			   lkst_tree_column_conversion(&column->field));
	seq_putc(m, '"');
	for (column = layout->column; column < end; column++) {
		bool location = column->field.text == LKST_TEXT_CHAIN;

		seq_printf(m, ", %s%.*s%s", location ? "__get_str(" : "REC->",
			   (int)column->name_len, column->name, location ? ")" : "");
	}
	seq_putc(m, '\n');
}

static void lkst_tree_show_kernel_format(struct seq_file *m, int etype)
{
	struct lkst_tree_layout *layout = lkst_tree_layout_new(etype);

	if (IS_ERR(layout))
		return;
	lkst_tree_show_layout(m, layout);
	kfree(layout);
}

/* ---- the file ---- */

static void lkst_tree_show_format(struct seq_file *m, const struct lkst_tree_name *event)
{
	seq_puts(m, "name: ");
	lkst_tree_show_string(m, event->name);
	seq_printf(m, "\nID: %u\nformat:\n", event->etype);
	seq_puts(m, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n");
	seq_puts(m, "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n");
	seq_puts(m, "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n");
	seq_puts(m, "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n");
	if (event->user)
		lkst_tree_show_user_format(m, event->user);
	else
		lkst_tree_show_kernel_format(m, event->etype);
}

static int lkst_tree_format_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_format);
}

LKST_TREE_FILE(format);
