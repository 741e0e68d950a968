// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes lkstla sql with damaged traces, after their checksums have been corrected. The size of the
 * input chooses one of the queries, which together read all columns of all tables, with conditions
 * and joins.
 */
#include "fuzz.h"
#include "command_main.h"

static const char *const queries[] = {
	"SELECT * FROM event",
	"SELECT count(*), sum(args ->> 'prio'), max(at(time_ns)) FROM event "
	"WHERE time_ns >= ns('+10us') AND time_ns < ns('-10us') AND cpu = 1",
	"SELECT * FROM event WHERE type IN ('process_waking', 'system_call_exit') AND tid = 100",
	"SELECT * FROM mark",
	"SELECT * FROM sched ORDER BY thread",
	"SELECT * FROM state WHERE end_ns <= ns('+20us')",
	"SELECT * FROM cpu WHERE cpu = 0",
	"SELECT * FROM wake WHERE pid = 100",
	"SELECT * FROM syscall",
	"SELECT * FROM irq",
	"SELECT * FROM block",
	"SELECT * FROM lock",
	"SELECT thread.*, loss.*, info.* FROM thread LEFT JOIN loss LEFT JOIN info",
	"WITH run AS MATERIALIZED (SELECT * FROM sched) SELECT * FROM wake JOIN run "
	"ON run.tid = wake.tid AND run.begin_ns = wake.ran_ns",
};

#define QUERIES (sizeof(queries) / sizeof(*queries))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "--csv", "--json", "--any" };
	const char *const words[] = {
		"sql", "-f", "-", queries[size % QUERIES], "--any", forms[size / QUERIES % 3], NULL
	};
	int fd = signed_file(data, size);

	MUST(dup2(fd, STDIN_FILENO) >= 0);
	close(fd);
	/* The queries are valid, so only errors about the trace may occur. */
	run_lkstla(words, "the query");
	return 0;
}
