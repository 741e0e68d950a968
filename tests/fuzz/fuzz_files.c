// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes tables of command lines and descriptors, and the events that change such a table.
 * lkst_files_add() must accept the text that lkst_files_text() writes for a table, and the table
 * made from this text must have the same names.
 *
 * The input begins with a byte: the number of events. The events follow, each as a struct change.
 * The rest is the text of a table.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/base/etype_ids.h"
#include "lib/text/files.h"

#define EVENTS_MAX 16

struct change {
	uint8_t what;
	uint8_t call;
	uint8_t first;
	uint8_t second;
	uint32_t ms;
};

static struct lkst_event event_of(const struct change *change)
{
	static const uint16_t types[] = {
		LKST_ETYPE_SYSCALL_ENTRY, LKST_ETYPE_SYSCALL_EXIT, LKST_ETYPE_PROCESS_FORK,
		LKST_ETYPE_PROCESS_EXEC,  LKST_ETYPE_PROCESS_EXIT, LKST_ETYPE_LKST_MASKSET_SET,
	};

	return (struct lkst_event){
		.type = types[change->what % (sizeof(types) / sizeof(*types))],
		.machine = LKST_MACHINE_X86_64,
		.tid = 100,
		.tgid = 100,
		.arg = { (uint64_t)change->call << 32, change->first, change->second },
		.monotonic_ns = (int64_t)change->ms * 1000000,
		.time_ns = (int64_t)change->ms * 1000000,
	};
}

static bool is_wanted(void *ctx, uint32_t tgid)
{
	(void)ctx;
	return tgid;
}

static void check_same(const struct lkst_files *files, const struct lkst_files *again)
{
	for (uint32_t i = 0; i < 64 * 8; i++) {
		const struct lkst_event at = { .monotonic_ns = (int64_t)(i / 8) * 100000000 };
		const char *name = lkst_files_name(files, &at, 100, i % 8);
		const char *same = lkst_files_name(again, &at, 100, i % 8);

		/*
		 * The times in this loop end after 6.3 s. Later times are not compared, because
		 * those beyond 73 years (TIME_MAX) are not written exactly.
		 */
		MUST(!name == !same && (!name || !strcmp(name, same)));
		lkst_files_command(files, &at, 100);
	}
}

static void check_text(const struct lkst_files *files)
{
	struct lkst_files *again = lkst_files_new();
	struct lkst_error err = { 0 };
	size_t len;
	char *text = lkst_files_text(files, is_wanted, NULL, &len, &err);

	MUST(again && text && !lkst_files_add(again, text, len, &err));
	lkst_files_start(again, NULL);
	lkst_files_finalize(again);
	check_same(files, again);
	free(text);
	lkst_files_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lkst_files *files = lkst_files_new();
	size_t num = size ? data[0] % EVENTS_MAX : 0, at = 1 + num * sizeof(struct change);
	const int64_t offset = 0;
	struct lkst_error err = { 0 };

	MUST(files);
	if (at > size || lkst_files_add(files, (const char *)data + at, size - at, &err)) {
		if (at <= size)
			MUST_EXPLAIN(err);
		lkst_files_free(files);
		return 0;
	}
	lkst_files_start(files, &offset);
	for (size_t i = 0; i < num; i++) {
		struct change change;
		struct lkst_event event;

		memcpy(&change, data + 1 + i * sizeof(change), sizeof(change));
		event = event_of(&change);
		if (lkst_files_concerns(files, event.machine, event.type, event.arg[0]))
			MUST(!lkst_files_observe(files, &event));
	}
	MUST(!lkst_files_lane(files, 0, 100, 5000000000));
	lkst_files_finalize(files);
	check_text(files);
	lkst_files_free(files);
	return 0;
}
