// SPDX-License-Identifier: GPL-2.0
/* Reading a trace: what it says, of whichever machine; and what is no trace. */
#include <byteswap.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/crc32c.h"
#include "lib/etype_ids.h"
#include "lib/snapshot.h"
#include "room.h"
#include "sample.h"
#include "tap.h"
#include "trace_case.h"

START_TEST(test_round_trip)
{
	int fd = sample_fd();
	struct lkst_trace *trace = open_fd(fd);
	struct lkst_trace_buffer buffer;
	struct lkst_etypes *types;
	struct lkst_error err;
	char text[64];
	size_t len;

	ck_assert_str_eq(reports, "");
	ck_assert(!lkst_trace_incomplete(trace));
	ck_assert_uint_eq(lkst_trace_records(trace), SAMPLE_RECORDS);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	ck_assert_int_eq(events[0].time_ns, SAMPLE_NS);
	ck_assert_int_eq(events[0].cpu, 0);
	ck_assert_int_eq(events[1].time_ns, SAMPLE_NS + 100);
	ck_assert_int_eq(events[1].cpu, 1);
	ck_assert_uint_eq(events[4].type, LKST_ETYPE_SYSCALL_ENTRY);
	ck_assert_uint_eq(events[4].recid, 9);
	ck_assert_uint_eq(events[4].arg[0], pack(56, 0));
	ck_assert_uint_eq(events[4].arg[1], 0x1200011);
	ck_assert_uint_eq(events[4].tid, 100);
	ck_assert_uint_eq(events[4].uid, 1000);
	ck_assert_uint_eq(events[4].gid, 100);
	ck_assert_int_eq(events[4].machine, LKST_MACHINE_X86_64);
	ck_assert_uint_eq(events[12].flags, LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT);
	ck_assert(lkst_trace_has_cpu(trace, 0) && lkst_trace_has_cpu(trace, 1));
	ck_assert(!lkst_trace_has_cpu(trace, 2) && !lkst_trace_has_cpu(trace, -1) &&
		  !lkst_trace_has_cpu(trace, 99999));
	lkst_trace_cpu_text(trace, text, sizeof(text));
	ck_assert_str_eq(text, "CPUs 0-1");
	ck_assert_uint_eq(lkst_trace_buffers(trace), 2);
	lkst_trace_buffer(trace, 1, &buffer);
	ck_assert_int_eq(buffer.cpu, 1);
	ck_assert_uint_eq(buffer.records, 12);
	ck_assert_uint_eq(buffer.recorded, 100);
	ck_assert_uint_eq(buffer.overwritten, 7);
	ck_assert_uint_eq(buffer.dropped, 1);
	ck_assert_uint_eq(buffer.unfinished, 3);
	ck_assert_uint_eq(strncmp(lkst_trace_system(trace, "hostname", &len), "sample\n", 7), 0);
	ck_assert_uint_eq(len, 6);
	ck_assert_ptr_null(lkst_trace_system(trace, "host", &len));
	ck_assert_ptr_null(lkst_trace_system(trace, "ernel", &len));
	types = lkst_trace_etypes(trace, &err);
	ck_assert_str_eq(lkst_etype(types, 0x030)->name, "system_call_entry");
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 300, 0), "sleeper");
	lkst_etypes_free(types);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* A host name is any bytes: it stays in its line. */
START_TEST(test_host_name)
{
	static const char name[] = "a\nboot_id=forged\n\x9b";
	char text[SNAPSHOT_SYSTEM_MAX];

	if (unshare(CLONE_NEWUTS) && unshare(CLONE_NEWUSER | CLONE_NEWUTS))
		return; /* this process may not have one of its own */
	ck_assert_int_eq(sethostname(name, sizeof(name) - 1), 0);
	snapshot_system(2, text);
	ck_assert_ptr_nonnull(strstr(text, "\nhostname=a\\012boot_id=forged\\012\\233\nboot_id="));
	ck_assert_ptr_null(strstr(text, "forged\n"));
}
END_TEST

