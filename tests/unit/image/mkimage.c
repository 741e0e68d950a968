// SPDX-License-Identifier: GPL-2.0
#include <byteswap.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/crc32c.h"
#include "lib/image/source.h"
#include "mkimage.h"
#include "must.h"
#include "room.h"
#include "swap.h"

#define PAGE   ((size_t)LKST_IMAGE_PAGE)
#define NATIVE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)

#define HEADER "." "4444" ".." "88888" "444444" /* struct lkst_image_header, up to @reserved */

/* Convert a structure to the byte order of the boot's machine, or back. */
static void convert(const struct mkboot *boot, void *data, const char *layout)
{
	if (boot->swapped)
		swap(data, layout);
}

/* Return the CRC-32C in the boot's byte order. */
static uint32_t checksum(const struct mkboot *boot, const void *data, size_t len)
{
	uint32_t crc = lkst_crc32c(data, len);

	return boot->swapped ? bswap_32(crc) : crc;
}

/* Unlike rand(), mrand48() returns the same numbers on all machines. */
static void put_noise(uint8_t *page)
{
	for (size_t i = 0; i < PAGE; i++)
		page[i] = (uint8_t)mrand48();
}

struct mkimage *mkimage_new(size_t size)
{
	struct mkimage *image = calloc(1, sizeof(*image));

	MUST(image && size && size % PAGE == 0);
	image->room = size;
	image->data = room(size);
	image->missing = calloc(1, size / PAGE);
	MUST(image->missing);
	image->size = size;
	return image;
}

void mkimage_free(struct mkimage *image)
{
	room_free(image->data, image->room);
	free(image->missing);
	free(image);
}

uint8_t *mkimage_at(struct mkimage *image, uint64_t physical)
{
	if (image->hole && physical >= image->hole) {
		MUST(physical >= image->hole + image->hole_length);
		physical -= image->hole_length;
	}
	MUST(physical < image->size);
	return image->data + physical;
}

void mkboot_init(struct mkboot *boot, unsigned int n)
{
	*boot = (struct mkboot){ .long_size = 8, .khz = 2000000 };
	memset(boot->id, (int)n, sizeof(boot->id));
	mkboot_fact(boot, "release", "6.1.0-mkimage");
	mkboot_fact(boot, "version", "#1 SMP mkimage");
	mkboot_fact(boot, "machine", "x86_64");
	mkboot_fact(boot, "cpus", "0x2");
	mkboot_fact(boot, "page_size", "0x1000");
	mkboot_fact(boot, "long", "0x8");
}

void mkboot_fact(struct mkboot *boot, const char *key, const char *value)
{
	size_t len = strlen(boot->metadata), room = sizeof(boot->metadata) - len;

	MUST((size_t)snprintf(boot->metadata + len, room, "%s=%s\n", key, value) < room);
}

void mkregion_init(struct mkregion *region, struct mkimage *image, struct mkboot *boot,
		   uint32_t kind, int32_t cpu, int32_t id)
{
	*region = (struct mkregion){ .image = image, .boot = boot, .number = ++boot->regions,
				     .kind = kind, .cpu = cpu, .id = id };
}

void mkregion_add(struct mkregion *region, uint64_t physical, uint64_t length)
{
	MUST(region->extents < MKIMAGE_EXTENTS && physical % PAGE == 0 && length);
	region->extent[region->extents++] = (struct mkextent){ physical, length };
	region->length += length;
}

uint64_t mkregion_header_at(const struct mkregion *region, size_t extent, unsigned int copy)
{
	const struct mkextent *e = &region->extent[extent];

	MUST(extent < region->extents && copy < 2);
	return e->physical + (copy ? PAGE + (e->length + PAGE - 1) / PAGE * PAGE : 0);
}

uint8_t *mkregion_state(const struct mkregion *region, unsigned int copy)
{
	return mkimage_at(region->image, mkregion_header_at(region, 0, copy)) + LKST_IMAGE_STATE;
}

void mkregion_get_header(struct mkregion *region, size_t extent, unsigned int copy,
			 struct lkst_image_header *header)
{
	memcpy(header, mkimage_at(region->image, mkregion_header_at(region, extent, copy)),
	       sizeof(*header));
	convert(region->boot, header, HEADER);
}

