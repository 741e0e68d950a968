// SPDX-License-Identifier: GPL-2.0
/* Files of kmemtrace become a trace. The events are built from the document of the format. */
#include <sys/stat.h>

#include "dir.h"
#include "lib/base/file_kind.h"
#include "lib/base/temporary.h"
#include "lib/text/context.h"
#include "lib/text/symbols.h"
#include "lib/trace/kmemtrace.h"
#include "swap.h"
#include "trace_case.h"

#define FILES_MAX 4
#define SIZE_MAX_FILE (1 << 20)

enum { ALLOC, FREE };
enum { KMALLOC, CACHE, PAGES };

/* The layout of an event in a file. A free ends before @requested. */
struct raw {
	uint8_t event_id;
	uint8_t type_id;
	uint16_t size;
	int32_t sequence;
	uint64_t caller;
	uint64_t object;
	uint64_t requested;
	uint64_t allocated;
	uint32_t flags;
	int32_t cpu;
};

_Static_assert(sizeof(struct raw) == 48, "allocation");

static uint8_t bytes[SIZE_MAX_FILE];
static size_t size;
static bool swapped;
static char paths[FILES_MAX][64];
static size_t files;
static const char *symbols;

static void setup(void)
{
	dir_make();
	size = files = 0;
	swapped = false;
	symbols = NULL;
	strcpy(reports, "");
}

static void teardown(void)
{
	close_trace();
	dir_remove();
}

TESTS(.setup = setup, .teardown = teardown);

/* ---- building files ---- */

static void put(const struct raw *raw)
{
	size_t own = raw->event_id ? 24 : 48;

	memcpy(bytes + size, raw, own);
	if (swapped)
		swap(bytes + size, raw->event_id ? "112488" : "1124888844");
	size += own;
}

static void alloc(uint8_t type, int64_t sequence, uint64_t object, uint64_t requested)
{
	put(&(struct raw){ ALLOC, type, 48, (int32_t)sequence, 0xca11, object, requested,
			   requested + 28, 0xcc0, -1 });
}

static void release(uint8_t type, int64_t sequence, uint64_t object)
{
	put(&(struct raw){ FREE, type, 24, (int32_t)sequence, 0xf4ee, object, 0, 0, 0, 0 });
}

static void save_as(const char *name, const void *data, size_t len)
{
	FILE *to = fopen(dir_path(name), "w");

	ck_assert_ptr_nonnull(to);
	ck_assert_uint_eq(fwrite(data, 1, len, to), len);
	ck_assert_int_eq(fclose(to), 0);
}

/* Save what was built as the next file. */
static void save(const char *name)
{
	save_as(name, bytes, size);
	strcpy(paths[files++], dir_path(name));
	size = 0;
}

/* Make a trace from the files. Returns its descriptor; -1 on error. */
static int convert(void)
{
	const char *path[FILES_MAX];
	const struct kmemtrace_files all = {
		.path = path, .num = files, .symbols = symbols, .hooks = &hooks,
	};
	struct lkst_trace_writer *to;
	int fd = lkst_temporary_file(&err);

	for (size_t i = 0; i < files; i++)
		path[i] = paths[i];
	to = lkst_trace_writer_fd(fd, "T", &err);
	assert_made(to);
	if (kmemtrace_trace(&all, to, &err)) {
		lkst_trace_writer_abort(to);
		close(fd);
		return -1;
	}
	assert_ok(lkst_trace_writer_commit(to, &err));
	return fd;
}

/* Open the trace of the files, and keep the reports about them in @made. */
static char made[REPORTS_MAX];
static void open_files(void)
{
	int fd;

	*reports = 0;
	fd = convert();
	ck_assert_msg(fd >= 0, "%s", err.text);
	strcpy(made, reports);
	open_trace(fd);
	ck_assert_str_eq(reports, "");
}

static void check_refused(const char *says)
{
	ck_assert_int_eq(convert(), -1);
	assert_contains(err.text, says);
}