/* What the kernel of the oops called things. */
static void check_context(const struct lkst_context *context)
{
	struct lkst_symbol symbol;
	uint64_t gfp = 0xcc0;

	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_IRQ, 24), "virtio0");
	ck_assert_str_eq(lkst_values_name(context->values, LKST_FMT_DEV, 254 << 20), "vda");
	ck_assert_str_eq(lkst_values_take(context->values, LKST_FMT_GFP, &gfp), "GFP_KERNEL");
	ck_assert(lkst_symbols_find(context->symbols, SAMPLE_CODE + 0x108, &symbol));
	ck_assert_str_eq(symbol.name, "do_more");
	ck_assert_str_eq(symbol.module, "mod");
	ck_assert_uint_eq(symbol.offset, 8);
}

START_TEST(test_context)
{
	int fd = sample_oops_fd(), without = sample_fd();
	struct lkst_trace *trace = open_fd(fd);

	ck_assert_str_eq(reports, "");
	check_context(lkst_trace_context(trace));
	lkst_trace_close(trace);
	close(fd);
	/* As it was before there were such chunks. */
	trace = open_fd(without);
	ck_assert_str_eq(reports, "");
	ck_assert_ptr_null(lkst_trace_context(trace)->values);
	ck_assert_ptr_null(lkst_trace_context(trace)->symbols);
	lkst_trace_close(trace);
	close(without);
}
END_TEST

/* ---- the other byte order ---- */

#define SWAP(x)                                                          \
	((x) = sizeof(x) == 8 ? (__typeof__(x))bswap_64((uint64_t)(x)) : \
	       sizeof(x) == 4 ? (__typeof__(x))bswap_32((uint32_t)(x)) : \
				(__typeof__(x))bswap_16((uint16_t)(x)))

static void swap_words(void *data, size_t len, size_t word)
{
	uint8_t *p = data;

	for (size_t i = 0; i < len; i += word)
		for (size_t k = 0; k < word / 2; k++) {
			uint8_t t = p[i + k];

			p[i + k] = p[i + word - 1 - k];
			p[i + word - 1 - k] = t;
		}
}

static void swap_records(struct trace_buffer_header *head, size_t size)
{
	struct lkst_log_record *record = (void *)(head + 1);
	size_t num = size == sizeof(*record) ? head->count : 0;

	for (size_t i = 0; i < num; i++) {
		struct posix_log_entry *p = &record[i].posix;
		/* Text keeps the order of its bytes in memory. */
		int type = p->log_event_type;

		swap_words(&p->log_magic, 8, 4);
		swap_words(&p->log_recid, 16, 8);
		swap_words(&p->log_event_type, 32, 4);
		swap_words(&p->log_time, 16, 8);
		swap_words(&p->log_thread, 8, 4);
		swap_words(&record[i].log_arg1, type == 0x010 ? 8 : 32, 8);
		if (type == 0x001 || type == 0x002 || type == 0x00e || type == 0x005)
			swap_words(&record[i].log_arg3, 16, 8);
		if (type == 0x006)
			swap_words(&record[i].log_arg2, 24, 8);
		if (type == 0x007)
			swap_words(&record[i].log_arg3, 8, 8);
	}
	swap_words(head, 16, 4);
	swap_words(&head->count, 72, 8);
	swap_words(&head->record_version, 4, 4);
}

