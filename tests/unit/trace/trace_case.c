// SPDX-License-Identifier: GPL-2.0
#include <sys/stat.h>
#include <sys/types.h>

#include "lib/base/crc32c.h"
#include "lib/base/temporary.h"
#include "room.h"
#include "swap.h"
#include "trace_case.h"

struct lkst_trace *trace;
struct lkst_event *events;
char reports[REPORTS_MAX];
struct file file;
struct lkst_trace_writer *writer;

static int trace_fd = -1; /* descriptor of the trace, or -1; closed together with the trace */
static int written_fd; /* descriptor of the file that is being written, or -1 */

static void __attribute__((constructor)) have_events(void)
{
	events = room(EVENTS_MAX * sizeof(*events));
}

static void add_report(void *ctx, const char *text)
{
	(void)ctx;
	strncat(reports, text, sizeof(reports) - strlen(reports) - 2);
	strcat(reports, "\n");
}

const struct lkst_trace_hooks hooks = { .report = add_report };

/* ---- reading ---- */

void close_trace(void)
{
	lkst_trace_close(trace);
	trace = NULL;
	if (trace_fd >= 0)
		close(trace_fd);
	trace_fd = -1;
	reports[0] = 0;
}

static bool try_open_with(int fd, const struct lkst_trace_hooks *with)
{
	close_trace();
	trace_fd = fd;
	trace = lkst_trace_open_fd(fd, "T", with, &err);
	if (!trace) {
		ck_assert_int_ne(err.code, LKST_ERR_NONE);
		assert_begins(err.text, "T: ");
	}
	return trace;
}

/* Open a trace. Return false if it is refused. Either way, close_trace() closes @fd later. */
bool try_open(int fd)
{
	return try_open_with(fd, &hooks);
}

void open_trace(int fd)
{
	ck_assert_msg(try_open(fd), "%s", err.text);
}

/* Open the long rings of a trace. */
void open_long(int fd)
{
	const struct lkst_trace_hooks with = { .report = add_report,
					       .flags = LKST_TRACE_LONG_RINGS };

	ck_assert_msg(try_open_with(fd, &with), "%s", err.text);
}

void open_paths(const char *const *path, size_t num)
{
	close_trace();
	trace = lkst_trace_open_files(path, num, &hooks, &err);
	assert_made(trace);
}

/* Read all events into events[]. Return their number. */
size_t read_all(enum lkst_order order)
{
	size_t num = 0;
	int ret;

	ck_assert_int_eq(lkst_trace_rewind(trace, order, &err), 0);
	while ((ret = lkst_trace_next(trace, &events[num], &err)) > 0)
		if (++num == EVENTS_MAX)
			ck_abort_msg("more than %d events", EVENTS_MAX - 1);
	ck_assert_int_eq(ret, 0);
	return num;
}

/*
 * Describe all events with @describe, oldest first, and check that the concatenated descriptions
 * equal @expected. Reading newest first must return the reverse order. Afterwards, events[] holds
 * the events, oldest first.
 */
void check_events(void (*describe)(const struct lkst_event *event, char *text),
		  const char *expected)
{
	for (int order = LKST_NEWEST_FIRST; order >= LKST_OLDEST_FIRST; order--) {
		const size_t num = read_all(order);
		char text[1024] = "";

		for (size_t i = 0; i < num; i++)
			describe(&events[order == LKST_OLDEST_FIRST ? i : num - 1 - i],
				 text + strlen(text));
		ck_assert_str_eq(text, expected);
	}
}

/* ---- changing ---- */

/* Load a file into memory, and close it. */
void load_file(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	free(file.data);
	file.size = (size_t)st.st_size;
	file.data = malloc(file.size + 1);
	ck_assert_int_eq(pread(fd, file.data, file.size, 0), st.st_size);
	close(fd);
}

/* Return the descriptor of a new unnamed file with this content. */
int new_file(const void *data, size_t size)
{
	int fd = lkst_temporary_file(&err);

	ck_assert_int_eq(pwrite(fd, data, size, 0), (ssize_t)size);
	return fd;
}

/* Open the file in memory as a trace. */
void open_file(void)
{
	open_trace(new_file(file.data, file.size));
}

/* Return the header of chunk @n of this type, counted from 0. */
struct lkst_chunk_header *find_chunk(int type, int n)
{
	struct lkst_chunk_header *chunk;

	for (size_t at = sizeof(struct trace_file_header); at < file.size;
	     at += sizeof(*chunk) + trace_padded(chunk->length)) {
		chunk = (void *)(file.data + at);
		if (chunk->type == type && !n--)
			return chunk;
	}
	ck_abort_msg("the file has no such chunk of type %d", type);
}