static void describe(const struct lkst_event *event, char *text)
{
	struct lkst_etypes *types = lkst_trace_etypes(trace, NULL);
	const struct lkst_etype *type = lkst_etypes_get(types, event->type);

	sprintf(text, "%d %lld %s %llx %llx %llx %llx\n", event->cpu, (long long)event->time_ns,
		lkst_etype_name(type), (unsigned long long)event->arg[0],
		(unsigned long long)event->arg[1], (unsigned long long)event->arg[2],
		(unsigned long long)event->arg[3]);
	lkst_etypes_free(types);
}

/* Describe only the number of the object, or of the page. */
static void describe_object(const struct lkst_event *event, char *text)
{
	sprintf(text, "%llx ", (unsigned long long)event->arg[1]);
}

static void describe_time(const struct lkst_event *event, char *text)
{
	sprintf(text, "%d:%lld ", event->cpu, (long long)event->time_ns / 256);
}

/* ---- events ---- */

static void put_all_kinds(void)
{
	alloc(KMALLOC, 100, 0x1000, 100);
	release(KMALLOC, 101, 0x1000);
	alloc(CACHE, 102, 0x2000, 120);
	release(CACHE, 103, 0x2000);
	alloc(PAGES, 104, 0x8000, 0x4000);
	release(PAGES, 105, 0x8000);
	alloc(PAGES, 106, 0, 4096);
	alloc(KMALLOC, 107, 0, 5000000000);
}

TEST_LOOP(events_of_all_kinds, 2)
{
	swapped = _i;
	put_all_kinds();
	save("cpu3");
	open_files();
	check_events(describe, "3 0 mem_kmalloc ca11 1000 6400000080 cc0ffffffff\n"
			       "3 256 mem_kfree f4ee 1000 0 0\n"
			       "3 512 mem_cachealloc ca11 2000 78 cc0ffffffff\n"
			       "3 768 mem_cachefree f4ee 2000 0 0\n"
			       "3 1024 mem_pagealloc 8 200000000 cc0 0\n"
			       "3 1280 mem_pagefree 8 0 0 0\n"
			       "3 1536 mem_pagealloc ffffffffffffffff 0 cc0 0\n"
			       "3 1792 mem_kmalloc ca11 0 ffffffffffffffff cc0ffffffff\n");
	ck_assert_str_eq(made, "");
	ck_assert(!lkst_trace_incomplete(trace));
}

/* Bytes after the core belong to features, which are skipped. */
TEST_LOOP(features, 2)
{
	static const uint8_t two[2][8] = { { 3, 0, 9, 5, 0, 7, 1, 2 }, { 0, 3, 9, 0, 5, 7, 1, 2 } };

	swapped = _i;
	for (int i = 0; i < 4; i++) {
		size_t at = size;

		if (i % 2)
			alloc(KMALLOC, i, 0x1000 + (unsigned int)i, 8);
		else
			release(KMALLOC, i, 0x1000 + (unsigned int)i);
		memcpy(bytes + size, two[_i], 8);
		size += 8;
		bytes[at + 2 + (size_t)_i] = (uint8_t)(size - at);
	}
	save("cpu0");
	open_files();
	check_events(describe_object, "1000 1001 1002 1003 ");
	ck_assert_str_eq(made, "");
}

/* ---- times ---- */

TEST(time_of_a_wraparound)
{
	alloc(KMALLOC, 0xfffffff0, 1, 8);
	alloc(KMALLOC, 0xffffffff, 2, 8);
	alloc(KMALLOC, 0x10, 3, 8);
	alloc(KMALLOC, 0xf, 4, 8);	 /* a nested event */
	alloc(KMALLOC, 0xf0000000, 5, 8); /* 17 minutes later */
	save("cpu0");
	open_files();
	check_events(describe_time, "0:0 0:15 0:32 0:31 0:4026531856 ");
}

