// SPDX-License-Identifier: GPL-2.0
/* Reading a trace from any machine, and refusing files that are not traces. */
#include <sched.h>
#include "lib/base/crc32c.h"
#include "lib/live/snapshot.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "trace_case.h"

TESTS(.teardown = close_trace);

TEST(test_round_trip)
{
	struct lkst_trace_buffer b;
	struct lkst_etypes *types;
	char text[64];
	size_t len;

	open_trace(sample_fd());
	ck_assert_str_eq(reports, "");
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert_uint_eq(lkst_trace_records(trace), SAMPLE_RECORDS);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	ck_assert(events[0].time_ns == SAMPLE_NS && events[0].cpu == 0);
	ck_assert(events[1].time_ns == SAMPLE_NS + 100 && events[1].cpu == 1);
	ck_assert(events[4].type == LKST_ETYPE_SYSCALL_ENTRY && events[4].recid == 9);
	ck_assert(events[4].arg[0] == pack(56, 0) && events[4].arg[1] == 0x1200011);
	ck_assert(events[4].tid == 100 && events[4].uid == 1000 && events[4].gid == 100);
	ck_assert_int_eq(events[4].machine, LKST_MACHINE_X86_64);
	ck_assert_uint_eq(events[12].flags, LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT);
	ck_assert(lkst_trace_has_cpu(trace, 0) && lkst_trace_has_cpu(trace, 1));
	ck_assert(!lkst_trace_has_cpu(trace, 2) && !lkst_trace_has_cpu(trace, -1) &&
		  !lkst_trace_has_cpu(trace, 99999));
	lkst_trace_cpu_text(trace, text, sizeof(text));
	ck_assert_str_eq(text, "CPUs 0-1");
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	lkst_trace_buffer(trace, 1, &b);
	ck_assert(b.cpu == 1 && b.records == 12 && b.recorded == 100);
	ck_assert(b.overwritten == 7 && b.dropped == 1 && b.unfinished == 3);
	ck_assert_uint_eq(strncmp(lkst_trace_system(trace, "hostname", &len), "sample\n", 7), 0);
	ck_assert_uint_eq(len, 6);
	ck_assert_ptr_null(lkst_trace_system(trace, "host", &len));
	ck_assert_ptr_null(lkst_trace_system(trace, "ernel", &len));
	types = lkst_trace_etypes(trace, &err);
	ck_assert_str_eq(lkst_etype(types, 0x030)->name, "system_call_entry");
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 300, 0), "sleeper");
	lkst_etypes_free(types);
}

/* A host name may contain any bytes. Escaping keeps it on a single line. */
TEST(test_host_name)
{
	static const char name[] = "a\nboot_id=forged\n\x9b";
	char text[SNAPSHOT_SYSTEM_MAX];

	if (unshare(CLONE_NEWUTS) && unshare(CLONE_NEWUSER | CLONE_NEWUTS))
		return; /* not allowed to create a UTS namespace */
	ck_assert_int_eq(sethostname(name, sizeof(name) - 1), 0);
	snapshot_system(2, text);
	ck_assert_ptr_nonnull(strstr(text, "\nhostname=a\\012boot_id=forged\\012\\233\nboot_id="));
	ck_assert_ptr_null(strstr(text, "forged\n"));
}

/* Check the names of values and the symbols in the sample trace of an oops. */
static void check_context(void)
{
	const struct lkst_context *context = lkst_trace_context(trace);
	struct lkst_symbol symbol;
	uint64_t gfp = 0xcc0;

	ck_assert_str_eq(reports, "");
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_IRQ, 24), "virtio0");
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_DEV, 254 << 20), "vda");
	ck_assert_str_eq(lkst_values_take(context->values, LKST_FMT_GFP, &gfp), "GFP_KERNEL");
	ck_assert(lkst_symbols_find(context->symbols, SAMPLE_CODE + 0x108, &symbol));
	ck_assert_str_eq(symbol.name, "do_more");
	ck_assert_str_eq(symbol.module, "mod");
	ck_assert_uint_eq(symbol.offset, 8);
}

