// SPDX-License-Identifier: GPL-2.0
/*
 * The directory lkst/ of debugfs. It contains the same files as tracefs, as far
 * as programs for the kernel's user_events use them. If the directory is
 * mounted over /sys/kernel/tracing, these programs run unchanged, for example
 * the kernel's own selftests.
 *
 * The directory exists only with the parameter user_events_tree. A write to the
 * file "enable" of an event or to "set_event" copies the selected maskset to
 * the maskset "lkst_tree", turns events on or off in this copy, and selects it.
 */
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <linux/lkst.h>
#include <linux/lkst_etypes.h>
#include <linux/lkst_maskset.h>
#include <linux/lkst_private.h>

#include "../base/compat.h"
#include "../base/stage.h"
#include "../buffer/buffer.h"
#include "../buffer/cursor.h"
#include "../clock/clock.h"
#include "../device/permission.h"
#include "../dispatch/maskset.h"
#include "data.h"
#include "enabler.h"
#include "files.h"
#include "format.h"
#include "registry.h"
#include "tree.h"

#define LKST_TREE_LINES		10000	/* maximum for each CPU in the file "trace" */
#define LKST_TREE_MASKSET	"lkst_tree"

static bool lkst_param_tree;
module_param_named(user_events_tree, lkst_param_tree, bool, 0444);
MODULE_PARM_DESC(user_events_tree,
		 "Create the directory lkst/ in debugfs, with the files of tracefs that programs for user_events use");

/**
 * struct lkst_tree_event - the directory of an event
 * @dir: the directory, or NULL
 * @label: label of the event for which it was created
 * @held: the event, if it was turned on by its file "enable", else NULL.
 *	Protected by lkst_tree_maskset_mutex
 *
 * As in tracefs, an event that is turned on must not disappear, so the tree has
 * a reference to @held.
 */
struct lkst_tree_event {
	struct dentry *dir;
	const char *label;
	struct lkst_user_event *held;
};

/* Index: event type - LKST_ETYPE_PROGRAM_MIN. NULL if there is no tree. */
static struct lkst_tree_event *lkst_tree_events;

/*
 * Protects lkst_tree_events, except for the members "held". The functions that
 * read and write the files do not take this mutex, because its holder may be
 * waiting for them while it removes a directory.
 */
static DEFINE_MUTEX(lkst_tree_mutex);

/* Serializes changes of the maskset "lkst_tree". Protects members "held". */
static DEFINE_MUTEX(lkst_tree_maskset_mutex);

static struct dentry *lkst_tree_root;
static struct dentry *lkst_tree_systems[2];
static const char *const lkst_tree_system_names[] = { "user_events", "user_events_multi" };

/**
 * struct lkst_tree_look - how to print something about one event
 * @etype: type of the event
 * @show: function that prints it
 * @m: output
 */
struct lkst_tree_look {
	int etype;
	void (*show)(struct seq_file *m, const struct lkst_user_event *event);
	struct seq_file *m;
};

static int lkst_tree_look_at(const struct lkst_user_event *event, void *data)
{
	const struct lkst_tree_look *look = data;

	if (event->etype != look->etype)
		return 0;
	look->show(look->m, event);
	return 1;
}

/*
 * Call a function for the event to which a file belongs. Returns 0; -ENODEV if
 * the event has ended; -EINTR if a fatal signal ended the wait.
 */
static int lkst_tree_show(struct seq_file *m,
			  void (*show)(struct seq_file *m, const struct lkst_user_event *event))
{
	struct lkst_tree_look look = { (unsigned long)m->private, show, m };
	int ret = lkst_user_for_each(lkst_tree_look_at, &look);

	return ret < 0 ? ret : ret ? 0 : -ENODEV;
}

static void lkst_tree_show_enable(struct seq_file *m, const struct lkst_user_event *event)
{
	seq_printf(m, "%d\n", lkst_user_event_on(event));
}

static int lkst_tree_enable_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_enable);
}

static int lkst_tree_enable_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_enable_show, inode->i_private);
}

/**
 * struct lkst_tree_filter - which events to turn on or off
 * @etype: type of the only such event, or 0 to choose by names
 * @either: name of a system or an event; NULL: any
 * @system: name of a system; NULL: any
 * @name: name of an event in its system; NULL: any
 */