/* A CPU may begin to record before the wraparound, and another one after it. */
TEST(times_of_two_cpus)
{
	alloc(KMALLOC, 0xffffff00, 1, 8);
	alloc(KMALLOC, 0x100, 2, 8);
	save("cpu0");
	alloc(KMALLOC, 0x80, 3, 8);
	alloc(KMALLOC, 0x110, 4, 8);
	save("cpu1");
	open_files();
	check_events(describe_time, "0:0 1:384 0:512 1:528 ");
}

/* The file of the CPU that began last is first. */
TEST(times_of_two_cpus_reversed)
{
	alloc(KMALLOC, 0x80, 3, 8);
	alloc(KMALLOC, 0xfe, 4, 8);
	save("cpu1");
	alloc(KMALLOC, 0xffffff00, 1, 8);
	alloc(KMALLOC, 0x100, 2, 8);
	save("cpu0");
	open_files();
	check_events(describe_time, "0:0 1:384 1:510 0:512 ");
}

/* ---- damage ---- */

/* Bytes of 8 objects, 48 bytes each, are changed. */
static const struct {
	const char *name;
	size_t at, len;
	uint8_t value;
	const char *objects;
	const char *report;
	uint64_t lost;
} damages[] = {
	{ "event id", 96, 1, 2, "1 2 4 5 6 7 8 ",
	  "offset 96: an event with unknown ids (event 2, type 0)", 0 },
	{ "type id", 97, 1, 3, "1 2 4 5 6 7 8 ",
	  "offset 96: an event with unknown ids (event 0, type 3)", 0 },
	{ "ids and size", 96, 4, 0xff, "1 2 4 5 6 7 8 ", "offset 96: 48 bytes are damaged", 1 },
	{ "size 0", 98, 1, 0, "1 2 4 5 6 7 8 ", "offset 96: 48 bytes are damaged", 1 },
	{ "size of several events", 98, 1, 144, "1 2 4 5 6 7 8 ", "offset 96: 48 bytes are damaged", 1 },
	{ "size of the last event", 338, 1, 144, "1 2 3 4 5 6 7 ", "the last 48 bytes are a part", 0 },
	{ "requested", 120, 8, 0, "1 2 4 5 6 7 8 ", "offset 96: 48 bytes are damaged", 1 },
	{ "allocated", 128, 8, 0, "1 2 4 5 6 7 8 ", "offset 96: 48 bytes are damaged", 1 },
	{ "first event", 0, 4, 0xff, "2 3 4 5 6 7 8 ", "offset 0: 48 bytes are damaged", 1 },
	{ "two events", 96, 96, 0xff, "1 2 5 6 7 8 ", "offset 96: 96 bytes are damaged", 2 },
	{ "a part of two events", 140, 8, 0xff, "1 2 3 5 6 7 8 ", "offset 144: 48 bytes are damaged", 1 },
	{ "zeros", 100, 100, 0, "1 2 6 7 8 ", "offset 96: 144 bytes are damaged", 3 },
	{ "the end", 336, 48, 0xff, "1 2 3 4 5 6 7 ", "offset 336: 48 bytes are damaged", 0 },
};

TEST_ROWS(damage, damages)
{
	size_t num;

	for (unsigned int i = 1; i <= 8; i++)
		alloc(KMALLOC, i, i, 100);
	memset(bytes + damages[_i].at, damages[_i].value, damages[_i].len);
	save("cpu0");
	open_files();
	check_events(describe_object, damages[_i].objects);
	assert_contains(made, damages[_i].report);
	ck_assert_ptr_eq(strchr(made, '\n'), made + strlen(made) - 1);
	ck_assert(lkst_trace_incomplete(trace));
	ck_assert(lkst_trace_damaged(trace));
	num = read_all(LKST_OLDEST_FIRST);
	ck_assert_uint_eq(events[num - 1].recid + 1 - events[0].recid - num,
			  damages[_i].at ? damages[_i].lost : 0);
}

