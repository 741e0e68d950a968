/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Images of memory with LKST's data in it, for tests of what reads them. They are made of what
 * linux/lkst_image.h says, with none of the reader's code.
 *
 *	struct mkimage *image = mkimage_new(16 << 20);
 *	struct mkboot boot;
 *	struct mkarea buffer;
 *
 *	mkboot_init(&boot, 1);
 *	mkarea_init(&buffer, image, &boot, LKST_IMAGE_BUFFER, 0, 0);	// CPU 0, buffer 0
 *	mkarea_lay(&buffer, 0x100000, 64 << 10, 16 << 10);	// four extents from 1M on
 *	mkarea_session(&buffer, 0, 0, SAMPLE_NS);
 *	mkarea_records(&buffer, 0, 1500);	// goes round once
 *	source = mkimage_source(image);
 *
 * Addresses are physical, positions are lap * slots + slot. What is wrong with arguments ends the
 * test.
 */
#ifndef _MKIMAGE_H
#define _MKIMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/lkst_buffer.h>
#include <linux/lkst_image.h>

#define MKIMAGE_EXTENTS 64

struct image_source;

/**
 * struct mkimage - memory, and the image of it
 * @data: the image, zeroed at first
 * @size: bytes; may be made less, to cut it off
 * @hole: first address that is not in the image, as QEMU leaves out the PCI hole; 0: there is no
 *	such hole
 * @hole_length: bytes; at the address behind it the image goes on
 * @missing: by page of the image, 1: it is not there
 * @room: bytes of @data
 */
struct mkimage {
	uint8_t *data;
	size_t size;
	uint64_t hole;
	uint64_t hole_length;
	uint8_t *missing;
	size_t room;
};

struct mkimage *mkimage_new(size_t size);
void mkimage_free(struct mkimage *image);
/* Set @hole and @hole_length before anything is put there. */
uint8_t *mkimage_at(struct mkimage *image, uint64_t physical);

/**
 * struct mkboot - a run of a kernel. Change what mkboot_init() made before areas are signed
 * @id: its UUID
 * @swapped: its machine has the other byte order
 * @long_size: 8 or 4
 * @facts: text of the header
 * @areas: how many it has so far
 * @khz: rate of clocks (LKST_CLOCK_TSC)
 */
struct mkboot {
	uint8_t id[LKST_IMAGE_BOOT_LEN];
	bool swapped;
	uint32_t long_size;
	char facts[LKST_IMAGE_METADATA_LEN];
	uint64_t areas;
	uint64_t khz;
};

/* Boot number @n: the id is n in all bytes. */
void mkboot_init(struct mkboot *boot, unsigned int n);
/* Another fact. */
void mkboot_fact(struct mkboot *boot, const char *key, const char *value);

/**
 * struct mkextent - an extent
 * @physical: of the page with the header
 * @length: bytes of data
 */
struct mkextent {
	uint64_t physical;
	uint64_t length;
};

/**
 * struct mkarea - an area
 * @image: where it is
 * @boot: whose it is
 * @number: as in the header
 * @kind: likewise
 * @cpu: likewise
 * @id: likewise
 * @length: likewise
 * @extents: entries of @extent
 * @extent: by offset
 * @stretch: what mkarea_session() wrote last, in the byte order of this machine
 */
struct mkarea {
	struct mkimage *image;
	struct mkboot *boot;
	uint64_t number;
	uint32_t kind;
	int32_t cpu;
	int32_t id;
	uint64_t length;
	size_t extents;
	struct mkextent extent[MKIMAGE_EXTENTS];
	struct lkst_image_session stretch;
};

/* The next number of the boot. Of what is no buffer, @cpu is -1 and @id LKST_BUFFER_ID_VOID. */
void mkarea_init(struct mkarea *area, struct mkimage *image, struct mkboot *boot, uint32_t kind,
		 int32_t cpu, int32_t id);