static void swap_file(uint8_t *data, size_t size)
{
	struct trace_file_header *file = (void *)data;
	size_t at = sizeof(*file);

	while (at < size) {
		struct trace_chunk_header *chunk = (void *)(data + at);
		size_t len = chunk->length;
		void *payload = chunk + 1;

		if (chunk->type == TRACE_RECORDS_STD)
			swap_records(payload, sizeof(struct lkst_log_record));
		if (chunk->type == TRACE_PROCESSES)
			for (size_t i = 0; i < len; i += 24)
				swap_words((uint8_t *)payload + i, 8, 4);
		if (chunk->type == TRACE_END)
			swap_words(payload, len, 8);
		SWAP(chunk->magic);
		SWAP(chunk->type);
		SWAP(chunk->compression);
		SWAP(chunk->length);
		SWAP(chunk->raw_length);
		chunk->payload_checksum = bswap_32(lkst_crc32c(payload, len));
		chunk->checksum =
			bswap_32(lkst_crc32c(chunk, offsetof(struct trace_chunk_header, checksum)));
		at += sizeof(*chunk) + trace_padded(len);
	}
	SWAP(file->byte_order);
	SWAP(file->version);
	SWAP(file->header_size);
	file->checksum = bswap_32(lkst_crc32c(file, offsetof(struct trace_file_header, checksum)));
}

START_TEST(test_other_byte_order)
{
	struct lkst_event *own = room(EVENTS_MAX * sizeof(*own));
	int fd = sample_fd();
	struct lkst_trace *trace = open_fd(fd);
	size_t num = read_all(trace, LKST_OLDEST_FIRST), size;
	char text[33], text2[33];
	uint8_t *data;

	memcpy(own, events, num * sizeof(*own));
	lkst_trace_close(trace);
	read_file(fd, &data, &size);
	close(fd);
	swap_file(data, size);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_str_eq(reports, "");
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), num);
	for (size_t i = 0; i < num; i++) {
		ck_assert_int_eq(events[i].time_ns, own[i].time_ns);
		ck_assert_uint_eq(events[i].recid, own[i].recid);
		ck_assert_uint_eq(events[i].type, own[i].type);
		ck_assert_uint_eq(events[i].tid, own[i].tid);
		ck_assert_uint_eq(events[i].tgid, own[i].tgid);
		ck_assert_uint_eq(events[i].pgrp, own[i].pgrp);
		ck_assert_uint_eq(events[i].uid, own[i].uid);
		ck_assert_uint_eq(events[i].gid, own[i].gid);
		ck_assert_uint_eq(events[i].flags, own[i].flags);
		ck_assert_int_eq(events[i].cpu, own[i].cpu);
		ck_assert_uint_eq(events[i].arg[0], own[i].arg[0]);
		ck_assert(events[i].swapped);
		if (events[i].type != 0x010)
			continue;
		lkst_event_text(&events[i], 1, 3, text);
		lkst_event_text(&own[i], 1, 3, text2);
		ck_assert_str_eq(text, text2);
	}
	room_free(own, EVENTS_MAX * sizeof(*own));
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 200, SAMPLE_NS + 6000),
			 "cat");
	ck_assert_str_eq(lkst_names_get(lkst_trace_context(trace)->names, 300, 0), "sleeper");
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

START_TEST(test_context_of_other_byte_order)
{
	int fd = sample_oops_fd();
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	close(fd);
	swap_file(data, size);
	fd = write_file(data, size);
	trace = open_fd(fd);
	ck_assert_str_eq(reports, "");
	check_context(lkst_trace_context(trace));
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	ck_assert_uint_eq(events[3].nth, 0);
	ck_assert_uint_eq(events[3].arg[0], SAMPLE_CODE + 2);
	ck_assert_uint_eq(events[9].nth, 5);
	lkst_trace_close(trace);
	close(fd);
	free(data);
}
END_TEST

/* ---- RAW records ---- */

