// SPDX-License-Identifier: GPL-2.0
/*
 * Print a histogram as the file "hist" of ftrace does, with the kernel's names
 * of fields.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/lkst_maskset.h>

#include "../rules/hist.h"
#include "../rules/hist_store.h"
#include "../user/files.h"
#include "hist.h"

#define LKST_TREE_HIST_BAR	20	/* characters of a bar of .graph */
#define LKST_TREE_HIST_END	" \t"	/* characters that end a definition */

/**
 * struct lkst_tree_hist - a histogram to print
 * @m: output
 * @def: its definition
 * @text: the trigger, which contains the definition with the kernel's names
 * @total: the sums over all entries
 * @max: the greatest values of the sums
 */
struct lkst_tree_hist {
	struct seq_file *m;
	const struct lkst_hist_def *def;
	const char *text;
	u64 total[LKST_HIST_VALS];
	u64 max[LKST_HIST_VALS];
};

static u64 lkst_tree_hist_number(const struct lkst_hist_field *field, const char *entry)
{
	u64 value;

	memcpy(&value, entry + field->offset, sizeof(value));
	return value;
}

/* Print a string in @width columns. */
static void lkst_tree_hist_string(struct seq_file *m, const char *text, size_t size, int width)
{
	size_t len = strnlen(text, size);

	lkst_user_show_text(m, text, len);
	seq_printf(m, "%*s", max(width - (int)len, 0), "");
}

/*
 * Find the list of the keys or that of the sums in a trigger, such as
 * "parent_pid.hex,child_comm:vals=child_pid" in
 * "hist:keys=parent_pid.hex,child_comm:vals=child_pid". Return NULL if it does
 * not contain such a list.
 */
static const char *lkst_tree_hist_list(const char *text, bool keys)
{
	static const char *const names[] = { ":keys=", ":key=", ":vals=", ":val=", ":values=" };
	unsigned int i, first = keys ? 0 : 2, end = keys ? 2 : ARRAY_SIZE(names);
	size_t at, len = strcspn(text, LKST_TREE_HIST_END);

	for (at = 0; at < len; at++)
		for (i = first; i < end; i++)
			if (!strncmp(text + at, names[i], strlen(names[i])))
				return text + at + strlen(names[i]);
	return NULL;
}

/*
 * Return word @index of a list of fields, without its modifier. @len receives
 * the length. The word "hitcount" does not count. Return NULL if the list has
 * fewer words.
 */
static const char *lkst_tree_hist_word(const char *list, unsigned int index, size_t *len)
{
	static const char hits[] = "hitcount";

	for (; list; list = *list == ',' ? list + 1 : NULL) {
		*len = strcspn(list, ".,:" LKST_TREE_HIST_END);
		if ((*len != strlen(hits) || strncmp(list, hits, *len)) && !index--)
			return list;
		list += strcspn(list, ",:" LKST_TREE_HIST_END);
	}
	return NULL;
}

/*
 * Print a key or a sum with the name that the trigger uses. LKST's name would
 * not be enough to find it, because the kernel can have several names for the
 * same field, such as parent_pid and common_pid.
 */
static void lkst_tree_hist_name(const struct lkst_tree_hist *h,
				const struct lkst_hist_field *field)
{
	unsigned int index = field - h->def->field;
	const char *name = NULL;
	size_t len;

	if (index < LKST_HIST_KEYS)
		name = lkst_tree_hist_word(lkst_tree_hist_list(h->text, true), index, &len);
	else if (index > LKST_HIST_KEYS)
		name = lkst_tree_hist_word(lkst_tree_hist_list(h->text, false),
					   index - LKST_HIST_KEYS - 1, &len);
	if (name)
		seq_printf(h->m, "%.*s", (int)len, name);
	else
		seq_puts(h->m, field->name);
}

static void lkst_tree_hist_decimal(struct seq_file *m, const struct lkst_hist_field *field,
				   u64 value)
{
	seq_printf(m, field->flags & LKST_HIST_SIGNED ? "%10lld" : "%10llu", value);
}

static void lkst_tree_hist_range(struct seq_file *m, const struct lkst_hist_field *field,
				 u64 value)
{
	seq_printf(m, field->flags & LKST_HIST_SIGNED ? "~ %lld-%lld" : "~ %llu-%llu", value,
		   value + field->width - 1);
}

static void lkst_tree_hist_key(const struct lkst_tree_hist *h,
			       const struct lkst_hist_field *field, const char *entry)
{
	u64 value;

	lkst_tree_hist_name(h, field);
	seq_puts(h->m, ": ");
	if (field->flags & LKST_HIST_STRING) {
		lkst_tree_hist_string(h->m, entry + field->offset, field->size, 50);
		return;
	}
	value = lkst_tree_hist_number(field, entry);
	switch (field->modifier) {
	case LKST_HIST_HEX:
		seq_printf(h->m, "%llx", value);
		break;
	case LKST_HIST_SYM:
		seq_printf(h->m, "[%llx] %-45ps", value, (void *)(unsigned long)value);
		break;
	case LKST_HIST_SYM_OFFSET:
		seq_printf(h->m, "[%llx] %-55pS", value, (void *)(unsigned long)value);
		break;
	case LKST_HIST_SYSCALL:
		/* ftrace prints this if it does not know the name. */
		seq_printf(h->m, "%-30s[%3llu]", "unknown_syscall", value);
		break;
	case LKST_HIST_EXECNAME:
		lkst_tree_hist_string(h->m, entry + lkst_hist_entry_bytes(h->def) -
				      LKST_HIST_COMM_LEN, LKST_HIST_COMM_LEN, 16);
		seq_printf(h->m, "[%10llu]", value);
		break;
	case LKST_HIST_LOG2:
		seq_printf(h->m, "~ 2^%-2llu", value);
		break;
	case LKST_HIST_BUCKETS:
		lkst_tree_hist_range(h->m, field, value);
		break;
	default:
		lkst_tree_hist_decimal(h->m, field, value);
		break;
	}
}