struct lkst_tree_filter {
	int etype;
	const char *either;
	const char *system;
	const char *name;
};

/**
 * struct lkst_tree_change - what is needed to turn events on or off
 * @filter: which events
 * @on: whether to turn them on
 * @found: whether the filter has matched an event
 * @chosen: bitmap of the events that this change turns on or off
 * @taken: bitmap of the chosen events to which this change has taken references
 * @body: the maskset, with room for LKST_MASKSET_SIZE_MAX bytes
 */
struct lkst_tree_change {
	const struct lkst_tree_filter *filter;
	bool on;
	bool found;
	DECLARE_BITMAP(chosen, LKST_ETYPE_PROGRAM_NUM);
	DECLARE_BITMAP(taken, LKST_ETYPE_PROGRAM_NUM);
	struct lkst_maskset_body body;
};

static bool lkst_tree_matches(const struct lkst_tree_filter *filter,
			      const struct lkst_user_event *event)
{
	const char *system = lkst_tree_system_names[!!(event->flags & LKST_USER_MULTI_FORMAT)];
	const char *name = lkst_user_event_name(event);

	if (filter->etype)
		return event->etype == filter->etype;
	return (!filter->either || !strcmp(filter->either, system) ||
		!strcmp(filter->either, name)) &&
	       (!filter->system || !strcmp(filter->system, system)) &&
	       (!filter->name || !strcmp(filter->name, name));
}

/*
 * Choose an event if the filter matches it, and take a reference to it, unless
 * the tree has one already. An event that is off need not be turned off.
 */
static int lkst_tree_choose(const struct lkst_user_event *event, void *data)
{
	struct lkst_tree_change *change = data;
	unsigned int i = event->etype - LKST_ETYPE_PROGRAM_MIN;
	struct lkst_tree_event *own = &lkst_tree_events[i];

	if (!lkst_tree_matches(change->filter, event))
		return 0;
	change->found = true;
	if (!change->on && !own->held && !lkst_user_event_on(event))
		return 0;
	__set_bit(i, change->chosen);
	if (!own->held) {
		/* The event is not freed while lkst_user_for_each() runs. */
		own->held = (struct lkst_user_event *)event;
		lkst_user_event_get(own->held);
		__set_bit(i, change->taken);
	}
	return 0;
}

/* Drop the references to some events. */
static void lkst_tree_release(const unsigned long *events)
{
	unsigned int i;

	for_each_set_bit(i, events, LKST_ETYPE_PROGRAM_NUM) {
		lkst_user_event_put(lkst_tree_events[i].held);
		lkst_tree_events[i].held = NULL;
	}
}

/*
 * Turn the chosen events on or off: write a copy of the selected maskset with
 * these changes to the maskset "lkst_tree", and select it. The copy has entries
 * for the chosen events, because there are references to them.
 */
static int lkst_tree_select(struct lkst_tree_change *change)
{
	struct lkst_maskset_body *body = &change->body;
	struct lkst_maskset_param param = {
		.id = LKST_MASKSET_ID_VOID,
		.maskset_size = LKST_MASKSET_SIZE_MAX,
		.maskset = (unsigned long)body,
	};
	struct lkst_maskset_entry *entry;
	int ret;

	ret = lkst_maskset_read(&param);
	if (ret)
		return ret;
	for (entry = body->entry; entry < body->entry + body->len; entry++)
		if (lkst_etype_of_program(entry->event_type) &&
		    test_bit(entry->event_type - LKST_ETYPE_PROGRAM_MIN, change->chosen))
			entry->id = change->on ? LKST_EVHANDLER_ID_ENTRY_LOG :
						 LKST_EVHANDLER_ID_NONE;
	/* Do not keep the ID: root may delete the maskset and reuse its ID. */
	param.id = lkst_maskset_get_id(LKST_TREE_MASKSET);
	param.maskset_size = LKST_MASKSET_SIZE(body->len);
	strscpy_pad(body->name, LKST_TREE_MASKSET, sizeof(body->name));
	ret = lkst_maskset_write(&param);
	return ret ?: lkst_maskset_set_wait(param.id);
}

/*
 * Turn events on or off. As with tracefs, programs may expect that their bits
 * have changed when this function returns. So wait until the bits have changed,
 * except for bits in pages that are not present. Return 0, -ENOENT if @filter
 * matches no event, or another negative errno.
 */