void mkregion_put_header(struct mkregion *region, size_t extent, unsigned int copy,
			 const struct lkst_image_header *header)
{
	const size_t from = offsetof(struct lkst_image_header, version);
	struct lkst_image_header h = *header;

	convert(region->boot, &h, HEADER);
	h.checksum = checksum(region->boot, &h.version, sizeof(h) - from);
	memcpy(mkimage_at(region->image, mkregion_header_at(region, extent, copy)), &h, sizeof(h));
}

static void sign_extent(struct mkregion *region, size_t extent, uint64_t offset, unsigned int copy)
{
	const struct mkboot *boot = region->boot;
	struct lkst_image_header header = {
		.magic = LKST_IMAGE_MAGIC,
		.version = LKST_IMAGE_VERSION,
		.byte_order = LKST_IMAGE_BYTE_ORDER,
		.kind = region->kind,
		.physical = mkregion_header_at(region, extent, copy),
		.region = region->number,
		.region_length = region->length,
		.offset = offset,
		.length = region->extent[extent].length,
		.extent = (uint32_t)extent,
		.extent_num = (uint32_t)region->extents,
		.copy = copy,
		.cpu = region->cpu,
		.id = region->id,
		.long_size = boot->long_size,
	};

	memcpy(header.boot, boot->id, sizeof(header.boot));
	memcpy(header.metadata, boot->metadata, sizeof(header.metadata));
	mkregion_put_header(region, extent, copy, &header);
}

void mkregion_sign(struct mkregion *region)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < region->extents; i++) {
		sign_extent(region, i, offset, 0);
		sign_extent(region, i, offset, 1);
		offset += region->extent[i].length;
		MUST(offset % PAGE == 0 || i + 1 == region->extents);
	}
}

uint64_t mkregion_lay(struct mkregion *region, uint64_t physical, uint64_t length,
		      uint64_t extent_length)
{
	MUST(extent_length);
	while (length) {
		uint64_t part = length < extent_length ? length : extent_length;

		mkregion_add(region, physical, part);
		physical = mkregion_header_at(region, region->extents - 1, 1) + PAGE;
		length -= part;
	}
	mkregion_sign(region);
	return physical;
}

uint64_t mkregion_single(struct mkregion *region, struct mkimage *image, struct mkboot *boot,
			 uint32_t kind, uint64_t physical, uint64_t length)
{
	mkregion_init(region, image, boot, kind, -1, LKST_BUFFER_ID_VOID);
	return mkregion_lay(region, physical, length, length);
}

/* Return the address of a byte of the region. */
static uint64_t place_of(const struct mkregion *region, uint64_t offset)
{
	const struct mkextent *e = region->extent;

	MUST(offset < region->length);
	for (; offset >= e->length; e++)
		offset -= e->length;
	return e->physical + PAGE + offset;
}

void mkregion_put(struct mkregion *region, uint64_t offset, const void *data, size_t len)
{
	const uint8_t *from = data;

	while (len--)
		*mkimage_at(region->image, place_of(region, offset++)) = *from++;
}

void mkregion_lose_header(struct mkregion *region, size_t extent, unsigned int copy)
{
	put_noise(mkimage_at(region->image, mkregion_header_at(region, extent, copy)));
}

/* ---- LKST_IMAGE_BUFFER and LKST_IMAGE_LONG ---- */

uint64_t mkregion_buffer(struct mkregion *region, struct mkimage *image, struct mkboot *boot,
			 struct mkbuffer buffer)
{
	uint64_t end;

	mkregion_init(region, image, boot,
		      buffer.id == LKST_BUFFER_ID_LONG ? LKST_IMAGE_LONG : LKST_IMAGE_BUFFER,
		      buffer.cpu, buffer.id);
	end = mkregion_lay(region, buffer.at, buffer.length, buffer.extent);
	mkregion_session(region, buffer.first, buffer.first_recid, buffer.wall);
	mkregion_records(region, buffer.from ? buffer.from : buffer.first, buffer.end);
	return end;
}

void mkregion_put_session(struct mkregion *region, unsigned int copy,
			  const struct lkst_image_session *session)
{
	struct lkst_image_session s = *session;

	convert(region->boot, &s, "448844888888");
	s.checksum = checksum(region->boot, &s.sequence,
			      offsetof(struct lkst_image_session, lap) -
				      offsetof(struct lkst_image_session, sequence));
	memcpy(mkregion_state(region, copy), &s, sizeof(s));
}