TEST(test_context)
{
	open_trace(sample_oops_fd());
	check_context();
	/* Older versions wrote traces without values and symbols. */
	open_trace(sample_fd());
	ck_assert_str_eq(reports, "");
	ck_assert_ptr_null(lkst_trace_context(trace)->values);
	ck_assert_ptr_null(lkst_trace_context(trace)->symbols);
}

TEST(test_other_byte_order)
{
	struct lkst_event own[SAMPLE_RECORDS];
	struct lkst_names *names;
	char text[33], text2[33];

	load_file(sample_fd());
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	memcpy(own, events, sizeof(own));
	swap_file();
	open_file();
	ck_assert_str_eq(reports, "");
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	for (size_t i = 0; i < SAMPLE_RECORDS; i++) {
		const struct lkst_event *e = &events[i], *o = &own[i];

		ck_assert(e->time_ns == o->time_ns && e->recid == o->recid && e->type == o->type);
		ck_assert(e->tid == o->tid && e->tgid == o->tgid && e->pgrp == o->pgrp);
		ck_assert(e->uid == o->uid && e->gid == o->gid);
		ck_assert(e->flags == o->flags && e->cpu == o->cpu && e->arg[0] == o->arg[0]);
		ck_assert(e->swapped);
		if (e->type != LKST_ETYPE_INT_HARDWARE_ENTRY)
			continue;
		lkst_event_text(e, 1, 3, text);
		lkst_event_text(o, 1, 3, text2);
		ck_assert_str_eq(text, text2);
	}
	names = lkst_trace_context(trace)->names;
	ck_assert_str_eq(lkst_names_get(names, 200, SAMPLE_NS + 6000), "cat");
	ck_assert_str_eq(lkst_names_get(names, 300, 0), "sleeper");
}

TEST(test_context_of_other_byte_order)
{
	load_file(sample_oops_fd());
	swap_file();
	open_file();
	check_context();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	ck_assert(events[3].nth == 0 && events[3].arg[0] == SAMPLE_CODE + 2);
	ck_assert_uint_eq(events[9].nth, 5);
}

/* ---- RAW records ---- */

static struct {
	struct lkst_chunk_header chunk;
	struct lkst_records_header header;
	struct lkst_event_record record[4];
} raw = {
	.chunk = { .magic = LKST_CHUNK_MAGIC, .type = TRACE_RECORDS_RAW,
		   .length = sizeof(raw) - sizeof(raw.chunk) },
	.header = { .cpu = 3, .buffer = 1, .clock_kind = LKST_CLOCK_TSC, .record_size = 64,
		  .count = 4, .first_recid = 50, .xtime_s = 1000, .xtime_us = 500,
		  .tsc = 10000, .freq_khz = 2000000, .arch = "x86_64" },
	.record = {
		{ .clock = 10000, .event_type = 0x030, .flags = 0xffe1, .thread = 5, .pid = 4 },
		{ .clock = 0 },	/* a record that was never written */
		{ .clock = 12000, .event_type = 0x031, .thread = 5, .pid = 4,
		  .uid = 1, .gid = 2, .pgrp = 3, .arg = { 1, 2, 3, 4 } },
		{ .clock = 8000, .event_type = 0x031, .flags = LKST_RECORD_SOFTIRQ },
	},
};

static struct {
	struct lkst_chunk_header chunk;
	struct trace_clock clock;
} pair = {
	.chunk = { .magic = LKST_CHUNK_MAGIC, .type = TRACE_CLOCK, .length = 40 },
	.clock = { .clock = 9000, .wall_ns = 7777, .freq_khz = 1000000,
		   .clock_kind = LKST_CLOCK_NS, .cpu = -1 },
};

/*
 * Open a trace that consists of the sample's file header, the chunk in raw and, if @with_pair is
 * true, the chunk in pair.
 */