/* Each length of a file: only the last event can be incomplete. */
TEST(truncated)
{
	unsigned int whole = 0;

	for (unsigned int i = 0; i < 3; i++) {
		alloc(KMALLOC, i, 2 * i, 100);
		release(KMALLOC, i, 2 * i + 1);
	}
	for (size_t len = 24; len <= 3 * 72; len++) {
		size_t num = len / 72 * 2 + (len % 72 >= 48), end = num / 2 * 72 + num % 2 * 48;

		files = 0;
		save_as("cpu0", bytes, len);
		strcpy(paths[files++], dir_path("cpu0"));
		open_files();
		ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), num);
		ck_assert_int_eq(lkst_trace_incomplete(trace), len != end);
		if (len != end)
			assert_contains(made, "is truncated");
		else
			ck_assert_str_eq(made, "");
		whole += len == end;
	}
	ck_assert_uint_eq(whole, 6);
}

/* A file that does not fit in the reader's memory, damaged everywhere. */
TEST(large)
{
	const unsigned int num = 15000;
	size_t left;

	for (unsigned int i = 0; i < num; i++)
		alloc(KMALLOC, i, i, 100);
	/* Damage that is longer than the reader's memory, and damage of each 1000th event */
	memset(bytes + 48 * 2000, 0xff, 48 * 2000);
	for (unsigned int i = 5000; i < num; i += 1000)
		memset(bytes + 48 * i, 0, 48);
	save("cpu0");
	open_files();
	left = read_all(LKST_OLDEST_FIRST);
	ck_assert_uint_eq(left, num - 2000 - 10);
	for (size_t i = 0; i < left; i++) {
		ck_assert_uint_eq(events[i].recid, events[i].arg[1] + 1);
		ck_assert_int_eq(events[i].time_ns, (int64_t)events[i].arg[1] * 256);
	}
	assert_contains(made, "offset 96000: 96000 bytes are damaged");
	assert_contains(made, "offset 672000: 48 bytes are damaged");
}

TEST(many_damages)
{
	for (unsigned int i = 0; i < 100; i++)
		alloc(KMALLOC, i, i, i % 3 ? 100 : 0);
	save("cpu0");
	open_files();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 66);
	assert_contains(made, "cpu0: further damage is not reported individually\n");
}

/* ---- several files ---- */

static const struct {
	const char *name;
	const char *file[3];
	int32_t cpu[3];
	const char *report;
} names[] = {
	{ "numbers", { "cpu7", "cpu0", "cpu12" }, { 7, 0, 12 }, NULL },
	{ "parts of names", { "x.cpu2.bin", "cpu-cpu3", "vcpu1" }, { 2, 3, 1 }, NULL },
	{ "no numbers", { "a", "cpu0", "cpu" }, { 1, 0, 2 }, "a: its name has no CPU" },
	{ "large number", { "cpu8192", "cpu8191", "b" }, { 0, 8191, 1 }, "cpu8192: its name has no CPU" },
};

TEST_ROWS(cpus, names)
{
	char expected[128] = "";

	for (unsigned int i = 0; i < 3; i++) {
		alloc(KMALLOC, i, i, 100);
		alloc(KMALLOC, i, i, 100);
		save(names[_i].file[i]);
		sprintf(expected + strlen(expected), "%d:%u %d:%u ", names[_i].cpu[i], i,
			names[_i].cpu[i], i);
	}
	open_files();
	check_events(describe_time, expected);
	if (names[_i].report)
		assert_contains(made, names[_i].report);
	else
		ck_assert_str_eq(made, "");
}

TEST(same_cpu_twice)
{
	for (int i = 0; i < 2; i++) {
		alloc(KMALLOC, 0, 0, 100);
		save(i ? "new-cpu1" : "cpu1");
	}
	check_refused("/cpu1, its name says that it is from CPU 1");
}

TEST(two_byte_orders)
{
	for (int i = 0; i < 2; i++) {
		swapped = i;
		alloc(KMALLOC, 0, 0, 100);
		save(i ? "cpu1" : "cpu0");
	}
	check_refused("cpu1: has another byte order than ");
}

