// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the histograms of rules: as text like that of the kernel's hist files, so that scripts can
 * read both, and as JSON.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/json.h"
#include "hist_print.h"
#include "lib/base/printable.h"
#include "lib/device/hists.h"
#include "lib/text/constants.h"
#include "lib/text/kallsyms.h"

#define HIST_TEXT_MAX 1024 /* a printed value, with the NUL */
#define HIST_BAR      20 /* width in characters of a bar, for the modifier .graph */

/**
 * struct hist_column - a key or sum of a histogram
 * @field: its description
 * @total: for a sum: its total over all entries
 * @max: for a sum: its greatest value in an entry
 */
struct hist_column {
	const struct lkst_hist_field *field;
	uint64_t total;
	uint64_t max;
};

static uint64_t hist_number(const struct lkst_hist_field *field, const unsigned char *entry)
{
	uint64_t value;

	memcpy(&value, entry + field->offset, sizeof(value));
	return value;
}

/* Copy the string of a field, or the name of the thread, without bytes that cannot be printed. */
static const char *hist_string(const void *from, size_t size, char *to)
{
	return lkst_printable(from, strnlen(from, size), to, HIST_TEXT_MAX);
}

/* The name of the thread is at the end of an entry. */
static const char *hist_comm(const struct lkst_hist *hist, const unsigned char *entry, char *to)
{
	return hist_string(entry + hist->param.entry_size - LKST_HIST_COMM_LEN, LKST_HIST_COMM_LEN,
			   to);
}

static bool hist_is_address(const struct lkst_hist_field *field)
{
	return field->modifier == LKST_HIST_SYM || field->modifier == LKST_HIST_SYM_OFFSET;
}

/**
 * hist_load_names() - load the names that a histogram needs, unless they have been loaded
 * @names: names
 * @hist: histogram
 * @err: set on failure
 */
int hist_load_names(struct hist_names *names, const struct lkst_hist *hist, struct lkst_error *err)
{
	for (uint32_t i = 0; i < hist->param.keys; i++) {
		if (names->kallsyms || !hist_is_address(&hist->param.field[i]))
			continue;
		names->kallsyms = lkst_kallsyms_load(LKST_SYMBOLS_PATH, err);
		if (!names->kallsyms)
			return -1;
	}
	return 0;
}

/* ---- values ---- */

static void hist_symbol(const struct lkst_hist_field *field, uint64_t address,
			const struct hist_names *names, char *to)
{
	struct kallsym symbol;
	size_t len;

	if (!lkst_kallsyms_find(names->kallsyms, address, &symbol)) {
		snprintf(to, HIST_TEXT_MAX, "0x%" PRIx64, address);
		return;
	}
	len = (size_t)snprintf(to, HIST_TEXT_MAX, "%s", symbol.name);
	if (field->modifier == LKST_HIST_SYM_OFFSET)
		len += (size_t)snprintf(to + len, HIST_TEXT_MAX - len, "+0x%" PRIx64 "/0x%" PRIx64,
					address - symbol.start, symbol.end - symbol.start);
	if (*symbol.module)
		snprintf(to + len, HIST_TEXT_MAX - len, " [%s]", symbol.module);
}

static const char *hist_syscall(uint64_t number, const struct hist_names *names)
{
	const char *name = constant_syscall(names->machine, 0, number);

	return name ? name : "unknown_syscall";
}

