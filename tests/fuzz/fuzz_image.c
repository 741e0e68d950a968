// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the reader of memory images. Each input is read twice: first as an image whose offsets are
 * physical addresses, then as one whose offsets are not. Before the first read, the checksums in
 * the input are corrected, except on pages whose header is marked to keep them (sign_page()), and in
 * chunks of a history that are marked as well (sign_chunk()).
 */
#include <byteswap.h>
#include <string.h>

#include "../unit/image/mkimage.h"
#include "fuzz.h"
#include "lib/base/crc32c.h"
#include "lib/image/find.h"
#include "lib/image/history.h"
#include "lib/image/image.h"
#include "lib/image/source.h"
#include "lib/image/texts.h"
#include "lib/image/trace.h"
#include "lib/image/selection.h"
#include "lib/text/etypes.h"
#include "lib/trace/write.h"

#define PAGE	 ((size_t)LKST_IMAGE_PAGE)
#define MISSING	 "missing" /* a page that begins with this text is missing from the image */
#define REGION_MAX (1u << 20) /* in bytes; longer regions are skipped to save time */

/* ---- checksums ---- */

static bool is_header(const uint8_t *page)
{
	return !memcmp(page, LKST_IMAGE_MAGIC, sizeof(LKST_IMAGE_MAGIC));
}

/* Store at offset @at the CRC-32C of the bytes from @from up to, but not including, @to. */
static void sign(uint8_t *data, size_t at, size_t from, size_t to, bool swapped)
{
	uint32_t crc = lkst_crc32c(data + from, to - from), sum = swapped ? bswap_32(crc) : crc;

	memcpy(data + at, &sum, sizeof(sum));
}

static void sign_texts(uint8_t *data, size_t size, bool swapped)
{
	struct lkst_image_text text;
	uint64_t length;

	for (size_t at = 0; at + sizeof(text) <= size; at += (size_t)(length + 7) / 8 * 8) {
		memcpy(&text, data + at, sizeof(text));
		length = swapped ? bswap_64(text.length) : text.length;
		if (!text.kind || length > size - at - sizeof(text))
			break;
		sign(data + at, offsetof(struct lkst_image_text, checksum), sizeof(text),
		     sizeof(text) + (size_t)length, swapped);
		at += sizeof(text);
	}
}

/*
 * Correct the checksums of a header page and of the lists of names after it, unless the first
 * reserved byte of the header is 1.
 */
static void sign_page(uint8_t *page, size_t left)
{
	struct lkst_image_header header;
	bool swapped;
	uint32_t kind;

	memcpy(&header, page, sizeof(header));
	if (*(uint8_t *)header.reserved == 1)
		return;
	swapped = header.byte_order != LKST_IMAGE_BYTE_ORDER;
	kind = swapped ? bswap_32(header.kind) : header.kind;
	sign(page, offsetof(struct lkst_image_header, checksum),
	     offsetof(struct lkst_image_header, version), sizeof(header), swapped);
	if (kind == LKST_IMAGE_BUFFER || kind == LKST_IMAGE_LONG)
		sign(page + LKST_IMAGE_STATE, 0, offsetof(struct lkst_image_session, sequence),
		     offsetof(struct lkst_image_session, lap), swapped);
	if (kind == LKST_IMAGE_BOOT_SLOT)
		sign(page + LKST_IMAGE_STATE, 0, offsetof(struct lkst_image_boot_slot, sequence),
		     sizeof(struct lkst_image_boot_slot), swapped);
	if (kind == LKST_IMAGE_TEXTS && !header.copy)
		sign_texts(page + PAGE, left - PAGE, swapped);
}

static bool is_chunk(const uint8_t *data, bool *swapped)
{
	uint32_t magic;

	memcpy(&magic, data, sizeof(magic));
	*swapped = magic == bswap_32(LKST_CHUNK_MAGIC);
	return magic == LKST_CHUNK_MAGIC || *swapped;
}

/*
 * Correct the checksums of a chunk of a history, unless the highest byte of its length is not 0. In
 * that case the length is impossible anyway.
 */