/*
 * Return @parts * @value / @whole, but at most @parts: @value can be greater
 * than @whole, the sum of all values, if that sum has overflowed.
 */
static unsigned int lkst_tree_hist_share(u64 value, u64 whole, unsigned int parts)
{
	if (value >= whole)
		return whole ? parts : 0;
	/* The product must not overflow either. */
	while (whole > U64_MAX / parts) {
		value /= 2;
		whole /= 2;
	}
	return div64_u64(value * parts, whole);
}

static void lkst_tree_hist_percent(struct seq_file *m, u64 value, u64 total)
{
	unsigned int share = lkst_tree_hist_share(value, total, 10000);

	seq_printf(m, " (%%): %3u.%02u", share / 100, share % 100);
}

static void lkst_tree_hist_bar(struct seq_file *m, u64 value, u64 max)
{
	unsigned int len = lkst_tree_hist_share(value, max, LKST_TREE_HIST_BAR), i;

	seq_puts(m, ": ");
	for (i = 0; i < LKST_TREE_HIST_BAR; i++)
		seq_putc(m, i < len ? '#' : ' ');
}

static void lkst_tree_hist_sum(const struct lkst_tree_hist *h, unsigned int i, const char *entry)
{
	const struct lkst_hist_field *field = &h->def->field[LKST_HIST_KEYS + i];
	u64 value = lkst_tree_hist_number(field, entry);

	seq_puts(h->m, i ? "  " : " ");
	lkst_tree_hist_name(h, field);
	switch (field->modifier) {
	case LKST_HIST_HEX:
		seq_printf(h->m, ": %10llx", value);
		break;
	case LKST_HIST_PERCENT:
		lkst_tree_hist_percent(h->m, value, h->total[i]);
		break;
	case LKST_HIST_GRAPH:
		lkst_tree_hist_bar(h->m, value, h->max[i]);
		break;
	default:
		seq_puts(h->m, ": ");
		lkst_tree_hist_decimal(h->m, field, value);
		break;
	}
}

/*
 * Compute the total and the maximum of each sum, relative to which ".percent"
 * and ".graph" print the values of entries.
 */
static void lkst_tree_hist_add_up(struct lkst_tree_hist *h, const struct lkst_hist_merge *merge)
{
	unsigned int sum;
	size_t i;

	for (i = 0; i < merge->entries; i++)
		for (sum = 0; sum < h->def->vals; sum++) {
			u64 value = lkst_tree_hist_number(&h->def->field[LKST_HIST_KEYS + sum],
							  merge->list[i]);

			h->total[sum] += value;
			h->max[sum] = max(h->max[sum], value);
		}
}

static void lkst_tree_hist_entry(const struct lkst_tree_hist *h, const char *entry)
{
	unsigned int i;

	seq_puts(h->m, "{ ");
	for (i = 0; i < h->def->keys; i++) {
		seq_puts(h->m, i ? ", " : "");
		lkst_tree_hist_key(h, &h->def->field[i], entry);
	}
	seq_puts(h->m, " }");
	for (i = 0; i < h->def->vals; i++)
		lkst_tree_hist_sum(h, i, entry);
	seq_putc(h->m, '\n');
}

/**
 * lkst_tree_show_hist() - print a histogram
 * @m: output
 * @hist: the histogram
 * @text: its trigger, which contains the definition with the kernel's names
 *
 * Context: may sleep.
 *
 * Return: 0; -EINTR after a fatal signal; or -ENOMEM.
 */
int lkst_tree_show_hist(struct seq_file *m, struct lkst_hist *hist, const char *text)
{
	struct lkst_tree_hist h = { .m = m, .def = &hist->def, .text = text };
	struct lkst_hist_merge merge;
	size_t i;
	int ret;

	ret = lkst_hist_read(hist, false, &merge);
	if (ret)
		return ret;
	lkst_tree_hist_add_up(&h, &merge);
	for (i = 0; !ret && i < merge.entries; i++) {
		lkst_tree_hist_entry(&h, merge.list[i]);
		ret = fatal_signal_pending(current) ? -EINTR : 0;
	}
	seq_printf(m, "\nTotals:\n    Hits: %llu\n    Entries: %zu\n    Dropped: %llu\n",
		   merge.hits, merge.entries, merge.drops);
	lkst_hist_read_end(&merge);
	return ret;
}
