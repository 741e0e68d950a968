// SPDX-License-Identifier: GPL-2.0
/*
 * Reading a trace: chains, events that take several records, namely a head and its parts
 * (lib/trace/chains.c).
 */
#include "lib/trace/chains.h"
#include "lib/trace/lanes.h"
#include "lib/trace/reader.h"
#include "room.h"
#include "trace_case.h"

TESTS(.timeout = 120, .teardown = close_trace);

/* Byte @i of the payload of the chain with this serial */
static uint8_t payload_byte(uint32_t serial, unsigned int i)
{
	return (uint8_t)('a' + (serial + i) % 26);
}

static void fill(uint64_t arg[4], uint32_t serial, unsigned int from, unsigned int num)
{
	uint8_t bytes[LKST_CHAIN_BYTES] = { 0 };

	for (unsigned int i = 0; i < num && i < LKST_CHAIN_BYTES; i++)
		bytes[i] = payload_byte(serial, from + i);
	memcpy(arg + 1, bytes, sizeof(bytes));
}

/* ---- scripts ---- */

/*
 * A script is a list of records, one nanosecond apart:
 *	.		an event that is not a chain
 *	hS/P/B[c]	head with serial S, P parts and B bytes; c: LKST_CHAIN_CUT
 *	pS/P/B[x]	part P of S with B bytes; x: with a wrong content
 *	@C		the next records are those of CPU C
 *	|		the CPU continues in its next buffer
 *	-N		the CPU loses N records
 */
struct script_cpu {
	uint64_t recid;
	lkst_buffer_id buffer;
	size_t num;
	struct lkst_log_record record[64];
};

static struct script_cpu script_cpus[2];

static void script_flush(int32_t cpu)
{
	struct script_cpu *c = &script_cpus[cpu];

	if (c->num)
		put_records(cpu, c->buffer, c->record, c->num);
	c->num = 0;
}

static void script_record(int32_t cpu, int64_t time_ns, const char *token)
{
	struct script_cpu *c = &script_cpus[cpu];
	uint64_t arg[4] = { 0 };
	unsigned int serial, part, bytes;
	uint32_t type = LKST_ETYPE_SYSCALL_PATH;

	if (*token == '.') {
		type = LKST_ETYPE_SYSCALL_ENTRY;
	} else {
		ck_assert_int_eq(sscanf(token + 1, "%u/%u/%u", &serial, &part, &bytes), 3);
		if (*token == 'h') {
			arg[0] = LKST_CHAIN_HEAD(serial, part,
						 strchr(token, 'c') ? LKST_CHAIN_CUT : 0, bytes);
			fill(arg, serial, 0, bytes);
		} else {
			arg[0] = LKST_CHAIN_PART(serial, part, bytes);
			fill(arg, serial + (strchr(token, 'x') ? 1 : 0), LKST_CHAIN_BYTES * part,
			     bytes);
			type = LKST_ETYPE_LKST_MORE;
		}
	}
	c->record[c->num++] = sample_record(cpu, c->recid++, time_ns, type, 1, arg);
}

/* Write the trace of a script. Return its descriptor. */
static int script_write(const char *script)
{
	char copy[512], *next = copy, *token;
	int32_t cpu = 0;
	int64_t time_ns = 1;

	memset(script_cpus, 0, sizeof(script_cpus));
	strcpy(copy, script);
	begin_trace(NULL);
	while ((token = strsep(&next, " ")) != NULL) {
		switch (*token) {
		case '@':
			cpu = atoi(token + 1);
			break;
		case '|':
			script_flush(cpu);
			script_cpus[cpu].buffer++;
			break;
		case '-':
			script_flush(cpu);
			script_cpus[cpu].recid += (uint64_t)atoi(token + 1);
			break;
		case 0:
			break;
		default:
			script_record(cpu, time_ns++, token);
		}
	}
	script_flush(0);
	script_flush(1);
	return end_trace();
}

/* ---- reading ---- */

/* Check that the bytes of a payload are those of the chain. */
static void check_payload(const struct lkst_event *event)
{
	const struct lkst_payload *payload = event->payload;
	uint32_t serial = LKST_CHAIN_SERIAL(event->arg[0]);

	ck_assert_ptr_nonnull(payload);
	ck_assert_uint_le(payload->size, payload->bytes);
	for (unsigned int i = 0; i < payload->size; i++)
		ck_assert_uint_eq(payload->data[i], payload_byte(serial, i));
}

