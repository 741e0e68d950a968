// SPDX-License-Identifier: GPL-2.0
/* lkst watch --list: what the watches have measured. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/etypes.h"
#include "lib/text/timestamp.h"
#include "messages.h"
#include "watch.h"

#define WATCH_BAR 40

/* Return the shortest length of a span that bucket @i counts; see LKST_WATCH_BUCKETS. */
static uint64_t watch_lower(unsigned int i)
{
	if (i < LKST_WATCH_FINE)
		return i;
	return (uint64_t)(LKST_WATCH_FINE + i % LKST_WATCH_FINE) << (i / LKST_WATCH_FINE - 1);
}

/* Return the length that @percent of the spans do not exceed, rounded up to the end of a bucket. */
static uint64_t watch_percentile(const struct lkst_watch_result *result, double percent)
{
	double want = (double)result->count * percent / 100;
	uint64_t seen = 0, end;

	for (unsigned int i = 0; i < LKST_WATCH_BUCKETS; i++) {
		seen += result->bucket[i];
		if (!seen || (double)seen < want)
			continue;
		end = i + 1 < LKST_WATCH_BUCKETS ? watch_lower(i + 1) - 1 : UINT64_MAX;
		return end < result->max ? end : result->max;
	}
	return result->max;
}

/* Write a length with a unit. */
static const char *watch_span(uint64_t ns, char text[32])
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = (double)ns;
	unsigned int unit = 0;

	while (unit < 3 && value >= 1000) {
		value /= 1000;
		unit++;
	}
	snprintf(text, 32, unit ? "%.3g %s" : "%.0f %s", value, units[unit]);
	if (value >= 100 && unit)
		snprintf(text, 32, "%.0f %s", value, units[unit]);
	return text;
}

static const char *watch_event_name(const struct lkst_etypes *types, unsigned int etype)
{
	const struct lkst_etype *type = lkst_etype(types, etype);

	return type ? type->name : "?";
}

/*
 * Copy the name of the field at *@text, which points into the text of a key, and advance *@text to
 * the next field. Returns false at the end of the key.
 */
static bool watch_next_field(const char **text, char *name, size_t size)
{
	size_t len = strcspn(*text, ", "), name_len = strcspn(*text, "=, ");

	if (!len)
		return false;
	snprintf(name, size, "%.*s", (int)name_len, *text);
	*text += len + ((*text)[len] == ',');
	return true;
}

static void watch_put_key(const struct lkst_watch *watch, const struct lkst_watch_span *span)
{
	const char *text = watch->text;
	char name[256];

	for (unsigned int i = 0; i < LKST_WATCH_KEYS && watch_next_field(&text, name, sizeof(name));
	     i++)
		printf("%s%s=%" PRIu64, i ? " " : "", name, (uint64_t)span->key[i]);
}

static struct json_object *watch_json_key(const struct lkst_watch *watch,
					  const struct lkst_watch_span *span)
{
	struct json_object *key = json_list(), *field;
	const char *text = watch->text;
	char name[256];

	for (unsigned int i = 0; i < LKST_WATCH_KEYS && watch_next_field(&text, name, sizeof(name));
	     i++) {
		field = json_new();
		json_text(field, "field", name);
		json_uint(field, "value", span->key[i]);
		json_add(key, field);
	}
	return key;
}

static void watch_put_worst(const struct lkst_watch *watch)
{
	const struct lkst_watch_result *result = &watch->result;
	char span[32], time[LKST_TIMESTAMP_SIZE];

	if (result->worst_num)
		printf("  longest      ended at        cpu  thread  key\n");
	for (unsigned int i = 0; i < result->worst_num; i++) {
		const struct lkst_watch_span *worst = &result->worst[i];

		printf("  %-11s  %s %3u  %6u  ", watch_span(worst->ns, span),
		       lkst_timestamp_text((int64_t)worst->time, time), worst->cpu, worst->tid);
		watch_put_key(watch, worst);
		putchar('\n');
	}
}

/* Print a histogram: a bar for each power of two from the shortest to the longest span. */
static void watch_put_bars(const struct lkst_watch_result *result)
{
	uint64_t bar[LKST_WATCH_BUCKETS / LKST_WATCH_FINE] = { 0 }, most = 1;
	unsigned int first = 0, last = 0, bars = sizeof(bar) / sizeof(*bar);
	char from[32], to[32];

	for (unsigned int i = 0; i < LKST_WATCH_BUCKETS; i++)
		bar[i / LKST_WATCH_FINE] += result->bucket[i];
	for (unsigned int i = 0; i < bars; i++)
		most = bar[i] > most ? bar[i] : most;
	while (first < bars - 1 && !bar[first])
		first++;
	for (unsigned int i = first; i < bars; i++)
		last = bar[i] ? i : last;
	printf("  from     to            spans\n");
	for (unsigned int i = first; i <= last; i++) {
		unsigned int width = (unsigned int)(bar[i] * WATCH_BAR / most);

		printf("  %-7s  %-7s  %10" PRIu64 "%s%.*s\n",
		       watch_span(watch_lower(i * LKST_WATCH_FINE), from),
		       watch_span(watch_lower((i + 1) * LKST_WATCH_FINE), to), bar[i],
		       width ? "  " : "", (int)width,
		       "########################################");
	}
}

