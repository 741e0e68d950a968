// SPDX-License-Identifier: GPL-2.0
/* How lkst status and lkstbuf list show the compressed history. */
#include <json-c/json.h>

#include "cli/show_status.c"

#include "tap.h"

static const struct {
	const char *name;
	struct buffer_totals totals;
	const char *text, *since; /* in the text; in JSON */
} shown[] = {
	{ "test_none", { 0 }, "none\n", NULL },
	{ "test_no_memory", { .history = { .flags = LKST_HISTORY_ON } }, "no memory\n", NULL },
	{ "test_no_chunk",
	  { .histories = 2, .history = { .flags = LKST_HISTORY_ON, .size = 4096, .lost = 3 } },
	  "2 of 4096 bytes, 3 events lost, 0.000 s of CPU time\n", "null" },
	{ "test_epoch",
	  { .histories = 1,
	    .history = { .flags = LKST_HISTORY_ON | LKST_HISTORY_WAITING, .size = 4096, .used = 80,
			 .chunks = 1, .events = 20, .since = 1999999999, .cpu_ns = 2500000000 } },
	  "1 of 4096 bytes, 20 events of 4.00 bytes since 1970-01-01 00:00:01, 0 events lost, "
	  "2.500 s of CPU time, waiting for free memory\n", "1" },
};

TEST_ROWS(test_shown, shown)
{
	struct json_object *json = show_status_json_history(&shown[_i].totals), *since;
	FILE *saved = stdout;
	size_t len;
	char *text;

	setenv("TZ", "UTC", 1);
	stdout = open_memstream(&text, &len);
	ck_assert_ptr_nonnull(stdout);
	show_status_history(&shown[_i].totals);
	fclose(stdout);
	stdout = saved;
	ck_assert_str_eq(text + strlen("history         "), shown[_i].text);
	free(text);
	ck_assert(!json == !shown[_i].since);
	if (json) {
		ck_assert(json_object_object_get_ex(json, "since", &since));
		ck_assert_str_eq(since ? json_object_to_json_string(since) : "null",
				 shown[_i].since);
	}
	json_free(json);
}