/* Describe an event: "." or "SERIAL:SIZE", with "!" if the payload is cut, and " " */
static void describe(const struct lkst_event *event, char *text)
{
	if (event->type != LKST_ETYPE_SYSCALL_PATH) {
		ck_assert_ptr_null(event->payload);
		strcpy(text, ". ");
		return;
	}
	check_payload(event);
	sprintf(text, "%u:%u%s ", LKST_CHAIN_SERIAL(event->arg[0]), event->payload->size,
		event->payload->cut ? "!" : "");
}

/* Describe all events, oldest first, in whatever order they are read. */
static void read_text(enum lkst_order order, char *text, size_t size)
{
	struct lkst_event event;
	char part[64];
	int ret;

	*text = 0;
	ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
	while ((ret = lkst_trace_next(trace, &event, &err)) > 0) {
		size_t len;

		describe(&event, part);
		len = strlen(part);
		ck_assert_uint_lt(strlen(text) + len, size);
		if (order == LKST_OLDEST_FIRST) {
			strcat(text, part);
		} else {
			memmove(text + len, text, strlen(text) + 1);
			memcpy(text, part, len);
		}
	}
	ck_assert_int_eq(ret, 0);
}

/*
 * The reader does not return parts, but counts them. So the gaps in the recids of a CPU must still
 * be exactly the records that are lost.
 */
static void check_recids(uint64_t lost)
{
	uint64_t next[2] = { 0 }, missing = 0;
	struct lkst_event event;

	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err), 0);
	while (lkst_trace_next(trace, &event, &err) > 0) {
		missing += event.recid - next[event.cpu] - event.parts_before;
		next[event.cpu] = event.recid + 1;
	}
	ck_assert_uint_eq(missing, lost);
}

