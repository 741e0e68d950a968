// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads the kernel's symbol list (kallsyms) from the kernel's memory. Names are compressed with a
 * table of 256 tokens. For each block of 256 names, a marker holds the offset at which the block
 * begins in the compressed names. Blocks that are not completely in the image are skipped.
 */
#include <byteswap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/symbols.h"
#include "messages.h"

#define SYMS_MAX     (1u << 22)
#define BLOCK	     256
#define NAME_MAX_LEN (2 + 0x3fff) /* maximum length of a compressed name, with its length field */
#define BLOCK_MAX    (BLOCK * 512) /* bytes; no real block is longer */
#define TOKENS	     256
#define TOKEN_MAX    512

struct kallsyms {
	struct image_kernel *kernel;
	uint64_t num_at;
	uint64_t names;
	uint64_t token_table;
	uint64_t token_index;
	uint64_t offsets; /* 0: the list has addresses instead */
	uint64_t addresses;
	bool has_base; /* offsets are relative to @base, not to the places where they are stored */
	uint64_t base;
	uint64_t absolute_percpu;
	uint64_t markers; /* 0: unknown */
	uint32_t num;
	char token[TOKENS][TOKEN_MAX];
	uint64_t address[BLOCK];
	uint8_t block[BLOCK_MAX];
	uint64_t text; /* address of _text according to the list */
};

static int image_kallsyms_damaged(struct lkst_error *err)
{
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_KALLSYMS);
	return -1;
}

static int image_kallsyms_find_list(struct kallsyms *list, struct lkst_error *err)
{
	const struct image_kernel_number numbers[] = {
		{ "kallsyms_num_syms", &list->num_at },
		{ "kallsyms_names", &list->names },
		{ "kallsyms_token_table", &list->token_table },
		{ "kallsyms_token_index", &list->token_index },
	};
	struct image_kernel *kernel = list->kernel;
	uint64_t base_at;

	if (image_kernel_numbers(kernel, numbers, sizeof(numbers) / sizeof(*numbers), err))
		return -1;
	image_kernel_u64(kernel, "kallsyms_markers", &list->markers);
	image_kernel_u64(kernel, "kallsyms_absolute_percpu", &list->absolute_percpu);
	if (!image_kernel_u32(kernel, list->num_at, &list->num) || list->num > SYMS_MAX)
		return image_kallsyms_damaged(err);
	if (image_kernel_u64(kernel, "kallsyms_addresses", &list->addresses))
		return 0;
	if (!image_kernel_u64(kernel, "kallsyms_offsets", &list->offsets))
		return image_kallsyms_damaged(err);
	list->has_base = image_kernel_u64(kernel, "kallsyms_relative_base", &base_at);
	if (list->has_base && !image_kernel_long(kernel, base_at, &list->base))
		return image_kallsyms_damaged(err);
	return 0;
}

static bool kallsyms_read_tokens(struct kallsyms *list)
{
	uint16_t index[TOKENS];

	if (!image_kernel_read(list->kernel, index, sizeof(index), list->token_index))
		return false;
	for (int i = 0; i < TOKENS; i++) {
		uint64_t at;

		if (image_kernel_swapped(list->kernel))
			index[i] = bswap_16(index[i]);
		at = list->token_table + index[i];
		/* Read byte by byte: the last token may end where the available memory does. */
		for (size_t k = 0;; k++) {
			if (k == TOKEN_MAX ||
			    !image_kernel_read(list->kernel, &list->token[i][k], 1, at + k))
				return false;
			if (!list->token[i][k])
				break;
		}
	}
	return true;
}

/* Compute the address of symbol @number from its offset. */
static uint64_t kallsyms_from_offset(const struct kallsyms *list, uint32_t number, uint32_t offset)
{
	if (!list->has_base)
		return list->offsets + sizeof(offset) * (uint64_t)number +
		       (uint64_t)(int64_t)(int32_t)offset;
	if (!list->absolute_percpu)
		return list->base + offset;
	if ((int32_t)offset >= 0)
		return offset;
	return list->base - 1 - (uint64_t)(int64_t)(int32_t)offset;
}

/* Read the addresses of @num symbols, beginning with symbol @first. */
static bool kallsyms_read_addresses(struct kallsyms *list, uint32_t first, uint32_t num)
{
	const unsigned int size = image_kernel_long_size(list->kernel);
	uint32_t offset[BLOCK];

	if (!list->offsets) {
		for (uint32_t i = 0; i < num; i++)
			if (!image_kernel_long(list->kernel,
					       list->addresses + (uint64_t)size * (first + i),
					       &list->address[i]))
				return false;
		return true;
	}
	if (!image_kernel_read(list->kernel, offset, num * sizeof(*offset),
			       list->offsets + sizeof(*offset) * (uint64_t)first))
		return false;
	for (uint32_t i = 0; i < num; i++) {
		if (image_kernel_swapped(list->kernel))
			offset[i] = bswap_32(offset[i]);
		list->address[i] = kallsyms_from_offset(list, first + i, offset[i]);
	}
	return true;
}

