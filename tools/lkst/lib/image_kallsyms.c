// SPDX-License-Identifier: LGPL-2.1
/*
 * The kernel's list of its symbols, as it lies in its memory: names are made of 256 tokens, a block
 * of 256 names has a marker that tells where it begins. A block that is not whole is left out.
 */
#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "image_kernel.h"
#include "messages.h"
#include "symbols.h"

#define SYMS_MAX     (1u << 22)
#define BLOCK	     256
#define NAME_MAX_LEN (2 + 0x3fff) /* bytes of one name, the length included */
#define BLOCK_MAX    (BLOCK * 512) /* bytes: there are none as long as that */
#define TOKENS	     256
#define TOKEN_MAX    512

struct kallsyms {
	struct image_kernel *kernel;
	uint64_t num_at;
	uint64_t names;
	uint64_t token_table;
	uint64_t token_index;
	uint64_t offsets; /* 0: there are addresses instead */
	uint64_t addresses;
	bool has_base; /* else an offset is from where it is */
	uint64_t base;
	uint64_t absolute_percpu;
	uint64_t markers; /* 0: not known */
	uint32_t num;
	char token[TOKENS][TOKEN_MAX];
	uint64_t address[BLOCK];
	uint8_t block[BLOCK_MAX];
	uint64_t text; /* where _text is, as the list has it */
};

static int damaged(struct lkst_error *err)
{
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_IMAGE_KALLSYMS);
	return -1;
}

static int find_list(struct kallsyms *list, struct lkst_error *err)
{
	const struct image_kernel_u64 facts[] = {
		{ "kallsyms_num_syms", &list->num_at },
		{ "kallsyms_names", &list->names },
		{ "kallsyms_token_table", &list->token_table },
		{ "kallsyms_token_index", &list->token_index },
	};
	struct image_kernel *kernel = list->kernel;
	uint64_t base_at;

	if (image_kernel_numbers(kernel, facts, sizeof(facts) / sizeof(*facts), err))
		return -1;
	image_kernel_u64(kernel, "kallsyms_markers", &list->markers);
	image_kernel_u64(kernel, "kallsyms_absolute_percpu", &list->absolute_percpu);
	if (!image_kernel_u32(kernel, list->num_at, &list->num) || list->num > SYMS_MAX)
		return damaged(err);
	if (image_kernel_u64(kernel, "kallsyms_addresses", &list->addresses))
		return 0;
	if (!image_kernel_u64(kernel, "kallsyms_offsets", &list->offsets))
		return damaged(err);
	list->has_base = image_kernel_u64(kernel, "kallsyms_relative_base", &base_at);
	if (list->has_base && !image_kernel_long(kernel, base_at, &list->base))
		return damaged(err);
	return 0;
}

static bool read_tokens(struct kallsyms *list)
{
	uint16_t index[TOKENS];

	if (!image_kernel_read(list->kernel, index, sizeof(index), list->token_index))
		return false;
	for (int i = 0; i < TOKENS; i++) {
		uint64_t at;

		if (image_kernel_swapped(list->kernel))
			index[i] = bswap_16(index[i]);
		at = list->token_table + index[i];
		/* The last one may end where the memory that is there does. */
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

/* The one with this @number. */
static uint64_t from_offset(const struct kallsyms *list, uint32_t number, uint32_t offset)
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

/* Where symbols are, from @first on. */
static bool read_addresses(struct kallsyms *list, uint32_t first, uint32_t num)
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
		list->address[i] = from_offset(list, first + i, offset[i]);
	}
	return true;
}

/* A name at @p. Returns how many bytes it takes there, 0: it is none. */
static size_t image_kallsyms_expand(const struct kallsyms *list, const uint8_t *p, size_t left, char *name)
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

static void put_block(struct kallsyms *list, const uint8_t *p, size_t len, uint32_t num, FILE *to)
{
	char name[SYMBOL_NAME_MAX + 2]; /* its kind comes first */

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

/* Whether @num names take these bytes, all or, if it is not known how many, some of them. */
static size_t names_length(const struct kallsyms *list, const uint8_t *p, size_t len, uint32_t num)
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

/* So that what is in the gap is not taken for what precedes it. */
static void put_gap(const struct kallsyms *list, bool addresses, FILE *to)
{
	if (addresses)
		fprintf(to, "%016llx d symbols_are_missing_here\n",
			(unsigned long long)list->address[0]);
}

/* As much as is there, up to @most. */
static size_t read_some(struct kallsyms *list, uint64_t at, size_t most)
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

/* Returns where the next block begins, 0: nobody knows. */
static uint64_t take_block(struct kallsyms *list, uint64_t at, uint32_t first, FILE *to)
{
	uint32_t num = list->num - first < BLOCK ? list->num - first : BLOCK, from, end;
	bool addresses = read_addresses(list, first, num);
	bool marked =
		list->markers && first + BLOCK < list->num &&
		image_kernel_u32(list->kernel, list->markers + 4ull * (first / BLOCK), &from) &&
		image_kernel_u32(list->kernel, list->markers + 4ull * (first / BLOCK + 1), &end) &&
		end > from && end - from <= BLOCK_MAX;
	size_t len, used;

	if (marked)
		at = list->names + from;
	len = at ? read_some(list, at, marked ? end - from : BLOCK_MAX) : 0;
	used = names_length(list, list->block, len, num);
	if (!used || !addresses || (marked && used != end - from))
		put_gap(list, addresses, to);
	else
		put_block(list, list->block, len, num, to);
	if (marked)
		return list->names + end;
	return used ? at + used : 0;
}

/**
 * image_kallsyms() - the symbols of the kernel itself
 * @kernel: its memory
 * @to: takes lines as in /proc/kallsyms
 * @err: why there are none
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
	ret = find_list(list, err);
	if (!ret && !read_tokens(list))
		ret = damaged(err);
	at = list->names;
	for (uint32_t first = 0; !ret && first < list->num && (at || list->markers); first += BLOCK)
		at = take_block(list, at, first, to);
	/* It is this kernel's list, and its form is the one that is known here. */
	if (!ret && (!image_kernel_u64(kernel, "text", &text) ||
		     (list->text ? list->text != text : !list->markers)))
		ret = damaged(err);
	free(list);
	return ret;
}