static void hist_print_key(const struct lkst_hist *hist, const struct lkst_hist_field *field,
			   const unsigned char *entry, const struct hist_names *names)
{
	uint64_t value = field->flags & LKST_HIST_STRING ? 0 : hist_number(field, entry);
	char text[HIST_TEXT_MAX];

	printf("%.*s: ", LKST_HIST_NAME_LEN, field->name);
	if (field->flags & LKST_HIST_STRING) {
		printf("%-50s", hist_string(entry + field->offset, field->size, text));
		return;
	}
	switch (field->modifier) {
	case LKST_HIST_HEX:
		printf("%" PRIx64, value);
		break;
	case LKST_HIST_SYM:
	case LKST_HIST_SYM_OFFSET:
		hist_symbol(field, value, names, text);
		printf("[%016" PRIx64 "] %-45s", value, text);
		break;
	case LKST_HIST_SYSCALL:
		printf("%-30s[%3" PRId64 "]", hist_syscall(value, names), (int64_t)value);
		break;
	case LKST_HIST_EXECNAME:
		printf("%-16s[%10" PRIu64 "]", hist_comm(hist, entry, text), value);
		break;
	case LKST_HIST_LOG2:
		printf("~ 2^%-2" PRIu64, value);
		break;
	case LKST_HIST_BUCKETS:
		if (field->flags & LKST_HIST_SIGNED)
			printf("~ %" PRId64 "-%" PRId64, (int64_t)value,
			       (int64_t)(value + field->width - 1));
		else
			printf("~ %" PRIu64 "-%" PRIu64, value,
			       (uint64_t)(value + field->width - 1));
		break;
	default:
		if (field->flags & LKST_HIST_SIGNED)
			printf("%10" PRId64, (int64_t)value);
		else
			printf("%10" PRIu64, value);
		break;
	}
}

static void hist_print_bar(const struct hist_column *column, uint64_t value)
{
	int len = column->max ? (int)((double)value / (double)column->max * HIST_BAR) : 0;

	for (int i = 0; i < HIST_BAR; i++)
		putchar(i < len ? '#' : ' ');
}

static void hist_print_sum(const struct hist_column *column, const unsigned char *entry)
{
	const struct lkst_hist_field *field = column->field;
	uint64_t value = hist_number(field, entry);

	printf("  %.*s", LKST_HIST_NAME_LEN, field->name);
	switch (field->modifier) {
	case LKST_HIST_HEX:
		printf(": %10" PRIx64, value);
		break;
	case LKST_HIST_PERCENT:
		printf(" (%%): %6.2f",
		       column->total ? 100 * (double)value / (double)column->total : 0.0);
		break;
	case LKST_HIST_GRAPH:
		printf(": ");
		hist_print_bar(column, value);
		break;
	default:
		if (field->flags & LKST_HIST_SIGNED)
			printf(": %10" PRId64, (int64_t)value);
		else
			printf(": %10" PRIu64, value);
		break;
	}
}

/* ---- text ---- */

/*
 * Set up a column for each sum, with the total and the maximum. Shares and bars are relative to
 * them.
 */
static void hist_columns(const struct lkst_hist *hist, struct hist_column *column)
{
	const struct lkst_hist_param *param = &hist->param;

	for (uint32_t i = 0; i < param->vals; i++) {
		column[i] = (struct hist_column){ .field = &param->field[param->keys + i] };
		for (size_t entry = 0; entry < param->entries; entry++) {
			uint64_t value = hist_number(column[i].field, lkst_hist_entry(hist, entry));

			column[i].total += value;
			column[i].max = value > column[i].max ? value : column[i].max;
		}
	}
}

/**
 * hist_print() - print a histogram
 * @hist: histogram
 * @names: names of values, from hist_load_names()
 * @event: name of its event type
 */
void hist_print(const struct lkst_hist *hist, const struct hist_names *names, const char *event)
{
	const struct lkst_hist_param *param = &hist->param;
	struct hist_column column[LKST_HIST_FIELDS];
	static char text[4 * LKST_RULE_TEXT_MAX + 1];

	hist_columns(hist, column);
	printf("# %s hist(%s) [%s]\n\n", event,
	       lkst_printable(hist->text, strlen(hist->text), text, sizeof(text)),
	       param->flags & LKST_HIST_PAUSED ? "paused" : "active");
	for (size_t i = 0; i < param->entries; i++) {
		const unsigned char *entry = lkst_hist_entry(hist, i);

		printf("{ ");
		for (uint32_t key = 0; key < param->keys; key++) {
			printf("%s", key ? ", " : "");
			hist_print_key(hist, &param->field[key], entry, names);
		}
		printf(" }");
		for (uint32_t sum = 0; sum < param->vals; sum++)
			hist_print_sum(&column[sum], entry);
		printf("\n");
	}
	printf("\nTotals:\n    Hits: %" PRIu64 "\n    Entries: %" PRIu32 "\n    Dropped: %" PRIu64
	       "\n",
	       (uint64_t)param->hits, param->entries, (uint64_t)param->drops);
}

