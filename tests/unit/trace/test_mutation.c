// SPDX-License-Identifier: GPL-2.0
/*
 * Damaged trace files: the tests change single bytes and several random bytes of the sample traces,
 * and read and print the files, with the wrong checksums and with corrected ones. The reader must
 * not crash, hang or invent records. The sanitizers detect invalid accesses. tests/fuzz makes other
 * changes.
 */
#include <fcntl.h>
#include "lib/base/crc32c.h"
#include "lib/text/etypes.h"
#include "lib/text/format.h"
#include "lib/text/out.h"
#include "trace_case.h"

static uint8_t *data; /* a copy of file.data; the tests change the copy */
static int64_t sample_records;

/* Load the sample trace, or the sample trace of an oops. */
static void load(bool oops)
{
	load_file(oops ? sample_oops_fd() : sample_fd());
	sample_records = oops ? SAMPLE_OOPS_RECORDS : SAMPLE_RECORDS;
	free(data);
	data = malloc(file.size);
	memcpy(data, file.data, file.size);
}

static uint32_t random_state;

static uint32_t next_random(void)
{
	random_state = random_state * 1664525 + 1013904223;
	return random_state;
}

/*
 * Return the index of the next byte to change after byte @i. In the long text of event types, only
 * every 30th byte is changed.
 */
static size_t next_byte(size_t i)
{
	const struct trace_chunk_header *chunk;
	size_t first, end;

	for (size_t at = sizeof(struct trace_file_header); at < file.size; at = end) {
		chunk = (const void *)(file.data + at);
		first = at + sizeof(*chunk);
		end = first + trace_padded(chunk->length);
		if (chunk->type == TRACE_ETYPES && i >= first && i + 30 < end)
			return i + 30;
	}
	return i + 1;
}

static unsigned int reported;

static void count_report(void *ctx, const char *text)
{
	(void)ctx;
	ck_assert_ptr_nonnull(text);
	reported++;
}

/*
 * Read and print a trace, and count the reports about it. Return the number of records, or -1 if
 * the file is refused.
 */
static int64_t digest(const uint8_t *bytes, size_t size)
{
	const struct lkst_trace_hooks counts = { .report = count_report };
	const struct lkst_format_options opt = { .verbose = true };
	struct lkst_format format;
	struct lkst_etypes *types;
	struct lkst_event event;
	struct lkst_out out;
	int64_t records = 0;
	int fd = new_file(bytes, size), null, ret;

	reported = 0;
	trace = lkst_trace_open_fd(fd, "T", &counts, &err);
	if (!trace) {
		ck_assert_int_ne(err.code, LKST_ERR_NONE);
		ck_assert_int_eq(strncmp(err.text, "T: ", 3), 0);
		close(fd);
		return -1;
	}
	null = open("/dev/null", O_WRONLY);
	types = lkst_trace_etypes(trace, &err);
	ck_assert_ptr_nonnull(types);
	ck_assert_int_eq(lkst_out_open(&out, null, &err), 0);
	lkst_format_init(&format, &out, types, lkst_trace_context(trace), &opt);
	ck_assert_int_eq(lkst_trace_rewind(trace, LKST_NEWEST_FIRST, &err), 0);
	for (; (ret = lkst_trace_next(trace, &event, &err)) > 0; records++) {
		lkst_format_event(&format, &event);
		lkst_format_csv(&format, &event);
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_int_le(records, (int64_t)lkst_trace_records(trace));
	lkst_out_flush(&out);
	lkst_out_close(&out);
	lkst_etypes_free(types);
	close_trace();
	close(fd);
	close(null);
	return records;
}

/* Return a changed value for byte @i of the sample. */
static uint8_t changed(size_t i)
{
	static const uint8_t change[] = { 0x01, 0x80, 0xff };

	return file.data[i] ^ change[(i + i / 30) % sizeof(change)];
}

TESTS(.timeout = 300);

TEST_LOOP(test_changed_byte, 2)
{
	load(_i);
	ck_assert_int_eq(digest(data, file.size), sample_records);
	ck_assert_uint_eq(reported, 0);
	for (size_t i = 0; i < file.size; i = next_byte(i)) {
		int64_t records;

		data[i] = changed(i);
		records = digest(data, file.size);
		/*
		 * A checksum detects any change of a single byte outside padding. In padding, a
		 * change may go unreported, but then no record may be missing.
		 */
		ck_assert_msg(records == sample_records || reported || records < 0,
			      "byte %zu: records are missing and nothing is said", i);
		data[i] = file.data[i];
	}
}

/* Correct the checksums of all chunks up to the first one that does not fit in the file. */
static void sign_data(void)
{
	struct trace_file_header *head = (void *)data;
	size_t at = sizeof(*head);

	head->checksum = lkst_crc32c(head, offsetof(struct trace_file_header, checksum));
	while (at + sizeof(struct trace_chunk_header) <= file.size) {
		struct trace_chunk_header *chunk = (void *)(data + at);
		size_t room = file.size - at - sizeof(*chunk);

		if (chunk->length <= room)
			chunk->payload_checksum = lkst_crc32c(chunk + 1, chunk->length);
		chunk->checksum = lkst_crc32c(chunk, offsetof(struct trace_chunk_header, checksum));
		if (chunk->length > room)
			break;
		at += sizeof(*chunk) + trace_padded(chunk->length);
	}
}

TEST_LOOP(test_changed_byte_signed, 2)
{
	load(_i);
	for (size_t i = 0; i < file.size; i = next_byte(i)) {
		memcpy(data, file.data, file.size);
		data[i] = changed(i);
		sign_data();
		digest(data, file.size);
	}
}

TEST_LOOP(test_random_damage, 2)
{
	load(_i);
	random_state = 1;
	for (int round = 0; round < 2000; round++) {
		memcpy(data, file.data, file.size);
		for (int n = round % 20; n >= 0; n--) {
			const uint32_t random = next_random();

			data[random % file.size] = (uint8_t)(random >> 24);
		}
		if (round & 1)
			sign_data();
		digest(data, file.size);
	}
}

TEST(test_noise)
{
	uint8_t noise[4096];

	load(false);
	random_state = 7;
	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (uint8_t)(next_random() >> 24);
		/* In every other round, the random bytes follow a valid file header. */
		if (round & 1)
			memcpy(noise, file.data, 32);
		ck_assert_int_eq(digest(noise, sizeof(noise)), round & 1 ? 0 : -1);
		ck_assert(reported || !(round & 1));
	}
}

TEST(test_etypes_text)
{
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	size_t len;
	char *text = lkst_etypes_text(types, &len, &err);

	lkst_etypes_free(types);
	for (size_t i = 0; i < len && i < 1500; i++) {
		static const char change[] = { '"', '\\', '\n', ' ', '\0', ':', ',', '\377' };

		for (size_t k = 0; k < sizeof(change); k++) {
			char was = text[i];

			text[i] = change[k];
			types = lkst_etypes_parse(text, 1500, "T", &err);
			lkst_etypes_free(types);
			text[i] = was;
		}
		types = lkst_etypes_parse(text, i, "T", &err);
		lkst_etypes_free(types);
	}
	free(text);
}