static const struct chain_script {
	const char *name, *script, *expected;
	uint64_t skipped, lost;
} scripts[] = {
	{ "test_whole", "h1/2/70 p1/1/24 p1/2/22 .", "1:70 . ", 0, 0 },
	{ "test_no_parts", "h1/0/24 . h2/0/5 h3/0/0 .", "1:24 . 2:5 3:0 . ", 0, 0 },
	{ "test_nested", "h1/1/48 h2/1/30 p2/1/6 p1/1/24 .", "1:48 2:30 . ", 0, 0 },
	{ "test_nested_twice", "h1/2/72 p1/1/24 h2/1/48 h3/1/48 p3/1/24 p2/1/24 p1/2/24",
	  "1:72 2:48 3:48 ", 0, 0 },
	{ "test_interleaved", "h1/2/72 . p1/1/24 . . p1/2/24 .", "1:72 . . . . ", 0, 0 },
	{ "test_parts_take_turns", "h1/2/72 h2/2/72 p1/1/24 p2/1/24 p1/2/24 p2/2/24 .",
	  "1:72 2:72 . ", 0, 0 },
	/* The serials of two parts are swapped, so neither part fits the head with its serial. */
	{ "test_swapped_serials", "h1/1/48 h2/1/30 p2/1/24 p1/1/6 .", "1:24! 2:24! . ", 2, 0 },
	{ "test_first_part_missing", "h1/2/72 p1/2/24 .", "1:24! . ", 0, 0 },
	{ "test_middle_part_missing", "h1/3/96 p1/1/24 p1/3/24 .", "1:48! . ", 0, 0 },
	{ "test_all_parts_missing", "h1/3/96 . .", "1:24! . . ", 0, 0 },
	{ "test_duplicate", "h1/2/72 p1/1/24 p1/1/24x p1/2/24 .", "1:72 . ", 1, 0 },
	{ "test_duplicate_of_all", "h1/1/48 p1/1/24 p1/1/24x .", "1:48 . ", 1, 0 },
	{ "test_disorder", "h1/3/96 p1/3/24 p1/1/24 p1/2/24 .", "1:96 . ", 0, 0 },
	{ "test_part_0", "h1/1/48 p1/0/24 p1/1/24 .", "1:48 . ", 1, 0 },
	{ "test_part_beyond", "h1/1/48 p1/2/24 p1/255/24 p1/1/24 .", "1:48 . ", 2, 0 },
	{ "test_too_few_bytes", "h1/2/72 p1/1/23 p1/2/24 .", "1:24! . ", 1, 0 },
	{ "test_too_many_bytes", "h1/1/30 p1/1/24 .", "1:24! . ", 1, 0 },
	{ "test_no_bytes", "h1/1/48 p1/1/0 p1/1/255 .", "1:24! . ", 2, 0 },
	{ "test_no_head", "p1/1/24 p1/2/24 . h2/0/8", ". 2:8 ", 2, 0 },
	{ "test_part_before_head", "p1/1/24 h1/1/48 .", "1:24! . ", 1, 0 },
	{ "test_head_twice", "h1/1/48 . h1/1/48 p1/1/24 .", "1:24! . 1:48 . ", 0, 0 },
	{ "test_short_head_twice", "h1/1/48 . h1/0/8 p1/1/24 .", "1:24! . 1:8 . ", 1, 0 },
	{ "test_flag", "h1/1/48c p1/1/24 h2/0/24c", "1:48! 2:24! ", 0, 0 },
	{ "test_head_has_too_few_parts", "h1/1/96 p1/1/24 p1/2/24 .", "1:48! . ", 1, 0 },
	{ "test_head_has_too_many_parts", "h1/9/48 p1/1/24 p1/2/24 .", "1:48 . ", 1, 0 },
	{ "test_two_cpus", "h1/1/48 @1 . h1/1/30 @0 p1/1/24 @1 p1/1/6 .", "1:48 . 1:30 . ", 0, 0 },
	{ "test_part_of_another_cpu", "h1/1/48 @1 p1/1/24 @0 .", "1:24! . ", 1, 0 },
	{ "test_next_buffer", "h1/2/72 p1/1/24 | p1/2/24 . | .", "1:72 . . ", 0, 0 },
	{ "test_loss", "h1/2/72 p1/1/24 -3 . .", "1:48! . . ", 0, 3 },
	{ "test_loss_in_the_middle", "h1/3/96 -1 p1/2/24 p1/3/24 .", "1:24! . ", 0, 1 },
	{ "test_loss_of_the_head", ". -2 p1/2/24 . h2/1/48 p2/1/24", ". . 2:48 ", 1, 2 },
	{ "test_end", ". h1/3/96 p1/1/24", ". 1:48! ", 0, 0 },
	{ "test_end_nested", "h1/1/48 h2/1/48 p2/1/24", "1:24! 2:48 ", 0, 0 },
	{ "test_serial_wraps", "h4294967295/1/48 h0/1/48 p0/1/24 p4294967295/1/24 .",
	  "4294967295:48 0:48 . ", 0, 0 },
	{ "test_others_wait", "h1/1/48 . h2/0/3 p9/1/24 h3/1/48 p3/1/24 p1/1/24",
	  "1:48 . 2:3 3:48 ", 1, 0 },
};

static void check_script(const struct chain_script *row)
{
	char text[512];

	for (int order = LKST_NEWEST_FIRST; order >= LKST_OLDEST_FIRST; order--) {
		read_text(order, text, sizeof(text));
		ck_assert_str_eq(text, row->expected);
		ck_assert_uint_eq(lkst_trace_parts_skipped(trace), row->skipped);
	}
	check_recids(row->lost);
}

TEST_ROWS(test_script, scripts)
{
	load_file(script_write(scripts[_i].script));
	open_file();
	check_script(&scripts[_i]);
	swap_file();
	open_file();
	check_script(&scripts[_i]);
}

/* Parts without a head are reported once, although the trace is read several times. */
TEST(test_report)
{
	char text[64];

	open_trace(script_write("p1/1/24 . p1/2/24"));
	ck_assert_str_eq(reports, "");
	read_text(LKST_NEWEST_FIRST, text, sizeof(text));
	read_text(LKST_OLDEST_FIRST, text, sizeof(text));
	ck_assert_str_eq(reports, "T: 2 records of type lkst_more were skipped: the events that "
				  "they continue are missing\n");
	ck_assert(!lkst_trace_incomplete(trace));
}

