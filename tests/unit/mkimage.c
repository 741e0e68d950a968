// SPDX-License-Identifier: GPL-2.0
#include <byteswap.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mkimage.h"
#include "room.h"

#define PAGE ((size_t)LKST_IMAGE_PAGE)

#define MUST(condition)                                                                 \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                        \
		}                                                                       \
	} while (0)

/* As the machine of the boot has them. */
static uint16_t o16(const struct mkboot *boot, uint16_t value)
{
	return boot->swapped ? bswap_16(value) : value;
}

static uint32_t o32(const struct mkboot *boot, uint32_t value)
{
	return boot->swapped ? bswap_32(value) : value;
}

static uint64_t o64(const struct mkboot *boot, uint64_t value)
{
	return boot->swapped ? bswap_64(value) : value;
}

/* CRC-32C, bit by bit. */
static uint32_t crc32c(const void *data, size_t len)
{
	const uint8_t *p = data;
	uint32_t crc = ~0u;

	while (len--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

/* The same on all machines, unlike rand(). */
static uint32_t noise(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*seed >> 33);
}

static void put_noise(uint8_t *page, uint64_t seed)
{
	for (size_t i = 0; i < PAGE; i++)
		page[i] = (uint8_t)noise(&seed);
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
	size_t len = strlen(boot->facts), room = sizeof(boot->facts) - len;

	MUST((size_t)snprintf(boot->facts + len, room, "%s=%s\n", key, value) < room);
}

void mkarea_init(struct mkarea *area, struct mkimage *image, struct mkboot *boot, uint32_t kind,
		 int32_t cpu, int32_t id)
{
	*area = (struct mkarea){
		.image = image,
		.boot = boot,
		.number = ++boot->areas,
		.kind = kind,
		.cpu = cpu,
		.id = id,
	};
}

void mkarea_add(struct mkarea *area, uint64_t physical, uint64_t length)
{
	MUST(area->extents < MKIMAGE_EXTENTS && physical % PAGE == 0 && length);
	area->extent[area->extents++] = (struct mkextent){ physical, length };
	area->length += length;
}

uint64_t mkarea_header_at(const struct mkarea *area, size_t extent, unsigned int copy)
{
	const struct mkextent *e = &area->extent[extent];

	MUST(extent < area->extents && copy < 2);
	return e->physical + (copy ? PAGE + (e->length + PAGE - 1) / PAGE * PAGE : 0);
}

static void mkarea_state(struct lkst_image_header *head)
{
	head->checksum = bswap_32(head->checksum);
	head->version = bswap_32(head->version);
	head->byte_order = bswap_32(head->byte_order);
	head->kind = bswap_32(head->kind);
	head->physical = bswap_64(head->physical);
	head->area = bswap_64(head->area);
	head->area_length = bswap_64(head->area_length);
	head->offset = bswap_64(head->offset);
	head->length = bswap_64(head->length);
	head->extent = bswap_32(head->extent);
	head->extent_num = bswap_32(head->extent_num);
	head->copy = bswap_32(head->copy);
	head->cpu = (int32_t)bswap_32((uint32_t)head->cpu);
	head->id = (int32_t)bswap_32((uint32_t)head->id);
	head->long_size = bswap_32(head->long_size);
}

void mkarea_get_header(struct mkarea *area, size_t extent, unsigned int copy,
		       struct lkst_image_header *head)
{
	memcpy(head, mkimage_at(area->image, mkarea_header_at(area, extent, copy)), sizeof(*head));
	if (area->boot->swapped)
		mkarea_state(head);
}

void mkarea_put_header(struct mkarea *area, size_t extent, unsigned int copy,
		       const struct lkst_image_header *head)
{
	const size_t from = offsetof(struct lkst_image_header, version);
	struct lkst_image_header h = *head;

	if (area->boot->swapped)
		mkarea_state(&h);
	h.checksum = o32(area->boot, crc32c((uint8_t *)&h + from, sizeof(h) - from));
	memcpy(mkimage_at(area->image, mkarea_header_at(area, extent, copy)), &h, sizeof(h));
}

static void sign_extent(struct mkarea *area, size_t extent, uint64_t offset, unsigned int copy)
{
	const struct mkboot *boot = area->boot;
	struct lkst_image_header head = {
		.magic = LKST_IMAGE_MAGIC,
		.version = LKST_IMAGE_VERSION,
		.byte_order = LKST_IMAGE_BYTE_ORDER,
		.kind = area->kind,
		.physical = mkarea_header_at(area, extent, copy),
		.area = area->number,
		.area_length = area->length,
		.offset = offset,
		.length = area->extent[extent].length,
		.extent = (uint32_t)extent,
		.extent_num = (uint32_t)area->extents,
		.copy = copy,
		.cpu = area->cpu,
		.id = area->id,
		.long_size = boot->long_size,
	};

	memcpy(head.boot, boot->id, sizeof(head.boot));
	memcpy(head.facts, boot->facts, sizeof(head.facts));
	mkarea_put_header(area, extent, copy, &head);
}

void mkarea_sign(struct mkarea *area)
{
	uint64_t offset = 0;

	for (size_t i = 0; i < area->extents; i++) {
		sign_extent(area, i, offset, 0);
		sign_extent(area, i, offset, 1);
		offset += area->extent[i].length;
		MUST(offset % PAGE == 0 || i + 1 == area->extents);
	}
}

uint64_t mkarea_lay(struct mkarea *area, uint64_t physical, uint64_t length, uint64_t extent_length)
{
	MUST(extent_length);
	while (length) {
		uint64_t part = length < extent_length ? length : extent_length;

		mkarea_add(area, physical, part);
		physical = mkarea_header_at(area, area->extents - 1, 1) + PAGE;
		length -= part;
	}
	mkarea_sign(area);
	return physical;
}

/* Where a byte of the area is in memory, and how many follow it in the extent. */
static uint64_t place_of(const struct mkarea *area, uint64_t offset, uint64_t *left)
{
	for (size_t i = 0; i < area->extents; i++) {
		const struct mkextent *e = &area->extent[i];

		if (offset < e->length) {
			*left = e->length - offset;
			return e->physical + PAGE + offset;
		}
		offset -= e->length;
	}
	MUST(!"within the area");
	return 0;
}

static void copy_bytes(struct mkarea *area, uint64_t offset, uint8_t *data, size_t len, bool put)
{
	while (len) {
		uint64_t left, at = place_of(area, offset, &left);
		size_t n = left < len ? (size_t)left : len;

		memcpy(put ? mkimage_at(area->image, at) : data,
		       put ? data : mkimage_at(area->image, at), n);
		data += n;
		offset += n;
		len -= n;
	}
}

void mkarea_put(struct mkarea *area, uint64_t offset, const void *data, size_t len)
{
	copy_bytes(area, offset, (uint8_t *)data, len, true);
}

void mkarea_get(struct mkarea *area, uint64_t offset, void *data, size_t len)
{
	copy_bytes(area, offset, data, len, false);
}

void mkarea_lose_header(struct mkarea *area, size_t extent, unsigned int copy)
{
	put_noise(mkimage_at(area->image, mkarea_header_at(area, extent, copy)), extent + copy);
}

/* ---- LKST_IMAGE_BUFFER ---- */

void mkarea_put_session(struct mkarea *area, unsigned int copy,
			const struct lkst_image_session *stretch)
{
	const struct mkboot *boot = area->boot;
	const size_t from = offsetof(struct lkst_image_session, sequence);
	const size_t to = offsetof(struct lkst_image_session, lap);
	struct lkst_image_session s = {
		.sequence = o32(boot, stretch->sequence),
		.first = o64(boot, stretch->first),
		.first_recid = o64(boot, stretch->first_recid),
		.clock = o32(boot, stretch->clock),
		.khz = o64(boot, stretch->khz),
		.clock_start = o64(boot, stretch->clock_start),
		.monotonic = (int64_t)o64(boot, (uint64_t)stretch->monotonic),
		.wall = (int64_t)o64(boot, (uint64_t)stretch->wall),
		.boottime = (int64_t)o64(boot, (uint64_t)stretch->boottime),
		.lap = o64(boot, stretch->lap),
	};

	s.checksum = o32(boot, crc32c((uint8_t *)&s + from, to - from));
	memcpy(mkimage_at(area->image, mkarea_header_at(area, 0, copy)) + LKST_IMAGE_STATE, &s,
	       sizeof(s));
}

static void mkarea_put_sessions(struct mkarea *area)
{
	mkarea_put_session(area, 0, &area->stretch);
	mkarea_put_session(area, 1, &area->stretch);
}

void mkarea_session(struct mkarea *area, uint64_t first, uint64_t first_recid, int64_t wall)
{
	area->stretch = (struct lkst_image_session){
		.sequence = area->stretch.sequence + 1,
		.first = first,
		.first_recid = first_recid,
		.clock = LKST_CLOCK_TSC,
		.khz = area->boot->khz,
		.clock_start = 1000000,
		.monotonic = 5000000000,
		.wall = wall,
		.boottime = 5000000000,
		.lap = first / mkarea_slots(area),
	};
	mkarea_put_sessions(area);
}

void mkarea_lap(struct mkarea *area, uint64_t lap)
{
	area->stretch.lap = lap;
	mkarea_put_sessions(area);
}

uint64_t mkarea_slots(const struct mkarea *area)
{
	return area->length / sizeof(struct lkst_event_record);
}

struct lkst_event_record mkarea_expected(const struct mkarea *area, uint64_t position)
{
	const struct lkst_image_session *stretch = &area->stretch;
	uint32_t tid = 1000 + (uint32_t)(position % 100);

	return (struct lkst_event_record){
		.clock = stretch->clock_start + (position - stretch->first) * 1000 + 1,
		.event_type = (uint16_t)(0x030 + position % 2),
		.flags = LKST_RECORD_HARDIRQ * (position % 3 == 0),
		.thread = tid,
		.pid = tid,
		.pgrp = 1000,
		.uid = 100,
		.gid = 101,
		.arg = { position, (uint64_t)area->cpu, (uint64_t)area->id, ~position },
	};
}

/* In the byte order of the machine. */
static struct lkst_event_record ordered(const struct mkboot *boot,
					const struct lkst_event_record *record)
{
	struct lkst_event_record r = {
		.clock = o64(boot, record->clock),
		.event_type = o16(boot, record->event_type),
		.flags = o16(boot, record->flags),
		.thread = o32(boot, record->thread),
		.pid = o32(boot, record->pid),
		.pgrp = o32(boot, record->pgrp),
		.uid = o32(boot, record->uid),
		.gid = o32(boot, record->gid),
	};

	for (int i = 0; i < 4; i++)
		r.arg[i] = o64(boot, record->arg[i]);
	return r;
}

void mkarea_record(struct mkarea *area, uint64_t position, const struct lkst_event_record *record)
{
	struct lkst_event_record r = *record;
	uint64_t slots = mkarea_slots(area);

	r.flags &= LKST_RECORD_FLAGS;
	r.flags |= (uint16_t)(position / slots << LKST_RECORD_LAP_SHIFT);
	r = ordered(area->boot, &r);
	mkarea_put(area, position % slots * sizeof(r), &r, sizeof(r));
}

void mkarea_records(struct mkarea *area, uint64_t from, uint64_t to)
{
	for (uint64_t position = from; position < to; position++) {
		struct lkst_event_record record = mkarea_expected(area, position);

		mkarea_record(area, position, &record);
	}
	if (from < to)
		mkarea_lap(area, (to - 1) / mkarea_slots(area));
}

uint64_t mkarea_slot_at(const struct mkarea *area, uint64_t slot)
{
	uint64_t left;

	return place_of(area, slot * sizeof(struct lkst_event_record), &left);
}

/* ---- other kinds ---- */

void mkarea_static(struct mkarea *area, uint64_t recid, int32_t cpu, uint32_t clock,
		   const struct lkst_event_record *record)
{
	uint64_t slots = area->length / (sizeof(*record) + sizeof(struct lkst_image_slot));
	struct lkst_event_record r = ordered(area->boot, record);
	struct lkst_image_slot slot = {
		.state = o64(area->boot, 2 * (recid + 1)),
		.cpu = (int32_t)o32(area->boot, (uint32_t)cpu),
		.clock = o32(area->boot, clock),
	};

	mkarea_put(area, recid % slots * sizeof(r), &r, sizeof(r));
	mkarea_put(area, slots * sizeof(r) + recid % slots * sizeof(slot), &slot, sizeof(slot));
}

uint64_t mkarea_text(struct mkarea *area, uint64_t offset, uint32_t kind, const char *text)
{
	size_t len = strlen(text);
	struct lkst_image_text head = {
		.kind = o32(area->boot, kind),
		.checksum = o32(area->boot, crc32c(text, len)),
		.length = o64(area->boot, len),
	};

	MUST(offset % 8 == 0);
	mkarea_put(area, offset, &head, sizeof(head));
	mkarea_put(area, offset + sizeof(head), text, len);
	return (offset + sizeof(head) + len + 7) / 8 * 8;
}

void mkarea_part(struct mkarea *area, uint32_t part, uint32_t part_num, uint64_t number,
		 uint32_t state)
{
	const size_t from = offsetof(struct lkst_image_part, sequence);
	struct lkst_image_part p = {
		.sequence = o32(area->boot, 1),
		.number = o64(area->boot, number),
		.state = o32(area->boot, state),
		.part = o32(area->boot, part),
		.part_num = o32(area->boot, part_num),
	};

	p.checksum = o32(area->boot, crc32c((uint8_t *)&p + from, sizeof(p) - from));
	for (unsigned int copy = 0; copy < 2; copy++)
		memcpy(mkimage_at(area->image, mkarea_header_at(area, 0, copy)) + LKST_IMAGE_STATE,
		       &p, sizeof(p));
}

size_t mkimage_damage(struct mkimage *image, unsigned int permille, unsigned int seed,
		      enum mkimage_damage damage, uint8_t *page)
{
	uint64_t random = seed;
	size_t num = 0;

	for (size_t i = 0; i < image->size / PAGE; i++) {
		if (noise(&random) % 1000 >= permille)
			continue;
		if (damage == MKIMAGE_NOISE)
			put_noise(image->data + i * PAGE, random);
		else
			image->missing[i] = 1;
		if (page)
			page[i] = 1;
		num++;
	}
	return num;
}