static void sign_chunk(uint8_t *chunk, size_t left, bool swapped)
{
	const size_t head = sizeof(struct lkst_chunk_header);
	struct lkst_chunk_header header;
	uint64_t length;

	memcpy(&header, chunk, head);
	length = swapped ? bswap_64(header.length) : header.length;
	if (length >> 56)
		return;
	if (length <= left - head)
		sign(chunk, offsetof(struct lkst_chunk_header, payload_checksum), head,
		     head + (size_t)length, swapped);
	sign(chunk, offsetof(struct lkst_chunk_header, checksum), 0,
	     offsetof(struct lkst_chunk_header, checksum), swapped);
}

static void sign_image(uint8_t *data, size_t size)
{
	bool swapped;

	for (size_t at = 0; at + sizeof(struct lkst_chunk_header) <= size; at += 8)
		if (is_chunk(data + at, &swapped))
			sign_chunk(data + at, size - at, swapped);
	for (size_t at = 0; at + PAGE <= size; at += PAGE)
		if (is_header(data + at))
			sign_page(data + at, size - at);
}

/* ---- checks of the reader's results ---- */

/* Check the invariants of struct image_region that image.h documents. */
static void check_region(const struct image *image, const struct image_region *region)
{
	uint64_t end = 0;

	MUST(region->boot < image->boots);
	MUST(region->extents <= region->extent_num || region->kind != LKST_IMAGE_BOOT_SLOT);
	for (size_t i = 0; i < region->extents; i++) {
		const struct image_extent *e = &region->extent[i];

		MUST(e->offset >= end && e->length);
		MUST(e->found && e->found <= 3);
		end = e->offset + e->length;
		MUST(end > e->offset && end <= region->length);
	}
}

static void read_region(const struct image *image, const struct image_region *region)
{
	struct lkst_error err = { 0 };
	struct lkst_image_boot_slot slot;
	uint8_t buf[5000];

	image_boot_slot(image, region, &slot);
	for (uint64_t at = 0; region->length <= REGION_MAX && at < region->length;
	     at += sizeof(buf)) {
		ssize_t n = image_region_read(image, region, buf, sizeof(buf), at, &err);

		MUST(n >= 0 && n <= (ssize_t)sizeof(buf));
		MUST((uint64_t)n <= region->length - at);
	}
}

/* Check that two regions do not overlap, unless one is a slot of reserved memory. */
static void check_overlap(const struct image_region *a, const struct image_region *b)
{
	if (a->kind == LKST_IMAGE_BOOT_SLOT || b->kind == LKST_IMAGE_BOOT_SLOT)
		return;
	for (size_t i = 0; i < a->extents; i++)
		for (size_t k = 0; k < b->extents; k++)
			MUST(a->extent[i].at + a->extent[i].length <= b->extent[k].at ||
			     b->extent[k].at + b->extent[k].length <= a->extent[i].at);
}

static void query(const struct image *image, const uint8_t *data, size_t size)
{
	struct lkst_error err = { 0 };
	uint64_t value;
	uint8_t buf[64];
	size_t len;

	for (size_t i = 0; i < image->boots; i++) {
		MUST(strlen(image->boot[i].id_text) == 36);
		image_metadata(&image->boot[i], "release", &len);
		image_metadata_u64(&image->boot[i], "cpus", &value);
	}
	for (size_t at = 0; at + 8 <= size && at < 4096; at += 256) {
		ssize_t n;

		memcpy(&value, data + at, 8);
		n = image_physical_read(image, buf, sizeof(buf), value, &err);
		MUST(n >= 0 && n <= (ssize_t)sizeof(buf));
	}
}

/* Check the invariants of the parts of a history that trace/history.h and image/history.h document. */
static void check_history(const struct image_history *history)
{
	const struct trace_history_parts *parts = &history->parts;
	uint64_t events = 0;

	for (size_t i = 0; i < parts->num; i++) {
		const struct trace_history_part *part = &parts->part[i];

		MUST(part->first < part->end && part->end - part->first <= LKST_CHUNK_RECORDS);
		MUST(part->events <= part->end - part->first);
		MUST(part->length % 8 == 0 && part->offset % 8 == 0);
		MUST(part->region < history->image->regions);
		MUST(part->offset + part->length <= history->image->region[part->region].length);
		MUST(!i || part->first >= parts->part[i - 1].end);
		events += part->events;
	}
	MUST(events == history->events);
}