/* ---- JSON ---- */

static struct json_object *hist_json_number(const struct lkst_hist_field *field, uint64_t value)
{
	return field->flags & LKST_HIST_SIGNED ? json_of_int((int64_t)value) : json_of_uint(value);
}

/* Make an object with a number and its name. */
static struct json_object *hist_json_named(const struct lkst_hist_field *field, uint64_t value,
					   const char *name)
{
	struct json_object *both = json_new();

	json_put(both, "value", hist_json_number(field, value));
	json_text(both, "name", name);
	return both;
}

/*
 * Convert a value to JSON. If a modifier gives a name to a key, the result is an object with the
 * number and the name.
 */
static struct json_object *hist_json_value(const struct lkst_hist *hist,
					   const struct lkst_hist_field *field,
					   const unsigned char *entry,
					   const struct hist_names *names)
{
	uint64_t value = field->flags & LKST_HIST_STRING ? 0 : hist_number(field, entry);
	char text[HIST_TEXT_MAX];

	if (field->flags & LKST_HIST_STRING)
		return json_of_text(hist_string(entry + field->offset, field->size, text));
	if (field->modifier == LKST_HIST_EXECNAME)
		return hist_json_named(field, value, hist_comm(hist, entry, text));
	if (field->modifier == LKST_HIST_SYSCALL)
		return hist_json_named(field, value, hist_syscall(value, names));
	if (!hist_is_address(field))
		return hist_json_number(field, value);
	hist_symbol(field, value, names, text);
	return hist_json_named(field, value, text);
}

static void hist_json_field(struct json_object *object, const struct lkst_hist *hist,
			    const struct lkst_hist_field *field, const unsigned char *entry,
			    const struct hist_names *names)
{
	char name[LKST_HIST_NAME_LEN + 1];

	snprintf(name, sizeof(name), "%.*s", LKST_HIST_NAME_LEN, field->name);
	json_put_copy(object, name, hist_json_value(hist, field, entry, names));
}

static struct json_object *hist_json_entry(const struct lkst_hist *hist, size_t index,
					   const struct hist_names *names)
{
	const struct lkst_hist_param *param = &hist->param;
	const unsigned char *entry = lkst_hist_entry(hist, index);
	struct json_object *value = json_new(), *keys = json_new(), *sums = json_new();

	for (uint32_t i = 0; i < param->keys; i++)
		hist_json_field(keys, hist, &param->field[i], entry, names);
	for (uint32_t i = 0; i < param->vals; i++)
		hist_json_field(sums, hist, &param->field[param->keys + i], entry, names);
	json_put(value, "keys", keys);
	json_put(value, "sums", sums);
	return value;
}

/**
 * hist_json() - convert a histogram to JSON
 * @hist: histogram
 * @names: names of values, from hist_load_names()
 *
 * Return: the value, to which the caller can add members.
 */
struct json_object *hist_json(const struct lkst_hist *hist, const struct hist_names *names)
{
	struct json_object *value = json_new(), *entries = json_list();

	json_text(value, "definition", hist->text);
	json_flag(value, "paused", hist->param.flags & LKST_HIST_PAUSED);
	json_uint(value, "hits", hist->param.hits);
	json_uint(value, "drops", hist->param.drops);
	for (size_t i = 0; i < hist->param.entries; i++)
		json_add(entries, hist_json_entry(hist, i, names));
	json_put(value, "entries", entries);
	return value;
}