static void watch_put(const struct lkst_watch *watch, const struct lkst_etypes *types)
{
	const struct lkst_watch_result *result = &watch->result;
	char text[5][32], shown[4 * LKST_WATCH_TEXT_MAX + 1];

	printf("%s: %s to %s by %s", watch->name, watch_event_name(types, watch->begin),
	       watch_event_name(types, watch->end),
	       lkst_printable(watch->text, strlen(watch->text), shown, sizeof(shown)));
	if (watch->over_ns != UINT64_MAX)
		printf(", over %s", watch_span(watch->over_ns, text[0]));
	printf("\n  %" PRIu64 " spans, %" PRIu64 " late, %u open, %" PRIu64 " ends unmatched, %" PRIu64
	       " begins abandoned, %" PRIu64 " missed\n",
	       (uint64_t)result->count, (uint64_t)result->late, result->open,
	       (uint64_t)result->unmatched, (uint64_t)result->abandoned,
	       (uint64_t)result->missed);
	if (!result->count)
		return;
	printf("  shortest %s, mean %s, p50 %s, p99 %s, longest %s\n",
	       watch_span(result->min, text[0]), watch_span(result->sum / result->count, text[1]),
	       watch_span(watch_percentile(result, 50), text[2]),
	       watch_span(watch_percentile(result, 99), text[3]),
	       watch_span(result->max, text[4]));
	watch_put_bars(result);
	watch_put_worst(watch);
}

static struct json_object *watch_json_worst(const struct lkst_watch *watch)
{
	const struct lkst_watch_result *result = &watch->result;
	struct json_object *list = json_list();

	for (unsigned int i = 0; i < result->worst_num; i++) {
		struct json_object *span = json_new();

		json_uint(span, "ns", result->worst[i].ns);
		json_uint(span, "time", result->worst[i].time);
		json_put(span, "key", watch_json_key(watch, &result->worst[i]));
		json_uint(span, "cpu", result->worst[i].cpu);
		json_uint(span, "tid", result->worst[i].tid);
		json_add(list, span);
	}
	return list;
}

static struct json_object *watch_json_buckets(const struct lkst_watch_result *result)
{
	struct json_object *list = json_list(), *bucket;

	for (unsigned int i = 0; i < LKST_WATCH_BUCKETS; i++) {
		if (!result->bucket[i])
			continue;
		bucket = json_new();
		json_uint(bucket, "from_ns", watch_lower(i));
		json_uint(bucket, "count", result->bucket[i]);
		json_add(list, bucket);
	}
	return list;
}

static struct json_object *watch_json(const struct lkst_watch *watch,
				      const struct lkst_etypes *types)
{
	const struct lkst_watch_result *result = &watch->result;
	struct json_object *to = json_new();

	json_text(to, "name", watch->name);
	json_text(to, "begin", watch_event_name(types, watch->begin));
	json_text(to, "end", watch_event_name(types, watch->end));
	json_text(to, "text", watch->text);
	if (watch->over_ns == UINT64_MAX)
		json_put(to, "over_ns", NULL);
	else
		json_uint(to, "over_ns", watch->over_ns);
	json_uint(to, "spans", watch->spans);
	json_uint(to, "count", result->count);
	json_uint(to, "sum", result->sum);
	json_uint(to, "min", result->min);
	json_uint(to, "max", result->max);
	json_uint(to, "late", result->late);
	json_uint(to, "unmatched", result->unmatched);
	json_uint(to, "abandoned", result->abandoned);
	json_uint(to, "missed", result->missed);
	json_uint(to, "open", result->open);
	json_put(to, "worst", watch_json_worst(watch));
	json_put(to, "buckets", watch_json_buckets(result));
	return to;
}

/*
 * Print the watch named @name or, if @name is NULL, all watches. If @list is set, add them to this
 * JSON list instead of printing them.
 */
static int watch_each(struct lkst_device *dev, const struct lkst_etypes *types, const char *name,
		      struct json_object *list, struct lkst_error *err)
{
	struct lkst_watch *watch = calloc(1, sizeof(*watch));
	int ret = 0, num = 0;

	if (!watch) {
		lkst_error_memory(err, "a watch");
		return -1;
	}
	if (name)
		snprintf(watch->name, sizeof(watch->name), "%s", name);
	while (!ret && !(name && num)) {
		ret = lkst_watch_read(dev, watch, name != NULL, err);
		if (ret)
			break;
		if (list)
			json_add(list, watch_json(watch, types));
		else
			watch_put(watch, types);
		num++;
	}
	free(watch);
	if (ret > 0 && name)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_WATCH_UNKNOWN, name);
	return ret < 0 || (ret > 0 && name) ? -1 : 0;
}

int watch_list(struct lkst_device *dev, const struct lkst_etypes *types, const char *name,
	       struct lkst_error *err)
{
	return watch_each(dev, types, name, NULL, err);
}

int watch_list_json(struct lkst_device *dev, const struct lkst_etypes *types, const char *name,
		    struct lkst_error *err)
{
	struct json_object *list = json_list();

	if (!watch_each(dev, types, name, list, err))
		return json_print(list, err);
	json_free(list);
	return -1;
}