/* Two views and the trace itself are read alternately. Each has its own payload and chains. */
TEST(test_views)
{
	struct lkst_trace *from[3];
	struct lkst_event event[3];
	char text[3][64], part[64];

	open_trace(script_write("h1/2/72 . p1/1/24 @1 h2/1/48 @0 h3/0/5 @1 . p2/1/24 @0 p1/2/24 ."));
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 6);
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, NULL), 0);
	ck_assert_int_eq(lkst_trace_next(trace, &event[0], NULL), 1);
	from[0] = trace;
	for (int i = 1; i < 3; i++) {
		from[i] = lkst_trace_view_new(trace, NULL);
		ck_assert_ptr_nonnull(from[i]);
		ck_assert_int_eq(lkst_trace_rewind(from[i], LKST_OLDEST_FIRST, NULL), 0);
		ck_assert_int_eq(lkst_trace_next(from[i], &event[i], NULL), 1);
	}
	memset(text, 0, sizeof(text));
	for (int n = 1; n <= 6; n++) {
		for (int i = 0; i < 3; i++) {
			describe(&event[i], part);
			strcat(text[i], part);
		}
		for (int i = 0; i < 3; i++)
			ck_assert_int_eq(lkst_trace_next(from[i], &event[i], NULL), n < 6);
	}
	for (int i = 0; i < 3; i++)
		ck_assert_str_eq(text[i], "1:72 . 2:48 3:5 . . ");
	lkst_trace_view_free(from[1]);
	lkst_trace_view_free(from[2]);
	ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), 6);
}

/* On request, the parts are returned as well. */
TEST(test_keep_parts)
{
	open_trace(script_write("h1/2/72 . p1/1/24 p1/2/24 p7/1/24"));
	lkst_trace_keep_parts(trace, true);
	for (int order = LKST_NEWEST_FIRST; order >= LKST_OLDEST_FIRST; order--) {
		ck_assert_uint_eq(read_all(order), 5);
		for (int i = 0; i < 5; i++)
			ck_assert(!events[i].payload == !!(order == LKST_OLDEST_FIRST ? i : i - 4) &&
				  !events[i].parts_before);
	}
	ck_assert_uint_eq(events[3].type, LKST_ETYPE_LKST_MORE);
	ck_assert_uint_eq(events[3].arg[0], LKST_CHAIN_PART(1, 2, 24));
	ck_assert_uint_eq(lkst_trace_parts_skipped(trace), 1);
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err), 0);
	ck_assert_int_eq(lkst_trace_next(trace, &events[0], &err), 1);
	check_payload(&events[0]);
	ck_assert_uint_eq(events[0].payload->size, 72);
	ck_assert_str_eq(reports, "");
}

/* ---- long chains and many records ---- */

/* Append the records of a chain of @bytes bytes. Return the number of records. */
static size_t put_chain(struct lkst_log_record *record, int32_t cpu, uint64_t recid, uint32_t serial,
			unsigned int bytes)
{
	unsigned int parts = LKST_CHAIN_PARTS_OF(bytes);

	for (unsigned int i = 0; i <= parts; i++) {
		unsigned int from = LKST_CHAIN_BYTES * i, num = bytes - from;
		uint64_t arg[4];

		num = num < LKST_CHAIN_BYTES ? num : LKST_CHAIN_BYTES;
		arg[0] = i ? LKST_CHAIN_PART(serial, i, num) :
			     LKST_CHAIN_HEAD(serial, parts, 0, bytes);
		fill(arg, serial, from, num);
		record[i] = sample_record(cpu, recid + i, (int64_t)(recid + i),
					  i ? LKST_ETYPE_LKST_MORE : LKST_ETYPE_SYSCALL_PATH, 1,
					  arg);
	}
	return parts + 1;
}

static const unsigned int sizes[] = { 0, 1, 23, 24, 25, 47, 48, 49, 100, 4096, 6119, 6144 };

TEST_EACH(test_size, sizes)
{
	struct lkst_log_record record[LKST_CHAIN_PARTS_MAX + 1];
	struct lkst_event event;
	size_t num = put_chain(record, 0, 0, 9, sizes[_i]);

	begin_trace(NULL);
	put_records(0, 0, record, num);
	open_trace(end_trace());
	for (int order = LKST_NEWEST_FIRST; order >= LKST_OLDEST_FIRST; order--) {
		ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
		ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 1);
		check_payload(&event);
		ck_assert_uint_eq(event.payload->size, sizes[_i]);
		ck_assert_uint_eq(event.payload->bytes, sizes[_i]);
		ck_assert_uint_eq(event.payload->parts, num - 1);
		ck_assert_uint_eq(event.payload->parts_found, num - 1);
		ck_assert(!event.payload->cut);
		ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 0);
	}
}

