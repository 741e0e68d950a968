// SPDX-License-Identifier: GPL-2.0
/*
 * If all records of a chain are in a trace, the reader returns exactly the payload that was
 * recorded, regardless of other records between them and of missing records of other chains.
 */
#include "lib/base/etype_ids.h"
#include "mkchains.h"
#include "room.h"
#include "trace_case.h"

TESTS(.timeout = 300, .teardown = close_trace);

#define CPUS	3
#define RECORDS 4000 /* of each CPU */
#define SEEDS	4

/* The chains that were written for a CPU */
struct written {
	unsigned int bytes[RECORDS]; /* of each whole chain, by serial, plus 1; 0: not whole */
	size_t chains;
	size_t others;
	uint64_t lost;
};

static struct written written[CPUS];
static int32_t writing;
static uint32_t first_serial;

static void on_done(void *ctx, uint32_t serial, unsigned int bytes)
{
	(void)ctx;
	written[writing].bytes[serial - first_serial] = bytes + 1;
}

/* Return whether a number of the sequence that @state and @seed determine is 0 modulo @of. */
static bool one_in(uint64_t *state, unsigned int of)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return !((*state >> 33) % of);
}

/* Write the records of a CPU: chains with other events between them, in several buffers. */
static void write_cpu(int32_t cpu, uint64_t seed, bool damage)
{
	struct mkchains chains = {
		.random = seed * 977 + (uint64_t)cpu + 1, .damage = damage, .serial = first_serial,
		.done = on_done,
	};
	struct lkst_log_record *record = room(RECORDS * sizeof(*record));
	uint64_t state = seed, recid = 0;
	lkst_buffer_id buffer = 0;
	size_t num = 0;

	writing = cpu;
	for (int i = 0; i < RECORDS; i++) {
		uint64_t arg[4] = { 0 };
		uint32_t type = LKST_ETYPE_SYSCALL_ENTRY;

		if (num && (one_in(&state, 500) || (damage && one_in(&state, 2000)))) {
			put_records(cpu, buffer++ % 4, record, num);
			num = 0;
		}
		if (!one_in(&state, 3))
			type = mkchains_next(&chains, arg);
		written[cpu].chains += type != LKST_ETYPE_SYSCALL_ENTRY &&
				       type != LKST_ETYPE_LKST_MORE;
		written[cpu].others += type == LKST_ETYPE_SYSCALL_ENTRY;
		record[num++] = sample_record(cpu, recid, (int64_t)recid * 10 + cpu, type, 1, arg);
		recid++;
	}
	put_records(cpu, buffer % 4, record, num);
	room_free(record, RECORDS * sizeof(*record));
}

static void check_chain(const struct lkst_event *event)
{
	const struct lkst_payload *payload = event->payload;
	uint32_t serial = LKST_CHAIN_SERIAL(event->arg[0]);
	unsigned int bytes = written[event->cpu].bytes[serial - first_serial];

	ck_assert_ptr_nonnull(payload);
	for (unsigned int i = 0; i < payload->size; i++)
		ck_assert_uint_eq(payload->data[i], mkchains_byte(serial, i));
	if (!bytes)
		return;
	ck_assert_uint_eq(payload->size, bytes - 1);
	ck_assert_uint_eq(payload->parts_found, payload->parts);
	ck_assert(!payload->cut);
}

static void read_chains(enum lkst_order order)
{
	size_t chains[CPUS] = { 0 }, others[CPUS] = { 0 };
	struct lkst_event event;
	int64_t last_ns = 0;
	int ret;

	ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
	while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
		ck_assert_uint_ne(event.type, LKST_ETYPE_LKST_MORE);
		if (order == LKST_OLDEST_FIRST)
			ck_assert_int_ge(event.time_ns, last_ns);
		last_ns = event.time_ns;
		if (event.type == LKST_ETYPE_SYSCALL_ENTRY) {
			others[event.cpu]++;
			continue;
		}
		chains[event.cpu]++;
		check_chain(&event);
	}
	ck_assert_int_eq(ret, 0);
	for (int cpu = 0; cpu < CPUS; cpu++) {
		ck_assert_uint_eq(chains[cpu], written[cpu].chains);
		ck_assert_uint_eq(others[cpu], written[cpu].others);
	}
}

static const bool damages[] = { false, true };

TEST_EACH(test_random, damages)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t skipped;

		memset(written, 0, sizeof(written));
		first_serial = seed % 3 ? 1000 * (uint32_t)seed : UINT32_MAX - 100;
		begin_trace(NULL);
		for (int32_t cpu = 0; cpu < CPUS; cpu++)
			write_cpu(cpu, seed, damages[_i]);
		open_trace(end_trace());
		read_chains(LKST_OLDEST_FIRST);
		skipped = lkst_trace_parts_skipped(trace);
		ck_assert(damages[_i] ? skipped > 0 : !skipped);
		read_chains(LKST_NEWEST_FIRST);
		ck_assert_uint_eq(lkst_trace_parts_skipped(trace), skipped);
	}
}