void mkregion_put_sessions(struct mkregion *region, const struct lkst_image_session *session)
{
	mkregion_put_session(region, 0, session);
	mkregion_put_session(region, 1, session);
}

void mkregion_lose_sessions(struct mkregion *region)
{
	for (unsigned int copy = 0; copy < 2; copy++)
		memset(mkregion_state(region, copy), 0, sizeof(region->session));
}

static uint64_t mkregion_slots(const struct mkregion *region)
{
	return region->length / sizeof(struct lkst_event_record);
}

void mkregion_session(struct mkregion *region, uint64_t first, uint64_t first_recid, int64_t wall)
{
	region->session = (struct lkst_image_session){
		.sequence = region->session.sequence + 1,
		.first = first,
		.first_recid = first_recid,
		.clock = LKST_CLOCK_TSC,
		.khz = region->boot->khz,
		.clock_start = 1000000,
		.monotonic = 5000000000,
		.wall = wall,
		.boottime = 5000000000,
		.lap = first / mkregion_slots(region),
	};
	if (region->kind == LKST_IMAGE_LONG) {
		region->session.clock = LKST_CLOCK_NS;
		region->session.khz = 1000000;
		region->session.clock_start = (uint64_t)region->session.monotonic;
	}
	mkregion_put_sessions(region, &region->session);
}

void mkregion_lap(struct mkregion *region, uint64_t lap)
{
	region->session.lap = lap;
	mkregion_put_sessions(region, &region->session);
}

struct lkst_event_record mkregion_expected(const struct mkregion *region, uint64_t position)
{
	const struct lkst_image_session *session = &region->session;
	uint32_t tid = 1000 + (uint32_t)(position % 100);

	return (struct lkst_event_record){
		.clock = session->clock_start + (position - session->first) * 1000 + 1,
		.event_type = (uint16_t)(0x030 + position % 2),
		.flags = LKST_RECORD_HARDIRQ * (position % 3 == 0),
		.thread = tid,
		.pid = tid,
		.pgrp = 1000,
		.uid = 100,
		.gid = 101,
		.arg = { position, (uint64_t)region->cpu, (uint64_t)region->id, ~position },
	};
}

void mkregion_record(struct mkregion *region, uint64_t position, struct lkst_event_record record)
{
	uint64_t slots = mkregion_slots(region);

	record.flags &= LKST_RECORD_FLAGS;
	record.flags |= (uint16_t)(position / slots << LKST_RECORD_LAP_SHIFT);
	convert(region->boot, &record, SWAP_EVENT_RECORD);
	mkregion_put(region, position % slots * sizeof(record), &record, sizeof(record));
}

void mkregion_records(struct mkregion *region, uint64_t from, uint64_t to)
{
	for (uint64_t position = from; position < to; position++)
		mkregion_record(region, position, mkregion_expected(region, position));
	if (from < to)
		mkregion_lap(region, (to - 1) / mkregion_slots(region));
}

uint64_t mkregion_slot_at(const struct mkregion *region, uint64_t slot)
{
	return place_of(region, slot * sizeof(struct lkst_event_record));
}

/* ---- other kinds of regions ---- */

void mkregion_static(struct mkregion *region, uint64_t recid, int32_t cpu, uint32_t clock,
		     struct lkst_event_record record)
{
	uint64_t slots = region->length / (sizeof(record) + sizeof(struct lkst_image_slot));
	struct lkst_image_slot slot = { .state = 2 * (recid + 1), .cpu = cpu, .clock = clock };

	convert(region->boot, &record, SWAP_EVENT_RECORD);
	convert(region->boot, &slot, "844");
	mkregion_put(region, recid % slots * sizeof(record), &record, sizeof(record));
	mkregion_put(region, slots * sizeof(record) + recid % slots * sizeof(slot), &slot,
		     sizeof(slot));
}

uint64_t mkregion_text(struct mkregion *region, uint64_t offset, uint32_t kind, const char *text)
{
	size_t len = strlen(text);
	struct lkst_image_text header = { .kind = kind, .length = len };

	MUST(offset % 8 == 0);
	convert(region->boot, &header, "448");
	header.checksum = checksum(region->boot, text, len);
	mkregion_put(region, offset, &header, sizeof(header));
	mkregion_put(region, offset + sizeof(header), text, len);
	return (offset + sizeof(header) + len + 7) / 8 * 8;
}