static int lkst_tree_turn(const struct lkst_tree_filter *filter, bool on)
{
	struct lkst_tree_change *change;
	int ret;

	change = kvzalloc(offsetof(struct lkst_tree_change, body) + LKST_MASKSET_SIZE_MAX,
			  GFP_KERNEL);
	if (!change)
		return -ENOMEM;
	change->filter = filter;
	change->on = on;
	ret = mutex_lock_killable(&lkst_tree_maskset_mutex);
	if (ret)
		goto free;
	ret = lkst_user_for_each(lkst_tree_choose, change);
	if (!ret && !change->found)
		ret = -ENOENT;
	if (!ret && !bitmap_empty(change->chosen, LKST_ETYPE_PROGRAM_NUM))
		ret = lkst_tree_select(change);
	lkst_enablers_update();
	lkst_enablers_flush();
	if (ret)
		lkst_tree_release(change->taken);
	else if (!on)
		lkst_tree_release(change->chosen);
	mutex_unlock(&lkst_tree_maskset_mutex);
free:
	kvfree(change);
	return ret;
}

static ssize_t lkst_tree_enable_write(struct file *file, const char __user *text, size_t count,
				      loff_t *position)
{
	const struct lkst_tree_filter filter = {
		.etype = (unsigned long)file_inode(file)->i_private,
	};
	unsigned long value;
	int ret;

	ret = kstrtoul_from_user(text, count, 10, &value);
	if (ret)
		return ret;
	if (value > 1)
		return -EINVAL;
	ret = lkst_tree_turn(&filter, value);
	return ret == -ENOENT ? -ENODEV : ret ?: count;
}

static const struct file_operations lkst_tree_enable_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_enable_open,
	.read = seq_read,
	.write = lkst_tree_enable_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static void lkst_tree_show_id(struct seq_file *m, const struct lkst_user_event *event)
{
	seq_printf(m, "%u\n", event->etype);
}

static int lkst_tree_id_show(struct seq_file *m, void *unused)
{
	return lkst_tree_show(m, lkst_tree_show_id);
}

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

static void lkst_tree_show_string(struct seq_file *m, const char *text)
{
	lkst_user_show_text(m, text, strlen(text));
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

#define LKST_TREE_FILE(name)								\
static int lkst_tree_##name##_open(struct inode *inode, struct file *file)		\
{											\
	return lkst_permission() ?:							\
	       single_open(file, lkst_tree_##name##_show, inode->i_private);		\
}											\
											\
static const struct file_operations lkst_tree_##name##_fops = {				\
	.owner = THIS_MODULE,								\
	.open = lkst_tree_##name##_open,						\
	.read = seq_read,								\
	.llseek = seq_lseek,								\
	.release = single_release,							\
}

LKST_TREE_FILE(id);
LKST_TREE_FILE(format);

static int lkst_tree_readme_show(struct seq_file *m, void *unused)
{
	seq_puts(m, "LKST: files for programs that use user_events, see Documentation/lkst.\n");
	return 0;
}

LKST_TREE_FILE(readme);

static int lkst_tree_status_show(struct seq_file *m, void *unused)
{
	return lkst_user_status_show(m, unused);
}

LKST_TREE_FILE(status);

static int lkst_tree_available_event(const struct lkst_user_event *event, void *data)
{
	lkst_tree_show_string(data, event->label);
	seq_putc(data, '\n');
	return 0;
}

static int lkst_tree_available_show(struct seq_file *m, void *unused)
{
	return lkst_user_for_each(lkst_tree_available_event, m);
}

LKST_TREE_FILE(available);

static int lkst_tree_set_event(const struct lkst_user_event *event, void *data)
{
	return lkst_user_event_on(event) ? lkst_tree_available_event(event, data) : 0;
}

static int lkst_tree_set_show(struct seq_file *m, void *unused)
{
	return lkst_user_for_each(lkst_tree_set_event, m);
}

/* As with tracefs, a program that truncates the file turns all events off. */
static int lkst_tree_set_open(struct inode *inode, struct file *file)
{
	const struct lkst_tree_filter all = {};
	int ret = lkst_permission();

	if (ret)
		return ret;
	if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC) {
		ret = lkst_tree_turn(&all, false);
		if (ret && ret != -ENOENT)
			return ret;
	}
	return single_open(file, lkst_tree_set_show, NULL);
}