static void check_contents(const struct image *image)
{
	struct lkst_error err = { 0 };
	struct lkst_etypes *types = image_etypes(image, 0, &err);
	struct image_history history;

	MUST(types && !image_history_open(&history, image, types, NULL, &err));
	for (size_t i = 0; i < image->regions; i++) {
		const struct image_region *region = &image->region[i];
		const bool is_history = region->kind == LKST_IMAGE_HISTORY;
		struct image_contents contents;

		if (region->length > REGION_MAX)
			continue;
		if (is_history || region->kind == LKST_IMAGE_BUFFER) {
			MUST(!image_history_find(&history, region->boot, region->cpu, &err));
			check_history(&history);
		}
		MUST(!image_contents(image, region, types, &history, &contents, &err));
		MUST(contents.present <= region->length);
		MUST(is_history ||
		     contents.counts.records <= region->length / sizeof(struct lkst_event_record));
		MUST(!contents.timed || contents.first_ns <= contents.last_ns);
	}
	image_history_close(&history);
	lkst_etypes_free(types);
}

/* Write a trace of all records. For names and symbols, this also reads the kernel's memory. */
static void make_trace(const struct image *image, const struct image_hooks *hooks)
{
	const struct image_selection selection = { .cpu = -1, .id = -1, .root = "/nowhere" };
	struct lkst_error err = { 0 };
	struct lkst_trace_writer *writer;
	int fd;

	for (size_t i = 0; i < image->regions; i++)
		if (image->region[i].kind != LKST_IMAGE_BOOT_SLOT &&
		    image->region[i].length > REGION_MAX)
			return;
	fd = fuzz_file(NULL, 0);
	writer = lkst_trace_writer_fd(fd, "trace", &err);
	MUST(writer);
	if (image_trace(image, &selection, hooks, writer, NULL, &err))
		MUST_EXPLAIN(err);
	lkst_trace_writer_abort(writer);
	close(fd);
}