START_TEST(test_raw)
{
	struct {
		struct trace_chunk_header chunk;
		struct trace_buffer_header head;
		struct lkst_event_record record[4];
	} raw = {
		.chunk = { .magic = TRACE_CHUNK_MAGIC, .type = TRACE_RECORDS_RAW,
			   .length = sizeof(raw) - sizeof(raw.chunk) },
		.head = { .cpu = 3, .buffer = 1, .clock_kind = LKST_CLOCK_TSC, .record_size = 64,
			  .count = 4, .first_recid = 50, .xtime_s = 1000, .xtime_us = 500,
			  .tsc = 10000, .freq_khz = 2000000, .arch = "x86_64" },
		.record = {
			{ .clock = 10000, .event_type = 0x030, .flags = 0xffe1, .thread = 5, .pid = 4 },
			{ .clock = 0 },	/* a hole */
			{ .clock = 12000, .event_type = 0x031, .thread = 5, .pid = 4,
			  .uid = 1, .gid = 2, .pgrp = 3, .arg = { 1, 2, 3, 4 } },
			{ .clock = 8000, .event_type = 0x031, .flags = LKST_RECORD_SOFTIRQ },
		},
	};
	struct {
		struct trace_chunk_header chunk;
		struct trace_clock clock;
	} pair = {
		.chunk = { .magic = TRACE_CHUNK_MAGIC, .type = TRACE_CLOCK, .length = 40 },
		.clock = { .clock = 9000,
			   .wall_ns = 7777,
			   .freq_khz = 1000000,
			   .clock_kind = LKST_CLOCK_NS,
			   .cpu = -1 },
	};
	int64_t base = 1000ll * 1000000000 + 500000;
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;
	struct lkst_error err;
	int fd = lkst_temporary_file(&err);

	writer = lkst_trace_writer_fd(fd, "raw", &err);
	ck_assert_ptr_nonnull(writer);
	lkst_trace_writer_abort(writer);
	sign(&raw.chunk);
	sign(&pair.chunk);
	ck_assert_int_eq(pwrite(fd, &raw, sizeof(raw), 32), sizeof(raw));
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	ck_assert_int_eq(events[0].time_ns, base);
	ck_assert_uint_eq(events[0].recid, 50);
	ck_assert_int_eq(events[0].cpu, 3);
	ck_assert_uint_eq(events[0].flags, LKST_LOG_HARDIRQ | LKST_LOG_INTERRUPT);
	ck_assert_int_eq(events[1].time_ns, base + 1000); /* 2000 ticks at 2 GHz */
	ck_assert_uint_eq(events[1].recid, 52);
	ck_assert_uint_eq(events[1].arg[3], 4);
	ck_assert_uint_eq(events[1].uid, 1);
	ck_assert_uint_eq(events[1].gid, 2);
	ck_assert_uint_eq(events[1].pgrp, 3);
	ck_assert_int_eq(events[2].time_ns, base - 1000);
	ck_assert_uint_eq(events[2].flags, LKST_LOG_SOFTIRQ);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), 3);
	lkst_trace_close(trace);

	/* A pair of another clock is no help; one of this clock that is nearer is taken. */
	ck_assert_int_eq(pwrite(fd, &pair, sizeof(pair), 32 + sizeof(raw)), sizeof(pair));
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	ck_assert_int_eq(events[0].time_ns, base);
	lkst_trace_close(trace);
	pair.clock.clock_kind = LKST_CLOCK_TSC;
	pair.clock.clock = 10000;
	sign(&pair.chunk);
	ck_assert_int_eq(pwrite(fd, &pair, sizeof(pair), 32 + sizeof(raw)), sizeof(pair));
	raw.head.tsc = 20000;
	sign(&raw.chunk);
	ck_assert_int_eq(pwrite(fd, &raw, sizeof(raw), 32), sizeof(raw));
	trace = open_fd(fd);
	ck_assert_uint_eq(read_all(trace, LKST_OLDEST_FIRST), 3);
	ck_assert_int_eq(events[0].time_ns, 7777);
	ck_assert_int_eq(events[1].time_ns, 7777 + 2000);
	lkst_trace_close(trace);
	close(fd);
}
END_TEST

/* ---- files that are no trace ---- */

