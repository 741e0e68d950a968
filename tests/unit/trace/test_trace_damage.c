// SPDX-License-Identifier: GPL-2.0
/* Reading a trace that is damaged, cut off, or inconsistent. */
#include "lib/base/crc32c.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/files.h"
#include "lib/text/symbols.h"
#include "trace_case.h"

TESTS(.timeout = 300, .teardown = close_trace);

/* Open the first @size bytes of the file in memory. */
static void open_part(size_t size)
{
	open_trace(new_file(file.data, size));
}

TEST(test_cut_off_in_records)
{
	load_file(write_many(2, 4096 + 100));
	/* Cut the file off in CPU 1's second chunk, after 10.5 records. */
	open_part((size_t)((uint8_t *)find_chunk(TRACE_RECORDS_STD, 3) - file.data) + 32 + 128 +
		  10 * 112 + 56);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), 4096 + 100 + 4096 + 10);
	assert_contains(reports, "CPU 1, buffer 0: of the last 100 records, 10 are in the file");
	assert_contains(reports, "8302 records were read");
}

TEST_LOOP(test_cut_off_anywhere, 2)
{
	uint64_t last = 0;

	load_file(_i ? sample_oops_fd() : sample_fd());
	for (size_t cut = 0; cut < sizeof(struct trace_file_header); cut++) {
		ck_assert(!try_open(new_file(file.data, cut)));
		ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	}
	for (size_t cut = sizeof(struct trace_file_header); cut < file.size; cut++) {
		open_part(cut);
		/*
		 * A longer prefix of the file never has fewer records. No prefix contains the whole
		 * END chunk, so the reader always reports that the file is cut off.
		 */
		ck_assert_uint_ge(lkst_trace_records(trace), last);
		last = lkst_trace_records(trace);
		ck_assert_uint_eq(read_all(LKST_NEWEST_FIRST), last);
		ck_assert_msg(strstr(reports, "truncated after") != NULL, "%zu", cut);
		ck_assert_ptr_null(strstr(reports, "are shown"));
		ck_assert(lkst_trace_incomplete(trace));
	}
	ck_assert_uint_eq(last, _i ? SAMPLE_OOPS_RECORDS : SAMPLE_RECORDS);
}

TEST(test_cut_off_in_context)
{
	struct lkst_symbols *symbols;
	struct lkst_chunk_header *chunk;
	struct lkst_symbol symbol;

	/* Cut the file off in the middle of the second symbol. */
	load_file(sample_oops_fd());
	chunk = find_chunk(TRACE_SYMBOLS, 0);
	open_part((size_t)((uint8_t *)(chunk + 1) - file.data) + chunk->length - 20);
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	symbols = lkst_trace_context(trace)->symbols;
	ck_assert(lkst_symbols_find(symbols, SAMPLE_CODE, &symbol));
	ck_assert(!lkst_symbols_find(symbols, SAMPLE_CODE + 0x100, &symbol));
	assert_contains(reports, "truncated after");
	ck_assert_ptr_null(strstr(reports, "symbols"));
}

/*
 * The list of values or symbols in a chunk is invalid, although the chunk's checksum is valid.
 * Events are then shown without these names.
 */
static const struct {
	int type;
	size_t at;
	const char *message;
} bad[] = {
	{ TRACE_VALUES, 3, "not a list of values" },
	{ TRACE_VALUES, 20, "names of values:2: " },
	{ TRACE_SYMBOLS, 3, "not a list of symbols" },
	{ TRACE_SYMBOLS, 20, "symbols:2: address expected" },
	{ TRACE_FILES, 3, "not file names" },
	{ TRACE_FILES, 20, "file names:2: invalid time" },
};