static void read_image(struct mkimage *memory, bool physical)
{
	unsigned int reports = 0;
	const struct image_hooks hooks = { .ctx = &reports, .report = count_report };
	struct image_source *source = mkimage_source(memory);
	struct lkst_error err = { 0 };
	struct image *image;

	source->physical = physical;
	image = image_scan(source, &hooks, &err);
	MUST(image);
	for (size_t i = 0; i < image->regions; i++) {
		check_region(image, &image->region[i]);
		read_region(image, &image->region[i]);
		for (size_t k = i + 1; k < image->regions; k++)
			check_overlap(&image->region[i], &image->region[k]);
		MUST(!i || image->region[i].boot >= image->region[i - 1].boot);
	}
	query(image, memory->data, memory->size);
	if (image->boots) {
		check_contents(image);
		make_trace(image, &hooks);
	}
	image_free(image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mkimage memory = { .data = malloc(size + 1), .size = size,
				  .missing = calloc(1, size / PAGE + 1) };

	MUST(memory.data && memory.missing);
	memcpy(memory.data, data, size);
	sign_image(memory.data, size);
	for (size_t at = 0; at + sizeof(MISSING) <= size; at += PAGE)
		memory.missing[at / PAGE] = !memcmp(memory.data + at, MISSING, sizeof(MISSING));
	read_image(&memory, true);
	read_image(&memory, false);
	free(memory.data);
	free(memory.missing);
	return 0;
}

/* ---- mutations that move or change single pages ---- */

/* Change a member of a header: flip a bit, store a boundary value, or let libFuzzer change it. */
static void mutate_header(uint8_t *page)
{
	static const uint64_t odd[] = { 0,	    1,		4095,	    4096,
					4097,	    8192,	65536,	    1u << 30,
					UINT32_MAX, 1ull << 60, UINT64_MAX, UINT64_MAX - 4095 };
	const size_t first = offsetof(struct lkst_image_header, version);
	const size_t end = offsetof(struct lkst_image_header, reserved);
	size_t at = first + (size_t)rand() % ((end - first) / 4) * 4;
	int change = rand() % 3;

	if (change == 0)
		page[at + (size_t)rand() % 4] ^= (uint8_t)(1 << rand() % 8);
	else if (change == 1)
		memcpy(page + at, &odd[(size_t)rand() % (sizeof(odd) / sizeof(*odd))],
		       rand() % 2 ? 4 : 8);
	else
		LLVMFuzzerMutate(page + at, 8, 8);
}

/* Let libFuzzer change up to 128 bytes, at an offset that is a multiple of 8. */
static void mutate_bytes(uint8_t *data, size_t size)
{
	size_t at = (size_t)rand() % (size / 8) * 8;
	size_t n = size - at < 128 ? size - at : 128;

	LLVMFuzzerMutate(data + at, n, n);
}

/* Swap two pages, copy one page over another one, or mark a page as missing. */
static void move_page(uint8_t *data, size_t pages)
{
	uint8_t page[LKST_IMAGE_PAGE];
	int change = rand() % 3;
	uint8_t *a = data + (size_t)rand() % pages * PAGE;
	uint8_t *b = data + (size_t)rand() % pages * PAGE;

	memcpy(page, a, PAGE);
	if (change == 0)
		memcpy(a, b, PAGE);
	if (change < 2)
		memcpy(b, page, PAGE);
	else
		memcpy(a, MISSING, sizeof(MISSING));
}

/* Change a hexadecimal digit of a number in the metadata. */
static void mutate_number(char *facts)
{
	size_t len = strnlen(facts, LKST_IMAGE_METADATA_LEN), at, digits;
	char *number;

	if (!len)
		return;
	at = (size_t)rand() % len;
	number = memmem(facts + at, len - at, "=0x", 3);
	digits = number ? strspn(number + 3, "0123456789abcdef") : 0;
	if (digits)
		number[3 + (size_t)rand() % digits] = "0123456789abcdef"[rand() % 16];
}

/* Change the metadata, or the state that follows it. */
static void mutate_rest(uint8_t *page)
{
	uint8_t *facts = page + offsetof(struct lkst_image_header, metadata);
	int change = rand() % 4;

	if (change == 0)
		mutate_bytes(facts, LKST_IMAGE_METADATA_LEN);
	else if (change == 1)
		mutate_number((char *)facts);
	else
		LLVMFuzzerMutate(page + LKST_IMAGE_STATE, 96, 96);
}

/*
 * Change a chunk of a history: flip a bit of its header, store a boundary value there, let libFuzzer
 * change its payload, clear its magic, or copy another chunk over it.
 */
static void mutate_chunk(uint8_t *data, size_t size)
{
	static const uint64_t odd[] = { 0, 1, 7, 8, 31, 32, 262272, 262273, UINT32_MAX, UINT64_MAX >> 8 };
	const size_t head = sizeof(struct lkst_chunk_header);
	size_t chunk[2] = { 0 }, num = 0;
	bool swapped;
	int change = rand() % 6;

	for (size_t at = 0; at + head + 64 <= size; at += 8)
		if (is_chunk(data + at, &swapped) && !(rand() % (int)(num++ / 2 + 1)))
			chunk[num % 2] = at;
	if (!num)
		return;
	if (change == 0)
		data[chunk[0] + (size_t)rand() % head] ^= (uint8_t)(1 << rand() % 8);
	else if (change == 1)
		memcpy(data + chunk[0] + 8 + 8 * (rand() % 2),
		       &odd[(size_t)rand() % (sizeof(odd) / sizeof(*odd))], 8);
	else if (change == 2)
		memset(data + chunk[0], 0, 4);
	else if (change == 3)
		memmove(data + chunk[0], data + chunk[1], head + 64);
	else
		LLVMFuzzerMutate(data + chunk[0] + head, 64, 64);
}

/* Mutate an image. @seed is passed to srand(). */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	size_t pages = size / PAGE, tries = 8;
	uint8_t *header;
	int change;

	srand(seed);
	if (!pages || !(rand() % 16)) {
		size = LLVMFuzzerMutate(data, size, max);
		sign_image(data, size);
		return size;
	}
	do
		header = data + (size_t)rand() % pages * PAGE;
	while (!is_header(header) && --tries);
	change = rand() % 8;
	if (change == 0)
		move_page(data, pages);
	else if (change >= 6)
		mutate_chunk(data, size);
	else if (change == 1)
		mutate_bytes(data, size);
	else if (change == 2)
		mutate_rest(header);
	else
		mutate_header(header);
	sign_image(data, size);
	return size;
}