START_TEST(test_foreign)
{
	static const struct {
		const char *data;
		size_t len;
		const char *says;
	} files[] = {
		{ "", 0, "is empty" },
		{ "\177ELF\2\1\1", 7, "an ELF file" },
		{ "hello\n", 6, "text" },
		{ "\037\213\010\0\0\0", 6, "NAME: compressed, but damaged or cut off" },
		{ "# lkst_etypes 1\n0x001", 21, "list of event types" },
		{ "\x80\x81\x82\x83", 4, "it begins with 80 81 82 83" },
		{ "LKSTTRC\0\4\3\2\1", 12, "cut off after 12 bytes" },
		{ "LKST", 4, "cut off after 4 bytes" },
		{ "LKSTTRCX\4\3\2\1\1\0\x20\0", 16, "it begins with 4c 4b" },
		{ "LKSTTRC\0\4\3\2\1\1\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "checksum" },
		{ "LKSTTRC\0\4\3\2\2\1\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32, "byte order" },
	};
	int fd = write_file((const uint8_t *)files[_i].data, files[_i].len);
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(lkst_trace_open_fd(fd, "NAME", NULL, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	ck_assert_int_eq(strncmp(err.text, "NAME: ", 6), 0);
	if (!strstr(err.text, files[_i].says))
		ck_abort_msg("\"%s\" lacks \"%s\"", err.text, files[_i].says);
	close(fd);
}
END_TEST

START_TEST(test_version)
{
	struct trace_file_header head = {
		.magic = TRACE_MAGIC,
		.byte_order = TRACE_BYTE_ORDER,
		.version = 2,
		.header_size = 32,
	};
	struct lkst_error err = { 0 };
	int fd;

	head.checksum = lkst_crc32c(&head, 28);
	fd = write_file((const uint8_t *)&head, sizeof(head));
	ck_assert_ptr_null(lkst_trace_open_fd(fd, "NAME", NULL, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "version 2"));
	close(fd);
	/* A longer header of this version is one with more at its end. */
	head.version = 1;
	head.header_size = 64;
	head.checksum = lkst_crc32c(&head, 28);
	fd = write_file((const uint8_t *)&head, sizeof(head));
	ck_assert_int_eq(ftruncate(fd, 64), 0);
	lkst_trace_close(open_fd(fd));
	close(fd);
}
END_TEST

START_TEST(test_no_file)
{
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(lkst_trace_open("/nonexistent/trace", NULL, &err));
	ck_assert_str_eq(err.text, "/nonexistent/trace: open: No such file or directory");
	ck_assert_int_eq(err.sys_errno, ENOENT);
	ck_assert_ptr_null(lkst_trace_open("/tmp", NULL, &err));
	ck_assert_str_eq(err.text, "/tmp: is a directory, not a trace file");
	ck_assert_ptr_null(lkst_trace_open("/dev/zero", NULL, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
}
END_TEST

START_TEST(test_pipe)
{
	int fd = sample_fd(), pipefd[2];
	struct lkst_trace *trace;
	uint8_t *data;
	size_t size;

	read_file(fd, &data, &size);
	ck_assert_int_eq(pipe(pipefd), 0);
	ck_assert_int_eq(write(pipefd[1], data, size), (ssize_t)size);
	close(pipefd[1]);
	trace = open_fd(pipefd[0]);
	ck_assert_uint_eq(read_all(trace, LKST_NEWEST_FIRST), SAMPLE_RECORDS);
	lkst_trace_close(trace);
	close(pipefd[0]);
	close(fd);
	free(data);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_read");
	TCase *tc = tcase_create("trace_read");

	check_id(tc, test_round_trip);
	check_id(tc, test_host_name);
	check_id(tc, test_context);
	check_id(tc, test_other_byte_order);
	check_id(tc, test_context_of_other_byte_order);
	check_id(tc, test_raw);
	tcase_add_loop_test(tc, test_foreign, 0, 11);
	check_id(tc, test_version);
	check_id(tc, test_no_file);
	check_id(tc, test_pipe);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
