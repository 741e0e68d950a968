// SPDX-License-Identifier: GPL-2.0
/*
 * Reads one log file, and checks that each chunk is complete, that the chunks follow each other
 * without gaps, and that recids ascend.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <zstd.h>

#include "lib/base/crc32c.h"
#include "lib/trace/columns.h"
#include "lib/trace/format.h"
#include "logfiles.h"

/**
 * struct reader - position in a file
 * @file: description of the file, filled while it is read
 * @bytes: contents of the file
 * @at: offset of the next chunk in bytes
 * @last: one more than the last recid of the previous chunk with records, 0 before the first one
 * @back: number of chunks whose first recid was below @last
 */
struct reader {
	struct log_file *file;
	const unsigned char *bytes;
	uint64_t at;
	uint64_t last;
	unsigned int back;
};

struct chunk {
	struct lkst_chunk_header header;
	const void *payload; /* its contents, decompressed */
	uint64_t length; /* size of @payload in bytes */
};

/* Whether at least @size bytes of the file are left at the position of @reader. */
static bool whole(const struct reader *reader, uint64_t size)
{
	return reader->file->bytes - reader->at >= size;
}

static const void *decompress(const struct reader *reader, const struct chunk *chunk)
{
	static void *to;
	static uint64_t room;
	uint64_t raw = chunk->header.raw_length;
	size_t got;

	if (raw > room) {
		to = realloc(to, raw);
		bail_if(!to, "memory");
		room = raw;
	}
	got = ZSTD_decompress(to, room, chunk->payload, chunk->header.length);
	if (ZSTD_isError(got) || got != raw) {
		damage(reader->file->path, "chunk at %llu: cannot be decompressed",
		       (ull)reader->at);
		return NULL;
	}
	return to;
}

static const void *records_of(const struct reader *reader, struct chunk *chunk)
{
	static unsigned char payload[TRACE_COLUMNS_MAX];
	const void *columns = decompress(reader, chunk);

	if (!columns)
		return NULL;
	chunk->length = trace_columns_to(columns, chunk->header.raw_length, false, NULL, payload,
					 sizeof(payload));
	if (chunk->length > sizeof(struct lkst_records_header))
		return payload;
	damage(reader->file->path, "chunk at %llu: not records in columns", (ull)reader->at);
	return NULL;
}

/* Read the next chunk. Returns false at the end, and if the chunk is incomplete or damaged. */
static bool next_chunk(struct reader *reader, struct chunk *chunk)
{
	struct log_file *file = reader->file;
	struct lkst_chunk_header *header = &chunk->header;

	if (reader->at == file->bytes)
		return false;
	file->cut = !whole(reader, sizeof(*header));
	if (file->cut)
		return false;
	memcpy(header, reader->bytes + reader->at, sizeof(*header));
	if (header->magic != LKST_CHUNK_MAGIC ||
	    header->checksum !=
		    lkst_crc32c(header, offsetof(struct lkst_chunk_header, checksum))) {
		damage(file->path, "no chunk header at %llu", (ull)reader->at);
		return false;
	}
	file->cut = !whole(reader, sizeof(*header) + trace_padded(header->length));
	if (file->cut)
		return false;
	chunk->payload = reader->bytes + reader->at + sizeof(*header);
	chunk->length = header->raw_length;
	if (header->type == TRACE_SKIP)
		return true;
	if (header->payload_checksum != lkst_crc32c(chunk->payload, header->length)) {
		damage(file->path, "chunk at %llu, type %u: wrong checksum", (ull)reader->at,
		       header->type);
		return false;
	}
	if (header->compression == TRACE_COMPRESSION_ZSTD)
		chunk->payload = decompress(reader, chunk);
	else if (header->compression == TRACE_COMPRESSION_COLUMNS)
		chunk->payload = records_of(reader, chunk);
	else if (header->compression || header->length != header->raw_length)
		chunk->payload = NULL;
	return chunk->payload;
}

