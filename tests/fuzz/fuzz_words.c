// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parsers of words in options: events, event handlers, processes, numbers, sizes and
 * times.
 */
#include <string.h>

#include "fuzz.h"
#include "lib/text/etypes.h"
#include "lib/text/filter.h"
#include "lib/text/parse.h"
#include "lib/text/timestamp.h"
#include "lib/text/words.h"
#include "lib/trace/select.h"

static struct lkst_evhandler_listent handler_ent[] = { { 0, "none" }, { 1, "entry_log" } };
static const struct lkst_evhandler_list handlers = { .num = 2, .ent = handler_ent };

static void check_events(const struct lkst_etypes *types, const char *word)
{
	struct lkst_etype_set set;
	struct lkst_error err = { 0 };
	int number = lkst_etypes_find(types, word, &err);

	MUST(number < LKST_ETYPE_NUM);
	if (number < 0)
		MUST_EXPLAIN(err);
	/* If a word names a single event, it must select at least this event. */
	if (lkst_etypes_select(types, word, &set, &err))
		MUST_EXPLAIN(err);
	else
		MUST(number < 0 || lkst_etype_set_has(&set, (unsigned int)number));
}

/* Parse an event filter, and apply it to all event types and to an invalid number. */
static void check_filter(const struct lkst_etypes *types, const char *words)
{
	static struct lkst_filter filter;
	struct lkst_error err = { 0 };

	lkst_filter_init(&filter);
	if (lkst_filter_add(&filter, types, words, &err))
		MUST_EXPLAIN(err);
	for (uint32_t i = 0; i <= LKST_ETYPE_NUM; i++)
		lkst_filter_shows(&filter, i);
}

static void check_numbers(const char *word)
{
	struct lkst_error err = { 0 };
	uint64_t value;
	long number;

	if (lkst_parse_u64("n", word, &value, &err))
		MUST_EXPLAIN(err);
	if (!lkst_parse_range("n", word, 5, 1000, &number, &err))
		MUST(number >= 5 && number <= 1000);
	if (!lkst_parse_size("n", word, 4096, 1 << 30, &value, &err))
		MUST(value >= 4096 && value <= 1 << 30);
	else
		MUST_EXPLAIN(err);
}

static void check_moment(const char *word)
{
	struct lkst_error err = { 0 };
	struct lkst_timestamp timestamp;

	for (int utc = 0; utc < 2; utc++) {
		if (lkst_timestamp_parse("t", word, utc, &timestamp, &err)) {
			MUST_EXPLAIN(err);
			continue;
		}
		lkst_timestamp_resolve(&timestamp, 0, INT64_MAX);
		lkst_timestamp_resolve(&timestamp, INT64_MIN, 0);
		lkst_timestamp_resolve(&timestamp, INT64_MAX, INT64_MIN);
	}
}

static void check_processes(const char *words)
{
	struct lkst_error err = { 0 };
	struct lkst_processes *processes = lkst_processes_new(&err);

	MUST(processes);
	if (lkst_processes_add(processes, words, &err))
		MUST_EXPLAIN(err);
	lkst_processes_free(processes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct lkst_etypes *types;
	struct lkst_error err = { 0 };
	char *text = strndup((const char *)data, size), *list = text, *word;

	if (!types)
		types = lkst_etypes_embedded(&err);
	MUST(types && text);
	check_filter(types, text);
	check_processes(text);
	while ((word = lkst_next_word(&list)) != NULL) {
		check_events(types, word);
		check_numbers(word);
		check_moment(word);
		if (lkst_evhandler_find(&handlers, word, &err) < 0)
			MUST_EXPLAIN(err);
	}
	free(text);
	return 0;
}