/*
 * Divide the text that a program writes at any of the @separators, and call
 * @execute for each part that is not empty, until a call fails. Returns @count
 * or a negative errno.
 */
static ssize_t lkst_tree_execute(const char __user *from, size_t count, const char *separators,
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
 * Execute "NAME", where NAME is a system or an event, or "SYSTEM:NAME", where
 * each part may be "*" or empty. "!" before it turns the events off.
 */
static int lkst_tree_set_word(char *word)
{
	struct lkst_tree_filter filter = {};
	bool on = *word != '!';
	char *name;
	int ret;

	word += !on;
	name = strchr(word, ':');
	if (name) {
		*name++ = '\0';
		filter.system = *word && strcmp(word, "*") ? word : NULL;
		filter.name = *name && strcmp(name, "*") ? name : NULL;
	} else {
		filter.either = word;
	}
	ret = lkst_tree_turn(&filter, on);
	return ret == -ENOENT ? -EINVAL : ret;
}

static ssize_t lkst_tree_set_write(struct file *file, const char __user *from, size_t count,
				   loff_t *position)
{
	return lkst_tree_execute(from, count, " \t\n", lkst_tree_set_word);
}

static const struct file_operations lkst_tree_set_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_set_open,
	.read = seq_read,
	.write = lkst_tree_set_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* Print an event that a program has recorded, without decoding its payload. */
static void lkst_tree_show_record(struct seq_file *m, const struct lkst_cursor *cursor, int cpu,
				  const struct lkst_event_record *record)
{
	s64 ns = lkst_time_to_wall(cursor->session.clock, record->clock);
	struct timespec64 time = ns_to_timespec64(ns);

	seq_printf(m, "%d [%03d] %lld.%06lu: USER_EVENT_%03x: %*ph\n", record->thread, cpu,
		   (long long)time.tv_sec, time.tv_nsec / NSEC_PER_USEC, record->event_type,
		   (int)sizeof(record->arg), record->arg);
}

/* Print the events of a buffer, up to a record that has been overwritten. */
static void lkst_tree_show_buffer(struct seq_file *m, struct lkst_buffer *buffer,
				  unsigned int *lines)
{
	struct lkst_event_record record;
	struct lkst_cursor cursor;

	lkst_cursor_init(&cursor, buffer);
	for (; cursor.position < cursor.end && *lines; lkst_cursor_advance(&cursor, 1)) {
		enum lkst_ring_read ret = lkst_cursor_read(&cursor, &record);

		if (ret == LKST_RING_LAPPED)
			return;
		if (ret != LKST_RING_READ || !lkst_etype_of_program(record.event_type))
			continue;
		lkst_tree_show_record(m, &cursor, buffer->cpu, &record);
		(*lines)--;
	}
}

static int lkst_tree_trace_show(struct seq_file *m, void *unused)
{
	int cpu, id, ret;

	seq_puts(m, "# tracer: lkst\n");
	ret = mutex_lock_killable(&lkst_buffer_mutex);
	if (ret)
		return ret;
	for_each_possible_cpu(cpu) {
		struct lkst_cpu *c = per_cpu(lkst_cpu, cpu);
		unsigned int lines = LKST_TREE_LINES;

		if (!c)
			continue;
		for_each_set_bit(id, c->ids, LKST_BUFFER_ID_MAX + 1)
			lkst_tree_show_buffer(m, c->buffers[id], &lines);
	}
	mutex_unlock(&lkst_buffer_mutex);
	return 0;
}

LKST_TREE_FILE(trace);

static int lkst_tree_dynamic_event(const struct lkst_user_event *event, void *data)
{
	seq_puts(data, "u:");
	lkst_tree_show_string(data, event->name);
	seq_puts(data, event->format->num ? " " : "");
	lkst_tree_show_string(data, event->format->text);
	seq_putc(data, '\n');
	return 0;
}

static int lkst_tree_dynamic_show(struct seq_file *m, void *unused)
{
	return lkst_user_for_each(lkst_tree_dynamic_event, m);
}

static int lkst_tree_dynamic_open(struct inode *inode, struct file *file)
{
	return lkst_permission() ?: single_open(file, lkst_tree_dynamic_show, NULL);
}

/* Register "NAME FIELDS" as an event that persists. */
static int lkst_tree_create(char *command)
{
	const struct lkst_user_who who = { .owner = current_fsuid(), .privileged = true };
	struct lkst_user_event *event = lkst_user_register(command, LKST_USER_PERSIST, &who);

	if (IS_ERR(event))
		return PTR_ERR(event);
	lkst_user_event_put(event);
	lkst_tree_update();
	return 0;
}

/*
 * Delete "[SYSTEM/]NAME [FIELDS]". Without FIELDS, this deletes all events with
 * the name. The text does not end in a space.
 */
static int lkst_tree_delete(char *command)
{
	char *name = strsep(&command, " \t"), *slash = strchr(name, '/'), *system = NULL;
	int ret;

	if (slash) {
		*slash = '\0';
		system = name;
		name = slash + 1;
	}
	ret = lkst_user_delete(system, name, command);
	lkst_tree_update();
	return ret;
}

/*
 * Execute a line: "u:NAME [FIELDS]" creates an event. The same text behind
 * "!u:" or "-:" deletes it.
 */
static int lkst_tree_command(char *command)
{
	bool deletes = true;

	command = strim(command);
	if (!*command || *command == '#')
		return 0;
	if (!strncmp(command, "u:", 2)) {
		deletes = false;
		command += 2;
	} else if (!strncmp(command, "!u:", 3)) {
		command += 3;
	} else if (!strncmp(command, "-:", 2)) {
		command += 2;
	} else {
		return -EINVAL;
	}
	command = skip_spaces(command);
	return deletes ? lkst_tree_delete(command) : lkst_tree_create(command);
}

static ssize_t lkst_tree_dynamic_write(struct file *file, const char __user *from, size_t count,
				       loff_t *position)
{
	return lkst_tree_execute(from, count, "\n", lkst_tree_command);
}

static const struct file_operations lkst_tree_dynamic_fops = {
	.owner = THIS_MODULE,
	.open = lkst_tree_dynamic_open,
	.read = seq_read,
	.write = lkst_tree_dynamic_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/* Mark the directory of an event that has not ended, so that it is kept. */
static int lkst_tree_keep(const struct lkst_user_event *event, void *kept)
{
	unsigned int i = event->etype - LKST_ETYPE_PROGRAM_MIN;
	const char *label = lkst_tree_events[i].label;

	if (label && !strcmp(label, event->label))
		__set_bit(i, kept);
	return 0;
}

/*
 * Create the directory of an event that has none. If the name of the event
 * cannot be a file name, the event gets no directory.
 */
static int lkst_tree_add(const struct lkst_user_event *event, void *unused)
{
	struct lkst_tree_event *own = &lkst_tree_events[event->etype - LKST_ETYPE_PROGRAM_MIN];
	void *etype = (void *)(unsigned long)event->etype;
	bool multi = event->flags & LKST_USER_MULTI_FORMAT;
	struct dentry *dir;

	if (own->label)
		return 0;
	own->label = kstrdup(event->label, GFP_KERNEL);
	if (!own->label)
		return -ENOMEM;
	dir = debugfs_create_dir(lkst_user_event_name(event), lkst_tree_systems[multi]);
	if (IS_ERR(dir))
		return 0;
	debugfs_create_file("enable", 0640, dir, etype, &lkst_tree_enable_fops);
	debugfs_create_file("format", 0440, dir, etype, &lkst_tree_format_fops);
	debugfs_create_file("id", 0440, dir, etype, &lkst_tree_id_fops);
	own->dir = dir;
	return 0;
}

/*
 * Remove the directories of events that have ended, and create those of new
 * ones. Directories are removed outside lkst_user_for_each(), because removing
 * one waits until nobody reads its files, which call that function. Return 0,
 * or a negative errno if some directories are still missing or left over.
 */
static int lkst_tree_sync(void)
{
	DECLARE_BITMAP(kept, LKST_ETYPE_PROGRAM_NUM) = {};
	unsigned int i;
	int ret;

	ret = mutex_lock_killable(&lkst_tree_mutex);
	if (ret)
		return ret;
	if (!lkst_tree_events)
		goto unlock;
	ret = lkst_user_for_each(lkst_tree_keep, kept);
	if (ret)
		goto unlock;
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++) {
		struct lkst_tree_event *own = &lkst_tree_events[i];

		if (!own->label || test_bit(i, kept))
			continue;
		debugfs_remove(own->dir);
		kfree(own->label);
		own->dir = NULL;
		own->label = NULL;
	}
	ret = lkst_user_for_each(lkst_tree_add, NULL);
unlock:
	mutex_unlock(&lkst_tree_mutex);
	return ret;
}

static void lkst_tree_sync_work(struct work_struct *work)
{
	lkst_tree_sync();
}

static DECLARE_WORK(lkst_tree_work, lkst_tree_sync_work);

/**
 * lkst_tree_update() - update the tree after an event was registered or deleted
 *
 * Returns after the directory of the event has been created or removed. If the
 * process is killed before that, a worker updates the tree.
 *
 * Context: process, may sleep; the caller holds no lock of the registry.
 */
void lkst_tree_update(void)
{
	if (READ_ONCE(lkst_tree_events) && lkst_tree_sync() == -EINTR)
		queue_work(lkst_workqueue(), &lkst_tree_work);
}

/**
 * lkst_tree_ended() - update the tree after an event has ended
 *
 * Returns at once. A worker removes the directory of the event.
 *
 * Context: any except NMI.
 */
void lkst_tree_ended(void)
{
	if (READ_ONCE(lkst_tree_events))
		queue_work(lkst_workqueue(), &lkst_tree_work);
}

/**
 * lkst_tree_start() - create the tree if the parameter asks for it
 *
 * Nothing else depends on the tree, so errors are ignored, as is usual for
 * debugfs.
 */
void __init lkst_tree_start(void)
{
	struct lkst_tree_event *events;
	struct dentry *dir;
	unsigned int i;

	if (!lkst_param_tree)
		return;
	events = kvcalloc(LKST_ETYPE_PROGRAM_NUM, sizeof(*events), GFP_KERNEL);
	if (!events)
		return;
	lkst_tree_root = debugfs_create_dir("lkst", NULL);
	debugfs_create_file("README", 0440, lkst_tree_root, NULL, &lkst_tree_readme_fops);
	/*
	 * This file needs no protection against removal while it is in use: an
	 * open file keeps the module loaded. With debugfs_create_file(), the
	 * file would not support writev().
	 */
	debugfs_create_file_unsafe("user_events_data", 0600, lkst_tree_root, NULL,
				   &lkst_user_data_fops);
	debugfs_create_file("user_events_status", 0440, lkst_tree_root, NULL,
			    &lkst_tree_status_fops);
	debugfs_create_file("dynamic_events", 0600, lkst_tree_root, NULL,
			    &lkst_tree_dynamic_fops);
	debugfs_create_file("available_events", 0440, lkst_tree_root, NULL,
			    &lkst_tree_available_fops);
	debugfs_create_file("set_event", 0640, lkst_tree_root, NULL, &lkst_tree_set_fops);
	debugfs_create_file("trace", 0400, lkst_tree_root, NULL, &lkst_tree_trace_fops);
	dir = debugfs_create_dir("events", lkst_tree_root);
	for (i = 0; i < ARRAY_SIZE(lkst_tree_systems); i++)
		lkst_tree_systems[i] = debugfs_create_dir(lkst_tree_system_names[i], dir);
	WRITE_ONCE(lkst_tree_events, events);
	lkst_tree_sync();
}

/* Remove the tree. Programs cannot use their files any longer. */
void __lkst_exit lkst_tree_stop(void)
{
	struct lkst_tree_event *events = lkst_tree_events;
	unsigned int i;

	if (!events)
		return;
	mutex_lock(&lkst_tree_mutex);
	WRITE_ONCE(lkst_tree_events, NULL);
	mutex_unlock(&lkst_tree_mutex);
	debugfs_remove(lkst_tree_root);
	for (i = 0; i < LKST_ETYPE_PROGRAM_NUM; i++) {
		kfree(events[i].label);
		if (events[i].held)
			lkst_user_event_put(events[i].held);
	}
	kvfree(events);
}

/*
 * Wait for the worker. The registry calls this when no event can end any more.
 * lkst_tree_stop() would be too early: lkst_tree_ended() may have found the
 * tree before it was removed, and queue the work afterwards. The work then has
 * no effect.
 */
void __lkst_exit lkst_tree_end(void)
{
	cancel_work_sync(&lkst_tree_work);
}