/* Correct the checksums of a chunk. */
void sign(struct lkst_chunk_header *chunk)
{
	chunk->payload_checksum = lkst_crc32c(chunk + 1, chunk->length);
	chunk->checksum = lkst_crc32c(chunk, offsetof(struct lkst_chunk_header, checksum));
}

/* ---- the opposite byte order ---- */

/* Return the layout of the arguments of an event, in the format of swap(). */
static const char *argument_words(int type)
{
	switch (type) {
	case LKST_ETYPE_PROCESS_EXEC:
	case LKST_ETYPE_INT_HARDWARE_ENTRY:
	case LKST_ETYPE_SYSCALL_PATH:
	case LKST_ETYPE_LKST_MORE:
		return "8...";
	case LKST_ETYPE_PROCESS_CONTEXTSWITCH:
	case LKST_ETYPE_PROCESS_FORK:
	case LKST_ETYPE_PROCESS_STATE:
		return "88..";
	case LKST_ETYPE_PROCESS_EXIT:
		return "88.8";
	}
	return "8888";
}

static void swap_payload(int type, void *payload, size_t length)
{
	const struct lkst_records_header *header = payload;
	const uint64_t records = trace_type_has_records((unsigned int)type) ? header->count : 0;
	const bool raw = records && header->record_size == sizeof(struct lkst_event_record);
	void *end = (char *)payload + length;

	if (type == TRACE_END)
		swap(payload, "88");
	if (type == TRACE_LOSS)
		swap(payload, "4488");
	if (type == TRACE_LOG)
		swap(payload, "448");
	while (type == TRACE_PROCESSES && payload < end)
		payload = swap(payload, "44..");
	if (records)
		payload = swap(payload, "4444" "888888888" ".." "44" "844");
	for (uint64_t i = 0; i < records; i++) {
		const int event = ((struct lkst_log_record *)payload)->posix.log_event_type;

		if (raw)
			payload = swap(payload, SWAP_EVENT_RECORD);
		else
			payload = swap(swap(payload, "4488" "44444444" "8844"),
				       argument_words(event));
	}
}

/*
 * Convert the file in memory to the file that a machine with the opposite byte order would write.
 */
void swap_file(void)
{
	struct trace_file_header *header = (void *)file.data;

	for (size_t at = sizeof(*header), next; at < file.size; at = next) {
		struct lkst_chunk_header *chunk = (void *)(file.data + at);
		const size_t length = chunk->length;

		next = at + sizeof(*chunk) + trace_padded(length);
		swap_payload(chunk->type, chunk + 1, length);
		chunk->payload_checksum = lkst_crc32c(chunk + 1, length);
		swap(chunk, "422884");
		chunk->checksum = lkst_crc32c(chunk, offsetof(struct lkst_chunk_header, checksum));
		swap(&chunk->checksum, "4");
	}
	swap(header, ".42284");
	header->checksum = lkst_crc32c(header, offsetof(struct trace_file_header, checksum));
	swap(&header->checksum, "4");
}

/* ---- writing ---- */

/* Begin to write a trace, to an unnamed file if @path is NULL. */
void begin_trace(const char *path)
{
	written_fd = path ? -1 : lkst_temporary_file(&err);
	writer = path ? lkst_trace_writer_create(path, &err) :
			lkst_trace_writer_fd(written_fd, "T", &err);
	ck_assert_msg(writer != NULL, "%s", err.text);
}

void put_records(int32_t cpu, lkst_buffer_id buffer, const struct lkst_log_record *record,
		 size_t num)
{
	struct lkst_log_buffer header = sample_buffer(cpu, buffer);

	ck_assert_int_eq(lkst_trace_write_records(writer, &header, record, num, &err), 0);
}

/*
 * Commit the trace and close the writer. Return the descriptor of the unnamed file, or -1 if the
 * file has a name.
 */
int commit_trace(void)
{
	ck_assert_int_eq(lkst_trace_writer_commit(writer, NULL), 0);
	return written_fd;
}

/* Write the chunk that ends a trace, and commit the trace like commit_trace(). */
int end_trace(void)
{
	ck_assert_int_eq(lkst_trace_write_end(writer, &err), 0);
	return commit_trace();
}

/* Write a trace of @cpus CPUs with @records records each, 10 ns apart. Return its descriptor. */
int write_many(int32_t cpus, uint64_t records)
{
	struct lkst_log_record *record = room(records * sizeof(*record));

	begin_trace(NULL);
	for (int32_t cpu = 0; cpu < cpus; cpu++) {
		for (uint64_t i = 0; i < records; i++)
			record[i] = sample_record(cpu, i, (int64_t)i * 10 + cpu, 0x030, 1, NULL);
		put_records(cpu, 0, record, records);
	}
	room_free(record, records * sizeof(*record));
	return end_trace();
}