static void read_records(struct reader *reader, const struct chunk *chunk)
{
	const struct lkst_records_header *header = chunk->payload;
	const struct lkst_event_record *record = (const void *)(header + 1);
	struct log_file *file = reader->file;

	if (chunk->length < sizeof(*header) || header->record_size != sizeof(*record) ||
	    header->cpu != file->cpu || header->cpu >= CPUS_MAX ||
	    header->count != (chunk->length - sizeof(*header)) / sizeof(*record)) {
		damage(file->path, "chunk at %llu: wrong header", (ull)reader->at);
		return;
	}
	for (uint64_t recid = header->first_recid; recid < header->first_recid + header->count;
	     recid++, record++) {
		if (!record->clock)
			continue;
		if (record->event_type >= LKST_ETYPE_NUM)
			damage(file->path, "recid %llu: event type %#x", (ull)recid,
			       record->event_type);
		seen_record(header->cpu, recid, record);
	}
	if (header->first_recid < reader->last)
		reader->back++;
	reader->last = header->first_recid + header->count;
	if (!file->records || header->first_recid < file->first)
		file->first = header->first_recid;
	if (reader->last > file->next)
		file->next = reader->last;
	file->records += header->count;
}

static void read_log(struct reader *reader, const struct chunk *chunk)
{
	const struct trace_log *log = chunk->payload;

	if (chunk->length < sizeof(*log)) {
		damage(reader->file->path, "LOG chunk of %llu bytes", (ull)chunk->length);
		return;
	}
	reader->file->cpu = log->cpu;
	reader->file->serial = log->serial;
	reader->file->limit = log->limit;
}

static void read_loss(struct reader *reader, const struct chunk *chunk)
{
	const struct trace_loss *loss = chunk->payload;

	if (chunk->length < sizeof(*loss) || loss->cpu != reader->file->cpu)
		damage(reader->file->path, "LOSS chunk of %llu bytes", (ull)chunk->length);
	else
		seen_loss(loss->cpu, loss->first_recid, loss->number);
}

static void read_chunk(struct reader *reader, const struct chunk *chunk)
{
	struct log_file *file = reader->file;

	/* When a file is rewound, older chunks remain after END. */
	if (file->closed && (!file->limit || chunk->header.type == TRACE_END))
		damage(file->path, "chunk at %llu, after END", (ull)reader->at);
	file->chunks++;
	file->compressed += chunk->header.compression != TRACE_COMPRESSION_NONE;
	switch (chunk->header.type) {
	case TRACE_LOG:
		read_log(reader, chunk);
		break;
	case TRACE_RECORDS_RAW:
		read_records(reader, chunk);
		break;
	case TRACE_LOSS:
		read_loss(reader, chunk);
		break;
	case TRACE_SKIP:
		file->skipped++;
		break;
	case TRACE_END:
		file->closed = true;
		break;
	}
	reader->at += sizeof(chunk->header) + trace_padded(chunk->header.length);
}

static void read_chunks(struct reader *reader)
{
	const struct trace_file_header *header = (const void *)reader->bytes;
	struct log_file *file = reader->file;
	struct chunk chunk;

	file->cut = !whole(reader, sizeof(*header));
	if (file->cut)
		return;
	if (memcmp(header->magic, TRACE_MAGIC, sizeof(header->magic)) ||
	    header->byte_order != TRACE_BYTE_ORDER || header->version != TRACE_VERSION ||
	    header->checksum != lkst_crc32c(header, offsetof(struct trace_file_header, checksum))) {
		damage(file->path, "not a trace file");
		return;
	}
	for (reader->at = header->header_size; next_chunk(reader, &chunk);)
		read_chunk(reader, &chunk);
	if (file->cpu < 0)
		damage(file->path, "no LOG chunk");
	if (reader->back > !!file->limit)
		damage(file->path, "its recids go back %u times", reader->back);
	if (file->limit && file->bytes > file->limit)
		damage(file->path, "%llu bytes exceed its limit", (ull)file->bytes);
}

/* Whether the file's writer still holds a lock on the file; false if @fd is -1. */
static bool is_locked(int fd)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

void log_file_read(struct log_file *file)
{
	struct reader reader = { .file = file };
	int fd = open(file->path, O_RDONLY);
	struct stat stat;
	void *bytes;

	if (fd < 0 || fstat(fd, &stat)) {
		damage(file->path, "%s", strerror(errno));
		return;
	}
	file->growing = is_locked(fd);
	file->bytes = stat.st_size;
	bytes = file->bytes ? mmap(NULL, file->bytes, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
	bail_if(bytes == MAP_FAILED, "mmap");
	reader.bytes = bytes;
	read_chunks(&reader);
	if (bytes)
		munmap(bytes, file->bytes);
	close(fd);
}

bool log_file_grows(const char *path)
{
	int fd = open(path, O_RDONLY);
	bool grows = is_locked(fd);

	close(fd);
	return grows;
}