TEST_EACH(test_bad_context, bad)
{
	struct lkst_chunk_header *chunk;

	load_file(sample_oops_fd());
	chunk = find_chunk(bad[_i].type, 0);
	((char *)(chunk + 1))[bad[_i].at] = 'x';
	sign(chunk);
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	assert_contains(reports, bad[_i].message);
	assert_contains(reports, "are shown");
	ck_assert_int_eq(lkst_files_empty(lkst_trace_context(trace)->files),
			 bad[_i].type == TRACE_FILES);
	ck_assert(lkst_trace_incomplete(trace));
	ck_assert_int_eq(!lkst_trace_context(trace)->values, bad[_i].type == TRACE_VALUES);
	ck_assert_int_eq(!lkst_trace_context(trace)->symbols, bad[_i].type == TRACE_SYMBOLS);
	/* If the checksum is wrong as well, the reader does not even look at the list. */
	((char *)(chunk + 1))[bad[_i].at] = '!';
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_OOPS_RECORDS);
	assert_contains(reports, "damaged (checksum)");
	ck_assert_ptr_null(strstr(reports, bad[_i].message));
}

/* ---- values that are changed in the sample, whose chunks have 6 records each ---- */

#define SET(type, from, member, value) \
	{ (from) + offsetof(type, member), sizeof(((type *)0)->member), value }
#define CHUNK(member, value) SET(struct lkst_chunk_header, 0, member, value)
#define HEADER(member, value) \
	SET(struct lkst_records_header, sizeof(struct lkst_chunk_header), member, value)
#define STD TRACE_RECORDS_STD
#define BAD "records at byte"

static const struct {
	const char *name;
	int type, n; /* type and index of the chunk */
	struct {
		size_t at, size;
		uint64_t value;
	} set[2];
	bool sign; /* correct the checksums */
	size_t lost; /* number of records that cannot be read */
	const char *messages[3];
} changes[] = {
	{ "test_damaged_chunk", STD, 1, { { 232, 1, 0xa5 } }, false, 6,
	  { "chunk of type 5", "checksum", "18 records are in the file, of 24 that were written" } },
	{ "test_damaged_length", STD, 1, { CHUNK(length, 5) }, false, 6, { "damaged from byte" } },
	{ "test_unknown_chunk", TRACE_PROCESSES, 0, { CHUNK(type, 77) }, true, 0, { "type 77" } },
	{ "test_compressed", STD, 2, { CHUNK(compression, 1) }, true, 6, { "damaged (zstd)" } },
	/* Wrong buffer headers, in chunks with valid checksums. */
	{ "test_more_records", STD, 0, { HEADER(count, 7) }, true, 6, { BAD } },
	{ "test_huge_count", STD, 0, { HEADER(count, UINT64_MAX) }, true, 6, { BAD } },
	{ "test_empty_records", STD, 0, { HEADER(record_size, 0) }, true, 6, { BAD } },
	/* Only 10 records of this size would fit. */
	{ "test_smaller_records", STD, 0, { HEADER(record_size, 64), HEADER(count, 11) }, true, 6,
	  { BAD } },
	{ "test_negative_cpu", STD, 0, { HEADER(cpu, (uint32_t)-2) }, true, 6, { BAD } },
	{ "test_too_many_records", STD, 0, { HEADER(count, 4097) }, true, 6, { BAD } },
};

TEST_ROWS(test_changed_value, changes)
{
	struct lkst_chunk_header *chunk;

	load_file(sample_fd());
	chunk = find_chunk(changes[_i].type, changes[_i].n);
	for (int i = 0; i < 2; i++)
		memcpy((char *)chunk + changes[_i].set[i].at, &changes[_i].set[i].value,
		       changes[_i].set[i].size);
	if (changes[_i].sign)
		sign(chunk);
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_RECORDS - changes[_i].lost);
	for (int i = 0; i < 3 && changes[_i].messages[i]; i++)
		assert_contains(reports, changes[_i].messages[i]);
}

/*
 * The highest CPU number that the reader distinguishes, 8191, and higher ones. The test stores each
 * of them in the header of a buffer and in a record.
 */
static const int32_t cpus[] = { 8191, 8192, INT32_MAX };