/* An extent more, as yet without headers. @length: a multiple of 4096, but for the last one. */
void mkarea_add(struct mkarea *area, uint64_t physical, uint64_t length);
/* Writes all headers; those that were changed or lost, too. */
void mkarea_sign(struct mkarea *area);
/*
 * Extents of @extent_length bytes one behind the other, and their headers. Returns the address
 * behind them.
 */
uint64_t mkarea_lay(struct mkarea *area, uint64_t physical, uint64_t length,
		    uint64_t extent_length);
/* Bytes of the area; they may cross extents. */
void mkarea_put(struct mkarea *area, uint64_t offset, const void *data, size_t len);
void mkarea_get(struct mkarea *area, uint64_t offset, void *data, size_t len);

/* The page of a header; copy 0 stands before the data. */
uint64_t mkarea_header_at(const struct mkarea *area, size_t extent, unsigned int copy);
/* A header in the byte order of this machine, and back, signed again. */
void mkarea_get_header(struct mkarea *area, size_t extent, unsigned int copy,
		       struct lkst_image_header *head);
void mkarea_put_header(struct mkarea *area, size_t extent, unsigned int copy,
		       const struct lkst_image_header *head);
/* Write noise over the page of a header. */
void mkarea_lose_header(struct mkarea *area, size_t extent, unsigned int copy);

/* ---- LKST_IMAGE_BUFFER ---- */

/*
 * The records are a stretch that begins at position @first with @first_recid, at time @wall (ns). Its
 * clock is the TSC, with the boot's rate, and shows 1000000 then; the lap note has the lap of @first.
 */
void mkarea_session(struct mkarea *area, uint64_t first, uint64_t first_recid, int64_t wall);
/* Of one header page, with its checksum: to have them differ. */
void mkarea_put_session(struct mkarea *area, unsigned int copy,
			const struct lkst_image_session *stretch);
void mkarea_lap(struct mkarea *area, uint64_t lap);
uint64_t mkarea_slots(const struct mkarea *area);
/* A record as it is at a position: mkarea_records() puts it, and readers should give it. */
struct lkst_event_record mkarea_expected(const struct mkarea *area, uint64_t position);
/* Records at the positions from @from to before @to, oldest first, and the lap note of the last. */
void mkarea_records(struct mkarea *area, uint64_t from, uint64_t to);
/* One record; its lap is put in. */
void mkarea_record(struct mkarea *area, uint64_t position, const struct lkst_event_record *record);
/* Where in memory a slot is. */
uint64_t mkarea_slot_at(const struct mkarea *area, uint64_t slot);

/* ---- LKST_IMAGE_STATIC: the length is a multiple of 80 ---- */

/* Record number @recid at its slot, and the slot's state. */
void mkarea_static(struct mkarea *area, uint64_t recid, int32_t cpu, uint32_t clock,
		   const struct lkst_event_record *record);

/* ---- LKST_IMAGE_TEXTS ---- */

/* A text at @offset. Returns where the next one, or the end (0 is there already), stands. */
uint64_t mkarea_text(struct mkarea *area, uint64_t offset, uint32_t kind, const char *text);

/* ---- LKST_IMAGE_PART: one extent around the other areas ---- */

void mkarea_part(struct mkarea *area, uint32_t part, uint32_t part_num, uint64_t number,
		 uint32_t state);

/* ---- damage ---- */

enum mkimage_damage {
	MKIMAGE_MISSING, /* the image says that the page is not there; raw: zeroes */
	MKIMAGE_NOISE,
};

/*
 * So many of a thousand pages of the image, chosen by @seed. Returns how many. For each, page[its
 * number in the image] = 1, if @page is not NULL.
 */
size_t mkimage_damage(struct mkimage *image, unsigned int permille, unsigned int seed,
		      enum mkimage_damage damage, uint8_t *page);

/* ---- the image for a reader ---- */

/* Offsets are physical addresses unless there is a hole. The image must stay. */
struct image_source *mkimage_source(struct mkimage *image);
/* Descriptors of files without a name; missing pages are holes. */
int mkimage_raw_fd(const struct mkimage *image);
/* Missing pages are in no segment. */
int mkimage_elf_fd(const struct mkimage *image);

#endif