/* Expand the name at @p. Returns the length of its compressed form in bytes; 0 if it is invalid. */
static size_t image_kallsyms_expand(const struct kallsyms *list, const uint8_t *p, size_t left,
				    char *name)
{
	size_t len, used = 1, out = 0;

	if (!left)
		return 0;
	len = p[0];
	if (len & 0x80) {
		if (left < 2)
			return 0;
		len = (len & 0x7f) | (size_t)p[1] << 7;
		used = 2;
	}
	if (!len || left < used + len)
		return 0;
	for (size_t i = 0; i < len && out < SYMBOL_NAME_MAX + 1; i++)
		for (const char *token = list->token[p[used + i]]; *token; token++)
			if (out < SYMBOL_NAME_MAX + 1)
				name[out++] = *token;
	name[out] = 0;
	return used + len;
}

static void kallsyms_put_block(struct kallsyms *list, const uint8_t *p, size_t len, uint32_t num,
			       FILE *to)
{
	char name[SYMBOL_NAME_MAX + 2]; /* the first character is the kind of the symbol */

	for (uint32_t i = 0; i < num; i++) {
		size_t used = image_kallsyms_expand(list, p, len, name);

		p += used;
		len -= used;
		if (!symbol_good_word(name, SYMBOL_NAME_MAX + 1) || !name[1])
			continue;
		if (!strcmp(name + 1, "_text"))
			list->text = list->address[i];
		fprintf(to, "%016llx %c %s\n", (unsigned long long)list->address[i], name[0],
			name + 1);
	}
}

/*
 * Return the total length of @num compressed names in bytes; 0 if one of them is invalid, or they
 * do not fit into @len bytes.
 */
static size_t kallsyms_names_length(const struct kallsyms *list, const uint8_t *p, size_t len,
				    uint32_t num)
{
	char name[SYMBOL_NAME_MAX + 2];
	size_t all = 0;

	for (uint32_t i = 0; i < num; i++) {
		size_t used = image_kallsyms_expand(list, p + all, len - all, name);

		if (!used)
			return 0;
		all += used;
	}
	return all;
}

/*
 * Write a symbol that marks a gap. Without this symbol, the addresses in the gap would be
 * attributed to the last symbol before the gap.
 */
static void kallsyms_put_gap(const struct kallsyms *list, bool addresses, FILE *to)
{
	if (addresses)
		fprintf(to, "%016llx d symbols_are_missing_here\n",
			(unsigned long long)list->address[0]);
}

/* Read up to @most bytes at @at, but stop at a missing byte. Returns the number of bytes read. */
static size_t kallsyms_read_some(struct kallsyms *list, uint64_t at, size_t most)
{
	size_t len = 0;

	while (len < most) {
		size_t part = 4096 - (at + len) % 4096;

		part = part < most - len ? part : most - len;
		if (!image_kernel_read(list->kernel, list->block + len, part, at + len))
			break;
		len += part;
	}
	return len;
}

/* Write a block's symbols. Returns the address of the next block's names; 0 if it is unknown. */
static uint64_t kallsyms_take_block(struct kallsyms *list, uint64_t at, uint32_t first, FILE *to)
{
	uint32_t num = list->num - first < BLOCK ? list->num - first : BLOCK, from, end;
	bool addresses = kallsyms_read_addresses(list, first, num);
	bool marked =
		list->markers && first + BLOCK < list->num &&
		image_kernel_u32(list->kernel, list->markers + 4ull * (first / BLOCK), &from) &&
		image_kernel_u32(list->kernel, list->markers + 4ull * (first / BLOCK + 1), &end) &&
		end > from && end - from <= BLOCK_MAX;
	size_t len, used;

	if (marked)
		at = list->names + from;
	len = at ? kallsyms_read_some(list, at, marked ? end - from : BLOCK_MAX) : 0;
	used = kallsyms_names_length(list, list->block, len, num);
	if (!used || !addresses || (marked && used != end - from))
		kallsyms_put_gap(list, addresses, to);
	else
		kallsyms_put_block(list, list->block, len, num, to);
	if (marked)
		return list->names + end;
	return used ? at + used : 0;
}

/**
 * image_kallsyms() - write the symbols of the kernel itself
 * @kernel: memory of the kernel
 * @to: output, in the format of /proc/kallsyms
 * @err: set if they cannot be read
 */
int image_kallsyms(struct image_kernel *kernel, FILE *to, struct lkst_error *err)
{
	struct kallsyms *list = calloc(1, sizeof(*list));
	uint64_t at, text;
	int ret;

	if (!list) {
		lkst_error_memory(err, "the kernel's symbols");
		return -1;
	}
	list->kernel = kernel;
	ret = image_kallsyms_find_list(list, err);
	if (!ret && !kallsyms_read_tokens(list))
		ret = image_kallsyms_damaged(err);
	at = list->names;
	for (uint32_t first = 0; !ret && first < list->num && (at || list->markers); first += BLOCK)
		at = kallsyms_take_block(list, at, first, to);
	/*
	 * Check that the list belongs to this kernel, and that it was decoded correctly. With
	 * markers, _text may be missing from the list, because its block may have been skipped.
	 */
	if (!ret && (!image_kernel_u64(kernel, "text", &text) ||
		     (list->text ? list->text != text : !list->markers)))
		ret = image_kallsyms_damaged(err);
	free(list);
	return ret;
}