static void open_raw(bool with_pair)
{
	load_file(sample_fd());
	sign(&raw.chunk);
	sign(&pair.chunk);
	memcpy(file.data + 32, &raw, sizeof(raw));
	memcpy(file.data + 32 + sizeof(raw), &pair, sizeof(pair));
	file.size = 32 + sizeof(raw) + (with_pair ? sizeof(pair) : 0);
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 3);
}

TEST(test_raw)
{
	const int64_t base = 1000ll * 1000000000 + 500000;

	open_raw(false);
	ck_assert(events[0].time_ns == base && events[0].recid == 50 && events[0].cpu == 3);
	ck_assert_uint_eq(events[0].flags, LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT);
	ck_assert_int_eq(events[1].time_ns, base + 1000); /* 2000 ticks at 2 GHz */
	ck_assert(events[1].recid == 52 && events[1].arg[3] == 4);
	ck_assert(events[1].uid == 1 && events[1].gid == 2 && events[1].pgrp == 3);
	ck_assert_int_eq(events[2].time_ns, base - 1000);
	ck_assert_uint_eq(events[2].flags, LKST_LOG_SOFTIRQ);
	ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), 3);
	/*
	 * The reader ignores a TRACE_CLOCK chunk for a clock other than the buffer's. It uses other
	 * TRACE_CLOCK chunks if their times are nearer to those of the records than the times in
	 * the buffer's header.
	 */
	open_raw(true);
	ck_assert_int_eq(events[0].time_ns, base);
	pair.clock.clock_kind = LKST_CLOCK_TSC;
	pair.clock.clock = 10000;
	raw.header.tsc = 20000;
	open_raw(true);
	ck_assert_int_eq(events[0].time_ns, 7777);
	ck_assert_int_eq(events[1].time_ns, 7777 + 2000);
}

/* ---- files that are not traces ---- */

static const struct {
	const char *data;
	size_t len;
	const char *message;
} foreign[] = {
	{ "\037\213\010\0\0\0", 6, "T: compressed data is damaged or truncated" },
	{ "# lkst_etypes 1\n0x001", 21, "list of event types" },
	{ "\x80\x81\x82\x83", 4, "it begins with 80 81 82 83" },
	{ "LKSTTRC\0\4\3\2\1", 12, "truncated after 12 bytes" },
	{ "LKST", 4, "truncated after 4 bytes" },
	{ "LKSTTRCX\4\3\2\1\1\0\x20\0", 16, "it begins with 4c 4b" },
	{ "LKSTTRC\0\4\3\2\1\1\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "checksum" },
	{ "LKSTTRC\0\4\3\2\2\1\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "byte order" },
};

/* Check that a file is refused with a message that contains @message. */
static void check_refused(const void *data, size_t size, const char *message)
{
	ck_assert(!try_open(new_file(data, size)));
	assert_contains(err.text, message);
}

TEST_EACH(test_foreign, foreign)
{
	check_refused(foreign[_i].data, foreign[_i].len, foreign[_i].message);
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
}

TEST(test_version)
{
	struct trace_file_header header[2] = { {
		.magic = TRACE_MAGIC, .byte_order = TRACE_BYTE_ORDER, .version = 2,
		.header_size = 32,
	} };

	header->checksum = lkst_crc32c(header, 28);
	check_refused(header, sizeof(*header), "version 2");
	/* A longer header of the same version is accepted: it has new members at its end. */
	header->version = 1;
	header->header_size = 64;
	header->checksum = lkst_crc32c(header, 28);
	open_trace(new_file(header, 64));
}

TEST(test_no_file)
{
	ck_assert_ptr_null(lkst_trace_open("/tmp", NULL, &err));
	ck_assert_str_eq(err.text, "/tmp: is a directory, not a trace file");
	ck_assert_ptr_null(lkst_trace_open("/dev/zero", NULL, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
}
