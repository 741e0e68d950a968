// SPDX-License-Identifier: GPL-2.0
/* The thresholds of the rules: sets and lists them, and formats values with their units. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "lib/text/timestamp.h"
#include "lkstla/messages.h"
#include "report.h"

static const char *const report_units[] = {
	[UNIT_TIME] = "a time: 250us, 20ms, 1.5s",
	[UNIT_SHARE] = "percent: 30 or 30%",
	[UNIT_COUNT] = "a number, at least 1",
	[UNIT_RATE] = "a number per second, at least 1",
	[UNIT_BYTES] = "bytes, or with K, M or G: 16M",
};

/**
 * report_real() - convert a value to the unit that report_unit_name() names
 * @unit: unit
 * @value: value
 */
double report_real(enum report_unit unit, int64_t value)
{
	return unit == UNIT_SHARE ? (double)value / 1e6 : (double)value;
}

/**
 * report_unit_name() - get the name of a unit in JSON and CSV
 * @unit: unit
 */
const char *report_unit_name(enum report_unit unit)
{
	static const char *const names[] = {
		[UNIT_TIME] = "ns",	    [UNIT_SHARE] = "share", [UNIT_COUNT] = "count",
		[UNIT_RATE] = "per second", [UNIT_BYTES] = "bytes",
	};

	return names[unit];
}

/**
 * report_value() - format a value with its unit
 * @unit: unit
 * @value: value, not negative
 * @text: result
 *
 * Return: @text, with a unit for which the number is short, as in "1.0 us", "10.5 ms" or "100 ms".
 */
const char *report_value(enum report_unit unit, int64_t value, char text[32])
{
	static const char *const bytes[] = { "bytes", "KB", "MB", "GB", "TB" };
	double real = (double)value;
	int scale = 0;

	switch (unit) {
	case UNIT_TIME:
		if (value < 1000)
			snprintf(text, 32, "%lld ns", (long long)value);
		else if (value < 1000000)
			snprintf(text, 32, "%.1f us", real / 1e3);
		else if (value < 10000000000)
			snprintf(text, 32, "%.*f ms", value < 100000000, real / 1e6);
		else
			snprintf(text, 32, "%.1f s", real / 1e9);
		break;
	case UNIT_SHARE:
		snprintf(text, 32, "%.1f %%", real / 1e4);
		break;
	case UNIT_COUNT:
		snprintf(text, 32, "%lld", (long long)value);
		break;
	case UNIT_RATE:
		snprintf(text, 32, "%lld/s", (long long)value);
		break;
	case UNIT_BYTES:
		for (; real >= 1024 && scale < 4; scale++)
			real /= 1024;
		snprintf(text, 32, "%.*f %s", scale && real < 100, real, bytes[scale]);
		break;
	}
	return text;
}

/* Convert a threshold. Returns false if it is not valid for the unit. */
static bool report_parse(enum report_unit unit, const char *name, const char *text, int64_t *value)
{
	const struct option_row number = { .kind = OPTION_NUMBER, .min = 1, .max = INT64_MAX };
	const struct option_row bytes = { .kind = OPTION_SIZE, .min = 1, .max = INT64_MAX };
	struct lkst_error err;
	double percent;
	uint64_t size;
	char *end;

	switch (unit) {
	case UNIT_TIME:
		return !lkst_span_parse(name, text, value, &err) && *value > 0;
	case UNIT_SHARE:
		percent = strtod(text, &end);
		*value = percent > 0 && percent <= 100 ? (int64_t)(percent * 1e4) : 0;
		return *value && end != text && (!*end || !strcmp(end, "%"));
	case UNIT_BYTES:
		if (option_take(&bytes, name, text, &size, &err))
			return false;
		*value = (int64_t)size;
		return true;
	default:
		return !option_take(&number, name, text, value, &err);
	}
}

static const char *report_name_at(void *ctx, size_t i)
{
	(void)ctx;
	return i < REPORT_RULES ? report_rules[i].name : NULL;
}

static int report_set_threshold(struct report *report, const char *word, struct lkst_error *err)
{
	size_t len = strcspn(word, "=");
	char name[64], text[256];
	const char *found[LKST_SUGGESTIONS_MAX];

	snprintf(name, sizeof(name), "%.*s", (int)(len < 63 ? len : 63), word);
	for (int i = 0; i < REPORT_RULES; i++) {
		const struct report_rule *rule = &report_rules[i];

		if (strcmp(name, rule->name))
			continue;
		if (word[len] &&
		    report_parse(rule->unit, name, word + len + 1, &report->finding[i].threshold))
			return 0;
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_REPORT_VALUE, word, name,
			       report_units[rule->unit]);
		return -1;
	}
	len = lkst_suggest(name, report_name_at, NULL, REPORT_RULES, found);
	lkst_suggestions_text(found, len, text, sizeof(text));
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_REPORT_NAME, name, text);
	return -1;
}

/**
 * report_set_thresholds() - set all thresholds
 * @report: report
 * @words: arguments of --threshold
 * @err: set if one is invalid
 */
int report_set_thresholds(struct report *report, const struct option_words *words,
			  struct lkst_error *err)
{
	for (int i = 0; i < REPORT_RULES; i++)
		report->finding[i].threshold = report_rules[i].threshold;
	for (size_t i = 0; i < words->num; i++)
		if (report_set_threshold(report, words->word[i], err))
			return -1;
	return 0;
}

/* Print the thresholds. */
void report_list_thresholds(void)
{
	char text[32];

	for (int i = 0; i < REPORT_RULES; i++)
		printf("%-13s  %9s  %s\n", report_rules[i].name,
		       report_value(report_rules[i].unit, report_rules[i].threshold, text),
		       report_rules[i].what);
}

static const struct column threshold_columns[] = {
	{ "finding", "finding", COLUMN_TEXT },
	{ "threshold", "threshold", COLUMN_REAL },
	{ "unit", "unit", COLUMN_TEXT },
	{ "what", "what", COLUMN_TEXT },
};

/**
 * report_thresholds_table() - make a table of the thresholds
 * @err: set if an allocation fails
 *
 * Return: the table; NULL on error.
 */
struct table *report_thresholds_table(struct lkst_error *err)
{
	struct table *table = table_new("thresholds", "Thresholds", threshold_columns,
					sizeof(threshold_columns) / sizeof(*threshold_columns),
					err);

	for (int i = 0; table && i < REPORT_RULES; i++) {
		const struct report_rule *rule = &report_rules[i];
		const struct cell cells[] = {
			CELL_TEXT(rule->name),
			CELL_REAL(report_real(rule->unit, rule->threshold)),
			CELL_TEXT(report_unit_name(rule->unit)),
			CELL_TEXT(rule->what),
		};

		if (table_add(table, cells, err)) {
			table_free(table);
			return NULL;
		}
	}
	return table;
}