TEST(empty_file)
{
	save("cpu0");
	alloc(KMALLOC, 5, 1, 100);
	alloc(KMALLOC, 6, 2, 100);
	save("cpu1");
	open_files();
	check_events(describe_time, "1:0 1:1 ");
	ck_assert_str_eq(made, "");
}

TEST(other_file)
{
	alloc(KMALLOC, 5, 1, 100);
	save("cpu0");
	memcpy(bytes, "no event at all, but enough bytes", size = 33);
	save("cpu1");
	check_refused("cpu1: is not a file of kmemtrace");
}

TEST(missing_file)
{
	strcpy(paths[files++], dir_path("cpu0"));
	check_refused("cpu0: ");
}

/* ---- recognition ---- */

/* @value, if it is not 0: all bytes; otherwise, @num allocations of which @bad are damaged */
static const struct {
	const char *name;
	size_t num, bad;
	const char *text;
	enum kmemtrace_kind kind;
} kinds[] = {
	{ "no byte", 0, 0, NULL, KMEMTRACE_EMPTY },
	{ "an event", 1, 0, NULL, KMEMTRACE_EVENTS },
	{ "events", 1000, 0, NULL, KMEMTRACE_EVENTS },
	{ "one damaged", 100, 1, NULL, KMEMTRACE_EVENTS },
	{ "few damaged", 100, 40, NULL, KMEMTRACE_EVENTS },
	{ "most damaged", 100, 60, NULL, KMEMTRACE_OTHER },
	{ "all damaged", 100, 100, NULL, KMEMTRACE_OTHER },
	{ "text", 0, 0, "# a text that is longer than an event of kmemtrace\n", KMEMTRACE_OTHER },
	{ "short text", 0, 0, "1\n", KMEMTRACE_OTHER },
	{ "trace", 0, 0, TRACE_MAGIC "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", KMEMTRACE_OTHER },
};

TEST_ROWS(kind, kinds)
{
	for (int order = 0; order < 2; order++) {
		const char *text = kinds[_i].text, *guess;

		swapped = order;
		size = 0;
		for (unsigned int i = 0; i < kinds[_i].num; i++)
			alloc(KMALLOC, i, i, 100);
		memset(bytes, 0xff, kinds[_i].bad * 48);
		if (text)
			memcpy(bytes, text, size = strlen(text) < 8 ? strlen(text) : 40);
		save_as("f", bytes, size);
		ck_assert_int_eq(kmemtrace_kind(dir_path("f")), kinds[_i].kind);
		guess = file_kind(bytes, size < 4096 ? size : 4096);
		if (kinds[_i].kind == KMEMTRACE_EVENTS)
			assert_contains(guess, "a file of kmemtrace");
		else if (guess)
			ck_assert_ptr_null(strstr(guess, "kmemtrace"));
	}
}

/* The first 32 bytes are enough to say what the file is, for an error message. */
TEST(guess_from_32_bytes)
{
	alloc(KMALLOC, 1, 1, 100);
	assert_contains(file_kind(bytes, 32), "a file of kmemtrace");
	release(KMALLOC, 1, 1);
	assert_contains(file_kind(bytes + 48, 24), "a file of kmemtrace");
	ck_assert_ptr_null(file_kind(bytes, 23));
	memset(bytes, 0, 4096);
	ck_assert_ptr_null(file_kind(bytes, 4096));
}

TEST(kind_of_other_things)
{
	ck_assert_int_eq(kmemtrace_kind(dir_path("none")), KMEMTRACE_OTHER);
	ck_assert_int_eq(kmemtrace_kind(dir), KMEMTRACE_OTHER);
	ck_assert_int_eq(mkfifo(dir_path("fifo"), 0600), 0);
	ck_assert_int_eq(kmemtrace_kind(dir_path("fifo")), KMEMTRACE_OTHER);
}