void mkregion_boot_slot(struct mkregion *region, uint32_t slot, uint32_t slot_num, uint64_t number,
			uint32_t state)
{
	struct lkst_image_boot_slot p = { 0, 1, number, state, slot, slot_num, 0 };

	convert(region->boot, &p, "4484444");
	p.checksum = checksum(region->boot, &p.sequence, sizeof(p) - sizeof(p.checksum));
	for (unsigned int copy = 0; copy < 2; copy++)
		memcpy(mkregion_state(region, copy), &p, sizeof(p));
}

void mkimage_damage(struct mkimage *image, unsigned int permille, unsigned int seed,
		    enum mkimage_damage damage, uint8_t *page)
{
	srand48(seed);
	for (size_t i = 0; i < image->size / PAGE; i++) {
		if (lrand48() % 1000 >= permille)
			continue;
		if (damage == MKIMAGE_NOISE)
			put_noise(image->data + i * PAGE);
		else
			image->missing[i] = 1;
		page[i] = (uint8_t)damage;
	}
}

/* ---- reading the image ---- */

/*
 * Return the offset of the first byte at or after @at that is present or, if @present is false,
 * missing.
 */
static uint64_t next_page(const struct mkimage *image, uint64_t at, bool present)
{
	while (at < image->size && image->missing[at / PAGE] == present)
		at = (at / PAGE + 1) * PAGE;
	return at < image->size ? at : image->size;
}

static uint64_t source_next(void *ctx, uint64_t at)
{
	const struct mkimage *image = ctx;

	at = next_page(image, at, true);
	return at < image->size ? at : IMAGE_NOWHERE;
}

static ssize_t source_read(void *ctx, void *buf, size_t len, uint64_t at, struct lkst_error *err)
{
	const struct mkimage *image = ctx;
	uint64_t end = next_page(image, at, false);

	(void)err;
	if (end <= at)
		return 0;
	if (len > end - at)
		len = end - at;
	memcpy(buf, image->data + at, len);
	return (ssize_t)len;
}

static void source_close(void *ctx)
{
	(void)ctx;
}

struct image_source *mkimage_source(struct mkimage *image)
{
	struct image_source *source = calloc(1, sizeof(*source));

	MUST(source);
	*source = (struct image_source){
		.name = strdup("image"),
		.form = "made",
		.size = image->size,
		.physical = !image->hole,
		.next = source_next,
		.read = source_read,
		.close = source_close,
		.ctx = image,
	};
	return source;
}

static int file_new(void)
{
	int fd = memfd_create("image", MFD_CLOEXEC);

	MUST(fd >= 0);
	return fd;
}

static void write_at(int fd, const void *data, size_t len, size_t at)
{
	MUST(pwrite(fd, data, len, (off_t)at) == (ssize_t)len);
}

int mkimage_raw_fd(const struct mkimage *image)
{
	int fd = file_new();

	MUST(!ftruncate(fd, (off_t)image->size));
	for (uint64_t at = next_page(image, 0, true); at < image->size;) {
		uint64_t end = next_page(image, at, false);

		write_at(fd, image->data + at, end - at, at);
		at = next_page(image, end, true);
	}
	return fd;
}

int mkimage_elf_fd(const struct mkimage *image)
{
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, NATIVE, EV_CURRENT },
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = sizeof(header),
		.e_ehsize = sizeof(header),
		.e_phentsize = sizeof(Elf64_Phdr),
	};
	size_t file = 1u << 20; /* offset of the data, after room for the segment headers */
	int fd = file_new();

	for (uint64_t at = next_page(image, 0, true); at < image->size;) {
		bool above = image->hole && at >= image->hole;
		Elf64_Phdr segment = { .p_type = PT_LOAD, .p_offset = file };
		uint64_t end = next_page(image, at, false);

		if (image->hole && !above && end > image->hole)
			end = (size_t)image->hole;
		segment.p_paddr = at + (above ? image->hole_length : 0);
		segment.p_filesz = segment.p_memsz = end - at;
		write_at(fd, &segment, sizeof(segment),
			 sizeof(header) + header.e_phnum++ * sizeof(segment));
		write_at(fd, image->data + at, end - at, file);
		file += end - at;
		at = next_page(image, end, true);
	}
	write_at(fd, &header, sizeof(header), 0);
	return fd;
}