/* Number of records between a head and its part, and whether they still belong together. */
static const struct { unsigned int between; bool whole; } reaches[] = {
	{ 0, true }, { 1000, true }, { CHAINS_REACH - 1, true }, { CHAINS_REACH, false },
	{ CHAINS_REACH + 1, false }, { 3 * CHAINS_REACH, false },
};

TEST_EACH(test_reach, reaches)
{
	const size_t num = reaches[_i].between + 2, size = num * sizeof(struct lkst_log_record);
	struct lkst_log_record *record = room(size), chain[2];

	put_chain(chain, 0, 0, 1, 48);
	record[0] = chain[0];
	for (size_t i = 1; i < num; i++)
		record[i] = sample_record(0, i, (int64_t)i, LKST_ETYPE_SYSCALL_ENTRY, 1, NULL);
	record[num - 1].posix.log_event_type = LKST_ETYPE_LKST_MORE;
	record[num - 1].log_arg1 = chain[1].log_arg1;
	memcpy(&record[num - 1].log_arg2, &chain[1].log_arg2, LKST_CHAIN_BYTES);
	begin_trace(NULL);
	put_records(0, 0, record, num);
	room_free(record, size);
	open_trace(end_trace());
	for (int order = LKST_NEWEST_FIRST; order >= LKST_OLDEST_FIRST; order--) {
		struct lkst_event event;
		uint64_t events_read = 0;

		ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
		while (lkst_trace_next(trace, &event, &err) > 0) {
			events_read++;
			if (event.payload)
				ck_assert_uint_eq(event.payload->size, reaches[_i].whole ? 48 : 24);
		}
		ck_assert_uint_eq(events_read, num - 1);
		ck_assert_uint_eq(lkst_trace_parts_skipped(trace), !reaches[_i].whole);
	}
}

/*
 * All parts of many heads are missing. Each head waits for its parts, but only a bounded number of
 * records waits at the same time, and no record is lost.
 */
TEST(test_heads_only)
{
	const size_t num = 20000, size = num * sizeof(struct lkst_log_record);
	struct lkst_log_record *record = room(size), chain[3];

	for (size_t i = 0; i < num; i++) {
		put_chain(chain, 0, i, (uint32_t)i, 72);
		record[i] = chain[0];
	}
	begin_trace(NULL);
	put_records(0, 0, record, num);
	room_free(record, size);
	open_trace(end_trace());
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err), 0);
	for (size_t i = 0; i < num; i++) {
		struct lkst_event event;

		ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 1);
		ck_assert_uint_eq(event.recid, i);
		ck_assert(event.payload->cut);
		ck_assert_uint_le(trace->lane[0].chains->room, 2 * CHAINS_REACH);
	}
}

/* ---- the order of the events of several CPUs ---- */

/*
 * While a head waits for its parts, events of other CPUs between the head and the parts keep their
 * places.
 */
TEST(test_merge)
{
	open_trace(script_write("h1/2/72 @1 . @0 . @1 . @0 p1/1/24 @1 . @0 p1/2/24 @1 ."));
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 6);
	for (int i = 1; i < 6; i++)
		ck_assert_int_gt(events[i].time_ns, events[i - 1].time_ns);
	ck_assert_int_eq(events[0].cpu, 0);
	ck_assert_int_eq(events[2].cpu, 0);
}

/* In the static buffer, records of all CPUs are mixed. The CPU is part of the key. */
TEST(test_static_buffer)
{
	struct lkst_log_record record[4], one[2], two[2];
	struct lkst_event event;

	put_chain(one, 0, 0, 5, 48);
	put_chain(two, 1, 1, 5, 30);
	record[0] = one[0];
	record[1] = two[0];
	record[2] = one[1];
	record[3] = two[1];
	for (uint64_t i = 0; i < 4; i++)
		record[i].posix.log_recid = i;
	begin_trace(NULL);
	put_records(-1, LKST_BUFFER_ID_VOID, record, 4);
	open_trace(end_trace());
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_OLDEST_FIRST, &err), 0);
	for (int cpu = 0; cpu < 2; cpu++) {
		ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 1);
		ck_assert_int_eq(event.cpu, cpu);
		ck_assert(!event.payload->cut);
		ck_assert_uint_eq(event.payload->size, cpu ? 30 : 48);
	}
	ck_assert_int_eq(lkst_trace_next(trace, &event, &err), 0);
}
