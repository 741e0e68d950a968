// SPDX-License-Identifier: GPL-2.0
/*
 * Make compressed chunks of records, as tools/lkst/lib/trace/pack.c does. All
 * memory is allocated in advance.
 */
#include <linux/align.h>
#include <linux/kconfig.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/stddef.h>
#include <linux/zstd.h>

#include "../base/compat.h"
#include "../memory/memory.h"
#include "columns.h"
#include "pack.h"

/*
 * Whether LKST may call the kernel's zstd. If this is 0, the compiler removes
 * all calls.
 */
#define LKST_HAVE_ZSTD		IS_REACHABLE(CONFIG_ZSTD_COMPRESS)

/*
 * Level 3, the usual one, would save 3 % of the space, and take 25 % more time.
 */
#define LKST_PACK_LEVEL		1

/**
 * struct lkst_packer - memory for compression
 * @columns: memory for lkst_columns_make()
 * @parameters: parameters of the compression
 * @context: zstd's state, in @workspace
 * @bytes: size of this structure and @workspace in bytes
 * @input: records as columns
 * @output: a compressed payload
 * @workspace: zstd's memory
 */
struct lkst_packer {
	struct lkst_columns columns;
	zstd_parameters parameters;
	zstd_cctx *context;
	size_t bytes;
	u8 input[LKST_COLUMNS_LENGTH(LKST_CHUNK_RECORDS)];
	u8 output[sizeof(struct lkst_records)];
	u64 workspace[];
};

/* Whether the kernel can compress records. */
bool lkst_pack_possible(void)
{
	return LKST_HAVE_ZSTD;
}

/**
 * lkst_packer_open() - allocate memory for compression
 *
 * Context: may sleep.
 *
 * Return: the memory, which counts towards the limit on LKST's memory; NULL: no
 * memory, or lkst_pack_possible() is false.
 */
struct lkst_packer *lkst_packer_open(void)
{
	zstd_parameters parameters;
	struct lkst_packer *packer;
	size_t workspace, bytes;

	if (!LKST_HAVE_ZSTD)
		return NULL;
	parameters = zstd_get_params(LKST_PACK_LEVEL, sizeof(packer->input));
	workspace = zstd_cctx_workspace_bound(&parameters.cParams);
	bytes = sizeof(*packer) + workspace;
	if (!lkst_memory_charge(bytes))
		return NULL;
	packer = kvzalloc(bytes, GFP_KERNEL);
	if (packer) {
		packer->bytes = bytes;
		packer->parameters = parameters;
		packer->context = zstd_init_cctx(packer->workspace, workspace);
		if (packer->context)
			return packer;
	}
	kvfree(packer);
	lkst_memory_uncharge(bytes);
	return NULL;
}

/**
 * lkst_packer_close() - free memory for compression
 * @packer: from lkst_packer_open(), or NULL
 *
 * Context: may sleep.
 */
void lkst_packer_close(struct lkst_packer *packer)
{
	if (!packer)
		return;
	lkst_memory_uncharge(packer->bytes);
	kvfree(packer);
}

/*
 * Compress the columns to less than @room bytes. Returns the length of the
 * result in bytes, or 0 if it is not shorter.
 */
static size_t lkst_pack_compress(struct lkst_packer *packer, size_t room, size_t length)
{
	size_t result;

	if (!LKST_HAVE_ZSTD)
		return 0;
	result = zstd_compress_cctx(packer->context, packer->output, room, packer->input, length,
				    &packer->parameters);
	/* An error code is a huge number. zstd_is_error() belongs to the decompressor. */
	return result < room ? result : 0;
}

/**
 * lkst_pack() - make a chunk of records
 * @packer: memory for compression
 * @records: the records, at least one
 * @chunk: receives the header of the chunk
 *
 * If compression does not make the chunk shorter, it is not compressed.
 *
 * Context: may sleep. One call at a time for each @packer.
 *
 * Return: the payload, @chunk->length bytes, valid until the next call and as
 * long as @records.
 */
const void *lkst_pack(struct lkst_packer *packer, const struct lkst_records *records,
		      struct lkst_chunk_header *chunk)
{
	size_t columns, packed, length = offsetof(struct lkst_records, record) +
		records->header.count * sizeof(*records->record);
	const void *payload = packer->output;

	columns = lkst_columns_make(&packer->columns, &records->header, records->record,
				    packer->input);
	packed = lkst_pack_compress(packer, length, columns);
	cond_resched();
	*chunk = (struct lkst_chunk_header) {
		.magic = LKST_CHUNK_MAGIC,
		.type = LKST_CHUNK_RECORDS_RAW,
		.compression = LKST_CHUNK_COLUMNS,
		.length = packed,
		.raw_length = columns,
	};
	if (!packed) {
		payload = records;
		chunk->compression = LKST_CHUNK_NONE;
		chunk->length = length;
		chunk->raw_length = length;
	}
	chunk->payload_checksum = lkst_crc32c(payload, chunk->length);
	chunk->checksum = lkst_crc32c(chunk, offsetof(struct lkst_chunk_header, checksum));
	return payload;
}