TEST_EACH(test_strange_cpus, cpus)
{
	struct lkst_records_header *header;
	struct lkst_chunk_header *chunk;
	struct lkst_log_record *record;

	load_file(sample_fd());
	chunk = find_chunk(STD, 0);
	header = (void *)(chunk + 1);
	header->cpu = cpus[_i];
	sign(chunk);
	chunk = find_chunk(STD, 1);
	header = (void *)(chunk + 1);
	record = (void *)(header + 1);
	header->cpu = -1;
	header->buffer = LKST_BUFFER_ID_VOID;
	record->posix.log_processor = cpus[_i];
	record[1].posix.log_processor = -5;
	sign(chunk);
	open_file();
	ck_assert_uint_eq(read_all(LKST_OLDEST_FIRST), SAMPLE_RECORDS);
	ck_assert_int_eq(lkst_trace_has_cpu(trace, cpus[_i]), cpus[_i] < 8192);
}

TEST(test_no_etypes)
{
	struct lkst_chunk_header *chunk;
	struct lkst_etypes *types;

	load_file(sample_fd());
	chunk = find_chunk(TRACE_ETYPES, 0);
	((char *)(chunk + 1))[3] = '!';
	sign(chunk);
	open_file();
	types = lkst_trace_etypes(trace, &err);
	ck_assert_ptr_nonnull(types);
	assert_contains(reports, "those of this tool are used");
	ck_assert_str_eq(lkst_etype(types, 0x030)->name, "system_call_entry");
	lkst_etypes_free(types);
}

/* ---- single bytes that are changed; tests/fuzz makes other changes ---- */

/* Correct the checksums of all chunks up to the first one that does not fit in the file. */
static void sign_file(void)
{
	struct trace_file_header *header = (void *)file.data;
	struct lkst_chunk_header *chunk;

	header->checksum = lkst_crc32c(header, offsetof(struct trace_file_header, checksum));
	for (size_t at = sizeof(*header); at + sizeof(*chunk) <= file.size;
	     at += sizeof(*chunk) + trace_padded(chunk->length)) {
		chunk = (void *)(file.data + at);
		if (chunk->length > file.size - at - sizeof(*chunk)) {
			chunk->checksum = lkst_crc32c(chunk, offsetof(struct lkst_chunk_header,
								      checksum));
			break;
		}
		sign(chunk);
	}
}

/* Return the number of records in the file in memory, or -1 if the file is refused. */
static int64_t count_records(void)
{
	size_t num;

	if (!try_open(new_file(file.data, file.size)))
		return -1;
	num = read_all(LKST_NEWEST_FIRST);
	ck_assert_uint_le(num, lkst_trace_records(trace));
	return (int64_t)num;
}

/*
 * Change one byte of a sample at a time, and read the file after each change. In the long text of
 * event types, change only every 30th byte. The reader must not crash or hang, and the sanitizers
 * detect invalid accesses.
 */
static void change_bytes(bool oops, bool signed_again)
{
	static const uint8_t change[] = { 0x01, 0x80, 0xff };
	const int64_t records = oops ? SAMPLE_OOPS_RECORDS : SAMPLE_RECORDS;
	const struct lkst_chunk_header *types;
	size_t first, end;
	uint8_t *sample;

	load_file(oops ? sample_oops_fd() : sample_fd());
	ck_assert_int_eq(count_records(), records);
	ck_assert_str_eq(reports, "");
	sample = memcpy(malloc(file.size), file.data, file.size);
	types = find_chunk(TRACE_ETYPES, 0);
	first = (size_t)((const uint8_t *)(types + 1) - file.data);
	end = first + types->length - 30;
	for (size_t i = 0; i < file.size; i += i >= first && i < end ? 30 : 1) {
		int64_t num;

		file.data[i] ^= change[(i + i / 30) % sizeof(change)];
		if (signed_again)
			sign_file();
		num = count_records();
		/*
		 * A checksum detects any change of a single byte outside padding. A change in
		 * padding may go unreported, but it must not make any records unreadable.
		 */
		ck_assert_msg(signed_again || num == records || num < 0 || *reports,
			      "byte %zu: records are missing and nothing is said", i);
		memcpy(file.data, sample, file.size);
	}
	free(sample);
}

TEST_LOOP(test_changed_byte, 2)
{
	change_bytes(_i, false);
}

TEST_LOOP(test_changed_byte_signed, 2)
{
	change_bytes(_i, true);
}