/* ---- the other files ---- */

static const struct {
	const char *name;
	const char *abi, *overruns;
	const char *abi_value, *overruns_value; /* NULL: unknown */
	const char *report;
} numbers[] = {
	{ "no files", NULL, NULL, NULL, NULL, NULL },
	{ "numbers", "1\n", "480\n", "1", "480", NULL },
	{ "no newline", "1", "0", "1", "0", NULL },
	{ "another version", "2\n", NULL, "2", NULL, "version 2 of kmemtrace's format" },
	{ "not numbers", "x\n", "-1\n", NULL, NULL, NULL },
	{ "more than a number", "1 1\n", "0x10\n", NULL, NULL, NULL },
	{ "too large", NULL, "18446744073709551616\n", NULL, NULL, NULL },
	{ "largest", NULL, "18446744073709551615\n", NULL, "18446744073709551615", NULL },
};

static void check_number(const char *key, const char *expected)
{
	size_t len;
	const char *value = lkst_trace_system(trace, key, &len);

	ck_assert_int_eq(!value, !expected);
	if (expected) {
		ck_assert_uint_eq(len, strlen(expected));
		ck_assert(!memcmp(value, expected, len));
	}
}

TEST_ROWS(numbers_beside, numbers)
{
	alloc(KMALLOC, 1, 1, 100);
	save("cpu0");
	if (numbers[_i].abi)
		write_text(dir_path("abi_version"), numbers[_i].abi);
	if (numbers[_i].overruns)
		write_text(dir_path("total_overruns"), numbers[_i].overruns);
	open_files();
	check_number(KMEMTRACE_SYSTEM, "1");
	check_number(KMEMTRACE_SYSTEM_ABI, numbers[_i].abi_value);
	check_number(KMEMTRACE_SYSTEM_OVERRUNS, numbers[_i].overruns_value);
	if (numbers[_i].report)
		assert_contains(made, numbers[_i].report);
	else
		ck_assert_str_eq(made, "");
	ck_assert(!lkst_trace_incomplete(trace));
}

/* Only what kmemtrace can record counts as present. */
TEST(event_types)
{
	struct lkst_etypes *types;

	alloc(KMALLOC, 1, 1, 100);
	save("cpu0");
	open_files();
	types = lkst_trace_etypes(trace, &err);
	assert_made(types);
	for (uint32_t i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = lkst_etypes_get(types, i);

		if (type)
			ck_assert_int_eq(lkst_etype_present(type),
					 i >= LKST_ETYPE_MEM_KMALLOC && i <= LKST_ETYPE_MEM_PAGEFREE);
	}
	lkst_etypes_free(types);
}

/* ---- symbols ---- */

static const struct {
	const char *name;
	const char *text;
	const char *symbol; /* NULL: none */
} lists[] = {
	{ "found", "000000000000ca00 T caller\n000000000000d000 T next\n", "caller" },
	{ "module", "000000000000ca00 t caller\t[module]\n000000000000d000 T next\n", "caller" },
	{ "not found", "000000000001ca00 T caller\n000000000001d000 T next\n", NULL },
};

TEST_ROWS(symbol, lists)
{
	static char path[64];
	struct lkst_symbol found;

	alloc(KMALLOC, 1, 1, 100);
	save("cpu0");
	strcpy(path, dir_path("kallsyms"));
	write_text(path, lists[_i].text);
	symbols = path;
	open_files();
	ck_assert_int_eq(lkst_symbols_find(lkst_trace_context(trace)->symbols, 0xca11, &found),
			 lists[_i].symbol != NULL);
	if (lists[_i].symbol)
		ck_assert_str_eq(found.name, lists[_i].symbol);
	else
		assert_contains(made, "kallsyms: has no symbols of these call sites");
}

TEST(missing_symbols)
{
	alloc(KMALLOC, 1, 1, 100);
	save("cpu0");
	symbols = "/no/such/list";
	check_refused("/no/such/list: ");
}
